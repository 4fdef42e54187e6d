/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in shared memory: plan.h. A code C is written when it is used (source.c):
 *
 *   WIDE           two codewords a word of 32 bits; else one in 16 bits
 *   SLOTS          such words of a column: codewords side by side
 *   PARTS, ROWS    groups of rows at once, with steps of their own, which share no column; rows of each
 *   THREADS        PARTS times (ROWS SLOTS, up to a multiple of 32)
 *   BLOCKS         thread blocks of a multiprocessor
 *   COLUMNS        lifted ones; SPARES: behind them one for each row, if some edges are not there
 *   QC, Z          edges are circulants of size Z: edges(e), skips(e) from the e-th on; else they are
 *                  listed
 *   STEPS, steps(), WEIGHTS, weight(i), MOST_WEIGHT
 *   AHEAD          circulants of the next step that registers hold
 *   WORDS, NEAR    of messages of a thread; the first ones, which are in shared memory
 *   OMS, FLOODING, IN, UNPACKED, SOFT     what is asked for
 */
#ifndef LDPC_CUDA_SHARED_KERNEL_CUH
#define LDPC_CUDA_SHARED_KERNEL_CUH

#include "plugins/ldpc/cuda/shared/row.cuh"
#include "plugins/ldpc/cuda/registers/soft_number.cuh"

