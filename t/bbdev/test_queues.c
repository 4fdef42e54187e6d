/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues: eight of them served by three threads and fed by eight, with operations of many kinds in any order, give
 * what one queue without threads gives; a full queue takes no more; the order of a queue stays.
 */
#include <pthread.h>
#include <rte_bus_vdev.h>

#include "t/bbdev/device.h"

enum { QUEUES = 8, KINDS = 24, SIZE = 64, LLRS = 3000, SERIAL = 0, THREADED = 1, ALONE = 2 };

static uint64_t state = 7;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

/* Random LLRs, so that iterations, status and bits say much. */
struct kind {
    struct rte_bbdev_op_ldpc_dec dec;
    struct rte_mbuf *input;
    int status;
    uint8_t iterations;
    uint8_t bits[200];
} kinds[KINDS];

static void make_kind(struct kind *kind)
{
    static const uint16_t sizes[] = {8, 12, 30, 44};
    int8_t llrs[LLRS];

    kind->dec = (struct rte_bbdev_op_ldpc_dec){.op_flags = RTE_BBDEV_LDPC_ITERATION_STOP_ENABLE,
                                               .rv_index = 0,
                                               .iter_max = (uint8_t)(2 + draw(5)),
                                               .basegraph = 2,
                                               .z_c = sizes[draw(4)],
                                               .q_m = (uint8_t)(draw(2) ? 2 : 4),
                                               .code_block_mode = RTE_BBDEV_CODE_BLOCK};
    kind->dec.n_cb = (uint16_t)(50 * kind->dec.z_c);
    kind->dec.cb_params.e = (20 + draw(20)) * kind->dec.z_c / 4 * 4;
    /* A word of zeros behind noise. */
    for (unsigned i = 0; i < kind->dec.cb_params.e; i++)
        llrs[i] = (int8_t)((int)draw(21) - 6);
    kind->input = new_mbuf(llrs, (uint16_t)kind->dec.cb_params.e);
}

static void fill(struct rte_bbdev_dec_op *op, unsigned i, struct rte_mbuf *output)
{
    op->status = -1;
    op->opaque_data = (void *)(uintptr_t)i;
    op->ldpc_dec = kinds[i].dec;
    op->ldpc_dec.input = (struct rte_bbdev_op_data){.data = kinds[i].input,
                                                    .length = kinds[i].dec.cb_params.e};
    rte_pktmbuf_reset(output);
    op->ldpc_dec.hard_output = (struct rte_bbdev_op_data){.data = output};
}

static void learn(void)
{
    struct rte_mbuf *output = new_mbuf(NULL, 0);

    for (unsigned i = 0; i < KINDS; i++) {
        struct rte_bbdev_dec_op op;

        make_kind(&kinds[i]);
        fill(&op, i, output);
        THROUGH(rte_bbdev_enqueue_ldpc_dec_ops, rte_bbdev_dequeue_ldpc_dec_ops, SERIAL, 0, op);
        kinds[i].status = op.status;
        kinds[i].iterations = op.ldpc_dec.iter_count;
        memcpy(kinds[i].bits, bytes_of(&op.ldpc_dec.hard_output), op.ldpc_dec.hard_output.length);
    }
    rte_pktmbuf_free(output);
}

struct feeder {
    pthread_t id;
    uint16_t device, queue;
    unsigned operations, wrong, disordered;
    uint64_t state;
    struct rte_bbdev_dec_op ops[SIZE];
    struct rte_mbuf *outputs[SIZE];
};

static void check(struct feeder *feeder, const struct rte_bbdev_dec_op *op)
{
    const struct kind *kind = &kinds[(uintptr_t)op->opaque_data];
    const struct rte_bbdev_op_data *out = &op->ldpc_dec.hard_output;

    feeder->wrong += op->status != kind->status || op->ldpc_dec.iter_count != kind->iterations ||
                     memcmp(bytes_of(out), kind->bits, out->length) != 0;
}

static unsigned draw_kind(struct feeder *feeder)
{
    feeder->state = feeder->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(feeder->state >> 33) % KINDS;
}

/* Bursts of any size, with as many in the queue as it holds. */
static void *feed(void *data)
{
    struct feeder *feeder = data;
    unsigned sent = 0, got = 0;

    while (got < feeder->operations) {
        struct rte_bbdev_dec_op *burst[SIZE];
        unsigned n = 0;

        while (sent + n < feeder->operations && sent + n - got < SIZE && n < 1 + sent % 13) {
            burst[n] = &feeder->ops[(sent + n) % SIZE];
            fill(burst[n], draw_kind(feeder), feeder->outputs[(sent + n) % SIZE]);
            n++;
        }
        /* What is not taken is filled anew. */
        sent += rte_bbdev_enqueue_ldpc_dec_ops(feeder->device, feeder->queue, burst, (uint16_t)n);
        n = rte_bbdev_dequeue_ldpc_dec_ops(feeder->device, feeder->queue, burst, SIZE);
        for (unsigned i = 0; i < n; i++, got++) {
            feeder->disordered += burst[i] != &feeder->ops[got % SIZE];
            check(feeder, burst[i]);
        }
    }
    return NULL;
}

