/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernels of frame.insert, frame.remove, frame.split and frame.join are told, without CUDA. */
#ifndef FRAME_CUDA_PIECES_PLAN_H
#define FRAME_CUDA_PIECES_PLAN_H

#include <fecrun/sdk/stage.h>

#include "plugins/frame/code/pieces.h"
#include "plugins/frame/cuda/pieces.h"

/* A class and its known items, as they are copied to the device; the caller frees it. NULL and *err without. */
void *frame_pieces_insert_table(const struct known *k, uint32_t type, size_t *bytes,
                                struct fecrun_error *err);
void *frame_pieces_join_table(const struct join_code *code, size_t *bytes,
                              struct fecrun_error *err);

/* The arguments of a call, whose ports `in` and `out` these views are. table: as it was copied. */
struct frame_pieces_args frame_pieces_insert(const struct known *k, const void *table,
                                             const struct fecrun_view *in,
                                             const struct fecrun_view *out);
struct frame_pieces_args frame_pieces_remove(const struct known *k, const void *table,
                                             const struct fecrun_view *in,
                                             const struct fecrun_view *out);
struct frame_pieces_args frame_pieces_split(const struct split_code *code, const void *table,
                                            const struct fecrun_call *call,
                                            const struct fecrun_view *in,
                                            const struct fecrun_view *out);
struct frame_pieces_args frame_pieces_join(const struct join_code *code, const void *table,
                                           const struct fecrun_call *call,
                                           const struct fecrun_view *in,
                                           const struct fecrun_view *out);

#endif
