/* SPDX-License-Identifier: BSD-2-Clause */
/* Working memory that the calls of a thread share. */
#include "t/lib/tap.h"
#include "core/batch/scratch.h"

#include <pthread.h>

static void *in_thread(void *data)
{
    void *block = scratch_take();

    memset(block, 1, SCRATCH_SHARED);
    *(bool *)data = block && !((uintptr_t)block % 64);
    scratch_give(block);
    return scratch_take() == block ? block : NULL;
}

/* A key's destructor may run after the block was freed, and call a pipeline. */
static pthread_key_t last;
static bool late;

static void call_late(void *data)
{
    (void)data;
    scratch_give(scratch_take());
    late = true;
}

static void *ends_late(void *data)
{
    scratch_give(scratch_take());
    pthread_setspecific(last, data);
    return NULL;
}

int main(void)
{
    void *block = scratch_take(), *within, *other = NULL;
    pthread_t thread;
    bool aligned = false;

    ok(block && !((uintptr_t)block % 64), "a block of 64-byte lines");
    memset(block, 2, SCRATCH_SHARED);
    within = scratch_take();
    ok(within && within != block, "another one within a call");
    memset(within, 3, SCRATCH_SHARED);
    scratch_give(within);
    ok(!SCRATCH_SHARED || *(char *)block == 2, "which leaves the first alone");
    pthread_create(&thread, NULL, in_thread, &aligned);
    pthread_join(thread, &other);
    ok(aligned && other && other != block,
       "another one in another thread, the same in its next call");
    ok(!SCRATCH_SHARED || *(char *)block == 2, "which leaves the first alone");
    scratch_give(block);
    ok(scratch_take() == block, "the next call has the same");
    scratch_give(block);
    scratch_give(NULL);
    pthread_key_create(&last, call_late);
    pthread_create(&thread, NULL, ends_late, block);
    pthread_join(thread, NULL);
    ok(late, "a call while the thread ends");
    return done_testing();
}
