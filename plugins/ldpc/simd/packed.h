/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: one block with short columns. A column has a slot of 16, 32 or 64 bytes, and a vector holds the slots
 * of as many edges of a row as fit. Columns stay in their slots: what a row has stored, the next one loads, in the
 * same size, so that a CPU can forward it. Each instruction set defines
 *   ROW_SLOTS                        sizes of slots that it knows, added up
 *   slots_load(columns, at, slot, n) slots at columns + at[0], at[1], ..., at[n - 1]; any bytes in the others
 *   slots_store(columns, at, slot, n, v)  and back
 *   slots_turned(order, v, slot)     bytes of each slot in the order that the slot has in `order`
 *   slots_first(v, slot, n)          the first n slots, 127 in the others
 *   slots_swapped(v, bytes)          each 16 or 32 bytes in the place of those next to them
 *   slot_load(p, slot), slot_store(p, slot, v)  the first slot
 */

#if ROW_SLOTS

/* One base row in work. What changes with each row comes in registers, as this would be read right after it was
   stored: */
struct packed {
    const uint8_t *orders; /* ldpc_packed.orders */
    const struct rule *rule;
    const int8_t *leaf; /* a vector with the leaf in the first slot, 127 elsewhere */
    uint8_t *leaf_sign; /* NULL: not wanted */
};

/* the slots; of ldpc_packed.column[] and order[], those of the row; its messages. */
#define PACKED_PLACES \
    int8_t *columns, const uint16_t *column, const uint16_t *order, int8_t *message

enum { PACKED_LEAF = 1, PACKED_LATE = 2 };

/* Each lane of a slot has the least two and the sign of all slots then. */
static FECRUN_ALWAYS_INLINE struct least all_slots(struct least a, unsigned slot)
{
    UNROLL
    for (unsigned by = VEC_BYTES / 2; by >= slot; by /= 2) {
        const struct least b = {slots_swapped(a.one, by), slots_swapped(a.two, by),
                                slots_swapped(a.sign, by)};

        a.sign = vec_xor(a.sign, b.sign);
        a = merge_least(a, b);
    }
    return a;
}

static FECRUN_ALWAYS_INLINE void packed_row(PACKED_PLACES, const struct packed *row, unsigned slot,
                                            unsigned d, unsigned flags)
{
    const unsigned per = VEC_BYTES / slot, n = (d + per - 1) / per, rest = d - (n - 1) * per;
    const bool leaf = flags & PACKED_LEAF, late = flags & PACKED_LATE;
    vec q[LDPC_PACKED + 1];
    struct messages m;

    UNROLL
    for (unsigned v = 0; v < n; v++) {
        const vec L = slots_load(columns, column + v * per, slot, v == n - 1 ? rest : per);

        q[v] = without(slots_turned(vec_load(row->orders + order[v]), L, slot),
                       vec_load(message + v * VEC_BYTES), late);
    }
    if (rest < per)
        q[n - 1] = slots_first(q[n - 1], slot, rest);
    if (leaf)
        q[n] = vec_load(row->leaf);
    m = make_messages(all_slots(row_least(q, n + leaf, row->rule, true), slot), row->rule);
    UNROLL
    for (unsigned v = 0; v < n; v++) {
        const vec r = quick_message_to(q[v], &m);

        vec_store(message + v * VEC_BYTES, r);
        slots_store(columns, column + v * per, slot, v == n - 1 ? rest : per,
                    vec_i8_add_sat(q[v], r));
    }
    if (leaf && row->leaf_sign)
        vec_i8_put_signs(row->leaf_sign, vec_i8_add_sat(q[n], quick_message_to(q[n], &m)));
}

typedef void packed_of(PACKED_PLACES, const struct packed *row, unsigned flags);

#define PACKED_ROW(slot, d, flags) packed_row(columns, column, order, message, row, slot, d, flags)

#define PACKED_ROWS(slot, d) \
    static void packed_##slot##_##d(PACKED_PLACES, const struct packed *row, unsigned flags) \
    { \
        if (flags == (PACKED_LEAF | PACKED_LATE)) \
            PACKED_ROW(slot, d, PACKED_LEAF | PACKED_LATE); \
        else if (flags == PACKED_LEAF) \
            PACKED_ROW(slot, d, PACKED_LEAF); \
        else if (flags == PACKED_LATE) \
            PACKED_ROW(slot, d, PACKED_LATE); \
        else \
            PACKED_ROW(slot, d, 0); \
    }
#define PACKED_ENTRY(slot, d) [d] = packed_##slot##_##d,

#define PACKED_ROWS_16(d) PACKED_ROWS(16, d)
#define PACKED_ENTRY_16(d) PACKED_ENTRY(16, d)
EACH_SHORT(PACKED_ROWS_16)
static packed_of *const packed_16[LDPC_PACKED + 1] = {EACH_SHORT(PACKED_ENTRY_16)};

#if ROW_SLOTS & 32
#define PACKED_ROWS_32(d) PACKED_ROWS(32, d)
#define PACKED_ENTRY_32(d) PACKED_ENTRY(32, d)
EACH_SHORT(PACKED_ROWS_32)
static packed_of *const packed_32[LDPC_PACKED + 1] = {EACH_SHORT(PACKED_ENTRY_32)};
#endif

#if ROW_SLOTS & 64
#define PACKED_ROWS_64(d) PACKED_ROWS(64, d)
#define PACKED_ENTRY_64(d) PACKED_ENTRY(64, d)
EACH_SHORT(PACKED_ROWS_64)
static packed_of *const packed_64[LDPC_PACKED + 1] = {EACH_SHORT(PACKED_ENTRY_64)};
#endif

