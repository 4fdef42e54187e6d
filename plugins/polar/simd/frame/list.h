/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list decoder of one frame with AVX-512, for LIST_PATHS paths: 8, 16 or 32. The file that includes this
 * has defined LIST_PATHS and LIST(name), the name of a function for that many paths.
 *
 * A row has eight positions of all paths: qword p has those of path p, in bytes; nodes of less have
 * zeros above theirs. Decided bits are a word of 64 positions a path. Until the first fork all paths are
 * the same: LLRs made before are those of successive cancellation, `shared`.
 *
 * A fork does not move rows: path p has its alpha of stage s in qword alpha_of[s][p] of that
 * stage's rows, and its bits of the left child of stage s >= 6 in qword beta_of[s][p]. Only the word at
 * work is moved.
 */

enum { LIST(W) = LIST_PATHS / 8 };

struct LIST(row) {
    __m512i v[LIST(W)];
};

/* Where each path's qword comes from. */
struct LIST(map) {
    __m512i v[LIST(W)];
};

#define ROW struct LIST(row)
#define MAP struct LIST(map)
#define EACH_VECTOR _Pragma("GCC unroll 4") for (int w = 0; w < LIST(W); w++)

/* ---- Rows --------------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE ROW LIST(load)(const void *from)
{
    ROW r;

    EACH_VECTOR
    r.v[w] = _mm512_load_si512((const char *)from + 64 * w);
    return r;
}

static FECRUN_ALWAYS_INLINE void LIST(store)(void *to, ROW r)
{
    EACH_VECTOR
    _mm512_store_si512((char *)to + 64 * w, r.v[w]);
}

/* The places of up to 32 qwords, a byte each. */
static FECRUN_ALWAYS_INLINE __m256i LIST(places)(const uint8_t *places)
{
    return _mm256_load_si256((const void *)places);
}

static FECRUN_ALWAYS_INLINE MAP LIST(map_of)(__m256i places)
{
    const __m128i low = _mm256_castsi256_si128(places), high = _mm256_extracti128_si256(places, 1);
    MAP m;

    EACH_VECTOR
    {
        const __m128i half = w < 2 ? low : high;

        m.v[w] = _mm512_cvtepu8_epi64(w % 2 ? _mm_unpackhi_epi64(half, half) : half);
    }
    return m;
}

static FECRUN_ALWAYS_INLINE ROW LIST(move)(ROW r, MAP m)
{
    ROW to;

    EACH_VECTOR
    {
#if LIST_PATHS == 8
        to.v[w] = _mm512_permutexvar_epi64(m.v[w], r.v[w]);
#elif LIST_PATHS == 16
        to.v[w] = _mm512_permutex2var_epi64(r.v[0], m.v[w], r.v[1]);
#else
        to.v[w] = _mm512_mask_blend_epi64(_mm512_test_epi64_mask(m.v[w], _mm512_set1_epi64(16)),
                                          _mm512_permutex2var_epi64(r.v[0], m.v[w], r.v[1]),
                                          _mm512_permutex2var_epi64(r.v[2], m.v[w], r.v[3]));
#endif
    }
    return to;
}

/* ---- Where things are ----------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE int8_t *LIST(alpha)(const struct polar_frame_paths *p, uint32_t stage,
                                                uint32_t row)
{
    const uint32_t first = stage <= 3 ? stage : (1u << (stage - 3)) + 2;

    return p->alpha + (size_t)(first + row) * 8 * LIST_PATHS;
}

static FECRUN_ALWAYS_INLINE uint64_t *LIST(beta)(const struct polar_frame_paths *p, uint32_t at)
{
    return p->beta + (size_t)(at / 64) * LIST_PATHS;
}

/* Row of a node whose LLRs nobody has forked from since. */
static FECRUN_ALWAYS_INLINE ROW LIST(fresh)(const struct polar_frame_paths *p, uint32_t stage,
                                            uint32_t row)
{
    uint64_t eight;
    ROW r;

    if (!(p->shared >> stage & 1))
        return LIST(load)(LIST(alpha)(p, stage, row));
    memcpy(&eight, p->llr + (1u << stage) + 8 * row, 8);
    if (stage < 3)
        eight &= ((uint64_t)1 << (8u << stage)) - 1;
    EACH_VECTOR
    r.v[w] = _mm512_set1_epi64((long long)eight);
    return r;
}

/* And of others. */
static FECRUN_ALWAYS_INLINE ROW LIST(moved)(const struct polar_frame_paths *p, uint32_t stage,
                                            uint32_t row, MAP m)
{
    const ROW r = LIST(fresh)(p, stage, row);

    return p->shared >> stage & 1 ? r : LIST(move)(r, m);
}

/* ---- f and g ---------------------------------------------------------------------------------------- */

