/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/bbdev: what the driver for DPDK's bbdev adds to the decoders, in one run: CPU time of one thread for a code
 * block, in bursts of 64 operations and alone, beside the same decoder on arrays (fecrun_execute). 5G NR, base graph
 * 1, Z = 384, rate 1/3, 10 iterations without early stop; LTE turbo, K = 6144, 6 iterations. The bits are compared.
 *
 *     PLUGINS=lib/fecrun/ABI bench/bbdev [ROUNDS]
 */
#include <fecrun/fecrun.h>
#include <rte_bbdev.h>
#include <rte_bbdev_op.h>
#include <rte_eal.h>
#include <rte_mbuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BURST = 64, MOST = 25344, ROOM = 60000 };

static int8_t llrs[BURST][MOST];
static uint8_t bits[BURST][1100];

static void die(const char *what)
{
    fprintf(stderr, "bench/bbdev: %s\n", what);
    exit(1);
}

static double cpu_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

struct code {
    const char *name, *pipeline;
    uint32_t n, k;
    enum rte_bbdev_op_type type;
};

static const struct code codes[] = {
    {"NR LDPC, BG1, Z = 384, rate 1/3, 10 iterations",
     "fecrun: 1\npipeline:\n"
     "  - source.memory: {dtype: i8, frame: 25344}\n"
     "  - ldpc.decode: {code: nr, bg: 1, z: 384, iterations: 10, early_stop: none}\n"
     "  - sink.memory: {dtype: packed}\n",
     25344, 8448, RTE_BBDEV_OP_LDPC_DEC},
    {"the same, rate recovery on arrays, too",
     "fecrun: 1\npipeline:\n"
     "  - source.memory: {dtype: i8, frame: 25344}\n"
     "  - ldpc.rate_recover: {bg: 1, z: 384, ncb: 25344}\n"
     "  - ldpc.decode: {code: nr, bg: 1, z: 384, iterations: 10, early_stop: none}\n"
     "  - sink.memory: {dtype: packed}\n",
     25344, 8448, RTE_BBDEV_OP_LDPC_DEC},
    {"LTE turbo, K = 6144, 6 iterations",
     "fecrun: 1\npipeline:\n"
     "  - source.memory: {dtype: i8, frame: 18444}\n"
     "  - turbo.decode: {k: 6144, iterations: 6}\n"
     "  - sink.memory: {dtype: packed}\n",
     18444, 6144, RTE_BBDEV_OP_TURBO_DEC},
};

/* The word of zeros, which all linear codes have, behind noise that leaves few errors. */
static void draw(uint32_t n)
{
    for (unsigned i = 0; i < BURST; i++)
        for (uint32_t j = 0; j < n; j++) {
            int sum = 0;

            for (int k = 0; k < 4; k++)
                sum += rand() % 17 - 8;
            llrs[i][j] = (int8_t)(8 + sum);
        }
}

struct arrays {
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
};

static void open_arrays(struct arrays *arrays, const struct code *code, unsigned n)
{
    const char *const directories[] = {getenv("PLUGINS"), NULL};
    const struct fecrun_options options = {.size = sizeof options, .plugin_dirs = directories};
    const struct fecrun_prepare_options prepare = {.size = sizeof prepare, .frames = n};
    struct fecrun_message message = {.size = sizeof message};

    if (fecrun_open_text(&arrays->session, "bench", code->pipeline, strlen(code->pipeline),
                         &options, &message) ||
        fecrun_prepare(&arrays->prepared, arrays->session, &prepare, &message) ||
        fecrun_bind_input(arrays->prepared, "source.memory", llrs, sizeof llrs, MOST, &message) ||
        fecrun_bind_output(arrays->prepared, "sink.memory", bits, sizeof bits, sizeof bits[0],
                           &message))
        die(message.text);
}

static double on_arrays(struct arrays *arrays, unsigned n)
{
    struct fecrun_message message = {.size = sizeof message};
    const double begin = cpu_us();

    if (fecrun_execute(arrays->prepared, n, &message))
        die(message.text);
    return cpu_us() - begin;
}

static void fill(const struct code *code, struct rte_bbdev_dec_op *op)
{
    if (code->type == RTE_BBDEV_OP_LDPC_DEC) {
        op->ldpc_dec.basegraph = 1;
        op->ldpc_dec.z_c = 384;
        op->ldpc_dec.n_cb = 25344;
        op->ldpc_dec.q_m = 2;
        op->ldpc_dec.iter_max = 10;
        op->ldpc_dec.code_block_mode = RTE_BBDEV_CODE_BLOCK;
        op->ldpc_dec.cb_params.e = 25344;
    } else {
        op->turbo_dec.op_flags = RTE_BBDEV_TURBO_NEG_LLR_1_BIT_IN;
        op->turbo_dec.iter_max = 6;
        op->turbo_dec.code_block_mode = RTE_BBDEV_CODE_BLOCK;
        op->turbo_dec.cb_params.k = 6144;
    }
}

/* Writes the LLRs in the driver's order. LDPC: interleaved, two bits a symbol. Turbo: three streams, each padded to a
   multiple of 32 places. */
static void write_input(const struct code *code, const int8_t *from, int8_t *to)
{
    if (code->type == RTE_BBDEV_OP_LDPC_DEC)
        for (uint32_t i = 0; i < code->n; i++)
            to[i] = from[i % 2 * (code->n / 2) + i / 2];
    else
        for (uint32_t i = 0; i < code->n; i++)
            to[i / 6148 * 6176 + i % 6148] = from[i];
}

static struct rte_bbdev_op_data new_data(struct rte_mempool *pool, uint16_t bytes)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

    if (!m)
        die("no mbuf");
    if (bytes)
        memset(rte_pktmbuf_append(m, bytes), 0, bytes);
    return (struct rte_bbdev_op_data){.data = m, .length = bytes};
}

