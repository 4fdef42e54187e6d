/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the forward steps of several.h for one K, 4 or 8 words of a frame. All metrics stay in registers. The
 * includer defines
 *   NAME(x), SEVERAL_K, WORD_BITS
 */
#define M (SEVERAL_K - 1)
#define VECTORS (1 << (M - WORD_BITS))

/* The bit of a word's number that is bit j of its position, or -1: it is a bit of the vector's. */
#define LANE_BIT(j) ((j) >= 1 && (j) <= WORD_BITS ? (int)(j)-1 : -1)
#define VECTOR_BIT(j) ((j) == 0 ? 1u : (j) <= WORD_BITS ? 0u : 1u << ((j)-WORD_BITS))

/* Branch metrics of step j of m, from the staged LLRs of step i, for each set of flipped outputs. */
static FECRUN_ALWAYS_INLINE void NAME(branch)(const struct viterbi_several *s, unsigned n,
                                              const uint8_t *staged, size_t i, unsigned j, vec *q)
{
    const vec x = vec_load(staged + i / 4 * sizeof(vec));
    const unsigned half = 1u << (n - 1), all = 2 * half - 1;
    vec sum = _mm512_maddubs_epi16(_mm512_shuffle_epi8(x, spread(s->pick[0][i % 4])),
                                   spread(s->weight[0]));

    if (n == 3)
        sum = vec_i16_add(sum,
                          _mm512_maddubs_epi16(_mm512_shuffle_epi8(x, spread(s->pick[1][i % 4])),
                                               spread(s->weight[1])));
    sum = vec_i16_sub(sum, spread(s->minus));
    UNROLL for (unsigned c = 0; c < half; c++)
    {
        q[c] = _mm512_shuffle_epi8(sum, spread(s->label[j][c]));
        q[all - c] = vec_i16_sub(vec_zero(), q[c]);
    }
}

/* The paths from the positions of vector g to themselves, or if *against their opposites. */
static FECRUN_ALWAYS_INLINE vec NAME(own)(const struct viterbi_several *s, struct known_code code,
                                          unsigned j, unsigned g, const vec *q, bool *against)
{
    unsigned flip = 0;

    *against = false;
    if (code.gen[0] == 0)
        return q[s->flip[j][g]];
    UNROLL for (unsigned bit = 0; bit < M; bit++)
    {
        if (bit != j && g & VECTOR_BIT(bit))
            flip ^= known_taps(code, M, (j + M - bit) % M);
    }
    *against = flip >> (code.n - 1);
    return q[*against ? flip ^ ((1u << code.n) - 1) : flip];
}

/* x + q, or x - q. */
static FECRUN_ALWAYS_INLINE vec NAME(plus)(vec x, vec q, bool against)
{
    return against ? vec_i16_sub(x, q) : vec_i16_add(x, q);
}

/* Step j of m. */
static FECRUN_ALWAYS_INLINE void NAME(step)(const struct viterbi_several *s, struct known_code code,
                                            vec *x, unsigned j, const vec *q)
{
    const unsigned bit = VECTOR_BIT(j);

    UNROLL for (unsigned g = 0; g < VECTORS; g++)
    {
        bool no;
        const vec b = NAME(own)(s, code, j, g & ~bit, q, &no);
        const vec stay = NAME(plus)(x[g], b, no);
        if (LANE_BIT(j) >= 0) {
            x[g] = vec_i16_max(stay, NAME(plus)(exchange(x[g], LANE_BIT(j)), b, !no));
        } else if (!(g & bit)) {
            const vec move = NAME(plus)(x[g | bit], b, !no), back = NAME(plus)(x[g | bit], b, no);
            x[g | bit] = vec_i16_max(back, NAME(plus)(x[g], b, !no));
            x[g] = vec_i16_max(stay, move);
        }
    }
}

/* The same soon after a known start, when one path leads to each state, from the position whose bit is 0. */
static FECRUN_ALWAYS_INLINE void NAME(forced_step)(const struct viterbi_several *s, unsigned n,
                                                   vec *x, unsigned j, const vec *q)
{
    const struct known_code any = {n, {0}};
    const unsigned bit = VECTOR_BIT(j);

    for (unsigned g = 0; g < VECTORS; g++) {
        bool no;
        const vec b = NAME(own)(s, any, j, g & ~bit, q, &no);
        if (LANE_BIT(j) >= 0) {
            x[g] = upper_words(vec_i16_add(x[g], b), vec_i16_sub(exchange(x[g], LANE_BIT(j)), b),
                               LANE_BIT(j));
        } else if (!(g & bit)) {
            x[g | bit] = vec_i16_sub(x[g], b);
            x[g] = vec_i16_add(x[g], b);
        }
    }
}

/* The row of a chunk that has come to an end, or not yet: [pair of vectors][frame][word][vector of the pair]. */
static FECRUN_ALWAYS_INLINE void NAME(put_tags)(const vec *metric, uint8_t *row)
{
    UNROLL for (unsigned g = 0; g < VECTORS; g += 2) vec_store(
        row + g / 2 * sizeof(vec),
        _mm512_mask_blend_epi8(0xaaaaaaaaaaaaaaaa, metric[g], _mm512_slli_epi16(metric[g + 1], 8)));
}

