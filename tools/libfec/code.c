/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/libfec/code.h"
#include "tools/libfec/fec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const struct fec_code fec_codes[FEC_CODES] = {
    [FEC_27] = {"viterbi27", 7, 2, 10},
    [FEC_29] = {"viterbi29", 9, 2, 9},
    [FEC_39] = {"viterbi39", 9, 3, 6},
    [FEC_615] = {"viterbi615", 15, 6, 127},
};

/* libfec's interface: generators belong to the process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int generators[FEC_CODES][FEC_MAX_N] = {
    [FEC_27] = {V27POLYA, V27POLYB},
    [FEC_29] = {V29POLYA, V29POLYB},
    [FEC_39] = {V39POLYA, V39POLYB, V39POLYC},
    [FEC_615] = {V615POLYA, V615POLYB, V615POLYC, V615POLYD, V615POLYE, V615POLYF},
};

void fec_set_generators(unsigned code, const int *polys)
{
    if (!polys)
        return;
    pthread_mutex_lock(&lock);
    memcpy(generators[code], polys, fec_codes[code].n * sizeof *polys);
    pthread_mutex_unlock(&lock);
}

void fec_get_generators(unsigned code, int *polys)
{
    pthread_mutex_lock(&lock);
    memcpy(polys, generators[code], sizeof generators[code]);
    pthread_mutex_unlock(&lock);
}

static unsigned taps(unsigned K, int poly)
{
    return (unsigned)abs(poly) & ((1u << K) - 1);
}

unsigned fec_reversed(unsigned K, int poly)
{
    unsigned from = taps(K, poly), to = 0;

    for (unsigned i = 0; i < K; i++)
        to |= (from >> i & 1) << (K - 1 - i);
    return to;
}

void fec_step(unsigned code, const int *polys, unsigned *state, unsigned bit, unsigned char *bits)
{
    const struct fec_code *of = &fec_codes[code];
    unsigned seen = *state << 1 | bit;

    for (unsigned i = 0; i < of->n; i++)
        bits[i] = (unsigned char)(__builtin_popcount(seen & taps(of->K, polys[i])) & 1);
    *state = seen & ((1u << (of->K - 1)) - 1);
}
