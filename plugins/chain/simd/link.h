/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modem.map, channel.awgn, and modem.demap and llr.quantize or modem.hard in one go, in registers;
 * channel.awgn, llr.quantize and modem.hard by themselves. Each rounds as the stages' references do. Behind noise.h, with
 *
 *     look_up(table, x)      of 8 floats, by the low three bits of each lane
 *     low_bytes(a, b, c, d)  their low bytes, a's lowest
 *     top_nibbles(p)         LINK_LANES / 2 bytes: to each lane four bits, from the top, in their order
 *     in_order(sample, out)  the four vectors of noise_samples() to 4 * LINK_LANES floats in their order
 */
#include "plugins/chain/modem/hard.h"
#include "plugins/chain/quantize.h"

#include <fecrun/sdk/bits.h>
#include <string.h>

enum {
    LINK_SAMPLES = 4 * LINK_LANES, /* real dimensions at a time: a block of noise a lane */
    LINK_MOST = 4 * LINK_SAMPLES,  /* bits of them */
};

/* What comes out. */
enum link_out { LINK_I8, LINK_I4, LINK_U8, LINK_PACKED };

/* What a frame needs in registers. */
struct link_state {
    struct noise_state noise;
    vec_f32 amplitude, sigma, linear, scale, max, least; /* amplitude: where there is one */
    vec_f32 inverse_unit, gain, square[MAX_LEVELS], twice[MAX_LEVELS];
    float table[MAX_LEVELS];
};

static FECRUN_ALWAYS_INLINE void link_begin(struct link_state *s, const struct chain_link *link,
                                            const struct chain_noise *noise)
{
    noise_begin(&s->noise, noise);
    s->amplitude = vec_f32_set(link->amplitude[0]);
    s->sigma = vec_f32_set(link->sigma);
    s->linear = vec_f32_set(link->demap.linear);
    s->scale = vec_f32_set(link->quantize.scale);
    s->max = vec_f32_set(link->quantize.max);
    s->least = vec_f32_set(-link->quantize.max);
    s->inverse_unit = vec_f32_set(link->demap.inverse_unit);
    s->gain = vec_f32_set(link->demap.gain);
    for (unsigned p = 0; p < MAX_LEVELS; p++) {
        s->square[p] = vec_f32_set(link->demap.square[p]);
        s->twice[p] = vec_f32_set(link->demap.twice[p]);
        s->table[p] = link->amplitude[p];
    }
}

/* ---- Bits in: those of a block of noise in a lane, the first one on top ---- */

static FECRUN_ALWAYS_INLINE vec link_packed(const uint8_t *b, unsigned m)
{
    uint32_t word[LINK_LANES];

    if (m == 1)
        return top_nibbles(b);
    for (unsigned i = 0; i < LINK_LANES; i++)
        if (m == 2)
            word[i] = (uint32_t)b[i] << 24;
        else if (m == 3)
            word[i] = ((uint32_t)b[3 * i / 2] << 24 | (uint32_t)b[3 * i / 2 + 1] << 16)
                      << i % 2 * 4;
        else
            word[i] = (uint32_t)b[2 * i] << 24 | (uint32_t)b[2 * i + 1] << 16;
    return vec_load_any(word);
}

/* Bytes 0 and 1 of a lane's four, where a block has four bits; else they are packed first. */
static FECRUN_ALWAYS_INLINE vec link_bit(vec bits, bool bytes, unsigned place)
{
    return vec_and(vec_u32_sll(bits, (int)(bytes ? 31 - 8 * place : place)),
                   vec_i32_set((int32_t)0x80000000u));
}

/* The level of a dimension whose first bit is at that place of each lane; the next ones are two on. */
static FECRUN_ALWAYS_INLINE vec_f32 link_level(const struct link_state *s, vec bits, bool bytes,
                                               unsigned m, unsigned place)
{
    const vec sign = link_bit(bits, bytes, place);
    vec_f32 level = s->amplitude;
    vec index = vec_i32_set(0);

    for (unsigned p = 1; p < m; p++)
        index = vec_or(index, vec_and(vec_u32_srl(bits, (int)(31 - (place + 2 * p) - (m - 1 - p))),
                                      vec_i32_set(1 << (m - 1 - p))));
    if (m > 1)
        level = look_up(s->table, index);
    return vec_f32_of_bits(vec_xor(vec_f32_bits(level), sign));
}

