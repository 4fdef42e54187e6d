/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Viterbi decoder's vector code against its reference, which test_ml.c checks.
 *
 * A round draws all it does from one seed, FECRUN_TEST_SEED for the first and one more for each of
 * the FECRUN_TEST_ROUNDS rounds, so any of them can be repeated alone. Buffers have the very size
 * that is needed: a sanitizer sees what goes beyond.
 */
#include "t/viterbi/viterbi.h"

#include <math.h>

enum { ISAS = FECRUN_ISA_AVX512 + 1, WIDTHS = 3, UNTOUCHED = 0xa5 };

static const unsigned widths[WIDTHS] = {8, 16, 32};
static const char *const width_names[WIDTHS] = {"8-bit", "16-bit", "float"};

/* What LLRs look like; M is the largest. */
enum kind {
    NOISE, /* -M to M */
    ZEROS,
    SIGNS, /* -M or M */
    TIES,  /* -1, 0, 1 */
    PLUS,
    MINUS,
    CODED, /* M and -M, with errors and erasures */
    PATH,  /* M and -M, without */
    TURN,  /* a path that from somewhere in each row on is its opposite, or a mere noise of signs */
    KINDS
};
static const char *const kind_names[KINDS] = {"noise", "zeros", "signs", "ties", "plus",
                                              "minus", "coded", "path",  "turn"};

struct trial {
    uint64_t seed;
    struct viterbi_spec spec;
    struct viterbi_input input;
    enum kind kind;
    size_t items, out_stride;
    void *llr;     /* all of the memory that input.llr points into */
    uint8_t *bits; /* what must come out, one a byte */
    struct viterbi_verdict *verdict;
};

struct cell {
    unsigned long decodes, failures;
};

/* ---- what is decoded ---- */

static const struct viterbi_code own_codes[] = {
    {.K = 3, .n = 2, .gen = {7, 5}},
    {.K = 4, .n = 2, .gen = {015, 017}},
    {.K = 5, .n = 2, .gen = {023, 035}},
    {.K = 6, .n = 2, .gen = {053, 075}},
    {.K = 7, .n = 6, .gen = {0173, 0151, 0135, 0135, 0163, 0137}},
    {.K = 15, .n = 4, .gen = {046321, 051271, 063667, 070535}},
};

static void choose_code(struct viterbi_code *code)
{
    const unsigned own = sizeof own_codes / sizeof own_codes[0];
    const unsigned all = own + (unsigned)viterbi_n_named_codes, pick = draw(all + all / 2);

    if (pick < all) {
        *code = pick < own ? own_codes[pick] : viterbi_named_codes[pick - own].code;
    } else {
        code->K = VITERBI_MIN_K + draw(one_in(4) ? VITERBI_MAX_K - VITERBI_MIN_K + 1 : 8);
        code->n = VITERBI_MIN_N + draw(VITERBI_MAX_N - VITERBI_MIN_N + 1);
        for (unsigned j = 0; j < code->n; j++)
            code->gen[j] = 1 + draw((1u << code->K) - 1);
    }
    for (unsigned j = 0; j < code->n; j++)
        code->inverted[j] = one_in(3);
}

static void choose_tiles(struct viterbi_spec *spec)
{
    if (!one_in(3))
        spec->f = 1 + draw(one_in(2) ? 30 : 300);
    if (one_in(8))
        spec->f = (spec->f + 7) & ~(size_t)7;
    spec->v1 = one_in(3) ? draw(3) * spec->code.K : draw(60);
    spec->v2 = one_in(3) ? 0 : draw(80);
    if (one_in(20)) {
        spec->v1 = draw(900);
        spec->v2 = draw(900);
    }
    spec->f0 = one_in(2) ? 0 : 1 + draw(100);
    spec->start = spec->f0 ? VITERBI_STORED + draw(2) : VITERBI_BEST + draw(3);
    spec->wrap_limit = 1 + draw(5);
}

static void choose_spec(struct viterbi_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    choose_code(&spec->code);
    spec->termination = draw(TERMINATIONS);
    spec->is_float = one_in(4);
    spec->llr_max = one_in(4) ? 127 : 1 + (int)draw(one_in(2) ? 14 : 5);
    spec->info_bits = 1 + draw(one_in(2) ? 20 : one_in(2) ? 200 : 700);
    choose_tiles(spec);
}

