/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues of operations. Enqueueing only hands pointers over. The work is done by the device's threads, or, if it has
 * none, by the caller of the dequeue function, in the order of the queue in both cases.
 */
#ifndef FECRUN_BBDEV_QUEUE_H
#define FECRUN_BBDEV_QUEUE_H

#include "tools/bbdev/work.h"

#include <rte_bbdev.h>

struct bbdev_pool;
struct bbdev_queue;

/* NULL with *message filled: no memory, no threads, or wrong settings. threads: 0 to 64. `queues` is the largest number
   of queues. */
struct bbdev_pool *bbdev_pool_new(const struct bbdev_settings *settings, unsigned threads,
                                  unsigned queues, struct fecrun_message *message);
/* All queues have to be free. */
void bbdev_pool_free(struct bbdev_pool *pool);

/* id: below the pool's `queues`. size: a power of two. NULL: no memory. */
struct bbdev_queue *bbdev_queue_new(struct bbdev_pool *pool, unsigned id,
                                    enum rte_bbdev_op_type type, unsigned size);
/* Waits until no thread works for it. Operations that are still in it are forgotten. NULL is allowed. */
void bbdev_queue_free(struct bbdev_queue *queue);

/* Both return how many of the n pointers they took or gave. One thread at a time enqueues, one dequeues. */
unsigned bbdev_enqueue(struct bbdev_queue *queue, enum rte_bbdev_op_type type, void *const *ops,
                       unsigned n);
unsigned bbdev_dequeue(struct bbdev_queue *queue, void **ops, unsigned n);

#endif
