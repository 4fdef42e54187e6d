/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What takes long to make and is the same the next time, in the user's cache directory:
 * $XDG_CACHE_HOME/fecrun, else ~/.cache/fecrun. A file for each key; one that is not what was
 * stored, in whatever way, is as if it were not there. Any of it may be removed at any time.
 */
#ifndef COMMON_RTC_CACHE_H
#define COMMON_RTC_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* 128 bits, of all that the stored data depend on. Begin with {0}. */
struct rtc_key {
    uint64_t digest[2];
};

/* The length belongs to it: texts in a row differ from the same ones divided elsewhere. */
void rtc_key_add(struct rtc_key *key, const void *data, size_t size);

/* The data stored under the key, malloc()ed; NULL: none. */
void *rtc_cache_load(const struct rtc_key *key, size_t *size);

/* Stores them, in place of what was there. Where that is not possible nothing happens. */
void rtc_cache_store(const struct rtc_key *key, const void *data, size_t size);

#endif
