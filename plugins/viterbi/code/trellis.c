/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/code/trellis.h"

#include <stdbool.h>
#include <string.h>

static unsigned parity(uint32_t v)
{
    return (unsigned)__builtin_parity(v);
}

const char *viterbi_code_problem(const struct viterbi_code *code)
{
    if (code->K < VITERBI_MIN_K || code->K > VITERBI_MAX_K)
        return "the constraint length must be 3 to 15";
    if (code->n < VITERBI_MIN_N || code->n > VITERBI_MAX_N)
        return "there must be 2 to 6 generators";
    for (unsigned j = 0; j < code->n; j++) {
        if (code->gen[j] == 0 || code->gen[j] >> code->K)
            return "a generator must be nonzero and have at most K binary digits";
        if (code->inverted[j] > 1)
            return "an inversion flag must be 0 or 1";
    }
    return NULL;
}

unsigned viterbi_code_label(const struct viterbi_code *code, uint32_t r)
{
    unsigned label = 0;
    for (unsigned j = 0; j < code->n; j++)
        label |= (parity(r & code->gen[j]) ^ code->inverted[j]) << j;
    return label;
}

/* Number of ones that the register puts out, inversions aside: what two paths differ by. */
static unsigned weight(const struct viterbi_code *code, uint32_t r)
{
    unsigned w = 0;
    for (unsigned j = 0; j < code->n; j++)
        w += parity(r & code->gen[j]);
    return w;
}

static unsigned largest(const uint16_t *w, uint32_t states)
{
    unsigned top = 0;
    for (uint32_t s = 0; s < states; s++)
        top = w[s] > top ? w[s] : top;
    return top;
}

/*
 * One step of next[s] = min or max over both branches into s of w[predecessor] + weight. Returns
 * the largest candidate.
 */
static unsigned advance(const struct viterbi_code *code, bool maximum, const uint16_t *w,
                        uint16_t *next)
{
    const unsigned K = code->K;
    const uint32_t states = UINT32_C(1) << (K - 1);
    unsigned top = 0;

    for (uint32_t s = 0; s < states; s++) {
        const uint32_t r = s << 1; /* bit K-1 of r is the input bit */
        const unsigned c0 = w[r & (states - 1)] + weight(code, r);
        const unsigned c1 = w[(r | 1) & (states - 1)] + weight(code, r | 1);
        const unsigned low = c0 < c1 ? c0 : c1, high = c0 < c1 ? c1 : c0;
        next[s] = (uint16_t)(maximum ? high : low);
        top = high > top ? high : top;
    }
    return top;
}

/*
 * Let M be the largest |LLR|. A metric is a sum of terms -llr or 0, so two paths that differ in x
 * output bits have metrics that differ by at most x M. Path P ends in state s. Its companion Q,
 * which leaves P (or the known start, or any state of a start where all are equal) and ends in
 * s ^ e, differs from it in as many bits as a path from state 0 to state e has ones. The survivor
 * of s ^ e is no worse than Q, so metric(s) - metric(s ^ e) <= M W(e), with W(e) the least weight
 * of such a path, and the other way round by symmetry.
 *
 * After a known start the companion has only t steps: W_t(e). The K - 1 inputs that shift e into
 * the register give W_{K-1}(e); W_t cannot grow with t, because the companion may stay with P
 * first. When all states start equal the companion may differ from the beginning: it then takes the
 * tail of that same path, so W_{K-1} bounds this case too, and W_t with t -> infinity is attained
 * from below. The steps before K - 1 of a known start are no contest: one path leads to each state,
 * with no more than the weights above.
 *
 * Candidates for one state: their paths differ at least by the companion with input 1 followed by
 * K - 1 zeros, the sum of the generators' weights.
 */
void viterbi_code_range(const struct viterbi_code *code, unsigned period, uint16_t *work,
                        struct viterbi_range *range)
{
    const unsigned K = code->K;
    const uint32_t states = UINT32_C(1) << (K - 1);
    uint16_t *w = work, *next = work + states, *up = work + 2 * states, *down = work + 3 * states;

    range->merge = 0;
    for (unsigned j = 0; j < code->n; j++)
        range->merge += (unsigned)__builtin_popcount(code->gen[j]);

    for (uint32_t e = 0; e < states; e++) {
        unsigned sum = 0;
        for (unsigned k = 0; k < K - 1; k++) /* after k + 1 inputs: e's low k + 1 bits, on top */
            sum += weight(code, (e << (K - 1 - k)) & (2 * states - 1));
        w[e] = (uint16_t)sum;
    }
    range->early = largest(w, states);

    /* Strictly decreasing until it stands still, so this ends; standing still, it is the limit. */
    for (range->settle = K - 1;; range->settle++) {
        advance(code, false, w, next);
        if (!memcmp(w, next, states * sizeof *w))
            break;
        memcpy(w, next, states * sizeof *w);
    }
    range->settled = largest(w, states);

    /* Upwards a survivor may be any candidate; downwards it is no worse than the better bound. */
    range->up = range->down = range->settled;
    memcpy(up, w, states * sizeof *w);
    memcpy(down, w, states * sizeof *w);
    for (unsigned k = 0; k < period; k++) {
        unsigned top = advance(code, true, up, next);
        range->up = top > range->up ? top : range->up;
        memcpy(up, next, states * sizeof *w);
        top = advance(code, false, down, next);
        range->down = top > range->down ? top : range->down;
        memcpy(down, next, states * sizeof *w);
    }
}
