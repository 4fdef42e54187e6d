/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepared pipelines, one for each kind of work that operations ask for, made when first asked for and kept.
 *
 * Sizes that change with every transmission are no part of a kind: LLRs that are received and bits that are sent
 * are rounded up (zeros add nothing to a soft buffer, and the first bits of a longer sequence are the shorter
 * one's), so that a kind serves all lengths that reach the same columns of the code.
 */
#ifndef FECRUN_BBDEV_CLASS_H
#define FECRUN_BBDEV_CLASS_H

#include <fecrun/fecrun.h>

enum bbdev_work {
    BBDEV_LDPC_DECODE = 1, /* LLRs in the order of the circular buffer -> K' bits */
    BBDEV_LDPC_ENCODE,     /* K' bits less the CRC -> bits in the order of the circular buffer */
    BBDEV_TURBO_DECODE,    /* 3 K + 12 LLRs d0 d1 d2 -> K bits */
    BBDEV_TURBO_ENCODE,    /* K bits less the CRC -> bits in the order of the circular buffer */
    BBDEV_CRC_CHECK        /* bits with their CRC; only the verdict is of use */
};

/* Unused fields are 0: kinds are compared byte by byte. */
struct bbdev_kind {
    uint8_t work;
    uint8_t crc; /* enum bbdev_crc: attached by encoders, stops the turbo decoder, checked */
    uint8_t rv;
    uint8_t bg;
    /* Decoders, added up: 1 a soft buffer comes in, 2 one goes out (both LDPC), 4 LLRs of the word go out. */
    uint8_t harq;
    uint8_t alpha; /* turbo: factor of extrinsic LLRs in sixteenths; 0: fecrun's own */
    /* LDPC decoder: no early stop; turbo encoder: all of d0 d1 d2, no rate matching; turbo decoder: half an iteration
       more. */
    uint8_t all;
    uint8_t rows;  /* LDPC decoder: rows of the base graph in use */
    uint16_t size; /* LDPC: lifting size; turbo: K */
    uint16_t fillers, ncb, iterations;
    uint32_t e; /* LLRs or bits of a frame; CRC check: bits with their CRC */
};

enum bbdev_crc { BBDEV_CRC_NONE, BBDEV_CRC_24A, BBDEV_CRC_24B, BBDEV_CRC_16 };

/* One kind's pipeline with its own arrays, all of `frames` rows. NULL: the kind has no such array. */
struct bbdev_class {
    struct bbdev_kind kind;
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    unsigned frames;
    int device;                                /* reads `in`, which this core does not then */
    uint8_t *in, *before, *after, *out, *soft; /* soft: float, all others bytes */
    size_t in_bytes, before_bytes, after_bytes, out_bytes, soft_bytes; /* of a row */
    struct bbdev_class *next;                                          /* of the same hash */
    struct bbdev_class *newer, *older;                                 /* by use */
};

struct bbdev_cache;

/* How pipelines are opened. Strings live as long as the cache. */
struct bbdev_settings {
    const char *backend;      /* as --backend; NULL: auto */
    const char *plugins;      /* a directory of plugins that is searched first; NULL: none */
    int low_latency;          /* `latency: low` */
    int device;               /* pipelines run on a device, which wants large batches */
    unsigned long most_bytes; /* of the arrays of all classes */
};

/* Whether pipelines of such settings run on a device: it is named, or `auto` finds one. */
int bbdev_finds_device(const struct bbdev_settings *settings);

/* NULL: no memory. A cache is used by one thread at a time. */
struct bbdev_cache *bbdev_cache_new(const struct bbdev_settings *settings);
void bbdev_cache_free(struct bbdev_cache *cache);

/* Finds the class of a kind or makes it; the class that was not used for longest goes where memory is short.
   Returned pointers hold until the next call. NULL with *message filled: it cannot be made. */
struct bbdev_class *bbdev_class_get(struct bbdev_cache *cache, const struct bbdev_kind *kind,
                                    struct fecrun_message *message);
/* As that, and keeps `other` (which may be NULL). */
struct bbdev_class *bbdev_class_get_beside(struct bbdev_cache *cache, const struct bbdev_kind *kind,
                                           const struct bbdev_class *other,
                                           struct fecrun_message *message);

/* Frees a class whose pipeline has failed: it is made anew when next asked for. */
void bbdev_class_forget(struct bbdev_cache *cache, struct bbdev_class *class);

/* Writes the pipeline of a kind as YAML. Returns its length, or -1 if `size` is too small. */
int bbdev_pipeline_text(const struct bbdev_kind *kind, int low_latency, char *text, size_t size);

#endif
