/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lossless changes of sample type in device memory: the pairs of core/sdk/sample.c, and its bytes.
 *
 * Each pair has a wide side and a narrow one. The work is cut into units of 16 wide bytes (4, 8 or
 * 16 items, 2 to 8 narrow bytes); units do not cross frames, so that the last one of a frame may be
 * shorter. A unit is converted in registers: load, convert_words(), store. The functions here are
 * for host and device, so that the CPU can test them; convert_kernels.cu runs them.
 */
#ifndef CUDA_CONVERT_H
#define CUDA_CONVERT_H

#include <fecrun/sdk/device.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

enum convert_pair {
    CONVERT_NONE,
    CONVERT_COPY, /* equal types; no kernel */
    CONVERT_PACK,
    CONVERT_UNPACK,
    CONVERT_I4_I8,
    CONVERT_I4_I16,
    CONVERT_I4_F32,
    CONVERT_I8_I16,
    CONVERT_I8_F32,
    CONVERT_I16_F32,
    CONVERT_F16_F32,
    CONVERT_PAIRS
};

enum { CONVERT_TILE = 1024 }; /* units of a thread block */

/* Frames of both sides; stride in bytes. */
struct convert_job {
    const uint8_t *in;
    uint8_t *out;
    uint64_t in_stride, out_stride;
    uint64_t frames, items, units; /* items and units of a frame; none is 0 in a kernel */
    uint32_t in_grain, out_grain;  /* power of 2, at most 16, that divides every unit's address */
};

/* Where a thread block begins. */
struct convert_start {
    uint64_t frame, unit;
};

/* One unit. */
struct convert_unit {
    const uint8_t *in;
    uint8_t *out;
    uint32_t items; /* 0: behind the end */
};

FECRUN_INLINE uint32_t convert_unit_items(unsigned pair)
{
    switch (pair) {
    case CONVERT_I4_F32:
    case CONVERT_I8_F32:
    case CONVERT_I16_F32:
    case CONVERT_F16_F32:
        return 4;
    case CONVERT_I4_I16:
    case CONVERT_I8_I16:
        return 8;
    default:
        return 16;
    }
}

/* Bytes that items take on the input side and on the output side of a unit. */
FECRUN_INLINE uint32_t convert_in_bytes(unsigned pair, uint32_t items)
{
    switch (pair) {
    case CONVERT_UNPACK:
        return (items + 7) / 8;
    case CONVERT_I4_I8:
    case CONVERT_I4_I16:
    case CONVERT_I4_F32:
        return (items + 1) / 2;
    case CONVERT_I16_F32:
    case CONVERT_F16_F32:
        return 2 * items;
    default: /* u8, i8 */
        return items;
    }
}

FECRUN_INLINE uint32_t convert_out_bytes(unsigned pair, uint32_t items)
{
    return pair == CONVERT_PACK ? (items + 7) / 8 : 16 / convert_unit_items(pair) * items;
}

/* ---- A unit's arithmetic; words are little-endian ---- */

/* Two bytes of i4, high half first -> four of i8; -8 is read as -7, see plugin.h. */
FECRUN_INLINE uint32_t convert_i4_i8(uint32_t two)
{
    uint32_t x = (two & 0xff) | (two & 0xff00) << 8, halves, sign;

    halves = (x >> 4 & 0x000f000f) | (x & 0x000f000f) << 8;
    halves += ~((halves ^ 0x08080808) + 0x0f0f0f0f) >> 4 & 0x01010101; /* 8, that is -8: to 9 */
    sign = halves >> 3 & 0x01010101;
    return halves | sign * 0xf0;
}

/* Byte i of a word as i8; -128 is read as -127. */
FECRUN_INLINE int convert_i8(uint32_t word, unsigned i)
{
    int v = (int8_t)(word >> 8 * i & 0xff);

    return v < -127 ? -127 : v;
}

/* Bytes i and i + 1 as two i16. */
FECRUN_INLINE uint32_t convert_i8_i16(uint32_t word, unsigned i)
{
    return ((uint32_t)convert_i8(word, i) & 0xffff) | (uint32_t)convert_i8(word, i + 1) << 16;
}

