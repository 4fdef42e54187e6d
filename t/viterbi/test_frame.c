/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code for one frame at a time (simd/frame/) against the reference: every kernel of each
 * instruction set, with the largest LLRs that it takes and those that strain its metrics most.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c. Buffers have the very size that is needed.
 */
#include "t/viterbi/viterbi.h"

#include "plugins/viterbi/simd/frame/frame.h"
#include "plugins/viterbi/simd/frame/trace.h"

enum { SETS = 2, MOST_KERNELS = 32, UNTOUCHED = 0xa5 };

enum kind { NOISE, ZEROS, SIGNS, TIES, PLUS, MINUS, EVERY_SECOND, RUNS, PATH, TURN, CODED, KINDS };

static const char *const set_names[SETS] = {"avx2", "avx512"};
static unsigned long used[SETS][MOST_KERNELS];
static unsigned long decodes, failures, normalised;

static const struct viterbi_frame_kernels *set_of(unsigned i)
{
    if (!viterbi_simd_has(i ? FECRUN_ISA_AVX512 : FECRUN_ISA_AVX2))
        return NULL;
    return i ? viterbi_frame_kernels_avx512() : viterbi_frame_kernels_avx2();
}

/* ---- what is decoded ---- */

/* Named codes in any order of the outputs, and others with both end taps. */
static void choose_code(struct viterbi_code *code)
{
    const unsigned pick = draw(2 * (unsigned)viterbi_n_named_codes);

    memset(code, 0, sizeof *code);
    if (pick < viterbi_n_named_codes && viterbi_named_codes[pick].code.K <= 9) {
        *code = viterbi_named_codes[pick].code;
        for (unsigned i = 0; i < code->n; i++) {
            const unsigned j = draw(code->n);
            const uint32_t gen = code->gen[i];
            code->gen[i] = code->gen[j];
            code->gen[j] = gen;
        }
    } else {
        code->K = 5 + 2 * draw(3);
        code->n = 2 + draw(3);
        for (unsigned i = 0; i < code->n; i++)
            code->gen[i] = draw(1u << (code->K - 2)) << 1 | 1u << (code->K - 1) | 1;
    }
    for (unsigned i = 0; i < code->n; i++)
        code->inverted[i] = one_in(3);
}

/* The code of UMTS of rate 1/2, with LLRs that 8-bit metrics take. */
static void choose_bytes(struct viterbi_spec *s)
{
    const unsigned first = draw(2);

    s->code = (struct viterbi_code){.K = 9, .n = 2};
    s->code.gen[first] = 0561;
    s->code.gen[1 - first] = 0753;
    for (unsigned i = 0; i < s->code.n; i++)
        s->code.inverted[i] = one_in(3);
    s->llr_max = one_in(2) ? 8 : 1 + (int)draw(8);
}

static void choose_spec(struct viterbi_spec *s)
{
    const bool bytes = one_in(8);

    memset(s, 0, sizeof *s);
    choose_code(&s->code);
    if (bytes)
        choose_bytes(s);
    s->termination = draw(TERMINATIONS);
    s->info_bits = 1 + draw(one_in(3) ? 2 * s->code.K : one_in(2) ? 120 : one_in(4) ? 3000 : 600);
    if (s->termination == VITERBI_TAIL_BITING && s->info_bits < s->code.K - 1)
        s->info_bits = s->code.K - 1;
    if (one_in(3))
        s->f = 1 + draw(one_in(2) ? 20 : 300);
    s->v1 = draw(70);
    s->v2 = draw(70);
    s->start = VITERBI_BEST + draw(3);
    s->wrap_limit = 1 + draw(6);
    if (!bytes)
        s->llr_max = one_in(3) ? 127 : 1 + (int)draw(127);
}

/* The largest LLRs that the kernel of those in spec takes, or takes without a look at what a known start leads
 * to. */
static void strain(struct viterbi_spec *spec, const struct viterbi_frame_kernels *set)
{
    struct viterbi_frame *now, *next;
    const struct viterbi_frame_kernel *kernel;
    const bool alike = one_in(2);
    bool apart;

    if (viterbi_frame_create(&now, spec, set))
        bail("out of memory");
    if (!now)
        return;
    kernel = now->kernel;
    apart = now->apart;
    free(now);
    for (; spec->llr_max < 127; spec->llr_max++) {
        struct viterbi_spec more = *spec;
        more.llr_max++;
        if (viterbi_frame_create(&next, &more, set))
            bail("out of memory");
        now = next;
        if (!now || now->kernel != kernel || (alike && now->apart != apart)) {
            free(now);
            return;
        }
        free(now);
    }
}

