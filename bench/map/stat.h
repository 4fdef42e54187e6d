/* SPDX-License-Identifier: BSD-2-Clause */
/* What two decoders' errors on the same frames say, in dB. */
#ifndef FECRUN_MAP_STAT_H
#define FECRUN_MAP_STAT_H

#include "bench/map/trial.h"

/* Wrong frames of two trials, a and b. */
struct paired {
    size_t frames, both, only_a, only_b;
};

struct paired stat_pair(const struct trial *a, const struct trial *b, size_t frames);

/* The x below which a share p of the standard normal distribution lies; 0 < p < 1. */
double stat_probit(double p);
/* The share below x. */
double stat_normal(double x);

/* How fast errors become fewer: the frame error rate is taken as normal(-per_db (Es/N0 - mean)). */
struct slope {
    bool known;
    double per_db, sd; /* of a normal distribution's unit */
};
/* From frames at two Es/N0: a step_db below that of b, the same noise. */
struct slope stat_slope(const struct paired *pairs, double step_db);

struct gap {
    bool known;
    double db, sd;
};
/* What b needs more than a. Its standard deviation holds that of the slope, too. */
struct gap stat_gap(const struct paired *pairs, const struct slope *slope);
double stat_low(const struct gap *gap, double deviations);
double stat_high(const struct gap *gap, double deviations);

/* A mean of values that frames have, and its standard deviation. */
struct mean {
    double mean, sd;
};
/* Of each frame (failed - wrong) of b less that of a. */
struct mean stat_failed(const struct trial *a, const struct trial *b, size_t frames);
/* Of each frame the iterations of b less `most` times those of a. */
struct mean stat_iterations(const struct trial *a, const struct trial *b, size_t frames,
                            double most);

#endif
