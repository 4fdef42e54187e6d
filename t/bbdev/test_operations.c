/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations that DPDK's vectors have not: all base graphs, modulations and redundancy versions there and back, soft
 * buffers of words that no transmission alone can decode, transport blocks, scattered input.
 */
#include "t/bbdev/operations.h"

/* The signs of what was sent, in the order of the input; and in that of the buffer, which is the encoder's without its
   interleaver. */
static void soft_output(void)
{
    const unsigned rounds = tap_rounds(60);
    unsigned same = 0, in_order = 0;

    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM], plain[ROOM];
        struct block block;
        struct rte_bbdev_dec_op op;
        const int8_t *soft;
        unsigned wrong = 0;
        uint8_t qm;
        uint32_t e;

        draw_block(&block);
        e = length_of(&block, 1.6 + draw(30) / 10.0);
        send(&block, 0, e, llrs);
        qm = block.qm;
        block.qm = 1;
        send(&block, 0, e, plain);
        block.qm = qm;
        op = decode_op(&block, 0, e, llrs);
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_SOFT_OUT_ENABLE;
        op.ldpc_dec.soft_output = new_data(NULL, 0);
        do_ldpc_dec(&op);
        soft = (const int8_t *)bytes_of(&op.ldpc_dec.soft_output);
        for (uint32_t j = 0; j < e; j++)
            wrong += (soft[j] < 0) != (llrs[j] < 0) || !soft[j];
        same += is_block(&op, &block) && op.ldpc_dec.soft_output.length == e && !wrong;
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_SOFT_OUT_DEINTERLEAVER_BYPASS;
        do_ldpc_dec(&op);
        wrong = 0;
        for (uint32_t j = 0; j < e; j++)
            wrong += (soft[j] < 0) != (plain[j] < 0);
        in_order += !wrong;
        free_data(&op.ldpc_dec.soft_output);
        free_decode_op(&op);
    }
    is_int(same, rounds, "soft output has the signs of what was sent, in its order");
    is_int(in_order, rounds, "or in that of the circular buffer");
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

/* ---- LLRs in six bits ------------------------------------------------------------------------ */

/* bbdev says: "packed as 6 bits by dropping and saturating the MSBs". Bit by bit, the first one highest. */
static uint32_t in_six_bits(const int8_t *llrs, uint32_t n, uint8_t *to)
{
    memset(to, 0, (6 * n + 7) / 8);
    for (uint32_t i = 0; i < 6 * n; i++) {
        const int8_t llr = llrs[i / 6];
        const int saturated = llr > 31 ? 31 : llr < -32 ? -32 : llr;

        to[i / 8] |= (uint8_t)((saturated >> (5 - i % 6) & 1) << (7 - i % 8));
    }
    return (6 * n + 7) / 8;
}

static void saturate(int8_t *llrs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        llrs[i] = llrs[i] > 31 ? 31 : llrs[i] < -32 ? -32 : llrs[i];
}

/* Results of an operation, its soft buffer included. */
struct said {
    int status;
    uint8_t iterations;
    uint32_t bytes, soft_bytes;
    uint8_t bits[1100], soft[ROOM];
};

static void decode(struct rte_bbdev_dec_op *op, struct said *said)
{
    struct rte_bbdev_op_ldpc_dec *dec = &op->ldpc_dec;

    dec->op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_OUT_ENABLE;
    dec->harq_combined_output = new_data(NULL, 0);
    do_ldpc_dec(op);
    memset(said, 0, sizeof *said);
    said->status = op->status;
    said->iterations = dec->iter_count;
    said->bytes = dec->hard_output.length;
    said->soft_bytes = dec->harq_combined_output.length;
    memcpy(said->bits, bytes_of(&dec->hard_output), said->bytes);
    memcpy(said->soft, bytes_of(&dec->harq_combined_output), said->soft_bytes);
}

static bool same_word(const struct said *a, const struct said *b)
{
    return a->status == b->status && a->iterations == b->iterations && a->bytes == b->bytes &&
           !memcmp(a->bits, b->bits, a->bytes);
}

static void replace(struct rte_bbdev_op_data *data, const void *bytes, uint32_t n)
{
    free_data(data);
    *data = new_data(bytes, (uint16_t)n);
}

