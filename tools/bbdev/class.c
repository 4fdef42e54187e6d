/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bbdev/class.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 256,
    MOST_FRAMES = 64,
    /* Of one array of a class: what fits into a core's second cache, so that rows are still there when they are
       decoded. */
    ARRAY_BYTES = 512 << 10,
    /* Arrays of a device are filled once for all of it. */
    DEVICE_FRAMES = 256
};

struct bbdev_cache {
    struct bbdev_settings settings;
    struct bbdev_class *buckets[BUCKETS];
    struct bbdev_class *newest, *oldest;
    unsigned long bytes;
};

int bbdev_finds_device(const struct bbdev_settings *settings)
{
    const char *const directories[] = {settings->plugins, NULL};
    const struct fecrun_options options = {.size = sizeof options,
                                           .plugin_dirs = settings->plugins ? directories : NULL};
    struct fecrun_device_info info = {.size = sizeof info};
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_list *list;
    int found = 0;

    if (settings->backend && strcmp(settings->backend, "auto") != 0)
        return !strncmp(settings->backend, "cuda", 4);
    if (fecrun_list_open(&list, &options, &message))
        return 0;
    for (size_t i = 0; !found && !fecrun_list_device(list, i, &info); i++)
        found = info.available;
    fecrun_list_close(list);
    return found;
}

struct bbdev_cache *bbdev_cache_new(const struct bbdev_settings *settings)
{
    struct bbdev_cache *cache = calloc(1, sizeof *cache);

    if (cache)
        cache->settings = *settings;
    return cache;
}

static unsigned hash(const struct bbdev_kind *kind)
{
    const uint8_t *bytes = (const uint8_t *)kind;
    uint32_t sum = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < sizeof *kind; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return (sum ^ sum >> 16) % BUCKETS;
}

static unsigned long bytes_of(const struct bbdev_class *class)
{
    return class->frames * (class->in_bytes + class->before_bytes + class->after_bytes +
                            class->out_bytes + class->soft_bytes);
}

static void unlink_use(struct bbdev_cache *cache, struct bbdev_class *class)
{
    *(class->newer ? &class->newer->older : &cache->newest) = class->older;
    *(class->older ? &class->older->newer : &cache->oldest) = class->newer;
}

static void link_newest(struct bbdev_cache *cache, struct bbdev_class *class)
{
    class->newer = NULL;
    class->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = class;
    cache->newest = class;
}

static void free_class(struct bbdev_class *class)
{
    fecrun_finish(class->prepared);
    fecrun_close(class->session);
    free(class);
}

void bbdev_class_forget(struct bbdev_cache *cache, struct bbdev_class *class)
{
    struct bbdev_class **at = &cache->buckets[hash(&class->kind)];

    while (*at != class)
        at = &(*at)->next;
    *at = class->next;
    unlink_use(cache, class);
    cache->bytes -= bytes_of(class);
    free_class(class);
}

void bbdev_cache_free(struct bbdev_cache *cache)
{
    if (!cache)
        return;
    while (cache->oldest)
        bbdev_class_forget(cache, cache->oldest);
    free(cache);
}

static int no_memory(struct fecrun_message *message)
{
    message->status = 1;
    memcpy(message->text, "out of memory", sizeof "out of memory");
    return -1;
}

/* Binds the pipeline's own memory of a port: a device copies it without a way round. */
static int bind_own(struct bbdev_class *class, const char *stage, uint8_t **array, size_t *row,
                    struct fecrun_message *message)
{
    struct fecrun_port_info port = {.size = sizeof port};

    if (fecrun_get_port(class->prepared, stage, &port, message))
        return -1;
    *row = port.frame_bytes;
    *array = port.own;
    return port.output ? fecrun_bind_output(class->prepared, stage, *array, port.bytes, 0, message)
                       : fecrun_bind_input(class->prepared, stage, *array, port.bytes, 0, message);
}

/* As many frames a call as its largest array may have bytes for. */
static unsigned most_frames(const struct bbdev_kind *kind, const struct bbdev_settings *settings)
{
    const size_t row = kind->work == BBDEV_LDPC_DECODE ? 66u * kind->size
                       : kind->work == BBDEV_CRC_CHECK ? kind->e / 8
                       : kind->e > 3u * kind->size     ? kind->e
                                                       : 3u * kind->size;
    size_t frames = ARRAY_BYTES / (row ? row : 1);

    if (settings->device)
        return DEVICE_FRAMES;
    frames = frames < 1 ? 1 : frames > MOST_FRAMES ? MOST_FRAMES : frames;
    return (unsigned)frames;
}

