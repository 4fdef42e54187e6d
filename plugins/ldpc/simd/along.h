/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: one block, vectors along the lanes of its base rows. */

/* One base row in work. */
struct along {
    const uint16_t *from; /* of simd.from[] */
    const int8_t *in[LDPC_UNROLLED];
    int8_t *out[LDPC_UNROLLED];
    const int8_t *leaf;
    int8_t *message;
    uint8_t *leaf_sign; /* NULL: not wanted */
    int64_t z;
    const struct rule *rule;
    bool late; /* TURN_LATE */
    /* simd/double_edges.h */
    const struct ldpc_along_step *step;
    uint32_t steps;
    unsigned single;          /* edges that are no twins */
    int8_t *twin[LDPC_TWINS]; /* columns of the twins, the last one first */
};

static FECRUN_ALWAYS_INLINE void along_vector(const struct along *row, unsigned d, bool leaf,
                                              enum turn turn, int64_t at, const uint16_t *from,
                                              int8_t *message)
{
    vec q[LDPC_UNROLLED + 1];
    struct messages m;

    UNROLL
    for (unsigned j = 0; j < d; j++) {
        q[j] = vec_load_any(row->in[j] + from[j]);
        if (turn != TURN_FIRST)
            q[j] = without(q[j], vec_load(message + j * VEC_BYTES), turn == TURN_LATE);
    }
    if (leaf)
        q[d] = vec_load_any(row->leaf + at);
    m = row_messages(q, d + leaf, row->rule);
    UNROLL
    for (unsigned j = 0; j < d; j++) {
        vec r;

        if (d > ROW_HELD)
            vec_keep(q[j]);
        r = message_to(q[j], &m);
        vec_store(message + j * VEC_BYTES, r);
        vec_store(row->out[j] + at, vec_i8_add_sat(q[j], r));
    }
    if (leaf && row->leaf_sign)
        vec_i8_put_signs(row->leaf_sign + at / 8, vec_i8_add_sat(q[d], message_to(q[d], &m)));
}

static FECRUN_ALWAYS_INLINE void along_row(const struct along *row, unsigned d, bool leaf,
                                           enum turn turn)
{
    const int64_t z = row->z;
    const uint16_t *from = row->from;
    int8_t *message = row->message;

    for (int64_t at = 0; at < z; at += VEC_BYTES, message += d * VEC_BYTES, from += d)
        along_vector(row, d, leaf, turn, at, from, message);
    UNROLL
    for (unsigned j = 0; j < d; j++)
        vec_store_any(row->out[j] + z, vec_load(row->out[j]));
}

#define ALONG_ROWS(d) \
    static void along_##d(const struct along *row, bool leaf, enum turn turn) \
    { \
        EACH_TURN(along_row, row, d, leaf, turn); \
    }
EACH_DEGREE(ALONG_ROWS)

#define ALONG_ENTRY(d) [d] = along_##d,
static void (*const along_rows[LDPC_UNROLLED + 1])(const struct along *, bool,
                                                   enum turn) = {EACH_DEGREE(ALONG_ENTRY)};

/* Without a branch: it would be foreseen badly. */
static FECRUN_ALWAYS_INLINE const int8_t *lanes_at(const int8_t *column, int64_t at, uint32_t turn,
                                                   int64_t z)
{
    const int64_t wrap = z - (int64_t)turn;

    return column + turn + at - (z & (wrap - 1 - at) >> 63);
}

