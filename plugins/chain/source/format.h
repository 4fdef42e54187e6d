/* SPDX-License-Identifier: BSD-2-Clause */
/* How items stand in a file of source.file: the words of `dtype`, and what is read of each. */
#ifndef CHAIN_SOURCE_FORMAT_H
#define CHAIN_SOURCE_FORMAT_H

#include "plugins/chain/source/symbols.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers in the file that are no sample type. All little-endian. */
enum numbers {
    NUMBERS_PLAIN,  /* those of a sample type */
    NUMBERS_F64,    /* binary64; read as the nearest f32 */
    NUMBERS_I32,    /* four bytes; read as the nearest f32 */
    NUMBERS_OFFSET, /* one byte x; read as i8 of x - 128, where -128 becomes -127 */
    NUMBERS_LOW,    /* packed bits, the first one in the lowest place of its byte */
};

struct format {
    const char *name;     /* of `dtype`, shortest spelling */
    uint32_t type;        /* enum fecrun_type of the items that are read */
    enum symbols symbols; /* C8: what stands in the file */
    enum numbers numbers; /* others: the same */
    uint32_t kinds;       /* mask of enum fecrun_kind: what these items can be */
};

/* For the parameter `dtype`: the words, ending with NULL, and the format of word i. */
extern const char *const format_names[];
const struct format *format_of_name(int64_t choice);

/* That of a .npy file. */
struct npy;
const struct format *format_of_npy(const struct npy *npy);

/* That of a recording's samples. */
const struct format *format_of_symbols(enum symbols symbols);

/* Bytes that n items take in the file, rounded up to whole bytes. */
uint64_t format_bytes(const struct format *format, uint64_t n);

/* n F64 or I32 numbers to the nearest f32, negated if so told; `from` of any alignment. No overlap. */
void format_narrow(enum numbers numbers, bool negate, const uint8_t *from, float *to, uint64_t n);

/* The number at `from`, F64 or I32, exactly. */
double format_number(enum numbers numbers, const uint8_t *from);

/*
 * NumPy's i4, i8 and u8 have 4 and 8 bytes, while here these are LLRs of half a byte and a byte, and
 * bits. The NumPy type that the word means there, and in *bytes its size; NULL: the word cannot be
 * mistaken.
 */
const char *format_mistaken(const char *dtype, unsigned *bytes);

/* Are these n bytes of a file surely numbers of `bytes` bytes that are all small? False if there are
   too few to say. */
bool format_looks_wide(const uint8_t *data, size_t n, unsigned bytes);

#endif
