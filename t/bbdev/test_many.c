/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words in up to four transmissions, of kinds that are drawn at random, in eight queues fed by eight threads: status,
 * iterations, bits (those of words that fail, too) and how many words are wrong after each transmission, as pipelines
 * without bbdev have them. The memory of the process stays.
 *
 *     test_many [OPERATIONS]: 10000000 take some minutes
 */
#include <fecrun/fecrun.h>
#include <pthread.h>
#include <unistd.h>

#include "t/bbdev/device.h"

enum {
    QUEUES = 8,
    KINDS = 32,
    WORDS = 4,
    SENT = 4,
    FLIGHT = 16,
    BUFFER = 26000,
    BITS = 1100,
    BUFFERS = 2047
};

/* A word after one of its transmissions: what came in, and what a pipeline made of it. */
struct result {
    struct rte_mbuf *llrs; /* interleaved */
    bool failed;
    uint8_t iterations;
    uint8_t bits[BITS];
};

static struct kind {
    uint8_t bg, qm, iterations, signal; /* mean of the LLRs */
    uint8_t first;                      /* which of the versions is sent first */
    bool six;                           /* soft buffers in six bits */
    uint16_t z, fillers, ncb;
    uint32_t e, k, reached; /* the circular buffer's places that were received */
    struct result results[WORDS][SENT];
} kinds[KINDS];

static unsigned n_kinds = KINDS;
static struct rte_mempool *buffers;

/* Of transmission r. */
static unsigned version(const struct kind *kind, unsigned r)
{
    static const uint8_t versions[] = {0, 2, 3, 1};

    return versions[(kind->first + r) % 4];
}

static uint32_t draw(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % n;
}

static struct rte_mbuf *new_buffer(void)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(buffers);

    if (!m) {
        printf("Bail out! no mbuf\n");
        exit(99);
    }
    return m;
}

/* All buffers once, so that their pages are there before memory is measured. */
static void touch_buffers(void)
{
    static struct rte_mbuf *all[BUFFERS];

    for (unsigned i = 0; i < BUFFERS; i++) {
        all[i] = new_buffer();
        memset(rte_pktmbuf_append(all[i], BUFFER), 1, BUFFER);
    }
    for (unsigned i = 0; i < BUFFERS; i++)
        rte_pktmbuf_free(all[i]);
}

/* ---- What pipelines say ---------------------------------------------------------------------- */

static void draw_kind(struct kind *kind, unsigned i, uint64_t *state)
{
    static const uint16_t small[] = {2, 3, 5, 7, 9, 11, 13, 15, 16, 22, 30, 36, 44, 52, 64};
    static const uint8_t orders[] = {1, 2, 4, 6, 8};
    const uint32_t blocks = kind->bg = (uint8_t)(1 + draw(state, 2));
    uint32_t n;

    kind->z = i ? small[draw(state, 15)] : 384;
    kind->qm = orders[draw(state, 5)];
    kind->first = (uint8_t)(i % 3 ? 0 : i / 3 % 4);
    kind->iterations = (uint8_t)(3 + draw(state, 6));
    kind->signal = (uint8_t)(5 + draw(state, 8));
    kind->fillers = (uint16_t)draw(state, 2 * kind->z);
    /* Whole groups of four in each column: a longer soft buffer reaches more rows. */
    kind->six = kind->z % 4 == 0;
    kind->fillers -= kind->six ? kind->fillers % 4 : 0;
    n = (blocks == 1 ? 66 : 50) * kind->z;
    kind->ncb = (uint16_t)(draw(state, 2) ? n : n * 3 / 4);
    kind->k = (blocks == 1 ? 22 : 10) * kind->z - kind->fillers;
    kind->e = (kind->k * (9 + draw(state, 8)) / 10 / kind->qm + 1) * kind->qm;
}

/* A word of zeros behind noise, and the same in the order in which it is received. */
static void draw_llrs(const struct kind *kind, struct result *result, int8_t *llrs, uint64_t *state)
{
    const uint32_t rows = kind->e / kind->qm;
    int8_t *to;

    result->llrs = new_buffer();
    to = (int8_t *)rte_pktmbuf_append(result->llrs, (uint16_t)kind->e);
    for (uint32_t i = 0; i < kind->e; i++) {
        llrs[i] = (int8_t)((int)draw(state, 29) - 14 + kind->signal);
        to[i % rows * kind->qm + i / rows] = llrs[i];
    }
}

