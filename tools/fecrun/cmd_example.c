/* SPDX-License-Identifier: BSD-2-Clause */
/* example: lists the pipelines of conf/, which the program holds as text, or copies one. */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/wrap.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct example {
    const char *file;         /* NAME.yaml, or a file that an example reads */
    const char *const *lines; /* NULL: the end */
};

static const struct example examples[] = {
#include "examples.h"
};

enum { N_EXAMPLES = sizeof examples / sizeof *examples };

/* The name, without .yaml; 0: a file of another kind. */
static int name_length(const struct example *example)
{
    const char *end = strstr(example->file, ".yaml");

    return end && !end[5] ? (int)(end - example->file) : 0;
}

/* The first sentence of the comment after the licence; several lines become one. */
static void print_summary(FILE *out, const struct example *example)
{
    for (const char *const *line = example->lines + 1; *line && **line == '#'; line++) {
        const char *text = *line + strspn(*line, "# ");
        const char *end = strstr(text, ". ");
        const size_t n = strlen(text);

        if (end) {
            fprintf(out, " %.*s", (int)(end - text), text);
            return;
        }
        fprintf(out, " %.*s", (int)(n && text[n - 1] == '.' ? n - 1 : n), text);
        if (!n || text[n - 1] == '.' || text[n - 1] == ':')
            return;
    }
}

static int list(struct diag *diag)
{
    FILE *out = wrap_open(stdout);

    if (!out)
        return diag_no_memory(diag);
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        const int n = name_length(&examples[i]);
        if (!n)
            continue;
        fprintf(out, "%.*s:", n, examples[i].file);
        print_summary(out, &examples[i]);
        putc('\n', out);
    }
    fclose(out);
    return 0;
}

static int copy(const struct cli *cli, const struct example *example, struct diag *diag)
{
    FILE *file = fopen(example->file, "wx");
    int bad;

    if (!file)
        return diag_fail(diag, diag_of_open(errno), "example: %s: %s", example->file,
                         errno == EEXIST ? "exists already" : strerror(errno));
    for (const char *const *line = example->lines; *line; line++)
        fprintf(file, "%s\n", *line);
    bad = ferror(file);
    bad |= fclose(file);
    if (bad) {
        diag_fail(diag, DIAG_RUN, "example: %s: %s", example->file, strerror(errno));
        unlink(example->file);
        return -1;
    }
    if (!cli->result.quiet)
        printf("%s\n", example->file);
    return 0;
}

const char *example_name(size_t i)
{
    static char name[64];

    for (size_t at = 0; at < N_EXAMPLES; at++)
        if (name_length(&examples[at]) && !i--) {
            snprintf(name, sizeof name, "%.*s", name_length(&examples[at]), examples[at].file);
            return name;
        }
    return NULL;
}

int cmd_example(const struct cli *cli, struct diag *diag)
{
    struct guess guess = {cli->operand, NULL, 0};
    static char names[N_EXAMPLES][64];
    char hint[128];

    if (!cli->operand)
        return list(diag);
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        const int n = name_length(&examples[i]);
        if (!strcmp(examples[i].file, cli->operand) ||
            (n && (int)strlen(cli->operand) == n &&
             !strncmp(examples[i].file, cli->operand, (size_t)n)))
            return copy(cli, &examples[i], diag);
        snprintf(names[i], sizeof names[i], "%.*s", n ? n : 63, examples[i].file);
        guess_try(&guess, names[i]);
    }
    return diag_fail(diag, DIAG_USAGE, "example: no example `%s`%s; fecrun example lists them",
                     cli->operand, guess_hint(&guess, hint, sizeof hint));
}
