/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop over the blocks that need no care of what is decoded most: streams with two tiles a thread
 * in 8-bit metrics, N = 2, i8 LLRs that begin 4 bytes before a multiple of 16, and traces of
 * REGISTERS_TRACED_STEPS blocks, either from state 0 with sub-frames of one byte or from the best
 * state with sub-frames of three. With K = 7 that is where LLRs begin if those of the frame are
 * aligned to 16 bytes. All else is for the loops of decode.cuh, and survivors and bits are
 * theirs.
 *
 * The ALU is what bounds those. Here it has less to do:
 *
 * - sums that many butterflies share are made once, and then added as the compiler likes best
 * - a look-up is one product, one mask and one load: slots of the ring are byte offsets
 * - a block is one aligned load a tile, since its first four bytes are kept from the one before
 * - traces from the best state, too, are made beside the next block
 */
#ifndef VITERBI_CUDA_REGISTERS_LEAN_CUH
#define VITERBI_CUDA_REGISTERS_LEAN_CUH

#include "plugins/viterbi/cuda/registers/trace.cuh"

/* A test counts the blocks that come this way, by enum registers_kind. */
#ifdef REGISTERS_ON_HOST
static uint64_t registers_lean_blocks[2];
#endif

REGISTERS_FN void registers_lean_count(int kind, uint32_t blocks)
{
#if defined REGISTERS_ON_HOST && !defined __CUDA_ARCH__
    registers_lean_blocks[kind] += blocks;
#else
    (void)kind;
    (void)blocks;
#endif
}

/* Is it of use to kernels with `steps` look-ups a trace beside the next block? (Of K = 5 and 9 streams
 * begin elsewhere.) */
template <class Code, class L> constexpr bool registers_lean_wanted(int kind, int steps)
{
    return L::TILES == 2 && L::TAG_BITS == 8 && Code::N == 2 &&
           (Code::K - 1) * Code::N % 16 == 12 &&
           (kind == REGISTERS_STORED || steps == REGISTERS_TRACED_STEPS);
}

/* Blocks of output a trace, and look-ups. A trace from state 0 begins with the tag of the newest block,
 * which is at hand; held, any trace does. */
template <int KIND> struct registers_lean {
    static constexpr bool ANY = KIND == REGISTERS_ANY;
    static constexpr int OUT = ANY ? 1 : 3;
    static constexpr bool AT_HAND = ANY || REGISTERS_HELD;
    static constexpr int LOOKS = REGISTERS_TRACED_STEPS - AT_HAND;
};

/* ---- One step ------------------------------------------------------------------------------ */

/* The compiler must not know what x is a sum of, or it makes that sum for each butterfly. */
REGISTERS_FN uint32_t registers_opaque(uint32_t x)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(x));
#endif
    return x;
}

/* Branch metrics of a step: labels 2 and 0 as lane addends, labels 1 and 3 as plain ones, and the same
 * with the tag. */
struct registers_lean_branches {
    uint32_t lane[2], lane_tagged[2], plain[2], plain_tagged[2];
};

/* All metrics are lowered so that state 0, which has `metric`, has the base. */
template <class Code, class L>
static REGISTERS_FN void registers_lean_lower(registers_lean_branches *bm, uint32_t metric)
{
    constexpr uint32_t base = L::ONE * L::BASE;
    const uint32_t norm = L::PLAIN ? base - metric
                                   : registers_sum2(~metric & L::METRIC, base + 0x01000100u);

#pragma unroll
    for (int i = 0; i < 2; i++) {
        bm->lane[i] = L::sum(bm->lane[i], norm);
        bm->plain[i] += base - metric;
    }
}

/* pair: the step's LLRs, bytes 0 and 1 of one tile, bytes 2 and 3 of the other. */
template <class Code, class L, bool NORM>
static REGISTERS_FN void registers_lean_set(registers_lean_branches *bm, const uint32_t *m,
                                            uint32_t pair, uint32_t tag)
{
    uint32_t first, second;

    L::split(pair, &first, &second);
    bm->lane[0] = first;
    bm->lane[1] = L::sum(first, second);
    /* L::plain(), off the ALU */
    bm->plain[0] = L::PLAIN ? second : registers_mad_by<-2u>(second, pair & 0x8000u);
    bm->plain[1] = 0;
    if (NORM)
        registers_lean_lower<Code, L>(bm, m[0] & L::METRIC);
#pragma unroll
    for (int i = 0; i < 2; i++) {
        bm->lane_tagged[i] = bm->lane[i] + tag;
        bm->plain_tagged[i] = registers_opaque(bm->plain[i] + tag);
        bm->plain[i] = registers_opaque(bm->plain[i]);
    }
}

