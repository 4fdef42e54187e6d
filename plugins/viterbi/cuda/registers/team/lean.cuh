/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop of a team over the blocks that need no care of what is decoded most with K = 9: streams with
 * two tiles a team in 8-bit metrics, N = 2, i8 LLRs that begin at a multiple of 16 bytes, traces from
 * the best state over REGISTERS_TRACED_STEPS blocks, with sub-frames of one byte or two. All else is
 * for the loops of decode.cuh; survivors and bits are theirs.
 *
 * As in registers/lean.cuh the ALU has less to do: a block is one aligned load a tile, a look-up is a
 * product, two masks and a load, and traces are made beside the next block.
 */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_LEAN_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_LEAN_CUH

#include "plugins/viterbi/cuda/registers/lean.cuh"
#include "plugins/viterbi/cuda/registers/team/trace.cuh"

/* Is it of use to kernels with `steps` look-ups a trace of one byte, or 0? */
template <class Team> constexpr bool registers_team_lean_wanted(int source, int kind, int steps)
{
    return source == REGISTERS_I8 && kind == REGISTERS_STORED && Team::L::TILES == 2 &&
           Team::Code::N == 2 && (steps == 0 || steps == REGISTERS_TRACED_STEPS);
}

/* Bytes of output a trace in those kernels. */
constexpr int registers_team_lean_out(int steps)
{
    return steps == 0 ? 2 : 1;
}

/* Are traces so, and the tiles' LLRs where the loop wants them, in all threads of the warp? */
template <class Team, int OUT>
static REGISTERS_FN bool registers_team_lean_fits(const registers_job &job,
                                                  const registers_tile *tile)
{
    bool other = job.threads != Team::THREADS || job.out_blocks != OUT ||
                 job.skip + OUT != REGISTERS_TRACED_STEPS;

#pragma unroll
    for (int k = 0; k < 2; k++)
        other = other ||
                (((uintptr_t)tile[k].llr + (uintptr_t)(tile[k].first * Team::Code::N)) & 15) != 0;
    return !registers_warp_any(other);
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

/* The next block of both tiles, and where the one after it is. */
struct registers_team_lean_input {
    uint4 piece[2];
    const uint8_t *at[2];
};

static REGISTERS_FN void registers_team_lean_load(registers_team_lean_input *in)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        in->piece[k] = registers_read((const uint4 *)in->at[k]);
        in->at[k] += 16;
    }
}

/* Takes the LLRs of a block, a word a step, and begins to load the next one, up to 16 bytes over the
 * end of the LLRs; see registers_plain_blocks(). */
static REGISTERS_FN void registers_team_lean_take(const registers_job &job,
                                                  registers_team_lean_input *in, uint32_t *pair)
{
    const uint32_t a[4] = {in->piece[0].x, in->piece[0].y, in->piece[0].z, in->piece[0].w};
    const uint32_t b[4] = {in->piece[1].x, in->piece[1].y, in->piece[1].z, in->piece[1].w};

    registers_lean_pairs(job, a, b, pair);
    registers_team_lean_load(in);
}

/* ---- Traces -------------------------------------------------------------------------------- */

/* Of a thread, in bytes from the beginning of the ring: its tile's place in the first slot, in the
 * last one and in that of the newest block. */
struct registers_team_lean_ring {
    const uint8_t *bytes;
    uint32_t first, last, newest;
};

struct registers_team_lean_trace {
    uint32_t left;  /* blocks until one is due */
    uint32_t state; /* where the next look-up begins */
    uint32_t group; /* bytes of output, the newest ones above */
    bool pending;   /* it is one of a trace with output */
};

/* Before a block; all traces of those before it have been made. */
template <int OUT>
static REGISTERS_FN void registers_team_lean_open(const registers_job &job, uint32_t block,
                                                  registers_team_lean_trace *t)
{
    const uint32_t first = job.delay + OUT - 1; /* after this block is the first trace */

    *t = {};
    /* the block before is the first one that is asked for */
    t->left = 1 + (block > first ? (OUT - (block - first) % OUT) % OUT : first - block);
}

/* A look-up in slot `at`, afterwards the one before. A product puts bits 0, 7 and 6 of the state, which
 * count chunks, in their places; the others have theirs. See registers_shelf. */
template <class Team>
static REGISTERS_FN void registers_team_lean_back(const registers_team_lean_ring &ring,
                                                  uint32_t *at, uint32_t *state)
{
    constexpr uint32_t stride = Team::THREADS * 16, block = stride * Team::CHUNKS;
    constexpr uint32_t half = block / 2, chunks = half | 3 * stride;
    const uint32_t far = *state * (half + stride / 64);

    static_assert(stride >= 64 * 16 && (stride & (stride - 1)) == 0, "bits do not overlap");
    *state = ring.bytes[(*state & 0x3e) | *at | (far & chunks)];
    *at = registers_min_of_sum(*at, 0u - block, ring.last);
}

