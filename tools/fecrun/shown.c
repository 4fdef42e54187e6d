/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include <stdio.h>

#include "tools/fecrun/shown.h"

#include "core/base/printable.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct shown {
    int fd;
    struct printable state;
};

static int put_all(int fd, const char *text, size_t size)
{
    while (size) {
        const ssize_t n = write(fd, text, size);

        if (n < 0 && errno != EINTR)
            return -1;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
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
            if (put_all(shown->fd, bytes, used))
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

void shown_begin(void)
{
    static struct shown out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

    stdout = open_shown(stdout, &out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = open_shown(stderr, &err, _IOLBF);
}
