/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the Viterbi reference computes, against an exhaustive search and an encoder that share no
 * code with it; what all decoders do alike with odd floats and with
 * streams cut into pieces. FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#include "t/viterbi/viterbi.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { REF, FIRST_ISA, DECODERS = FIRST_ISA + FECRUN_ISA_AVX512 + 1 };

/* ---- decoders ---- */

static const char *decoder_name(unsigned decoder)
{
    return decoder == REF ? "ref" : fecrun_isa_names[decoder - FIRST_ISA];
}

static void unpack(const uint8_t *packed, size_t frames, size_t L, uint8_t *bits)
{
    for (size_t f = 0; f < frames; f++)
        for (size_t i = 0; i < L; i++)
            bits[f * L + i] = packed[f * ((L + 7) / 8) + i / 8] >> (7 - i % 8) & 1;
}

/* NULL: this machine or this build has no such instruction set. The caller frees the bits. */
static uint8_t *decode(unsigned decoder, const struct viterbi_spec *spec,
                       const struct viterbi_input *input, struct viterbi_verdict *verdict)
{
    const size_t frames = input->frames, L = spec->info_bits, row = (L + 7) / 8;
    struct viterbi_simd *simd = NULL;
    uint8_t *bits, *packed = NULL;
    void *scratch;
    int error = decoder == REF ? 0 : viterbi_simd_create(&simd, spec, decoder - FIRST_ISA, 0);

    if (error == VITERBI_SIMD_NO_ISA)
        return NULL;
    if (error || viterbi_spec_problem(spec))
        bail("%s: error %d, %s", decoder_name(decoder), error, viterbi_spec_problem(spec));
    bits = get(frames * L);
    scratch = get_scratch(simd ? viterbi_simd_scratch(simd) : viterbi_ref_scratch(spec));
    if (simd) {
        packed = get(frames * row);
        viterbi_simd_decode(simd, input, packed, row, verdict, scratch);
        unpack(packed, frames, L, bits);
    } else {
        viterbi_ref_decode(spec, input, bits, verdict, scratch);
    }
    free(packed);
    free(scratch);
    viterbi_simd_destroy(simd);
    return bits;
}

struct tally {
    unsigned long decodes, failures;
};

/* Decodes and compares; the first failure is told. */
static void check(unsigned decoder, const struct viterbi_spec *spec,
                  const struct viterbi_input *input, const uint8_t *want, uint64_t seed,
                  struct tally *tally)
{
    const struct viterbi_code *c = &spec->code;
    struct viterbi_verdict *verdict = get(input->frames * sizeof *verdict);
    uint8_t *bits = decode(decoder, spec, input, verdict);

    free(verdict);
    if (!bits)
        return;
    tally->decodes++;
    if (memcmp(bits, want, input->frames * spec->info_bits) && tally->failures++ == 0)
        diag("%s differs: K %u n %u gen %o %o, %s, L %zu f %zu v1 %zu v2 %zu f0 %zu start %d, "
             "frames %zu before %zu after %zu at_start %d; "
             "repeat with FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1",
             decoder_name(decoder), c->K, c->n, c->gen[0], c->gen[1],
             termination_names[spec->termination], spec->info_bits, spec->f, spec->v1, spec->v2,
             spec->f0, (int)spec->start, input->frames, input->before, input->after,
             input->at_start, seed);
    free(bits);
}

static void ok_tallies(const struct tally *tallies, const char *what)
{
    for (unsigned d = REF; d < DECODERS; d++) {
        const struct tally *t = &tallies[d];

        if (d != REF && t->decodes == 0)
            skip(1, "this machine or this build has no %s code", decoder_name(d));
        else
            ok(t->decodes && !t->failures, "%s, %s: %lu of %lu decodes", what, decoder_name(d),
               t->decodes - t->failures, t->decodes);
    }
}

/* ---- maximum likelihood ---- */

/*
 * A path through T steps is a number of T + K - 1 bits, the oldest one lowest: the start state,
 * then the inputs. Output j of step t, from the definition.
 */
