/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepared pipelines, which cost a millisecond to make: a decoder borrows one for each call, so that
 * programs which make a decoder for every packet, or decode frames of many sizes, do not pay for it
 * each time.
 */
#ifndef LIBFEC_POOL_H
#define LIBFEC_POOL_H

#include "tools/libfec/code.h"

#include <stdint.h>

struct fec_key {
    unsigned code;
    int generators[FEC_MAX_N];
    unsigned bits;   /* data bits of a frame */
    unsigned frames; /* most of one call */
};

struct fec_pipe;

/* One that nobody uses, made if there is none; NULL on failure, and fecrun_fec_message() says why. */
struct fec_pipe *fec_borrow(const struct fec_key *key);
/* Back; those that were given back longest ago are dropped. NULL is fine. */
void fec_give_back(struct fec_pipe *pipe);

/* Row i of the LLRs: (bits + K-1) n of them; the frame after it follows without gap. */
int8_t *fec_pipe_llrs(struct fec_pipe *pipe, unsigned frame);
/* Packed bits of a row, pad bits 0. */
const uint8_t *fec_pipe_bits(const struct fec_pipe *pipe, unsigned frame);
int fec_pipe_decode(struct fec_pipe *pipe, unsigned frames);

/* Sets this thread's message; returns -1. */
int fec_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
