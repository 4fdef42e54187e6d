/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/by_class.h"

/* Most absorbed stages of a backend that uses this. */
enum { MOST_ABSORBED = 8 };

/* The arguments of one class; codes[] holds what they point to. */
static struct fecrun_create of_class(const struct fecrun_create *args, uint32_t c,
                                     void *const *codes[MOST_ABSORBED])
{
    struct fecrun_create own = *args;

    own.codes = args->codes + c;
    own.n_codes = 1;
    for (uint32_t i = 0; i < args->n_absorbed && i < MOST_ABSORBED; i++)
        codes[i] = args->absorbed_codes[i] + c;
    own.absorbed_codes = args->n_absorbed ? codes : NULL;
    return own;
}

int by_class_takes(const struct fecrun_create *args,
                   int (*takes)(const struct fecrun_create *args, struct fecrun_error *err),
                   struct fecrun_error *err)
{
    void *const *codes[MOST_ABSORBED];

    for (uint32_t c = 0; c < args->n_codes; c++) {
        const struct fecrun_create own = of_class(args, c, codes);

        if (takes && takes(&own, err))
            return -1;
    }
    return 0;
}

#ifdef FECRUN_CUDA

/* Three numbers a class, on both sides: struct by_class_port. */
struct table {
    uint64_t *host, *device;
};

struct by_class {
    const struct by_class_backend *backend;
    int device;
    uint32_t n; /* classes */
    uint64_t max_frames;
    unsigned n_in, n_ports;        /* inputs, then outputs */
    uint32_t type[BY_CLASS_PORTS]; /* enum fecrun_type; FECRUN_NONE: not linked */
    uint64_t *items;               /* [port * n + class] */
    void **own;                    /* an instance a class */
    /* Of the host's tables, which all batches have in common; shorter ones have the first frames. */
    uint64_t known;       /* frames whose places have been copied to the device ... */
    void *stream;         /* ... on this stream */
    uint64_t frames;      /* of the last call ... */
    uint64_t *count;      /* ... and how many of each class */
    uint64_t *first_info; /* of each class: frames in front of its own when they are apart */
    uint32_t *rank;
    struct table table[BY_CLASS_PORTS];
    /* device memory: */
    char *memory;
    uint32_t *class_of_there, *rank_there;
    uint64_t *first_info_there, *offset[BY_CLASS_PORTS];
};

const void *by_class_first(const void *instance)
{
    return ((const struct by_class *)instance)->own[0];
}

void by_class_destroy(void *instance)
{
    struct by_class *b = instance;

    if (!b)
        return;
    for (uint32_t c = 0; b->own && c < b->n; c++)
        if (b->own[c])
            b->backend->destroy(b->own[c]);
    if (b->memory && cudaSetDevice(b->device) == cudaSuccess)
        cudaFree(b->memory);
    for (unsigned p = 0; p < BY_CLASS_PORTS; p++)
        free(b->table[p].host);
    free(b->items);
    free(b->own);
    free(b->count);
    free(b->first_info);
    free(b->rank);
    free(b);
}

/* ---- create -------------------------------------------------------------------------------- */

enum { ALIGNED = 256 };

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static void *carve(char *memory, uint64_t *at, uint64_t bytes)
{
    char *here = memory + *at;

    *at += rounded(bytes);
    return here;
}

/* Cuts device memory into its parts, or, with NULL, says how much that is. */
static uint64_t lay_out(struct by_class *b, char *memory)
{
    uint64_t at = 0;

    for (unsigned p = 0; p < b->n_ports; p++) {
        b->offset[p] = carve(memory, &at, b->max_frames * sizeof(uint64_t));
        b->table[p].device = carve(memory, &at, 3 * b->n * sizeof(uint64_t));
    }
    b->first_info_there = carve(memory, &at, b->n * sizeof(uint64_t));
    b->class_of_there = carve(memory, &at, b->max_frames * sizeof(uint32_t));
    b->rank_there = carve(memory, &at, b->max_frames * sizeof(uint32_t));
    return at;
}

static int make_tables(struct by_class *b, struct fecrun_error *err)
{
    b->count = calloc(b->n, sizeof *b->count);
    b->first_info = calloc(b->n, sizeof *b->first_info);
    b->rank = calloc(b->max_frames + 1, sizeof *b->rank);
    for (unsigned p = 0; p < b->n_ports; p++) {
        b->table[p].host = calloc(3 * b->n, sizeof *b->table[p].host);
        if (!b->table[p].host)
            return fecrun_no_memory(err);
    }
    if (!b->count || !b->first_info || !b->rank)
        return fecrun_no_memory(err);
    if (fecrun_cuda_use(b->device, err) ||
        fecrun_cuda_check(err, "device memory for the frames' places",
                          cudaMalloc((void **)&b->memory, lay_out(b, NULL))))
        return -1;
    lay_out(b, b->memory);
    return 0;
}