/* A row of any length. */
static void along_long(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                       const struct ldpc_along_row *r, const struct along *row)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;
    const bool leaf = r->leaf != LDPC_NO_LEAF;
    const unsigned d = r->degree;
    vec *q = (void *)w->long_row;
    int8_t *message = row->message;

    for (int64_t at = 0; at < row->z; at += VEC_BYTES, message += d * VEC_BYTES) {
        struct messages m;

        for (unsigned j = 0; j < d; j++)
            q[j] = without(
                vec_load_any(lanes_at(w->current[edge[j].col], at, edge[j].turn, row->z)),
                vec_load(message + j * VEC_BYTES), row->late);
        if (leaf)
            q[d] = vec_load_any(row->leaf + at);
        m = long_messages(q, d + leaf, row->rule);
        for (unsigned j = 0; j < d; j++) {
            vec r_j = message_to(q[j], &m);

            vec_store(message + j * VEC_BYTES, r_j);
            vec_store(w->spare[j] + at, vec_i8_add_sat(q[j], r_j));
        }
        if (leaf && row->leaf_sign)
            vec_i8_put_signs(row->leaf_sign + at / 8, vec_i8_add_sat(q[d], message_to(q[d], &m)));
    }
    for (unsigned j = 0; j < d; j++) {
        int8_t *out = w->spare[j], **current = &w->current[edge[j].col];

        vec_store_any(out + row->z, vec_load(out));
        w->spare[j] = *current;
        *current = out;
    }
}

/* The results go to spare buffers, and the columns' old ones are spare then. */
static FECRUN_ALWAYS_INLINE void along_edges(const struct ldpc_simd *s,
                                             const struct ldpc_along_work *w,
                                             const struct ldpc_along_row *r, struct along *row)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;

    for (unsigned j = 0; j < r->degree - r->twins; j++) {
        int8_t *out = w->spare[j], **current = &w->current[edge[j].col];

        row->in[j] = *current;
        row->out[j] = out;
        w->spare[j] = *current;
        *current = out;
    }
}

#include "plugins/ldpc/simd/double_edges.h"

/*
 * The lane that does not have the row's edge `skip` has a bit there that is sure to be 0 for as long as the row
 * is done, and no message, so that it changes nothing. Returns what the bit was.
 */
static int8_t along_hide(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                         const struct ldpc_along_row *r, int64_t z)
{
    const struct ldpc_along_edge *edge = &s->edge[r->first + r->skip];
    int8_t *column = w->current[edge->col];
    const int64_t at = (edge->turn + r->skip_lane) % z;
    const int8_t kept = column[at];

    column[at] = 127;
    if (at < VEC_BYTES) /* vectors that go over the end have it there */
        column[at + z] = 127;
    return kept;
}

static void along_show(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                       const struct ldpc_along_row *r, const struct along *row, int8_t kept)
{
    int8_t *column = w->current[s->edge[r->first + r->skip].col];
    const int64_t lane = r->skip_lane;

    column[lane] = kept;
    if (lane < VEC_BYTES)
        column[lane + row->z] = kept;
    row->message[r->skip_message] = 0;
}

static void along_iteration(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                            uint32_t iteration, bool signs)
{
    const int64_t z = (int64_t)s->decode->code->z;
    const struct ldpc_phase *phase = ldpc_fixed_phase(&s->fixed, iteration);
    struct rule rules[LDPC_FIXED_KINDS];
    const enum turn turn = turn_of(iteration, s->fixed.late);
    struct along row = {.z = z, .message = w->message, .late = turn == TURN_LATE};

    for (unsigned kind = 0; kind < s->fixed.kinds; kind++)
        rules[kind] = rule_of(&s->fixed, phase, kind);
    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *r = &s->row[n];
        const bool leaf = r->leaf != LDPC_NO_LEAF, skip = r->skip != LDPC_NO_SKIP;
        const int8_t kept = skip ? along_hide(s, w, r, z) : 0;
        const size_t messages = (size_t)r->steps * r->degree * VEC_BYTES;

        row.rule = &rules[r->kind];
        row.leaf = leaf ? w->frame + r->leaf : NULL;
        row.leaf_sign = signs ? w->leaf_sign + n * w->leaf_step : NULL;
        if (turn == TURN_FIRST && (!ROW_FIRST || !is_unrolled(r->degree) || r->twins))
            memset(row.message, 0, messages);
        row.from = s->from + r->from;
        if (r->twins) {
            along_twins(s, w, r, &row);
        } else if (is_unrolled(r->degree)) {
            along_edges(s, w, r, &row);
            along_rows[r->degree](&row, leaf, turn);
        } else {
            along_long(s, w, r, &row);
        }
        if (skip)
            along_show(s, w, r, &row, kept);
        row.message += messages;
    }
}