static unsigned path_output(const struct viterbi_code *code, uint32_t path, size_t t, unsigned j)
{
    unsigned bit = code->inverted[j];

    for (unsigned delay = 0; delay < code->K; delay++)
        if (code->gen[j] >> (code->K - 1 - delay) & 1)
            bit ^= path >> (t + code->K - 1 - delay) & 1;
    return bit;
}

static long path_metric(const struct viterbi_code *code, const int8_t *llr, size_t T, uint32_t path)
{
    long metric = 0;

    for (size_t t = 0; t < T; t++) {
        for (unsigned j = 0; j < code->n; j++) {
            const int value = llr[t * code->n + j] == -128 ? -127 : llr[t * code->n + j];
            metric += path_output(code, path, t, j) ? -value : value;
        }
    }
    return metric;
}

static bool allowed(const struct viterbi_spec *spec, uint32_t start, uint32_t end)
{
    if (spec->termination == VITERBI_TAIL_BITING) /* of the first round */
        return true;
    return start == 0 &&
           (end == 0 || (spec->termination != VITERBI_ZERO && spec->start != VITERBI_ANY));
}

/* The tie rules: the lowest end state; then, from the end backwards, a dropped bit of 1. */
static bool preferred(uint32_t path, uint32_t other, size_t T)
{
    return path >> T != other >> T ? path >> T < other >> T : path > other;
}

struct best {
    long metric;
    uint32_t path;
    unsigned equals;
};

static struct best search(const struct viterbi_spec *spec, const int8_t *llr)
{
    const size_t T = viterbi_frame_steps(spec);
    const uint32_t states = 1u << (spec->code.K - 1);
    struct best best = {.metric = LONG_MIN};

    for (uint32_t path = 0; path >> T < states; path++) {
        if (!allowed(spec, path % states, path >> T))
            continue;
        long metric = path_metric(&spec->code, llr, T, path);
        if (metric > best.metric)
            best = (struct best){metric, path, 1};
        else if (metric == best.metric) {
            best.equals++;
            if (preferred(path, best.path, T))
                best.path = path;
        }
    }
    return best;
}

struct ml_tally {
    unsigned frames, ties, open, failures;
};

static bool is_best(const struct viterbi_spec *spec, const struct best *best, const uint8_t *bits,
                    const struct viterbi_verdict *verdict, struct ml_tally *tally)
{
    const unsigned memory = spec->code.K - 1;
    const bool closed = spec->termination != VITERBI_TAIL_BITING ||
                        best->path >> spec->info_bits == best->path % (1u << memory);

    tally->frames++;
    tally->ties += best->equals > 1;
    tally->open += !closed;
    if (!closed && verdict->iterations > 1) /* another round, another path */
        return verdict->iterations <= spec->wrap_limit;
    for (size_t i = 0; i < spec->info_bits; i++)
        if (bits[i] != (best->path >> (memory + i) & 1))
            return false;
    return verdict->converged == closed && verdict->iterations == 1 &&
           (closed || spec->wrap_limit == 1);
}

/* Ties are likely: where values are few, or where -128 is to equal -127. */
static void draw_llr(int8_t *llr, size_t n)
{
    const unsigned M = (unsigned[]){1, 2, 10, 127}[draw(4)];
    const bool signs = draw(4) == 0;

    for (size_t i = 0; i < n; i++)
        llr[i] = (int8_t)(signs ? (int[]){127, -127, -128}[draw(3)]
                                : (int)draw(2 * M + 1) - (int)M);
}

