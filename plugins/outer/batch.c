/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/batch.h"

void outer_encode_frames(outer_encode_frame *encode, const void *self,
                         const struct fecrun_call *call, const struct fecrun_view *in,
                         const struct fecrun_view *out)
{
    for (uint64_t f = 0; f < in->frames; f++)
        encode(self, fecrun_row(in, f), in->type, fecrun_row(out, f), call->scratch);
}

void outer_decode_frames(outer_decode_frame *decode, const void *self,
                         const struct fecrun_call *call, const struct fecrun_view *in,
                         const struct fecrun_view *flags, struct fecrun_view *const out[],
                         uint32_t words)
{
    float corrected[OUTER_MOST_WORDS];

    for (uint64_t f = 0; f < in->frames; f++) {
        const uint32_t failed = decode(self, fecrun_row(in, f), flags ? fecrun_row(flags, f) : NULL,
                                       in->type, fecrun_row(out[0], f), corrected, call->scratch);

        fecrun_frame_checked(&call->info[f], failed == 0);
        if (out[1])
            memcpy(fecrun_row(out[1], f), corrected, words * sizeof *corrected);
    }
}
