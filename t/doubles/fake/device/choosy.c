/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake.choosy flips bits, and its device does not take all codes: levels and depths up to 4, two
 * sizes in one call, packed bits only where it does fake.flip, too. What it does not take it does
 * wrong.
 */
#include "t/doubles/fake/device/device.h"

#include <unistd.h>

struct choosy {
    int64_t level, depth;
    uint64_t items;
};

static int choosy_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct choosy *code = plan->code = calloc(1, sizeof *code);

    (void)host;
    if (!code)
        return fecrun_no_memory(err);
    fecrun_frame_copy(out[0], in[0]);
    code->level = fecrun_value(values, 0)->i;
    code->depth = fecrun_value(values, 1)->i;
    code->items = in[0]->items;
    return 0;
}

/* Devices are of different ages: FAKE_OLD is the number of one that is too old for this. */
static int choosy_probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    const char *old = getenv("FAKE_OLD");

    (void)host;
    if (fake_driver_process && fake_driver_process != getpid()) {
        snprintf(reason, size, "a forked child cannot use a driver that runs");
        return -1;
    }
    if (!old || atoi(old) != device)
        return 0;
    snprintf(reason, size, "fake device %d is too old", (int)device);
    return -1;
}

/* Devices have different limits: FAKE_SMALL is the number of one with a small one. To ask for it
   starts the driver. */
static int64_t limit_of(int32_t device)
{
    const char *small = getenv("FAKE_SMALL");

    if (small)
        fake_driver_process = getpid();
    return small && atoi(small) == device ? 2 : 4;
}

static int choosy_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const bool ragged = args->form->flags & FECRUN_FORM_RAGGED;
    const int64_t limit = limit_of(args->device);

    if (!args->host || args->tune || args->max_frames)
        return fecrun_fail(err, NULL, "asked about things that nobody can know yet");
    if (args->n_codes > 1 && !ragged)
        return fecrun_fail(err, NULL, "asked about a batch that it never gets");
    if (args->n_absorbed > 1 || (args->n_absorbed && strcmp(args->absorbed[0], "fake.flip")))
        return fecrun_fail(err, NULL, "asked about a stage that it does not know");
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct choosy *code = args->codes[i];

        if (code->level > limit)
            return fecrun_fail(err, "level", "the fake device counts to %d", (int)limit);
        if (code->depth > 4)
            return fecrun_fail(err, "depth", "the fake device is shallow");
    }
    if (args->n_codes > 2)
        return fecrun_fail(err, NULL, "the fake device has room for two sizes");
    if (args->n_absorbed && ragged)
        return fecrun_fail(err, NULL, "the fake device flips twice in packed bits only");
    return 0;
}

/* It says nothing of level 0. */
static void choosy_note(const struct fecrun_create *args, char *text, size_t size)
{
    const struct choosy *code = args->codes[0];

    if (code->level && args->host && !args->max_frames && !*text)
        snprintf(text, size, "counts to %d on fake device %d", (int)code->level, (int)args->device);
}

static void do_nothing(const struct work *w)
{
    (void)w;
}

CREATE(choosy_host, fake_flip_bits, .factor = 1)

static int choosy_device(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    struct fecrun_create early = *args;
    struct fecrun_error why = {.size = sizeof why};

    early.tune = NULL;
    early.max_frames = 0;
    return fake_make(args, instance, err,
                     &(struct instance){choosy_takes(&early, &why) ? do_nothing
                                        : args->n_absorbed         ? fake_convert
                                                                   : fake_flip_ragged,
                                        .device = true});
}

static const struct fecrun_param *const choosy_params[] = {
    FECRUN_PARAM(.name = "level", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_POINT, .imin = 0,
                 .imax = 9, .default_text = "0", .help = "up to 4 on the device; without effect"),
    FECRUN_PARAM(.name = "depth", .type = FECRUN_VALUE_INT, .imin = 0, .imax = 9,
                 .default_text = "0", .help = "the same, but not FECRUN_PARAM_POINT"),
    NULL,
};
static const struct fecrun_form *const host_forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_form *const device_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    TYPES(FECRUN_PACKED, FECRUN_PACKED), NULL};
static const char *const absorbs_flip[] = {"fake.flip", NULL};

STAGE(fake_choosy, .name = "fake.choosy", .role = FECRUN_ROLE_TRANSFORM, .params = choosy_params,
      .inputs = bit_ports, .outputs = bit_ports, .plan = choosy_plan, .plan_free = free,
      .backends = BACKENDS_RUN(fake_run, host_forms, choosy_host, device_forms, choosy_device,
                               .absorbs = absorbs_flip, .probe = choosy_probe,
                               .takes = choosy_takes, .note = choosy_note));
