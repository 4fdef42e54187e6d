/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/modem/modem.h"

#include <fecrun/sdk/params.h>
#include <math.h>

const char *const chain_scheme_names[] = {"bpsk", "qpsk", "16qam", "64qam", "256qam", 0};

const char *chain_scheme_name(uint32_t scheme)
{
    return chain_scheme_bits(scheme) ? chain_scheme_names[scheme - 1] : "none";
}

unsigned chain_scheme_bits(uint32_t scheme)
{
    switch (scheme) {
    case FECRUN_BPSK:
        return 1;
    case FECRUN_QPSK:
        return 2;
    case FECRUN_16QAM:
        return 4;
    case FECRUN_64QAM:
        return 6;
    case FECRUN_256QAM:
        return 8;
    default:
        return 0;
    }
}

unsigned chain_scheme_dimension_bits(uint32_t scheme)
{
    return scheme == FECRUN_BPSK ? 1 : chain_scheme_bits(scheme) / 2;
}

/* The mean of the squares of 1, 3, .. 2^m - 1 is (4^m - 1) / 3; a symbol has two of them. */
double chain_scheme_unit(uint32_t scheme)
{
    unsigned m = chain_scheme_dimension_bits(scheme);

    if (scheme == FECRUN_BPSK)
        return 1;
    return 1 / sqrt(2 * ((double)(1u << 2 * m) - 1) / 3);
}

/* (1-2b0) [2^(m-1) - (1-2b1) [2^(m-2) - ... (1-2b(m-1))]] */
int chain_pam_level(unsigned dimension_bits, unsigned bits)
{
    int level = 0;

    for (unsigned i = 0; i < dimension_bits; i++) {
        int sign = bits >> i & 1 ? -1 : 1;

        level = sign * ((1 << i) - level);
    }
    return level;
}

uint32_t chain_scheme_find(const struct fecrun_value *given, const struct fecrun_frame *in,
                           struct fecrun_error *err)
{
    uint32_t scheme = given->given ? (uint32_t)given->i + 1 : in->scheme;

    if (!chain_scheme_bits(scheme)) {
        fecrun_fail(err, "scheme",
                    "no mapper upstream says which one: give bpsk, qpsk, 16qam, "
                    "64qam or 256qam");
        return FECRUN_SCHEME_NONE;
    }
    if (in->scheme != FECRUN_SCHEME_NONE && in->scheme != scheme) {
        fecrun_fail(err, "scheme", "%s, but the symbols were mapped as %s",
                    chain_scheme_name(scheme), chain_scheme_name(in->scheme));
        return FECRUN_SCHEME_NONE;
    }
    return scheme;
}
