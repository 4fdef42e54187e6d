/* SPDX-License-Identifier: BSD-2-Clause */
/* NR LDPC operations: TS 38.212 5.2.2 (blocks), 5.4.2.1 (bit selection), 5.4.2.2 (interleaver). */
#include "tools/bbdev/buffer.h"
#include "tools/bbdev/capabilities.h"
#include "tools/bbdev/work.h"

#include <rte_mbuf.h>
#include <string.h>

/* A circular buffer: places 0 to ncb - 1, of which [known, known_end) are fillers and are not sent. */
struct circle {
    uint32_t ncb, k0, known, known_end, z;
    uint32_t k;                              /* information bits, fillers included */
    uint32_t least_rows, most_rows, columns; /* of the base graph; columns of information bits */
};

/* Twelve families of lifting sizes: 2, 3, 5, ..., 15 times a power of 2, at most 384 (table 5.3.2-1). */
static int is_lifting_size(unsigned z)
{
    if (z < 2 || z > 384)
        return 0;
    while (z % 2 == 0)
        z /= 2;
    return z <= 15;
}

/* Table 5.4.2.1-2, in units of z for a whole buffer. */
static uint32_t start(const struct circle *circle, unsigned bg, unsigned rv)
{
    static const uint8_t starts[2][4] = {{0, 17, 33, 56}, {0, 13, 25, 43}};
    const uint32_t whole = (bg == 1 ? 66 : 50) * circle->z;

    return (uint32_t)((uint64_t)starts[bg - 1][rv] * circle->ncb / whole) * circle->z;
}

static int make_circle(struct circle *circle, unsigned bg, unsigned z, unsigned ncb,
                       unsigned fillers, unsigned rv)
{
    if ((bg != 1 && bg != 2) || !is_lifting_size(z) || rv > 3)
        return -1;
    circle->z = z;
    circle->columns = bg == 1 ? 22 : 10;
    circle->k = circle->columns * z;
    circle->most_rows = bg == 1 ? 46 : 42;
    if (!ncb || ncb > (bg == 1 ? 66 : 50) * z || fillers >= circle->k)
        return -1;
    circle->ncb = ncb;
    circle->known_end = RTE_MIN(circle->k - 2 * z, circle->ncb);
    circle->known = RTE_MIN(circle->k - RTE_MIN(circle->k, fillers + 2 * z), circle->ncb);
    circle->k0 = start(circle, bg, rv);
    return circle->known_end - circle->known >= circle->ncb ? -1 : 0;
}

/* How many places of [from, to) are sent. */
static uint32_t sent(const struct circle *circle, uint32_t from, uint32_t to)
{
    const uint32_t low = RTE_MAX(from, circle->known), high = RTE_MIN(to, circle->known_end);

    return to - from - (high > low ? high - low : 0);
}

/* The place behind n sent ones from `from` on; at most ncb. */
static uint32_t behind(const struct circle *circle, uint32_t from, uint32_t n)
{
    uint32_t place = from + n;

    if (from < circle->known_end && place > circle->known)
        place += circle->known_end - RTE_MAX(from, circle->known);
    return RTE_MIN(place, circle->ncb);
}

/* The place behind the last of n received LLRs, or all of the buffer where they go round. */
static uint32_t reach(const struct circle *circle, uint32_t n)
{
    return n <= sent(circle, circle->k0, circle->ncb) ? behind(circle, circle->k0, n) : circle->ncb;
}

/*
 * Rounds n received LLRs up to as many as have the same columns received: ldpc.rate_recover calls a column so if half of
 * its bits are known, and ldpc.decode takes its factor by that. So up to a column's end, or to just below half
 * of it; above a turn of the buffer to whole turns.
 */
static uint32_t round_up(const struct circle *circle, uint32_t n)
{
    const uint32_t tail = sent(circle, circle->k0, circle->ncb);
    const uint32_t turn = tail + sent(circle, 0, circle->k0), z = circle->z;
    uint32_t place, first, end, left, known;

    if (n >= turn)
        return (n + turn - 1) / turn * turn;
    place = n <= tail ? behind(circle, circle->k0, n) : behind(circle, 0, n - tail);
    first = (place - 1) / z * z;
    end = RTE_MIN(first + z, circle->ncb);
    left = sent(circle, place, end);
    known = end - first - left; /* fillers are */
    return n + (2 * known < z ? RTE_MIN(left, (z - 1) / 2 - known) : left);
}

