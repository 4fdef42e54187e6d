/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of packed rows: simd/packed.h. */
#include <stdlib.h>
#include <string.h>

#include "plugins/ldpc/simd/simd.h"

/* The smallest slot for a column that the kernel knows; 0: none. */
static uint32_t slot_of(const struct ldpc_simd *s)
{
    for (uint32_t slot = 16; slot <= 64; slot *= 2)
        if (s->decode->code->z <= slot && s->along->slots & slot)
            return slot;
    return 0;
}

/* Are all rows ones that packed.h has? */
static bool are_packed(const struct ldpc_simd *s, uint32_t slot)
{
    for (uint32_t n = 0; n < s->n_rows; n++)
        if (s->row[n].twins || s->row[n].skip != LDPC_NO_SKIP || s->row[n].degree > LDPC_PACKED ||
            s->row[n].degree == 0)
            return false;
    return slot && s->n_columns <= UINT16_MAX / slot;
}

static void put_turn(uint8_t *order, uint32_t slot, uint32_t z, uint32_t turn, uint32_t first)
{
    for (uint32_t i = 0; i < slot; i++)
        order[i] = (uint8_t)(first + (turn + i) % z);
}

/* Where a vector is one slot, the orders are those of all turns; else each vector has one of its own. Orders of 16
   bytes choose among these, all others among the vector. */
static void put_orders(struct ldpc_simd *s)
{
    const struct ldpc_packed *p = &s->packed;
    const uint32_t z = s->decode->code->z, width = s->along->width, per = width / p->slot;
    size_t v = 0;

    for (uint32_t n = 0; n < s->n_rows; n++) {
        const struct ldpc_along_row *row = &s->row[n];
        const struct ldpc_along_edge *edge = s->edge + row->first;

        for (uint32_t j = 0; j < row->degree; j += per, v++) {
            p->order[v] = (uint16_t)(width * (per == 1 ? edge[j].turn : v));
            for (uint32_t k = 0; per > 1 && k < per && j + k < row->degree; k++)
                put_turn(p->orders + v * width + k * p->slot, p->slot, z, edge[j + k].turn,
                         p->slot == 16 ? 0 : k * p->slot);
        }
    }
    for (uint32_t t = 0; t < z; t++) {
        put_turn(p->turns + t * p->slot, p->slot, z, t, 0);
        if (per == 1)
            put_turn(p->orders + t * width, p->slot, z, t, 0);
    }
}

/* Zeros. */
static void *table(size_t bytes)
{
    const size_t whole = (bytes + 63) & ~(size_t)63;
    void *memory = aligned_alloc(64, whole + 64);

    if (memory)
        memset(memory, 0, whole + 64);
    return memory;
}

static int get_tables(struct ldpc_simd *s, size_t vectors)
{
    struct ldpc_packed *p = &s->packed;
    const uint32_t z = s->decode->code->z, width = s->along->width;

    p->column = table(s->edges * sizeof *p->column);
    p->order = table(vectors * sizeof *p->order);
    p->orders = table((p->slot == width ? z : vectors) * width);
    p->turns = table((size_t)z * p->slot);
    return p->column && p->order && p->orders && p->turns ? 0 : -1;
}

int ldpc_simd_pack(struct ldpc_simd *s)
{
    const uint32_t slot = slot_of(s), width = s->along->width;
    size_t vectors = 0;

    if (!are_packed(s, slot))
        return 0;
    s->packed.slot = slot;
    for (uint32_t n = 0; n < s->n_rows; n++) {
        s->row[n].steps = (s->row[n].degree * slot + width - 1) / width;
        vectors += s->row[n].steps;
    }
    if (vectors > UINT16_MAX / width || get_tables(s, vectors))
        return -1;
    for (uint32_t e = 0; e < s->edges; e++)
        s->packed.column[e] = (uint16_t)(s->edge[e].col * slot);
    put_orders(s);
    s->messages = vectors * width;
    return 0;
}
