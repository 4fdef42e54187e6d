/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * new-plugin: writes the files of templates/ into a directory, with the plugin's name in them. Lines
 * that end in --cuda or --host are for plugins with, or without, a CUDA backend.
 */
#include <stdio.h>

#include "tools/fecrun/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct template
{
    const char *name;
    const char *const *lines;
};

static const struct template templates[] = {
#include "plugin_templates.h"
};

enum { N_TEMPLATES = sizeof templates / sizeof *templates, MOST_NAME = 24 };

/* Families of stages are words of a pipeline file and parts of C's names. */
static int check_name(const char *name, struct diag *diag)
{
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

    if (name[n] || n > MOST_NAME || name[0] < 'a' || name[0] > 'z')
        return diag_fail(diag, DIAG_USAGE,
                         "new-plugin: `%s` is not a valid name of a plugin: a to z, 0 to 9 and _, "
                         "at most %d characters, a letter first",
                         name, MOST_NAME);
    return 0;
}

/* Another plugin's stages would stand in front of this one's, or behind. */
static int check_free(const struct cli *cli, struct diag *diag)
{
    struct registry *registry;
    int status = 0;

    if (cli_open_registry(cli, &registry, diag))
        return -1;
    for (size_t i = 0; i < registry->n_files && !status; i++)
        if (registry->files[i].plugin && !strcmp(registry->files[i].plugin->name, cli->operand))
            status = diag_fail(diag, DIAG_USAGE, "new-plugin: plugin `%s` exists already: %s",
                               cli->operand, registry->files[i].path);
    registry_close(registry);
    return status;
}

/* ---- Lines ---- */

/* The line without its mark, in *length bytes; false: it is for the other sort of plugin. */
static bool wanted(const struct cli *cli, const char *line, size_t *length)
{
    static const char *const marks[] = {"/*--cuda*/", "#--cuda", "#--host"};

    *length = strlen(line);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i]);

        if (*length < n || strcmp(line + *length - n, marks[i]))
            continue;
        for (*length -= n; *length && line[*length - 1] == ' ';)
            --*length;
        return cli->cuda == (i < 2);
    }
    return true;
}

/* What stands for a word of a template; *length is that word's. */
static const char *word_at(const struct cli *cli, const char *line, size_t *length)
{
    const struct {
        const char *word, *text;
    } words[] = {{"NAME", cli->operand},
                 {"EXT", cli->cxx ? "cc" : "c"},
                 {"COMPILER", cli->cxx ? "$(CXX) $(CXXFLAGS)" : "$(CC) $(CFLAGS)"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        *length = strlen(words[i].word);
        if (!strncmp(line, words[i].word, *length))
            return words[i].text;
    }
    return NULL;
}

static void put_line(const struct cli *cli, FILE *file, const char *line)
{
    const char *text, *end;
    size_t length;

    if (!wanted(cli, line, &length))
        return;
    for (end = line + length; line < end; line += length)
        if ((text = word_at(cli, line, &length)))
            fputs(text, file);
        else
            putc(*line, file), length = 1;
    putc('\n', file);
}

/* ---- Files ---- */

static void file_name(const struct cli *cli, const char *template, char *path, size_t size)
{
    const char *name = cli->operand;

    if (!strcmp(template, "plugin.mk"))
        snprintf(path, size, "%s/Makefile", name);
    else if (!strcmp(template, "plugin.cu"))
        snprintf(path, size, "%s/%s_kernels.cu", name, name);
    else if (!strcmp(template, "plugin.c"))
        snprintf(path, size, "%s/%s.%s", name, name, cli->cxx ? "cc" : "c");
    else /* plugin.h, plugin_cuda.c, plugin.yaml */
        snprintf(path, size, "%s/%s%s", name, name, template + strlen("plugin"));
}

static bool is_left_out(const struct cli *cli, const char *template)
{
    return !cli->cuda && (strstr(template, ".cu") || strstr(template, "_cuda"));
}

static int write_file(const struct cli *cli, const struct template *template, struct diag *diag)
{
    char path[PATH_MAX];
    FILE *file;
    int bad;

    if (is_left_out(cli, template->name))
        return 0;
    file_name(cli, template->name, path, sizeof path);
    file = fopen(path, "wx");
    if (!file)
        return diag_fail(diag, DIAG_RUN, "new-plugin: %s: %s", path, strerror(errno));
    for (size_t i = 0; template->lines[i]; i++)
        put_line(cli, file, template->lines[i]);
    bad = ferror(file);
    bad |= fclose(file);
    if (bad) {
        diag_fail(diag, DIAG_RUN, "new-plugin: %s: %s", path, strerror(errno));
        unlink(path);
        return -1;
    }
    if (!cli->result.quiet)
        printf("%s\n", path);
    return 0;
}

/* The first n files, and the directory: this command has made it. */
static void remove_files(const struct cli *cli, size_t n)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < n; i++) {
        file_name(cli, templates[i].name, path, sizeof path);
        if (!is_left_out(cli, templates[i].name))
            unlink(path);
    }
    rmdir(cli->operand);
}

int cmd_new_plugin(const struct cli *cli, struct diag *diag)
{
    if (check_name(cli->operand, diag) || check_free(cli, diag))
        return -1;
    if (mkdir(cli->operand, 0777))
        return diag_fail(diag, diag_of_open(errno), "new-plugin: %s: %s", cli->operand,
                         strerror(errno));
    for (size_t i = 0; i < N_TEMPLATES; i++)
        if (write_file(cli, &templates[i], diag)) {
            remove_files(cli, i);
            return -1;
        }
    return 0;
}
