/* SPDX-License-Identifier: BSD-2-Clause */
/* The work of a decoder: a code, its frames, and the tiles that frames are cut into. */
#ifndef VITERBI_CODE_TILES_H
#define VITERBI_CODE_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/viterbi/code/trellis.h"

enum viterbi_start { VITERBI_BEST, VITERBI_STORED, VITERBI_ANY };

/*
 * Tiles: f > 0 cuts the T steps of a frame into tiles of f steps; the forward pass of one begins v1
 * steps before it and ends v2 steps after it, clipped where there is nothing known beyond (frame
 * ends; stream ends; never for tail-biting, whose steps are taken modulo T). f = 0: the frame is
 * one tile; for tail-biting this means the wrap-around algorithm. f0 > 0 traces sub-frames of f0
 * steps each from v2 steps behind itself, f0 = 0 the tile from its last forward step.
 */
struct viterbi_spec {
    struct viterbi_code code;
    enum viterbi_termination termination;
    size_t info_bits; /* L, a frame's */
    size_t f, v1, v2, f0;
    enum viterbi_start start;
    unsigned wrap_limit; /* wrap-around passes, at least 1 */
    bool is_float;
    int llr_max; /* i8: the largest |LLR| that the input promises, 1 to 127 */
};

struct viterbi_input {
    const void *llr;
    size_t stride; /* items from frame to frame; a stream is contiguous: T * n */
    size_t frames;
    size_t before, after; /* stream: steps that may be read before llr and after the last frame */
    bool at_start;        /* stream: `before` reaches back to its very first step */
};

struct viterbi_verdict {
    uint8_t converged;
    uint16_t iterations; /* 1 but for the wrap-around algorithm */
};

/* NULL, or what is wrong, in words. All that follows needs a spec without a problem. */
const char *viterbi_spec_problem(const struct viterbi_spec *spec);

/* ---- geometry ---- */

/* Lanes of one geometry can be decoded side by side. */
struct viterbi_tile {
    size_t at;      /* first output step, counted from the frame's step 0 */
    size_t lead;    /* forward steps before it */
    size_t steps;   /* forward steps in all */
    size_t count;   /* output steps from `at` */
    size_t bits;    /* those of them that carry information */
    bool from_zero; /* the forward pass begins in state 0, else all states are equal */
    bool to_zero;   /* it ends in state 0 */
};

/* Tiles of equal geometry: item i is tile first + (skip + i) % row of frame (skip + i) / row. */
struct viterbi_group {
    struct viterbi_tile tile; /* `at` is not common to them */
    size_t first, row, skip, items;
};

struct viterbi_groups {
    const struct viterbi_spec *spec;
    const struct viterbi_input *input;
    unsigned phase;
    size_t next;         /* position in the walk */
    size_t inner, outer; /* stream: tiles [inner, outer) are not clipped */
};

size_t viterbi_frame_steps(const struct viterbi_spec *spec);    /* T */
size_t viterbi_frame_tiles(const struct viterbi_spec *spec);    /* those with information bits */
size_t viterbi_tile_max_steps(const struct viterbi_spec *spec); /* forward steps, no tile more */
bool viterbi_wraps_around(const struct viterbi_spec *spec);
void viterbi_tile_at(const struct viterbi_spec *spec, const struct viterbi_input *input,
                     size_t frame, size_t index, struct viterbi_tile *tile);

/* The k-th trace of a tile: output steps [from, to) and the stage it starts from, as forward steps.
 * False when there is no k-th. */
struct viterbi_trace {
    size_t from, to, stage;
    bool known; /* starts in state 0, whatever spec->start says */
};
bool viterbi_tile_trace(const struct viterbi_spec *spec, const struct viterbi_tile *tile, size_t k,
                        struct viterbi_trace *trace);
size_t viterbi_tile_max_traces(const struct viterbi_spec *spec);

/* Walk over all tiles of a batch, each in exactly one group. */
void viterbi_groups_begin(struct viterbi_groups *groups, const struct viterbi_spec *spec,
                          const struct viterbi_input *input);
bool viterbi_groups_next(struct viterbi_groups *groups, struct viterbi_group *group);

#endif
