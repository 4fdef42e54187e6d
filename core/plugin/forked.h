/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a plugin may do wrong is tried in a child process first. One child does everything, in turn, since
 * forking costs more than most of the work. Where it dies, or makes no progress, another one goes on with
 * the rest. The parent keeps the time: a child can block signals, stop itself or take an alarm back.
 */
#ifndef FECRUN_PLUGIN_FORKED_H
#define FECRUN_PLUGIN_FORKED_H

#include <stdbool.h>
#include <stddef.h>

struct forked_work {
    size_t n;
    unsigned seconds; /* for each; then its child is killed, with the children of that one */
    double
        patience; /* seconds after which another child begins with the next one meanwhile; 0: never */
    void *data;   /* what the child leaves there stands in shared memory */
    void (*begin)(void *data);         /* in a new child; may be NULL */
    void (*one)(void *data, size_t i); /* in the child; at its end done() */
    bool (*done)(const void *data, size_t i);
    /* In the parent, of one that is not done: how the child died, or that it was too late. */
    void (*died)(void *data, size_t i, const char *how, bool late);
};

/* -1: errno says why there is no child. */
int forked_do(const struct forked_work *work);

#endif