static inline void LIST(step_f)(struct polar_frame_paths *p, uint32_t stage)
{
    const uint32_t rows = stage > 3 ? 1u << (stage - 3) : 1;

    for (uint32_t i = 0; i < rows; i++) {
        const ROW a = LIST(fresh)(p, stage + 1, i);
        const ROW b = stage >= 3 ? LIST(fresh)(p, stage + 1, i + rows) : a;
        ROW r;

        EACH_VECTOR
        r.v[w] = check_64(
            a.v[w], stage >= 3 ? b.v[w] : _mm512_srl_epi64(b.v[w], _mm_cvtsi32_si128(8 << stage)));
        LIST(store)(LIST(alpha)(p, stage, i), r);
    }
}

/* Bits `from` .. `from + 7` of each word as a mask of its bytes. */
static FECRUN_ALWAYS_INLINE __mmask64 LIST(byte_mask)(__m512i words, uint32_t byte)
{
    const __m512i place = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0);
    const __m512i all = _mm512_shuffle_epi8(words,
                                            _mm512_add_epi8(place, _mm512_set1_epi8((char)byte)));

    return _mm512_test_epi8_mask(all, _mm512_set1_epi64((long long)0x8040201008040201));
}

/* Nodes of less than eight. */
static inline void LIST(small_g)(struct polar_frame_paths *p, const struct polar_step *step)
{
    const uint32_t stage = step->stage, h = 1u << stage;
    const ROW a = LIST(moved)(p, stage + 1, 0, LIST(map_of)(LIST(places)(p->alpha_of[stage + 1])));
    const ROW bits = LIST(load)(LIST(beta)(p, step->at));
    const __m128i down = _mm_cvtsi32_si128((int)((step->at - h) % 64));
    const __m512i low = _mm512_set1_epi64((long long)(((uint64_t)1 << 8 * h) - 1));
    ROW r;

    EACH_VECTOR
    {
        const __m512i b = _mm512_srl_epi64(a.v[w], _mm_cvtsi32_si128((int)(8 * h)));
        const __mmask64 ones = step->op == POLAR_G
                                   ? LIST(byte_mask)(_mm512_srl_epi64(bits.v[w], down), 0)
                                   : 0;

        r.v[w] = _mm512_and_si512(low, sum_64(a.v[w], b, ones));
    }
    LIST(store)(LIST(alpha)(p, stage, 0), r);
}

static inline void LIST(large_g)(struct polar_frame_paths *p, const struct polar_step *step)
{
    const uint32_t stage = step->stage, h = 1u << stage, rows = h / 8;
    const MAP alpha_of = LIST(map_of)(LIST(places)(p->alpha_of[stage + 1]));
    const uint32_t first = (step->at - h) % 64 / 8;
    ROW bits = LIST(load)(LIST(beta)(p, step->at - h));

    for (uint32_t i = 0; i < rows; i++) {
        const ROW a = LIST(moved)(p, stage + 1, i, alpha_of);
        const ROW b = LIST(moved)(p, stage + 1, i + rows, alpha_of);
        ROW r;

        if (stage >= 6 && i % 8 == 0)
            bits = LIST(load)(LIST(beta)(p, step->at - h + 8 * i));
        EACH_VECTOR
        r.v[w] = sum_64(a.v[w], b.v[w],
                        step->op == POLAR_G ? LIST(byte_mask)(bits.v[w], first + i % 8) : 0);
        LIST(store)(LIST(alpha)(p, stage, i), r);
    }
}

static inline void LIST(combine)(struct polar_frame_paths *p, const struct polar_step *step)
{
    const uint32_t h = 1u << step->stage, words = h / 64;
    const MAP m = LIST(map_of)(LIST(places)(p->beta_of[step->stage]));

    if (step->stage < 6) {
        const __m512i left = _mm512_set1_epi64(
            (long long)((((uint64_t)1 << h) - 1) << step->at % 64));
        ROW r = LIST(load)(LIST(beta)(p, step->at));

        EACH_VECTOR
        r.v[w] = _mm512_xor_si512(
            r.v[w], _mm512_and_si512(left, _mm512_srl_epi64(r.v[w], _mm_cvtsi32_si128((int)h))));
        LIST(store)(LIST(beta)(p, step->at), r);
        return;
    }
    for (uint32_t i = 0; i < words; i++) {
        ROW r = LIST(load)(LIST(beta)(p, step->at + 64 * i));
        const ROW right = LIST(load)(LIST(beta)(p, step->at + h + 64 * i));

        if (step->op == POLAR_COMBINE) {
            r = LIST(move)(r, m);
            EACH_VECTOR
            r.v[w] = _mm512_xor_si512(r.v[w], right.v[w]);
        } else {
            r = right;
        }
        LIST(store)(LIST(beta)(p, step->at + 64 * i), r);
    }
}

