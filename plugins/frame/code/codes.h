/* SPDX-License-Identifier: BSD-2-Clause */
/* Code objects that the backends of a stage share. */
#ifndef FRAME_CODE_CODES_H
#define FRAME_CODE_CODES_H

#include "plugins/frame/code/order.h"

/* frame.interleave and frame.deinterleave */
struct order_code {
    struct order order;
    uint64_t first; /* place of a stream's first item */
    bool stream;
};

/* frame.scramble and frame.descramble */
struct scramble_code {
    uint8_t *bits;   /* of `length`, one a byte */
    uint8_t *packed; /* the same */
    uint64_t length;
    uint64_t round; /* the sequence begins anew after so many items */
    uint64_t first;
    bool stream;
    bool chosen; /* nr-pbch: bits[] has four sequences, of which two bits of the frame choose one */
    bool bytes;  /* pieces of the stream begin at whole bytes of the sequence */
};

/* takes() of scrambling: the packed table is read from whole bytes on. 0, or -1 and *err. */
int scramble_takes(const struct fecrun_create *args, struct fecrun_error *err);

/* The same of the backend cuda, whose sequence is the same for all frames. */
int scramble_takes_cuda(const struct fecrun_create *args, struct fecrun_error *err);

#endif
