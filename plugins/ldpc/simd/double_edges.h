/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: rows with several edges to one column (twins), so that lanes share bits. Vectors go one after the
 * other as ldpc_order_lanes() says, each with what those before have left: columns with twins are changed where they
 * are, and stay as they are rotated. All others go to spare buffers, as everywhere.
 *
 * Twins are the row's last edges. They are read last and written first, so that what the vector before has written
 * is in the cache by then: a store that a load takes some bytes of only would hold up the load.
 */

/* Bytes of part i to a column of z lanes, from p on, and to where the first lanes are once more. */
static FECRUN_ALWAYS_INLINE void put_part(int8_t *column, int64_t p, int64_t z, bool parts,
                                          unsigned i, lanes_t lanes, vec x)
{
    const int64_t width = VEC_BYTES / (parts ? ROW_PARTS : 1);
    int8_t *at = column + p;
    int8_t *again[2] = {at, at}; /* without a branch: it would be foreseen badly */

    (void)i;
    if (p + width > z)
        again[0] = at - z;
    if (p < VEC_BYTES)
        again[z < 2 * VEC_BYTES] = at + z;
    if (parts) {
        store_part(at, i, lanes, x);
        store_part(again[0], i, lanes, x);
        if (z < 2 * VEC_BYTES)
            store_part(again[1], i, lanes, x);
    } else {
        store_lanes(at, lanes, x);
        store_lanes(again[0], lanes, x);
        if (z < 2 * VEC_BYTES)
            store_lanes(again[1], lanes, x);
    }
}

/* from: of the edge */
static FECRUN_ALWAYS_INLINE void put_twin(int8_t *column, const uint16_t *from, int64_t z,
                                          bool parts, lanes_t lanes, vec x)
{
    for (unsigned i = 0; i < (parts ? ROW_PARTS : 1); i++)
        put_part(column, from[i], z, parts, i, lanes, x);
}

/* To where the other edges' results go. */
static FECRUN_ALWAYS_INLINE void put_single(int8_t *out, const struct ldpc_along_step *step,
                                            bool parts, lanes_t lanes, vec x)
{
    if (!parts)
        vec_store_any(out + step->first[0], x);
    for (unsigned i = 0; parts && i < ROW_PARTS; i++)
        store_part(out + step->first[i], i, lanes, x);
}

static FECRUN_ALWAYS_INLINE vec twins_load(const int8_t *column, const uint16_t *from, bool parts)
{
    (void)parts;
    return parts ? load_parts(column + from[0], column + from[ROW_PARTS - 1])
                 : vec_load_any(column + from[0]);
}

#if ROW_LONG

static FECRUN_ALWAYS_INLINE void twins_vector(const struct along *row, unsigned d, bool parts,
                                              const struct ldpc_along_step *step,
                                              const uint16_t *from, int8_t *message)
{
    const unsigned n = parts ? ROW_PARTS : 1, written_first = d < LDPC_TWINS ? d : LDPC_TWINS;
    const lanes_t lanes = lanes_of(step->lanes);
    vec q[LDPC_UNROLLED], twin[LDPC_TWINS];
    struct messages m;

    UNROLL
    for (unsigned j = 0; j < d; j++)
        q[j] = without(twins_load(row->in[j], from + j * n, parts),
                       vec_load(message + j * VEC_BYTES), row->late);
    m = row_messages(q, d, row->rule);
    UNROLL
    for (unsigned j = d; j-- > 0;) {
        vec r, L;

        vec_keep(q[j]);
        r = message_to(q[j], &m);
        L = vec_i8_add_sat(q[j], r);
        vec_store(message + j * VEC_BYTES, r);
        if (j + LDPC_TWINS >= d && j >= row->single)
            twin[d - 1 - j] = L;
        else
            put_single(row->out[j], step, parts, lanes, L);
        if (d - j == written_first)
            for (unsigned k = 0; k < d - row->single; k++)
                put_twin(row->twin[k], from + (d - 1 - k) * n, row->z, parts, lanes, twin[k]);
    }
}

static FECRUN_ALWAYS_INLINE void twins_row(const struct along *row, unsigned d, bool parts)
{
    const uint16_t *from = row->from;
    int8_t *message = row->message;

    for (uint32_t k = 0; k < row->steps; k++) {
        twins_vector(row, d, parts, row->step + k, from, message);
        message += d * VEC_BYTES;
        from += d * (parts ? ROW_PARTS : 1);
    }
}

#define TWINS_ROWS(d) \
    static void twins_##d(const struct along *row, bool parts) \
    { \
        if (parts) \
            twins_row(row, d, true); \
        else \
            twins_row(row, d, false); \
    }
EACH_DEGREE(TWINS_ROWS)

#define TWINS_ENTRY(d) [d] = twins_##d,
static void (*const twins_rows[LDPC_UNROLLED + 1])(const struct along *,
                                                   bool) = {EACH_DEGREE(TWINS_ENTRY)};

/* Is it done? */
static bool twins_unrolled(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                           const struct ldpc_along_row *r, struct along *row)
{
    const unsigned d = r->degree;

    if (!is_unrolled(d) || r->twins > LDPC_TWINS)
        return false;
    row->single = d - r->twins;
    along_edges(s, w, r, row);
    for (unsigned j = row->single; j < d; j++)
        row->in[j] = row->twin[d - 1 - j] = w->current[s->edge[r->first + j].col];
    twins_rows[d](row, r->parts);
    for (unsigned j = 0; j < row->single; j++)
        vec_store_any(row->out[j] + row->z, vec_load(row->out[j]));
    return true;
}

#else

static bool twins_unrolled(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                           const struct ldpc_along_row *r, struct along *row)
{
    (void)s;
    (void)w;
    (void)r;
    (void)row;
    return false;
}

#endif

/* A vector of a row of any length. */
static void twins_long(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                       const struct ldpc_along_row *r, const struct along *row, uint32_t at)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;
    const struct ldpc_along_step *step = row->step + at;
    const unsigned d = r->degree, n = r->parts ? ROW_PARTS : 1;
    const lanes_t lanes = lanes_of(step->lanes);
    const uint16_t *from = row->from + (size_t)at * d * n;
    int8_t *message = row->message + (size_t)at * d * VEC_BYTES;
    vec *q = (void *)w->long_row;
    struct messages m;

    for (unsigned j = 0; j < d; j++)
        q[j] = without(twins_load(w->current[edge[j].col], from + j * n, r->parts),
                       vec_load(message + j * VEC_BYTES), row->late);
    m = long_messages(q, d, row->rule);
    for (unsigned j = d; j-- > 0;) {
        const vec r_j = message_to(q[j], &m), L = vec_i8_add_sat(q[j], r_j);

        vec_store(message + j * VEC_BYTES, r_j);
        if (j >= d - r->twins)
            put_twin(w->current[edge[j].col], from + j * n, row->z, r->parts, lanes, L);
        else
            put_single(w->spare[j], step, r->parts, lanes, L);
    }
}

static void along_twins(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                        const struct ldpc_along_row *r, struct along *row)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;

    row->step = s->step + r->step;
    row->steps = r->steps;
    if (twins_unrolled(s, w, r, row))
        return;
    for (uint32_t at = 0; at < r->steps; at++)
        twins_long(s, w, r, row, at);
    for (unsigned j = 0; j < r->degree - r->twins; j++) {
        int8_t *out = w->spare[j], **current = &w->current[edge[j].col];

        vec_store_any(out + row->z, vec_load(out));
        w->spare[j] = *current;
        *current = out;
    }
}
