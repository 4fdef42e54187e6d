/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of outer codes: Reed-Solomon and binary BCH, encoding and decoding of hard bits. */
#include "plugins/outer/plugin.h"

#include <fecrun/sdk/stage.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

static const struct fecrun_stage *const stages[] = {
    &outer_rs_decode_stage,
    &outer_rs_encode_stage,
    &outer_bch_decode_stage,
    &outer_bch_encode_stage,
    NULL,
};

FECRUN_PLUGIN(.name = "outer", .version = PACKAGE_VERSION, .license = "BSD-2-Clause",
              .stages = stages);
