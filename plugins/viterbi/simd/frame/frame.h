/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoding one frame (or tile) at a time with vectors along its states: for calls of few frames.
 *
 * The trellis is in place. With m = K - 1, the input bit of step t is bit t mod m of a state's
 * position. So at step t, j = t mod m, the two states that differ in bit j of their position lead to
 * two states at the same two positions, and a step exchanges metrics at the distance 1 << j. All
 * generators have their first and their last tap. Then the path from a position to itself has one label
 * whatever bit j is, and the path to the other position has its complement.
 *
 * A position has a 16-bit word: the metric, twice minus the sum of the LLRs of 1 bits and a constant
 * of the step, above a tag of `tag_bits`. A chunk is tag_bits steps. It begins with those bits of the
 * position in the tag that its steps replace. So after the chunk the tag tells which position the
 * survivor came from, and a trace takes one load a chunk. Two candidates for one word differ in bit j of
 * where they came from, the dropped bit, and perhaps in earlier bits, which are lower ones of the tag.
 * So max() of two words selects the better metric, and of equal ones that whose dropped bit is 1.
 *
 * With 8-bit metrics and K = 9 (bytes.h) there are no tags: a chunk is m steps, each of which stores a bit for each
 * position, 1 where the survivor came from the position whose bit is 0, or, if `moved`, from the other position.
 * With 8-bit metrics and K = 7 (tagged.h) tags are bytes of their own.
 */
#ifndef VITERBI_SIMD_FRAME_H
#define VITERBI_SIMD_FRAME_H

#include "plugins/viterbi/decode.h"

enum {
    VITERBI_FRAME_MAX_M = 8,
    VITERBI_FRAME_MAX_STATES = 1 << VITERBI_FRAME_MAX_M,
    VITERBI_FRAME_MAX_N = 4,
    VITERBI_FRAME_BLOCK = 960, /* steps whose LLRs are prepared at a time; a multiple of every m */
    VITERBI_FRAME_BEYOND = 64,
    VITERBI_FRAME_LONG = 200, /* steps from which on 8-bit metrics of K = 9 are faster */
    VITERBI_FRAME_LANES = 16  /* words of a vector */
};

struct viterbi_frame;

/* A tile in work. */
struct viterbi_frame_run {
    _Alignas(64) int16_t metric[VITERBI_FRAME_MAX_STATES];
    size_t step; /* the next one, from the tile's first */
    /* Steps after a known start in which one path leads to each state; with 8 bits those that need more room. */
    size_t forced;
    size_t normalise; /* the chunk after which state 0's metric is set next */
    uint8_t *tags;    /* of chunk `first` */
    size_t first;
};

struct viterbi_frame_kernel {
    unsigned K;
    unsigned tag_bits; /* steps of a chunk; K - 1 with 8-bit metrics */
    unsigned bits;     /* of a metric and its tag: 16; of a metric alone: 8 */
    unsigned least_n, most_n;
    uint32_t gen[3]; /* for this code alone, in any order of the outputs, if gen[0] is not 0 */
    /* The next steps. llr: an unsigned byte each, 128 for 0; up to VITERBI_FRAME_BEYOND bytes after the last
     * one are read. Stores the tags of all chunks that end, and, as far as it goes, of the one that is left
     * unfinished. */
    void (*forward)(const struct viterbi_frame *frame, struct viterbi_frame_run *run,
                    const uint8_t *llr, size_t steps);
};

struct viterbi_frame_kernels {
    const struct viterbi_frame_kernel *kernels; /* the preferred ones first; ends with K = 0 */
    /* The position of the best state, of equal ones that with the lowest number. */
    uint32_t (*best)(const struct viterbi_frame *frame, const struct viterbi_frame_run *run);
    /* bytes of -128..127 to unsigned bytes with 128 for 0; -128 becomes -127. */
    void (*unsign)(const int8_t *llr, size_t bytes, uint8_t *to);
    bool moved; /* what bits of steps with 8-bit metrics say */
};

