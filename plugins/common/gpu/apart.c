/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/apart.h"

struct fecrun_create apart_one(const struct fecrun_create *args, uint32_t c,
                               void *const *codes[APART_ABSORBED])
{
    struct fecrun_create one = *args;

    one.codes = args->codes + c;
    one.n_codes = 1;
    for (uint32_t i = 0; i < args->n_absorbed && i < APART_ABSORBED; i++)
        codes[i] = args->absorbed_codes[i] + c;
    one.absorbed_codes = args->n_absorbed ? codes : NULL;
    return one;
}

#ifdef FECRUN_CUDA

enum { ALIGNED = 256 };

static uint64_t rounded(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

/* ---- Making ------------------------------------------------------------------------------------ */

static void *carve(char *memory, uint64_t *at, uint64_t bytes)
{
    char *here = memory + *at;

    *at += rounded(bytes, ALIGNED);
    return here;
}

/* Cuts device memory into its parts, or, with NULL, says how much that is. */
static uint64_t lay_out(struct apart *a, char *memory)
{
    uint64_t at = 0;

    for (unsigned p = 0; p < a->n_ports; p++) {
        a->mixed_offset[p] = carve(memory, &at, a->max_frames * sizeof(uint64_t));
        a->table[p].device = carve(memory, &at, 3 * a->n * sizeof(uint64_t));
    }
    a->first_info_there = carve(memory, &at, a->n * sizeof(uint64_t));
    a->class_of_there = carve(memory, &at, a->max_frames * sizeof(uint32_t));
    a->rank_there = carve(memory, &at, a->max_frames * sizeof(uint32_t));
    return at;
}

static int make_tables(struct apart *a, struct fecrun_error *err)
{
    bool good = true;

    a->items = calloc((size_t)a->n_ports * a->n, sizeof *a->items);
    a->count = calloc(a->n, sizeof *a->count);
    a->first_info = calloc(a->n, sizeof *a->first_info);
    a->rank = calloc(a->max_frames + 1, sizeof *a->rank);
    a->sorted_class = calloc(a->max_frames + 1, sizeof *a->sorted_class);
    for (unsigned p = 0; p < a->n_ports; p++) {
        a->table[p].host = calloc(3 * a->n, sizeof *a->table[p].host);
        a->offset[p] = calloc(a->max_frames + 1, sizeof *a->offset[p]);
        good = good && a->table[p].host && a->offset[p];
    }
    if (!good || !a->items || !a->count || !a->first_info || !a->rank || !a->sorted_class)
        return fecrun_no_memory(err);
    if (fecrun_cuda_use(a->device, err) ||
        fecrun_cuda_check(err, "device memory for the frames' places",
                          cudaMalloc((void **)&a->memory, lay_out(a, NULL))))
        return -1;
    lay_out(a, a->memory);
    return 0;
}

static void ask_items(struct apart *a, const struct fecrun_create *args, apart_items *items)
{
    for (uint32_t c = 0; c < a->n; c++) {
        void *const *codes[APART_ABSORBED];
        const struct fecrun_create one = apart_one(args, c, codes);
        uint64_t in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];

        items(&one, in, out);
        for (unsigned p = 0; p < a->n_ports; p++)
            a->items[p * a->n + c] = p < a->n_in ? in[p] : out[p - a->n_in];
    }
}

int apart_make(struct apart *a, const struct fecrun_create *args, apart_items *items,
               apart_copy copy, uint64_t align, struct fecrun_error *err)
{
    const struct fecrun_form *form = args->form;

    *a = (struct apart){.copy = copy,
                        .device = args->device,
                        .n = args->n_codes,
                        .max_frames = args->max_frames,
                        .n_in = form->n_in,
                        .n_ports = form->n_in + form->n_out,
                        .align = align};
    if (args->n_absorbed > APART_ABSORBED || a->n_ports > APART_PORTS) {
        *a = (struct apart){0};
        return fecrun_fail(err, NULL, "internal error: too many ports for frames of several sizes");
    }
    for (unsigned p = 0; p < a->n_ports; p++)
        a->type[p] = p < a->n_in ? form->in[p].type : form->out[p - a->n_in].type;
    if (make_tables(a, err)) {
        apart_free(a);
        return -1;
    }
    ask_items(a, args, items);
    return 0;
}

