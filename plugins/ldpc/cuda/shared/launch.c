/* SPDX-License-Identifier: BSD-2-Clause */
/* Launches the kernels in shared memory (plan.h). */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#include "plugins/ldpc/cuda/compiled.h"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "plugins/ldpc/cuda/soft.h"

static char *write_source(const struct ldpc_shared_plan *plan, struct fecrun_error *err)
{
    const size_t length = ldpc_shared_source(plan, 0, NULL, 0);
    char *text = malloc(length + 1);

    if (text)
        ldpc_shared_source(plan, 0, text, length + 1);
    else
        fecrun_no_memory(err);
    return text;
}

void *ldpc_shared_compile(const struct ldpc_shared_plan *plan, unsigned capability, int driver,
                          size_t *size, struct fecrun_error *err)
{
    char *text = write_source(plan, err);
    void *cubin = text ? ldpc_compile(text, capability, driver, size, err) : NULL;

    free(text);
    return cubin;
}

#ifdef FECRUN_CUDA

struct ldpc_shared {
    struct ldpc_shared_form form;
    struct ldpc_shared_work work;
    unsigned processors;
    struct rtc_compiled compiled;
    void *table, *place, *info_place, *messages;
};

int ldpc_shared_possible(const struct ldpc_decode *d, int device, struct fecrun_error *why)
{
    const char *problem = ldpc_shared_unfit(d);

    return problem ? fecrun_fail(why, NULL, "%s", problem) : rtc_possible(device, why);
}

void ldpc_shared_free(struct ldpc_shared *s)
{
    if (!s)
        return;
    rtc_compiled_unload(&s->compiled);
    cudaFree(s->table);
    cudaFree(s->place);
    cudaFree(s->info_place);
    cudaFree(s->messages);
    free(s);
}

static int take_memory(struct ldpc_shared *s, const struct ldpc_shared_plan *plan,
                       struct fecrun_error *err)
{
    const struct ldpc_code *c = plan->d->code;
    const size_t words = s->work.message_words * s->processors * s->form.blocks;
    const char *what = "a code's tables";

    if (fecrun_cuda_upload(&s->table, plan->table, plan->entries * sizeof *plan->table, what,
                           err) ||
        fecrun_cuda_upload(&s->place, c->place, c->n * sizeof *c->place, what, err) ||
        fecrun_cuda_upload(&s->info_place, c->info, c->k * sizeof *c->info, what, err))
        return -1;
    if (s->form.near < s->form.words &&
        fecrun_cuda_check(err, "device memory for messages",
                          cudaMalloc(&s->messages, words * sizeof(uint32_t))))
        return -1;
    s->work.table = s->table;
    s->work.place = s->place;
    s->work.info_place = s->info_place;
    s->work.messages = s->messages;
    return 0;
}

static int build(struct ldpc_shared *s, const struct ldpc_shared_plan *plan, int device,
                 struct fecrun_error *err)
{
    char *text = write_source(plan, err);
    int status = text ? ldpc_compiled_load(&s->compiled, text, device, err) : -1;

    free(text);
    if (status)
        return -1;
    return fecrun_cuda_check(err, "preparing the kernel",
                             cudaFuncSetAttribute(s->compiled.function,
                                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                  (int)ldpc_shared_bytes(&s->form)));
}

struct ldpc_shared *ldpc_shared_new(const struct ldpc_decode *d, const struct fecrun_create *args,
                                    struct fecrun_error *err)
{
    struct fecrun_cuda_limits limits = {0};
    struct ldpc_shared_form form;
    struct ldpc_shared_plan plan;
    struct ldpc_shared *s;
    const char *problem;

    if (ldpc_shared_possible(d, args->device, err) || fecrun_cuda_read_limits(&limits, err))
        return NULL;
    problem = ldpc_shared_choose_form(&form, d, args->form->in[0].type, args->form->out[0].type,
                                      &limits, args->max_frames);
    if (problem) {
        fecrun_fail(err, NULL, "%s", problem);
        return NULL;
    }
    form.soft = ldpc_form_is_soft(args->form);
    if (ldpc_shared_plan(&plan, d, &form, err))
        return NULL;
    s = calloc(1, sizeof *s);
    if (!s) {
        fecrun_no_memory(err);
    } else {
        s->form = plan.form;
        s->processors = limits.processors;
        ldpc_shared_describe(&plan, &s->work);
        if (build(s, &plan, args->device, err) || take_memory(s, &plan, err)) {
            cudaGetLastError(); /* which the next launch would find */
            ldpc_shared_free(s);
            s = NULL;
        }
    }
    ldpc_shared_plan_free(&plan);
    return s;
}

int ldpc_shared_launch(struct ldpc_shared *s, const struct ldpc_decode *d,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       struct fecrun_frame_info *info, uint64_t first, uint64_t n, void *stream,
                       struct fecrun_error *err)
{
    struct ldpc_shared_work work = s->work;
    const uint64_t at_once = ldpc_shared_codewords(&s->form), items = (n + at_once - 1) / at_once;
    const uint64_t room = (uint64_t)s->processors * s->form.blocks;
    const struct dim3 grid = {(unsigned)(items < room ? items : room), 1, 1};
    const struct dim3 block = {s->form.threads, 1, 1};
    void *args[] = {&work};

    ldpc_shared_take(&s->form, &work, d, in, out[LDPC_OUT], info, first, n);
    if (s->form.soft)
        ldpc_soft_take(&work.soft, d, in, out, NULL, first);
    return fecrun_cuda_check(err, "decoding",
                             cudaLaunchKernel(s->compiled.function, grid, block, args,
                                              ldpc_shared_bytes(&s->form), (cudaStream_t)stream));
}

#endif
