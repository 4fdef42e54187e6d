/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of all four types, and blocks there and back. */
#ifndef T_BBDEV_OPERATIONS_H
#define T_BBDEV_OPERATIONS_H

#include "t/bbdev/device.h"

enum { LDPC_DEC, LDPC_ENC, TURBO_DEC, TURBO_ENC };
enum {
    DATA = 1 << RTE_BBDEV_DATA_ERROR,
    DRIVER = 1 << RTE_BBDEV_DRV_ERROR,
    CRC = 1 << RTE_BBDEV_CRC_ERROR,
    SYNDROME = 1 << RTE_BBDEV_SYNDROME_ERROR
};

static uint64_t state = 1;

static DEVICE_UNUSED uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static DEVICE_UNUSED void do_ldpc_dec(struct rte_bbdev_dec_op *op)
{
    THROUGH(rte_bbdev_enqueue_ldpc_dec_ops, rte_bbdev_dequeue_ldpc_dec_ops, 0, LDPC_DEC, *op);
}

static DEVICE_UNUSED void do_ldpc_enc(struct rte_bbdev_enc_op *op)
{
    THROUGH(rte_bbdev_enqueue_ldpc_enc_ops, rte_bbdev_dequeue_ldpc_enc_ops, 0, LDPC_ENC, *op);
}

static DEVICE_UNUSED void do_turbo_dec(struct rte_bbdev_dec_op *op)
{
    THROUGH(rte_bbdev_enqueue_dec_ops, rte_bbdev_dequeue_dec_ops, 0, TURBO_DEC, *op);
}

static DEVICE_UNUSED void do_turbo_enc(struct rte_bbdev_enc_op *op)
{
    THROUGH(rte_bbdev_enqueue_enc_ops, rte_bbdev_dequeue_enc_ops, 0, TURBO_ENC, *op);
}

static DEVICE_UNUSED void free_data(struct rte_bbdev_op_data *data)
{
    rte_pktmbuf_free(data->data);
    data->data = NULL;
}

/* ---- LDPC there and back --------------------------------------------------------------------- */

/* A block of K' bits that ends with a CRC of the encoder. */
struct block {
    uint8_t bg, qm, rv;
    uint16_t z, fillers, ncb;
    uint32_t e;
    uint8_t bits[1100];
    uint16_t bytes; /* of them without the CRC */
};

static DEVICE_UNUSED void draw_block(struct block *block)
{
    static const uint16_t sizes[] = {16, 22, 40, 52, 112, 144, 208, 384};
    static const uint8_t orders[] = {1, 2, 4, 6, 8, 10};
    uint32_t k, n;

    block->bg = (uint8_t)(1 + draw(2));
    block->z = sizes[draw(8)];
    block->qm = orders[draw(6)];
    k = (block->bg == 1 ? 22 : 10) * block->z;
    n = (block->bg == 1 ? 66 : 50) * block->z;
    /* Whole bytes, as the sizes of transport blocks give them. */
    block->fillers = (uint16_t)(k % 8 + 8 * draw(block->z / 8));
    block->ncb = (uint16_t)(draw(2) ? n : n * 3 / 4);
    block->bytes = (uint16_t)((k - block->fillers) / 8 - 3);
    for (unsigned i = 0; i < block->bytes; i++)
        block->bits[i] = (uint8_t)draw(256);
}

static DEVICE_UNUSED struct rte_bbdev_enc_op encode_op(const struct block *block, unsigned rv,
                                                       uint32_t e)
{
    struct rte_bbdev_enc_op op = {0};

    op.ldpc_enc = (struct rte_bbdev_op_ldpc_enc){.input = new_data(block->bits, block->bytes),
                                                 .output = new_data(NULL, 0),
                                                 .op_flags = RTE_BBDEV_LDPC_RATE_MATCH |
                                                             RTE_BBDEV_LDPC_CRC_24B_ATTACH,
                                                 .rv_index = (uint8_t)rv,
                                                 .basegraph = block->bg,
                                                 .z_c = block->z,
                                                 .n_cb = block->ncb,
                                                 .q_m = block->qm,
                                                 .n_filler = block->fillers,
                                                 .code_block_mode = RTE_BBDEV_CODE_BLOCK,
                                                 .cb_params.e = e};
    return op;
}

/* LLRs of what was sent, with a weak random part: bit 1 is negative. */
static DEVICE_UNUSED void send(const struct block *block, unsigned rv, uint32_t e, int8_t *llrs)
{
    struct rte_bbdev_enc_op op = encode_op(block, rv, e);
    const uint8_t *bits;

    do_ldpc_enc(&op);
    if (op.status || op.ldpc_enc.output.length != (e + 7) / 8)
        diag("encoder: status %d, %u bytes", op.status, op.ldpc_enc.output.length);
    bits = bytes_of(&op.ldpc_enc.output);
    for (uint32_t i = 0; i < e; i++) {
        const int strength = 8 + (int)draw(16);

        llrs[i] = (int8_t)(bits[i / 8] >> (7 - i % 8) & 1 ? -strength : strength);
    }
    free_data(&op.ldpc_enc.input);
    free_data(&op.ldpc_enc.output);
}

