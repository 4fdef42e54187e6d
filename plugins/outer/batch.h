/* SPDX-License-Identifier: BSD-2-Clause */
/* What encoders and decoders of both families on the host share: the loop over frames. */
#ifndef OUTER_BATCH_H
#define OUTER_BATCH_H

#include <fecrun/sdk/stage.h>

/* Encodes a frame of bits of this type. self: the code or the instance. */
typedef void outer_encode_frame(const void *self, const uint8_t *in, uint32_t type, uint8_t *out,
                                void *scratch);

void outer_encode_frames(outer_encode_frame *encode, const void *self,
                         const struct fecrun_call *call, const struct fecrun_view *in,
                         const struct fecrun_view *out);

/*
 * Decodes a frame. flags: a float for each symbol, or NULL. Writes to `corrected` for each word how many symbols it
 * corrected, -1: the word has failed. Returns how many words have failed.
 */
typedef uint32_t outer_decode_frame(const void *self, const uint8_t *in, const void *flags,
                                    uint32_t type, uint8_t *out, float *corrected, void *scratch);

enum { OUTER_MOST_WORDS = 8 }; /* of a frame */

/* words: of a frame. in[1] is NULL, or holds flags; out[1] is NULL, or takes what was corrected. */
void outer_decode_frames(outer_decode_frame *decode, const void *self,
                         const struct fecrun_call *call, const struct fecrun_view *in,
                         const struct fecrun_view *flags, struct fecrun_view *const out[],
                         uint32_t words);

#endif