/* Forward steps that a frame costs. */
static size_t frame_cost(const struct viterbi_spec *spec)
{
    return viterbi_frame_tiles(spec) * viterbi_tile_max_steps(spec) *
           (viterbi_wraps_around(spec) ? spec->wrap_limit : 1);
}

static void choose_input(struct trial *t, size_t budget)
{
    static const unsigned most[] = {2, 6, 40, 150};
    struct viterbi_input *in = &t->input;
    const size_t steps = viterbi_frame_steps(&t->spec), n = t->spec.code.n;
    const size_t fit = budget / frame_cost(&t->spec);

    in->frames = one_in(60) ? 0 : 1 + draw(most[draw(4)]);
    if (in->frames > fit)
        in->frames = fit;
    in->stride = steps * n;
    if (t->spec.termination != VITERBI_CONTINUOUS) {
        in->stride += one_in(2) ? draw(9) : 0;
    } else if (one_in(4)) {
        in->at_start = true;
        in->after = draw(120);
    } else {
        in->before = one_in(3) ? t->spec.v1 : draw(120);
        in->after = one_in(3) ? t->spec.v2 : draw(120);
        in->at_start = one_in(2);
    }
    t->out_stride = (t->spec.info_bits + 7) / 8 + draw(3);
}

static int simple_value(enum kind kind, int M)
{
    switch (kind) {
    case NOISE:
        return (int)draw(2 * (unsigned)M + 1) - M;
    case SIGNS:
        return one_in(2) ? M : -M;
    case TIES:
        return (int)draw(3) - 1;
    case PLUS:
        return M;
    case MINUS:
        return -M;
    default:
        return 0;
    }
}

struct path {
    uint32_t reg;
    size_t turn;
    bool noise;
};

/* Value p of a row; the row begins in state 0 unless it goes on. */
static int path_value(struct path *path, const struct trial *t, size_t p, int M)
{
    const struct viterbi_code *code = &t->spec.code;
    int value;

    if (p == 0) {
        path->reg = t->spec.termination == VITERBI_CONTINUOUS ? path->reg : 0;
        path->turn = t->kind == TURN ? draw((unsigned)t->input.stride) : SIZE_MAX;
        path->noise = one_in(2);
    }
    if (p % code->n == 0)
        path->reg = path->reg >> 1 | draw(2) << (code->K - 1);
    value = viterbi_code_label(code, path->reg) >> p % code->n & 1 ? -M : M;
    if (p >= path->turn)
        return path->noise && one_in(2) ? value : -value;
    if (t->kind == CODED && one_in(6))
        return -value / 2;
    return t->kind == CODED && one_in(7) ? 0 : value;
}

static int8_t *draw_values(const struct trial *t, int M)
{
    struct path path = {.turn = SIZE_MAX};
    int8_t *values = get(t->items);

    for (size_t i = 0; i < t->items; i++)
        values[i] = (int8_t)(t->kind < CODED ? simple_value(t->kind, M)
                                             : path_value(&path, t, i % t->input.stride, M));
    return values;
}

/* Integers (sums are exact), multiples of what has no short binary form (sums are rounded, and many
   that should tie do so only if they are made alike), or values of a real channel. */
static float *make_float(const int8_t *values, size_t n)
{
    const int exponent = (int)draw(24) - 10;
    const float unit = one_in(3) ? 1 : 1 + (float)draw(1 << 23) / (1 << 23);
    const float spread = one_in(3) ? 0.001f : 0;
    float *to = get(n * sizeof *to);

    for (size_t i = 0; i < n; i++) {
        const float x = (float)values[i] * unit + (float)draw(1000) * spread;
        to[i] = one_in(200) ? NAN : ldexpf(x, exponent);
    }
    return to;
}

/* Points input.llr at the first frame. */
static void set_llr(struct trial *t, void *llr)
{
    t->llr = llr;
    t->input.llr = (char *)llr +
                   t->input.before * t->spec.code.n * (t->spec.is_float ? sizeof(float) : 1);
}

