/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What LLRs of a pipeline are worth: are they of the bits that were sent, of the right size, and how
 * much of what the channel let through is left behind each stage?
 */
#ifndef FECRUN_TOOL_DOCTOR_H
#define FECRUN_TOOL_DOCTOR_H

#include "run/session/session.h"

/* ---- Numbers of a port -------------------------------------------------------------------------- */

/* LLRs of some frames, one after the other. */
struct doctor_samples {
    const float *llr;     /* as they are at the port */
    const uint8_t *bit;   /* what was sent; NULL: unknown */
    size_t frames, items; /* items of a frame */
    double scale;         /* units per natural LLR; 0: unknown, taken as 1 */
    double limit;         /* magnitude that none exceeds; 0: none */
    uint32_t type;        /* enum fecrun_type: what a saturated one is told of */
    unsigned period;      /* bits of a symbol, 1: none known */
};

/* LLRs of about one magnitude. Their signs are right or wrong; zeros are half of either. */
struct doctor_level {
    double size; /* natural */
    double right, wrong;
    bool limited;
};

struct doctor_levels {
    size_t n;
    struct doctor_level *level; /* sizes rise */
    double total;
};

/*
 * What LLRs are worth for a decoder that knows their scale: bits an LLR, which is what counts for long
 * codes near their limit, and the exponent -ln(min over a of E exp(-a L)), L positive where the sign is
 * right, in which the union bound of short codes falls with the distance (Bhattacharyya, with clipping).
 */
struct doctor_worth {
    double information, exponent;
};

#define DOCTOR_BINS 11 /* of the histogram; the middle one is about 0 */
#define DOCTOR_PERIOD 8

struct doctor_numbers {
    uint64_t n; /* LLRs that are looked at */
    uint64_t punctured,
        known; /* at places that are 0, or certain and 0, in every frame: left out */
    uint64_t zero, limited, bad; /* of n: 0, at the limit, no number */
    double mean_size;            /* natural */
    double histogram_end;        /* of the outer bins; as at the port */
    uint64_t histogram[DOCTOR_BINS]
                      [2]; /* by the bit that was sent; [0] alone where it is unknown */
    /* The rest needs the bits. */
    double right; /* share of the signs, zeros left out */
    /* ln P(0)/P(1) rises by this where the LLR rises by 1; NaN: too few wrong signs to tell. */
    double slope, slope_error;
    struct doctor_worth worth;
    double as_is; /* bits for a decoder that takes them at their word */
    /* follows[j]: the bit of each `period` that LLR j agrees with; inverted[j]: as its opposite. */
    unsigned period, follows[DOCTOR_PERIOD];
    bool inverted[DOCTOR_PERIOD], told[DOCTOR_PERIOD]; /* told: beyond chance */
};

/* levels: to be freed by the caller; NULL where bits are unknown. */
int doctor_measure(const struct doctor_samples *samples, struct doctor_numbers *numbers,
                   struct doctor_levels *levels, struct diag *diag);
void doctor_levels_free(struct doctor_levels *levels);

/* Bits of an LLR that a decoder uses times `factor`; of the factor that gives most. */
double doctor_information(const struct doctor_levels *levels, double factor);
struct doctor_worth doctor_worth(const struct doctor_levels *levels);
/* What is left once LLRs are quantised to integers of at most `most`. */
int doctor_quantised(const struct doctor_levels *levels, double scale, double most,
                     struct doctor_worth *worth, struct diag *diag);

/* ---- Channels ----------------------------------------------------------------------------------- */

/* Bits of an LLR that the channel allows, as those of bpsk where the scheme is not known here, and the Es/N0
   in dB at which it allows so much. */
double doctor_capacity(const char *scheme, double esn0_db);
double doctor_esn0(const char *scheme, double information);

/* Bits that a real dimension of it has; 0: a scheme that is not known here. */
unsigned doctor_dimension_bits(const char *scheme);

/* NaN: there is too little noise to tell. HUGE_VAL: nothing is left. */
struct doctor_cost {
    double long_db, short_db; /* for long codes near their limit; for short ones */
};

/* ---- All ports ---------------------------------------------------------------------------------- */

enum doctor_what {
    DOCTOR_INVERTED,
    DOCTOR_SWAPPED,
    DOCTOR_UNRELATED,
    DOCTOR_SCALE,
    DOCTOR_SATURATED,
    DOCTOR_COARSE,
    DOCTOR_LOSS,
    DOCTOR_SILENT,
};
const char *doctor_what_name(enum doctor_what what);

struct doctor_verdict {
    enum doctor_what what;
    struct doctor_cost cost;
    double scale; /* of the llr.quantize that would be right; 0: none */
    const char *type;
    char text[320];
};

#define DOCTOR_VERDICTS 4

struct doctor_port {
    size_t stage;
    unsigned port;
    int sent_stage, sent_port; /* the port whose bits these are LLRs of; -1: unknown */
    int before;                /* the port of LLRs, of this list, that became these; -1: none */
    bool quantiser;            /* llr.quantize itself */
    double set_scale;          /* and its parameter */
    struct fecrun_frame frame;
    char scheme[24]; /* of the channel; "": unknown */
    double esn0_db;  /* of the channel; NaN: unknown */
    double allowed;  /* bits of an LLR; NaN: unknown */
    uint64_t frames;
    size_t room; /* of samples */
    float *llr;
    uint8_t *bit;
    struct doctor_numbers numbers;
    struct doctor_levels levels;
    size_t n_verdicts;
    struct doctor_verdict verdicts[DOCTOR_VERDICTS];
};

struct doctor {
    const struct graph *graph; /* of the session */
    size_t n;
    struct doctor_port *ports;
    uint64_t frames; /* of the source */
};

/* Looks at frames of the point, on reference backends, so that no stage's output is hidden inside of
   another one. */
int doctor_run(struct doctor *doctor, const struct session *session, size_t point,
               const volatile int *cancel, struct diag *diag);
void doctor_free(struct doctor *doctor);

/* What is wrong at a port, from the numbers of it and of the one before. */
int doctor_judge(struct doctor *doctor, size_t port, struct diag *diag);

#endif
