/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/by_class.h"
#include "plugins/viterbi/cuda/device.h"

#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#define FORM(from) FECRUN_FORM(FECRUN_IN({.type = from}), VITERBI_OUT_BITS_ALONE(FECRUN_PACKED))

/* The narrowest first: less has to come over the bus. */
const struct fecrun_form *const viterbi_cuda_forms[] = {FORM(FECRUN_I4), FORM(FECRUN_I8),
                                                        FORM(FECRUN_F32), NULL};

const char *const viterbi_cuda_absorbs[] = {"conv.depuncture", NULL};

/* ---- patterns ------------------------------------------------------------------------------ */

/* Items that lie in whole steps of the mother code, as conv.depuncture restores them. */
uint64_t viterbi_steps_after(const struct puncture_code *pattern, unsigned n, uint64_t items)
{
    uint64_t last;

    if (items == 0)
        return 0;
    last = (items - 1) / pattern->sent * pattern->period +
           pattern->place[(items - 1) % pattern->sent];
    return (last / pattern->rows + 1) * pattern->rows / n;
}

/* A stream begins with a period, so that at its beginning there is no rest. */
uint64_t viterbi_steps_before(const struct puncture_code *pattern, unsigned n, uint64_t items)
{
    const uint64_t rest = items % pattern->sent;
    uint64_t before = items / pattern->sent * pattern->period;

    if (rest)
        before += pattern->period - pattern->place[pattern->sent - rest];
    return before / n;
}

/* Sent ones among the last `items` before a period's border. */
static uint64_t sent_before(const struct puncture_code *pattern, uint64_t items)
{
    const uint64_t periods = items / pattern->period + 1;

    return periods * pattern->sent - puncture_sent_of(pattern, periods * pattern->period - items);
}

/* As the host does it. */
static uint64_t shrunk(const struct puncture_code *pattern, uint64_t steps, unsigned n)
{
    return ((steps * n + VITERBI_SPARE_ITEMS) * pattern->sent + pattern->period - 1) /
           pattern->period;
}

bool viterbi_spare_suffices(const struct puncture_code *pattern, const struct viterbi_spec *spec)
{
    const unsigned n = spec->code.n;

    /* one item more, so that it is seen that the last step is whole */
    return (spec->v1 == 0 || sent_before(pattern, spec->v1 * n) < shrunk(pattern, spec->v1, n)) &&
           (spec->v2 == 0 ||
            puncture_sent_of(pattern, spec->v2 * n) < shrunk(pattern, spec->v2, n));
}

void viterbi_fill_rank(const struct puncture_code *pattern, uint16_t *rank)
{
    uint64_t sent = 0;

    for (uint64_t p = 0; p < pattern->period; p++) {
        rank[p] = (uint16_t)sent;
        if (sent < pattern->sent && pattern->place[sent] == p) {
            rank[p] |= VITERBI_SENT;
            sent++;
        }
    }
}

static int check_pattern(const struct puncture_code *pattern, const struct viterbi_spec *spec,
                         struct fecrun_error *err)
{
    if (pattern->sent > VITERBI_RANK)
        return fecrun_fail(err, NULL,
                           "the pattern of conv.depuncture sends %llu items a period; "
                           "%d are possible where it is absorbed",
                           (unsigned long long)pattern->sent, VITERBI_RANK);
    if (spec->termination == VITERBI_CONTINUOUS && !viterbi_spare_suffices(pattern, spec))
        return fecrun_fail(err, NULL,
                           "the pattern of conv.depuncture sends its %llu of %llu items "
                           "so unevenly that a stream's margins may be too short for v1 = %zu and "
                           "v2 = %zu where it is absorbed",
                           (unsigned long long)pattern->sent, (unsigned long long)pattern->period,
                           spec->v1, spec->v2);
    return 0;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct viterbi_decode_code *code = args->codes[0];

    if (code->feedback)
        return fecrun_fail(err, "feedback", "recursive codes are decoded on the host alone");
    return args->n_absorbed ? check_pattern(args->absorbed_codes[0][0], args->codes[0], err) : 0;
}

int viterbi_cuda_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return by_class_takes(args, takes, err);
}

#ifdef FECRUN_CUDA

int viterbi_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                       size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(viterbi_cuda_kernel(), device, reason, reason_size);
}

/* ---- instances ----------------------------------------------------------------------------- */

static int upload_rank(struct viterbi_gpu *gpu, struct fecrun_error *err)
{
    const size_t bytes = gpu->pattern->period * sizeof *gpu->rank;
    uint16_t *rank = malloc(bytes);
    int status;

    if (!rank)
        return fecrun_no_memory(err);
    viterbi_fill_rank(gpu->pattern, rank);
    status = fecrun_cuda_upload((void **)&gpu->rank, rank, bytes, "the pattern", err);
    free(rank);
    return status;
}