/* The first two columns are never sent, and rows below the first four are reached one by one. */
static unsigned rows_of(const struct circle *circle, uint32_t reached)
{
    const unsigned columns = (reached + circle->z - 1) / circle->z + 2;

    return RTE_MIN(RTE_MAX(columns, circle->columns + 4) - circle->columns, circle->most_rows);
}

static unsigned crc_of(uint32_t flags, uint32_t a, uint32_t b, uint32_t c)
{
    return flags & b ? BBDEV_CRC_24B : flags & a ? BBDEV_CRC_24A : flags & c ? BBDEV_CRC_16 : 0;
}

/* Soft buffers in six bits. */
static int six_harq(const struct rte_bbdev_op_ldpc_dec *dec)
{
    return (dec->op_flags & RTE_BBDEV_LDPC_HARQ_6BIT_COMPRESSION) != 0;
}

static uint32_t llr_bytes(uint32_t n, int six)
{
    return six ? bbdev_six_bytes(n) : n;
}

static uint32_t llrs_in(uint32_t bytes, int six)
{
    return six ? bbdev_six_llrs(bytes) : bytes;
}

static int is_qm(unsigned qm)
{
    return qm == 1 || (qm % 2 == 0 && qm >= 2 && qm <= 10);
}

static int bad_length(uint32_t e, unsigned qm)
{
    return !e || e > BBDEV_MOST_E || e % qm;
}

/* Lengths of the code blocks of an operation: ea for the first `cab` of the transport block. */
struct blocks {
    unsigned first, n, cab;
    uint32_t ea, eb;
};

static int count_blocks(struct blocks *blocks, unsigned r, unsigned c)
{
    if (c < 1 || r >= c)
        return -1;
    blocks->first = r;
    blocks->n = c - r;
    return 0;
}

static uint32_t e_of(const struct blocks *blocks, unsigned i)
{
    return blocks->first + i < blocks->cab ? blocks->ea : blocks->eb;
}

static int decoder_blocks(const struct rte_bbdev_op_ldpc_dec *dec, struct blocks *blocks)
{
    if (dec->code_block_mode == RTE_BBDEV_CODE_BLOCK) {
        *blocks = (struct blocks){0, 1, 0, 0, dec->cb_params.e};
        return 0;
    }
    *blocks = (struct blocks){0, 0, dec->tb_params.cab, dec->tb_params.ea, dec->tb_params.eb};
    return count_blocks(blocks, dec->tb_params.r, dec->tb_params.c);
}

/* What all code blocks of an operation have in common. */
struct request {
    struct circle circle;
    struct blocks blocks;
    unsigned qm, harq, check, drop;
};

static int read_request(const struct rte_bbdev_op_ldpc_dec *dec, struct request *request)
{
    const uint32_t flags = dec->op_flags;
    const struct circle *circle = &request->circle;

    request->qm = flags & RTE_BBDEV_LDPC_DEINTERLEAVER_BYPASS ? 1 : dec->q_m;
    request->harq = (flags & RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE ? 1 : 0) |
                    (flags & RTE_BBDEV_LDPC_HQ_COMBINE_OUT_ENABLE ? 2 : 0) |
                    (flags & RTE_BBDEV_LDPC_SOFT_OUT_ENABLE ? 4 : 0);
    request->check = crc_of(flags, RTE_BBDEV_LDPC_CRC_TYPE_24A_CHECK,
                            RTE_BBDEV_LDPC_CRC_TYPE_24B_CHECK, RTE_BBDEV_LDPC_CRC_TYPE_16_CHECK);
    request->drop = flags & RTE_BBDEV_LDPC_CRC_TYPE_24B_DROP ? 24 : 0;
    if (make_circle(&request->circle, dec->basegraph, dec->z_c, dec->n_cb, dec->n_filler,
                    dec->rv_index) ||
        decoder_blocks(dec, &request->blocks) || !dec->iter_max || !is_qm(request->qm))
        return -1;
    return circle->k - dec->n_filler > RTE_MAX(request->drop, bbdev_crc_bits(request->check)) ? 0
                                                                                              : -1;
}

