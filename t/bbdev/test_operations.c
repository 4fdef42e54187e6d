/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations that DPDK's vectors have not: all base graphs, modulations and redundancy versions there and back, soft
 * buffers of words that no transmission alone can decode, transport blocks, scattered input; and operations that
 * cannot be, of which bbdev's documentation says which bit of the status they get.
 */
#include "t/bbdev/device.h"

enum { LDPC_DEC, LDPC_ENC, TURBO_DEC, TURBO_ENC };
enum {
    DATA = 1 << RTE_BBDEV_DATA_ERROR,
    DRIVER = 1 << RTE_BBDEV_DRV_ERROR,
    CRC = 1 << RTE_BBDEV_CRC_ERROR,
    SYNDROME = 1 << RTE_BBDEV_SYNDROME_ERROR
};

static uint64_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static void do_ldpc_dec(struct rte_bbdev_dec_op *op)
{
    THROUGH(rte_bbdev_enqueue_ldpc_dec_ops, rte_bbdev_dequeue_ldpc_dec_ops, 0, LDPC_DEC, *op);
}

static void do_ldpc_enc(struct rte_bbdev_enc_op *op)
{
    THROUGH(rte_bbdev_enqueue_ldpc_enc_ops, rte_bbdev_dequeue_ldpc_enc_ops, 0, LDPC_ENC, *op);
}

static void do_turbo_dec(struct rte_bbdev_dec_op *op)
{
    THROUGH(rte_bbdev_enqueue_dec_ops, rte_bbdev_dequeue_dec_ops, 0, TURBO_DEC, *op);
}

static void do_turbo_enc(struct rte_bbdev_enc_op *op)
{
    THROUGH(rte_bbdev_enqueue_enc_ops, rte_bbdev_dequeue_enc_ops, 0, TURBO_ENC, *op);
}

static void free_data(struct rte_bbdev_op_data *data)
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

static void draw_block(struct block *block)
{
    static const uint16_t sizes[] = {16, 22, 40, 52, 112, 144, 208, 384};
    static const uint8_t orders[] = {1, 2, 4, 6, 8};
    uint32_t k, n;

    block->bg = (uint8_t)(1 + draw(2));
    block->z = sizes[draw(8)];
    block->qm = orders[draw(5)];
    k = (block->bg == 1 ? 22 : 10) * block->z;
    n = (block->bg == 1 ? 66 : 50) * block->z;
    /* Whole bytes, as the sizes of transport blocks give them. */
    block->fillers = (uint16_t)(k % 8 + 8 * draw(block->z / 8));
    block->ncb = (uint16_t)(draw(2) ? n : n * 3 / 4);
    block->bytes = (uint16_t)((k - block->fillers) / 8 - 3);
    for (unsigned i = 0; i < block->bytes; i++)
        block->bits[i] = (uint8_t)draw(256);
}

static struct rte_bbdev_enc_op encode_op(const struct block *block, unsigned rv, uint32_t e)
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
static void send(const struct block *block, unsigned rv, uint32_t e, int8_t *llrs)
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

static struct rte_bbdev_dec_op decode_op(const struct block *block, unsigned rv, uint32_t e,
                                         const int8_t *llrs)
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

static bool is_block(const struct rte_bbdev_dec_op *op, const struct block *block)
{
    const struct rte_bbdev_op_data *out = &op->ldpc_dec.hard_output;

    return op->status == 0 && out->length == block->bytes && out->data->data_len == block->bytes &&
           out->data->pkt_len == block->bytes && !memcmp(bytes_of(out), block->bits, block->bytes);
}

static void free_decode_op(struct rte_bbdev_dec_op *op)
{
    free_data(&op->ldpc_dec.input);
    free_data(&op->ldpc_dec.hard_output);
    if (op->ldpc_dec.harq_combined_input.data)
        free_data(&op->ldpc_dec.harq_combined_input);
    if (op->ldpc_dec.harq_combined_output.data)
        free_data(&op->ldpc_dec.harq_combined_output);
}

/* A multiple of qm near that share of K'. */
static uint32_t length_of(const struct block *block, double share)
{
    const uint32_t e = (uint32_t)(share * (block->bytes + 3) * 8);

    return (e / block->qm + 1) * block->qm;
}

static void there_and_back(void)
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

