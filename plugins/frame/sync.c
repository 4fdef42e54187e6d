/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.sync: frames from a stream, by a sync word that comes once in a period. Each period of the
 * stream gives one frame: the one whose word fits best there, with those a period before and after it.
 * So nothing is kept between batches, and a clock that slips costs one frame.
 */
#include "plugins/frame/code/word.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

enum { P_SCHEME, P_WORD, P_FRAME, P_KEEP, P_TOLERANCE, P_INVERTED, P_CONFIRM };

enum { MOST_FRAME = 1 << 24 };

static const char *const schemes[] = {"ccsds", "dvb", "m17", "galileo-inav", "galileo-fnav", NULL};

static const char *const schemes_help[] = {"CCSDS 131.0-B: 0x1acffc1d; needs `frame`",
                                           "packets of 204 bytes with 0x47, which stays in them",
                                           "stream frames of M17: 0xff5d and 368 bits",
                                           "E1-B, E5b-I: 0101100000 and 240 symbols",
                                           "E5a-I: 101101110000 and 488 symbols",
                                           NULL};

static const struct {
    const char *word;
    uint32_t frame; /* items after the word; 0: of the user */
    bool keep;
} standards[] = {{"00011010110011111111110000011101", 0, false},
                 {"01000111", 203 * 8, true},
                 {"1111111101011101", 368, false},
                 {"0101100000", 240, false},
                 {"101101110000", 488, false}};

enum inverted { NEVER, KEEP, UNDO };

static const char *const inverted_words[] = {"never", "keep", "undo", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("scheme", schemes, .choices_help = schemes_help,
                  .help = "a standard's word and frame; or give word and frame"),
    FECRUN_PARAM(.name = "word", .type = FECRUN_VALUE_STRING,
                 .help =
                     "symbols of the sync word, 0 and 1 in the order in which they come; quoted"),
    FECRUN_INT("frame", 1, MOST_FRAME, .unit = "items",
               .help = "items from the end of a word to the next word"),
    FECRUN_BOOL("keep_word", .help = "frames begin with the word; default: false, dvb true"),
    FECRUN_INT(
        "tolerance", 0, WORD_MOST, .unit = "symbols",
        .help = "a frame is marked as failed if more symbols of its word are wrong; default: "
                "an eighth of the word"),
    FECRUN_CHOICE(
        "inverted", inverted_words, .default_text = "never",
        .help = "a word with all symbols inverted is not one, or its frame is kept as it is, or "
                "the frame is inverted, too"),
    FECRUN_INT("confirm", 0, 8, .default_text = "1", .unit = "frames",
               .help = "words before and after it that a place needs: their fits are added"),
    NULL,
};

struct code {
    struct word word;
    uint64_t period, frame; /* items; `frame`: of the output */
    uint64_t skipped;       /* items of the period before the output's frame */
    uint32_t pieces;        /* frames of a piece */
    unsigned tolerance, confirm;
    enum inverted inverted;
    bool bits;
};

/* ---- Planning ------------------------------------------------------------------------------ */

static int read_word(struct code *code, const struct fecrun_values *values, uint64_t *rest,
                     bool *keep, struct fecrun_error *err)
{
    const struct fecrun_value *scheme = fecrun_value(values, P_SCHEME);
    const struct fecrun_value *word = fecrun_value(values, P_WORD);
    const struct fecrun_value *frame = fecrun_value(values, P_FRAME);

    if ((scheme->given != 0) == (word->given != 0))
        return fecrun_fail(err, scheme->given ? "scheme" : NULL, "give one of scheme or word");
    if (scheme->given && standards[scheme->i].frame && frame->given)
        return fecrun_fail(err, "frame", "%s has frames of its own", scheme->s);
    *rest = scheme->given && standards[scheme->i].frame ? standards[scheme->i].frame
                                                        : (uint64_t)frame->i;
    *keep = scheme->given && standards[scheme->i].keep;
    if (!*rest)
        return fecrun_fail(err, "frame", "missing: items from the end of a word to the next word");
    return word_read(&code->word, scheme->given ? standards[scheme->i].word : word->s, err);
}

static int read_params(struct code *code, const struct fecrun_values *values,
                       struct fecrun_error *err)
{
    const struct fecrun_value *tolerance = fecrun_value(values, P_TOLERANCE);
    const struct fecrun_value *keep_word = fecrun_value(values, P_KEEP);
    uint64_t rest = 0;
    bool keep = false;

