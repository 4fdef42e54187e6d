/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which kernel of the CUDA decoder finds room on devices with less shared memory a thread block: all sizes,
 * algorithms and rules to stop. Nothing is decoded here.
 */
#include "plugins/turbo/cuda/single/plan.h"
#include "plugins/turbo/decode.h"
#include "t/lib/tap.h"

/* KiB of a thread block, the sizes of which some kernel has room, and those that 128 threads have room for.
   64 KiB: a pair of blocks takes 10 bytes a bit, and its metrics more. */
static const struct {
    uint32_t kib, sizes, narrow;
    const char *cards;
} limits[] = {{48, 142, 0, "none"},
              {64, 166, 90, "7.5"},
              {99, 188, 173, "8.6, 8.9, 12.0"},
              {163, 188, 188, "8.0, 8.7"},
              {227, 188, 188, "9.0, 10.0"}};

enum { LIMITS = sizeof limits / sizeof *limits };

/* The first number of threads that has windows; 0: none has. */
static uint32_t choose(const struct turbo_qpp *qpp, uint32_t windows, size_t shared,
                       struct turbo_windows_class *c)
{
    uint32_t threads = 0;

    for (unsigned i = 0; (threads = turbo_windows_threads(i)) != 0; i++)
        if (!turbo_windows_fit(qpp, windows, threads, shared, c))
            break;
    return threads;
}

/* Step k of all windows is in one row of the interleaver, and columns repeat every four steps. */
static bool interleaves(const struct turbo_qpp *qpp, uint32_t windows, uint32_t steps)
{
    for (uint32_t k = 0; k < steps; k++)
        for (uint32_t w = 1; w < windows; w++) {
            const uint32_t first = turbo_pi(qpp, k), at = turbo_pi(qpp, k + w * steps);
            const uint32_t factor = qpp->f1 + 2 * qpp->f2 * (k % 4) + qpp->f2 * steps * w;

            if (at % steps != first % steps || at / steps != (first / steps + w * factor) % windows)
                return false;
        }
    return true;
}

/* Bytes of the layout, added up anew: windows/plan.h says what is there. */
static size_t bytes_of(uint32_t threads, uint32_t windows, uint32_t steps)
{
    const size_t borders = 2 * 2 * 8 * sizeof(uint32_t) * threads;
    const size_t fixed = borders + 16 + 8 * threads + 1024;

    return fixed + threads * (steps * (4 + 2 + 4) + (steps + 15) / 16 * 4) + 8 * steps +
           threads / windows * (8 + 16);
}

static bool is_legal(const struct turbo_qpp *qpp, uint32_t threads, size_t shared,
                     const struct turbo_windows_class *c)
{
    return c->k == qpp->k && c->f1 == qpp->f1 && c->f2 == qpp->f2 && c->threads == threads &&
           c->windows * c->steps == c->k && c->steps >= 8 && c->steps <= WIN_MOST_STEPS &&
           c->slots >= 1 && c->slots * c->windows <= threads &&
           bytes_of(threads, c->windows, c->steps) <= shared &&
           turbo_windows_lay_out(threads, c->windows, c->steps).bytes ==
               bytes_of(threads, c->windows, c->steps);
}

/* Has any number of threads windows of 32 steps or more? */
static bool is_possible(const struct turbo_qpp *qpp, size_t shared)
{
    static const uint32_t threads[] = {WIN_NARROW, WIN_SLIM, WIN_SLIMMEST};

    for (unsigned i = 0; i < 3; i++)
        for (uint32_t p = 1; p <= threads[i]; p++)
            if (qpp->k % p == 0 && 8 * qpp->f2 % p == 0 && qpp->k / p >= 32 &&
                qpp->k / p <= WIN_MOST_STEPS && bytes_of(threads[i], p, qpp->k / p) <= shared)
                return true;
    return false;
}