/* Words behind strong noise, so that LLRs saturate and words fail. */
static uint32_t draw_noisy(struct block *block, int8_t *llrs)
{
    uint32_t e;

    draw_block(block);
    e = length_of(block, 0.9 + draw(20) / 10.0);
    send(block, 0, e, llrs);
    for (uint32_t i = 0; i < e; i++)
        llrs[i] = (int8_t)RTE_MAX(RTE_MIN(3 * llrs[i] + (int)draw(81) - 40, 127), -128);
    return e;
}

static void six_bits_in(void)
{
    static const int8_t four[] = {1, -1, 31, -32}, five[] = {-33, 32, 127, -128, 16};
    static const uint8_t want[] = {0x07, 0xf7, 0xe0};
    const unsigned rounds = tap_rounds(60);
    unsigned same = 0;
    uint8_t some[4];

    ok(in_six_bits(four, 4, some) == 3 && !memcmp(some, want, 3), "four LLRs are three bytes");
    ok(in_six_bits(five, 5, some) == 4 && !memcmp(some, "\x81\xf7\xe0\x40", 4),
       "and saturate, the last byte's rest is 0");
    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM];
        static uint8_t packed[ROOM];
        static struct said plain, six;
        struct block block;
        struct rte_bbdev_dec_op op;
        const uint32_t e = draw_noisy(&block, llrs), bytes = in_six_bits(llrs, e, packed);

        saturate(llrs, e);
        op = decode_op(&block, 0, e, llrs);
        decode(&op, &plain);
        free_decode_op(&op);
        op = decode_op(&block, 0, e, llrs);
        replace(&op.ldpc_dec.input, packed, bytes);
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_LLR_COMPRESSION;
        decode(&op, &six);
        free_decode_op(&op);
        same += same_word(&plain, &six) && plain.soft_bytes == six.soft_bytes &&
                !memcmp(plain.soft, six.soft, six.soft_bytes);
    }
    is_int(same, rounds, "LLRs in six bits: word, status, iterations, soft buffer as of bytes");
}

/* Two transmissions: the first one's soft buffer goes out and comes in, in six bits. */
static void six_bits_harq(void)
{
    const unsigned rounds = tap_rounds(60);
    unsigned out = 0, in = 0, shorter = 0;

    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM];
        static uint8_t packed[ROOM];
        static struct said plain, six, second, second_six;
        struct block block;
        struct rte_bbdev_dec_op op;
        const uint32_t e = draw_noisy(&block, llrs);
        uint32_t bytes;

        op = decode_op(&block, 0, e, llrs);
        decode(&op, &plain);
        free_decode_op(&op);
        op = decode_op(&block, 0, e, llrs);
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HARQ_6BIT_COMPRESSION;
        decode(&op, &six);
        free_decode_op(&op);
        bytes = in_six_bits((const int8_t *)plain.soft, plain.soft_bytes, packed);
        out += same_word(&plain, &six) && six.soft_bytes == bytes &&
               !memcmp(six.soft, packed, bytes);
        shorter += six.soft_bytes < plain.soft_bytes;

        saturate((int8_t *)plain.soft, plain.soft_bytes);
        op = decode_op(&block, 2, e, llrs);
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE;
        op.ldpc_dec.harq_combined_input = new_data(plain.soft, (uint16_t)plain.soft_bytes);
        decode(&op, &second);
        free_decode_op(&op);
        op = decode_op(&block, 2, e, llrs);
        op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE |
                                RTE_BBDEV_LDPC_HARQ_6BIT_COMPRESSION;
        op.ldpc_dec.harq_combined_input = new_data(six.soft, (uint16_t)six.soft_bytes);
        decode(&op, &second_six);
        free_decode_op(&op);
        bytes = in_six_bits((const int8_t *)second.soft, second.soft_bytes, packed);
        in += same_word(&second, &second_six) && second_six.soft_bytes == bytes &&
              !memcmp(second_six.soft, packed, bytes);
    }
    is_int(out, rounds, "soft buffers go out in six bits, saturated");
    is_int(shorter, rounds, "and are shorter");
    is_int(in, rounds, "and come in: word, status, iterations, next soft buffer as of bytes");
}

