/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms that several stages share. */
#include "plugins/frame/plugin.h"

const struct fecrun_form *const frame_whole_bytes[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),   FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16), FECRUN_ONE_FORM(FECRUN_F16, FECRUN_F16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32), NULL,
};
