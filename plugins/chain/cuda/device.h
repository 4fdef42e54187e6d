/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the C files of the CUDA backends, and the launchers of kernels/. */
#ifndef CHAIN_CUDA_DEVICE_H
#define CHAIN_CUDA_DEVICE_H

#include "plugins/chain/cuda/thread/items.h"
#include "plugins/common/gpu/gpu.h"

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

struct crc_job;         /* thread/bits.h */
struct crc_general_job; /* thread/crc_general.h */
struct hard_class;      /* thread/hard.h */
struct hard_job;
struct link_class; /* thread/link.h */
struct link_job;
struct seg_job; /* thread/seg.h */

#ifdef __cplusplus
extern "C" {
#endif

/* A view in device memory, as kernels take it. */
struct rows {
    void *data;
    uint64_t stride; /* bytes */
    uint64_t frames;
    uint64_t items;         /* in a frame; the most where there are classes */
    uint32_t type;          /* enum fecrun_type */
    const uint64_t *offset; /* bytes, of each frame; NULL: all are of one class */
    const uint32_t *class_of;
    const uint64_t *class_items;
};

/* Whose random words: those of frames `first`, first + 1, ... */
struct words {
    struct fecrun_rng rng;
    uint64_t first;
};

/* One of the kernels, for the probe. */
const void *chain_cuda_kernel(void);

/* Where the rows have classes, `classes` has an entry a class, in device memory. */
cudaError_t chain_cuda_random(struct rows out, struct words words, void *stream);
cudaError_t chain_cuda_map(struct rows in, struct rows out, const struct levels *levels,
                           unsigned bits, void *stream);
/* bits: of a symbol, where `in` holds bits to be mapped; 0: it holds symbols. */
cudaError_t chain_cuda_awgn(struct rows in, struct rows out, const struct levels *levels,
                            unsigned bits, const struct awgn_code *code,
                            const struct link_class *classes, struct words words, void *stream);
cudaError_t chain_cuda_channel(struct rows in, struct rows out, const struct channel_code *code,
                               struct words words, void *stream);
/* `quantize` is NULL where the output is F32 or F16. */
cudaError_t chain_cuda_demap(struct rows in, struct rows out, const struct demap_code *code,
                             const struct quantize_code *quantize, const struct link_class *classes,
                             void *stream);
cudaError_t chain_cuda_quantize(struct rows in, struct rows out, const struct quantize_code *code,
                                const struct link_class *classes, void *stream);
/* Symbols to bits, `bits` of a dimension; or bits, with mapper and noise between. */
cudaError_t chain_cuda_hard(struct rows in, struct rows out, bool real, unsigned bits,
                            const struct hard_job *job, const struct hard_class *classes,
                            struct words words, void *stream);
/* From bits to LLRs, with the noise of `words` between. */
cudaError_t chain_cuda_link(struct rows in, struct rows out, const struct link_job *job,
                            const struct link_class *classes, struct words words, void *stream);
/* Counts the bits in which rows differ; add: to what info holds already. */
cudaError_t chain_cuda_errors(struct rows in, struct rows reference, struct fecrun_frame_info *info,
                              bool add, void *stream);

/* Attaches, or checks and removes, parity; info: of the latter. classes: in device memory, where the rows have
   some; all have the job's polynomial. */
cudaError_t chain_cuda_crc_attach(struct rows in, struct rows out, const struct crc_job *job,
                                  const struct crc_job *classes, void *stream);
cudaError_t chain_cuda_crc_check(struct rows in, struct rows out, const struct crc_job *job,
                                 const struct crc_job *classes, struct fecrun_frame_info *info,
                                 void *stream);
/* The same for any polynomial; info: where `check` is set. */
cudaError_t chain_cuda_crc_general(struct rows in, struct rows out,
                                   const struct crc_general_job *job,
                                   const struct crc_general_job *classes, bool check,
                                   struct fecrun_frame_info *info, void *stream);

/* seg.split and seg.join. parity: memory for one word of each transport block. blocks: the infos of code
   blocks; info: those of transport blocks. */
cudaError_t chain_cuda_split(struct rows in, struct rows out, const struct seg_job *job,
                             uint32_t *parity, void *stream);
cudaError_t chain_cuda_join(struct rows in, struct rows out, const struct seg_job *job,
                            struct fecrun_frame_info *blocks, struct fecrun_frame_info *info,
                            void *stream);
/* Writes the blocks of each frame in sequence, followed by zeros up to the end of the row. */
cudaError_t chain_cuda_concatenate(struct rows in, struct rows out, const struct seg_job *job,
                                   void *stream);
/* bytes: the size of a block. */
cudaError_t chain_cuda_divide(struct rows in, struct rows out, uint32_t blocks, uint64_t bytes,
                              void *stream);

#ifdef __cplusplus
}
#endif

/* The instance of backends whose run() takes all from the code objects. */
struct chain_cuda {
    struct gpu gpu;
    const void *absorbed;       /* code object of the stage that is absorbed; NULL: none */
    struct link_class *classes; /* what a call says of its classes, where there are several */
    struct gpu_jobs jobs;
};

int chain_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size);
int chain_cuda_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
void chain_cuda_destroy(void *instance);

/* An instance of that size that begins with a struct chain_cuda; `table` as gpu_make() has it. NULL and a reason. */
void *chain_cuda_make(size_t size, const struct fecrun_create *args, const void *table,
                      size_t bytes, struct fecrun_error *err);

/*
 * The classes of a call in device memory, for rows that have some: fill() is told the code object of
 * each. NULL in *classes where there are none. 0, or -1 and a reason.
 */
typedef void chain_cuda_fill(struct link_class *to, const void *code);
int chain_cuda_classes(struct chain_cuda *own, const struct fecrun_call *call,
                       const struct rows *rows, chain_cuda_fill *fill,
                       const struct link_class **classes, struct fecrun_error *err);

/* Ends a run(): 0, or -1 and why nothing was queued. */
int chain_cuda_end(cudaError_t status, struct fecrun_error *err);

static inline struct rows chain_rows(const struct fecrun_view *view)
{
    struct rows rows = {.data = view->data,
                        .stride = view->stride,
                        .frames = view->frames,
                        .items = view->items,
                        .type = view->type};

    return rows;
}

/*
 * Rows of a form that takes frames of several sizes. An instance begins with a struct gpu; view[] as
 * gpu_begin() has it, rows[] in the same order. Makes the instance's device the thread's, too. 0, or -1 and a reason.
 */
int chain_cuda_ragged(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const view[GPU_PORTS], struct rows rows[GPU_PORTS],
                      struct fecrun_error *err);

static inline struct words chain_words(const struct fecrun_call *call)
{
    struct words words = {call->sim->rng, call->first_frame};

    return words;
}

#endif
#endif
