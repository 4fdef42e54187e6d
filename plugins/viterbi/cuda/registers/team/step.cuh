/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decoder in registers for K = 9: its 256 states are too many for the registers of one thread,
 * so a team of 2^B neighbouring threads of a warp shares a tile, or two tiles in the lanes of
 * lanes16. B bits of a state are the number of its thread in the team, the others that of its
 * register.
 *
 * A step moves every bit of a state down by one place: bit 0 is dropped, the new one is bit 7, and
 * pairs of states that differ in bit 0 compete. All of this stays within a thread as long as bit 0
 * belongs to the register number. Blocks of eight steps are two halves of four:
 *
 *     before a half   thread bit k is state bit 4 + k
 *     after its steps thread bit k is state bit k: it changes places with state bit 4 + k
 *
 * Nothing else moves: a butterfly leaves its results in the registers of its inputs, so that the
 * new bit takes the place of the dropped one in the register's number, and after two halves
 * everything is back where it was.
 *
 * The exchange sends register r ^ t of each thread t to thread r ^ t. So that this is the same
 * register in all threads, the register bits that are to be exchanged are kept XOR the thread bits:
 * they are written like that in the first B steps of a half, four steps before. Labels are linear,
 * so thread bits, held or added in this way, complement label bits, those of all registers at once:
 * each thread arranges the addends of the step accordingly. The exchanged bits, too, are XOR the
 * thread bits afterwards; in the steps that drop them the two of a pair have changed roles in half
 * of the threads.
 *
 * The eight bits that a block drops are the state at its beginning. So no step adds to tags: each
 * word begins the block with its own state in the tags' place ("marked"), which goes with the path,
 * and is its tag when the block ends. Ties, too, fall to the dropped bit 1: of two paths that meet,
 * all bits of their first states above that one are equal.
 */
#ifndef VITERBI_CUDA_REGISTERS_TEAM_STEP_CUH
#define VITERBI_CUDA_REGISTERS_TEAM_STEP_CUH

#include "plugins/viterbi/cuda/registers/thread.cuh"

template <class Code_, class L_, int B_, int THREADS_> struct registers_team {
    using Code = Code_;
    using L = L_;
    static constexpr int B = B_, MEMBERS = 1 << B_, R = Code_::S >> B_, THREADS = THREADS_;
    static_assert(Code_::K == 9, "two halves of four steps");
    static_assert(B_ == 2, "survivors are put in order by two bits of the thread's number");

    /* Survivors of a block: [chunk][thread][16 bytes]. */
    static constexpr int CHUNKS = R / L_::CHUNK;

    /* State bits after `steps` steps. */
    static __host__ __device__ constexpr unsigned turn(unsigned state, int steps)
    {
        return (state >> steps | state << (8 - steps)) & 0xff;
    }
    /* The state of register r in thread 0, before step `step` of a half. */
    static __host__ __device__ constexpr unsigned state(int half, int step, unsigned r)
    {
        return turn(half == 0
                        ? (r & 15) | (r >> 4) << (4 + B_)
                        : (r & (MEMBERS - 1)) | (r & 15 & ~(MEMBERS - 1u)) << 4 | (r >> 4) << B_,
                    step);
    }
    /* The register of a state of thread 0 at the start of the second half. */
    static __host__ __device__ constexpr unsigned second_register(unsigned state)
    {
        return (state & (MEMBERS - 1)) | (state & 15) >> B_ << 4 |
               (state >> 4 & 15 & ~(MEMBERS - 1u));
    }
    /* The bit of the register's number that a step drops. */
    static __host__ __device__ constexpr int pair_bit(int half, int step)
    {
        return half == 0 || step < B_ ? step : step + 4 - B_;
    }
    /* Label bits of a step that thread bit k complements. */
    static __host__ __device__ constexpr unsigned flips(int step, int k)
    {
        return Code_::label(turn(0x11u << k, step) | (step == k ? 0x100 : 0)) ^ Code_::label(0);
    }
};