/* A whole unit. */
FECRUN_INLINE void convert_words(unsigned pair, const uint32_t in[4], uint32_t out[4])
{
    switch (pair) {
    case CONVERT_PACK:
        out[0] = fecrun_collect_4(in[0]) << 4 | fecrun_collect_4(in[1]) |
                 fecrun_collect_4(in[2]) << 12 | fecrun_collect_4(in[3]) << 8;
        break;
    case CONVERT_UNPACK:
        out[0] = fecrun_expand_4(in[0] >> 4);
        out[1] = fecrun_expand_4(in[0]);
        out[2] = fecrun_expand_4(in[0] >> 12);
        out[3] = fecrun_expand_4(in[0] >> 8);
        break;
    default:
        for (unsigned i = 0; i < 4; i++)
            if (pair == CONVERT_I4_I8)
                out[i] = convert_i4_i8(in[i / 2] >> 16 * (i % 2));
            else if (pair == CONVERT_I4_I16)
                out[i] = convert_i8_i16(convert_i4_i8(in[0] >> 16 * (i / 2)), 2 * (i % 2));
            else if (pair == CONVERT_I4_F32)
                out[i] = fecrun_float_bits((float)convert_i8(convert_i4_i8(in[0]), i));
            else if (pair == CONVERT_I8_I16)
                out[i] = convert_i8_i16(in[i / 2], 2 * (i % 2));
            else if (pair == CONVERT_I8_F32)
                out[i] = fecrun_float_bits((float)convert_i8(in[0], i));
            else if (pair == CONVERT_I16_F32)
                out[i] = fecrun_float_bits((float)(int16_t)(in[i / 2] >> 16 * (i % 2) & 0xffff));
            else
                out[i] = fecrun_half_widen(in[i / 2] >> 16 * (i % 2) & 0xffff);
    }
}

/* ---- Memory ---- */

/* Up to 16 bytes, the rest zeros; never a byte more, also where that would lie in the same word. */
FECRUN_INLINE void convert_load(uint32_t words[4], const uint8_t *in, uint32_t bytes,
                                uint32_t grain)
{
    for (unsigned i = 0; i < 4; i++) {
        words[i] = 0;
#ifdef __CUDA_ARCH__
        if (grain >= 2 && 4 * i + 4 <= bytes) {
            const uint16_t *half = (const uint16_t *)(in + 4 * i);

            words[i] = grain >= 4 ? *(const uint32_t *)half : half[0] | (uint32_t)half[1] << 16;
            continue;
        }
#else
        (void)grain;
#endif
        for (unsigned j = 4 * i; j < 4 * i + 4; j++)
            if (j < bytes)
                words[i] |= (uint32_t)in[j] << 8 * (j % 4);
    }
}

FECRUN_INLINE void convert_store(uint8_t *out, const uint32_t words[4], uint32_t bytes,
                                 uint32_t grain)
{
    for (unsigned i = 0; i < 4; i++) {
#ifdef __CUDA_ARCH__
        if (grain >= 2 && 4 * i + 4 <= bytes) {
            uint16_t *half = (uint16_t *)(out + 4 * i);

            if (grain >= 4) {
                *(uint32_t *)half = words[i];
            } else {
                half[0] = (uint16_t)words[i];
                half[1] = (uint16_t)(words[i] >> 16);
            }
            continue;
        }
#else
        (void)grain;
#endif
        for (unsigned j = 4 * i; j < 4 * i + 4; j++)
            if (j < bytes)
                out[j] = (uint8_t)(words[i] >> 8 * (j % 4));
    }
}

/* Zeros behind the items of the last unit become the zeros that fill a packed byte. */
FECRUN_INLINE void convert_run(unsigned pair, const struct convert_job *job,
                               const struct convert_unit *unit)
{
    uint32_t in[4], out[4] = {0, 0, 0, 0};

    convert_load(in, unit->in, convert_in_bytes(pair, unit->items), job->in_grain);
    convert_words(pair, in, out);
    convert_store(unit->out, out, convert_out_bytes(pair, unit->items), job->out_grain);
}

/* ---- Which unit is whose ---- */

FECRUN_INLINE struct convert_start convert_start(const struct convert_job *job, uint64_t tile)
{
    struct convert_start start = {0, tile * CONVERT_TILE};

    if (job->frames > 1) {
        start.frame = start.unit / job->units;
        start.unit -= start.frame * job->units;
    }
    return start;
}

