/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: the forward steps of frame.h for one K, with two or three outputs or with four. The includer
 * defines
 *   NAME(x), FRAME_K, FRAME_FOUR
 * Vectors are taken in groups that some steps do not leave, and stay in registers for these steps.
 */
#define M (FRAME_K - 1)
#define VECTORS (1 << (M - 4))
#define IN_REGISTERS (VECTORS <= REGISTERS / 2)

/* The bit of a lane's number that is bit j of its position, or -1: it is a bit of the vector's. */
#define LANE_BIT(j) ((j) < 3 ? (int)(j) : M == 4 ? 3 : (j) == 4 ? 3 : -1)
#define VECTOR_BIT(j) (M == 4 || (j) < 3 || (j) == 4 ? 0u : (j) == 3 ? 1u : 1u << ((j)-4))

/*
 * The branch metrics of the paths from the positions of vector g to themselves, or if *against their
 * opposites. In a code whose generators the compiler knows, vectors whose labels differ by nothing or by
 * all outputs share them.
 */
static FECRUN_ALWAYS_INLINE vec NAME(own)(const struct viterbi_frame *f, struct known_code code,
                                          unsigned j, unsigned g, vec branch, bool *against)
{
    unsigned label = 0;
    vec q;

    *against = false;
    if (code.n == 0) {
        q = _mm256_shuffle_epi8(branch, vec_load(f->own[0][j][g]));
        return FRAME_FOUR ? vec_i16_add(q, _mm256_shuffle_epi8(branch, vec_load(f->own[1][j][g])))
                          : q;
    }
    UNROLL for (unsigned bit = 0; bit < M; bit++)
    {
        if (bit != j && g & VECTOR_BIT(bit))
            label ^= known_taps(code, M, (j + M - bit) % M);
    }
    *against = label >> (code.n - 1);
    return _mm256_shuffle_epi8(
        branch, vec_load(f->label[j][*against ? label ^ ((1u << code.n) - 1) : label]));
}

/* x + q, or x - q. */
static FECRUN_ALWAYS_INLINE vec NAME(plus)(vec x, vec q, bool against)
{
    return against ? vec_i16_sub(x, q) : vec_i16_add(x, q);
}

/*
 * Steps [from, to) of m on the vectors g + i * low. After a known start one path leads to each state, from
 * the position whose bit is 0: `others` is then the least number, else the largest one, and candidates over
 * other paths are no more than that.
 */
static FECRUN_ALWAYS_INLINE void NAME(group)(const struct viterbi_frame *f, struct known_code code,
                                             vec *metric, unsigned g, unsigned low, unsigned size,
                                             const int16_t *branch, unsigned from, unsigned to,
                                             const vec *others)
{
    vec x[REGISTERS / 2];

    UNROLL for (unsigned i = 0; i < size; i++) x[i] = metric[g + i * low];
    UNROLL for (unsigned j = from; j < to; j++)
    {
        const vec b = vec_broadcast16(branch + (j - from) * 8);
        const unsigned bit = VECTOR_BIT(j) / low;
        UNROLL for (unsigned i = 0; i < size; i++)
        {
            bool no;
            const vec q = NAME(own)(f, code, j, (g + i * low) & ~VECTOR_BIT(j), b, &no);
            vec stay = NAME(plus)(x[i], q, no);
            if (LANE_BIT(j) >= 0) {
                vec move = NAME(plus)(exchange(x[i], LANE_BIT(j)), q, !no);
                if (others) {
                    const vec all = vec_i16_set(INT16_MAX);
                    stay = _mm256_min_epi16(stay, upper_lanes(all, *others, LANE_BIT(j)));
                    move = _mm256_min_epi16(move, upper_lanes(*others, all, LANE_BIT(j)));
                }
                x[i] = vec_i16_max(stay, move);
            } else if (!(i & bit)) {
                vec move = NAME(plus)(x[i | bit], q, !no), back = NAME(plus)(x[i | bit], q, no);
                if (others) {
                    move = _mm256_min_epi16(move, *others);
                    back = _mm256_min_epi16(back, *others);
                }
                x[i | bit] = vec_i16_max(back, NAME(plus)(x[i], q, !no));
                x[i] = vec_i16_max(stay, move);
            }
        }
    }
    UNROLL for (unsigned i = 0; i < size; i++) metric[g + i * low] = x[i];
}