/* As registers_step(). */
template <class Code, class L, bool NORM, int T>
static REGISTERS_FN void registers_lean_step(uint32_t *m, uint32_t pair)
{
    /* marked words have the K - 1 bits that are dropped first: registers_lean_clear() */
    constexpr bool marked = L::PLAIN && T < Code::K - 1;
    constexpr uint32_t tag = marked ? 0 : L::ONE << T;
    registers_lean_branches bm;
    uint32_t n[Code::S];

    registers_lean_set<Code, L, NORM>(&bm, m, pair, tag);
#pragma unroll
    for (int j = 0; j < Code::S / 2; j++) {
        constexpr unsigned ones = Code::ONES;
        const unsigned l = Code::label(2 * j);
        const int i = (l & 1 ? ~l & ones : l) == 0;
        const uint32_t a = m[2 * j], b = m[2 * j + 1];
        const bool fixed = i == 1 && !NORM; /* nothing but the tag */
        const uint32_t other = fixed ? tag ? b + tag : b : b + bm.plain_tagged[i];
        const uint32_t with_a = L::add_max(a, bm.lane[i], other);
        const uint32_t with_b = L::add_max(b, bm.lane_tagged[i], fixed ? a : a + bm.plain[i]);
        n[j] = l & 1 ? with_b : with_a;
        n[j + Code::S / 2] = l & 1 ? with_a : with_b;
    }
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = n[s];
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

/* Both tiles': the first four bytes of the next block, the twelve others and the four behind them, and
 * what comes then. */
struct registers_lean_input {
    uint32_t kept[2];
    uint4 piece[2];
    const uint8_t *at[2];
};

/* Begins to load a block. */
template <class Code>
static REGISTERS_FN void registers_lean_seek(registers_lean_input *in, const registers_tile *tile,
                                             uint32_t block)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const uint8_t *llr = tile[k].llr + (tile[k].first + 8 * (int64_t)block) * Code::N;
        in->kept[k] = *(const uint32_t *)llr;
        in->at[k] = llr + 4;
        in->piece[k] = registers_read((const uint4 *)in->at[k]);
    }
}

/* A word a step out of the words of both tiles. Were they not made at once, what is loaded would need
 * registers of its own. */
REGISTERS_FN void registers_lean_pairs(const registers_job &job, const uint32_t *a,
                                       const uint32_t *b, uint32_t *pair)
{
#pragma unroll
    for (int t = 0; t < 8; t++) {
        pair[t] = registers_perm(a[t / 2], b[t / 2], job.order.pair[t % 2]);
#ifdef __CUDA_ARCH__
        asm volatile("" : "+r"(pair[t]));
#endif
    }
}

/* Takes the LLRs of a block, a word a step, and begins to load the next one, up to 20 bytes over the
 * end of the LLRs; see registers_plain_blocks(). */
static REGISTERS_FN void registers_lean_take(const registers_job &job, registers_lean_input *in,
                                             uint32_t *pair)
{
    const uint32_t a[4] = {in->kept[0], in->piece[0].x, in->piece[0].y, in->piece[0].z};
    const uint32_t b[4] = {in->kept[1], in->piece[1].x, in->piece[1].y, in->piece[1].z};

    registers_lean_pairs(job, a, b, pair);
#pragma unroll
    for (int k = 0; k < 2; k++) {
        in->kept[k] = in->piece[k].w;
        in->at[k] += 16;
        in->piece[k] = registers_read((const uint4 *)in->at[k]);
    }
}

