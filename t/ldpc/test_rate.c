/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.rate_match and ldpc.rate_recover, their references and the arithmetic of their kernels,
 * against TS 38.212 5.4.2 taken literally: a buffer with NULLs, walked one place at a time.
 *
 * A round draws all it does from one seed, FECRUN_TEST_SEED for the first and one more for each of
 * the FECRUN_TEST_ROUNDS rounds.
 */
#include "t/lib/tap.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sim.h>
#include <fecrun/sdk/params.h>
#include <math.h>

#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/rate.h"

enum { BG, Z, FILLERS, E, RV, QM, NCB, HARQ_IN, HARQ_OUT, VALUES };
enum { SCRATCH = 1 << 20 };

static const uint32_t lifting_sizes[] = {
    2,  3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,  16,  18,  20,
    22, 24,  26,  28,  30,  32,  36,  40,  44,  48,  52,  56,  60,  64,  72,  80,  88,
    96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384};

static uint64_t seed, state;
static unsigned failures;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 32) * n >> 32);
}

static void differ(const char *what)
{
    if (failures++ < 10)
        diag("FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1: %s", seed, what);
}

static void *get(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);

    if (!memory)
        bail("out of memory");
    return memory;
}

/* ---- The document ---------------------------------------------------------------------------- */

struct document {
    uint32_t k, n, ncb, k0;
    int32_t *sent; /* [e]: place in d of each bit of f */
};

static void read_document(struct document *doc, const int64_t p[VALUES])
{
    static const int64_t numerator[3][4] = {{0}, {0, 17, 33, 56}, {0, 13, 25, 43}};
    const int64_t all = p[BG] == 1 ? 66 : 50;
    int32_t *e = get((size_t)p[E] * sizeof *e);
    const int64_t columns = p[E] / p[QM];
    uint32_t j = 0;

    doc->k = (uint32_t)((p[BG] == 1 ? 22 : 10) * p[Z]);
    doc->n = (uint32_t)(all * p[Z]);
    doc->ncb = p[NCB] ? (uint32_t)p[NCB] : doc->n;
    doc->k0 = (uint32_t)(numerator[p[BG]][p[RV]] * doc->ncb / (all * p[Z]) * p[Z]);
    doc->sent = get((size_t)p[E] * sizeof *doc->sent);
    for (int64_t k = 0; k < p[E]; j++) { /* 5.4.2.1 */
        const int64_t place = (doc->k0 + j) % doc->ncb, c = place + 2 * p[Z];
        if (c >= doc->k - p[FILLERS] && c < doc->k)
            continue; /* NULL */
        e[k++] = (int32_t)place;
    }
    for (int64_t column = 0; column < columns; column++) /* 5.4.2.2 */
        for (int64_t i = 0; i < p[QM]; i++)
            doc->sent[i + column * p[QM]] = e[i * columns + column];
    free(e);
}

