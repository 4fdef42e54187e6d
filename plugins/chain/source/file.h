/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of source.file share: file.c has the stage, plan.c the meaning of its parameters,
   read.c reads, check.c looks at what was read. */
#ifndef CHAIN_SOURCE_FILE_H
#define CHAIN_SOURCE_FILE_H

#include "plugins/chain/plugin.h"
#include "plugins/chain/source/format.h"
#include "plugins/common/files/file.h"

#include <fecrun/sdk/sample.h>

enum source_param {
    P_PATH,
    P_KIND,
    P_SCALE,
    P_MAX,
    P_LOOP,
    P_DTYPE,
    P_FRAME,
    P_PIECE,
    P_STREAM,
    P_FULL,
    P_INVERT,
    P_SKIP,
    P_COUNT,
    P_SWAP,
    P_ROTATE
};

extern const char *const source_turns[]; /* degrees of `rotate` */
extern const char *const source_kinds[]; /* words of `kind` */

struct source_code {
    const char *path;
    uint32_t kind;                /* enum fecrun_kind */
    const struct format *format;  /* of an item in the file */
    struct infile_columns turned; /* a .npy file in Fortran order, else items is 0 */
    uint64_t header;              /* bytes in front of the first item that is read */
    uint64_t end;   /* of the data, in bytes from the start; UINT64_MAX: unknown, of a pipe */
    uint64_t items; /* of a frame or piece */
    bool stream, loop;
    bool pipe;         /* has no size, and is read once */
    bool live;         /* a pipe, and no latency is wanted: what has come goes on */
    bool swap;         /* the two of a pair change places, then they turn by */
    unsigned quarters; /* of a turn */
    bool invert;       /* LLRs change sign, bits their value */
    float limit;       /* magnitudes above it are errors; 0: not checked */
    float full_scale;  /* of symbols: a factor */
};

/* Of n items in the file. */
static inline uint64_t source_bytes(const struct source_code *code, uint64_t n)
{
    return format_bytes(code->format, n);
}

/* Are the bytes of the file, once source_check() has seen them, those of the type that comes out? */
static inline bool source_is_direct(const struct source_code *code, uint32_t type)
{
    const struct format *format = code->format;

    return type == format->type && format->numbers != NUMBERS_F64 &&
           format->numbers != NUMBERS_I32 &&
           (code->kind != FECRUN_KIND_SYMBOLS ||
            (format->symbols == SYMBOLS_CF32 && code->full_scale == 1));
}

enum {
    SOURCE_CHUNK = 1 << 15, /* items that are converted at a time; whole bytes of all types */
    SOURCE_ITEM = 16,       /* bytes of the largest item */
    SOURCE_SMALL = 1 << 16  /* bytes: shorter frames are read many at a time */
};

struct source {
    struct infile file;
    uint8_t *chunk; /* where items are converted: room for SOURCE_CHUNK of any type */
    uint64_t next;  /* frame that stands at the file's position */
    bool started;   /* what `skip` leaves out of a pipe was read */
    bool ended;     /* there is none, and none behind it */
    bool failed;    /* as the next call is to say, */
    struct fecrun_error why;
};

/* plan() of the stage. */
int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *plan, struct fecrun_error *err);

/* What was read from byte `at` on, n items: errors, and values that are read as others. Items of a
   sample type are those that come out, inverted where that is wanted. */
int source_check(const struct source_code *code, uint8_t *data, size_t n, uint64_t at,
                 struct fecrun_error *err);

/* run() of the stage. */
int source_run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err);

/* For plan(), when kind, type and items are known. */
int source_plan_turn(struct source_code *code, const struct fecrun_values *values,
                     struct fecrun_error *err);
/* Items of a type that come from a file, whole pairs first. */
void source_turn(const struct source_code *code, uint32_t type, void *data, uint64_t items);

#endif