/* TS 38.212 5.4.2.1, place by place. Returns the rows of the base graph that what was received so far needs. */
static unsigned receive(struct kind *kind, unsigned r)
{
    static const uint8_t starts[2][SENT] = {{0, 17, 33, 56}, {0, 13, 25, 43}};
    const uint32_t columns = kind->bg == 1 ? 22 : 10, n = (kind->bg == 1 ? 66 : 50) * kind->z;
    const uint32_t most = kind->bg == 1 ? 46 : 42, k = columns * kind->z - 2 * kind->z;
    uint32_t place = starts[kind->bg - 1][version(kind, r)] * kind->ncb / n * kind->z, used;

    for (uint32_t i = 0; i < kind->e; place = (place + 1) % kind->ncb)
        if (place < k - kind->fillers || place >= k) {
            kind->reached = RTE_MAX(kind->reached, place + 1);
            i++;
        }
    used = (kind->reached + kind->z - 1) / kind->z + 2;
    return used < columns + 4 ? 4 : RTE_MIN(used - columns, most);
}

/* One pipeline: version r of a kind, with the soft buffer from before if there is one. */
static void decode(struct kind *kind, unsigned r, const int8_t *llrs, int8_t *before, int8_t *after)
{
    const char *const directories[] = {getenv("PLUGINS"), NULL};
    const struct fecrun_options options = {.size = sizeof options, .plugin_dirs = directories};
    const struct fecrun_prepare_options prepare = {.size = sizeof prepare, .frames = WORDS};
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    const uint32_t n = (kind->bg == 1 ? 66 : 50) * kind->z, bytes = (kind->k + 7) / 8;
    static uint8_t bits[WORDS * BITS];
    char text[1000], more[100] = "";

    if (r)
        snprintf(more, sizeof more, "  - source.memory: {id: before, dtype: i8, frame: %u}\n", n);
    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n"
             "  - source.memory: {id: in, dtype: i8, frame: %u}\n%s"
             "  - ldpc.rate_recover: {id: sum, from: in, bg: %u, z: %u, fillers: %u, rv: %u, ncb: "
             "%u%s}\n"
             "  - sink.memory: {id: after, dtype: i8}\n"
             "  - ldpc.decode: {from: sum, code: nr, bg: %u, z: %u, fillers: %u, rows: %u, "
             "iterations: %u}\n"
             "  - sink.memory: {id: out, dtype: packed}\n",
             kind->e, more, kind->bg, kind->z, kind->fillers, version(kind, r), kind->ncb,
             r ? ", harq_in: before" : "", kind->bg, kind->z, kind->fillers, receive(kind, r),
             kind->iterations);
    if (fecrun_open_text(&session, "many", text, strlen(text), &options, &message) ||
        fecrun_prepare(&prepared, session, &prepare, &message) ||
        fecrun_bind_input(prepared, "in", llrs, WORDS * kind->e, 0, &message) ||
        (r && fecrun_bind_input(prepared, "before", before, WORDS * n, 0, &message)) ||
        fecrun_bind_output(prepared, "after", after, WORDS * n, 0, &message) ||
        fecrun_bind_output(prepared, "out", bits, sizeof bits, 0, &message) ||
        fecrun_execute(prepared, WORDS, &message)) {
        printf("Bail out! %s\n", message.text);
        exit(99);
    }
    for (unsigned w = 0; w < WORDS; w++) {
        struct result *result = &kind->results[w][r];

        memcpy(result->bits, bits + w * bytes, bytes);
        result->failed = fecrun_get_infos(prepared)[w].flags & FECRUN_FRAME_FAILED;
        result->iterations = (uint8_t)fecrun_get_infos(prepared)[w].iterations;
    }
    for (uint32_t i = 0; kind->six && i < WORDS * n; i++)
        after[i] = after[i] > 31 ? 31 : after[i] < -32 ? -32 : after[i];
    fecrun_finish(prepared);
    fecrun_close(session);
}

