/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The mutual information between a bit of a symbol and what is received, mean over the symbol's bits:
 * what an LLR of each bit alone can carry (bit-interleaved coded modulation). Square constellations
 * are two equal real dimensions with Gray labels, which the mappings of TS 38.211 are up to signs.
 */
#include "tools/fecrun/doctor/doctor.h"

#include <math.h>
#include <string.h>

#define REACH 8.0 /* standard deviations that are integrated over */
#define STEPS 160
#define LEVELS_MOST 32

struct pam {
    unsigned bits, levels;
    double at[LEVELS_MOST];
    unsigned label[LEVELS_MOST];
    double deviation;
};

/* pi/2-BPSK is BPSK that is turned. */
static const struct {
    const char *name;
    unsigned bits; /* of a dimension */
    double energy; /* the same */
} known[] = {{"bpsk", 1, 1},      {"pi/2-bpsk", 1, 1}, {"qpsk", 1, 0.5},
             {"16qam", 2, 0.5},   {"64qam", 3, 0.5},   {"256qam", 4, 0.5},
             {"1024qam", 5, 0.5}, {"4096qam", 6, 0.5}, {NULL, 1, 1}};

/* Its entry, or the last one. */
static size_t find(const char *scheme)
{
    size_t i = 0;

    while (known[i].name && strcmp(known[i].name, scheme))
        i++;
    return i;
}

unsigned doctor_dimension_bits(const char *scheme)
{
    const size_t i = find(scheme);

    return known[i].name ? known[i].bits : 0;
}

static void make_pam(struct pam *pam, const char *scheme, double esn0_db)
{
    const unsigned bits = known[find(scheme)].bits;
    const double energy = known[find(scheme)].energy;
    const double n = 1u << bits, unit = sqrt(energy * 3 / (n * n - 1));

    pam->bits = bits;
    pam->levels = 1u << bits;
    pam->deviation = sqrt(pow(10, -esn0_db / 10) / 2);
    for (unsigned i = 0; i < pam->levels; i++) {
        pam->at[i] = unit * (2.0 * i + 1 - n);
        pam->label[i] = i ^ i >> 1;
    }
}

/* log2 of what the received y says against the bits of the level that was sent, all bits added. */
static double surprise(const struct pam *pam, unsigned sent, double y)
{
    double likely[LEVELS_MOST], all = 0, sum = 0;

    for (unsigned i = 0; i < pam->levels; i++) {
        const double far = (y - pam->at[i]) / pam->deviation;
        likely[i] = exp(-far * far / 2);
        all += likely[i];
    }
    for (unsigned j = 0; j < pam->bits; j++) {
        double same = 0;
        for (unsigned i = 0; i < pam->levels; i++)
            if (((pam->label[i] ^ pam->label[sent]) >> j & 1) == 0)
                same += likely[i];
        sum += log2(all / same);
    }
    return sum;
}

double doctor_capacity(const char *scheme, double esn0_db)
{
    struct pam pam;
    double sum = 0, weights = 0;

    make_pam(&pam, scheme, esn0_db);
    for (int k = -STEPS / 2; k <= STEPS / 2; k++) {
        const double far = REACH * k / (STEPS / 2), weight = exp(-far * far / 2);

        weights += weight;
        for (unsigned i = 0; i < pam.levels; i++)
            sum += weight * surprise(&pam, i, pam.at[i] + far * pam.deviation) / pam.levels;
    }
    return 1 - sum / weights / pam.bits;
}

double doctor_esn0(const char *scheme, double information)
{
    double low = -40, high = 40;

    for (int i = 0; i < 40; i++) {
        const double middle = (low + high) / 2;
        *(doctor_capacity(scheme, middle) < information ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