static void try_limit(unsigned l)
{
    const size_t shared = (size_t)limits[l].kib << 10;
    uint32_t sizes = 0, narrow = 0, illegal = 0, missed = 0, single = 0, large = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        const struct turbo_qpp *qpp = &turbo_qpp_table[i];
        struct turbo_windows_class c = {0};
        const uint32_t threads = choose(qpp, 0, shared, &c);

        sizes += threads != 0;
        narrow += threads == WIN_NARROW;
        missed += !threads && is_possible(qpp, shared);
        if (!threads)
            continue;
        if (!is_legal(qpp, threads, shared, &c) || !interleaves(qpp, c.windows, c.steps) ||
            c.steps < 32) {
            diag("K = %u: %u windows of %u steps, %u threads", c.k, c.windows, c.steps, threads);
            illegal++;
        }
        if (turbo_single_fits(&c, shared)) {
            single++;
            large += turbo_single_lay_out(turbo_single_columns(&c), c.steps).bytes > shared;
        }
    }
    is_int(sizes, limits[l].sizes, "%u KiB (compute capability %s): sizes that have windows",
           limits[l].kib, limits[l].cards);
    is_int(narrow, limits[l].narrow, "with 128 threads");
    is_int(illegal, 0, "these are legal, not short, and find room");
    is_int(missed, 0, "no size that could have some has none");
    is_int(large, 0, "the kernel for few blocks is taken for %u sizes only, for which it has room",
           single);
}

/* What an H100 and an A100 have is the same: their results are, too. */
static void try_same(void)
{
    uint32_t other = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        struct turbo_windows_class a = {0}, b = {0};

        choose(&turbo_qpp_table[i], 0, 163 << 10, &a);
        choose(&turbo_qpp_table[i], 0, 227 << 10, &b);
        other += memcmp(&a, &b, sizeof a) != 0;
    }
    is_int(other, 0, "163 KiB: all windows are those of 227 KiB");
}

/* Two blocks of threads share a multiprocessor of compute capability 8.0 where windows of larger blocks of bits have
   up to 48 steps, K = 6144 among them. */
static void try_pairs(void)
{
    const uint32_t most = (164 << 10) / 2 - 1024;
    struct turbo_windows_class c;
    uint32_t wrong = 0, pairs = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        bool pair;

        choose(&turbo_qpp_table[i], 0, 163 << 10, &c);
        pair = turbo_windows_lay_out(c.threads, c.windows, c.steps).bytes <= most;
        pairs += pair;
        wrong += !pair && c.steps <= 48 && c.k > 1024;
    }
    is_int(wrong, 0, "164 KiB a multiprocessor: %u sizes have two blocks of threads there", pairs);
}

/* With 99 KiB there is a number of threads for all sizes in one batch, with 64 KiB one for all that have any but
   K = 4416, which has windows of 48 steps in 96 threads alone. */
static void try_together(void)
{
    uint32_t missed = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        struct turbo_windows_class c;

        missed += turbo_windows_fit(&turbo_qpp_table[i], 0, WIN_SLIM, 99 << 10, &c) != NULL;
        missed += choose(&turbo_qpp_table[i], 0, 64 << 10, &c) &&
                  turbo_windows_fit(&turbo_qpp_table[i], 0, WIN_SLIMMEST, 64 << 10, &c) &&
                  turbo_qpp_table[i].k != 4416;
    }
    is_int(missed, 0, "sizes of one batch find room together");
}

/* Windows that are asked for: those numbers, or none. */
static void try_asked(void)
{
    struct turbo_windows_class c;
    uint32_t wrong = 0, some = 0, none = 0;

    for (unsigned l = 0; l < LIMITS; l++)
        for (uint32_t i = 0; i < TURBO_SIZES; i += 3)
            for (uint32_t p = 1; p <= WIN_WIDE + 1; p++) {
                const struct turbo_qpp *qpp = &turbo_qpp_table[i];
                const size_t shared = (size_t)limits[l].kib << 10;
                const uint32_t threads = choose(qpp, p, shared, &c);

                some += threads != 0;
                none += threads == 0;
                wrong += threads && (!is_legal(qpp, threads, shared, &c) || c.windows != p ||
                                     (threads == WIN_WIDE) != (p > WIN_NARROW));
            }
    is_int(wrong, 0, "%u numbers of windows that are asked for, %u are refused", some, none);
    ok(turbo_windows_fit(turbo_qpp_find(6144), 128, WIN_WIDE, 227 << 10, &c) &&
           !turbo_windows_fit(turbo_qpp_find(6144), 192, WIN_WIDE, 227 << 10, &c) &&
           turbo_windows_fit(turbo_qpp_find(6144), 192, WIN_NARROW, 227 << 10, &c),
       "wide kernels are for more than 128 windows, and no others are");
}

/* ---- takes() --------------------------------------------------------------------------------- */

static void pretend(uint32_t kib)
{
    char like[16];

    snprintf(like, sizeof like, "9.0:%u", kib);
    setenv("FECRUN_CUDA_LIKE", like, 1);
}

