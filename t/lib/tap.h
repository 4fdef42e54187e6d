/* SPDX-License-Identifier: BSD-2-Clause */
/* Test Anything Protocol for C tests: one process, one thread, output on stdout.
 *
 *     int main(void)
 *     {
 *         ok(x != NULL, "conf_parse takes an empty map");
 *         is_int(n, 3, "three stages");
 *         return done_testing();
 *     }
 *
 * Each check returns whether it passed. Descriptions are printf formats.
 */
#ifndef T_LIB_TAP_H
#define T_LIB_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAP_UNUSED __attribute__((unused))
#define TAP_PRINTF(f, a) __attribute__((unused, format(printf, f, a)))
#define TAP_NORETURN __attribute__((noreturn)) /* also in C++ */

static int tap_planned TAP_UNUSED;
static int tap_run TAP_UNUSED;
static int tap_failed TAP_UNUSED;

/* Under a sanitizer, five to twenty times as slow, error rates show nothing that fewer frames do not. */
static TAP_UNUSED bool tap_sanitized(void)
{
    const char *sanitizer = getenv("FECRUN_SANITIZER");

    return sanitizer && (!strcmp(sanitizer, "address") || !strcmp(sanitizer, "thread"));
}

/* Draws of one kind: an eighth of them there. */
static TAP_UNUSED unsigned tap_rounds(unsigned n)
{
    return tap_sanitized() ? n / 8 + 1 : n;
}

/* n checks follow. Without it, done_testing() prints the plan. */
static TAP_UNUSED void plan(int n)
{
    tap_planned = n;
    printf("1..%d\n", n);
    fflush(stdout);
}

/* A line for the log. */
static TAP_PRINTF(1, 2) void diag(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    printf("# ");
    vprintf(format, ap);
    printf("\n");
    va_end(ap);
    fflush(stdout);
}

static TAP_PRINTF(4, 5) bool tap_check(bool pass, const char *file, int line, const char *format,
                                       ...)
{
    va_list ap;

    va_start(ap, format);
    printf("%s %d - ", pass ? "ok" : "not ok", ++tap_run);
    vprintf(format, ap);
    printf("\n");
    va_end(ap);
    if (!pass) {
        tap_failed++;
        diag("failed at %s:%d", file, line);
    }
    fflush(stdout);
    return pass;
}

static TAP_UNUSED bool tap_same_int(bool pass, int64_t got, int64_t want)
{
    if (!pass)
        diag("got %" PRId64 ", want %" PRId64, got, want);
    return pass;
}

static TAP_UNUSED bool tap_same_str(bool pass, const char *got, const char *want)
{
    if (!pass) {
        diag(" got: %s", got ? got : "(null)");
        diag("want: %s", want ? want : "(null)");
    }
    return pass;
}

static TAP_UNUSED bool tap_equal_str(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

#define ok(condition, ...) tap_check((condition) ? true : false, __FILE__, __LINE__, __VA_ARGS__)

#define is_int(got, want, ...) \
    __extension__({ \
        int64_t tap_got = (int64_t)(got), tap_want = (int64_t)(want); \
        tap_same_int(tap_check(tap_got == tap_want, __FILE__, __LINE__, __VA_ARGS__), tap_got, \
                     tap_want); \
    })

#define is_str(got, want, ...) \
    __extension__({ \
        const char *tap_s_got = (got), *tap_s_want = (want); \
        tap_same_str( \
            tap_check(tap_equal_str(tap_s_got, tap_s_want), __FILE__, __LINE__, __VA_ARGS__), \
            tap_s_got, tap_s_want); \
    })

/* Stands for n checks that cannot run here; the text says why. */
static TAP_PRINTF(2, 3) void skip(int n, const char *format, ...)
{
    va_list ap;

    while (n-- > 0) {
        va_start(ap, format);
        printf("ok %d # SKIP ", ++tap_run);
        vprintf(format, ap);
        printf("\n");
        va_end(ap);
    }
    fflush(stdout);
}

/* The whole program cannot run here, before any check. */
static TAP_PRINTF(1, 2) TAP_NORETURN void skip_all(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    printf("1..0 # SKIP ");
    vprintf(format, ap);
    printf("\n");
    va_end(ap);
    exit(0);
}

/* Nothing after this makes sense. */
static TAP_PRINTF(1, 2) TAP_NORETURN void bail(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    printf("Bail out! ");
    vprintf(format, ap);
    printf("\n");
    va_end(ap);
    exit(1);
}

/* The exit status of main: 0, or 1 after a failed check or against the plan. */
static TAP_UNUSED int done_testing(void)
{
    if (!tap_planned)
        printf("1..%d\n", tap_run);
    fflush(stdout);
    return tap_failed || (tap_planned && tap_planned != tap_run) ? 1 : 0;
}

#endif
