/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one thread of the decoder in registers does. Its schedule is the same for all threads of a
 * launch: blocks of eight steps, a tile's first output at step `lead`. A tile that begins later,
 * because it is cut at the start of its frame, sees LLRs of 0 before; one that ends early goes on
 * with steps that keep all paths (forced to the dropped bit 0, so that state 0 leads back to state
 * 0).
 */
#ifndef VITERBI_CUDA_REGISTERS_THREAD_CUH
#define VITERBI_CUDA_REGISTERS_THREAD_CUH

#include <fecrun/plugin.h>

#include "plugins/viterbi/cuda/registers/float.cuh"

/* One tile, as its thread knows it. */
struct registers_tile {
    const uint8_t *llr;  /* of its frame */
    int64_t first;       /* step of the frame at schedule step 0 */
    uint32_t begin, end; /* schedule steps that exist */
    uint32_t forced_end; /* from `begin` on to here the start is known to be state 0 */
    uint32_t known;      /* from this stage on traces begin in state 0 */
    uint8_t *out;
    uint32_t bits; /* of output; 0: no tile */
};

REGISTERS_FN uint64_t registers_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* viterbi_tile_at(), on the schedule. */
template <class Code>
static REGISTERS_FN void registers_tile_at(const registers_job &job, uint64_t item,
                                           registers_tile *tile)
{
    const uint64_t at = job.skip_items + item;
    const uint64_t frame = at / job.row, index = job.first + at % job.row;
    const uint64_t a = index * job.f, b = registers_min(a + job.f, job.T);
    uint64_t lead = job.whole ? a : job.v1, tail = job.whole ? job.T - b : job.v2;
    bool from_zero = false, to_zero = false;

    if (job.termination == VITERBI_CONTINUOUS) {
        const uint64_t before = job.in.before + frame * job.T + a;
        const uint64_t after = job.in.after + (job.in.frames - 1 - frame) * job.T + (job.T - b);
        lead = registers_min(lead, before);
        tail = registers_min(tail, after);
        from_zero = job.in.at_start && lead == before;
    } else {
        lead = registers_min(lead, a);
        tail = registers_min(tail, job.T - b);
        from_zero = lead == a;
        to_zero = job.termination == VITERBI_ZERO && tail == job.T - b;
    }
    tile->llr = (const uint8_t *)job.in.llr + frame * job.in.stride;
    tile->first = (int64_t)a - job.lead;
    tile->begin = job.lead - (uint32_t)lead;
    tile->end = job.lead + (uint32_t)(b - a + tail);
    tile->forced_end = from_zero ? tile->begin + Code::K - 1 : 0;
    tile->known = to_zero ? tile->end : ~0u;
    tile->out = job.out.packed + frame * job.out.stride + a / 8;
    tile->bits = (uint32_t)(registers_min(b, job.info_bits) - a);
}

/*
 * A piece of a frame (frames.cuh). It ends where the next one has no need of it any more,
 * the last one in state 0, in the best one, or, if the spec says so, in any, which is taken for 0.
 */
