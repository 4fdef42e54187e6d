/* SPDX-License-Identifier: BSD-2-Clause */
/* The threads of the fast CUDA decoder as functions of the CPU: one set of kernels an entry. */
#ifndef T_VITERBI_FAST_CUH
#define T_VITERBI_FAST_CUH

#define FAST_ON_HOST
#define _Noreturn __attribute__((noreturn))

extern "C" {
#include "viterbi.h"
}

#include "plugins/viterbi/cuda_fast_whole.cuh"

/* One set of kernels. */
struct decoder {
    const char *name;
    struct viterbi_code code;
    enum fast_source source;
    bool wide;
    uint32_t tiles, block_bytes;
    void (*run)(const struct fast_job *job, enum fast_kind kind, uint8_t *survivors);
};

/* One thread. */
template <class Code, class L, int SOURCE, int KIND, int STEPS>
static void run_as(const struct fast_job &job, uint64_t group, uint32_t thread, uint8_t *survivors)
{
    if constexpr (KIND == FAST_WHOLE)
        fast_whole<Code, L, SOURCE>(job, group, thread, survivors, job.spread);
    else
        fast_sub_frames<Code, L, SOURCE, KIND, STEPS>(job, group, thread, survivors, job.spread);
}

template <class Code, class L, int SOURCE>
static void run_thread(const struct fast_job &job, enum fast_kind kind, uint64_t group,
                       uint32_t thread, uint8_t *survivors)
{
    constexpr int STEPS = L::TILES == 2 ? FAST_TRACED_STEPS : 0;
    const bool traced = STEPS > 0 && job.out_blocks == 1 && job.skip + 1 == STEPS;

    if (kind == FAST_STORED)
        run_as<Code, L, SOURCE, FAST_STORED, 0>(job, group, thread, survivors);
    else if (kind == FAST_ANY && traced)
        run_as<Code, L, SOURCE, FAST_ANY, STEPS>(job, group, thread, survivors);
    else if (kind == FAST_ANY)
        run_as<Code, L, SOURCE, FAST_ANY, 0>(job, group, thread, survivors);
    else
        run_as<Code, L, SOURCE, FAST_WHOLE, 0>(job, group, thread, survivors);
}

/* As the grid of fast_kernel does, but of a warp's threads without a tile one is enough. */
template <class Code, class L, int SOURCE>
static void run_job(const struct fast_job *job, enum fast_kind kind, uint8_t *survivors)
{
    const uint64_t tiles = (uint64_t)job->threads / 32 * job->lanes * job->tiles;

    for (uint64_t group = 0; group * tiles < job->items; group++)
        for (uint32_t thread = 0; thread < job->threads; thread++) {
            const uint64_t item = group * tiles + thread / 32 * job->lanes + thread % 32;

            if (thread % 32 == 0 || (thread % 32 <= job->lanes && item <= job->items))
                run_thread<Code, L, SOURCE>(*job, kind, group, thread, survivors);
        }
}

typedef fast_code<5, 2, 023, 033> k5;
typedef fast_code<7, 2, 0133, 0171> k7;
typedef fast_code<7, 2, 0171, 0133, 0, 0, 2> k7_inverted;
typedef fast_code<7, 3, 0133, 0171, 0165> k7_third;
typedef fast_code<7, 4, 0133, 0171, 0145, 0133> k7_quarter;

#define RUNS(code, lanes, source) \
    source, lanes::TILES == 1, lanes::TILES, fast_ring<code, lanes>::BLOCK, \
        run_job<code, lanes, source>

static const struct decoder decoders[] = {
    {"K = 5", {5, 2, {023, 033}}, RUNS(k5, lanes16, FAST_I8)},
    {"K = 7", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, FAST_I8)},
    {"K = 7, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, FAST_I8)},
    {"K = 7, nibbles", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, FAST_NIBBLES)},
    {"K = 7, punctured", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, FAST_PUNCTURED)},
    {"K = 7, punctured, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, FAST_PUNCTURED)},
    {"K = 7, inverted", {7, 2, {0171, 0133}, {0, 1}}, RUNS(k7_inverted, lanes16, FAST_I8)},
    {"K = 7, n = 3", {7, 3, {0133, 0171, 0165}}, RUNS(k7_third, lanes16, FAST_I8)},
    {"K = 7, n = 4", {7, 4, {0133, 0171, 0145, 0133}}, RUNS(k7_quarter, lanes16, FAST_I8)},
};

#endif