/* Each of two transmissions has fewer bits than the block. */
static void retransmissions(void)
{
    const unsigned rounds = tap_rounds(100);
    unsigned failed = 0, good = 0, length = 0;

    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM];
        struct block block;
        struct rte_bbdev_dec_op first, second;
        uint32_t e;

        draw_block(&block);
        block.ncb = (uint16_t)((block.bg == 1 ? 66 : 50) * block.z);
        e = length_of(&block, 0.8);
        send(&block, 0, e, llrs);
        first = decode_op(&block, 0, e, llrs);
        first.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_OUT_ENABLE;
        first.ldpc_dec.harq_combined_output = new_data(NULL, 0);
        do_ldpc_dec(&first);
        failed += (first.status & SYNDROME) && (first.status & CRC);
        length += first.ldpc_dec.harq_combined_output.length == e;
        send(&block, 2, e, llrs);
        second = decode_op(&block, 2, e, llrs);
        second.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE;
        second.ldpc_dec.harq_combined_input = first.ldpc_dec.harq_combined_output;
        first.ldpc_dec.harq_combined_output.data = NULL;
        do_ldpc_dec(&second);
        good += is_block(&second, &block);
        free_decode_op(&first);
        free_decode_op(&second);
    }
    is_int(failed, rounds, "less bits than the block has: checks and CRC fail");
    is_int(length, rounds, "its soft buffer has what was received");
    is_int(good, rounds, "with a second transmission all blocks are right");
}

/* ---- Shapes of data -------------------------------------------------------------------------- */

static void scattered(void)
{
    static int8_t llrs[ROOM];
    struct block block;
    struct rte_bbdev_dec_op op;
    struct rte_mbuf *head, *tail;
    uint32_t e, cut;

    draw_block(&block);
    e = length_of(&block, 2);
    send(&block, 0, e, llrs);
    op = decode_op(&block, 0, e, llrs);
    free_data(&op.ldpc_dec.input);
    cut = e / 3;
    head = new_mbuf("ignored", 7); /* what lies before the offset */
    memcpy(rte_pktmbuf_append(head, (uint16_t)cut), llrs, cut);
    tail = new_mbuf(llrs + cut, (uint16_t)cut);
    rte_pktmbuf_chain(head, tail);
    tail = new_mbuf(llrs + 2 * cut, (uint16_t)(e - 2 * cut));
    rte_pktmbuf_chain(head, tail);
    op.ldpc_dec.input = (struct rte_bbdev_op_data){.data = head, .offset = 7, .length = e};
    op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_DEC_SCATTER_GATHER;
    do_ldpc_dec(&op);
    ok(is_block(&op, &block), "input in three segments, from an offset on");

    rte_pktmbuf_reset(op.ldpc_dec.hard_output.data);
    rte_pktmbuf_append(op.ldpc_dec.hard_output.data, 5);
    op.ldpc_dec.hard_output.offset = 5;
    do_ldpc_dec(&op);
    ok(op.status == 0 && op.ldpc_dec.hard_output.data->data_len == block.bytes + 5 &&
           !memcmp(bytes_of(&op.ldpc_dec.hard_output), block.bits, block.bytes),
       "output behind what is there");
    free_decode_op(&op);
}

