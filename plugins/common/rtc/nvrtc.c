/* SPDX-License-Identifier: BSD-2-Clause */
#include <dlfcn.h>
#include <fecrun/sdk/params.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/rtc/cache.h"
#include "plugins/common/rtc/nvrtc.h"

/* What is used of nvrtc.h; results are 0 if all went well. */
struct program;

struct nvrtc {
    void *library;
    int (*version)(int *major, int *minor);
    int (*create)(struct program **program, const char *text, const char *name, int n_headers,
                  const char *const *headers, const char *const *names);
    int (*destroy)(struct program **program);
    int (*compile)(struct program *program, int n_options, const char *const *options);
    int (*log_size)(struct program *program, size_t *size);
    int (*log)(struct program *program, char *text);
    int (*size)(struct program *program, size_t *size);
    int (*code)(struct program *program, char *code);
    int (*ptx_size)(struct program *program, size_t *size);
    int (*ptx)(struct program *program, char *code);
};

/* Where the linker looks, then where the toolkit's own packages put it. */
static const char *const libraries[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};

static const struct rtc_header standard[] = {
    {"stdint.h", "typedef signed char int8_t;\n"
                 "typedef unsigned char uint8_t;\n"
                 "typedef short int16_t;\n"
                 "typedef unsigned short uint16_t;\n"
                 "typedef int int32_t;\n"
                 "typedef unsigned int uint32_t;\n"
                 "typedef long int64_t;\n"
                 "typedef unsigned long uint64_t;\n"
                 "typedef unsigned long uintptr_t;\n"
                 "#define UINT32_MAX 0xffffffffu\n"
                 "#define INT64_MIN (-0x7fffffffffffffff - 1)\n"
                 "#define UINT64_MAX 0xfffffffffffffffful\n"
                 "#define UINT64_C(x) x##ul\n"},
    {"stddef.h", "typedef unsigned long size_t;\n"},
    {"stdbool.h", ""},
    {"string.h", ""},
};

enum { STANDARD = sizeof standard / sizeof *standard };

static void *find(void *library, const char *name, int *missing)
{
    void *function = dlsym(library, name);

    *missing |= !function;
    return function;
}

/* 0, or -1: no library, or one that lacks something. */
static int open_nvrtc(struct nvrtc *n)
{
    int missing = 0;

    memset(n, 0, sizeof *n);
    /* It leaves 71 KiB behind each time it is unloaded: it stays. */
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !n->library; i++)
        n->library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!n->library)
        return -1;
    *(void **)&n->version = find(n->library, "nvrtcVersion", &missing);
    *(void **)&n->create = find(n->library, "nvrtcCreateProgram", &missing);
    *(void **)&n->destroy = find(n->library, "nvrtcDestroyProgram", &missing);
    *(void **)&n->compile = find(n->library, "nvrtcCompileProgram", &missing);
    *(void **)&n->log_size = find(n->library, "nvrtcGetProgramLogSize", &missing);
    *(void **)&n->log = find(n->library, "nvrtcGetProgramLog", &missing);
    *(void **)&n->size = find(n->library, "nvrtcGetCUBINSize", &missing);
    *(void **)&n->code = find(n->library, "nvrtcGetCUBIN", &missing);
    *(void **)&n->ptx_size = find(n->library, "nvrtcGetPTXSize", &missing);
    *(void **)&n->ptx = find(n->library, "nvrtcGetPTX", &missing);
    if (!missing)
        return 0;
    dlclose(n->library);
    return -1;
}

static int version_of(const struct nvrtc *n)
{
    int major = 0, minor = 0;

    return n->version(&major, &minor) ? 0 : 1000 * major + 10 * minor;
}

int rtc_nvrtc_version(void)
{
    struct nvrtc n;
    int version;

    if (open_nvrtc(&n))
        return 0;
    version = version_of(&n);
    dlclose(n.library);
    return version;
}

/* ---- Compiling ------------------------------------------------------------------------------- */

enum { OPTIONS = 3, OPTION_SIZE = 48 };

