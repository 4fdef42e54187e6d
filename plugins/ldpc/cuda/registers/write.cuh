/* SPDX-License-Identifier: BSD-2-Clause */
/* Output of the kernels in registers: bits and verdicts. */
#ifndef LDPC_CUDA_REGISTERS_WRITE_CUH
#define LDPC_CUDA_REGISTERS_WRITE_CUH

#include "plugins/ldpc/cuda/registers/place.cuh"

namespace ldpc_registers
{

template <class D> FECRUN_ON_DEVICE uint32_t last_mask(const place<D> &p, uint32_t byte)
{
    return 8 * byte + 8 <= p.work.bits ? 0xff : 0xff00 >> (p.work.bits & 7) & 0xff;
}

/* Eight lanes of a column, from lane j on: both code blocks of the only pair. */
template <class D>
FECRUN_ON_DEVICE void eight_lanes(const place<D> &p, uint32_t col, uint32_t j, uint32_t *w)
{
    if constexpr (D::TABLE) {
        uint32_t at = p.wrap(j + p.work.z - p.base(col));

        for (int i = 0; i < 8; i++, at = p.wrap(at + 1))
            w[i] = *p.word(col, at);
    } else {
        const uint4 a = *(const uint4 *)p.word(col, j), b = *(const uint4 *)p.word(col, j + 4);

        w[0] = a.x, w[1] = a.y, w[2] = a.z, w[3] = a.w;
        w[4] = b.x, w[5] = b.y, w[6] = b.z, w[7] = b.w;
    }
}

/* Eight lanes of both code blocks at a time. */
template <class D> FECRUN_ON_DEVICE void write_eights(const place<D> &p, bool last)
{
    const uint32_t z = p.work.lanes, eighth = p.t / (z / 8), j = 8 * (p.t - eighth * (z / 8));
    const bool ends0 = p.ends(0, last), ends1 = p.ends(1, last);
    uint8_t *out = p.work.out + p.first * p.work.out_stride;

    for (uint32_t c = eighth; c < D::G::INFO; c += 8) {
        const uint32_t byte = (c * z + j) / 8;
        uint32_t w[8], bits = 0;

        if (8 * byte >= p.work.bits)
            break;
        eight_lanes(p, c, j, w);
#pragma unroll
        for (int i = 7; i >= 0; i--)
            bits = (bits >> 1 & 0x7fff7fff) | (w[i] & 0x80008000);
        if (ends0)
            out[byte] = (uint8_t)(bits >> 8 & last_mask(p, byte));
        if (ends1)
            out[p.work.out_stride + byte] = (uint8_t)(bits >> 24 & last_mask(p, byte));
    }
}

/* A word of bits, the first one at the top; what lies behind the last bit is not written. */
template <class D>
FECRUN_ON_DEVICE void write_word(const place<D> &p, uint8_t *out, uint32_t byte, uint32_t bits)
{
    if (8 * byte + 32 <= p.work.bits && !((uintptr_t)(out + byte) & 3)) {
        *(uint32_t *)(out + byte) = __byte_perm(bits, 0, 0x0123);
        return;
    }
    for (uint32_t i = byte; i < byte + 4 && 8 * i < p.work.bits; i++, bits <<= 8)
        out[i] = (uint8_t)(bits >> 24 & last_mask(p, i));
}

/* A lane of all columns each, 32 lanes of a column at a time; which: code blocks, a bit each. */
template <class D>
FECRUN_ON_DEVICE void write_columns(const place<D> &p, const D &d, uint32_t which)
{
    const uint32_t own = p.t % 32;
    uint8_t *out = p.work.out + p.first * p.work.out_stride;
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
        write_word(p, out, (own * p.work.z + D::MIDDLE + p.t - own) / 8, __brev(bits1));
    if (which & 1)
        write_word(p, out, (own * p.work.z + p.t - own) / 8, __brev(bits0));
    if (which & 2)
        write_word(p, out + p.work.out_stride, (own * p.work.z + p.t - own) / 8, __brev(bits1));
}

template <class D> FECRUN_ON_DEVICE void write_bytes(const place<D> &p, bool last)
{
    const uint32_t bytes = (p.work.bits + 7) / 8;

    for (uint32_t i = p.t; i < 2 * p.work.pairs * bytes; i += p.work.lanes) {
        /* neighbours take neighbouring pairs, whose lanes lie in different banks */
        const uint32_t byte = i / (2 * p.work.pairs), block = i - byte * 2 * p.work.pairs;
        uint32_t c = 8 * byte / p.work.z, j = 8 * byte - c * p.work.z, bits = 0;

        if (!p.ends(block, last))
            continue;
        for (int n = 0; n < 8; n++) {
            bits = 2 * bits;
            if (c < D::G::INFO)
                bits |= p.llr(c, j, block) >> (block & 1 ? 31 : 15) & 1;
            c += ++j == p.work.z;
            j = j == p.work.z ? 0 : j;
        }
        p.work.out[(p.first + block) * p.work.out_stride + byte] = (uint8_t)(bits &
                                                                             last_mask(p, byte));
    }
}

/* Anything of the information bits? As a rule the first LLR says so. */
template <class D> FECRUN_ON_DEVICE bool known(const place<D> &p, uint32_t block)
{
    for (uint32_t c = 0, j = 0, bit = 0; bit < p.work.bits; bit++) {
        if (p.llr(c, j, block) >> 16 * (block & 1) & 0x7fff)
            return true;
        c += ++j == p.work.z;
        j = j == p.work.z ? 0 : j;
    }
    return false;
}

template <class D>
FECRUN_ON_DEVICE void write_info(const place<D> &p, uint32_t block, uint32_t iterations, bool good)
{
    struct fecrun_frame_info *info = p.work.info + p.first + block;

    /* operations on memory, so that nobody waits for what it holds */
    atomicAnd(&info->flags, ~(uint32_t)FECRUN_FRAME_FAILED);
    atomicOr(&info->flags,
             FECRUN_FRAME_CHECKED | (good && known(p, block) ? 0 : FECRUN_FRAME_FAILED));
    info->iterations = iterations;
}

} // namespace ldpc_registers

#endif
