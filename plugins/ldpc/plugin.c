/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of the LDPC codes: encoding, rate matching, decoding. */
#include <fecrun/sdk/params.h>

#include "ldpc.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#define PORT(port, samples, text) \
    {FECRUN_PORT(.name = port, .kinds = samples, .help = text), NULL}

const struct fecrun_port *const ldpc_bits_in[] = PORT("in", FECRUN_BITS, "bits");
const struct fecrun_port *const ldpc_bits_out[] = PORT("out", FECRUN_BITS, "bits");
const struct fecrun_port *const ldpc_llr_in[] = PORT("in", FECRUN_LLR, "LLRs of any scale");
const struct fecrun_port *const ldpc_llr_out[] = PORT("out", FECRUN_LLR, "LLRs of that scale");

int ldpc_no_instance(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)err;
    *instance = args->codes[0];
    return 0;
}

void ldpc_no_destroy(void *instance)
{
    (void)instance;
}

static const struct fecrun_stage *const stages[] = {
    &ldpc_decode_stage,
    &ldpc_encode_stage,
    &ldpc_rate_match_stage,
    &ldpc_rate_recover_stage,
    NULL,
};

FECRUN_EXPORT extern const struct fecrun_plugin fecrun_plugin;

const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof(struct fecrun_plugin),
    .abi = FECRUN_ABI,
    .name = "ldpc",
    .version = PACKAGE_VERSION,
    .license = "BSD-2-Clause",
    .stages = stages,
};
