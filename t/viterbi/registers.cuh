/* SPDX-License-Identifier: BSD-2-Clause */
/* The threads of the CUDA decoder in registers as functions of the CPU: one set of kernels an
 * entry. */
#ifndef T_VITERBI_REGISTERS_CUH
#define T_VITERBI_REGISTERS_CUH

#define REGISTERS_ON_HOST
#define _Noreturn __attribute__((noreturn))

extern "C" {
#include "t/viterbi/viterbi.h"
}

#include "plugins/viterbi/cuda/registers/frames.cuh"
#include "plugins/viterbi/cuda/registers/whole.cuh"
#include "t/viterbi/registers_teams.cuh"

/* One set of kernels. */
struct decoder {
    const char *name;
    struct viterbi_code code;
    enum registers_source source;
    bool wide, fine, newest;
    enum registers_lanes lanes;
    uint32_t lean[2]; /* by kind: bit n: streams with sub-frames of n bytes have a lean loop */
    uint32_t tiles, block_bytes, members; /* of a team, or 1 */
    void (*run)(const struct registers_job *job, enum registers_kind kind, uint8_t *survivors);
};

/* One thread. */
template <class Code, class L, int SOURCE, int KIND, int STEPS>
static void run_as(const struct registers_job &job, uint64_t group, uint32_t thread,
                   uint8_t *survivors)
{
    if constexpr (KIND == REGISTERS_WHOLE)
        registers_whole<Code, L, SOURCE>(job, group, thread, survivors, job.spread);
    else
        registers_sub_frames<Code, L, SOURCE, KIND, STEPS>(job, group, thread, survivors,
                                                           job.spread);
}

template <class Code, class L, int SOURCE>
static void run_thread(const struct registers_job &job, enum registers_kind kind, uint64_t group,
                       uint32_t thread, uint8_t *survivors)
{
    constexpr int STEPS = L::TILES == 2 ? REGISTERS_TRACED_STEPS : 0;
    const bool traced = STEPS > 0 && job.out_blocks == 1 && job.skip + 1 == STEPS;

    if (kind == REGISTERS_STORED)
        run_as<Code, L, SOURCE, REGISTERS_STORED, 0>(job, group, thread, survivors);
    else if (kind == REGISTERS_ANY && traced)
        run_as<Code, L, SOURCE, REGISTERS_ANY, STEPS>(job, group, thread, survivors);
    else if (kind == REGISTERS_ANY)
        run_as<Code, L, SOURCE, REGISTERS_ANY, 0>(job, group, thread, survivors);
    else if constexpr (SOURCE != REGISTERS_FLOATS)
        run_as<Code, L, SOURCE, REGISTERS_WHOLE, 0>(job, group, thread, survivors);
}

/* All threads of a block with what they do until they wait for each other. */
template <class Code, class L, int SOURCE> struct frames_block {
    uint32_t from[REGISTERS_THREADS], to[REGISTERS_THREADS];
    bool there[REGISTERS_THREADS];
    registers_tile tile[REGISTERS_THREADS][L::TILES];
    registers_memory<Code, L> memory[REGISTERS_THREADS];
    registers_mender<L> mender[REGISTERS_THREADS];

    void find(const registers_job &job, uint64_t group, uint8_t *survivors)
    {
        uint8_t *scratch = survivors + job.ring * registers_ring<Code, L>::BLOCK;

        for (uint32_t t = 0; t < job.threads; t++) {
            there[t] = registers_tiles<Code, L, true>(job, group, t, tile[t]) &&
                       (t % 32 == 0 || (t % 32 < job.lanes && tile[t][0].bits));
            memory[t] = registers_memory_of<Code, L>(job, t, survivors, scratch);
            registers_plain_blocks<Code, L>(job, tile[t], &from[t], &to[t]);
        }
    }
    bool pass(const registers_job &job, bool again)
    {
        bool unjoined = false;

        for (uint32_t t = 0; t < job.threads; t++) {
            uint32_t notes[L::TILES];
            if (!there[t])
                continue;
            registers_pass<Code, L, SOURCE>(job, t, tile[t], memory[t], from[t], to[t], again,
                                            notes, job.spread);
            registers_mend_begin<Code, L>(job, tile[t], memory[t], notes, &mender[t]);
        }
        for (uint32_t t = 0; t < job.threads; t++)
            unjoined = unjoined ||
                       (there[t] && registers_unjoined<Code, L>(job, t, tile[t], memory[t]));
        return unjoined;
    }
    bool mend(const registers_job &job)
    {
        bool other = false;

        for (uint32_t t = 0; t < job.threads; t++)
            while (there[t] && registers_round<Code, L, SOURCE>(job, t, tile[t], memory[t], from[t],
                                                                to[t], &mender[t], job.spread))
                ;
        for (uint32_t t = 0; t < job.threads; t++)
            other = (there[t] && registers_look_behind<Code, L>(job, t, tile[t], &mender[t])) ||
                    other;
        return other;
    }
};

