/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A journal's line ends with the CRC-32C of what stands before, so that a byte that a disk or a copy has
 * changed does not count: {...,"crc32c":"0a1b2c3d"}. Lines of earlier versions have none.
 */
#ifndef FECRUN_TOOL_JOURNAL_SEAL_H
#define FECRUN_TOOL_JOURNAL_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Castagnoli's polynomial, reflected, as in RFC 3720; of "123456789" it is e3069283. */
uint32_t seal_crc(const char *text, size_t size);

/* The line of an object's text, which is freed, with its CRC and a newline; *size bytes, to be freed. NULL: no
   memory, or no text. */
char *seal_line(char *text, size_t *size);

/* Of a line without its newline: has it no CRC, or the right one? */
bool seal_holds(const char *line, size_t size);

#endif
