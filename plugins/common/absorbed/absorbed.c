/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/absorbed/absorbed.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include "plugins/common/recover/recover.h"

/* The one whose input is of that type, and with no other input that must be there. */
static const struct fecrun_form *form_of(const struct fecrun_backend *backend, uint32_t type)
{
    const struct fecrun_form *const *form = backend->forms;

    while (*form && (*form)->in[0].type != type)
        form++;
    return *form;
}

int absorbed_takes(const char *stage, const struct fecrun_backend *backend,
                   const struct fecrun_create *args, struct fecrun_error *err)
{
    const uint32_t type = args->form->in[0].type;
    struct fecrun_create own = *args;

    if (!args->n_absorbed)
        return 0;
    if (args->n_codes > 1)
        return fecrun_fail(err, NULL, "%s of frames of different sizes is not absorbed", stage);
    if (!form_of(backend, type))
        return fecrun_fail(err, NULL, "%s is not absorbed with LLRs of %s", stage,
                           fecrun_type_name(type));
    own.codes = args->absorbed_codes[0];
    own.form = form_of(backend, type);
    own.n_absorbed = 0;
    return backend->takes ? backend->takes(&own, err) : 0;
}

int absorbed_make(struct absorbed *front, const struct fecrun_backend *backend,
                  const struct fecrun_create *args, struct fecrun_error *err)
{
    struct fecrun_create own = *args;

    *front = (struct absorbed){0};
    if (!args->n_absorbed)
        return 0;
    front->backend = backend;
    front->type = args->form->in[0].type;
    front->items = ((const struct recover *)args->absorbed_codes[0][0])->soft.n;
    own.codes = args->absorbed_codes[0];
    own.form = form_of(backend, front->type);
    own.n_absorbed = 0;
    return backend->create(&own, &front->instance, err);
}

void absorbed_destroy(struct absorbed *front)
{
    if (front->instance)
        front->backend->destroy(front->instance);
}

size_t absorbed_scratch(const struct absorbed *front, uint64_t frames)
{
    const size_t all = (size_t)fecrun_bytes(front->type, front->items) * frames;

    return front->backend ? (all + 63) & ~(size_t)63 : 0;
}

int absorbed_run(const struct absorbed *front, const struct fecrun_call *call,
                 const struct fecrun_view *in, struct fecrun_view *between,
                 struct fecrun_call *behind, struct fecrun_error *err)
{
    const struct fecrun_view *const from[FECRUN_MAX_PORTS] = {in};
    struct fecrun_view *const to[FECRUN_MAX_PORTS] = {between};

    *between = (struct fecrun_view){.size = sizeof *between,
                                    .data = call->scratch,
                                    .type = front->type,
                                    .frames = in->frames,
                                    .items = front->items,
                                    .stride = fecrun_bytes(front->type, front->items)};
    *behind = *call;
    behind->scratch = (char *)call->scratch + absorbed_scratch(front, in->frames);
    return in->frames ? front->backend->run(front->instance, call, from, to, err) : 0;
}
