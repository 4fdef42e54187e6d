/* SPDX-License-Identifier: BSD-2-Clause */
/* How backends of both sides run: at once on the host, queued on the device; memory of the wrong
   side is an error, and so is what nobody announced. */
#include "t/doubles/fake/device/device.h"

int fake_make(const struct fecrun_create *args, void **instance, struct fecrun_error *err,
              const struct instance *like)
{
    struct instance *made;

    *instance = NULL;
    if (like->device && fake_told_to_fail("create"))
        return fecrun_fail(err, NULL, "the fake compiler has a cold");
    made = malloc(sizeof *made);
    if (!made)
        return fecrun_no_memory(err);
    *made = *like;
    made->max_frames = args->max_frames;
    *instance = made;
    fake_count_live(1);
    return 0;
}

void fake_destroy(void *instance)
{
    if (instance)
        fake_count_live(-1);
    free(instance);
}

/* At least as much as was asked for in front, but at the start of the stream. */
static int check_margin(const struct instance *self, const struct fecrun_call *call,
                        const struct fecrun_view *in, struct fecrun_error *err)
{
    uint64_t least = self->before < call->first_item ? self->before : call->first_item;

    if (in->before >= least && in->before <= call->first_item)
        return 0;
    return fecrun_fail(err, NULL, "%" PRIu64 " items before item %" PRIu64 ", asked for %" PRIu64,
                       in->before, call->first_item, self->before);
}

static int run_host(const struct instance *self, const struct fecrun_call *call, struct work *work,
                    struct fecrun_error *err)
{
    if (is_device(work->in.data) || is_device(work->out.data) || is_device(call->info))
        return fecrun_fail(err, NULL, "device memory for a host backend");
    work->info = self->marks ? call->info : NULL;
    work->run(work);
    return 0;
}

static int run_device(const struct instance *self, const struct fecrun_call *call,
                      struct work *work, struct fecrun_error *err)
{
    bool good = is_device(call->info);

    if (fake_told_to_fail("bits"))
        work->factor /= 2;
    if (fake_told_to_fail("run"))
        return fecrun_fail(err, NULL, "fake launch failure");
    work->in = on_device(&work->in, &good);
    work->out = on_device(&work->out, &good);
    work->info = self->marks ? real(call->info) : NULL;
    if (self->items) { /* it asked for scratch */
        good = good && is_device(call->scratch) && (uintptr_t)call->scratch % 64 == 0;
        work->scratch = real(call->scratch);
    }
    if (!good)
        return fecrun_fail(err, NULL, "host memory for a device backend");
    return fake_push(call->stream, work, err);
}

int fake_run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
             struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *self = instance;
    struct work work = {.run = self->work,
                        .in = *in[0],
                        .out = *out[0],
                        .factor = self->factor,
                        .before = self->before,
                        .after = self->after,
                        .first_frame = call->first_frame,
                        .key = call->sim->rng.seed ^ (uint64_t)call->sim->rng.stage << 40 ^
                               (uint64_t)call->sim->rng.point << 56};

    if (check_margin(self, call, in[0], err))
        return -1;
    if (in[0]->frames > self->max_frames)
        return fecrun_fail(err, NULL, "%" PRIu64 " frames, at most %" PRIu64 " were announced",
                           in[0]->frames, self->max_frames);
    return self->device ? run_device(self, call, &work, err) : run_host(self, call, &work, err);
}