template <class Code>
static REGISTERS_FN void registers_piece_at(const registers_job &job, uint64_t item,
                                            registers_tile *tile)
{
    const uint64_t frame = item / job.row, index = item % job.row, a = index * job.f;
    const uint64_t out = job.f + job.v1, behind = out + job.v2;
    const bool last = index + 1 == job.row;
    const uint64_t end = last ? job.T - a : registers_min(job.T - a, behind);

    tile->llr = (const uint8_t *)job.in.llr + frame * job.in.stride;
    tile->first = (int64_t)a - job.lead;
    tile->begin = job.lead;
    tile->end = job.lead + (uint32_t)end;
    tile->forced_end = index == 0 ? tile->begin + Code::K - 1 : 0;
    tile->known = !last || job.termination == VITERBI_ZERO || job.from_any ? tile->end : ~0u;
    tile->out = job.out.packed + frame * job.out.stride + a / 8;
    tile->bits = (uint32_t)(last ? job.info_bits - a : registers_min(out, job.info_bits - a));
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

/* SOURCE is known when compiling, here and below: a question at each item costs all of a kernel 1 to 2 %. */
template <int SOURCE>
static REGISTERS_FN uint32_t registers_byte(const registers_tile &tile, int64_t p)
{
    if constexpr (SOURCE == REGISTERS_NIBBLES) {
        const int x = (int8_t)tile.llr[p >> 1], nibble = p & 1 ? (int8_t)(x << 4) >> 4 : x >> 4;

        return (uint32_t)(nibble < -7 ? -7 : nibble) & 0xff;
    } else {
        return tile.llr[p];
    }
}

/* Where item p of a punctured frame lies; negative: nowhere. */
static REGISTERS_FN int64_t registers_place(const registers_job &job, int64_t q, uint32_t r)
{
    const uint16_t rank = job.in.rank[r];

    return rank & VITERBI_SENT ? q * job.in.sent + (rank & VITERBI_RANK) : INT64_MIN;
}

/* The items of a block, i8, four a word; 0 before the tile's beginning and behind its end. */
template <class Code, int SOURCE>
static REGISTERS_FN void registers_gather(const registers_job &job, const registers_tile &tile,
                                          uint32_t block, uint32_t *item)
{
    constexpr bool PUNCTURED = SOURCE == REGISTERS_PUNCTURED;
    const int64_t p = (tile.first + 8 * (int64_t)block) * Code::N;
    int64_t q = 0;
    uint32_t r = 0;

    if (PUNCTURED) {
        q = p >= 0 ? p / job.in.period : -((job.in.period - 1 - p) / job.in.period);
        r = (uint32_t)(p - q * job.in.period);
    }
#pragma unroll
    for (int w = 0; w < 2 * Code::N; w++) {
        item[w] = 0;
#pragma unroll
        for (int c = 0; c < 4; c++) {
            const int i = 4 * w + c;
            const uint32_t s = 8 * block + i / Code::N;
            if (s >= tile.begin && s < tile.end) {
                const int64_t at = PUNCTURED ? registers_place(job, q, r) : p + i;
                item[w] |= PUNCTURED && at == INT64_MIN ? 0
                                                        : registers_byte<SOURCE>(tile, at) << 8 * c;
            }
            if (PUNCTURED && ++r == job.in.period) {
                r = 0;
                q++;
            }
        }
    }
}

/* The same of floats. */
template <class Code>
static REGISTERS_FN void registers_gather_floats(const registers_tile &tile, uint32_t block,
                                                 uint32_t *item)
{
    const uint32_t *llr = (const uint32_t *)tile.llr;
    const int64_t p = (tile.first + 8 * (int64_t)block) * Code::N;

#pragma unroll
    for (int i = 0; i < 8 * Code::N; i++) {
        const uint32_t s = 8 * block + i / Code::N;
        item[i] = s >= tile.begin && s < tile.end ? llr[p + i] : 0;
    }
}

/* Output bytes of a thread's tiles on their way to whole words. */
template <class L> struct registers_collector {
    uint64_t bytes[L::TILES]; /* the first one lowest */
    uint32_t fill, byte;      /* how many; the first one's number in the tile */
};

/* ---- The ring ------------------------------------------------------------------------------ */

/*
 * Survivors: [block][chunk of states][thread][16 bytes], in shared memory (a ring of blocks) or in
 * scratch memory (all of them); each thread reads and writes what is its own, so nothing waits.
 */
template <class Code, class L> struct registers_ring {
    static constexpr bool HALVES = L::TAG_BITS ==
                                   4; /* a block's tags are those of two half blocks */
    static constexpr bool SIGNS = false;
    static constexpr int CHUNKS = Code::S / L::CHUNK > 0 ? Code::S / L::CHUNK : 1;
    static constexpr uint32_t PIECE = HALVES ? 8 : 16, CHUNK = PIECE * REGISTERS_THREADS;
    static constexpr uint32_t HALF = CHUNKS * CHUNK, BLOCK = HALVES ? 2 * HALF : HALF;
    /* traces begin in a block that is in the ring, or in one whose tag of state 0 is still at hand */
    static constexpr bool NEWEST = HALVES;
    static constexpr bool HELD = REGISTERS_HELD && !HALVES,
                          GLOBAL_SLOT = REGISTERS_GLOBAL_SLOT && !HALVES;
};

/* Floats: the signs of eight steps, those of the upper states first. */
template <class Code> struct registers_ring<Code, lanes_float> {
    static constexpr bool HALVES = false, SIGNS = true, NEWEST = true, HELD = false,
                          GLOBAL_SLOT = false;
    static constexpr uint32_t PIECE = 4, CHUNK = PIECE * REGISTERS_THREADS;
    static constexpr uint32_t HALF = 8 * CHUNK, BLOCK = 2 * HALF;
};

/* Tags of a block's first half until the whole block is kept. */
template <class Code, class L> struct registers_half {
    uint2 word[registers_ring<Code, L>::HALVES ? registers_ring<Code, L>::CHUNKS : 1];
};

template <class Code> struct registers_half<Code, lanes_float> {
    registers_signs step[8];
};

/* The thread's number in its block, for what has a slot in device memory. */
#ifdef REGISTERS_ON_HOST
static uint32_t registers_host_thread;
#endif

/* A thread's part of the slot that is in device memory; each block of threads has one. */
template <class Code, class L>
static REGISTERS_FN uint8_t *registers_global_slot(const registers_job &job)
{
    typedef registers_ring<Code, L> R;
#ifdef __CUDA_ARCH__
    return job.scratch + (size_t)blockIdx.x * R::BLOCK + threadIdx.x * R::PIECE;
#elif defined REGISTERS_ON_HOST
    return job.scratch + registers_host_thread * R::PIECE;
#else
    return NULL;
#endif
}

/* A thread's part of a slot; mine: of the first one. */
template <class Code, class L>
static REGISTERS_FN uint8_t *registers_slot(const registers_job &job, const uint8_t *mine,
                                            uint32_t slot)
{
    if (registers_ring<Code, L>::GLOBAL_SLOT && slot + 1 == job.ring)
        return registers_global_slot<Code, L>(job);
    return (uint8_t *)mine + slot * registers_ring<Code, L>::BLOCK;
}

/* Tags of the newest block, while it is not in the ring yet (REGISTERS_HELD). */
template <class Code, class L> struct registers_held {
    uint4 piece[registers_ring<Code, L>::HELD ? Code::S / L::CHUNK : 1];
};

template <class Code, class L>
static REGISTERS_FN void registers_hold(registers_held<Code, L> *held, const uint32_t *m)
{
#pragma unroll
    for (int c = 0; c < Code::S / L::CHUNK; c++)
        held->piece[c] = L::pack(m + c * L::CHUNK);
}

/* The tag of a state of one tile; a word is of two states of both tiles, or of four. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_held_tag(const registers_held<Code, L> &held, uint32_t state,
                                                int tile)
{
    constexpr int EACH = 4 / L::TILES, WORDS = Code::S / EACH;
    const uint32_t lane = state % EACH;
    uint32_t word[WORDS];

#pragma unroll
    for (int c = 0; c < WORDS / 4; c++) {
        word[4 * c] = held.piece[c].x;
        word[4 * c + 1] = held.piece[c].y;
        word[4 * c + 2] = held.piece[c].z;
        word[4 * c + 3] = held.piece[c].w;
    }
#pragma unroll
    for (int n = WORDS / 2, bit = EACH; n > 0; n /= 2, bit *= 2)
#pragma unroll
        for (int i = 0; i < n; i++)
            word[i] = state & bit ? word[2 * i + 1] : word[2 * i];
    return word[0] >> (8 * L::TILES * lane + 8 * tile) & 0xff;
}

/* The survivors of a block that was not computed: state 0 leads back to state 0. */
template <class Code, class L>
static REGISTERS_FN void registers_no_survivors(registers_half<Code, L> *half)
{
    if constexpr (registers_ring<Code, L>::SIGNS) {
        for (int t = 0; t < 8; t++)
            half->step[t] = {~0u, ~0u};
    } else {
        *half = {};
    }
}

template <class Code, class L> static REGISTERS_FN void registers_clear(uint32_t *m)
{
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] &= L::METRIC;
}

