/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include <stdio.h>

#include "tools/fecrun/shown.h"

#include <fecrun/sdk/write.h>
#include "core/base/printable.h"
#include "tools/fecrun/signals.h"

#include <errno.h>
#include <unistd.h>

struct shown {
    int fd;
    bool closed;  /* the reader has gone */
    bool stalled; /* nobody reads, and a signal ends the program */
    struct printable state;
};

/* A reader that has stopped is waited for once. */
static int put_all(struct shown *shown, const char *text, size_t size)
{
    if (shown->stalled)
        errno = ETIMEDOUT;
    else if (!fecrun_write(shown->fd, text, size, signals_flag()))
        return 0;
    shown->stalled = errno == ETIMEDOUT;
    shown->closed |= errno == EPIPE;
    return -1;
}

/* As fopencookie() wants it: 0 is an error, with errno. */
static ssize_t put(void *data, const char *text, size_t size)
{
    struct shown *shown = data;
    char bytes[4096];
    size_t used = 0;

    for (size_t i = 0; i < size; i++) {
        used += printable_byte(&shown->state, text[i], bytes + used);
        if (used > sizeof bytes - PRINTABLE_MOST || i + 1 == size) {
            if (put_all(shown, bytes, used))
                return 0;
            used = 0;
        }
    }
    return (ssize_t)size;
}

/* Without memory for it, the stream stays as it is. */
static FILE *open_shown(FILE *plain, struct shown *shown, int mode)
{
    FILE *stream = fopencookie(shown, "w", (cookie_io_functions_t){.write = put});

    if (!stream)
        return plain;
    setvbuf(stream, NULL, mode, BUFSIZ);
    return stream;
}

static struct shown out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

bool shown_is_closed(void)
{
    return out.closed;
}

void shown_begin(void)
{
    stdout = open_shown(stdout, &out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = open_shown(stderr, &err, _IOLBF);
}
