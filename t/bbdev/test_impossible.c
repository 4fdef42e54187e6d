/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that cannot be: bbdev's documentation says which bit of the status they get. */
#include "t/bbdev/operations.h"

/* Codes that there are not. */
static void spoil_code(struct rte_bbdev_op_ldpc_dec *dec, unsigned i)
{
    switch (i) {
    case 0:
        dec->basegraph = 0;
        break;
    case 1:
        dec->basegraph = 3;
        break;
    case 2:
        dec->z_c = 0;
        break;
    case 3:
        dec->z_c = 17;
        break;
    case 4:
        dec->z_c = 400;
        break;
    case 5:
        dec->q_m = 3;
        break;
    case 6:
        dec->q_m = 0;
        break;
    case 7:
        dec->n_cb = 0;
        break;
    case 8:
        dec->n_cb = 65535;
        break;
    case 9:
        dec->n_filler = 65535;
        break;
    case 10:
        dec->rv_index = 4;
        break;
    default:
        dec->iter_max = 0;
        break;
    }
}

/* Lengths, buffers and flags that do not fit. */
static void spoil_data(struct rte_bbdev_op_ldpc_dec *dec, unsigned i)
{
    switch (i) {
    case 12:
        dec->cb_params.e = 0;
        break;
    case 13:
        dec->cb_params.e = UINT32_MAX;
        break;
    case 14:
        dec->cb_params.e += 1;
        break; /* not a multiple of qm */
    case 15:
        dec->input.length = 10;
        break;
    case 16:
        dec->input.offset = 100000;
        break;
    case 17:
        dec->input.data = NULL;
        break;
    case 18:
        dec->hard_output.data = NULL;
        break;
    case 19:
        dec->hard_output.offset = ROOM + 1000;
        break;
    case 20: /* says more than its segments have */
        dec->input.length = dec->cb_params.e = 30000;
        break;
    case 21:
        dec->op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE;
        dec->harq_combined_input.length = 100;
        break;
    case 22:
        dec->op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_OUT_ENABLE;
        break;
    case 23:
        dec->code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
        dec->tb_params = (struct rte_bbdev_op_dec_ldpc_tb_params){.ea = 20, .eb = 20};
        break;
    case 24:
        dec->code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
        dec->tb_params = (struct rte_bbdev_op_dec_ldpc_tb_params){
            .ea = 20, .eb = 20, .c = 255, .r = 255};
        break;
    case 25:
        dec->op_flags |= RTE_BBDEV_LDPC_SOFT_OUT_RM_BYPASS;
        break;
    case 26:
        dec->op_flags |= RTE_BBDEV_LDPC_INTERNAL_HARQ_MEMORY_LOOPBACK;
        break;
    case 27:
        dec->op_flags |= RTE_BBDEV_LDPC_INTERNAL_HARQ_MEMORY_IN_ENABLE;
        break;
    default: /* 1000 LLRs are 750 bytes */
        dec->op_flags |= RTE_BBDEV_LDPC_LLR_COMPRESSION;
        dec->input.length = 749;
        break;
    }
}

static void impossible_ldpc(void)
{
    static int8_t llrs[ROOM];
    struct block block = {.bg = 2, .z = 40, .qm = 2, .fillers = 8, .ncb = 2000, .bytes = 46};
    const uint32_t e = 1000;

    for (unsigned i = 0; i < 29; i++) {
        struct rte_bbdev_dec_op op = decode_op(&block, 0, e, llrs);
        struct rte_bbdev_op_ldpc_dec as_it_was = op.ldpc_dec;
        const int want = i < 25 || i == 28 ? DATA : DRIVER;

        if (i < 12)
            spoil_code(&op.ldpc_dec, i);
        else
            spoil_data(&op.ldpc_dec, i);
        do_ldpc_dec(&op);
        is_int(op.status, want, "LDPC decoder, impossible operation %u", i);
        op.ldpc_dec = as_it_was;
        free_decode_op(&op);
    }
    for (unsigned i = 0; i < 5; i++) {
        struct rte_bbdev_enc_op op = encode_op(&block, 0, e);
        struct rte_bbdev_op_ldpc_enc *enc = &op.ldpc_enc, as_it_was = op.ldpc_enc;

        if (i == 0)
            enc->input.length = 45;
        else if (i == 1)
            enc->cb_params.e = 0;
        else if (i == 2)
            enc->output.data = NULL;
        else if (i == 3)
            enc->cb_params.e = 1 << 20;
        else
            enc->op_flags = 0;
        do_ldpc_enc(&op);
        is_int(op.status, i < 4 ? DATA : DRIVER, "LDPC encoder, impossible operation %u", i);
        op.ldpc_enc = as_it_was;
        free_data(&enc->input);
        free_data(&enc->output);
    }
}