/* Three code blocks in one operation: lengths of two kinds, none a whole number of bytes. */
static void transport_blocks(void)
{
    static int8_t llrs[ROOM];
    uint8_t all[3300];
    struct block block = {.bg = 2, .z = 104, .qm = 2, .fillers = 40, .ncb = 5200, .bytes = 122};
    const struct rte_bbdev_op_enc_ldpc_tb_params lengths = {
        .ea = 2006, .eb = 2010, .c = 3, .cab = 1};
    const uint32_t e[] = {2006, 2010, 2010};
    struct rte_bbdev_enc_op enc;
    struct rte_bbdev_dec_op dec;
    const uint8_t *bits;

    for (unsigned i = 0; i < 3 * 122; i++)
        all[i] = (uint8_t)draw(256);
    enc = encode_op(&block, 0, 0);
    free_data(&enc.ldpc_enc.input);
    enc.ldpc_enc.input = new_data(all, 3 * 122);
    enc.ldpc_enc.code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
    enc.ldpc_enc.tb_params = lengths;
    enc.ldpc_enc.op_flags |= RTE_BBDEV_LDPC_ENC_CONCATENATION;
    do_ldpc_enc(&enc);
    is_int(enc.status, 0, "a transport block is encoded");
    is_int(enc.ldpc_enc.output.length, (2006 + 2010 + 2010 + 7) / 8,
           "its blocks joined bit by bit");
    bits = bytes_of(&enc.ldpc_enc.output);
    for (unsigned i = 0; i < 6026; i++)
        llrs[i] = bits[i / 8] >> (7 - i % 8) & 1 ? -9 : 9;
    dec = decode_op(&block, 0, 6026, llrs);
    dec.ldpc_dec.code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
    dec.ldpc_dec.tb_params = (struct rte_bbdev_op_dec_ldpc_tb_params){
        .ea = e[0], .eb = e[1], .c = 3, .cab = 1};
    do_ldpc_dec(&dec);
    ok(dec.status == 0 && dec.ldpc_dec.hard_output.length == 366 &&
           !memcmp(bytes_of(&dec.ldpc_dec.hard_output), all, 366),
       "and comes back");
    free_data(&enc.ldpc_enc.output);

    rte_pktmbuf_reset(enc.ldpc_enc.input.data);
    memcpy(rte_pktmbuf_append(enc.ldpc_enc.input.data, 366), all, 366);
    enc.ldpc_enc.output = new_data(NULL, 0);
    enc.ldpc_enc.op_flags &= ~(uint32_t)RTE_BBDEV_LDPC_ENC_CONCATENATION;
    do_ldpc_enc(&enc);
    is_int(enc.ldpc_enc.output.length, 251 + 252 + 252, "or each block from a byte on");
    free_data(&enc.ldpc_enc.input);
    free_data(&enc.ldpc_enc.output);
    free_decode_op(&dec);
}

/* ---- Turbo ----------------------------------------------------------------------------------- */

static struct rte_bbdev_dec_op turbo_op(unsigned k, const int8_t *llrs, uint16_t bytes)
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

/* What the encoder gives without rate matching: d0 d1 d2, each in the place of its stream. */
static uint16_t turbo_llrs(unsigned k, const uint8_t *message, int one, int8_t *llrs)
{
    const unsigned padded = (k + 4 + 31) / 32 * 32;
    struct rte_bbdev_enc_op op = {.status = -1};
    const uint8_t *bits;

    op.turbo_enc = (struct rte_bbdev_op_turbo_enc){
        .input = new_data(message, (uint16_t)(k / 8 - 3)),
        .output = new_data(NULL, 0),
        .op_flags = RTE_BBDEV_TURBO_CRC_24B_ATTACH,
        .code_block_mode = RTE_BBDEV_CODE_BLOCK,
        .cb_params = {.k = (uint16_t)k}};
    do_turbo_enc(&op);
    if (op.status || op.turbo_enc.output.length != (3 * (k + 4) + 7) / 8)
        diag("turbo encoder: status %d, %u bytes", op.status, op.turbo_enc.output.length);
    bits = bytes_of(&op.turbo_enc.output);
    memset(llrs, 0, 3 * padded);
    for (unsigned i = 0; i < 3 * (k + 4); i++)
        llrs[i / (k + 4) * padded + i % (k + 4)] =
            (int8_t)((bits[i / 8] >> (7 - i % 8) & 1 ? one : -one) * (4 + (int)draw(8)));
    free_data(&op.turbo_enc.input);
    free_data(&op.turbo_enc.output);
    return (uint16_t)(3 * padded);
}

