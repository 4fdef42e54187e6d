/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loops of a thread in a team, as in cuda_fast_decode.cuh. All threads of a team have the same
 * tiles and LLRs; each traces one tile, and the first of those that trace a tile puts it out.
 */
#ifndef VITERBI_CUDA_FAST_TEAM_DECODE_CUH
#define VITERBI_CUDA_FAST_TEAM_DECODE_CUH

#include "cuda_fast_whole.cuh"
#include "cuda_fast_team.cuh"

/* The lanes that a thread traces. */
struct fast_one_lane {
    static constexpr int TILES = 1;
};

/* ---- Survivors ------------------------------------------------------------------------------- */

/*
 * Where a thread keeps its survivors, and where it looks up those of its team for its tile. Chunks
 * are as large as the thread block needs: the fewer threads, the longer the ring.
 */
template <class Team> struct fast_shelf {
    uint8_t *mine;
    const uint8_t *team;
    uint32_t stride, block; /* bytes from chunk to chunk, from block to block */

    FAST_FN fast_shelf(const fast_job &job, uint8_t *base, uint32_t thread)
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
static FAST_FN void fast_team_keep(const fast_shelf<Team> &shelf, size_t slot, const uint32_t *m)
{
    using L = typename Team::L;
    uint8_t *at = shelf.mine + slot * shelf.block;

    fast_team_wait(); /* for look-ups in what was there */
#pragma unroll
    for (int c = 0; c < Team::CHUNKS; c++) {
        uint32_t word[L::CHUNK];
#pragma unroll
        for (int i = 0; i < L::CHUNK; i++)
            word[i] = m[L::TILES == 2 ? (c & 1) | i << 1 | (c >> 1) << 4 : i | c << 4];
        *(uint4 *)(at + c * shelf.stride) = L::pack(word);
    }
    fast_team_wait();
}

/* The tag of the state that is the tag of the block behind. */
template <class Team>
static FAST_FN uint32_t fast_team_look_up(const fast_shelf<Team> &shelf, size_t slot, uint32_t tag)
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
static FAST_FN void fast_team_step_back(const fast_job &job, const fast_shelf<Team> &shelf,
                                        uint32_t *at, uint32_t *tag)
{
    *tag = fast_team_look_up<Team>(shelf, *at, *tag);
    *at = *at == 0 ? job.ring - 1 : *at - 1;
}

template <class Team> static FAST_FN void fast_team_clear(uint32_t *m)
{
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] &= Team::L::METRIC;
}

/* The best state of the thread's tile, at the end of a block whose tags are cleared. */
template <class Team>
static FAST_FN uint32_t fast_team_best_state(const fast_member<Team> &member, const uint32_t *m)
{
    return 255 - Team::L::tag(fast_team_best<Team, 0, true>(member, m),
                              (int)(member.number % Team::L::TILES));
}

