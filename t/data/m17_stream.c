/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame/m17_stream.i1 and frame/m17_stream_msg.bin: eight stream frames of M17 behind 75 other symbols and before 200, by
 * libm17 (github.com/M17-Project/libm17 at 07926d0), with noise:
 *
 *     cc -o m17_stream m17_stream.c LIBM17/m17.c LIBM17/{encode,decode,phy,payload,math}/*.c -I LIBM17 -lm
 *     ./m17_stream frame
 */
#include <m17.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 38;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % below);
}

/* The sum of twelve draws is close enough to white noise. */
static double noise(double sigma)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw(1 << 20) / (double)(1 << 20);
    return sigma * sum;
}

/* Two LLRs of a symbol -3, -1, 1 or 3, positive for 0: its sign is the first bit, 3 and -3 have 1 as the second one. */
static void put(FILE *out, int symbol)
{
    const double y = symbol + noise(0.35);
    const double llr[2] = {20 * y, 20 * (2 - fabs(y))};

    for (int i = 0; i < 2; i++)
        fputc((int)lrint(fmax(-127, fmin(127, llr[i]))) & 255, out);
}

int main(int argc, char **argv)
{
    char path[512];
    lsf_t lsf = {0};
    FILE *symbols, *bits;

    if (argc < 2)
        return 1;
    snprintf(path, sizeof path, "%s/m17_stream.i1", argv[1]);
    symbols = fopen(path, "wb");
    snprintf(path, sizeof path, "%s/m17_stream_msg.bin", argv[1]);
    bits = fopen(path, "wb");
    if (!symbols || !bits)
        return 1;
    encode_callsign_bytes(lsf.dst, "ECHO");
    encode_callsign_bytes(lsf.src, "AB1CDE");
    lsf.type[1] = M17_TYPE_STREAM | M17_TYPE_VOICE;
    for (int i = 0; i < 75; i++)
        put(symbols, 2 * (int)draw(4) - 3);
    for (uint16_t fn = 0; fn < 8; fn++) {
        int8_t frame[SYM_PER_FRA];
        uint8_t payload[16];

        for (int i = 0; i < 16; i++)
            payload[i] = (uint8_t)draw(256);
        fputc(fn >> 8, bits);
        fputc(fn & 255, bits);
        fwrite(payload, 1, sizeof payload, bits);
        gen_frame_i8(frame, payload, FRAME_STR, &lsf, (uint8_t)(fn % 6), fn);
        for (int i = 0; i < SYM_PER_FRA; i++)
            put(symbols, frame[i]);
    }
    for (int i = 0; i < 200; i++)
        put(symbols, 2 * (int)draw(4) - 3);
    return fclose(symbols) || fclose(bits);
}