static void ml_round(enum viterbi_termination termination, uint64_t seed, struct ml_tally *tally)
{
    struct viterbi_spec spec = {.termination = termination, .llr_max = 127};
    struct viterbi_input input = {.frames = 1, .at_start = true};
    struct viterbi_verdict verdict;
    struct best best;
    uint8_t *bits;
    int8_t *llr;

    seed_rng(seed);
    any_code(&spec.code, 4, 3);
    spec.info_bits = 1 + draw(8);
    spec.start = draw(3);
    spec.wrap_limit = draw(2) ? 1 : 8;
    input.stride = viterbi_frame_steps(&spec) * spec.code.n;
    input.llr = llr = get(input.stride);
    draw_llr(llr, input.stride);
    best = search(&spec, llr);
    bits = decode(REF, &spec, &input, &verdict);
    if (!is_best(&spec, &best, bits, &verdict, tally) && tally->failures++ == 0)
        diag("FECRUN_TEST_SEED=%" PRIu64 " FECRUN_TEST_ROUNDS=1: K %u n %u L %zu start %d: path %x "
             "of metric %ld, %u of them",
             seed, spec.code.K, spec.code.n, spec.info_bits, (int)spec.start, best.path,
             best.metric, best.equals);
    free(bits);
    free(llr);
}

static void test_ml(uint64_t seed)
{
    const uint64_t n = rounds(1000);

    for (unsigned e = 0; e < TERMINATIONS; e++) {
        struct ml_tally tally = {0};

        for (uint64_t i = 0; i < n; i++)
            ml_round(e, seed + i, &tally);
        ok(!tally.failures, "%s: the best of all paths, %u frames, %u with ties, %u not closed",
           termination_names[e], tally.frames, tally.ties, tally.open);
    }
}

/* ---- without noise ---- */

enum { FRAMES = 2, BITS = 120, UNKNOWN = 16 };

/* v1, v2: in units of K - 1. */
static const struct tiling {
    size_t f, v1, v2, f0;
    enum viterbi_start start;
} tilings[] = {
    {0, 0, 0, 0, VITERBI_BEST},     {0, 0, 0, 0, VITERBI_ANY},
    {0, 0, 8, 25, VITERBI_STORED},  {40, 0, 8, 0, VITERBI_BEST},
    {33, 2, 8, 0, VITERBI_STORED},  {40, 1, UNKNOWN, 0, VITERBI_ANY},
    {50, 2, 8, 15, VITERBI_STORED}, {40, 2, UNKNOWN, 8, VITERBI_ANY},
};

/* The input of step t of a frame; negative ones lie before it. */
static unsigned input_at(enum viterbi_termination termination, const uint8_t *info, size_t frame,
                         ptrdiff_t t)
{
    if (termination == VITERBI_TAIL_BITING)
        t = (t + BITS) % BITS;
    if (termination == VITERBI_CONTINUOUS && t < 0 && frame > 0)
        return info[(ptrdiff_t)(frame * BITS) + t];
    return t < 0 || t >= BITS ? 0 : info[frame * BITS + (size_t)t];
}

static void encode(const struct viterbi_spec *spec, const uint8_t *info, size_t frame, int8_t *llr)
{
    const struct viterbi_code *code = &spec->code;

    for (size_t t = 0; t < viterbi_frame_steps(spec); t++) {
        for (unsigned j = 0; j < code->n; j++) {
            unsigned bit = code->inverted[j];
            for (unsigned d = 0; d < code->K; d++)
                if (code->gen[j] >> (code->K - 1 - d) & 1)
                    bit ^= input_at(spec->termination, info, frame, (ptrdiff_t)t - (ptrdiff_t)d);
            *llr++ = bit ? -5 : 5;
        }
    }
}

/* Bits near an open end need not come back if the trace begins anywhere. */
static size_t sure_bits(const struct viterbi_spec *spec)
{
    const size_t doubt = UNKNOWN * (spec->code.K - 1);
    const bool last_of_all = spec->termination == VITERBI_CONTINUOUS;

    if (spec->start != VITERBI_ANY || (spec->termination != VITERBI_TRUNCATED && !last_of_all))
        return BITS;
    return doubt < BITS ? BITS - doubt : 0;
}

