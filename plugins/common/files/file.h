/* SPDX-License-Identifier: BSD-2-Clause */
/* Buffered files of the sources and sinks, and the names of sample types in them. */
#ifndef COMMON_FILES_FILE_H
#define COMMON_FILES_FILE_H

#include <fecrun/plugin.h>
#include <fecrun/sdk/replace.h>
#include <stdbool.h>

#include "plugins/common/files/npy.h"

/* For a `dtype` parameter: names of both spellings, and the enum fecrun_type of choice i. */
#define FILE_DTYPES \
    "f4", "f32", "f2", "f16", "i2", "i16", "i1", "i8", "i4", "u1", "u8", "packed", "c8", "cf32", \
        "float32", "float16", "int16", "int8", "int4", "complex64"
extern const char *const file_dtype_names[];
uint32_t file_dtype(int64_t choice);

/* dtype b8: packed bits whose first one stands in the lowest place of a byte, turned to this library's or back. */
void file_turn_bits(uint8_t *to, const uint8_t *from, size_t bytes);

/* What plan() learns about an input file. A pipe cannot be asked and is raw. */
struct file_facts {
    bool regular; /* has a size and can be read again */
    bool is_npy;
    uint64_t size; /* bytes, if regular */
    struct npy npy;
};

/* Opens the file, reads the header if it is a .npy file, checks the size against it. */
int file_look(const char *path, const char *param, struct file_facts *facts,
              struct fecrun_error *err);

/* The same for readers that take the bytes of a .npy file as they are: see npy_check_plain(). */
int file_look_plain(const char *path, const char *param, struct file_facts *facts,
                    struct fecrun_error *err);

/* Of that many bytes, from offset on, which are there. Never 0. */
int file_digest(const char *path, uint64_t offset, uint64_t bytes, uint32_t *digest,
                struct fecrun_error *err);

/* Sets err (unless it is set) to "PATH: WHAT: reason of errno"; -1. */
int file_fail(struct fecrun_error *err, const char *param, const char *path, const char *what);

/* An array in Fortran order. It is read as if it stood in C order. */
struct infile_columns {
    uint64_t data;        /* byte where the array begins */
    uint64_t rows, items; /* items 0: there is no such array */
    unsigned item;        /* bytes of an item, at most 16 */
};

/* The byte of the file where the item stands that C order has at byte `offset`. */
uint64_t infile_column_byte(const struct infile_columns *columns, uint64_t offset);

/* Reading. */
struct infile {
    int fd;
    bool borrowed;              /* standard input: not to be closed */
    bool regular;               /* can be read at any place */
    const char *path;           /* borrowed */
    const volatile int *cancel; /* stops a read that a signal interrupts; NULL: no */
    uint64_t offset;            /* of the next byte to hand out */
    uint64_t end;               /* the file is read up to there; UINT64_MAX: to its end */
    uint8_t *buffer;
    size_t at, filled;
    struct infile_columns columns;
    struct readers *readers; /* threads that help with large reads; NULL: there are none */
    bool asked;              /* for them */
    bool alone;              /* nobody else reads the file at the same time */
};

int infile_open(struct infile *file, const char *path, struct fecrun_error *err);
void infile_close(struct infile *file);
/* After infile_open(): the array is in Fortran order. Offsets are then those of C order. */
int infile_turn(struct infile *file, const struct infile_columns *columns,
                struct fecrun_error *err);
/* Fills the empty buffer of such a file with whole rows, from the one that `offset` is in. */
int infile_fill_rows(struct infile *file, struct fecrun_error *err);
int infile_seek(struct infile *file, uint64_t offset, struct fecrun_error *err);

/* Have n bytes come, or the end? Waits for them but a moment, or (at_once) not at all. Of more than a
   buffer holds it is not known: no. */
bool infile_has(struct infile *file, size_t n, bool at_once);

/* Up to n bytes; *got is less than n only at the end of the file or when cancelled. */
int infile_read(struct infile *file, void *to, size_t n, size_t *got, struct fecrun_error *err);

/* Says whether n bytes that stood at byte `at` of the file may be so; may change them. Of a large read
   it is called for a part at a time, in several threads at once. 0, or -1 and *err. */
typedef int infile_check(const void *data, uint8_t *bytes, size_t n, uint64_t at,
                         struct fecrun_error *err);

/* infile_read() of many bytes, which check(data, ...) sees; of errors the first one in the file is told.
   Parts begin at multiples of 256 KiB behind the first one, or where a read ended. */
int infile_read_checked(struct infile *file, void *to, size_t n, infile_check *check,
                        const void *data, size_t *got, struct fecrun_error *err);

/*
 * Writing. A regular file gets a temporary name in the same directory, and its own in
 * outfile_finish(); what exists and is no regular file (a device, a pipe) is written directly.
 */
enum { OUTFILE_BUFFER = 1 << 20 };

struct outfile {
    int fd;
    bool borrowed; /* standard output */
    struct fecrun_replace file;
    const char *name;           /* for messages */
    bool live;                  /* a pipe, a terminal: what is written is wanted at once */
    const volatile int *cancel; /* set: a reader that has stopped is not waited for; NULL: it is */
    uint8_t *buffer;
    size_t filled;
};

int outfile_open(struct outfile *file, const char *path, struct fecrun_error *err);
int outfile_write(struct outfile *file, const void *data, size_t n, struct fecrun_error *err);
/* Where the next n bytes, at most OUTFILE_BUFFER, are to be put before the next call; aligned where all
   that was written before was of items of that size. NULL and *err. */
uint8_t *outfile_reserve(struct outfile *file, size_t n, struct fecrun_error *err);
/* To be called when there is nothing more to write for now: gives a live file what it has to get. */
int outfile_pause(struct outfile *file, struct fecrun_error *err);
/* Replaces the first n bytes, then closes the file and puts it in place. n may be 0. */
int outfile_finish(struct outfile *file, const void *head, size_t n, struct fecrun_error *err);
/* Drops what was not finished; standard output gets what is still in the buffer. */
void outfile_close(struct outfile *file);

#endif
