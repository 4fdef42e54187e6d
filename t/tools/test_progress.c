/* SPDX-License-Identifier: BSD-2-Clause */
/* The line that tells how far a run is: what it says, and that it keeps to the terminal's width. */
#include "tools/fecrun/progress.h"

#include <math.h>

#include "t/lib/tap.h"

static const char *const values[] = {"1", "2.5"};
static const struct pipeline_sweep sweeps[] = {
    {.stage = "channel.awgn", .param = "ebn0_db", .count = 2, .values = (char **)values}};
static const struct point at = {.n = 1, .sweeps = sweeps, .at = 1};

static char line[256];

static const char *shown(const struct progress *p, unsigned width)
{
    progress_line(line, sizeof line, width, p, 0);
    return line;
}

static void try_ends(void)
{
    struct run_counts counts = {.frames = 1000, .frame_errors = 0, .info_bits = 5000000};
    struct progress p = {.points = 1, .counts = &counts, .seconds = 10};

    ok(progress_left(&p) < 0, "no rule: no end");
    p.limits.frame_errors = 100;
    ok(progress_left(&p) < 0, "no error yet: no end is known");
    counts.frame_errors = 20;
    ok(fabs(progress_left(&p) - 40) < 1e-9, "a fifth of the errors after 10 s: 40 s");
    p.limits.frames = 4000;
    ok(fabs(progress_left(&p) - 30) < 1e-9, "a quarter of the frames: 30 s, which is sooner");
    p.limits.seconds = 15;
    ok(fabs(progress_left(&p) - 5) < 1e-9, "5 s by the clock: sooner still");
}

static void try_lines(void)
{
    struct run_counts counts = {.frames = 1000, .frame_errors = 20, .info_bits = 5000000};
    struct progress p = {.point = 1,
                         .points = 2,
                         .at = &at,
                         .counts = &counts,
                         .limits = {.frame_errors = 100},
                         .seconds = 10};

    is_str(shown(&p, 120),
           "point 2/2 ebn0_db=2.5: 1000 frames, 20 wrong, ends in 40 s, FER 2.0e-02, 0.5 Mb/s",
           "all of it");
    is_str(shown(&p, 60), "point 2/2 ebn0_db=2.5: 1000 frames, 20 wrong, ends in 40 s",
           "in 60 columns: how long it takes, not how fast");
    is_str(shown(&p, 30), "point 2/2: 1000 frames", "in 30: how far");
    for (unsigned width = 1; width < 100; width++)
        if (strlen(shown(&p, width)) > width)
            return (void)ok(false, "width %u: %s", width, line);
    ok(true, "never wider than the terminal");
    p.limits.frame_errors = 20000; /* in 9990 s, which is 2.775 h, after midnight in London */
    setenv("TZ", "UTC0", 1);
    is_str(shown(&p, 90),
           "point 2/2 ebn0_db=2.5: 1000 frames, 20 wrong, ends in 2.8 h, at 02:46, FER 2.0e-02",
           "a long one: when it ends");
    p.limits.frame_errors = 20 + 86400;
    ok(strstr(shown(&p, 90), "ends in 12.0 h"), "%s", line);
    p.limits.frame_errors = 2000000;
    ok(strstr(shown(&p, 90), "ends in 11.6 days, FER"), "%s", line);
}

int main(void)
{
    try_ends();
    try_lines();
    return done_testing();
}
