/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pinned memory. The driver's own function gets its pages one by one, 0.35 ms a MiB. Large pieces are
 * ordinary memory in large pages, which several threads touch, and which the driver then pins.
 */
#include "plugins/cuda/pinned.h"

#ifdef FECRUN_CUDA

#include <fecrun/sdk/thread.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
    HEAD = 64,       /* bytes in front of a piece, which hold a struct pinned */
    PAGE = 2 << 20,  /* a large page */
    LARGE = 4 << 20, /* bytes of a piece that is pinned by itself */
    MOST = 8         /* threads that touch one */
};

struct pinned {
    void *base;    /* of the mapping, or what the driver gave */
    size_t mapped; /* bytes; 0: it is the driver's */
};

static struct pinned *head_of(void *ptr)
{
    return (struct pinned *)((char *)ptr - HEAD);
}

/* ---- The driver's ---- */

static cudaError_t small_alloc(size_t bytes, void **ptr)
{
    void *base = NULL;
    const cudaError_t status = cudaHostAlloc(&base, bytes + HEAD, cudaHostAllocPortable);

    if (status != cudaSuccess)
        return status;
    *ptr = (char *)base + HEAD;
    *head_of(*ptr) = (struct pinned){base, 0};
    return cudaSuccess;
}

/* ---- Large pages ---- */

struct span {
    volatile char *at, *end;
    pthread_t thread;
    int started;
};

/* A write to a page makes it, and the others of a large one. */
static void *touch(void *data)
{
    const struct span *span = data;

    for (volatile char *at = span->at; at < span->end; at += 4096)
        *at = 0;
    return NULL;
}

/* Signals are for the host's threads. */
static void touch_all(char *from, size_t bytes)
{
    const unsigned cpus = fecrun_cpus(), n = cpus < MOST ? cpus : MOST;
    const size_t part = (bytes / n + PAGE - 1) / PAGE * PAGE;
    struct span span[MOST];
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 0; i < n; i++) {
        const size_t first = i * part < bytes ? i * part : bytes;
        const size_t end = first + part < bytes ? first + part : bytes;

        span[i] = (struct span){.at = from + first, .end = from + end};
        span[i].started = i + 1 < n && !fecrun_thread_start(&span[i].thread, touch, &span[i]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (unsigned i = n; i-- > 0;)
        if (span[i].started)
            pthread_join(span[i].thread, NULL);
        else
            touch(&span[i]);
}

/* A large page's room in front, which is given back but for the page of the head. */
static cudaError_t large_alloc(size_t bytes, void **ptr)
{
    const size_t whole = (bytes + PAGE - 1) / PAGE * PAGE, mapped = whole + 2 * (size_t)PAGE;
    char *base = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cudaError_t status;

    if (base == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    *ptr = (void *)(((uintptr_t)base + HEAD + PAGE - 1) / PAGE * PAGE);
    madvise(*ptr, whole, MADV_HUGEPAGE);
    touch_all(*ptr, bytes);
    status = cudaHostRegister(*ptr, bytes, cudaHostRegisterPortable);
    if (status != cudaSuccess) {
        munmap(base, mapped);
        return status;
    }
    *head_of(*ptr) = (struct pinned){base, mapped};
    return cudaSuccess;
}

/* ---- Both ---- */

cudaError_t cuda_pinned_alloc(size_t bytes, void **ptr)
{
    if (bytes >= LARGE && large_alloc(bytes, ptr) == cudaSuccess)
        return cudaSuccess;
    cudaGetLastError(); /* a system that pins nothing but the driver's own */
    return small_alloc(bytes, ptr);
}

cudaError_t cuda_pinned_free(void *ptr)
{
    const struct pinned head = *head_of(ptr);
    cudaError_t status;

    if (!head.mapped)
        return cudaFreeHost(head.base);
    status = cudaHostUnregister(ptr);
    munmap(head.base, head.mapped);
    return status;
}

#endif
