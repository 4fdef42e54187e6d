/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Viterbi decoding on CUDA devices: what its two decoders have in common.
 *
 *     general/     the general one: any code, any geometry, a thread a state
 *     registers/   two tiles a thread in registers, for the codes and geometries that it knows
 *
 * Both walk the tiles of code/tiles.c and give the bits of ref/decode.c.
 */
#ifndef VITERBI_CUDA_INPUT_H
#define VITERBI_CUDA_INPUT_H

#include "plugins/viterbi/code/tiles.h"

struct fecrun_frame_info;

/*
 * The LLRs of one call, in device memory; passed to kernels by value. Item p of a frame (p = step *
 * n + output) is read from place p, or, punctured, from place
 *
 *     p / period * sent + (rank[p % period] & VITERBI_RANK)   where rank[] has VITERBI_SENT,
 *
 * and is 0 elsewhere; / and % round down, since in streams p may be negative or beyond the frame. The
 * rank of a place that is not sent is that of the next one that is.
 */
struct viterbi_gpu_input {
    const void *llr; /* item 0 of frame 0 */
    uint64_t stride; /* bytes from frame to frame; a stream has no gaps */
    uint64_t frames;
    uint64_t before, after; /* streams: steps that may be read outside, as in viterbi_input */
    const uint16_t *rank;   /* [period], device memory; NULL: not punctured */
    uint32_t period, sent;
    uint32_t type;    /* FECRUN_I8; FECRUN_I4, first item in the high nibble; FECRUN_F32 */
    uint8_t at_start; /* as in viterbi_input */
};

enum { VITERBI_SENT = 0x8000, VITERBI_RANK = 0x7fff };

struct viterbi_gpu_output {
    uint8_t *packed;                /* most significant bit first, pad bits zero */
    uint64_t stride;                /* bytes from frame to frame */
    struct fecrun_frame_info *info; /* device memory; written by the wrap-around algorithm alone */
};

#endif
