/* SPDX-License-Identifier: BSD-2-Clause */
/* Open-loop loads of frames by a clock that the test moves: every latency is known. */
#include "t/lib/tap.h"
#include "tools/fecrun/bench/load.h"

#include <math.h>

enum { MOST = 64 };

struct desk {
    double time;
    double service[MOST]; /* seconds of each frame */
    unsigned served, fails_at;
    volatile int cancel;
    unsigned cancels_at;
};

static int serve(void *data, struct diag *diag)
{
    struct desk *desk = data;

    desk->time += desk->service[desk->served++];
    desk->cancel = desk->served == desk->cancels_at;
    return desk->served == desk->fails_at ? diag_fail(diag, DIAG_RUN, "the desk is closed") : 0;
}

/* It goes on while it is read, as one does that is waited with. */
static double now(void *data)
{
    struct desk *desk = data;

    return desk->time += 1.0 / (1 << 20);
}

static struct load load_of(struct desk *desk, double rate, uint64_t frames)
{
    return (struct load){.rate = rate,
                         .frames = frames,
                         .serve = serve,
                         .now = now,
                         .data = desk,
                         .cancel = &desk->cancel};
}

static struct desk desk_of(double service)
{
    struct desk desk = {.time = 1000};

    for (unsigned i = 0; i < MOST; i++)
        desk.service[i] = service;
    return desk;
}

static bool near(double us, double seconds)
{
    return fabs(us - 1e6 * seconds) < 20; /* of ten readings of the clock */
}

static void idle(void)
{
    struct desk desk = desk_of(0.25);
    struct load load = load_of(&desk, 2, 40);
    struct load_served served;
    struct diag error = {0};
    double us[MOST];
    unsigned good = 0;

    ok(!load_run(&load, us, &served, &error), "a desk that is free for each frame");
    for (unsigned i = 0; i < 40; i++)
        good += near(us[i], 0.25);
    is_int(good, 40, "latency is the service alone");
    is_int(served.frames, 40, "all are served");
    ok(fabs(served.busy - 10) < 1e-3 && !served.overloaded, "half of the time");
    ok(desk.time - 1000 > 19.5, "no frame is served before it arrives");
}

/* One frame takes 2 s: those that arrive meanwhile wait, and the queue gets shorter by .25 s a frame. */
static void stalled(void)
{
    struct desk desk = desk_of(0.25);
    struct load load = load_of(&desk, 2, 40);
    struct load_served served;
    struct diag error = {0};
    double us[MOST];

    desk.service[10] = 2;
    ok(!load_run(&load, us, &served, &error), "a desk that is held up once");
    ok(near(us[9], 0.25) && near(us[10], 2), "the frame before is not late, the long one is");
    ok(near(us[11], 1.75) && near(us[12], 1.5) && near(us[16], 0.5) && near(us[17], 0.25),
       "those behind it have waited: %g %g %g %g", us[11], us[12], us[16], us[17]);
    ok(!served.overloaded && fabs(served.busy - 11.75) < 1e-3, "no overload: %g s", served.busy);
}

static void overload(void)
{
    struct desk desk = desk_of(0.6);
    struct load load = load_of(&desk, 2, 40);
    struct load_served served;
    struct diag error = {0};
    double us[MOST];

    ok(!load_run(&load, us, &served, &error), "frames that take longer than they arrive");
    ok(served.overloaded && served.frames == 40, "an overload, to its end");
    ok(near(us[0], 0.6) && fabs(us[39] - 4.5e6) < 200, "the queue grows");
    desk = desk_of(0.5 - 1e-4);
    ok(!load_run(&load, us, &served, &error) && !served.overloaded, "just not");
    desk = desk_of(0.5);
    ok(!load_run(&load, us, &served, &error) && served.overloaded,
       "just so, with the clock's readings");
    desk = desk_of(0.1);
    load.rate = 100;
    ok(!load_run(&load, us, &served, &error) && served.overloaded && served.frames == 12,
       "but not before a second: %u", (unsigned)served.frames);
    load.rate = 2;
    desk = desk_of(5);
    ok(!load_run(&load, us, &served, &error), "ten times as long");
    ok(served.overloaded && served.frames == 5, "ends when a frame has waited 20 s: %u",
       (unsigned)served.frames);
}

static void ends(void)
{
    struct desk desk = desk_of(0.25);
    struct load load = load_of(&desk, 2, 40);
    struct load_served served;
    struct diag error = {0};
    double us[MOST];

    desk.cancels_at = 7;
    ok(!load_run(&load, us, &served, &error) && served.frames == 7, "cancelled after 7");
    ok(!served.overloaded, "which is no overload");
    desk = desk_of(0.25);
    desk.fails_at = 3;
    ok(load_run(&load, us, &served, &error) == -1 && !strcmp(error.text, "the desk is closed"),
       "an error ends the load");
    is_int(desk.served, 3, "at once");
}

int main(void)
{
    idle();
    stalled();
    overload();
    ends();
    return done_testing();
}
