/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"

static const struct fecrun_stage *const stages[] = {
    &chain_source_memory, &chain_sink_memory,
    &chain_source_random, &chain_source_file,
    &chain_sink_errors,   &chain_sink_file,
    &chain_sink_null,     &chain_crc_attach,
    &chain_crc_check,     &chain_modem_map,
    &chain_modem_demap,   &chain_modem_hard,
    &chain_channel_awgn,  &chain_channel_bsc,
    &chain_channel_bec,   &chain_channel_fading,
    &chain_llr_quantize,  &chain_seg_split,
    &chain_seg_join,      &chain_seg_concatenate,
    &chain_seg_divide,    NULL,
};

FECRUN_PLUGIN(.name = "chain", .version = "1.0", .license = "BSD-2-Clause", .stages = stages);
