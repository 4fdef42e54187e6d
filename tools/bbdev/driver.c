/* SPDX-License-Identifier: BSD-2-Clause */
/* The device on DPDK's vdev bus: --vdev baseband_fecrun0,backend=...,threads=...,queues=... (doc/bbdev.md). */
#include "tools/bbdev/capabilities.h"
#include "tools/bbdev/queue.h"
#include "tools/bbdev/vdev.h"

#include <errno.h>
#include <rte_bbdev_pmd.h>
#include <rte_kvargs.h>
#include <rte_log.h>
#include <rte_malloc.h>
#include <stdlib.h>
#include <string.h>

#define NAME baseband_fecrun

RTE_LOG_REGISTER(bbdev_fecrun_log, pmd.bb.fecrun, NOTICE);
#define LOG(level, ...) \
    rte_log(RTE_LOG_##level, (uint32_t)bbdev_fecrun_log, "baseband_fecrun: " __VA_ARGS__)

static const char *const argument_names[] = {"backend", "threads", "queues", "latency",
                                             "plugins", "memory",  NULL};

struct arguments {
    char *backend, *plugins;
    unsigned threads, queues, megabytes;
    int low_latency;
};

struct device {
    struct arguments arguments;
    struct bbdev_pool *pool;
};

static int read_number(const char *name, const char *text, unsigned most, unsigned *number)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (!*text || *end || errno || text[0] == '-' || value > most) {
        LOG(ERR, "%s=%s: must be a number from 0 to %u\n", name, text, most);
        return -EINVAL;
    }
    *number = (unsigned)value;
    return 0;
}

static int read_text(const char *text, char **copy)
{
    free(*copy);
    *copy = strdup(text);
    return *copy ? 0 : -ENOMEM;
}

static int read_argument(const char *name, const char *text, void *to)
{
    struct arguments *arguments = to;

    if (!text)
        text = "";
    if (!strcmp(name, "backend"))
        return read_text(text, &arguments->backend);
    if (!strcmp(name, "plugins"))
        return read_text(text, &arguments->plugins);
    if (!strcmp(name, "threads"))
        return read_number(name, text, 64, &arguments->threads);
    if (!strcmp(name, "queues"))
        return read_number(name, text, 1024, &arguments->queues);
    if (!strcmp(name, "memory"))
        return read_number(name, text, 65536, &arguments->megabytes);
    if (!strcmp(text, "low") || !strcmp(text, "normal")) {
        arguments->low_latency = *text == 'l';
        return 0;
    }
    LOG(ERR, "latency=%s: must be low or normal\n", text);
    return -EINVAL;
}

static int read_arguments(const char *text, struct arguments *arguments)
{
    struct rte_kvargs *list;
    int error;

    *arguments = (struct arguments){.queues = 16, .megabytes = 256};
    if (!text || !*text)
        return 0;
    list = rte_kvargs_parse(text, argument_names);
    if (!list) {
        LOG(ERR, "%s: must be of backend, threads, queues, latency, plugins, memory\n", text);
        return -EINVAL;
    }
    error = rte_kvargs_process(list, NULL, read_argument, arguments);
    rte_kvargs_free(list);
    if (!error && !arguments->queues) {
        LOG(ERR, "queues=0: must be 1 to 1024\n");
        error = -EINVAL;
    }
    return error;
}

static void get_info(struct rte_bbdev *bbdev, struct rte_bbdev_driver_info *info)
{
    const struct device *device = bbdev->data->dev_private;
    const unsigned queues = device->arguments.queues;

    memset(info, 0, sizeof *info);
    info->driver_name = RTE_STR(NAME);
    info->max_num_queues = queues;
    for (unsigned type = RTE_BBDEV_OP_TURBO_DEC; type <= RTE_BBDEV_OP_LDPC_ENC; type++)
        info->num_queues[type] = queues;
    info->queue_size_lim = RTE_BBDEV_QUEUE_SIZE_LIMIT;
    info->device_status = RTE_BBDEV_DEV_NOT_SUPPORTED;
    info->min_alignment = 1;
    info->data_endianness = RTE_LITTLE_ENDIAN;
    info->default_queue_conf.socket = bbdev->data->socket_id;
    info->default_queue_conf.queue_size = RTE_BBDEV_QUEUE_SIZE_LIMIT;
    info->capabilities = bbdev_capabilities;
}

