/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.join: a stream of frames, each behind a sync word. */
#include "plugins/frame/code/word.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>

enum { P_SCHEME, P_WORD };

static const char *const schemes[] = {"ccsds", "m17", "galileo-inav", "galileo-fnav", NULL};

static const char *const schemes_help[] = {
    "CCSDS 131.0-B: 0x1acffc1d, frames of any length", "stream frames of M17: 0xff5d and 368 bits",
    "E1-B, E5b-I: 0101100000 and 240 symbols", "E5a-I: 101101110000 and 488 symbols", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_CHOICE("scheme", schemes, .choices_help = schemes_help,
                  .help = "a standard's word; or give word"),
    FECRUN_PARAM(.name = "word", .type = FECRUN_VALUE_STRING,
                 .help = "bits of the sync word, 0 and 1 in the order in which they are sent; "
                         "quoted"),
    NULL,
};

struct join_code {
    struct word word;
    uint64_t frame;  /* bits of a frame */
    uint32_t pieces; /* frames that are joined */
};

static int read_params(struct join_code *code, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *scheme = fecrun_value(values, P_SCHEME);
    const struct fecrun_value *word = fecrun_value(values, P_WORD);
    const struct word_standard *standard = scheme->given ? word_find_standard(scheme->s) : NULL;

    if ((scheme->given != 0) == (word->given != 0))
        return fecrun_fail(err, scheme->given ? "scheme" : NULL, "give one of scheme or word");
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
    fecrun_frame_bits(out[0], in[0], code->pieces * (code->word.width + code->frame));
    out[0]->pieces = 1;
    out[0]->stream = 1;
    return 0;
}

static int join_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct join_code *code = call->codes[0];
    const unsigned width = code->word.width;

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        uint8_t *row = fecrun_row(out[0], f / code->pieces);

        row += f % code->pieces * (width + code->frame);
        for (unsigned b = 0; b < width; b++)
            row[b] = code->word.sign[b] < 0;
        memcpy(row + width, fecrun_row(in[0], f), code->frame);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(join_run), .forms = forms, .agreement = FECRUN_AGREEMENT_EXACT),
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{scheme: ccsds}", .items = 200),
    FECRUN_EXAMPLE(.params = "{word: \"1011\"}", .items = 7, .pieces = 3),
    FECRUN_EXAMPLE(.params = "{scheme: m17}", .items = 368),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-inav}", .items = 240),
    FECRUN_EXAMPLE(.params = "{scheme: galileo-fnav}", .items = 488),
    NULL,
};

const struct fecrun_stage frame_join = {
    FECRUN_TRANSFORM(join_plan, free),
    .name = "frame.join",
    .summary = "a stream of frames, each behind a sync word, as frame.sync finds them",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_BITS, "frames of bits"),
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_BITS, "a stream"),
    .backends = backends,
    .examples = examples,
};
