/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/wrap.h"

#include <stdlib.h>

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void print_list(FILE *out, const json_t *array, const char *separator)
{
    size_t i;
    json_t *row;

    json_array_foreach((json_t *)array, i, row)
        fprintf(out, "%s%s", i ? separator : "", json_string_value(row));
}

/* Choices that need a word each. */
static void print_choices(FILE *out, const json_t *param, const char *indent)
{
    const json_t *names = json_object_get(param, "choices");
    size_t i;
    json_t *help;

    json_array_foreach(json_object_get(param, "choices_help"), i, help)
        fprintf(out, "%s    %-16s %s\n", indent, json_string_value(json_array_get(names, i)),
                json_string_value(help));
}

/* What earlier versions called it, and its words. */
static void print_old(FILE *out, const json_t *param, const char *indent)
{
    const json_t *names = json_object_get(param, "old_names");
    const char *word, *separator = "";
    json_t *now;

    if (names) {
        fprintf(out, "%s  old name: ", indent);
        print_list(out, names, ", ");
        putc('\n', out);
    }
    if (!json_object_get(param, "old_choices"))
        return;
    fprintf(out, "%s  old words: ", indent);
    json_object_foreach(json_object_get(param, "old_choices"), word, now)
    {
        fprintf(out, "%s%s (write %s)", separator, word, json_string_value(now));
        separator = ", ";
    }
    putc('\n', out);
}

/* Both, or neither. */
static void print_limits(FILE *out, const json_t *min, const json_t *max)
{
    if (json_is_integer(min))
        fprintf(out, ", %lld..%lld", (long long)json_integer_value(min),
                (long long)json_integer_value(max));
    else if (min)
        fprintf(out, ", %g..%g", json_real_value(min), json_real_value(max));
}

static void print_params(FILE *out, const json_t *params, const char *indent)
{
    size_t i;
    json_t *row;

    json_array_foreach((json_t *)params, i, row)
    {
        const json_t *choices = json_object_get(row, "choices");
        fprintf(out, "%s%-20s ", indent, text(row, "name"));
        if (choices)
            print_list(out, choices, "|");
        else
            fprintf(out, "%s", text(row, "type"));
        if (json_object_get(row, "auto"))
            fprintf(out, "|auto");
        print_limits(out, json_object_get(row, "min"), json_object_get(row, "max"));
        if (*text(row, "unit"))
            fprintf(out, " %s", text(row, "unit"));
        if (json_is_true(json_object_get(row, "required")))
            fprintf(out, ", required");
        if (json_object_get(row, "default"))
            fprintf(out, ", default %s", text(row, "default"));
        fprintf(out, "\n%s  %s\n", indent, text(row, "help"));
        print_choices(out, row, indent);
        print_old(out, row, indent);
    }
}

/* The size of a frame where it is said; the rest is for fecrun-check. */
static void print_examples(FILE *out, const json_t *examples)
{
    size_t i;
    json_t *row;

    if (json_array_size(examples))
        fprintf(out, "\nexamples\n");
    json_array_foreach((json_t *)examples, i, row)
    {
        const json_t *items = json_object_get(row, "items");

        fprintf(out, "  %s", text(row, "params"));
        if (items)
            fprintf(out, "  # for %" JSON_INTEGER_FORMAT " items a frame",
                    json_integer_value(items));
        putc('\n', out);
    }
}

static void print_ports(FILE *out, const char *title, const json_t *ports)
{
    size_t i;
    json_t *row;

    if (!json_array_size(ports))
        return;
    fprintf(out, "\n%s\n", title);
    json_array_foreach((json_t *)ports, i, row)
    {
        fprintf(out, "  %-10s ", text(row, "name"));
        print_list(out, json_object_get(row, "takes"), " or ");
        fprintf(out, "%s%s%s\n", json_is_true(json_object_get(row, "optional")) ? ", optional" : "",
                *text(row, "help") ? ": " : "", text(row, "help"));
    }
}

