/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs work that may crash or hang in child processes. One child does one item after the other, since a fork
 * costs more than most items. If the child dies, or makes no progress, another child goes on with the rest. The
 * parent measures the time, because a child can block signals, stop itself or cancel an alarm.
 */
#ifndef FECRUN_TOOLS_FORKED_H
#define FECRUN_TOOLS_FORKED_H

#include <stdbool.h>
#include <stddef.h>

struct forked_work {
    size_t n;
    unsigned seconds; /* for each; then its child is killed, with the children of that one */
    double
        patience; /* seconds after which another child begins with the next one meanwhile; 0: never */
    void *data;   /* what the child leaves there stands in shared memory */
    int (*begin)(void *data);          /* in a new child, or its errno; may be NULL */
    void (*one)(void *data, size_t i); /* in the child */
    /* In the parent, of one that has not come to its end: how the child died, or that it was too late. */
    void (*died)(void *data, size_t i, const char *how, bool late);
};

/* -1: errno says why there is no child. */
int forked_do(const struct forked_work *work);

#endif
