/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the forward steps of frame.h for K = 9 and two outputs with metrics of 8 bits, for LLRs that are
 * small enough. Twice as many states to a vector pay for what tags give with 16 bits: a step stores for
 * each position whether its survivor came from the position whose bit is 0, as one bit.
 *
 * A metric is minus what a path has cost: of each output the LLR's magnitude where its sign is another.
 * Bits 0 to 4 of a position are the byte of a vector, the others the vector.
 *
 * With AVX-512 most steps are those of bytes_wide.h, and a bit says whether the survivor came from the other position.
 */
#define BYTES_MOVED (REGISTERS == 32)

enum { BYTES_M = 8, BYTES_VECTORS = 8, BYTES_LANE_BITS = 5 };

#define BYTES_VECTOR_BIT(j) ((j) < BYTES_LANE_BITS ? 0u : 1u << ((j)-BYTES_LANE_BITS))

/* The costs of labels 0 to 3 in a word of 32 bits, for each of eight steps. */
static FECRUN_ALWAYS_INLINE void bytes_costs(const struct viterbi_frame *f, const uint8_t *llr,
                                             uint32_t *cost)
{
    const vec zero = vec_i8_set(0), bias = vec_i8_set(-128);
    const vec x = vec_xor(
        bias, _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)llr)));
    const vec first = _mm256_sign_epi8(_mm256_shuffle_epi8(x, vec_load(f->pick[0])),
                                       vec_load(f->weight[0]));
    const vec other = _mm256_sign_epi8(_mm256_shuffle_epi8(x, vec_load(f->pick[1])),
                                       vec_load(f->weight[1]));

    vec_store(cost, vec_i8_add(_mm256_max_epi8(first, zero), _mm256_max_epi8(other, zero)));
}

/* x of the positions whose bit j is `bit`, at these and at their neighbours. */
static FECRUN_ALWAYS_INLINE vec bytes_from(vec x, unsigned j, unsigned bit)
{
    const __m128i near = bit ? _mm_setr_epi8(1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15)
                             : _mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const __m128i next = bit ? _mm_setr_epi8(2, 3, 2, 3, 6, 7, 6, 7, 10, 11, 10, 11, 14, 15, 14, 15)
                             : _mm_setr_epi8(0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 8, 9, 12, 13, 12, 13);

    switch (j) {
    case 0:
        return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(near));
    case 1:
        return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(next));
    case 2:
        return bit ? _mm256_shuffle_epi32(x, 0xf5) : _mm256_shuffle_epi32(x, 0xa0);
    case 3:
        return bit ? _mm256_unpackhi_epi64(x, x) : _mm256_unpacklo_epi64(x, x);
    default:
        return bit ? _mm256_permute2x128_si256(x, x, 0x11) : _mm256_permute2x128_si256(x, x, 0);
    }
}

/* x - cost; saturated, a state that no path leads to stays the least number. */
static FECRUN_ALWAYS_INLINE vec bytes_less(vec x, vec cost, bool saturated)
{
    return saturated ? _mm256_subs_epi8(x, cost) : _mm256_sub_epi8(x, cost);
}

/* Of the candidates over the bit 0 and over the bit 1 the better one. ones: the positions whose bit is 1. */
static FECRUN_ALWAYS_INLINE vec bytes_better(vec zero, vec one, uint32_t ones, uint8_t *row)
{
    uint32_t zeros = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(zero, one));

    if (BYTES_MOVED)
        zeros ^= ~ones;
    memcpy(row, &zeros, sizeof zeros);
    return _mm256_max_epi8(zero, one);
}

/* The lanes whose bit j is 1. */
static FECRUN_ALWAYS_INLINE uint32_t bytes_ones(unsigned j)
{
    return j == 0   ? 0xaaaaaaaa
           : j == 1 ? 0xcccccccc
           : j == 2 ? 0xf0f0f0f0
           : j == 3 ? 0xff00ff00
                    : 0xffff0000;
}

/* Which outputs the positions of vector g have otherwise than those of vector 0. */
static FECRUN_ALWAYS_INLINE unsigned bytes_flip(struct known_code code, unsigned j, unsigned g)
{
    unsigned flip = 0;

    UNROLL for (unsigned bit = BYTES_LANE_BITS; bit < BYTES_M; bit++)
    {
        if (bit != j && g & BYTES_VECTOR_BIT(bit))
            flip ^= known_taps(code, BYTES_M, (j + BYTES_M - bit) % BYTES_M);
    }
    return flip;
}