/* What a soft buffer has behind the end of a limited circular buffer is of no meaning. */
static void long_soft_buffers(void)
{
    const unsigned rounds = tap_rounds(60);
    unsigned same = 0;

    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM], soft[ROOM];
        static struct said said[2];
        struct block block;
        uint32_t e, held, whole;

        draw_block(&block);
        whole = (block.bg == 1 ? 66u : 50u) * block.z;
        block.ncb = (uint16_t)(whole * 3 / 4 - draw(block.z));
        e = length_of(&block, 0.7);
        held = block.ncb - block.fillers;
        for (uint32_t j = 0; j < whole; j++) {
            llrs[j] = (int8_t)((int)draw(41) - 15);
            soft[j] = (int8_t)(j < held ? (int)draw(41) - 12 : -100);
        }
        for (unsigned j = 0; j < 2; j++) {
            struct rte_bbdev_dec_op op = decode_op(&block, 2, e, llrs);

            op.ldpc_dec.op_flags |= RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE;
            op.ldpc_dec.harq_combined_input = new_data(soft, (uint16_t)(j ? whole : held));
            decode(&op, &said[j]);
            free_decode_op(&op);
        }
        same += same_word(&said[0], &said[1]) && said[0].soft_bytes == said[1].soft_bytes &&
                !memcmp(said[0].soft, said[1].soft, said[0].soft_bytes);
    }
    is_int(same, rounds, "what comes behind a limited buffer's end changes nothing");
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

/* A word as the encoder gives it without rate matching, bit by bit: d0, d1 and d2 of each step. */
static void turbo_word(unsigned k, const int8_t *llrs, int8_t *signs)
{
    const unsigned padded = (k + 4 + 31) / 32 * 32;

    for (unsigned i = 0; i < 3 * (k + 4); i++)
        signs[i] = llrs[i % 3 * padded + i / 3] < 0 ? -1 : 1;
}

/* Both signs of LLRs that go out; some of those that come in are wrong. */
static void turbo_soft_output(void)
{
    static const uint16_t sizes[] = {40, 512, 1056, 6144};
    unsigned same = 0, inverted = 0, limited = 0;

    for (unsigned i = 0; i < 4; i++) {
        static int8_t llrs[ROOM], signs[ROOM];
        uint8_t message[768];
        const unsigned k = sizes[i], n = 3 * (k + 4);
        struct rte_bbdev_op_turbo_dec *dec;
        struct rte_bbdev_dec_op op;
        unsigned wrong[2] = {0}, large = 0;
        uint16_t bytes;

        for (unsigned j = 0; j < k / 8 - 3; j++)
            message[j] = (uint8_t)draw(256);
        bytes = turbo_llrs(k, message, -1, llrs);
        turbo_word(k, llrs, signs);
        for (unsigned j = 0; j < k / 16; j++)
            llrs[draw(bytes)] *= -1;
        op = turbo_op(k, llrs, bytes);
        dec = &op.turbo_dec;
        /* All iterations: parity bits may be wrong when the CRC holds. */
        dec->op_flags ^= RTE_BBDEV_TURBO_SOFT_OUTPUT | RTE_BBDEV_TURBO_NEG_LLR_1_BIT_SOFT_OUT |
                         RTE_BBDEV_TURBO_EARLY_TERMINATION;
        dec->soft_output = new_data(NULL, 0);
        for (unsigned r = 0; r < 2; r++) {
            const int8_t *soft;

            do_turbo_dec(&op);
            soft = (const int8_t *)bytes_of(&dec->soft_output);
            wrong[r] += op.status != 0 || dec->soft_output.length != n;
            for (unsigned j = 0; j < n && !wrong[r]; j++) {
                wrong[r] += (r ? -soft[j] : soft[j]) * signs[j] <= 0;
                large += soft[j] == -128;
            }
            dec->op_flags ^= RTE_BBDEV_TURBO_NEG_LLR_1_BIT_SOFT_OUT |
                             RTE_BBDEV_TURBO_POS_LLR_1_BIT_SOFT_OUT;
        }
        same += !wrong[0];
        inverted += !wrong[1];
        limited += !large;
        free_data(&dec->soft_output);
        free_data(&dec->input);
        free_data(&dec->hard_output);
    }
    is_int(same, 4, "turbo: soft output has the signs of the word that was sent");
    is_int(inverted, 4, "or the opposite ones");
    is_int(limited, 4, "and has a negative for each");
}