static void count_items(struct trial *t)
{
    const struct viterbi_input *in = &t->input;
    const size_t n = t->spec.code.n;

    t->items = (in->before + in->after) * n;
    if (in->frames)
        t->items += (in->frames - 1) * in->stride + viterbi_frame_steps(&t->spec) * n;
}

static void draw_llr(struct trial *t, enum kind kind)
{
    const int M = t->spec.is_float && one_in(2) ? 20 : t->spec.llr_max;
    int8_t *values;

    t->kind = kind;
    count_items(t);
    values = draw_values(t, M);
    if (t->spec.is_float) {
        set_llr(t, make_float(values, t->items));
        free(values);
        return;
    }
    for (size_t i = 0; i < t->items; i++)
        if (values[i] == -127 && one_in(2))
            values[i] = -128;
    set_llr(t, values);
}

/* ---- decode and compare ---- */

static void decode_ref(struct trial *t)
{
    void *scratch = get_scratch(viterbi_ref_scratch(&t->spec));

    t->bits = get(t->input.frames * t->spec.info_bits);
    t->verdict = get(t->input.frames * sizeof *t->verdict);
    viterbi_ref_decode(&t->spec, &t->input, t->bits, t->verdict, scratch);
    free(scratch);
}

/* What is wrong with a frame, or NULL; *at is where. */
static const char *frame_problem(const struct trial *t, const uint8_t *row,
                                 const struct viterbi_verdict *got, size_t frame, size_t *at)
{
    const size_t L = t->spec.info_bits, row_bytes = (L + 7) / 8;
    const struct viterbi_verdict *want = &t->verdict[frame];

    for (*at = 0; *at < 8 * row_bytes; ++*at) {
        const unsigned bit = *at < L ? t->bits[frame * L + *at] : 0;
        if ((row[*at / 8] >> (7 - *at % 8) & 1) != bit)
            return *at < L ? "bit" : "pad bit";
    }
    for (*at = row_bytes; frame + 1 < t->input.frames && *at < t->out_stride; ++*at)
        if (row[*at] != UNTOUCHED)
            return "byte behind the row";
    *at = got->iterations;
    if (got->converged != want->converged || got->iterations != want->iterations)
        return "verdict, iterations";
    return NULL;
}

/* All that it takes to repeat it. */
static void report(const struct trial *t, const char *decoder, const char *problem, size_t frame,
                   size_t at)
{
    const struct viterbi_spec *s = &t->spec;
    const struct viterbi_input *in = &t->input;
    const struct viterbi_code *c = &s->code;

    diag("%s: frame %zu, %s %zu; repeat with FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1",
         decoder, frame, problem, at, t->seed);
    diag("K %u n %u gen %o %o %o %o %o %o inverted %u%u%u%u%u%u, %s, L %zu, f %zu v1 %zu v2 %zu "
         "f0 %zu start %d wrap_limit %u, %s llr_max %d",
         c->K, c->n, c->gen[0], c->gen[1], c->gen[2], c->gen[3], c->gen[4], c->gen[5],
         c->inverted[0], c->inverted[1], c->inverted[2], c->inverted[3], c->inverted[4],
         c->inverted[5], termination_names[s->termination], s->info_bits, s->f, s->v1, s->v2, s->f0,
         (int)s->start, s->wrap_limit, s->is_float ? "float" : "i8", s->llr_max);
    diag("%s: frames %zu stride %zu before %zu after %zu at_start %d out_stride %zu",
         kind_names[t->kind], in->frames, in->stride, in->before, in->after, in->at_start,
         t->out_stride);
}

/* The first failure of a cell is told. */
static void count(struct cell *cell, const struct trial *t, const char *decoder,
                  const char *problem, size_t frame, size_t at)
{
    cell->decodes++;
    if (problem && cell->failures++ == 0)
        report(t, decoder, problem, frame, at);
}

