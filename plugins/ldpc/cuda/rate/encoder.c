/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/rate/encoder.h"

#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/ldpc/cuda/device.h"
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/plugin.h"

uint32_t ldpc_rate_reach(const struct ldpc_rate *rate, const struct ldpc_encode *encode)
{
    const struct ldpc_code *code = encode->code;
    const uint32_t columns = code->cols - code->rows + rate->rows;
    const uint32_t punctured = code->cols * code->z - rate->n;

    return columns < code->cols ? columns * code->z - punctured : rate->n;
}

#ifdef FECRUN_CUDA

struct ldpc_rate_encoder {
    void *memory; /* a struct gpu: the class, and its lists */
    size_t stride;
    uint32_t group, shared;
};

/* The class and its lists, one behind the other. */
static int upload(struct ldpc_rate_encoder *encoder, const struct fecrun_create *args,
                  const struct ldpc_encode_class *class, const struct ldpc_encode_table *table,
                  struct fecrun_error *err)
{
    const size_t lists = table->n * sizeof *table->entry;
    char *all = malloc(sizeof *class + lists);
    int status;

    if (!all)
        return fecrun_no_memory(err);
    memcpy(all, class, sizeof *class);
    memcpy(all + sizeof *class, table->entry, lists);
    status = gpu_create(args, all, sizeof *class + lists, &encoder->memory, err);
    free(all);
    return status;
}

struct ldpc_rate_encoder *ldpc_rate_encoder_new(const struct fecrun_create *args,
                                                struct fecrun_error *err)
{
    const struct ldpc_encode *encode = args->absorbed_codes[0][0];
    const struct ldpc_match *match = args->codes[0];
    struct ldpc_rate_encoder *encoder = calloc(1, sizeof *encoder);
    struct ldpc_encode_table table = {0};
    struct ldpc_encode_class class;
    int status;

    if (!encoder) {
        fecrun_no_memory(err);
        return NULL;
    }
    status = ldpc_encode_plan(&table, &class, encode->code, err);
    if (!status) {
        class.n = ldpc_rate_reach(&match->rate, encode);
        encoder->group = ldpc_encode_group(&class);
        encoder->shared = ldpc_encode_words(&class);
        encoder->stride = ((class.n + 7) / 8 + 15) / 16 * 16;
        status = upload(encoder, args, &class, &table, err);
    }
    free(table.entry);
    if (status) {
        ldpc_rate_encoder_free(encoder);
        return NULL;
    }
    return encoder;
}

void ldpc_rate_encoder_free(struct ldpc_rate_encoder *encoder)
{
    if (encoder && encoder->memory)
        gpu_destroy(encoder->memory);
    free(encoder);
}

size_t ldpc_rate_encoder_stride(const struct ldpc_rate_encoder *encoder)
{
    return encoder->stride;
}

cudaError_t ldpc_rate_encoder_run(const struct ldpc_rate_encoder *encoder,
                                  const struct gpu_port *in, uint64_t frames, void *words,
                                  cudaStream_t stream)
{
    const struct gpu *gpu = encoder->memory;
    const struct ldpc_encode_class *classes = gpu->table;
    const struct ldpc_encode_args args = {.frames = {.n = frames},
                                          .in = *in,
                                          .out = {.data = words, .stride = encoder->stride},
                                          .classes = classes,
                                          .table = (const uint32_t *)(const void *)(classes + 1),
                                          .group = encoder->group,
                                          .shared = encoder->shared};

    return ldpc_encode_launch(&args, true, true, stream);
}

#endif
