/* SPDX-License-Identifier: BSD-2-Clause */
/* --html: the page that `report` makes of the JSON lines. They go to a file without a name if the user wants none. */
#include "tools/fecrun/html/html.h"
#include "tools/fecrun/result_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

int page_check_name(const char *option, const char *path, struct diag *diag)
{
    const char *dot = strrchr(path, '.');

    if (!strcmp(path, "-") || (dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm"))))
        return 0;
    return diag_fail(diag, DIAG_USAGE, "%s %s: must end in .html%s", option, path,
                     strcmp(option, "-o") ? "" : ", or be - for standard output");
}

int page_put(struct output *output, const struct html_request *request, struct diag *diag)
{
    json_t *data = html_read(request, diag);
    int status;

    if (!data)
        return -1;
    status = html_write(data, output->stream) ? diag_no_memory(diag) : output_flush(output, diag);
    json_decref(data);
    return status;
}

int page_open(struct page_output *page, const struct result_options *options, struct output *json,
              struct diag *diag)
{
    FILE *lines;
    int copy;

    if (!options->html)
        return 0;
    page->label = options->label;
    if (output_open(&page->output, options->html, diag))
        return -1;
    page->read = options->json;
    if (options->json)
        return 0;
    page->lines = tmpfile();
    copy = page->lines ? fcntl(fileno(page->lines), F_DUPFD_CLOEXEC, 0) : -1;
    lines = copy >= 0 ? fdopen(copy, "w") : NULL; /* which the output closes */
    if (!lines && copy >= 0)
        close(copy);
    if (!lines)
        return diag_fail(diag, DIAG_RUN, "--html %s: no temporary file: %s", options->html,
                         strerror(errno));
    snprintf(page->name, sizeof page->name, "/proc/self/fd/%d", fileno(page->lines));
    page->read = page->name;
    return output_to(json, lines, "a temporary file", diag);
}

int page_close(struct page_output *page, bool whole, struct diag *diag)
{
    const char *labels[] = {page->label, NULL};
    const struct html_request request = {.files = {.paths = &page->read, .labels = labels, .n = 1},
                                         .version = PACKAGE_VERSION};
    int status = 0;

    if (page->output.stream && whole)
        status = page_put(&page->output, &request, diag);
    page->output.failed |= status != 0 || !whole;
    status |= output_close(&page->output, "", diag);
    if (page->lines)
        fclose(page->lines);
    page->lines = NULL;
    return status ? -1 : 0;
}
