/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: rows with several edges to one column (twins), so that lanes share bits. Blocks of lanes go one
 * after the other, in a block the lanes of one colour (ldpc_fixed_colours()), each with what those before have left:
 * columns with twins are changed where they are, and stay as they are rotated. All others go to spare buffers, as
 * everywhere.
 */

/* Bytes `lanes` of x to a column of z lanes, from p on; z >= V_WIDTH. */
static FECRUN_ALWAYS_INLINE void put_lanes(int8_t *column, int64_t p, int64_t z, vec lanes, vec x)
{
    x = V_CHOOSE(lanes, V_SET1(0), V_LOADU(column + p), x);
    V_STOREU(column + p, x);
    if (p + V_WIDTH > z) /* over the end, where the first lanes are once more */
        V_STOREU(column + p - z, x);
    if (p < V_WIDTH)
        V_STOREU(column + p + z, x);
}

/* Of one vector, the lanes of one colour; whole: the row has no other, first: none that came before. */
static FECRUN_ALWAYS_INLINE void twins_vector(const struct ldpc_simd *s,
                                              const struct ldpc_along_work *w,
                                              const struct ldpc_along_row *r,
                                              const struct along *row, int64_t at,
                                              const uint8_t *mask, bool whole, bool first)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;
    const unsigned d = r->degree;
    const vec lanes = V_LOADU(mask), zero = V_SET1(0);
    int8_t *message = row->message + at * d; /* d vectors for each before */
    const uint16_t *from = row->from + at / V_WIDTH * d;
    vec *q = (void *)w->long_row;
    struct messages m;

    for (unsigned j = 0; j < d; j++)
        q[j] = V_SUBS(V_LOADU(w->current[edge[j].col] + from[j]), V_LOAD(message + j * V_WIDTH));
    m = long_messages(q, d, row->rule);
    for (unsigned j = 0; j < d; j++) {
        const vec r_j = message_to(q[j], &m), L = V_ADDS(q[j], r_j);
        int8_t *out = w->spare[j] + at, *old = message + j * V_WIDTH;

        V_STORE(old, whole ? r_j : V_CHOOSE(lanes, zero, V_LOAD(old), r_j));
        if (edge[j].twin)
            put_lanes(w->current[edge[j].col], from[j], row->z, lanes, L);
        else
            V_STORE(out, whole || first ? L : V_CHOOSE(lanes, zero, V_LOAD(out), L));
    }
}

static void along_twins(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                        const struct ldpc_along_row *r, const struct along *row)
{
    const struct ldpc_along_edge *edge = s->edge + r->first;
    const int64_t z = row->z;

    for (int64_t block = 0; block < z; block += LDPC_FIXED_BLOCK) {
        const bool last = block + LDPC_FIXED_BLOCK >= z;
        const uint8_t *lanes = s->lanes + r->lanes +
                               (last ? (size_t)r->colours * LDPC_FIXED_BLOCK : 0);

        for (unsigned c = 0; c < r->colours; c++, lanes += LDPC_FIXED_BLOCK)
            for (int64_t at = block; at < block + LDPC_FIXED_BLOCK && at < z; at += V_WIDTH)
                if (r->colours == 1)
                    twins_vector(s, w, r, row, at, lanes + (at - block), true, true);
                else
                    twins_vector(s, w, r, row, at, lanes + (at - block), false, c == 0);
    }
    for (unsigned j = 0; j < r->degree; j++) {
        int8_t *out = w->spare[j], **current = &w->current[edge[j].col];

        if (edge[j].twin)
            continue;
        V_STOREU(out + z, V_LOAD(out));
        w->spare[j] = *current;
        *current = out;
    }
}