static int set_up_queue(struct rte_bbdev *bbdev, uint16_t id,
                        const struct rte_bbdev_queue_conf *conf)
{
    struct device *device = bbdev->data->dev_private;
    struct bbdev_queue *queue;

    if (conf->op_type < RTE_BBDEV_OP_TURBO_DEC || conf->op_type > RTE_BBDEV_OP_LDPC_ENC) {
        LOG(ERR, "queue %u: operations of type %d are not supported\n", id, (int)conf->op_type);
        return -ENOTSUP;
    }
    queue = bbdev_queue_new(device->pool, id, conf->op_type, conf->queue_size);
    if (!queue)
        return -ENOMEM;
    bbdev->data->queues[id].queue_private = queue;
    return 0;
}

static int release_queue(struct rte_bbdev *bbdev, uint16_t id)
{
    bbdev_queue_free(bbdev->data->queues[id].queue_private);
    bbdev->data->queues[id].queue_private = NULL;
    return 0;
}

/* bbdev's own sum leaves out why operations were not taken. */
static void get_statistics(struct rte_bbdev *bbdev, struct rte_bbdev_stats *sum)
{
    for (unsigned i = 0; i < bbdev->data->num_queues; i++) {
        const struct rte_bbdev_stats *one = &bbdev->data->queues[i].queue_stats;

        sum->enqueued_count += one->enqueued_count;
        sum->dequeued_count += one->dequeued_count;
        sum->enqueue_err_count += one->enqueue_err_count;
        sum->dequeue_err_count += one->dequeue_err_count;
        sum->acc_offload_cycles += one->acc_offload_cycles;
        for (unsigned j = 0; j < RTE_DIM(sum->enqueue_status_count); j++)
            sum->enqueue_status_count[j] += one->enqueue_status_count[j];
    }
}

static const struct rte_bbdev_ops operations = {
    .info_get = get_info,
    .stats_get = get_statistics,
    .queue_setup = set_up_queue,
    .queue_release = release_queue,
};

static uint16_t enqueue(struct rte_bbdev_queue_data *data, enum rte_bbdev_op_type type,
                        void *const *ops, uint16_t n)
{
    const uint64_t begin = rte_rdtsc();
    const unsigned taken = bbdev_enqueue(data->queue_private, type, ops, n);

    data->queue_stats.enqueued_count += taken;
    data->queue_stats.enqueue_err_count += n - taken;
    data->queue_stats.acc_offload_cycles = rte_rdtsc() - begin;
    if (taken < n) {
        data->enqueue_status = data->conf.op_type == type ? RTE_BBDEV_ENQ_STATUS_RING_FULL
                                                          : RTE_BBDEV_ENQ_STATUS_INVALID_OP;
        data->queue_stats.enqueue_status_count[data->enqueue_status]++;
    }
    return (uint16_t)taken;
}

/* Operations that could not be done count as errors; wrong checks and CRCs are results. */
static int is_error(int status)
{
    return (status & (1 << RTE_BBDEV_DATA_ERROR | 1 << RTE_BBDEV_DRV_ERROR)) != 0;
}

static uint16_t enqueue_turbo_enc(struct rte_bbdev_queue_data *data, struct rte_bbdev_enc_op **ops,
                                  uint16_t n)
{
    return enqueue(data, RTE_BBDEV_OP_TURBO_ENC, (void *const *)ops, n);
}

static uint16_t enqueue_turbo_dec(struct rte_bbdev_queue_data *data, struct rte_bbdev_dec_op **ops,
                                  uint16_t n)
{
    return enqueue(data, RTE_BBDEV_OP_TURBO_DEC, (void *const *)ops, n);
}

static uint16_t enqueue_ldpc_enc(struct rte_bbdev_queue_data *data, struct rte_bbdev_enc_op **ops,
                                 uint16_t n)
{
    return enqueue(data, RTE_BBDEV_OP_LDPC_ENC, (void *const *)ops, n);
}

