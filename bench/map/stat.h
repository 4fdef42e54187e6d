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
    double step_db;
    size_t frames;
    const struct trial *below, *at; /* that it was taken from */
    double below_weight, at_weight; /* of a wrong frame */
};
/* From frames at two Es/N0 with the same noise: `below` is step_db below `at`. Both have to live as long
   as the slope is used. */
struct slope stat_slope(const struct trial *below, const struct trial *at, size_t frames,
                        double step_db);

struct gap {
    bool known;
    double db, sd;
};
/* What b needs more than a. Its standard deviation holds that of the slope, too. */
struct gap stat_gap(const struct trial *a, const struct trial *b, size_t frames,
                    const struct slope *slope);
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
