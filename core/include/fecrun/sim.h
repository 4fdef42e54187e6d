/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random numbers, counted errors and sources that have an end. Only stages of a simulation need them;
 * decoders and encoders do not.
 */
#ifndef FECRUN_SIM_H
#define FECRUN_SIM_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Names one sequence of random numbers. Each number depends on these members, the frame's number and
 * an index, and on nothing else, so any frame can be made again. <fecrun/sdk/rng.h> makes words of
 * it. Frozen.
 */
struct fecrun_rng {
    uint64_t seed; /* of the whole pipeline; the Philox key */
    uint32_t
        point; /* number of the sweep point for this stage: made of the swept values of this stage
                       and of those that feed it */
    uint32_t stage; /* number of the stage; the low 16 bits count */
};

/* The simulation's part of a call (fecrun_call.sim). It lives as long as the call. */
struct fecrun_sim {
    size_t size;
    struct fecrun_rng rng; /* of this stage */
    /* The same for each absorbed stage, in the order of fecrun_create.absorbed. Only entries of
       FECRUN_STAGE_RANDOM stages have a meaning. NULL: no stage is absorbed. */
    const struct fecrun_rng *absorbed;
};
#define FECRUN_SIM_LAST absorbed

/* More of fecrun_stage.flags and fecrun_plan.flags. */
enum fecrun_sim_stage_flags {
    FECRUN_STAGE_RANDOM = 2, /* uses random numbers: gets a number of its own in fecrun_rng.stage */
    FECRUN_STAGE_COUNTS = 16, /* sink: sets FECRUN_FRAME_COUNTED */
    FECRUN_STAGE_SEEKS = 64,  /* ordered source: run() takes any first_frame at any time, and plan()
                                 has said how many there are (fecrun_sim_plan.frames). If it is the
                                 first stage, several instances may read it at the same time. Each
                                 gives all frames that it is asked for, even if it is cancelled */
};

/* More of fecrun_frame_info.flags. */
enum fecrun_sim_frame_flags {
    FECRUN_FRAME_COUNTED = 4, /* bit_errors holds this frame's count against the reference */
};

/* Results of plan() for a simulation (fecrun_plan.sim). The host clears it before. */
struct fecrun_sim_plan {
    size_t size;
    uint64_t
        frames; /* FECRUN_STAGE_SEEKS: of the source; a shorter one that ends a stream is one */
    uint32_t
        past; /* not 0: a file brings what was received of these frames in another run, and this
                        is a digest of it. The random transforms of the pipeline then draw other values
                        than that run's, the source the same */
};
#define FECRUN_SIM_PLAN_LAST past

#ifdef __cplusplus
}
#endif

#endif