/* Are traces of this kind, and the tiles' LLRs where the loop wants them, in all threads of the warp? */
template <class Code, int KIND>
static REGISTERS_FN bool registers_lean_fits(const registers_job &job, const registers_tile *tile)
{
    constexpr uint32_t each = registers_lean<KIND>::OUT;
    bool other = job.out_blocks != each || job.skip + each != REGISTERS_TRACED_STEPS;

#pragma unroll
    for (int k = 0; k < 2; k++)
        other = other ||
                (((uintptr_t)tile[k].llr + (uintptr_t)(tile[k].first * Code::N)) & 15) != 12;
    return !registers_warp_any(other);
}

/* ---- The ring ------------------------------------------------------------------------------ */

/* Of a thread: byte offsets of its first and last slot, and of that of the newest block in the ring. global: what the last
 * slot's offset is added to, if it is in device memory. */
struct registers_lean_ring {
    uint8_t *bytes, *global;
    uint32_t first, last, newest;
};

/* A byte of slot `at`. Two loads of which one is done: a pointer to either kind of memory would take more instructions. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_lean_load(const registers_lean_ring &ring, uint32_t at,
                                                 uint32_t place)
{
    if constexpr (!registers_ring<Code, L>::GLOBAL_SLOT)
        return ring.bytes[place];
#ifdef __CUDA_ARCH__
    uint32_t x;

    asm volatile("{\n.reg .pred far;\nsetp.eq.u32 far, %1, %2;\n@far ld.global.u8 %0, [%3];\n"
                 "@!far ld.shared.u8 %0, [%4];\n}"
                 : "=r"(x)
                 : "r"(at), "r"(ring.last), "l"(ring.global + place),
                   "r"((uint32_t)__cvta_generic_to_shared(ring.bytes) + place)
                 : "memory");
    return x;
#else
    return at == ring.last ? ring.global[place] : ring.bytes[place];
#endif
}

/* Where slot `at` is. */
template <class Code, class L>
static REGISTERS_FN uint8_t *registers_lean_slot(const registers_lean_ring &ring, uint32_t at)
{
    return registers_ring<Code, L>::GLOBAL_SLOT && at == ring.last ? ring.global + at
                                                                   : ring.bytes + at;
}

/* min(a + b, c); a sum below 0 is large. */
REGISTERS_FN uint32_t registers_min_of_sum(uint32_t a, uint32_t b, uint32_t c)
{
    return __viaddmin_u32(a, b, c);
}

/* The slot before. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_lean_before(const registers_lean_ring &ring, uint32_t at)
{
    return registers_min_of_sum(at, 0u - registers_ring<Code, L>::BLOCK, ring.last);
}

/*
 * Before a block. With plain additions no step but the last two need add tags: the K - 1 bits that are
 * dropped first are the state before the block, and each word begins with that in the tag's place. Ties
 * fall as with tags: of two paths that meet, all bits of those states above the dropped one are equal.
 */
template <class Code, class L, bool MARK> static REGISTERS_FN void registers_lean_clear(uint32_t *m)
{
    uint32_t metric = L::METRIC;

#ifdef __CUDA_ARCH__
    asm("" : "+r"(metric)); /* a register, so that one operation does both */
#endif
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = MARK ? (m[s] & metric) | L::ONE * s : m[s] & L::METRIC;
}

/* Keeps the tags of a block and clears them. */
template <class Code, class L, bool MARK>
static REGISTERS_FN void registers_lean_keep(uint8_t *at, uint32_t *m)
{
    typedef registers_ring<Code, L> ring;

#pragma unroll
    for (int c = 0; c < ring::CHUNKS; c++)
        *(uint4 *)(at + c * ring::CHUNK) = L::pack(m + c * L::CHUNK);
    registers_lean_clear<Code, L, MARK>(m);
}

/* The same in two parts. */
template <class Code, class L, bool MARK>
static REGISTERS_FN void registers_lean_hold(registers_held<Code, L> *held, uint32_t *m)
{
    registers_hold<Code, L>(held, m);
    registers_lean_clear<Code, L, MARK>(m);
}

template <class Code, class L>
static REGISTERS_FN void registers_lean_store(const registers_held<Code, L> &held, uint8_t *at)
{
    typedef registers_ring<Code, L> ring;

#pragma unroll
    for (int c = 0; c < ring::CHUNKS; c++)
        *(uint4 *)(at + c * ring::CHUNK) = held.piece[c];
}

