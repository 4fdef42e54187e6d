/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_stage"
#define BAD_STAGE_SIZE offsetof(struct fecrun_stage, FECRUN_STAGE_LAST)
#include "t/doubles/bad/stage.h"
