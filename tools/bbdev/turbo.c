/* SPDX-License-Identifier: BSD-2-Clause */
/* LTE turbo operations: TS 36.212 5.1.3.2 (blocks), 5.1.4.1 (circular buffer). */
#include "tools/bbdev/buffer.h"
#include "tools/bbdev/capabilities.h"
#include "tools/bbdev/work.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 32, DUMMY = UINT16_MAX };

/* Table 5.1.4-1. */
static const uint8_t permutation[COLUMNS] = {0,  16, 8,  24, 4,  20, 12, 28, 2,  18, 10,
                                             26, 6,  22, 14, 30, 1,  17, 9,  25, 5,  21,
                                             13, 29, 3,  19, 11, 27, 7,  23, 15, 31};

/* Table 5.1.3-3. */
static int is_block_size(unsigned k)
{
    return k >= 40 && k <= 6144 && k % (k <= 512 ? 8 : k <= 1024 ? 16 : k <= 2048 ? 32 : 64) == 0;
}

/* Rows of the sub-block interleaver, and places of the circular buffer. */
static unsigned rows_of(unsigned k)
{
    return (k + 4 + COLUMNS - 1) / COLUMNS;
}

static unsigned places_of(unsigned k)
{
    return 3 * COLUMNS * rows_of(k);
}

/* Where the bit at a place of the circular buffer is in d0 d1 d2 one after the other; DUMMY: nowhere. */
static unsigned bit_at(unsigned k, unsigned place)
{
    const unsigned rows = rows_of(k), padded = COLUMNS * rows, dummies = padded - (k + 4);
    const unsigned stream = place < padded ? 0 : 1 + (place - padded) % 2;
    const unsigned within = place < padded ? place : (place - padded) / 2;
    unsigned at = permutation[within / rows] + COLUMNS * (within % rows);

    if (stream == 2)
        at = (at + 1) % padded;
    return at < dummies ? DUMMY : stream * (k + 4) + at - dummies;
}

static const uint16_t *places(struct bbdev_tables *tables, unsigned k)
{
    uint16_t **table = &tables->places[k / 8];

    if (!*table) {
        *table = malloc(places_of(k) * sizeof **table);
        for (unsigned i = 0; *table && i < places_of(k); i++)
            (*table)[i] = (uint16_t)bit_at(k, i);
    }
    return *table;
}

/* Sizes of the code blocks of an operation. */
struct blocks {
    unsigned first, n, cab, c_neg;
    unsigned k_neg, k_pos, ncb_neg, ncb_pos;
    uint32_t ea, eb;
};

static int is_neg(const struct blocks *blocks, unsigned i)
{
    return blocks->first + i < blocks->c_neg;
}

static unsigned k_of(const struct blocks *blocks, unsigned i)
{
    return is_neg(blocks, i) ? blocks->k_neg : blocks->k_pos;
}

static uint32_t e_of(const struct blocks *blocks, unsigned i)
{
    return blocks->first + i < blocks->cab ? blocks->ea : blocks->eb;
}

static int check_blocks(struct blocks *blocks, unsigned r, unsigned c)
{
    if (c < 1 || c > RTE_BBDEV_TURBO_MAX_CODE_BLOCKS || r >= c)
        return -1;
    blocks->first = r;
    blocks->n = c - r;
    for (unsigned i = 0; i < blocks->n; i++)
        if (!is_block_size(k_of(blocks, i)))
            return -1;
    return 0;
}

static int decoder_blocks(const struct rte_bbdev_op_turbo_dec *dec, struct blocks *blocks)
{
    if (dec->code_block_mode == RTE_BBDEV_CODE_BLOCK) {
        *blocks = (struct blocks){.k_pos = dec->cb_params.k};
        return check_blocks(blocks, 0, 1);
    }
    *blocks = (struct blocks){.c_neg = dec->tb_params.c_neg,
                              .k_neg = dec->tb_params.k_neg,
                              .k_pos = dec->tb_params.k_pos};
    return check_blocks(blocks, dec->tb_params.r, dec->tb_params.c);
}

/* The CRC that a block ends with. bbdev has no way to say that there is none: it is looked at where something in the
   operation asks for it. */
static unsigned crc_of(const struct rte_bbdev_op_turbo_dec *dec)
{
    if (dec->op_flags & RTE_BBDEV_TURBO_CRC_TYPE_24B)
        return BBDEV_CRC_24B;
    return dec->op_flags & RTE_BBDEV_TURBO_EARLY_TERMINATION ? BBDEV_CRC_24A : BBDEV_CRC_NONE;
}

