/* SPDX-License-Identifier: BSD-2-Clause */
/* The lease queue under a simulated clock: see scaling.sh. */
#include "t/lib/lease_sim.h"

#include <stdio.h>

struct fleet {
    const char *what;
    unsigned n, runs;
    double rate, seconds; /* frames a second of a member, of the point with all of them */
    double latency;
    unsigned slow_in, die_in; /* one member in so many; 0: none */
};

static const struct fleet fleets[] = {
    {"equal speeds +-30 %", 64, 20, 1000, 60, 1e-3, 0, 0},
    {"the same, a point of 5 s", 64, 20, 1000, 5, 1e-3, 0, 0},
    {"the same, a point of 1 s", 64, 20, 1000, 1, 1e-3, 0, 0},
    {"5 % ten times slower", 64, 20, 1000, 60, 1e-3, 20, 0},
    {"the same, and 5 % die unseen", 64, 20, 1000, 60, 1e-3, 20, 20},
    {"2 % slower, 2 % die unseen", 10000, 1, 100, 60, 1e-3, 50, 50},
};

static void members(struct sim *sim, const struct fleet *fleet)
{
    for (unsigned m = 0; m < fleet->n; m++) {
        const uint64_t dice = sim_hash(m + sim->seed * 1000003);
        struct sim_member *member = &sim->members[m];
        *member = (struct sim_member){
            .dies = INFINITY, .rate = fleet->rate * (0.7 + 0.6 * (double)(dice & 1023) / 1023)};
        if (m && fleet->slow_in && (dice >> 10) % fleet->slow_in == 0) {
            member->slow = 10;
            member->slow_from = 1;
        }
        if (m && fleet->die_in && (dice >> 20) % fleet->die_in == 0)
            member->dies = fleet->seconds * (double)((dice >> 30) % 1000) / 1000;
    }
}

static void measure(const struct fleet *fleet)
{
    double vain = 0, most = 0, cpu = 0, seconds = 0, leases = 0;

    for (unsigned run = 0; run < fleet->runs; run++) {
        struct sim sim = {.options = {.limits = {.frame_errors = 100}, .unit = 1, .least = 64,
                                      .seconds = 1},
                          .seed = run + 1,
                          .one_in = (uint64_t)(fleet->n * fleet->rate * fleet->seconds / 100),
                          .latency = fleet->latency,
                          .n = fleet->n,
                          .most = 1e6};
        double share;

        sim.members = calloc(fleet->n, sizeof *sim.members);
        if (!sim.members)
            abort();
        members(&sim, fleet);
        sim_run(&sim);
        share = 100 * (double)sim.vain / (double)sim.counts.frames;
        vain += share / fleet->runs;
        most = fmax(most, share);
        cpu += sim.cpu;
        seconds += sim.seconds;
        leases += (double)sim.leases;
        free(sim.members);
    }
    printf("%7u  %-30s  %7.2f  %5.2f  %9.0f  %9.2f  %7.3f\n", fleet->n, fleet->what, vain, most,
           leases / seconds, 1e6 * cpu / leases, 100 * cpu / seconds);
}

int main(void)
{
    printf("members  point of 60 s                   in vain, %%      leases a  us of CPU    core"
           "\n                                            mean    max     second   a lease       %%\n");
    for (size_t i = 0; i < sizeof fleets / sizeof *fleets; i++)
        measure(&fleets[i]);
    return 0;
}
