/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/cuda/plan.h"

#include "plugins/outer/code/rs_frame.h"
#include "plugins/outer/cuda/block.h"

/* ---- What is taken --------------------------------------------------------------------------------- */

static uint32_t words_of(uint32_t parity)
{
    return parity <= 64 ? 2 : parity <= 128 ? 4 : parity <= 192 ? 6 : parity <= 256 ? 8 : 16;
}

static int takes(uint32_t parity, uint32_t step, uint32_t checks, struct fecrun_error *err)
{
    if (parity > 32 * OUTER_GPU_WORDS || checks > OUTER_GPU_CHECKS)
        return fecrun_fail(err, NULL, "words have %u bits of parity, and cuda takes up to %u",
                           parity, 32 * OUTER_GPU_WORDS);
    if (step > 16 || (words_of(parity) * sizeof(uint32_t)) << step > OUTER_GPU_TABLE)
        return fecrun_fail(
            err, NULL, "symbols have %u bits, and cuda takes up to 8; 10 with little parity", step);
    return 0;
}

int outer_gpu_takes_rs(const struct rs_code *code, struct fecrun_error *err)
{
    return takes(code->parity * code->m, code->m, code->parity, err);
}

int outer_gpu_takes_bch(const struct bch_code *code, struct fecrun_error *err)
{
    return takes(code->parity, 8, 2 * code->t, err);
}

/* ---- Tables ---------------------------------------------------------------------------------------- */

static const struct gf *field_of(const void *code, bool bch)
{
    return bch ? &((const struct bch_code *)code)->field : &((const struct rs_code *)code)->field;
}

/* Adds `width` bits to a register, from bit `at` on. */
static void add_bits(uint32_t *rest, uint32_t at, uint32_t width, uint32_t value)
{
    for (uint32_t b = 0; b < width; b++, at++)
        rest[at / 32] ^= (value >> (width - 1 - b) & 1) << (31 - at % 32);
}

/* What a symbol that leaves the register changes. */
static void rs_row(const struct rs_code *code, uint32_t sent, uint32_t *row)
{
    const uint16_t factor = (uint16_t)(code->dual ? code->from_dual[sent] : sent);

    for (uint32_t j = 0; j < code->parity; j++)
        add_bits(
            row, j * code->m, code->m,
            rs_sent(code, gf_mul(&code->field, factor, code->generator[code->parity - 1 - j])));
}

/* Eight bits, by a register of as many bits as the table has, whose lowest ones stay 0. */
static void bch_row(const struct bch_code *code, uint32_t words, uint32_t byte, uint32_t *row)
{
    for (uint32_t b = 0; b < 8; b++) {
        const uint32_t out = (row[0] >> 31) ^ (byte >> (7 - b) & 1);

        for (uint32_t j = 0; j < words; j++)
            row[j] = row[j] << 1 | (j + 1 < words ? row[j + 1] >> 31 : 0);
        for (uint32_t i = 0; out && i < code->parity; i++)
            add_bits(row, i, 1, code->generator[code->parity - 1 - i]);
    }
}

/* `count` steps of zeros. */
static void pass(const struct outer_gpu_code *c, const uint32_t *table, uint32_t count,
                 uint32_t *rest)
{
    for (uint32_t i = 0; i < count; i++)
        outer_step(rest, table, c->words, c->step, 0);
}

/* Registers of one bit each are passed through the segments, the last one first. */
static void make_advance(const struct outer_gpu_code *c, const uint32_t *table, uint32_t *advance)
{
    const uint32_t nibbles = (c->parity + 3) / 4;
    uint32_t unit[32 * OUTER_GPU_WORDS][OUTER_GPU_WORDS];

    memset(unit, 0, sizeof unit);
    for (uint32_t i = 0; i < 4 * nibbles; i++)
        add_bits(unit[i], i, 1, 1);
    for (uint32_t s = c->segments - 1; s-- > 0;) {
        const uint32_t left = c->steps - (s + 1) * c->per_segment;
        uint32_t *rows = advance + (size_t)s * nibbles * 16 * c->words;

        for (uint32_t i = 0; i < 4 * nibbles; i++)
            pass(c, table, left < c->per_segment ? left : c->per_segment, unit[i]);
        for (uint32_t q = 0; q < nibbles; q++)
            for (uint32_t v = 0; v < 16; v++)
                for (uint32_t b = 0; b < 4; b++)
                    for (uint32_t j = 0; j < c->words && v >> (3 - b) & 1; j++)
                        rows[(q * 16 + v) * c->words + j] ^= unit[4 * q + b][j];
    }
}

