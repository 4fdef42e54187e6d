/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which kernel of the CUDA decoder finds room on devices with less shared memory a thread block: all lengths,
 * algorithms and sizes of lists. Nothing is decoded here.
 */
#include "plugins/polar/code/nr.h"
#include "plugins/polar/cuda/bp/plan.h"
#include "plugins/polar/cuda/list/plan.h"
#include "plugins/polar/cuda/sc/plan.h"
#include "plugins/polar/decode.h"
#include "t/lib/tap.h"

enum { LIMITS = 5, LONGEST = 15 };

/* KiB that a thread block can have. */
static const uint32_t kib[LIMITS] = {48, 64, 99, 163, 227};

/* ---- sc -------------------------------------------------------------------------------------- */

/* Warps of N = 64 .. 1024, counted by hand: one takes 4608, 9216, 26624, 28672 and 28672 bytes, the block 1024
   more. */
static const uint32_t sc_warps[LIMITS][5] = {
    {8, 5, 1, 1, 1}, {8, 7, 2, 2, 2}, {8, 8, 3, 3, 3}, {8, 8, 6, 5, 5}, {8, 8, 8, 8, 8}};

static void try_sc(void)
{
    for (unsigned l = 0; l < LIMITS; l++) {
        uint32_t wrong = 0, large = 0;

        for (uint32_t stages = SC_LEAST_STAGES; stages <= SC_MOST_STAGES; stages++) {
            const uint32_t warps = polar_sc_fit(stages, kib[l] << 10);

            if (warps != sc_warps[l][stages - SC_LEAST_STAGES])
                diag("N = %u: %u warps", 1u << stages, warps);
            wrong += warps != sc_warps[l][stages - SC_LEAST_STAGES];
            large += polar_sc_shared(stages, warps) > kib[l] << 10;
        }
        is_int(wrong, 0, "sc, %u KiB: as many warps as find room", kib[l]);
        is_int(large, 0, "and they do");
    }
    is_int(polar_sc_fit(10, 28 << 10), 0, "no room for any");
}

/* ---- scl ------------------------------------------------------------------------------------- */

static void try_lists(unsigned l)
{
    const size_t shared = kib[l] << 10, row = LIST_ROW * sizeof(uint32_t);
    uint32_t wrong = 0, none = 0, alone = 0, least = LIST_MOST_WARPS;

    for (uint32_t stages = SC_LEAST_STAGES; stages <= LIST_MOST_STAGES; stages++)
        for (uint32_t paths = 1; paths <= POLAR_MOST_LIST; paths++) {
            const uint32_t lanes = polar_list_lanes(paths, stages);
            const uint32_t rows = polar_list_rows(lanes, stages, false);
            const uint32_t single = polar_list_rows(lanes, stages, true);
            const uint32_t warps = polar_list_fit(rows, shared);

            none += !warps;
            least = warps < least ? warps : least;
            wrong += warps * rows * row > shared || warps > LIST_MOST_WARPS;
            wrong += warps < LIST_MOST_WARPS && (warps + 1) * rows * row <= shared;
            alone += polar_list_fit(single, shared) > 0;
            wrong += (polar_list_fit(single, shared) > 0) != (single * row <= shared);
        }
    is_int(wrong, 0, "scl, %u KiB: as many warps as find room, at least %u", kib[l], least);
    is_int(none, 0, "that is one for all lengths and lists");
    /* N = 4096 takes 87552 to 95744 bytes, N = 2048 with one or two paths 56832, others at most 48640 */
    is_int(alone,
           7 * 32 - (kib[l] == 48   ? 32 + 2
                     : kib[l] == 64 ? 32
                                    : 0),
           "lists that have a kernel for single frames");
}

/* ---- bp -------------------------------------------------------------------------------------- */

static struct polar_code *make_code(uint32_t stages)
{
    struct polar_code *code = polar_code_new(stages, (1u << stages) / 2);

    if (!code)
        bail("out of memory");
    for (uint32_t i = 0; i < code->k; i++) {
        code->kind[code->n - code->k + i] = POLAR_MESSAGE;
        code->position[i] = (uint16_t)(code->n - code->k + i);
    }
    return code;
}

static void try_bp(unsigned l)
{
    const size_t shared = kib[l] << 10;
    uint32_t wrong = 0;

    for (uint32_t stages = POLAR_LEAST_STAGES; stages <= LONGEST; stages++)
        for (uint32_t rule = POLAR_MIN_SUM; rule <= POLAR_SUM_PRODUCT; rule++) {
            struct polar_code *code = make_code(stages);
            const struct polar_decode d = {.code = code, .algorithm = POLAR_BP, .rule = rule};
            const enum polar_bp_fit fit = polar_bp_fit(&d, FECRUN_I8, shared);
            const size_t u = (2u << stages) + 16, messages = (size_t)stages << stages << 2;
            const size_t half = stages >= 8 ? polar_bp_half_words(stages) * 4 : 0;

            wrong += (fit == BP_FITS_HALF) !=
                     (rule == POLAR_MIN_SUM && stages >= 8 && stages <= 12 && half <= shared);
            wrong += fit == BP_FITS_SHARED && u + messages > shared;
            wrong += fit == BP_FITS_GLOBAL && (u > shared || u + messages <= shared);
            wrong += fit == BP_FITS_NOT && u <= shared;
            wrong += polar_bp_fit(&d, FECRUN_F32, shared) == BP_FITS_HALF;
            free(code);
        }
    is_int(wrong, 0, "bp, %u KiB: halves, messages in shared memory or global ones", kib[l]);
}