/* After four steps. */
template <class Code, class L>
static REGISTERS_FN void registers_keep_half(registers_half<Code, L> *half, uint32_t *m)
{
    if constexpr (registers_ring<Code, L>::HALVES) {
#pragma unroll
        for (int c = 0; c < registers_ring<Code, L>::CHUNKS; c++)
            half->word[c] = L::pack_half(m + c * L::CHUNK);
        registers_clear<Code, L>(m);
    }
}

template <class Code>
static REGISTERS_FN void registers_keep_signs(uint8_t *mine, uint32_t step, registers_signs signs)
{
    typedef registers_ring<Code, lanes_float> ring;

    *(uint32_t *)(mine + step * ring::CHUNK) = signs.high;
    *(uint32_t *)(mine + ring::HALF + step * ring::CHUNK) = signs.low;
}

template <class Code, class L>
static REGISTERS_FN void registers_keep(uint8_t *mine, const uint32_t *m,
                                        const registers_half<Code, L> &half)
{
    typedef registers_ring<Code, L> ring;

    if constexpr (ring::SIGNS) {
#pragma unroll
        for (int t = 0; t < 8; t++)
            registers_keep_signs<Code>(mine, t, half.step[t]);
    } else if constexpr (ring::HALVES) {
#pragma unroll
        for (int c = 0; c < ring::CHUNKS; c++) {
            *(uint2 *)(mine + c * ring::CHUNK) = half.word[c];
            *(uint2 *)(mine + ring::HALF + c * ring::CHUNK) = L::pack_half(m + c * L::CHUNK);
        }
    } else {
#pragma unroll
        for (int c = 0; c < ring::CHUNKS; c++)
            *(uint4 *)(mine + c * ring::CHUNK) = L::pack(m + c * L::CHUNK);
    }
}

