/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses a kernel of frame.h whose metrics are exact, and makes its tables. */
#include "plugins/viterbi/simd/frame/frame.h"

#include <stdlib.h>
#include <string.h>

static bool has_end_taps(const struct viterbi_code *code)
{
    const uint32_t ends = UINT32_C(1) << (code->K - 1) | 1;

    for (unsigned j = 0; j < code->n; j++)
        if ((code->gen[j] & ends) != ends)
            return false;
    return true;
}

static size_t chunks_of(size_t steps, unsigned tag_bits)
{
    return (steps + tag_bits - 1) / tag_bits;
}

/*
 * May a known start leave the other states so far behind that no path from them survives m steps? A path
 * gains and loses n M a step at most; 2 m n M + 1 are enough, and after m steps no state is as low. Then
 * all steps are alike.
 */
static void start_apart(struct viterbi_frame *f, int below, int after, unsigned tag_bits)
{
    const int steps = (int)f->spec.code.n * f->spec.llr_max * (int)f->m, apart = 2 * steps + 1;
    const int all = (1 << (16 - tag_bits)) - 1, least = -(1 << (15 - tag_bits));

    below = below > apart + steps ? below : apart + steps;
    f->apart = below + after <= all;
    if (!f->apart)
        return;
    f->known = (int16_t)((least + below) * (1 << tag_bits));
    f->others = (int16_t)((least + below - apart) * (1 << tag_bits));
}

/*
 * Do 16 - tag_bits bits hold all metrics, for LLRs up to M? In a step the best metric grows by 0 to n M,
 * since one of the two paths that leave its state has no negative branch metric. So between two
 * normalisations, P steps apart, all candidates are within 2 settled M + n M below state 0's metric then
 * and 2 settled M + P n M above. Before the first one, F steps after a known start, they are within
 * 2 early M + n M below the start and F n M above.
 */
static bool fits(struct viterbi_frame *f, const struct viterbi_range *range, unsigned tag_bits)
{
    const int M = f->spec.llr_max, most = (int)f->spec.code.n * M;
    const int all = (1 << (16 - tag_bits)) - 1, least = -(1 << (15 - tag_bits));
    const int settled = 2 * (int)range->settled * M, early = 2 * (int)range->early * M;
    const int forced = most * (int)f->m;
    const int below = early + most > forced ? early + most : forced;
    const size_t settle = range->settle > f->m ? range->settle : f->m;

    f->equal = (int16_t)((least + settled + most) * (1 << tag_bits));
    f->known = f->others = (int16_t)((least + below) * (1 << tag_bits));
    f->first = chunks_of(settle, tag_bits);
    f->every = 0;
    if (2 * settled + 2 * most > all || below > all)
        return false;
    f->every = (size_t)((all - 2 * settled - most) / most) / tag_bits;
    if (f->every == 0 || below + most * (int)(f->first * tag_bits) > all)
        return false;
    start_apart(f, below, most * (int)(f->first * tag_bits), tag_bits);
    return true;
}

/*
 * The same of 8-bit metrics, which are minus costs. Of the two paths that leave the best state one costs at
 * most n M / 2, the other one a step n M at most. Two settled metrics differ by `settled`, others by
 * `early`, and so much a metric may be above state 0's. Before the first m steps are over, states that no
 * path leads to have the least number, and others more. Two candidates of settled steps differ by `merge`, of which
 * the sign is looked at. The steps until metrics settle take longer than with
 * 16 bits: short frames are left to these.
 */
static bool fits_bytes(struct viterbi_frame *f, const struct viterbi_range *range)
{
    const int M = f->spec.llr_max, most = (int)f->spec.code.n * M, best = (most + 1) / 2;
    const int settled = (int)range->settled * M, early = (int)range->early * M, m = (int)f->m;

    if (f->m == 8 && viterbi_tile_max_steps(&f->spec) < VITERBI_FRAME_LONG)
        return false;
    if ((int)range->merge * M > 127 || 2 * settled + m * best + most > 255 ||
        2 * early + best + most > 255 || m * best + early + most >= 255)
        return false;
    f->level = (int8_t)(127 - settled);
    f->early_level = (int8_t)(127 - early);
    f->first = range->settle > f->m ? range->settle : f->m;
    return true;
}

