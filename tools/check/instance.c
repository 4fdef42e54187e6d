/* SPDX-License-Identifier: BSD-2-Clause */
/* Host services, and instances of backends. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Host services whose memory is counted ---- */

static int64_t blocks;

static void *counted_alloc(const struct fecrun_host *host, size_t bytes)
{
    void *ptr = aligned_alloc(64, bytes ? (bytes + 63) / 64 * 64 : 64);

    (void)host;
    if (ptr)
        __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    return ptr;
}

static void counted_free(const struct fecrun_host *host, void *ptr)
{
    (void)host;
    if (ptr)
        __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(ptr);
}

const struct fecrun_host *check_host(const struct registry *registry)
{
    static struct fecrun_host host;

    host = registry->host;
    host.alloc = counted_alloc;
    host.free = counted_free;
    return &host;
}

int64_t check_host_blocks(void)
{
    return __atomic_load_n(&blocks, __ATOMIC_RELAXED);
}

/* ---- Instances ---- */

static int read_tune(struct check_instance *instance, const char *tune, struct fecrun_error *err)
{
    static const struct fecrun_param *const none[] = {NULL};
    const struct fecrun_param *const *schema = instance->backend->backend->tune;
    struct param_source source = {.label = "tune"};
    struct diag diag = {0};
    char name[64];
    const char *value = tune ? strchr(tune, '=') : NULL;

    if (param_read(&instance->tune, schema ? schema : none, &source, &diag))
        return fecrun_fail(err, NULL, "%.300s", diag.text);
    if (!value)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(value - tune), tune);
    if (param_override(instance->tune, name, value + 1, (struct mark){0}, &diag))
        return fecrun_fail(err, NULL, "%.300s", diag.text);
    return 0;
}

static int open_stream(struct check_instance *instance, struct fecrun_error *err)
{
    const struct fecrun_provider *provider = instance->backend->provider;

    instance->place = (struct check_place){.provider = provider};
    return provider ? provider->stream_create(0, &instance->place.stream, err) : 0;
}

/* What create() gets, but for tune and max_frames. */
static struct fecrun_create create_args(const struct check *check, const struct check_variant *v,
                                        const struct fecrun_form *form, void *const *codes)
{
    struct fecrun_create args = {.size = sizeof args,
                                 .host = check->host,
                                 .codes = codes,
                                 .n_codes = v->also ? 2 : 1,
                                 .form = form};

    if (v->absorbed) {
        args.n_absorbed = v->absorbed->n;
        args.absorbed = v->absorbed->names;
        args.absorbed_codes = v->absorbed->codes;
    }
    return args;
}

int check_takes(const struct check *check, const struct fecrun_backend *backend,
                const struct check_variant *variant, const struct fecrun_form *form,
                struct fecrun_error *err)
{
    void *const codes[] = {variant->plan.code, variant->also ? variant->also->plan.code : NULL};
    const struct fecrun_create args = create_args(check, variant, form, codes);

    *err = (struct fecrun_error){.size = sizeof *err};
    return backend->takes ? backend->takes(&args, err) : 0;
}

uint64_t check_most_pieces(const struct check_variant *v)
{
    uint64_t most = v->n_in ? v->in[0].pieces : 1;

    for (unsigned p = 0; p < v->n_out; p++)
        most = v->out[p].pieces > most ? v->out[p].pieces : most;
    return most;
}

int check_instance_open(struct check_instance *instance, const struct check *check,
                        const struct registry_stage *stage, const struct registry_backend *backend,
                        const struct check_variant *variant, const struct fecrun_form *form,
                        const char *tune, uint64_t max_frames, struct fecrun_error *err)
{
    void *const codes[] = {variant->plan.code, variant->also ? variant->also->plan.code : NULL};
    struct fecrun_create args = create_args(check, variant, form, codes);

    memset(instance, 0, sizeof *instance);
    if (check_takes(check, backend->backend, variant, form, err)) {
        fecrun_fail(err, NULL, "takes() does not say why not");
        return 1;
    }
    *instance = (struct check_instance){.backend = backend,
                                        .stage = stage,
                                        .form = form,
                                        .variant = variant,
                                        .report = check->report};
    args.max_frames = max_frames * check_most_pieces(variant);
    if (read_tune(instance, tune, err) || open_stream(instance, err)) {
        param_free(instance->tune);
        memset(instance, 0, sizeof *instance);
        return -1;
    }
    args.tune = param_values(instance->tune);
    if (!backend->backend->create(&args, &instance->handle, err))
        return 0;
    if (instance->handle)
        fecrun_fail(err, NULL, "create() failed and left an instance behind");
    check_instance_close(instance);
    return -1;
}

void check_instance_close(struct check_instance *instance)
{
    const struct fecrun_provider *provider = instance->place.provider;

    instance->backend->backend->destroy(instance->handle);
    if (provider && instance->place.stream)
        provider->stream_destroy(0, instance->place.stream);
    param_free(instance->tune);
    memset(instance, 0, sizeof *instance);
}
