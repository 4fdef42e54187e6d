/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/seal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char before[] = ",\"crc32c\":\"";

enum { DIGITS = 8, SEAL = sizeof before - 1 + DIGITS + 2 }; /* with "} behind them */

static uint32_t table[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
        table[byte] = crc;
    }
}

uint32_t seal_crc(const char *text, size_t size)
{
    uint32_t crc = UINT32_MAX;

    pthread_once(&once, make_table);
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ table[(crc ^ (unsigned char)text[i]) & 255];
    return ~crc;
}

char *seal_line(char *text, size_t *size)
{
    const size_t n = text ? strlen(text) - 1 : 0; /* without the last brace */
    char *line = text ? realloc(text, n + SEAL + 2) : NULL;

    if (!line) {
        free(text);
        return NULL;
    }
    *size = n + (size_t)sprintf(line + n, "%s%08x\"}\n", before, (unsigned)seal_crc(line, n));
    return line;
}

bool seal_holds(const char *line, size_t size)
{
    char digits[DIGITS + 1];
    const size_t n = size - SEAL;

    if (size < SEAL || memcmp(line + n, before, sizeof before - 1))
        return true;
    snprintf(digits, sizeof digits, "%08x", (unsigned)seal_crc(line, n));
    return !memcmp(line + n + sizeof before - 1, digits, DIGITS);
}
