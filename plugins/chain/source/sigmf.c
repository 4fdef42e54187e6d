/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the `global` object of SigMF metadata. */
#include "plugins/chain/source/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/params.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char data_end[] = ".sigmf-data", meta_end[] = ".sigmf-meta";

static const struct {
    const char *name;
    enum symbols form;
} datatypes[] = {{"cf32_le", SYMBOLS_CF32},
                 {"ci16_le", SYMBOLS_CS16},
                 {"ci8", SYMBOLS_CS8},
                 {"cu8", SYMBOLS_CU8}};

static int ends(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n > m && strcmp(path + n - m, end) == 0;
}

int sigmf_is_data(const char *path)
{
    return ends(path, data_end);
}

int sigmf_is_meta(const char *path)
{
    return ends(path, meta_end);
}

static int read_datatype(const char *path, const json_t *global, struct sigmf *sigmf,
                         struct fecrun_error *err)
{
    const char *name = json_string_value(json_object_get(global, "core:datatype"));

    if (!name)
        return fecrun_fail(err, "path", "%s: global has no text \"core:datatype\"", path);
    for (size_t i = 0; i < sizeof datatypes / sizeof *datatypes; i++)
        if (strcmp(name, datatypes[i].name) == 0) {
            sigmf->form = datatypes[i].form;
            return 0;
        }
    return fecrun_fail(err, "path",
                       "%s: core:datatype \"%.32s\" is none of cf32_le, ci16_le, ci8, cu8", path,
                       name);
}

/* What would make other symbols of the bytes than one behind the other. */
static int check_layout(const char *path, const json_t *global, struct fecrun_error *err)
{
    const json_t *channels = json_object_get(global, "core:num_channels");
    const json_t *trailing = json_object_get(global, "core:trailing_bytes");

    if (channels && !(json_is_integer(channels) && json_integer_value(channels) == 1))
        return fecrun_fail(err, "path", "%s: core:num_channels is not 1: only one is read", path);
    if (trailing && !(json_is_integer(trailing) && json_integer_value(trailing) == 0))
        return fecrun_fail(err, "path", "%s: core:trailing_bytes is not 0, and is not supported",
                           path);
    if (json_is_true(json_object_get(global, "core:metadata_only")))
        return fecrun_fail(err, "path", "%s: core:metadata_only says that there is no recording",
                           path);
    return 0;
}

static int read_rate(const char *path, const json_t *global, struct sigmf *sigmf,
                     struct fecrun_error *err)
{
    const json_t *rate = json_object_get(global, "core:sample_rate");

    sigmf->sample_rate = json_number_value(rate);
    if (rate && !(sigmf->sample_rate > 0 && isfinite(sigmf->sample_rate)))
        return fecrun_fail(err, "path", "%s: core:sample_rate is no number above 0", path);
    return 0;
}

/* Headers of captures stand in front of samples. */
static int check_captures(const char *path, const json_t *meta, struct fecrun_error *err)
{
    const json_t *captures = json_object_get(meta, "captures");

    for (size_t i = 0; i < json_array_size(captures); i++)
        if (json_integer_value(json_object_get(json_array_get(captures, i), "core:header_bytes")))
            return fecrun_fail(err, "path",
                               "%s: core:header_bytes of a capture is not 0, and is not supported",
                               path);
    return 0;
}

/* The description beside the data of that path; NULL: no memory. */
static char *description_of(const char *data_path)
{
    const size_t n = strlen(data_path);
    const size_t stem = sigmf_is_data(data_path) ? n - strlen(data_end) : n;
    char *path = malloc(stem + sizeof meta_end);

    if (path) {
        memcpy(path, data_path, stem);
        memcpy(path + stem, meta_end, sizeof meta_end);
    }
    return path;
}

/* The user has named the data, not this file: a link is not followed, since it could lead anywhere. */
static int open_description(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

static json_t *load(const char *path, int fd, struct fecrun_error *err)
{
    json_error_t reason;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    json_t *meta;

    if (!file) {
        fecrun_fail(err, "path", "%s, which has to say what the recording is: %s", path,
                    errno == ELOOP ? "it is a symbolic link" : strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    meta = json_loadf(file, JSON_REJECT_DUPLICATES, &reason);
    fclose(file);
    if (!meta)
        fecrun_fail(err, "path", "%s:%d:%d: %.160s", path, reason.line, reason.column, reason.text);
    return meta;
}

/* Beside the name of the data, else, where that is a link, beside the data themselves. */
static json_t *load_beside(const char *data_path, char **path, struct fecrun_error *err)
{
    int fd = open_description(*path);
    const int reason = errno;
    char *real = fd < 0 ? realpath(data_path, NULL) : NULL;
    char *other = real ? description_of(real) : NULL;

    if (other && (fd = open_description(other)) >= 0) {
        free(*path);
        *path = other;
        other = NULL;
    }
    free(real);
    free(other);
    errno = reason;
    return load(*path, fd, err);
}

int sigmf_read(const char *data_path, struct sigmf *sigmf, struct fecrun_error *err)
{
    char *path = description_of(data_path);
    json_t *meta = NULL, *global;
    int status = -1;

    *sigmf = (struct sigmf){0};
    if (!path)
        return fecrun_no_memory(err);
    meta = load_beside(data_path, &path, err);
    if (meta) {
        global = json_object_get(meta, "global");
        status = read_datatype(path, global, sigmf, err) || check_layout(path, global, err) ||
                         read_rate(path, global, sigmf, err) || check_captures(path, meta, err)
                     ? -1
                     : 0;
    }
    json_decref(meta);
    free(path);
    return status;
}