static void make_options(char option[OPTIONS][OPTION_SIZE], const struct rtc_source *source)
{
    snprintf(option[0], OPTION_SIZE, "--gpu-architecture=%s_%u",
             source->translated ? "compute" : "sm", source->capability);
    snprintf(option[1], OPTION_SIZE, "--std=c++17");
    snprintf(option[2], OPTION_SIZE, "--device-as-default-execution-space");
}

/* The first error that the compiler names. */
static int failed(const struct nvrtc *n, struct program *program, struct fecrun_error *err)
{
    const char *line = NULL;
    size_t size = 0;
    char *text = NULL;

    if (!n->log_size(program, &size) && size)
        text = calloc(1, size + 1);
    if (text && !n->log(program, text))
        line = strstr(text, ": error");
    while (line && line > text && line[-1] != '\n')
        line--;
    if (!line)
        line = "it does not say why";
    fecrun_fail(err, NULL, "NVRTC cannot compile the kernel: %.*s", (int)strcspn(line, "\n"), line);
    free(text);
    return -1;
}

/* What the program became, malloc()ed; NULL: nothing. */
static void *code_of(const struct nvrtc *n, struct program *program, int translated, size_t *size)
{
    char *code = NULL;

    if ((translated ? n->ptx_size : n->size)(program, size) || !*size)
        return NULL;
    code = malloc(*size);
    if (code && (translated ? n->ptx : n->code)(program, code)) {
        free(code);
        code = NULL;
    }
    return code;
}

static void *compiled(const struct nvrtc *n, const struct rtc_source *source,
                      char option[OPTIONS][OPTION_SIZE], size_t *size, struct fecrun_error *err)
{
    const size_t n_headers = source->n_headers + STANDARD;
    const char **text = malloc(2 * n_headers * sizeof *text), **name = text + n_headers;
    const char *const options[OPTIONS] = {option[0], option[1], option[2]};
    struct program *program = NULL;
    void *code = NULL;

    if (!text) {
        fecrun_no_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < n_headers; i++) {
        const struct rtc_header *header = i < STANDARD ? &standard[i]
                                                       : &source->headers[i - STANDARD];

        text[i] = header->text;
        name[i] = header->name;
    }
    if (n->create(&program, source->text, "kernel.cu", (int)n_headers, text, name))
        fecrun_fail(err, NULL, "NVRTC takes no program");
    else if (n->compile(program, OPTIONS, options))
        failed(n, program, err);
    else if (!(code = code_of(n, program, source->translated, size)))
        fecrun_fail(err, NULL, "NVRTC gives no code for compute capability %u.%u",
                    source->capability / 10, source->capability % 10);
    n->destroy(&program);
    free(text);
    return code;
}

static void make_key(struct rtc_key *key, const struct rtc_source *source,
                     char option[OPTIONS][OPTION_SIZE], const int version[2])
{
    *key = (struct rtc_key){{0}};
    rtc_key_add(key, version, 2 * sizeof *version);
    for (unsigned i = 0; i < OPTIONS; i++)
        rtc_key_add(key, option[i], strlen(option[i]));
    rtc_key_add(key, source->text, strlen(source->text));
    for (size_t i = 0; i < source->n_headers; i++) {
        rtc_key_add(key, source->headers[i].name, strlen(source->headers[i].name));
        rtc_key_add(key, source->headers[i].text, strlen(source->headers[i].text));
    }
}

void *rtc_compile(const struct rtc_source *source, int driver, size_t *size,
                  struct fecrun_error *err)
{
    char option[OPTIONS][OPTION_SIZE];
    int version[2] = {driver, 0};
    struct rtc_key key;
    struct nvrtc n;
    void *code;

    *size = 0;
    if (open_nvrtc(&n)) {
        fecrun_fail(err, NULL, RTC_NO_NVRTC);
        return NULL;
    }
    version[1] = version_of(&n);
    make_options(option, source);
    make_key(&key, source, option, version);
    code = rtc_cache_load(&key, size);
    if (!code) {
        code = compiled(&n, source, option, size, err);
        if (code)
            rtc_cache_store(&key, code, *size);
    }
    dlclose(n.library);
    return code;
}
