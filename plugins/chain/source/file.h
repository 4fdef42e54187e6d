/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of source.file share: file.c has parameters and backends, read.c reads,
   check.c looks at what was read. */
#ifndef CHAIN_SOURCE_FILE_H
#define CHAIN_SOURCE_FILE_H

#include "plugins/chain/plugin.h"
#include "plugins/chain/source/symbols.h"
#include "plugins/common/files/file.h"

#include <fecrun/sdk/sample.h>

struct source_code {
    const char *path;
    uint32_t kind;   /* enum fecrun_kind */
    uint32_t disk;   /* enum fecrun_type in the file */
    uint64_t header; /* bytes in front of the data */
    uint64_t end;    /* of the data, in bytes from the start; UINT64_MAX: unknown, a pipe */
    uint64_t items;  /* of a frame or piece */
    bool stream, loop;
    bool live;            /* a pipe, and no latency is wanted: what has come goes on */
    float limit;          /* magnitudes above it are errors; 0: not checked */
    enum symbols symbols; /* kind symbols: as what they are in the file ... */
    float full_scale;     /* ... and a factor */
};

/* Of n items in the file. */
static inline uint64_t source_bytes(const struct source_code *code, uint64_t n)
{
    return code->kind == FECRUN_KIND_SYMBOLS ? n * symbols_bytes(code->symbols)
                                             : fecrun_bytes(code->disk, n);
}

/* Are the bytes of the file those of the type that comes out? */
static inline bool source_is_direct(const struct source_code *code, uint32_t type)
{
    return type == code->disk && (code->kind != FECRUN_KIND_SYMBOLS ||
                                  (code->symbols == SYMBOLS_CF32 && code->full_scale == 1));
}

enum {
    SOURCE_CHUNK = 1 << 15, /* items that are converted at a time; whole bytes of all types */
    SOURCE_SMALL = 1 << 16  /* bytes: shorter frames are read many at a time */
};

struct source {
    struct infile file;
    uint8_t *chunk; /* where items are converted: room for SOURCE_CHUNK of any type */
    uint64_t next;  /* frame that stands at the file's position */
    bool ended;     /* there is none, and none behind it */
    bool failed;    /* as the next call is to say, */
    struct fecrun_error why;
};

/* What was read from byte `at` on, n items: errors, and values that are read as others. */
int source_check(const struct source_code *code, uint8_t *data, size_t n, uint64_t at,
                 struct fecrun_error *err);

/* run() of the stage. */
int source_run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err);

#endif
