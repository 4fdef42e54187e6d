/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts of a frame by name, see struct fecrun_frame. Header only. */
#ifndef FECRUN_SDK_FACTS_H
#define FECRUN_SDK_FACTS_H

#include <fecrun/sdk/params.h>

/* Its facts, *n of them: those that say nothing have an empty key, and stand last. */
static inline struct fecrun_fact *fecrun_facts(const struct fecrun_frame *frame, uint32_t *n)
{
    const size_t at = frame->facts_at ? frame->facts_at : offsetof(struct fecrun_frame, facts);

    *n = frame->max_facts ? frame->max_facts : FECRUN_MAX_FACTS;
    return (struct fecrun_fact *)((char *)frame + at);
}

/* The one of that name, or NULL: nothing is said. "": the first place that is free. */
static inline struct fecrun_fact *fecrun_fact_find(const struct fecrun_frame *frame,
                                                   const char *key)
{
    uint32_t n;
    struct fecrun_fact *facts = fecrun_facts(frame, &n);

    for (uint32_t i = 0; i < n; i++)
        if (!strncmp(facts[i].key, key, sizeof facts[i].key))
            return &facts[i];
    return NULL;
}

/* The value, or `otherwise` where nothing is said. */
static inline double fecrun_fact_get(const struct fecrun_frame *frame, const char *key,
                                     double otherwise)
{
    const struct fecrun_fact *fact = fecrun_fact_find(frame, key);

    return fact ? fact->value : otherwise;
}

/* Sets it, or sets it anew. -1: there is no room left, or the key is too long. */
static inline int fecrun_fact_set(struct fecrun_frame *frame, const char *key, double value,
                                  struct fecrun_error *err)
{
    struct fecrun_fact *fact = fecrun_fact_find(frame, key);
    uint32_t n;

    if (!key[0] || strlen(key) >= sizeof frame->facts[0].key)
        return fecrun_fail(err, NULL, "a fact's name has 1 to %zu characters: `%s`",
                           sizeof frame->facts[0].key - 1, key);
    fact = fact ? fact : fecrun_fact_find(frame, "");
    fecrun_facts(frame, &n);
    if (!fact)
        return fecrun_fail(err, NULL,
                           "there is no room for `%s` beside the %u facts that a frame has at most",
                           key, n);
    memset(fact, 0, sizeof *fact); /* frames are compared as bytes, too */
    memcpy(fact->key, key, strlen(key));
    fact->value = value;
    return 0;
}

/* Nothing is said any more; it is fine if nothing was. */
static inline void fecrun_fact_drop(struct fecrun_frame *frame, const char *key)
{
    struct fecrun_fact *fact = key[0] ? fecrun_fact_find(frame, key) : NULL;
    uint32_t n;
    struct fecrun_fact *last = fecrun_facts(frame, &n) + n - 1;

    if (!fact)
        return;
    memmove(fact, fact + 1, (size_t)(last - fact) * sizeof *fact);
    memset(last, 0, sizeof *last);
}

#endif
