/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels compiled at run time: the cache, whatever is found in it, and the compiler, where there is
 * one. Needs no device.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/common/rtc/cache.h"
#include "plugins/common/rtc/nvrtc.h"
#include "plugins/ldpc/cuda/registers/build.h"
#include "plugins/ldpc/cuda/registers/source.h"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "t/lib/cubin.h"
#include "t/lib/tap.h"

static char root[] = "/tmp/fecrun-compile-XXXXXX";

/* The path of the only file of a directory below root; "" if there is none, or more. */
static const char *entry_in(const char *dir)
{
    static char path[4096];
    char where[512];
    unsigned n = 0;
    struct dirent *e;
    DIR *d;

    snprintf(where, sizeof where, "%s/%s", root, dir);
    d = opendir(where);
    path[0] = 0;
    while (d && (e = readdir(d)))
        if (e->d_name[0] != '.' && n++ == 0)
            snprintf(path, sizeof path, "%s/%s", where, e->d_name);
    if (d)
        closedir(d);
    if (n != 1)
        path[0] = 0;
    return path;
}

static long size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) ? -1 : (long)st.st_size;
}

/* Changes a byte, or with at < 0 cuts the last one off. */
static void spoil(const char *path, long at)
{
    FILE *f = fopen(path, "r+b");
    int c;

    if (!f)
        bail("%s", path);
    if (at < 0) {
        if (truncate(path, size_of(path) - 1))
            bail("truncate");
    } else {
        fseek(f, at, SEEK_SET);
        c = fgetc(f);
        fseek(f, at, SEEK_SET);
        fputc(c ^ 1, f);
    }
    fclose(f);
}

static bool holds(const struct rtc_key *key, const char *text)
{
    size_t size;
    char *data = rtc_cache_load(key, &size);
    const bool good = data && size == strlen(text) && !memcmp(data, text, size);

    free(data);
    return good;
}

static bool is_empty(const struct rtc_key *key)
{
    size_t size;
    void *data = rtc_cache_load(key, &size);

    free(data);
    return !data;
}

static void test_keys(void)
{
    struct rtc_key a = {{0}}, b = {{0}}, c = {{0}};

    rtc_key_add(&a, "ab", 2);
    rtc_key_add(&a, "c", 1);
    rtc_key_add(&b, "a", 1);
    rtc_key_add(&b, "bc", 2);
    rtc_key_add(&c, "ab", 2);
    rtc_key_add(&c, "c", 1);
    ok(a.digest[0] != b.digest[0] && a.digest[1] != b.digest[1] && a.digest[0] != a.digest[1] &&
           !memcmp(&a, &c, sizeof a),
       "keys: of the same parts, divided in the same way");
}

static void test_entries(void)
{
    static const char text[] = "what took long to make";
    struct rtc_key key = {{1, 2}}, other = {{1, 3}};
    char path[4096];
    bool good = true;
    long size;

    setenv("XDG_CACHE_HOME", root, 1);
    ok(is_empty(&key), "nothing there");
    rtc_cache_store(&key, text, strlen(text));
    ok(holds(&key, text) && is_empty(&other), "stored and loaded, under its key alone");
    snprintf(path, sizeof path, "%s", entry_in("fecrun"));
    size = size_of(path);
    for (long at = 0; at < size; at++) {
        spoil(path, at);
        good = good && is_empty(&key);
        spoil(path, at);
    }
    ok(good && size > 0, "any of its %ld bytes changed: as if it were not there", size);
    spoil(path, -1);
    ok(is_empty(&key), "cut off: as if it were not there");
    rtc_cache_store(&key, text, strlen(text));
    ok(holds(&key, text) && size_of(path) == size, "stored again, in its place");
    unlink(path);
    if (mkfifo(path, 0600))
        bail("mkfifo");
    ok(is_empty(&key), "a pipe of that name: nobody waits for it");
    rtc_cache_store(&key, text, strlen(text));
    ok(is_empty(&key), "and nobody writes to it");
    unlink(path);
}

