/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/code/tiles_device.h"

static size_t tile_steps(const struct viterbi_spec *spec)
{
    const size_t T = viterbi_frame_steps(spec);
    return spec->f == 0 ? T : viterbi_min(spec->f, T);
}

const char *viterbi_spec_problem(const struct viterbi_spec *spec)
{
    const size_t limit = (size_t)1 << 40; /* so that no sum of lengths can overflow */
    const char *problem = viterbi_code_problem(&spec->code);

    if (problem)
        return problem;
    if (spec->info_bits == 0 || spec->info_bits > limit)
        return "a frame needs at least one information bit";
    if (spec->f > limit || spec->v1 > limit || spec->v2 > limit || spec->f0 > limit)
        return "a tile length is out of range";
    if (spec->f0 > 0 && spec->start == VITERBI_BEST && !viterbi_wraps_around(spec))
        return "sub-frames start from a stored best state or from any state";
    if (viterbi_wraps_around(spec) && (spec->wrap_limit < 1 || spec->wrap_limit > UINT16_MAX))
        return "wrap-around decoding needs 1 to 65535 passes";
    if (!spec->is_float && (spec->llr_max < 1 || spec->llr_max > 127))
        return "the largest LLR must be 1 to 127";
    return NULL;
}

size_t viterbi_frame_steps(const struct viterbi_spec *spec)
{
    return spec->info_bits + (spec->termination == VITERBI_ZERO ? spec->code.K - 1 : 0);
}

/* Tiles that lie in the tail of a frame alone give no output. */
size_t viterbi_frame_tiles(const struct viterbi_spec *spec)
{
    return (spec->info_bits - 1) / tile_steps(spec) + 1;
}

size_t viterbi_tile_max_steps(const struct viterbi_spec *spec)
{
    const size_t T = viterbi_frame_steps(spec);
    const size_t steps = spec->v1 + tile_steps(spec) + spec->v2;

    if (viterbi_wraps_around(spec))
        return 2 * T; /* this pass and the one before it */
    if (spec->termination == VITERBI_ZERO || spec->termination == VITERBI_TRUNCATED)
        return viterbi_min(steps, T);
    return steps;
}

bool viterbi_wraps_around(const struct viterbi_spec *spec)
{
    return spec->termination == VITERBI_TAIL_BITING && spec->f == 0;
}

void viterbi_tile_at(const struct viterbi_spec *spec, const struct viterbi_input *input,
                     size_t frame, size_t index, struct viterbi_tile *tile)
{
    const size_t T = viterbi_frame_steps(spec), f = tile_steps(spec);
    const size_t a = index * f, b = viterbi_min(a + f, T);
    const bool whole = spec->f == 0 && spec->termination != VITERBI_CONTINUOUS;
    size_t lead = whole ? a : spec->v1, tail = whole ? T - b : spec->v2;
    size_t before, after;

    tile->from_zero = tile->to_zero = false;
    switch (spec->termination) {
    case VITERBI_ZERO:
    case VITERBI_TRUNCATED:
        lead = viterbi_min(lead, a);
        tail = viterbi_min(tail, T - b);
        tile->from_zero = lead == a;
        tile->to_zero = spec->termination == VITERBI_ZERO && tail == T - b;
        break;
    case VITERBI_CONTINUOUS:
        before = input->before + frame * T + a;
        after = input->after + (input->frames - 1 - frame) * T + (T - b);
        lead = viterbi_min(lead, before);
        tail = viterbi_min(tail, after);
        tile->from_zero = input->at_start && lead == before;
        break;
    case VITERBI_TAIL_BITING:
        break;
    }
    tile->at = a;
    tile->lead = lead;
    tile->count = b - a;
    tile->bits = viterbi_min(b, spec->info_bits) - a;
    tile->steps = lead + tile->count + tail;
}

bool viterbi_tile_trace(const struct viterbi_spec *spec, const struct viterbi_tile *tile, size_t k,
                        struct viterbi_trace *trace)
{
    return viterbi_trace_at(spec->f0, spec->v2, tile, k, trace);
}

size_t viterbi_tile_max_traces(const struct viterbi_spec *spec)
{
    return spec->f0 == 0 ? 1 : (tile_steps(spec) - 1) / spec->f0 + 1;
}