static void print_backend(FILE *out, const json_t *row)
{
    size_t i;
    json_t *form;

    fprintf(out, "  %-10s %s", text(row, "name"), text(row, "summary"));
    if (!json_is_true(json_object_get(row, "available")))
        fprintf(out, " (not available: %s)", text(row, "reason"));
    if (json_object_get(row, "old_names")) {
        fprintf(out, "\n    old name: ");
        print_list(out, json_object_get(row, "old_names"), ", ");
    }
    fprintf(out, "\n    %s; takes", text(row, "agreement"));
    json_array_foreach(json_object_get(row, "forms"), i, form)
    {
        fprintf(out, "%s ", i ? "," : "");
        print_list(out, json_object_get(form, "in"), "+");
        fprintf(out, " -> ");
        print_list(out, json_object_get(form, "out"), "+");
    }
    putc('\n', out);
    if (json_array_size(json_object_get(row, "tune"))) {
        fprintf(out, "    tune:\n");
        print_params(out, json_object_get(row, "tune"), "      ");
    }
}

static void print_shared(FILE *out, const json_t *stage)
{
    const char *verb = *text(stage, "undoes") ? "undoes" : "follows";
    const char *before = "; takes these from it unless given: ";
    size_t i;
    json_t *row;

    if (!*text(stage, verb))
        return;
    fprintf(out, "  %s %s", verb, text(stage, verb));
    json_array_foreach(json_object_get(stage, "params"), i, row) if (json_object_get(row, "shared"))
    {
        fprintf(out, "%s%s", before, text(row, "name"));
        before = ", ";
    }
    putc('\n', out);
}

static void print_stage(FILE *out, const json_t *stage)
{
    size_t i;
    json_t *row;

    fprintf(out, "%s (%s, plugin %s)\n  %s\n", text(stage, "name"), text(stage, "role"),
            text(stage, "plugin"), text(stage, "summary"));
    print_shared(out, stage);
    print_ports(out, "inputs", json_object_get(stage, "inputs"));
    print_ports(out, "outputs", json_object_get(stage, "outputs"));
    fprintf(out, "\nparameters\n");
    print_params(out, json_object_get(stage, "params"), "  ");
    print_examples(out, json_object_get(stage, "examples"));
    fprintf(out, "\nbackends\n");
    json_array_foreach(json_object_get(stage, "backends"), i, row) print_backend(out, row);
}

/* Within the columns of the terminal; all of it or nothing, if memory ends. */
static int print_wrapped(const json_t *stage, struct diag *diag)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool failed;

    if (!out)
        return diag_no_memory(diag);
    print_stage(out, stage);
    failed = ferror(out) != 0;
    failed |= fclose(out) != 0;
    if (!failed)
        wrap_put(stdout, text, output_columns(stdout));
    free(text);
    return failed ? diag_no_memory(diag) : 0;
}

static int unknown(const struct registry *registry, const char *name, struct diag *diag)
{
    char hint[128];

    return diag_fail(diag, DIAG_USAGE, "unknown stage `%s`%s; `fecrun list` shows all", name,
                     registry_stage_hint(registry, name, hint, sizeof hint));
}

static int is_entry(void *data, const struct registry_stage *stage,
                    const struct registry_backend *backend)
{
    (void)backend;
    return stage == data ? 0 : REGISTRY_NOT;
}

int cmd_describe(const struct cli *cli, struct diag *diag)
{
    const struct registry_stage *entry;
    struct registry *registry;
    json_t *json = NULL;
    int status = 0;

    if (cli_open_registry(cli, &registry, diag))
        return -1;
    entry = registry_find(registry, cli->operand);
    if (!entry)
        status = unknown(registry, cli->operand, diag);
    else if (registry_probe(registry, is_entry, (void *)entry, diag))
        status = -1;
    else if (!(json = report_stage(entry)) || objects_lost())
        status = diag_fail(diag, DIAG_RUN, "out of memory");
    else if (cli->result.json)
        status = cli_write_json(cli, json, diag);
    else
        status = print_wrapped(json, diag);
    json_decref(json);
    registry_close(registry);
    return status;
}