/* The opposite. */
template <class Code, class L>
static REGISTERS_FN void registers_lean_recall(const uint8_t *at, uint32_t *m)
{
    typedef registers_ring<Code, L> ring;

#pragma unroll
    for (int s = 0; s < Code::S; s++)
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            m[s] |= (uint32_t)at[s / L::CHUNK * ring::CHUNK + s % L::CHUNK * L::TILES + k]
                    << 16 * k;
}

/*
 * A look-up in both tiles in slot `at`, afterwards the one before. A product puts the state's low bits
 * in place, which count within a chunk, and the high ones, which count chunks.
 */
template <class Code, class L>
static REGISTERS_FN void registers_lean_back(const registers_lean_ring &ring, uint32_t *at,
                                             uint32_t *tag)
{
    constexpr uint32_t low = L::CHUNK - 1, high = (Code::S - 1) & ~low;
    constexpr uint32_t stride = registers_ring<Code, L>::CHUNK / L::CHUNK;
    constexpr uint32_t mask = low * L::TILES | high * stride;
    constexpr bool apart = stride >= 256 * L::TILES; /* the product of a byte carries nothing */
    constexpr bool power = (stride & (stride - 1)) == 0;

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        const uint32_t state = apart ? tag[k] : tag[k] & (Code::S - 1);
        const uint32_t place = power ? (state * (L::TILES + stride) & mask) | *at
                                     : *at + (state & high) * stride + (state & low) * L::TILES;
        tag[k] = registers_lean_load<Code, L>(ring, *at, place + k);
    }
    *at = registers_lean_before<Code, L>(ring, *at);
}

/* ---- Traces -------------------------------------------------------------------------------- */

/* Traces of the loop. ANY: output bytes on their way to words, filled from above. */
struct registers_lean_traces {
    uint32_t word[2], byte; /* ANY; byte: the next one's number */
    uint32_t from;          /* ANY: blocks after later ones have output */
    uint32_t left;          /* STORED: blocks until a trace is due */
    uint32_t tag[2];        /* where the next look-up begins */
    bool pending;           /* it is one of a trace with output */
};

/* Before a block; all traces of those before it have been made. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_lean_open(const registers_job &job, uint32_t block,
                                             const registers_collector<L> &out,
                                             registers_lean_traces *t)
{
    constexpr uint32_t each = registers_lean<KIND>::OUT;
    const uint32_t first = job.delay + each - 1; /* after this block is the first trace */

    *t = {};
    t->byte = out.byte + out.fill;
    t->from = block > job.delay ? block : job.delay;
    /* the block before is the first one that is asked for */
    t->left = 1 + (block > first ? (each - (block - first) % each) % each : first - block);
#pragma unroll
    for (int k = 0; k < 2; k++)
        t->word[k] = out.fill ? (uint32_t)out.bytes[k] << (32 - 8 * out.fill) : 0;
}

/* The same of words that are marked with their state, by maxima of two. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_lean_best_marked(const uint32_t *m)
{
    uint32_t best[8];

#pragma unroll
    for (int s = 0; s < Code::S; s++) {
        const uint32_t x = m[s] ^ L::ONE * (Code::S - 1);
        best[s % 8] = s < 8 ? x : L::add_max(x, 0, best[s % 8]);
    }
#pragma unroll
    for (int n = 4; n > 0; n /= 2)
#pragma unroll
        for (int i = 0; i < n; i++)
            best[i] = L::add_max(best[i], 0, best[i + n]);
    return best[0];
}

/* As registers_best_tagged(), where m is cleared, or MARKed with its state. Four maxima need not wait for each other. */
template <class Code, class L, bool MARK>
static REGISTERS_FN uint32_t registers_lean_best(const uint32_t *m)
{
    uint32_t best[4] = {0};

    if constexpr (MARK)
        return registers_lean_best_marked<Code, L>(m);
#pragma unroll
    for (int s = 0; s < Code::S; s += 8)
#pragma unroll
        for (int i = 0; i < 4; i++)
            best[i] = L::max3(best[i], m[s + 2 * i] + L::ONE * (Code::S - 1 - s - 2 * i),
                              m[s + 2 * i + 1] + L::ONE * (Code::S - 2 - s - 2 * i));
    best[0] = L::max3(best[0], best[1], best[2]);
    return L::max3(best[0], best[0], best[3]);
}