/* Two blocks of one operation, of two sizes. */
static void turbo_transport_block(void)
{
    static int8_t llrs[ROOM], signs[ROOM];
    const unsigned k[] = {1024, 1056}, n = 3 * (1028 + 1060);
    uint8_t message[2][200];
    uint32_t bytes = 0, at = 0, wrong = 0;
    struct rte_bbdev_dec_op op;
    struct rte_bbdev_op_turbo_dec *dec = &op.turbo_dec;
    const int8_t *soft;

    for (unsigned i = 0; i < 2; i++) {
        const int8_t *block = llrs + bytes;

        for (unsigned j = 0; j < 200; j++)
            message[i][j] = (uint8_t)draw(256);
        bytes += turbo_llrs(k[i], message[i], -1, llrs + bytes);
        turbo_word(k[i], block, signs + at);
        at += 3 * (k[i] + 4);
    }
    op = turbo_op(1024, llrs, (uint16_t)bytes);
    dec->op_flags &= ~(uint32_t)RTE_BBDEV_TURBO_DEC_CRC_24B_DROP;
    dec->op_flags |= RTE_BBDEV_TURBO_SOFT_OUTPUT | RTE_BBDEV_TURBO_NEG_LLR_1_BIT_SOFT_OUT;
    dec->soft_output = new_data(NULL, 0);
    dec->code_block_mode = RTE_BBDEV_TRANSPORT_BLOCK;
    dec->tb_params = (struct rte_bbdev_op_dec_turbo_tb_params){
        .k_neg = 1024, .k_pos = 1056, .c_neg = 1, .c = 2, .ea = 3000, .eb = 3000};
    do_turbo_dec(&op);
    ok(op.status == 0 && dec->hard_output.length == 125 + 129 &&
           !memcmp(bytes_of(&dec->hard_output), message[0], 125) &&
           !memcmp(bytes_of(&dec->hard_output) + 125, message[1], 129),
       "turbo: a transport block of two sizes, without the blocks' CRCs");
    soft = (const int8_t *)bytes_of(&dec->soft_output);
    for (unsigned i = 0; i < n; i++)
        wrong += soft[i] * signs[i] <= 0;
    ok(dec->soft_output.length == n && !wrong, "and its soft output, block after block");
    free_data(&dec->soft_output);
    free_data(&dec->input);
    free_data(&dec->hard_output);
}

static unsigned turbo_refused;

/* Wrong words of `rounds` behind noise that leaves many: what ext_scale and half an iteration are worth. */
static unsigned turbo_wrong(unsigned rounds, uint32_t flags, unsigned iterations, unsigned scale)
{
    const uint64_t before = state;
    unsigned wrong = 0;

    state = 5;
    for (unsigned i = 0; i < rounds; i++) {
        static int8_t llrs[ROOM];
        uint8_t message[61];
        struct rte_bbdev_dec_op op;
        uint16_t bytes;

        for (unsigned j = 0; j < 61; j++)
            message[j] = (uint8_t)draw(256);
        bytes = turbo_llrs(512, message, -1, llrs);
        for (unsigned j = 0; j < bytes; j++)
            llrs[j] = (int8_t)(llrs[j] * 3 + ((int)draw(45) + (int)draw(45) + (int)draw(45) - 66));
        op = turbo_op(512, llrs, bytes);
        op.turbo_dec.op_flags |= flags;
        op.turbo_dec.iter_max = iterations & 15;
        op.turbo_dec.ext_scale = (uint8_t)scale;
        do_turbo_dec(&op);
        turbo_refused += op.status & ~CRC || op.turbo_dec.iter_count > iterations;
        wrong += op.status != 0;
        free_data(&op.turbo_dec.input);
        free_data(&op.turbo_dec.hard_output);
    }
    state = before;
    return wrong;
}

static void turbo_iterations(void)
{
    const unsigned rounds = tap_rounds(300);
    const unsigned two = turbo_wrong(rounds, 0, 2, 12), three = turbo_wrong(rounds, 0, 3, 12),
                   half = turbo_wrong(rounds, RTE_BBDEV_TURBO_HALF_ITERATION_EVEN, 2, 12);

    diag("of %u words %u are wrong after 2 iterations, %u after 2.5, %u after 3", rounds, two, half,
         three);
    ok(three < half && half < two, "turbo: half an iteration more is worth something");
    for (unsigned scale = 0; scale <= 16; scale++)
        turbo_wrong(4, 0, 8, scale);
    is_int((int)turbo_refused, 0, "turbo: any ext_scale from 0 to 16");
    ok(turbo_wrong(rounds, 0, 3, 1) > three, "a small one is worse");
}

int main(void)
{
    start_operations();
    there_and_back();
    retransmissions();
    soft_output();
    six_bits_in();
    six_bits_harq();
    long_soft_buffers();
    scattered();
    transport_blocks();
    turbo_there_and_back();
    turbo_soft_output();
    turbo_transport_block();
    turbo_iterations();
    return end_operations();
}
