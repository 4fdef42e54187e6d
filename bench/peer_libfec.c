/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The speed of libfec's K = 7, rate 1/2 decoder on frames that fecrun made, for comparison in one
 * run: peer_libfec LLRS BITS INFO_BITS. LLRS: raw i8, 2 (INFO_BITS + 6) a frame, outputs 133 and
 * 171; BITS: raw u8, the truth. Prints Mb/s of information bits (median of 11) and the errors.
 */
#include <fec.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 11

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = NULL;
    long n;

    if (!file || fseek(file, 0, SEEK_END) || (n = ftell(file)) <= 0 || fseek(file, 0, SEEK_SET))
        goto fail;
    data = malloc((size_t)n);
    if (!data || fread(data, 1, (size_t)n, file) != (size_t)n)
        goto fail;
    fclose(file);
    *size = (size_t)n;
    return data;
fail:
    perror(path);
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void decode_all(void *vp, uint8_t *symbols, size_t frames, int bits, uint8_t *out)
{
    size_t row = 2 * ((size_t)bits + 6);

    for (size_t f = 0; f < frames; f++) {
        init_viterbi27(vp, 0);
        update_viterbi27_blk(vp, symbols + f * row, bits + 6);
        chainback_viterbi27(vp, out + f * (size_t)(bits / 8), (unsigned)bits, 0);
    }
}

int main(int argc, char **argv)
{
    size_t n_llr, n_bits, frames, errors = 0;
    double seconds[REPEATS];
    uint8_t *symbols, *truth, *out;
    int bits = argc == 4 ? atoi(argv[3]) : 0;
    void *vp;

    if (bits <= 0 || bits % 8) {
        fprintf(stderr, "usage: peer_libfec LLRS BITS INFO_BITS\n");
        return 2;
    }
    symbols = read_all(argv[1], &n_llr);
    truth = read_all(argv[2], &n_bits);
    frames = n_llr / (2 * ((size_t)bits + 6));
    if (!frames || n_bits != frames * (size_t)bits)
        return fprintf(stderr, "peer_libfec: the files do not belong together\n"), 1;
    out = calloc(frames, (size_t)bits / 8);
    vp = create_viterbi27(bits);
    if (!out || !vp)
        return 1;
    for (size_t i = 0; i < n_llr; i++) /* 0: a sure 0, 255: a sure 1 */
        symbols[i] = (uint8_t)(128 - 12 * (int8_t)symbols[i]);
    for (int r = 0; r < REPEATS; r++) {
        double begin = now();
        decode_all(vp, symbols, frames, bits, out);
        seconds[r] = now() - begin;
    }
    for (size_t i = 0; i < n_bits; i++)
        errors += (out[i / 8] >> (7 - i % 8) & 1) != truth[i];
    qsort(seconds, REPEATS, sizeof *seconds, by_value);
    printf("libfec viterbi27: %.2f Mb/s of information bits, %zu frames, BER %.3g\n",
           1e-6 * (double)n_bits / seconds[REPEATS / 2], frames, (double)errors / (double)n_bits);
    return 0;
}
