/* SPDX-License-Identifier: BSD-2-Clause */
/* TAP on standard output, and the reports that children leave in shared memory. */
#include <stdio.h>

#include "tools/check/check.h"

static unsigned tests, failures;

/* A `#` would start a directive. */
static void put_text(const char *format, va_list args)
{
    char text[512];

    vsnprintf(text, sizeof text, format, args);
    for (char *p = text; *p; p++)
        putchar(*p == '#' || *p == '\n' ? ' ' : *p);
}

bool tap_ok(bool pass, const char *format, ...)
{
    va_list args;

    tests++;
    failures += !pass;
    printf("%sok %u - ", pass ? "" : "not ", tests);
    va_start(args, format);
    put_text(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    return pass;
}

void tap_skip(const char *reason, const char *format, ...)
{
    va_list args;

    printf("ok %u - ", ++tests);
    va_start(args, format);
    put_text(format, args);
    va_end(args);
    printf(" # SKIP %s\n", reason);
    fflush(stdout);
}

void tap_diag(const char *format, ...)
{
    va_list args;

    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

int tap_end(void)
{
    printf("1..%u\n", tests);
    if (failures)
        printf("# %u of %u failed\n", failures, tests);
    return fflush(stdout) || failures ? 1 : 0;
}

/* ---- Reports ---- */

bool check_fail(struct check_report *report, unsigned group, const char *format, ...)
{
    struct check_group *g = &report->group[group];
    va_list args;

    g->checks++;
    g->failures++;
    if (g->n_lines == CHECK_LINES)
        return false;
    va_start(args, format);
    vsnprintf(g->line[g->n_lines], sizeof g->line[0], format, args);
    va_end(args);
    g->n_lines++;
    return false;
}

void check_pass(struct check_report *report, unsigned group)
{
    report->group[group].checks++;
}

void check_now(struct check_report *report, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(report->now, sizeof report->now, format, args);
    va_end(args);
    report->progress++;
}

void check_untested(struct check_report *report, const char *format, ...)
{
    va_list args;

    if (report->n_untested == CHECK_NOTES)
        return;
    va_start(args, format);
    vsnprintf(report->untested[report->n_untested++], sizeof report->untested[0], format, args);
    va_end(args);
}

void check_note(struct check_report *report, const char *format, ...)
{
    va_list args;

    if (report->n_notes == CHECK_NOTES)
        return;
    va_start(args, format);
    vsnprintf(report->note[report->n_notes++], sizeof report->note[0], format, args);
    va_end(args);
}