/* Is the kernel made for this code? Fills in the order of the outputs. */
static bool is_for(struct viterbi_frame *f, const struct viterbi_frame_kernel *kernel)
{
    const struct viterbi_code *code = &f->spec.code;

    if (kernel->K != code->K || code->n < kernel->least_n || code->n > kernel->most_n)
        return false;
    for (unsigned i = 0; i < code->n; i++) {
        unsigned output = i;
        if (kernel->gen[0])
            for (output = 0; output < code->n && code->gen[output] != kernel->gen[i]; output++)
                ;
        if (output == code->n)
            return false;
        f->output[i] = output;
    }
    return true;
}

static bool choose_kernel(struct viterbi_frame *f, unsigned least_bits)
{
    const struct viterbi_code *code = &f->spec.code;
    uint16_t work[4 * VITERBI_FRAME_MAX_STATES];
    struct viterbi_range range;

    if (code->K > VITERBI_FRAME_MAX_M + 1 || code->n > VITERBI_FRAME_MAX_N || f->spec.is_float ||
        f->spec.f0 || !has_end_taps(code))
        return false;
    viterbi_code_range(code, 1, work, &range);
    for (f->kernel = f->set->kernels; f->kernel->K; f->kernel++)
        if (f->kernel->bits >= least_bits && is_for(f, f->kernel) &&
            (f->kernel->bits == 8 ? fits_bytes(f, &range) : fits(f, &range, f->kernel->tag_bits)))
            return true;
    return false;
}

unsigned viterbi_frame_own_label(const struct viterbi_frame *f, uint32_t position, unsigned j)
{
    unsigned label = 0;

    for (unsigned i = 0; i < f->spec.code.n; i++)
        for (unsigned back = 1; back < f->m; back++) {
            const uint32_t tap = f->spec.code.gen[f->output[i]] >> (f->m - back) & 1;
            label ^= (tap & position >> ((j + f->m - back) % f->m)) << i;
        }
    return label;
}

/* Two bytes: word `word` of a step's branch metrics. */
static void pick_word(uint8_t *bytes, unsigned word)
{
    bytes[0] = (uint8_t)(2 * word);
    bytes[1] = (uint8_t)(2 * word + 1);
}

/* The words that a lane needs in step j. */
static void fill_labels(struct viterbi_frame *f, unsigned g, unsigned lane, uint32_t position,
                        unsigned j)
{
    const unsigned n = f->spec.code.n, label = viterbi_frame_own_label(f, position, j);

    pick_word(f->own[0][j][g] + 2 * lane, n == 4 ? label & 3 : label);
    pick_word(f->own[1][j][g] + 2 * lane, 4 + (label >> 2));
    for (unsigned flip = 0; g == 0 && n < 4 && flip < 1u << (n - 1); flip++)
        pick_word(f->label[j][flip] + 2 * lane, label ^ flip);
}

static void fill_positions(struct viterbi_frame *f)
{
    for (unsigned i = 0; i < f->states; i++) {
        const uint32_t p = viterbi_frame_position(i, f->m);
        for (unsigned c = 0; c < f->m / f->tag_bits; c++)
            f->tag[c][i] = (int16_t)(p >> (c * f->tag_bits) & ((1u << f->tag_bits) - 1));
        for (unsigned j = 0; j < f->m; j++)
            fill_labels(f, i / VITERBI_FRAME_LANES, i % VITERBI_FRAME_LANES, p, j);
    }
}

/* Byte output % 2 of pair `part` of a word, in step `step` of two: takes this output, against if `one`. */
static void weigh(struct viterbi_frame *f, unsigned step, unsigned word, unsigned part,
                  unsigned output, bool one)
{
    const unsigned at = step * 16 + word * 2 + output % 2;
    const unsigned llr = f->output[output];
    const int weight = one != f->spec.code.inverted[llr] ? -(1 << f->tag_bits) : 1 << f->tag_bits;

    f->pick[part][at] = (uint8_t)(step * f->spec.code.n + llr);
    f->weight[part][at] = (int8_t)weight;
    f->minus[at / 2] = (int16_t)(f->minus[at / 2] + 128 * weight);
}

