/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.encode inside ldpc.rate_match on CUDA devices: words of one class of frames in scratch memory, whose columns
 * behind the last one that is sent are not made.
 */
#ifndef LDPC_CUDA_RATE_ENCODER_H
#define LDPC_CUDA_RATE_ENCODER_H

#include <fecrun/plugin.h>

#include "plugins/ldpc/cuda/encode/block.h"
#include "plugins/ldpc/rate/rate.h"

struct ldpc_encode;

/* Bits of the word up to the last one that is sent. */
uint32_t ldpc_rate_reach(const struct ldpc_rate *rate, const struct ldpc_encode *encode);

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

struct ldpc_rate_encoder;

/* For create() with ldpc.encode absorbed; NULL and a reason in *err. ldpc_rate_encoder_free() takes NULL. */
struct ldpc_rate_encoder *ldpc_rate_encoder_new(const struct fecrun_create *args,
                                                struct fecrun_error *err);
void ldpc_rate_encoder_free(struct ldpc_rate_encoder *encoder);

/* Bytes of a word in scratch memory, a multiple of 16. */
size_t ldpc_rate_encoder_stride(const struct ldpc_rate_encoder *encoder);

/* Words of the messages `in`, packed, to `words`. */
cudaError_t ldpc_rate_encoder_run(const struct ldpc_rate_encoder *encoder,
                                  const struct gpu_port *in, uint64_t frames, void *words,
                                  cudaStream_t stream);

#endif
#endif