template <class Code, class L, int SOURCE>
static void run_frames(const struct registers_job *job, uint8_t *survivors)
{
    const uint64_t tiles = (uint64_t)job->threads / 32 * job->lanes * job->tiles;

    if constexpr (SOURCE != REGISTERS_FLOATS && L::TILES == 2 && !registers_ring<Code, L>::NEWEST)
        for (uint64_t group = 0; group * tiles < job->items; group++) {
            frames_block<Code, L, SOURCE> block;
            bool again = false;

            block.find(*job, group, survivors);
            do {
                again = block.pass(*job, again);
            } while (again);
            while (block.mend(*job))
                ;
        }
}

/* As the grid of registers_kernel does, but of a warp's threads without a tile one is enough. */
template <class Code, class L, int SOURCE>
static void run_job(const struct registers_job *job, enum registers_kind kind, uint8_t *survivors)
{
    const uint64_t tiles = (uint64_t)job->threads / 32 * job->lanes * job->tiles;

    if (kind == REGISTERS_FRAMES)
        return run_frames<Code, L, SOURCE>(job, survivors);
    for (uint64_t group = 0; group * tiles < job->items; group++)
        for (uint32_t thread = 0; thread < job->threads; thread++) {
            const uint64_t item = group * tiles + thread / 32 * job->lanes + thread % 32;

            if (thread % 32 == 0 || (thread % 32 <= job->lanes && item <= job->items))
                run_thread<Code, L, SOURCE>(*job, kind, group, thread, survivors);
        }
}

typedef registers_code<5, 2, 023, 033> k5;
typedef registers_code<6, 2, 053, 075> k6;
typedef registers_code<7, 2, 0133, 0171> k7;
typedef registers_code<7, 2, 0171, 0133, 0, 0, 2> k7_inverted;
typedef registers_code<7, 3, 0133, 0171, 0165> k7_third;
typedef registers_code<7, 4, 0133, 0171, 0145, 0133> k7_quarter;

#define RUNS_FLOATS(code) \
    REGISTERS_FLOATS, false, false, true, REGISTERS_LANES_16, {0, 0}, 1, \
        registers_ring<code, lanes_float>::BLOCK, 1, run_job<code, lanes_float, REGISTERS_FLOATS>
#define LANES_OF(lanes) lanes::TILES == 2 && lanes::PLAIN ? REGISTERS_LANES_15 : REGISTERS_LANES_16
#define RUNS(code, lanes, source) \
    source, lanes::TILES == 1 || lanes::TAG_BITS == 4, lanes::TAG_BITS == 4, \
        registers_ring<code, lanes>::NEWEST, LANES_OF(lanes), \
        {registers_lean_wanted<code, lanes>(REGISTERS_STORED, 0) && source == REGISTERS_I8 \
             ? 1u << 1 \
             : 0u, \
         registers_lean_wanted<code, lanes>(REGISTERS_STORED, 0) && source == REGISTERS_I8 \
             ? 1u << 3 \
             : 0u}, \
        lanes::TILES, registers_ring<code, lanes>::BLOCK, 1, run_job<code, lanes, source>

template <class Code, class L> using team_of = registers_team<Code, L, 2, REGISTERS_THREADS>;
typedef registers_code<9, 2, 0561, 0753> k9;
typedef registers_code<9, 3, 0557, 0663, 0711> k9_third;
typedef registers_code<9, 4, 0765, 0671, 0513, 0473> k9_quarter;

#define RUNS_TEAM(code, lanes, source) \
    source, lanes::TILES == 1, false, false, LANES_OF(lanes), \
        {0, registers_team_lean_wanted<team_of<code, lanes>>(source, REGISTERS_STORED, 0) \
                ? 1u << 1 | 1u << 2 \
                : 0u}, \
        lanes::TILES, REGISTERS_THREADS *team_of<code, lanes>::CHUNKS * 16, \
        team_of<code, lanes>::MEMBERS, run_team_job<team_of<code, lanes>, source>

#ifdef REGISTERS_OLD

enum { BUILT_IN = false };