/* A thread in its team. */
template <class Team> struct registers_member {
    uint32_t number, mask[Team::B]; /* mask: all ones where the bit of the number is 1 */
    uint32_t first;                 /* bytes: the states of the registers 0 to 3 before a block */

    REGISTERS_FN explicit registers_member(uint32_t thread)
    {
        number = thread % Team::MEMBERS;
#pragma unroll
        for (int k = 0; k < Team::B; k++)
            mask[k] = 0 - (number >> k & 1);
        first = 0x03020100u ^ number * 0x11111111u;
    }
    /* 0 or 1 */
    REGISTERS_FN uint32_t bit(int k) const
    {
        return number >> k & 1;
    }
    /* The states of this thread are those of thread 0 XOR this, before a step of a half. */
    REGISTERS_FN uint32_t states(int step) const
    {
        return Team::turn(number * 0x11, step);
    }
};

/* ---- Threads of a team: the host's are coroutines of a test ---------------------------------- */

#ifdef REGISTERS_ON_HOST
uint32_t registers_host_from(uint32_t x, uint32_t number);
#endif

/* What the thread whose number is this one's XOR `change` has. */
template <class Team>
static REGISTERS_FN uint32_t registers_from_other(const registers_member<Team> &member, uint32_t x,
                                                  uint32_t change)
{
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(~0u, x, (int)change);
#elif defined REGISTERS_ON_HOST
    return registers_host_from(x, member.number ^ change);
#else
    return x;
#endif
}

template <class Team>
static REGISTERS_FN uint32_t registers_from_first(const registers_member<Team> &, uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __shfl_sync(~0u, x, 0, Team::MEMBERS);
#elif defined REGISTERS_ON_HOST
    return registers_host_from(x, 0);
#else
    return x;
#endif
}

/* Makes what the team has written visible to the team. */
REGISTERS_FN void registers_team_wait()
{
#ifdef __CUDA_ARCH__
    __syncwarp();
#elif defined REGISTERS_ON_HOST
    registers_host_from(0, 0);
#endif
}

/* The largest of the team, lane by lane. */
template <class Team>
static REGISTERS_FN uint32_t registers_team_max(const registers_member<Team> &member, uint32_t x)
{
#pragma unroll
    for (int k = 0; k < Team::B; k++) {
        const uint32_t other = registers_from_other(member, x, 1u << k);
        x = Team::L::max3(x, other, other);
    }
    return x;
}

template <class Team>
static REGISTERS_FN void registers_exchange(const registers_member<Team> &member, uint32_t *m)
{
#pragma unroll
    for (unsigned r = 0; r < Team::R; r++)
        if (r % Team::MEMBERS)
            m[r] = registers_from_other(member, m[r], r % Team::MEMBERS);
}

/* ---- One step -------------------------------------------------------------------------------- */

/*
 * Branch metrics of a step, which are lane addends, for the labels of thread 0: sums of the LLRs whose
 * label bit is 0 in this thread.
 */
template <class Team> struct registers_team_addends {
    using Code = typename Team::Code;
    using L = typename Team::L;
    uint32_t value[1 << Code::N];

    /* norm: what all metrics change by on the way */
    template <int STEP, bool NORM>
    REGISTERS_FN void set(const registers_member<Team> &member, const uint32_t *llr, uint32_t norm)
    {
        value[0] = NORM ? norm : 0;
#pragma unroll
        for (int j = 0; j < Code::N; j++) {
            uint32_t flip = 0, zero = llr[j], one = 0;
            bool may = false;
#pragma unroll
            for (int k = 0; k < Team::B; k++)
                if (Team::flips(STEP, k) >> j & 1) {
                    flip ^= member.bit(k);
                    may = true;
                }
            if (may) { /* multiplied, not masked: the ALU is full */
                zero = registers_mad(llr[j], flip ^ 1, 0);
                one = registers_mad(llr[j], flip, 0);
            }
#pragma unroll
            for (unsigned label = 0; label < 1u << j; label++) {
                const uint32_t sum = value[label];
                const bool none = !NORM && j == 0; /* sum is 0 */
                value[label] = none ? zero : L::sum(sum, zero);
                value[label | 1u << j] = !may ? sum : none ? one : L::sum(sum, one);
            }
        }
    }
};

template <class Team, int HALF, int STEP>
static REGISTERS_FN void registers_team_step(uint32_t *m, const registers_team_addends<Team> &add)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    constexpr unsigned other = 1u << Team::pair_bit(HALF, STEP);

#pragma unroll
    for (unsigned r = 0; r < Team::R; r++) {
        if (r & other)
            continue;
        const unsigned l = Code::label(Team::state(HALF, STEP, r)), c = ~l & Code::ONES;
        const uint32_t a = m[r], b = m[r | other];
        m[r] = L::add_max(a, add.value[l], L::sum(b, add.value[c]));
        m[r | other] = L::add_max(a, add.value[c], L::sum(b, add.value[l]));
    }
}