static void test_places(void)
{
    static const char text[] = "text";
    struct rtc_key key = {{4, 5}};
    char home[512], file[512];

    snprintf(home, sizeof home, "%s/home", root);
    snprintf(file, sizeof file, "%s/file", root);
    setenv("HOME", home, 1);
    setenv("XDG_CACHE_HOME", "relative", 1);
    rtc_cache_store(&key, text, 4);
    ok(holds(&key, text) && *entry_in("home/.cache/fecrun") && access("relative", F_OK),
       "~/.cache, which is made, instead of a relative name");
    unsetenv("XDG_CACHE_HOME");
    ok(holds(&key, text), "and without XDG_CACHE_HOME");
    fclose(fopen(file, "w"));
    setenv("XDG_CACHE_HOME", file, 1);
    rtc_cache_store(&key, text, 4);
    ok(is_empty(&key), "where nothing can be written nothing is stored");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    rtc_cache_store(&key, text, 4);
    ok(is_empty(&key), "no directory: nothing is stored");
}

/* ---- The compiler ---- */

static void *compile(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                     int driver, size_t *size)
{
    struct fecrun_error err = {.size = sizeof err};
    void *cubin = ldpc_registers_compile(code, form, 90, driver, size, &err);

    if (!cubin)
        diag("%s", err.text);
    return cubin;
}

/* A whole kernel, then the same from the cache, then after the entry was spoilt. */
static void test_kernel(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_wifi(648, "5/6", &err);
    struct ldpc_registers_form form;
    size_t size = 0, size2 = 0;
    char *first, *second, path[4096];

    if (!code || ldpc_registers_choose_form(code, false, 228 << 10, 227 << 10, &form))
        bail("no form");
    snprintf(path, sizeof path, "%s/kernel", root);
    setenv("XDG_CACHE_HOME", path, 1);
    first = compile(code, &form, 13000, &size);
    snprintf(path, sizeof path, "%s", entry_in("kernel/fecrun"));
    ok(first && size > 1000 && !memcmp(first, "\177ELF", 4) && size_of(path) > (long)size,
       "NVRTC compiles a kernel, which is stored: %zu bytes", size);
    if (!first) {
        ldpc_code_free(code);
        skip(1, "no kernel");
        return;
    }
    spoil(path, 100);
    second = compile(code, &form, 13000, &size2);
    ok(second && size2 == size && !memcmp(second, "\177ELF", 4), "again, its entry being spoilt");
    free(second);
    second = compile(code, &form, 13000, &size2);
    ok(second && size2 == size && *entry_in("kernel/fecrun"), "and from the cache");
    free(first);
    free(second);
    ldpc_code_free(code);
}

/* NR's twins, which other compilers have in the tests on the CPU: with addresses in registers, too. */
static void test_twin(enum ldpc_algorithm algorithm, enum ldpc_rule rule, uint8_t kept,
                      bool reverse)
{
    const struct ldpc_registers_kernel kernel = {
        .bg = 2, .rows = 6, .z = 384, .lanes = 384, .layout = {.kept = kept, .span = 3}};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_nr(2, 384, 0, &err);
    const struct ldpc_decode d = {
        .code = code, .rows = 6, .algorithm = algorithm, .rule = rule, .reverse = reverse};
    static const char *const names[] = {
        [LDPC_NMS] = "nms", [LDPC_OMS] = "oms", [LDPC_SPA] = "sum-product"};
    struct ldpc_registers_kernel twin;
    static char text[1 << 17];
    size_t size;
    void *cubin;

    if (!code || ldpc_registers_flood(&kernel, code, 6, 384, 227 << 10, &twin))
        bail("no twin");
    if (ldpc_registers_nr_source(&d, &twin, 384, 3, text, sizeof text) >= sizeof text)
        bail("a longer source than there is room for");
    ldpc_code_free(code);
    if (tap_sanitized()) {
        skip(1, "a sanitizer finds nothing in NVRTC");
        return;
    }
    cubin = ldpc_compile(text, 90, 13000, &size, &err);
    ok(cubin, "NR, %s, %s, %u rows with their addresses: %s", names[algorithm],
       rule == LDPC_FLOODING ? "flooding"
       : reverse             ? "layered"
                             : "layered, first row first",
       kept, cubin ? "compiled" : err.text);
    free(cubin);
}

