/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "null_run"
#define BAD_RUN NULL
#include "t/doubles/bad/stage.h"