void apart_free(struct apart *a)
{
    if (a->memory && cudaSetDevice(a->device) == cudaSuccess)
        cudaFree(a->memory);
    for (unsigned p = 0; p < APART_PORTS; p++) {
        free(a->table[p].host);
        free(a->offset[p]);
    }
    free(a->items);
    free(a->count);
    free(a->first_info);
    free(a->rank);
    free(a->sorted_class);
    *a = (struct apart){0};
}

/* ---- Scratch memory: infos, then the ports ------------------------------------------------------ */

static uint64_t bytes_of(const struct apart *a, unsigned p, uint32_t c)
{
    return fecrun_bytes(a->type[p], a->items[p * a->n + c]);
}

/* Room for a port, whatever classes the frames are of; each class begins at a multiple of ALIGNED. */
static uint64_t port_room(const struct apart *a, unsigned p, uint64_t frames)
{
    uint64_t most = 0;

    for (uint32_t c = 0; a->type[p] && c < a->n; c++)
        most = bytes_of(a, p, c) > most ? bytes_of(a, p, c) : most;
    most = rounded(most, a->align);
    return most ? rounded(frames * most + a->n * (uint64_t)ALIGNED + FECRUN_SLACK, ALIGNED) : 0;
}

static uint64_t info_room(uint64_t frames)
{
    return rounded(frames * sizeof(struct fecrun_frame_info), ALIGNED);
}

size_t apart_scratch(const struct apart *a, uint64_t frames)
{
    uint64_t bytes = info_room(frames);

    for (unsigned p = 0; p < a->n_ports; p++)
        bytes += port_room(a, p, frames);
    return (size_t)bytes;
}

static void carve_scratch(const struct apart *a, struct apart_call *k)
{
    char *at = k->call->scratch;

    k->info = (struct fecrun_frame_info *)(void *)at;
    at += info_room(a->frames);
    for (unsigned p = 0; p < a->n_ports; p++) {
        k->sorted[p] = at;
        at += port_room(a, p, a->frames);
    }
    k->scratch = at;
}

/* ---- Places: batches have the same ones, but that a shorter batch ends before ---------------------- */

/* Counts the frames of each class, and their ranks. */
static void count(struct apart *a, const uint32_t *class_of, uint64_t frames)
{
    uint64_t before = 0;

    memset(a->count, 0, a->n * sizeof *a->count);
    for (uint64_t f = 0; f < frames; f++)
        a->rank[f] = (uint32_t)a->count[class_of[f]]++;
    for (uint32_t c = 0; c < a->n; before += a->count[c++]) {
        a->first_info[c] = before;
        for (uint64_t f = 0; f < a->count[c]; f++)
            a->sorted_class[before + f] = c;
    }
    a->frames = frames;
}

static void place_port(struct apart *a, unsigned p)
{
    uint64_t *first = a->table[p].host, *stride = first + a->n, *bytes = stride + a->n, at = 0;

    for (uint32_t c = 0; c < a->n; c++) {
        at = rounded(at, ALIGNED);
        first[c] = at;
        bytes[c] = bytes_of(a, p, c);
        stride[c] = rounded(bytes[c], a->align);
        for (uint64_t f = 0; f < a->count[c]; f++, at += stride[c])
            a->offset[p][a->first_info[c] + f] = at;
    }
    a->offset[p][a->frames] = at;
}

static cudaError_t put(const struct apart *a, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, (cudaStream_t)a->stream);
}