/* A thread block has 378 lanes: two words of a column are not as wide as a copy is. */
static void test_narrow(void)
{
    static const struct ldpc_registers_kernel kernel = {
        .bg = 2, .rows = 6, .z = 384, .lanes = 384, .layout = {.span = 3}};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_nr(2, 14, 0, &err);
    const struct ldpc_decode d = {.code = code, .rows = 6, .rule = LDPC_FLOODING, .reverse = true};
    struct ldpc_registers_kernel twin;
    static char text[1 << 16];
    size_t size;
    void *cubin;

    if (!code || ldpc_registers_flood(&kernel, code, 6, 378, 227 << 10, &twin))
        bail("no twin");
    ldpc_registers_nr_source(&d, &twin, 378, 3, text, sizeof text);
    is_int((twin.shared - LDPC_REGISTERS_FLAGS) % LDPC_REGISTERS_ALIGN, 0,
           "flooding, z = 14: LLRs are staged at a multiple of 16 bytes");
    ldpc_code_free(code);
    if (tap_sanitized()) {
        skip(1, "a sanitizer finds nothing in NVRTC");
        return;
    }
    cubin = ldpc_compile(text, 90, 13000, &size, &err);
    ok(cubin, "where the kernel has them, too: %s", cubin ? "compiled" : err.text);
    free(cubin);
}

/* A kernel in shared memory. */
static void test_shared(enum ldpc_algorithm algorithm, enum ldpc_rule rule, const char *what)
{
    static const struct fecrun_cuda_limits limits = {
        .processors = 132, .shared = 228 << 10, .shared_block = 227 << 10, .capability = 90};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_dvbs2(true, "1/2", &err);
    struct ldpc_decode d = {.code = code, .algorithm = algorithm, .rule = rule};
    struct ldpc_shared_form form;
    struct ldpc_shared_plan plan;
    size_t size;
    void *cubin;

    if (!code)
        bail("%s", err.text);
    d.rows = code->rows;
    d.schedule = ldpc_schedule_new(code, d.rows, false, &err);
    if (!d.schedule ||
        ldpc_shared_choose_form(&form, &d, FECRUN_F32, FECRUN_U8, &limits, 1 << 12) ||
        ldpc_shared_plan(&plan, &d, &form, &err))
        bail("no kernel for %s", what);
    cubin = tap_sanitized() ? NULL : ldpc_shared_compile(&plan, 90, 13000, &size, &err);
    if (tap_sanitized())
        skip(1, "a sanitizer finds nothing in NVRTC");
    else
        ok(cubin, "DVB-S2 in shared memory, %s: %s", what, cubin ? "compiled" : err.text);
    free(cubin);
    ldpc_shared_plan_free(&plan);
    ldpc_schedule_free(d.schedule);
    ldpc_code_free(code);
}

enum { MOST_STACK = 512 };

/*
 * NR's kernels for devices that have neither code in the build nor an H100's shared memory, layouts as the plugin
 * has them. Most registers hold messages; a few words of a row's work are beyond them, on 9.0 up to 10.
 */
static void test_device(unsigned capability, size_t shared_block, uint32_t bg, uint32_t rows,
                        struct ldpc_registers_layout layout, bool soft)
{
    const struct ldpc_registers_kernel kernel = {
        .bg = bg, .rows = rows, .z = 384, .lanes = 384, .layout = layout};
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = ldpc_code_nr(bg, 384, 0, &err);
    const struct ldpc_decode d = {.code = code, .rows = rows, .reverse = true};
    struct ldpc_registers_kernel twin;
    const char *problem = code ? ldpc_registers_twin(&d, &kernel, true, 384, shared_block, &twin)
                               : err.text;
    static const char *const own[] = {"in halves", "in bytes", "as they lie"};
    static char text[1 << 17];
    size_t size;
    void *cubin;

