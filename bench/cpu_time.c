/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU time of calls of a prepared decoder, for machines that do other work as well: time that others had the
 * processor does not count, but the caches and the core's other thread that they share with it do.
 *
 *     cpu_time DECODER.yaml LLRS BITS FRAMES
 *
 * The decoder reads source.memory and fills sink.memory (u1). LLRS: bytes of FRAMES frames, BITS: what was
 * sent, a bit a byte. Prints information bits a second of the median call and of the fastest one, the
 * fastest one's microseconds, and the error rate of frames.
 */
#include <fecrun/fecrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 61 };

static struct fecrun_message message = {.size = sizeof message};

static void must(int status)
{
    if (status == 0)
        return;
    fprintf(stderr, "cpu_time: %s\n", message.text);
    exit(1);
}

static void *contents(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *data;

    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        exit(1);
    }
    *bytes = (size_t)ftell(file);
    rewind(file);
    data = calloc(*bytes + 1, 1);
    if (!data || fread(data, 1, *bytes, file) != *bytes) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return data;
}

static double microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const uint64_t frames = argc == 5 ? strtoull(argv[4], NULL, 10) : 0;
    const struct fecrun_options options = {.size = sizeof options};
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = frames};
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    size_t text_bytes, in_bytes, out_bytes, wrong = 0, k, repeat = 1;
    double took[CALLS];
    char *text;
    uint8_t *llrs, *bits, *got;

    if (!frames) {
        fprintf(stderr, "usage: cpu_time DECODER.yaml LLRS BITS FRAMES\n");
        return 2;
    }
    text = contents(argv[1], &text_bytes);
    llrs = contents(argv[2], &in_bytes);
    bits = contents(argv[3], &out_bytes);
    got = calloc(out_bytes, 1);
    k = out_bytes / frames;
    must(fecrun_open_text(&session, argv[1], text, text_bytes, &options, &message));
    must(fecrun_prepare(&prepared, session, &most, &message));
    must(fecrun_bind_input(prepared, "source.memory", llrs, in_bytes, 0, &message));
    must(fecrun_bind_output(prepared, "sink.memory", got, out_bytes, 0, &message));
    /* so often that a turn takes 2 ms */
    for (double spent = 0; spent < 2000; repeat *= 2) {
        const double start = microseconds();

        for (size_t r = 0; r < repeat; r++)
            must(fecrun_execute(prepared, frames, &message));
        spent = microseconds() - start;
    }
    for (size_t i = 0; i < CALLS; i++) {
        const double start = microseconds();

        for (size_t r = 0; r < repeat; r++)
            must(fecrun_execute(prepared, frames, &message));
        took[i] = (microseconds() - start) / (double)repeat;
    }
    qsort(took, CALLS, sizeof *took, ascending);
    for (uint64_t f = 0; f < frames; f++)
        wrong += memcmp(bits + f * k, got + f * k, k) != 0;
    printf("%.1f %.1f %.2f %.3g\n", (double)out_bytes / took[CALLS / 2],
           (double)out_bytes / took[0], took[0], (double)wrong / (double)frames);
    fecrun_finish(prepared);
    fecrun_close(session);
    return 0;
}