static DEVICE_UNUSED struct rte_bbdev_dec_op decode_op(const struct block *block, unsigned rv,
                                                       uint32_t e, const int8_t *llrs)
{
    struct rte_bbdev_dec_op op = {.status = -1};

    op.ldpc_dec = (struct rte_bbdev_op_ldpc_dec){.input = new_data(llrs, (uint16_t)e),
                                                 .hard_output = new_data(NULL, 0),
                                                 .op_flags = RTE_BBDEV_LDPC_ITERATION_STOP_ENABLE |
                                                             RTE_BBDEV_LDPC_CRC_TYPE_24B_CHECK |
                                                             RTE_BBDEV_LDPC_CRC_TYPE_24B_DROP,
                                                 .rv_index = (uint8_t)rv,
                                                 .iter_max = 20,
                                                 .basegraph = block->bg,
                                                 .z_c = block->z,
                                                 .n_cb = block->ncb,
                                                 .q_m = block->qm,
                                                 .n_filler = block->fillers,
                                                 .code_block_mode = RTE_BBDEV_CODE_BLOCK,
                                                 .cb_params.e = e};
    return op;
}

static DEVICE_UNUSED bool is_block(const struct rte_bbdev_dec_op *op, const struct block *block)
{
    const struct rte_bbdev_op_data *out = &op->ldpc_dec.hard_output;

    return op->status == 0 && out->length == block->bytes && out->data->data_len == block->bytes &&
           out->data->pkt_len == block->bytes && !memcmp(bytes_of(out), block->bits, block->bytes);
}

static DEVICE_UNUSED void free_decode_op(struct rte_bbdev_dec_op *op)
{
    free_data(&op->ldpc_dec.input);
    free_data(&op->ldpc_dec.hard_output);
    if (op->ldpc_dec.harq_combined_input.data)
        free_data(&op->ldpc_dec.harq_combined_input);
    if (op->ldpc_dec.harq_combined_output.data)
        free_data(&op->ldpc_dec.harq_combined_output);
}

/* A multiple of qm near that share of K'. */
static DEVICE_UNUSED uint32_t length_of(const struct block *block, double share)
{
    const uint32_t e = (uint32_t)(share * (block->bytes + 3) * 8);

    return (e / block->qm + 1) * block->qm;
}

static DEVICE_UNUSED struct rte_bbdev_dec_op turbo_op(unsigned k, const int8_t *llrs,
                                                      uint16_t bytes)
{
    struct rte_bbdev_dec_op op = {.status = -1};

    op.turbo_dec = (struct rte_bbdev_op_turbo_dec){
        .input = new_data(llrs, bytes),
        .hard_output = new_data(NULL, 0),
        .op_flags = RTE_BBDEV_TURBO_NEG_LLR_1_BIT_IN | RTE_BBDEV_TURBO_CRC_TYPE_24B |
                    RTE_BBDEV_TURBO_EARLY_TERMINATION | RTE_BBDEV_TURBO_DEC_CRC_24B_DROP,
        .iter_max = 8,
        .ext_scale = 12,
        .code_block_mode = RTE_BBDEV_CODE_BLOCK,
        .cb_params = {.k = (uint16_t)k}};
    return op;
}

static DEVICE_UNUSED void there_and_back(void)
{
    const unsigned rounds = tap_rounds(200);
    unsigned good = 0;

    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM];
        struct block block;
        struct rte_bbdev_dec_op op;

        draw_block(&block);
        block.e = length_of(&block, 1.4 + draw(20) / 10.0);
        send(&block, 0, block.e, llrs);
        op = decode_op(&block, 0, block.e, llrs);
        do_ldpc_dec(&op);
        good += is_block(&op, &block);
        free_decode_op(&op);
    }
    is_int(good, rounds, "LDPC blocks of any kind come back as they were sent");
}

static DEVICE_UNUSED void start_operations(void)
{
    static const enum rte_bbdev_op_type types[] = {RTE_BBDEV_OP_LDPC_DEC, RTE_BBDEV_OP_LDPC_ENC,
                                                   RTE_BBDEV_OP_TURBO_DEC, RTE_BBDEV_OP_TURBO_ENC};

    start_dpdk("latency=low");
    set_up_queues(0, types, 4, 64);
}

/* Returns what main() does. */
static DEVICE_UNUSED int end_operations(void)
{
    is_int(rte_mempool_in_use_count(mbufs), 0, "all buffers came back");
    rte_bbdev_stop(0);
    rte_bbdev_close(0);
    rte_eal_cleanup();
    return done_testing();
}

#endif
