/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage ldpc.encode and its reference, which is also the fast encoder of the CPU. */
#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>

#include "plugins/common/checks/checks.h"
#include "plugins/ldpc/code/library.h"
#include "plugins/ldpc/code/split.h"
#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/plugin.h"

static void free_code(void *code)
{
    struct ldpc_encode *e = code;

    if (!e)
        return;
    ldpc_library_give(e->code);
    free(e->steps);
    free(e);
}

static int fill(struct ldpc_encode *e, const struct fecrun_values *values,
                const struct fecrun_frame *in, struct fecrun_error *err)
{
    struct ldpc_split split;

    values = ldpc_split_values(&split, values, LDPC_N_CODE_PARAMS, LDPC_P_BG, in, err);
    e->code = values ? ldpc_library_take(values, err) : NULL;
    if (!e->code)
        return -1;
    e->from_split = split.took;
    e->bits = e->code->k - e->code->fillers;
    if (checks_bits(in, e->code->k, e->code->fillers, err))
        return -1;
    if (e->code->family == LDPC_DVBS2 || e->code->solution)
        return 0;
    e->steps = ldpc_steps_new(e->code, err);
    return e->steps ? 0 : fecrun_fail(err, "code", "has a base graph that cannot be encoded");
}

/* Do the information bits open the word? (NR's first 2 z are never in it: no news.) */
static bool in_front(const struct ldpc_code *c)
{
    for (uint32_t i = 0; i < c->k && !c->punctured; i++)
        if (i >= c->n || ldpc_place(c, i) != ldpc_info(c, i))
            return false;
    return true;
}

/* For rate matching of a base graph that no standard has. */
static int set_facts(struct fecrun_frame *out, const struct ldpc_code *c, struct fecrun_error *err)
{
    if (c->family != LDPC_QC)
        return 0;
    return fecrun_fact_set(out, LDPC_FACT_K, c->k, err) ||
                   fecrun_fact_set(out, LDPC_FACT_N, c->n, err) ||
                   fecrun_fact_set(out, LDPC_FACT_Z, c->z, err)
               ? -1
               : 0;
}

static void say(const struct ldpc_encode *e, char *note, size_t size)
{
    int used = 0;

    if (e->from_split)
        used = snprintf(note, size, "bg %u, z %u, %u fillers from seg.split; ", e->code->bg,
                        e->code->z, e->code->fillers);
    snprintf(note + used, size - (size_t)used, "K = %u, N = %u%s", e->code->k, e->code->n,
             in_front(e->code) ? "" : "; information bits are not the first ones of the word");
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct ldpc_encode *e = calloc(1, sizeof *e);

    (void)host;
    if (!e)
        return fecrun_no_memory(err);
    if (fill(e, values, in[0], err)) {
        free_code(e);
        return -1;
    }
    result->code = e;
    ldpc_identity(result, e->code);
    fecrun_frame_bits(out[0], in[0], e->code->n);
    if (set_facts(out[0], e->code, err)) {
        free_code(e);
        result->code = NULL;
        return -1;
    }
    say(e, result->note, sizeof result->note);
    return 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct ldpc_encode *e = instance;

    (void)frames;
    if (e->steps)
        return e->code->z <= 64 ? ldpc_scratch_small(e) : ldpc_scratch_lifted(e);
    return e->code->solution ? ldpc_scratch_general(e) : ldpc_scratch_dvbs2(e);
}

static void encode_row(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    if (e->steps && e->code->z <= 64)
        ldpc_encode_small(e, in, out, scratch);
    else if (e->steps)
        ldpc_encode_lifted(e, in, out, scratch);
    else if (e->code->solution)
        ldpc_encode_general(e, in, out, scratch);
    else
        ldpc_encode_dvbs2(e, in, out, scratch);
}

FECRUN_RUN_ROWS(run, encode_row)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .summary = "z bits of a base column at a time in machine words",
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT, .scratch = scratch),
    &ldpc_encode_cuda,
    NULL,
};

static const struct fecrun_param *const params[] = {LDPC_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 2}", .items = 44),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 1, z: 384, fillers: 296}", .items = 8152),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 15}", .items = 150),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 208, fillers: 1}", .items = 2079),
    FECRUN_EXAMPLE(.params = "{code: nr, bg: 2, z: 32, fillers: 128}", .items = 192), /* Kb = 6 */
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 648, rate: 1/2}", .items = 324),
    FECRUN_EXAMPLE(.params = "{code: wifi, n: 1944, rate: 5/6}", .items = 1620),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 576, rate: 2/3A}", .items = 384),
    FECRUN_EXAMPLE(.params = "{code: wimax, n: 2304, rate: 3/4B}", .items = 1728),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: short, rate: 1/4}", .items = 3240),
    FECRUN_EXAMPLE(.params = "{code: dvbs2, frame: normal, rate: 9/10}", .items = 58320),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 128}", .items = 64),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 8176}", .items = 7154),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 1280}", .items = 1024),
    FECRUN_EXAMPLE(.params = "{code: ccsds, n: 8192}", .items = 4096),
    NULL};

const struct fecrun_stage ldpc_encode_stage = {
    FECRUN_TRANSFORM(plan, free_code),
    .name = "ldpc.encode",
    .summary = "LDPC encoder: K information bits (less the fillers) give the N bits of the word",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
