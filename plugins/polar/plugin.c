/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of polar codes: encoding, rate matching, decoding. */
#include "plugins/polar/plugin.h"

#include <fecrun/sdk/stage.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

static const struct fecrun_stage *const stages[] = {
    &polar_decode_stage,
    &polar_encode_stage,
    &polar_rate_match_stage,
    &polar_rate_recover_stage,
    NULL,
};

FECRUN_PLUGIN(.name = "polar", .version = PACKAGE_VERSION, .license = "BSD-2-Clause",
              .stages = stages);
