/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What plan() allocates is a code object, shared and read-only. Here it comes from pages of its own,
 * which nobody can write to while backends run: who does, crashes, and it is said why.
 *
 * malloc() and the like of this program are those of plugins, too. They are the C library's but for
 * memory of plan(), which is taken like a stack: it is used again where the last plan() left nothing,
 * or what it left was freed. Sanitizers have a heap of their own: with them,
 * and with other C libraries, nothing of this is done.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_NORESERVE */
#endif
#include "tools/check/check.h"

#include "core/base/sanitized.h"
#include "tools/check/check_impl.h"

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RANGE ((size_t)1 << 38) /* of addresses; pages are taken as they are needed */
#define STEP ((size_t)1 << 20)  /* bytes that become usable at once */

enum { PAGE = 4096 };

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *ptr, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);
extern void __libc_free(void *ptr);

/* In front of each block. */
struct block {
    size_t bytes;
    size_t padding; /* blocks are aligned to 16 bytes */
};

static uint8_t *base;               /* of the range; NULL: not asked for yet, or there is none */
static size_t used, usable;         /* bytes of it */
static size_t dirty;                /* bytes of it that were used once */
static size_t live_bytes;           /* in blocks that were not freed */
static size_t mark_used, mark_live; /* when the last plan() began */
static __thread bool in_plan;       /* this thread's blocks are plan()'s */
static bool locked;
static struct check_report *report; /* where a crash is explained */

static bool is_own(const void *ptr)
{
    return base && (size_t)((const uint8_t *)ptr - base) < RANGE;
}

static bool open_range(void)
{
    void *range;

    if (base)
        return true;
    range = mmap(NULL, RANGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
        return false;
    base = range;
    return true;
}

/* NULL: the range is full. */
static void *take(size_t align, size_t bytes)
{
    struct block *block;
    size_t at, end;

    align = align < sizeof *block ? sizeof *block : align;
    if (bytes > RANGE / 2 || align > STEP || !open_range())
        return NULL;
    at = (used + sizeof *block + align - 1) / align * align;
    end = at + bytes;
    if (end > usable) {
        size_t more = (end - usable + STEP - 1) / STEP * STEP;

        if (usable + more > RANGE || mprotect(base + usable, more, PROT_READ | PROT_WRITE))
            return NULL;
        usable += more;
    }
    block = (struct block *)(base + at) - 1;
    block->bytes = bytes;
    used = end;
    dirty = dirty > used ? dirty : used;
    live_bytes += bytes;
    return base + at;
}

static void *own_alloc(size_t align, size_t bytes)
{
    void *ptr = take(align, bytes);

    if (!ptr)
        errno = ENOMEM;
    return ptr;
}

static size_t own_bytes(const void *ptr)
{
    return ((const struct block *)ptr - 1)->bytes;
}

/* ---- The C library's names, which plugins find here ---- */

FECRUN_EXPORT void *malloc(size_t bytes)
{
    return in_plan ? own_alloc(1, bytes) : __libc_malloc(bytes);
}

FECRUN_EXPORT void *calloc(size_t n, size_t bytes)
{
    size_t all, clear = dirty;
    void *ptr;

    if (!in_plan)
        return __libc_calloc(n, bytes);
    if (__builtin_mul_overflow(n, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    ptr = own_alloc(1, all);
    if (ptr && (uint8_t *)ptr < base + clear) /* fresh pages are clear */
        memset(ptr, 0, all);
    return ptr;
}

FECRUN_EXPORT void free(void *ptr)
{
    if (is_own(ptr))
        live_bytes -= own_bytes(ptr);
    else
        __libc_free(ptr);
}

FECRUN_EXPORT void *realloc(void *ptr, size_t bytes)
{
    void *other;
    size_t old;

    if (!is_own(ptr) && (!in_plan || ptr))
        return __libc_realloc(ptr, bytes);
    other = malloc(bytes);
    if (!other || !ptr)
        return other;
    old = own_bytes(ptr);
    memcpy(other, ptr, old < bytes ? old : bytes);
    free(ptr);
    return other;
}

FECRUN_EXPORT void *memalign(size_t align, size_t bytes)
{
    return in_plan ? own_alloc(align, bytes) : __libc_memalign(align, bytes);
}

FECRUN_EXPORT void *aligned_alloc(size_t align, size_t bytes)
{
    return memalign(align, bytes);
}

FECRUN_EXPORT int posix_memalign(void **ptr, size_t align, size_t bytes)
{
    void *got = memalign(align, bytes);

    if (!got)
        return ENOMEM;
    *ptr = got;
    return 0;
}

/* ---- For the rest of fecrun-check ---- */

static void reuse(void)
{
    if (live_bytes == mark_live)
        used = mark_used;
}

void check_heap_plan(bool begin)
{
    reuse();
    if (begin) {
        mark_used = used;
        mark_live = live_bytes;
    }
    in_plan = begin;
}

bool check_heap_lock(bool lock)
{
    bool was = locked;

    if (lock != locked && usable)
        mprotect(base, usable, lock ? PROT_READ : PROT_READ | PROT_WRITE);
    locked = lock;
    return was;
}

size_t check_heap_bytes(void)
{
    return live_bytes;
}

/* Returns to the same instruction, which then kills the process. */
static void explain(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (locked && is_own(info->si_addr))
        report->wrote_code = true;
}

void check_heap_watch(struct check_report *to)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESETHAND};

    report = to;
    action.sa_sigaction = explain;
    sigaction(SIGSEGV, &action, NULL);
}

#else

void check_heap_plan(bool begin)
{
    (void)begin;
}

bool check_heap_lock(bool lock)
{
    (void)lock;
    return false;
}

size_t check_heap_bytes(void)
{
    return 0;
}

void check_heap_watch(struct check_report *to)
{
    (void)to;
}

#endif
