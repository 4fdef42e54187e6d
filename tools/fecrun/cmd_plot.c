/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun plot: draws result files. gnuplot makes the picture; the text for pgfplots is written
 * here.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "tools/fecrun/cli.h"
#include "tools/fecrun/plot/figure.h"
#include "tools/fecrun/result_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* By the suffix of -o. Bars are as high as their lines of text, of which each takes `line`; curves have that
   much more for each line of the legend after the first six. */
static const struct form {
    const char *suffix, *terminal;
    double width, height, line, most; /* pixels or cm */
    double font, least;               /* fontscale, and its least part in small pictures */
} forms[] = {
    {".svg", "svg size %.0f,%.0f dynamic font 'sans,13' fontscale %.2f background 'white'", 800,
     560, 19, 8000, 1, 0.62},
    {".png", "pngcairo size %.0f,%.0f font 'sans,19' fontscale %.2f", 1200, 840, 29, 8000, 1, 0.42},
    {".pdf", "pdfcairo size %.2fcm,%.2fcm font 'sans,11' fontscale %.2f pointscale 0.5", 16, 11,
     0.55, 100, 0.8, 0.55},
    {".tex", NULL, 0, 0, 0, 100, 1, 1},
};
static const struct form letters = {.most = 1000};

static const struct form *form_of(const char *path, struct diag *diag)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(dot, forms[i].suffix))
            return &forms[i];
    diag_fail(diag, DIAG_USAGE, "-o %s: must end in .svg, .png, .pdf or .tex", path);
    return NULL;
}

/* What fits the terminal, or 79 columns where there is none. Bars may scroll. */
static void text_terminal(const struct figure *figure, char *buffer, size_t size)
{
    struct winsize window = {0};
    unsigned columns = 79, rows = 30;

    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) && window.ws_col >= 40 && window.ws_row >= 12) {
        columns = window.ws_col - 1u;
        rows = window.ws_row - 2u;
    }
    if (figure->kind == FIGURE_BARS)
        rows = (unsigned)(figure_lines(figure) + 6 * figure->n_bars);
    snprintf(buffer, size, "dumb noenhanced size %u,%u", columns, rows);
}

/* Of a picture that is smaller than usual the letters are, too. */
static double font_part(const struct form *form, const struct figure_drawing *drawing)
{
    const double part = fmin(drawing->size[0] / form->width, drawing->size[1] / form->height);

    return drawing->size[0] > 0 ? fmax(form->least, fmin(1, part)) : 1;
}

static void choose_terminal(const struct form *form, const struct figure *figure,
                            const struct figure_drawing *drawing, char *buffer, size_t size)
{
    const bool own = drawing->size[0] > 0;
    const double lines = (double)figure_lines(figure);
    double height;

    if (!form && own) {
        snprintf(buffer, size, "dumb noenhanced size %.0f,%.0f", drawing->size[0],
                 drawing->size[1]);
    } else if (!form) {
        text_terminal(figure, buffer, size);
    } else {
        height = figure->kind == FIGURE_BARS ? form->line * lines
                                             : form->height + form->line * fmax(0, lines - 6);
        snprintf(buffer, size, form->terminal, own ? drawing->size[0] : form->width,
                 own ? drawing->size[1] : height, form->font * font_part(form, drawing));
    }
}

/* ---- Options ---- */

static int parse_pair(const char *name, const char *text, char between, double pair[2],
                      const char *allowed, struct diag *diag)
{
    char *end, *last;

    if (!text)
        return 0;
    pair[0] = strtod(text, &end);
    pair[1] = end > text && *end == between ? strtod(end + 1, &last) : NAN;
    if (!isfinite(pair[0]) || !isfinite(pair[1]) || *last || last == end + 1)
        return diag_fail(diag, DIAG_USAGE, "%s %s: must be %s", name, text, allowed);
    return 0;
}

