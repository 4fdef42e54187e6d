/* SPDX-License-Identifier: BSD-2-Clause */
/* The plugin of the convolutional codes: encoding, puncturing, rate matching, Viterbi decoding. */
#include <fecrun/sdk/params.h>

#include "viterbi.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#define PORT(port, samples, text) \
    {FECRUN_PORT(.name = port, .kinds = samples, .help = text), NULL}

const struct fecrun_port *const viterbi_bits_in[] = PORT("in", FECRUN_BITS, "bits");
const struct fecrun_port *const viterbi_bits_out[] = PORT("out", FECRUN_BITS, "bits");
const struct fecrun_port *const viterbi_llr_in[] = PORT("in", FECRUN_LLR, "LLRs of any scale");
const struct fecrun_port *const viterbi_llr_out[] = PORT("out", FECRUN_LLR, "LLRs of that scale");

int viterbi_no_instance(const struct fecrun_create *args, void **instance,
                        struct fecrun_error *err)
{
    (void)err;
    *instance = args->codes[0];
    return 0;
}

void viterbi_no_destroy(void *instance)
{
    (void)instance;
}

static const struct fecrun_stage *const stages[] = {
    &conv_encode_stage,     &conv_puncture_stage,     &conv_depuncture_stage,
    &conv_rate_match_stage, &conv_rate_recover_stage, &viterbi_decode_stage,
    NULL,
};

FECRUN_EXPORT extern const struct fecrun_plugin fecrun_plugin;

const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof(struct fecrun_plugin),
    .abi = FECRUN_ABI,
    .name = "viterbi",
    .version = PACKAGE_VERSION,
    .license = "BSD-2-Clause",
    .stages = stages,
};