/* ---- LLRs of a dimension, quantized ---- */

static FECRUN_ALWAYS_INLINE vec link_quantize(const struct link_state *s, vec_f32 llr)
{
    return vec_f32_round(vec_f32_max(s->least, vec_f32_min(s->max, vec_f32_mul(llr, s->scale))));
}

/* The smallest metric of the levels whose bit number `bit` (0: the last) is `value`. */
static FECRUN_ALWAYS_INLINE vec_f32 link_smallest(const vec_f32 *metric, unsigned levels,
                                                  unsigned bit, unsigned value)
{
    vec_f32 best = metric[value << bit];

    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value && p != value << bit)
            best = vec_f32_min(metric[p], best);
    return best;
}

/* As in modem/demap.c. */
static FECRUN_ALWAYS_INLINE void link_demap(const struct link_state *s, unsigned m, vec_f32 y,
                                            vec *llr)
{
    const unsigned levels = 1u << (m - 1);
    const vec top = vec_i32_set((int32_t)0x80000000u);
    vec_f32 scaled, size, metric[MAX_LEVELS], best, sign;

    if (m == 1) {
        llr[0] = link_quantize(s, vec_f32_mul(s->linear, y));
        return;
    }
    scaled = vec_f32_mul(y, s->inverse_unit);
    size = vec_f32_of_bits(vec_andnot(top, vec_f32_bits(scaled)));
    for (unsigned p = 0; p < levels; p++)
        metric[p] = vec_f32_sub(s->square[p], vec_f32_mul(s->twice[p], size));
    best = metric[0];
    for (unsigned p = 1; p < levels; p++)
        best = vec_f32_min(metric[p], best);
    sign = vec_f32_sub(vec_f32_add(vec_f32_set(1.0f), vec_f32_mul(vec_f32_set(2.0f), size)), best);
    sign = vec_f32_of_bits(
        vec_or(vec_andnot(top, vec_f32_bits(sign)), vec_and(vec_f32_bits(scaled), top)));
    llr[0] = link_quantize(s, vec_f32_mul(s->gain, sign));
    for (unsigned j = 1; j < m; j++) {
        const vec_f32 one = link_smallest(metric, levels, m - 1 - j, 1);
        const vec_f32 zero = link_smallest(metric, levels, m - 1 - j, 0);
        llr[j] = link_quantize(s, vec_f32_mul(s->gain, vec_f32_sub(one, zero)));
    }
}

/* As in modem/hard.h: no NaN comes here, and no -0. */
static FECRUN_ALWAYS_INLINE void link_decide(const struct link_state *s, unsigned m, vec_f32 y,
                                             vec *bit)
{
    const vec top = vec_i32_set((int32_t)0x80000000u);
    vec_f32 left = m == 1 ? y : vec_f32_mul(y, s->inverse_unit);

    bit[0] = vec_u32_srl(vec_f32_bits(left), 31);
    for (unsigned j = 1; j < m; j++) {
        left = vec_f32_sub(vec_f32_set((float)(1u << (m - j))),
                           vec_f32_of_bits(vec_andnot(top, vec_f32_bits(left))));
        bit[j] = vec_u32_srl(vec_f32_bits(left), 31);
    }
}

/* ---- LLRs out: 4 m of a lane behind each other ---- */

static FECRUN_ALWAYS_INLINE void link_put_i8(const vec *llr, unsigned m, uint8_t *out)
{
    uint32_t word[4][LINK_LANES];

    for (unsigned d = 0; d < m; d++) {
        const vec four = low_bytes(llr[4 * d], llr[4 * d + 1], llr[4 * d + 2], llr[4 * d + 3]);
        vec_store_any(m == 1 ? (void *)out : (void *)word[d], four);
    }
    for (unsigned i = 0; m > 1 && i < LINK_LANES; i++)
        for (unsigned d = 0; d < m; d++)
            memcpy(out + 4 * (m * i + d), &word[d][i], 4);
}