/* The state four steps back: the four bits that were dropped since, and what is left of `state`. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_half_back(const uint8_t *half, uint32_t state, int tile)
{
    const uint32_t word = *(
        const uint32_t *)(half + (state & (Code::S - 8)) * (registers_ring<Code, L>::CHUNK / 8) +
                          4 * tile);
    return (registers_rotate(word, 4 * state) & 15) | (state << 4 & ~15u);
}

/* Eight steps, the last one first. The state is inverted on the way: signs are inverted dropped bits. */
template <class Code>
static REGISTERS_FN uint32_t registers_signs_back(const uint8_t *mine, uint32_t state)
{
    typedef registers_ring<Code, lanes_float> ring;
    uint32_t inverted = ~state;

    static_assert(Code::S == 64, "two words a step");
#pragma unroll
    for (int t = 7; t >= 0; t--) {
        const uint32_t word = *(const uint32_t *)(mine + (inverted & 32) * (ring::HALF / 32) +
                                                  t * ring::CHUNK);
        inverted = registers_push_sign(inverted, word << (inverted & 31));
    }
    return ~inverted;
}

/* tag: the state at the end of the block in its low bits. The bits above a byte of what is found
 * mean nothing. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_look_up(const uint8_t *mine, uint32_t tag, int tile)
{
    typedef registers_ring<Code, L> ring;

    if constexpr (ring::SIGNS) {
        return registers_signs_back<Code>(mine, tag);
    } else if constexpr (ring::HALVES) {
        tag = registers_half_back<Code, L>(mine + ring::HALF, tag, tile);
        return registers_half_back<Code, L>(mine, tag, tile);
    } else {
        constexpr uint32_t low = L::CHUNK - 1, high = (Code::S - 1) & ~low;
        return mine[(tag & high) * (ring::CHUNK / L::CHUNK) + (tag & low) * L::TILES + tile];
    }
}

/*
 * One look-up of a trace in both tiles; `at` is the slot it looks in, afterwards that of the block
 * before.
 */
template <class Code, class L>
static REGISTERS_FN void registers_step_back(const registers_job &job, const uint8_t *mine,
                                             uint32_t *at, uint32_t *tag)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        tag[k] = registers_look_up<Code, L>(registers_slot<Code, L>(job, mine, *at), tag[k], k);
    *at = *at == 0 ? job.ring - 1 : *at - 1;
}

/* ---- A block of eight steps ---------------------------------------------------------------- */

/*
 * A block's LLRs as they lie in memory, for each tile: WORDS words. FETCH 16-byte pieces are read
 * from the aligned address below them; `shift` bytes of those come before.
 */
template <class Code, bool NIBBLES> struct registers_window {
    static constexpr int BYTES = NIBBLES ? 4 * Code::N : 8 * Code::N;
    static constexpr int FETCH = (BYTES + 15 + 15) / 16;
    uint4 piece[FETCH];
    uint32_t shift;
};

