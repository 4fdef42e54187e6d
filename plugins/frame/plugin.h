/* SPDX-License-Identifier: BSD-2-Clause */
/* Internal declarations of the plugin frame: interleavers, scramblers, hard decisions, known items. */
#ifndef FRAME_PLUGIN_H
#define FRAME_PLUGIN_H

#include <fecrun/sdk/stage.h>

extern const struct fecrun_stage frame_interleave, frame_deinterleave;
extern const struct fecrun_stage frame_scramble, frame_descramble;
extern const struct fecrun_stage bits_hard, frame_join, frame_sync;
extern const struct fecrun_stage frame_insert, frame_remove, frame_split;

extern const struct fecrun_backend frame_sync_simd; /* simd/sync.c */

extern const struct fecrun_backend frame_order_cuda, frame_scramble_cuda,
    frame_hard_cuda; /* cuda/backend.c */
extern const struct fecrun_backend frame_insert_cuda, frame_remove_cuda, frame_split_cuda,
    frame_join_cuda; /* cuda/pieces.c */

/* join.c: bits and LLRs of one byte or more, as they come. */
extern const struct fecrun_form *const frame_whole_bytes[];

#endif