static bool is_filler(const struct document *doc, const int64_t p[VALUES], uint32_t item)
{
    const int64_t c = item + 2 * p[Z];

    return c >= doc->k - p[FILLERS] && c < doc->k;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

struct trial {
    struct fecrun_value value[VALUES];
    const struct fecrun_value *list[VALUES];
    struct fecrun_frame in, harq, out;
    struct fecrun_plan plan;
    struct fecrun_sim_plan sim;
    struct fecrun_error err;
};

static int plan_stage(struct trial *t, const struct fecrun_stage *stage, const int64_t p[VALUES],
                      uint64_t items, bool harq)
{
    struct fecrun_values values = {sizeof values, VALUES, t->list};
    const struct fecrun_frame *in[] = {&t->in, harq ? &t->harq : NULL};
    struct fecrun_frame *out[] = {&t->out};

    for (size_t i = 0; i < VALUES; i++) {
        t->value[i] = (struct fecrun_value){.size = sizeof t->value[i],
                                            .given = i < HARQ_IN && (p[i] || i != NCB) ? 2 : 0,
                                            .i = p[i]};
        t->list[i] = &t->value[i];
    }
    t->in.items = items;
    t->out = (struct fecrun_frame){.size = sizeof t->out};
    t->sim = (struct fecrun_sim_plan){.size = sizeof t->sim};
    t->plan = (struct fecrun_plan){.size = sizeof t->plan, .sim = &t->sim};
    t->err = (struct fecrun_error){.size = sizeof t->err};
    return stage->plan(NULL, &values, in, out, &t->plan, &t->err);
}

static void begin(struct trial *t, uint32_t kind, uint32_t type, double llr_max)
{
    memset(t, 0, sizeof *t);
    t->in = (struct fecrun_frame){.size = sizeof t->in,
                                  .kind = kind,
                                  .type = type,
                                  .llr_max = llr_max,
                                  .llr_scale = kind == FECRUN_KIND_LLR ? 4 : 0};
    t->harq = t->in;
}

/* One frame through the reference. */
static void run_stage(const struct trial *t, const struct fecrun_stage *stage, uint32_t type,
                      const void *from, const void *harq, void *to)
{
    static _Alignas(64) uint8_t scratch[SCRATCH];
    void *const codes[] = {t->plan.code};
    const struct fecrun_create create = {.size = sizeof create, .codes = codes, .n_codes = 1};
    const struct fecrun_call call = {.size = sizeof call, .codes = codes, .scratch = scratch};
    const struct fecrun_view view[] = {{.size = sizeof view[0],
                                        .data = (void *)(uintptr_t)from,
                                        .type = type,
                                        .frames = 1,
                                        .items = t->in.items,
                                        .stride = fecrun_bytes(type, t->in.items)},
                                       {.size = sizeof view[0],
                                        .data = (void *)(uintptr_t)harq,
                                        .type = type,
                                        .frames = 1,
                                        .items = t->harq.items,
                                        .stride = fecrun_bytes(type, t->harq.items)}};
    struct fecrun_view result = {.size = sizeof result,
                                 .data = to,
                                 .type = type,
                                 .frames = 1,
                                 .items = t->out.items,
                                 .stride = fecrun_bytes(type, t->out.items)};
    const struct fecrun_view *in[] = {&view[0], harq ? &view[1] : NULL};
    struct fecrun_view *out[] = {&result};
    struct fecrun_error err = {.size = sizeof err};
    const struct fecrun_backend *ref = stage->backends[0];
    void *instance;

    if (ref->create(&create, &instance, &err))
        bail("%s: %s", stage->name, err.text);
    if (ref->scratch && ref->scratch(instance, 1) > SCRATCH)
        bail("more scratch than this test has");
    if (ref->run(instance, &call, in, out, &err))
        bail("%s: %s", stage->name, err.text);
    ref->destroy(instance);
}

/* ---- One round ----------------------------------------------------------------------------- */

static void draw_params(int64_t p[VALUES])
{
    static const int64_t qm[] = {1, 2, 4, 6, 8, 10, 12};
    int64_t n, room;

    memset(p, 0, VALUES * sizeof *p);
    p[BG] = 1 + draw(2);
    p[Z] = lifting_sizes[draw(draw(4) ? 20 : 51)];
    p[RV] = draw(4);
    p[QM] = qm[draw(7)];
    n = (p[BG] == 1 ? 66 : 50) * p[Z];
    room = (p[BG] == 1 ? 20 : 8) * p[Z];
    p[FILLERS] = draw(3) ? draw((uint32_t)(draw(2) ? room : p[Z])) : 0;
    p[NCB] = draw(2) ? 1 + draw((uint32_t)n) : 0;
    p[E] = p[QM] * (1 + draw((uint32_t)((draw(3) ? n : 4 * n) / p[QM])));
}

static uint32_t rows_needed(const struct document *doc, const int64_t p[VALUES])
{
    uint32_t last = 0, column;

    for (int64_t x = 0; x < p[E]; x++)
        if ((uint32_t)doc->sent[x] > last)
            last = (uint32_t)doc->sent[x];
    column = (last + 2 * (uint32_t)p[Z]) / (uint32_t)p[Z]; /* of the base graph */
    column -= column < doc->k / (uint32_t)p[Z] ? column : doc->k / (uint32_t)p[Z] - 1;
    return column < 4 ? 4 : column;
}

static void try_match(const struct document *doc, const int64_t p[VALUES])
{
    uint8_t *word = get(doc->n), *sent = get((size_t)p[E]);
    const struct ldpc_match *code;
    struct trial t;

    begin(&t, FECRUN_KIND_BITS, FECRUN_U8, 0);
    if (plan_stage(&t, &ldpc_rate_match_stage, p, doc->n, false))
        bail("%s: %s", t.err.param, t.err.text);
    for (uint32_t i = 0; i < doc->n; i++)
        word[i] = draw(2) == 1;
    memset(sent, 2, (size_t)p[E]);
    run_stage(&t, &ldpc_rate_match_stage, FECRUN_U8, word, NULL, sent);
    code = t.plan.code;
    for (int64_t x = 0; x < p[E]; x++) {
        if (sent[x] != word[doc->sent[x]]) {
            differ("rate_match: a bit is not the document's");
            break;
        }
        if (ldpc_rate_source(&code->rate, (uint32_t)x) != (uint32_t)doc->sent[x]) {
            differ("ldpc_rate_source: not the document's");
            break;
        }
    }
    if (t.out.items != (uint64_t)p[E] || t.out.kind != FECRUN_KIND_BITS)
        differ("rate_match: the frame");
    ldpc_rate_match_stage.plan_free(t.plan.code);
    free(word);
    free(sent);
}

/* LLRs as doubles, and in the type. */
static double draw_llr(uint32_t type, double most)
{
    double x = (draw(2001) / 1000.0 - 1) * most;

    if (type == FECRUN_F32 && !draw(50))
        return draw(2) ? NAN : draw(2) ? INFINITY : -INFINITY;
    return type == FECRUN_F32 ? (double)(float)x : round(x);
}

static void store(void *to, uint32_t type, uint64_t i, double x)
{
    if (type == FECRUN_I8)
        ((int8_t *)to)[i] = (int8_t)x;
    else if (type == FECRUN_I16)
        ((int16_t *)to)[i] = (int16_t)x;
    else
        ((float *)to)[i] = (float)x;
}

static double load(const void *from, uint32_t type, uint64_t i)
{
    return type == FECRUN_I8    ? ((const int8_t *)from)[i]
           : type == FECRUN_I16 ? ((const int16_t *)from)[i]
                                : ((const float *)from)[i];
}

static double clean(double x, double limit)
{
    return isnan(x) ? 0 : fmin(fmax(x, -limit), limit);
}

/* An item as a kernel makes it. */
static double kernel_item(const struct ldpc_recover *c, uint32_t type, const void *in,
                          const void *harq, uint32_t item)
{
    double prior = harq ? recover_clean(load(harq, type, item), c->common.limit) : 0;

    if (ldpc_rate_is_filler(&c->rate, item))
        return c->common.limit;
    return type == FECRUN_I8    ? ldpc_rate_recover_i8(&c->rate, c->common.limit, prior, in, item)
           : type == FECRUN_I16 ? ldpc_rate_recover_i16(&c->rate, c->common.limit, prior, in, item)
                                : ldpc_rate_recover_f32(&c->rate, c->common.limit, prior, in, item);
}

/* -128 and -32768 are read as -127 and -32767: of those, no soft buffer makes less. */
static void try_least(const struct trial *t, const int64_t p[VALUES], bool linked)
{
    const uint32_t type = t->in.type == FECRUN_I16 ? FECRUN_I16 : FECRUN_I8;
    void *in = get((size_t)p[E] * 2), *harq = get(t->out.items * 2), *out = get(t->out.items * 2);
    const int least = type == FECRUN_I8 ? -128 : -32768;

    if (t->in.type != type)
        goto end;
    for (int64_t x = 0; x < p[E]; x++)
        store(in, type, (uint64_t)x, least);
    for (uint64_t i = 0; i < t->out.items; i++)
        store(harq, type, i, least);
    run_stage(t, &ldpc_rate_recover_stage, type, in, linked ? harq : NULL, out);
    for (uint64_t i = 0; i < t->out.items; i++)
        if (load(out, type, i) == least) {
            differ("rate_recover: -128 or -32768");
            break;
        }
end:
    free(in);
    free(harq);
    free(out);
}

/* The input's type may be narrower than the form's. */
static void try_recover(const struct document *doc, const int64_t p[VALUES])
{
    static const uint32_t types[] = {FECRUN_I4, FECRUN_I8, FECRUN_I16, FECRUN_F32};
    static const double limits[] = {127, 127, 32767, FECRUN_LLR_MAX_F32};
    static const double mosts[] = {7, 127, 32767, 3 * FECRUN_LLR_MAX_F32};
    const unsigned frame = draw(4), form = frame < 2 ? 1 + draw(3) : frame + draw(4 - frame);
    const uint32_t type = types[form];
    const double limit = limits[frame];
    double most = draw(2) ? mosts[frame] : frame == 3 ? 1000 : 5;
    double *sum = calloc(doc->n, sizeof *sum);
    void *in = get((size_t)p[E] * 4), *harq = get(doc->n * 4), *out = get(doc->n * 4);
    bool linked = draw(2), wrong = false, kernel = false;
    uint32_t before, rows; /* rows that the buffer says, and that come out */
    struct trial t;

    begin(&t, FECRUN_KIND_LLR, types[frame], 0);
    t.harq.items = doc->n;
    before = draw(3) ? 0 : 4 + draw(30);
    if (before)
        fecrun_fact_set(&t.harq, LDPC_FACT_ROWS, before, &t.err);
    if (plan_stage(&t, &ldpc_rate_recover_stage, p, (uint64_t)p[E], linked))
        bail("%s: %s", t.err.param, t.err.text);
    for (uint32_t i = 0; i < doc->n; i++) {
        double x = draw_llr(types[frame], most);
        store(harq, type, i, x);
        sum[i] = linked ? clean(load(harq, type, i), limit) : 0;
    }
    for (int64_t x = 0; x < p[E]; x++)
        store(in, type, (uint64_t)x, draw_llr(types[frame], most));
    /* in the order of selection, for sums of floats are not the same in any order */
    for (int64_t i = 0; i < p[QM]; i++)
        for (int64_t x = i; x < p[E]; x += p[QM])
            sum[doc->sent[x]] += clean(load(in, type, (uint64_t)x), limit);
    run_stage(&t, &ldpc_rate_recover_stage, type, in, linked ? harq : NULL, out);
    for (uint32_t i = 0; i < doc->n; i++) {
        const double want = is_filler(doc, p, i) ? limit : clean(sum[i], limit);
        const double got = load(out, type, i);
        wrong |= got != (type == FECRUN_F32 ? (double)(float)want : want);
        kernel |= (float)kernel_item(t.plan.code, type, in, linked ? harq : NULL, i) != (float)want;
        if (fabs(got) > t.out.llr_max)
            differ("rate_recover: above the llr_max that it planned");
    }
    if (wrong)
        differ("rate_recover: not the sums of the document's places");
    if (kernel)
        differ("the kernel's item is not the sum");
    rows = (uint32_t)fecrun_fact_get(&t.out, LDPC_FACT_ROWS, 0);
    if (!linked && rows != rows_needed(doc, p))
        differ("rate_recover: rows");
    if (linked && before && rows != (before > rows_needed(doc, p) ? before : rows_needed(doc, p)))
        differ("rate_recover: rows of two");
    try_least(&t, p, linked);
    ldpc_rate_recover_stage.plan_free(t.plan.code);
    free(in);
    free(harq);
    free(out);
    free(sum);
}

/* <match x, y> = <x, recover y>, for integers without saturation, x 0 at the fillers. */
static void try_adjoint(const struct document *doc, const int64_t p[VALUES])
{
    uint8_t *word = get(doc->n), *sent = get((size_t)p[E]);
    int16_t *in = get((size_t)p[E] * 2), *out = get(doc->n * 2);
    int64_t left = 0, right = 0;
    struct trial t;

    begin(&t, FECRUN_KIND_BITS, FECRUN_U8, 0);
    if (plan_stage(&t, &ldpc_rate_match_stage, p, doc->n, false))
        bail("%s: %s", t.err.param, t.err.text);
    for (uint32_t i = 0; i < doc->n; i++)
        word[i] = !is_filler(doc, p, i) && draw(2);
    run_stage(&t, &ldpc_rate_match_stage, FECRUN_U8, word, NULL, sent);
    ldpc_rate_match_stage.plan_free(t.plan.code);
    begin(&t, FECRUN_KIND_LLR, FECRUN_I16, 0);
    if (plan_stage(&t, &ldpc_rate_recover_stage, p, (uint64_t)p[E], false))
        bail("%s: %s", t.err.param, t.err.text);
    for (int64_t x = 0; x < p[E]; x++) {
        in[x] = (int16_t)((int)draw(3) - 1);
        left += sent[x] * in[x];
    }
    run_stage(&t, &ldpc_rate_recover_stage, FECRUN_I16, in, NULL, out);
    for (uint32_t i = 0; i < doc->n; i++)
        right += word[i] * out[i];
    if (left != right && p[E] < 32767)
        differ("rate_recover is not the transpose of rate_match");
    ldpc_rate_recover_stage.plan_free(t.plan.code);
    free(word);
    free(sent);
    free(in);
    free(out);
}

static void rounds(void)
{
    const char *from = getenv("FECRUN_TEST_SEED"), *many = getenv("FECRUN_TEST_ROUNDS");
    unsigned n = many ? (unsigned)atoi(many) : 4000;

    seed = from ? strtoull(from, NULL, 10) : 1;
    for (unsigned i = 0; i < n; i++, seed++) {
        int64_t p[VALUES];
        struct document doc;
        state = seed;
        draw(2);
        draw_params(p);
        read_document(&doc, p);
        try_match(&doc, p);
        try_recover(&doc, p);
        try_adjoint(&doc, p);
        free(doc.sent);
    }
    is_int(failures, 0, "%u rounds: as the document says", n);
}

/* ---- Known answers ---------------------------------------------------------------------------- */

/* Rows of whole bytes, unpacked to items each. */
static uint8_t *read_bits(const char *directory, const char *name, uint32_t items, uint32_t frames)
{
    const size_t bytes = (items + 7) / 8;
    uint8_t *packed = get(bytes * frames), *bits = get((size_t)items * frames);
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/nr_ldpc/%s", directory, name);
    file = fopen(path, "rb");
    if (!file || fread(packed, bytes, frames, file) != frames || getc(file) != EOF)
        bail("%s: cannot read %u frames of %u bits", path, frames, items);
    fclose(file);
    for (size_t f = 0; f < frames; f++)
        for (size_t i = 0; i < items; i++)
            bits[f * items + i] = packed[f * bytes + i / 8] >> (7 - i % 8) & 1;
    free(packed);
    return bits;
}

/* What comes back of sent +-1: right signs, how often each bit was sent, nothing else. */
static void recover_vector(const char *name, const int64_t p[VALUES], const uint8_t *word,
                           const uint8_t *sent)
{
    int16_t *in = get((size_t)p[E] * 2), *out;
    bool sign = true, known = true;
    int64_t total = 0, wide = 0;
    struct document doc;
    struct trial t;

    read_document(&doc, p);
    out = get(doc.n * 2);
    begin(&t, FECRUN_KIND_LLR, FECRUN_I16, 1);
    if (plan_stage(&t, &ldpc_rate_recover_stage, p, (uint64_t)p[E], false))
        bail("%s: %s: %s", name, t.err.param, t.err.text);
    for (int64_t x = 0; x < p[E]; x++)
        in[x] = sent[x] ? -1 : 1;
    run_stage(&t, &ldpc_rate_recover_stage, FECRUN_I16, in, NULL, out);
    for (uint32_t i = 0; i < doc.n; i++) {
        if (is_filler(&doc, p, i)) {
            known = known && out[i] == 32767;
            continue;
        }
        sign = sign && (!out[i] || (out[i] < 0) == word[i]);
        total += abs(out[i]);
        wide += out[i] != 0;
    }
    ok(sign && known && total == p[E] && (wide == p[E] || p[E] > doc.ncb - p[FILLERS]),
       "%s: what was sent comes back", name);
    ldpc_rate_recover_stage.plan_free(t.plan.code);
    free(doc.sent);
    free(in);
    free(out);
}

static void vector(const char *directory, char *line)
{
    enum {
        V_BG,
        V_Z,
        V_F,
        V_BITS,
        V_N,
        V_FRAMES,
        V_MSG,
        V_CW,
        V_RM,
        V_E,
        V_RV,
        V_QM,
        V_NCB,
        V_ALL
    };
    char *field[V_ALL] = {NULL};
    int64_t p[VALUES] = {0};
    uint32_t n, frames;
    uint8_t *word, *sent;

    for (unsigned i = 0; i < V_ALL && line; i++)
        field[i] = strsep(&line, ",\n");
    if (!field[V_NCB] || !*field[V_RM])
        return;
    n = (uint32_t)atoi(field[V_N]);
    frames = (uint32_t)atoi(field[V_FRAMES]);
    p[BG] = atoi(field[V_BG]), p[Z] = atoi(field[V_Z]), p[FILLERS] = atoi(field[V_F]);
    p[E] = atoi(field[V_E]), p[RV] = atoi(field[V_RV]), p[QM] = atoi(field[V_QM]);
    p[NCB] = atoi(field[V_NCB]);
    word = read_bits(directory, field[V_CW], n, frames);
    sent = read_bits(directory, field[V_RM], (uint32_t)p[E], frames);
    for (uint32_t f = 0; f < frames; f++)
        recover_vector(field[V_RM], p, word + (size_t)f * n, sent + (size_t)f * (size_t)p[E]);
    free(word);
    free(sent);
}

static void vectors(void)
{
    const char *directory = getenv("T_DATA");
    char path[512], line[512];
    FILE *index;

    if (!directory)
        bail("T_DATA is not set: run me with make check");
    snprintf(path, sizeof path, "%s/nr_ldpc/index.csv", directory);
    index = fopen(path, "r");
    if (!index || !fgets(line, sizeof line, index))
        bail("cannot read %s", path);
    while (fgets(line, sizeof line, index))
        vector(directory, line);
    fclose(index);
}

/* ---- What is refused ----------------------------------------------------------------------- */

static void refused(const char *param, const char *text, int64_t bg, int64_t z, int64_t fillers,
                    int64_t e, int64_t rv, int64_t qm, int64_t ncb)
{
    const int64_t p[VALUES] = {bg, z, fillers, e, rv, qm, ncb};
    struct trial t;

    begin(&t, FECRUN_KIND_BITS, FECRUN_U8, 0);
    ok(plan_stage(&t, &ldpc_rate_match_stage, p, (uint64_t)((bg == 1 ? 66 : 50) * z), false) &&
           !strcmp(t.err.param, param) && strstr(t.err.text, text),
       "%s: %s", t.err.param, t.err.text);
}

static void refusals(void)
{
    const int64_t good[VALUES] = {1, 2, 0, 60, 0, 2, 0};
    struct trial t;

    refused("z", "16 and 18", 1, 17, 0, 100, 0, 1, 0);
    refused("fillers", "is 40", 1, 2, 40, 100, 0, 1, 0);
    refused("e", "must be given", 1, 2, 0, 0, 0, 1, 0);
    refused("e", "no multiple of qm = 4", 1, 2, 0, 102, 0, 4, 0);
    refused("qm", "is 14", 1, 2, 0, 98, 0, 14, 0);
    refused("qm", "is 3", 1, 2, 0, 99, 0, 3, 0);
    refused("rv", "is 4", 1, 2, 0, 100, 4, 1, 0);
    refused("ncb", "132 bits", 1, 2, 0, 100, 0, 1, 133);
    refused("bg", "is 3", 3, 2, 0, 100, 0, 1, 0);
    begin(&t, FECRUN_KIND_BITS, FECRUN_U8, 0);
    ok(plan_stage(&t, &ldpc_rate_match_stage, good, 131, false) && strstr(t.err.text, "131") &&
           strstr(t.err.text, "132"),
       "%s", t.err.text);
    begin(&t, FECRUN_KIND_LLR, FECRUN_I8, 0);
    ok(plan_stage(&t, &ldpc_rate_recover_stage, good, 58, false) && !strcmp(t.err.param, "e") &&
           strstr(t.err.text, "is 60") && strstr(t.err.text, "58"),
       "%s", t.err.text);
    t.harq.items = 131;
    ok(plan_stage(&t, &ldpc_rate_recover_stage, good, 60, true) &&
           !strcmp(t.err.param, "harq_in") && strstr(t.err.text, "131"),
       "%s", t.err.text);
    t.harq.items = 132;
    t.harq.llr_scale = 5;
    ok(plan_stage(&t, &ldpc_rate_recover_stage, good, 60, true) &&
           !strcmp(t.err.param, "harq_in") && strstr(t.err.text, "scale"),
       "%s", t.err.text);
}

/* One bit, sent again and again: its sum stays in its type, however many LLRs there are. */
static void sums(uint32_t type)
{
    const int most = type == FECRUN_I8 ? 127 : 32767;
    unsigned wrong = 0;

    for (int64_t e = 2; e <= 1100; e += e < 250 || e > 262 ? 31 : 1) {
        const int64_t p[VALUES] = {[BG] = 2, [Z] = 2, [E] = e, [QM] = 1, [NCB] = 1};
        struct trial t;
        int16_t in[1100], harq[100], out[100];

        begin(&t, FECRUN_KIND_LLR, type, most);
        if (plan_stage(&t, &ldpc_rate_recover_stage, p, (uint64_t)e, false))
            bail("%s", t.err.text);
        t.harq.items = t.out.items;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int64_t i = 0; i < e; i++)
                store(in, type, (uint64_t)i, sign * most);
            for (uint64_t i = 0; i < t.out.items; i++)
                store(harq, type, i, sign * most);
            run_stage(&t, &ldpc_rate_recover_stage, type, in, e % 2 ? harq : NULL, out);
            wrong += load(out, type, 0) != sign * most;
        }
        ldpc_rate_recover_stage.plan_free(t.plan.code);
    }
    is_int(wrong, 0, "sums of up to 1100 LLRs of %d bits stay at the limit",
           type == FECRUN_I8 ? 8 : 16);
}

