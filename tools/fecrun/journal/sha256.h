/* SPDX-License-Identifier: BSD-2-Clause */
/* SHA-256 (FIPS 180-4), for identifiers of content. */
#ifndef FECRUN_TOOL_JOURNAL_SHA256_H
#define FECRUN_TOOL_JOURNAL_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT 65 /* hexadecimal digits and the end */

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
};

void sha256_begin(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t size);
void sha256_end(struct sha256 *sha, char text[SHA256_TEXT]);

#endif