struct operations {
    struct rte_bbdev_dec_op ops[BURST], *burst[BURST];
};

static struct rte_bbdev_op_data *input_of(const struct code *code, struct rte_bbdev_dec_op *op)
{
    return code->type == RTE_BBDEV_OP_LDPC_DEC ? &op->ldpc_dec.input : &op->turbo_dec.input;
}

static struct rte_bbdev_op_data *output_of(const struct code *code, struct rte_bbdev_dec_op *op)
{
    return code->type == RTE_BBDEV_OP_LDPC_DEC ? &op->ldpc_dec.hard_output
                                               : &op->turbo_dec.hard_output;
}

static void make_operations(struct operations *operations, const struct code *code, unsigned n,
                            struct rte_mempool *pool)
{
    memset(operations, 0, sizeof *operations);
    for (unsigned i = 0; i < n; i++) {
        struct rte_bbdev_dec_op *op = operations->burst[i] = &operations->ops[i];
        struct rte_bbdev_op_data *input = input_of(code, op);

        fill(code, op);
        *input = new_data(pool, code->type == RTE_BBDEV_OP_LDPC_DEC ? 25344 : 18528);
        *output_of(code, op) = new_data(pool, 0);
        write_input(code, llrs[i], rte_pktmbuf_mtod(input->data, int8_t *));
    }
}

static double through_driver(struct operations *operations, const struct code *code, unsigned n)
{
    struct rte_bbdev_dec_op **burst = operations->burst;
    const double begin = cpu_us();

    if (code->type == RTE_BBDEV_OP_LDPC_DEC) {
        rte_bbdev_enqueue_ldpc_dec_ops(0, 0, burst, (uint16_t)n);
        rte_bbdev_dequeue_ldpc_dec_ops(0, 0, burst, (uint16_t)n);
    } else {
        rte_bbdev_enqueue_dec_ops(0, 1, burst, (uint16_t)n);
        rte_bbdev_dequeue_dec_ops(0, 1, burst, (uint16_t)n);
    }
    return cpu_us() - begin;
}

static void check(struct operations *operations, const struct code *code, unsigned n)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < n; i++) {
        struct rte_mbuf *out = output_of(code, &operations->ops[i])->data;

        wrong += memcmp(rte_pktmbuf_mtod(out, uint8_t *), bits[i], code->k / 8) != 0;
        rte_pktmbuf_free(out);
        rte_pktmbuf_free(input_of(code, &operations->ops[i])->data);
    }
    if (wrong)
        printf("NOT THE SAME BITS: %u of %u\n", wrong, n);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The least of many calls of n frames, a frame; arrays and driver in turn, as the speed of a core that shares its units
   with another one changes from second to second. best[2]: the median of what the driver takes more than the arrays just
   before. */
static void both(const struct code *code, unsigned n, unsigned rounds, struct rte_mempool *pool,
                 double best[3])
{
    static struct operations operations;
    double *const more = malloc(rounds * sizeof *more);
    struct arrays arrays;

    if (!more)
        die("no memory");

    open_arrays(&arrays, code, n);
    make_operations(&operations, code, n, pool);
    best[0] = best[1] = 1e30;
    for (unsigned i = 0; i < rounds; i++) {
        const double one[] = {on_arrays(&arrays, n), through_driver(&operations, code, n)};

        for (unsigned j = 0; j < 2; j++)
            best[j] = one[j] < best[j] ? one[j] : best[j];
        more[i] = one[1] - one[0];
    }
    qsort(more, rounds, sizeof *more, by_value);
    best[2] = more[rounds / 2] / n;
    free(more);
    check(&operations, code, n);
    best[0] /= n;
    best[1] /= n;
    fecrun_finish(arrays.prepared);
    fecrun_close(arrays.session);
}

int main(int argc, char **argv)
{
    static char device[512];
    char *arguments[] = {argv[0], "--no-huge", "--no-shconf",    "--no-pci", "-m",   "128",
                         "-l",    "0",         "--no-telemetry", "--vdev",   device, NULL};
    const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 50;
    static const enum rte_bbdev_op_type types[] = {RTE_BBDEV_OP_LDPC_DEC, RTE_BBDEV_OP_TURBO_DEC};
    struct rte_mempool *pool;

    snprintf(device, sizeof device, "baseband_fecrun0,plugins=%s", getenv("PLUGINS"));
    if (rte_eal_init((int)RTE_DIM(arguments) - 1, arguments) < 0)
        die("DPDK does not start");
    pool = rte_pktmbuf_pool_create("mbufs", 255, 0, 0, ROOM, 0);
    if (!pool || rte_bbdev_setup_queues(0, 2, 0))
        die("no memory");
    for (uint16_t i = 0; i < 2; i++) {
        const struct rte_bbdev_queue_conf conf = {.queue_size = BURST, .op_type = types[i]};

        if (rte_bbdev_queue_configure(0, i, &conf))
            die("no queue");
    }
    rte_bbdev_start(0);
    printf(
        "| CPU us a code block | arrays, 64 | bbdev, 64 | speed | arrays, 1 | bbdev, 1 | more |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < RTE_DIM(codes); i++) {
        double many[3], one[3];

        draw(codes[i].n);
        both(&codes[i], BURST, rounds, pool, many);
        both(&codes[i], 1, rounds * 20, pool, one);
        printf("| %s | %.1f | %.1f | %.0f %% | %.1f | %.1f | %.1f |\n", codes[i].name, many[0],
               many[1], 100 * many[0] / many[1], one[0], one[1], one[2]);
    }
    rte_bbdev_close(0);
    return 0;
}
