/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loops of a thread in a team, as in registers/decode.cuh. All threads of a team have the same
 * tiles and LLRs; each traces one tile, and the first of those that trace a tile puts it out.
 */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_DECODE_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_DECODE_CUH

#include "plugins/viterbi/cuda/registers/team/lean.cuh"
#include "plugins/viterbi/cuda/registers/whole.cuh"

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* As registers_block(), on the way LOOKS look-ups of the thread's own tile. */
template <class Team, int LOOKS>
static REGISTERS_FN void
registers_team_block(const registers_job &job, const registers_member<Team> &member, uint32_t *m,
                     const uint32_t (*item)[2 * Team::Code::N], const registers_shelf<Team> &shelf,
                     uint32_t at, uint32_t *tag)
{
    using L = typename Team::L;
    constexpr int N = Team::Code::N;
    uint32_t llr[8 * N];

    registers_llrs<typename Team::Code, L>(job, item, llr);
#define STEP(half, step, norm) \
    registers_team_block_step<Team, half, step, norm>(member, m, llr + (4 * half + step) * N); \
    if (4 * half + step < LOOKS) \
    registers_team_step_back<Team>(job, shelf, &at, tag)
    STEP(0, 0, true);
    STEP(0, 1, false);
    STEP(0, 2, false);
    STEP(0, 3, false);
    registers_exchange(member, m);
    STEP(1, 0, L::TILES == 2);
    STEP(1, 1, false);
    STEP(1, 2, false);
    STEP(1, 3, false);
    registers_exchange(member, m);
#undef STEP
}

/* The thread's own of what each tile has. */
template <class Team>
static REGISTERS_FN uint32_t registers_own(const registers_member<Team> &member, const uint32_t *x)
{
    return member.number % Team::L::TILES ? x[Team::L::TILES - 1] : x[0];
}

/* What a thread needs for its output: its tile, none if another thread of the team puts it out. */
template <class Team>
static REGISTERS_FN void registers_own_tile(const registers_member<Team> &member,
                                            const registers_tile *tile, registers_tile *own)
{
    const bool second = member.number % Team::L::TILES;
    const registers_tile &other = tile[Team::L::TILES - 1];

    *own = tile[0];
    own->out = second ? other.out : tile[0].out;
    own->end = second ? other.end : tile[0].end;
    own->known = second ? other.known : tile[0].known;
    own->bits = second ? other.bits : tile[0].bits;
    if (member.number >= Team::L::TILES)
        own->bits = 0;
}

/* As registers_tiles(), of the teams of a warp. */
template <class Team>
static REGISTERS_FN bool registers_team_tiles(const registers_job &job, uint64_t group,
                                              uint32_t thread, registers_tile *tile)
{
    const uint32_t warps = job.threads / 32, team = thread % 32 / Team::MEMBERS;
    const uint64_t first = (group * job.tiles * warps + thread / 32) * job.lanes;

    for (uint32_t k = 0; k < Team::L::TILES; k++) {
        const uint64_t item = first + (uint64_t)k * warps * job.lanes + team;
        const bool none = item >= job.items || k >= job.tiles || team >= job.lanes;
        registers_tile_at<typename Team::Code>(job,
                                               !none               ? item
                                               : first < job.items ? first
                                                                   : 0,
                                               &tile[k]);
        if (none)
            tile[k].bits = 0;
    }
    return first < job.items;
}

template <class Team>
static REGISTERS_FN void registers_team_start(const registers_member<Team> &member, uint32_t *m)
{
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] = Team::L::both(Team::L::BASE);
    registers_team_mark(member, m);
}

/* ---- Sub-frames: traces through a ring ------------------------------------------------------- */

/*
 * Keeps the survivors of a block in its slot of the ring, marks words anew, puts out what is due.
 * last: as in registers_first_state().
 */
