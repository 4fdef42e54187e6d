/* SPDX-License-Identifier: BSD-2-Clause */
/* A device of the driver that is linked into the test, and operations with data of their own. */
#ifndef T_BBDEV_DEVICE_H
#define T_BBDEV_DEVICE_H

#include <rte_bbdev.h>
#include <rte_bbdev_op.h>
#include <rte_eal.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "t/lib/tap.h"

#define DEVICE_UNUSED __attribute__((unused))

enum { ROOM = 60000 };

static struct rte_mempool *mbufs;

/* Two devices: baseband_fecrun0 without threads, and baseband_fecrun1. more: arguments of that one. */
static DEVICE_UNUSED void start_dpdk(const char *more)
{
    static char first[512], second[512];
    char *arguments[] = {"test", "--no-huge", "--no-shconf",    "--no-pci", "-m",  "384",
                         "-l",   "0",         "--no-telemetry", "--vdev",   first, "--vdev",
                         second, NULL};
    const char *plugins = getenv("PLUGINS");

    snprintf(first, sizeof first, "baseband_fecrun0,plugins=%s", plugins ? plugins : ".");
    snprintf(second, sizeof second, "baseband_fecrun1,plugins=%s,%s", plugins ? plugins : ".",
             more);
    if (rte_eal_init((int)RTE_DIM(arguments) - 1, arguments) < 0) {
        printf("Bail out! DPDK's environment cannot be set up here\n");
        exit(99);
    }
    mbufs = rte_pktmbuf_pool_create("mbufs", 1023, 0, 0, ROOM + RTE_PKTMBUF_HEADROOM, 0);
    if (!mbufs) {
        printf("Bail out! no memory for mbufs\n");
        exit(99);
    }
}

static DEVICE_UNUSED void set_up_queues(uint16_t device, const enum rte_bbdev_op_type *types,
                                        uint16_t n, uint32_t size)
{
    if (rte_bbdev_setup_queues(device, n, 0))
        exit(99);
    for (uint16_t i = 0; i < n; i++) {
        const struct rte_bbdev_queue_conf conf = {.queue_size = size, .op_type = types[i]};

        if (rte_bbdev_queue_configure(device, i, &conf))
            exit(99);
    }
    if (rte_bbdev_start(device))
        exit(99);
}

static DEVICE_UNUSED struct rte_mbuf *new_mbuf(const void *data, uint16_t bytes)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);

    if (!m) {
        printf("Bail out! no mbuf\n");
        exit(99);
    }
    if (bytes)
        memcpy(rte_pktmbuf_append(m, bytes), data, bytes);
    return m;
}

static DEVICE_UNUSED struct rte_bbdev_op_data new_data(const void *data, uint16_t bytes)
{
    return (struct rte_bbdev_op_data){.data = new_mbuf(data, bytes), .length = bytes};
}

static DEVICE_UNUSED const uint8_t *bytes_of(const struct rte_bbdev_op_data *data)
{
    return rte_pktmbuf_mtod_offset(data->data, const uint8_t *, data->offset);
}

/* One operation through a queue; enqueue and dequeue are bbdev's of its type. */
#define THROUGH(enqueue, dequeue, device, queue, op) \
    do { \
        __typeof__(op) *back = NULL; \
        if (enqueue(device, queue, &(__typeof__(op) *){&(op)}, 1) != 1) { \
            printf("Bail out! the queue took nothing\n"); \
            exit(99); \
        } \
        while (!dequeue(device, queue, &back, 1)) \
            ; \
        if (back != &(op)) { \
            printf("Bail out! another operation came back\n"); \
            exit(99); \
        } \
    } while (0)

#endif