/* As many feeders as queues, each with its own. */
static void many_queues(uint16_t device, unsigned queues)
{
    static struct feeder feeders[QUEUES];
    struct rte_bbdev_stats stats;
    unsigned wrong = 0, disordered = 0;
    const unsigned each = tap_rounds(4000);

    memset(feeders, 0, sizeof feeders);
    rte_bbdev_stats_reset(device);
    for (unsigned i = 0; i < queues; i++) {
        feeders[i].device = device;
        feeders[i].queue = (uint16_t)i;
        feeders[i].operations = each;
        feeders[i].state = i + 1;
        for (unsigned j = 0; j < SIZE; j++)
            feeders[i].outputs[j] = new_mbuf(NULL, 0);
        if (pthread_create(&feeders[i].id, NULL, feed, &feeders[i]))
            exit(99);
    }
    for (unsigned i = 0; i < queues; i++) {
        pthread_join(feeders[i].id, NULL);
        for (unsigned j = 0; j < SIZE; j++)
            rte_pktmbuf_free(feeders[i].outputs[j]);
        wrong += feeders[i].wrong;
        disordered += feeders[i].disordered;
    }
    is_int(wrong, 0, "%u operations of %d kinds in %u queues: status, iterations, bits",
           queues * each, KINDS, queues);
    is_int(disordered, 0, "each queue's order stays");
    rte_bbdev_stats_get(device, &stats);
    is_int((int)stats.enqueued_count, (int)(queues * each), "statistics: enqueued");
    is_int((int)stats.dequeued_count, (int)(queues * each), "statistics: dequeued");
    is_int((int)stats.dequeue_err_count, 0, "statistics: words that fail are no errors");
}

static void full(void)
{
    static struct rte_bbdev_dec_op ops[SIZE + 10];
    struct rte_bbdev_dec_op *burst[SIZE + 10];
    struct rte_mbuf *output = new_mbuf(NULL, 0);
    struct rte_bbdev_stats stats;

    for (unsigned i = 0; i < SIZE + 10; i++) {
        burst[i] = &ops[i];
        fill(burst[i], i % KINDS, output);
    }
    rte_bbdev_stats_reset(SERIAL);
    is_int(rte_bbdev_enqueue_ldpc_dec_ops(SERIAL, 0, burst, SIZE + 10), SIZE,
           "a queue of %d takes as many", SIZE);
    is_int(rte_bbdev_enqueue_ldpc_dec_ops(SERIAL, 0, burst, 1), 0, "and then no more");
    rte_bbdev_stats_get(SERIAL, &stats);
    ok(stats.acc_offload_cycles > 0, "statistics: cycles of the last call");
    is_int((int)stats.enqueue_err_count, 11, "which statistics count");
    is_int((int)stats.enqueue_status_count[RTE_BBDEV_ENQ_STATUS_RING_FULL], 2, "with the reason");
    is_int(rte_bbdev_dequeue_ldpc_dec_ops(SERIAL, 0, burst, SIZE + 10), SIZE, "all come back");
    is_int(rte_bbdev_enqueue_dec_ops(SERIAL, 0, burst, 1), 0,
           "operations of another type are not taken");
    rte_bbdev_stats_get(SERIAL, &stats);
    is_int((int)stats.enqueue_status_count[RTE_BBDEV_ENQ_STATUS_INVALID_OP], 1, "for that reason");
}

/* Operations that nobody takes: their queue is stopped and made anew, or goes with its device. */
static void leave(uint16_t device, struct rte_mbuf *output)
{
    static struct rte_bbdev_dec_op ops[SIZE];
    struct rte_bbdev_dec_op *burst[SIZE];

    for (unsigned i = 0; i < SIZE; i++) {
        burst[i] = &ops[i];
        fill(burst[i], i % KINDS, output);
    }
    is_int(rte_bbdev_enqueue_ldpc_dec_ops(device, 0, burst, SIZE), SIZE, "a queue takes some");
}

/* A device that comes when DPDK has started: one thread, which does the bursts of all queues together. */
static void come_and_go(const enum rte_bbdev_op_type *types)
{
    const struct rte_bbdev_queue_conf conf = {.queue_size = SIZE, .op_type = RTE_BBDEV_OP_LDPC_DEC};
    struct rte_mbuf *output = new_mbuf(NULL, 0);
    char arguments[512];

    snprintf(arguments, sizeof arguments, "plugins=%s,threads=1,queues=8", getenv("PLUGINS"));
    is_int(rte_vdev_init("baseband_fecrun2", arguments), 0, "a device comes later");
    set_up_queues(ALONE, types, QUEUES, SIZE);
    many_queues(ALONE, QUEUES);
    leave(ALONE, output);
    rte_bbdev_queue_stop(ALONE, 0);
    is_int(rte_bbdev_queue_start(ALONE, 0), 0, "a queue stops, and starts");
    rte_bbdev_queue_stop(ALONE, 0);
    rte_bbdev_stop(ALONE);
    is_int(rte_bbdev_queue_configure(ALONE, 0, &conf), 0, "and is made anew");
    is_int(rte_bbdev_start(ALONE), 0, "when the device has stopped");
    many_queues(ALONE, 1);
    leave(ALONE, output);
    is_int(rte_bbdev_close(ALONE), 0, "the device closes");
    is_int(rte_vdev_uninit("baseband_fecrun2"), 0, "and goes");
    rte_pktmbuf_free(output);
}

int main(void)
{
    enum rte_bbdev_op_type types[QUEUES];

    for (unsigned i = 0; i < QUEUES; i++)
        types[i] = RTE_BBDEV_OP_LDPC_DEC;
    start_dpdk("threads=3,queues=8");
    set_up_queues(SERIAL, types, 1, SIZE);
    set_up_queues(THREADED, types, QUEUES, SIZE);
    learn();
    many_queues(THREADED, QUEUES);
    many_queues(THREADED, 1); /* by all threads together */
    come_and_go(types);
    full();
    for (uint16_t i = 0; i < 2; i++) {
        rte_bbdev_stop(i);
        rte_bbdev_close(i);
    }
    rte_eal_cleanup();
    return done_testing();
}