static void spoil_turbo(struct rte_bbdev_op_turbo_dec *dec, unsigned i)
{
    switch (i) {
    case 0:
        dec->cb_params.k = 0;
        break;
    case 1:
        dec->cb_params.k = 41;
        break;
    case 2:
        dec->cb_params.k = 6208;
        break;
    case 3:
        dec->input.length -= 1;
        break;
    case 4:
        dec->op_flags |= RTE_BBDEV_TURBO_POS_LLR_1_BIT_IN;
        break;
    case 5:
        dec->op_flags &= ~(uint32_t)RTE_BBDEV_TURBO_NEG_LLR_1_BIT_IN;
        break;
    case 6:
        dec->iter_max = 0;
        break;
    case 7:
        dec->ext_scale = 17;
        break;
    case 8:
        dec->hard_output.data = NULL;
        break;
    case 9:
        dec->input.data = NULL;
        break;
    case 10:
        dec->code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
        dec->tb_params = (struct rte_bbdev_op_dec_turbo_tb_params){
            .k_pos = 40, .k_neg = 40, .c = 65};
        break;
    case 11: /* nowhere to put it */
        dec->op_flags |= RTE_BBDEV_TURBO_SOFT_OUTPUT | RTE_BBDEV_TURBO_NEG_LLR_1_BIT_SOFT_OUT;
        break;
    case 12: /* of no sign */
        dec->op_flags |= RTE_BBDEV_TURBO_SOFT_OUTPUT;
        break;
    default:
        dec->op_flags |= RTE_BBDEV_TURBO_EQUALIZER;
        break;
    }
}

static void impossible_turbo(void)
{
    static int8_t llrs[ROOM];

    for (unsigned i = 0; i < 14; i++) {
        struct rte_bbdev_dec_op op = turbo_op(512, llrs, 3 * 544);
        struct rte_bbdev_op_turbo_dec as_it_was = op.turbo_dec;

        spoil_turbo(&op.turbo_dec, i);
        do_turbo_dec(&op);
        is_int(op.status, i < 13 ? DATA : DRIVER, "turbo decoder, impossible operation %u", i);
        op.turbo_dec = as_it_was;
        free_data(&op.turbo_dec.input);
        free_data(&op.turbo_dec.hard_output);
    }
    for (unsigned i = 0; i < 4; i++) {
        struct rte_bbdev_enc_op op = {.status = -1};
        struct rte_bbdev_op_turbo_enc *enc = &op.turbo_enc, as_it_was;

        *enc = (struct rte_bbdev_op_turbo_enc){.input = new_data(llrs, 64),
                                               .output = new_data(NULL, 0),
                                               .op_flags = RTE_BBDEV_TURBO_RATE_MATCH,
                                               .code_block_mode = RTE_BBDEV_CODE_BLOCK,
                                               .cb_params = {.k = 512, .e = 1000, .ncb = 1632}};
        as_it_was = *enc;
        if (i == 0)
            enc->cb_params.ncb = 511;
        else if (i == 1)
            enc->cb_params.e = 0;
        else if (i == 2)
            enc->rv_index = 4;
        else
            enc->input.length = 63;
        do_turbo_enc(&op);
        is_int(op.status, DATA, "turbo encoder, impossible operation %u", i);
        *enc = as_it_was;
        free_data(&enc->input);
        free_data(&enc->output);
    }
}

/* The device has taken no harm in the end. */
int main(void)
{
    struct rte_bbdev_stats stats;

    start_operations();
    impossible_ldpc();
    impossible_turbo();
    rte_bbdev_stats_get(0, &stats);
    is_int((int)stats.dequeue_err_count, (int)stats.dequeued_count, "statistics: all are errors");
    there_and_back();
    rte_bbdev_stats_get(0, &stats);
    ok(stats.dequeue_err_count < stats.dequeued_count, "but blocks that can be are none");
    return end_operations();
}
