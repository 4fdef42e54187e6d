/* SPDX-License-Identifier: BSD-2-Clause */
/* The stages of this plugin. */
#ifndef VITERBI_VITERBI_H
#define VITERBI_VITERBI_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage conv_encode_stage;
extern const struct fecrun_stage conv_puncture_stage;
extern const struct fecrun_stage conv_depuncture_stage;
extern const struct fecrun_stage conv_rate_match_stage;
extern const struct fecrun_stage conv_rate_recover_stage;
extern const struct fecrun_stage viterbi_decode_stage;

/* Tables of one port each. */
extern const struct fecrun_port *const viterbi_bits_in[], *const viterbi_bits_out[];
extern const struct fecrun_port *const viterbi_llr_in[], *const viterbi_llr_out[];

/* For backends whose run() needs nothing but the code object of the call. */
int viterbi_no_instance(const struct fecrun_create *args, void **instance,
                        struct fecrun_error *err);
void viterbi_no_destroy(void *instance);

#endif