/* Before compute capability 9.0. */
static const struct decoder decoders[] = {
    {"K = 5, bf16", {5, 2, {023, 033}}, RUNS(k5, lanes15, REGISTERS_I8)},
    {"K = 6, bf16", {6, 2, {053, 075}}, RUNS(k6, lanes15, REGISTERS_I8)},
    {"K = 6, 12-bit metrics", {6, 2, {053, 075}}, RUNS(k6, lanes12, REGISTERS_I8)},
    {"K = 6, punctured", {6, 2, {053, 075}}, RUNS(k6, lanes16, REGISTERS_PUNCTURED)},
    {"K = 7, bf16", {7, 2, {0133, 0171}}, RUNS(k7, lanes15, REGISTERS_I8)},
    {"K = 7, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, REGISTERS_I8)},
    {"K = 7, held", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, REGISTERS_I8)},
    {"K = 7, nibbles", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, REGISTERS_NIBBLES)},
    {"K = 7, n = 4, nibbles",
     {7, 4, {0133, 0171, 0145, 0133}},
     RUNS(k7_quarter, lanes12, REGISTERS_NIBBLES)},
    {"K = 9, nibbles", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes32, REGISTERS_NIBBLES)},
    {"K = 7, bf16, punctured", {7, 2, {0133, 0171}}, RUNS(k7, lanes15, REGISTERS_PUNCTURED)},
    {"K = 7, bf16, inverted",
     {7, 2, {0171, 0133}, {0, 1}},
     RUNS(k7_inverted, lanes15, REGISTERS_I8)},
    {"K = 7, bf16, n = 4",
     {7, 4, {0133, 0171, 0145, 0133}},
     RUNS(k7_quarter, lanes15, REGISTERS_I8)},
    {"K = 9, bf16", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes15, REGISTERS_I8)},
    {"K = 9, bf16, punctured", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes15, REGISTERS_PUNCTURED)},
    {"K = 9, bf16, n = 3", {9, 3, {0557, 0663, 0711}}, RUNS_TEAM(k9_third, lanes15, REGISTERS_I8)},
};

#else

enum { BUILT_IN = true };

static const struct decoder decoders[] = {
    {"K = 5", {5, 2, {023, 033}}, RUNS(k5, lanes16, REGISTERS_I8)},
    {"K = 7", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, REGISTERS_I8)},
    {"K = 7, large LLRs, two tiles", {7, 2, {0133, 0171}}, RUNS(k7, lanes12, REGISTERS_I8)},
    {"K = 7, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, REGISTERS_I8)},
    {"K = 7, floats", {7, 2, {0133, 0171}}, RUNS_FLOATS(k7)},
    {"K = 7, inverted, floats", {7, 2, {0171, 0133}, {0, 1}}, RUNS_FLOATS(k7_inverted)},
    {"K = 7, nibbles", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, REGISTERS_NIBBLES)},
    {"K = 7, punctured", {7, 2, {0133, 0171}}, RUNS(k7, lanes16, REGISTERS_PUNCTURED)},
    {"K = 7, punctured, large LLRs, two tiles",
     {7, 2, {0133, 0171}},
     RUNS(k7, lanes12, REGISTERS_PUNCTURED)},
    {"K = 7, punctured, large LLRs", {7, 2, {0133, 0171}}, RUNS(k7, lanes32, REGISTERS_PUNCTURED)},
    {"K = 7, inverted", {7, 2, {0171, 0133}, {0, 1}}, RUNS(k7_inverted, lanes16, REGISTERS_I8)},
    {"K = 7, inverted, large LLRs, two tiles",
     {7, 2, {0171, 0133}, {0, 1}},
     RUNS(k7_inverted, lanes12, REGISTERS_I8)},
    {"K = 7, n = 3", {7, 3, {0133, 0171, 0165}}, RUNS(k7_third, lanes16, REGISTERS_I8)},
    {"K = 7, n = 4", {7, 4, {0133, 0171, 0145, 0133}}, RUNS(k7_quarter, lanes16, REGISTERS_I8)},
    {"K = 9", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes16, REGISTERS_I8)},
    {"K = 9, large LLRs", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes32, REGISTERS_I8)},
    {"K = 9, nibbles", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes16, REGISTERS_NIBBLES)},
    {"K = 9, punctured", {9, 2, {0561, 0753}}, RUNS_TEAM(k9, lanes16, REGISTERS_PUNCTURED)},
    {"K = 9, punctured, large LLRs",
     {9, 2, {0561, 0753}},
     RUNS_TEAM(k9, lanes32, REGISTERS_PUNCTURED)},
    {"K = 9, n = 3", {9, 3, {0557, 0663, 0711}}, RUNS_TEAM(k9_third, lanes16, REGISTERS_I8)},
    {"K = 9, n = 4",
     {9, 4, {0765, 0671, 0513, 0473}},
     RUNS_TEAM(k9_quarter, lanes16, REGISTERS_I8)},
    {"K = 7, bf16, all blocks in the ring", {7, 2, {0133, 0171}}, RUNS(k7, lanes15, REGISTERS_I8)},
};

#endif
#endif
