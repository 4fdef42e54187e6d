/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts a host's views and calls for the decoders on the CPU, and back. */
#ifndef VITERBI_CODE_VIEWS_H
#define VITERBI_CODE_VIEWS_H

#include <fecrun/plugin.h>

#include "plugins/viterbi/code/tiles.h"

/* An instance is made for one size of frames; other views are the host's fault. */
int viterbi_check_views(const struct viterbi_spec *spec, const struct fecrun_view *in,
                        const struct fecrun_view *out, struct fecrun_error *err);

/* `frames` frames of a batch, from number `first` on. */
struct viterbi_input viterbi_input_of(const struct viterbi_spec *spec,
                                      const struct fecrun_call *call, const struct fecrun_view *in,
                                      uint64_t first, uint64_t frames);

/* Only the wrap-around algorithm knows whether it has come to an end; else nothing is said. */
void viterbi_report(const struct viterbi_spec *spec, const struct viterbi_verdict *verdict,
                    struct fecrun_frame_info *info);

#endif
