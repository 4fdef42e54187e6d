/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.join: a stream of frames, each behind a sync word or none. */
#include "plugins/frame/code/end.h"
#include "plugins/frame/code/pieces.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>

enum { P_SCHEME, P_WORD };

static const char *const schemes[] = {"ccsds", "m17", "galileo-inav", "galileo-fnav", NULL};

static const char *const schemes_help[] = {
    "CCSDS 131.0-B: 0x1acffc1d, frames of any length", "stream frames of M17: 0xff5d and 368 bits",
    "E1-B, E5b-I: 0101100000 and 240 symbols", "E5a-I: 101101110000 and 488 symbols", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE(
        "scheme", schemes, .choices_help = schemes_help,
        .help = "a standard's word; or give word; without both there is none between frames"),
    FECRUN_PARAM(.name = "word", .type = FECRUN_VALUE_STRING,
                 .help = "bits of the sync word, 0 and 1 in the order in which they are sent; "
                         "quoted"),
    NULL,
};

static int read_params(struct join_code *code, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *scheme = fecrun_value(values, P_SCHEME);
    const struct fecrun_value *word = fecrun_value(values, P_WORD);
    const struct word_standard *standard = scheme->given ? word_find_standard(scheme->s) : NULL;

    if (scheme->given && word->given)
        return fecrun_fail(err, "scheme", "give one of scheme or word");
    if (!scheme->given && !word->given)
        return 0;
    if (in->kind != FECRUN_KIND_BITS)
        return fecrun_fail(err, scheme->given ? "scheme" : "word",
                           "a word is put before frames of bits; LLRs are joined without one");
    if (standard && standard->frame && in->items != standard->frame)
        return fecrun_fail(err, "scheme",
                           "%s has frames of %" PRIu32 " bits, the input has %" PRIu64, scheme->s,
                           standard->frame, in->items);
    return word_read(&code->word, standard ? standard->word : word->s, err);
}

static int join_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct join_code *code;

    (void)host;
    if (in[0]->stream)
        return fecrun_fail(err, NULL, "takes frames, and makes a stream of them");
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    if (read_params(code, values, in[0], err)) {
        free(code);
        plan->code = NULL;
        return -1;
    }
    code->frame = in[0]->items;
    code->pieces = fecrun_pieces(in[0]);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->pieces * (code->word.width + code->frame);
    out[0]->pieces = 1;
    out[0]->channel_bits *= code->pieces;
    frame_end_take(out[0]);
    return 0;
}

/* The stream's piece is as good as the worst of its frames that was checked. Also of one: see split_info(). */
static void join_info(const struct fecrun_frame_info *frames, uint32_t n,
                      struct fecrun_frame_info *piece)
{
    for (uint32_t f = 0; f < n; f++)
        if (frames[f].flags & FECRUN_FRAME_CHECKED)
            fecrun_frame_checked_too(piece, !(frames[f].flags & FECRUN_FRAME_FAILED));
}

static int join_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct join_code *code = call->codes[0];
    const unsigned width = code->word.width;
    const uint64_t size = fecrun_bytes(in[0]->type, 1), bytes = code->frame * size;

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        uint8_t *row = fecrun_row(out[0], f / code->pieces);

        row += f % code->pieces * (width * size + bytes);
        for (unsigned b = 0; b < width; b++)
            row[b] = code->word.sign[b] < 0;
        memcpy(row + width * size, fecrun_row(in[0], f), bytes);
    }
    for (uint64_t f = 0; f < out[0]->frames; f++)
        join_info(call->info + f * code->pieces, code->pieces, &call->out_info[f]);
    return 0;
}

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(join_run), .forms = frame_whole_bytes,
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &frame_join_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{scheme: ccsds}", .items = 200),
    FECRUN_EXAMPLE(.params = "{word: \"1011\"}", .items = 7, .pieces = 3),
    FECRUN_EXAMPLE(.params = "{}", .items = 1504, .pieces = 8),
    FECRUN_EXAMPLE(.params = "{}", .items = 33),
    FECRUN_EXAMPLE(.params = "{scheme: m17}", .items = 368),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-inav}", .items = 240),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-fnav}", .items = 488),
    NULL,
};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR };

const struct fecrun_stage frame_join = {
    FECRUN_TRANSFORM(join_plan, free),
    .name = "frame.join",
    .summary = "a stream of frames, one behind the other or each behind a sync word, as frame.sync "
               "finds them",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "frames of bits, or of LLRs if there is no word"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "a stream"),
    .backends = backends,
    .examples = examples,
};