/* Read-only. Tables are for the kernel. */
struct viterbi_frame {
    const struct viterbi_frame_kernels *set;
    const struct viterbi_frame_kernel *kernel;
    struct viterbi_spec spec;
    unsigned m, states, tag_bits;
    unsigned output[VITERBI_FRAME_MAX_N]; /* of the code, in the kernel's order */
    int16_t tag_mask;
    int16_t known, others,
        equal;           /* words at the start: of state 0 if it is known, then of the others; of
                                     all; `equal` also of state 0 normalised */
    bool apart;          /* with a known start no path from another state survives m steps */
    size_t chunks;       /* of the longest tile, and some to spare */
    size_t first, every; /* chunks to the first normalisation after a known start; between two */
    uint8_t reversed[VITERBI_FRAME_MAX_STATES]; /* the low tag_bits bits in reverse */
    _Alignas(64) uint8_t pick[2][32];           /* of the LLRs of two steps, for pairs of bytes */
    int8_t weight[2][32];                       /* of those bytes */
    int16_t minus[16];                          /* what the 128s add up to */
    /* A position's tag when the chunk begins whose first step is step c * tag_bits of m. */
    int16_t tag[VITERBI_FRAME_MAX_M / 2][VITERBI_FRAME_MAX_STATES];
    /* [step][vector of states]: which bytes of a step's branch metrics its words need; four outputs have two. */
    uint8_t own[2][VITERBI_FRAME_MAX_M][VITERBI_FRAME_MAX_STATES / VITERBI_FRAME_LANES][32];
    /* [step][flipped outputs]: the same for the labels of the first vector, with some outputs flipped. */
    uint8_t label[VITERBI_FRAME_MAX_M][1 << (VITERBI_FRAME_MAX_N - 2)][32];
    /* 8-bit metrics: the same for paths from the positions whose bit is 0, as bytes; state 0's metric before
     * m steps, and after each step until metrics have settled. */
    uint8_t byte_label[VITERBI_FRAME_MAX_M][4][32];
    _Alignas(64)
        uint8_t own_label[VITERBI_FRAME_MAX_M][4][64]; /* of paths from positions to themselves */
    /* K = 7: of either output, the byte that a label costs, of those that four steps' 0 and 1 bits cost. */
    _Alignas(64) uint8_t lost[2][64];
    int8_t level, early_level;
};

/* As viterbi_kernels_avx2() and viterbi_kernels_avx512(): there are these if there are those. */
const struct viterbi_frame_kernels *viterbi_frame_kernels_avx2(void);
const struct viterbi_frame_kernels *viterbi_frame_kernels_avx512(void);

/* The position of word i of the metrics: bits 3 and 4 change places if there are several vectors, so that
 * tags are in the order of positions when vectors of them have been packed. */
static inline uint32_t viterbi_frame_position(uint32_t i, unsigned m)
{
    return m == 4 ? i : (i & ~UINT32_C(24)) | (i >> 1 & 8) | (i << 1 & 16);
}

/* The state at a position after `stage` steps. */
static inline uint32_t viterbi_frame_state(uint32_t position, size_t stage, unsigned m)
{
    const unsigned turn = (unsigned)(stage % m);
    return (position >> turn | position << (m - turn)) & ((UINT32_C(1) << m) - 1);
}

/* *frame is NULL if no kernel with metrics of least_bits (8 or 16) or more is exact for this spec. Returns 0, or -1: no
 * memory. free() it. */
int viterbi_frame_create(struct viterbi_frame **frame, const struct viterbi_spec *spec,
                         const struct viterbi_frame_kernels *set, unsigned least_bits);

/* The outputs, but for inversion, of the path from a position to itself in step j: the kernel's output i in
 * bit i. */
unsigned viterbi_frame_own_label(const struct viterbi_frame *f, uint32_t position, unsigned j);

size_t viterbi_frame_scratch(const struct viterbi_frame *frame);

/* Tile `index` of a frame. bits: the frame's packed bits. scratch: aligned to 64 bytes. */
void viterbi_frame_tile(const struct viterbi_frame *frame, const struct viterbi_input *input,
                        size_t number, const struct viterbi_tile *tile, uint8_t *bits,
                        void *scratch);

/* A tail-biting frame without tiles. */
void viterbi_frame_wrap(const struct viterbi_frame *frame, const struct viterbi_input *input,
                        size_t number, uint8_t *bits, struct viterbi_verdict *verdict,
                        void *scratch);

#endif