static int take_pattern(struct viterbi_gpu *gpu, const struct puncture_code *pattern,
                        struct fecrun_error *err)
{
    const size_t bytes = sizeof *pattern + pattern->sent * sizeof pattern->place[0];

    if (check_pattern(pattern, &gpu->spec, err))
        return -1;
    gpu->pattern = malloc(bytes);
    if (!gpu->pattern)
        return fecrun_no_memory(err);
    memcpy(gpu->pattern, pattern, bytes);
    return upload_rank(gpu, err);
}

int viterbi_gpu_create(struct viterbi_gpu *gpu, const struct fecrun_create *args,
                       struct fecrun_error *err)
{
    memset(gpu, 0, sizeof *gpu);
    gpu->spec = *(const struct viterbi_spec *)args->codes[0];
    gpu->type = args->form->in[0].type;
    gpu->spec.is_float = gpu->type == FECRUN_F32;
    gpu->device = args->device;
    if (fecrun_cuda_use(gpu->device, err))
        return -1;
    if (args->n_absorbed == 0 || !take_pattern(gpu, args->absorbed_codes[0][0], err))
        return 0;
    viterbi_gpu_destroy(gpu);
    return -1;
}

void viterbi_gpu_destroy(struct viterbi_gpu *gpu)
{
    cudaSetDevice(gpu->device);
    cudaFree(gpu->rank);
    free(gpu->pattern);
    gpu->rank = NULL;
    gpu->pattern = NULL;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* An instance is made for one size of frames; other views are the host's fault. */
static int check_views(const struct viterbi_gpu *gpu, const struct fecrun_view *in,
                       const struct fecrun_view *out, struct fecrun_error *err)
{
    uint64_t items = viterbi_frame_steps(&gpu->spec) * gpu->spec.code.n;

    if (gpu->pattern)
        items = puncture_sent_of(gpu->pattern, items);
    if (in->items == items && out->items == gpu->spec.info_bits && in->type == gpu->type)
        return 0;
    return fecrun_fail(err, NULL,
                       "made for frames of %llu LLRs and %zu bits, called with %llu "
                       "LLRs for %llu",
                       (unsigned long long)items, gpu->spec.info_bits,
                       (unsigned long long)in->items, (unsigned long long)out->items);
}

static void set_margins(const struct viterbi_gpu *gpu, const struct fecrun_call *call,
                        const struct fecrun_view *in, struct viterbi_input *geometry)
{
    const unsigned n = gpu->spec.code.n;

    if (gpu->pattern) {
        geometry->before = viterbi_steps_before(gpu->pattern, n, in->before);
        geometry->after = viterbi_steps_after(gpu->pattern, n, in->after);
    } else {
        geometry->before = in->before / n;
        geometry->after = in->after / n;
    }
    geometry->at_start = call->first_item == in->before;
}

int viterbi_gpu_begin(const struct viterbi_gpu *gpu, const struct fecrun_call *call,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      struct viterbi_gpu_call *made, struct fecrun_error *err)
{
    memset(made, 0, sizeof *made);
    if (check_views(gpu, in, out, err) || fecrun_cuda_use(gpu->device, err))
        return -1;
    made->geometry.frames = in->frames;
    made->geometry.stride = viterbi_frame_steps(&gpu->spec) * gpu->spec.code.n;
    if (gpu->spec.termination == VITERBI_CONTINUOUS)
        set_margins(gpu, call, in, &made->geometry);
    made->input = (struct viterbi_gpu_input){
        .llr = in->data,
        .stride = in->stride,
        .frames = in->frames,
        .before = made->geometry.before,
        .after = made->geometry.after,
        .rank = gpu->rank,
        .period = gpu->pattern ? (uint32_t)gpu->pattern->period : 0,
        .sent = gpu->pattern ? (uint32_t)gpu->pattern->sent : 0,
        .type = gpu->type,
        .at_start = made->geometry.at_start,
    };
    made->output = (struct viterbi_gpu_output){
        .packed = out->data, .stride = out->stride, .info = call->info};
    return 0;
}

cudaError_t viterbi_gpu_clear(const struct viterbi_gpu *gpu, const struct viterbi_gpu_call *call,
                              cudaStream_t stream)
{
    const size_t row = (gpu->spec.info_bits + 7) / 8;

    if (call->output.stride == row || call->input.frames == 1)
        return cudaMemsetAsync(call->output.packed, 0, row * call->input.frames, stream);
    return cudaMemset2DAsync(call->output.packed, call->output.stride, 0, row, call->input.frames,
                             stream);
}

#endif
