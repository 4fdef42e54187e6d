/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.sync: frames from a stream, by a sync word that comes once in a period. Each period of the
 * stream gives one frame: the one whose word fits best there, with those a period before and after it.
 * So nothing is kept between batches, and a clock that slips costs one frame.
 */
#include "plugins/frame/code/end.h"
#include "plugins/frame/code/sync.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>

enum { P_SCHEME, P_WORD, P_FRAME, P_KEEP, P_TOLERANCE, P_INVERTED, P_CONFIRM };

enum { MOST_FRAME = 1 << 24 };

static const char *const schemes[] = {"ccsds", "dvb", "m17", "galileo-inav", "galileo-fnav", NULL};

static const char *const schemes_help[] = {"CCSDS 131.0-B: 0x1acffc1d; needs `frame`",
                                           "packets of 204 bytes with 0x47, which stays in them",
                                           "stream frames of M17: 0xff5d and 368 bits",
                                           "E1-B, E5b-I: 0101100000 and 240 symbols",
                                           "E5a-I: 101101110000 and 488 symbols",
                                           NULL};

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
    FECRUN_INT("confirm", 0, SYNC_MOST_CONFIRM, .default_text = "1", .unit = "frames",
               .help = "words before and after it that a place needs: their fits are added"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static int read_word(struct sync_code *code, const struct fecrun_values *values, uint64_t *rest,
                     bool *keep, struct fecrun_error *err)
{
    const struct fecrun_value *scheme = fecrun_value(values, P_SCHEME);
    const struct fecrun_value *word = fecrun_value(values, P_WORD);
    const struct fecrun_value *frame = fecrun_value(values, P_FRAME);
    const struct word_standard *standard = scheme->given ? word_find_standard(scheme->s) : NULL;

    if ((scheme->given != 0) == (word->given != 0))
        return fecrun_fail(err, scheme->given ? "scheme" : NULL, "give one of scheme or word");
    if (standard && standard->frame && frame->given)
        return fecrun_fail(err, "frame", "%s has frames of its own", scheme->s);
    *rest = standard && standard->frame ? standard->frame : (uint64_t)frame->i;
    *keep = standard && standard->keep;
    if (!*rest)
        return fecrun_fail(err, "frame", "missing: items from the end of a word to the next word");
    return word_read(&code->word, standard ? standard->word : word->s, err);
}

static int read_params(struct sync_code *code, const struct fecrun_values *values,
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
    code->inverted = (enum sync_inverted)fecrun_value(values, P_INVERTED)->i;
    if (2 * code->tolerance >= code->word.width)
        return fecrun_fail(err, "tolerance",
                           "%u of the %u symbols of the word are half of them or more",
                           code->tolerance, code->word.width);
    return 0;
}

/* The end of a stream is any number of items: a frame for each whole period, and at least one. */
static int check_piece(struct sync_code *code, const struct fecrun_frame *in,
                       struct fecrun_error *err)
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
    struct sync_code *code = fecrun_code(plan, sizeof *code, err);

    (void)host;
    if (!code)
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    if (read_params(code, values, err) || check_piece(code, in[0], err) ||
        frame_end_put(out[0], in[0], err)) {
        free(code);
        plan->code = NULL;
        return -1;
    }
    out[0]->stream = 0;
    out[0]->pieces = code->pieces;
    out[0]->items = code->frame;
    out[0]->info_bits = 0;
    out[0]->channel_bits = in[0]->channel_bits ? code->frame : 0;
    plan->before = sync_before(code);
    plan->after = sync_after(code);
    snprintf(plan->note, sizeof plan->note,
             "%" PRIu32 " frames a piece, a word of %u in %" PRIu64 " items", code->pieces,
             code->word.width, code->period);
    return 0;
}

/* ---- Tables -------------------------------------------------------------------------------- */

static int sync_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)err;
    *instance = args->codes[0];
    return 0;
}

static size_t sync_ref_scratch(const void *instance, uint64_t frames)
{
    (void)frames;
    return sync_scratch(instance);
}

static int sync_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)err;
    return sync_batch(&word_kernels_ref, call, in[0], out[0]);
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .summary = "the definition of the result, in plain C",
                   .forms = forms, .create = sync_create, .scratch = sync_ref_scratch,
                   .run = sync_run, .destroy = fecrun_no_destroy,
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &frame_sync_simd,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{word: \"0001101011\", frame: 90}", .items = 500, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: ccsds, frame: 68}", .items = 700, .stream = 1),
    FECRUN_EXAMPLE(.params = "{scheme: ccsds, frame: 268, confirm: 8, inverted: undo}",
                   .items = 900, .stream = 1),
    FECRUN_EXAMPLE(.params = "{word: \"101\", frame: 4997}", .items = 10000, .stream = 1),
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
