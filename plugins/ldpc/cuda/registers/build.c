/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ldpc/cuda/registers/build.h"
#include "plugins/ldpc/cuda/registers/source.h"

enum { GRAPH = 3 }; /* the number that it has in the source */

static char *write_source(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                          struct fecrun_error *err)
{
    const size_t length = ldpc_registers_source(code, form, GRAPH, NULL, 0);
    char *text = malloc(length + 1);

    if (text)
        ldpc_registers_source(code, form, GRAPH, text, length + 1);
    else
        fecrun_no_memory(err);
    return text;
}

void *ldpc_registers_compile(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             unsigned capability, int driver, size_t *size,
                             struct fecrun_error *err)
{
    char *text = write_source(code, form, err);
    void *cubin = text ? ldpc_compile(text, capability, driver, size, err) : NULL;

    free(text);
    return cubin;
}

#ifdef FECRUN_CUDA

int ldpc_registers_possible(const struct ldpc_code *code, int device, struct fecrun_error *why)
{
    const char *problem = ldpc_registers_unfit(code);

    return problem ? fecrun_fail(why, NULL, "%s", problem) : rtc_possible(device, why);
}

void ldpc_registers_unload(struct ldpc_registers_built *built)
{
    rtc_compiled_unload(&built->compiled);
}

int ldpc_registers_build(const struct ldpc_decode *d, bool soft, int device,
                         struct ldpc_registers_built *built, struct fecrun_error *err)
{
    struct ldpc_registers_form *form = &built->form;
    struct fecrun_cuda_limits limits = {0};
    const char *problem;
    char *text;
    int status;

    memset(built, 0, sizeof *built);
    if (ldpc_registers_possible(d->code, device, err) || fecrun_cuda_read_limits(&limits, err))
        return -1;
    problem = ldpc_registers_choose_form(d->code, d->reverse, limits.shared, limits.shared_block,
                                         form);
    if (problem)
        return fecrun_fail(err, NULL, "%s", problem);
    form->oms = d->algorithm == LDPC_OMS;
    form->spa = d->algorithm == LDPC_SPA;
    form->early_stop = d->early_stop;
    form->soft = soft;
    text = write_source(d->code, form, err);
    status = text ? ldpc_compiled_load(&built->compiled, text, device, err) : -1;
    free(text);
    built->kernel = (struct ldpc_registers_kernel){
        .rows = d->code->rows,
        .z = d->code->z,
        .lanes = form->lanes,
        .function = built->compiled.function,
        .shared = ldpc_registers_form_shared(d->code, form),
        .blocks = form->blocks,
        .soft = soft};
    return status;
}

int ldpc_registers_build_twin(const struct ldpc_decode *d,
                              const struct ldpc_registers_kernel *kernel, bool exact,
                              uint32_t lanes, int device, struct ldpc_registers_built *built,
                              struct fecrun_error *err)
{
    struct ldpc_registers_kernel *twin = &built->kernel;
    struct fecrun_cuda_limits limits = {0};
    size_t length, most_shared[2];
    const char *problem;
    char *text;
    int status;

    memset(built, 0, sizeof *built);
    if (rtc_possible(device, err) || fecrun_cuda_limits_of(device, &limits, err))
        return -1;
    most_shared[0] = limits.shared;
    most_shared[1] = limits.shared_block;
    problem = ldpc_registers_best_twin(d, kernel, exact, lanes, most_shared, twin);
    if (problem)
        return fecrun_fail(err, NULL, "%s", problem);
    length = ldpc_registers_nr_source(d, twin, twin->lanes, GRAPH, NULL, 0);
    text = malloc(length + 1);
    if (!text)
        return fecrun_no_memory(err);
    ldpc_registers_nr_source(d, twin, twin->lanes, GRAPH, text, length + 1);
    status = ldpc_compiled_load(&built->compiled, text, device, err);
    free(text);
    twin->function = built->compiled.function;
    return status ? -1 : 0;
}

#endif