static int value(enum kind kind, const struct viterbi_code *code, size_t i, int M, uint32_t *reg,
                 int *run)
{
    int path;

    switch (kind) {
    case NOISE:
        return (int)draw(2 * (unsigned)M + 1) - M;
    case ZEROS:
        return 0;
    case SIGNS:
        return one_in(2) ? M : -M;
    case TIES:
        return (int)draw(3) - 1;
    case PLUS:
        return M;
    case MINUS:
        return -M;
    case EVERY_SECOND:
        return i / code->n % 2 ? M : -M;
    case RUNS:
        if (one_in(20))
            *run = -*run;
        return *run * M;
    default:
        break;
    }
    if (i % code->n == 0)
        *reg = *reg >> 1 | draw(2) << (code->K - 1);
    path = viterbi_code_label(code, *reg) >> i % code->n & 1 ? -M : M;
    if (kind == TURN && one_in(40))
        *run = -*run;
    if (kind == TURN)
        return path * *run;
    return kind == CODED && one_in(5) ? -path : path;
}

static int8_t *draw_llr(const struct viterbi_spec *s, size_t items, enum kind kind)
{
    uint32_t reg = 0;
    int run = 1;
    int8_t *llr = get(items);

    for (size_t i = 0; i < items; i++) {
        const int x = value(kind, &s->code, i, s->llr_max, &reg, &run);
        llr[i] = (int8_t)(x == -127 && one_in(2) ? -128 : x);
    }
    return llr;
}

/* ---- decode and compare ---- */

/* Bits of a stream's frame: its first tile may begin before it. */
static void decode(const struct viterbi_frame *f, const struct viterbi_input *input,
                   uint8_t *packed, struct viterbi_verdict *verdict)
{
    void *scratch = get_scratch(viterbi_frame_scratch(f));

    memset(packed, 0, (f->spec.info_bits + 7) / 8);
    *verdict = (struct viterbi_verdict){.converged = 1, .iterations = 1};
    if (viterbi_wraps_around(&f->spec)) {
        viterbi_frame_wrap(f, input, 0, packed, verdict, scratch);
        free(scratch);
        return;
    }
    for (size_t k = 0; k < viterbi_frame_tiles(&f->spec); k++) {
        struct viterbi_tile tile;
        viterbi_tile_at(&f->spec, input, 0, k, &tile);
        normalised += tile.steps / f->tag_bits > f->first;
        viterbi_frame_tile(f, input, 0, &tile, packed, scratch);
    }
    free(scratch);
}

static void compare(const struct viterbi_frame *f, const struct viterbi_input *input,
                    const uint8_t *bits, const struct viterbi_verdict *want, const char *name,
                    uint64_t seed)
{
    const size_t bytes = (f->spec.info_bits + 7) / 8;
    uint8_t *packed = get(bytes);
    struct viterbi_verdict got;
    size_t wrong = SIZE_MAX;

    decode(f, input, packed, &got);
    for (size_t i = 8 * bytes; i-- > 0;)
        if ((packed[i / 8] >> (7 - i % 8) & 1) != (i < f->spec.info_bits ? bits[i] : 0))
            wrong = i;
    decodes++;
    if (wrong != SIZE_MAX || got.converged != want->converged || got.iterations != want->iterations)
        if (failures++ == 0)
            diag("%s, K %u n %u, %u tag bits, %s, L %zu f %zu, llr_max %d: bit %zd; repeat with "
                 "FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1",
                 name, f->spec.code.K, f->spec.code.n, f->tag_bits,
                 termination_names[f->spec.termination], f->spec.info_bits, f->spec.f,
                 f->spec.llr_max, (ssize_t)wrong, seed);
    free(packed);
}

