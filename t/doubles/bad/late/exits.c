/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "late_exits"
#include "t/doubles/bad/stage.h"
#include <unistd.h>

__attribute__((destructor)) static void leave(void)
{
    _exit(7);
}
