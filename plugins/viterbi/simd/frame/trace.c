/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/simd/frame/trace.h"

#include <fecrun/sdk/simd.h>
#include <string.h>

#define UNROLL _Pragma("GCC unroll 8")

/* A trace waits for one load after the other: several at a time take hardly longer than one. */
enum {
    TRACES = 4,
    AHEAD = 4,
    MERGE = 12 /* steps for each bit of a state, until traces have mostly merged */
};

/* How the chunks' bits lie in positions: `parts` chunks of tag_bits bits. parts = 0: no tags, but a bit a step
 * (bytes.h), and chunks of m steps. */
struct layout {
    unsigned states, parts, tag_bits;
    const uint8_t *reversed;
    bool moved; /* see struct viterbi_frame_kernels */
};

static FECRUN_ALWAYS_INLINE unsigned shift_of(struct layout at, size_t chunk)
{
    return at.parts <= 1 ? 0 : (unsigned)(chunk % at.parts) * at.tag_bits;
}

static FECRUN_ALWAYS_INLINE uint8_t bits_of(struct layout at, size_t chunk, uint32_t position)
{
    return at.reversed[position >> shift_of(at, chunk) & ((1u << at.tag_bits) - 1)];
}

/* The position before step j, whose bits are those of `row`. */
static FECRUN_ALWAYS_INLINE uint32_t back_step(struct layout at, const uint8_t *row, unsigned j,
                                               uint32_t position)
{
    uint32_t bits;

    memcpy(&bits, row + position / 32 * 4, sizeof bits);
    bits >>= position % 32;
    return at.moved ? position ^ (bits & 1) << j : (position & ~(1u << j)) | (~bits & 1) << j;
}

static FECRUN_ALWAYS_INLINE uint32_t back_steps(struct layout at, const uint8_t *tags,
                                                unsigned steps, uint32_t position)
{
    UNROLL for (unsigned j = steps; j-- > 0;)
        position = back_step(at, tags + j * (at.states / 8), j, position);
    return position;
}

/* The position before the chunk. */
static FECRUN_ALWAYS_INLINE uint32_t back(struct layout at, const uint8_t *tags, size_t chunk,
                                          uint32_t position)
{
    const unsigned shift = shift_of(at, chunk);
    uint32_t tag;

    if (at.parts == 0)
        return back_steps(at, tags + chunk * at.states, 8, position);
    tag = tags[chunk * at.states + position];
    return at.parts == 1 ? tag : (position & ~(((1u << at.tag_bits) - 1) << shift)) | tag << shift;
}

/* What back_all() needs some chunks on: each of its loads is from a line that only the one before tells, and the
 * decisions of a long tile are in the L2 cache. */
static FECRUN_ALWAYS_INLINE void fetch_all(struct layout at, const uint8_t *tags, size_t chunk,
                                           size_t length)
{
    const size_t ahead = chunk >= AHEAD ? chunk - AHEAD : 0;

    UNROLL for (unsigned k = 0; k < TRACES; k++) for (unsigned line = 0; line < at.states;
                                                      line += 64)
        __builtin_prefetch(tags + (k * length + ahead) * at.states + line);
}

/* The same of TRACES pieces of `length` chunks, of each in its turn. */
static FECRUN_ALWAYS_INLINE void back_all(struct layout at, const uint8_t *tags, size_t chunk,
                                          size_t length, uint32_t *position)
{
    fetch_all(at, tags, chunk, length);
    if (at.parts == 0) {
        const uint8_t *rows = tags + chunk * at.states;

        UNROLL for (unsigned j = 8; j-- > 0;) UNROLL for (unsigned k = 0; k < TRACES; k++)
            position[k] = back_step(at, rows + k * length * at.states + j * (at.states / 8), j,
                                    position[k]);
        return;
    }
    UNROLL for (unsigned k = 0; k < TRACES; k++)
        position[k] = back(at, tags + k * length * at.states, chunk, position[k]);
}

/* Chunks [from, to). */
static FECRUN_ALWAYS_INLINE uint32_t trace_part(struct layout at, const uint8_t *tags, size_t from,
                                                size_t to, uint32_t position, uint8_t *bits)
{
    for (size_t c = to; c-- > from;) {
        bits[c] = bits_of(at, c, position);
        position = back(at, tags, c, position);
    }
    return position;
}