/* The tag of state 0, of the thread's tile. */
template <class Team>
static FAST_FN uint32_t fast_team_tag(const fast_member<Team> &member, const uint32_t *m)
{
    return Team::L::tag(fast_from_first(member, m[0]), (int)(member.number % Team::L::TILES));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* As fast_block(), on the way LOOKS look-ups of the thread's own tile. */
template <class Team, int LOOKS>
static FAST_FN void fast_team_block(const fast_job &job, const fast_member<Team> &member,
                                    uint32_t *m, const uint32_t (*item)[2 * Team::Code::N],
                                    const fast_shelf<Team> &shelf, uint32_t at, uint32_t *tag)
{
    using L = typename Team::L;
    constexpr int N = Team::Code::N;
    uint32_t llr[8 * N];

    fast_llrs<typename Team::Code, L>(job, item, llr);
#define STEP(half, step, norm) \
    fast_team_block_step<Team, half, step, norm>(member, m, llr + (4 * half + step) * N); \
    if (4 * half + step < LOOKS) \
        fast_team_step_back<Team>(job, shelf, &at, tag)
    STEP(0, 0, true);
    STEP(0, 1, false);
    STEP(0, 2, false);
    STEP(0, 3, false);
    fast_exchange(member, m);
    STEP(1, 0, L::TILES == 2);
    STEP(1, 1, false);
    STEP(1, 2, false);
    STEP(1, 3, false);
    fast_exchange(member, m);
#undef STEP
}

/* The thread's own of what each tile has. */
template <class Team>
static FAST_FN uint32_t fast_own(const fast_member<Team> &member, const uint32_t *x)
{
    return member.number % Team::L::TILES ? x[Team::L::TILES - 1] : x[0];
}

/* What a thread needs for its output: its tile, none if another thread of the team puts it out. */
template <class Team>
static FAST_FN void fast_own_tile(const fast_member<Team> &member, const fast_tile *tile,
                                  fast_tile *own)
{
    const bool second = member.number % Team::L::TILES;
    const fast_tile &other = tile[Team::L::TILES - 1];

    *own = tile[0];
    own->out = second ? other.out : tile[0].out;
    own->end = second ? other.end : tile[0].end;
    own->known = second ? other.known : tile[0].known;
    own->bits = second ? other.bits : tile[0].bits;
    if (member.number >= Team::L::TILES)
        own->bits = 0;
}

/* As fast_tiles(), of the teams of a warp. */
template <class Team>
static FAST_FN bool fast_team_tiles(const fast_job &job, uint64_t group, uint32_t thread,
                                    fast_tile *tile)
{
    const uint32_t warps = job.threads / 32, team = thread % 32 / Team::MEMBERS;
    const uint64_t first = (group * job.tiles * warps + thread / 32) * job.lanes;

    for (uint32_t k = 0; k < Team::L::TILES; k++) {
        const uint64_t item = first + (uint64_t)k * warps * job.lanes + team;
        const bool none = item >= job.items || k >= job.tiles || team >= job.lanes;
        fast_tile_at<typename Team::Code>(job, !none ? item : first < job.items ? first : 0,
                                          &tile[k]);
        if (none)
            tile[k].bits = 0;
    }
    return first < job.items;
}

template <class Team> static FAST_FN void fast_team_start(uint32_t *m)
{
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] = Team::L::both(fast_base<typename Team::Code, typename Team::L>::value);
}

/* ---- Sub-frames: traces through a ring ------------------------------------------------------- */

/* As fast_trace(). */
template <class Team, int KIND>
static FAST_FN void fast_team_trace(const fast_job &job, const fast_tile &own,
                                    const fast_shelf<Team> &shelf, uint32_t at, uint32_t tag,
                                    fast_collector<fast_one_lane> *out)
{
    const uint32_t steps = job.skip + job.out_blocks;
    uint32_t group = 0;

    if (KIND == FAST_ANY)
        at = at == 0 ? job.ring - 1 : at - 1;
    for (uint32_t i = 0; i < steps; i++) {
        if (i > 0 || KIND != FAST_ANY)
            fast_team_step_back<Team>(job, shelf, &at, &tag);
        if (i >= job.skip)
            group = group << 8 | tag;
    }
    fast_collect<fast_one_lane>(job, &own, out, &group, job.out_blocks);
}

/*
 * Keeps the survivors of a block in its slot of the ring, clears the tags, puts out what is due.
 * last: as in fast_first_state().
 */
template <class Team, int KIND>
static FAST_FN void fast_team_finish(const fast_job &job, const fast_member<Team> &member,
                                     const fast_tile &own, uint32_t block,
                                     const fast_shelf<Team> &shelf, uint32_t slot, uint32_t *m,
                                     uint32_t last, fast_collector<fast_one_lane> *out)
{
    if (KIND == FAST_ANY && fast_due(job, block))
        fast_team_trace<Team, KIND>(job, own, shelf, slot, fast_team_tag(member, m), out);
    fast_team_keep<Team>(shelf, slot, m);
    fast_team_clear<Team>(m);
    if (KIND == FAST_STORED && fast_due(job, block)) {
        const uint32_t best = fast_team_best_state(member, m);
        fast_team_trace<Team, KIND>(job, own, shelf, slot,
                                    fast_first_state<typename Team::Code>(own, 8 * (block + 1),
                                                                          best, last),
                                    out);
    }
}

