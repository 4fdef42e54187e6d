/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Headers of .npy files, versions 1.0 and 2.0: little-endian, C order, one or two dimensions, the
 * types that hold bits, LLRs and symbols. Strict, as input may come from anywhere; errors name the
 * byte offset.
 */
#ifndef COMMON_FILES_NPY_H
#define COMMON_FILES_NPY_H

#include <fecrun/plugin.h>
#include <stdbool.h>

enum {
    NPY_MAX_HEADER = 66000, /* bytes: all of version 1.0, and no more for 2.0 */
    NPY_HEADER = 128,       /* bytes that npy_make_header() writes */
};

struct npy {
    uint32_t type; /* FECRUN_U8, F32, F16, I16, I8 or C8 */
    unsigned dims; /* 1: (items,), frames is 1 */
    uint64_t frames;
    uint64_t items;   /* in one frame */
    uint64_t header;  /* bytes in front of the data */
    uint64_t payload; /* bytes of data; header + payload does not overflow */
};

/* Do the first bytes of a file say that it is a .npy file? */
bool npy_magic(const void *data, size_t size);

/* data: the first bytes of the file, NPY_MAX_HEADER of them or all. */
int npy_parse_header(const void *data, size_t size, struct npy *npy, struct fecrun_error *err);

/* Is that the size of the whole file? */
int npy_check_size(const struct npy *npy, uint64_t file_size, struct fecrun_error *err);

/* A version 1.0 header: type, dims, frames and items are taken. */
void npy_make_header(unsigned char header[NPY_HEADER], const struct npy *npy);

#endif
