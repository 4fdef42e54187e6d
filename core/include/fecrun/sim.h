/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What only the stages of a simulation need: random numbers, counted errors, sources that have an end.
 * Decoders and encoders do without.
 */
#ifndef FECRUN_SIM_H
#define FECRUN_SIM_H

#include <fecrun/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whose random numbers: a value of each is a function of these, the frame's number and an index, and
 * of nothing else. So any frame can be made again. <fecrun/sdk/rng.h> makes words of it. Frozen.
 */
struct fecrun_rng {
    uint64_t seed; /* of the whole pipeline; the Philox key */
    uint32_t
        point; /* number of the sweep point for this stage: made of the swept values of this stage
                       and of those that feed it */
    uint32_t stage; /* number of the stage; the low 16 bits count */
};

/* Of one call: fecrun_call.sim, which lives as long as the call. */
struct fecrun_sim {
    size_t size;
    struct fecrun_rng rng; /* of this stage */
    /* Of each stage that the instance does itself, in the order of fecrun_create.absorbed: read those
       of stages that are FECRUN_STAGE_RANDOM. NULL: none is absorbed. */
    const struct fecrun_rng *absorbed;
};
#define FECRUN_SIM_LAST absorbed

/* More of fecrun_stage.flags and fecrun_plan.flags. */
enum fecrun_sim_stage_flags {
    FECRUN_STAGE_RANDOM = 2, /* uses random numbers: gets a number of its own in fecrun_rng.stage */
    FECRUN_STAGE_COUNTS = 16, /* sink: sets FECRUN_FRAME_COUNTED */
    FECRUN_STAGE_SEEKS = 64,  /* ordered source: run() takes any first_frame at any time, and plan()
                                 has said how many there are (fecrun_sim_plan.frames) */
};

/* More of fecrun_frame_info.flags. */
enum fecrun_sim_frame_flags {
    FECRUN_FRAME_COUNTED = 4, /* bit_errors holds this frame's count against the reference */
};

/* What plan() says to a simulation, in fecrun_plan.sim; cleared by the host. */
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