static bool same_geometry(const struct viterbi_tile *a, const struct viterbi_tile *b)
{
    return a->lead == b->lead && a->steps == b->steps && a->count == b->count &&
           a->bits == b->bits && a->from_zero == b->from_zero && a->to_zero == b->to_zero;
}

static bool clipped_before(const struct viterbi_groups *g, size_t index)
{
    const size_t row = viterbi_frame_tiles(g->spec);
    struct viterbi_tile tile;

    viterbi_tile_at(g->spec, g->input, index / row, index % row, &tile);
    return tile.lead < g->spec->v1 || tile.from_zero;
}

static bool clipped_after(const struct viterbi_groups *g, size_t index)
{
    const size_t row = viterbi_frame_tiles(g->spec);
    struct viterbi_tile tile;

    viterbi_tile_at(g->spec, g->input, index / row, index % row, &tile);
    return tile.steps < tile.lead + tile.count + g->spec->v2;
}

void viterbi_groups_begin(struct viterbi_groups *groups, const struct viterbi_spec *spec,
                          const struct viterbi_input *input)
{
    groups->spec = spec;
    groups->input = input;
    groups->phase = 0;
    groups->next = 0;
    groups->inner = 0;
    groups->outer = input->frames * viterbi_frame_tiles(spec);
    if (spec->termination != VITERBI_CONTINUOUS)
        return;
    while (groups->inner < groups->outer && clipped_before(groups, groups->inner))
        groups->inner++;
    while (groups->outer > groups->inner && clipped_after(groups, groups->outer - 1))
        groups->outer--;
}

static void group_of_one(struct viterbi_group *group, size_t frame, size_t index)
{
    group->first = index;
    group->row = 1;
    group->skip = frame;
    group->items = 1;
}

/*
 * Stream: tiles near its ends are clipped, each in its own way; between them there are tiles of f
 * steps, and the last ones of the frames, which may be shorter.
 */
static bool next_of_stream(struct viterbi_groups *g, struct viterbi_group *group)
{
    const size_t row = viterbi_frame_tiles(g->spec), all = g->input->frames * row;
    const size_t full = viterbi_frame_steps(g->spec) / tile_steps(g->spec);

    do {
        const size_t end = g->phase == 0 ? g->inner : all;
        group->items = 0;
        if ((g->phase == 0 || g->phase == 3) && g->next < end) {
            group_of_one(group, g->next / row, g->next % row);
            g->next++;
            break;
        }
        if (g->phase == 1) {
            group->first = 0;
            group->row = full;
            group->skip = g->inner / row * full + viterbi_min(g->inner % row, full);
            group->items = g->outer / row * full + viterbi_min(g->outer % row, full) - group->skip;
        } else if (g->phase == 2) {
            group_of_one(group, g->inner / row, row - 1);
            group->items = full < row ? g->outer / row - g->inner / row : 0;
            g->next = g->outer;
        }
        g->phase++;
    } while (group->items == 0 && g->phase <= 3);
    if (group->items == 0)
        return false;
    viterbi_tile_at(g->spec, g->input, group->skip / group->row,
                    group->first + group->skip % group->row, &group->tile);
    return true;
}

/* Else all frames are alike: a run of equal tiles in one of them is a group of all. */
static bool next_of_frames(struct viterbi_groups *g, struct viterbi_group *group)
{
    const size_t row = viterbi_frame_tiles(g->spec);
    struct viterbi_tile tile;

    if (g->next >= row || g->input->frames == 0)
        return false;
    viterbi_tile_at(g->spec, g->input, 0, g->next, &group->tile);
    group->first = g->next;
    group->row = 0;
    do {
        group->row++;
        if (++g->next == row)
            break;
        viterbi_tile_at(g->spec, g->input, 0, g->next, &tile);
    } while (same_geometry(&group->tile, &tile));
    group->skip = 0;
    group->items = group->row * g->input->frames;
    return true;
}

bool viterbi_groups_next(struct viterbi_groups *groups, struct viterbi_group *group)
{
    return groups->spec->termination == VITERBI_CONTINUOUS ? next_of_stream(groups, group)
                                                           : next_of_frames(groups, group);
}