static int parse_size(const struct cli *cli, const struct form *form,
                      struct figure_drawing *drawing, struct diag *diag)
{
    const double most = (form ? form : &letters)->most, least = most == 100 ? 3 : 40;
    const double *size = drawing->size;
    char allowed[96];

    snprintf(allowed, sizeof allowed, "WIDTHxHEIGHT, each %g to %g %s", least, most,
             !form         ? "letters"
             : most == 100 ? "cm"
                           : "pixels");
    if (parse_pair("--size", cli->size, 'x', drawing->size, allowed, diag))
        return -1;
    for (int i = 0; cli->size && i < 2; i++)
        if (size[i] < (form ? least : 12) || size[i] > most)
            return diag_fail(diag, DIAG_USAGE, "--size %s: must be %s", cli->size, allowed);
    return 0;
}

static int parse_ranges(const struct cli *cli, struct figure_drawing *drawing, struct diag *diag)
{
    const double *x = drawing->x, *y = drawing->y;

    if (parse_pair("--xrange", cli->xrange, ':', drawing->x, "LOW:HIGH", diag) ||
        parse_pair("--yrange", cli->yrange, ':', drawing->y, "LOW:HIGH", diag))
        return -1;
    if (cli->xrange && x[0] >= x[1])
        return diag_fail(diag, DIAG_USAGE, "--xrange %s: LOW must be less than HIGH", cli->xrange);
    if (cli->yrange && (y[0] <= 0 || y[0] >= y[1] || y[1] > 1))
        return diag_fail(diag, DIAG_USAGE,
                         "--yrange %s: LOW must be more than 0 and less than HIGH, and HIGH at "
                         "most 1",
                         cli->yrange);
    return 0;
}

static int check_options(const struct cli *cli, const struct figure *figure, struct diag *diag)
{
    const char *option = cli->xrange ? "--xrange" : cli->yrange ? "--yrange" : "--group";
    size_t labels = 0;

    while (cli->labels[labels])
        labels++;
    if (labels > cli->n_operands)
        return diag_fail(diag, DIAG_USAGE, "--label %s: there are %zu result files",
                         cli->labels[cli->n_operands], cli->n_operands);
    if (figure->kind == FIGURE_BARS && (cli->xrange || cli->yrange || cli->group))
        return diag_fail(diag, DIAG_USAGE, "%s: is for curves, and these are results of bench",
                         option);
    return 0;
}

static int fail_file(struct diag *diag, const char *path)
{
    return diag_fail(diag, DIAG_RUN, "cannot write %s: %s", path, strerror(errno ? errno : EIO));
}

/* What prints the figure as text. */
struct writing {
    const struct figure *figure;
    const struct figure_drawing *drawing; /* for gnuplot; NULL: for pgfplots */
    const struct figure_drawing *tex;
};

static int write_text(const struct writing *w, const char *path, struct diag *diag)
{
    struct output output = {0};
    int status = output_open(&output, path, diag);

    if (!status) {
        if (w->drawing)
            figure_gnuplot(w->figure, w->drawing, output.stream);
        else
            figure_pgfplots(w->figure, w->tex, output.stream);
        status = output_flush(&output, diag);
    }
    return output_close(&output, "", diag) ? -1 : status;
}

/* In the child: commands on standard input, the picture on standard output. */
static void become_gnuplot(FILE *commands, int picture)
{
    setenv("LC_ALL", "C.UTF-8", 1); /* labels are, and it warns of a locale that is not */
    if (dup2(fileno(commands), STDIN_FILENO) >= 0 && dup2(picture, STDOUT_FILENO) >= 0)
        execlp("gnuplot", "gnuplot", "-", (char *)NULL);
    _exit(errno == ENOENT ? 127 : 126);
}

/* errno, or 0. A picture in text begins with a form feed, which is left out. */
static int copy_all(int from, bool text, FILE *to)
{
    char part[4096];
    ssize_t n;

    while ((n = read(from, part, sizeof part)) != 0) {
        const size_t skip = text && n > 0 && part[0] == '\f';
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0)
            fwrite(part + skip, 1, (size_t)n - skip, to);
        text = text && n < 0;
    }
    return 0;
}