/* STORED: is a trace due when `block` blocks are done, and where does it begin? m: cleared or MARKed. */
template <class Code, class L, bool MARK>
static REGISTERS_FN void registers_lean_begin(const registers_tile *tile, uint32_t block,
                                              const uint32_t *m, const uint32_t *last,
                                              registers_lean_traces *t)
{
    t->pending = t->left == 0;
    if (t->pending) {
        const uint32_t best = registers_lean_best<Code, L, MARK>(m);
#pragma unroll
        for (int k = 0; k < 2; k++)
            t->tag[k] = registers_first_state<Code>(tile[k], 8 * block,
                                                    Code::S - 1 - L::tag(best, k), last[k]);
    }
    t->left = t->pending ? registers_lean<REGISTERS_STORED>::OUT - 1 : t->left - 1;
}

/* Keeps the newest of `block` blocks that are done, and begins the trace behind it; MARK: for the next one. */
template <class Code, class L, int KIND, bool MARK>
static REGISTERS_FN void registers_lean_close(const registers_tile *tile, uint32_t block,
                                              const registers_lean_ring &ring, uint32_t *m,
                                              const uint32_t *last, registers_lean_traces *t,
                                              registers_held<Code, L> *held = NULL)
{
    constexpr bool any = registers_lean<KIND>::ANY;

    if (any) {
#pragma unroll
        for (int k = 0; k < 2; k++)
            t->tag[k] = L::tag(m[0], k);
    }
    if (registers_ring<Code, L>::HELD && held != NULL)
        registers_lean_hold<Code, L, MARK>(held, m);
    else
        registers_lean_keep<Code, L, MARK>(registers_lean_slot<Code, L>(ring, ring.newest), m);
    if (any)
        t->pending = block > t->from;
    else
        registers_lean_begin<Code, L, MARK>(tile, block, m, last, t);
    if (registers_ring<Code, L>::HELD && held != NULL && !any && t->pending) {
#pragma unroll
        for (int k = 0; k < 2; k++)
            t->tag[k] = registers_held_tag<Code, L>(*held, t->tag[k], k);
    }
}

/* Puts out what a trace has found, if it is one. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_lean_emit(const registers_job &job, const registers_tile *tile,
                                             const uint32_t (*found)[2], registers_lean_traces *t,
                                             registers_collector<L> *out)
{
    typedef registers_lean<KIND> lean;

    if (!t->pending)
        return;
    if (lean::ANY) {
        registers_collect_byte<L>(job, tile, t->word, &t->byte, found[lean::LOOKS - 1]);
    } else {
        uint32_t group[2] = {0};
#pragma unroll
        for (int i = lean::LOOKS - lean::OUT; i < lean::LOOKS; i++)
#pragma unroll
            for (int k = 0; k < 2; k++)
                group[k] = group[k] << 8 | found[i][k];
        registers_collect<L>(job, tile, out, group, lean::OUT);
    }
}

/* After the last block: makes the trace that is pending, and hands over to the loops behind. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_lean_end(const registers_job &job, const registers_tile *tile,
                                            const registers_lean_ring &ring, uint32_t slot,
                                            registers_lean_traces *t, registers_collector<L> *out)
{
    if (registers_lean<KIND>::ANY) {
        out->fill = t->byte & 3;
        out->byte = t->byte - out->fill;
#pragma unroll
        for (int k = 0; k < 2; k++)
            out->bytes[k] = out->fill ? t->word[k] >> (32 - 8 * out->fill) : 0;
    }
    if (t->pending)
        registers_trace<Code, L, registers_ring<Code, L>::HELD ? REGISTERS_ANY : KIND>(
            job, tile, ring.bytes + ring.first, (slot == 0 ? job.ring : slot) - 1, t->tag, out);
}

/* ---- The loop ------------------------------------------------------------------------------ */

