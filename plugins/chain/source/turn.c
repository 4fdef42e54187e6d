/* SPDX-License-Identifier: BSD-2-Clause */
/* `swap` and `rotate` of source.file: pairs of LLRs, or the two parts of symbols, as a receiver's phase leaves them. */
#include "plugins/chain/source/file.h"

const char *const source_turns[] = {"0", "90", "180", "270", NULL};

/* (a, b) becomes (b, a) if so told, then (-b, a), (-a, -b) or (b, -a) for 1 to 3 quarters of a turn. */
#define TURN(name, type, negative) \
    static void turn_##name(type *x, uint64_t pairs, bool swap, unsigned quarters) \
    { \
        for (uint64_t i = 0; i < pairs; i++) { \
            const type a = x[2 * i + swap], b = x[2 * i + !swap]; \
            const type first = quarters % 2 ? b : a, second = quarters % 2 ? a : b; \
            x[2 * i] = quarters == 1 || quarters == 2 ? negative(first) : first; \
            x[2 * i + 1] = quarters >= 2 ? negative(second) : second; \
        } \
    }

#define NEGATIVE_F32(x) ((x) == 0 ? 0 : -(x))
#define NEGATIVE_F16(x) ((uint16_t)((x)&0x7fff ? (x) ^ 0x8000 : 0))
#define NEGATIVE_I16(x) ((int16_t)((x) == INT16_MIN ? INT16_MAX : -(x)))
#define NEGATIVE_I8(x) ((int8_t)((x) == INT8_MIN ? INT8_MAX : -(x)))

TURN(f32, float, NEGATIVE_F32)
TURN(f16, uint16_t, NEGATIVE_F16)
TURN(i16, int16_t, NEGATIVE_I16)
TURN(i8, int8_t, NEGATIVE_I8)

void source_turn(const struct source_code *code, uint32_t type, void *data, uint64_t items)
{
    switch (type) {
    case FECRUN_C8:
        turn_f32(data, items, code->swap, code->quarters);
        return;
    case FECRUN_F32:
        turn_f32(data, items / 2, code->swap, code->quarters);
        return;
    case FECRUN_F16:
        turn_f16(data, items / 2, code->swap, code->quarters);
        return;
    case FECRUN_I16:
        turn_i16(data, items / 2, code->swap, code->quarters);
        return;
    default:
        turn_i8(data, items / 2, code->swap, code->quarters);
    }
}

int source_plan_turn(struct source_code *code, const struct fecrun_values *values,
                     struct fecrun_error *err)
{
    const struct fecrun_value *rotate = fecrun_value(values, P_ROTATE);
    const struct fecrun_value *swap = fecrun_value(values, P_SWAP);
    const char *name = rotate->given == 2 && rotate->i ? "rotate" : "swap";

    code->quarters = (unsigned)rotate->i;
    code->swap = swap->i != 0;
    if (!code->quarters && !code->swap)
        return 0;
    if (!(code->kind & (FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS)) || code->format->type == FECRUN_I4)
        return fecrun_fail(err, name, "is of symbols, and of LLRs of a byte or more");
    if (code->kind == FECRUN_KIND_LLR && code->items % 2)
        return fecrun_fail(err, name,
                           "is of pairs of LLRs, and a frame or piece has %llu, an odd number",
                           (unsigned long long)code->items);
    return 0;
}