    if (read_word(code, values, &rest, &keep, err))
        return -1;
    keep = keep_word->given ? keep_word->i != 0 : keep;
    code->period = code->word.width + rest;
    code->skipped = keep ? 0 : code->word.width;
    code->frame = code->period - code->skipped;
    code->tolerance = tolerance->given ? (unsigned)tolerance->i : code->word.width / 8;
    code->confirm = (unsigned)fecrun_value(values, P_CONFIRM)->i;
    code->inverted = (enum inverted)fecrun_value(values, P_INVERTED)->i;
    if (2 * code->tolerance >= code->word.width)
        return fecrun_fail(err, "tolerance",
                           "%u of the %u symbols of the word are half of them or more",
                           code->tolerance, code->word.width);
    return 0;
}

/* The end of a stream is any number of items: a frame for each whole period, and at least one. */
static int check_piece(struct code *code, const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint64_t periods = in->items / code->period;

    if (!in->stream)
        return fecrun_fail(err, NULL, "takes a stream, and makes frames of it");
    if (in->stream == 1 && in->items % code->period)
        return fecrun_fail(err, NULL,
                           "pieces of %" PRIu64 " items are no whole periods of %" PRIu64
                           ": write `piece: %" PRIu64 "` at the source",
                           in->items, code->period, (periods ? periods : 1) * code->period);
    if (periods > UINT32_MAX)
        return fecrun_fail(err, NULL, "pieces of %" PRIu64 " periods are too long", periods);
    code->pieces = periods ? (uint32_t)periods : 1;
    return 0;
}

static int sync_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct code *code = fecrun_code(plan, sizeof *code, err);

    (void)host;
    if (!code)
        return -1;
    if (read_params(code, values, err) || check_piece(code, in[0], err)) {
        free(code);
        plan->code = NULL;
        return -1;
    }
    code->bits = in[0]->kind == FECRUN_KIND_BITS;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->stream = 0;
    out[0]->pieces = code->pieces;
    out[0]->items = code->frame;
    out[0]->info_bits = 0;
    out[0]->channel_bits = in[0]->channel_bits ? code->frame : 0;
    plan->before = code->confirm * code->period;
    plan->after = (code->confirm + 1) * code->period + code->word.width;
    snprintf(plan->note, sizeof plan->note,
             "%" PRIu32 " frames a piece, a word of %u in %" PRIu64 " items", code->pieces,
             code->word.width, code->period);
    return 0;
}

/* ---- Running ------------------------------------------------------------------------------- */

/* How well the word fits at each item of a batch and its margins. */
struct field {
    float *score;    /* `scored` of them */
    float *sum;      /* of a period: those of a place and its neighbours */
    uint64_t before; /* items in front of item 0 of the batch */
    uint64_t n;      /* items */
    uint64_t scored; /* those at which a word begins that ends before the end */
};

static size_t field_items(const struct code *code, uint64_t frames)
{
    return (size_t)((frames + 2 * code->confirm + 1) * code->period + code->word.width +
                    WORD_SLACK);
}

/* Scores, sums, and LLRs of four bytes or two. */
static size_t sync_scratch(const void *instance, uint64_t frames)
{
    const struct code *code = instance;

    return sizeof(float) * (2 * field_items(code, frames) + code->period);
}

static void to_i16(const uint8_t *from, uint32_t type, int16_t *llr, uint64_t n)
{
    const int8_t *llrs = (const int8_t *)from;

    if (type == FECRUN_U8)
        for (uint64_t i = 0; i < n; i++)
            llr[i] = (int16_t)(1 - 2 * from[i]);
    else
        for (uint64_t i = 0; i < n; i++)
            llr[i] = llrs[i] == INT8_MIN ? -INT8_MAX : llrs[i];
}

/* What is not a number is 0, and what is too large the largest. */
static void to_f32(const uint8_t *from, float *llr, uint64_t n)
{
    memcpy(llr, from, n * sizeof *llr);
    for (uint64_t i = 0; i < n; i++) {
        const float x = llr[i] == llr[i] ? llr[i] : 0;

        llr[i] = fminf(fmaxf(x, -FECRUN_LLR_MAX_F32), FECRUN_LLR_MAX_F32);
    }
}

static void make_field(const struct code *code, const struct fecrun_view *in, void *scratch,
                       struct field *field)
{
    const uint64_t items = in->frames * in->items, most = code->confirm * code->period;
    const uint64_t most_after = most + code->period + code->word.width;
    const uint64_t after = in->after < most_after ? in->after : most_after;
    const size_t room = field_items(code, (items + code->period - 1) / code->period);
    const uint8_t *from;
    float *llr;