static struct turbo_decode code_of(const struct turbo_qpp *qpp, enum turbo_algorithm algorithm,
                                   enum turbo_stop stop)
{
    return (struct turbo_decode){.qpp = qpp,
                                 .k = qpp->k,
                                 .bits = qpp->k,
                                 .word = 3 * (qpp->k + 4),
                                 .iterations = 6,
                                 .algorithm = algorithm,
                                 .stop = stop,
                                 .scale = 0.75,
                                 .llr_scale = 8,
                                 .received = 3 * qpp->k};
}

static int takes(const struct turbo_decode *a, const struct turbo_decode *b,
                 struct fecrun_error *err)
{
    void *codes[] = {(void *)(uintptr_t)a, (void *)(uintptr_t)b};
    const struct fecrun_create args = {.size = sizeof args,
                                       .codes = codes,
                                       .n_codes = b ? 2 : 1,
                                       .form = turbo_decode_cuda.forms[0]};

    *err = (struct fecrun_error){.size = sizeof *err};
    return turbo_decode_cuda.takes(&args, err);
}

/* Alone, and with blocks of 40 bits in its batch. No device has as little as 48 KiB, where not all sizes find
   room together. */
static uint32_t count_wrong(uint32_t kib, enum turbo_algorithm algorithm, enum turbo_stop stop,
                            char *why)
{
    const struct turbo_decode least = code_of(turbo_qpp_table, algorithm, stop);
    struct fecrun_error err;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < TURBO_SIZES; i++) {
        const struct turbo_decode d = code_of(&turbo_qpp_table[i], algorithm, stop);
        const int want = is_possible(d.qpp, (size_t)kib << 10) ? 0 : -1;

        wrong += takes(&d, NULL, &err) != want;
        wrong += kib > 48 && (kib > 64 || d.k != 4416) && takes(&d, &least, &err) != want;
        if (want)
            memcpy(why, err.text, sizeof err.text);
    }
    return wrong;
}

static void try_takes(void)
{
    for (unsigned l = 0; l < LIMITS; l++) {
        char why[sizeof(((struct fecrun_error *)0)->text)] = "";
        uint32_t wrong = 0;

        pretend(limits[l].kib);
        for (unsigned algorithm = TURBO_MAX_LOG; algorithm <= TURBO_LOG_MAP; algorithm++)
            for (unsigned stop = TURBO_NEVER; stop <= TURBO_CRC24B; stop++)
                wrong += count_wrong(limits[l].kib, algorithm, stop, why);
        is_int(wrong, 0, "%u KiB: takes() of all sizes, algorithms and rules", limits[l].kib);
        is_str(why,
               limits[l].sizes == TURBO_SIZES
                   ? ""
                   : "K = 6144: its windows need more shared memory than a thread block of this "
                     "device has",
               "and why not");
    }
    unsetenv("FECRUN_CUDA_LIKE");
}

/* ---- explain --------------------------------------------------------------------------------- */

static void notes(uint32_t kib, uint32_t k, enum turbo_stop stop, const char *want)
{
    const struct fecrun_value automatic = {.is_auto = 1}, *const value[] = {&automatic};
    const struct fecrun_values tune = {.size = sizeof tune, .count = 1, .v = value};
    const struct turbo_decode d = code_of(turbo_qpp_find(k), TURBO_MAX_LOG, stop);
    void *codes[] = {(void *)(uintptr_t)&d};
    const struct fecrun_create args = {.size = sizeof args,
                                       .codes = codes,
                                       .n_codes = 1,
                                       .tune = &tune,
                                       .form = turbo_decode_cuda.forms[0]};
    char text[320] = "";

    pretend(kib);
    turbo_decode_cuda.note(&args, text, sizeof text);
    is_str(text, want, "K = %u, %u KiB", k, kib);
    unsetenv("FECRUN_CUDA_LIKE");
}

static void try_notes(void)
{
    notes(227, 6144, TURBO_NEVER,
          "128 windows of 48 steps, which overlap by 8, 128 threads a block; up to a block a "
          "multiprocessor: a kernel for few blocks");
    notes(99, 6144, TURBO_NEVER,
          "128 windows of 48 steps, which overlap by 8, 128 threads a block");
    notes(227, 40, TURBO_CRC24B, "1 windows of 40 steps, which overlap by 0, 128 threads a block");
}

int main(void)
{
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* whatever card is here */
    for (unsigned l = 0; l < LIMITS; l++)
        try_limit(l);
    try_same();
    try_pairs();
    try_together();
    try_asked();
    try_takes();
    if (turbo_decode_cuda.note)
        try_notes();
    else
        skip(3, "cuda: kernels are no part of this build");
    return done_testing();
}
