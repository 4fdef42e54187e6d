/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPU time of encoders and decoders of outer codes, on random words with a fixed number of wrong symbols:
 *
 *     outer FAMILY PARAMS INFO_BITS WORD_BITS SYMBOL_BITS ERRORS...
 *     outer rs 'code: ccsds-255-223' 1784 2040 8 0 1 2 4 8 16
 *
 * FAMILY: rs or bch; bits are packed, and 8 divides both sizes. Prints a line "encode GBPS WRONG", and for each
 * number of ERRORS a line "NUMBER GBPS WRONG": 10^9 information bits a second of the fastest call, and the
 * frames whose bits are not those that were sent. With PEER_LIBFEC, lines "libfec-..." follow, of libfec's
 * RS(255, 223) in the dual basis for the same words.
 */
#include <fecrun/fecrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef PEER_LIBFEC
#include <fec.h>
#endif

enum { FRAMES = 64, CALLS = 200 };

static struct fecrun_message message = {.size = sizeof message};
static size_t k, n; /* bytes of information, and of a word */
static uint8_t *sent, *word, *received, *got;

static void must(int status)
{
    if (status == 0)
        return;
    fprintf(stderr, "outer: %s\n", message.text);
    exit(1);
}

static void *get(size_t bytes)
{
    void *p = calloc(bytes, 1);

    if (!p)
        exit(1);
    return p;
}

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 88172645463325252u;

    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static double microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* Prints the speed of the fastest of CALLS calls, which take `took` microseconds. */
static void report(const char *prefix, const char *name, double took, size_t wrong)
{
    printf("%s%s %.3f %zu\n", prefix, name, FRAMES * (double)k * 8e-3 / took, wrong);
}

/* One stage between memory and memory. */
static void time_stage(const char *stage, const char *params, const uint8_t *in, size_t in_bytes,
                       size_t out_bytes, const uint8_t *want, const char *name)
{
    const struct fecrun_options options = {.size = sizeof options};
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = FRAMES};
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    double least = 1e30;
    size_t wrong = 0;
    char text[1024];

    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n"
             "  - source.memory: {dtype: packed, frame: %zu}\n"
             "  - %s: {%s, backend: %s}\n"
             "  - sink.memory: {dtype: packed}\n",
             8 * in_bytes, stage, params, getenv("BACKEND") ? getenv("BACKEND") : "simd");
    must(fecrun_open_text(&session, "outer", text, strlen(text), &options, &message));
    must(fecrun_prepare(&prepared, session, &most, &message));
    must(fecrun_bind_input(prepared, "source.memory", in, FRAMES * in_bytes, 0, &message));
    must(fecrun_bind_output(prepared, "sink.memory", got, FRAMES * out_bytes, 0, &message));
    for (unsigned call = 0; call < CALLS; call++) {
        const double start = microseconds();
        double took;

        must(fecrun_execute(prepared, FRAMES, &message));
        took = microseconds() - start;
        least = took < least ? took : least;
    }
    for (size_t f = 0; f < FRAMES; f++)
        wrong += memcmp(got + f * out_bytes, want + f * out_bytes, out_bytes) != 0;
    report("", name, least, wrong);
    fecrun_finish(prepared);
    fecrun_close(session);
}

/* Exactly e different symbols of each word, at least one bit of each. */
static void disturb(unsigned symbol, unsigned e)
{
    const uint32_t symbols = (uint32_t)(8 * n / symbol);

    memcpy(received, word, FRAMES * n);
    for (size_t f = 0; f < FRAMES; f++)
        for (unsigned i = 0; i < e; i++) {
            uint32_t at = draw(symbols);

            while (symbol == 8 ? received[f * n + at] != word[f * n + at]
                               : (received[f * n + at / 8] ^ word[f * n + at / 8]) >> (7 - at % 8) & 1)
                at = (at + 1) % symbols;
            if (symbol == 8)
                received[f * n + at] ^= (uint8_t)(1 + draw(255));
            else
                received[f * n + at / 8] ^= (uint8_t)(0x80 >> at % 8);
        }
}

#ifdef PEER_LIBFEC
/* It corrects in place, so each call gets a copy, whose time is left out. */
static void time_libfec(const char *name)
{
    double least = 1e30;
    size_t wrong = 0;

    for (unsigned call = 0; call < 8; call++) {
        double start, took;

        memcpy(got, received, FRAMES * n);
        start = microseconds();
        for (size_t f = 0; f < FRAMES; f++)
            decode_rs_ccsds(got + f * n, NULL, 0, 0);
        took = microseconds() - start;
        least = took < least ? took : least;
    }
    for (size_t f = 0; f < FRAMES; f++)
        wrong += memcmp(got + f * n, sent + f * k, k) != 0;
    report("libfec-", name, least, wrong);
}

static void time_libfec_encoder(void)
{
    double least = 1e30;
    size_t wrong = 0;

    memcpy(got, word, FRAMES * n);
    for (unsigned call = 0; call < 8; call++) {
        const double start = microseconds();
        double took;

        for (size_t f = 0; f < FRAMES; f++)
            encode_rs_ccsds(got + f * n, got + f * n + k, 0);
        took = microseconds() - start;
        least = took < least ? took : least;
    }
    for (size_t f = 0; f < FRAMES; f++)
        wrong += memcmp(got + f * n, word + f * n, n) != 0;
    report("libfec-", "encode", least, wrong);
}
#endif

int main(int argc, char **argv)
{
    char stage[32];
    unsigned symbol;

    if (argc < 7 || atoi(argv[3]) % 8 || atoi(argv[4]) % 8) {
        fprintf(stderr, "usage: outer rs|bch PARAMS INFO_BITS WORD_BITS SYMBOL_BITS ERRORS...\n");
        return 2;
    }
    k = (size_t)atoi(argv[3]) / 8, n = (size_t)atoi(argv[4]) / 8;
    symbol = (unsigned)atoi(argv[5]);
    sent = get(FRAMES * n), word = get(FRAMES * n), received = get(FRAMES * n);
    got = get(FRAMES * n);
    for (size_t i = 0; i < FRAMES * k; i++)
        sent[i] = (uint8_t)draw(256);
    snprintf(stage, sizeof stage, "%s.encode", argv[1]);
    time_stage(stage, argv[2], sent, k, n, got, "encode"); /* against itself: makes the words */
    memcpy(word, got, FRAMES * n);
    snprintf(stage, sizeof stage, "%s.decode", argv[1]);
    for (int i = 6; i < argc; i++) {
        disturb(symbol, (unsigned)atoi(argv[i]));
        time_stage(stage, argv[2], received, n, k, sent, argv[i]);
#ifdef PEER_LIBFEC
        time_libfec(argv[i]);
#endif
    }
#ifdef PEER_LIBFEC
    time_libfec_encoder();
#endif
    return 0;
}
