/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads small files as a whole. */
#ifndef FECRUN_SDK_READ_H
#define FECRUN_SDK_READ_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a file, "-" for standard input, from its beginning to its end; it may be a pipe. *data gets its bytes, with a NUL
 * behind them that *size does not count; free() it. Returns 0, or -1 with errno, then *data is NULL: EFBIG if there are
 * more than `most` bytes.
 */
int fecrun_read_file(const char *path, size_t most, char **data, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
