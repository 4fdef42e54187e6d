/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ports carry LLRs, of what bits; takes samples of them and has them measured and judged. */
#include "tools/fecrun/doctor/doctor.h"

#include "core/batch/line.h"
#include "core/plan/share.h"
#include "tools/fecrun/frames/twin.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LLRS_WANTED 400000 /* of each port, and */
#define FRAMES_WANTED 32   /* frames, so that places without a bit of their own show; but */
#define LLRS_MOST 8000000  /* no more */

/* ---- Ports ---- */

static const struct fecrun_frame *frame_of(const struct plan *plan, int stage, int port)
{
    return &plan->stages[stage].out[port];
}

static bool same_items(const struct fecrun_frame *a, const struct fecrun_frame *b)
{
    return a->items == b->items && a->pieces == b->pieces;
}

static int port_at(const struct doctor *doctor, struct graph_link link)
{
    for (size_t i = 0; i < doctor->n; i++)
        if ((int)doctor->ports[i].stage == link.stage && (int)doctor->ports[i].port == link.port)
            return (int)i;
    return -1;
}

static void set_sent(struct doctor_port *port, const struct plan *plan, struct graph_link link)
{
    if (link.stage < 0 || !same_items(frame_of(plan, link.stage, link.port), &port->frame) ||
        frame_of(plan, link.stage, link.port)->kind != FECRUN_KIND_BITS)
        return;
    port->sent_stage = link.stage;
    port->sent_port = link.port;
}

/* The bits that a stage gives back are those that went into the one that it undoes; a channel of bits
   has them at its input; and what leaves the order of LLRs alone has those of its input. */
static void find_sent(struct doctor *doctor, struct doctor_port *port, const struct plan *plan)
{
    const struct graph_stage *stage = &plan->graph->stages[port->stage];
    const int undone = share_undone(plan->graph, port->stage);

    port->sent_stage = port->sent_port = -1;
    if (undone >= 0) {
        set_sent(port, plan, plan->graph->stages[undone].in[0]);
    } else if (stage->n_in && stage->in[0].stage >= 0) {
        set_sent(port, plan, stage->in[0]);
        if (port->before >= 0 && same_items(&doctor->ports[port->before].frame, &port->frame)) {
            port->sent_stage = doctor->ports[port->before].sent_stage;
            port->sent_port = doctor->ports[port->before].sent_port;
        }
    }
}

/* What the channel's own noise allows, whatever the demapper was told of it. */
static void find_channel(const struct doctor *doctor, struct doctor_port *port,
                         const struct plan *plan)
{
    const struct fecrun_frame *in = plan_input(plan, port->stage, 0);

    port->esn0_db = port->allowed = NAN;
    memcpy(port->scheme, port->frame.scheme, sizeof port->scheme);
    if (port->before >= 0) {
        memcpy(port->scheme, doctor->ports[port->before].scheme, sizeof port->scheme);
        port->esn0_db = doctor->ports[port->before].esn0_db;
        if (same_items(&doctor->ports[port->before].frame, &port->frame))
            port->allowed = doctor->ports[port->before].allowed;
    } else if (in && in->kind == FECRUN_KIND_SYMBOLS && in->n0 > 0 &&
               doctor_dimension_bits(port->scheme)) {
        port->esn0_db = -10 * log10(in->n0);
        port->allowed = doctor_capacity(port->scheme, port->esn0_db);
    }
}

static void find_quantiser(struct doctor_port *port, const struct plan *plan)
{
    const struct graph_stage *stage = &plan->graph->stages[port->stage];
    const struct fecrun_values *values = param_values(plan->stages[port->stage].params);
    const struct fecrun_value *scale;

    port->quantiser = !strcmp(stage->decl->name, "llr.quantize");
    if (!port->quantiser)
        return;
    scale = fecrun_named(stage->stage->params, values, "scale");
    port->set_scale = scale->f;
    if (scale->is_auto) /* needs a known unit in front of it */
        port->set_scale = port->frame.llr_scale / plan_input(plan, port->stage, 0)->llr_scale;
}

