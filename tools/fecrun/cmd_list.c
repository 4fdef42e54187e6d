/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/wrap.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

/* A line, which goes on in further ones, two columns more to the right, where the terminal ends. Words
   that are longer than that stand as they are. */
static void print_line(int indent, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print_line(int indent, const char *format, ...)
{
    const int most = output_columns(stdout);
    va_list args, again;
    char *line;
    int size;

    va_start(args, format);
    va_copy(again, args);
    size = vsnprintf(NULL, 0, format, args) + 1;
    line = malloc((size_t)(indent + size));
    if (line) {
        memset(line, ' ', (size_t)indent);
        vsnprintf(line + indent, (size_t)size, format, again);
        wrap_put(stdout, line, most);
    } else {
        printf("%*s", indent, "");
        vprintf(format, again);
    }
    va_end(again);
    va_end(args);
    putchar('\n');
    free(line);
}

static void print_plugins(const json_t *list)
{
    size_t i;
    json_t *row;

    printf("plugins\n");
    json_array_foreach(json_object_get(list, "plugins"), i,
                       row) if (json_is_true(json_object_get(row, "loaded")))
        print_line(2, "%-10s %-8s %s", text(row, "name"), text(row, "version"), text(row, "path"));
    else print_line(2, "not loaded: %s: %s", text(row, "path"), text(row, "reason"));
    json_array_foreach(json_object_get(list, "hidden"), i, row)
        print_line(2, "not used: %s: its %s `%s` is that of %s, which comes first",
                   text(row, "path"), *text(row, "stage") ? "stage" : "name",
                   *text(row, "stage") ? text(row, "stage") : text(row, "name"), text(row, "by"));
    if (!json_array_size(json_object_get(list, "plugins")))
        printf("  none found; --plugin-dir or FECRUN_PLUGIN_PATH say where to look\n");
}

static void print_stage(const json_t *stage)
{
    size_t i;
    json_t *row;

    printf("  %-18s", text(stage, "name"));
    json_array_foreach(json_object_get(stage, "backends"), i,
                       row) if (json_is_true(json_object_get(row, "available")))
        printf(" %s", text(row, "name"));
    putchar('\n');
    print_line(4, "%s", text(stage, "summary"));
    json_array_foreach(json_object_get(stage, "backends"), i,
                       row) if (!json_is_true(json_object_get(row, "available")))
        print_line(4, "%s is not available: %s", text(row, "name"), text(row, "reason"));
}

static void print_devices(const json_t *list)
{
    size_t i;
    json_t *row;
    const char *last = "";

    if (!json_array_size(json_object_get(list, "devices")))
        return;
    printf("\ndevices\n");
    json_array_foreach(json_object_get(list, "devices"), i, row)
    {
        if (text(row, "software")[0] && strcmp(last, text(row, "provider")))
            print_line(2, "%s: %s", text(row, "provider"), text(row, "software"));
        last = text(row, "provider");
        if (json_is_true(json_object_get(row, "available")))
            printf("  %s:%lld %s\n", text(row, "provider"),
                   (long long)json_integer_value(json_object_get(row, "device")),
                   text(row, "description"));
        else
            print_line(2, "%s: %s", text(row, "provider"), text(row, "reason"));
    }
}

static void print_list(const json_t *list)
{
    size_t i;
    json_t *row;

    print_plugins(list);
    printf("\nstages and their backends\n");
    json_array_foreach(json_object_get(list, "stages"), i, row) print_stage(row);
    print_devices(list);
}

int cmd_list(const struct cli *cli, struct diag *diag)
{
    struct registry *registry;
    json_t *list;
    int status = 0;

    if (cli_open_registry(cli, &registry, diag))
        return -1;
    if (registry_probe(registry, NULL, NULL, diag)) {
        registry_close(registry);
        return -1;
    }
    list = report_registry(registry);
    if (!list || objects_lost())
        status = diag_fail(diag, DIAG_RUN, "out of memory");
    else if (cli->result.json)
        status = cli_write_json(cli, list, diag);
    else
        print_list(list);
    json_decref(list);
    registry_close(registry);
    return status;
}