static void learn(void)
{
    static int8_t llrs[WORDS * BUFFER], soft[2][WORDS * BUFFER];
    uint64_t state = 3;

    for (unsigned i = 0; i < n_kinds; i++) {
        draw_kind(&kinds[i], i, &state);
        for (unsigned r = 0; r < SENT; r++) {
            for (unsigned w = 0; w < WORDS; w++)
                draw_llrs(&kinds[i], &kinds[i].results[w][r], llrs + w * kinds[i].e, &state);
            decode(&kinds[i], r, llrs, soft[r % 2], soft[1 - r % 2]);
        }
    }
}

/* ---- What the driver says -------------------------------------------------------------------- */

struct word {
    struct rte_bbdev_dec_op op;
    unsigned kind, word, sent;
    struct rte_mbuf *output, *soft[2];
};

struct feeder {
    pthread_t id;
    uint16_t device, queue;
    uint64_t operations, done, wrong, state;
    uint64_t failed[SENT], expected[SENT];
    struct word words[FLIGHT], *ready[FLIGHT];
    unsigned n_ready;
};

static void fill(struct word *word)
{
    const struct kind *kind = &kinds[word->kind];
    struct rte_mbuf *before = word->soft[word->sent % 2], *after = word->soft[1 - word->sent % 2];
    struct rte_mbuf *llrs = kind->results[word->word][word->sent].llrs;

    rte_pktmbuf_reset(word->output);
    rte_pktmbuf_reset(after);
    word->op = (struct rte_bbdev_dec_op){.status = -1, .opaque_data = word};
    word->op.ldpc_dec = (struct rte_bbdev_op_ldpc_dec){
        .input = {.data = llrs, .length = kind->e},
        .hard_output = {.data = word->output},
        .harq_combined_input = {.data = before, .length = word->sent ? before->data_len : 0},
        .harq_combined_output = {.data = after},
        .op_flags = RTE_BBDEV_LDPC_ITERATION_STOP_ENABLE | RTE_BBDEV_LDPC_HQ_COMBINE_OUT_ENABLE |
                    (word->sent ? RTE_BBDEV_LDPC_HQ_COMBINE_IN_ENABLE : 0) |
                    (kind->six ? RTE_BBDEV_LDPC_HARQ_6BIT_COMPRESSION : 0),
        .rv_index = (uint8_t)version(kind, word->sent),
        .iter_max = kind->iterations,
        .basegraph = kind->bg,
        .z_c = kind->z,
        .n_cb = kind->ncb,
        .q_m = kind->qm,
        .n_filler = kind->fillers,
        .code_block_mode = RTE_BBDEV_CODE_BLOCK,
        .cb_params.e = kind->e};
}

static void make_ready(struct feeder *feeder, struct word *word)
{
    fill(word);
    feeder->ready[feeder->n_ready++] = word;
}

static void begin(struct feeder *feeder, struct word *word)
{
    word->kind = draw(&feeder->state, n_kinds);
    word->word = draw(&feeder->state, WORDS);
    word->sent = 0;
    make_ready(feeder, word);
}

/* Compares, and goes on with the word's next transmission or with another word. */
static void take(struct feeder *feeder, struct word *word)
{
    const struct kind *kind = &kinds[word->kind];
    const struct result *result = &kind->results[word->word][word->sent];
    const bool failed = word->op.status != 0;

    feeder->done++;
    feeder->failed[word->sent] += failed;
    feeder->expected[word->sent] += result->failed;
    feeder->wrong += word->op.status != (result->failed ? 1 << RTE_BBDEV_SYNDROME_ERROR : 0) ||
                     word->op.ldpc_dec.iter_count != result->iterations ||
                     word->op.ldpc_dec.hard_output.length != (kind->k + 7) / 8 ||
                     memcmp(bytes_of(&word->op.ldpc_dec.hard_output), result->bits,
                            (kind->k + 7) / 8) != 0;
    if (failed && ++word->sent < SENT)
        make_ready(feeder, word);
    else if (feeder->done < feeder->operations)
        begin(feeder, word);
}

