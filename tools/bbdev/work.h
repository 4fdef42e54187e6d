/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How operations are done: an operation is split into jobs, one a code block; jobs of the same kind go through their
 * class's pipeline together; the results go back into the operations.
 */
#ifndef FECRUN_BBDEV_WORK_H
#define FECRUN_BBDEV_WORK_H

#include "tools/bbdev/class.h"

#include <rte_bbdev_op.h>

enum {
    /* Code blocks of one operation: TS 38.212 has at most 256 where bbdev counts them in 8 bits. */
    BBDEV_MOST_BLOCKS = 255,
    /* Received LLRs and sent bits of a code block. */
    BBDEV_MOST_E = 1 << 18
};

struct bbdev_job {
    struct bbdev_kind kind;
    uint8_t check; /* enum bbdev_crc: checked behind the decoder */
    uint8_t qm;    /* 1: no interleaver */
    uint8_t flags; /* enum bbdev_job_flags */
    uint8_t done;
    uint32_t from, n; /* of the operation's input: byte; bytes, or LLRs */
    uint32_t skip;    /* bits of the class's output that come before those to be sent */
    uint32_t bits;    /* that go to the output, */
    uint32_t at;      /* from this bit of it on */
    uint8_t *out;
    int8_t *soft; /* turbo: LLRs of the word go there; NULL: nowhere */
    void *op;     /* struct rte_bbdev_dec_op or _enc_op */
};

enum bbdev_job_flags {
    BBDEV_INVERTED = 1,      /* turbo decoder: positive LLRs mean ones */
    BBDEV_DEINTERLEAVE = 2,  /* turbo decoder: the input is the circular buffer w, not d0 d1 d2 */
    BBDEV_BAD = 4,           /* its input could not be read */
    BBDEV_SOFT_IN_ORDER = 8, /* LDPC decoder: soft output without the interleaver */
    BBDEV_SIX_BITS = 16,     /* LDPC decoder: LLRs of six bits come in */
    BBDEV_SOFT_INVERTED = 32 /* turbo decoder: positive LLRs that go out mean ones */
};

struct bbdev_worker;

/* NULL: no memory. A worker is used by one thread at a time. */
struct bbdev_worker *bbdev_worker_new(const struct bbdev_settings *settings);
void bbdev_worker_free(struct bbdev_worker *worker);

/* Makes a small class of each decoder, so that plugins and devices are there before the first operation, and so that
   wrong settings are found. -1 with *message filled: they are wrong, or something is missing. */
int bbdev_worker_warm(struct bbdev_worker *worker, struct fecrun_message *message);

/* Takes n operations, all of that type, to be done together with those that were taken before. Some may be done at
   once. */
void bbdev_collect(struct bbdev_worker *worker, enum rte_bbdev_op_type type, void *const *ops,
                   unsigned n);
/* Does what was taken, and sets status, lengths and iteration counts in it. */
void bbdev_work(struct bbdev_worker *worker);

/*
 * One file a family has these. split() checks an operation, reserves its output and fills jobs (BBDEV_MOST_BLOCKS are
 * there). It returns their number, or -1 if the operation asks for what cannot be: a bit of its status is set then.
 * load() fills row `row` of the class's arrays, store() takes it. tables is the worker's.
 */
struct bbdev_tables;

struct bbdev_family {
    int (*split)(void *op, struct bbdev_job *jobs);
    int (*load)(const struct bbdev_job *job, struct bbdev_class *class, unsigned row,
                struct bbdev_tables *tables);
    void (*store)(const struct bbdev_job *job, const struct bbdev_class *class, unsigned row);
};

extern const struct bbdev_family bbdev_ldpc_decoder, bbdev_ldpc_encoder, bbdev_turbo_decoder,
    bbdev_turbo_encoder;

/* Room to put together what lies in several segments, and turbo's tables. */
struct bbdev_tables {
    uint8_t copy[BBDEV_MOST_E];
    int8_t llrs[BBDEV_MOST_E];      /* out of six bits each */
    uint16_t *places[6144 / 8 + 1]; /* by K / 8; NULL: not made yet */
};

static inline int bbdev_decodes(unsigned work)
{
    return work == BBDEV_LDPC_DECODE || work == BBDEV_TURBO_DECODE;
}

/* Bits of the CRC. */
static inline unsigned bbdev_crc_bits(unsigned crc)
{
    return crc == BBDEV_CRC_NONE ? 0 : crc == BBDEV_CRC_16 ? 16 : 24;
}

/* What an operation's status says of it: the data, or this driver. Return -1. */
static inline int bbdev_bad_data(int *status)
{
    *status |= 1 << RTE_BBDEV_DATA_ERROR;
    return -1;
}

static inline int bbdev_unsupported(int *status)
{
    *status |= 1 << RTE_BBDEV_DRV_ERROR;
    return -1;
}

#endif
