/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend simd of polar.decode gives the reference's bytes, on every instruction set of this CPU. */
#include "t/lib/tap.h"

#include <fecrun/sdk/simd.h>

#include "t/polar/trial.h"

enum { ISAS = 3, MOST = 150 };

struct trial {
    uint32_t stages, k, e;
    enum polar_algorithm algorithm;
    uint32_t list; /* of bp: enum polar_stop, of ae: members */
    bool pruned, adaptive;
    enum crc_name crc;
    uint32_t frames;
};

static const struct trial trials[] = {
    {10, 512, 0, POLAR_SC, 0, true, false, CRC_NONE, 129},
    {10, 512, 0, POLAR_SC, 0, false, false, CRC_24A, 64},
    {5, 16, 0, POLAR_SC, 0, true, false, CRC_6, 150},
    {12, 3500, 0, POLAR_SC, 0, true, false, CRC_16, 5},
    {6, 20, 40, POLAR_SC, 0, true, false, CRC_6, 63},
    {9, 191, 320, POLAR_SC, 0, true, false, CRC_11, 65},
    {9, 22, 300, POLAR_SC, 0, true, false, CRC_6, 65},
    {10, 512, 0, POLAR_SCL, 8, true, false, CRC_16, 30},
    {10, 700, 0, POLAR_SCL, 8, true, false, CRC_NONE, 9},
    {8, 128, 0, POLAR_SCL, 8, false, false, CRC_11, 12},
    {7, 64, 0, POLAR_SCL, 1, true, false, CRC_11, 65},
    {7, 64, 0, POLAR_SCL, 2, true, false, CRC_11, 33},
    {7, 64, 0, POLAR_SCL, 3, true, false, CRC_11, 33},
    {7, 90, 0, POLAR_SCL, 4, true, false, CRC_8, 35},
    {8, 128, 0, POLAR_SCL, 16, true, false, CRC_24C, 9},
    {8, 200, 0, POLAR_SCL, 32, true, false, CRC_11, 7},
    {8, 60, 0, POLAR_SCL, 29, true, false, CRC_24B, 5},
    {6, 20, 40, POLAR_SCL, 8, true, false, CRC_6, 40},
    {9, 22, 300, POLAR_SCL, 8, true, false, CRC_6, 20},
    {9, 191, 320, POLAR_SCL, 4, true, false, CRC_11, 18},
    {9, 256, 0, POLAR_SCL, 8, true, true, CRC_11, 150},
    {12, 2000, 0, POLAR_SCL, 4, true, true, CRC_24A, 20},
    {7, 64, 0, POLAR_AE, 8, true, false, CRC_NONE, 65},
    {7, 99, 0, POLAR_AE, 3, true, false, CRC_11, 64},
    {5, 16, 0, POLAR_AE, 32, false, false, CRC_6, 130},
    {10, 386, 0, POLAR_AE, 2, true, false, CRC_16, 5},
    {8, 128, 0, POLAR_BP, POLAR_NEVER, true, false, CRC_NONE, 17},
    {8, 128, 0, POLAR_BP, POLAR_GMATRIX, true, false, CRC_NONE, 33},
    {8, 128, 0, POLAR_BP, POLAR_GMATRIX, true, false, CRC_11, 15},
    {7, 64, 0, POLAR_BP, POLAR_CRC, true, false, CRC_11, 50},
    {6, 20, 40, POLAR_BP, POLAR_CRC, true, false, CRC_6, 16},
};

static float llr[MOST * 4096];
static int8_t rounded[MOST * 4096];
static uint8_t want[MOST * 4096], got[MOST * 4096];
static struct fecrun_frame_info want_info[MOST], got_info[MOST];

static const struct polar_decode *start(const struct trial *t, struct polar_decode *d)
{
    struct polar_code *code = t->algorithm == POLAR_AE ? trial_rm(t->stages, t->k)
                                                       : trial_code(t->stages, t->k, t->e);

    *d = trial_decode(code, t->algorithm, t->list, t->pruned, t->crc);
    d->limit = 127;
    d->adaptive = t->adaptive;
    if (t->algorithm == POLAR_BP)
        d->stop = (enum polar_stop)t->list;
    if (t->adaptive)
        d->sc = polar_program_new(code, t->pruned, false);
    for (uint32_t f = 0; f < t->frames; f++) {
        trial_frame(code, &d->crc, f, f % 3 ? 0.85f : 0.7f, 4, llr);
        trial_round(llr, rounded + f * code->n, code->n, f);
        rounded[f * code->n + f % code->n] = -128;
    }
    return d;
}

/* Frames whose packed bits are others, or whose last byte has a bit behind them. */
static uint32_t wrong_packed(const struct trial *t)
{
    const size_t bytes = (t->k + 7) / 8;
    uint32_t wrong = 0;

    for (uint32_t f = 0; f < t->frames; f++) {
        uint8_t packed[4096 / 8] = {0};

        for (uint32_t i = 0; i < t->k; i++)
            packed[i / 8] |= (uint8_t)(want[f * t->k + i] << (7 - i % 8));
        wrong += memcmp(packed, got + f * bytes, bytes) != 0;
    }
    return wrong;
}

static void compare(const struct trial *t, const struct polar_decode *d, uint32_t isa)
{
    static const char *const name[ISAS] = {"generic", "AVX2", "AVX-512"};
    const struct fecrun_value value = {
        .size = sizeof value, .given = 2, .i = isa, .s = fecrun_isa_names[isa]};
    const struct fecrun_value *const values[] = {&value};
    const struct fecrun_values tune = {.size = sizeof tune, .count = 1, .v = values};
    uint32_t wrong = 0;

    if (!fecrun_isa_runs(isa) ||
        (isa == FECRUN_ISA_AVX512 && !__builtin_cpu_supports("avx512vbmi"))) {
        skip(2, "this machine has no %s", name[isa]);
        return;
    }
    memset(got, 0xa5, sizeof got);
    trial_run(&polar_decode_simd, d, &tune, FECRUN_I8, rounded, t->frames, got, got_info);
    for (uint32_t f = 0; f < t->frames; f++)
        wrong += memcmp(want + f * t->k, got + f * t->k, t->k) != 0 ||
                 memcmp(&want_info[f], &got_info[f], sizeof *got_info) != 0;
    is_int(wrong, 0, "%s: %u frames, N = %u, K = %u, %s %u, pruned %d, adaptive %d", name[isa],
           t->frames, d->code->n, t->k,
           t->algorithm == POLAR_SC   ? "sc"
           : t->algorithm == POLAR_BP ? "bp, stop"
           : t->algorithm == POLAR_AE ? "ensemble of"
                                      : "list of",
           t->list, t->pruned, t->adaptive);
    memset(got, 0xa5, sizeof got);
    trial_run_to(&polar_decode_simd, d, &tune, FECRUN_I8, rounded, t->frames, FECRUN_PACKED, got,
                 got_info);
    is_int(wrong_packed(t), 0, "%s: packed", name[isa]);
}

int main(void)
{
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct polar_decode d;

        start(&trials[i], &d);
        trial_run(&polar_decode_ref, &d, NULL, FECRUN_I8, rounded, trials[i].frames, want,
                  want_info);
        for (uint32_t isa = 0; isa < ISAS; isa++)
            compare(&trials[i], &d, isa);
        trial_free(&d);
        free(d.code);
    }
    return done_testing();
}
