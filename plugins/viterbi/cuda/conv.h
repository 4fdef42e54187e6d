/* SPDX-License-Identifier: BSD-2-Clause */
/* Launches the kernels of the CUDA backends of conv.* from C. */
#ifndef VITERBI_CUDA_CONV_H
#define VITERBI_CUDA_CONV_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct encode_code;
struct puncture_code;
struct rate_code;
struct conv_encode_args;
struct conv_gather_args;
struct conv_recover_args;

/* What the kernels get for a call; without the table, which lies in device memory. */
int conv_encode_prepare(struct conv_encode_args *args, const struct encode_code *c,
                        const struct fecrun_view *in, const struct fecrun_view *out,
                        struct fecrun_error *err);
int conv_puncture_prepare(struct conv_gather_args *args, const struct puncture_code *c,
                          const struct fecrun_view *in, const struct fecrun_view *out,
                          struct fecrun_error *err);
int conv_depuncture_prepare(struct conv_gather_args *args, const struct puncture_code *c,
                            const struct fecrun_view *in, const struct fecrun_view *out,
                            struct fecrun_error *err);
void conv_match_prepare(struct conv_gather_args *args, const struct rate_code *c,
                        const struct fecrun_view *in, const struct fecrun_view *out);
void conv_recover_prepare(struct conv_recover_args *args, const struct rate_code *c,
                          const struct fecrun_view *in, const struct fecrun_view *out);

/* Their tables: conv.depuncture's has c->period entries, conv.rate_recover's c->mother, and
   CONV_PAD more at each end. */
void conv_depuncture_table(const struct puncture_code *c, uint32_t *rank);
void conv_recover_table(const struct rate_code *c, uint32_t *rank);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* Of an instance that begins with a struct gpu: where frames of several classes lie. Makes its device the
   thread's, too. 0, or -1 and a reason. */
struct conv_classes;
int conv_classes(void *instance, const struct fecrun_call *call, const struct fecrun_view *in,
                 const struct fecrun_view *out, struct conv_classes *classes,
                 struct fecrun_error *err);
/* Items of the view's largest frame. */
uint64_t conv_most(const void *instance, const struct fecrun_view *view);

/* Of a struct gpu whose table is the places: queues the work. 0, or -1 and a reason. */
int conv_gather_start(void *instance, const struct fecrun_call *call, struct conv_gather_args *args,
                      struct fecrun_error *err);

/* They queue the work; memory is the device's, but for the arguments. */
cudaError_t conv_encode_launch(const struct conv_encode_args *args, cudaStream_t stream);
cudaError_t conv_gather_launch(const struct conv_gather_args *args, cudaStream_t stream);
cudaError_t conv_recover_launch(const struct conv_recover_args *args, cudaStream_t stream);

#endif

#ifdef __cplusplus
}
#endif

#endif