/*
 * As fast_run_traced(). With FAST_STORED a trace begins in the newest block: one more look-up, and
 * the ring is no longer for it.
 */
template <class Team, int SOURCE, int KIND, int STEPS>
static FAST_FN void fast_team_run_traced(const fast_job &job, const fast_member<Team> &member,
                                         const fast_tile &own,
                                         fast_stream<typename Team::Code, SOURCE> *stream,
                                         uint32_t block, uint32_t to, const fast_shelf<Team> &shelf,
                                         uint32_t *slot, uint32_t *m, uint32_t last,
                                         fast_collector<fast_one_lane> *out)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    constexpr uint32_t behind = KIND == FAST_ANY ? 2 : 1;
    uint32_t pending = 0, tag = 0, byte = out->byte + out->fill;
    uint32_t word = out->fill ? (uint32_t)out->bytes[0] << (32 - 8 * out->fill) : 0;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N], at = *slot;

        fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        at = at < behind ? at + job.ring - behind : at - behind;
        fast_team_block<Team, KIND == FAST_ANY ? STEPS - 1 : STEPS>(job, member, m, item, shelf, at,
                                                                    &tag);
        if (pending)
            fast_collect_byte<fast_one_lane>(job, &own, &word, &byte, &tag);
        pending = block + 1 > job.delay;
        if (KIND == FAST_ANY)
            tag = fast_team_tag(member, m);
        fast_team_keep<Team>(shelf, *slot, m);
        fast_team_clear<Team>(m);
        if (KIND == FAST_STORED)
            tag = fast_first_state<Code>(own, 8 * (block + 1), fast_team_best_state(member, m),
                                         last);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
    out->fill = byte & 3;
    out->byte = byte - out->fill;
    out->bytes[0] = out->fill ? word >> (32 - 8 * out->fill) : 0;
    if (pending)
        fast_team_trace<Team, KIND>(job, own, shelf, (*slot == 0 ? job.ring : *slot) - 1, tag, out);
}

template <class Team, int SOURCE, int KIND>
static FAST_FN void fast_team_run(const fast_job &job, const fast_member<Team> &member,
                                  const fast_tile &own,
                                  fast_stream<typename Team::Code, SOURCE> *stream, uint32_t block,
                                  uint32_t to, const fast_shelf<Team> &shelf, uint32_t *slot,
                                  uint32_t *m, uint32_t last, fast_collector<fast_one_lane> *out)
{
    using Code = typename Team::Code;
    using L = typename Team::L;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N];

        fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        fast_team_block<Team, 0>(job, member, m, item, shelf, 0, NULL);
        fast_team_finish<Team, KIND>(job, member, own, block, shelf, *slot, m, last, out);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
}

/* Begins to load the blocks from `block` on. */
template <class Team, int SOURCE>
static FAST_FN void fast_team_open(const fast_job &job, const fast_tile *tile, uint32_t block,
                                   const struct fast_spread *table,
                                   fast_stream<typename Team::Code, SOURCE> *stream)
{
    using Code = typename Team::Code;

#pragma unroll
    for (int k = 0; k < Team::L::TILES; k++) {
        stream[k].table = table;
        fast_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
        fast_load<Code, SOURCE>(&stream[k]);
    }
}

