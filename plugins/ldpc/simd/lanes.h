/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: 64 blocks side by side, lifted row after lifted row. */
#include "plugins/common/vec/vec_blocks.h"

struct lanes {
    int8_t *L, *message;
    const uint32_t *index;
    uint64_t *leaf_sign;
    bool signs; /* leaf_sign is wanted */
    uint32_t rows;
    const struct rule *rule;
    bool late; /* TURN_LATE */
};

/* place: of simd.index[] */
static FECRUN_ALWAYS_INLINE int8_t *lanes_column(int8_t *L, uint32_t place)
{
    return L + (size_t)place * (LDPC_LANES / LDPC_PLACE);
}

static FECRUN_ALWAYS_INLINE uint64_t lanes_sign(const uint64_t *sign, uint32_t place)
{
    return *(const uint64_t *)(const void *)((const char *)sign + place);
}

static FECRUN_ALWAYS_INLINE void lanes_vector(const struct lanes *run, unsigned d, bool leaf,
                                              enum turn turn, unsigned at, uint64_t *sign)
{
    int8_t *L = run->L + at, *message = run->message + at;
    int8_t
        *column[LDPC_UNROLLED + 1]; /* read from index[] once: bytes that are stored might be it */
    vec q[LDPC_UNROLLED + 1];
    struct messages m;

    UNROLL
    for (unsigned j = 0; j < d + leaf; j++)
        column[j] = lanes_column(L, run->index[j]);
    UNROLL
    for (unsigned j = 0; j < d; j++) {
        q[j] = vec_load(column[j]);
        if (turn != TURN_FIRST)
            q[j] = without(q[j], vec_load(message + j * LDPC_LANES), turn == TURN_LATE);
    }
    if (leaf)
        q[d] = vec_load(column[d]);
    m = row_messages(q, d + leaf, run->rule);
    UNROLL
    for (unsigned j = 0; j < d; j++) {
        vec r;

        if (d > ROW_HELD)
            vec_keep(q[j]);
        r = message_to(q[j], &m);
        vec_store(message + j * LDPC_LANES, r);
        vec_store(column[j], vec_i8_add_sat(q[j], r));
    }
    if (leaf && run->signs)
        vec_i8_put_signs((uint8_t *)sign + at / 8, vec_i8_add_sat(q[d], message_to(q[d], &m)));
}

static FECRUN_ALWAYS_INLINE void lanes_rows_of(struct lanes *run, unsigned d, bool leaf,
                                               enum turn turn)
{
    struct lanes row = *run;

    for (uint32_t n = 0; n < run->rows; n++) {
        for (unsigned at = 0; at < LDPC_LANES; at += VEC_BYTES)
            lanes_vector(&row, d, leaf, turn, at, row.leaf_sign);
        row.message += d * LDPC_LANES;
        row.index += d + leaf;
        row.leaf_sign++;
    }
}

#define LANES_ROWS(d) \
    static void lanes_##d(struct lanes *run, bool leaf, enum turn turn) \
    { \
        EACH_TURN(lanes_rows_of, run, d, leaf, turn); \
    }
EACH_DEGREE(LANES_ROWS)

#define LANES_ENTRY(d) [d] = lanes_##d,
static void (*const lanes_rows[LDPC_UNROLLED + 1])(struct lanes *, bool,
                                                   enum turn) = {EACH_DEGREE(LANES_ENTRY)};

/* Rows of any length. */
static void lanes_long(const struct lanes *run, unsigned d, bool leaf, int8_t *long_row)
{
    struct lanes row = *run;
    vec *q = (void *)long_row;

    for (uint32_t n = 0; n < run->rows; n++) {
        for (unsigned at = 0; at < LDPC_LANES; at += VEC_BYTES) {
            int8_t *L = row.L + at, *message = row.message + at;
            struct messages m;

            for (unsigned j = 0; j < d; j++)
                q[j] = without(vec_load(lanes_column(L, row.index[j])),
                               vec_load(message + j * LDPC_LANES), row.late);
            if (leaf)
                q[d] = vec_load(lanes_column(L, row.index[d]));
            m = long_messages(q, d + leaf, row.rule);
            for (unsigned j = 0; j < d; j++) {
                vec r = message_to(q[j], &m);

                vec_store(message + j * LDPC_LANES, r);
                vec_store(lanes_column(L, row.index[j]), vec_i8_add_sat(q[j], r));
            }
            if (leaf && row.signs)
                vec_i8_put_signs((uint8_t *)row.leaf_sign + at / 8,
                                 vec_i8_add_sat(q[d], message_to(q[d], &m)));
        }
        row.message += d * LDPC_LANES;
        row.index += d + leaf;
        row.leaf_sign++;
    }
}