static struct bbdev_job decoder_job(const struct rte_bbdev_op_ldpc_dec *dec,
                                    const struct request *request, uint32_t e, uint32_t reached)
{
    return (struct bbdev_job){
        .kind = {.work = BBDEV_LDPC_DECODE,
                 .crc = (uint8_t)request->check,
                 .rv = dec->rv_index,
                 .bg = dec->basegraph,
                 .harq = (uint8_t)request->harq,
                 .all = !(dec->op_flags & RTE_BBDEV_LDPC_ITERATION_STOP_ENABLE),
                 .rows = (uint8_t)rows_of(&request->circle, reached),
                 .size = dec->z_c,
                 .fillers = dec->n_filler,
                 .ncb = dec->n_cb,
                 .iterations = dec->iter_max,
                 .e = round_up(&request->circle, e)},
        .check = (uint8_t)request->check,
        .qm = (uint8_t)request->qm,
        .flags = (uint8_t)((dec->op_flags & RTE_BBDEV_LDPC_SOFT_OUT_DEINTERLEAVER_BYPASS
                                ? BBDEV_SOFT_IN_ORDER
                                : 0) |
                           (dec->op_flags & RTE_BBDEV_LDPC_LLR_COMPRESSION ? BBDEV_SIX_BITS : 0)),
        .n = e,
        .bits = request->circle.k - dec->n_filler - request->drop,
    };
}

/* How far a soft buffer that comes in goes; 0: there is none. */
static uint32_t reach_before(const struct rte_bbdev_op_ldpc_dec *dec, const struct request *request)
{
    const struct circle *circle = &request->circle;

    if (!(request->harq & 1))
        return 0;
    return behind(circle, 0,
                  RTE_MIN(llrs_in(dec->harq_combined_input.length, six_harq(dec)), circle->ncb));
}

static int split_decoder(void *at, struct bbdev_job *jobs)
{
    struct rte_bbdev_dec_op *op = at;
    struct rte_bbdev_op_ldpc_dec *dec = &op->ldpc_dec;
    struct request request;
    uint32_t from = 0, bits;
    uint8_t *out;

    op->status = 0;
    dec->iter_count = 0;
    if (dec->op_flags & ~(uint32_t)BBDEV_LDPC_DECODER_FLAGS)
        return bbdev_unsupported(&op->status);
    if (read_request(dec, &request))
        return bbdev_bad_data(&op->status);
    /* A transport block's soft buffer and CRC are of no one block. */
    if (request.blocks.n > 1 && (request.harq || (request.check && request.check != BBDEV_CRC_24B)))
        return bbdev_unsupported(&op->status);
    bits = request.circle.k - dec->n_filler - request.drop;
    out = bbdev_reserve(&dec->hard_output, (request.blocks.n * bits + 7) / 8);
    if (!out)
        return bbdev_bad_data(&op->status);
    for (unsigned i = 0; i < request.blocks.n; i++) {
        const uint32_t e = e_of(&request.blocks, i);
        uint32_t reached, bytes;

        if (bad_length(e, request.qm) || !dec->input.data)
            return bbdev_bad_data(&op->status);
        bytes = llr_bytes(e, dec->op_flags & RTE_BBDEV_LDPC_LLR_COMPRESSION);
        if (dec->input.length < from + bytes)
            return bbdev_bad_data(&op->status);
        reached = RTE_MAX(reach(&request.circle, e), reach_before(dec, &request));
        jobs[i] = decoder_job(dec, &request, e, reached);
        jobs[i].from = from;
        jobs[i].at = i * bits;
        jobs[i].out = out;
        jobs[i].op = op;
        if (request.harq & 2 &&
            !bbdev_reserve(&dec->harq_combined_output,
                           llr_bytes(sent(&request.circle, 0, reached), six_harq(dec))))
            return bbdev_bad_data(&op->status);
        if (request.harq & 4 && !bbdev_reserve(&dec->soft_output, e))
            return bbdev_bad_data(&op->status);
        from += bytes;
    }
    return (int)request.blocks.n;
}

static void circle_of(const struct rte_bbdev_op_ldpc_dec *dec, struct circle *circle)
{
    make_circle(circle, dec->basegraph, dec->z_c, dec->n_cb, dec->n_filler, dec->rv_index);
}

/* The word's own bytes are moved. */
static void take_word(const struct rte_bbdev_op_ldpc_dec *dec, uint8_t *word, uint8_t *soft)
{
    const uint32_t bytes = dec->harq_combined_output.length;
    struct circle circle;
    uint32_t head, n;

    circle_of(dec, &circle);
    n = RTE_MIN(llrs_in(bytes, six_harq(dec)), sent(&circle, 0, circle.ncb));
    head = RTE_MIN(n, circle.known);
    memmove(word + head, word + circle.known_end, n - head);
    if (six_harq(dec))
        bbdev_to_six((const int8_t *)word, n, soft);
    else
        memcpy(soft, word, n);
}