/* The first of two in the high nibble. */
static FECRUN_ALWAYS_INLINE void link_put_i4(const vec *llr, unsigned m, uint8_t *out)
{
    const vec nibble = vec_i32_set(15);
    uint32_t word[4][LINK_LANES];

    for (unsigned d = 0; d < m; d++) {
        const vec *x = llr + 4 * d;
        const vec low = vec_or(vec_u32_sll(vec_and(x[0], nibble), 4), vec_and(x[1], nibble));
        const vec high = vec_or(vec_u32_sll(vec_and(x[2], nibble), 12),
                                vec_u32_sll(vec_and(x[3], nibble), 8));
        vec_store_any(word[d], vec_or(low, high));
    }
    for (unsigned i = 0; i < LINK_LANES; i++)
        for (unsigned d = 0; d < m; d++)
            memcpy(out + 2 * (m * i + d), &word[d][i], 2);
}

static FECRUN_ALWAYS_INLINE void link_put(const vec *item, unsigned m, enum link_out type,
                                          uint8_t *out)
{
    uint8_t bits[LINK_MOST];

    if (type == LINK_I4)
        link_put_i4(item, m, out);
    else
        link_put_i8(item, m, type == LINK_PACKED ? bits : out);
    if (type == LINK_PACKED)
        fecrun_bits_pack(out, bits, (size_t)m * LINK_SAMPLES);
}

/* ---- A frame ---- */

/* LINK_SAMPLES dimensions; bits: four bytes a lane (only for m = 1), or packed. */
static FECRUN_ALWAYS_INLINE void link_step(const struct link_state *s, unsigned m, bool bytes,
                                           enum link_out type, const vec_f32 noise[4],
                                           const uint8_t *bits, uint8_t *out)
{
    const vec word = bytes ? vec_load_any(bits) : link_packed(bits, m);
    vec item[16], part[4];

#pragma GCC unroll 4
    for (unsigned j = 0; j < 4; j++) {
        const unsigned place = j / 2 * (2 * m) + j % 2; /* of its first bit; QAM: symbol j / 2 */
        const vec_f32 level = link_level(s, word, bytes, m, m == 1 ? j : place);
        const vec_f32 y = vec_f32_add(level, vec_f32_mul(s->sigma, noise[j]));

        if (type == LINK_I8 || type == LINK_I4)
            link_demap(s, m, y, part);
        else
            link_decide(s, m, y, part);
#pragma GCC unroll 4
        for (unsigned p = 0; p < m; p++)
            item[m == 1 ? j : place + 2 * p] = part[p];
    }
    link_put(item, m, type, out);
}

/* Bytes of n items. */
static FECRUN_ALWAYS_INLINE uint64_t link_bytes(enum link_out type, uint64_t n)
{
    return type == LINK_PACKED ? (n + 7) / 8 : type == LINK_I4 ? (n + 1) / 2 : n;
}

/* The first of a step's bytes; what does not count in the last one becomes 0. */
static void link_part(const uint8_t *from, enum link_out type, uint64_t n, uint8_t *to)
{
    memcpy(to, from, link_bytes(type, n));
    if (type == LINK_I4 && n % 2)
        to[n / 2] &= 0xf0;
    if (type == LINK_PACKED && n % 8)
        to[n / 8] &= (uint8_t)(0xff00 >> n % 8);
}

/* n bits, a multiple of m. */
static FECRUN_ALWAYS_INLINE void link_frame(const struct chain_link *link,
                                            const struct chain_noise *noise, unsigned m,
                                            const uint8_t *bits, bool u8, uint64_t n, uint8_t *to,
                                            enum link_out type)
{
    const uint64_t step = (uint64_t)m * LINK_SAMPLES;
    const bool bytes = u8 && m == 1;
    uint8_t in[LINK_MOST], out[LINK_MOST];
    struct link_state s;
    uint32_t block = 0;