/* The sign that the check of lanes from `at` on has too much, of the lane without the edge. */
static uint64_t along_skipped(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                              const struct ldpc_along_row *r, int64_t at)
{
    const struct ldpc_along_edge *edge = &s->edge[r->first + r->skip];
    const int64_t lane = r->skip_lane, z = (int64_t)s->decode->code->z;

    if (lane < at || lane >= at + VEC_BYTES)
        return 0;
    return (uint64_t)(w->current[edge->col][(edge->check + lane) % z] < 0) << (lane - at);
}

/* Do the checks of all rows hold? */
static bool along_check(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    const int64_t z = (int64_t)s->decode->code->z;

    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *r = &s->row[n];
        const struct ldpc_along_edge *edge = s->edge + r->first;

        for (int64_t at = 0; at < z; at += VEC_BYTES) {
            vec odd = vec_load_any(lanes_at(w->current[edge[0].col], at, edge[0].check, z));
            uint64_t bits = 0, leaf = 0;

            for (unsigned j = 1; j < r->degree; j++)
                odd = vec_xor(
                    odd, vec_load_any(lanes_at(w->current[edge[j].col], at, edge[j].check, z)));
            vec_i8_put_signs(&bits, odd);
            if (r->skip != LDPC_NO_SKIP)
                bits ^= along_skipped(s, w, r, at);
            if (r->leaf != LDPC_NO_LEAF)
                memcpy(&leaf, w->leaf_sign + n * w->leaf_step + at / 8, VEC_BYTES / 8);
            bits ^= leaf;
            if (z - at < VEC_BYTES)
                bits &= (UINT64_C(1) << (z - at)) - 1;
            if (bits)
                return false;
        }
    }
    return true;
}

#include "plugins/ldpc/simd/packed.h"

/* bytes[i] = frame[i] < 0, or, packed, eight of them in a byte. n is rounded up to whole vectors. */
static void write_bits(const int8_t *L, uint64_t n, uint8_t *bits, bool packed)
{
    uint64_t i = 0;

    for (; i + VEC_BYTES <= n; i += VEC_BYTES)
        if (packed)
            vec_i8_put_signs_first_high(bits + i / 8, vec_load_any(L + i));
        else
            vec_store_any(bits + i, vec_mask_ones(vec_i8_negative(vec_load_any(L + i))));
    if (i < n && packed) {
        uint8_t last[VEC_BYTES / 8];
        uint64_t rest = n - i;

        vec_i8_put_signs_first_high(last, vec_load_any(L + i));
        if (rest % 8)
            last[rest / 8] &= (uint8_t)(0xff00 >> rest % 8);
        memcpy(bits + i / 8, last, (rest + 7) / 8);
    }
    for (; i < n && !packed; i++)
        bits[i] = L[i] < 0;
}

/* In whole vectors: up to 63 bytes behind n are read and written, too. */
static FECRUN_ALWAYS_INLINE void put_bytes(int8_t *to, const int8_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += VEC_BYTES)
        vec_store_any(to + i, vec_load_any(from + i));
}

/* Columns of the frame to buffers of their own, rotated as they are at the end of an iteration. */
static void along_put(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    const uint32_t z = s->decode->code->z;

    for (uint32_t c = 0; c < s->n_columns; c++) {
        const struct ldpc_along_column *column = &s->column[c];
        const int8_t *from = w->frame + (size_t)column->col * z;
        int8_t *to = w->buffers + c * w->buffer;

        w->current[c] = to;
        put_bytes(to, from + column->rotation, z - column->rotation);
        put_bytes(to + z - column->rotation, from, column->rotation);
        vec_store_any(to + z, vec_load(to));
    }
    for (uint32_t j = 0; j < s->max_degree; j++)
        w->spare[j] = w->buffers + (s->n_columns + j) * w->buffer;
}

/* And back. */
static void along_get(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    const uint32_t z = s->decode->code->z;

    for (uint32_t c = 0; c < s->n_columns; c++) {
        const struct ldpc_along_column *column = &s->column[c];
        int8_t *to = w->frame + (size_t)column->col * z;

        memcpy(to + column->rotation, w->current[c], z - column->rotation);
        memcpy(to, w->current[c] + z - column->rotation, column->rotation);
    }
}