/* A step and the look-up beside it. */
template <class Code, class L, int KIND, int T>
static REGISTERS_FN void registers_lean_turn(uint32_t *m, uint32_t pair,
                                             const registers_lean_ring &ring, uint32_t *at,
                                             uint32_t *tag, uint32_t (*found)[2])
{
    registers_lean_step<Code, L, T % 4 == 0, T>(m, pair);
    if (T < registers_lean<KIND>::LOOKS) {
        registers_lean_back<Code, L>(ring, at, tag);
        registers_copy<L>(found[T], tag);
    }
}

/* A block of steps and the trace beside it. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_lean_block(uint32_t *m, const uint32_t *pair,
                                              const registers_lean_ring &ring, uint32_t *tag,
                                              uint32_t (*found)[2])
{
    uint32_t at = ring.newest;

    if (registers_lean<KIND>::AT_HAND && !registers_ring<Code, L>::HELD)
        at = registers_lean_before<Code, L>(ring, at);
    registers_lean_turn<Code, L, KIND, 0>(m, pair[0], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 1>(m, pair[1], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 2>(m, pair[2], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 3>(m, pair[3], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 4>(m, pair[4], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 5>(m, pair[5], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 6>(m, pair[6], ring, &at, tag, found);
    registers_lean_turn<Code, L, KIND, 7>(m, pair[7], ring, &at, tag, found);
}

/*
 * Blocks [block, to), at least one. The tags of a block stay in the metrics until the next one's LLRs
 * have been taken, the faster order: those of the block before are fetched back first. (Before block
 * 0 they mean nothing, but no trace with output comes that far.)
 *
 * here: the slot of the block that is computed. Held, the newest block is in no slot: the one that is
 * the newest of the ring is the block before it.
 */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_lean_run(const registers_job &job, const registers_tile *tile,
                                            uint32_t block, uint32_t to, uint8_t *bytes,
                                            uint32_t thread, uint32_t *slot, uint32_t *m,
                                            const uint32_t *last, registers_collector<L> *out)
{
    typedef registers_ring<Code, L> R;
    const uint32_t first = thread * R::PIECE;
    const uint32_t end = first + (job.ring - 1) * R::BLOCK;
    registers_lean_ring ring = {bytes, bytes, first, end, 0};
    uint32_t here = first + *slot * R::BLOCK;
    registers_lean_input in;
    registers_lean_traces traces;
    registers_held<Code, L> held;

    registers_lean_count(KIND, to - block);
    if (R::GLOBAL_SLOT)
        ring.global = registers_global_slot<Code, L>(job) - end;
    ring.newest = registers_lean_before<Code, L>(ring, here);
    registers_lean_open<Code, L, KIND>(job, block, *out, &traces);
    registers_lean_seek<Code>(&in, tile, block);
    registers_lean_recall<Code, L>(registers_lean_slot<Code, L>(ring, ring.newest), m);
    if (R::HELD) {
        here = ring.newest;
        ring.newest = registers_lean_before<Code, L>(ring, here);
    }
#pragma unroll 1
    for (; block < to; block++) {
        uint32_t pair[8], found[registers_lean<KIND>::LOOKS][2];

        registers_lean_take(job, &in, pair);
        registers_lean_close<Code, L, KIND, L::PLAIN>(tile, block, ring, m, last, &traces, &held);
        registers_lean_block<Code, L, KIND>(m, pair, ring, traces.tag, found);
        registers_lean_emit<Code, L, KIND>(job, tile, found, &traces, out);
        if (R::HELD)
            registers_lean_store<Code, L>(held, registers_lean_slot<Code, L>(ring, here));
        ring.newest = here;
        here += R::BLOCK;
        here = registers_min_of_sum(here, 0u - job.ring * R::BLOCK, here);
    }
    *slot = (here - first) / R::BLOCK;
    if (R::HELD) { /* traced before it takes the oldest block's place */
        registers_lean_close<Code, L, KIND, false>(tile, block, ring, m, last, &traces, &held);
        registers_lean_end<Code, L, KIND>(job, tile, ring, *slot + 1, &traces, out);
        registers_lean_store<Code, L>(held, registers_lean_slot<Code, L>(ring, here));
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    } else {
        registers_lean_close<Code, L, KIND, false>(tile, block, ring, m, last, &traces);
        registers_lean_end<Code, L, KIND>(job, tile, ring, *slot, &traces, out);
    }
}

#endif
