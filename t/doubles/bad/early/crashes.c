/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "crashes"
#include "t/doubles/bad/stage.h"
#include <signal.h>

__attribute__((constructor)) static void crash(void)
{
    raise(SIGSEGV);
}