/* Each tile is a stream of its own: what is read brings its neighbours as far as the L2 cache. */
REGISTERS_FN uint4 registers_read(const uint4 *at)
{
#ifdef __CUDA_ARCH__
    uint4 x;
    asm volatile("ld.global.nc.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(at));
    return x;
#else
    return *at;
#endif
}

template <class Code, bool NIBBLES>
static REGISTERS_FN void registers_fetch(registers_window<Code, NIBBLES> *w, const uint8_t *at)
{
    const uint4 *aligned = (const uint4 *)((uintptr_t)at & ~(uintptr_t)15);

    w->shift = (uint32_t)((uintptr_t)at & 15);
#pragma unroll
    for (int i = 0; i < registers_window<Code, NIBBLES>::FETCH; i++)
        w->piece[i] = registers_read(aligned + i);
}

/* The words of a window, shifted into place. */
template <class Code, bool NIBBLES>
static REGISTERS_FN void registers_words(const registers_window<Code, NIBBLES> &w, uint32_t *word)
{
    constexpr int FETCH = registers_window<Code, NIBBLES>::FETCH, N = 4 * FETCH;
    constexpr int WANTED = registers_window<Code, NIBBLES>::BYTES / 4;
    const uint32_t select = 0x3210 + 0x1111 * (w.shift & 3);
    uint32_t raw[N];

#pragma unroll
    for (int i = 0; i < FETCH; i++) {
        raw[4 * i] = w.piece[i].x;
        raw[4 * i + 1] = w.piece[i].y;
        raw[4 * i + 2] = w.piece[i].z;
        raw[4 * i + 3] = w.piece[i].w;
    }
#pragma unroll
    for (int i = 0; i < WANTED + 2; i++)
        raw[i] = w.shift & 8 ? i + 2 < N ? raw[i + 2] : 0 : raw[i];
#pragma unroll
    for (int i = 0; i < WANTED + 1; i++)
        raw[i] = w.shift & 4 ? raw[i + 1] : raw[i];
#pragma unroll
    for (int i = 0; i < WANTED; i++)
        word[i] = registers_perm(raw[i], raw[i + 1], select);
}

/* All items of a block, i8, four a word. */
template <class Code, bool NIBBLES>
static REGISTERS_FN void registers_items(const registers_window<Code, NIBBLES> &w, uint32_t *item)
{
    if constexpr (!NIBBLES) {
        registers_words<Code, NIBBLES>(w, item);
    } else {
        uint32_t word[Code::N];
        registers_words<Code, NIBBLES>(w, word);
#pragma unroll
        for (int i = 0; i < Code::N; i++)
            registers_nibbles(word[i], &item[2 * i], &item[2 * i + 1]);
    }
}

/* Punctured, N = 2: the sixteen items of a block out of those that were sent. */
static REGISTERS_FN void registers_spread_out(const uint32_t *word,
                                              const struct registers_spread &spread, uint32_t *item)
{
    const uint32_t *select = spread.select, *mask = spread.mask;
    const bool far2 = select[2] >> 16 & 1, far3 = select[3] >> 16 & 1;

    item[0] = registers_perm(word[0], 0, select[0]) & mask[0];
    item[1] = registers_perm(word[0], word[1], select[1]) & mask[1];
    item[2] = registers_perm(far2 ? word[1] : word[0], far2 ? word[2] : word[1], select[2]) &
              mask[2];
    item[3] = registers_perm(far3 ? word[2] : word[1], far3 ? word[3] : word[2], select[3]) &
              mask[3];
}

template <class Code, class L, bool NORM, int T>
static REGISTERS_FN void registers_block_step(uint32_t *m, const uint32_t *llr, uint32_t one)
{
    uint32_t n[Code::S], norm = 0, plain = 0;
    registers_branches<Code, L> bm;

    bm.set(llr);
    if (NORM) {
        norm = L::lowering(m[0] & L::METRIC, L::both(L::BASE));
        plain = L::both(L::BASE) - (m[0] & L::METRIC);
    }
    registers_step<Code, L, NORM>(m, n, bm, L::ONE << T % L::TAG_BITS, norm, plain, one);
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = n[s];
}

/* item[tile]: 8 * N items, i8, four a word -> LLRs of both tiles, in the order of the code. */
template <class Code, class L>
static REGISTERS_FN void registers_llrs(const registers_job &job,
                                        const uint32_t (*item)[2 * Code::N], uint32_t *llr)
{
#pragma unroll
    for (int w = 0; w < 2 * Code::N; w++) {
        const uint32_t a = item[0][w], b = item[L::TILES - 1][w];
        L::template llr_pair<0>(job.order, a, b, &llr[4 * w], &llr[4 * w + 1]);
        L::template llr_pair<2>(job.order, a, b, &llr[4 * w + 2], &llr[4 * w + 3]);
    }
}

template <class L> static REGISTERS_FN void registers_copy(uint32_t *to, const uint32_t *from)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        to[k] = from[k];
}

