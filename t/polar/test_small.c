/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small blocks of uplink control (TS 38.212 5.3.3): the code, by what is known of it; its words, against
 * sums of sequences and the standard's tables; the decoder, against all words one by one, and against the
 * union bound.
 */
#include "t/lib/tap.h"

#include <fecrun/sdk/simd.h>
#include <math.h>

#include "plugins/polar/code/small.h"
#include "plugins/polar/ref/ref.h"
#include "t/polar/trial.h"

enum { N = POLAR_SMALL_N, MOST_K = POLAR_SMALL_MOST_K };

static struct polar_code *make(uint32_t k, uint32_t qm)
{
    struct fecrun_error err = {.size = sizeof err};
    struct polar_code *code = polar_small_code(k, qm, &err);

    if (!code)
        bail("%s", err.text);
    return code;
}

/* The word of message `number`, whose bit 0 is the first. */
static void encode(const struct polar_code *code, uint32_t number, uint8_t *word)
{
    uint8_t message[MOST_K];

    for (uint32_t b = 0; b < code->k; b++)
        message[b] = number >> b & 1;
    polar_small_encode(code, message, word);
}

static unsigned ones(const uint8_t *word, unsigned n)
{
    unsigned count = 0;

    for (unsigned i = 0; i < n; i++)
        count += word[i];
    return count;
}

/* ---- The code ---------------------------------------------------------------------------------- */

/*
 * Table 5.3.3.3-1 as it is printed, rows of M(i, 0) .. M(i, 10). It is that of LTE (TS 36.212
 * 5.2.2.6.4-1), and the one that others use.
 */
static const char *const printed[N] = {
    "11000000001", "11100000011", "10010010111", "10110000101", "11110001001", "11001011101",
    "10101010111", "10011001101", "11011001011", "10111010011", "10100111011", "11100110101",
    "10010101111", "11010101011", "10001101001", "11001111011", "11101110010", "10011100100",
    "11011111000", "10000110000", "10100010001", "11010000011", "10001001101", "11101000111",
    "11111011110", "11000111001", "10110100110", "11110101110", "10101110100", "10111111100",
    "11111111111", "10000000000"};

static void check_words(void)
{
    unsigned wrong = 0;

    for (uint32_t k = 3; k <= MOST_K; k++) {
        struct polar_code *code = make(k, 1);

        for (uint32_t m = 0; m < 1u << k; m++) {
            uint8_t word[N];

            encode(code, m, word);
            for (unsigned i = 0; i < N; i++) {
                unsigned sum = 0;
                for (uint32_t b = 0; b < k; b++)
                    sum += (m >> b & 1) * (unsigned)(printed[i][b] - '0');
                wrong += word[i] != sum % 2;
            }
        }
        free(code);
    }
    is_int(wrong, 0, "all words of 3 to 11 bits are sums of the standard's sequences");
}

static void check_weights(void)
{
    static const unsigned least[MOST_K + 1] = {0, 0, 0, 16, 16, 16, 16, 12, 12, 12, 12, 10};

    for (uint32_t k = 3; k <= MOST_K; k++) {
        struct polar_code *code = make(k, 1);
        unsigned distance = N;

        for (uint32_t m = 1; m < 1u << k; m++) {
            uint8_t word[N];
            unsigned w;

            encode(code, m, word);
            w = ones(word, N);
            distance = w < distance ? w : distance;
        }
        is_int(distance, least[k], "K = %u: minimum distance", k);
        free(code);
    }
}