static void lanes_iteration(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                            uint32_t iteration, bool signs)
{
    const struct ldpc_phase *phase = ldpc_fixed_phase(&s->fixed, iteration);
    struct rule rules[LDPC_FIXED_KINDS];
    const enum turn turn = turn_of(iteration, s->fixed.late);
    struct lanes run = {.L = w->L,
                        .message = w->message,
                        .index = s->index,
                        .leaf_sign = w->leaf_sign,
                        .signs = signs,
                        .late = turn == TURN_LATE};

    for (unsigned kind = 0; kind < s->fixed.kinds; kind++)
        rules[kind] = rule_of(&s->fixed, phase, kind);
    for (uint32_t n = 0; n < s->n_runs; n++) {
        const struct ldpc_lanes_run *r = &s->run[n];
        const size_t messages = (size_t)r->rows * r->degree * LDPC_LANES;

        run.rule = &rules[r->kind];
        run.rows = r->rows;
        if (turn == TURN_FIRST && (!ROW_FIRST || !is_unrolled(r->degree)))
            memset(run.message, 0, messages);
        if (is_unrolled(r->degree))
            lanes_rows[r->degree](&run, r->leaf, turn);
        else
            lanes_long(&run, r->degree, r->leaf, w->long_row);
        run.message += messages;
        run.index += (size_t)r->rows * (r->degree + r->leaf);
        run.leaf_sign += r->rows;
    }
}

/* The signs of all columns: word v has those of the blocks' bits v. */
static void lanes_signs(const struct ldpc_simd *s, const struct ldpc_lanes_work *w)
{
    for (size_t v = 0; v < s->used; v++)
        for (unsigned at = 0; at < LDPC_LANES; at += VEC_BYTES)
            vec_i8_put_signs((uint8_t *)&w->sign[v] + at / 8, vec_load(w->L + v * LDPC_LANES + at));
}

/* Of lifted rows with d edges: blocks with a check that does not hold, until those are all in `open`. */
static FECRUN_ALWAYS_INLINE uint64_t lanes_odd(const struct ldpc_lanes_run *r, unsigned d,
                                               const uint64_t *sign, const uint32_t *index,
                                               const uint64_t *leaf, uint64_t open)
{
    uint64_t odd = 0;

    for (uint32_t k = 0; k < r->rows && (odd & open) != open; k++, index += d + r->leaf) {
        uint64_t row = r->leaf ? leaf[k] : 0;

        UNROLL
        for (unsigned j = 0; j < d; j++)
            row ^= lanes_sign(sign, index[j]);
        odd |= row;
    }
    return odd & open;
}

#define LANES_ODD(d) \
    case d: \
        return lanes_odd(r, d, sign, index, leaf, open);

static uint64_t lanes_odd_of(const struct ldpc_lanes_run *r, const uint64_t *sign,
                             const uint32_t *index, const uint64_t *leaf, uint64_t open)
{
    switch (r->degree) {
        EACH_DEGREE(LANES_ODD)
    default:
        return lanes_odd(r, r->degree, sign, index, leaf, open);
    }
}

/* By the signs: which of the blocks in `open` have a check that does not hold? */
static uint64_t lanes_check(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                            uint64_t open)
{
    const uint32_t *index = s->index;
    const uint64_t *leaf = w->leaf_sign;
    uint64_t odd = 0;

    for (uint32_t n = 0; n < s->n_runs && odd != open; n++) {
        const struct ldpc_lanes_run *r = &s->run[n];

        odd |= lanes_odd_of(r, w->sign, index, leaf, open & ~odd);
        index += (size_t)r->rows * (r->degree + r->leaf);
        leaf += r->rows;
    }
    return odd;
}

/* Decisions of the blocks in `blocks`, by the signs. */
static void lanes_decide(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                         uint64_t blocks)
{
    const uint32_t *info = s->decode->code->info;

    for (uint64_t i = 0; i < s->decode->bits; i++)
        w->decided[i] = (w->decided[i] & ~blocks) | (w->sign[info ? info[i] : i] & blocks);
}

/* Is anything known of the block's information bits? As a rule the first LLR says so. */
static bool lanes_known(const struct ldpc_simd *s, const struct ldpc_lanes_work *w, uint32_t block)
{
    const uint32_t *info = s->decode->code->info;

    for (uint64_t i = 0; i < s->decode->bits; i++)
        if (w->L[(size_t)(info ? info[i] : i) * LDPC_LANES + block])
            return true;
    return false;
}

/* One item of VEC_BYTES blocks out of 16 items of each; in[] + at: of the blocks, out[]: of the items. */
static FECRUN_ALWAYS_INLINE void transpose_items(const void *const *in, uint32_t at,
                                                 int8_t *const *out)
{
    vec x[16];

    UNROLL
    for (unsigned i = 0; i < 16; i++)
        x[i] = vec_load_rows(in + i, at);
    vec_i8_transpose(x);
    UNROLL
    for (unsigned i = 0; i < 16; i++)
        vec_store(out[i], x[i]);
}