static void run_simd(const struct trial *t, const struct viterbi_simd *simd, struct cell *cell)
{
    const size_t frames = t->input.frames, row = (t->spec.info_bits + 7) / 8;
    const size_t bytes = frames ? (frames - 1) * t->out_stride + row : 0;
    uint8_t *packed = get(bytes);
    struct viterbi_verdict *verdict = get(frames * sizeof *verdict);
    void *scratch = get_scratch(viterbi_simd_scratch(simd));
    const char *problem = NULL;
    size_t frame, at = 0;

    memset(packed, UNTOUCHED, bytes);
    memset(verdict, UNTOUCHED, frames * sizeof *verdict);
    viterbi_simd_decode(simd, &t->input, packed, t->out_stride, verdict, scratch);
    for (frame = 0; frame < frames && !problem; frame++)
        problem = frame_problem(t, packed + frame * t->out_stride, &verdict[frame], frame, &at);
    count(cell, t, viterbi_simd_describe(simd), problem, frame - 1, at);
    free(scratch);
    free(packed);
    free(verdict);
}

/* Not all LLRs are small enough for 8 bits, and not all codes. */
static void check_simd(const struct trial *t, uint32_t isa, unsigned bits, struct cell *cell)
{
    struct viterbi_simd *simd;
    int error = viterbi_simd_create(&simd, &t->spec, isa, bits);

    if (!error)
        run_simd(t, simd, cell);
    else if (error != VITERBI_SIMD_NO_WIDTH || bits != 8)
        count(cell, t, fecrun_isa_names[isa], "viterbi_simd_create() returns minus", 0,
              (size_t)-error);
    viterbi_simd_destroy(simd);
}

static void free_trial(struct trial *t)
{
    free(t->llr);
    free(t->bits);
    free(t->verdict);
}

/* False after a SKIP of n checks. */
static bool need_isa(uint32_t isa, int n)
{
    if (viterbi_simd_has(isa))
        return true;
    skip(n, "this machine or this build has no %s code", fecrun_isa_names[isa]);
    return false;
}

/* Every cell is met, unless somebody wants few rounds. */
static void ok_cell(const struct cell *cell, const char *what, const char *decoder)
{
    const bool few = getenv("FECRUN_TEST_ROUNDS");

    ok(cell->failures == 0 && (cell->decodes || few), "%s, %s: %lu decodes", what, decoder,
       cell->decodes);
    if (cell->failures)
        diag("%lu of %lu differ", cell->failures, cell->decodes);
}

/* ---- tests ---- */

static void test_create(void)
{
    struct viterbi_spec spec = {.code = own_codes[0], .info_bits = 9, .llr_max = 9};
    struct viterbi_simd *simd;

    is_int(viterbi_simd_create(&simd, &spec, best_isa(), 0), 0, "the best instruction set");
    diag("%s: %s", fecrun_isa_names[best_isa()], simd ? viterbi_simd_describe(simd) : "");
    viterbi_simd_destroy(simd);
    is_int(viterbi_simd_create(&simd, &spec, best_isa(), 32), VITERBI_SIMD_NO_WIDTH,
           "i8 has no 32-bit metrics");
    ok(!simd, "and no decoder is left");
    spec.is_float = true;
    is_int(viterbi_simd_create(&simd, &spec, best_isa(), 16), VITERBI_SIMD_NO_WIDTH,
           "float has no 16-bit ones");
    spec.info_bits = 0;
    is_int(viterbi_simd_create(&simd, &spec, best_isa(), 0), VITERBI_SIMD_BAD_SPEC,
           "a frame without bits");
}

static struct cell cells[ISAS][WIDTHS][TERMINATIONS];

static void random_round(uint64_t seed)
{
    struct trial t = {.seed = seed};
    size_t budget;

    seed_rng(seed);
    do {
        choose_spec(&t.spec);
        budget = (size_t)1000000 >> (t.spec.code.K - 1);
    } while (frame_cost(&t.spec) > budget);
    choose_input(&t, budget);
    draw_llr(&t, draw(KINDS));
    decode_ref(&t);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++)
        for (unsigned w = 0; w < WIDTHS; w++)
            if (viterbi_simd_has(isa) && (widths[w] == 32) == t.spec.is_float)
                check_simd(&t, isa, widths[w], &cells[isa][w][t.spec.termination]);
    free_trial(&t);
}

static void test_random(uint64_t seed)
{
    const uint64_t n = rounds(800);
    char what[64];

    for (uint64_t i = 0; i < n; i++)
        random_round(seed + i);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++) {
        if (!need_isa(isa, WIDTHS * TERMINATIONS))
            continue;
        for (unsigned w = 0; w < WIDTHS; w++) {
            for (unsigned e = 0; e < TERMINATIONS; e++) {
                snprintf(what, sizeof what, "%s %s", fecrun_isa_names[isa], width_names[w]);
                ok_cell(&cells[isa][w][e], what, termination_names[e]);
            }
        }
    }
}