static void *feed(void *data)
{
    struct feeder *feeder = data;
    unsigned flying = 0;

    while (flying || feeder->n_ready) {
        struct rte_bbdev_dec_op *burst[FLIGHT];
        unsigned n;

        for (unsigned i = 0; i < feeder->n_ready; i++)
            burst[i] = &feeder->ready[i]->op;
        n = rte_bbdev_enqueue_ldpc_dec_ops(feeder->device, feeder->queue, burst,
                                           (uint16_t)feeder->n_ready);
        flying += n;
        feeder->n_ready -= n;
        memmove(feeder->ready, feeder->ready + n, feeder->n_ready * sizeof feeder->ready[0]);
        n = rte_bbdev_dequeue_ldpc_dec_ops(feeder->device, feeder->queue, burst, FLIGHT);
        flying -= n;
        if (!n)
            sched_yield();
        for (unsigned i = 0; i < n; i++)
            take(feeder, burst[i]->opaque_data);
    }
    return NULL;
}

static double resident_mb(void)
{
    unsigned long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file && fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void run_queues(uint16_t device, const char *how, uint64_t operations)
{
    static struct feeder feeders[QUEUES];
    uint64_t wrong = 0, done = 0, different = 0;

    memset(feeders, 0, sizeof feeders);
    for (unsigned i = 0; i < QUEUES; i++) {
        struct feeder *feeder = &feeders[i];

        feeder->device = device;
        feeder->queue = (uint16_t)i;
        feeder->operations = operations / QUEUES;
        feeder->state = i + 1;
        for (unsigned j = 0; j < FLIGHT; j++) {
            struct word *word = &feeder->words[j];

            word->output = new_buffer();
            word->soft[0] = new_buffer();
            word->soft[1] = new_buffer();
            begin(feeder, word);
        }
        if (pthread_create(&feeder->id, NULL, feed, feeder))
            exit(99);
    }
    for (unsigned i = 0; i < QUEUES; i++)
        pthread_join(feeders[i].id, NULL);
    for (unsigned r = 0; r < SENT; r++) {
        uint64_t failed = 0, expected = 0;

        for (unsigned i = 0; i < QUEUES; i++) {
            failed += feeders[i].failed[r];
            expected += feeders[i].expected[r];
        }
        different += failed != expected || !failed;
        diag("%s: wrong after transmission %u: %llu, of pipelines %llu", how, r + 1,
             (unsigned long long)failed, (unsigned long long)expected);
    }
    for (unsigned i = 0; i < QUEUES; i++) {
        wrong += feeders[i].wrong;
        done += feeders[i].done;
        for (unsigned j = 0; j < FLIGHT; j++) {
            rte_pktmbuf_free(feeders[i].words[j].output);
            rte_pktmbuf_free(feeders[i].words[j].soft[0]);
            rte_pktmbuf_free(feeders[i].words[j].soft[1]);
        }
    }
    is_int((int)wrong, 0, "%s: status, iterations and bits of %llu operations", how,
           (unsigned long long)done);
    is_int((int)different, 0, "%s: counts are those of pipelines, and not 0", how);
}

int main(int argc, char **argv)
{
    const uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : tap_rounds(24000);
    enum rte_bbdev_op_type types[QUEUES];
    double before, after;

    for (unsigned i = 0; i < QUEUES; i++)
        types[i] = RTE_BBDEV_OP_LDPC_DEC;
    start_dpdk("threads=8,queues=8,memory=64");
    buffers = rte_pktmbuf_pool_create("buffers", BUFFERS, 0, 0, BUFFER + RTE_PKTMBUF_HEADROOM, 0);
    if (!buffers) {
        printf("Bail out! no memory for mbufs\n");
        return 99;
    }
    touch_buffers();
    if (tap_sanitized()) /* each thread makes each of them */
        n_kinds = 8;
    learn();
    for (uint16_t i = 0; i < 2; i++)
        set_up_queues(i, types, QUEUES, 64);
    run_queues(0, "eight callers", operations / 4);
    run_queues(1, "eight threads", operations / 4);
    before = resident_mb();
    run_queues(0, "eight callers again", operations / 4);
    run_queues(1, "eight threads again", operations / 4);
    after = resident_mb();
    diag("resident memory: %.1f MB, then %.1f MB", before, after);
    /* In fewer not every thread has met every kind before. */
    if (operations >= 1000000)
        ok(after < before + 4, "the memory of the process stays");
    for (uint16_t i = 0; i < 2; i++) {
        rte_bbdev_stop(i);
        rte_bbdev_close(i);
    }
    rte_eal_cleanup();
    return done_testing();
}