/* Bits of the CRC that do not go to the output. */
static unsigned drop_of(const struct rte_bbdev_op_turbo_dec *dec)
{
    if (dec->code_block_mode == RTE_BBDEV_CODE_BLOCK)
        return dec->op_flags & RTE_BBDEV_TURBO_DEC_CRC_24B_DROP ? 24 : 0;
    return dec->tb_params.c > 1 && !(dec->op_flags & RTE_BBDEV_TURBO_DEC_TB_CRC_24B_KEEP) ? 24 : 0;
}

static struct bbdev_job decoder_job(const struct rte_bbdev_op_turbo_dec *dec, unsigned k)
{
    const unsigned crc = crc_of(dec);
    const int stops = (dec->op_flags & RTE_BBDEV_TURBO_EARLY_TERMINATION) != 0;

    return (struct bbdev_job){
        .kind = {.work = BBDEV_TURBO_DECODE,
                 .crc = (uint8_t)(stops ? crc : BBDEV_CRC_NONE),
                 .alpha = dec->ext_scale,
                 .harq = dec->op_flags & RTE_BBDEV_TURBO_SOFT_OUTPUT ? 4 : 0,
                 .all = (dec->op_flags & RTE_BBDEV_TURBO_HALF_ITERATION_EVEN) != 0,
                 .size = (uint16_t)k,
                 .iterations = dec->iter_max},
        .check = (uint8_t)(stops ? BBDEV_CRC_NONE : crc),
        .flags =
            (uint8_t)((dec->op_flags & RTE_BBDEV_TURBO_POS_LLR_1_BIT_IN ? BBDEV_INVERTED : 0) |
                      (dec->op_flags & RTE_BBDEV_TURBO_SUBBLOCK_DEINTERLEAVE ? BBDEV_DEINTERLEAVE
                                                                             : 0) |
                      (dec->op_flags & RTE_BBDEV_TURBO_POS_LLR_1_BIT_SOFT_OUT ? BBDEV_SOFT_INVERTED
                                                                              : 0)),
        .n = places_of(k),
        .bits = k - drop_of(dec),
    };
}

static int is_one_of(uint32_t flags, uint32_t a, uint32_t b)
{
    return !(flags & a) != !(flags & b);
}

/* One sign of LLRs that come in, and of those that go out. */
static int are_signs(uint32_t flags)
{
    return is_one_of(flags, RTE_BBDEV_TURBO_POS_LLR_1_BIT_IN, RTE_BBDEV_TURBO_NEG_LLR_1_BIT_IN) &&
           (!(flags & RTE_BBDEV_TURBO_SOFT_OUTPUT) ||
            is_one_of(flags, RTE_BBDEV_TURBO_POS_LLR_1_BIT_SOFT_OUT,
                      RTE_BBDEV_TURBO_NEG_LLR_1_BIT_SOFT_OUT));
}

/* Gives each job its part of the outputs. -1: too little room. */
static int reserve(struct rte_bbdev_op_turbo_dec *dec, struct bbdev_job *jobs, unsigned n,
                   uint32_t bits)
{
    uint8_t *const out = bbdev_reserve(&dec->hard_output, bits / 8);
    uint8_t *soft = NULL;
    uint32_t llrs = 0;

    for (unsigned i = 0; i < n; i++)
        llrs += 3u * (jobs[i].kind.size + 4u);
    if (dec->op_flags & RTE_BBDEV_TURBO_SOFT_OUTPUT) {
        soft = bbdev_reserve(&dec->soft_output, llrs);
        if (!soft)
            return -1;
    }
    for (unsigned i = 0; out && i < n; i++) {
        jobs[i].out = out;
        jobs[i].soft = (int8_t *)soft;
        soft += soft ? 3 * (jobs[i].kind.size + 4) : 0;
    }
    return out ? 0 : -1;
}

