/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "old_abi"
#define BAD_ABI (FECRUN_ABI - 1)
#include "t/doubles/bad/stage.h"