/* Steps [from, to) on all vectors. */
static FECRUN_ALWAYS_INLINE void NAME(pass)(const struct viterbi_frame *f, struct known_code code,
                                            vec *metric, const int16_t *branch, unsigned from,
                                            unsigned to, const vec *others)
{
    unsigned span = 0, low, size;

    UNROLL for (unsigned j = from; j < to; j++) span |= VECTOR_BIT(j);
    if (VECTORS <= REGISTERS / 2)
        span = VECTORS - 1;
    low = span ? span & -span : 1;
    size = span / low + 1;
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
    {
        if (!(g & span))
            NAME(group)(f, code, metric, g, low, size, branch, from, to, others);
    }
}

/* The row of a chunk that has come to an end, or not yet. */
static FECRUN_ALWAYS_INLINE void NAME(put_tags)(const struct viterbi_frame *f, const vec *metric,
                                                uint8_t *row)
{
    const vec mask = vec_i16_set(f->tag_mask);

#if FRAME_K == 5
    const vec t = vec_and(metric[0], mask);
    _mm_store_si128((__m128i *)(void *)row,
                    _mm_packus_epi16(_mm256_castsi256_si128(t), _mm256_extracti128_si256(t, 1)));
#else
    UNROLL for (unsigned g = 0; g < VECTORS; g += 2)
    {
        vec_store(row + g * VITERBI_FRAME_LANES,
                  _mm256_packus_epi16(vec_and(metric[g], mask), vec_and(metric[g + 1], mask)));
    }
#endif
}

/* After chunk `part` of m steps: its tags, those that the next one begins with, and from time to time
 * state 0's metric is taken away. */
static FECRUN_ALWAYS_INLINE void NAME(close)(const struct viterbi_frame *f,
                                             struct viterbi_frame_run *run, vec *metric,
                                             size_t chunk, unsigned next)
{
    const vec mask = vec_i16_set(f->tag_mask);
    const int16_t *tag = f->tag[next];

    NAME(put_tags)(f, metric, run->tags + (chunk - run->first) * (1 << M));
    if (chunk != run->normalise) {
        UNROLL for (unsigned g = 0; g < VECTORS; g++)
            metric[g] = other_tags(mask, metric[g], vec_load(tag + g * VITERBI_FRAME_LANES));
    } else {
        const vec zero = vec_andnot(mask, vec_broadcast_word(metric[0]));
        const vec less = vec_i16_sub(zero, vec_i16_set(f->equal));
        run->normalise += f->every;
        UNROLL for (unsigned g = 0; g < VECTORS; g++)
            metric[g] = vec_or(vec_i16_sub(vec_andnot(mask, metric[g]), less),
                               vec_load(tag + g * VITERBI_FRAME_LANES));
    }
}

/*
 * Some steps of m, the first of which is any: what precedes the first m steps together, and what follows
 * the last ones.
 */
static void NAME(some)(const struct viterbi_frame *f, struct viterbi_frame_run *run,
                       const uint8_t *llr, unsigned steps)
{
    const struct known_code any = {0};
    const vec others = vec_i16_set(run->step < run->forced ? INT16_MIN : INT16_MAX);
    _Alignas(32) int16_t branch[M * 8];
#if IN_REGISTERS
    vec metric[VECTORS];
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        metric[g] = vec_load(run->metric + g * VITERBI_FRAME_LANES);
#else
    vec *metric = (vec *)(void *)run->metric;
#endif
    unsigned j = (unsigned)(run->step % M), left = f->tag_bits - j % f->tag_bits;
    size_t chunk = run->step / f->tag_bits;

    branch_metrics(f, f->spec.code.n, llr, steps, branch);
#define ONE(J) \
    case J: \
        NAME(pass)(f, any, metric, now, J, J + 1, &others); \
        break
    for (const int16_t *now = branch; now < branch + steps * 8; now += 8) {
        switch (j) {
            ONE(0);
            ONE(1);
            ONE(2);
            ONE(3);
#if FRAME_K >= 7
            ONE(4);
            ONE(5);
#endif
#if FRAME_K >= 9
            ONE(6);
            ONE(7);
#endif
        default:
            break;
        }
        j = j + 1 == M ? 0 : j + 1;
        if (--left == 0) {
            NAME(close)(f, run, metric, chunk++, j / f->tag_bits);
            left = f->tag_bits;
        }
    }
    run->step += steps;
#undef ONE
#if IN_REGISTERS
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        vec_store(run->metric + g * VITERBI_FRAME_LANES, metric[g]);
#endif
}

