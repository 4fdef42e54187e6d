/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "plugins/ldpc/cuda/choose.h"
#include "plugins/ldpc/cuda/takes.h"

#ifdef FECRUN_CUDA

enum {
    FEW_CLASSES = 64,  /* of more each has the last form only: one takes 2 KB */
    FEW_COMPILED = 16, /* of more none is compiled that has a kernel in the build */
    MANY_BATCHES =
        4, /* of all multiprocessors: batches of fewer frames are not worth a kernel of their own */
};

/* pairs: 0: as many as the kernel takes */
static int add_form(struct ldpc_class *c, const struct ldpc_registers_kernel *kernel,
                    const struct ldpc_decode *code, uint32_t rows, uint32_t pairs,
                    struct fecrun_error *why)
{
    struct ldpc_form *f = realloc(c->form, (c->n_forms + 1) * sizeof *f);

    if (!f)
        return fecrun_no_memory(why);
    c->form = f;
    f += c->n_forms++;
    f->kernel = kernel;
    ldpc_registers_describe(kernel, code->code, rows, pairs, &f->work);
    f->shared = ldpc_registers_shared(kernel, &f->work);
    return 0;
}

/* few: those for few code blocks, too. Kernels for one lifting size take one pair. A kernel that has been compiled for
   the code is the last one. */
static int add_nr_forms(struct ldpc_class *c, const struct ldpc_decode *code,
                        const struct ldpc_registers_kernel *kernel, bool few,
                        struct fecrun_error *why)
{
    const struct ldpc_registers_kernel *halved = few ? ldpc_registers_halved(kernel) : NULL;
    const uint32_t most = few && !kernel->z ? kernel->lanes / code->code->z : 1;

    if (halved && add_form(c, halved, code, code->rows, 0, why))
        return -1;
    for (uint32_t pairs = 1; pairs < most; pairs *= 2)
        if (add_form(c, kernel, code, code->rows, pairs, why))
            return -1;
    return add_form(c, c->built.kernel.function ? &c->built.kernel : kernel, code, code->rows, 0,
                    why);
}

/* Is a kernel for this code's lifting size and rows alone faster than this one, and is it worth the time that it takes
   to compile? */
static bool is_worth_compiling(const struct ldpc_decode *code,
                               const struct ldpc_registers_kernel *kernel,
                               const struct fecrun_create *args, uint32_t processors)
{
    const uint64_t at_once = 2 * (uint64_t)kernel->lanes * processors;

    return ldpc_registers_twin_is_faster(kernel, code->code, code->rows) &&
           args->n_codes <= FEW_COMPILED &&
           args->max_frames * code->code->z >= MANY_BATCHES * at_once;
}

/* Without NVRTC there is none. Bits are the same. */
static void add_compiled(struct ldpc_class *c, const struct ldpc_decode *code,
                         const struct ldpc_registers_kernel *kernel, uint32_t lanes, int device)
{
    struct fecrun_error ignored = {.size = sizeof ignored};

    if (ldpc_registers_build_twin(code, kernel, true, lanes, device, &c->built, &ignored))
        c->built = (struct ldpc_registers_built){0};
}

/* LDPC_WHICH_COMPILED: the kernel is to be for this code's lifting size and rows alone. For devices before compute
   capability 9.0, in builds without code for it, and with LLRs out, each is. */
static int choose_nr(struct ldpc_class *c, const struct ldpc_decode *code,
                     const struct fecrun_create *args, int chosen,
                     const struct fecrun_cuda_limits *limits, struct fecrun_error *why)
{
    const bool soft = ldpc_form_is_soft(args->form);
    bool compile = chosen == LDPC_WHICH_COMPILED || soft;
    struct ldpc_registers_work work;
    struct ldpc_registers_kernel model;
    const struct ldpc_registers_kernel *kernel = ldpc_registers_choose(code->code, code->rows,
                                                                       limits->shared_block, &work);

    compile = compile || !kernel || !fecrun_cuda_has_code(kernel->function, 90);
    if (compile)
        kernel = ldpc_registers_choose_for_twin(code->code, code->rows, &work);
    if (!kernel)
        return fecrun_fail(why, NULL, "there is none for so many rows");
    if (!compile && ldpc_registers_prebuilt(code)) {
        if (chosen < 0 && is_worth_compiling(code, kernel, args, limits->processors))
            add_compiled(c, code, kernel, work.lanes, args->device);
        return add_nr_forms(c, code, kernel, args->n_codes <= FEW_CLASSES, why);
    }
    model = *kernel;
    model.soft = soft;
    if (ldpc_registers_build_twin(code, &model, compile, work.lanes, args->device, &c->built, why))
        return -1;
    return add_form(c, &c->built.kernel, code, code->rows, 0, why);
}

