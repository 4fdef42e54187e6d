/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the page: style, data and script in one file. */
#include "tools/fecrun/html/html.h"

#include <stdlib.h>
#include <string.h>

static const struct part {
    const char *name;
    const char *const *lines;
} parts[] = {
#include "report_page.h"
};

/* A file of this folder. */
static void write_part(const char *name, FILE *out)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *const *line = parts[i].lines; !strcmp(parts[i].name, name) && *line;
             line++)
            fprintf(out, "%s\n", *line);
}

static void write_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            putc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

/* No "<" of the data can end the script that holds them. */
static int write_data(const json_t *data, FILE *out)
{
    char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(12));

    if (!text)
        return -1;
    fputs("<script type=\"application/json\" id=\"results\">", out);
    for (const char *p = text; *p; p++)
        if (*p == '<')
            fputs("\\u003c", out);
        else
            putc(*p, out);
    fputs("</script>\n", out);
    free(text);
    return 0;
}

int html_write(const json_t *data, FILE *out)
{
    const char *title = json_string_value(json_object_get(data, "title"));

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
          out);
    write_text(title, out);
    fputs("</title>\n<style>\n", out);
    write_part("page.css", out);
    fputs("</style>\n</head>\n<body>\n<h1>", out);
    write_text(title, out);
    fputs("</h1>\n<p class=\"soft\">Results of fecrun ", out);
    write_text(json_string_value(json_object_get(data, "version")), out);
    fputs("</p>\n<noscript>The curves and tables of this page need JavaScript.</noscript>\n"
          "<main></main>\n",
          out);
    if (write_data(data, out))
        return -1;
    fputs("<script>\n", out);
    write_part("chart.js", out);
    write_part("map.js", out);
    write_part("page.js", out);
    fputs("</script>\n</body>\n</html>\n", out);
    return 0;
}
