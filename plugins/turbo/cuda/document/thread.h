/* SPDX-License-Identifier: BSD-2-Clause */
/* The work of a thread in plan.h's kernels. C++ for CUDA, and for the CPU in tests. */
#ifndef TURBO_CUDA_DOCUMENT_THREAD_H
#define TURBO_CUDA_DOCUMENT_THREAD_H

#include "plugins/turbo/code/trellis.h"
#include "plugins/turbo/cuda/document/plan.h"

#ifdef WIN_ON_HOST
#define DOC_FN static inline
#else
#define DOC_FN static __device__ __forceinline__
#endif

#define DOC_NEVER (-1e9f)

/* Arrays of a frame. */
struct doc_frame {
    const float *arrived;      /* d0 d1 d2 */
    float *extrinsic[2], *llr; /* in the block's order */
    float *border[2];          /* of an encoder: [iteration mod 2][begin, end][window][state] */
    float *alpha;              /* [step][state] */
};

DOC_FN struct doc_frame doc_frame_at(const struct turbo_document &d, uint64_t frame)
{
    float *at = d.memory + frame * turbo_document_floats(&d);
    struct doc_frame f;

    f.arrived = at;
    at += turbo_word(d.qpp.k);
    f.extrinsic[0] = at;
    f.extrinsic[1] = at + d.qpp.k;
    f.llr = at + 2 * d.qpp.k;
    at += 3 * d.qpp.k;
    f.border[0] = at;
    f.border[1] = at + 32 * d.windows;
    f.alpha = at + 64 * d.windows;
    return f;
}

DOC_FN float &doc_border(const struct turbo_document &d, float *borders, uint32_t iteration,
                         unsigned end, uint32_t window, unsigned state)
{
    return borders[((2 * (iteration & 1) + end) * d.windows + window) * DOC_STATES + state];
}

template <bool EXACT> DOC_FN float doc_sum(float a, float b)
{
    const float most = fmaxf(a, b);

#ifdef WIN_ON_HOST
    return EXACT ? most + logf(1 + expf(-fabsf(a - b))) : most;
#else
    return EXACT ? most + __logf(1 + __expf(-fabsf(a - b))) : most;
#endif
}

/* ---- before and behind the iterations
   ---------------------------------------------------------- */

DOC_FN float doc_read(const struct turbo_document &d, const void *row, uint32_t i)
{
    float x;

    if (d.type == FECRUN_I8)
        x = fmaxf(((const int8_t *)row)[i], -127);
    else if (d.type == FECRUN_I16)
        x = ((const int16_t *)row)[i];
    else
        x = ((const float *)row)[i];
    if (!(fabsf(x) <= FECRUN_LLR_MAX_F32)) /* a NaN is 0 */
        x = x > 0 ? FECRUN_LLR_MAX_F32 : x < 0 ? -FECRUN_LLR_MAX_F32 : 0;
    return x * d.unit;
}

/* What is known of bit i beforehand. */
DOC_FN float doc_apriori(const struct turbo_document &d, uint64_t frame, uint32_t i)
{
    float x = 0;

    if (d.apriori)
        x = ((const float *)((const char *)d.apriori + frame * d.apriori_stride))[i];
    x = x == x ? x * d.apriori_unit : 0; /* a NaN is 0 */
    return fminf(fmaxf(x, -FECRUN_LLR_MAX_F32), FECRUN_LLR_MAX_F32);
}

/* Metric of the path from a state behind the last step to state 0. */
DOC_FN float doc_tail(const struct turbo_document &d, const void *row, unsigned encoder,
                      uint32_t state)
{
    float sum = 0;

    for (uint32_t t = 0; t < TURBO_TAIL; t++) {
        const uint32_t u = turbo_tail_input(state), z = turbo_parity(state, u);

        sum += u ? 0 : doc_read(d, row, turbo_tail_x(d.qpp.k, encoder, t));
        sum += z ? 0 : doc_read(d, row, turbo_tail_z(d.qpp.k, encoder, t));
        state = turbo_next(state, u);
    }
    return sum;
}

/* One thread of `threads` that make a frame ready. */
DOC_FN void doc_load(const struct turbo_document &d, uint64_t frame, uint32_t thread,
                     uint32_t threads)
{
    const char *const row = (const char *)d.in + frame * d.in_stride;
    const struct doc_frame f = doc_frame_at(d, frame);
    const uint32_t k = d.qpp.k;

    for (uint32_t i = thread; i < turbo_word(k); i += threads) {
        const uint32_t stream = i / (k + 4), n = i - stream * (k + 4);
        const bool filler = stream < 2 && n < d.fillers;

        ((float *)f.arrived)[i] = filler ? 127 * d.unit : doc_read(d, row, i);
        if (!filler && stream == 0 && n < k)
            ((float *)f.arrived)[i] += doc_apriori(d, frame, n - d.fillers);
    }
    for (uint32_t i = thread; i < k; i += threads)
        f.extrinsic[1][i] = 0;
    for (uint32_t i = thread; i < 64 * d.windows; i += threads) {
        const unsigned encoder = i / (32 * d.windows), state = i % DOC_STATES;
        const uint32_t n = i / DOC_STATES % (4 * d.windows); /* [iteration][end][window] */
        const uint32_t end = n / d.windows % 2, window = n % d.windows;
        float metric = 0;

        if (!end && window == 0)
            metric = state ? DOC_NEVER : 0;
        else if (end && window + 1 == d.windows)
            metric = doc_tail(d, row, encoder, state);
        f.border[encoder][i % (32 * d.windows)] = metric;
    }
    if (thread == 0)
        d.left[frame] = 0;
}

