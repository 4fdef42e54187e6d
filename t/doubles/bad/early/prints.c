/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "prints"
#include "t/doubles/bad/stage.h"
#include <stdio.h>

__attribute__((constructor)) static void greet(void)
{
    puts("hello");
}
