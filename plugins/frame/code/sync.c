/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/code/sync.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/stage.h>

enum { MOST_ROWS = 2 * SYNC_MOST_CONFIRM + 1 }; /* words that a place needs */

/*
 * How well the word fits at each place of the periods round the present one, a row a period; 0 where no whole word is left.
 * Places are counted from the batch's first item on. Rows are used again: that of period p is number p modulo n_rows.
 */
struct field {
    const struct sync_code *code;
    const struct word_kernels *kernels;
    const struct fecrun_view *in;
    int64_t first, end; /* the items that are there: first .. end-1 */
    unsigned n_rows;
    char *row[MOST_ROWS];
};

uint64_t sync_before(const struct sync_code *code)
{
    return code->confirm * code->period;
}

uint64_t sync_after(const struct sync_code *code)
{
    return (code->confirm + 1) * code->period + code->word.width;
}

/* Bytes of a row, of floats or int16. */
static size_t row_bytes(const struct sync_code *code)
{
    return code->period * sizeof(float);
}

size_t sync_scratch(const struct sync_code *code)
{
    return (2 * code->confirm + 1) * row_bytes(code);
}

static const char *item(const struct field *field, int64_t place)
{
    return (const char *)field->in->data + place * (int64_t)fecrun_bytes(field->in->type, 1);
}

static char *row_of(const struct field *field, int64_t period)
{
    return field->row[(uint64_t)(period + field->n_rows) % field->n_rows];
}

static void make_field(struct field *field, void *scratch)
{
    const struct sync_code *code = field->code;
    const uint64_t most = sync_before(code), most_after = sync_after(code);
    const struct fecrun_view *in = field->in;

    field->first = -(int64_t)(in->before < most ? in->before : most);
    field->end = (int64_t)(in->frames * in->items +
                           (in->after < most_after ? in->after : most_after));
    field->n_rows = 2 * code->confirm + 1;
    for (unsigned r = 0; r < field->n_rows; r++)
        field->row[r] = (char *)scratch + r * row_bytes(code);
}