static int make_class(struct by_class *b, const struct fecrun_create *args, uint32_t c,
                      struct fecrun_error *err)
{
    void *const *codes[MOST_ABSORBED];
    const struct fecrun_create one = of_class(args, c, codes);
    uint64_t in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];

    b->backend->items(&one, in, out);
    for (unsigned p = 0; p < b->n_ports; p++)
        b->items[p * b->n + c] = p < b->n_in ? in[p] : out[p - b->n_in];
    return b->backend->create(&one, &b->own[c], err);
}

static int fill(struct by_class *b, const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_form *form = args->form;

    if (args->n_absorbed > MOST_ABSORBED || b->n_ports > BY_CLASS_PORTS)
        return fecrun_fail(err, NULL, "internal error: too many ports for frames of several sizes");
    b->own = calloc(b->n, sizeof *b->own);
    b->items = calloc((size_t)b->n_ports * b->n, sizeof *b->items);
    if (!b->own || !b->items)
        return fecrun_no_memory(err);
    for (unsigned p = 0; p < b->n_ports; p++)
        b->type[p] = p < b->n_in ? form->in[p].type : form->out[p - b->n_in].type;
    for (uint32_t c = 0; c < b->n; c++)
        if (make_class(b, args, c, err))
            return -1;
    return b->n > 1 ? make_tables(b, err) : 0;
}

int by_class_create(const struct by_class_backend *backend, const struct fecrun_create *args,
                    void **instance, struct fecrun_error *err)
{
    struct by_class *b = calloc(1, sizeof *b);

    *instance = NULL;
    if (!b)
        return fecrun_no_memory(err);
    b->backend = backend;
    b->device = args->device;
    b->n = args->n_codes;
    b->max_frames = args->max_frames;
    b->n_in = args->form->n_in;
    b->n_ports = args->form->n_in + args->form->n_out;
    if (fill(b, args, err)) {
        by_class_destroy(b);
        return -1;
    }
    *instance = b;
    return 0;
}

/* ---- scratch: infos, ports, and then what the backend wants ---------------------------------- */

static uint64_t stride_of(const struct by_class *b, unsigned p, uint32_t c)
{
    return (fecrun_bytes(b->type[p], b->items[p * b->n + c]) + 15) / 16 * 16;
}

/* Room for a port when classes are apart, whatever classes the frames are of. */
static uint64_t port_room(const struct by_class *b, unsigned p, uint64_t frames)
{
    uint64_t most = 0;

    for (uint32_t c = 0; b->type[p] && c < b->n; c++)
        most = stride_of(b, p, c) > most ? stride_of(b, p, c) : most;
    return most ? rounded(frames * most + FECRUN_SLACK) : 0;
}

size_t by_class_scratch(const void *instance, uint64_t frames)
{
    const struct by_class *b = instance;
    size_t most = 0;
    uint64_t bytes = 0;

    for (uint32_t c = 0; b->backend->scratch && c < b->n; c++) {
        const size_t own = b->backend->scratch(b->own[c], frames);

        most = own > most ? own : most;
    }
    if (b->n == 1)
        return most;
    bytes = rounded(frames * sizeof(struct fecrun_frame_info));
    for (unsigned p = 0; p < b->n_ports; p++)
        bytes += port_room(b, p, frames);
    return (size_t)bytes + most;
}

/* ---- run ----------------------------------------------------------------------------------- */

struct calling {
    struct by_class *b;
    const struct fecrun_call *call;
    const struct fecrun_view *view[BY_CLASS_PORTS]; /* inputs, then outputs; NULL: not linked */
    struct fecrun_frame_info *info;                 /* apart */
    char *apart[BY_CLASS_PORTS];
    char *scratch; /* of the backend */
    uint64_t frames;
};

/* The places are those of the longest batch so far. */
static void carve_scratch(struct calling *k)
{
    const struct by_class *b = k->b;
    uint64_t at = 0;

    k->info = carve(k->call->scratch, &at, b->known * sizeof *k->info);
    for (unsigned p = 0; p < b->n_ports; p++) {
        k->apart[p] = (char *)k->call->scratch + at;
        at += port_room(b, p, b->known);
    }
    k->scratch = (char *)k->call->scratch + at;
}

/* Counts the frames of each class, and their ranks. */
static void count(struct by_class *b, const uint32_t *class_of, uint64_t frames)
{
    memset(b->count, 0, b->n * sizeof *b->count);
    for (uint64_t f = 0; f < frames; f++)
        b->rank[f] = (uint32_t)b->count[class_of[f]]++;
    b->frames = frames;
}

static cudaError_t put(const struct by_class *b, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, (cudaStream_t)b->stream);
}

