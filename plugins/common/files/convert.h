/* SPDX-License-Identifier: BSD-2-Clause */
/* Sample types between files and ports. */
#ifndef CHAIN_CONVERT_H
#define CHAIN_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can `to` hold every value of `from` (both enum fecrun_type)? */
bool chain_lossless(uint32_t from, uint32_t to);

/*
 * n items, at most CHAIN_CHUNK. From a wider to a narrower type only values that the narrower one
 * holds: they come from a conversion the other way. No overlap.
 */
void chain_convert(void *to, uint32_t to_type, const void *from, uint32_t from_type, size_t n);

#endif
