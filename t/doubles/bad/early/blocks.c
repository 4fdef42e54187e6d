/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "blocks"
#include "t/doubles/bad/stage.h"
#include <signal.h>
#include <unistd.h>

/* Hangs, and no signal that can be blocked ends it. */
__attribute__((constructor)) static void block(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        pause();
}
