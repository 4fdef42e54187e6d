/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a pipeline file; behind a line %% come --set options, one a line. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "run/file/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_SETS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load(const char *text, size_t size, const char *const *sets)
{
    struct pipeline_options options = {.sets = sets};
    struct pipeline *pipeline;
    struct diag d = {0};
    char path[64];
    int fd = memfd_create("pipeline.yaml", 0);

    if (fd < 0 || write(fd, text, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (pipeline_load(&pipeline, path, &options, &d)) {
        /* a failure says why, in one line */
        if (pipeline || d.status == DIAG_OK || !d.text[0] || strpbrk(d.text, "\n\r\033"))
            abort();
    } else if (!pipeline->n_stages) {
        abort();
    }
    pipeline_free(pipeline);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *sets[MOST_SETS + 1] = {NULL};
    char *text = malloc(size + 1), *end, *at;

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    end = memmem(text, size, "\n%%\n", 4);
    if (end) {
        at = end + 4;
        for (size_t n = 0; n < MOST_SETS && *at; n++) {
            sets[n] = at;
            at += strcspn(at, "\n");
            if (*at)
                *at++ = '\0';
        }
        size = (size_t)(end + 1 - text);
    }
    load(text, size, sets);
    free(text);
    return 0;
}
