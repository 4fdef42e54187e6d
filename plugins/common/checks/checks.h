/* SPDX-License-Identifier: BSD-2-Clause */
/* What plan() of block codes asks in all families, with the same answers. Header only. */
#ifndef PLUGINS_COMMON_CHECKS_H
#define PLUGINS_COMMON_CHECKS_H

#include <fecrun/sdk/stage.h>
#include <stdbool.h>

/* Did the user write it, and not as `auto`? */
static inline bool checks_written(const struct fecrun_value *value)
{
    return value->given == 2 && !value->is_auto;
}

/* Is it to be found by the stage? */
static inline bool checks_auto(const struct fecrun_value *value)
{
    return !value->given || value->is_auto;
}

/* -1 and a reason if the input is one stream. works: "block codes work", or the like. */
static inline int checks_frames(const struct fecrun_frame *in, const char *works,
                                struct fecrun_error *err)
{
    return in->stream ? fecrun_fail(err, NULL, "the input is one stream; %s on frames", works) : 0;
}

/* -1 and a reason if the input of an encoder is no frames of k bits, less the fillers. */
static inline int checks_bits(const struct fecrun_frame *in, uint32_t k, uint32_t fillers,
                              struct fecrun_error *err)
{
    char why[64] = "";

    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items == k - fillers)
        return 0;
    if (fillers)
        snprintf(why, sizeof why, " (K = %u less %u fillers)", k, fillers);
    return fecrun_fail(err, NULL, "the input has %llu bits a frame and the code takes %u%s",
                       (unsigned long long)in->items, k - fillers, why);
}

/* -1 and a reason, which names `param`, if the scale of the input's LLRs is not known. method: what has
   to know it; other: what has not. */
static inline int checks_scale(const struct fecrun_frame *in, const char *param, const char *method,
                               const char *other, struct fecrun_error *err)
{
    if (in->llr_scale > 0)
        return 0;
    return fecrun_fail(err, param,
                       "%s has to know the scale of the LLRs, and it got lost or was never given: "
                       "write llr_scale where they come from (source.file), or take %s, which "
                       "works at any scale",
                       method, other);
}

/* Warns if fewer bits of a word are received than are to be found: a lost first transmission, or a slip of
   the pen. */
static inline void checks_warn_rate(struct fecrun_plan *plan, double received, double bits)
{
    if (received < bits)
        fecrun_warn(
            plan,
            "%g bits of each word are received and %g are to be found: above rate 1 nothing "
            "can be decoded",
            received, bits);
}

/* An output of `items` sums of LLRs, in units of the input, whose limit is that of floats. */
static inline void checks_soft_output(struct fecrun_frame *out, const struct fecrun_frame *in,
                                      uint64_t items)
{
    fecrun_frame_copy(out, in);
    out->type = FECRUN_F32;
    out->items = items;
    out->llr_max = FECRUN_LLR_MAX_F32;
}

/* Forms of a decoder: FORM(llr, bit) of all types of LLRs on the host, with bits in bytes and packed. */
#define CHECKS_DECODER_FORMS(FORM) \
    FORM(FECRUN_I8, FECRUN_U8), FORM(FECRUN_I16, FECRUN_U8), FORM(FECRUN_F32, FECRUN_U8), \
        FORM(FECRUN_I8, FECRUN_PACKED), FORM(FECRUN_I16, FECRUN_PACKED), \
        FORM(FECRUN_F32, FECRUN_PACKED), NULL

#endif
