/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A list decoder of one frame for LIST_PATHS paths: 8, 16 or 32. The file that includes this has defined
 * LIST_PATHS and LIST(name), the name of a function for that many paths, and included list_avx2.h or
 * list_avx512.h: lv is a vector of LIST_WORDS words of 64 bits.
 *
 * A row has eight positions of all paths: qword p has those of path p, in bytes; nodes of less have
 * zeros above theirs. Decided bits are a word of 64 positions a path. Until the first fork all paths are
 * the same: LLRs made before are those of successive cancellation, `shared`.
 *
 * A fork does not move rows: path p has its alpha of stage s in qword alpha_of[s][p] of that
 * stage's rows, and its bits of the left child of stage s >= 6 in qword beta_of[s][p]. Only the word at
 * work is moved.
 */

enum { LIST(W) = LIST_PATHS / LIST_WORDS };

struct LIST(row) {
    lv v[LIST(W)];
};

#define ROW struct LIST(row)
#define EACH_VECTOR _Pragma("GCC unroll 8") for (int w = 0; w < LIST(W); w++)

/* ---- Rows --------------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE ROW LIST(load)(const void *from)
{
    ROW r;

    EACH_VECTOR
    r.v[w] = lv_load((const char *)from + sizeof(lv) * w);
    return r;
}

static FECRUN_ALWAYS_INLINE void LIST(store)(void *to, ROW r)
{
    EACH_VECTOR
    lv_store((char *)to + sizeof(lv) * w, r.v[w]);
}

/* The places of up to 32 qwords, a byte each. */
static FECRUN_ALWAYS_INLINE __m256i LIST(places)(const uint8_t *places)
{
    return _mm256_load_si256((const void *)places);
}

#if LIST_WORDS == 8
#include "plugins/polar/simd/frame/list_move_avx512.h"
#else
#include "plugins/polar/simd/frame/list_move_avx2.h"
#endif

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
    r.v[w] = lv_set(eight);
    return r;
}

/* And of others. */
static FECRUN_ALWAYS_INLINE ROW LIST(moved)(const struct polar_frame_paths *p, uint32_t stage,
                                            uint32_t row, MAP m)
{
    if (p->shared >> stage & 1)
        return LIST(fresh)(p, stage, row);
    return LIST(take)(LIST(alpha)(p, stage, row), m);
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
        r.v[w] = lv_check(a.v[w], stage >= 3 ? b.v[w] : lv_srl(b.v[w], (8 << stage)));
        LIST(store)(LIST(alpha)(p, stage, i), r);
    }
}

/* Nodes of less than eight. */
static inline void LIST(small_g)(struct polar_frame_paths *p, const struct polar_step *step)
{
    const uint32_t stage = step->stage, h = 1u << stage;
    const ROW a = LIST(moved)(p, stage + 1, 0, LIST(map_of)(LIST(places)(p->alpha_of[stage + 1])));
    const ROW bits = LIST(load)(LIST(beta)(p, step->at));
    const uint32_t down = (step->at - h) % 64;
    const lv low = lv_set((((uint64_t)1 << 8 * h) - 1));
    ROW r;

    EACH_VECTOR
    {
        const lv b = lv_srl(a.v[w], (8 * h));
        const lv_bytes ones = step->op == POLAR_G ? lv_bytes_of(lv_srl(bits.v[w], down), 0)
                                                  : lv_no_bytes();

        r.v[w] = lv_and(low, lv_sum(a.v[w], b, ones));
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
        r.v[w] = lv_sum(a.v[w], b.v[w],
                        step->op == POLAR_G ? lv_bytes_of(bits.v[w], first + i % 8)
                                            : lv_no_bytes());
        LIST(store)(LIST(alpha)(p, stage, i), r);
    }
}

static inline void LIST(combine)(struct polar_frame_paths *p, const struct polar_step *step)
{
    const uint32_t h = 1u << step->stage, words = h / 64;
    const MAP m = LIST(map_of)(LIST(places)(p->beta_of[step->stage]));

    if (step->stage < 6) {
        const lv left = lv_set((long long)((((uint64_t)1 << h) - 1) << step->at % 64));
        ROW r = LIST(load)(LIST(beta)(p, step->at));

        EACH_VECTOR
        r.v[w] = lv_xor(r.v[w], lv_and(left, lv_srl(r.v[w], h)));
        LIST(store)(LIST(beta)(p, step->at), r);
        return;
    }
    for (uint32_t i = 0; i < words; i++) {
        ROW r = LIST(load)(LIST(beta)(p, step->at + 64 * i));
        const ROW right = LIST(load)(LIST(beta)(p, step->at + h + 64 * i));

        if (step->op == POLAR_COMBINE) {
            r = LIST(move)(r, m);
            EACH_VECTOR
            r.v[w] = lv_xor(r.v[w], right.v[w]);
        } else {
            r = right;
        }
        LIST(store)(LIST(beta)(p, step->at + 64 * i), r);
    }
}