/* Items `from`.. of VEC_BYTES blocks to their columns; those of which nothing is used go to `waste`. */
static void lanes_items(const struct ldpc_simd *s, int8_t *L, const void *const *in, uint32_t from)
{
    const struct ldpc_code *code = s->decode->code;
    const uint32_t items = code->n - from < 16 ? code->n - from : 16;
    int8_t waste[LDPC_LANES] __attribute__((aligned(LDPC_LANES))), edge[VEC_BYTES][16];
    const void *in_edge[VEC_BYTES];
    int8_t *out[16];

    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t v = i < items ? ldpc_place(code, from + i) : s->used;

        out[i] = v < s->used ? L + (size_t)v * LDPC_LANES : waste;
    }
    if (items == 16) {
        transpose_items(in, from, out);
        return;
    }
    for (unsigned f = 0; f < VEC_BYTES; f++)
        in_edge[f] = memcpy(edge[f], (const int8_t *)in[f] + from, items);
    transpose_items(in_edge, 0, out);
}

/* Blocks that are not there are copies of the first. */
static void lanes_input(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                        const struct ldpc_batch *batch, uint64_t first, uint32_t frames)
{
    const struct ldpc_code *code = s->decode->code;
    const void *in[LDPC_LANES];
    struct ldpc_gain gain[LDPC_LANES];
    struct gains gains;

    for (uint32_t f = 0; f < LDPC_LANES; f++)
        in[f] = batch->llr + (first + (f < frames ? f : 0)) * batch->llr_stride;
    memset(w->L, 0, (size_t)s->used * LDPC_LANES);
    for (uint32_t item = 0; item < code->n; item += 16) {
        if (!code->place && item + code->punctured >= s->used)
            break;
        for (unsigned f = 0; f < LDPC_LANES; f += VEC_BYTES)
            lanes_items(s, w->L + f, in + f, item);
    }
    for (uint32_t f = 0; f < frames; f++)
        gain[f] = ldpc_fixed_gain(&s->fixed, in[f], GAIN_ADD_UP);
    spread_gains(gain, frames, &gains);
    scale_input(&gains, w->L, (size_t)s->used * LDPC_LANES);
    limit_lone(s, w->L, LDPC_LANES);
    memset(w->L + (size_t)(code->k - code->fillers) * LDPC_LANES, LDPC_FIXED_INPUT,
           (size_t)code->fillers * LDPC_LANES);
}

/* Byte b of 64 words becomes row b of 64 bytes. */
static void bytes_of_words(const uint64_t *word, uint8_t (*row)[64])
{
    for (unsigned i = 0; i < 64; i++) {
        uint64_t x = word[i];

        UNROLL
        for (unsigned b = 0; b < 8; b++)
            row[b][i] = (uint8_t)(x >> 8 * b);
    }
}

/* The first n of 64 bits, which are the signs of that many bytes. */
static void write_64(const uint8_t *signs, unsigned n, uint8_t *bits, bool packed)
{
    uint8_t all[64];
    uint8_t *to = n < 64 ? all : bits;

    for (unsigned at = 0; at < 64; at += VEC_BYTES)
        if (packed)
            vec_i8_put_signs_first_high(to + at / 8, vec_load(signs + at));
        else
            vec_store_any(to + at, vec_mask_ones(vec_i8_negative(vec_load(signs + at))));
    if (to == all)
        memcpy(bits, all, packed ? (n + 7) / 8 : n);
}

/* Decided bits of the lanes in `blocks`, each to the row of its frame. */
static void lanes_output(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                         const struct ldpc_batch *batch, const uint64_t *frame, uint64_t blocks)
{
    const uint64_t bits = s->decode->bits;
    uint8_t row[8][64] __attribute__((aligned(64)));

    for (uint64_t i = 0; i < bits; i += 64) {
        const unsigned n = bits - i < 64 ? (unsigned)(bits - i) : 64;
        uint64_t word[64] = {0};

        memcpy(word, w->decided + i, n * sizeof *word);
        bytes_of_words(word, row);
        for (uint64_t left = blocks; left; left &= left - 1) {
            const unsigned f = (unsigned)__builtin_ctzll(left);
            uint8_t signs[64] __attribute__((aligned(64)));

            for (unsigned k = 0; k < 64; k++)
                signs[k] = (uint8_t)(row[f / 8][k] << (7 - f % 8));
            write_64(signs, n,
                     batch->bits + frame[f] * batch->bits_stride + (batch->packed ? i / 8 : i),
                     batch->packed);
        }
    }
}