static packed_of *const *packed_rows(uint32_t slot)
{
#if ROW_SLOTS & 64
    if (slot == 64)
        return packed_64;
#endif
#if ROW_SLOTS & 32
    if (slot == 32)
        return packed_32;
#endif
    (void)slot;
    return packed_16;
}

static void packed_iteration(const struct ldpc_simd *s, const struct ldpc_along_work *w,
                             uint32_t iteration, bool signs)
{
    const struct ldpc_phase *phase = ldpc_fixed_phase(&s->fixed, iteration);
    const unsigned late = iteration >= s->fixed.late ? +PACKED_LATE : 0;
    const uint16_t *column = s->packed.column, *order = s->packed.order;
    packed_of *const *of = packed_rows(s->packed.slot);
    struct packed row = {.orders = s->packed.orders};
    struct rule rules[LDPC_FIXED_KINDS];
    int8_t *message = w->message;

    for (unsigned kind = 0; kind < s->fixed.kinds; kind++)
        rules[kind] = rule_of(&s->fixed, phase, kind);
    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *r = &s->row[n];

        row.rule = &rules[r->kind];
        row.leaf = w->leaf + (size_t)n * VEC_BYTES;
        row.leaf_sign = signs ? w->leaf_sign + n * w->leaf_step : NULL;
        of[r->degree](w->buffers, column, order, message, &row,
                      late | (r->leaf != LDPC_NO_LEAF ? +PACKED_LEAF : 0));
        column += r->degree;
        order += r->steps;
        message += (size_t)r->steps * VEC_BYTES;
    }
}

/* A slot of a column, its lanes turned. */
static FECRUN_ALWAYS_INLINE vec slot_turned(const struct ldpc_simd *s, const int8_t *from,
                                            uint32_t turn, unsigned slot)
{
    const vec order = slot_load(s->packed.turns + (size_t)turn * slot, slot);

    return slots_turned(order, slot_load(from, slot), slot);
}

static FECRUN_ALWAYS_INLINE bool packed_holds(const struct ldpc_simd *s,
                                              const struct ldpc_along_work *w, unsigned slot)
{
    const uint32_t z = s->decode->code->z;
    const uint64_t lanes = z < 64 ? (UINT64_C(1) << z) - 1 : UINT64_MAX;
    const uint16_t *column = s->packed.column;
    const struct ldpc_along_edge *edge = s->edge;

    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *r = &s->row[n];
        vec odd = slot_turned(s, w->buffers + column[0], edge[0].check, slot);
        uint64_t bits = 0, leaf = 0;

        for (unsigned j = 1; j < r->degree; j++)
            odd = vec_xor(odd, slot_turned(s, w->buffers + column[j], edge[j].check, slot));
        vec_i8_put_signs(&bits, odd);
        if (r->leaf != LDPC_NO_LEAF)
            memcpy(&leaf, w->leaf_sign + n * w->leaf_step, VEC_BYTES / 8);
        if ((bits ^ leaf) & lanes)
            return false;
        column += r->degree;
        edge += r->degree;
    }
    return true;
}

/* Columns of the frame to their slots, rotated as they are at the end of an iteration. */
static FECRUN_ALWAYS_INLINE void put_slots(const struct ldpc_simd *s,
                                           const struct ldpc_along_work *w, unsigned slot)
{
    const size_t z = s->decode->code->z;

    for (uint32_t c = 0; c < s->n_columns; c++) {
        const struct ldpc_along_column *column = &s->column[c];

        slot_store(w->buffers + c * slot, slot,
                   slot_turned(s, w->frame + column->col * z, column->rotation, slot));
    }
    for (uint32_t n = 0; n < s->n_rows; n++)
        if (s->row[n].leaf != LDPC_NO_LEAF)
            vec_store(w->leaf + n * VEC_BYTES,
                      slots_first(slot_load(w->frame + s->row[n].leaf, slot), slot, 1));
    memset(w->message, 0, s->messages);
}

/* And back. What is beyond a column in its slot is written, too, where columns that follow it come later. */
static FECRUN_ALWAYS_INLINE void get_slots(const struct ldpc_simd *s,
                                           const struct ldpc_along_work *w, unsigned slot)
{
    const uint32_t z = s->decode->code->z, more = (slot - 1) / z;
    int8_t exact[64] __attribute__((aligned(64)));

    for (uint32_t c = 0; c < s->n_columns; c++) {
        const struct ldpc_along_column *column = &s->column[c];
        const uint32_t back = column->rotation ? z - column->rotation : 0;
        const bool spills = c + more < s->n_columns &&
                            s->column[c + more].col == column->col + more;
        int8_t *to = w->frame + (size_t)column->col * z;

        slot_store(spills ? to : exact, slot, slot_turned(s, w->buffers + c * slot, back, slot));
        if (!spills)
            memcpy(to, exact, z);
    }
}

/* Calls of(s, w, slot) with a constant slot. */
#if ROW_SLOTS & 64
#define EACH_SLOT(of, s, w) \
    ((s)->packed.slot == 64 ? of(s, w, 64) : (s)->packed.slot == 32 ? of(s, w, 32) : of(s, w, 16))
#elif ROW_SLOTS & 32
#define EACH_SLOT(of, s, w) ((s)->packed.slot == 32 ? of(s, w, 32) : of(s, w, 16))
#else
#define EACH_SLOT(of, s, w) of(s, w, 16)
#endif

static bool packed_check(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    return EACH_SLOT(packed_holds, s, w);
}

static void packed_put(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    EACH_SLOT(put_slots, s, w);
}

static void packed_get(const struct ldpc_simd *s, const struct ldpc_along_work *w)
{
    EACH_SLOT(get_slots, s, w);
}

#endif
