/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code for one frame at a time (simd/frame/) against the reference: every kernel of each
 * instruction set, with the largest LLRs that it takes and those that strain its metrics most.
 *
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c. Buffers have the very size that is needed.
 */
#include "t/viterbi/strain.h"

#include "plugins/viterbi/simd/frame/trace.h"

enum { SETS = 2, MOST_KERNELS = 32, UNTOUCHED = 0xa5 };

static const char *const set_names[SETS] = {"avx2", "avx512"};
static unsigned long used[SETS][MOST_KERNELS];
static unsigned long decodes, failures, normalised;

static const struct viterbi_frame_kernels *set_of(unsigned i)
{
    if (!viterbi_simd_has(i ? FECRUN_ISA_AVX512 : FECRUN_ISA_AVX2))
        return NULL;
    return i ? viterbi_frame_kernels_avx512() : viterbi_frame_kernels_avx2();
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
        strain(&spec, one_in(2) && set_of(1) ? set_of(1) : set_of(0));
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
        if (set_of(i) && viterbi_frame_create(&f, &spec, set_of(i), strained_bits))
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
    is_int(viterbi_frame_create(&f, &spec, set_of(0), 8), 0, "K = 7, rate 1/2");
    is_int(f ? f->tag_bits : 0, 6, "has a chunk of six steps");
    free(f);
    spec.code.gen[1] = 0170;
    is_int(viterbi_frame_create(&f, &spec, set_of(0), 8), 0, "a code without its last tap");
    ok(!f, "is left to others");
    spec.code = code;
    spec.is_float = true;
    viterbi_frame_create(&f, &spec, set_of(0), 8);
    ok(!f, "so are float LLRs");
    spec.is_float = false;
    spec.f0 = 8;
    viterbi_frame_create(&f, &spec, set_of(0), 8);
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
