/* SPDX-License-Identifier: BSD-2-Clause */
/* Is a receiver in step with its recording? What its decoders and checks say of the first pieces. */
#ifndef FECRUN_TOOL_SYNC_STEP_H
#define FECRUN_TOOL_SYNC_STEP_H

#include "run/session/session.h"

/* A parameter of the source, instead of what the file has. */
struct step_setting {
    const char *name, *value;
};

enum { STEP_MOST_SETTINGS = 8 };

struct step_try {
    struct step_setting settings[STEP_MOST_SETTINGS]; /* up to the first without a name */
    unsigned
        noise; /* the LLRs get random signs, by this seed unless 0: what a decoder makes of anything else */
    bool quick; /* on the host's backends that are not references, if those take the parameters */
};

struct step_result {
    uint64_t frames;  /* that were looked at */
    uint64_t checked; /* frames and pieces with a verdict of a decoder or a check, and */
    uint64_t failed;  /* those of them that failed */
    double
        reencoded; /* mean share of symbols that differ from the decoder's word; NaN: no decoder tells it */
    double error; /* standard error of reencoded by its spread over frames; NaN: of one frame */
    double items; /* of the source in all */
    bool silent;  /* and all of them, LLRs or symbols, are 0 */
};

/* Does any stage of the file tell it: by an output `reencoded`, or a verdict? */
bool step_can_tell(const struct session *session);

/* Runs about `items` items of the source through the file's stages, on their references unless how->quick. Nothing is
   written. */
int step_measure(const struct session *session, const struct step_try *how, uint64_t items,
                 const volatile int *cancel, struct step_result *result, struct diag *diag);

/* Is the file read as it was recorded, and not simulated: a source that ends, and no stage that is random? */
bool step_is_recording(const struct plan *plan);

/*
 * Says in words if a decoder makes no more of the file's first LLRs or symbols than of noise, or if these are 0; else text is
 * empty. Empty, too,
 * where nothing tells it, the file can be read once only, or there are several points or rows. Nothing is written.
 */
void step_look(const struct session *session, const volatile int *cancel, char *text, size_t size);

#endif
