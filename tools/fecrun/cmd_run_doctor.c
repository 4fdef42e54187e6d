/* SPDX-License-Identifier: BSD-2-Clause */
/* run --doctor: prints the quality of the LLRs at each port, on the terminal and as JSON. */
#include "tools/fecrun/cmd_run.h"

#include "tools/fecrun/doctor/doctor.h"
#include "tools/fecrun/sync/step.h"

#include <fecrun/sdk/sample.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define WIDTH 78
#define BAR 56 /* the longest bar of a histogram */

/* ---- JSON ---- */

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_histogram(const struct doctor_port *port)
{
    json_t *zeros = json_array(), *ones = json_array(), *object = json_object();

    for (size_t i = 0; i < DOCTOR_BINS; i++) {
        json_array_append_new(zeros, json_integer((json_int_t)port->numbers.histogram[i][0]));
        json_array_append_new(ones, json_integer((json_int_t)port->numbers.histogram[i][1]));
    }
    json_object_set_new(object, "from", json_real(-port->numbers.histogram_end));
    json_object_set_new(object, "to", json_real(port->numbers.histogram_end));
    json_object_set_new(object, port->sent_stage < 0 ? "counts" : "zeros", zeros);
    if (port->sent_stage >= 0)
        json_object_set_new(object, "ones", ones);
    else
        json_decref(ones);
    return object;
}

static json_t *json_verdicts(const struct doctor_port *port)
{
    json_t *list = json_array();

    for (size_t i = 0; i < port->n_verdicts; i++) {
        const struct doctor_verdict *v = &port->verdicts[i];
        json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "what", doctor_what_name(v->what),
                                   "text", v->text, "cost_db", real(v->cost.long_db),
                                   "cost_short_db", real(v->cost.short_db));
        if (v->scale > 0)
            json_object_set_new(object, "quantize",
                                json_pack("{s:s, s:f}", "type", v->type, "scale", v->scale));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *json_port(const struct doctor *doctor, const struct doctor_port *port)
{
    const struct graph_stage *stage = &doctor->graph->stages[port->stage];
    const struct doctor_numbers *n = &port->numbers;
    json_t *object = json_pack("{s:s, s:s, s:s, s:I, s:I}", "stage", stage->decl->id, "port",
                               stage->stage->outputs[port->port]->name, "type",
                               fecrun_type_name(port->frame.type), "frames",
                               (json_int_t)port->frames, "items",
                               (json_int_t)(port->frame.items * port->frame.pieces));

    json_object_set_new(object, "llr_scale", real(port->frame.llr_scale));
    json_object_set_new(object, "llr_max",
                        port->frame.llr_max > 0 ? real(port->frame.llr_max) : json_null());
    json_object_update_new(object,
                           json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "llrs", (json_int_t)n->n,
                                     "punctured", (json_int_t)n->punctured, "known",
                                     (json_int_t)n->known, "zero", (json_int_t)n->zero, "saturated",
                                     (json_int_t)n->limited, "no_number", (json_int_t)n->bad));
    json_object_set_new(object, "mean_size", real(n->mean_size));
    json_object_set_new(object, "signs_right", real(n->right));
    json_object_set_new(object, "slope", real(n->slope));
    json_object_set_new(object, "slope_error", real(n->slope_error));
    json_object_set_new(object, "information", real(n->worth.information));
    json_object_set_new(object, "exponent", real(n->worth.exponent));
    json_object_set_new(object, "information_as_is", real(n->as_is));
    json_object_set_new(object, "information_allowed", real(port->allowed));
    json_object_set_new(object, "histogram", json_histogram(port));
    json_object_set_new(object, "verdicts", json_verdicts(port));
    return object;
}

static json_t *json_doctor(const struct doctor *doctor)
{
    json_t *ports = json_array();

    for (size_t i = 0; i < doctor->n; i++)
        json_array_append_new(ports, json_port(doctor, &doctor->ports[i]));
    return json_pack("{s:s, s:I, s:o}", "type", "doctor", "frames", (json_int_t)doctor->frames,
                     "ports", ports);
}

/* ---- Text ---- */

/* Words, at most WIDTH columns, indented. */
static void print_words(FILE *out, const char *first, const char *text)
{
    size_t column = strlen(first);

    fputs(first, out);
    while (*text) {
        const size_t n = strcspn(text, " ");

        if (column + n + 1 > WIDTH) {
            fputs("\n   ", out);
            column = 3;
        }
        fprintf(out, " %.*s", (int)n, text);
        column += n + 1;
        text += n + (text[n] == ' ');
    }
    putc('\n', out);
}

static uint64_t bin_total(const struct doctor_numbers *numbers, size_t i)
{
    return numbers->histogram[i][0] + numbers->histogram[i][1];
}