/* ---- Forks -------------------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE void LIST(add_metric)(struct polar_frame_paths *p, ROW more)
{
#if LIST_PATHS == 8
    const __m256i m = _mm256_load_si256((const void *)p->metric);

    _mm256_store_si256((void *)p->metric, _mm256_add_epi32(m, _mm512_cvtepi64_epi32(more.v[0])));
#else
    for (int w = 0; w < LIST(W); w += 2) { /* vectors as they are loaded again */
        const __m512i m = _mm512_load_si512(p->metric + 8 * w);

        _mm512_store_si512(p->metric + 8 * w,
                           _mm512_add_epi32(m, words_of(more.v[w], more.v[w + 1])));
    }
#endif
}

static inline void LIST(stay)(uint8_t *places)
{
    memcpy(places, all_places, sizeof all_places);
}

/* rank_8() and the like. */
static FECRUN_ALWAYS_INLINE bool LIST(rank)(struct polar_frame_paths *p, ROW penalty,
                                            __m256i *parent)
{
#if LIST_PATHS == 8
    return rank_8(p, _mm512_cvtepi64_epi32(penalty.v[0]), parent);
#elif LIST_PATHS == 16
    return rank_16(p, words_of(penalty.v[0], penalty.v[1]), parent);
#else
    return rank_32(p, words_of(penalty.v[0], penalty.v[1]), words_of(penalty.v[2], penalty.v[3]),
                   parent);
#endif
}

/* What lies in memory goes with the paths: path p was path from[p]. */
static FECRUN_ALWAYS_INLINE void LIST(follow)(struct polar_frame_paths *p,
                                              const struct polar_step *step, uint32_t stages,
                                              __m256i from)
{
    for (uint32_t s = step->stage + 1u; s < stages; s++)
        _mm256_store_si256((void *)p->alpha_of[s],
                           _mm256_permutexvar_epi8(from, LIST(places)(p->alpha_of[s])));
    for (uint32_t s = step->stage > 6 ? step->stage : 6; s < stages; s++)
        if (step->at >> s & 1)
            _mm256_store_si256((void *)p->beta_of[s],
                               _mm256_permutexvar_epi8(from, LIST(places)(p->beta_of[s])));
    if (step->stage < 6 && step->at % 64)
        LIST(store)
    (LIST(beta)(p, step->at), LIST(move)(LIST(load)(LIST(beta)(p, step->at)), LIST(map_of)(from)));
}

/* Decided bits of a leaf of h <= 64, in the low bits of each word. */
static FECRUN_ALWAYS_INLINE void LIST(put_bits)(struct polar_frame_paths *p,
                                                const struct polar_step *step, ROW bits)
{
    ROW r = LIST(load)(LIST(beta)(p, step->at));

    EACH_VECTOR
    r.v[w] = _mm512_or_si512(r.v[w],
                             _mm512_sll_epi64(bits.v[w], _mm_cvtsi32_si128((int)(step->at % 64))));
    LIST(store)(LIST(beta)(p, step->at), r);
}

/* ---- Leaves --------------------------------------------------------------------------------------------- */

/* Sums of magnitudes: of the negative LLRs and of the others. */
static FECRUN_ALWAYS_INLINE void LIST(costs)(const struct polar_frame_paths *p, uint32_t stage,
                                             ROW *zeros, ROW *ones)
{
    const uint32_t rows = stage > 3 ? 1u << (stage - 3) : 1;
    const __m512i zero = _mm512_setzero_si512();

    EACH_VECTOR
    zeros->v[w] = ones->v[w] = zero;
    for (uint32_t i = 0; i < rows; i++) {
        const ROW a = LIST(fresh)(p, stage, i);

        EACH_VECTOR
        {
            const __m512i more = _mm512_max_epi8(a.v[w], zero);
            const __m512i less = _mm512_max_epi8(_mm512_sub_epi8(zero, a.v[w]), zero);

            ones->v[w] = _mm512_add_epi64(ones->v[w], _mm512_sad_epu8(more, zero));
            zeros->v[w] = _mm512_add_epi64(zeros->v[w], _mm512_sad_epu8(less, zero));
        }
    }
}

static inline void LIST(leaf_frozen)(struct polar_frame_paths *p, const struct polar_step *step)
{
    ROW zeros, ones;

    LIST(costs)(p, step->stage, &zeros, &ones);
    LIST(add_metric)(p, zeros);
}

