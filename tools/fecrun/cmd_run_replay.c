/* SPDX-License-Identifier: BSD-2-Clause */
/* run --replay: prints one frame, or writes it as .npy files. */
#include "tools/fecrun/cmd_run.h"

#include "tools/fecrun/frames/replay.h"
#include "tools/fecrun/npy.h"

#include <errno.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FRAMES_MOST ((uint64_t)1 << 48) /* of a point: what the RNG counts */
#define SHOWN 16                        /* items on the terminal */

/* ---- The terminal ---- */

static void print_item(FILE *out, const struct npy_array *array, uint64_t i)
{
    const float *f = (const void *)array->data;

    switch (array->type) {
    case FECRUN_U8:
        fprintf(out, "%u", (unsigned)array->data[i]);
        break;
    case FECRUN_I8:
        fprintf(out, " %d", (int)(signed char)array->data[i]);
        break;
    case FECRUN_I16:
        fprintf(out, " %d", (int)((const int16_t *)(const void *)array->data)[i]);
        break;
    case FECRUN_F16: {
        const uint32_t bits = fecrun_half_widen(((const uint16_t *)(const void *)array->data)[i]);
        float value;
        memcpy(&value, &bits, sizeof value);
        fprintf(out, " %.4g", (double)value);
        break;
    }
    case FECRUN_F32:
        fprintf(out, " %.4g", (double)f[i]);
        break;
    default:
        fprintf(out, " %.3g%+.3gi", (double)f[2 * i], (double)f[2 * i + 1]);
    }
}

static void print_port(FILE *out, const struct line_port *port, const struct npy_array *array,
                       const char *path)
{
    const bool bits = array->type == FECRUN_U8;
    const uint64_t most = bits ? (uint64_t)4 * SHOWN : array->type == FECRUN_C8 ? SHOWN / 2 : SHOWN;

    fprintf(out, "%s.%s: ", port->stage, port->port);
    if (port->pieces > 1)
        fprintf(out, "%" PRIu64 " x ", port->pieces);
    fprintf(out, "%" PRIu64 " %s, %s, of %s", port->frame->items, plan_kind_name(port->frame->kind),
            fecrun_type_name(port->type), port->backend);
    if (path) {
        fprintf(out, " -> %s%s\n", path,
                array->type != port->type ? array->type == FECRUN_U8 ? " (u1)" : " (i1)" : "");
        return;
    }
    fputs(bits ? "\n    " : "\n   ", out);
    for (uint64_t i = 0; i < array->n && i < most; i++)
        print_item(out, array, i);
    fputs(array->n > most ? " ...\n" : "\n", out);
}

/* ---- The verb ---- */

struct replaying {
    const char *dir; /* NULL: the terminal */
    FILE *out;       /* NULL: quiet */
};

static int on_port(void *data, const struct line_port *port, struct diag *diag)
{
    const struct replaying *replaying = data;
    struct npy_array array = {0};
    char path[1024];
    int status = npy_append(&array, port, diag);

    if (!status && replaying->dir) {
        if (snprintf(path, sizeof path, "%s/%s.%s.npy", replaying->dir, port->stage, port->port) >=
            (int)sizeof path)
            status = diag_fail(diag, DIAG_USAGE, "--dump: the name is too long: %s", path);
        else
            status = npy_write(path, &array, port->pieces, diag);
    }
    if (!status && replaying->out)
        print_port(replaying->out, port, &array, replaying->dir ? path : NULL);
    free(array.data);
    return status;
}

static int parse(const char *text, struct replay_options *options, struct diag *diag)
{
    char *colon, *end = NULL;
    const unsigned long long point = strtoull(text, &colon, 10);
    unsigned long long frame = 0;

    if (*colon == ':')
        frame = strtoull(colon + 1, &end, 10);
    if (colon == text || !end || end == colon + 1 || *end || strchr(text, '-') ||
        frame >= FRAMES_MOST)
        return diag_fail(diag, DIAG_USAGE,
                         "--replay %s: must be POINT:FRAME, numbers that count from 0", text);
    options->point = (size_t)point;
    options->frame = frame;
    return 0;
}

static json_t *line_of(const struct replay_options *options, const struct run_counts *counts)
{
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:I}", "type", "replay", "point",
                     (json_int_t)options->point, "frame", (json_int_t)options->frame, "bit_errors",
                     counts->counted ? json_integer((json_int_t)counts->bit_errors) : json_null(),
                     "failed", counts->checked ? json_boolean(counts->failed != 0) : json_null(),
                     "iterations", (json_int_t)counts->iterations);
}

static void print_end(FILE *out, const struct run_counts *counts)
{
    if (counts->counted)
        fprintf(out, "%" PRIu64 " of %" PRIu64 " bits wrong", counts->bit_errors, counts->bits);
    else
        fputs("nobody counts its errors", out);
    if (counts->checked)
        fputs(counts->failed ? "; a check failed" : "; all checks hold", out);
    if (counts->iterations)
        fprintf(out, "; %" PRIu64 " iterations", counts->iterations);
    putc('\n', out);
}

int run_replay(const struct cli *cli, struct session *session, struct diag *diag)
{
    const bool json_out = cli->result.json && !strcmp(cli->result.json, "-");
    struct replaying replaying = {.dir = cli->dump,
                                  .out = cli->result.quiet ? NULL
                                         : json_out        ? stderr
                                                           : stdout};
    struct replay_options options = {.on_port = on_port, .data = &replaying};
    struct run_counts counts;
    json_t *line;
    int status;

    if (cli->result.csv)
        return diag_fail(diag, DIAG_USAGE,
                         "--replay: does not support --csv; use --json or --dump");
    if (parse(cli->replay, &options, diag) || cli_one_device(session, "--replay", diag))
        return -1;
    if (cli->dump && mkdir(cli->dump, 0777) && errno != EEXIST)
        return diag_fail(diag, diag_of_open(errno), "--dump %s: cannot make the directory: %s",
                         cli->dump, strerror(errno));
    if (replay_run(session, &options, &counts, diag))
        return -1;
    cli_warn(session);
    if (replaying.out)
        print_end(replaying.out, &counts);
    if (!cli->result.json)
        return 0;
    line = line_of(&options, &counts);
    status = line ? cli_write_json(cli, line, diag) : diag_no_memory(diag);
    json_decref(line);
    return status;
}
