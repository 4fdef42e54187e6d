/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "bad_name"
#define BAD_STAGE_NAME "noverb"
#include "t/doubles/bad/stage.h"