/*
 * item[tile]: 8 * N items, i8, four a word. BACK: look-ups of a trace on the way, the first in slot
 * `at` of the ring with tag[], which becomes what the last one found. border: what the one before
 * that found, or NULL.
 */
template <class Code, class L, int BACK>
static REGISTERS_FN void
registers_block(const registers_job &job, uint32_t *m, registers_half<Code, L> *half,
                const uint32_t (*item)[L::ITEM_WORDS * Code::N], const uint8_t *mine, uint32_t at,
                uint32_t *tag, uint32_t *border = NULL)
{
    constexpr int N = Code::N;
    uint32_t llr[8 * N];

    registers_llrs<Code, L>(job, item, llr);
#define STEP(t, norm) \
    registers_block_step<Code, L, norm, t>(m, llr + t * N, job.one); \
    if (t == BACK - 1 && border != NULL) \
        registers_copy<L>(border, tag); \
    if (t < BACK) \
    registers_step_back<Code, L>(job, mine, &at, tag)
    STEP(0, true);
    STEP(1, false);
    STEP(2, false);
    STEP(3, false);
    registers_keep_half<Code, L>(half, m);
    STEP(4, L::TILES == 2);
    STEP(5, false);
    STEP(6, false);
    STEP(7, false);
#undef STEP
}

/* The largest metric becomes the highest that may be. */
template <class Code, class L> static REGISTERS_FN void registers_lower(uint32_t *m)
{
    uint32_t top = m[0] & L::METRIC;

#pragma unroll
    for (int s = 1; s < Code::S; s++)
        top = L::max3(top, top, m[s] & L::METRIC);
    top = L::lowering(top, L::both(L::BASE + L::ABOVE));
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = L::add(m[s], top);
}

/* Best states where the tags' place is too small for a state: the best metric first. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_best_of_fine(const uint32_t *m)
{
    uint32_t top = 0, best = 0;

#pragma unroll
    for (int s = 0; s < Code::S; s += 2)
        top = L::max3(top, m[s] & L::METRIC, m[s + 1] & L::METRIC);
    top = L::lowering(top, L::ONE << L::TAG_BITS); /* less all but a step: the best get one */
#pragma unroll
    for (int s = 0; s < Code::S; s++) {
        const uint32_t is_best = __viaddmax_s16x2(m[s] & L::METRIC, top, 0);
        best = L::max3(best, best, (is_best << 2) + L::ONE * (Code::S - 1 - s));
    }
    return best & L::ONE * (Code::S - 1);
}

/* The same where there is room. */
template <class Code, class L> static REGISTERS_FN uint32_t registers_best_tagged(const uint32_t *m)
{
    uint32_t best = 0;

#pragma unroll
    for (int s = 0; s < Code::S; s += 2) {
        const uint32_t a = (m[s] & L::METRIC) | (L::ONE * (Code::S - 1 - s));
        const uint32_t b = (m[s + 1] & L::METRIC) | (L::ONE * (Code::S - 2 - s));
        best = L::max3(best, a, b);
    }
    return best;
}

/* The best state of each lane, the lowest of equals, as S - 1 - state in the low byte. */
template <class Code, class L> static REGISTERS_FN uint32_t registers_best(const uint32_t *m)
{
    if constexpr (registers_ring<Code, L>::SIGNS)
        return registers_float_best<Code>(m);
    else if constexpr (registers_ring<Code, L>::HALVES)
        return registers_best_of_fine<Code, L>(m);
    else
        return registers_best_tagged<Code, L>(m);
}

