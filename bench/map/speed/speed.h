/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast a device's decoder is, over codes, types, batches and compute capabilities drawn at random. */
#ifndef FECRUN_MAP_SPEED_H
#define FECRUN_MAP_SPEED_H

#include <stdio.h>

#include "bench/map/cell.h"

/* Cells of a group do the same kind of work, whose unit they share. */
enum group {
    GROUP_LDPC,       /* edges, an iteration */
    GROUP_TURBO,      /* bits of the block, an iteration */
    GROUP_POLAR_SC,   /* N log2 N */
    GROUP_POLAR_LIST, /* the same times paths */
    GROUP_POLAR_BP,   /* the same, an iteration */
    GROUP_VITERBI,    /* states times steps */
    GROUPS
};

extern const char *const group_names[GROUPS], *const group_units[GROUPS];

struct speed_cell {
    struct cell cell;
    enum group group;
    double work;      /* of a frame, or of an iteration of one, in the group's units */
    double threads;   /* about how many of a device's a frame takes in the group's best kernel */
    unsigned batch;   /* frames of a call */
    const char *like; /* of FECRUN_CUDA_LIKE; "": the device as it is */
    double esn0_db;
};

/* The result of one cell. */
struct speed {
    struct speed_cell cell;
    char kernel[320];  /* as `fecrun explain` names it */
    char refused[320]; /* not empty: why there is no speed */
    double gbps;       /* 10^9 information bits a second */
    double us;         /* of a call */
    double rate;       /* units of the group a second */
    double iterations; /* mean; 1 for decoders without */
    double fer;
    double frames;       /* that it is of */
    double checked_fer;  /* of simd or ref on the first of the same frames, */
    double checked;      /* number of frames; 0: not checked */
    const char *checker; /* its backend */
};

struct speed_options {
    uint64_t seed;
    unsigned cells;
    long cell; /* this one alone; -1: all */
    unsigned part, parts;
    const char *backend; /* of the decoder */
    const char *json, *page;
    double effort;       /* of the check of a cell, ns as cells' cost counts them */
    const char *command; /* as it is to be repeated */
};

/*
 * Draws cell `number` of a seed, which depends on nothing else. `attempt` counts the cells before it that could
 * not be used.
 */
void speed_draw(struct speed_cell *s, uint64_t seed, unsigned number, unsigned attempt);

/* The same, until a cell can be used at all; -1: none of many can, and message says why not. */
int speed_find(struct speed_cell *s, const struct speed_options *options, unsigned number,
               char *message, size_t size);

/* The pipeline with this backend for the decoder. 0, or -1: it does not fit into size. */
int speed_yaml(const struct speed_cell *s, const char *backend, char *text, size_t size);

/* Makes and runs the decoder once: what is compiled when it is used is in the cache then. */
void speed_prepare(struct speed *s, const struct speed_options *options);
/* Times the decoder alone, input and output where it computes, and counts the errors of its output. */
void speed_measure(struct speed *s, const struct speed_options *options);
/* Decodes the first of the same frames by simd, or ref where simd does not. */
void speed_check(struct speed *s, const struct speed_options *options);
/* Is the error rate of the frames that were timed beyond the checker's, by more than chance? */
bool speed_is_wrong(const struct speed *s);

/* A line a cell. 0, or -1: errno says why. */
int speed_write(FILE *out, const struct speed *s);
/* Reads lines of speed_write() for cells that were drawn already. 0, or -1 with a message on stderr. */
int speed_read(const char *path, struct speed *all, unsigned n);

/* Worst first. */
void speed_table(FILE *out, const struct speed *all, unsigned n);
int speed_page(const struct speed_options *options, const struct speed *all, unsigned n);

#endif