static int64_t clamp(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* Fills the row of a period. */
static void score_period(const struct field *field, int64_t period)
{
    const struct sync_code *code = field->code;
    const int64_t begin = period * (int64_t)code->period, end = begin + (int64_t)code->period;
    const int64_t from = clamp(field->first, begin, end);
    const int64_t to = clamp(field->end - (int64_t)code->word.width + 1, from, end);
    const uint64_t n = (uint64_t)(to - from), skipped = (uint64_t)(from - begin);
    const size_t bytes = field->in->type == FECRUN_F32 ? sizeof(float) : sizeof(int16_t);
    char *row = row_of(field, period);

    memset(row, 0, skipped * bytes);
    memset(row + (skipped + n) * bytes, 0, (code->period - skipped - n) * bytes);
    if (!n)
        return;
    if (field->in->type == FECRUN_F32)
        field->kernels->score_f32(&code->word, (const void *)item(field, from),
                                  (float *)(void *)row + skipped, n);
    else
        field->kernels->score_i16(&code->word, item(field, from), field->in->type,
                                  (int16_t *)(void *)row + skipped, n);
}

/* The place of a period where words fit best, counted from its begin. */
static uint64_t find(const struct field *field, int64_t period)
{
    const struct sync_code *code = field->code;
    const bool either = code->inverted != SYNC_NEVER;
    const float *floats[MOST_ROWS];
    const int16_t *shorts[MOST_ROWS];

    for (unsigned r = 0; r < field->n_rows; r++) {
        const void *row = row_of(field, period - (int64_t)code->confirm + r);

        floats[r] = row;
        shorts[r] = row;
    }
    if (field->in->type == FECRUN_F32)
        return field->kernels->best_f32(floats, field->n_rows, either, code->period);
    return field->kernels->best_i16(shorts, field->n_rows, either,
                                    field->n_rows * code->word.width * INT8_MAX <= INT16_MAX,
                                    code->period);
}

static void invert(uint32_t type, void *row, uint64_t n)
{
    uint8_t *bits = row;
    int8_t *bytes = row;
    float *floats = row;

    for (uint64_t i = 0; i < n; i++)
        if (type == FECRUN_U8)
            bits[i] ^= 1;
        else if (type == FECRUN_I8)
            bytes[i] = (int8_t)(bytes[i] == INT8_MIN ? INT8_MAX : -bytes[i]);
        else
            floats[i] = floats[i] == 0 ? 0 : -floats[i];
}

static int float_sign(const uint8_t *at)
{
    float x;

    memcpy(&x, at, sizeof x);
    return (x > 0) - (x < 0);
}

/* Symbols of the word at `row` that are another one, or none. */
static unsigned count_wrong(const struct sync_code *code, uint32_t type, const uint8_t *row,
                            bool inverted)
{
    unsigned wrong = 0;

    for (unsigned b = 0; b < code->word.width; b++) {
        const int llr = type == FECRUN_U8   ? 1 - 2 * row[b]
                        : type == FECRUN_I8 ? ((const int8_t *)row)[b]
                                            : float_sign(row + 4 * b);

        wrong += (inverted ? -llr : llr) * code->word.sign[b] <= 0;
    }
    return wrong;
}

static bool is_negative(const struct field *field, const void *row, uint64_t place)
{
    return field->in->type == FECRUN_F32 ? ((const float *)row)[place] < 0
                                         : ((const int16_t *)row)[place] < 0;
}

/* The frame whose word stands at this place of a period; says whether it is one. */
static bool put_frame(const struct field *field, int64_t period, uint64_t place, void *row)
{
    const struct sync_code *code = field->code;
    const uint32_t type = field->in->type;
    const int64_t word = period * (int64_t)code->period + (int64_t)place;
    const int64_t begin = word + (int64_t)code->skipped;
    const bool whole_word = word >= field->first && word + (int64_t)code->word.width <= field->end;
    const uint64_t left = begin < field->end ? (uint64_t)(field->end - begin) : 0;
    const uint64_t have = left < code->frame ? left : code->frame;
    const uint64_t bytes = fecrun_bytes(type, 1);
    const bool inverted = whole_word && code->inverted != SYNC_NEVER &&
                          is_negative(field, row_of(field, period), place);

    if (have)
        memcpy(row, item(field, begin), have * bytes);
    memset((uint8_t *)row + have * bytes, 0, (code->frame - have) * bytes);
    if (inverted && code->inverted == SYNC_UNDO)
        invert(type, row, have);
    return whole_word && have == code->frame &&
           count_wrong(code, type, (const uint8_t *)item(field, word), inverted) <= code->tolerance;
}

int sync_batch(const struct word_kernels *kernels, const struct fecrun_call *call,
               const struct fecrun_view *in, struct fecrun_view *out)
{
    const struct sync_code *code = call->codes[0];
    const int64_t reach = (int64_t)code->confirm;
    struct field field = {.code = code, .kernels = kernels, .in = in};

    make_field(&field, call->scratch);
    for (int64_t period = -reach; period < reach; period++)
        score_period(&field, period);
    for (uint64_t f = 0; f < in->frames; f++) {
        bool good = true;

        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        for (uint64_t piece = 0; piece < code->pieces; piece++) {
            const uint64_t frame = f * code->pieces + piece;
            const int64_t period = (int64_t)frame;
            bool is_one;

            score_period(&field, period + reach);
            is_one = put_frame(&field, period, find(&field, period), fecrun_row(out, frame));
            fecrun_frame_checked_too(&call->out_info[frame], is_one);
            good = good && is_one;
        }
        if (code->pieces > 1)
            fecrun_frame_checked_too(&call->info[f], good);
    }
    return 0;
}
