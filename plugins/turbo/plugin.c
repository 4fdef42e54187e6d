/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of the LTE turbo code: encoding, rate matching, decoding. */
#include "plugins/turbo/plugin.h"

#include <fecrun/sdk/stage.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

static const struct fecrun_stage *const stages[] = {
    &turbo_decode_stage,
    &turbo_encode_stage,
    &turbo_rate_match_stage,
    &turbo_rate_recover_stage,
    NULL,
};

FECRUN_PLUGIN(.name = "turbo", .version = PACKAGE_VERSION, .license = "BSD-2-Clause",
              .stages = stages);