/* Tables 5.3.3.1-1 and 5.3.3.2-1: 0, 1, 2 are c0, c1, c0 + c1; y what is in front of it, x. */
static void check_few(void)
{
    static const struct {
        uint32_t k, qm;
        const char *word;
    } rows[] = {{1, 1, "0"},
                {1, 2, "0y"},
                {1, 4, "0yxx"},
                {1, 6, "0yxxxx"},
                {1, 8, "0yxxxxxx"},
                {2, 1, "012"},
                {2, 2, "012012"},
                {2, 4, "01xx20xx12xx"},
                {2, 6, "01xxxx20xxxx12xxxx"},
                {2, 8, "01xxxxxx20xxxxxx12xxxxxx"}};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct polar_code *code = make(rows[r].k, rows[r].qm);
        unsigned wrong = code->n != strlen(rows[r].word);

        for (uint32_t m = 0; m < 1u << rows[r].k && !wrong; m++) {
            const uint8_t c[] = {m & 1, m >> 1, (m ^ m >> 1) & 1};
            uint8_t word[N], want = 0;

            encode(code, m, word);
            for (uint32_t i = 0; i < code->n; i++) {
                const char at = rows[r].word[i];
                want = at == 'x' ? 1 : at == 'y' ? want : c[at - '0'];
                wrong += word[i] != want;
            }
        }
        is_int(wrong, 0, "K = %u, Qm = %u: %s", rows[r].k, rows[r].qm, rows[r].word);
        free(code);
    }
}

/* ---- The decoder ------------------------------------------------------------------------------- */

static uint32_t decoded(const struct polar_code *code, const float *llr)
{
    uint8_t message[MOST_K];
    uint32_t number = 0;

    polar_ref_small(code, llr, message);
    for (uint32_t b = 0; b < code->k; b++)
        number |= (uint32_t)message[b] << b;
    return number;
}

/* The least number among the words of the largest correlation; placeholders do not count. */
static uint32_t searched(const struct polar_code *code, uint32_t qm, const float *llr)
{
    uint32_t best = 0;
    double most = -1e30;

    for (uint32_t m = 0; m < 1u << code->k; m++) {
        uint8_t word[N];
        double sum = 0;

        encode(code, m, word);
        for (uint32_t i = 0; i < code->n; i++)
            if (code->k > 2 || i % qm < 2)
                sum += word[i] ? -(double)llr[i] : (double)llr[i];
        if (sum > most) {
            most = sum;
            best = m;
        }
    }
    return best;
}

/* LLRs of up to `most`: small ones tie often. */
static void check_search(uint32_t k, uint32_t qm, uint32_t most)
{
    const struct fecrun_rng rng = {.seed = k, .stage = most};
    struct polar_code *code = make(k, qm);
    unsigned wrong = 0;

    for (uint64_t frame = 0; frame < 200; frame++) {
        float llr[N];

        for (uint32_t i = 0; i < code->n; i++)
            llr[i] = (float)((int32_t)(fecrun_rng_block(&rng, frame, i).v[0] % (2 * most + 1)) -
                             (int32_t)most);
        wrong += decoded(code, llr) != searched(code, qm, llr);
    }
    is_int(wrong, 0, "K = %u, Qm = %u, LLRs to %u: what all words one by one say", k, qm, most);
    free(code);
}

/* ---- Error rates -------------------------------------------------------------------------------- */

enum { FRAMES = 20000 };

/* Of 20000 words over BPSK; returns how many were wrong. */
static unsigned errors_of(const struct polar_code *code, float sigma)
{
    const struct fecrun_rng noise = {.seed = 11, .stage = code->k};
    unsigned errors = 0;

    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        const uint32_t sent = (uint32_t)frame % (1u << code->k);
        uint8_t word[N];
        float llr[N];

        encode(code, sent, word);
        fecrun_gauss(&noise, frame, 0, llr, N);
        for (uint32_t i = 0; i < N; i++)
            llr[i] = sigma * llr[i] + (word[i] ? -1.0f : 1.0f);
        errors += decoded(code, llr) != sent;
    }
    return errors;
}

static bool within(unsigned errors, double least, double most)
{
    return errors > least - 3 * sqrt(least) && errors < most + 3 * sqrt(most);
}

/* To 6 bits words are orthogonal or opposite: right where the one correlation, of mean sqrt(32) / sigma,
   is larger than the 2^(K - 1) - 1 other magnitudes. */
static void check_exact(uint32_t k, float sigma)
{
    const double mean = sqrt(N) / (double)sigma, step = 1e-3;
    struct polar_code *code = make(k, 1);
    const unsigned errors = errors_of(code, sigma);
    double right = 0;

    for (double x = 0; x < mean + 10; x += step)
        right += step * exp(-(x - mean) * (x - mean) / 2) / sqrt(2 * acos(-1)) *
                 pow(erf(x / sqrt(2)), (1 << (k - 1)) - 1);
    ok(within(errors, (1 - right) * FRAMES, (1 - right) * FRAMES),
       "K = %u: %u of %d wrong, %.0f in theory", k, errors, FRAMES, (1 - right) * FRAMES);
    free(code);
}

