/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes and puncturing patterns of the standards. */
#ifndef VITERBI_CODE_TABLES_H
#define VITERBI_CODE_TABLES_H

#include <stddef.h>

#include "plugins/viterbi/code/trellis.h"

struct viterbi_named_code {
    const char *name;
    const char *standard;
    struct viterbi_code code;
    enum viterbi_termination termination; /* CONTINUOUS: the standard never ends the encoder */
};

/* In the order of viterbi_code_names. */
extern const struct viterbi_named_code viterbi_named_codes[];
extern const size_t viterbi_n_named_codes;

/* NULL-terminated, as the choices of a parameter and their help. */
extern const char *const viterbi_code_names[], *const viterbi_code_helps[];

const struct viterbi_named_code *viterbi_find_code(const char *name);

#define CONV_NAMED_ROWS 2

/*
 * Row j belongs to the j-th output of the mother code; its character t is 1 if that output is sent
 * in step t. Rows repeat after their last character.
 */
struct conv_puncturing {
    const char *scheme, *rate;
    const char *standard;
    uint32_t gen[CONV_NAMED_ROWS]; /* generator that each row was made for */
    const char *rows[CONV_NAMED_ROWS];
};

extern const struct conv_puncturing conv_puncturings[];
extern const size_t conv_n_puncturings;

extern const char *const conv_scheme_names[], *const conv_rate_names[];

const struct conv_puncturing *conv_find_puncturing(const char *scheme, const char *rate);

#endif
