/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and compiles the source of a kernel in shared memory. */
#include "plugins/ldpc/cuda/shared/plan.h"
#include "plugins/ldpc/cuda/source_text.h"

static void put_steps(struct text *t, const struct ldpc_shared_plan *p, int number)
{
    put(t, "__constant__ const struct ldpc_shared_step steps_%d[] = {\n", number);
    for (uint32_t i = 0; i < p->steps; i++) {
        const struct ldpc_shared_step *s = &p->step[i];

        put(t, "{%u, %u, %u, %u, %u},\n", s->edge, s->word * p->form.threads, s->lane, s->rows,
            s->kind);
    }
    for (uint32_t i = 0; i < 2 * p->form.parts; i++) /* that nobody takes */
        put(t, "{0, 0, 0, 0, 2},\n");
    put(t, "};\n");
}

/* Where a circulant's column begins and its shift, in bytes of shared memory. */
static void put_edges(struct text *t, const struct ldpc_shared_plan *p, int number)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t unit = (p->form.wide ? 4 : 2) * p->form.slots;
    const uint32_t n = p->form.qc ? c->row_first[p->d->rows] : 1;

    put(t, "__constant__ const uint2 edges_%d[] = {\n", number);
    for (uint32_t e = 0; e < n; e++)
        put(t, "{%u, %u},\n", c->edge[e].col * c->z * unit, c->edge[e].shift * unit);
    for (uint32_t e = 0; e < LDPC_SHARED_MOST_WEIGHT; e++) /* which lighter rows read, too */
        put(t, "{0, 0}, ");
    put(t, "};\n");
}

/* Lanes that lack an edge, in bytes, too. */
static void put_skips(struct text *t, const struct ldpc_shared_plan *p, int number)
{
    const struct ldpc_code *c = p->d->code;
    const uint32_t unit = (p->form.wide ? 4 : 2) * p->form.slots;
    const uint32_t n = p->form.spares ? c->row_first[p->d->rows] : 1;

    put(t, "__constant__ const uint32_t skips_%d[] = {", number);
    for (uint32_t e = 0; e < n; e++)
        put(t, "%u,%c", c->edge[e].skip == LDPC_NO_LANE ? LDPC_NO_LANE : c->edge[e].skip * unit,
            e % 16 == 15 ? '\n' : ' ');
    put(t, "};\n");
}

static void put_form(struct text *t, const struct ldpc_shared_plan *p, int number)
{
    const struct ldpc_shared_form *f = &p->form;
    uint32_t most = 0;

    put(t, "struct code_%d {\n", number);
    put(t,
        "    static constexpr bool WIDE = %d, QC = %d, OMS = %d, FLOODING = %d, UNPACKED = %d, "
        "SOFT = "
        "%d;\n",
        f->wide, f->qc, f->oms, f->flooding, f->unpacked, f->soft);
    put(t,
        "    static constexpr uint32_t SLOTS = %u, PARTS = %u, ROWS = %u, THREADS = %u, BLOCKS = "
        "%u, COLUMNS = "
        "%u, SPARES = %u;\n",
        f->slots, f->parts, f->rows, f->threads, f->blocks, f->columns, f->spares);
    put(t, "    static constexpr uint32_t Z = %u, WORDS = %u, NEAR = %u, IN = %u, STEPS = %u;\n",
        f->z, f->words, f->near, f->in_type, p->steps / f->parts);
    put(t, "    static constexpr int WEIGHTS = %u, AHEAD = %u;\n", p->weights, f->ahead);
    put(t, "    static constexpr int weight(int i) { return ");
    for (uint32_t i = 0; i < p->weights; i++) {
        if (i + 1 < p->weights)
            put(t, "i == %u ? %u : ", i, p->weight[i]);
        else
            put(t, "%u; }\n", p->weight[i]);
        most = p->weight[i] > most ? p->weight[i] : most;
    }
    put(t, "    static constexpr int MOST_WEIGHT = %u;\n", most);
    put(t, "    FECRUN_MEMBER static const struct ldpc_shared_step *steps() { return steps_%d; }\n",
        number);
    put(t, "    FECRUN_MEMBER static const uint2 *edges(uint32_t e) { return edges_%d + e; }\n",
        number);
    put(t,
        "    FECRUN_MEMBER static const uint32_t *skips(uint32_t e) { return skips_%d + e; }\n};\n",
        number);
}

size_t ldpc_shared_source(const struct ldpc_shared_plan *p, int number, char *text, size_t size)
{
    struct text t = {.at = text, .size = size};

    put(&t, "#include \"plugins/ldpc/cuda/shared/kernel.cuh\"\nnamespace ldpc_shared {\n");
    put_steps(&t, p, number);
    put_edges(&t, p, number);
    put_skips(&t, p, number);
    put_form(&t, p, number);
    put(&t,
        "template __global__ void decode<code_%d>(const __grid_constant__ struct "
        "ldpc_shared_work);\n}\n",
        number);
    return t.length;
}
