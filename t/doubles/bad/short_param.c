/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "short_param"
#define BAD_PARAM_SIZE offsetof(struct fecrun_param, FECRUN_PARAM_LAST)
#include "t/doubles/bad/stage.h"