static int choose_other(struct ldpc_class *c, const struct ldpc_decode *code,
                        const struct fecrun_create *args, struct fecrun_error *why)
{
    if (ldpc_registers_build(code, ldpc_form_is_soft(args->form), args->device, &c->built, why))
        return -1;
    return add_form(c, &c->built.kernel, code, code->code->rows, 0, why);
}

static int allow_shared(const struct ldpc_form *f, size_t shared_block, struct fecrun_error *why)
{
    return fecrun_cuda_check(why, "preparing a kernel",
                             cudaFuncSetAttribute(f->kernel->function,
                                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                  (int)shared_block));
}

/* 0, or -1 and why there is no kernel in registers for this class. */
static int choose_registers(struct ldpc_class *c, const struct ldpc_decode *code,
                            const struct fecrun_create *args, int chosen,
                            const struct fecrun_cuda_limits *limits, struct fecrun_error *why)
{
    if (ldpc_which_decoder(code, args->form, why))
        return -1;
    if (code->code->family == LDPC_NR ? choose_nr(c, code, args, chosen, limits, why)
                                      : choose_other(c, code, args, why))
        return -1;
    for (unsigned i = 0; i < c->n_forms; i++)
        if (allow_shared(&c->form[i], limits->shared_block, why))
            return -1;
    return 0;
}

/* 0, or -1 and why there is no kernel in shared memory for this class. */
static int choose_shared(struct ldpc_class *c, const struct ldpc_decode *code,
                         const struct fecrun_create *args, struct fecrun_error *why)
{
    if (ldpc_which_shared(code, args, why))
        return -1;
    c->in_shared = ldpc_shared_new(code, args, why);
    return c->in_shared ? 0 : -1;
}

/* Of a kernel in registers, which takes all of its rows; rows have what a row takes beside its edges. */
static uint64_t time_of(const struct ldpc_class *c, const struct ldpc_decode *d)
{
    const struct ldpc_registers_kernel *kernel = c->n_forms ? c->form[0].kernel : NULL;
    const uint32_t rows = kernel && kernel->bg ? kernel->rows : d->rows;

    return (uint64_t)d->iterations * (d->code->row_first[rows] + rows);
}

int ldpc_class_choose(struct ldpc_class *c, uint32_t n, const struct fecrun_create *args,
                      int chosen, const struct fecrun_cuda_limits *limits, struct fecrun_error *why)
{
    const struct ldpc_decode *code = args->codes[n];
    const bool found = chosen != LDPC_WHICH_SHARED &&
                       !choose_registers(c, code, args, chosen, limits, why);

    if (!found && (chosen == LDPC_WHICH_REGISTERS || chosen == LDPC_WHICH_COMPILED ||
                   choose_shared(c, code, args, why)))
        return -1;
    c->time = time_of(c, code);
    return 0;
}

void ldpc_class_free(struct ldpc_class *c)
{
    ldpc_shared_free(c->in_shared);
    ldpc_registers_unload(&c->built);
    free(c->form);
}

const struct ldpc_form *ldpc_form_of(const struct ldpc_class *c, unsigned level)
{
    return &c->form[level < c->n_forms ? level : c->n_forms - 1];
}

uint64_t ldpc_form_blocks(const struct ldpc_form *f, uint64_t n)
{
    const uint64_t at_once = ldpc_registers_at_once(f->kernel, &f->work);

    return (n + at_once - 1) / at_once;
}

#endif