/* Unit number `offset` of a block's CONVERT_TILE ones; without a division in 64 bits. */
FECRUN_INLINE struct convert_unit convert_find(unsigned pair, const struct convert_job *job,
                                               struct convert_start start, uint32_t offset)
{
    uint64_t unit = start.unit + offset, frame = start.frame, left;
    const uint32_t whole = convert_unit_items(pair);
    struct convert_unit found = {0, 0, 0};

    if (job->units >= CONVERT_TILE) {
        if (unit >= job->units) {
            unit -= job->units;
            frame++;
        }
    } else { /* start.unit is below units: all in 32 bits */
        uint32_t skip = (uint32_t)unit / (uint32_t)job->units;

        unit = (uint32_t)unit - skip * (uint32_t)job->units;
        frame += skip;
    }
    if (frame >= job->frames)
        return found;
    left = job->items - unit * whole;
    found.items = left < whole ? (uint32_t)left : whole;
    found.in = job->in + frame * job->in_stride + unit * convert_in_bytes(pair, whole);
    found.out = job->out + frame * job->out_stride + unit * convert_out_bytes(pair, whole);
    return found;
}

/* ---- Host ---- */

static inline unsigned convert_pair_of(uint32_t from, uint32_t to)
{
    static const struct {
        uint8_t from, to, pair;
    } pairs[] = {
        {FECRUN_U8, FECRUN_PACKED, CONVERT_PACK},  {FECRUN_PACKED, FECRUN_U8, CONVERT_UNPACK},
        {FECRUN_I4, FECRUN_I8, CONVERT_I4_I8},     {FECRUN_I4, FECRUN_I16, CONVERT_I4_I16},
        {FECRUN_I4, FECRUN_F32, CONVERT_I4_F32},   {FECRUN_I8, FECRUN_I16, CONVERT_I8_I16},
        {FECRUN_I8, FECRUN_F32, CONVERT_I8_F32},   {FECRUN_I16, FECRUN_F32, CONVERT_I16_F32},
        {FECRUN_F16, FECRUN_F32, CONVERT_F16_F32},
    };

    if (from == to && fecrun_bytes(from, 1))
        return CONVERT_COPY;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].from == from && pairs[i].to == to)
            return pairs[i].pair;
    return CONVERT_NONE;
}

static inline uint32_t convert_grain(const void *data, uint64_t stride, uint64_t frames,
                                     uint32_t unit_bytes)
{
    uint64_t all = (uintptr_t)data | (frames > 1 ? stride : 0) | unit_bytes;

    return (uint32_t)(all & -all);
}

/* Frames without gaps whose last byte is full are one long frame: better aligned. */
static inline struct convert_job convert_job_of(unsigned pair, const struct fecrun_view *in,
                                                const struct fecrun_view *out)
{
    const uint32_t whole = convert_unit_items(pair);
    struct convert_job job = {(const uint8_t *)in->data,
                              (uint8_t *)out->data,
                              in->stride,
                              out->stride,
                              in->frames,
                              in->items,
                              0,
                              0,
                              0};

    if (in->stride == fecrun_bytes(in->type, in->items) &&
        out->stride == fecrun_bytes(out->type, out->items) &&
        fecrun_bytes(in->type, 8) * in->items == 8 * in->stride &&
        fecrun_bytes(out->type, 8) * out->items == 8 * out->stride) {
        job.items *= job.frames;
        job.frames = job.frames != 0;
    }
    job.units = job.items / whole + (job.items % whole != 0);
    job.in_grain = convert_grain(in->data, in->stride, job.frames, convert_in_bytes(pair, whole));
    job.out_grain = convert_grain(out->data, out->stride, job.frames,
                                  convert_out_bytes(pair, whole));
    return job;
}

/* Are all whole units aligned to their size on both sides? Then they move in single accesses. */
static inline bool convert_aligned(unsigned pair, const struct convert_job *job)
{
    const uint32_t whole = convert_unit_items(pair);

    return job->in_grain == convert_in_bytes(pair, whole) &&
           job->out_grain == convert_out_bytes(pair, whole);
}

#endif