/* After a chunk: its tags, those that the next one begins with, and from time to time state 0's metric is taken
 * away. */
static FECRUN_ALWAYS_INLINE void NAME(close)(const struct viterbi_several *s,
                                             struct viterbi_several_run *run, vec *metric,
                                             size_t chunk, unsigned next)
{
    const vec mask = vec_i16_set(s->frame->tag_mask);

    NAME(put_tags)(metric, run->tags + chunk * (VECTORS / 2) * sizeof(vec));
    if (chunk != run->normalise) {
        UNROLL for (unsigned g = 0; g < VECTORS; g++)
            metric[g] = _mm512_ternarylogic_epi32(mask, metric[g], spread(s->tag[next][g]), 0xae);
    } else {
        const vec zero = vec_andnot(mask, _mm512_shuffle_epi8(metric[0], spread(s->zero)));
        const vec less = vec_i16_sub(zero, vec_i16_set(s->frame->equal));
        run->normalise += s->frame->every;
        UNROLL for (unsigned g = 0; g < VECTORS; g++) metric[g] = vec_or(
            vec_i16_sub(vec_andnot(mask, metric[g]), less), spread(s->tag[next][g]));
    }
}

/* At most m steps, the first of which is step 0 of m: the last ones, and those soon after a known start. */
static FECRUN_ALWAYS_INLINE void NAME(some)(const struct viterbi_several *s,
                                            struct viterbi_several_run *run, unsigned n,
                                            const uint8_t *staged, size_t from, size_t to,
                                            bool forced)
{
    const unsigned tag_bits = s->frame->tag_bits;
    const struct known_code any = {n, {0}};
    vec *metric = (vec *)(void *)run->metric;

#define ONE(J) \
    case J: \
        NAME(branch)(s, n, staged, i, J, q); \
        if (forced) \
            NAME(forced_step)(s, n, metric, J, q); \
        else \
            NAME(step)(s, any, metric, J, q); \
        break
    for (size_t i = from; i < to; i++) {
        const unsigned j = (unsigned)(run->step % M);
        vec q[1 << VITERBI_FRAME_MAX_N];
        switch (j) {
            ONE(0);
            ONE(1);
            ONE(2);
            ONE(3);
#if SEVERAL_K >= 7
            ONE(4);
            ONE(5);
#endif
        default:
            break;
        }
        run->step++;
        if (run->step % tag_bits == 0)
            NAME(close)(s, run, metric, run->step / tag_bits - 1, (j + 1) % M / tag_bits);
    }
#undef ONE
}

static void NAME(last)(const struct viterbi_several *s, struct viterbi_several_run *run, unsigned n,
                       const uint8_t *staged, size_t from, size_t to)
{
    NAME(some)(s, run, n, staged, from, to, false);
}

static void NAME(forced)(const struct viterbi_several *s, struct viterbi_several_run *run,
                         unsigned n, const uint8_t *staged, size_t to)
{
    NAME(some)(s, run, n, staged, 0, to, true);
}

/* m steps at a time, of which the first is step 0 of m. */
static FECRUN_ALWAYS_INLINE void NAME(rounds)(const struct viterbi_several *s,
                                              struct viterbi_several_run *run,
                                              struct known_code code, unsigned tag_bits,
                                              const uint8_t *staged, size_t from, size_t rounds)
{
    size_t chunk = run->step / tag_bits;
    vec metric[VECTORS];

    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        metric[g] = vec_load(run->metric + g * sizeof(vec) / 2);
    for (size_t i = from; i < from + rounds * M; i += M) {
        UNROLL for (unsigned j = 0; j < M; j++)
        {
            vec q[1 << VITERBI_FRAME_MAX_N];
            NAME(branch)(s, code.n, staged, i + j, j, q);
            NAME(step)(s, code, metric, j, q);
            if ((j + 1) % tag_bits == 0)
                NAME(close)(s, run, metric, chunk++, (j + 1) % M / tag_bits);
        }
    }
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        vec_store(run->metric + g * sizeof(vec) / 2, metric[g]);
    run->step += rounds * M;
}

static FECRUN_ALWAYS_INLINE void NAME(forward)(const struct viterbi_several *s,
                                               struct viterbi_several_run *run,
                                               struct known_code code, unsigned tag_bits,
                                               uint8_t *staged, size_t steps)
{
    size_t i = 0;

    unsign(staged, (steps + 3) / 4);
    if (run->step < run->forced) {
        i = M < steps ? M : steps;
        NAME(forced)(s, run, code.n, staged, i);
    }
    NAME(rounds)(s, run, code, tag_bits, staged, i, (steps - i) / M);
    NAME(last)(s, run, code.n, staged, steps - (steps - i) % M, steps);
    if (run->step % tag_bits != 0)
        NAME(put_tags)
    ((const vec *)(const void *)run->metric,
     run->tags + run->step / tag_bits * (VECTORS / 2) * sizeof(vec));
}

#undef M
#undef VECTORS
#undef LANE_BIT
#undef VECTOR_BIT
#undef NAME
#undef SEVERAL_K
#undef WORD_BITS