/* Where the classes lie when they are apart. Shorter batches have the same places. */
static cudaError_t put_places(struct calling *k)
{
    struct by_class *b = k->b;
    cudaError_t status = cudaSuccess;
    uint64_t infos = 0;

    for (uint32_t c = 0; c < b->n; infos += b->count[c++])
        b->first_info[c] = infos;
    for (unsigned p = 0; p < b->n_ports && status == cudaSuccess; p++) {
        uint64_t *t = b->table[p].host, at = 0;

        for (uint32_t c = 0; c < b->n; c++) {
            t[c] = at;
            t[b->n + c] = stride_of(b, p, c);
            t[2 * b->n + c] = fecrun_bytes(b->type[p], b->items[p * b->n + c]);
            at += b->count[c] * t[b->n + c];
        }
        if (k->view[p])
            status = put(b, b->table[p].device, t, 3 * b->n * sizeof *t);
        if (k->view[p] && status == cudaSuccess)
            status = put(b, b->offset[p], k->view[p]->offset, b->frames * sizeof(uint64_t));
    }
    return status != cudaSuccess
               ? status
               : put(b, b->first_info_there, b->first_info, b->n * sizeof *b->first_info);
}

/* Memory that is not pinned has been read when such a copy returns. */
static int learn(struct calling *k, struct fecrun_error *err)
{
    struct by_class *b = k->b;
    const uint32_t *class_of = k->view[0]->frame_class;
    cudaError_t status;

    if (k->frames != b->frames)
        count(b, class_of, k->frames);
    if (k->frames <= b->known && k->call->stream == b->stream)
        return 0;
    b->stream = k->call->stream;
    status = put_places(k);
    if (status == cudaSuccess)
        status = put(b, b->class_of_there, class_of, k->frames * sizeof *class_of);
    if (status == cudaSuccess)
        status = put(b, b->rank_there, b->rank, k->frames * sizeof *b->rank);
    if (fecrun_cuda_check(err, "copying the frames' places", status))
        return -1;
    b->known = k->frames;
    return 0;
}

static int copy(const struct calling *k, bool back, struct fecrun_error *err)
{
    const struct by_class *b = k->b;
    struct by_class_args args = {.frames = k->frames,
                                 .class_of = b->class_of_there,
                                 .rank = b->rank_there,
                                 .mixed_info = k->call->info,
                                 .info = k->info,
                                 .first_info = b->first_info_there};
    const unsigned first = back ? b->n_in : 0, end = back ? b->n_ports : b->n_in;

    for (unsigned p = first; p < end; p++)
        if (k->view[p])
            args.port[args.n_ports++] = (struct by_class_port){
                .mixed = {.data = k->view[p]->data, .offset = b->offset[p]},
                .apart = (uint8_t *)k->apart[p],
                .first = b->table[p].device,
                .stride = b->table[p].device + b->n,
                .bytes = b->table[p].device + 2 * b->n};
    return fecrun_cuda_check(err, "sorting frames by their sizes",
                             b->backend->copy(&args, back, k->call->stream));
}

static int run_class(const struct calling *k, uint32_t c, struct fecrun_error *err)
{
    const struct by_class *b = k->b;
    struct fecrun_view view[BY_CLASS_PORTS];
    const struct fecrun_view *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *out[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_call call = *k->call;

    for (unsigned p = 0; p < b->n_ports; p++) {
        if (!k->view[p])
            continue;
        view[p] = (struct fecrun_view){.size = sizeof view[p],
                                       .data = k->apart[p] + b->table[p].host[c],
                                       .type = b->type[p],
                                       .frames = b->count[c],
                                       .items = b->items[p * b->n + c],
                                       .stride = b->table[p].host[b->n + c]};
        if (p < b->n_in)
            in[p] = &view[p];
        else
            out[p - b->n_in] = &view[p];
    }
    call.codes += c;
    call.scratch = k->scratch;
    call.info = call.out_info = k->info + b->first_info[c];
    return b->backend->run(b->own[c], &call, in, out, err);
}

int by_class_run(void *instance, const struct fecrun_call *call,
                 const struct fecrun_view *const in[], struct fecrun_view *const out[],
                 struct fecrun_error *err)
{
    struct by_class *b = instance;
    struct calling k = {.b = b, .call = call};

    if (b->n == 1)
        return b->backend->run(b->own[0], call, in, out, err);
    k.frames = in[0]->frames;
    for (unsigned p = 0; p < b->n_ports; p++)
        k.view[p] = p < b->n_in ? in[p] : out[p - b->n_in];
    if (fecrun_cuda_use(b->device, err) || learn(&k, err))
        return -1;
    carve_scratch(&k);
    if (copy(&k, false, err))
        return -1;
    for (uint32_t c = 0; c < b->n; c++)
        if (b->count[c] && run_class(&k, c, err))
            return -1;
    return copy(&k, true, err);
}

#endif