/* The same where it has been traced from another position, which led to `before`: until both meet. */
static FECRUN_ALWAYS_INLINE uint32_t trace_again(struct layout at, const uint8_t *tags, size_t from,
                                                 size_t to, uint32_t position, uint32_t before,
                                                 uint8_t *bits)
{
    const unsigned all = at.parts ? at.parts : 1; /* chunks whose bits are a position's */
    unsigned same = 0;

    for (size_t c = to; c-- > from;) {
        const uint8_t now = bits_of(at, c, position);
        same = bits[c] == now ? same + 1 : 0;
        if (same == all)
            return before;
        bits[c] = now;
        position = back(at, tags, c, position);
    }
    return position;
}

/*
 * Pieces of `length` chunks, the last one longer. Each but the last is traced from any position some chunks
 * after its end. Where that has not led to the position in which the next piece begins, it is traced again.
 */
static FECRUN_ALWAYS_INLINE uint32_t trace_pieces(struct layout at, const uint8_t *tags,
                                                  size_t chunks, size_t length, size_t merge,
                                                  uint32_t last, uint8_t *bits)
{
    uint32_t p[TRACES] = {0}, end[TRACES];
    size_t c = length + merge;

    p[TRACES - 1] = trace_part(at, tags, c + (TRACES - 1) * length, chunks, last, bits);
    while (c-- > length) {
        bits[c + (TRACES - 1) * length] = bits_of(at, c, p[TRACES - 1]);
        back_all(at, tags, c, length, p);
    }
    for (unsigned k = 0; k < TRACES; k++)
        end[k] = p[k];
    for (c = length; c-- > 0;) {
        UNROLL for (unsigned k = 0; k < TRACES; k++) bits[c + k * length] = bits_of(at, c, p[k]);
        back_all(at, tags, c, length, p);
    }
    for (unsigned k = TRACES - 1; k-- > 0;)
        if (end[k] != p[k + 1])
            p[k] = trace_again(at, tags, k * length, (k + 1) * length, p[k + 1], p[k], bits);
    return p[0];
}

static FECRUN_ALWAYS_INLINE uint32_t trace(struct layout at, const uint8_t *tags, size_t chunks,
                                           uint32_t position, uint8_t *bits)
{
    const unsigned parts = at.parts ? at.parts : 1;
    const size_t merge = MERGE * parts;
    size_t length = chunks > merge ? (chunks - merge) / TRACES : 0;

    length -= length % parts;
    if (length < 2 * merge)
        return trace_part(at, tags, 0, chunks, position, bits);
    return trace_pieces(at, tags, chunks, length, merge, position, bits);
}

/* The last chunk may be short. */
static FECRUN_ALWAYS_INLINE uint32_t trace_steps(struct layout at, const uint8_t *tags,
                                                 size_t steps, uint32_t position, uint8_t *bits)
{
    const size_t chunks = steps / 8;

    if (steps % 8) {
        bits[chunks] = bits_of(at, chunks, position);
        position = back_steps(at, tags + chunks * at.states, steps % 8, position);
    }
    return trace(at, tags, chunks, position, bits);
}

