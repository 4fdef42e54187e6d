/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Times decoders one frame at a time: PROGRAM llrs=FILE bits=FILE frame=LLRS block=BITS max=LLR calls=N [group=N]
 * NAME=VALUE... The files have a byte for each LLR and each bit. A line for each decoder that has the row's code: name,
 * least, median, mean and 99th percentile of the calls' times in us, wrong frames, frames, parted by "|". Each frame is
 * first put where the decoder reads it. group=N: N calls in a row are timed as one.
 */
#include "decoder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static void *read_all(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    void *data;
    long size;

    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 1)
        die(path);
    rewind(file);
    data = get((size_t)size);
    *bytes = fread(data, 1, (size_t)size, file);
    fclose(file);
    return data;
}

/* Times calls over the frames in turn, after a tenth of them that are not timed. Returns the number of wrong frames. */
static size_t run(const struct decoder *d, void *state, const int8_t *llrs, const uint8_t *bits, size_t frames,
                  size_t calls, size_t group, double *us)
{
    uint8_t *out = get((size_t)row.bits);
    size_t wrong = 0;

    for (size_t i = 0; i < calls + calls / 10; i++) {
        const size_t f = i % frames, early = calls / 10;
        const uint8_t *truth = bits + f * (size_t)row.bits;
        double begin;

        d->load(state, llrs + f * (size_t)row.llrs, truth);
        begin = now();
        for (size_t k = 0; k < group; k++)
            d->decode(state);
        if (i >= early)
            us[i - early] = (now() - begin) / (double)group;
        if (i >= frames)
            continue;
        memset(out, 2, (size_t)row.bits);
        d->store(state, out);
        wrong += memcmp(out, truth, (size_t)row.bits) != 0;
    }
    free(out);
    return wrong;
}

int main(int argc, char **argv)
{
    size_t calls, group, frames, bytes, bit_bytes;
    const uint8_t *bits;
    const int8_t *llrs;
    double *us;

    (void)argc;
    row_words(argv + 1);
    calls = (size_t)row_number("calls");
    group = *row_text("group") ? (size_t)row_number("group") : 1;
    if (row.bits < 1 || row.llrs < 1 || calls < 1 || group < 1)
        die("llrs=FILE bits=FILE frame=LLRS block=BITS calls=N NAME=VALUE...");
    llrs = read_all(row_text("llrs"), &bytes);
    bits = read_all(row_text("bits"), &bit_bytes);
    frames = bytes / (size_t)row.llrs;
    if (!frames || frames * (size_t)row.llrs != bytes || frames * (size_t)row.bits != bit_bytes)
        die("the files do not have the same number of frames");
    us = get(calls * sizeof *us);
    for (const struct decoder *d = decoders; d->name; d++) {
        void *state = d->create(d->variant);
        double sum = 0;
        size_t wrong;

        if (!state)
            continue;
        wrong = run(d, state, llrs, bits, frames, calls, group, us);
        for (size_t i = 0; i < calls; i++)
            sum += us[i];
        qsort(us, calls, sizeof *us, compare);
        printf("%s|%.2f|%.2f|%.2f|%.2f|%zu|%zu\n", d->name, us[0], us[calls / 2], sum / (double)calls,
               us[calls * 99 / 100], wrong, frames < calls ? frames : calls);
        fflush(stdout);
    }
    return 0;
}