static cudaError_t put_places(const struct apart *a, const struct apart_call *k)
{
    cudaError_t status = put(a, a->first_info_there, a->first_info, a->n * sizeof *a->first_info);

    if (status == cudaSuccess)
        status = put(a, a->class_of_there, k->view[0]->frame_class, a->frames * sizeof(uint32_t));
    if (status == cudaSuccess)
        status = put(a, a->rank_there, a->rank, a->frames * sizeof *a->rank);
    for (unsigned p = 0; p < a->n_ports && status == cudaSuccess; p++) {
        if (!k->view[p])
            continue;
        status = put(a, a->table[p].device, a->table[p].host, 3 * a->n * sizeof(uint64_t));
        if (status == cudaSuccess)
            status = put(a, a->mixed_offset[p], k->view[p]->offset, a->frames * sizeof(uint64_t));
    }
    return status;
}

/* Copies from memory that is not pinned have read all of it when they return. */
static int learn(struct apart *a, const struct apart_call *k, struct fecrun_error *err)
{
    const uint64_t frames = k->view[0]->frames;

    if (frames == a->frames && k->call->stream == a->stream)
        return 0;
    count(a, k->view[0]->frame_class, frames);
    a->stream = k->call->stream;
    for (unsigned p = 0; p < a->n_ports; p++)
        if (k->view[p])
            place_port(a, p);
    if (!fecrun_cuda_check(err, "copying the frames' places", put_places(a, k)))
        return 0;
    a->frames = 0;
    return -1;
}

/* ---- Calls -------------------------------------------------------------------------------------- */

static int copy(const struct apart *a, const struct apart_call *k, bool back,
                struct fecrun_error *err)
{
    struct apart_args args = {.frames = a->frames,
                              .class_of = a->class_of_there,
                              .rank = a->rank_there,
                              .mixed_info = k->call->info,
                              .info = k->info,
                              .first_info = a->first_info_there};

    for (unsigned p = back ? a->n_in : 0; p < (back ? a->n_ports : a->n_in); p++)
        if (k->view[p])
            args.port[args.n_ports++] = (struct apart_port){
                .mixed = {.data = k->view[p]->data, .offset = a->mixed_offset[p]},
                .sorted = (uint8_t *)k->sorted[p],
                .first = a->table[p].device,
                .stride = a->table[p].device + a->n,
                .bytes = a->table[p].device + 2 * a->n};
    return fecrun_cuda_check(err, "sorting frames by their sizes",
                             a->copy(&args, back, k->call->stream));
}

int apart_begin(struct apart *a, const struct fecrun_call *call,
                const struct fecrun_view *const in[], struct fecrun_view *const out[],
                struct apart_call *k, struct fecrun_error *err)
{
    *k = (struct apart_call){.call = call};
    for (unsigned p = 0; p < a->n_ports; p++)
        k->view[p] = p < a->n_in ? in[p] : out[p - a->n_in];
    if (fecrun_cuda_use(a->device, err) || learn(a, k, err))
        return -1;
    carve_scratch(a, k);
    return copy(a, k, false, err);
}

int apart_end(const struct apart *a, const struct apart_call *k, struct fecrun_error *err)
{
    return copy(a, k, true, err);
}

struct fecrun_view apart_view(const struct apart *a, const struct apart_call *k, unsigned port)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = k->sorted[port],
                                .type = a->type[port],
                                .frames = a->frames,
                                .offset = a->offset[port],
                                .frame_class = a->sorted_class,
                                .class_items = a->items + (size_t)port * a->n};
}

struct fecrun_view apart_class(const struct apart *a, const struct apart_call *k, unsigned port,
                               uint32_t c)
{
    const uint64_t *first = a->table[port].host;

    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = k->sorted[port] + first[c],
                                .type = a->type[port],
                                .frames = a->count[c],
                                .items = a->items[port * a->n + c],
                                .stride = first[a->n + c]};
}

#endif
