/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a driver on DPDK's vdev bus needs: DPDK's bus_vdev_driver.h where it is installed (built with
 * -Denable_driver_sdk=true), else the same structs as its ABI has them since 22.11. Distributions leave that
 * header out.
 */
#ifndef FECRUN_BBDEV_VDEV_H
#define FECRUN_BBDEV_VDEV_H

#include <rte_bus_vdev.h>
#include <rte_dev.h>
#include <rte_devargs.h>

#ifdef HAVE_BUS_VDEV_DRIVER_H
#include <bus_vdev_driver.h>
#else
#include <rte_common.h>
#include <stdint.h>
#include <sys/queue.h>

struct rte_bus;

struct rte_driver {
    TAILQ_ENTRY(rte_driver) next;
    const char *name, *alias;
};

struct rte_device {
    TAILQ_ENTRY(rte_device) next;
    const char *name, *bus_info;
    const struct rte_driver *driver;
    const struct rte_bus *bus;
    int numa_node;
    struct rte_devargs *devargs;
};

struct rte_vdev_device {
    TAILQ_ENTRY(rte_vdev_device) next;
    struct rte_device device;
};

struct rte_vdev_driver {
    TAILQ_ENTRY(rte_vdev_driver) next;
    struct rte_driver driver;
    int (*probe)(struct rte_vdev_device *device);
    int (*remove)(struct rte_vdev_device *device);
    int (*dma_map)(struct rte_vdev_device *device, void *address, uint64_t iova, size_t bytes);
    int (*dma_unmap)(struct rte_vdev_device *device, void *address, uint64_t iova, size_t bytes);
    uint32_t drv_flags;
};

void rte_vdev_register(struct rte_vdev_driver *driver);
void rte_vdev_unregister(struct rte_vdev_driver *driver);
#endif

#endif