/* The largest LLRs for which 8-bit metrics are exact. */
static const struct bound {
    struct viterbi_code code;
    int llr_max;
} bounds[] = {
    {{.K = 3, .n = 2, .gen = {7, 5}}, 21},
    {{.K = 4, .n = 2, .gen = {015, 017}}, 18},
    {{.K = 5, .n = 2, .gen = {023, 035}}, 15},
    {{.K = 5, .n = 3, .gen = {025, 033, 037}}, 9},
    {{.K = 6, .n = 2, .gen = {053, 075}}, 14},
    {{.K = 7, .n = 2, .gen = {0133, 0171}}, 11},
    {{.K = 7, .n = 2, .gen = {0171, 0133}, .inverted = {0, 1}}, 11},
    {{.K = 7, .n = 3, .gen = {0133, 0171, 0165}}, 7},
    {{.K = 7, .n = 4, .gen = {0133, 0171, 0145, 0133}}, 6},
    {{.K = 8, .n = 2, .gen = {0247, 0371}}, 11},
    {{.K = 9, .n = 2, .gen = {0561, 0753}}, 9},
    {{.K = 9, .n = 3, .gen = {0557, 0663, 0711}}, 6},
    {{.K = 11, .n = 2, .gen = {03345, 03613}}, 0}, /* 64 tiles of so many states are too much */
};
enum { BOUNDS = sizeof bounds / sizeof bounds[0] };

/* Also: 8 bits are what is chosen up to there. */
static int largest_llr(const struct viterbi_code *code, uint32_t isa)
{
    struct viterbi_spec spec = {.code = *code, .info_bits = 100};
    struct viterbi_simd *simd, *free_choice;
    int largest = 0;

    for (int llr_max = 1; llr_max <= 127; llr_max++) {
        spec.llr_max = llr_max;
        if (viterbi_simd_create(&simd, &spec, isa, 8) == 0) {
            viterbi_simd_create(&free_choice, &spec, isa, 0);
            if (largest == llr_max - 1 &&
                !strcmp(viterbi_simd_describe(simd), viterbi_simd_describe(free_choice)))
                largest = llr_max;
            viterbi_simd_destroy(free_choice);
        }
        viterbi_simd_destroy(simd);
    }
    return largest;
}

/* The paths reach every difference of metrics that the bound allows for, then turn round. */
static void adversarial_round(const struct bound *bound, uint64_t seed, struct cell *worst)
{
    static const enum kind kinds[] = {PATH, TURN, TURN, SIGNS};
    struct trial t = {.seed = seed, .spec = {.code = bound->code}};

    seed_rng(seed);
    t.spec.llr_max = bound->llr_max;
    t.spec.termination = draw(TERMINATIONS);
    t.spec.info_bits = 60 + draw(60);
    t.spec.wrap_limit = 3;
    t.input.frames = bound->code.K < 9 ? 66 + draw(60) : 30 + draw(40);
    t.input.stride = viterbi_frame_steps(&t.spec) * t.spec.code.n;
    t.input.at_start = one_in(2);
    t.out_stride = (t.spec.info_bits + 7) / 8;
    draw_llr(&t, kinds[draw(4)]);
    decode_ref(&t);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++)
        if (viterbi_simd_has(isa))
            check_simd(&t, isa, 8, &worst[isa]);
    free_trial(&t);
}

static void test_bounds(uint64_t seed)
{
    struct cell worst[ISAS] = {{0}};
    const uint64_t n = rounds(12);

    for (unsigned i = 0; i < BOUNDS; i++)
        for (uint64_t r = 0; r < n && bounds[i].llr_max; r++)
            adversarial_round(&bounds[i], seed + r, worst);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++) {
        if (!need_isa(isa, BOUNDS + 1))
            continue;
        for (unsigned i = 0; i < BOUNDS; i++)
            is_int(largest_llr(&bounds[i].code, isa), bounds[i].llr_max,
                   "%s: the largest LLR for 8 bits, K = %u, rate 1/%u", fecrun_isa_names[isa],
                   bounds[i].code.K, bounds[i].code.n);
        ok_cell(&worst[isa], "the worst at that bound", fecrun_isa_names[isa]);
    }
}

