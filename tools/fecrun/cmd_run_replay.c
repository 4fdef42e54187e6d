/* SPDX-License-Identifier: BSD-2-Clause */
/* run --replay: one frame alone, on the terminal or as .npy files. */
#include "tools/fecrun/cmd_run.h"

#include "core/session/replay.h"

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

/* Where the items of a port go, unpacked: one item an element. */
struct array {
    uint32_t type;
    uint64_t n;
    char *data;
};

static int unpack(struct array *array, const struct replay_port *port, struct diag *diag)
{
    const uint64_t items = port->frame->items;
    size_t size;

    array->type = port->type == FECRUN_PACKED ? FECRUN_U8
                  : port->type == FECRUN_I4   ? FECRUN_I8
                                              : port->type;
    array->n = items * port->pieces;
    size = fecrun_type_bits(array->type) / 8;
    array->data = malloc(array->n * size + 1);
    if (!array->data)
        return diag_no_memory(diag);
    for (uint64_t p = 0; p < port->pieces; p++)
        fecrun_convert(port->type, array->type, (const char *)port->data + p * port->stride,
                       array->data + p * items * size, items);
    return 0;
}

/* ---- .npy ---- */

static const char *descr_of(uint32_t type)
{
    switch (type) {
    case FECRUN_U8:
        return "|u1";
    case FECRUN_I8:
        return "|i1";
    case FECRUN_I16:
        return "<i2";
    case FECRUN_F16:
        return "<f2";
    case FECRUN_F32:
        return "<f4";
    default:
        return "<c8";
    }
}

/* Version 1.0: magic, version, length of the text, which ends with a newline at a multiple of 64. */
static int write_npy(const char *path, const struct array *array, uint64_t pieces,
                     struct diag *diag)
{
    char head[128] = "\x93NUMPY\x01", text[118];
    FILE *file = fopen(path, "wb");
    const size_t bytes = (size_t)(array->n * fecrun_type_bits(array->type) / 8);
    bool fine;

    if (!file)
        return diag_fail(diag, diag_of_open(errno), "--dump: cannot write %s: %s", path,
                         strerror(errno));
    snprintf(text, sizeof text,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64 "), }",
             descr_of(array->type), pieces, array->n / pieces);
    head[8] = sizeof head - 10;
    snprintf(head + 10, sizeof head - 10, "%-117.117s", text);
    head[sizeof head - 1] = '\n';
    fine = fwrite(head, 1, sizeof head, file) == sizeof head &&
           fwrite(array->data, 1, bytes, file) == bytes;
    if (fclose(file) || !fine)
        return diag_fail(diag, DIAG_RUN, "--dump: cannot write %s: %s", path, strerror(errno));
    return 0;
}

/* ---- The terminal ---- */

static void print_item(FILE *out, const struct array *array, uint64_t i)
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

static void print_port(FILE *out, const struct replay_port *port, const struct array *array,
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

static int on_port(void *data, const struct replay_port *port, struct diag *diag)
{
    const struct replaying *replaying = data;
    struct array array = {0};
    char path[1024];
    int status = unpack(&array, port, diag);

    if (!status && replaying->dir) {
        if (snprintf(path, sizeof path, "%s/%s.%s.npy", replaying->dir, port->stage, port->port) >=
            (int)sizeof path)
            status = diag_fail(diag, DIAG_USAGE, "--dump: the name is too long: %s", path);
        else
            status = write_npy(path, &array, port->pieces, diag);
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
        return diag_fail(diag, DIAG_USAGE, "--replay: has no --csv, but --json and --dump");
    if (parse(cli->replay, &options, diag))
        return -1;
    if (cli->dump && mkdir(cli->dump, 0777) && errno != EEXIST)
        return diag_fail(diag, DIAG_USAGE, "--dump %s: cannot make the directory: %s", cli->dump,
                         strerror(errno));
    if (replay_run(session, &options, &counts, diag))
        return -1;
    cli_warn(session);
    if (replaying.out)
        print_end(replaying.out, &counts);
    line = cli->result.json ? line_of(&options, &counts) : NULL;
    status = line ? cli_write_json(cli, line, diag) : 0;
    json_decref(line);
    return status;
}