static int add_port(struct doctor *doctor, const struct plan *plan, size_t s, unsigned p,
                    struct diag *diag)
{
    struct doctor_port *more = realloc(doctor->ports, (doctor->n + 1) * sizeof *more), *port;
    const struct graph_stage *stage = &plan->graph->stages[s];

    if (!more)
        return diag_no_memory(diag);
    doctor->ports = more;
    port = &more[doctor->n];
    *port = (struct doctor_port){.stage = s, .port = p, .frame = plan->stages[s].out[p]};
    port->before = stage->n_in ? port_at(doctor, stage->in[0]) : -1;
    find_sent(doctor, port, plan);
    find_channel(doctor, port, plan);
    find_quantiser(port, plan);
    doctor->n++;
    return 0;
}

static int find_ports(struct doctor *doctor, const struct plan *plan, struct diag *diag)
{
    for (size_t s = 0; s < plan->graph->n; s++)
        for (unsigned p = 0; p < plan->graph->stages[s].n_out; p++)
            if (plan->stages[s].out[p].kind == FECRUN_KIND_LLR &&
                graph_output_read(plan->graph, s, p) && add_port(doctor, plan, s, p, diag))
                return -1;
    if (!doctor->n)
        return diag_fail(diag, DIAG_USAGE, "--doctor: no stage of this file puts out LLRs");
    return 0;
}

/* ---- Samples ---- */

static int grow(struct doctor_port *port, size_t wanted, struct diag *diag)
{
    size_t room = port->room ? port->room : 4096;
    float *llr;
    uint8_t *bit;

    if (wanted <= port->room)
        return 0;
    while (room < wanted)
        room *= 2;
    if (!(llr = realloc(port->llr, room * sizeof *llr)))
        return diag_no_memory(diag);
    port->llr = llr;
    if (!(bit = realloc(port->bit, room)))
        return diag_no_memory(diag);
    port->bit = bit;
    port->room = room;
    return 0;
}

static void unpack(const struct line_port *from, uint32_t type, size_t size, char *to)
{
    const uint64_t items = from->frame->items;

    for (uint64_t p = 0; p < from->pieces; p++)
        fecrun_convert(from->type, type, from->data + p * from->stride, to + p * items * size,
                       items);
}

static size_t items_of(const struct doctor_port *port)
{
    return (size_t)(port->frame.items * port->frame.pieces);
}

static int take_frame(const struct line *line, struct doctor_port *port, uint64_t frame,
                      struct diag *diag)
{
    const size_t items = items_of(port), at = (size_t)port->frames * items;
    struct line_port llrs, bits;

    if (at + items > LLRS_MOST && port->frames)
        return 0;
    if (!line_port(line, port->stage, port->port, frame, &llrs) || !llrs.on_host)
        return 0;
    if (port->sent_stage >= 0 &&
        (!line_port(line, (size_t)port->sent_stage, (unsigned)port->sent_port, frame, &bits) ||
         !bits.on_host))
        port->sent_stage = -1;
    if (grow(port, at + items, diag))
        return -1;
    unpack(&llrs, FECRUN_F32, sizeof *port->llr, (char *)(port->llr + at));
    if (port->sent_stage >= 0)
        unpack(&bits, FECRUN_U8, 1, (char *)port->bit + at);
    port->frames++;
    return 0;
}

/* Of a batch with rows of `blocks:` those of the first row; *ended: a source has no more. */
static int take_batch(struct doctor *doctor, struct line *line, const struct shape *shape,
                      bool *ended, struct diag *diag)
{
    uint64_t frames;

    if (line_run(line, 0, doctor->ports[doctor->n - 1].stage, diag) || line_wait(line, diag))
        return -1;
    frames = line_frames(line);
    *ended = frames < shape->frames;
    frames = frames < shape->rows[0].count ? frames : shape->rows[0].count;
    doctor->frames += frames;
    for (uint64_t f = 0; f < frames; f++)
        for (size_t i = 0; i < doctor->n; i++)
            if (take_frame(line, &doctor->ports[i], f, diag))
                return -1;
    return 0;
}