static bool comes_back(unsigned decoder, const struct viterbi_spec *spec, const uint8_t *info)
{
    const size_t T = viterbi_frame_steps(spec), sure = sure_bits(spec);
    struct viterbi_input input = {.frames = FRAMES, .stride = T * spec->code.n, .at_start = true};
    struct viterbi_verdict verdict[FRAMES];
    int8_t *llr = get(FRAMES * input.stride);
    uint8_t *bits;
    bool good = true;

    for (size_t f = 0; f < FRAMES; f++)
        encode(spec, info, f, llr + f * input.stride);
    input.llr = llr;
    bits = decode(decoder, spec, &input, verdict);
    for (size_t f = 0; f < FRAMES; f++)
        good = good && memcmp(bits + f * BITS, info + f * BITS, sure) == 0 &&
               verdict[f].converged == 1 && verdict[f].iterations == 1;
    free(bits);
    free(llr);
    return good;
}

/* A large K is much work for the reference. */
static bool code_comes_back(const struct viterbi_named_code *named, unsigned *decodes)
{
    const unsigned patience = tap_sanitized() ? 7 : 9;
    uint8_t info[FRAMES * BITS];
    bool good = true;

    for (unsigned k = 0; k < TERMINATIONS * sizeof tilings / sizeof tilings[0]; k++) {
        const struct tiling *tiling = &tilings[k / TERMINATIONS];
        const unsigned memory = named->code.K - 1;
        const struct viterbi_spec spec = {.code = named->code,
                                          .termination = k % TERMINATIONS,
                                          .info_bits = BITS,
                                          .f = tiling->f,
                                          .v1 = tiling->v1 * memory,
                                          .v2 = tiling->v2 * memory,
                                          .f0 = tiling->f0,
                                          .start = tiling->start,
                                          .wrap_limit = 4,
                                          .llr_max = 5};

        for (size_t i = 0; i < sizeof info; i++)
            info[i] = (uint8_t)draw(2);
        for (unsigned d = REF; d <= FIRST_ISA + best_isa(); d += FIRST_ISA + best_isa()) {
            if (d == REF && spec.code.K > patience)
                continue;
            ++*decodes;
            if (!comes_back(d, &spec, info)) {
                diag("%s, %s, tiling %u", decoder_name(d), termination_names[spec.termination],
                     k / TERMINATIONS);
                good = false;
            }
        }
    }
    return good;
}

static void test_noise_free(uint64_t seed)
{
    seed_rng(seed);
    for (size_t i = 0; i < viterbi_n_named_codes; i++) {
        unsigned decodes = 0;
        bool good = code_comes_back(&viterbi_named_codes[i], &decodes);

        ok(good, "%s: what is sent comes back, all terminations and tilings, %u decodes",
           viterbi_named_codes[i].name, decodes);
    }
}

/* ---- odd floats, streams ---- */

static void choose_spec(struct viterbi_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    if (draw(2))
        any_code(&spec->code, 8, 4);
    else
        spec->code = viterbi_named_codes[draw(4)].code;
    spec->termination = draw(TERMINATIONS);
    spec->info_bits = 1 + draw(150);
    spec->f = draw(3) ? 1 + draw(60) : 0;
    spec->v1 = draw(40);
    spec->v2 = draw(50);
    spec->f0 = draw(2) ? 1 + draw(40) : 0;
    spec->start = spec->f0 ? VITERBI_STORED + draw(2) : VITERBI_BEST + draw(3);
    spec->wrap_limit = 1 + draw(4);
    spec->llr_max = 1;
}

/* A float that is read as 2^20 times the value, -1, 0 or 1. */
static float odd_float(int value)
{
    static const float huge[] = {INFINITY, FLT_MAX, 1e30f, 1048577.0f, 1048576.0f};

    if (value == 0)
        return (draw(2) ? 1.0f : -1.0f) * (draw(2) ? NAN : 0.0f);
    return (float)value * huge[draw(sizeof huge / sizeof huge[0])];
}