/* The chunk of m steps that begins with step `from`. */
static FECRUN_ALWAYS_INLINE void NAME(chunk)(const struct viterbi_frame *f,
                                             struct viterbi_frame_run *run, struct known_code code,
                                             unsigned tag_bits, unsigned from,
                                             const int16_t *branch, vec *metric, size_t chunk)
{
    const unsigned to = from + tag_bits;

    NAME(pass)(f, code, metric, branch + from * 8, from, to, NULL);
    NAME(close)(f, run, metric, chunk, to % M / tag_bits);
}

/* m steps at a time, of which the first is step 0 of m. The branch metrics of the next m steps are made between
 * these, which wait for each other. */
static FECRUN_ALWAYS_INLINE void NAME(rounds)(const struct viterbi_frame *f,
                                              struct viterbi_frame_run *run, struct known_code code,
                                              unsigned tag_bits, const uint8_t *llr, size_t rounds)
{
    const unsigned n = code.n ? code.n : f->spec.code.n;
    _Alignas(32) int16_t branch[2][M * 8];
    size_t chunk = run->step / tag_bits;
#if IN_REGISTERS
    vec metric[VECTORS];
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        metric[g] = vec_load(run->metric + g * VITERBI_FRAME_LANES);
#else
    vec *metric = (vec *)(void *)run->metric;
#endif

    branch_metrics(f, n, llr, M, branch[0]);
    for (size_t i = 0; i < rounds; i++) {
        llr += M * n;
        branch_metrics(f, n, llr, M, branch[~i & 1]);
        NAME(chunk)(f, run, code, tag_bits, 0, branch[i & 1], metric, chunk++);
        if (tag_bits < M)
            NAME(chunk)(f, run, code, tag_bits, tag_bits, branch[i & 1], metric, chunk++);
        if (2 * tag_bits < M)
            NAME(chunk)(f, run, code, tag_bits, 2 * tag_bits, branch[i & 1], metric, chunk++);
        if (3 * tag_bits < M)
            NAME(chunk)(f, run, code, tag_bits, 3 * tag_bits, branch[i & 1], metric, chunk++);
    }
#if IN_REGISTERS
    UNROLL for (unsigned g = 0; g < VECTORS; g++)
        vec_store(run->metric + g * VITERBI_FRAME_LANES, metric[g]);
#endif
    run->step += rounds * M;
}

static FECRUN_ALWAYS_INLINE void NAME(forward)(const struct viterbi_frame *f,
                                               struct viterbi_frame_run *run,
                                               struct known_code code, unsigned tag_bits,
                                               const uint8_t *llr, size_t steps)
{
    const unsigned n = code.n ? code.n : f->spec.code.n;

    while (steps > 0) {
        size_t part = M - run->step % M;

        if (part == M && steps >= M && run->step >= run->forced) {
            part = steps / M * M;
            NAME(rounds)(f, run, code, tag_bits, llr, steps / M);
        } else {
            part = part < steps ? part : steps;
            NAME(some)(f, run, llr, (unsigned)part);
        }
        llr += part * n;
        steps -= part;
    }
    if (run->step % tag_bits != 0)
        NAME(put_tags)
    (f, (const vec *)(const void *)run->metric,
     run->tags + (run->step / tag_bits - run->first) * (1 << M));
}

#undef M
#undef VECTORS
#undef IN_REGISTERS
#undef LANE_BIT
#undef VECTOR_BIT
#undef NAME
#undef FRAME_K
#undef FRAME_FOUR
