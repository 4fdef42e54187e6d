/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Headers of .npy files, versions 1.0 and 2.0: little-endian, one or two dimensions, the types that
 * hold bits, LLRs and symbols. Strict, as input may come from anywhere; errors name the byte offset.
 */
#ifndef COMMON_FILES_NPY_H
#define COMMON_FILES_NPY_H

#include <fecrun/plugin.h>
#include <stdbool.h>

enum {
    NPY_MAX_HEADER = 66000, /* bytes: all of version 1.0, and no more for 2.0 */
    NPY_HEADER = 128,       /* bytes that npy_make_header() writes */
};

/* Numbers that have no sample type of their own. They are read as F32, or C8 of two doubles. */
enum npy_wide { NPY_PLAIN, NPY_F64, NPY_I32, NPY_C128 };

struct npy {
    uint32_t type;      /* FECRUN_U8, F32, F16, I16, I8 or C8: of an item after it was read */
    enum npy_wide wide; /* what stands in the file, if not that type */
    bool columns;       /* Fortran order of more than one frame: item 0 of all frames comes first */
    unsigned dims;      /* 1: (items,), frames is 1 */
    uint64_t frames;
    uint64_t items;   /* in one frame */
    uint64_t header;  /* bytes in front of the data */
    uint64_t payload; /* bytes of data; header + payload does not overflow */
};

/* Do the first bytes of a file say that it is a .npy file? */
bool npy_magic(const void *data, size_t size);

/* data: the first bytes of the file, NPY_MAX_HEADER of them or all. */
int npy_parse_header(const void *data, size_t size, struct npy *npy, struct fecrun_error *err);

/* Bytes of one item in the file. */
unsigned npy_item_bytes(const struct npy *npy);

/* For readers that take the bytes as they are: is it C order, without wide numbers? */
int npy_check_plain(const struct npy *npy, struct fecrun_error *err);

/* Is that the size of the whole file? */
int npy_check_size(const struct npy *npy, uint64_t file_size, struct fecrun_error *err);

/* A version 1.0 header in C order: type, wide, dims, frames and items are taken. */
void npy_make_header(unsigned char header[NPY_HEADER], const struct npy *npy);

#endif
