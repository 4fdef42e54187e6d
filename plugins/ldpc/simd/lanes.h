/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: 64 blocks side by side, lifted row after lifted row. */

struct lanes {
    int8_t *L, *message;
    const uint32_t *index;
    uint64_t *leaf_sign;
    bool signs; /* leaf_sign is wanted */
    uint32_t rows;
    const struct rule *rule;
};

static FECRUN_ALWAYS_INLINE void lanes_vector(const struct lanes *run, unsigned d, bool leaf,
                                              bool first, unsigned at, uint64_t *sign)
{
    int8_t *L = run->L + at, *message = run->message + at;
    const uint32_t *index = run->index;
    vec q[LDPC_UNROLLED + 1];
    struct messages m;

    UNROLL
    for (unsigned j = 0; j < d; j++) {
        q[j] = V_LOAD(L + (size_t)index[j] * LDPC_LANES);
        if (!first)
            q[j] = V_SUBS(q[j], V_LOAD(message + j * LDPC_LANES));
    }
    if (leaf)
        q[d] = V_LOAD(L + (size_t)index[d] * LDPC_LANES);
    m = row_messages(q, d + leaf, run->rule);
    UNROLL
    for (unsigned j = 0; j < d; j++) {
        vec r;

        if (d > V_HELD)
            V_KEEP(q[j]);
        r = message_to(q[j], &m);
        V_STORE(message + j * LDPC_LANES, r);
        V_STORE(L + (size_t)index[j] * LDPC_LANES, V_ADDS(q[j], r));
    }
    if (leaf && run->signs)
        V_SIGNS(V_ADDS(q[d], message_to(q[d], &m)), (uint8_t *)sign + at / 8);
}

static FECRUN_ALWAYS_INLINE void lanes_rows_of(struct lanes *run, unsigned d, bool leaf, bool first)
{
    struct lanes row = *run;

    for (uint32_t n = 0; n < run->rows; n++) {
        for (unsigned at = 0; at < LDPC_LANES; at += V_WIDTH)
            lanes_vector(&row, d, leaf, first, at, row.leaf_sign);
        row.message += d * LDPC_LANES;
        row.index += d + leaf;
        row.leaf_sign++;
    }
}

#define LANES_ROWS(d) \
    static void lanes_##d(struct lanes *run, bool leaf, bool first) \
    { \
        if (leaf && first && V_FIRST) \
            lanes_rows_of(run, d, true, true); \
        else if (leaf) \
            lanes_rows_of(run, d, true, false); \
        else if (first && V_FIRST) \
            lanes_rows_of(run, d, false, true); \
        else \
            lanes_rows_of(run, d, false, false); \
    }
EACH_DEGREE(LANES_ROWS)

#define LANES_ENTRY(d) [d] = lanes_##d,
static void (*const lanes_rows[LDPC_UNROLLED + 1])(struct lanes *, bool,
                                                   bool) = {EACH_DEGREE(LANES_ENTRY)};

