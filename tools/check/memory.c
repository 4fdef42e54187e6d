/* SPDX-License-Identifier: BSD-2-Clause */
/* Buffers between red zones, in any space. */
#include "tools/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 64, ZONE = 128, PATTERN = 0xc3 };

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * With a guard page the payload ends right in front of it (but for what is left of `align`), else
 * there is a zone behind it, too.
 */
static int map_host(struct check_memory *memory, size_t align, bool guard)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t behind = guard ? 0 : ZONE, payload = round_up(memory->bytes, guard ? align : ALIGN);
    size_t usable = round_up(ZONE + payload + behind, page);
    void *mapping = mmap(NULL, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);

    if (mapping == MAP_FAILED)
        return -1;
    memory->mapping = mapping;
    memory->mapped = usable + page;
    if (guard && mprotect(memory->mapping + usable, page, PROT_NONE))
        return -1;
    /* only so much in front as is looked at */
    memory->front = ZONE;
    memory->base = memory->mapping + usable - behind - payload - ZONE;
    memory->total = ZONE + payload + behind;
    return 0;
}

/* With a guard the zone behind the payload is what the provider promises, and nothing else: a tool
   that watches the device's memory sees who reads beyond it. */
static int alloc_device(struct check_memory *memory, bool guard)
{
    struct fecrun_error err = {.size = sizeof err};
    size_t asked;

    memory->front = 2 * ZONE; /* devices align to 256 bytes */
    asked = memory->front + memory->bytes + (guard ? 0 : 2 * ZONE);
    memory->total = asked + (guard ? FECRUN_SLACK : 0);
    memory->mapping = NULL;
    memory->base = aligned_alloc(ALIGN, round_up(memory->total, ALIGN));
    memory->device = memory->place.provider->alloc(memory->place.device, FECRUN_MEMORY_DEVICE,
                                                   asked, &err);
    return memory->base && memory->device ? 0 : -1;
}

int check_memory_open(struct check_memory *memory, const struct check_place *place, size_t bytes,
                      uint8_t fill, size_t align, bool guard)
{
    *memory = (struct check_memory){.place = *place, .bytes = bytes};
    if (place->provider ? alloc_device(memory, guard) : map_host(memory, align, guard)) {
        check_memory_close(memory);
        return -1;
    }
    memset(memory->base, PATTERN, memory->total);
    memset(check_memory_payload(memory), fill, bytes);
    return 0;
}

/* Never opened is fine. */
void check_memory_close(struct check_memory *memory)
{
    if (memory->mapping)
        munmap(memory->mapping, memory->mapped);
    else
        free(memory->base);
    if (memory->device)
        memory->place.provider->free(memory->place.device, FECRUN_MEMORY_DEVICE, memory->device);
    memset(memory, 0, sizeof *memory);
}

uint8_t *check_memory_payload(const struct check_memory *memory)
{
    return memory->base + memory->front;
}

void *check_memory_pointer(const struct check_memory *memory)
{
    return memory->device ? memory->device + memory->front : check_memory_payload(memory);
}

static int move(struct check_memory *memory, void *to, const void *from)
{
    const struct check_place *place = &memory->place;
    struct fecrun_error err = {.size = sizeof err};

    if (!place->provider)
        return 0;
    return place->provider->copy(place->device, place->stream, to, from, memory->total, &err) ||
           place->provider->sync(place->device, place->stream, &err);
}

int check_memory_upload(struct check_memory *memory)
{
    return move(memory, memory->device, memory->base);
}

int check_memory_download(struct check_memory *memory)
{
    return move(memory, memory->base, memory->device);
}

/* Red zone bytes from `from` on that were changed; *first: which one came first. */
static size_t changed(const uint8_t *from, size_t n, size_t *first)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (from[i] != PATTERN) {
            *first = count ? *first : i;
            count++;
        }
    return count;
}

bool check_memory_intact(const struct check_memory *memory, char *text, size_t size)
{
    const uint8_t *payload = check_memory_payload(memory);
    size_t behind = memory->total - memory->front - memory->bytes, at = 0, n;

    n = changed(payload + memory->bytes, behind, &at);
    if (n) {
        snprintf(text, size,
                 "%zu byte(s) behind the end of its %zu were overwritten, the first "
                 "%zu behind",
                 n, memory->bytes, at);
        return false;
    }
    n = changed(memory->base, memory->front, &at);
    if (n)
        snprintf(text, size,
                 "%zu byte(s) in front of its %zu were overwritten, the first %zu "
                 "before",
                 n, memory->bytes, memory->front - at);
    return !n;
}
