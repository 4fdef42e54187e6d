/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bbdev/work.h"

#include <rte_log.h>
#include <stdlib.h>
#include <string.h>

/* Jobs that are looked at together; a burst of more is done in several pieces. */
enum { WINDOW = 1024 };

struct bbdev_worker {
    struct bbdev_cache *cache;
    struct bbdev_tables tables;
    unsigned n;
    struct bbdev_job jobs[WINDOW];
};

struct bbdev_worker *bbdev_worker_new(const struct bbdev_settings *settings)
{
    struct bbdev_worker *worker = calloc(1, sizeof *worker);

    if (!worker)
        return NULL;
    worker->cache = bbdev_cache_new(settings);
    if (!worker->cache) {
        free(worker);
        return NULL;
    }
    return worker;
}

void bbdev_worker_free(struct bbdev_worker *worker)
{
    if (!worker)
        return;
    bbdev_cache_free(worker->cache);
    for (size_t i = 0; i < RTE_DIM(worker->tables.places); i++)
        free(worker->tables.places[i]);
    free(worker);
}

int bbdev_worker_warm(struct bbdev_worker *worker, struct fecrun_message *message)
{
    const struct bbdev_kind kinds[] = {
        {.work = BBDEV_LDPC_DECODE,
         .bg = 2,
         .size = 2,
         .rows = 4,
         .ncb = 100,
         .e = 24,
         .iterations = 1},
        {.work = BBDEV_TURBO_DECODE, .size = 40, .iterations = 1},
    };

    for (size_t i = 0; i < RTE_DIM(kinds); i++)
        if (!bbdev_class_get(worker->cache, &kinds[i], message))
            return -1;
    return 0;
}

static int *status_of(const struct bbdev_job *job)
{
    return bbdev_decodes(job->kind.work) ? &((struct rte_bbdev_dec_op *)job->op)->status
                                         : &((struct rte_bbdev_enc_op *)job->op)->status;
}

static void set_status(const struct bbdev_job *job, int bit)
{
    *status_of(job) |= 1 << bit;
}

static const struct bbdev_family *family_of(unsigned work)
{
    switch (work) {
    case BBDEV_LDPC_DECODE:
        return &bbdev_ldpc_decoder;
    case BBDEV_LDPC_ENCODE:
        return &bbdev_ldpc_encoder;
    case BBDEV_TURBO_DECODE:
        return &bbdev_turbo_decoder;
    default:
        return &bbdev_turbo_encoder;
    }
}

/* A value that a stage refuses is the operation's mistake, all else is ours. */
static void fail(struct bbdev_job *const *jobs, unsigned n, const struct fecrun_message *message)
{
    rte_log(message->status == 2 ? RTE_LOG_DEBUG : RTE_LOG_ERR, RTE_LOGTYPE_USER1,
            "baseband_fecrun: %s\n", message->text);
    for (unsigned i = 0; i < n; i++)
        set_status(jobs[i], message->status == 2 ? RTE_BBDEV_DATA_ERROR : RTE_BBDEV_DRV_ERROR);
}

static void count_iterations(const struct bbdev_job *job, uint32_t iterations)
{
    struct rte_bbdev_dec_op *op = job->op;
    uint8_t *count = job->kind.work == BBDEV_LDPC_DECODE ? &op->ldpc_dec.iter_count
                                                         : &op->turbo_dec.iter_count;

    if (iterations > *count)
        *count = (uint8_t)RTE_MIN(iterations, 255u);
}

/* What the decoder itself knows: LDPC its checks, turbo the CRC that ended it. */
static void judge(struct bbdev_job *const *jobs, unsigned n, const struct bbdev_class *class)
{
    const struct fecrun_frame_info *infos = fecrun_get_infos(class->prepared);

    for (unsigned i = 0; i < n; i++) {
        if (jobs[i]->flags & BBDEV_BAD)
            continue;
        count_iterations(jobs[i], infos[i].iterations);
        if (!(infos[i].flags & FECRUN_FRAME_FAILED))
            continue;
        set_status(jobs[i], class->kind.work == BBDEV_LDPC_DECODE ? RTE_BBDEV_SYNDROME_ERROR
                                                                  : RTE_BBDEV_CRC_ERROR);
    }
}

