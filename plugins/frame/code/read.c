/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads an order from a text file: whole numbers between white space, # begins a comment. */
#include "plugins/frame/code/order.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/read.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 28 };

struct text {
    const char *path, *data;
    size_t at, size;
    unsigned line, column;
};

static int peek(const struct text *t)
{
    return t->at < t->size ? (unsigned char)t->data[t->at] : -1;
}

static void step(struct text *t)
{
    if (peek(t) == '\n') {
        t->line++;
        t->column = 0;
    }
    t->at++;
    t->column++;
}

static bool is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static void skip(struct text *t)
{
    while (is_space(peek(t)) || peek(t) == '#')
        if (peek(t) == '#')
            while (peek(t) >= 0 && peek(t) != '\n')
                step(t);
        else
            step(t);
}

static int fail(const struct text *t, const char *what, struct fecrun_error *err)
{
    return fecrun_fail(err, "table", "%s:%u:%u: %s", t->path, t->line, t->column, what);
}

/* 0, or -1; the text stands behind the number then. */
static int take(struct text *t, uint64_t *number, struct fecrun_error *err)
{
    const struct text start = *t;

    *number = 0;
    if (peek(t) < '0' || peek(t) > '9')
        return fail(t, "expected a whole number, the place of an item from 0 on", err);
    for (; peek(t) >= '0' && peek(t) <= '9'; step(t)) {
        *number = *number * 10 + (uint64_t)(peek(t) - '0');
        if (*number >= ORDER_MOST)
            return fail(&start, "the number is too large: at most 16777215", err);
    }
    if (peek(t) >= 0 && !is_space(peek(t)) && peek(t) != '#')
        return fail(t, "expected a blank or the end of the line after a number", err);
    return 0;
}

/* Numbers of the text; with `from` they go there. */
static int read_numbers(struct text t, int32_t *from, uint64_t *n, struct fecrun_error *err)
{
    uint64_t number;

    *n = 0;
    for (skip(&t); peek(&t) >= 0; skip(&t), ++*n) {
        if (*n == ORDER_MOST)
            return fail(&t, "more than 16777216 numbers", err);
        if (take(&t, &number, err))
            return -1;
        if (from)
            from[*n] = (int32_t)number;
    }
    return *n ? 0 : fail(&t, "no numbers", err);
}

/* Says at which line number i stands. */
static int fail_at(struct text t, uint64_t i, const char *what, uint64_t number,
                   struct fecrun_error *err)
{
    uint64_t skipped;

    for (skip(&t); i > 0; i--, skip(&t))
        take(&t, &skipped, err);
    return fecrun_fail(err, "table", "%s:%u:%u: %" PRIu64 " %s", t.path, t.line, t.column, number,
                       what);
}

static int check(const struct text *t, const struct order *order, struct fecrun_error *err)
{
    uint64_t again = 0;
    int status;

    for (uint64_t i = 0; i < order->period; i++)
        if ((uint64_t)order->from[i] >= order->period)
            return fail_at(*t, i, "is no place: as many items as there are numbers go round",
                           (uint64_t)order->from[i], err);
    status = order_check(order, &again, err);
    return status <= 0 ? status
                       : fail_at(*t, again, "stands in the table a second time",
                                 (uint64_t)order->from[again], err);
}

int order_read(struct order *order, const char *path, struct fecrun_error *err)
{
    size_t size = 0;
    char *data = NULL;
    struct text t = {.path = path, .line = 1, .column = 1};
    uint64_t n = 0;
    int status;

    if (fecrun_read_file(path, MOST_BYTES, &data, &size))
        return fecrun_fail(err, "table", "%s: cannot read: %s", path, strerror(errno));
    t.data = data;
    t.size = size;
    status = read_numbers(t, NULL, &n, err) || order_make(order, n, err) ||
                     read_numbers(t, order->from, &n, err) || check(&t, order, err)
                 ? -1
                 : 0;
    free(data);
    return status;
}
