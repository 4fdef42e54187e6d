/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what it makes of them depends on the machine it compiles for. */
#include "plugins/ldpc/simd/simd.h"

#include "plugins/common/vec/vec_generic.h"

#define ROW_HELD 4
#define ROW_FIRST 0 /* half a megabyte that saves 2 % of the time */
#define ROW_LONG 0  /* nor as much again for DVB-S2 */
#define ROW_PARTS 1
#define ROW_SLOTS 0

#define magnitudes vec_i8_abs
#define magnitudes_alone vec_i8_abs
#define signed_as(v, s) vec_i8_negate(vec_i8_negative(s), v)

typedef vec lanes_t;

#define lanes_of vec_load_any
#define store_lanes(p, lanes, v) vec_store_any(p, vec_i8_pick(lanes, v, vec_load_any(p)))
#define load_parts(p, q) vec_load_any(p)
#define store_part(p, part, lanes, v) store_lanes(p, lanes, v)

static inline vec sub_open(vec L, vec r)
{
    const vec open = (vec)((vec_lanes_u8)L + (LDPC_FIXED_KNOWN - 1) < 2 * LDPC_FIXED_KNOWN - 1);

    return vec_i8_sub_sat(L, r & open);
}

/* Where bytes of 64 go to: place i takes byte order[i], if bit i is set. */
struct moves {
    uint8_t n, from[LDPC_LANES], to[LDPC_LANES];
};

static inline struct moves moves_of(const uint8_t *order, uint64_t places)
{
    struct moves m = {.n = 0};

    for (; places; places &= places - 1, m.n++) {
        m.to[m.n] = (uint8_t)__builtin_ctzll(places);
        m.from[m.n] = order[m.to[m.n]];
    }
    return m;
}

static inline void move_lanes(const int8_t *from, const struct moves *m, int8_t *to)
{
    for (unsigned i = 0; i < m->n; i++)
        to[m->to[i]] = from[m->from[i]];
}

struct rule {
    uint16_t factor, half;
    vec offset, clip;
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    return (struct rule){phase->factor[kind / LDPC_FIXED_ROUNDINGS], phase->table[kind].half,
                         vec_i8_set(fixed->offset), vec_i8_set(phase->clip)};
}

/* low[m % 16] + high[m / 16] */
static inline vec_lanes_u16 scaled_16(const struct rule *rule, vec_lanes_u16 m)
{
    const vec_lanes_u16 low = ((m & 15) * rule->factor + rule->half) >> 8;
    const vec_lanes_u16 high = ((m & 48) * rule->factor + 128) >> 8;

    return low + high;
}

static inline vec scaled(const struct rule *rule, vec m)
{
    const vec_lanes_u16 low = scaled_16(rule, (vec_lanes_u16)m & 255);
    const vec_lanes_u16 high = scaled_16(rule, (vec_lanes_u16)m >> 8);

    return vec_i8_sub(vec_u8_max((vec)(low | high << 8), rule->offset), rule->offset);
}

#include "plugins/ldpc/simd/row.h"

#define GAIN_ADD_UP NULL /* that of fixed.c */
#include "plugins/ldpc/simd/along.h"
#include "plugins/ldpc/simd/lanes.h"
#include "plugins/ldpc/simd/pools.h"

const struct ldpc_kernel *ldpc_kernel_generic(void)
{
    static const struct ldpc_kernel kernel = {"generic", VEC_BYTES, ROW_SLOTS, along, side};

    return &kernel;
}
