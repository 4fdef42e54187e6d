/* SPDX-License-Identifier: BSD-2-Clause */
/* construction: file. Reads N positions, least reliable first, in any number of lines. */
#include <errno.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/read.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "plugins/polar/code/order.h"

enum { MOST_BYTES = 1 << 20 };

/* The whole file, with a 0 behind it; NULL and a reason. */
static char *read_text(const char *path, struct fecrun_error *err)
{
    struct stat st;
    char *text = NULL;
    size_t size;

    if (!stat(path, &st) && (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)) {
        fecrun_fail(err, "path", "%s: must be a regular file of at most %d bytes", path,
                    MOST_BYTES);
    } else if (fecrun_read_file(path, MOST_BYTES, &text, &size)) {
        if (errno == ENOMEM)
            fecrun_no_memory(err);
        else
            fecrun_fail(err, "path", "%s: %s", path, strerror(errno));
    } else if (strlen(text) != size) {
        fecrun_fail(err, "path", "%s: is no text", path);
        free(text);
        text = NULL;
    }
    return text;
}

/* Over blanks, commas and comments; counts lines. */
static const char *skip(const char *p, uint32_t *line)
{
    for (; *p && strchr(" \t\r\n,#", *p); p++) {
        if (*p == '#')
            p += strcspn(p, "\n");
        if (!*p)
            break;
        *line += *p == '\n';
    }
    return p;
}

/* The next number: 1; the end: 0; what is none: -1. */
static int next_number(const char **at, uint32_t *line, uint32_t *value)
{
    const char *p = skip(*at, line);

    *at = p;
    *value = 0;
    if (!*p)
        return 0;
    if (*p < '0' || *p > '9')
        return -1;
    for (; *p >= '0' && *p <= '9' && *value <= POLAR_MOST_N; p++)
        *value = 10 * *value + (uint32_t)(*p - '0');
    *at = p;
    return 1;
}

/* Where the line begins in which `at` is. */
static const char *line_of(const char *begin, const char *at)
{
    while (at > begin && at[-1] != '\n')
        at--;
    return at;
}

static int read_order(const char *path, const char *text, uint32_t n, uint16_t *order,
                      struct fecrun_error *err)
{
    uint8_t seen[POLAR_MOST_N] = {0};
    uint32_t line = 1, count = 0, value = 0;
    const char *begin = text;
    int got;

    while ((got = next_number(&text, &line, &value)) > 0) {
        if (value >= n)
            return fecrun_fail(err, "path", "%s:%u: %u; positions are 0 to %u", path, line, value,
                               n - 1);
        if (seen[value])
            return fecrun_fail(err, "path", "%s:%u: %u stands there twice", path, line, value);
        seen[value] = 1;
        order[count++] = (uint16_t)value;
    }
    if (got < 0)
        return fecrun_fail(err, "path", "%s:%u:%zu: this is no number", path, line,
                           (size_t)(text - line_of(begin, text)) + 1);
    if (count != n)
        return fecrun_fail(err, "path", "%s: has %u positions; N = %u are needed", path, count, n);
    return 0;
}

int polar_order_file(uint32_t stages, const char *path, uint16_t *order, struct fecrun_error *err)
{
    char *text = read_text(path, err);
    int status = text ? read_order(path, text, 1u << stages, order, err) : -1;

    free(text);
    return status;
}