/*
 * Two outputs: words 0 to 3 for their labels, twice. Three: words 0 to 7. Four: words 0 to 3 for the
 * labels of the first two, 4 to 7 for those of the other two.
 */
static void fill_branch(struct viterbi_frame *f)
{
    const unsigned n = f->spec.code.n;

    memset(f->pick, 0x80, sizeof f->pick);
    for (unsigned step = 0; step < 2; step++)
        for (unsigned word = 0; word < 8; word++) {
            const unsigned first = n == 4 && word >= 4 ? 2 : 0;
            weigh(f, step, word, 0, first, word & 1);
            weigh(f, step, word, 0, first + 1, word >> 1 & 1);
            if (n == 3)
                weigh(f, step, word, 1, 2, word >> 2 & 1);
        }
}

/* Step j of the paths from the positions whose bit j is 0, and from positions to themselves. */
static void fill_byte_labels(struct viterbi_frame *f, unsigned j)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        const unsigned label = viterbi_frame_own_label(f, lane, j);

        for (unsigned flip = 0; flip < 4; flip++)
            f->own_label[j][flip][lane] = (uint8_t)(label ^ flip);
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned label = viterbi_frame_own_label(f, lane, j) ^ (lane >> j & 1 ? 3 : 0);

        for (unsigned flip = 0; flip < 4; flip++)
            f->byte_label[j][flip][lane] = (uint8_t)(label ^ flip);
    }
}

/* A word of 32 bits a step: what labels 0 to 3 cost, of either output. */
static void fill_bytes(struct viterbi_frame *f)
{
    for (unsigned j = 0; j < f->m; j++)
        fill_byte_labels(f, j);
    for (unsigned at = 0; at < 32; at++)
        for (unsigned output = 0; output < 2; output++) {
            const unsigned llr = f->output[output];
            const bool one = at % 4 >> output & 1;

            f->pick[output][at] = (uint8_t)(at / 4 * 2 + llr);
            f->weight[output][at] = one != f->spec.code.inverted[llr] ? 1 : -1;
        }
    for (unsigned at = 0; at < 64; at++)
        for (unsigned output = 0; output < 2; output++) {
            const unsigned llr = f->output[output];
            const bool one = at % 4 >> output & 1;

            f->lost[output][at] = (uint8_t)(at % 16 / 4 * 2 + llr +
                                            (one != f->spec.code.inverted[llr] ? 0 : 8));
        }
}

static void fill_reversed(struct viterbi_frame *f)
{
    for (unsigned i = 0; i < f->states; i++)
        for (unsigned b = 0; b < f->tag_bits; b++)
            f->reversed[i] |= (uint8_t)((i >> b & 1) << (f->tag_bits - 1 - b));
}

int viterbi_frame_create(struct viterbi_frame **frame, const struct viterbi_spec *spec,
                         const struct viterbi_frame_kernels *set, unsigned least_bits)
{
    struct viterbi_frame *f;

    *frame = NULL;
    if (!set)
        return 0;
    f = aligned_alloc(64, (sizeof *f + 63) & ~(size_t)63);
    if (!f)
        return -1;
    memset(f, 0, sizeof *f);
    f->set = set;
    f->spec = *spec;
    f->m = spec->code.K - 1;
    f->states = 1u << f->m;
    if (!choose_kernel(f, least_bits)) {
        free(f);
        return 0;
    }
    f->tag_bits = f->kernel->tag_bits;
    f->tag_mask = (int16_t)((1 << f->tag_bits) - 1);
    f->chunks = viterbi_tile_max_steps(spec) / f->tag_bits + VITERBI_FRAME_MAX_M;
    if (f->kernel->bits == 8) {
        fill_bytes(f);
    } else {
        fill_positions(f);
        fill_branch(f);
    }
    fill_reversed(f);
    *frame = f;
    return 0;
}
