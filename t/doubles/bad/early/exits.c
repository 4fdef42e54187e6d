/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "exits"
#include "t/doubles/bad/stage.h"
#include <stdlib.h>

__attribute__((constructor)) static void leave(void)
{
    exit(0);
}