/* One thread of `threads`: LLRs, or what of them did not come in with the bit itself. */
DOC_FN void doc_put_soft(const struct turbo_document &d, uint64_t frame, unsigned port,
                         uint32_t thread, uint32_t threads)
{
    const struct doc_frame f = doc_frame_at(d, frame);
    float *const out = (float *)(d.soft[port] + frame * d.soft_stride[port]);

    for (uint32_t i = d.fillers + thread; i < d.qpp.k; i += threads) {
        const float llr = (f.llr[i] - (port ? f.arrived[i] : 0)) / d.unit;

        out[i - d.fillers] = fminf(fmaxf(llr, -FECRUN_LLR_MAX_F32), FECRUN_LLR_MAX_F32);
    }
}

/* ---- a half iteration
   ---------------------------------------------------------------------------- */

/* Shared memory of the eight threads of a sub-block. */
struct doc_shared {
    float metric[2][DOC_STATES];
    float of[2][DOC_STATES][DOC_STATES]; /* of input, step, state: the papers' Lambda 0 and 1 */
    float s[DOC_STATES];                 /* of the same eight steps: LLRs of the input bits, */
    uint32_t place[DOC_STATES];          /* and where they are in the block */
};

/* One thread: a state. meet() lets the other seven come up. */
template <bool EXACT, class Meet>
DOC_FN void doc_half(const struct turbo_document &d, const struct doc_frame &f, unsigned encoder,
                     uint32_t iteration, uint32_t window, unsigned state, struct doc_shared &shared,
                     float *alphas, const uint16_t *places, Meet meet)
{
    const uint32_t first = window * d.steps, k = d.qpp.k;
    const float *const parity = f.arrived + turbo_item(k, 1 + encoder, first);
    const float *const prior = f.extrinsic[!encoder];
    const unsigned from = 2 * state % DOC_STATES, u = turbo_next(from, 1) == state;
    const unsigned z = turbo_parity(from, u);
    const unsigned to[2] = {turbo_next(state, 0), turbo_next(state, 1)};
    const unsigned sent[2] = {turbo_parity(state, 0), turbo_parity(state, 1)};
    float m = doc_border(d, f.border[encoder], iteration, 0, window, state);

    for (uint32_t i = 0; i < d.steps; i++) {
        const uint32_t at = places ? places[i] : encoder ? turbo_pi(&d.qpp, first + i) : first + i;
        const float s = f.arrived[at] + prior[at], p = parity[i];
        float *const before = shared.metric[i & 1];
        float base;

        alphas[i * DOC_STATES + state] = m;
        before[state] = m;
        meet();
        base = before[0];
        m = doc_sum<EXACT>(before[from] + (u ? 0 : s) + (z ? 0 : p),
                           before[from + 1] + (u ? s : 0) + (z ? p : 0)) -
            base;
    }
    if (window + 1 < d.windows)
        doc_border(d, f.border[encoder], iteration + 1, 0, window + 1, state) = m;
    meet();
    m = doc_border(d, f.border[encoder], iteration, 1, window, state);
    for (uint32_t i = d.steps; i-- > 0;) {
        const uint32_t at = places ? places[i] : encoder ? turbo_pi(&d.qpp, first + i) : first + i;
        const float s = f.arrived[at] + prior[at], p = parity[i];
        const float a = alphas[i * DOC_STATES + state];
        float *const after = shared.metric[i & 1];
        const unsigned row = i % DOC_STATES;
        float b[2], base;

        after[state] = m;
        meet();
        base = after[0];
        for (unsigned input = 0; input < 2; input++) {
            b[input] = after[to[input]] + (sent[input] ? 0 : p) - base;
            shared.of[input][row][state] = a + b[input];
        }
        m = doc_sum<EXACT>(b[0] + s, b[1]);
        if (state == row) {
            shared.s[row] = s;
            shared.place[row] = at;
        }
        if (row)
            continue;
        meet();
        if (i + state < d.steps) { /* eight LLRs at once; this thread's is that of step i + state */
            float best[2] = {shared.of[0][state][state], shared.of[1][state][state]};

            for (unsigned j = 1; j < DOC_STATES; j++)
                for (unsigned input = 0; input < 2; input++)
                    best[input] = doc_sum<EXACT>(best[input],
                                                 shared.of[input][state][(state + j) & 7]);
            f.extrinsic[encoder][shared.place[state]] = d.scale * (best[0] - best[1]);
            if (encoder)
                f.llr[shared.place[state]] = shared.s[state] + best[0] - best[1];
        }
        meet();
    }
    if (window)
        doc_border(d, f.border[encoder], iteration + 1, 1, window - 1, state) = m;
}

#endif