static FECRUN_ALWAYS_INLINE void bytes_step(const struct viterbi_frame *f, struct known_code code,
                                            vec *x, unsigned j, uint32_t costs, uint8_t *row,
                                            bool saturated)
{
    const vec all = _mm256_set1_epi32((int)costs);
    const unsigned bit = BYTES_VECTOR_BIT(j);
    vec cost[4];

    UNROLL for (unsigned flip = 0; flip < 4; flip++)
        cost[flip] = _mm256_shuffle_epi8(all, vec_load(f->byte_label[j][flip]));
    UNROLL for (unsigned g = 0; g < BYTES_VECTORS; g++)
    {
        const unsigned flip = bytes_flip(code, j, g);
        if (!bit) {
            x[g] = bytes_better(bytes_less(bytes_from(x[g], j, 0), cost[flip], saturated),
                                bytes_less(bytes_from(x[g], j, 1), cost[3 - flip], saturated),
                                bytes_ones(j), row + 4 * g);
        } else if (!(g & bit)) {
            const vec zero = x[g], one = x[g | bit];
            x[g] = bytes_better(bytes_less(zero, cost[flip], saturated),
                                bytes_less(one, cost[3 - flip], saturated), 0, row + 4 * g);
            x[g | bit] = bytes_better(bytes_less(zero, cost[3 - flip], saturated),
                                      bytes_less(one, cost[flip], saturated), ~UINT32_C(0),
                                      row + 4 * (g | bit));
        }
    }
}

/* State 0's metric becomes `level`. */
static FECRUN_ALWAYS_INLINE void bytes_level(vec *x, int8_t level)
{
    const vec less = _mm256_sub_epi8(_mm256_broadcastb_epi8(_mm256_castsi256_si128(x[0])),
                                     vec_i8_set(level));

    UNROLL for (unsigned g = 0; g < BYTES_VECTORS; g++) x[g] = _mm256_sub_epi8(x[g], less);
}

static FECRUN_ALWAYS_INLINE uint8_t *bytes_row(const struct viterbi_frame_run *run, size_t step)
{
    return run->tags + (step - run->first * BYTES_M) * BYTES_VECTORS * 4;
}

/* Some steps of eight: what precedes the first eight together, and what follows the last ones. */
static FECRUN_ALWAYS_INLINE void bytes_some(const struct viterbi_frame *f,
                                            struct viterbi_frame_run *run, struct known_code code,
                                            const uint8_t *llr, unsigned steps)
{
    _Alignas(32) uint32_t cost[BYTES_M];
    vec x[BYTES_VECTORS];

    memcpy(x, run->metric, sizeof x);
    bytes_costs(f, llr, cost);
#define ONE(J) \
    case J: \
        bytes_step(f, code, x, J, cost[i], bytes_row(run, run->step), true); \
        break
    for (unsigned i = 0; i < steps; i++) {
        switch (run->step % BYTES_M) {
            ONE(0);
            ONE(1);
            ONE(2);
            ONE(3);
            ONE(4);
            ONE(5);
            ONE(6);
            ONE(7);
        default:
            break;
        }
        run->step++;
        if (run->step >= BYTES_M || !run->forced)
            bytes_level(x, f->early_level);
    }
#undef ONE
    memcpy(run->metric, x, sizeof x);
}

#if BYTES_MOVED
#include "plugins/viterbi/simd/frame/bytes_wide.h"
#else
static FECRUN_ALWAYS_INLINE void bytes_rounds(const struct viterbi_frame *f,
                                              struct viterbi_frame_run *run, struct known_code code,
                                              const uint8_t *llr, size_t rounds)
{
    _Alignas(32) uint32_t cost[2][BYTES_M];
    uint8_t *row = bytes_row(run, run->step);
    vec x[BYTES_VECTORS];

    memcpy(x, run->metric, sizeof x);
    bytes_costs(f, llr, cost[0]);
    for (size_t i = 0; i < rounds; i++) {
        const uint32_t *now = cost[i & 1];

        llr += 2 * BYTES_M;
        bytes_costs(f, llr, cost[~i & 1]);
        bytes_level(x, f->level);
        UNROLL for (unsigned j = 0; j < BYTES_M; j++, row += BYTES_VECTORS * 4)
            bytes_step(f, code, x, j, now[j], row, false);
    }
    memcpy(run->metric, x, sizeof x);
    run->step += rounds * BYTES_M;
}
#endif

static FECRUN_ALWAYS_INLINE void bytes_forward(const struct viterbi_frame *f,
                                               struct viterbi_frame_run *run,
                                               struct known_code code, const uint8_t *llr,
                                               size_t steps)
{
    while (steps > 0) {
        size_t part = BYTES_M - run->step % BYTES_M;

        if (part == BYTES_M && steps >= BYTES_M && run->step >= run->forced) {
            part = steps / BYTES_M * BYTES_M;
            bytes_rounds(f, run, code, llr, steps / BYTES_M);
        } else {
            part = part < steps ? part : steps;
            bytes_some(f, run, code, llr, (unsigned)part);
        }
        llr += 2 * part;
        steps -= part;
    }
}