static inline void LIST(leaf_check)(struct polar_frame_paths *p,
                                    const struct polar_program *program,
                                    const struct polar_step *step)
{
    const ROW a = LIST(fresh)(p, 0, 0);
    const __m512i one = _mm512_set1_epi64(1), zero = _mm512_setzero_si512();
    ROW bits, cost;

    EACH_VECTOR
    bits.v[w] = zero;
    for (uint32_t i = 0; i < step->length; i++) {
        const uint32_t j = program->check[step->list + i];
        const uint32_t stage = 31 - (uint32_t)__builtin_clz(j ^ step->at);
        ROW r = LIST(load)(LIST(beta)(p, j));

        if (stage >= 6)
            r = LIST(move)(r, LIST(map_of)(LIST(places)(p->beta_of[stage])));
        EACH_VECTOR
        bits.v[w] = _mm512_xor_si512(bits.v[w],
                                     _mm512_srl_epi64(r.v[w], _mm_cvtsi32_si128((int)(j % 64))));
    }
    EACH_VECTOR
    {
        const __m512i sign = _mm512_srli_epi64(a.v[w], 7); /* of the only byte */

        bits.v[w] = _mm512_and_si512(bits.v[w], one);
        cost.v[w] = _mm512_maskz_mov_epi64(_mm512_cmpneq_epi64_mask(bits.v[w], sign),
                                           _mm512_abs_epi8(a.v[w]));
    }
    LIST(put_bits)(p, step, bits);
    LIST(add_metric)(p, cost);
}

static inline void LIST(leaf_repeated)(struct polar_frame_paths *p, const struct polar_step *step,
                                       uint32_t stages)
{
    const uint32_t h = 1u << step->stage;
    const __m512i all = _mm512_set1_epi64((long long)(~(uint64_t)0 >> (h < 64 ? 64 - h : 0)));
    ROW zeros, ones, cost, penalty, bits;
    __m256i parent;

    LIST(costs)(p, step->stage, &zeros, &ones);
    EACH_VECTOR
    {
        cost.v[w] = _mm512_min_epu64(zeros.v[w], ones.v[w]);
        penalty.v[w] = _mm512_sub_epi64(_mm512_max_epu64(zeros.v[w], ones.v[w]), cost.v[w]);
        bits.v[w] = _mm512_maskz_mov_epi64(_mm512_cmplt_epu64_mask(ones.v[w], zeros.v[w]), all);
    }
    LIST(add_metric)(p, cost);
    if (LIST(rank)(p, penalty, &parent)) {
        LIST(follow)(p, step, stages, parent);
        bits = LIST(move)(bits, LIST(map_of)(parent));
        EACH_VECTOR
        bits.v[w] = _mm512_mask_xor_epi64(bits.v[w], (__mmask8)(p->other >> 8 * w), bits.v[w], all);
    }
    if (h <= 64)
        LIST(put_bits)(p, step, bits);
    else
        for (uint32_t i = 0; i < h; i += 64)
            LIST(store)(LIST(beta)(p, step->at + i), bits);
}

#include "plugins/polar/simd/frame/list_free.h"

/* ---- The walk ---------------------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE void LIST(step)(struct polar_frame_paths *p,
                                            const struct polar_program *program,
                                            const struct polar_step *step)
{
    switch ((enum polar_op)step->op) {
    case POLAR_F:
        LIST(step_f)(p, step->stage);
        break;
    case POLAR_G:
    case POLAR_G0:
        if (step->stage < 3)
            LIST(small_g)(p, step);
        else
            LIST(large_g)(p, step);
        LIST(stay)(p->beta_of[step->stage]);
        break;
    case POLAR_COMBINE:
    case POLAR_COPY:
        LIST(combine)(p, step);
        return;
    case POLAR_RATE0:
        LIST(leaf_frozen)(p, step);
        return;
    case POLAR_REP:
        LIST(leaf_repeated)(p, step, program->stages);
        return;
    case POLAR_CHECK:
        LIST(leaf_check)(p, program, step);
        return;
    case POLAR_RATE1:
        LIST(leaf_free)(p, step, program->stages);
        return;
    default:
        LIST(leaf_even)(p, step, program->stages);
        return;
    }
    LIST(stay)(p->alpha_of[step->stage]);
    p->shared &= ~(1u << step->stage);
}

static void LIST(list)(const struct polar_program *program, const int8_t *from,
                       struct polar_frame_paths *p)
{
    const struct polar_step *step = program->step, *end = step + program->n_steps;
    const uint32_t n = 1u << program->stages;
    uint32_t cost;

    step = shared_steps(program, from, p->llr, &cost);
    p->shared = ~(uint32_t)0;
    memset(p->beta, 0, (n + 63) / 64 * 8 * LIST_PATHS);
    for (uint32_t i = 0; i < LIST_PATHS; i++)
        p->metric[i] = i ? POLAR_FRAME_NO_PATH : cost;
    for (; step < end; step++)
        LIST(step)(p, program, step);
}

#undef ROW
#undef MAP
#undef EACH_VECTOR