static int split_decoder(void *at, struct bbdev_job *jobs)
{
    struct rte_bbdev_dec_op *op = at;
    struct rte_bbdev_op_turbo_dec *dec = &op->turbo_dec;
    struct blocks blocks;
    uint32_t from = 0, bits = 0;

    op->status = 0;
    dec->iter_count = 0;
    if (dec->op_flags & ~(uint32_t)BBDEV_TURBO_DECODER_FLAGS)
        return bbdev_unsupported(&op->status);
    if (decoder_blocks(dec, &blocks) || !are_signs(dec->op_flags) || !dec->iter_max ||
        dec->ext_scale > 16 || !dec->input.data)
        return bbdev_bad_data(&op->status);
    for (unsigned i = 0; i < blocks.n; i++) {
        jobs[i] = decoder_job(dec, k_of(&blocks, i));
        if (dec->input.length < from + jobs[i].n)
            return bbdev_bad_data(&op->status);
        jobs[i].from = from;
        jobs[i].at = bits;
        jobs[i].op = op;
        from += jobs[i].n;
        bits += jobs[i].bits;
    }
    return reserve(dec, jobs, blocks.n, bits) ? bbdev_bad_data(&op->status) : (int)blocks.n;
}

/* Puts the circular buffer's LLRs back in order. */
static int deinterleave(const int8_t *from, unsigned k, int8_t *to, struct bbdev_tables *tables)
{
    const uint16_t *where = places(tables, k);

    if (!where)
        return -1;
    for (unsigned i = 0; i < places_of(k); i++)
        if (where[i] != DUMMY)
            to[where[i]] = from[i];
    return 0;
}

/* -128 becomes -127, which has a negative. */
static void set_sign(int8_t *llrs, unsigned n, int inverted)
{
    for (unsigned i = 0; i < n; i++) {
        const int8_t llr = (int8_t)(llrs[i] + (llrs[i] == INT8_MIN));

        llrs[i] = (int8_t)(inverted ? -llr : llr);
    }
}

static int load_decoder(const struct bbdev_job *job, struct bbdev_class *class, unsigned row,
                        struct bbdev_tables *tables)
{
    const struct rte_bbdev_dec_op *op = job->op;
    const unsigned k = job->kind.size, padded = places_of(k) / 3;
    uint8_t *to = class->in + row * class->in_bytes;
    const uint8_t *from = bbdev_read(&op->turbo_dec.input, job->from, job->n, tables->copy);

    if (!from)
        return -1;
    if (job->flags & BBDEV_DEINTERLEAVE) {
        if (deinterleave((const int8_t *)from, k, (int8_t *)to, tables))
            return -1;
    } else {
        for (unsigned i = 0; i < 3; i++)
            memcpy(to + i * (k + 4), from + i * padded, k + 4);
    }
    set_sign((int8_t *)to, 3 * (k + 4), job->flags & BBDEV_INVERTED);
    return 0;
}

/* The word in the order in which the encoder makes it: d0, d1 and d2 of each step. */
static void store_soft(const struct bbdev_job *job, const float *word)
{
    const uint32_t n = job->kind.size + 4u;
    const float sign = job->flags & BBDEV_SOFT_INVERTED ? -1 : 1;

    for (uint32_t i = 0; i < 3 * n; i++) {
        const float llr = sign * word[i % 3 * n + i / 3];

        job->soft[i] = bbdev_soft(llr);
    }
}

static void store_decoder(const struct bbdev_job *job, const struct bbdev_class *class,
                          unsigned row)
{
    bbdev_copy_bits(class->out + row * class->out_bytes, job->bits, job->out, job->at);
    if (job->soft)
        store_soft(job, (const float *)(const void *)(class->soft + row * class->soft_bytes));
}

const struct bbdev_family bbdev_turbo_decoder = {split_decoder, load_decoder, store_decoder};

static int encoder_blocks(const struct rte_bbdev_op_turbo_enc *enc, struct blocks *blocks)
{
    if (enc->code_block_mode == RTE_BBDEV_CODE_BLOCK) {
        *blocks = (struct blocks){
            .k_pos = enc->cb_params.k, .ncb_pos = enc->cb_params.ncb, .eb = enc->cb_params.e};
        return check_blocks(blocks, 0, 1);
    }
    *blocks = (struct blocks){.cab = enc->tb_params.cab,
                              .c_neg = enc->tb_params.c_neg,
                              .k_neg = enc->tb_params.k_neg,
                              .k_pos = enc->tb_params.k_pos,
                              .ncb_neg = enc->tb_params.ncb_neg,
                              .ncb_pos = enc->tb_params.ncb_pos,
                              .ea = enc->tb_params.ea,
                              .eb = enc->tb_params.eb};
    return check_blocks(blocks, enc->tb_params.r, enc->tb_params.c);
}