template <class Team, int KIND>
static REGISTERS_FN void
registers_team_finish(const registers_job &job, const registers_member<Team> &member,
                      const registers_tile &own, uint32_t block, const registers_shelf<Team> &shelf,
                      uint32_t slot, uint32_t *m, uint32_t last,
                      registers_collector<registers_one_lane> *out)
{
    if (KIND == REGISTERS_ANY && registers_due(job, block))
        registers_team_trace<Team, KIND>(job, own, shelf, slot, registers_team_tag(member, m), out);
    registers_team_keep<Team>(shelf, slot, m);
    registers_team_mark(member, m);
    if (KIND == REGISTERS_STORED && registers_due(job, block)) {
        const uint32_t best = registers_team_best_state(member, m);
        registers_team_trace<Team, KIND>(
            job, own, shelf, slot,
            registers_first_state<typename Team::Code>(own, 8 * (block + 1), best, last), out);
    }
}

/*
 * As registers_run_traced(). With REGISTERS_STORED a trace begins in the newest block: one more
 * look-up, and the ring is no longer for it.
 */
template <class Team, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void
registers_team_run_traced(const registers_job &job, const registers_member<Team> &member,
                          const registers_tile &own,
                          registers_stream<typename Team::Code, SOURCE> *stream, uint32_t block,
                          uint32_t to, const registers_shelf<Team> &shelf, uint32_t *slot,
                          uint32_t *m, uint32_t last, registers_collector<registers_one_lane> *out)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    constexpr uint32_t behind = KIND == REGISTERS_ANY ? 2 : 1;
    uint32_t pending = 0, tag = 0, byte = out->byte + out->fill;
    uint32_t word = out->fill ? (uint32_t)out->bytes[0] << (32 - 8 * out->fill) : 0;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N], at = *slot;

        registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        at = at < behind ? at + job.ring - behind : at - behind;
        registers_team_block<Team, KIND == REGISTERS_ANY ? STEPS - 1 : STEPS>(job, member, m, item,
                                                                              shelf, at, &tag);
        if (pending)
            registers_collect_byte<registers_one_lane>(job, &own, &word, &byte, &tag);
        pending = block + 1 > job.delay;
        if (KIND == REGISTERS_ANY)
            tag = registers_team_tag(member, m);
        registers_team_keep<Team>(shelf, *slot, m);
        registers_team_mark(member, m);
        if (KIND == REGISTERS_STORED)
            tag = registers_first_state<Code>(own, 8 * (block + 1),
                                              registers_team_best_state(member, m), last);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
    out->fill = byte & 3;
    out->byte = byte - out->fill;
    out->bytes[0] = out->fill ? word >> (32 - 8 * out->fill) : 0;
    if (pending)
        registers_team_trace<Team, KIND>(job, own, shelf, (*slot == 0 ? job.ring : *slot) - 1, tag,
                                         out);
}

template <class Team, int SOURCE, int KIND>
static REGISTERS_FN void
registers_team_run(const registers_job &job, const registers_member<Team> &member,
                   const registers_tile &own, registers_stream<typename Team::Code, SOURCE> *stream,
                   uint32_t block, uint32_t to, const registers_shelf<Team> &shelf, uint32_t *slot,
                   uint32_t *m, uint32_t last, registers_collector<registers_one_lane> *out)
{
    using Code = typename Team::Code;
    using L = typename Team::L;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N];

        registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        registers_team_block<Team, 0>(job, member, m, item, shelf, 0, NULL);
        registers_team_finish<Team, KIND>(job, member, own, block, shelf, *slot, m, last, out);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
}

/* Begins to load the blocks from `block` on. */
template <class Team, int SOURCE>
static REGISTERS_FN void registers_team_open(const registers_job &job, const registers_tile *tile,
                                             uint32_t block, const struct registers_spread *table,
                                             registers_stream<typename Team::Code, SOURCE> *stream)
{
    using Code = typename Team::Code;

#pragma unroll
    for (int k = 0; k < Team::L::TILES; k++) {
        stream[k].table = table;
        registers_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
        registers_load<Code, SOURCE>(&stream[k]);
    }
}