/* ---- takes() --------------------------------------------------------------------------------- */

static int takes(const struct polar_decode *d, uint32_t n_codes, struct fecrun_error *err)
{
    void *codes[] = {(void *)(uintptr_t)d, (void *)(uintptr_t)d};
    const struct fecrun_create args = {.size = sizeof args,
                                       .codes = codes,
                                       .n_codes = n_codes,
                                       .form = polar_decode_cuda.forms[0]};

    *err = (struct fecrun_error){.size = sizeof *err};
    return polar_decode_cuda.takes(&args, err);
}

static uint32_t count_refused(uint32_t stages, struct fecrun_error *err)
{
    struct polar_code *code = make_code(stages);
    struct polar_decode d = {.code = code, .limit = 127, .algorithm = POLAR_SC};
    uint32_t refused;

    d.sc = polar_program_new(code, true, false);
    refused = (uint32_t)(takes(&d, 1, err) != 0) + (takes(&d, 2, err) != 0);
    d.algorithm = POLAR_SCL;
    d.list = polar_program_new(code, true, true);
    for (d.most_paths = 1; d.most_paths <= POLAR_MOST_LIST; d.most_paths++) {
        d.adaptive = d.most_paths % 2;
        refused += (uint32_t)(takes(&d, 1, err) != 0) + (takes(&d, 2, err) != 0);
    }
    free(d.sc), free(d.list);
    free(code);
    return refused;
}

static void pretend(uint32_t limit)
{
    char like[16];

    snprintf(like, sizeof like, "9.0:%u", limit);
    setenv("FECRUN_CUDA_LIKE", like, 1);
}

static void try_takes(void)
{
    struct polar_code *code = make_code(LONGEST);
    const struct polar_decode d = {.code = code, .algorithm = POLAR_BP};
    struct fecrun_error err;

    for (unsigned l = 0; l < LIMITS; l++) {
        uint32_t refused = 0;

        pretend(kib[l]);
        for (uint32_t stages = POLAR_LEAST_STAGES; stages <= LIST_MOST_STAGES; stages++)
            refused += count_refused(stages, &err);
        is_int(refused, 0, "%u KiB: takes() of sc, all lists and adaptive ones, N = 32 to 4096",
               kib[l]);
    }
    pretend(20);
    ok(count_refused(12, &err) == 66, "20 KiB: nothing of N = 4096");
    is_str(err.text, "needs 30208 bytes of shared memory a thread block, the device has 20480",
           "and why not");
    pretend(99);
    ok(!takes(&d, 1, &err), "99 KiB: bp, N = 32768");
    pretend(64);
    ok(takes(&d, 1, &err), "64 KiB: not that one");
    is_str(err.text, "needs 65552 bytes of shared memory a thread block, the device has 65536",
           "and why not");
    unsetenv("FECRUN_CUDA_LIKE");
    free(code);
}

/* ---- explain --------------------------------------------------------------------------------- */

static void notes(uint32_t limit, uint32_t stages, enum polar_algorithm algorithm, uint32_t paths,
                  bool adaptive, const char *want)
{
    struct polar_code *code = make_code(stages);
    struct polar_decode d = {.code = code,
                             .limit = 127,
                             .algorithm = algorithm,
                             .most_paths = paths,
                             .adaptive = adaptive};
    void *codes[] = {&d};
    const struct fecrun_create args = {
        .size = sizeof args, .codes = codes, .n_codes = 1, .form = polar_decode_cuda.forms[0]};
    char text[320] = "";

    if (algorithm == POLAR_SC || adaptive)
        d.sc = polar_program_new(code, true, false);
    if (algorithm == POLAR_SCL)
        d.list = polar_program_new(code, true, true);
    pretend(limit);
    polar_decode_cuda.note(&args, text, sizeof text);
    is_str(text, want, "N = %u, %u paths, %u KiB", 1u << stages, paths, limit);
    unsetenv("FECRUN_CUDA_LIKE");
    free(d.sc), free(d.list);
    free(code);
}

static void try_notes(void)
{
    notes(227, 10, POLAR_SC, 0, false, "sc: two frames a thread, 8 warps a multiprocessor");
    notes(99, 10, POLAR_SCL, 1, false, "sc: two frames a thread, 3 warps a multiprocessor");
    notes(227, 11, POLAR_SC, 0, false,
          "16 frames a warp, 8 warps a multiprocessor; sc by a list of one path, which is slower");
    notes(227, 12, POLAR_SCL, 8, false, "4 frames a warp, 10 warps a multiprocessor");
    notes(163, 9, POLAR_SCL, 8, true,
          "sc: two frames a thread, 5 warps a multiprocessor; lists: 4 frames a warp, 21 warps a "
          "multiprocessor");
    notes(227, 10, POLAR_BP, 0, false, "in halves, 16 positions of two frames a thread");
    notes(227, 7, POLAR_BP, 0, false,
          "in floats, two positions a thread, which is slower; messages in shared memory");
}

int main(void)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* whatever card is here */
    try_sc();
    for (unsigned l = 0; l < LIMITS; l++)
        try_lists(l);
    for (unsigned l = 0; l < LIMITS; l++)
        try_bp(l);
    try_takes();
    if (polar_decode_cuda.note)
        try_notes();
    else
        skip(7, "cuda: kernels are no part of this build");
    return done_testing();
}
