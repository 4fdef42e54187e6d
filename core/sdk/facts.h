/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of a frame, by name; see struct fecrun_frame. Header only. */
#ifndef FECRUN_SDK_FACTS_H
#define FECRUN_SDK_FACTS_H

#include <fecrun/sdk/params.h>

/* Its place, or FECRUN_MAX_FACTS: nothing is said. */
static inline unsigned fecrun_fact_find(const struct fecrun_frame *frame, const char *key)
{
    for (unsigned i = 0; i < FECRUN_MAX_FACTS; i++)
        if (!strncmp(frame->facts[i].key, key, sizeof frame->facts[i].key))
            return i;
    return FECRUN_MAX_FACTS;
}

/* The value, or `otherwise` where nothing is said. */
static inline double fecrun_fact_get(const struct fecrun_frame *frame, const char *key,
                                     double otherwise)
{
    unsigned i = fecrun_fact_find(frame, key);

    return i < FECRUN_MAX_FACTS ? frame->facts[i].value : otherwise;
}

/* Sets it, or sets it anew. -1: there is no room left, or the key is too long. */
static inline int fecrun_fact_set(struct fecrun_frame *frame, const char *key, double value,
                                  struct fecrun_error *err)
{
    unsigned i = fecrun_fact_find(frame, key);

    if (!key[0] || strlen(key) >= sizeof frame->facts[0].key)
        return fecrun_fail(err, NULL, "a fact's name has 1 to %zu characters: `%s`",
                           sizeof frame->facts[0].key - 1, key);
    if (i == FECRUN_MAX_FACTS)
        i = fecrun_fact_find(frame, "");
    if (i == FECRUN_MAX_FACTS)
        return fecrun_fail(err, NULL,
                           "there is no room for `%s` beside the %d facts that a frame "
                           "has at most",
                           key, FECRUN_MAX_FACTS);
    memset(&frame->facts[i], 0, sizeof frame->facts[i]); /* frames are compared as bytes, too */
    memcpy(frame->facts[i].key, key, strlen(key));
    frame->facts[i].value = value;
    return 0;
}

/* Nothing is said any more; it is fine if nothing was. */
static inline void fecrun_fact_drop(struct fecrun_frame *frame, const char *key)
{
    unsigned i = fecrun_fact_find(frame, key);

    if (i == FECRUN_MAX_FACTS || !key[0])
        return;
    for (; i + 1 < FECRUN_MAX_FACTS; i++)
        frame->facts[i] = frame->facts[i + 1];
    memset(&frame->facts[i], 0, sizeof frame->facts[i]);
}

#endif
