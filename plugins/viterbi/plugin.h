/* SPDX-License-Identifier: BSD-2-Clause */
/* The stages of this plugin, and their backends in files of their own (viterbi.decode's: decode.h).
 */
#ifndef VITERBI_PLUGIN_H
#define VITERBI_PLUGIN_H

#include <fecrun/plugin.h>

extern const struct fecrun_stage conv_encode_stage;
extern const struct fecrun_stage conv_puncture_stage;
extern const struct fecrun_stage conv_depuncture_stage;
extern const struct fecrun_stage conv_rate_match_stage;
extern const struct fecrun_stage conv_rate_recover_stage;
extern const struct fecrun_stage viterbi_decode_stage;

extern const struct fecrun_backend conv_encode_cuda;
extern const struct fecrun_backend conv_puncture_cuda, conv_depuncture_cuda;
extern const struct fecrun_backend conv_rate_match_cuda, conv_rate_recover_cuda;

#endif
