/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads small files as a whole. */
#ifndef FECRUN_SDK_READ_H
#define FECRUN_SDK_READ_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a whole file, which may be a pipe; "-" is standard input. *data gets its bytes and a final NUL that *size does not
 * count. The caller frees *data. Returns 0. After an error it returns -1, sets errno, and *data is NULL. errno is EFBIG if
 * the file has more than `most` bytes.
 */
int fecrun_read_file(const char *path, size_t most, char **data, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
