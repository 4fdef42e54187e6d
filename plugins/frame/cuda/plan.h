/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CUDA kernels are told of a code and a call, without CUDA. */
#ifndef FRAME_CUDA_PLAN_H
#define FRAME_CUDA_PLAN_H

#include "plugins/frame/code/codes.h"
#include "plugins/frame/cuda/thread.h"

/* Bytes behind a table's last one that hold its first ones, so that four can be read anywhere. */
enum { FRAME_GPU_AGAIN = 4 };

/* Memory of one class and a table, as it is copied to the device; the caller frees it. NULL and *err without. */
void *frame_gpu_order_table(const struct order_code *code, size_t *bytes, struct fecrun_error *err);
void *frame_gpu_scramble_table(const struct scramble_code *code, bool packed, size_t *bytes,
                               struct fecrun_error *err);

/* The arguments of a call, whose ports `in` and `out` these views are. table: as it was copied. */
struct frame_gpu_args frame_gpu_order_args(const struct order_code *code, const void *table,
                                           const struct fecrun_call *call,
                                           const struct fecrun_view *in,
                                           const struct fecrun_view *out);
struct frame_gpu_args frame_gpu_scramble_args(const struct scramble_code *code, const void *table,
                                              const struct fecrun_call *call,
                                              const struct fecrun_view *in,
                                              const struct fecrun_view *out);
struct frame_gpu_args frame_gpu_hard_args(const void *table, const struct fecrun_view *in,
                                          const struct fecrun_view *out);

#endif