/* At the end of an open tile the best state, where traces begin that would begin behind it. */
template <class Code, class L>
static REGISTERS_FN void registers_note_end(const registers_tile *tile, uint32_t step,
                                            const uint32_t *m, uint32_t *last)
{
    bool ends = false;

    for (int k = 0; k < L::TILES; k++)
        ends = ends || (step == tile[k].end && tile[k].known == ~0u);
    if (ends) {
        const uint32_t best = registers_best<Code, L>(m);
        for (int k = 0; k < L::TILES; k++)
            if (step == tile[k].end && tile[k].known == ~0u)
                last[k] = Code::S - 1 - L::tag(best, k);
    }
}

/* The same of floats as registers_block_any(), below. */
template <class Code, bool STORED>
static REGISTERS_FN void
registers_float_block_any(const registers_job &job, const registers_tile &tile, uint32_t block,
                          uint32_t *m, registers_half<Code, lanes_float> *half, uint32_t *last)
{
    uint32_t item[8 * Code::N];

    registers_gather_floats<Code>(tile, block, item);
#pragma unroll 1
    for (uint32_t t = 0; t < 8; t++) {
        const uint32_t s = 8 * block + t, past = s - tile.end;

        if (STORED)
            registers_note_end<Code, lanes_float>(&tile, s, m, last);
        const bool ended = s >= tile.end, odd = ended && past < Code::K && last[0] >> past & 1;
        const bool even = !odd && (ended || (s >= tile.begin && s < tile.forced_end));
        const bool renew = s >= tile.begin && (s - tile.begin) % VITERBI_RENEW == 0;
        const float llr[2] = {registers_clean(registers_float(item[0])),
                              registers_clean(registers_float(item[1]))};
        uint32_t n[Code::S];

#pragma unroll
        for (int i = 0; i < 7; i++)
            half->step[i] = half->step[i + 1];
        half->step[7] = registers_float_step_any<Code>(m, n, llr, job.swapped, renew, even, odd);
#pragma unroll
        for (int i = 0; i < Code::S; i++)
            m[i] = n[i];
#pragma unroll
        for (int i = 0; i < 8 * Code::N; i++)
            item[i] = i + Code::N < 8 * Code::N ? item[i + Code::N] : 0;
    }
}

/*
 * A block with steps before the start or behind the end of one of the tiles; slow and rare. Behind
 * the end there are zeros: the dropped bits are those of `last`, the state in which the tile ends,
 * so that state 0, or what is left of `last`, leads back to it.
 */
template <class Code, class L, int SOURCE, bool STORED>
static REGISTERS_FN void registers_block_any(const registers_job &job, const registers_tile *tile,
                                             uint32_t block, uint32_t *m,
                                             registers_half<Code, L> *half, uint32_t *last)
{
    uint32_t item[L::TILES][L::ITEM_WORDS * Code::N], llr[8 * Code::N];

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        registers_gather<Code, SOURCE>(job, tile[k], block, item[k]);
    registers_llrs<Code, L>(job, item, llr);
#pragma unroll 1
    for (uint32_t t = 0; t < 8; t++) {
        const uint32_t s = 8 * block + t;
        uint32_t n[Code::S], even = 0, odd = 0;
        if (STORED)
            registers_note_end<Code, L>(tile, s, m, last);
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            const uint32_t lane = L::TILES == 2 ? 0xffffu << 16 * k : ~0u;
            const uint32_t past = s - tile[k].end;
            if (s >= tile[k].end && past < Code::K && last[k] >> past & 1)
                odd |= lane;
            else if (s >= tile[k].end || (s >= tile[k].begin && s < tile[k].forced_end))
                even |= lane;
        }
        registers_lower<Code, L>(m);
        registers_step_any<Code, L>(m, n, llr, L::ONE << t % L::TAG_BITS, even, odd);
#pragma unroll
        for (int i = 0; i < Code::S; i++)
            m[i] = n[i];
#pragma unroll
        for (int i = 0; i < 8 * Code::N; i++)
            llr[i] = i + Code::N < 8 * Code::N ? llr[i + Code::N] : 0;
        if (t == 3)
            registers_keep_half<Code, L>(half, m);
    }
}

#endif