/* n LLRs in bytes. */
static const uint8_t *llrs_of(const uint8_t *from, uint32_t n, int six, struct bbdev_tables *tables)
{
    if (!six)
        return from;
    bbdev_from_six(from, n, tables->llrs);
    return (const uint8_t *)tables->llrs;
}

/* Makes a word, which has fillers, of a soft buffer, which has none. What that has behind the circular buffer's last
   place is of no meaning. */
static int load_before(const struct rte_bbdev_op_ldpc_dec *dec, uint8_t *word, size_t bytes,
                       struct bbdev_tables *tables)
{
    const int six = six_harq(dec);
    struct circle circle;
    const uint8_t *soft;
    uint32_t n, head;

    circle_of(dec, &circle);
    n = RTE_MIN(llrs_in(dec->harq_combined_input.length, six), sent(&circle, 0, circle.ncb));
    soft = bbdev_read(&dec->harq_combined_input, 0, llr_bytes(n, six), tables->copy);
    if (!soft)
        return -1;
    soft = llrs_of(soft, n, six, tables);
    head = RTE_MIN(n, circle.known);
    memset(word, 0, bytes);
    memcpy(word, soft, head);
    memcpy(word + circle.known_end, soft + head, n - head);
    return 0;
}

static int load_decoder(const struct bbdev_job *job, struct bbdev_class *class, unsigned row,
                        struct bbdev_tables *tables)
{
    const struct rte_bbdev_dec_op *op = job->op;
    const struct rte_bbdev_op_ldpc_dec *dec = &op->ldpc_dec;
    uint8_t *to = class->in + row * class->in_bytes;
    const int six = job->flags & BBDEV_SIX_BITS;
    const uint8_t *from = bbdev_read(&dec->input, job->from, llr_bytes(job->n, six), tables->copy);

    if (!from)
        return -1;
    from = llrs_of(from, job->n, six, tables);
    bbdev_deinterleave((const int8_t *)from, job->n, job->qm, (int8_t *)to, class->device);
    memset(to + job->n, 0, class->in_bytes - job->n);
    return job->kind.harq & 1 ? load_before(dec, class->before + row * class->before_bytes,
                                            class->before_bytes, tables)
                              : 0;
}

/* LLRs of the decoded word in the places of those that came in. */
static void store_soft(const struct bbdev_job *job, const float *word)
{
    const struct rte_bbdev_dec_op *op = job->op;
    const struct rte_bbdev_op_ldpc_dec *dec = &op->ldpc_dec;
    const unsigned qm = job->flags & BBDEV_SOFT_IN_ORDER ? 1 : job->qm;
    const uint32_t rows = job->n / qm;
    int8_t *to = rte_pktmbuf_mtod_offset(dec->soft_output.data, int8_t *, dec->soft_output.offset);
    struct circle circle;
    uint32_t place;

    circle_of(dec, &circle);
    place = circle.k0;
    for (uint32_t i = 0; i < job->n; i++, place++) {
        if (place >= circle.known && place < circle.known_end)
            place = circle.known_end;
        if (place >= circle.ncb)
            place = circle.known ? 0 : circle.known_end;
        to[i % rows * qm + i / rows] = bbdev_soft(word[place]);
    }
}

static void store_decoder(const struct bbdev_job *job, const struct bbdev_class *class,
                          unsigned row)
{
    struct rte_bbdev_dec_op *op = job->op;
    struct rte_bbdev_op_ldpc_dec *dec = &op->ldpc_dec;

    bbdev_copy_bits(class->out + row * class->out_bytes, job->bits, job->out, job->at);
    if (job->kind.harq & 2)
        take_word(dec, class->after + row * class->after_bytes,
                  rte_pktmbuf_mtod_offset(dec->harq_combined_output.data, uint8_t *,
                                          dec->harq_combined_output.offset));
    if (job->kind.harq & 4)
        store_soft(job, (const float *)(const void *)(class->soft + row * class->soft_bytes));
}

const struct bbdev_family bbdev_ldpc_decoder = {split_decoder, load_decoder, store_decoder};

static int encoder_blocks(const struct rte_bbdev_op_ldpc_enc *enc, struct blocks *blocks)
{
    if (enc->code_block_mode == RTE_BBDEV_CODE_BLOCK) {
        *blocks = (struct blocks){0, 1, 0, 0, enc->cb_params.e};
        return 0;
    }
    *blocks = (struct blocks){0, 0, enc->tb_params.cab, enc->tb_params.ea, enc->tb_params.eb};
    return count_blocks(blocks, enc->tb_params.r, enc->tb_params.c);
}