template <class Team, int SOURCE, int KIND, int STEPS>
static FAST_FN void fast_team_sub_frames(const fast_job &job, uint64_t group, uint32_t thread,
                                         uint8_t *ring, const struct fast_spread *table = NULL)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    const fast_member<Team> member(thread);
    const fast_shelf<Team> shelf(job, ring, thread);
    fast_tile tile[L::TILES], own;
    fast_stream<Code, SOURCE> stream[L::TILES];
    fast_collector<fast_one_lane> out = {};
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, slot = 0, block = 0;

    if (!fast_team_tiles<Team>(job, group, thread, tile))
        return;
    fast_own_tile<Team>(member, tile, &own);
    fast_plain_blocks<Code, L>(job, tile, &from, &to);
    fast_team_start<Team>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            fast_team_open<Team, SOURCE>(job, tile, block, table, stream);
            if constexpr (STEPS > 0)
                fast_team_run_traced<Team, SOURCE, KIND, STEPS>(job, member, own, stream, block, to,
                                                                shelf, &slot, m,
                                                                fast_own<Team>(member, last), &out);
            else
                fast_team_run<Team, SOURCE, KIND>(job, member, own, stream, block, to, shelf, &slot,
                                                  m, fast_own<Team>(member, last), &out);
            block = to;
        } else {
            if (!fast_idle<Code, L, KIND>(tile, block))
                fast_team_block_any<Team, SOURCE == FAST_PUNCTURED, KIND == FAST_STORED>(
                    job, member, tile, block, m, last);
            fast_team_finish<Team, KIND>(job, member, own, block, shelf, slot, m,
                                         fast_own<Team>(member, last), &out);
            slot = slot + 1 == job.ring ? 0 : slot + 1;
            block++;
        }
    }
    fast_flush<fast_one_lane>(&own, out);
}

/* ---- Whole tiles ----------------------------------------------------------------------------- */

/* As fast_trace_whole(). */
template <class Team>
static FAST_FN void fast_team_trace_whole(const fast_job &job, const fast_tile &own,
                                          const fast_shelf<Team> &shelf, uint32_t newer)
{
    const uint32_t place = job.lead + Team::Code::K - 1, shift = place & 7, first = place / 8;
    uint32_t word = 0;

    fast_put_down(job, own, job.blocks - first, newer >> shift, &word);
#pragma unroll 1
    for (uint32_t block = job.blocks; block-- > first;) {
        const uint32_t tag = fast_team_look_up<Team>(shelf, block, newer);
        fast_put_down(job, own, block - first, fast_join(tag, newer, shift), &word);
        newer = tag;
    }
}

template <class Team, int SOURCE>
static FAST_FN void fast_team_whole(const fast_job &job, uint64_t group, uint32_t thread,
                                    uint8_t *survivors, const struct fast_spread *table = NULL)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    const fast_member<Team> member(thread);
    const fast_shelf<Team> shelf(job, survivors, thread);
    fast_tile tile[L::TILES], own;
    fast_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Team::R], last[L::TILES] = {0}, from, to, block = 0, best;

    if (!fast_team_tiles<Team>(job, group, thread, tile))
        return;
    fast_own_tile<Team>(member, tile, &own);
    fast_plain_blocks<Code, L>(job, tile, &from, &to);
    fast_team_start<Team>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            fast_team_open<Team, SOURCE>(job, tile, block, table, stream);
#pragma unroll 1
            for (; block < to; block++) {
                uint32_t item[L::TILES][2 * Code::N];
                fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
                fast_team_block<Team, 0>(job, member, m, item, shelf, 0, NULL);
                fast_team_keep<Team>(shelf, block, m);
                fast_team_clear<Team>(m);
            }
        } else {
            fast_team_block_any<Team, SOURCE == FAST_PUNCTURED, false>(job, member, tile, block, m,
                                                                      last);
            fast_team_keep<Team>(shelf, block, m);
            fast_team_clear<Team>(m);
            block++;
        }
    }
    best = fast_team_best_state(member, m);
    fast_team_trace_whole<Team>(job, own, shelf,
                                job.from_any || 8 * job.blocks >= own.known ? 0 : best);
}

#endif
