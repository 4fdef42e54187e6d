/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.split: shorter frames of a frame or a stream, one behind the other. */
#include "plugins/frame/code/end.h"
#include "plugins/frame/code/pieces.h"
#include "plugins/frame/plugin.h"

#include <inttypes.h>

enum { P_FRAME };

enum { MOST = 1 << 28 };

static const struct fecrun_param *const params[] = {
    FECRUN_INT("frame", 1, MOST, .flags = FECRUN_PARAM_REQUIRED, .unit = "items",
               .help = "items of a frame that comes out"),
    NULL,
};

static int read_frame(struct split_code *code, uint64_t frame, const struct fecrun_frame *in,
                      struct fecrun_error *err)
{
    const uint64_t whole = in->items / frame, rest = in->items % frame;

    if (rest && in->stream != 2)
        return fecrun_fail(
            err, "frame",
            "is %" PRIu64 ", and %" PRIu64
            " items a %s are no whole number of such frames: a divisor of that is allowed",
            frame, in->items, in->stream ? "piece" : "frame");
    if (whole + (rest != 0) > UINT32_MAX / fecrun_pieces(in))
        return fecrun_fail(err, "frame",
                           "is %" PRIu64 ": too short for pieces of %" PRIu64 " items", frame,
                           in->items);
    code->frame = frame;
    code->pieces = (uint32_t)(whole + (rest != 0));
    code->last = rest ? rest : frame;
    return 0;
}

static int split_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct split_code read, *code;

    (void)host;
    fecrun_frame_copy(out[0], in[0]);
    if (read_frame(&read, (uint64_t)fecrun_value(values, P_FRAME)->i, in[0], err) ||
        frame_end_put(out[0], in[0], err))
        return -1;
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    *code = read;
    out[0]->items = code->frame;
    out[0]->pieces = fecrun_pieces(in[0]) * code->pieces;
    /* Eb/N0 is not known where the bits that were sent are no whole number a frame. */
    out[0]->channel_bits = in[0]->channel_bits % code->pieces ? 0
                                                              : in[0]->channel_bits / code->pieces;
    out[0]->stream = 0;
    snprintf(plan->note, sizeof plan->note, "%" PRIu32 " frames", code->pieces);
    return 0;
}

/* Frames are as good as what they are of; one that the end of the stream cuts off has failed. Also of one piece: in a batch
   with rows of more, its entry is another one. */
static void split_info(const struct split_code *code, const struct fecrun_frame_info *of,
                       struct fecrun_frame_info *frame)
{
    for (uint32_t p = 0; p < code->pieces; p++) {
        if (of->flags & FECRUN_FRAME_CHECKED)
            fecrun_frame_checked_too(&frame[p], !(of->flags & FECRUN_FRAME_FAILED));
        if (p + 1 == code->pieces && code->last < code->frame)
            fecrun_frame_checked_too(&frame[p], 0);
    }
}

static int split_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct split_code *code = call->codes[0];
    const uint64_t size = fecrun_bytes(in[0]->type, 1);

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *row = fecrun_row(in[0], f);

        for (uint32_t p = 0; p < code->pieces; p++) {
            const uint64_t n = p + 1 < code->pieces ? code->frame : code->last;
            uint8_t *to = fecrun_row(out[0], f * code->pieces + p);

            memcpy(to, row + p * code->frame * size, n * size);
            memset(to + n * size, 0, (code->frame - n) * size);
        }
        split_info(code, &call->info[f], &call->out_info[f * code->pieces]);
    }
    return 0;
}

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(split_run), .forms = frame_whole_bytes,
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &frame_split_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{frame: 256}", .items = 768),
    FECRUN_EXAMPLE(.params = "{frame: 7}", .items = 21, .pieces = 2),
    FECRUN_EXAMPLE(.params = "{frame: 40}", .items = 200, .stream = 1),
    FECRUN_EXAMPLE(.params = "{frame: 33}", .items = 33),
    NULL,
};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR };

const struct fecrun_stage frame_split = {
    FECRUN_TRANSFORM(split_plan, free),
    .name = "frame.split",
    .summary = "cuts frames or a stream into frames of one length",
    .params = params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "frames or a stream, of bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "frames"),
    .backends = backends,
    .examples = examples,
};
