/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda-general of viterbi.decode, round the general decoder (plan.h). */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#include "plugins/viterbi/cuda/general/plan.h"
#include "plugins/viterbi/cuda/device.h"

#ifdef FECRUN_CUDA

enum { T_FRAMES, T_SURVIVORS, T_FORM };

struct instance {
    struct viterbi_gpu gpu;
    struct viterbi_general general;
};

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    viterbi_gpu_destroy(&i->gpu);
    free(i);
}

/* Number of the choice, from 1; 0: auto. */
static unsigned choice(const struct fecrun_create *args, size_t t)
{
    const struct fecrun_value *value = fecrun_value(args->tune, t);

    return value->given && !value->is_auto ? (unsigned)value->i + 1 : 0;
}

static int make_general(struct instance *i, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    const struct fecrun_value *frames = fecrun_value(args->tune, T_FRAMES);
    struct viterbi_general_problem problem = {.option = NULL};
    struct viterbi_general_config config = {
        .form = (enum viterbi_general_form)choice(args, T_FORM),
        .survivors = (enum viterbi_general_survivors)choice(args, T_SURVIVORS),
        .frames = frames->given && !frames->is_auto ? (unsigned)frames->i : 0,
        .tiles = args->max_frames * viterbi_frame_tiles(&i->gpu.spec),
    };

    if (fecrun_cuda_read_limits(&config.limits, err))
        return -1;
    if (viterbi_general_plan(&i->general, &i->gpu.spec, &config, &problem))
        return fecrun_fail(err, problem.option, "%s", problem.text);
    return fecrun_cuda_check(err, "preparing the kernel",
                             viterbi_general_prepare(&i->general, config.limits.shared_block));
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    if (viterbi_gpu_create(&i->gpu, args, err)) {
        free(i);
        return -1;
    }
    if (make_general(i, args, err)) {
        destroy(i);
        return -1;
    }
    *instance = i;
    return 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return viterbi_general_scratch(&i->general, frames * viterbi_frame_tiles(&i->gpu.spec));
}

cudaError_t viterbi_general_launch_all(const struct viterbi_general *general,
                                       const struct viterbi_gpu_call *made, void *memory,
                                       cudaStream_t stream)
{
    struct viterbi_group group[VITERBI_GENERAL_GROUPS];
    struct viterbi_groups walk;
    cudaError_t status = cudaSuccess;
    size_t n;

    viterbi_groups_begin(&walk, &general->spec, &made->geometry);
    do {
        n = 0;
        while (n < VITERBI_GENERAL_GROUPS && viterbi_groups_next(&walk, &group[n]))
            n++;
        if (n)
            status = viterbi_general_launch(general, &made->input, &made->output, group, n, memory,
                                            stream);
    } while (n == VITERBI_GENERAL_GROUPS && status == cudaSuccess);
    return status;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;
    const cudaStream_t stream = call->stream;
    struct viterbi_gpu_call made;

    if (viterbi_gpu_begin(&i->gpu, call, in[0], out[0], &made, err))
        return -1;
    if (i->general.work.share_bytes &&
        fecrun_cuda_check(err, "clearing the output", viterbi_gpu_clear(&i->gpu, &made, stream)))
        return -1;
    return fecrun_cuda_check(err, "starting the decoder",
                             viterbi_general_launch_all(&i->general, &made, call->scratch, stream));
}

#endif

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "frames", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .unit = "tiles", .imin = 1, .imax = 256, .default_text = "auto",
                 .help = "tiles (or whole frames) a thread block; auto: as many as keep most of "
                         "them on the device at a time"),
    FECRUN_PARAM(.name = "survivors", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"shared", "global", NULL}, .default_text = "auto",
                 .help = "memory for survivors; auto: shared where a multiprocessor can hold "
                         "those of enough tiles"),
    FECRUN_PARAM(.name = "form", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"state", "warp", NULL}, .default_text = "auto",
                 .help = "state: a thread a state, path metrics in shared memory; warp: a warp a "
                         "tile, path metrics in registers, for K = 7 to 9; auto: warp where it is "
                         "possible"),
    NULL};

const struct fecrun_backend viterbi_decode_cuda_general = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, create, run, destroy),
    .name = "cuda-general",
    .old_names = (const char *const[]){"cuda-document", NULL},
    .summary = "one kernel for all, survivors in shared memory, sub-frames traced in parallel",
    .forms = viterbi_cuda_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .absorbs = viterbi_cuda_absorbs,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .takes = viterbi_cuda_takes,
};