/* How many of the first n places of the circular buffer hold bits. */
static unsigned bits_before(unsigned k, unsigned n)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < n; i++)
        bits += bit_at(k, i) != DUMMY;
    return bits;
}

/* Fills in what is sent of a block. -1: the sizes cannot be. */
static int encoder_job(const struct rte_bbdev_op_turbo_enc *enc, unsigned k, unsigned ncb,
                       uint32_t e, struct bbdev_job *job)
{
    const uint32_t flags = enc->op_flags, word = 3 * (k + 4);
    const unsigned crc = flags & RTE_BBDEV_TURBO_CRC_24B_ATTACH   ? BBDEV_CRC_24B
                         : flags & RTE_BBDEV_TURBO_CRC_24A_ATTACH ? BBDEV_CRC_24A
                                                                  : BBDEV_CRC_NONE;
    const int matched = (flags & RTE_BBDEV_TURBO_RATE_MATCH) != 0;

    if (matched && (!e || e > BBDEV_MOST_E || ncb < k || ncb > places_of(k)))
        return -1;
    *job = (struct bbdev_job){
        .kind = {.work = BBDEV_TURBO_ENCODE,
                 .crc = (uint8_t)crc,
                 .rv = matched ? enc->rv_index : 0,
                 .all = !matched,
                 .size = (uint16_t)k},
        .qm = 1,
        .n = (k - bbdev_crc_bits(crc)) / 8,
        .bits = matched ? e : word,
    };
    if (!matched)
        return 0;
    job->kind.ncb = (uint16_t)ncb;
    if (flags & RTE_BBDEV_TURBO_RV_INDEX_BYPASS) {
        /* From place 0: version 0 comes there after all bits of the buffer but those of its first two columns. */
        job->kind.rv = 0;
        job->skip = bits_before(k, ncb) - bits_before(k, 2 * rows_of(k));
    }
    /* The first bits of a longer sequence, so that few kinds serve all lengths. */
    job->kind.e = (job->skip + e + word - 1) / word * word;
    return 0;
}

static int split_encoder(void *at, struct bbdev_job *jobs)
{
    struct rte_bbdev_enc_op *op = at;
    struct rte_bbdev_op_turbo_enc *enc = &op->turbo_enc;
    struct blocks blocks;
    uint32_t from = 0, bits = 0;
    uint8_t *out;

    op->status = 0;
    if (enc->op_flags & ~(uint32_t)BBDEV_TURBO_ENCODER_FLAGS)
        return bbdev_unsupported(&op->status);
    if (encoder_blocks(enc, &blocks) || enc->rv_index > 3 || !enc->input.data)
        return bbdev_bad_data(&op->status);
    for (unsigned i = 0; i < blocks.n; i++) {
        if (encoder_job(enc, k_of(&blocks, i), is_neg(&blocks, i) ? blocks.ncb_neg : blocks.ncb_pos,
                        e_of(&blocks, i), &jobs[i]))
            return bbdev_bad_data(&op->status);
        jobs[i].from = from;
        jobs[i].at = bits;
        jobs[i].op = op;
        from += jobs[i].n;
        bits += (jobs[i].bits + 7) / 8 * 8;
        if (enc->code_block_mode == RTE_BBDEV_TRANSPORT_BLOCK && from == enc->input.length)
            blocks.n = i + 1;
    }
    out = enc->input.length < from ? NULL : bbdev_reserve(&enc->output, bits / 8);
    if (!out)
        return bbdev_bad_data(&op->status);
    for (unsigned i = 0; i < blocks.n; i++)
        jobs[i].out = out;
    return (int)blocks.n;
}

static int load_encoder(const struct bbdev_job *job, struct bbdev_class *class, unsigned row,
                        struct bbdev_tables *tables)
{
    const struct rte_bbdev_enc_op *op = job->op;
    const uint8_t *from = bbdev_read(&op->turbo_enc.input, job->from, job->n, tables->copy);

    if (!from)
        return -1;
    memcpy(class->in + row * class->in_bytes, from, job->n);
    return 0;
}

static void store_encoder(const struct bbdev_job *job, const struct bbdev_class *class,
                          unsigned row)
{
    bbdev_pack(class->out + row * class->out_bytes + job->skip, job->bits, 1, job->out, job->at);
}

const struct bbdev_family bbdev_turbo_encoder = {split_encoder, load_encoder, store_encoder};