    field->before = in->before < most ? in->before : most;
    field->n = field->before + items + after;
    field->scored = field->n < code->word.width ? 0 : field->n - code->word.width + 1;
    field->score = scratch;
    field->sum = field->score + room;
    llr = field->sum + code->period;
    from = (const uint8_t *)in->data - field->before * fecrun_bytes(in->type, 1);
    if (in->type == FECRUN_F32) {
        to_f32(from, llr, field->n);
        memset(llr + field->n, 0, WORD_SLACK * sizeof *llr);
        word_correlate_f32(&code->word, llr, field->score, field->scored);
    } else {
        int16_t *narrow = (int16_t *)(void *)llr;

        to_i16(from, in->type, narrow, field->n);
        memset(narrow + field->n, 0, WORD_SLACK * sizeof *narrow);
        word_correlate_i16(&code->word, narrow, field->score, field->scored);
    }
}

/* Adds the scores of places first .. first+n-1, as far as there are any. */
static void add_scores(const struct code *code, const struct field *field, int64_t first,
                       uint64_t n)
{
    const uint64_t skipped = first < 0 ? (uint64_t)-first : 0;
    const uint64_t at = first < 0 ? 0 : (uint64_t)first;
    const uint64_t end = field->scored > at ? field->scored - at + skipped : 0;
    const float *score = field->score + at;
    float *sum = field->sum + skipped;

    n = (n < end ? n : end);
    n = n > skipped ? n - skipped : 0;
    if (code->inverted == NEVER)
        for (uint64_t i = 0; i < n; i++)
            sum[i] += score[i];
    else
        for (uint64_t i = 0; i < n; i++)
            sum[i] += fabsf(score[i]);
}

/* The place where words fit best, of a period from `first` on. */
static uint64_t find(const struct code *code, const struct field *field, uint64_t first)
{
    const int64_t reach = code->confirm;
    uint64_t best = 0;

    memset(field->sum, 0, code->period * sizeof *field->sum);
    for (int64_t j = -reach; j <= reach; j++)
        add_scores(code, field, (int64_t)first + j * (int64_t)code->period, code->period);
    for (uint64_t i = 1; i < code->period; i++)
        if (field->sum[i] > field->sum[best])
            best = i;
    return first + best;
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
static unsigned count_wrong(const struct code *code, uint32_t type, const uint8_t *row,
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

/* The frame whose word stands at this place of the field; says whether it is one. */
static bool put_frame(const struct code *code, const struct field *field, uint64_t place,
                      const struct fecrun_view *in, void *row)
{
    const uint64_t first = place + code->skipped;
    const uint64_t left = first < field->n ? field->n - first : 0;
    const uint64_t have = left < code->frame ? left : code->frame;
    const uint64_t bytes = fecrun_bytes(in->type, 1);
    const uint8_t *word = (const uint8_t *)in->data +
                          ((int64_t)place - (int64_t)field->before) * (int64_t)bytes;
    const bool whole_word = place < field->scored;
    const bool inverted = whole_word && code->inverted != NEVER && field->score[place] < 0;

    memcpy(row, word + code->skipped * bytes, have * bytes);
    memset((uint8_t *)row + have * bytes, 0, (code->frame - have) * bytes);
    if (inverted && code->inverted == UNDO)
        invert(in->type, row, have);
    return whole_word && have == code->frame &&
           count_wrong(code, in->type, word, inverted) <= code->tolerance;
}

static int sync_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct code *code = call->codes[0];
    struct field field;

    (void)instance, (void)err;
    make_field(code, in[0], call->scratch, &field);
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint64_t first = field.before + f * in[0]->items;
        bool good = true;

        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        for (uint64_t piece = 0; piece < code->pieces; piece++) {
            const uint64_t place = find(code, &field, first + piece * code->period);
            const uint64_t frame = f * code->pieces + piece;
            const bool is_one = put_frame(code, &field, place, in[0], fecrun_row(out[0], frame));

            fecrun_frame_checked(&call->out_info[frame], is_one);
            good = good && is_one;
        }
        if (code->pieces > 1)
            fecrun_frame_checked(&call->info[f], good);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(sync_run), .forms = forms, .scratch = sync_scratch),
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{word: \"0001101011\", frame: 90}", .items = 500, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: ccsds, frame: 68}", .items = 700, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: m17, inverted: undo}", .items = 768, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-inav}", .items = 500, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-fnav}", .items = 1000, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: dvb, inverted: keep, confirm: 2}", .items = 3264,
                   .stream = 1),
    NULL,
};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR };

const struct fecrun_stage frame_sync = {
    FECRUN_TRANSFORM(sync_plan, free),
    .name = "frame.sync",
    .flags = FECRUN_STAGE_CHECKS,
    .summary = "finds sync words in a stream and makes frames of what follows them",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "a stream of bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "frames"),
    .backends = backends,
    .examples = examples,
};