    twin.soft = soft;
    if (problem)
        bail("no twin: %s", problem);
    if (ldpc_registers_nr_source(&d, &twin, 384, 3, text, sizeof text) >= sizeof text)
        bail("a longer source than there is room for");
    ldpc_code_free(code);
    if (tap_sanitized()) {
        skip(1, "a sanitizer finds nothing in NVRTC");
        return;
    }
    cubin = ldpc_compile(text, capability, 13000, &size, &err);
    ok(cubin && cubin_says(cubin, CUBIN_STACK) >= 0 &&
           cubin_says(cubin, CUBIN_STACK) <= MOST_STACK &&
           cubin_says(cubin, CUBIN_REGISTERS) > 100 && cubin_says(cubin, CUBIN_REGISTERS) <= 168,
       "%u.%u, BG%u, %u rows%s, own columns %s, LLRs %s: %ld registers, %ld bytes of stack %s",
       capability / 10, capability % 10, bg, rows, soft ? " with LLRs out" : "",
       own[twin.layout.own], twin.unstaged ? "as they lie" : "fetched ahead",
       cubin ? cubin_says(cubin, CUBIN_REGISTERS) : 0, cubin ? cubin_says(cubin, CUBIN_STACK) : 0,
       cubin ? "" : err.text);
    free(cubin);
}

static void test_error(void)
{
    const struct rtc_source source = {.text = "int g({});\nint f( {}\n", .capability = 90};
    struct fecrun_error err = {.size = sizeof err};
    size_t size;

    ok(!rtc_compile(&source, 13000, &size, &err) && strstr(err.text, ": error: "),
       "what cannot be compiled: %s", err.text);
}

static void remove_all(void)
{
    char command[600];

    snprintf(command, sizeof command, "rm -rf %s", root);
    if (system(command))
        diag("%s stays", root);
}

int main(void)
{
    if (!mkdtemp(root))
        bail("mkdtemp");
    test_keys();
    test_entries();
    test_places();
    if (rtc_nvrtc_version()) {
        test_kernel();
        test_twin(LDPC_OMS, LDPC_LAYERED, 2, true);
        test_twin(LDPC_NMS, LDPC_FLOODING, 0, true);
        test_twin(LDPC_OMS, LDPC_FLOODING, 2, true);
        test_twin(LDPC_SPA, LDPC_LAYERED, 0, false);
        test_twin(LDPC_SPA, LDPC_FLOODING, 0, true);
        test_narrow();
        test_shared(LDPC_NMS, LDPC_LAYERED, "layered");
        test_shared(LDPC_OMS, LDPC_FLOODING, "oms, flooding");
        test_device(80, 163 << 10, 1, 46, (struct ldpc_registers_layout){0, 46, 0, 7, 0, 2, 0},
                    false);
        test_device(86, 99 << 10, 1, 24, (struct ldpc_registers_layout){0, 24, 0, 0, 0, 2, 0},
                    false);
        test_device(89, 99 << 10, 2, 20, (struct ldpc_registers_layout){0, 0, 0, 0, 0, 3, 0},
                    false);
        test_device(86, 99 << 10, 1, 46, (struct ldpc_registers_layout){0, 46, 0, 7, 0, 2, 0},
                    false);
        test_device(89, 99 << 10, 2, 42, (struct ldpc_registers_layout){4, 14, 0, 4, 0, 3, 0},
                    false);
        test_device(120, 99 << 10, 1, 13, (struct ldpc_registers_layout){0, 13, 0, 0, 0, 2, 0},
                    false);
        test_device(90, 227 << 10, 1, 46, (struct ldpc_registers_layout){0, 46, 0, 7, 0, 2, 0},
                    true);
        test_error();
    } else {
        skip(10, "no libnvrtc here");
    }
    remove_all();
    return done_testing();
}
