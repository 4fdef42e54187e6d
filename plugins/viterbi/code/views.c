/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/code/views.h"

#include <fecrun/sdk/stage.h>

int viterbi_check_views(const struct viterbi_spec *spec, const struct fecrun_view *in,
                        const struct fecrun_view *out, struct fecrun_error *err)
{
    if (in->items == viterbi_frame_steps(spec) * spec->code.n && out->items == spec->info_bits)
        return 0;
    return fecrun_fail(err, NULL, "made for frames of %zu bits, called with %llu LLRs for %llu",
                       spec->info_bits, (unsigned long long)in->items,
                       (unsigned long long)out->items);
}

struct viterbi_input viterbi_input_of(const struct viterbi_spec *spec,
                                      const struct fecrun_call *call, const struct fecrun_view *in,
                                      uint64_t first, uint64_t frames)
{
    uint64_t behind = in->frames - first - frames;
    struct viterbi_input input = {
        .llr = fecrun_row(in, first),
        .stride = in->stride / fecrun_bytes(in->type, 1),
        .frames = frames,
    };

    if (spec->termination == VITERBI_CONTINUOUS) {
        input.before = (in->before + first * in->items) / spec->code.n;
        input.after = (in->after + behind * in->items) / spec->code.n;
        input.at_start = call->first_item == in->before;
    }
    return input;
}

void viterbi_report(const struct viterbi_spec *spec, const struct viterbi_verdict *verdict,
                    struct fecrun_frame_info *info)
{
    if (!viterbi_wraps_around(spec))
        return;
    info->iterations = verdict->iterations;
    fecrun_frame_checked(info, verdict->converged);
}