static int open_on(struct bbdev_class *class, const struct bbdev_settings *settings,
                   const char *backend, struct fecrun_message *message)
{
    const char *const directories[] = {settings->plugins, NULL};
    const struct fecrun_options options = {.size = sizeof options,
                                           .plugin_dirs = settings->plugins ? directories : NULL,
                                           .backend = backend};
    const struct fecrun_prepare_options prepare = {.size = sizeof prepare, .frames = class->frames};
    char text[1024];
    const int length = bbdev_pipeline_text(&class->kind, settings->low_latency, text, sizeof text);

    if (length < 0)
        return no_memory(message);
    if (fecrun_open_text(&class->session, "bbdev", text, (size_t)length, &options, message))
        return -1;
    if (!fecrun_prepare(&class->prepared, class->session, &prepare, message))
        return 0;
    fecrun_close(class->session);
    class->session = NULL;
    return -1;
}

/* Decoders that each backend has, and at which wrong names are seen. */
static int is_everywhere(const struct bbdev_kind *kind)
{
    if (kind->work == BBDEV_TURBO_DECODE)
        return !kind->harq && !kind->all && (!kind->alpha || kind->alpha >= 8);
    return kind->work == BBDEV_LDPC_DECODE;
}

/* Checking a CRC is not worth a way to a device. Other work is done where it can be if that backend has it not. */
static int open_pipeline(struct bbdev_class *class, const struct bbdev_settings *settings,
                         struct fecrun_message *message)
{
    const char *backend = class->kind.work == BBDEV_CRC_CHECK ? NULL : settings->backend;

    if (!open_on(class, settings, backend, message))
        return 0;
    return backend && !is_everywhere(&class->kind) ? open_on(class, settings, NULL, message) : -1;
}

static int make_class(struct bbdev_class *class, const struct bbdev_settings *settings,
                      struct fecrun_message *message)
{
    class->device = settings->device;
    if (open_pipeline(class, settings, message) ||
        bind_own(class, "in", &class->in, &class->in_bytes, message) ||
        bind_own(class, "out", &class->out, &class->out_bytes, message))
        return -1;
    if (class->kind.harq & 1 &&
        bind_own(class, "before", &class->before, &class->before_bytes, message))
        return -1;
    if (class->kind.harq & 2 &&
        bind_own(class, "after", &class->after, &class->after_bytes, message))
        return -1;
    return class->kind.harq & 4 ? bind_own(class, "soft", &class->soft, &class->soft_bytes, message)
                                : 0;
}

static struct bbdev_class *find(struct bbdev_cache *cache, const struct bbdev_kind *kind)
{
    for (struct bbdev_class *class = cache->buckets[hash(kind)]; class; class = class->next)
        if (!memcmp(&class->kind, kind, sizeof *kind))
            return class;
    return NULL;
}

struct bbdev_class *bbdev_class_get_beside(struct bbdev_cache *cache, const struct bbdev_kind *kind,
                                           const struct bbdev_class *other,
                                           struct fecrun_message *message)
{
    struct bbdev_class *class = find(cache, kind), **bucket;

    if (class) {
        if (class != cache->newest) {
            unlink_use(cache, class);
            link_newest(cache, class);
        }
        return class;
    }
    class = calloc(1, sizeof *class);
    if (!class) {
        no_memory(message);
        return NULL;
    }
    class->kind = *kind;
    class->frames = most_frames(kind, &cache->settings);
    if (make_class(class, &cache->settings, message)) {
        free_class(class);
        return NULL;
    }
    bucket = &cache->buckets[hash(kind)];
    class->next = *bucket;
    *bucket = class;
    link_newest(cache, class);
    cache->bytes += bytes_of(class);
    while (cache->bytes > cache->settings.most_bytes && cache->oldest != class &&
           cache->oldest != other)
        bbdev_class_forget(cache, cache->oldest);
    return class;
}

struct bbdev_class *bbdev_class_get(struct bbdev_cache *cache, const struct bbdev_kind *kind,
                                    struct fecrun_message *message)
{
    return bbdev_class_get_beside(cache, kind, NULL, message);
}
