/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "unarmed"
#include "t/doubles/bad/stage.h"
#include <unistd.h>

/* Takes back the alarm of whoever waits for it. */
__attribute__((constructor)) static void wait_for_ever(void)
{
    alarm(0);
    for (;;)
        pause();
}
