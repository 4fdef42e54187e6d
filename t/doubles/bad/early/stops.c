/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "stops"
#include "t/doubles/bad/stage.h"
#include <signal.h>

__attribute__((constructor)) static void stop(void)
{
    raise(SIGSTOP);
}