    link_begin(&s, link, noise);
    for (; n >= NOISE_GROUPS * step && (!u8 || bytes); n -= NOISE_GROUPS * step) {
        vec_f32 sample[NOISE_GROUPS][4];

        noise_groups(&s.noise, block, sample);
        for (unsigned g = 0; g < NOISE_GROUPS; g++) {
            link_step(&s, m, bytes, type, sample[g], bits, to);
            bits += bytes ? step : step / 8;
            to += link_bytes(type, step);
        }
        block += NOISE_GROUPS * LINK_LANES;
    }
    for (uint64_t i = 0; i < n; i += step, block += LINK_LANES) {
        vec_f32 sample[4];
        const uint64_t have = n - i < step ? n - i : step;
        const uint8_t *from = u8 ? bits + i : bits + i / 8;

        if (u8 && !bytes) {
            memset(in, 0, sizeof in);
            fecrun_bits_pack(in, from, have);
            from = in;
        } else if (have < step) {
            memset(in, 0, sizeof in);
            memcpy(in, from, bytes ? have : (have + 7) / 8);
            from = in;
        }
        noise_samples(&s.noise, block, sample);
        link_step(&s, m, bytes, type, sample, from, have < step ? out : to);
        if (have < step)
            link_part(out, type, have, to);
        to += link_bytes(type, have);
    }
}

/* The compiler makes a loop for each number of bits and for each pair of types that somebody asks for. */
static FECRUN_ALWAYS_INLINE void link_types(const struct chain_link *link,
                                            const struct chain_noise *noise, unsigned m,
                                            const uint8_t *bits, bool u8, uint64_t n, uint8_t *out,
                                            uint32_t type)
{
    if (u8 && type == FECRUN_U8)
        link_frame(link, noise, m, bits, true, n, out, LINK_U8);
    else if (type == FECRUN_PACKED)
        link_frame(link, noise, m, bits, false, n, out, LINK_PACKED);
    else if (u8 && type == FECRUN_I4)
        link_frame(link, noise, m, bits, true, n, out, LINK_I4);
    else if (u8)
        link_frame(link, noise, m, bits, true, n, out, LINK_I8);
    else if (type == FECRUN_I4)
        link_frame(link, noise, m, bits, false, n, out, LINK_I4);
    else
        link_frame(link, noise, m, bits, false, n, out, LINK_I8);
}

static void link_run(const struct chain_link *link, const struct chain_noise *noise,
                     const uint8_t *bits, uint32_t bits_type, uint64_t n, uint8_t *out,
                     uint32_t out_type)
{
    const bool u8 = bits_type == FECRUN_U8;

    if (link->bits == 1)
        link_types(link, noise, 1, bits, u8, n, out, out_type);
    else if (link->bits == 2)
        link_types(link, noise, 2, bits, u8, n, out, out_type);
    else if (link->bits == 3)
        link_types(link, noise, 3, bits, u8, n, out, out_type);
    else
        link_types(link, noise, 4, bits, u8, n, out, out_type);
}

/* ---- One stage alone ---- */

static void link_add_step(float sigma, const float *noise, const float *in, float *out,
                          unsigned step, uint64_t n)
{
    if (step == 1) {
        for (uint64_t i = 0; i < n; i++)
            out[i] = in[i] + sigma * noise[i];
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        out[2 * i] = in[2 * i] + sigma * noise[i];
        out[2 * i + 1] = in[2 * i + 1];
    }
}

static void link_add(const struct chain_noise *noise, float sigma, const float *in, float *out,
                     unsigned step, uint64_t samples)
{
    enum { CHUNK = 8 * LINK_SAMPLES };
    float ordered[CHUNK];
    struct noise_state s;

    noise_begin(&s, noise);
    for (uint64_t i = 0; i < samples; i += CHUNK) {
        const uint64_t n = samples - i < CHUNK ? samples - i : CHUNK;

        for (unsigned k = 0; k < n; k += LINK_SAMPLES) {
            vec_f32 sample[4];
            noise_samples(&s, (uint32_t)((i + k) / 4), sample);
            in_order(sample, ordered + k);
        }
        link_add_step(sigma, ordered, in + step * i, out + step * i, step, n);
    }
}

static void link_quantize_row(const struct quantize_code *code, const float *in, void *out,
                              uint32_t type, uint64_t n)
{
    chain_quantize_row(code, in, out, type, n);
}

static void link_hard_row(const struct hard_code *code, const float *in, uint64_t n, uint8_t *bits,
                          uint32_t type, uint64_t first)
{
    chain_hard_row(code, in, n, bits, type, first);
}
