/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/session/session.h"

#include "core/batch/exec.h"

#include <fecrun/sdk/params.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * Buffers that the planner aims at, the largest one of a slot.
 *
 * On the host 6 MiB: enough frames for full vectors, small enough for the outer caches and for stop
 * rules to waste little. 3 MiB of a file that each worker reads: it is decoded while it is in the cache.
 *
 * Where all stages run on a device 1 GiB: only frame infos cross to the host, and what a batch
 * costs is launches and the host's turn between batches. On an H200 a batch of 1 GiB takes about
 * 1.5 ms, so stop rules waste little; bench/notebook/core.md has the speeds.
 *
 * Where files feed or take, 64 MiB: the copies through pinned memory are what takes the time, and
 * such memory takes longer to get than short runs last. Where the host computes, too, that is what
 * takes the time; then 16 MiB.
 */
#define HOST_BUFFER ((uint64_t)6 << 20)
#define READ_BUFFER ((uint64_t)3 << 20)
#define RESIDENT_BUFFER ((uint64_t)1 << 30)
#define FILES_BUFFER ((uint64_t)64 << 20)
#define MIXED_BUFFER ((uint64_t)16 << 20)

#define HOST_FRAMES 4096
#define DEVICE_FRAMES 262144

/*
 * With `latency: low` a batch is what has come; these are its bounds where more has come than one is
 * to wait for. On the host a vector's row of frames, which leaves the others to other threads; on a
 * device what crosses the bus in about 0.2 ms.
 */
#define LIVE_FRAMES 64
#define LIVE_BUFFER ((uint64_t)4 << 20)

/* ---- What there is ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t of_rlimit(int resource)
{
    struct rlimit limit;

    return getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX
                                                                          : limit.rlim_cur;
}

/* "max" is none, as is a file that is not there. */
static uint64_t of_file(const char *path)
{
    unsigned long long bytes;
    FILE *file = fopen(path, "re");
    int n = file ? fscanf(file, "%llu", &bytes) : 0;

    if (file)
        fclose(file);
    return n == 1 ? bytes : UINT64_MAX;
}

/* A group and all that it is in. In a container the path may be one of outside; the last file, that of
   the mount itself, is there always. */
static uint64_t of_group(const char *mount, char *group, const char *name)
{
    char path[PATH_MAX];
    uint64_t bytes = UINT64_MAX;
    char *slash;

    for (;;) {
        if (snprintf(path, sizeof path, "%s%s/%s", mount, group, name) < (int)sizeof path)
            bytes = least(bytes, of_file(path));
        if (!(slash = strrchr(group, '/')))
            return bytes;
        *slash = 0;
    }
}

/* "0::/path" of v2, "4:cpu,memory:/path" of v1 */
static uint64_t of_line(char *line, const char *mount)
{
    char *controllers = strchr(line, ':'), *group, memory[PATH_MAX];

    line[strcspn(line, "\n")] = 0;
    if (!controllers || !(group = strchr(++controllers, ':')))
        return UINT64_MAX;
    *group++ = 0;
    if (!*controllers)
        return of_group(mount, group, "memory.max");
    if (!strstr(controllers, "memory") ||
        snprintf(memory, sizeof memory, "%s/memory", mount) >= (int)sizeof memory)
        return UINT64_MAX;
    return of_group(memory, group, "memory.limit_in_bytes");
}

uint64_t budget_of_groups(const char *groups, const char *mount)
{
    char line[PATH_MAX];
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen(groups, "re");

    while (file && fgets(line, sizeof line, file))
        bytes = least(bytes, of_line(line, mount));
    if (file)
        fclose(file);
    return bytes;
}

/* The least of all these. UINT64_MAX: unknown. */
static uint64_t memory_of_process(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    const uint64_t all = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : UINT64_MAX;

    const uint64_t groups = budget_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");

    return least(least(all, groups), least(of_rlimit(RLIMIT_AS), of_rlimit(RLIMIT_DATA)));
}

uint64_t budget_host_memory(void)
{
    static uint64_t known; /* files of the system are read for it, and a sweep asks at each point */
    uint64_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!bytes)
        __atomic_store_n(&known, bytes = memory_of_process(), __ATOMIC_RELAXED);
    return bytes;
}