static void one_round(uint64_t seed)
{
    struct viterbi_spec spec;
    struct viterbi_input input = {.frames = 1};
    struct viterbi_verdict want;
    void *scratch;
    int8_t *llr;
    uint8_t *bits;

    seed_rng(seed);
    choose_spec(&spec);
    if (one_in(2) && set_of(0))
        strain(&spec, set_of(0));
    input.stride = viterbi_frame_steps(&spec) * spec.code.n;
    if (spec.termination == VITERBI_CONTINUOUS) {
        input.before = draw(100);
        input.after = draw(100);
        input.at_start = one_in(2);
    }
    llr = draw_llr(&spec, input.stride + (input.before + input.after) * spec.code.n, draw(KINDS));
    input.llr = llr + input.before * spec.code.n;
    bits = get(spec.info_bits);
    scratch = get_scratch(viterbi_ref_scratch(&spec));
    viterbi_ref_decode(&spec, &input, bits, &want, scratch);
    for (unsigned i = 0; i < SETS; i++) {
        struct viterbi_frame *f = NULL;
        if (set_of(i) && viterbi_frame_create(&f, &spec, set_of(i)))
            bail("out of memory");
        if (f) {
            used[i][f->kernel - set_of(i)->kernels]++;
            compare(f, &input, bits, &want, set_names[i], seed);
        }
        free(f);
    }
    free(scratch);
    free(bits);
    free(llr);
}

static void test_random(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1), n = rounds(3400);

    for (uint64_t i = 0; i < n; i++)
        one_round(seed + i);
    ok(failures == 0, "%lu frames have the reference's bits and verdicts", decodes);
    ok(normalised || !decodes || getenv("FECRUN_TEST_ROUNDS"),
       "%lu of their tiles are longer than what needs no normalisation", normalised);
    for (unsigned i = 0; i < SETS; i++) {
        unsigned unused = 0, kernels = 0;
        if (!set_of(i)) {
            skip(1, "this machine or this build has no %s code", set_names[i]);
            continue;
        }
        for (; set_of(i)->kernels[kernels].K; kernels++)
            if (!used[i][kernels] && ++unused)
                diag("%s: kernel %u was not used", set_names[i], kernels);
        ok(unused == 0 || getenv("FECRUN_TEST_ROUNDS") || tap_sanitized(),
           "%s: %u of %u kernels were used", set_names[i], kernels - unused, kernels);
    }
}

/* ---- what is not decoded ---- */

static void test_refused(void)
{
    const struct viterbi_code code = {.K = 7, .n = 2, .gen = {0133, 0171}};
    struct viterbi_spec spec = {.code = code, .info_bits = 9, .llr_max = 10};
    struct viterbi_frame *f;

    if (!set_of(0)) {
        skip(6, "this machine or this build has no avx2 code");
        return;
    }
    is_int(viterbi_frame_create(&f, &spec, set_of(0)), 0, "K = 7, rate 1/2");
    is_int(f ? f->tag_bits : 0, 6, "has a chunk of six steps");
    free(f);
    spec.code.gen[1] = 0170;
    is_int(viterbi_frame_create(&f, &spec, set_of(0)), 0, "a code without its last tap");
    ok(!f, "is left to others");
    spec.code = code;
    spec.is_float = true;
    viterbi_frame_create(&f, &spec, set_of(0));
    ok(!f, "so are float LLRs");
    spec.is_float = false;
    spec.f0 = 8;
    viterbi_frame_create(&f, &spec, set_of(0));
    ok(!f, "and sub-frames");
}

/* ---- bits of chunks ---- */

static void test_put(void)
{
    unsigned long wrong = 0;

    seed_rng(5);
    for (unsigned i = 0; i < 3000; i++) {
        const unsigned tag_bits = 2 + draw(5);
        const size_t from = draw(70), count = draw(200), at = draw(30);
        const size_t chunks = (from + count) / tag_bits + 1, bytes = (at + count + 7) / 8;
        uint8_t *bits = get(chunks), *packed = get(bytes ? bytes : 1);

        for (size_t c = 0; c < chunks; c++)
            bits[c] = (uint8_t)draw(1u << tag_bits);
        memset(packed, UNTOUCHED, bytes);
        viterbi_frame_put(bits, tag_bits, from, count, packed, at);
        for (size_t b = 0; b < 8 * bytes; b++) {
            const size_t k = from + b - at;
            unsigned want = UNTOUCHED >> (7 - b % 8) & 1;
            if (b >= at && b < at + count)
                want = bits[k / tag_bits] >> (tag_bits - 1 - k % tag_bits) & 1u;
            wrong += (packed[b / 8] >> (7 - b % 8) & 1) != want;
        }
        free(bits);
        free(packed);
    }
    is_int((long)wrong, 0, "bits of chunks come where they belong, and nowhere else");
}

int main(void)
{
    test_refused();
    test_put();
    test_random();
    return done_testing();
}
