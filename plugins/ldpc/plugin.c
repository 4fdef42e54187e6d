/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of the LDPC codes: encoding, rate matching, decoding. */
#include <fecrun/sdk/stage.h>

#include "plugins/ldpc/plugin.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

static const struct fecrun_stage *const stages[] = {
    &ldpc_decode_stage,      &ldpc_encode_stage,
    &ldpc_rate_match_stage,  &ldpc_rate_recover_stage,
    &ldpc_syndrome_stage,    &ldpc_observables_stage,
    &source_detectors_stage, NULL,
};

FECRUN_PLUGIN(.name = "ldpc", .version = PACKAGE_VERSION, .license = "BSD-2-Clause",
              .stages = stages);
