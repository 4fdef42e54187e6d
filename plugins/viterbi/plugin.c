/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of the convolutional codes: encoding, puncturing, rate matching, Viterbi decoding. */
#include <fecrun/sdk/stage.h>

#include "plugins/viterbi/plugin.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

static const struct fecrun_stage *const stages[] = {
    &conv_encode_stage,
    &conv_puncture_stage,
    &conv_depuncture_stage,
    &conv_rate_match_stage,
    &conv_rate_recover_stage,
    &viterbi_decode_stage,
    NULL,
};

FECRUN_PLUGIN(.name = "viterbi", .version = PACKAGE_VERSION, .license = "BSD-2-Clause",
              .stages = stages);