/* ---- Forks -------------------------------------------------------------------------------------------- */

static FECRUN_ALWAYS_INLINE void LIST(add_metric)(struct polar_frame_paths *p, ROW more)
{
    add_metrics(p->metric, more.v, LIST(W));
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
    return rank_8(p, penalty.v, parent);
#elif LIST_PATHS == 16
    return rank_16(p, penalty.v, parent);
#else
    return rank_32(p, penalty.v, parent);
#endif
}

/* What lies in memory goes with the paths: path p was path from[p]. */
static FECRUN_ALWAYS_INLINE void LIST(follow)(struct polar_frame_paths *p,
                                              const struct polar_step *step, uint32_t stages,
                                              __m256i from)
{
    for (uint32_t s = step->stage + 1u; s < stages; s++)
        _mm256_store_si256((void *)p->alpha_of[s], move_places(LIST(places)(p->alpha_of[s]), from));
    for (uint32_t s = step->stage > 6 ? step->stage : 6; s < stages; s++)
        if (step->at >> s & 1)
            _mm256_store_si256((void *)p->beta_of[s],
                               move_places(LIST(places)(p->beta_of[s]), from));
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
    r.v[w] = lv_or(r.v[w], lv_sll(bits.v[w], step->at % 64));
    LIST(store)(LIST(beta)(p, step->at), r);
}

/* ---- Leaves --------------------------------------------------------------------------------------------- */

/* Sums of magnitudes: of the negative LLRs and of the others. */
static FECRUN_ALWAYS_INLINE void LIST(costs)(const struct polar_frame_paths *p, uint32_t stage,
                                             ROW *zeros, ROW *ones)
{
    const uint32_t rows = stage > 3 ? 1u << (stage - 3) : 1;
    const lv zero = lv_zero();

    EACH_VECTOR
    zeros->v[w] = ones->v[w] = zero;
    for (uint32_t i = 0; i < rows; i++) {
        const ROW a = LIST(fresh)(p, stage, i);

        EACH_VECTOR
        {
            const lv more = lv_max_i8(a.v[w], zero);
            const lv less = lv_max_i8(lv_sub_i8(zero, a.v[w]), zero);

            ones->v[w] = lv_add(ones->v[w], lv_sad(more));
            zeros->v[w] = lv_add(zeros->v[w], lv_sad(less));
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
    const lv one = lv_set(1), zero = lv_zero();
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
        bits.v[w] = lv_xor(bits.v[w], lv_srl(r.v[w], (j % 64)));
    }
    EACH_VECTOR
    {
        const lv sign = lv_srli(a.v[w], 7); /* of the only byte */

        bits.v[w] = lv_and(bits.v[w], one);
        cost.v[w] = lv_where(lv_differ(bits.v[w], sign), lv_abs_i8(a.v[w]));
    }
    LIST(put_bits)(p, step, bits);
    LIST(add_metric)(p, cost);
}

static inline void LIST(leaf_repeated)(struct polar_frame_paths *p, const struct polar_step *step,
                                       uint32_t stages)
{
    const uint32_t h = 1u << step->stage;
    const lv all = lv_set((~(uint64_t)0 >> (h < 64 ? 64 - h : 0)));
    ROW zeros, ones, cost, penalty, bits;
    __m256i parent;

    LIST(costs)(p, step->stage, &zeros, &ones);
    EACH_VECTOR
    {
        cost.v[w] = lv_min(zeros.v[w], ones.v[w]);
        penalty.v[w] = lv_sub(lv_max(zeros.v[w], ones.v[w]), cost.v[w]);
        bits.v[w] = lv_where(lv_less(ones.v[w], zeros.v[w]), all);
    }
    LIST(add_metric)(p, cost);
    if (LIST(rank)(p, penalty, &parent)) {
        LIST(follow)(p, step, stages, parent);
        bits = LIST(move)(bits, LIST(map_of)(parent));
        EACH_VECTOR
        bits.v[w] = lv_flip(bits.v[w], lv_paths(p->other >> LIST_WORDS * w), all);
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
