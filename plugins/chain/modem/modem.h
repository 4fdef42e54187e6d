/* SPDX-License-Identifier: BSD-2-Clause */
/* The modulation schemes of TS 38.211 5.1 (but real BPSK), as two Gray-mapped PAMs. */
#ifndef CHAIN_MODEM_MODEM_H
#define CHAIN_MODEM_MODEM_H

#include <fecrun/plugin.h>

/* For a `scheme` parameter: choice i is enum fecrun_scheme i + 1. */
extern const char *const chain_scheme_names[];

/* Name, bits a symbol (0: no such scheme) and bits a real dimension of an enum fecrun_scheme. */
const char *chain_scheme_name(uint32_t scheme);
unsigned chain_scheme_bits(uint32_t scheme);
unsigned chain_scheme_dimension_bits(uint32_t scheme);

/* Distance from 0 to the innermost level, at mean symbol energy 1. */
double chain_scheme_unit(uint32_t scheme);

/* The level (odd, in those units) of a dimension's bits; its first bit is the highest. */
int chain_pam_level(unsigned dimension_bits, unsigned bits);

/* The scheme that a stage with a parameter `scheme` of that value has to undo; FECRUN_SCHEME_NONE and
   *err where neither it nor the mapper upstream says which, or they disagree. */
uint32_t chain_scheme_find(const struct fecrun_value *given, const struct fecrun_frame *in,
                           struct fecrun_error *err);

#endif
