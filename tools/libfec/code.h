/* SPDX-License-Identifier: BSD-2-Clause */
/* The four codes, their generators as they are set now, and paths through their trellis. */
#ifndef LIBFEC_CODE_H
#define LIBFEC_CODE_H

#include <stdbool.h>
#include <stddef.h>

enum { FEC_27, FEC_29, FEC_39, FEC_615, FEC_CODES, FEC_MAX_N = 6 };

struct fec_code {
    const char *name; /* as in the functions' names */
    unsigned K, n;
    int llr_max; /* the largest that keeps the narrowest path metrics of fecrun's decoder exact */
};

extern const struct fec_code fec_codes[FEC_CODES];

/* Copies; any thread. */
void fec_set_generators(unsigned code, const int *polys);
void fec_get_generators(unsigned code, int *polys);

/* libfec's order of bits, newest lowest, in fecrun's, newest highest. */
unsigned fec_reversed(unsigned K, int poly);

/* The encoder's next bits[n], from *state, which moves on; what a negative generator does is left
   to the caller. */
void fec_step(unsigned code, const int *polys, unsigned *state, unsigned bit, unsigned char *bits);

#endif
