/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated links through the library, what they hold at each port, and statistical limits. */
#ifndef T_CHAIN_THEORY_H
#define T_CHAIN_THEORY_H

#include "t/lib/tap.h"

#include <fecrun/fecrun.h>
#include <math.h>

#define SIGMAS \
    5.0 /* of a normal distribution: 6 checks of 10 million are beyond; seeds are fixed */

static struct fecrun_message message = {.size = sizeof message};
static struct fecrun_session *session;
static struct fecrun_prepared *prepared;

/* Plugins of the build, no device, and the seed of all that follows. */
static TAP_UNUSED void begin_links(void)
{
    const char *top = getenv("top_builddir");
    char plugins[4096];

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
}

static TAP_UNUSED void close_link(void)
{
    fecrun_finish(prepared);
    fecrun_close(session);
    prepared = NULL;
    session = NULL;
}

/* For so many frames a call. */
static TAP_UNUSED void open_link(const char *text, uint64_t frames)
{
    const struct fecrun_prepare_options options = {.size = sizeof options, .frames = frames};

    if (fecrun_open_text(&session, "link", text, strlen(text), NULL, &message) ||
        fecrun_prepare(&prepared, session, &options, &message))
        bail("%s\n%s", message.text, text);
}

/* The array of a sink.memory, bound; *items: of all frames. To be freed. */
static TAP_UNUSED void *array_of(const char *id, uint64_t *items)
{
    struct fecrun_port_info info = {.size = sizeof info};
    void *data;

    if (fecrun_get_port(prepared, id, &info, &message))
        bail("%s", message.text);
    *items = info.frames * info.items;
    data = malloc(info.bytes);
    if (!data || fecrun_bind_output(prepared, id, data, info.bytes, 0, &message))
        bail("%s", data ? message.text : "out of memory");
    return data;
}

static TAP_UNUSED void execute(uint64_t frames)
{
    if (fecrun_execute(prepared, frames, &message))
        bail("%s", message.text);
}

/* Is a count of n trials of probability p where theory has it? */
static TAP_UNUSED bool is_binomial(double count, double n, double p, const char *what)
{
    const double off = count - n * p, sigma = sqrt(n * p * (1 - p));

    if (fabs(off) <= SIGMAS * sigma + 0.5)
        return true;
    diag("%s: %.0f of %.0f, not %.1f: %.1f sigma", what, count, n, n * p, off / sigma);
    return false;
}

/* Is the mean of n values, each of that expectation and variance, where theory has it? */
static TAP_UNUSED bool is_mean(double sum, double n, double want, double variance, const char *what)
{
    const double off = sum / n - want, sigma = sqrt(variance / n);

    if (fabs(off) <= SIGMAS * sigma)
        return true;
    diag("%s: %g, not %g: %.1f sigma", what, sum / n, want, off / sigma);
    return false;
}

/* Probability that a normal variable of variance 1 is above x. */
static TAP_UNUSED double q_function(double x)
{
    return erfc(x / sqrt(2)) / 2;
}

#endif
