/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "unknown_type"
#define BAD_TYPE 77
#include "t/doubles/bad/stage.h"