/* Any step, as registers_step_any(); of the first half. */
template <class Team, int STEP>
static REGISTERS_FN void registers_team_step_any(const registers_member<Team> &member, uint32_t *m,
                                                 const uint32_t *llr, uint32_t even, uint32_t odd)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    constexpr unsigned other = 1u << Team::pair_bit(0, STEP);
    constexpr bool swaps = STEP < Team::B;
    const uint32_t swapped = swaps ? member.mask[swaps ? STEP : 0] : 0;
    const uint32_t keep0 = (even & ~swapped) | (odd & swapped);
    const uint32_t keep1 = (even & swapped) | (odd & ~swapped);
    uint32_t value[1 << Code::N];

    value[0] = 0;
#pragma unroll
    for (int j = 0; j < Code::N; j++) {
        uint32_t flip = 0;
#pragma unroll
        for (int k = 0; k < Team::B; k++)
            if (Team::flips(STEP, k) >> j & 1)
                flip ^= member.mask[k];
#pragma unroll
        for (unsigned label = 0; label < 1u << j; label++) {
            value[label | 1u << j] = L::add(value[label], llr[j] & flip);
            value[label] = L::add(value[label], llr[j] & ~flip);
        }
    }
#pragma unroll
    for (unsigned r = 0; r < Team::R; r++) {
        if (r & other)
            continue;
        const unsigned l = Code::label(Team::state(0, STEP, r)), c = ~l & Code::ONES;
        const uint32_t a = m[r], b = m[r | other];
#pragma unroll
        for (int u = 0; u < 2; u++) {
            const uint32_t from0 = L::add(a, value[u ? c : l]);
            const uint32_t from1 = L::add(b, value[u ? l : c]);
            const uint32_t best = L::max3(from0, from1, from1);
            m[u ? r | other : r] = (from0 & keep0) | (from1 & keep1) | (best & ~(keep0 | keep1));
        }
    }
}

/* ---- A block of eight steps ------------------------------------------------------------------ */

template <class Team, int HALF, int STEP, bool NORM>
static REGISTERS_FN void registers_team_block_step(const registers_member<Team> &member,
                                                   uint32_t *m, const uint32_t *llr)
{
    using L = typename Team::L;
    registers_team_addends<Team> add;
    uint32_t norm = 0;

    if (NORM)
        norm = L::lowering(registers_from_first(member, m[0]) & L::METRIC, L::both(L::BASE));
    add.template set<STEP, NORM>(member, llr, norm);
    registers_team_step<Team, HALF, STEP>(m, add);
}

/* As registers_lower(), over all states. */
template <class Team>
static REGISTERS_FN void registers_team_lower(const registers_member<Team> &member, uint32_t *m)
{
    using L = typename Team::L;
    uint32_t top = m[0] & L::METRIC;

#pragma unroll
    for (int r = 1; r < Team::R; r++)
        top = L::max3(top, top, m[r] & L::METRIC);
    top = L::lowering(registers_team_max(member, top), L::both(L::BASE + L::ABOVE));
#pragma unroll
    for (int r = 0; r < Team::R; r++)
        m[r] = L::add(m[r], top);
}

/* The largest of the team of metric and 255 - state, lane by lane: the best state, the lowest of equals.
 * Before a step of the first half. */
template <class Team, int STEP>
static REGISTERS_FN uint32_t registers_team_best(const registers_member<Team> &member,
                                                 const uint32_t *m)
{
    using L = typename Team::L;
    const uint32_t states = L::ONE * member.states(STEP);
    uint32_t best = 0;

#pragma unroll
    for (unsigned r = 0; r < Team::R; r += 2) {
        const uint32_t a = L::ONE * (255 - Team::state(0, STEP, r)) ^ states;
        const uint32_t b = L::ONE * (255 - Team::state(0, STEP, r + 1)) ^ states;
        best = L::max3(best, (m[r] & L::METRIC) ^ a, (m[r + 1] & L::METRIC) ^ b);
    }
    return registers_team_max(member, best);
}

