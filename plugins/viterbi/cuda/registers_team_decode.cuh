/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loops of a thread in a team, as in registers_decode.cuh. All threads of a team have the same
 * tiles and LLRs; each traces one tile, and the first of those that trace a tile puts it out.
 */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_DECODE_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_DECODE_CUH

#include "plugins/viterbi/cuda/registers_whole.cuh"
#include "plugins/viterbi/cuda/registers_team.cuh"

/* The lanes that a thread traces. */
struct registers_one_lane {
    static constexpr int TILES = 1;
};

/* ---- Survivors ------------------------------------------------------------------------------- */

/*
 * Where a thread keeps its survivors, and where it looks up those of its team for its tile. Chunks
 * are as large as the thread block needs: the fewer threads, the longer the ring.
 */
template <class Team> struct registers_shelf {
    uint8_t *mine;
    const uint8_t *team;
    uint32_t stride, block; /* bytes from chunk to chunk, from block to block */

    REGISTERS_FN registers_shelf(const registers_job &job, uint8_t *base, uint32_t thread)
    {
        mine = base + thread * 16;
        team = base + thread / Team::MEMBERS * Team::MEMBERS * 16 +
               thread % Team::MEMBERS % Team::L::TILES;
        stride = job.threads * 16;
        block = stride * Team::CHUNKS;
    }
};

/*
 * The 16 bytes of a chunk are those of the registers that differ in bits 1 to 3 (lanes16: two bytes
 * each, and bit 0 has a chunk each) or 0 to 3 (lanes32).
 */
template <class Team>
static REGISTERS_FN void registers_team_keep(const registers_shelf<Team> &shelf, size_t slot,
                                             const uint32_t *m)
{
    using L = typename Team::L;
    uint8_t *at = shelf.mine + slot * shelf.block;

    registers_team_wait(); /* for look-ups in what was there */
#pragma unroll
    for (int c = 0; c < Team::CHUNKS; c++) {
        uint32_t word[L::CHUNK];
#pragma unroll
        for (int i = 0; i < L::CHUNK; i++)
            word[i] = m[L::TILES == 2 ? (c & 1) | i << 1 | (c >> 1) << 4 : i | c << 4];
        *(uint4 *)(at + c * shelf.stride) = L::pack(word);
    }
    registers_team_wait();
}

/* The tag of the state that is the tag of the block behind. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_look_up(const registers_shelf<Team> &shelf, size_t slot,
                                                    uint32_t tag)
{
    constexpr uint32_t members = Team::MEMBERS - 1;
    const uint8_t *at = shelf.team + slot * shelf.block;
    const uint32_t x = tag ^ (tag >> 4 & members); /* register bits 0 to 3, thread, other bits */

    if constexpr (Team::L::TILES == 2)
        return at[(x & (0xe | members << 4)) + (x & 1) * shelf.stride +
                  (x >> (4 + Team::B)) * (2 * shelf.stride)];
    else
        return at[(x & (0xf | members << 4)) + (x >> (4 + Team::B)) * shelf.stride];
}

template <class Team>
static REGISTERS_FN void registers_team_step_back(const registers_job &job,
                                                  const registers_shelf<Team> &shelf, uint32_t *at,
                                                  uint32_t *tag)
{
    *tag = registers_team_look_up<Team>(shelf, *at, *tag);
    *at = *at == 0 ? job.ring - 1 : *at - 1;
}

template <class Team> static REGISTERS_FN void registers_team_clear(uint32_t *m)
{
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] &= Team::L::METRIC;
}

/* The best state of the thread's tile, at the end of a block whose tags are cleared. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_best_state(const registers_member<Team> &member,
                                                       const uint32_t *m)
{
    return 255 - Team::L::tag(registers_team_best<Team, 0, true>(member, m),
                              (int)(member.number % Team::L::TILES));
}

/* The tag of state 0, of the thread's tile. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_tag(const registers_member<Team> &member,
                                                const uint32_t *m)
{
    return Team::L::tag(registers_from_first(member, m[0]), (int)(member.number % Team::L::TILES));
}

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

template <class Team> static REGISTERS_FN void registers_team_start(uint32_t *m)
{
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] = Team::L::both(registers_base<typename Team::Code, typename Team::L>::value);
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

/*
 * Keeps the survivors of a block in its slot of the ring, clears the tags, puts out what is due.
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
    registers_team_clear<Team>(m);
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
        registers_team_clear<Team>(m);
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

template <class Team, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void registers_team_sub_frames(const registers_job &job, uint64_t group,
                                                   uint32_t thread, uint8_t *ring,
                                                   const struct registers_spread *table = NULL)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    const registers_member<Team> member(thread);
    const registers_shelf<Team> shelf(job, ring, thread);
    registers_tile tile[L::TILES], own;
    registers_stream<Code, SOURCE> stream[L::TILES];
    registers_collector<registers_one_lane> out = {};
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, slot = 0, block = 0;

    if (!registers_team_tiles<Team>(job, group, thread, tile))
        return;
    registers_own_tile<Team>(member, tile, &own);
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_team_start<Team>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            registers_team_open<Team, SOURCE>(job, tile, block, table, stream);
            if constexpr (STEPS > 0)
                registers_team_run_traced<Team, SOURCE, KIND, STEPS>(
                    job, member, own, stream, block, to, shelf, &slot, m,
                    registers_own<Team>(member, last), &out);
            else
                registers_team_run<Team, SOURCE, KIND>(job, member, own, stream, block, to, shelf,
                                                       &slot, m, registers_own<Team>(member, last),
                                                       &out);
            block = to;
        } else {
            if (!registers_idle<Code, L, KIND>(tile, block))
                registers_team_block_any<Team, SOURCE == REGISTERS_PUNCTURED,
                                         KIND == REGISTERS_STORED>(job, member, tile, block, m,
                                                                   last);
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
    const registers_shelf<Team> shelf(job, survivors, thread);
    registers_tile tile[L::TILES], own;
    registers_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, block = 0, best;

    if (!registers_team_tiles<Team>(job, group, thread, tile))
        return;
    registers_own_tile<Team>(member, tile, &own);
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_team_start<Team>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            registers_team_open<Team, SOURCE>(job, tile, block, table, stream);
#pragma unroll 1
            for (; block < to; block++) {
                uint32_t item[L::TILES][2 * Code::N];
                registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
                registers_team_block<Team, 0>(job, member, m, item, shelf, 0, NULL);
                registers_team_keep<Team>(shelf, block, m);
                registers_team_clear<Team>(m);
            }
        } else {
            registers_team_block_any<Team, SOURCE == REGISTERS_PUNCTURED, false>(job, member, tile,
                                                                                 block, m, last);
            registers_team_keep<Team>(shelf, block, m);
            registers_team_clear<Team>(m);
            block++;
        }
    }
    best = registers_team_best_state(member, m);
    registers_team_trace_whole<Team>(job, own, shelf,
                                     job.from_any || 8 * job.blocks >= own.known ? 0 : best);
}

#endif