/* Bits of the output, each block from a byte on unless they are to be joined. */
static uint64_t output_bits(const struct blocks *blocks, int joined)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < blocks->n; i++)
        bits += joined ? e_of(blocks, i) : (e_of(blocks, i) + 7u) / 8u * 8u;
    return bits;
}

static struct bbdev_job encoder_job(const struct rte_bbdev_op_ldpc_enc *enc,
                                    const struct circle *circle, unsigned crc, uint32_t e)
{
    /* The first bits of a longer sequence: quarters of a word, so that few kinds serve all lengths. */
    const uint32_t step = RTE_MAX(circle->ncb / 4, 1u);

    return (struct bbdev_job){
        .kind = {.work = BBDEV_LDPC_ENCODE,
                 .crc = (uint8_t)crc,
                 .rv = enc->rv_index,
                 .bg = enc->basegraph,
                 .size = enc->z_c,
                 .fillers = enc->n_filler,
                 .ncb = enc->n_cb,
                 .e = (e + step - 1) / step * step},
        .qm = enc->op_flags & RTE_BBDEV_LDPC_INTERLEAVER_BYPASS ? 1 : enc->q_m,
        .n = (circle->k - enc->n_filler - bbdev_crc_bits(crc) + 7) / 8,
        .bits = e,
    };
}

static int split_encoder(void *at, struct bbdev_job *jobs)
{
    struct rte_bbdev_enc_op *op = at;
    struct rte_bbdev_op_ldpc_enc *enc = &op->ldpc_enc;
    const unsigned crc = crc_of(enc->op_flags, RTE_BBDEV_LDPC_CRC_24A_ATTACH,
                                RTE_BBDEV_LDPC_CRC_24B_ATTACH, RTE_BBDEV_LDPC_CRC_16_ATTACH);
    const int joined = (enc->op_flags & RTE_BBDEV_LDPC_ENC_CONCATENATION) != 0;
    struct circle circle;
    struct blocks blocks;
    uint32_t from = 0, at_bit = 0;
    uint64_t bits;
    uint8_t *out;

    op->status = 0;
    if (enc->op_flags & ~(uint32_t)BBDEV_LDPC_ENCODER_FLAGS ||
        !(enc->op_flags & RTE_BBDEV_LDPC_RATE_MATCH))
        return bbdev_unsupported(&op->status);
    if (make_circle(&circle, enc->basegraph, enc->z_c, enc->n_cb, enc->n_filler, enc->rv_index) ||
        encoder_blocks(enc, &blocks) || circle.k - enc->n_filler <= bbdev_crc_bits(crc))
        return bbdev_bad_data(&op->status);
    bits = output_bits(&blocks, joined);
    out = bits > UINT16_MAX * 8u ? NULL : bbdev_reserve(&enc->output, (uint32_t)(bits + 7) / 8);
    if (!out)
        return bbdev_bad_data(&op->status);
    for (unsigned i = 0; i < blocks.n; i++) {
        const uint32_t e = e_of(&blocks, i);

        jobs[i] = encoder_job(enc, &circle, crc, e);
        if (!is_qm(jobs[i].qm) || bad_length(e, jobs[i].qm) || !enc->input.data ||
            enc->input.length < from + jobs[i].n)
            return bbdev_bad_data(&op->status);
        jobs[i].from = from;
        jobs[i].at = at_bit;
        jobs[i].out = out;
        jobs[i].op = op;
        from += jobs[i].n;
        at_bit += joined ? e : (e + 7) / 8 * 8;
    }
    return (int)blocks.n;
}

static int load_encoder(const struct bbdev_job *job, struct bbdev_class *class, unsigned row,
                        struct bbdev_tables *tables)
{
    const struct rte_bbdev_enc_op *op = job->op;
    const uint8_t *from = bbdev_read(&op->ldpc_enc.input, job->from, job->n, tables->copy);

    if (!from)
        return -1;
    memcpy(class->in + row * class->in_bytes, from, job->n);
    return 0;
}

static void store_encoder(const struct bbdev_job *job, const struct bbdev_class *class,
                          unsigned row)
{
    bbdev_pack(class->out + row * class->out_bytes, job->bits, job->qm, job->out, job->at);
}

const struct bbdev_family bbdev_ldpc_encoder = {split_encoder, load_encoder, store_encoder};