/* UINT64_MAX: the provider does not say. */
static uint64_t device_memory(const struct registry *registry, unsigned space, int device)
{
    const struct fecrun_provider *provider = registry->providers[space - 1].provider;
    struct fecrun_error err = {.size = sizeof err};
    uint64_t free_bytes = 0, total = 0;

    if (!provider->memory)
        return UINT64_MAX;
    if (provider->memory(device, &free_bytes, &total, &err))
        return UINT64_MAX; /* if it is broken, the first piece of memory will tell */
    return free_bytes;
}

static uint64_t device_memory_once(const struct session *session, const struct layout *layout)
{
    const unsigned space = layout->device.space;
    const int device = layout->device.device;
    struct registry_provider *provider = &session->registry->providers[space - 1];

    if (!provider->asked || provider->asked_for != device)
        provider->free_bytes = device_memory(session->registry, space, device);
    provider->asked = true;
    provider->asked_for = device;
    return provider->free_bytes;
}

void budget_forget(const struct session *session)
{
    for (size_t i = 0; i < session->registry->n_providers; i++)
        session->registry->providers[i].asked = false;
}

/* ---- What is needed ---- */

static struct bytes slots_need(const struct layout *layout, unsigned workers, unsigned in_flight,
                               uint64_t frames)
{
    struct bytes bytes = layout_bytes(layout, frames, NULL);
    size_t slots = layout_slots(layout, workers, in_flight, frames);

    bytes.host = bytes_times(bytes.host, slots) + ragged_bytes(layout);
    bytes.device = bytes_times(bytes.device, slots);
    return bytes;
}

static struct bytes run_need(const struct session *session, const struct exec *exec,
                             uint64_t frames)
{
    struct bytes slots = slots_need(&exec->layout, exec->n_workers, session->pipeline->in_flight,
                                    frames);
    struct bytes scratch = exec_scratch(exec, frames);

    return (struct bytes){slots.host + scratch.host, slots.device + scratch.device};
}

static bool within(struct bytes need, struct bytes room)
{
    return need.host <= room.host && need.device <= room.device;
}

/* ---- The planner's choice ---- */

/* Bytes of the largest buffer a frame; of rows of blocks, on the average. */
static uint64_t largest_frame(const struct session_plan *made, const struct layout *layout)
{
    const struct plan *plan = made->plan;
    uint64_t most = 1;

    if (made->shape.rows[0].block) {
        layout_bytes(layout, made->shape.round, &most);
        return most / made->shape.round + 1;
    }

    for (size_t s = 0; s < plan->graph->n; s++)
        for (unsigned p = 0; p < plan->graph->stages[s].n_out; p++) {
            const struct fecrun_frame *frame = &plan->stages[s].out[p];
            uint64_t bytes = frame->pieces * fecrun_bytes(frame->type, frame->items);
            most = bytes > most ? bytes : most;
        }
    return most;
}

/* Whole rows of 64, the widest vector of bytes, where they fit. */
static uint64_t round_frames(uint64_t frames, uint64_t most)
{
    frames = frames < most ? frames : most;
    frames = frames >= 64 ? frames / 64 * 64 : frames;
    return frames ? frames : 1;
}

/* What the largest buffer is to be, by what is left to the host: frame infos, files or more. */
static uint64_t device_buffer(const struct plan *plan, const struct negotiation *negotiation)
{
    uint64_t bytes = RESIDENT_BUFFER;

    for (size_t s = 0; s < plan->graph->n; s++) {
        if (negotiation->choices[s].absorbed_by >= 0 || negotiation->choices[s].space != SPACE_HOST)
            continue;
        if (!(plan_flags(plan, s) & FECRUN_STAGE_ORDERED))
            return MIXED_BUFFER;
        bytes = FILES_BUFFER; /* they have their own thread's time */
    }
    return bytes;
}