/* Kernels have tables of eight rows, so that 1024QAM and 4096QAM are for the host. */
static void takes(void)
{
    struct ldpc_match match[] = {{.rate.qm = 8}, {.rate.qm = 12}};
    struct ldpc_recover recover[] = {{.rate.qm = 8}, {.rate.qm = 10}};
    void *codes[] = {&match[0], &match[1]}, *others[] = {&recover[0], &recover[1]};
    struct fecrun_create args = {.size = sizeof args, .codes = codes, .n_codes = 1};
    struct fecrun_error err = {.size = sizeof err};

    ok(!ldpc_rate_match_cuda.takes(&args, &err), "cuda takes qm = 8");
    args.n_codes = 2;
    ok(ldpc_rate_match_cuda.takes(&args, &err) && !strcmp(err.param, "qm") &&
           strstr(err.text, "up to 8 bits a symbol, not 12"),
       "but not 12 next to it: %s", err.text);
    args.codes = others;
    args.n_codes = 1;
    ok(!ldpc_rate_recover_cuda.takes(&args, &err), "nor does ldpc.rate_recover refuse 8");
    args.n_codes = 2;
    ok(ldpc_rate_recover_cuda.takes(&args, &err), "and it refuses 10, too");
}

int main(void)
{
    takes();
    sums(FECRUN_I8);
    sums(FECRUN_I16);
    rounds();
    vectors();
    refusals();
    return done_testing();
}