static void turbo_there_and_back(void)
{
    static const uint16_t sizes[] = {40, 56, 512, 528, 1024, 1056, 2048, 2112, 6144};
    unsigned good = 0, stopped = 0, inverted = 0, lost = 0;

    for (unsigned i = 0; i < 9; i++) {
        static int8_t llrs[ROOM];
        uint8_t message[768];
        const unsigned k = sizes[i];
        struct rte_bbdev_dec_op op;

        for (unsigned j = 0; j < k / 8 - 3; j++)
            message[j] = (uint8_t)draw(256);
        op = turbo_op(k, llrs, turbo_llrs(k, message, -1, llrs));
        do_turbo_dec(&op);
        good += op.status == 0 && op.turbo_dec.hard_output.length == k / 8 - 3 &&
                !memcmp(bytes_of(&op.turbo_dec.hard_output), message, k / 8 - 3);
        stopped += op.turbo_dec.iter_count < 8;
        op.turbo_dec.op_flags ^= RTE_BBDEV_TURBO_NEG_LLR_1_BIT_IN |
                                 RTE_BBDEV_TURBO_POS_LLR_1_BIT_IN;
        do_turbo_dec(&op);
        lost += op.status == CRC;
        free_data(&op.turbo_dec.input);
        op.turbo_dec.input = new_data(llrs, turbo_llrs(k, message, 1, llrs));
        do_turbo_dec(&op);
        inverted += op.status == 0 &&
                    !memcmp(bytes_of(&op.turbo_dec.hard_output), message, k / 8 - 3);
        free_data(&op.turbo_dec.input);
        free_data(&op.turbo_dec.hard_output);
    }
    is_int(good, 9, "turbo blocks come back as they were sent");
    is_int(stopped, 9, "and end with their CRC");
    is_int(lost, 9, "the wrong sign is a wrong CRC");
    is_int(inverted, 9, "LLRs of the other sign do as well");
}

/* ---- What cannot be -------------------------------------------------------------------------- */

static void spoil_ldpc_dec(struct rte_bbdev_op_ldpc_dec *dec, unsigned i)
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
        dec->cb_params.e = 0;
        break;
    case 6:
        dec->cb_params.e = UINT32_MAX;
        break;
    case 7:
        dec->cb_params.e += 1;
        break; /* not a multiple of qm */
    case 8:
        dec->q_m = 3;
        break;
    case 9:
        dec->q_m = 0;
        break;
    case 10:
        dec->n_cb = 0;
        break;
    case 11:
        dec->n_cb = 65535;
        break;
    case 12:
        dec->n_filler = 65535;
        break;
    case 13:
        dec->rv_index = 4;
        break;
    case 14:
        dec->iter_max = 0;
        break;
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
        dec->op_flags |= RTE_BBDEV_LDPC_SOFT_OUT_ENABLE;
        break;
    case 26:
        dec->op_flags |= RTE_BBDEV_LDPC_INTERNAL_HARQ_MEMORY_LOOPBACK;
        break;
    default:
        dec->op_flags |= RTE_BBDEV_LDPC_LLR_COMPRESSION;
        break;
    }
}

static void impossible_ldpc(void)
{
    static int8_t llrs[ROOM];
    struct block block = {.bg = 2, .z = 40, .qm = 2, .fillers = 8, .ncb = 2000, .bytes = 46};
    const uint32_t e = 1000;

    for (unsigned i = 0; i < 28; i++) {
        struct rte_bbdev_dec_op op = decode_op(&block, 0, e, llrs);
        struct rte_bbdev_op_ldpc_dec as_it_was = op.ldpc_dec;
        const int want = i < 25 ? DATA : DRIVER;

        spoil_ldpc_dec(&op.ldpc_dec, i);
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
    default:
        dec->op_flags |= RTE_BBDEV_TURBO_SOFT_OUTPUT;
        break;
    }
}

static void impossible_turbo(void)
{
    static int8_t llrs[ROOM];

    for (unsigned i = 0; i < 12; i++) {
        struct rte_bbdev_dec_op op = turbo_op(512, llrs, 3 * 544);
        struct rte_bbdev_op_turbo_dec as_it_was = op.turbo_dec;

        spoil_turbo(&op.turbo_dec, i);
        do_turbo_dec(&op);
        is_int(op.status, i < 11 ? DATA : DRIVER, "turbo decoder, impossible operation %u", i);
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

/* The device has taken no harm, and no buffer is lost. */
static void still_works(void)
{
    there_and_back();
    is_int(rte_mempool_in_use_count(mbufs), 0, "all buffers came back");
}

int main(void)
{
    static const enum rte_bbdev_op_type types[] = {RTE_BBDEV_OP_LDPC_DEC, RTE_BBDEV_OP_LDPC_ENC,
                                                   RTE_BBDEV_OP_TURBO_DEC, RTE_BBDEV_OP_TURBO_ENC};

    start_dpdk("latency=low");
    set_up_queues(0, types, 4, 64);
    there_and_back();
    retransmissions();
    scattered();
    transport_blocks();
    turbo_there_and_back();
    impossible_ldpc();
    impossible_turbo();
    still_works();
    rte_bbdev_stop(0);
    rte_bbdev_close(0);
    rte_eal_cleanup();
    return done_testing();
}