/*
 * The same of marked words, in fewer instructions. A state is a constant of its register plus what two
 * bits of the register and the thread say, 0 to 51. Of the registers that share those two bits the
 * best has the largest metric and the smallest constant: 204, the largest one, less twice the
 * constant is added to words on their way to the maximum. 51 less twice the other part then makes
 * 255 - state of all.
 */
template <class Team>
static REGISTERS_FN uint32_t registers_team_best_marked(const registers_member<Team> &member,
                                                        const uint32_t *m)
{
    using L = typename Team::L;
    uint32_t best = 0;

#pragma unroll
    for (unsigned low = 0; low < 4; low++) {
        uint32_t alike = 0;
#pragma unroll
        for (unsigned r = low; r < Team::R; r += 4)
            alike = L::add_max(m[r], L::addend(204 - 2 * (int)Team::state(0, 0, r & ~3u)), alike);
        best = L::add_max(alike, L::addend(51 - 2 * (int)(member.first >> 8 * low & 0xff)), best);
    }
    return registers_team_max(member, best);
}

/* As registers_note_end(); all threads of the warp come along. */
template <class Team, int STEP>
static REGISTERS_FN void registers_team_note_end(const registers_member<Team> &member,
                                                 const registers_tile *tile, uint32_t step,
                                                 const uint32_t *m, uint32_t *last)
{
    bool ends = false;

#pragma unroll
    for (int k = 0; k < Team::L::TILES; k++)
        ends = ends || (step == tile[k].end && tile[k].known == ~0u);
#ifdef __CUDA_ARCH__
    ends = __any_sync(~0u, ends);
#endif
    if (ends) {
        const uint32_t best = registers_team_best<Team, STEP>(member, m);
#pragma unroll
        for (int k = 0; k < Team::L::TILES; k++)
            if (step == tile[k].end && tile[k].known == ~0u)
                last[k] = 255 - Team::L::tag(best, k);
    }
}

/* A step of registers_team_block_any(), of the first half or, by its number, of the second. */
template <class Team, bool STORED, int STEP>
static REGISTERS_FN void
registers_team_care(const registers_member<Team> &member, const registers_tile *tile,
                    uint32_t block, uint32_t half, const uint32_t *llr, uint32_t *m, uint32_t *last)
{
    using L = typename Team::L;
    const uint32_t t = 4 * half + STEP, s = 8 * block + t;
    uint32_t even = 0, odd = 0;

    if (STORED)
        registers_team_note_end<Team, STEP>(member, tile, s, m, last);
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        const uint32_t lane = L::TILES == 2 ? 0xffffu << 16 * k : ~0u;
        const uint32_t past = s - tile[k].end;
        if (s >= tile[k].end && past < Team::Code::K && last[k] >> past & 1)
            odd |= lane;
        else if (s >= tile[k].end || (s >= tile[k].begin && s < tile[k].forced_end))
            even |= lane;
    }
    registers_team_lower(member, m);
    registers_team_step_any<Team, STEP>(member, m, llr + STEP * Team::Code::N, even, odd);
}

/* As registers_block_any(). Both halves run the code of the first. */
template <class Team, int SOURCE, bool STORED>
static REGISTERS_FN void
registers_team_block_any(const registers_job &job, const registers_member<Team> &member,
                         const registers_tile *tile, uint32_t block, uint32_t *m, uint32_t *last)
{
    using Code = typename Team::Code;
    using L = typename Team::L;
    uint32_t item[L::TILES][2 * Code::N], llr[8 * Code::N];

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        registers_gather<Code, SOURCE>(job, tile[k], block, item[k]);
    registers_llrs<Code, L>(job, item, llr);
#pragma unroll 1
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t n[Team::R];
        registers_team_care<Team, STORED, 0>(member, tile, block, half, llr, m, last);
        registers_team_care<Team, STORED, 1>(member, tile, block, half, llr, m, last);
        registers_team_care<Team, STORED, 2>(member, tile, block, half, llr, m, last);
        registers_team_care<Team, STORED, 3>(member, tile, block, half, llr, m, last);
        registers_exchange(member, m);
#pragma unroll
        for (unsigned r = 0; r < Team::R; r++)
            n[r] = m[Team::second_register(Team::state(0, 0, r))];
#pragma unroll
        for (unsigned r = 0; r < Team::R; r++)
            m[r] = n[r];
#pragma unroll
        for (int i = 0; i < 4 * Code::N; i++)
            llr[i] = llr[i + 4 * Code::N];
    }
}

#endif
