/* SPDX-License-Identifier: BSD-2-Clause */
/* What a shell offers for the last word of a command line; the shells' own files (tools/manual) only pass words on. */
#include <stdio.h>

#include "tools/fecrun/complete.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report.h"

#include <string.h>

struct words {
    const struct verb *verb;
    const char *word; /* the one that is completed */
    int n;            /* those before it, after the verb */
    char **before;
};

/* One line: the word, and after a tab what it is. */
static void offer(const struct words *words, const char *word, const char *after, const char *help)
{
    char text[256];

    snprintf(text, sizeof text, "%s%s", word, after);
    if (strncmp(text, words->word, strlen(words->word)))
        return;
    printf("%s%s%.*s\n", text, help && *help ? "\t" : "", help ? (int)strcspn(help, "\n;") : 0,
           help ? help : "");
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

/* ---- Options ---- */

/* "  --name VALUE   words": from VALUE on */
static const char *value_of(const struct cli_option *option)
{
    const char *at = option->help + 2 + strlen(option->name);

    return at + strspn(at, " ");
}

/* and from the words on */
static const char *words_of(const struct cli_option *option)
{
    const char *at = value_of(option);

    if (!cli_is_flag(option))
        at += strcspn(at, " ");
    return at + strspn(at, " ");
}

static void offer_options(const struct words *words)
{
    const struct cli_option *option;

    for (size_t i = 0; (option = cli_option(i)); i++)
        if (cli_takes(words->verb->name, option))
            offer(words, option->name, "", words_of(option));
    offer(words, "--help", "", "this text");
}

static void offer_all(const struct words *words, const char *const *names)
{
    for (; *names; names++)
        offer(words, *names, "", NULL);
}

/* ---- What plugins have ---- */

static void offer_stages(const struct words *words, const json_t *registry)
{
    size_t i;
    json_t *stage;

    json_array_foreach(json_object_get(registry, "stages"), i, stage)
        offer(words, text_of(stage, "name"), "", text_of(stage, "summary"));
}

/* Each name once, those of `stages`. */
static void offer_backends(const struct words *words, const char *before, const json_t *stages)
{
    json_t *seen = json_object();
    size_t i, j;
    json_t *stage, *row;

    offer(words, before, "auto", NULL);
    json_array_foreach((json_t *)stages, i, stage)
        json_array_foreach(json_object_get(stage, "backends"), j,
                           row) if (!json_object_get(seen, text_of(row, "name")))
    {
        offer(words, before, text_of(row, "name"), NULL);
        json_object_set_new(seen, text_of(row, "name"), json_true());
    }
    json_decref(seen);
}

static void offer_of_registry(const struct words *words, const struct cli *cli, bool stages)
{
    struct registry *registry;
    struct diag diag = {0};
    json_t *all;

    if (cli_open_registry(cli, &registry, &diag))
        return;
    all = report_registry(registry);
    if (stages)
        offer_stages(words, all);
    else
        offer_backends(words, "", json_object_get(all, "stages"));
    json_decref(all);
    registry_close(registry);
}

/* ---- What the pipeline file has ---- */

/* ID.PARAM= and, once that is typed, the parameter's words. before: "ID." or "ID.tune." */
static void offer_params(const struct words *words, const char *before, const json_t *params)
{
    size_t i, j;
    json_t *param, *choice;
    char name[256];

    json_array_foreach((json_t *)params, i, param)
    {
        snprintf(name, sizeof name, "%s%s=", before, text_of(param, "name"));
        if (strncmp(name, words->word, strlen(name))) {
            offer(words, name, "", text_of(param, "help"));
            continue;
        }
        json_array_foreach(json_object_get(param, "choices"), j, choice)
            offer(words, name, json_string_value(choice),
                  json_string_value(json_array_get(json_object_get(param, "choices_help"), j)));
        if (!strcmp(text_of(param, "type"), "bool")) {
            offer(words, name, "true", NULL);
            offer(words, name, "false", NULL);
        }
    }
}

static void offer_stage_params(const struct words *words, const struct graph_stage *at)
{
    json_t *stage = report_stage(at->entry), *one = json_array(), *row;
    char before[256];
    size_t i;

    snprintf(before, sizeof before, "%s.", at->decl->id);
    offer_params(words, before, json_object_get(stage, "params"));
    snprintf(before, sizeof before, "%s.tune.", at->decl->id);
    json_array_foreach(json_object_get(stage, "backends"), i, row)
        offer_params(words, before, json_object_get(row, "tune"));
    snprintf(before, sizeof before, "%s.backend=", at->decl->id);
    if (strncmp(before, words->word, strlen(before))) {
        offer(words, before, "", "backend of this stage");
    } else {
        json_array_append(one, stage);
        offer_backends(words, before, one);
    }
    json_decref(one);
    json_decref(stage);
}

static void offer_names(const struct words *words, const struct session *session)
{
    static const char *const settings[] = {
        "seed=",        "batch=",        "in_flight=", "latency=", "backend=", "stop.frame_errors=",
        "stop.frames=", "stop.seconds=", NULL};

    offer_all(words, settings);
    for (size_t i = 0; i < session->graph->n; i++) {
        const char *id = session->graph->stages[i].decl->id;
        const size_t n = strlen(id);
        if (strncmp(words->word, id, n) || words->word[n] != '.')
            offer(words, id, ".", session->graph->stages[i].stage->summary);
        else
            offer_stage_params(words, &session->graph->stages[i]);
    }
}

static void offer_of_file(const struct words *words, const struct cli *cli, bool names)
{
    struct session session;
    struct diag diag = {0};

    if (!cli->operand || cli_open_session(cli, &cli->session, &session, &diag))
        return;
    if (names)
        offer_names(words, &session);
    for (size_t i = 0; !names && i < session.graph->n; i++)
        offer(words, session.graph->stages[i].decl->id, "",
              session.graph->stages[i].stage->summary);
    session_close(&session);
}

/* ---- Values and operands ---- */

/* What the shell knows better: ":files", ":dirs". */
static void offer_value(const struct words *words, const struct cli *cli,
                        const struct cli_option *of)
{
    static const char *const accepts[] = {"exact", "statistical", NULL};
    const char *option = of->name;
    char preset[64];

    if (!strncmp(value_of(of), "FILE ", 5))
        puts(":files");
    else if (!strncmp(value_of(of), "DIR ", 4))
        puts(":dirs");
    else if (!strcmp(option, "--accept"))
        offer_all(words, accepts);
    else if (!strcmp(option, "--backend") || !strcmp(option, "--a") || !strcmp(option, "--b"))
        offer_of_registry(words, cli, false);
    else if (!strcmp(option, "--set") || !strcmp(option, "--sweep") || !strcmp(option, "--stage"))
        offer_of_file(words, cli, strcmp(option, "--stage") != 0);
    else if (!strcmp(option, "--preset"))
        for (size_t i = 0; preset_name(i, preset, sizeof preset); i++)
            offer(words, preset, "", NULL);
}

static void offer_operand(const struct words *words, const struct cli *cli)
{
    const char *kind = words->verb->operand ? words->verb->operand : "";

    if (!strcmp(kind, "STAGE"))
        offer_of_registry(words, cli, true);
    else if (!strcmp(kind, "[NAME]"))
        for (size_t i = 0; example_name(i); i++)
            offer(words, example_name(i), "", NULL);
    else if (!strcmp(kind, "DIR..."))
        puts(":dirs");
    else if (strstr(kind, "."))
        puts(":files");
}

/* Of the words before the last one: plugins' directories, the file or the preset. What is wrong in them is left out. */
static void read_before(struct cli *cli, const struct words *words)
{
    for (int i = 0; i < words->n; i++) {
        const struct cli_option *option = cli_option_named(words->before[i]);
        const char *value = i + 1 < words->n ? words->before[i + 1] : NULL;
        struct diag diag = {0};

        if (!option) {
            if (words->before[i][0] != '-' && !cli->operand)
                cli->operand = words->before[i];
            continue;
        }
        if (cli_is_flag(option))
            continue;
        if (value && !strcmp(option->name, "--plugin-dir"))
            cli_append(cli->dirs, value);
        if (value && !strcmp(option->name, "--preset"))
            cli_use_preset(cli, value, &diag);
        i++;
    }
}

int complete(const struct verb *const *verbs, int n, char **given)
{
    struct words words = {NULL, n ? given[n - 1] : "", n - 2, given + 1};
    const struct cli_option *last = n > 2 ? cli_option_named(given[n - 2]) : NULL;
    struct cli cli = {0};
    struct diag diag = {0};

    if (n < 2) {
        for (; *verbs; verbs++)
            offer(&words, (*verbs)->name, "", (*verbs)->summary);
        offer(&words, "--help", "", NULL);
        offer(&words, "--version", "", NULL);
        return 0;
    }
    words.verb = cli_verb(verbs, given[0]);
    if (!words.verb || cli_begin(&cli, words.verb, n, &diag))
        return 0;
    read_before(&cli, &words);
    if (last && !cli_is_flag(last))
        offer_value(&words, &cli, last);
    else if (*words.word == '-')
        offer_options(&words);
    else
        offer_operand(&words, &cli);
    cli_free(&cli);
    return 0;
}
