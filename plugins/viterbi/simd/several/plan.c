/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses a kernel of several.h, and makes its tables. */
#include "plugins/viterbi/simd/several/several.h"

#include <stdlib.h>
#include <string.h>

/* Two bytes: word `word` of a step's branch metrics, of the frame that begins with byte `base`. */
static void pick_word(uint8_t *bytes, unsigned base, unsigned word)
{
    bytes[0] = (uint8_t)(base + 2 * word);
    bytes[1] = (uint8_t)(base + 2 * word + 1);
}

/* The words that vector 0 needs in step j with some outputs flipped. */
static void fill_label(struct viterbi_several *s, unsigned j, unsigned flipped)
{
    for (unsigned at = 0; at < 8; at++) {
        const uint32_t p = viterbi_several_position(0, at % s->words, s->words);

        pick_word(s->label[j][flipped] + 2 * at, at / s->words * 2 * s->words,
                  viterbi_frame_own_label(s->frame, p, j) ^ flipped);
    }
}

static void fill_positions(struct viterbi_several *s)
{
    const struct viterbi_frame *f = s->frame;
    const unsigned mask = (1u << f->tag_bits) - 1;

    for (unsigned v = 0; v < f->states / s->words; v++) {
        for (unsigned j = 0; j < f->m; j++)
            s->flip[j][v] = (uint8_t)(viterbi_frame_own_label(
                f, viterbi_several_position(v, 0, s->words), j));
        for (unsigned at = 0; at < 8; at++) {
            const uint32_t p = viterbi_several_position(v, at % s->words, s->words);
            for (unsigned c = 0; c < f->m / f->tag_bits; c++)
                s->tag[c][v][at] = (int16_t)(p >> (c * f->tag_bits) & mask);
        }
    }
    for (unsigned j = 0; j < f->m; j++)
        for (unsigned flipped = 0; flipped < 1u << f->spec.code.n; flipped++)
            fill_label(s, j, flipped);
    for (unsigned at = 0; at < 8; at++)
        pick_word(s->zero + 2 * at, at / s->words * 2 * s->words, 0);
}

static void fill_start(struct viterbi_several *s)
{
    const struct viterbi_frame *f = s->frame;

    for (unsigned v = 0; v < f->states / s->words; v++)
        for (unsigned i = 0; i < VITERBI_SEVERAL_VECTOR / 2; i++) {
            s->start[0][v][i] = (int16_t)(f->equal + s->tag[0][v][i % 8]);
            s->start[1][v][i] = (int16_t)(f->others + s->tag[0][v][i % 8]);
        }
    for (unsigned i = 0; i < VITERBI_SEVERAL_VECTOR / 2; i += s->words)
        s->start[1][0][i] = f->known;
}

/* Byte output % 2 of pair `part` of the word at `at`: takes this output, against if `one`. */
static void weigh(struct viterbi_several *s, unsigned at, unsigned part, unsigned output, bool one)
{
    const struct viterbi_frame *f = s->frame;
    const unsigned llr = f->output[output], byte = 2 * at + output % 2;
    const unsigned base = at / s->words * 2 * s->words;
    const int weight = one != f->spec.code.inverted[llr] ? -(1 << f->tag_bits) : 1 << f->tag_bits;

    for (unsigned step = 0; step < 4; step++)
        s->pick[part][step][byte] = (uint8_t)(base + step * f->spec.code.n + llr);
    s->weight[part][byte] = (int8_t)weight;
    s->minus[at] = (int16_t)(s->minus[at] + 128 * weight);
}

/* A frame's words of branch metrics are in the order of labels. */
static void fill_branch(struct viterbi_several *s)
{
    const unsigned n = s->frame->spec.code.n;

    memset(s->pick, 0x80, sizeof s->pick);
    for (unsigned at = 0; at < 8; at++) {
        const unsigned word = at % s->words;

        weigh(s, at, 0, 0, word & 1);
        weigh(s, at, 0, 1, word >> 1 & 1);
        if (n == 3)
            weigh(s, at, 1, 2, word >> 2 & 1);
    }
}

static const struct viterbi_several_kernel *find_kernel(const struct viterbi_several_kernels *set,
                                                        const struct viterbi_frame *f)
{
    for (const struct viterbi_several_kernel *k = set->kernels; k->K; k++)
        if (k->K == f->kernel->K && k->tag_bits == f->kernel->tag_bits && k->n == f->spec.code.n &&
            !memcmp(k->gen, f->kernel->gen, sizeof k->gen))
            return k;
    return NULL;
}

int viterbi_several_create(struct viterbi_several **several, const struct viterbi_frame *frame,
                           const struct viterbi_several_kernels *set)
{
    const struct viterbi_several_kernel *kernel;
    struct viterbi_several *s;
    unsigned frames;

    *several = NULL;
    kernel = set && frame && !viterbi_wraps_around(&frame->spec) ? find_kernel(set, frame) : NULL;
    frames = kernel ? VITERBI_SEVERAL_VECTOR / (2 * kernel->words) : 0;
    if (!kernel || frame->chunks * frame->states * frames > VITERBI_SEVERAL_TAGS)
        return 0;
    s = aligned_alloc(64, (sizeof *s + 63) & ~(size_t)63);
    if (!s)
        return -1;
    memset(s, 0, sizeof *s);
    s->frame = frame;
    s->set = set;
    s->kernel = kernel;
    s->words = kernel->words;
    s->frames = frames;
    fill_positions(s);
    fill_start(s);
    fill_branch(s);
    *several = s;
    return 0;
}
