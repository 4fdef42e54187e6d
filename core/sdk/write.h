/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes to a pipe or terminal whose reader may not read. */
#ifndef FECRUN_SDK_WRITE_H
#define FECRUN_SDK_WRITE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All n bytes. A pipe's reader may take its time, but once *cancel is not 0 (call->cancel; NULL: never)
 * only as long as it reads: without room for a second this gives up, with errno ETIMEDOUT. 0, or -1
 * with errno.
 */
int fecrun_write(int fd, const void *data, size_t n, const volatile int *cancel);

#ifdef __cplusplus
}
#endif

#endif