static FECRUN_ALWAYS_INLINE uint32_t trace_any(const struct viterbi_frame *frame,
                                               const uint8_t *tags, size_t steps, uint32_t position,
                                               uint8_t *bits)
{
    const size_t chunks = (steps + frame->tag_bits - 1) / frame->tag_bits;
    const uint8_t *r = frame->reversed;

    switch (frame->m << 4 | frame->tag_bits) {
    case 0x44:
        return trace((struct layout){16, 1, 4, r, false}, tags, chunks, position, bits);
    case 0x42:
        return trace((struct layout){16, 2, 2, r, false}, tags, chunks, position, bits);
    case 0x66:
        return trace((struct layout){64, 1, 6, r, false}, tags, chunks, position, bits);
    case 0x63:
        return trace((struct layout){64, 2, 3, r, false}, tags, chunks, position, bits);
    case 0x62:
        return trace((struct layout){64, 3, 2, r, false}, tags, chunks, position, bits);
    case 0x88:
        if (frame->set->moved)
            return trace_steps((struct layout){256, 0, 8, r, true}, tags, steps, position, bits);
        return trace_steps((struct layout){256, 0, 8, r, false}, tags, steps, position, bits);
    case 0x84:
        return trace((struct layout){256, 2, 4, r, false}, tags, chunks, position, bits);
    default:
        return trace((struct layout){256, 4, 2, r, false}, tags, chunks, position, bits);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
/* Shifts by a variable number that take one instruction. */
__attribute__((target("bmi2"))) static uint32_t trace_bmi2(const struct viterbi_frame *frame,
                                                           const uint8_t *tags, size_t steps,
                                                           uint32_t position, uint8_t *bits)
{
    return trace_any(frame, tags, steps, position, bits);
}
#endif

static uint32_t trace_plain(const struct viterbi_frame *frame, const uint8_t *tags, size_t steps,
                            uint32_t position, uint8_t *bits)
{
    return trace_any(frame, tags, steps, position, bits);
}

uint32_t viterbi_frame_trace(const struct viterbi_frame *frame, const uint8_t *tags, size_t steps,
                             uint32_t position, uint8_t *bits)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("bmi2"))
        return trace_bmi2(frame, tags, steps, position, bits);
#endif
    return trace_plain(frame, tags, steps, position, bits);
}

/* ---- output -------------------------------------------------------------------------------- */

struct writer {
    uint8_t *to;
    uint64_t word; /* `fill` bits at its top */
    unsigned fill;
};

/* n bits, 1 to 64. */
static inline void put(struct writer *w, uint64_t value, unsigned n)
{
    const unsigned all = w->fill + n;

    if (all < 64) {
        w->word |= value << (64 - all);
        w->fill = all;
        return;
    }
    w->word |= value >> (all - 64);
    for (unsigned i = 0; i < 8; i++)
        w->to[i] = (uint8_t)(w->word >> (56 - 8 * i));
    w->to += 8;
    w->fill = all - 64;
    w->word = w->fill ? value << (64 - w->fill) : 0;
}

static void finish(struct writer *w)
{
    for (; w->fill >= 8; w->fill -= 8, w->word <<= 8)
        *w->to++ = (uint8_t)(w->word >> 56);
    if (w->fill)
        *w->to = (uint8_t)(w->word >> 56) | (*w->to & (uint8_t)(0xff >> w->fill));
}

/* The bits of eight chunks together. */
static inline uint64_t eight(const uint8_t *bits, unsigned tag_bits)
{
    const unsigned gap = 8 - tag_bits;
    uint64_t v = 0;

    for (unsigned i = 0; i < 8; i++)
        v = v << 8 | bits[i];
    v = (v & 0x00ff00ff00ff00ff) | (v & 0xff00ff00ff00ff00) >> gap;
    v = (v & 0x0000ffff0000ffff) | (v & 0xffff0000ffff0000) >> 2 * gap;
    return (v & 0x00000000ffffffff) | (v & 0xffffffff00000000) >> 4 * gap;
}

void viterbi_frame_put(const uint8_t *bits, unsigned tag_bits, size_t from, size_t count,
                       uint8_t *packed, size_t at)
{
    struct writer w = {.to = packed + at / 8, .fill = at % 8};
    unsigned skip = (unsigned)(from % tag_bits);

    if (count == 0)
        return;
    if (w.fill)
        w.word = (uint64_t)(*w.to & (uint8_t)(0xff00 >> w.fill)) << 56;
    bits += from / tag_bits;
    if (skip) {
        const unsigned rest = tag_bits - skip, part = rest < count ? rest : (unsigned)count;
        put(&w, *bits++ >> (rest - part) & ((1u << part) - 1), part);
        count -= part;
    }
    for (; count >= 8 * tag_bits; count -= 8 * tag_bits, bits += 8)
        put(&w, eight(bits, tag_bits), 8 * tag_bits);
    for (; count >= tag_bits; count -= tag_bits)
        put(&w, *bits++, tag_bits);
    if (count)
        put(&w, *bits >> (tag_bits - count), (unsigned)count);
    finish(&w);
}
