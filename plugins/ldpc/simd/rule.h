/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Template: struct rule of row.h where a set chooses bytes by their low four bits. It defines
 *   spread(p)         16 bytes from p on in each 128 bits
 *   choose(table, i)  bytes of the table's 16 in the same 128 bits
 *   less(a, b)        a - b, unsigned, at least 0
 */

struct rule {
    vec low, high, offset, clip;
    bool has_offset;
};

static inline struct rule rule_of(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                                  unsigned kind)
{
    struct rule rule = {.offset = vec_i8_set(fixed->offset),
                        .clip = vec_i8_set(phase->clip),
                        .has_offset = fixed->offset != 0};
    uint8_t high[16] = {0};

    memcpy(high, phase->table[kind].high, sizeof phase->table[kind].high);
    rule.low = spread(phase->table[kind].low);
    rule.high = spread(high);
    return rule;
}

static inline vec scaled(const struct rule *rule, vec m)
{
    const vec top = vec_and(vec_u16_srl(m, 4), vec_i8_set(15));
    const vec scaled = vec_i8_add(choose(rule->low, m), choose(rule->high, top));

    return rule->has_offset ? less(scaled, rule->offset) : scaled;
}