/* Segments of at most OUTER_GPU_SEGMENT steps, if so many are enough; none begins behind the word. */
static void make_segments(struct outer_gpu_code *c)
{
    c->segments = 1;
    if (c->depth == 1 && c->bch)
        while (c->segments < OUTER_GPU_SEGMENTS && c->steps > c->segments * OUTER_GPU_SEGMENT)
            c->segments *= 2;
    c->per_segment = (c->steps + c->segments - 1) / c->segments;
}

/* Memory, the tables of the field and the segments; the division's table is still to come. */
static int make(struct outer_gpu_plan *plan, const void *code, struct fecrun_error *err)
{
    struct outer_gpu_code *c = &plan->code;
    const size_t field = gf_table_items(c->m) * sizeof(uint16_t);

    c->words = words_of(c->parity);
    make_segments(c);
    plan->advance = ((size_t)c->words << c->step) * sizeof(uint32_t);
    plan->field = plan->advance + (size_t)(c->segments - 1) * ((c->parity + 3) / 4) * 16 *
                                      c->words * sizeof(uint32_t);
    plan->dual = plan->field + field;
    plan->bytes = plan->dual + 512;
    plan->memory = calloc(1, plan->bytes);
    if (!plan->memory)
        return fecrun_no_memory(err);
    memcpy((char *)plan->memory + plan->field, field_of(code, c->bch)->exp, field);
    return 0;
}

int outer_gpu_plan_rs(struct outer_gpu_plan *plan, const struct rs_code *code, bool decodes,
                      struct fecrun_error *err)
{
    struct outer_gpu_code *c = &plan->code;

    *plan = (struct outer_gpu_plan){.code = {.m = code->m,
                                             .order = code->field.order,
                                             .depth = code->depth,
                                             .n = code->n,
                                             .k = code->k,
                                             .width = code->m,
                                             .fcr = code->fcr,
                                             .checks = code->parity,
                                             .dual = code->dual,
                                             .parity = code->parity * code->m,
                                             .step = code->m,
                                             .steps = decodes ? code->n : code->k}};
    if (make(plan, code, err))
        return -1;
    for (uint32_t sent = 0; sent < 1u << c->step; sent++)
        rs_row(code, sent, (uint32_t *)plan->memory + (size_t)sent * c->words);
    memcpy((char *)plan->memory + plan->dual, code->from_dual, 256);
    memcpy((char *)plan->memory + plan->dual + 256, code->to_dual, 256);
    return 0;
}

int outer_gpu_plan_bch(struct outer_gpu_plan *plan, const struct bch_code *code, bool decodes,
                       struct fecrun_error *err)
{
    struct outer_gpu_code *c = &plan->code;
    const uint32_t bits = decodes ? code->n : code->k;
    uint32_t *table;

    *plan = (struct outer_gpu_plan){.code = {.bch = 1,
                                             .m = code->m,
                                             .order = code->field.order,
                                             .depth = 1,
                                             .n = code->n,
                                             .k = code->k,
                                             .width = 1,
                                             .checks = 2 * code->t,
                                             .parity = code->parity,
                                             .step = 8,
                                             .steps = (bits + 7) / 8,
                                             .pad = 7 - (bits + 7) % 8}};
    if (make(plan, code, err))
        return -1;
    table = plan->memory;
    for (uint32_t byte = 0; byte < 256; byte++)
        bch_row(code, c->words, byte, table + (size_t)byte * c->words);
    make_advance(c, table, (uint32_t *)((char *)plan->memory + plan->advance));
    return 0;
}
