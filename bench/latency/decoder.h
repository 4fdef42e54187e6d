/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What time.c needs of a decoder of single frames. bench/latency.sh builds time.c with one file of decoders at a time:
 * fecrun.c, or that of a peer.
 */
#ifndef LATENCY_DECODER_H
#define LATENCY_DECODER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct decoder {
    const char *name;
    int variant; /* for the functions below */
    /*
     * A decoder of the row that the command line describes, which ends with the program. NULL: it decodes no such code.
     */
    void *(*create)(int variant);
    /*
     * Puts a frame where decode() reads it, in the decoder's own type and order; not timed. llrs: as the file has them,
     * positive for 0. bits: what was sent, a bit a byte, for decoders that expect another word of the code.
     */
    void (*load)(void *state, const int8_t *llrs, const uint8_t *bits);
    void (*decode)(void *state); /* timed */
    /* Writes row.bits bits, a byte each; not timed. */
    void (*store)(void *state, uint8_t *bits);
};

/* Ends with a decoder without a name. */
extern const struct decoder decoders[];

/* What is the same for all decoders of a row. */
struct row {
    int bits; /* of a frame, as the decoder puts them out */
    int llrs; /* of a frame */
    int max;  /* the largest LLR */
};

extern struct row row;

/* Keeps the arguments of main() for the functions below. all: they, without the program's name. */
void row_words(char **all);

/* The value of NAME=VALUE on the command line, or "". */
const char *row_text(const char *name);

/* The same as a number, which may begin with 0 for octal and 0x; 0 if it is absent. */
int row_number(const char *name);

/* 1 if the row's `family` is this word. */
int row_is(const char *family);

/* Zeroed memory, aligned to 64 bytes; ends the program if there is none. */
void *get(size_t bytes);

/* Ends the program with this message. */
void die(const char *what);

/*
 * Convolutional codes of the row: generator i of `generators=A,B,...` (as in conv.encode, newest bit leftmost) with the
 * newest bit rightmost, as Phil Karn's decoders and their descendants want it.
 */
int row_reversed_generator(int i);

#ifdef __cplusplus
}
#endif

#endif
