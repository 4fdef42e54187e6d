/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bbdev/capabilities.h"

#include "tools/bbdev/work.h"

/* LLRs have eight bits, of which one is behind the point: the scale of the LLRs is of no importance to the
   decoders, but programs that make LLRs of a vector go by these two. */
const struct rte_bbdev_op_cap bbdev_capabilities[] = {
    {.type = RTE_BBDEV_OP_TURBO_DEC,
     .cap.turbo_dec = {.capability_flags = BBDEV_TURBO_DECODER_FLAGS,
                       .max_llr_modulus = 127,
                       .num_buffers_src = RTE_BBDEV_TURBO_MAX_CODE_BLOCKS,
                       .num_buffers_hard_out = RTE_BBDEV_TURBO_MAX_CODE_BLOCKS,
                       .num_buffers_soft_out = RTE_BBDEV_TURBO_MAX_CODE_BLOCKS}},
    {.type = RTE_BBDEV_OP_TURBO_ENC,
     .cap.turbo_enc = {.capability_flags = BBDEV_TURBO_ENCODER_FLAGS,
                       .num_buffers_src = RTE_BBDEV_TURBO_MAX_CODE_BLOCKS,
                       .num_buffers_dst = RTE_BBDEV_TURBO_MAX_CODE_BLOCKS}},
    {.type = RTE_BBDEV_OP_LDPC_DEC,
     .cap.ldpc_dec = {.capability_flags = BBDEV_LDPC_DECODER_FLAGS,
                      .llr_size = 8,
                      .llr_decimals = 1,
                      .num_buffers_src = BBDEV_MOST_BLOCKS,
                      .num_buffers_hard_out = BBDEV_MOST_BLOCKS,
                      .num_buffers_soft_out = BBDEV_MOST_BLOCKS}},
    {.type = RTE_BBDEV_OP_LDPC_ENC,
     .cap.ldpc_enc = {.capability_flags = BBDEV_LDPC_ENCODER_FLAGS,
                      .num_buffers_src = BBDEV_MOST_BLOCKS,
                      .num_buffers_dst = BBDEV_MOST_BLOCKS}},
    {.type = RTE_BBDEV_OP_NONE},
};