/* More bits: at most the union bound over all words, and not much less. */
static void check_bound(uint32_t k, float sigma)
{
    struct polar_code *code = make(k, 1);
    const unsigned errors = errors_of(code, sigma);
    double bound = 0;

    for (uint32_t m = 1; m < 1u << k; m++) {
        uint8_t word[N];

        encode(code, m, word);
        bound += erfc(sqrt(ones(word, N) / 2.0) / (double)sigma) / 2;
    }
    ok(within(errors, 0.6 * bound * FRAMES, bound * FRAMES),
       "K = %u: %u of %d wrong, union bound %.0f", k, errors, FRAMES, bound * FRAMES);
    free(code);
}

/* ---- Backends ---------------------------------------------------------------------------------- */

enum { BATCH = 150 };

/* The reference's messages, on each instruction set; most: of the LLRs. */
static void check_simd(uint32_t k, uint32_t qm, uint32_t most)
{
    static int8_t llr[BATCH * N];
    static uint8_t want[BATCH * MOST_K], got[BATCH * MOST_K];
    static struct fecrun_frame_info info[BATCH];
    const struct fecrun_rng rng = {.seed = k, .stage = qm};
    struct polar_decode d = {.code = make(k, qm), .algorithm = POLAR_ML, .limit = 127};

    for (uint32_t i = 0; i < BATCH * d.code->n; i++)
        llr[i] = (int8_t)((int32_t)(fecrun_rng_block(&rng, most, i).v[0] % (2 * most + 1)) -
                          (int32_t)most);
    llr[d.code->n] = -128;
    trial_run(&polar_decode_ref, &d, NULL, FECRUN_I8, llr, BATCH, want, info);
    for (uint32_t isa = FECRUN_ISA_GENERIC; isa <= FECRUN_ISA_AVX512; isa++) {
        const struct fecrun_value value = {
            .size = sizeof value, .given = 2, .i = isa, .s = fecrun_isa_names[isa]};
        const struct fecrun_value *const values[] = {&value};
        const struct fecrun_values tune = {.size = sizeof tune, .count = 1, .v = values};

        if (!fecrun_isa_runs(isa) ||
            (isa == FECRUN_ISA_AVX512 && !__builtin_cpu_supports("avx512vbmi")))
            continue;
        memset(got, 0xa5, sizeof got);
        trial_run(&polar_decode_simd, &d, &tune, FECRUN_I8, llr, BATCH, got, info);
        ok(!memcmp(want, got, BATCH * k), "K = %u, Qm = %u, LLRs to %u, %s: as the reference", k,
           qm, most, value.s);
    }
    free(d.code);
}

/* cuda knows nothing of these codes and says so, whether there is a device or not. */
static void check_cuda(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct polar_decode d = {.code = make(11, 1), .algorithm = POLAR_ML, .limit = 127};
    void *const codes[] = {&d};
    const struct fecrun_create create = {
        .size = sizeof create, .codes = codes, .n_codes = 1, .form = polar_decode_cuda.forms[0]};

    ok(polar_decode_cuda.takes(&create, &err), "cuda: %s", err.text);
    free(d.code);
}

int main(void)
{
    static const uint32_t qm[] = {1, 2, 4, 6, 8};

    check_words();
    check_weights();
    check_few();
    for (uint32_t k = 1; k <= 2; k++)
        for (size_t q = 0; q < sizeof qm / sizeof *qm; q++)
            check_search(k, qm[q], 2);
    for (uint32_t k = 3; k <= MOST_K; k++) {
        check_search(k, 1, 1);
        check_search(k, 1, 127);
    }
    check_exact(4, 1.2f);
    check_exact(6, 1.1f);
    check_bound(9, 0.9f);
    check_bound(11, 0.8f);
    for (uint32_t k = 1; k <= MOST_K; k++) {
        check_simd(k, 1, 2);
        check_simd(k, k <= 2 ? 6 : 1, 127);
    }
    check_cuda();
    return done_testing();
}
