/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/read.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "plugins/ldpc/code/read/lines.h"

static char *fail(struct fecrun_error *err, const char *path, const char *text)
{
    fecrun_fail(err, "path", "%s: %s", path, text);
    return NULL;
}

char *ldpc_text_read(const char *path, size_t *size, struct fecrun_error *err)
{
    struct stat st;
    char *data;

    if (stat(path, &st))
        return fail(err, path, strerror(errno));
    if (!S_ISREG(st.st_mode)) /* opening a pipe would wait for a writer */
        return fail(err, path, "is no regular file");
    if (st.st_size > LDPC_TEXT_MAX) {
        fecrun_fail(err, "path", "%s: has %lld bytes; at most %d are read", path,
                    (long long)st.st_size, LDPC_TEXT_MAX);
        return NULL;
    }
    if (!fecrun_read_file(path, LDPC_TEXT_MAX, &data, size))
        return data;
    if (errno == ENOMEM)
        fecrun_no_memory(err);
    else
        fail(err, path, strerror(errno));
    return NULL;
}

void ldpc_text_name(struct fecrun_error *err, const char *path)
{
    char text[sizeof err->text];

    if (strcmp(err->param, "path"))
        return;
    snprintf(text, sizeof text, "%s", err->text);
    snprintf(err->text, sizeof err->text, "%.200s: %.240s", path, text); /* the first error, kept */
}

void ldpc_text_start(struct ldpc_text *t, const char *data, size_t size, struct fecrun_error *err)
{
    t->start = t->at = t->stop = t->next = data;
    t->end = data + size;
    t->line = 0;
    t->err = err;
}

int ldpc_text_fail(struct ldpc_text *t, const char *format, ...)
{
    char text[sizeof t->err->text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fecrun_fail(t->err, "path", "line %u: %.400s", t->line ? t->line : 1, text);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool ldpc_text_more(struct ldpc_text *t)
{
    while (t->next < t->end) {
        const char *stop = memchr(t->next, '\n', (size_t)(t->end - t->next));

        t->start = t->at = t->next;
        t->stop = stop ? stop : t->end;
        t->next = stop ? stop + 1 : t->end;
        t->line++;
        while (t->at < t->stop && is_space(*t->at))
            t->at++;
        if (t->at < t->stop && *t->at != '#')
            return true;
    }
    t->at = t->stop = t->end;
    return false;
}

int ldpc_text_line(struct ldpc_text *t, const char *what)
{
    if (ldpc_text_more(t))
        return 0;
    return ldpc_text_fail(t, "the file ends here; missing: %s", what);
}

/* Of what stands there: "column 5: WHAT", counted from 1. */
static int fail_here(struct ldpc_text *t, const char *what)
{
    return ldpc_text_fail(t, "column %zu: %s", (size_t)(t->at - t->start) + 1, what);
}

/* What stands there is no number. */
static int fail_number(struct ldpc_text *t)
{
    size_t n = 0, left = (size_t)(t->stop - t->at);

    while (n < left && n < 20 && t->at[n] > ' ' && t->at[n] < 127)
        n++;
    if (n < left && n < 20 && !is_space(t->at[n]))
        return ldpc_text_fail(t, "byte 0x%02x, where whole numbers and blanks may be",
                              (unsigned char)t->at[n]);
    return fail_here(t, "this is no whole number");
}

int ldpc_text_number(struct ldpc_text *t, int64_t *value)
{
    const char *digit;
    bool minus;

    while (t->at < t->stop && is_space(*t->at))
        t->at++;
    if (t->at == t->stop)
        return 0;
    minus = *t->at == '-';
    digit = t->at + minus;
    for (*value = 0; digit < t->stop && *digit >= '0' && *digit <= '9'; digit++) {
        *value = 10 * *value + (*digit - '0');
        if (*value > UINT32_MAX)
            return fail_here(t, "the number is too large");
    }
    if (digit == t->at + minus || (digit < t->stop && !is_space(*digit)))
        return fail_number(t);
    t->at = digit;
    if (minus)
        *value = -*value;
    return 1;
}

int ldpc_text_numbers(struct ldpc_text *t, uint32_t n, int64_t min, int64_t max, const char *what,
                      int64_t *value)
{
    int64_t more;
    int got;

    for (uint32_t i = 0; i < n; i++) {
        got = ldpc_text_number(t, &value[i]);
        if (got < 0)
            return -1;
        if (!got)
            return ldpc_text_fail(t, "%u numbers; %u are needed: %s", i, n, what);
        if (value[i] < min || value[i] > max)
            return ldpc_text_fail(t, "number %u is %lld; %lld to %lld is possible: %s", i + 1,
                                  (long long)value[i], (long long)min, (long long)max, what);
    }
    got = ldpc_text_number(t, &more);
    if (got > 0)
        return ldpc_text_fail(t, "more than %u numbers: %s", n, what);
    return got;
}

int ldpc_text_finish(struct ldpc_text *t)
{
    if (ldpc_text_more(t))
        return ldpc_text_fail(t, "more text, where the file should end");
    return 0;
}