static uint16_t enqueue_ldpc_dec(struct rte_bbdev_queue_data *data, struct rte_bbdev_dec_op **ops,
                                 uint16_t n)
{
    return enqueue(data, RTE_BBDEV_OP_LDPC_DEC, (void *const *)ops, n);
}

static uint16_t dequeue_enc(struct rte_bbdev_queue_data *data, struct rte_bbdev_enc_op **ops,
                            uint16_t n)
{
    n = (uint16_t)bbdev_dequeue(data->queue_private, (void **)ops, n);
    data->queue_stats.dequeued_count += n;
    for (unsigned i = 0; i < n; i++)
        data->queue_stats.dequeue_err_count += (uint64_t)is_error(ops[i]->status);
    return n;
}

static uint16_t dequeue_dec(struct rte_bbdev_queue_data *data, struct rte_bbdev_dec_op **ops,
                            uint16_t n)
{
    n = (uint16_t)bbdev_dequeue(data->queue_private, (void **)ops, n);
    data->queue_stats.dequeued_count += n;
    for (unsigned i = 0; i < n; i++)
        data->queue_stats.dequeue_err_count += (uint64_t)is_error(ops[i]->status);
    return n;
}

static void free_device(struct device *device)
{
    bbdev_pool_free(device->pool);
    free(device->arguments.backend);
    free(device->arguments.plugins);
    rte_free(device);
}

static struct device *new_device(const char *text, int socket, int *error)
{
    struct device *device = rte_zmalloc_socket("baseband_fecrun", sizeof *device, 0, socket);
    struct bbdev_settings settings = {0};
    struct fecrun_message message = {.size = sizeof message};

    if (!device) {
        *error = -ENOMEM;
        return NULL;
    }
    *error = read_arguments(text, &device->arguments);
    if (!*error) {
        settings.backend = device->arguments.backend;
        settings.plugins = device->arguments.plugins;
        settings.low_latency = device->arguments.low_latency;
        settings.most_bytes = device->arguments.megabytes * 1048576ul;
        device->pool = bbdev_pool_new(&settings, device->arguments.threads,
                                      device->arguments.queues, &message);
        *error = device->pool ? 0 : -ENODEV;
        if (*error)
            LOG(ERR, "%s\n", message.text);
    }
    if (*error) {
        free_device(device);
        return NULL;
    }
    return device;
}

static int probe(struct rte_vdev_device *vdev)
{
    const char *arguments = vdev->device.devargs ? vdev->device.devargs->args : "";
    struct rte_bbdev *bbdev = rte_bbdev_allocate(vdev->device.name);
    int error;

    if (!bbdev)
        return -ENODEV;
    bbdev->data->socket_id = (int)rte_socket_id();
    bbdev->data->dev_private = new_device(arguments, bbdev->data->socket_id, &error);
    if (!bbdev->data->dev_private) {
        rte_bbdev_release(bbdev);
        return error;
    }
    bbdev->dev_ops = &operations;
    bbdev->device = &vdev->device;
    bbdev->enqueue_enc_ops = enqueue_turbo_enc;
    bbdev->enqueue_dec_ops = enqueue_turbo_dec;
    bbdev->enqueue_ldpc_enc_ops = enqueue_ldpc_enc;
    bbdev->enqueue_ldpc_dec_ops = enqueue_ldpc_dec;
    bbdev->dequeue_enc_ops = bbdev->dequeue_ldpc_enc_ops = dequeue_enc;
    bbdev->dequeue_dec_ops = bbdev->dequeue_ldpc_dec_ops = dequeue_dec;
    return 0;
}

static int remove_device(struct rte_vdev_device *vdev)
{
    struct rte_bbdev *bbdev = rte_bbdev_get_named_dev(vdev->device.name);

    if (!bbdev)
        return -EINVAL;
    free_device(bbdev->data->dev_private);
    bbdev->data->dev_private = NULL;
    return rte_bbdev_release(bbdev);
}

/* Not static, so that programs that are linked with the archive can ask for it. */
extern struct rte_vdev_driver bbdev_driver;
struct rte_vdev_driver bbdev_driver = {
    .driver = {.name = RTE_STR(NAME)},
    .probe = probe,
    .remove = remove_device,
};

RTE_INIT(register_driver)
{
    rte_vdev_register(&bbdev_driver);
}