static int check_crc(struct bbdev_worker *worker, struct bbdev_job *const *jobs, unsigned n,
                     const struct bbdev_class *class, struct fecrun_message *message)
{
    const struct bbdev_kind *of = &class->kind;
    struct bbdev_kind kind = {.work = BBDEV_CRC_CHECK, .crc = jobs[0]->check};
    struct bbdev_class *check;

    kind.e = of->work == BBDEV_TURBO_DECODE ? of->size
                                            : (of->bg == 1 ? 22u : 10u) * of->size - of->fillers;
    check = bbdev_class_get_beside(worker->cache, &kind, class, message);
    if (!check)
        return -1;
    for (unsigned first = 0; first < n; first += check->frames) {
        const unsigned m = RTE_MIN(check->frames, n - first);

        memcpy(check->in, class->out + first * class->out_bytes, m * class->out_bytes);
        if (fecrun_execute(check->prepared, m, message))
            return -1;
        for (unsigned i = 0; i < m; i++)
            if (!(jobs[first + i]->flags & BBDEV_BAD) &&
                fecrun_get_infos(check->prepared)[i].flags & FECRUN_FRAME_FAILED)
                set_status(jobs[first + i], RTE_BBDEV_CRC_ERROR);
    }
    return 0;
}

/* Jobs of one kind, at most as many as the class has rows. */
static int run(struct bbdev_worker *worker, struct bbdev_job *const *jobs, unsigned n,
               struct bbdev_class *class, struct fecrun_message *message)
{
    const struct bbdev_family *family = family_of(class->kind.work);

    for (unsigned i = 0; i < n; i++)
        if (family->load(jobs[i], class, i, &worker->tables)) {
            /* The row is done all the same, and nobody takes it. */
            memset(class->in + i * class->in_bytes, 0, class->in_bytes);
            set_status(jobs[i], RTE_BBDEV_DATA_ERROR);
            jobs[i]->flags |= BBDEV_BAD;
        }
    if (fecrun_execute(class->prepared, n, message))
        return -1;
    if (bbdev_decodes(class->kind.work))
        judge(jobs, n, class);
    if (jobs[0]->check && check_crc(worker, jobs, n, class, message))
        return -1;
    for (unsigned i = 0; i < n; i++)
        if (!(jobs[i]->flags & BBDEV_BAD))
            family->store(jobs[i], class, i);
    return 0;
}

static int same(const struct bbdev_job *a, const struct bbdev_job *b)
{
    return a->check == b->check && !memcmp(&a->kind, &b->kind, sizeof a->kind);
}

/* Jobs of a kind together. */
void bbdev_work(struct bbdev_worker *worker)
{
    struct bbdev_job *together[WINDOW];

    for (unsigned i = 0; i < worker->n; i++) {
        struct fecrun_message message = {.size = sizeof message};
        struct bbdev_job *first = &worker->jobs[i];
        struct bbdev_class *class;
        unsigned n = 0;

        if (first->done)
            continue;
        class = bbdev_class_get(worker->cache, &first->kind, &message);
        for (unsigned j = i; j < worker->n && n < (class ? class->frames : WINDOW); j++)
            if (!worker->jobs[j].done && same(first, &worker->jobs[j])) {
                worker->jobs[j].done = 1;
                together[n++] = &worker->jobs[j];
            }
        if (!class) {
            fail(together, n, &message);
        } else if (run(worker, together, n, class, &message)) {
            fail(together, n, &message);
            bbdev_class_forget(worker->cache, class);
        }
    }
    worker->n = 0;
}

static const struct bbdev_family *family_of_type(enum rte_bbdev_op_type type)
{
    switch (type) {
    case RTE_BBDEV_OP_LDPC_DEC:
        return &bbdev_ldpc_decoder;
    case RTE_BBDEV_OP_LDPC_ENC:
        return &bbdev_ldpc_encoder;
    case RTE_BBDEV_OP_TURBO_DEC:
        return &bbdev_turbo_decoder;
    default:
        return &bbdev_turbo_encoder;
    }
}

void bbdev_collect(struct bbdev_worker *worker, enum rte_bbdev_op_type type, void *const *ops,
                   unsigned n)
{
    const struct bbdev_family *family = family_of_type(type);

    for (unsigned i = 0; i < n; i++) {
        int blocks;

        if (worker->n > WINDOW - BBDEV_MOST_BLOCKS)
            bbdev_work(worker);
        blocks = family->split(ops[i], worker->jobs + worker->n);
        if (blocks > 0)
            worker->n += (unsigned)blocks;
    }
}