/* The answer is that to i8 LLRs of -1, 0 and 1. */
static void float_round(uint64_t seed, struct tally *tallies)
{
    struct viterbi_spec spec;
    struct viterbi_input input = {.at_start = true};
    struct viterbi_verdict verdict[70];
    uint8_t *want;

    seed_rng(seed);
    choose_spec(&spec);
    input.frames = 1 + draw(draw(4) ? 10 : 70);
    input.stride = viterbi_frame_steps(&spec) * spec.code.n;
    const size_t items = input.frames * input.stride;
    int8_t *llr = get(items);
    float *odd = get(items * sizeof *odd);
    for (size_t i = 0; i < items; i++) {
        llr[i] = (int8_t)((int)draw(3) - 1);
        odd[i] = odd_float(llr[i]);
    }
    input.llr = llr;
    want = decode(REF, &spec, &input, verdict);
    spec.is_float = true;
    input.llr = odd;
    for (unsigned d = REF; d < DECODERS; d++)
        check(d, &spec, &input, want, seed, &tallies[d]);
    free(want);
    free(llr);
    free(odd);
}

/* `known` steps lie beside a piece: v of them are needed; a few more, or all, may be given. */
static size_t some_of(size_t known, size_t v)
{
    const size_t given = v + (draw(2) ? draw(20) : 0);
    return given > known || draw(4) == 0 ? known : given;
}

struct stream {
    size_t steps;
    const int8_t *llr;
    const uint8_t *want;
    uint64_t seed;
};

/* Frames from step `start` on. */
static void check_piece(const struct stream *stream, const struct viterbi_spec *spec, size_t start,
                        size_t frames, struct tally *tallies)
{
    const size_t n = spec->code.n, steps = frames * spec->info_bits;
    struct viterbi_input input = {.frames = frames, .stride = spec->info_bits * n};
    int8_t *llr;

    input.before = some_of(start, spec->v1);
    input.after = some_of(stream->steps - start - steps, spec->v2);
    input.at_start = input.before == start;
    const size_t items = (input.before + steps + input.after) * n;
    llr = get(items);
    memcpy(llr, stream->llr + (start - input.before) * n, items);
    input.llr = llr + input.before * n;
    for (unsigned d = REF; d < DECODERS; d++)
        check(d, spec, &input, stream->want + start, stream->seed, &tallies[d]);
    free(llr);
}

/* The answer is that to one frame. Frames of whole tiles in any batches must give the same. */
static void stream_round(uint64_t seed, struct tally *tallies)
{
    struct stream stream = {.seed = seed};
    struct viterbi_input input = {.frames = 1, .at_start = true};
    struct viterbi_verdict verdict;
    struct viterbi_spec spec;

    seed_rng(seed);
    choose_spec(&spec);
    spec.termination = VITERBI_CONTINUOUS;
    spec.f = spec.f ? spec.f : 64;
    spec.llr_max = 1 + (int)draw(12);
    spec.info_bits = stream.steps = (10 + draw(20)) * spec.f;
    input.stride = stream.steps * spec.code.n;
    int8_t *llr = get(input.stride);
    for (size_t i = 0; i < input.stride; i++)
        llr[i] = (int8_t)((int)draw(2 * (unsigned)spec.llr_max + 1) - spec.llr_max);
    stream.llr = input.llr = llr;
    uint8_t *want = decode(REF, &spec, &input, &verdict);
    stream.want = want;
    spec.info_bits = (1 + draw(4)) * spec.f;
    const size_t all = stream.steps / spec.info_bits;
    for (size_t at = 0, frames; at < all; at += frames) {
        frames = 1 + draw((unsigned)(all - at < 12 ? all - at : 12));
        check_piece(&stream, &spec, at * spec.info_bits, frames, tallies);
    }
    free(want);
    free(llr);
}

static void test_alike(uint64_t seed)
{
    struct tally floats[DECODERS] = {{0}}, pieces[DECODERS] = {{0}};
    const uint64_t n = rounds(100);

    for (uint64_t i = 0; i < n; i++) {
        float_round(seed + i, floats);
        stream_round(seed + i, pieces);
    }
    ok_tallies(floats, "infinite floats, huge ones and NaN");
    ok_tallies(pieces, "a stream in pieces");
}

int main(void)
{
    const uint64_t seed = number_of_env("FECRUN_TEST_SEED", 1);

    test_ml(seed);
    test_noise_free(seed);
    test_alike(seed);
    return done_testing();
}