/* All slots together stay within a quarter of the device's free memory. */
static uint64_t device_batch(const struct session *session, const struct layout *layout,
                             uint64_t target)
{
    unsigned in_flight = session->pipeline->in_flight;
    const uint64_t round = shape_unit(layout->shape);
    struct bytes room = {UINT64_MAX, device_memory_once(session, layout)};
    uint64_t one, two, frames;

    layout_bytes(layout, round, &one);
    layout_bytes(layout, 1024 * round + round, &two);
    one = (two - one) / 1024 / round ? (two - one) / 1024 / round : 1; /* without margins */
    frames = round_frames(target / one, DEVICE_FRAMES);
    room.device = room.device == UINT64_MAX ? UINT64_MAX : room.device / 4;
    while (frames > 1 && !within(slots_need(layout, in_flight, in_flight, frames), room))
        frames = round_frames(frames - (frames + 7) / 8, DEVICE_FRAMES);
    return frames;
}

uint64_t budget_batch(const struct session *session, const struct session_plan *plan,
                      struct diag *diag)
{
    const bool low = session->pipeline->low_latency;
    struct layout layout;
    const uint64_t target = shape_source_frames(&plan->shape) ? READ_BUFFER : HOST_BUFFER;
    uint64_t frames;

    if (layout_make(&layout, plan->negotiation, &plan->shape, NULL, diag))
        return 0;
    frames = layout.device.space == SPACE_HOST
                 ? round_frames(target / largest_frame(plan, &layout),
                                low ? LIVE_FRAMES : HOST_FRAMES)
                 : device_batch(session, &layout,
                                low ? LIVE_BUFFER : device_buffer(plan->plan, plan->negotiation));
    layout_free(&layout);
    return frames;
}

/* ---- The check ---- */

static const char *bytes_text(uint64_t bytes, char *text, size_t size)
{
    if (bytes >> 30)
        snprintf(text, size, "%.1f GiB", (double)bytes / (1 << 30));
    else
        snprintf(text, size, "%.1f MiB", (double)bytes / (1 << 20));
    return text;
}

static uint64_t largest_fitting(const struct session *session, const struct exec *exec,
                                struct bytes room)
{
    uint64_t low = 0, high = exec->created->frames; /* high is too much */

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (within(run_need(session, exec, middle), room))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int too_much(const struct session *session, const struct exec *exec, struct bytes need,
                    struct bytes room, uint64_t fitting, struct diag *diag)
{
    const struct pipeline *pipeline = session->pipeline;
    bool host = need.host > room.host;
    char needed[32], there[32], where[96] = "this process may have", hint[96];

    if (!host)
        snprintf(where, sizeof where, "%s:%d has free",
                 session->registry->providers[exec->layout.device.space - 1].provider->name,
                 exec->layout.device.device);
    if (fitting)
        snprintf(hint, sizeof hint, "at most %llu frames fit", (unsigned long long)fitting);
    else
        snprintf(hint, sizeof hint, "%s in_flight needs less",
                 pipeline->n_blocks ? "fewer rows or a smaller" : "a smaller");
    return diag_fail(diag, DIAG_RUN,
                     "%s: %llu frames with in_flight %u need %s of %s memory, %s "
                     "%s; %s",
                     pipeline->n_blocks ? "blocks" : "batch",
                     (unsigned long long)exec->created->frames, pipeline->in_flight,
                     bytes_text(host ? need.host : need.device, needed, sizeof needed),
                     host ? "host" : "device", where,
                     bytes_text(host ? room.host : room.device, there, sizeof there), hint);
}

int budget_check(const struct session *session, const struct exec *exec, uint64_t *frames,
                 struct diag *diag)
{
    const struct layout *layout = &exec->layout;
    const uint64_t unit = shape_unit(exec->created);
    struct bytes need = run_need(session, exec, exec->created->frames);
    struct bytes room = {budget_host_memory(), UINT64_MAX};
    uint64_t fitting;

    if (layout->device.space != SPACE_HOST)
        room.device = device_memory(session->registry, layout->device.space, layout->device.device);
    if (room.device != UINT64_MAX)
        room.device += memory_pool_idle(layout->device.pool, layout->device.space);
    *frames = exec->created->frames;
    if (within(need, room))
        return 0;
    fitting = largest_fitting(session, exec, room) / unit * unit;
    if (!fitting && exec->created->rows[0].block && exec->created->frames > unit)
        fitting = unit; /* and what is then said is of one round */
    if (!fitting || session->pipeline->batch)
        return too_much(session, exec, need, room, fitting, diag);
    *frames = fitting;
    return 0;
}