static bool enough(const struct doctor *doctor)
{
    for (size_t i = 0; i < doctor->n; i++)
        if (doctor->ports[i].frames &&
            doctor->ports[i].frames * items_of(&doctor->ports[i]) < LLRS_WANTED)
            return false;
    return doctor->frames >= FRAMES_WANTED;
}

/* ---- All of it ---- */

static int measure(struct doctor_port *port, struct diag *diag)
{
    const struct fecrun_frame *frame = &port->frame;
    const bool symbols = frame->bits_per_symbol > 1 && frame->items == frame->channel_bits;
    struct doctor_samples samples = {.llr = port->llr,
                                     .bit = port->sent_stage >= 0 ? port->bit : NULL,
                                     .frames = (size_t)port->frames,
                                     .items = items_of(port),
                                     .scale = frame->llr_scale,
                                     .limit = frame->llr_max,
                                     .type = frame->type,
                                     .period = symbols ? frame->bits_per_symbol : 1};

    return doctor_measure(&samples, &port->numbers, &port->levels, diag);
}

/* Few frames at a time: they are looked at one by one anyway. */
static uint64_t batch_of(const struct doctor *doctor)
{
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < doctor->n; i++)
        least = items_of(&doctor->ports[i]) < least ? items_of(&doctor->ports[i]) : least;
    return least < 65536 ? 65536 / least : 1;
}

/* Streams are cut into their pieces, whose neighbours no stage sees. What is written is dropped. */
static int take_batches(struct doctor *doctor, const struct session_plan *plan,
                        const volatile int *cancel, struct diag *diag)
{
    const struct shape *shape = &plan->shape;
    struct line line;
    bool ended = false;
    int status = 0;

    if (line_open(&line, plan->negotiation, shape, true, diag))
        return -1;
    for (uint64_t first = 0;
         !status && !ended && !enough(doctor) && !(cancel && fecrun_cancelled(cancel));
         first += shape->frames) {
        line_begin(&line, first, shape->frames);
        status = take_batch(doctor, &line, shape, &ended, diag);
    }
    line_close(&line);
    return status;
}

static int collect(struct doctor *doctor, const struct session *session, size_t point,
                   const volatile int *cancel, struct diag *diag)
{
    struct session_plan plan;
    int status;

    if (session_plan(session, point, &plan, diag))
        return -1;
    status = find_ports(doctor, plan.plan, diag);
    if (!status) {
        shape_set_frames(&plan.shape, batch_of(doctor));
        status = take_batches(doctor, &plan, cancel, diag);
    }
    session_plan_free(&plan);
    if (!status && !doctor->frames)
        return diag_fail(diag, DIAG_RUN, "--doctor: there is no whole frame to look at");
    return status;
}

int doctor_run(struct doctor *doctor, const struct session *session, size_t point,
               const volatile int *cancel, struct diag *diag)
{
    struct session_twin twin;
    int status;

    *doctor = (struct doctor){.graph = session->graph};
    if (session_twin_open(&twin, session, diag))
        return -1;
    status = collect(doctor, &twin.session, point, cancel, diag);
    session_twin_close(&twin);
    for (size_t i = 0; !status && i < doctor->n; i++) {
        status = measure(&doctor->ports[i], diag);
        if (!status)
            status = doctor_judge(doctor, i, diag);
    }
    if (status)
        doctor_free(doctor);
    return status;
}

void doctor_free(struct doctor *doctor)
{
    for (size_t i = 0; i < doctor->n; i++) {
        free(doctor->ports[i].llr);
        free(doctor->ports[i].bit);
        doctor_levels_free(&doctor->ports[i].levels);
    }
    free(doctor->ports);
    *doctor = (struct doctor){0};
}