static int check_gnuplot(pid_t child, int number, struct diag *diag)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return diag_fail(diag, DIAG_RUN, "cannot wait for gnuplot: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return diag_fail(diag, DIAG_UNAVAILABLE,
                         "plot: gnuplot is not installed (Debian: gnuplot-nox); -o FILE.tex needs "
                         "none, and --gp FILE writes its commands");
    if (number)
        return diag_fail(diag, DIAG_RUN, "cannot read what gnuplot draws: %s", strerror(number));
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return diag_fail(diag, DIAG_RUN, "gnuplot failed; its message is above");
    return 0;
}

/* It writes to a pipe: of a file that it cannot write it says nothing, and its status is 0. */
static int run_gnuplot(FILE *commands, bool text, FILE *picture, struct diag *diag)
{
    int ends[2], number;
    pid_t child;

    fflush(NULL);
    rewind(commands);
    child = pipe2(ends, O_CLOEXEC) ? -2 : fork();
    if (child == 0)
        become_gnuplot(commands, ends[1]);
    number = errno;
    if (child != -2)
        close(ends[1]);
    if (child > 0)
        number = copy_all(ends[0], text, picture);
    if (child != -2)
        close(ends[0]);
    if (child < 0)
        return diag_fail(diag, DIAG_RUN, "cannot start gnuplot: %s", strerror(number));
    return check_gnuplot(child, number, diag);
}

static int draw(const struct cli *cli, const struct figure *figure, struct figure_drawing drawing,
                struct diag *diag)
{
    struct output output = {0};
    FILE *commands = tmpfile();
    int status = -1;

    if (!commands)
        return diag_fail(diag, DIAG_RUN, "cannot make a temporary file: %s", strerror(errno));
    drawing.output = NULL;
    figure_gnuplot(figure, &drawing, commands);
    if (fflush(commands) || ferror(commands))
        fail_file(diag, "a temporary file");
    else if (!output_open(&output, cli->output ? cli->output : "-", diag))
        status = run_gnuplot(commands, drawing.text, output.stream, diag) ||
                         output_flush(&output, diag)
                     ? -1
                     : 0;
    output.failed |= status != 0;
    if (output_close(&output, "", diag))
        status = -1;
    fclose(commands);
    return status;
}

int cmd_plot(const struct cli *cli, struct diag *diag)
{
    const struct form *form = cli->output ? form_of(cli->output, diag) : NULL;
    struct figure_drawing drawing = {
        .output = cli->output, .guides = cli->guides, .title = cli->title};
    const struct figure_files files = {.paths = cli->operands,
                                       .labels = cli->labels,
                                       .group = cli->group,
                                       .n = cli->n_operands,
                                       .ber = cli->ber};
    struct figure figure;
    char text[128];
    int status = 0;

    if (cli->output && !form)
        return -1;
    if (form && !form->terminal && cli->gp)
        return diag_fail(diag, DIAG_USAGE, "--gp: -o %s is for pgfplots, not by gnuplot",
                         cli->output);
    if (parse_size(cli, form, &drawing, diag) || parse_ranges(cli, &drawing, diag) ||
        figure_read(&figure, &files, diag))
        return -1;
    if (check_options(cli, &figure, diag)) {
        status = -1;
    } else if (form && !form->terminal) {
        status = write_text(&(struct writing){&figure, NULL, &drawing}, cli->output, diag);
    } else {
        choose_terminal(form, &figure, &drawing, text, sizeof text);
        drawing.terminal = text;
        drawing.text = !form;
        if (cli->gp)
            status = write_text(&(struct writing){&figure, &drawing, NULL}, cli->gp, diag);
        if (!status && (cli->output || !cli->gp))
            status = draw(cli, &figure, drawing, diag);
    }
    figure_free(&figure);
    return status;
}
