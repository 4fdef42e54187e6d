/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of conv.encode and viterbi.decode that select the code. */
#ifndef VITERBI_CODE_PARAMS_H
#define VITERBI_CODE_PARAMS_H

#include <fecrun/plugin.h>

#include "plugins/viterbi/code/trellis.h"

/* Places in a stage's values: its schema starts with VITERBI_CODE_PARAMS. */
enum {
    VITERBI_P_CODE,
    VITERBI_P_CONSTRAINT_LENGTH,
    VITERBI_P_GENERATORS,
    VITERBI_P_INVERTED,
    VITERBI_P_FEEDBACK,
    VITERBI_P_REVERSED,
    VITERBI_P_TERMINATION,
    VITERBI_N_CODE_PARAMS
};

extern const struct fecrun_param viterbi_code_param[VITERBI_N_CODE_PARAMS];

#define VITERBI_CODE_PARAMS \
    &viterbi_code_param[VITERBI_P_CODE], &viterbi_code_param[VITERBI_P_CONSTRAINT_LENGTH], \
        &viterbi_code_param[VITERBI_P_GENERATORS], &viterbi_code_param[VITERBI_P_INVERTED], \
        &viterbi_code_param[VITERBI_P_FEEDBACK], &viterbi_code_param[VITERBI_P_REVERSED], \
        &viterbi_code_param[VITERBI_P_TERMINATION]

/* Codes and terminations of all sorts, for the examples of both; at the end, outputs that do not hang
   on the newest or the oldest bit, and two that are the same. */
#define VITERBI_CODE_EXAMPLES \
    FECRUN_EXAMPLE(.params = "{code: ieee80211}"), \
        FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: tail-biting}"), \
        FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: truncated}"), \
        FECRUN_EXAMPLE(.params = "{code: ieee80211, termination: continuous}"), \
        FECRUN_EXAMPLE(.params = "{code: lte_tbcc, termination: zero}"), \
        FECRUN_EXAMPLE(.params = "{code: cassini, termination: zero}"), \
        FECRUN_EXAMPLE(.params = "{code: gsm_xcch, termination: tail-biting}"), \
        FECRUN_EXAMPLE(.params = "{code: umts_r3, termination: continuous}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 3, generators: [0o5, 0o7]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 3, generators: [0o5, 0o7], " \
                                 "termination: tail-biting}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 3, generators: [0o5, 0o7], " \
                                 "termination: continuous}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 4, generators: [0o15, 0o17]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 4, generators: [0o13, 0o15, " \
                                 "0o17], termination: truncated}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 5, generators: [0o23, 0o35], " \
                                 "inverted: [1, 0]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 6, generators: [0o53, 0o75], " \
                                 "termination: tail-biting}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 7, generators: [0o133, 0o171, 0o165], " \
                                 "inverted: [0, 1, 1]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 7, generators: [0o133, 0o171, 0o165, " \
                                 "0o133, 0o171, 0o165]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 8, generators: [0o247, 0o371]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 8, generators: [0o247, 0o371], " \
                                 "termination: continuous}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 9, generators: [0o561, 0o753], " \
                                 "termination: tail-biting}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 10, generators: [0o1131, 0o1537]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 11, generators: [0o2473, 0o3217]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 12, generators: [0o4325, 0o6747]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 13, generators: [0o10627, 0o16765]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 14, generators: [0o27251, 0o37363]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 15, generators: [0o51445, 0o77625]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 5, generators: [0o6, 0o12]}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 7, generators: [0o133, 0o133]}")

/* Recursive codes: systematic, with the feedback as the second output's, and longer than a word of 64 steps. */
#define VITERBI_RECURSIVE_EXAMPLES \
    FECRUN_EXAMPLE(.params = "{constraint_length: 5, generators: [0o23, 0o33], feedback: 0o23}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 7, generators: [0o155, 0o123, 0o137], " \
                                 "feedback: 0o137, termination: truncated}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 4, generators: [13, 11], feedback: 13, " \
                                 "reversed: true}"), \
        FECRUN_EXAMPLE(.params = "{constraint_length: 3, generators: [0o7, 0o5], feedback: 0o7}")

/* The name of a termination as users write it. */
const char *viterbi_termination_name(enum viterbi_termination termination);

/* Reads and checks them all. feedback: K binary digits, 0 without. */
int viterbi_read_code(const struct fecrun_values *values, struct viterbi_code *code,
                      uint32_t *feedback, enum viterbi_termination *termination,
                      struct fecrun_error *err);

/* What both ends have to agree on, however it was written. */
void viterbi_identity(struct fecrun_plan *plan, const struct viterbi_code *code, uint32_t feedback,
                      enum viterbi_termination termination);

/* The feedback's digits but the newest one, that of delay d in place d - 1: for recurse_word(). */
uint32_t viterbi_taps(const struct viterbi_code *code, uint32_t feedback);

/* A stream and `continuous` need each other: the other terminations code each frame by itself. */
int viterbi_check_stream(const struct fecrun_frame *in, enum viterbi_termination termination,
                         struct fecrun_error *err);

#endif