/* Blocks [block, to) that need no care. */
template <class Team, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void registers_team_plain(
    const registers_job &job, const registers_member<Team> &member, const registers_tile *tile,
    const registers_tile &own, uint32_t block, uint32_t to, const uint8_t *ring, uint32_t thread,
    const registers_shelf<Team> &shelf, uint32_t *slot, uint32_t *m, uint32_t last,
    registers_collector<registers_one_lane> *out, const struct registers_spread *table)
{
    registers_stream<typename Team::Code, SOURCE> stream[Team::L::TILES];

    if constexpr (registers_team_lean_wanted<Team>(SOURCE, KIND, STEPS)) {
        constexpr int each = registers_team_lean_out(STEPS);
        if (registers_team_lean_fits<Team, each>(job, tile))
            return registers_team_lean_run<Team, each>(job, member, tile, own, block, to, ring,
                                                       thread, shelf, slot, m, last, out);
    }
    registers_team_open<Team, SOURCE>(job, tile, block, table, stream);
    if constexpr (STEPS > 0)
        registers_team_run_traced<Team, SOURCE, KIND, STEPS>(job, member, own, stream, block, to,
                                                             shelf, slot, m, last, out);
    else
        registers_team_run<Team, SOURCE, KIND>(job, member, own, stream, block, to, shelf, slot, m,
                                               last, out);
}

template <class Team, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void registers_team_sub_frames(const registers_job &job, uint64_t group,
                                                   uint32_t thread, uint8_t *ring,
                                                   const struct registers_spread *table = NULL)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    const registers_member<Team> member(thread);
    const registers_shelf<Team> shelf(job, member, ring, thread);
    registers_tile tile[L::TILES], own;
    registers_collector<registers_one_lane> out = {};
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, slot = 0, block = 0;

    if (!registers_team_tiles<Team>(job, group, thread, tile))
        return;
    registers_own_tile<Team>(member, tile, &own);
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_team_start(member, m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            registers_team_plain<Team, SOURCE, KIND, STEPS>(
                job, member, tile, own, block, to, ring, thread, shelf, &slot, m,
                registers_own<Team>(member, last), &out, table);
            block = to;
        } else {
            if (!registers_idle<Code, L, KIND>(tile, block))
                registers_team_block_any<Team, SOURCE, KIND == REGISTERS_STORED>(job, member, tile,
                                                                                 block, m, last);
            registers_team_finish<Team, KIND>(job, member, own, block, shelf, slot, m,
                                              registers_own<Team>(member, last), &out);
            slot = slot + 1 == job.ring ? 0 : slot + 1;
            block++;
        }
    }
    registers_flush<registers_one_lane>(&own, out);
}

/* ---- Whole tiles ----------------------------------------------------------------------------- */

/* As registers_trace_whole(). */
template <class Team>
static REGISTERS_FN void
registers_team_trace_whole(const registers_job &job, const registers_tile &own,
                           const registers_shelf<Team> &shelf, uint32_t newer)
{
    const uint32_t place = job.lead + Team::Code::K - 1, shift = place & 7, first = place / 8;
    uint32_t word = 0;

    registers_put_down(job, own, job.blocks - first, newer >> shift, &word);
#pragma unroll 1
    for (uint32_t block = job.blocks; block-- > first;) {
        const uint32_t tag = registers_team_look_up<Team>(shelf, block, newer);
        registers_put_down(job, own, block - first, registers_join(tag, newer, shift), &word);
        newer = tag;
    }
}

template <class Team, int SOURCE>
static REGISTERS_FN void registers_team_whole(const registers_job &job, uint64_t group,
                                              uint32_t thread, uint8_t *survivors,
                                              const struct registers_spread *table = NULL)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    const registers_member<Team> member(thread);
    const registers_shelf<Team> shelf(job, member, survivors, thread);
    registers_tile tile[L::TILES], own;
    registers_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, block = 0, best;

    if (!registers_team_tiles<Team>(job, group, thread, tile))
        return;
    registers_own_tile<Team>(member, tile, &own);
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_team_start(member, m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            registers_team_open<Team, SOURCE>(job, tile, block, table, stream);
#pragma unroll 1
            for (; block < to; block++) {
                uint32_t item[L::TILES][2 * Code::N];
                registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
                registers_team_block<Team, 0>(job, member, m, item, shelf, 0, NULL);
                registers_team_keep<Team>(shelf, block, m);
                registers_team_mark(member, m);
            }
        } else {
            registers_team_block_any<Team, SOURCE, false>(job, member, tile, block, m, last);
            registers_team_keep<Team>(shelf, block, m);
            registers_team_mark(member, m);
            block++;
        }
    }
    best = registers_team_best_state(member, m);
    registers_team_trace_whole<Team>(job, own, shelf,
                                     job.from_any || 8 * job.blocks >= own.known ? 0 : best);
}

#endif
