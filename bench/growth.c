/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the time of a call of a prepared pipeline grows with its frames: growth FILE LLRS [MOST [ROUNDS]]. FILE begins
 * with source.memory and ends with sink.memory; LLRS has frames of the input, taken in turn. A line for each
 * number of frames from 1 to MOST: it, and the least time of 3 ROUNDS calls in us.
 */
#include <fecrun/fecrun.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct fecrun_message message = {.size = sizeof message};

static void die(const char *what)
{
    fprintf(stderr, "growth: %s\n", what);
    exit(1);
}

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void *get(size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (!memory)
        die("out of memory");
    return memory;
}

/* `most` frames of `bytes` bytes: those of the file, again and again. */
static unsigned char *read_frames(const char *path, size_t bytes, size_t most)
{
    unsigned char *data = get(bytes * most);
    FILE *file = fopen(path, "rb");
    size_t frames;

    if (!file)
        die(path);
    frames = fread(data, bytes, most, file);
    fclose(file);
    if (!frames)
        die("LLRS has not as many items as a frame");
    for (size_t i = frames; i < most; i++)
        memcpy(data + i * bytes, data + (i - frames) * bytes, bytes);
    return data;
}

/* The least of three calls: the first one finds caches as the call before has left them. Of long calls the thread's own
   time counts, without that of other programs; of short ones reading it would take too long. */
static double time_of(struct fecrun_prepared *prepared, size_t frames)
{
    double least = 0;

    for (unsigned i = 0; i < 3; i++) {
        const double own = now(CLOCK_THREAD_CPUTIME_ID), begin = now(CLOCK_MONOTONIC);
        double us, us_own;

        if (fecrun_execute(prepared, frames, &message))
            die(message.text);
        us = now(CLOCK_MONOTONIC) - begin;
        us_own = now(CLOCK_THREAD_CPUTIME_ID) - own;
        us = us_own < us ? us_own : us;
        least = i == 0 || us < least ? us : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    const size_t most = argc > 3 ? strtoull(argv[3], NULL, 10) : 256;
    const size_t rounds = argc > 4 ? strtoull(argv[4], NULL, 10) : 15;
    const struct fecrun_prepare_options options = {.size = sizeof options, .frames = most};
    struct fecrun_port_info in = {.size = sizeof in}, out = {.size = sizeof out};
    struct fecrun_prepared *prepared;
    struct fecrun_session *session;
    unsigned char *llrs, *bits;
    double *least;

    if (argc < 3 || most < 1)
        die("FILE LLRS [MOST [ROUNDS]]");
    if (fecrun_open(&session, argv[1], NULL, &message) ||
        fecrun_prepare(&prepared, session, &options, &message) ||
        fecrun_get_port(prepared, "source.memory", &in, &message) ||
        fecrun_get_port(prepared, "sink.memory", &out, &message))
        die(message.text);
    llrs = read_frames(argv[2], in.bytes / most, most);
    bits = get(out.bytes);
    least = get((most + 1) * sizeof *least);
    if (fecrun_bind_input(prepared, "source.memory", llrs, in.bytes, 0, &message) ||
        fecrun_bind_output(prepared, "sink.memory", bits, out.bytes, 0, &message))
        die(message.text);
    for (size_t r = 0; r < rounds; r++)
        for (size_t n = 1; n <= most; n++) {
            const double us = time_of(prepared, n);
            if (r == 0 || us < least[n])
                least[n] = us;
        }
    for (size_t n = 1; n <= most; n++)
        printf("%zu %.3f\n", n, least[n]);
    fecrun_finish(prepared);
    fecrun_close(session);
    return 0;
}
