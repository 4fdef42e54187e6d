/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoding 8 or 4 frames (or tiles of one geometry) at a time, with vectors of 64 bytes along their states and
 * across the frames: for more frames than one after the other by simd/frame/, and fewer than side by side need.
 * AVX2 has too few registers for that, as K = 9 and four outputs need too many: they would be slower than
 * simd/frame/.
 *
 * States, words and tags are those of frame.h. A vector has `words` states of each frame: 4, or 8 with three outputs, which is 8 or 16 bytes a frame. Bit 0 of a position is bit 0 of the vector's number, the next two or three bits are the word,
 * and the others are the rest of the vector's number. So few steps exchange words, and all of a frame's words
 * are within 16 bytes, where one shuffle takes them from the branch metrics of a step.
 *
 * LLRs of four steps are staged as [group of four steps][frame][2 words bytes].
 */
#ifndef VITERBI_SIMD_SEVERAL_H
#define VITERBI_SIMD_SEVERAL_H

#include "plugins/viterbi/simd/frame/frame.h"

enum {
    VITERBI_SEVERAL_SIZES = 2,   /* sets of kernels */
    VITERBI_SEVERAL_VECTOR = 64, /* bytes */
    VITERBI_SEVERAL_MOST = 8,    /* frames */
    VITERBI_SEVERAL_STAGE = 32,  /* steps of stage_eight() */
    VITERBI_SEVERAL_M = 6,
    VITERBI_SEVERAL_N = 3,
    VITERBI_SEVERAL_VECTORS = 16,  /* of metrics */
    VITERBI_SEVERAL_BLOCK = 240,   /* steps staged at a time; a multiple of every m, and of 4 */
    VITERBI_SEVERAL_TAGS = 1 << 20 /* bytes of tags: longer tiles would leave the caches */
};

struct viterbi_several;

/* Tiles in work. */
struct viterbi_several_run {
    int16_t *metric; /* [vector][frame][word] */
    size_t step;     /* the next one, from the tiles' first */
    size_t forced;   /* 0, or m: steps after a known start in which one path leads to each state */
    size_t normalise;
    uint8_t *tags;
};

/* For frames whose kernel has the same K, tag_bits and gen, and so many outputs. */
struct viterbi_several_kernel {
    unsigned K, tag_bits, n;
    uint32_t gen[3];
    unsigned words;
    /* The next steps, the first of which is step 0 of m. Their LLRs are staged as signed bytes, which it makes
     * unsigned. Tags as in frame.h. */
    void (*forward)(const struct viterbi_several *several, struct viterbi_several_run *run,
                    uint8_t *staged, size_t steps);
};

struct viterbi_several_kernels {
    const struct viterbi_several_kernel *kernels; /* ends with K = 0 */
    /* Stages `steps` steps, a multiple of VITERBI_SEVERAL_STAGE, of eight rows of two outputs. NULL: no such code. */
    void (*stage_eight)(const int8_t *const *row, size_t steps, uint8_t *staged);
};

/* Read-only. Tables of 16 bytes repeat for each 16 bytes of a vector. */
struct viterbi_several {
    const struct viterbi_frame *frame; /* what the tiles have in common with one alone */
    const struct viterbi_several_kernels *set;
    const struct viterbi_several_kernel *kernel;
    unsigned words, frames; /* words of a frame in a vector, frames */
    _Alignas(16)
        uint8_t pick[2][4][16]; /* [pair][step of four]: of the staged LLRs, pairs for the words */
    int8_t weight[2][16];       /* of those bytes */
    int16_t minus[8];           /* what the 128s add up to */
    /* [step][flipped outputs]: which words of the branch metrics the states of vector 0 take. */
    uint8_t label[VITERBI_SEVERAL_M][1 << VITERBI_SEVERAL_N][16];
    uint8_t flip[VITERBI_SEVERAL_M]
                [VITERBI_SEVERAL_VECTORS]; /* [step][vector]: of vector 0's labels */
    int16_t tag[VITERBI_SEVERAL_M / 2][VITERBI_SEVERAL_VECTORS]
               [8]; /* [chunk of m steps][vector]: frame.h's */
    /* [the start is known][vector][frame and word] before the first step */
    _Alignas(64) int16_t start[2][VITERBI_SEVERAL_VECTORS][VITERBI_SEVERAL_VECTOR / 2];
    uint8_t zero[16]; /* word 0 of each frame, to all of its words */
};

/* There are these if there are viterbi_kernels_avx512(). size 0: for as many frames as can be; 1: for fewer. */
const struct viterbi_several_kernels *viterbi_several_kernels_avx512(unsigned size);

/* The position of a frame's word in a vector. */
static inline uint32_t viterbi_several_position(unsigned vector, unsigned word, unsigned words)
{
    return (vector & 1) | word << 1 | (vector >> 1) * 2 * words;
}

/* *several is NULL if no kernel does what that of `frame` does for one tile, or frames bite their tails without tiles.
 * `frame` has to live as long. Returns 0, or -1: no memory. free() it. */
int viterbi_several_create(struct viterbi_several **several, const struct viterbi_frame *frame,
                           const struct viterbi_several_kernels *set);

size_t viterbi_several_scratch(const struct viterbi_several *several);

/* One of the tiles. */
struct viterbi_several_lane {
    const int8_t *row; /* of its first step; of a frame that bites its tail: of the frame's */
    size_t phase;      /* tail-biting: step of the frame at which the tile begins */
    uint8_t *bits;     /* the frame's packed bits */
    size_t at;         /* its first output bit */
};

/* Up to several->frames tiles like *tile. scratch: aligned to 64 bytes. */
void viterbi_several_tiles(const struct viterbi_several *several,
                           const struct viterbi_several_lane *lanes, unsigned count,
                           const struct viterbi_tile *tile, void *scratch);

#endif
