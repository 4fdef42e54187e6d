/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report.h"

#include <stdlib.h>

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void print_list(const json_t *array, const char *separator)
{
    size_t i;
    json_t *row;

    json_array_foreach((json_t *)array, i, row)
        printf("%s%s", i ? separator : "", json_string_value(row));
}

/* Choices that need a word each. */
static void print_choices(const json_t *param, const char *indent)
{
    const json_t *names = json_object_get(param, "choices");
    size_t i;
    json_t *help;

    json_array_foreach(json_object_get(param, "choices_help"), i, help)
        printf("%s    %-16s %s\n", indent, json_string_value(json_array_get(names, i)),
               json_string_value(help));
}

/* What earlier versions called it, and its words. */
static void print_old(const json_t *param, const char *indent)
{
    const json_t *names = json_object_get(param, "old_names");
    const char *word, *separator = "";
    json_t *now;

    if (names) {
        printf("%s  old name: ", indent);
        print_list(names, ", ");
        printf("\n");
    }
    if (!json_object_get(param, "old_choices"))
        return;
    printf("%s  old words: ", indent);
    json_object_foreach(json_object_get(param, "old_choices"), word, now)
    {
        printf("%s%s (write %s)", separator, word, json_string_value(now));
        separator = ", ";
    }
    printf("\n");
}

/* Both, or neither. */
static void print_limits(const json_t *min, const json_t *max)
{
    if (json_is_integer(min))
        printf(", %lld..%lld", (long long)json_integer_value(min),
               (long long)json_integer_value(max));
    else if (min)
        printf(", %g..%g", json_real_value(min), json_real_value(max));
}

static void print_params(const json_t *params, const char *indent)
{
    size_t i;
    json_t *row;

    json_array_foreach((json_t *)params, i, row)
    {
        const json_t *choices = json_object_get(row, "choices");
        printf("%s%-20s ", indent, text(row, "name"));
        if (choices)
            print_list(choices, "|");
        else
            printf("%s", text(row, "type"));
        if (json_object_get(row, "auto"))
            printf("|auto");
        print_limits(json_object_get(row, "min"), json_object_get(row, "max"));
        if (*text(row, "unit"))
            printf(" %s", text(row, "unit"));
        if (json_is_true(json_object_get(row, "required")))
            printf(", required");
        if (json_object_get(row, "default"))
            printf(", default %s", text(row, "default"));
        printf("\n%s  %s\n", indent, text(row, "help"));
        print_choices(row, indent);
        print_old(row, indent);
    }
}

/* The size of a frame where it is said; the rest is for fecrun-check. */
static void print_examples(const json_t *examples)
{
    size_t i;
    json_t *row;

    if (json_array_size(examples))
        printf("\nexamples\n");
    json_array_foreach((json_t *)examples, i, row)
    {
        const json_t *items = json_object_get(row, "items");

        printf("  %s", text(row, "params"));
        if (items)
            printf("  # for %" JSON_INTEGER_FORMAT " items a frame", json_integer_value(items));
        printf("\n");
    }
}

static void print_ports(const char *title, const json_t *ports)
{
    size_t i;
    json_t *row;

    if (!json_array_size(ports))
        return;
    printf("\n%s\n", title);
    json_array_foreach((json_t *)ports, i, row)
    {
        printf("  %-10s ", text(row, "name"));
        print_list(json_object_get(row, "takes"), " or ");
        printf("%s%s%s\n", json_is_true(json_object_get(row, "optional")) ? ", optional" : "",
               *text(row, "help") ? ": " : "", text(row, "help"));
    }
}

static void print_backend(const json_t *row)
{
    size_t i;
    json_t *form;

    printf("  %-10s %s", text(row, "name"), text(row, "summary"));
    if (!json_is_true(json_object_get(row, "available")))
        printf(" (not available: %s)", text(row, "reason"));
    if (json_object_get(row, "old_names")) {
        printf("\n    old name: ");
        print_list(json_object_get(row, "old_names"), ", ");
    }
    printf("\n    %s; takes", text(row, "agreement"));
    json_array_foreach(json_object_get(row, "forms"), i, form)
    {
        printf("%s ", i ? "," : "");
        print_list(json_object_get(form, "in"), "+");
        printf(" -> ");
        print_list(json_object_get(form, "out"), "+");
    }
    printf("\n");
    if (json_array_size(json_object_get(row, "tune"))) {
        printf("    tune:\n");
        print_params(json_object_get(row, "tune"), "      ");
    }
}

static void print_shared(const json_t *stage)
{
    const char *verb = *text(stage, "undoes") ? "undoes" : "follows";
    const char *before = "; takes these from it unless given: ";
    size_t i;
    json_t *row;

    if (!*text(stage, verb))
        return;
    printf("  %s %s", verb, text(stage, verb));
    json_array_foreach(json_object_get(stage, "params"), i, row) if (json_object_get(row, "shared"))
    {
        printf("%s%s", before, text(row, "name"));
        before = ", ";
    }
    printf("\n");
}

static void print_stage(const json_t *stage)
{
    size_t i;
    json_t *row;

    printf("%s (%s, plugin %s)\n  %s\n", text(stage, "name"), text(stage, "role"),
           text(stage, "plugin"), text(stage, "summary"));
    print_shared(stage);
    print_ports("inputs", json_object_get(stage, "inputs"));
    print_ports("outputs", json_object_get(stage, "outputs"));
    printf("\nparameters\n");
    print_params(json_object_get(stage, "params"), "  ");
    print_examples(json_object_get(stage, "examples"));
    printf("\nbackends\n");
    json_array_foreach(json_object_get(stage, "backends"), i, row) print_backend(row);
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
        print_stage(json);
    json_decref(json);
    registry_close(registry);
    return status;
}