/*
 * Frames in which metrics turn in memory more than once, and whose decisions outgrow the caches: what all
 * survivors share is put out on the way. Where all outputs have an even number of taps, a path and its
 * complement are equally likely for ever: such survivors never merge.
 */
static const struct viterbi_code long_codes[] = {
    {.K = 6, .n = 2, .gen = {053, 075}},
    {.K = 7, .n = 2, .gen = {0133, 0171}},
    {.K = 7, .n = 3, .gen = {0133, 0171, 0165}},
    {.K = 8, .n = 2, .gen = {0247, 0371}},
    {.K = 9, .n = 2, .gen = {0753, 0561}},
    {.K = 9, .n = 3, .gen = {0557, 0663, 0711}},
    {.K = 9, .n = 2, .gen = {0633, 0443}}, /* never merges */
    {.K = 9,
     .n = 2,
     .gen = {0353, 0160}}, /* neither the newest nor the oldest bit, or one of them */
    {.K = 10, .n = 2, .gen = {01157, 01755}},
    {.K = 11, .n = 2, .gen = {03345, 03613}},
    {.K = 12, .n = 3, .gen = {04767, 05723, 06265}},
    {.K = 13, .n = 2, .gen = {06135, 015672}},
    {.K = 14, .n = 2, .gen = {021675, 027123}},
    {.K = 15, .n = 6, .gen = {046321, 051271, 063667, 070535, 073277, 076513}},
};
enum { LONG_CODES = sizeof long_codes / sizeof long_codes[0] };

/* As many steps as make a few windows (see simd/run.c) or, from K = 11 on, turns of all digits. */
static size_t long_bits(const struct viterbi_code *code)
{
    const size_t window = ((size_t)1 << 19) >> (code->K + 2);

    return code->K >= 11 ? 130 + draw(120) : 4 * (window < 256 ? 256 : window) + draw(300);
}

static void long_round(const struct viterbi_code *code, uint64_t seed, struct cell *by_isa)
{
    static const enum kind kinds[] = {NOISE, TIES, CODED, CODED, TURN};
    struct trial t = {.seed = seed, .spec = {.code = *code, .llr_max = 5}};

    seed_rng(seed);
    if (one_in(3))
        t.spec.llr_max = 127;
    t.spec.is_float = one_in(4);
    t.spec.termination = one_in(2) ? VITERBI_ZERO : VITERBI_TRUNCATED;
    t.spec.info_bits = long_bits(code);
    if (one_in(2)) {
        t.spec.f = t.spec.info_bits / 2 + draw(40);
        t.spec.v1 = draw(70);
        t.spec.v2 = draw(70);
    }
    t.input.frames = code->K >= 11 ? 1 + draw(2) : code->K >= 9 ? 40 : 70;
    t.input.stride = viterbi_frame_steps(&t.spec) * t.spec.code.n;
    t.out_stride = (t.spec.info_bits + 7) / 8;
    draw_llr(&t, kinds[draw(5)]);
    decode_ref(&t);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++)
        for (unsigned w = 0; w < WIDTHS; w++)
            if (viterbi_simd_has(isa) && (widths[w] == 32) == t.spec.is_float)
                check_simd(&t, isa, widths[w], &by_isa[isa]);
    free_trial(&t);
}

static void test_long(uint64_t seed)
{
    const uint64_t n = rounds(4);
    char what[64];

    for (unsigned i = 0; i < LONG_CODES; i++) {
        struct cell by_isa[ISAS] = {{0}};
        for (uint64_t r = 0; r < n; r++)
            long_round(&long_codes[i], seed + r, by_isa);
        snprintf(what, sizeof what, "long frames, K = %u, rate 1/%u", long_codes[i].K,
                 long_codes[i].n);
        for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++)
            if (need_isa(isa, 1))
                ok_cell(&by_isa[isa], what, fecrun_isa_names[isa]);
    }
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);

    test_create();
    test_random(seed);
    test_bounds(seed);
    test_long(seed);
    return done_testing();
}