/* Bars of the bits that were sent: 0s and 1s in their shares. */
static void print_histogram(FILE *out, const struct doctor_port *port)
{
    const struct doctor_numbers *numbers = &port->numbers;
    const double width = 2 * numbers->histogram_end / DOCTOR_BINS;
    uint64_t most = 1;

    for (size_t i = 0; i < DOCTOR_BINS; i++)
        most = bin_total(numbers, i) > most ? bin_total(numbers, i) : most;
    for (size_t i = 0; i < DOCTOR_BINS; i++) {
        const double part = BAR / (double)most;
        const int all = (int)(part * (double)bin_total(numbers, i) + 0.5);
        const int zeros = (int)(part * (double)numbers->histogram[i][0] + 0.5);

        fprintf(out, "  %9.4g |", ((double)i - DOCTOR_BINS / 2) * width);
        for (int k = 0; k < all; k++)
            putc(port->sent_stage < 0 ? '#' : k < zeros ? '0' : '1', out);
        fputs(all == 0 && bin_total(numbers, i) ? ".\n" : "\n", out);
    }
}

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

static void print_shares(FILE *out, const struct doctor_port *port)
{
    const struct doctor_numbers *n = &port->numbers;

    fprintf(out, "  mean |LLR| %.3g, %.3g %% are 0", n->mean_size, percent(n->zero, n->n));
    if (port->frame.llr_max > 0)
        fprintf(out, ", %.3g %% at the limit of %g", percent(n->limited, n->n),
                port->frame.llr_max);
    if (n->punctured)
        fprintf(out, "; %.3g %% punctured", percent(n->punctured, n->n + n->punctured + n->known));
    if (n->known)
        fprintf(out, "; %.3g %% known", percent(n->known, n->n + n->punctured + n->known));
    putc('\n', out);
}

static void print_worth(FILE *out, const struct doctor_port *port)
{
    const struct doctor_numbers *n = &port->numbers;

    if (port->sent_stage < 0) {
        fputs("  of what bits is unknown here: no word on signs, scale and information\n", out);
        return;
    }
    fprintf(out, "  signs right %.4g %%, ", 100 * n->right);
    if (isnan(n->slope))
        fputs("no scale can be told of them\n", out);
    else
        fprintf(out, "slope of ln P(0)/P(1) %.3g +- %.1g (1: as it should be)\n", n->slope,
                2 * n->slope_error);
    fprintf(out, "  information %.4f bit an LLR", n->worth.information);
    if (!isnan(port->allowed))
        fprintf(out, ", the channel allows %.4f", port->allowed);
    putc('\n', out);
    if (port->scheme[0] && !doctor_dimension_bits(port->scheme))
        fprintf(out,
                "  what the channel allows is not known for %s: no word on the demapper's loss\n",
                port->scheme);
}

static void print_port(FILE *out, const struct doctor *doctor, const struct doctor_port *port)
{
    const struct graph_stage *stage = &doctor->graph->stages[port->stage];

    fprintf(out, "%s.%s: %" PRIu64 " frames of ", stage->decl->id,
            stage->stage->outputs[port->port]->name, port->frames);
    if (port->frame.pieces > 1)
        fprintf(out, "%" PRIu32 " x ", port->frame.pieces);
    fprintf(out, "%" PRIu64 " LLRs, %s", port->frame.items, fecrun_type_name(port->frame.type));
    if (port->frame.llr_scale > 0)
        fprintf(out, ", scale %g", port->frame.llr_scale);
    putc('\n', out);
    print_histogram(out, port);
    print_shares(out, port);
    print_worth(out, port);
    for (size_t i = 0; i < port->n_verdicts; i++)
        print_words(out, "  !", port->verdicts[i].text);
    putc('\n', out);
}

static size_t count_verdicts(const struct doctor *doctor)
{
    size_t n = 0;

    for (size_t i = 0; i < doctor->n; i++)
        n += doctor->ports[i].n_verdicts;
    return n;
}

/* step: what a decoder says of a recording, or empty */
static void print_doctor(FILE *out, const struct doctor *doctor, const char *step)
{
    const size_t n = count_verdicts(doctor) + (step[0] != 0);

    for (size_t i = 0; i < doctor->n; i++)
        print_port(out, doctor, &doctor->ports[i]);
    if (step[0])
        print_words(out, "  !", step);
    if (n)
        fprintf(out, "%zu %s, marked !\n", n, n == 1 ? "complaint" : "complaints");
    else
        fputs("no complaints\n", out);
}

int run_doctor(const struct cli *cli, struct session *session, const volatile int *cancel,
               struct diag *diag)
{
    const bool json_out = cli->result.json && !strcmp(cli->result.json, "-");
    struct doctor doctor;
    char step[256];
    json_t *object;
    int status = 0;

    if (cli->result.csv)
        return diag_fail(diag, DIAG_USAGE, "--doctor: does not support --csv; use --json");
    if (cli_one_device(session, "--doctor", diag) || session_check(session, NULL, cancel, diag) ||
        doctor_run(&doctor, session, 0, cancel, diag))
        return -1;
    cli_warn(session);
    step_look(session, cancel, step, sizeof step);
    if (!cli->result.quiet)
        print_doctor(json_out ? stderr : stdout, &doctor, step);
    if (cli->result.json) {
        object = json_doctor(&doctor);
        if (step[0])
            json_object_set_new(object, "not_in_step", json_string(step));
        status = object ? cli_write_json(cli, object, diag) : diag_no_memory(diag);
        json_decref(object);
    }
    doctor_free(&doctor);
    return status;
}