namespace ldpc_shared
{

/* Flags, a byte a codeword each: some check did not hold at its turn, or at the end; it has its bits. */
enum { BAD_TURN, BAD_END, ENDED };

template <class C> struct item : rows_of<C> {
    using base = rows_of<C>;
    using base::memory;
    using base::reader;
    using base::READERS;
    using base::row;
    using base::slot;
    using base::work;
    static constexpr uint32_t CODEWORDS = C::WIDE ? 2 * C::SLOTS : 1;

    uint32_t first; /* frame */

    FECRUN_MEMBER item(char *sm, const ldpc_shared_work &w) : base(sm, w), first(0)
    {
    }

    FECRUN_MEMBER uint8_t *flag(int which) const
    {
        return (uint8_t *)memory + base::FLAGS + which * LDPC_SHARED_CODEWORDS;
    }

    FECRUN_MEMBER uint32_t *largest() const
    {
        return (uint32_t *)(memory + base::FLAGS + LDPC_SHARED_FLAGS);
    }

    /* ---- LLRs in ---- */

    /* The codewords of this thread are of, and of + 1. */
    FECRUN_MEMBER uint32_t mine() const
    {
        return C::WIDE ? slot / 2 : 0;
    }

    FECRUN_MEMBER const char *source(uint32_t codeword) const
    {
        return (const char *)work.in + (first + codeword) * work.in_stride;
    }

    FECRUN_MEMBER bool there(uint32_t codeword) const
    {
        return codeword < CODEWORDS && first + codeword < work.frames;
    }

    FECRUN_MEMBER uint32_t four(uint32_t codeword, uint32_t i) const
    {
        const char *from = source(codeword) + i;
        uint32_t word = 0;

        if (!there(codeword))
            return 0;
        if (work.aligned && i + 4 <= work.n)
            return *(const uint32_t *)from;
        for (uint32_t k = 0; k < 4 && i + k < work.n; k++)
            word |= (uint32_t)(uint8_t)from[k] << 8 * k;
        return word;
    }

    FECRUN_MEMBER void put_llr(uint32_t i, uint32_t llr) const
    {
        this->store_column(work.place ? work.place[i] : i + work.punctured, llr);
    }

    FECRUN_MEMBER void read_bytes() const
    {
#pragma unroll 4
        for (uint32_t i = 4 * reader; i < work.n; i += 4 * READERS) {
            const uint32_t a = four(mine(), i), b = C::WIDE ? four(mine() + 1, i) : 0;
            uint32_t d[4];

            widen(d, a, b);
            FECRUN_UNROLL
            for (uint32_t k = 0; k < 4; k++)
                if (i + k < work.n)
                    put_llr(i + k, d[k]);
        }
    }

    FECRUN_MEMBER float number(uint32_t codeword, uint32_t i) const
    {
        if (!there(codeword))
            return 0;
        if (C::IN == FECRUN_F16)
            return fecrun_clean_llr(number_of_half(((const uint16_t *)source(codeword))[i]));
        return fecrun_clean_llr(((const float *)source(codeword))[i]);
    }

    /* Magnitudes of floats compare as their bits do. */
    FECRUN_MEMBER void find_largest() const
    {
        uint32_t a = 0, b = 0;

        for (uint32_t i = reader; i < work.n; i += READERS) {
            const uint32_t x = fecrun_float_bits(number(mine(), i)) & 0x7fffffff;
            const uint32_t y = fecrun_float_bits(number(mine() + 1, i)) & 0x7fffffff;

            a = a < x ? x : a;
            b = b < y ? y : b;
        }
        atomicMax(&largest()[mine()], a);
        if (C::WIDE)
            atomicMax(&largest()[mine() + 1], b);
    }

    /* A power of two that brings the largest one to 64 and more, below 128. */
    FECRUN_MEMBER float scale_of(uint32_t codeword) const
    {
        const uint32_t exponent = largest()[codeword] >> 23;

        return exponent > 6 ? fecrun_bits_float((127 + 6 + 127 - exponent) << 23) : 0;
    }

    /* In units of the LLRs as they are here; no message is left from 128 on. */
    FECRUN_MEMBER float offset(uint32_t codeword) const
    {
        const float x = C::IN == FECRUN_I8 ? work.beta : work.beta * scale_of(codeword);

        return x < 128 ? x : 128;
    }

    FECRUN_MEMBER void read_numbers() const
    {
        const float a = scale_of(mine()), b = C::WIDE ? scale_of(mine() + 1) : 0;

#pragma unroll 4
        for (uint32_t i = reader; i < work.n; i += READERS)
            put_llr(i, halves(number(mine(), i) * a, C::WIDE ? number(mine() + 1, i) * b : 0));
    }

    /* Columns that are not in the word: 0; the one of edges that are not there: known. */
    FECRUN_MEMBER void read_llrs() const
    {
        if (row >= C::ROWS)
            return;
        if (work.n < C::COLUMNS)
            for (uint32_t v = reader; v < C::COLUMNS; v += READERS)
                this->store_column(v, 0);
        if (C::SPARES)
            this->store_column(C::COLUMNS + reader, KNOWN);
    }

    FECRUN_MEMBER void read() const
    {
        read_llrs();
        if (work.n < C::COLUMNS)
            __syncthreads();
        if (row < C::ROWS) {
            if (C::IN == FECRUN_I8)
                read_bytes();
            else
                read_numbers();
        }
        if (work.bits < work.k) { /* known zeros */
            __syncthreads();
            if (row < C::ROWS)
                for (uint32_t i = work.bits + reader; i < work.k; i += READERS)
                    this->store_column(work.info_place ? work.info_place[i] : i, KNOWN);
        }
    }

    FECRUN_MEMBER void begin()
    {
        const uint32_t t = threadIdx.x;

        if (t < CODEWORDS) {
            flag(BAD_TURN)[t] = flag(BAD_END)[t] = 0;
            flag(ENDED)[t] = first + t >= work.frames;
            largest()[t] = 0;
        }
        if (C::IN != FECRUN_I8) {
            __syncthreads();
            if (row < C::ROWS)
                find_largest();
            __syncthreads();
        }
        this->alpha = 0;
        if (C::OMS)
            this->beta = halves(offset(mine()), C::WIDE ? offset(mine() + 1) : 0);
        read();
        __syncthreads();
    }

    /* ---- Bits out ---- */

    FECRUN_MEMBER uint32_t info_column(uint32_t bit) const
    {
        return work.info_place ? work.info_place[bit] : bit;
    }

    FECRUN_MEMBER void put_bits(uint32_t codeword, uint32_t byte, uint32_t bits, uint32_t n) const
    {
        uint8_t *out = work.out + (first + codeword) * work.out_stride;

        if constexpr (!C::UNPACKED)
            out[byte] = (uint8_t)bits;
        else
            for (uint32_t i = 0; i < n; i++)
                out[8 * byte + i] = (uint8_t)(bits >> (7 - i) & 1);
    }

    FECRUN_MEMBER void write_bits(bool last) const
    {
        const uint32_t a = mine(), b = mine() + 1;
        const bool wants_a = ends(a, last), wants_b = C::WIDE && ends(b, last);

        if (row >= C::ROWS || !(wants_a || wants_b))
            return;
        for (uint32_t byte = reader; 8 * byte < work.bits; byte += READERS) {
            const uint32_t n = work.bits - 8 * byte < 8 ? work.bits - 8 * byte : 8;
            uint32_t low = 0, high = 0;

            for (uint32_t i = 0; i < n; i++) {
                const uint32_t llr = this->load_column(info_column(8 * byte + i));

                low |= (llr >> 15 & 1) << (7 - i);
                high |= (llr >> 31) << (7 - i);
            }
            if (wants_a)
                put_bits(a, byte, low, n);
            if (wants_b)
                put_bits(b, byte, high, n);
        }
    }

    /* ---- LLRs out ---- */

    /* What a codeword's LLR of 1 is in units of the input. */
    FECRUN_MEMBER float unit(uint32_t codeword) const
    {
        const float scale = C::IN == FECRUN_I8 ? 1 : scale_of(codeword);

        return scale > 0 ? 1 / scale : 0;
    }

    FECRUN_MEMBER void put_soft(int port, uint32_t codeword, uint32_t item, float llr) const
    {
        ldpc_soft::put(work.soft, port, first + codeword, item, llr);
    }

    /* As known zeros are, or of a lifted column. */
    FECRUN_MEMBER float soft_llr(uint32_t column, uint32_t half, float unit) const
    {
        const bool filler = column >= work.bits && column < work.k;

        return filler ? FECRUN_LLR_MAX_F32 : ldpc_soft::number(half & 0xffff, unit);
    }

    FECRUN_MEMBER void write_soft_bits(bool wants_a, bool wants_b) const
    {
        const uint32_t a = mine();
        const float unit_a = unit(a), unit_b = C::WIDE ? unit(a + 1) : 0;

        for (uint32_t i = reader; i < work.bits; i += READERS) {
            const uint32_t llr = this->load_column(info_column(i));

            if (wants_a)
                put_soft(LDPC_SOFT_BITS, a, i, ldpc_soft::number(llr & 0xffff, unit_a));
            if (wants_b)
                put_soft(LDPC_SOFT_BITS, a + 1, i, ldpc_soft::number(llr >> 16, unit_b));
        }
    }

    FECRUN_MEMBER void write_soft_word(bool wants_a, bool wants_b) const
    {
        const uint32_t a = mine();
        const float unit_a = unit(a), unit_b = C::WIDE ? unit(a + 1) : 0;

        for (uint32_t i = reader; i < work.n; i += READERS) {
            const uint32_t column = work.place ? work.place[i] : i + work.punctured;
            const uint32_t llr = this->load_column(column);

            if (wants_a)
                put_soft(LDPC_SOFT_WORD, a, i, soft_llr(column, llr, unit_a));
            if (wants_b)
                put_soft(LDPC_SOFT_WORD, a + 1, i, soft_llr(column, llr >> 16, unit_b));
        }
        for (uint32_t i = work.n + reader; i < work.soft.n; i += READERS) {
            if (wants_a)
                put_soft(LDPC_SOFT_WORD, a, i, ldpc_soft::arrived(work.soft, first + a, i));
            if (wants_b)
                put_soft(LDPC_SOFT_WORD, a + 1, i, ldpc_soft::arrived(work.soft, first + a + 1, i));
        }
    }

    FECRUN_MEMBER void write_soft(bool last) const
    {
        const bool wants_a = ends(mine(), last), wants_b = C::WIDE && ends(mine() + 1, last);

        if (row >= C::ROWS || !(wants_a || wants_b))
            return;
        if (work.soft.to[LDPC_SOFT_BITS])
            write_soft_bits(wants_a, wants_b);
        if (work.soft.to[LDPC_SOFT_WORD])
            write_soft_word(wants_a, wants_b);
    }

    /* Anything of the information bits? As a rule the first LLR says so. Threads 0..CODEWORDS-1. */
    FECRUN_MEMBER bool known(uint32_t codeword) const
    {
        for (uint32_t bit = 0; bit < work.bits; bit++)
            if (this->load_at(info_column(bit) * base::UNIT + (C::WIDE ? codeword / 2 * 4 : 0)) >>
                    (codeword & 1 ? 16 : 0) &
                0x7fff)
                return true;
        return false;
    }

    FECRUN_MEMBER void write_info(uint32_t codeword, uint32_t iterations) const
    {
        struct fecrun_frame_info *info = work.info + first + codeword;
        const bool good = !flag(BAD_END)[codeword] && known(codeword);

        atomicAnd(&info->flags, ~(uint32_t)FECRUN_FRAME_FAILED);
        atomicOr(&info->flags, FECRUN_FRAME_CHECKED | (good ? 0 : FECRUN_FRAME_FAILED));
        info->iterations = iterations;
    }

    /* ---- Stop? ---- */

    FECRUN_MEMBER void note(int which, uint32_t bad) const
    {
        if (bad & 0x8000)
            flag(which)[mine()] = 1;
        if (C::WIDE && bad & 0x80000000u)
            flag(which)[mine() + 1] = 1;
    }

    FECRUN_MEMBER bool promising(uint32_t codeword) const
    {
        return !(flag(BAD_TURN)[codeword] | flag(ENDED)[codeword]);
    }

    /* With this iteration? */
    FECRUN_MEMBER bool ends(uint32_t codeword, bool last) const
    {
        return last ? !flag(ENDED)[codeword] : promising(codeword) && !flag(BAD_END)[codeword];
    }

    /* Some codewords may have ended: true if all have. */
    FECRUN_MEMBER bool end(uint32_t iterations, bool last) const
    {
        const uint32_t t = threadIdx.x;
        bool ended = true;

        __syncthreads();
        write_bits(last);
        if constexpr (C::SOFT)
            write_soft(last);
        if (t < CODEWORDS) {
            if (ends(t, last))
                write_info(t, iterations);
            else
                ended = flag(ENDED)[t];
        }
        __syncthreads();
        if (t < CODEWORDS) {
            flag(ENDED)[t] = ended;
            flag(BAD_TURN)[t] = flag(BAD_END)[t] = 0;
        }
        return last || __syncthreads_and(ended);
    }

    /* The end of an iteration after which words may end; true: all have. */
    FECRUN_MEMBER bool judge(uint32_t iterations) const
    {
        const bool last = iterations == work.iterations;
        const uint32_t t = threadIdx.x;

        if (!last) {
            note(BAD_TURN, this->bad);
            __syncthreads();
            if (!__syncthreads_or(t < CODEWORDS && promising(t))) {
                if (t < CODEWORDS)
                    flag(BAD_TURN)[t] = 0;
                return false;
            }
        }
        note(BAD_END, this->parity());
        return end(iterations, last);
    }

    FECRUN_MEMBER void decode()
    {
        begin();
        for (uint32_t i = 1;; i++) {
            this->alpha = this->alpha << 16 | work.alpha[LDPC_ALPHA_PLACE(i - 1, work.alpha_shift)];
            this->bad = 0;
            if (C::FLOODING) {
                this->turn();
                read();
                __syncthreads();
            }
            if (!C::FLOODING && work.early_stop && i < work.iterations)
                this->template iteration<true>(i == 1);
            else
                this->template iteration<false>(i == 1);
            if ((work.early_stop || i == work.iterations) && judge(i))
                break;
        }
    }
};

template <class C>
__global__ void __launch_bounds__(C::THREADS, C::BLOCKS)
    decode(const __grid_constant__ struct ldpc_shared_work work)
{
    extern __shared__ __align__(128) char memory[];
    item<C> it(memory, work);

    for (it.first = blockIdx.x * it.CODEWORDS; it.first < work.frames;
         it.first += gridDim.x * it.CODEWORDS) {
        it.decode();
        __syncthreads();
    }
}

} // namespace ldpc_shared

#endif
