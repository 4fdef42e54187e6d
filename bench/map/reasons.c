/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reasons of what is beyond a limit: a file of lines "PATTERN | REASON". A pattern has * and ? and is
 * compared with "FAULT BACKEND CELL", the cell as cell_name() has it. Lines that begin with # are
 * comments.
 */
#include "bench/map/map.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char **line; /* the pattern, and the reason after its zero */
    size_t n;
} reasons;

static char *trimmed(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\n", end[-1]))
        *--end = 0;
    return text + strspn(text, " \t");
}

static int add(const char *pattern, const char *reason)
{
    char **more = realloc(reasons.line, (reasons.n + 1) * sizeof *more);
    const size_t size = strlen(pattern) + 1;

    if (!more)
        return -1;
    reasons.line = more;
    more[reasons.n] = malloc(size + strlen(reason) + 1);
    if (!more[reasons.n])
        return -1;
    memcpy(more[reasons.n], pattern, size);
    strcpy(more[reasons.n++] + size, reason);
    return 0;
}

int reasons_read(const char *path)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    char line[1024];
    int number = 0, status = 0;

    if (!path)
        return 0;
    if (!file) {
        fprintf(stderr, "map: --reasons %s: %s\n", path, strerror(errno));
        return -1;
    }
    while (!status && fgets(line, sizeof line, file)) {
        char *bar = strchr(line, '|'), *pattern = trimmed(line);

        number++;
        if (!*pattern || *pattern == '#')
            continue;
        if (!bar) {
            fprintf(stderr, "map: %s:%d: must be PATTERN | REASON\n", path, number);
            status = -1;
            break;
        }
        *bar = 0;
        status = add(trimmed(pattern), trimmed(bar + 1));
    }
    fclose(file);
    return status;
}

const char *reason_of(enum fault fault, const char *backend, const struct result *result)
{
    char name[600], text[700];

    cell_name(&result->cell, name, sizeof name);
    snprintf(text, sizeof text, "%s %s %s", fault_names[fault], backend, name);
    for (size_t i = 0; i < reasons.n; i++)
        if (!fnmatch(reasons.line[i], text, 0))
            return reasons.line[i] + strlen(reasons.line[i]) + 1;
    return NULL;
}

void reasons_free(void)
{
    for (size_t i = 0; i < reasons.n; i++)
        free(reasons.line[i]);
    free(reasons.line);
    memset(&reasons, 0, sizeof reasons);
}