/* Rows of any length. */
static void lanes_long(const struct lanes *run, unsigned d, bool leaf, int8_t *long_row)
{
    struct lanes row = *run;
    vec *q = (void *)long_row;

    for (uint32_t n = 0; n < run->rows; n++) {
        for (unsigned at = 0; at < LDPC_LANES; at += V_WIDTH) {
            int8_t *L = row.L + at, *message = row.message + at;
            struct messages m;

            for (unsigned j = 0; j < d; j++)
                q[j] = V_SUBS(V_LOAD(L + (size_t)row.index[j] * LDPC_LANES),
                              V_LOAD(message + j * LDPC_LANES));
            if (leaf)
                q[d] = V_LOAD(L + (size_t)row.index[d] * LDPC_LANES);
            m = long_messages(q, d + leaf, row.rule);
            for (unsigned j = 0; j < d; j++) {
                vec r = message_to(q[j], &m);

                V_STORE(message + j * LDPC_LANES, r);
                V_STORE(L + (size_t)row.index[j] * LDPC_LANES, V_ADDS(q[j], r));
            }
            if (leaf && row.signs)
                V_SIGNS(V_ADDS(q[d], message_to(q[d], &m)), (uint8_t *)row.leaf_sign + at / 8);
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
    const bool first = iteration == 0;
    struct lanes run = {.L = w->L,
                        .message = w->message,
                        .index = s->index,
                        .leaf_sign = w->leaf_sign,
                        .signs = signs};

    for (unsigned kind = 0; kind < s->fixed.kinds; kind++)
        rules[kind] = rule_of(&s->fixed, phase, kind);
    for (uint32_t n = 0; n < s->n_runs; n++) {
        const struct ldpc_lanes_run *r = &s->run[n];
        const size_t messages = (size_t)r->rows * r->degree * LDPC_LANES;

        run.rule = &rules[r->kind];
        run.rows = r->rows;
        if (first && (!V_FIRST || r->degree > LDPC_UNROLLED))
            memset(run.message, 0, messages);
        if (r->degree <= LDPC_UNROLLED)
            lanes_rows[r->degree](&run, r->leaf, first);
        else
            lanes_long(&run, r->degree, r->leaf, w->long_row);
        run.message += messages;
        run.index += (size_t)r->rows * (r->degree + r->leaf);
        run.leaf_sign += r->rows;
    }
}

static FECRUN_ALWAYS_INLINE uint64_t signs_of(const int8_t *L)
{
    uint64_t signs;

    for (unsigned at = 0; at < LDPC_LANES; at += V_WIDTH)
        V_SIGNS(V_LOAD(L + at), (uint8_t *)&signs + at / 8);
    return signs;
}

/* Which of the blocks in `open` have a check that does not hold? */
static uint64_t lanes_check(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                            uint64_t open)
{
    const uint32_t *index = s->index;
    const uint64_t *leaf = w->leaf_sign;
    uint64_t odd = 0;

    for (uint32_t n = 0; n < s->n_runs; n++) {
        const struct ldpc_lanes_run *r = &s->run[n];

        for (uint32_t k = 0; k < r->rows; k++, index += r->degree + r->leaf, leaf++) {
            uint64_t row = r->leaf ? *leaf : 0;

            for (unsigned at = 0; at < LDPC_LANES; at += V_WIDTH) {
                vec x = V_LOAD(w->L + (size_t)index[0] * LDPC_LANES + at);
                uint64_t bits = 0;

                for (unsigned j = 1; j < r->degree; j++)
                    x = V_XOR(x, V_LOAD(w->L + (size_t)index[j] * LDPC_LANES + at));
                V_SIGNS(x, &bits);
                row ^= bits << at;
            }
            odd |= row & open;
            if (odd == open)
                return odd;
        }
    }
    return odd;
}

/* Decisions of the blocks in `blocks`. */
static void lanes_decide(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                         uint64_t blocks)
{
    const uint32_t *info = s->decode->code->info;

    for (uint64_t i = 0; i < s->decode->bits; i++) {
        uint64_t signs = signs_of(w->L + (size_t)(info ? info[i] : i) * LDPC_LANES);

        w->decided[i] = (w->decided[i] & ~blocks) | (signs & blocks);
    }
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

/* One item of 16 blocks out of 16 items of each: 16 x 16 bytes. */
static FECRUN_ALWAYS_INLINE void transpose_16(const int8_t *const *in, int8_t *const *out)
{
    byte16 x[16], y[16];

    UNROLL
    for (unsigned i = 0; i < 16; i++)
        memcpy(&x[i], in[i], 16);
    UNROLL
    for (unsigned step = 0; step < 4; step++) {
        UNROLL
        for (unsigned i = 0; i < 8; i++) {
            y[2 * i] = BYTE16_LOW(x[i], x[i + 8]);
            y[2 * i + 1] = BYTE16_HIGH(x[i], x[i + 8]);
        }
        UNROLL
        for (unsigned i = 0; i < 16; i++)
            x[i] = y[i];
    }
    UNROLL
    for (unsigned i = 0; i < 16; i++)
        memcpy(out[i], &x[i], 16);
}

/* Items of which nothing is used go to `waste`. Blocks that are not there are copies of the first. */
static void lanes_input(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                        const struct ldpc_batch *batch, uint64_t first, uint32_t frames)
{
    const struct ldpc_code *code = s->decode->code;
    int8_t waste[LDPC_LANES], edge[16][16];
    struct ldpc_gain gain[LDPC_LANES];
    struct gains gains;

    memset(w->L, 0, (size_t)s->used * LDPC_LANES);
    for (uint32_t item = 0; item < code->n; item += 16) {
        const uint32_t items = code->n - item < 16 ? code->n - item : 16;

        if (!code->place && item + code->punctured >= s->used)
            break;
        for (unsigned f = 0; f < LDPC_LANES; f += 16) {
            const int8_t *in[16];
            int8_t *out[16];

            for (unsigned i = 0; i < 16; i++) {
                uint32_t v = i < items ? ldpc_place(code, item + i) : s->used;

                out[i] = v < s->used ? w->L + (size_t)v * LDPC_LANES + f : waste;
                in[i] = batch->llr + (first + (f + i < frames ? f + i : 0)) * batch->llr_stride +
                        item;
                if (items < 16)
                    in[i] = memcpy(edge[i], in[i], items);
            }
            transpose_16(in, out);
        }
    }
    for (uint32_t f = 0; f < frames; f++)
        gain[f] = ldpc_fixed_gain(&s->fixed, batch->llr + (first + f) * batch->llr_stride);
    spread_gains(gain, frames, &gains);
    scale_input(&gains, w->L, (size_t)s->used * LDPC_LANES);
    memset(w->L + (size_t)(code->k - code->fillers) * LDPC_LANES, LDPC_FIXED_INPUT,
           (size_t)code->fillers * LDPC_LANES);
}

/* 64 x 64 bits: bit i of word k becomes bit k of word i. */
static void transpose_64(uint64_t *a)
{
    uint64_t mask = 0x00000000ffffffff;

    for (unsigned step = 32; step; step >>= 1, mask ^= mask << step)
        for (unsigned k = 0; k < 64; k = (k + step + 1) & ~step) {
            uint64_t t = (a[k] >> step ^ a[k + step]) & mask;

            a[k] ^= t << step;
            a[k + step] ^= t;
        }
}

/* Decided bits of the lanes in `blocks`, each to the row of its frame. */
static void lanes_output(const struct ldpc_simd *s, const struct ldpc_lanes_work *w,
                         const struct ldpc_batch *batch, const uint64_t *frame, uint64_t blocks)
{
    const uint64_t bits = s->decode->bits;

    for (uint64_t i = 0; i < bits; i += 64) {
        const unsigned n = bits - i < 64 ? (unsigned)(bits - i) : 64;
        uint64_t a[64];

        for (unsigned k = 0; k < 64; k++)
            a[63 - k] = k < n ? w->decided[i + k] : 0;
        transpose_64(a);
        for (uint64_t left = blocks; left; left &= left - 1) {
            const unsigned f = (unsigned)__builtin_ctzll(left);
            uint8_t *out = batch->bits + frame[f] * batch->bits_stride;

            if (batch->packed)
                for (unsigned k = 0; k < n; k += 8)
                    out[(i + k) / 8] = (uint8_t)(a[f] >> (56 - k));
            else
                for (unsigned k = 0; k < n; k++)
                    out[i + k] = a[f] >> (63 - k) & 1;
        }
    }
}
