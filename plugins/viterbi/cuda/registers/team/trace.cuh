/* SPDX-License-Identifier: BSD-2-Clause */
/* Survivors of a team (step.cuh), and traces of sub-frames back through the ring. */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_TRACE_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_TRACE_CUH

#include "plugins/viterbi/cuda/registers/team/step.cuh"
#include "plugins/viterbi/cuda/registers/trace.cuh"

/* The lanes that a thread traces. */
struct registers_one_lane {
    static constexpr int TILES = 1;
};

/* ---- Survivors ------------------------------------------------------------------------------- */

/*
 * Where a thread keeps its survivors, and where it looks up those of its team for its tile. Chunks
 * are as large as the thread block needs: the fewer threads, the longer the ring.
 *
 * Within a block they lie by their states, not by registers: bits 4 and 5 of a state say which
 * thread's 16 bytes of a chunk, and
 *
 *     lanes16  bits 1 to 3 which two bytes, those of both tiles; 0 (highest), 7 and 6 which chunk
 *     lanes32  bits 0 to 3 which byte, 7 and 6 which chunk
 */
template <class Team> struct registers_shelf {
    uint8_t *mine[2]; /* of registers of even and odd numbers; lanes32: alike */
    const uint8_t *team;
    uint32_t stride, block; /* bytes from chunk to chunk, from block to block */
    uint32_t odd, upper;    /* how bytes are put in order */

    REGISTERS_FN registers_shelf(const registers_job &job, const registers_member<Team> &member,
                                 uint8_t *base, uint32_t thread)
    {
        stride = job.threads * 16;
        block = stride * Team::CHUNKS;
        mine[0] = mine[1] = base + thread * 16;
        if (Team::L::TILES == 2) { /* bit 0 is XOR the thread's */
            mine[0] += member.bit(0) * (block / 2);
            mine[1] += (1 - member.bit(0)) * (block / 2);
        }
        team = base + thread / Team::MEMBERS * Team::MEMBERS * 16 +
               thread % Team::MEMBERS % Team::L::TILES;
        odd = member.bit(0) ? 0x0004 : 0x0040;
        upper = Team::L::TILES == 2 ? (member.bit(1) ? 0x2064 : 0x6420)
                                    : (member.bit(1) ? 0x1054 : 0x5410);
    }
};

/* Four states, or two of both tiles, from register r on. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_word(const registers_shelf<Team> &shelf,
                                                 const uint32_t *m, unsigned r)
{
    if constexpr (Team::L::TILES == 2)
        return registers_perm(m[r], m[r + 2], shelf.upper);
    else
        return registers_perm(registers_perm(m[r], m[r + 1], shelf.odd),
                              registers_perm(m[r + 2], m[r + 3], shelf.odd), shelf.upper);
}

template <class Team>
static REGISTERS_FN void registers_team_keep(const registers_shelf<Team> &shelf, size_t slot,
                                             const uint32_t *m)
{
    constexpr int TILES = Team::L::TILES, EACH = Team::CHUNKS / TILES;

    registers_team_wait(); /* for look-ups in what was there */
#pragma unroll
    for (int odd = 0; odd < TILES; odd++)
#pragma unroll
        for (int c = 0; c < EACH; c++)
            *(uint4 *)(shelf.mine[odd] + slot * shelf.block + c * shelf.stride) = make_uint4(
                registers_team_word(shelf, m, 16 * c + odd),
                registers_team_word(shelf, m, 16 * c + odd + 4),
                registers_team_word(shelf, m, 16 * c + odd + 8),
                registers_team_word(shelf, m, 16 * c + odd + 12));
    registers_team_wait();
}

/* Fetches the tags of a block back. */
template <class Team>
static REGISTERS_FN void registers_team_recall(const registers_shelf<Team> &shelf,
                                               const registers_member<Team> &member, size_t slot,
                                               uint32_t *m)
{
    static_assert(Team::L::TILES == 2, "two bytes a state");
#pragma unroll
    for (unsigned r = 0; r < Team::R; r++) {
        const uint8_t *at = shelf.mine[r & 1] + slot * shelf.block + r / 16 * shelf.stride +
                            r % 16 / 4 * 4 + 2 * ((r >> 1 & 1) ^ member.bit(1));
        m[r] = (m[r] & Team::L::METRIC) | at[0] | (uint32_t)at[1] << 16;
    }
}

/* The tag of the state that is the tag of the block behind. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_look_up(const registers_shelf<Team> &shelf, size_t slot,
                                                    uint32_t state)
{
    const uint8_t *at = shelf.team + slot * shelf.block + (state >> 6) * shelf.stride;

    if constexpr (Team::L::TILES == 2)
        return at[(state & 0x3e) + (state & 1) * (shelf.block / 2)];
    else
        return at[state & 0x3f];
}

template <class Team>
static REGISTERS_FN void registers_team_step_back(const registers_job &job,
                                                  const registers_shelf<Team> &shelf, uint32_t *at,
                                                  uint32_t *tag)
{
    *tag = registers_team_look_up<Team>(shelf, *at, *tag);
    *at = *at == 0 ? job.ring - 1 : *at - 1;
}

/* Before a block each word gets its state as its tag. */
template <class Team>
static REGISTERS_FN void registers_team_mark(const registers_member<Team> &member, uint32_t *m)
{
    constexpr bool two = Team::L::TILES == 2;

#pragma unroll
    for (unsigned r = 0; r < Team::R; r += 4) {
        const uint32_t states = member.first + 0x01010101u * Team::state(0, 0, r);
#pragma unroll
        for (unsigned low = 0; low < 4; low++)
            m[r + low] = registers_perm(m[r + low], states,
                                        two ? 0x3414 + 0x0101 * low : 0x3214 + low);
    }
}

/* The best state of the thread's tile, at the end of a block, of marked words. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_best_state(const registers_member<Team> &member,
                                                       const uint32_t *m)
{
    return 255 - Team::L::tag(registers_team_best_marked(member, m),
                              (int)(member.number % Team::L::TILES));
}

/* The tag of state 0, of the thread's tile. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_tag(const registers_member<Team> &member,
                                                const uint32_t *m)
{
    return Team::L::tag(registers_from_first(member, m[0]), (int)(member.number % Team::L::TILES));
}

/* ---- Sub-frames: traces through a ring ------------------------------------------------------- */

/* As registers_trace(). */
template <class Team, int KIND>
static REGISTERS_FN void registers_team_trace(const registers_job &job, const registers_tile &own,
                                              const registers_shelf<Team> &shelf, uint32_t at,
                                              uint32_t tag,
                                              registers_collector<registers_one_lane> *out)
{
    const uint32_t steps = job.skip + job.out_blocks;
    uint32_t group = 0;

    if (KIND == REGISTERS_ANY)
        at = at == 0 ? job.ring - 1 : at - 1;
    for (uint32_t i = 0; i < steps; i++) {
        if (i > 0 || KIND != REGISTERS_ANY)
            registers_team_step_back<Team>(job, shelf, &at, &tag);
        if (i >= job.skip)
            group = group << 8 | tag;
    }
    registers_collect<registers_one_lane>(job, &own, out, &group, job.out_blocks);
}

#endif