/* The frame's columns, scaled. */
static void along_input(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                        const int8_t *llr)
{
    const struct ldpc_code *code = s->decode->code;
    const struct ldpc_gain gain = ldpc_fixed_gain(&s->fixed, llr, GAIN_ADD_UP);

    if (code->place) {
        memcpy(w->frame, llr, s->straight);
        memset(w->frame + s->straight, 0, s->used - s->straight);
        for (uint32_t item = s->straight; item < code->n; item++)
            if (code->place[item] < s->used)
                w->frame[code->place[item]] = llr[item];
    } else {
        uint32_t end = s->used < code->n + code->punctured ? s->used : code->n + code->punctured;

        memset(w->frame, 0, code->punctured);
        memcpy(w->frame + code->punctured, llr, end - code->punctured);
        memset(w->frame + end, 0, s->used - end);
    }
    scale_block(&gain, w->frame, s->used);
    limit_lone(s, w->frame, 1);
    memset(w->frame + code->k - code->fillers, LDPC_FIXED_INPUT, code->fillers);
}

/* Is anything known of these bits? As a rule the first LLR says so. */
static bool any_known(const int8_t *L, uint64_t bits)
{
    for (uint64_t i = 0; i < bits; i++)
        if (L[i])
            return true;
    return false;
}

/* Decisions of the frame. False: nothing is known of the bits. */
static bool along_output(const struct ldpc_simd *s, const struct ldpc_along_work *w, uint8_t *bits,
                         bool packed)
{
    const struct ldpc_code *code = s->decode->code;

    if (code->info) {
        int8_t *in_order = w->buffers; /* free now, and large enough: see ldpc_along_carve() */

        for (uint64_t i = 0; i < s->decode->bits; i++)
            in_order[i] = w->frame[code->info[i]];
        write_bits(in_order, s->decode->bits, bits, packed);
        return any_known(in_order, s->decode->bits);
    }
    write_bits(w->frame, s->decode->bits, bits, packed);
    return any_known(w->frame, s->decode->bits);
}

/* What to do with columns that lie in buffers, and with those in slots. */
struct along_form {
    void (*put)(const struct ldpc_simd *, const struct ldpc_along_work *);
    void (*iteration)(const struct ldpc_simd *, const struct ldpc_along_work *, uint32_t, bool);
    bool (*check)(const struct ldpc_simd *, const struct ldpc_along_work *);
    void (*get)(const struct ldpc_simd *, const struct ldpc_along_work *);
};

static const struct along_form *form_of(const struct ldpc_simd *s)
{
    static const struct along_form along = {along_put, along_iteration, along_check, along_get};

#if ROW_SLOTS
    static const struct along_form packed = {packed_put, packed_iteration, packed_check,
                                             packed_get};

    if (s->packed.slot)
        return &packed;
#endif
    (void)s;
    return &along;
}

static void along(const struct ldpc_simd *s, const struct ldpc_batch *batch, uint64_t frame,
                  void *scratch)
{
    const struct ldpc_decode *d = s->decode;
    const struct along_form *form = form_of(s);
    struct ldpc_along_work w;
    struct ldpc_verdict verdict = {0, false};

    ldpc_along_carve(&w, s, scratch);
    along_input(s, &w, batch->llr + frame * batch->llr_stride);
    form->put(s, &w);
    while (verdict.iterations < d->iterations && !verdict.converged) {
        bool check = d->early_stop || verdict.iterations + 1 == d->iterations;

        form->iteration(s, &w, verdict.iterations, check);
        verdict.iterations++;
        verdict.converged = check && form->check(s, &w);
    }
    form->get(s, &w);
    if (!along_output(s, &w, batch->bits + frame * batch->bits_stride, batch->packed))
        verdict.converged = false;
    if (ldpc_wants_soft(batch))
        ldpc_put_soft(s, batch, frame, w.frame, 1);
    ldpc_report(&verdict, &batch->info[frame]);
}
