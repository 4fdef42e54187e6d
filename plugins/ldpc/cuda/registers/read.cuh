/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs of the kernels in registers: i8 in device memory, then in the staging area, then columns of halves. */
#ifndef LDPC_CUDA_REGISTERS_READ_CUH
#define LDPC_CUDA_REGISTERS_READ_CUH

#include "plugins/ldpc/cuda/registers/place.cuh"

namespace ldpc_registers
{

constexpr uint32_t KNOWN_ZERO = 0x6400; /* 1024: LLR of a filler, a half */

/* Bytes in places 0 and 2 of each word to halves; -128 is read as -127. */
FECRUN_ON_DEVICE uint32_t to_half(uint32_t bytes)
{
    const uint32_t w = (bytes & 0x00ff00ff) ^ 0x64806480; /* 1024 + 128 + x */

    return larger(subtract(w, 0x64806480), 0xd7f0d7f0);
}

/* Where a frame's copy begins. */
template <class D> FECRUN_ON_DEVICE const char *copied_from(const place<D> &p, uint32_t frame)
{
    return (const char *)((uintptr_t)p.source(frame) & ~(uintptr_t)(LDPC_REGISTERS_ALIGN - 1));
}

/* n frames, by all threads that have a lane. */
template <class D>
FECRUN_ON_DEVICE void fetch_together(const place<D> &p, uint32_t frame, uint32_t n)
{
    const uint32_t threads = p.work.lanes / (D::HALF ? 2 : 1);

    for (uint32_t block = 0; block < n; block++)
        for (uint32_t i = LDPC_REGISTERS_ALIGN * p.t; i < p.work.slot;
             i += LDPC_REGISTERS_ALIGN * threads)
            copy_16(p.staged(block) + i, copied_from(p, frame + block) + i);
}

template <class D> FECRUN_ON_DEVICE void fetch(const place<D> &p, uint32_t frame)
{
    const uint32_t left = p.work.frames > frame ? p.work.frames - frame : 0;
    const uint32_t n = left < D::FRAMES * p.work.pairs ? left : D::FRAMES * p.work.pairs;
    const void *from = copied_from(p, frame + p.t);

    if constexpr (!D::STAGED) {
        if (p.t < n)
            prefetch(from, p.work.slot);
        return;
    }
    if constexpr (!BULK) {
        fetch_together(p, frame, n);
        return;
    }
    if (p.t == 0 && n)
        barrier_expect(p.barrier(), n * p.work.slot);
    if (p.t < n)
        copy_bulk(p.staged(p.t), from, p.work.slot, p.barrier());
}

/* For LLRs that have been fetched. */
template <class D> FECRUN_ON_DEVICE void wait(const place<D> &p, uint32_t phase)
{
    if constexpr (D::STAGED && BULK) {
        barrier_wait(p.barrier(), phase);
    } else if constexpr (D::STAGED) {
        copies_wait();
        __syncthreads();
    }
}

/* Bytes of both code blocks, four lanes each. */
FECRUN_ON_DEVICE void widen(uint32_t *d, uint32_t u, uint32_t v)
{
    d[0] = to_half(__byte_perm(u, v, 0x0400));
    d[1] = to_half(__byte_perm(u, v, 0x0501));
    d[2] = to_half(__byte_perm(u, v, 0x0602));
    d[3] = to_half(__byte_perm(u, v, 0x0703));
}

/* Four lanes of a column, from lane j on, modulo z. */
FECRUN_ON_DEVICE uint32_t turned(const char *from, uint32_t j, uint32_t z)
{
    const uint32_t low = j & ~3u, high = low + 4 < z ? low + 4 : 0;

    return __funnelshift_r(*(const uint32_t *)(from + low), *(const uint32_t *)(from + high),
                           8 * (j & 3));
}

template <class D> FECRUN_ON_DEVICE bool in_use(const place<D> &p, uint32_t r)
{
    return (uint32_t)D::code_row((int)r) < p.work.rows;
}

/* Of what is sent, the column of row r's own. */
template <class D> FECRUN_ON_DEVICE uint32_t sent_column(uint32_t r)
{
    return D::G::CORE - D::G::CORE_ROWS + D::code_row((int)r) - D::G::PUNCTURED;
}

/* Columns of degree 1: those of every fourth row, lanes j to j + 3. */
template <class D>
FECRUN_ON_DEVICE void read_own_quads(const place<D> &p, uint32_t quarter, uint32_t j)
{
    const uint32_t z = p.work.lanes;
    uint32_t d[4];

#pragma unroll 4
    for (uint32_t r = D::FIRST_OWN + quarter; r < D::END_OWN; r += 4) {
        const uint32_t from = sent_column<D>(r), x = p.wrap(j + p.turn(r));
        uint32_t y = 0, w = 0;

        if (in_use(p, r)) {
            y = turned(p.llrs(0) + from * z, x, z);
            w = turned(p.llrs(1) + from * z, x, z);
        }
        widen(d, y, w);
        if constexpr (D::BYTES)
            for (uint32_t i = 0; i < 4; i++)
                D::keep_own(p.own(), r, j + i, d[i]);
        else
            *(uint4 *)p.word(D::G::CORE - D::FIRST_OWN + r, j) = make_uint4(d[0], d[1], d[2], d[3]);
    }
}

/* Four lanes at a time; z = lanes, a multiple of 8, and LLRs at multiples of four bytes. */
template <class D> FECRUN_ON_DEVICE void read_quads(const place<D> &p)
{
    constexpr int SENT = D::G::CORE - D::G::PUNCTURED, CORE = (SENT + 3) / 4; /* of a thread */
    const uint32_t z = p.work.lanes, quarter = p.t / (z / 4), j = 4 * (p.t - quarter * (z / 4));
    const char *a = p.llrs(0), *b = p.llrs(1);
    uint32_t u[CORE], v[CORE], d[4];

    for (int i = 0; i < CORE; i++) {
        if (4 * i + 3 >= SENT && 4 * i + quarter >= SENT)
            break;
        if constexpr (D::TABLE) {
            const uint32_t c = 4 * i + quarter, x = p.wrap(j + p.base(D::G::PUNCTURED + c));

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
        *(uint4 *)p.word(D::G::PUNCTURED + 4 * i + quarter, j) = make_uint4(d[0], d[1], d[2], d[3]);
    }
    read_own_quads(p, quarter, j);
}

FECRUN_ON_DEVICE uint32_t both_bytes(const char *a, const char *b, uint32_t at)
{
    return to_half((uint8_t)a[at] | (uint32_t)(uint8_t)b[at] << 16);
}

/* Columns of degree 1 of this thread's lane. */
template <class D>
FECRUN_ON_DEVICE void read_own_bytes(const place<D> &p, const char *a, const char *b)
{
#pragma unroll 4
    for (uint32_t r = D::FIRST_OWN; r < D::END_OWN; r++) {
        const uint32_t j = sent_column<D>(r) * p.work.z + p.wrap(p.lane + p.turn(r));

        D::keep_own(p.own(), r, p.t, in_use(p, r) ? both_bytes(a, b, j) : 0);
    }
}

template <class D> FECRUN_ON_DEVICE void read_bytes(const place<D> &p)
{
    const char *a = p.llrs(2 * p.pair), *b = p.llrs(2 * p.pair + 1);

#pragma unroll 8
    for (uint32_t c = D::G::PUNCTURED; c < D::G::CORE; c++)
        *p.word(c, p.t) = both_bytes(a, b,
                                     (c - D::G::PUNCTURED) * p.work.z + p.wrap(p.lane + p.base(c)));
    read_own_bytes(p, a, b);
}

/* Fillers are known zeros: after a barrier. */
template <class D> FECRUN_ON_DEVICE void read_fillers(const place<D> &p)
{
    for (uint32_t c = p.work.bits / p.work.z; c < D::G::INFO; c++)
        if (c * p.work.z + p.wrap(p.lane + p.base(c)) >= p.work.bits)
            *p.word(c, p.t) = KNOWN_ZERO * 0x10001u;
}

/* ---- HALF: both lanes of a thread ---- */

/* Lane j of a column that is read from `from` on, and the one half a turn on. */
template <class D> FECRUN_ON_DEVICE uint32_t both_lanes(const char *from, uint32_t j)
{
    return both_bytes(from, from + (int32_t)(j < D::MIDDLE ? D::MIDDLE : -D::MIDDLE), j);
}

/* Both places of the thread in a column: in the other one halves are exchanged. */
template <class D> FECRUN_ON_DEVICE void put_both(const place<D> &p, uint32_t col, uint32_t llr)
{
    *p.word(col, p.t) = llr;
    *p.word(col, p.t + D::MIDDLE) = __byte_perm(llr, llr, 0x1032);
}

template <class D> FECRUN_ON_DEVICE void read_halves(const place<D> &p)
{
    const char *a = p.llrs(0);

#pragma unroll 8
    for (uint32_t c = D::G::PUNCTURED; c < D::G::CORE; c++)
        put_both(p, c,
                 both_lanes<D>(a + (c - D::G::PUNCTURED) * p.work.z, p.wrap(p.t + p.base(c))));
#pragma unroll 4
    for (uint32_t r = D::FIRST_OWN; r < D::END_OWN; r++) {
        const char *from = a + sent_column<D>(r) * p.work.z;
        const uint32_t lane = p.wrap(p.t + p.turn(r));

        D::keep_own(p.own(), r, p.t, in_use(p, r) ? both_lanes<D>(from, lane) : 0);
    }
}

/* The same thread has read what becomes zeros. */
template <class D> FECRUN_ON_DEVICE void read_half_fillers(const place<D> &p)
{
    for (uint32_t c = p.work.bits / p.work.z; c < D::G::INFO; c++) {
        const uint32_t j = p.wrap(p.t + p.base(c)), first = c * p.work.z;
        const uint32_t low = first + j >= p.work.bits;
        const uint32_t high = first + p.wrap(j + D::MIDDLE) >= p.work.bits;
        const uint32_t mask = (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0);

        put_both(p, c, (*p.word(c, p.t) & ~mask) | (KNOWN_ZERO * 0x10001u & mask));
    }
}

} // namespace ldpc_registers

#endif