/* Is a trace due when `block` blocks are done, and where does it begin? m: marked. */
template <class Team, int OUT>
static REGISTERS_FN void registers_team_lean_begin(const registers_member<Team> &member,
                                                   const registers_tile &own, uint32_t block,
                                                   const uint32_t *m, uint32_t last,
                                                   registers_team_lean_trace *t)
{
    t->pending = t->left == 0;
    if (t->pending)
        t->state = registers_first_state<typename Team::Code>(
            own, 8 * block, registers_team_best_state(member, m), last);
    t->left = t->pending ? OUT - 1 : t->left - 1;
}

/* ---- The loop ------------------------------------------------------------------------------ */

/* Step T and the look-up beside it. pair: as in registers_lean_set(). */
template <class Team, int OUT, int T>
static REGISTERS_FN void registers_team_lean_turn(const registers_member<Team> &member, uint32_t *m,
                                                  uint32_t pair,
                                                  const registers_team_lean_ring &ring,
                                                  uint32_t *at, registers_team_lean_trace *t)
{
    uint32_t llr[2];

    Team::L::split(pair, &llr[0], &llr[1]);

    registers_team_block_step<Team, T / 4, T % 4, T % 4 == 0>(member, m, llr);
    if (T < REGISTERS_TRACED_STEPS)
        registers_team_lean_back<Team>(ring, at, &t->state);
    if (T == REGISTERS_TRACED_STEPS - OUT)
        t->group = t->state;
    else if (T < REGISTERS_TRACED_STEPS && T > REGISTERS_TRACED_STEPS - OUT)
        t->group = t->group << 8 | t->state;
}

/* A block of steps and the trace beside it. */
template <class Team, int OUT>
static REGISTERS_FN void
registers_team_lean_block(const registers_member<Team> &member, uint32_t *m, const uint32_t *pair,
                          const registers_team_lean_ring &ring, registers_team_lean_trace *t)
{
    uint32_t at = ring.newest;

    registers_team_lean_turn<Team, OUT, 0>(member, m, pair[0], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 1>(member, m, pair[1], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 2>(member, m, pair[2], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 3>(member, m, pair[3], ring, &at, t);
    registers_exchange(member, m);
    registers_team_lean_turn<Team, OUT, 4>(member, m, pair[4], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 5>(member, m, pair[5], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 6>(member, m, pair[6], ring, &at, t);
    registers_team_lean_turn<Team, OUT, 7>(member, m, pair[7], ring, &at, t);
    registers_exchange(member, m);
}

/*
 * Blocks [block, to), at least one. The tags of a block stay in the metrics until the next one's LLRs
 * have been taken; those of the block before are fetched back first. (Before block 0 they mean
 * nothing, but no trace with output comes that far.)
 */
template <class Team, int OUT>
static REGISTERS_FN void
registers_team_lean_run(const registers_job &job, const registers_member<Team> &member,
                        const registers_tile *tile, const registers_tile &own, uint32_t block,
                        uint32_t to, const uint8_t *bytes, uint32_t thread,
                        const registers_shelf<Team> &shelf, uint32_t *slot, uint32_t *m,
                        uint32_t last, registers_collector<registers_one_lane> *out)
{
    constexpr uint32_t size = Team::THREADS * 16 * Team::CHUNKS;
    const uint32_t first = thread / Team::MEMBERS * Team::MEMBERS * 16 +
                           thread % Team::MEMBERS % Team::L::TILES;
    uint32_t newest = (*slot == 0 ? job.ring : *slot) - 1;
    registers_team_lean_ring ring = {bytes, first, first + (job.ring - 1) * size, 0};
    registers_team_lean_input in;
    registers_team_lean_trace trace;

    registers_lean_count(REGISTERS_STORED, to - block);
    registers_team_lean_open<OUT>(job, block, &trace);
#pragma unroll
    for (int k = 0; k < 2; k++)
        in.at[k] = tile[k].llr + (tile[k].first + 8 * (int64_t)block) * Team::Code::N;
    registers_team_lean_load(&in);
    registers_team_recall(shelf, member, newest, m);
#pragma unroll 1
    for (; block < to; block++) {
        uint32_t pair[8];

        registers_team_lean_take(job, &in, pair);
        registers_team_keep<Team>(shelf, newest, m);
        registers_team_mark(member, m);
        registers_team_lean_begin<Team, OUT>(member, own, block, m, last, &trace);
        ring.newest = first + newest * size;
        registers_team_lean_block<Team, OUT>(member, m, pair, ring, &trace);
        if (trace.pending)
            registers_collect<registers_one_lane>(job, &own, out, &trace.group, OUT);
        newest = newest + 1 == job.ring ? 0 : newest + 1;
    }
    registers_team_keep<Team>(shelf, newest, m);
    registers_team_mark(member, m);
    registers_team_lean_begin<Team, OUT>(member, own, block, m, last, &trace);
    *slot = newest + 1 == job.ring ? 0 : newest + 1;
    if (trace.pending)
        registers_team_trace<Team, REGISTERS_STORED>(job, own, shelf, newest, trace.state, out);
}

#endif
