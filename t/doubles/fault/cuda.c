/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * To be preloaded: plugins that are loaded find a CUDA device. Backends and the provider `cuda` say that
 * they can run, and the device has 64 GiB. For programs that plan and do not run: there is no device.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fecrun/sdk/params.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int there(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device, (void)reason, (void)size;
    return 0;
}

static int one_device(const struct fecrun_host *host)
{
    (void)host;
    return 1;
}

static int room(int device, uint64_t *free_bytes, uint64_t *total, struct fecrun_error *err)
{
    (void)device, (void)err;
    *free_bytes = *total = UINT64_C(64) << 30;
    return 0;
}

/* The conversions that plugins/cuda/convert.h has, also in a build without CUDA. */
static int converts(int device, void *stream, const struct fecrun_view *in,
                    const struct fecrun_view *out, struct fecrun_error *err)
{
    static const uint32_t known[][2] = {
        {FECRUN_U8, FECRUN_PACKED}, {FECRUN_PACKED, FECRUN_U8}, {FECRUN_I4, FECRUN_I8},
        {FECRUN_I4, FECRUN_I16},    {FECRUN_I4, FECRUN_F32},    {FECRUN_I8, FECRUN_I16},
        {FECRUN_I8, FECRUN_F32},    {FECRUN_I16, FECRUN_F32},   {FECRUN_F16, FECRUN_F32}};

    (void)device, (void)stream, (void)err;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i][0] == in->type && known[i][1] == out->type)
            return 0;
    return 1;
}

/* Writes `bytes` bytes over a plugin's table, which may be read-only. */
static void put(const void *to, const void *from, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)to;
    const uintptr_t begin = at / page * page, end = (at + bytes + page - 1) / page * page;

    if (!mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE))
        memcpy((void *)at, from, bytes);
}

#define PUT(table, member, value) \
    do { \
        const __typeof__((table)->member) put_value = (value); \
        put(&(table)->member, &put_value, sizeof put_value); \
    } while (0)

static void change(const struct fecrun_plugin *plugin)
{
    for (size_t s = 0; plugin->stages && plugin->stages[s]; s++)
        for (const struct fecrun_backend *const *b = plugin->stages[s]->backends; *b; b++)
            if ((*b)->provider && !strcmp((*b)->provider, "cuda"))
                PUT(*b, probe, there);
    for (size_t p = 0; plugin->providers && plugin->providers[p]; p++) {
        const struct fecrun_provider *provider = plugin->providers[p];

        if (strcmp(provider->name, "cuda") != 0)
            continue;
        PUT(provider, probe, there);
        PUT(provider, devices, one_device);
        PUT(provider, memory, room);
        PUT(provider, convert, converts);
    }
}

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    void *(*real)(const char *, int);
    void *handle;

    *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    handle = real(name, flags);
    if (handle) {
        const struct fecrun_plugin *plugin = dlsym(handle, "fecrun_plugin");

        if (plugin)
            change(plugin);
    }
    return handle;
}
