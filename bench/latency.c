/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The time of calls of a prepared pipeline, as a receiver makes them: latency FILE LLRS [FRAMES [CALLS [GROUP]]]. FILE
 * begins with source.memory and ends with sink.memory; LLRS has frames of the input, taken in turn. One line: the least,
 * the median and the 99th percentile of CALLS calls of FRAMES frames, in us, and a hash of the last outputs. GROUP: so
 * many calls in a row are timed as one, where a call is no longer than a look at the clock.
 */
#include <fecrun/fecrun.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct fecrun_message message = {.size = sizeof message};

static void die(const char *what)
{
    fprintf(stderr, "latency: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (!memory)
        die("out of memory");
    return memory;
}

static unsigned char *read_all(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data;
    long size;

    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 1)
        die(path);
    rewind(file);
    data = get((size_t)size);
    *bytes = fread(data, 1, (size_t)size, file);
    fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    const uint64_t frames = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const size_t calls = argc > 4 ? strtoull(argv[4], NULL, 10) : 2001;
    const size_t group = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = frames};
    struct fecrun_port_info in = {.size = sizeof in}, out = {.size = sizeof out};
    struct fecrun_prepared *prepared;
    struct fecrun_session *session;
    unsigned char *llrs, *bits;
    uint64_t hash = 14695981039346656037u;
    double *us = get(calls * sizeof *us);
    size_t bytes, windows;

    if (argc < 3)
        die("FILE LLRS [FRAMES [CALLS [GROUP]]]");
    if (fecrun_open(&session, argv[1], NULL, &message) ||
        fecrun_prepare(&prepared, session, &most, &message) ||
        fecrun_get_port(prepared, "source.memory", &in, &message) ||
        fecrun_get_port(prepared, "sink.memory", &out, &message))
        die(message.text);
    llrs = read_all(argv[2], &bytes);
    windows = bytes / in.bytes;
    bits = get(out.bytes);
    if (!windows || fecrun_bind_output(prepared, "sink.memory", bits, out.bytes, 0, &message))
        die(windows ? message.text : "LLRS has not as many frames as a call takes");
    for (size_t i = 0; i < calls + calls / 10; i++) {
        double begin;

        if (fecrun_bind_input(prepared, "source.memory", llrs + i % windows * in.bytes, in.bytes, 0,
                              &message))
            die(message.text);
        begin = now();
        for (size_t k = 0; k < group; k++)
            if (fecrun_execute(prepared, frames, &message))
                die(message.text);
        us[i % calls] = (now() - begin) / (double)group; /* the first tenth is done again */
        for (size_t b = 0; i < windows && b < out.bytes; b++)
            hash = (hash ^ bits[b]) * 1099511628211u;
    }
    qsort(us, calls, sizeof *us, compare);
    printf("%.2f %.2f %.2f %016llx\n", us[0], us[calls / 2], us[calls * 99 / 100],
           (unsigned long long)hash);
    fecrun_finish(prepared);
    fecrun_close(session);
    return 0;
}
