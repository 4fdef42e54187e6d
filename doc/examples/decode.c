/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes frames that lie in arrays of this program, and prints what a call takes:
 *
 *     cc -O2 -o decode decode.c $(pkg-config --cflags --libs fecrun)
 *     ./decode [FRAMES [CALLS [NAME=VALUE...]]]
 *
 * One pipeline encodes random bits, this program plays the channel, another pipeline decodes.
 * FRAMES frames a call (1), CALLS calls (2000); NAME=VALUE as --set of `fecrun run`, for the
 * decoder: viterbi.decode.backend=ref.
 */
#include <fecrun/fecrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BITS = 1000, CODED = 2 * (BITS + 6) };

static const char encoder[] = "fecrun: 1\n"
                              "pipeline:\n"
                              "  - source.memory: {dtype: u1, frame: 1000}\n"
                              "  - conv.encode: {code: ieee80211}\n"
                              "  - sink.memory: {dtype: u1}\n";

static const char decoder[] = "fecrun: 1\n"
                              "pipeline:\n"
                              "  - source.memory: {dtype: i8, frame: 2012, llr_max: 10}\n"
                              "  - viterbi.decode: {code: ieee80211}\n"
                              "  - sink.memory: {dtype: u1}\n";

static struct fecrun_message message = {.size = sizeof message};

static void must(int status)
{
    if (status == 0)
        return;
    fprintf(stderr, "decode: %s\n", message.text);
    exit(message.status);
}

/* Zeroed, so that all of it is there before a call is timed. */
static void *array(size_t bytes)
{
    void *made = calloc(bytes, 1);

    if (!made)
        exit(1);
    return made;
}

struct coder {
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
};

static struct coder prepare(const char *text, uint64_t frames, const char *const *sets)
{
    const struct fecrun_options options = {.size = sizeof options, .sets = sets};
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = frames};
    struct coder coder;

    must(fecrun_open_text(&coder.session, "decode.c", text, strlen(text), &options, &message));
    must(fecrun_prepare(&coder.prepared, coder.session, &most, &message));
    return coder;
}

static void bind(struct coder coder, const void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    must(fecrun_bind_input(coder.prepared, "source.memory", in, in_bytes, 0, &message));
    must(fecrun_bind_output(coder.prepared, "sink.memory", out, out_bytes, 0, &message));
}

static void drop(struct coder coder)
{
    fecrun_finish(coder.prepared);
    fecrun_close(coder.session);
}

/* One coded bit in 20 arrives weakly wrong: LLRs are positive for 0. */
static void channel(int8_t *llrs, const uint8_t *coded, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int llr = coded[i] ? -6 : 6;
        llrs[i] = (int8_t)(rand() % 20 == 0 ? -llr / 3 : llr);
    }
}

static double microseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(struct coder coder, uint64_t frames, size_t calls)
{
    double *took = array(calls * sizeof *took);

    for (size_t i = 0; i < calls; i++) {
        const double start = microseconds();
        must(fecrun_execute(coder.prepared, frames, &message));
        took[i] = microseconds() - start;
    }
    qsort(took, calls, sizeof *took, ascending);
    printf("%llu frames of %d bits a call: %.2f us at least, %.2f in the median of %zu calls\n",
           (unsigned long long)frames, BITS, took[0], took[calls / 2], calls);
    free(took);
}

int main(int argc, char **argv)
{
    const uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const size_t calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000;
    uint8_t *sent = array(frames * BITS), *coded = array(frames * CODED);
    int8_t *llrs = array(frames * CODED);
    uint8_t *decoded = array(frames * BITS);
    size_t wrong = 0;
    struct coder coder;

    for (size_t i = 0; i < frames * BITS; i++)
        sent[i] = (uint8_t)(rand() >> 8 & 1);
    coder = prepare(encoder, frames, NULL);
    bind(coder, sent, frames * BITS, coded, frames * CODED);
    must(fecrun_execute(coder.prepared, frames, &message));
    drop(coder);

    channel(llrs, coded, frames * CODED);
    coder = prepare(decoder, frames, argc > 3 ? (const char *const *)argv + 3 : NULL);
    bind(coder, llrs, frames * CODED, decoded, frames * BITS);
    measure(coder, frames, calls ? calls : 1);
    for (size_t i = 0; i < frames * BITS; i++)
        wrong += decoded[i] != sent[i];
    printf("%zu of %zu bits wrong\n", wrong, (size_t)frames * BITS);
    drop(coder);
    free(sent);
    free(coded);
    free(llrs);
    free(decoded);
    return wrong != 0;
}
