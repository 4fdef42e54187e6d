/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers round the iterations: LLRs in, bits out, when to stop.
 *
 * Shared memory behind a decoder's own: flags of the code blocks, the barrier of the bulk copies,
 * the staging area with the LLRs of the next 2 G code blocks, which come while these are decoded. A
 * decoder without that area (STAGED: registers_flood.cuh) reads them where they are, from L2.
 *
 * Syndrome: rows from 4 on are checked as they are taken, with the LLRs that they leave behind (and
 * that of their own column, which is nowhere else); rows 0 to 3, whose columns go on changing, at
 * the end of the iteration, and only if they, too, were right as they were taken. A code block's
 * bits are those of the iteration in which it converged, whatever its neighbours do. With flooding no
 * column has its LLR before the iteration's end: rows 0 to 3 are checked then, and the others if these
 * are right.
 */
#ifndef LDPC_CUDA_REGISTERS_KERNEL_CUH
#define LDPC_CUDA_REGISTERS_KERNEL_CUH

#include <fecrun/plugin.h>

#include "plugins/ldpc/cuda/registers_row.cuh"

namespace ldpc_registers
{

/* Flags, a byte a code block each: checks that do not hold, of which rows; it has its bits. */
enum { BAD_CORE, BAD_OTHERS, BAD_END, ENDED, N_FLAGS };

constexpr int FLAGS = LDPC_REGISTERS_FLAGS;
static_assert(FLAGS == N_FLAGS * LDPC_REGISTERS_LANES, "a byte each");
constexpr uint32_t KNOWN_ZERO = 0x6400; /* 1024: LLR of a filler, a half */

/* Bytes in places 0 and 2 of each word to halves; -128 is read as -127. */
FECRUN_ON_DEVICE uint32_t to_half(uint32_t bytes)
{
    const uint32_t w = (bytes & 0x00ff00ff) ^ 0x64806480; /* 1024 + 128 + x */

    return larger(subtract(w, 0x64806480), 0xd7f0d7f0);
}

/*
 * The 2 G code blocks of an item and where their LLRs are. A thread's own pair is `pair`, its lane
 * in it `lane`.
 */
template <class D> struct item {
    char *memory;
    const ldpc_registers_work &work;
    uint32_t t, pair, lane, first; /* first: frame */
    uint32_t ended;                /* LONE: of both code blocks, a bit each */

    FECRUN_MEMBER item(char *sm, const ldpc_registers_work &w, uint32_t thread)
        : memory(sm), work(w), t(thread), pair(thread % pairs_of(w)), lane(thread / pairs_of(w)),
          first(0), ended(0)
    {
    }

    /* Known to the compiler where the kernel is for one lifting size. */
    FECRUN_MEMBER static uint32_t pairs_of(const ldpc_registers_work &w)
    {
        return D::PAIRS ? D::PAIRS : w.pairs;
    }

    FECRUN_MEMBER uint8_t *flag(int which) const
    {
        return (uint8_t *)memory + D::END + which * LDPC_REGISTERS_LANES;
    }

    FECRUN_MEMBER uint64_t *barrier() const
    {
        return (uint64_t *)(memory + D::END + FLAGS);
    }

    FECRUN_MEMBER char *staged(uint32_t block) const
    {
        return memory + D::END + FLAGS + LDPC_REGISTERS_ALIGN + block * work.slot;
    }

    FECRUN_MEMBER const int8_t *source(uint32_t frame) const
    {
        return work.in + frame * work.in_stride;
    }

    /* Its place in the staging area: copies begin at multiples of 16 bytes. */
    FECRUN_MEMBER const char *llrs(uint32_t block) const
    {
        if constexpr (!D::STAGED) {
            const uint32_t frame = first + block;

            return (const char *)source(frame < work.frames ? frame : work.frames - 1);
        }
        return staged(block) + ((uintptr_t)source(first + block) & (LDPC_REGISTERS_ALIGN - 1));
    }

    FECRUN_MEMBER uint32_t *word(uint32_t col, uint32_t at) const
    {
        return (uint32_t *)(memory + D::COLUMN * col) + at;
    }

    /* The lane of a column that is first in memory. */
    FECRUN_MEMBER uint32_t base(uint32_t col) const
    {
        if constexpr (D::TABLE)
            return ((const uint32_t *)(memory + D::SHIFTS))[col];
        return 0;
    }

    /* The lane of row r that thread 0 takes. */
    FECRUN_MEMBER uint32_t turn(uint32_t row) const
    {
        if constexpr (D::TABLE)
            return base(D::G::CORE + row);
        return work.turn[row - D::G::CORE_ROWS];
    }

    FECRUN_MEMBER uint32_t wrap(uint32_t lane) const
    {
        return lane < work.z ? lane : lane - work.z;
    }

    /* Lane j of a column of code block `block`: both code blocks of a pair. */
    FECRUN_MEMBER uint32_t llr(uint32_t col, uint32_t j, uint32_t block) const
    {
        if constexpr (D::TABLE)
            j = wrap(j + work.z - base(col));
        return *word(col, j * work.pairs + block / 2);
    }

    FECRUN_MEMBER void fetch(uint32_t frame) const
    {
        const uint32_t left = work.frames > frame ? work.frames - frame : 0;
        const uint32_t n = left < D::FRAMES * work.pairs ? left : D::FRAMES * work.pairs;
        const void *from = (const void *)((uintptr_t)source(frame + t) &
                                          ~(uintptr_t)(LDPC_REGISTERS_ALIGN - 1));

        if constexpr (!D::STAGED) {
            if (t < n)
                prefetch(from, work.slot);
            return;
        }
        if (t == 0 && n)
            barrier_expect(barrier(), n * work.slot);
        if (t < n)
            copy_bulk(staged(t), from, work.slot, barrier());
    }

    /* For LLRs that have been fetched. */
    FECRUN_MEMBER void wait(uint32_t phase) const
    {
        if constexpr (D::STAGED)
            barrier_wait(barrier(), phase);
    }

    /* Bytes of both code blocks, four lanes each. */
    FECRUN_MEMBER static void widen(uint32_t *d, uint32_t u, uint32_t v)
    {
        d[0] = to_half(__byte_perm(u, v, 0x0400));
        d[1] = to_half(__byte_perm(u, v, 0x0501));
        d[2] = to_half(__byte_perm(u, v, 0x0602));
        d[3] = to_half(__byte_perm(u, v, 0x0703));
    }

    /* Four lanes of a column, from lane j on, modulo z. */
    FECRUN_MEMBER static uint32_t turned(const char *from, uint32_t j, uint32_t z)
    {
        const uint32_t low = j & ~3u, high = low + 4 < z ? low + 4 : 0;

        return __funnelshift_r(*(const uint32_t *)(from + low), *(const uint32_t *)(from + high),
                               8 * (j & 3));
    }

    /* Four lanes at a time; z = lanes, a multiple of 8, and LLRs at multiples of four bytes. */
    FECRUN_MEMBER void read_quads() const
    {
        constexpr int SENT = D::G::CORE - D::G::PUNCTURED, CORE = (SENT + 3) / 4; /* of a thread */
        const uint32_t z = work.lanes, quarter = t / (z / 4), j = 4 * (t - quarter * (z / 4));
        const char *a = llrs(0), *b = llrs(1);
        uint32_t u[CORE], v[CORE], d[4];

        for (int i = 0; i < CORE; i++) {
            if (4 * i + 3 >= SENT && 4 * i + quarter >= SENT)
                break;
            if constexpr (D::TABLE) {
                const uint32_t c = 4 * i + quarter, x = wrap(j + base(D::G::PUNCTURED + c));

                u[i] = turned(a + c * z, x, z);
                v[i] = turned(b + c * z, x, z);
            } else {
                u[i] = *(const uint32_t *)(a + (4 * i + quarter) * z + j);
                v[i] = *(const uint32_t *)(b + (4 * i + quarter) * z + j);
            }
        }
        for (int i = 0; i < CORE; i++) {
            if (4 * i + 3 >= SENT && 4 * i + quarter >= SENT)
                break;
            widen(d, u[i], v[i]);
            *(uint4 *)word(D::G::PUNCTURED + 4 * i + quarter, j) = make_uint4(d[0], d[1], d[2],
                                                                              d[3]);
        }
#pragma unroll 4
        for (uint32_t r = D::G::CORE_ROWS + quarter; r < D::ALL_ROWS; r += 4) {
            const uint32_t c = D::G::CORE - D::G::CORE_ROWS + r;
            uint32_t x = wrap(j + turn(r)), y = 0, w = 0;

            if (r < work.rows) {
                y = turned(llrs(0) + (c - D::G::PUNCTURED) * z, x, z);
                w = turned(llrs(1) + (c - D::G::PUNCTURED) * z, x, z);
            }
            widen(d, y, w);
            if constexpr (D::FLOODING)
                for (uint32_t i = 0; i < 4; i++)
                    D::keep_own(memory, r, j + i, d[i]);
            else
                *(uint4 *)word(c, j) = make_uint4(d[0], d[1], d[2], d[3]);
        }
    }

    FECRUN_MEMBER uint32_t both_bytes(const char *a, const char *b, uint32_t at) const
    {
        return to_half((uint8_t)a[at] | (uint32_t)(uint8_t)b[at] << 16);
    }

    FECRUN_MEMBER void read_bytes() const
    {
        const char *a = llrs(2 * pair), *b = llrs(2 * pair + 1);

#pragma unroll 8
        for (uint32_t c = D::G::PUNCTURED; c < D::G::CORE; c++)
            *word(c, t) = both_bytes(a, b, (c - D::G::PUNCTURED) * work.z + wrap(lane + base(c)));
#pragma unroll 4
        for (uint32_t r = D::G::CORE_ROWS; r < D::ALL_ROWS; r++) {
            const uint32_t c = D::G::CORE - D::G::CORE_ROWS + r;
            const uint32_t j = (c - D::G::PUNCTURED) * work.z + wrap(lane + turn(r));

            D::keep_own(memory, r, t, r < work.rows ? both_bytes(a, b, j) : 0);
        }
    }

    /* ---- HALF: both lanes of a thread ---- */

    /* Lane j of a column that is read from `from` on, and the one half a turn on. */
    FECRUN_MEMBER uint32_t both_lanes(const char *from, uint32_t j) const
    {
        return both_bytes(from, from + (int32_t)(j < D::MIDDLE ? D::MIDDLE : -D::MIDDLE), j);
    }

    /* Both places of the thread in a column: in the other one halves are exchanged. */
    FECRUN_MEMBER void put_both(uint32_t col, uint32_t llr) const
    {
        *word(col, t) = llr;
        *word(col, t + D::MIDDLE) = __byte_perm(llr, llr, 0x1032);
    }

    FECRUN_MEMBER void read_halves() const
    {
        const char *a = llrs(0);

#pragma unroll 8
        for (uint32_t c = D::G::PUNCTURED; c < D::G::CORE; c++)
            put_both(c, both_lanes(a + (c - D::G::PUNCTURED) * work.z, wrap(t + base(c))));
#pragma unroll 4
        for (uint32_t r = D::G::CORE_ROWS; r < D::ALL_ROWS; r++) {
            const uint32_t c = D::G::CORE - D::G::CORE_ROWS + r;
            const char *from = a + (c - D::G::PUNCTURED) * work.z;

            D::keep_own(memory, r, t, r < work.rows ? both_lanes(from, wrap(t + turn(r))) : 0);
        }
    }

    /* The same thread has read what becomes zeros. */
    FECRUN_MEMBER void read_half_fillers() const
    {
        for (uint32_t c = work.bits / work.z; c < D::G::INFO; c++) {
            const uint32_t j = wrap(t + base(c)), first = c * work.z;
            const uint32_t low = first + j >= work.bits;
            const uint32_t high = first + wrap(j + D::MIDDLE) >= work.bits;
            const uint32_t mask = (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0);

            put_both(c, (*word(c, t) & ~mask) | (KNOWN_ZERO * 0x10001u & mask));
        }
    }

    /* ---- */

    /* Fillers are known zeros: after a barrier. */
    FECRUN_MEMBER void read_fillers() const
    {
        for (uint32_t c = work.bits / work.z; c < D::G::INFO; c++)
            if (c * work.z + wrap(lane + base(c)) >= work.bits)
                *word(c, t) = KNOWN_ZERO * 0x10001u;
    }

    /* ---- Bits out ---- */

    FECRUN_MEMBER uint32_t last_mask(uint32_t byte) const
    {
        return 8 * byte + 8 <= work.bits ? 0xff : 0xff00 >> (work.bits & 7) & 0xff;
    }

    /* Eight lanes of both code blocks at a time. */
    FECRUN_MEMBER void write_eights(bool last) const
    {
        const uint32_t z = work.lanes, eighth = t / (z / 8), j = 8 * (t - eighth * (z / 8));
        const bool ends0 = ends(0, last), ends1 = ends(1, last);
        uint8_t *out = work.out + first * work.out_stride;

        for (uint32_t c = eighth; c < D::G::INFO; c += 8) {
            const uint32_t byte = (c * z + j) / 8;
            const uint4 a = *(const uint4 *)word(c, j), b = *(const uint4 *)word(c, j + 4);
            const uint32_t w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
            uint32_t bits = 0;

            if (8 * byte >= work.bits)
                break;
#pragma unroll
            for (int i = 7; i >= 0; i--)
                bits = (bits >> 1 & 0x7fff7fff) | (w[i] & 0x80008000);
            if (ends0)
                out[byte] = (uint8_t)(bits >> 8 & last_mask(byte));
            if (ends1)
                out[work.out_stride + byte] = (uint8_t)(bits >> 24 & last_mask(byte));
        }
    }

    /* A word of bits, the first one at the top; what lies behind the last bit is not written. */
    FECRUN_MEMBER void write_word(uint8_t *out, uint32_t byte, uint32_t bits) const
    {
        if (8 * byte + 32 <= work.bits && !((uintptr_t)(out + byte) & 3)) {
            *(uint32_t *)(out + byte) = __byte_perm(bits, 0, 0x0123);
            return;
        }
        for (uint32_t i = byte; i < byte + 4 && 8 * i < work.bits; i++, bits <<= 8)
            out[i] = (uint8_t)(bits >> 24 & last_mask(i));
    }

    /* A lane of all columns each, 32 lanes of a column at a time; which: code blocks, a bit each. */
    FECRUN_MEMBER void write_columns(const D &d, uint32_t which) const
    {
        const uint32_t own = t % 32;
        uint8_t *out = work.out + first * work.out_stride;
        uint32_t bits0 = 0, bits1 = 0;

        each<D::G::INFO>([&](auto C) {
            const uint32_t w = d.template column_lane<C>();
            const uint32_t b0 = __ballot_sync(~0u, w & 0x8000), b1 = __ballot_sync(~0u, w >> 31);

            bits0 = own == C ? b0 : bits0;
            bits1 = own == C ? b1 : bits1;
        });
        if (own >= D::G::INFO)
            return;
        if constexpr (D::HALF)
            write_word(out, (own * work.z + D::MIDDLE + t - own) / 8, __brev(bits1));
        if (which & 1)
            write_word(out, (own * work.z + t - own) / 8, __brev(bits0));
        if (which & 2)
            write_word(out + work.out_stride, (own * work.z + t - own) / 8, __brev(bits1));
    }

    FECRUN_MEMBER void write_bytes(bool last) const
    {
        const uint32_t bytes = (work.bits + 7) / 8;

        for (uint32_t i = t; i < 2 * work.pairs * bytes; i += work.lanes) {
            /* neighbours take neighbouring pairs, whose lanes lie in different banks */
            const uint32_t byte = i / (2 * work.pairs), block = i - byte * 2 * work.pairs;
            uint32_t c = 8 * byte / work.z, j = 8 * byte - c * work.z, bits = 0;

            if (!ends(block, last))
                continue;
            for (int n = 0; n < 8; n++) {
                bits = 2 * bits;
                if (c < D::G::INFO)
                    bits |= llr(c, j, block) >> (block & 1 ? 31 : 15) & 1;
                c += ++j == work.z;
                j = j == work.z ? 0 : j;
            }
            work.out[(first + block) * work.out_stride + byte] = (uint8_t)(bits & last_mask(byte));
        }
    }

    /* Anything of the information bits? As a rule the first LLR says so. */
    FECRUN_MEMBER bool known(uint32_t block) const
    {
        for (uint32_t c = 0, j = 0, bit = 0; bit < work.bits; bit++) {
            if (llr(c, j, block) >> 16 * (block & 1) & 0x7fff)
                return true;
            c += ++j == work.z;
            j = j == work.z ? 0 : j;
        }
        return false;
    }

    FECRUN_MEMBER void write_info(uint32_t block, uint32_t iterations, bool good) const
    {
        struct fecrun_frame_info *info = work.info + first + block;

        /* operations on memory, so that nobody waits for what it holds */
        atomicAnd(&info->flags, ~(uint32_t)FECRUN_FAILED);
        atomicOr(&info->flags, FECRUN_CHECKED | (good && known(block) ? 0 : FECRUN_FAILED));
        info->iterations = iterations;
    }

    /* ---- Stop? ---- */

    FECRUN_MEMBER void note(int which, uint32_t bad) const
    {
        if (bad & 0x8000)
            flag(which)[2 * pair] = 1;
        if (bad & 0x80000000u)
            flag(which)[2 * pair + 1] = 1;
    }

    FECRUN_MEMBER bool promising(uint32_t block) const
    {
        return !(flag(BAD_CORE)[block] | flag(BAD_OTHERS)[block] | flag(ENDED)[block]);
    }

    FECRUN_MEMBER bool good(uint32_t block) const
    {
        return !(flag(BAD_OTHERS)[block] | flag(BAD_END)[block]);
    }

    /* With this iteration? A look for a neighbour's sake does not end it before it would alone. */
    FECRUN_MEMBER bool ends(uint32_t block, bool last) const
    {
        return last ? !flag(ENDED)[block] : good(block) && promising(block);
    }

    FECRUN_MEMBER void clear(uint32_t block) const
    {
        flag(BAD_CORE)[block] = flag(BAD_OTHERS)[block] = flag(BAD_END)[block] = 0;
    }

    /* Some code blocks may have ended: true if all have. */
    FECRUN_MEMBER bool end(uint32_t iterations, bool last) const
    {
        bool ended = true;

        __syncthreads();
        if (!D::TABLE && work.quads)
            write_eights(last);
        else
            write_bytes(last);
        if (t < 2 * work.pairs) {
            if (ends(t, last))
                write_info(t, iterations, good(t));
            else
                ended = flag(ENDED)[t];
        }
        __syncthreads();
        if (t < 2 * work.pairs) {
            flag(ENDED)[t] = ended;
            clear(t);
        }
        return last || __syncthreads_and(ended);
    }

    /* Not the last iteration: has some code block not yet shown a check that does not hold? */
    FECRUN_MEMBER bool any_promising() const
    {
        if (__syncthreads_or(promising(2 * pair) || promising(2 * pair + 1)))
            return true;
        if (t < 2 * work.pairs)
            clear(t);
        return false;
    }

    /* The end of an iteration with checks, and its barrier; true: all code blocks have ended. */
    FECRUN_MEMBER bool judge(D &d, uint32_t iterations) const
    {
        const bool last = iterations == work.iterations;

        d.give_wrapped();
        if constexpr (D::FLOODING) {
            __syncthreads();
            note(last ? BAD_END : BAD_CORE, d.core_parity());
        } else {
            note(BAD_CORE, d.bad_core);
            note(BAD_OTHERS, d.bad_others);
        }
        __syncthreads();
        if (!last && !any_promising())
            return false;
        if constexpr (D::FLOODING)
            note(BAD_END, d.others_parity());
        else
            note(BAD_END, d.core_parity());
        return end(iterations, last);
    }

    /* ---- Stop, where all threads have the same pair? All of them see the same flags. ---- */

    /* Of iteration i: two code blocks' BAD_CORE, then BAD_OTHERS. Two such words in turn. */
    FECRUN_MEMBER uint32_t *checks(uint32_t i) const
    {
        return (uint32_t *)flag(0) + i % 2;
    }

    /* Both code blocks' BAD_END. */
    FECRUN_MEMBER uint32_t *end_checks() const
    {
        return (uint32_t *)flag(0) + 2;
    }

    FECRUN_MEMBER static void note_in(uint32_t *flags, int which, uint32_t bad)
    {
        if constexpr (D::HALF) {
            if (bad & 0x80008000)
                ((uint8_t *)flags)[which] = 1;
            return;
        }
        if (bad & 0x8000)
            ((uint8_t *)flags)[which] = 1;
        if (bad & 0x80000000u)
            ((uint8_t *)flags)[which + 1] = 1;
    }

    /* Of bytes 0 and 1, bits 0 and 1: those that are 0. */
    FECRUN_MEMBER static uint32_t right(uint32_t flags)
    {
        return ~(flags | flags >> 7) & 3;
    }

    FECRUN_MEMBER void clear_lone() const
    {
        if (t == 0)
            *checks(0) = *checks(1) = *end_checks() = 0;
    }

    /* As judge(). Between the words' uses is a barrier within the iteration. */
    FECRUN_MEMBER bool judge_lone(D &d, uint32_t iterations)
    {
        const bool last = iterations == work.iterations;
        uint32_t flags, good, ending;

        static_assert(!D::LONE || D::has_barrier(), "flags are cleared in time");
        note_in(checks(iterations), 0, d.bad_core);
        note_in(checks(iterations), 2, d.bad_others);
        __syncthreads();
        flags = *checks(iterations);
        if (t == 0)
            *checks(iterations + 1) = *end_checks() = 0;
        if (!last && !(right(flags | flags >> 16) & ~ended))
            return false;
        d.give_wrapped();
        __syncthreads();
        note_in(end_checks(), 0, d.core_parity());
        __syncthreads();
        good = right(flags >> 16 | *end_checks());
        ending = (last ? 3 : good & right(flags)) & ~ended;
        if (ending) {
            write_columns(d, ending);
            if (t < 2 && ending >> t & 1)
                write_info(t, iterations, good >> t & 1);
        }
        ended |= ending;
        __syncthreads(); /* columns have been read */
        return ended == 3;
    }

    /* Of an iteration, the first is 0; an index unknown to the compiler, or the factor would go
       where all threads share it, and operations could not have it beside their other operands. */
    FECRUN_MEMBER uint32_t alpha(const D &d, uint32_t iteration) const
    {
        return work.alpha[(iteration >> work.alpha_shift) + (d.half >> 8)];
    }

    FECRUN_MEMBER void begin(D &d)
    {
        d.alpha = alpha(d, 0);
        for (int c = 0; c < D::G::PUNCTURED; c++) {
            *word(c, t) = 0;
            if constexpr (D::HALF)
                *word(c, t + D::MIDDLE) = 0;
        }
        if constexpr (D::HALF)
            read_halves();
        else if (work.quads)
            read_quads();
        else
            read_bytes();
        for (int i = 0; i < D::WORDS; i++)
            d.message[i] = 0;
        for (int i = 0; i < D::SHARED_WORDS; i++)
            ((uint32_t *)(memory + D::MESSAGES + D::COLUMN * i))[t] = 0;
        if constexpr (D::LONE) {
            clear_lone();
            ended = D::HALF || first + 1 >= work.frames ? 2 : 0;
        } else if (t < 2 * work.pairs) {
            clear(t);
            flag(ENDED)[t] = first + t >= work.frames;
        }
        if (work.bits < work.k) {
            __syncthreads();
            if constexpr (D::HALF)
                read_half_fillers();
            else
                read_fillers();
        }
        if constexpr (D::FLOODING) {
            __syncthreads();
            d.keep_channel();
        }
    }

    FECRUN_MEMBER void decode(D &d)
    {
        for (uint32_t i = 1;; i++) {
            d.alpha = d.alpha << 16 | alpha(d, i - 1);
            if (!work.early_stop && i < work.iterations) {
                d.template iteration<false>();
                __syncthreads();
                continue;
            }
            d.bad_core = d.bad_others = 0;
            d.template iteration<true>();
            if (D::LONE ? judge_lone(d, i) : judge(d, i))
                break;
        }
    }
};

/* Values that the compiler must hold in registers of each thread: they come from memory. */
template <class D>
FECRUN_ON_DEVICE void prepare(D &d, char *memory, const ldpc_registers_work &work)
{
    volatile uint32_t *values = (volatile uint32_t *)(memory + D::END);

    d.make_table((uint32_t *)(memory + D::SHIFTS), work);
    values[0] = work.wrap;
    values[1] = 0x80;
    __syncthreads();
    d.wrap = values[0];
    d.half = values[1];
    d.one = work.one;
    d.beta = work.beta;
    d.t4 = 4 * threadIdx.x;
    d.rows = work.rows;
    __syncthreads();
    d.keep_addresses();
}

/* BLOCKS: that share a multiprocessor. */
template <class D, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    decode(const __grid_constant__ struct ldpc_registers_work work)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) char memory[];
    const uint32_t step = gridDim.x * D::FRAMES * work.pairs;
    uint32_t phase = 0;
    item<D> it(memory, work, threadIdx.x);
    D d;

    let_next_begin();
    if (D::STAGED && threadIdx.x == 0)
        barrier_make(it.barrier());
    __syncthreads();
    it.first = blockIdx.x * D::FRAMES * work.pairs;
    if (threadIdx.x < work.lanes)
        it.fetch(it.first);
    prepare(d, memory, work);
    if (threadIdx.x >= work.lanes)
        return;
    for (; it.first < work.frames; it.first += step) {
        it.wait(phase);
        phase ^= 1;
        it.begin(d);
        __syncthreads();
        it.fetch(it.first + step);
        d.take_wrapped();
        it.decode(d);
    }
#endif
}

} // namespace ldpc_registers

#endif
