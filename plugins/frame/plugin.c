/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/plugin.h"

static const struct fecrun_stage *const stages[] = {
    &frame_interleave,
    &frame_deinterleave,
    &frame_scramble,
    &frame_descramble,
    &bits_hard,
    &frame_join,
    &frame_sync,
    &frame_insert,
    &frame_remove,
    &frame_split,
    NULL,
};

FECRUN_PLUGIN(.name = "frame", .version = "1.0", .license = "BSD-2-Clause", .stages = stages);
