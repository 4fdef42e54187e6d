/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "hangs"
#include "t/doubles/bad/stage.h"
#include <unistd.h>

__attribute__((destructor)) static void wait_for_ever(void)
{
    for (;;)
        pause();
}
