/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the files of a journal, which other processes may be writing. */
#include "tools/fecrun/journal/store_impl.h"

#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/journal/renamed.h"
#include "tools/fecrun/journal/line.h"
#include "tools/fecrun/journal/seal.h"
#include "tools/fecrun/journal/versions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Points ---- */

int store_point(struct store *store, json_t *set, json_t *near, struct store_point **point,
                struct diag *diag)
{
    struct store_point **all, *made;

    for (size_t i = 0; i < store->n_points; i++)
        if (json_equal(store->points[i]->set, set))
            return *point = store->points[i], 0;
    all = realloc(store->points, (store->n_points + 1) * sizeof(*all));
    if (!all)
        return diag_no_memory(diag);
    store->points = all;
    made = calloc(1, sizeof *made);
    if (!made)
        return diag_no_memory(diag);
    made->set = json_incref(set);
    made->near = near ? json_incref(near) : json_object();
    made->ebn0_db = made->esn0_db = NAN;
    made->ranges.unit = store->unit;
    made->ranges.n_rows = store->n_rows;
    *point = store->points[store->n_points++] = made;
    return 0;
}

/* ---- Lines ---- */

static int fail_line(const struct store_file *file, struct diag *diag, const char *what)
{
    return diag_fail(diag, DIAG_RUN, "%s:%zu: %s", file->path, file->lines, what);
}

/* What cannot be read is as if it were not there: its frames are run again. */
static int damaged(struct store_file *file, const char *why)
{
    if (!file->warned)
        fprintf(stderr, "fecrun: warning: %s:%zu: %s, so its frames do not count\n", file->path,
                file->lines, why);
    file->warned = true;
    return 0;
}

static int differ(const struct store *store, const struct store_point *point,
                  const struct range *range, const struct range *same, struct diag *diag)
{
    const struct store_file *a = &store->files[same->file], *b = &store->files[range->file];
    char *set = json_dumps(point->set, JSON_COMPACT);

    diag_fail(diag, DIAG_RUN,
              "%s:%zu and %s:%zu: both are frames %llu to %llu of %s, with other counts (frame "
              "errors: %llu and %llu; bit errors: %llu and %llu); one of the two machines is wrong",
              a->path, same->line, b->path, range->line, (unsigned long long)range->first,
              (unsigned long long)(range->first + range->counts.frames - 1), set ? set : "a point",
              (unsigned long long)same->counts.frame_errors,
              (unsigned long long)range->counts.frame_errors,
              (unsigned long long)same->counts.bit_errors,
              (unsigned long long)range->counts.bit_errors);
    free(set);
    return -1;
}

int store_settle(struct store *store, struct store_point *point, struct diag *diag)
{
    const struct range *same;
    struct range range;

    if (ranges_settle(&point->ranges, &same, &range))
        return diag_no_memory(diag);
    return same ? differ(store, point, &range, same, diag) : 0;
}

/* Lines of one point by two versions of a backend that is only near its reference are as of two backends. */
static int check_versions(struct store *store, struct store_point *point, struct store_file *file,
                          struct diag *diag)
{
    const json_t *known = store->writer ? store->writer : point->by;
    char versions[160], what[320];

    if (json_object_size(point->near) &&
        versions_differ(point->by, file->writer, versions, sizeof versions)) {
        snprintf(what, sizeof what,
                 "another version of backends that are only near their reference made other lines "
                 "of the point: %s",
                 versions);
        return fail_line(file, diag, what);
    }
    if (!store->mixed && versions_differ(known, file->writer, versions, sizeof versions)) {
        fprintf(stderr, "fecrun: warning: %s:%zu: the journal has lines of several versions: %s\n",
                file->path, file->lines, versions);
        store->mixed = true;
    }
    if (!point->by)
        point->by = json_incref(file->writer);
    return 0;
}

static int add_line(struct store *store, size_t number, json_t *line, struct diag *diag)
{
    struct store_file *file = &store->files[number];
    json_t *set = json_object_get(line, "point"), *near = json_object_get(line, "near");
    struct run_class *rows = calloc(store->n_rows + 1, sizeof *rows);
    struct range range = {.counts.rows = rows};
    struct store_point *point;
    char wrong[160];
    int status = 0;

    if (!rows)
        return diag_no_memory(diag);
    if (!json_is_object(set) || !line_read(line, &range, store->n_rows)) {
        status = damaged(file, "not a line of a journal");
    } else if (line_wrong(line, &range, store->n_rows, wrong, sizeof wrong)) {
        status = diag_fail(diag, DIAG_RUN, "%s:%zu: %s; without this line its frames are run again",
                           file->path, file->lines, wrong);
    } else if (store_point(store, set, near, &point, diag)) {
        status = -1;
    } else if (!json_equal(point->near, near) &&
               json_object_size(point->near) + json_object_size(near)) {
        char text[256];
        char what[512];
        snprintf(
            what, sizeof what,
            "other backends, which are only near each other, made other lines of the point: %s",
            identity_difference(point->near, near, text, sizeof text));
        status = fail_line(file, diag, what);
    } else if (check_versions(store, point, file, diag)) {
        status = -1;
    } else {
        const json_t *ebn0 = json_object_get(line, "ebn0_db"),
                     *esn0 = json_object_get(line, "esn0_db");
        range.file = number;
        range.line = file->lines;
        point->ebn0_db = json_is_number(ebn0) ? json_number_value(ebn0) : NAN;
        point->esn0_db = json_is_number(esn0) ? json_number_value(esn0) : NAN;
        point->split = json_is_true(json_object_get(line, "split"));
        if (json_integer_value(json_object_get(line, "most")) > (json_int_t)point->most)
            point->most = (uint64_t)json_integer_value(json_object_get(line, "most"));
        status = ranges_add(&point->ranges, &range) ? diag_no_memory(diag) : 0;
    }
    free(rows);
    return status;
}

bool store_loosen(struct store *store, const struct run_limits *more)
{
    struct run_limits *limits = &store->limits;
    const struct run_limits before = *limits;
    const bool first = !store->limited;

    if (first) {
        *limits = *more;
    } else {
        limits->frame_errors = !limits->frame_errors || !more->frame_errors ? 0
                               : limits->frame_errors > more->frame_errors  ? limits->frame_errors
                                                                            : more->frame_errors;
        limits->frames = !limits->frames || !more->frames ? 0
                         : limits->frames > more->frames  ? limits->frames
                                                          : more->frames;
        limits->seconds = !(limits->seconds > 0) || !(more->seconds > 0) ? 0
                          : limits->seconds > more->seconds              ? limits->seconds
                                                                         : more->seconds;
    }
    store->limited = true;
    return first || limits->frame_errors != before.frame_errors ||
           limits->frames != before.frames || limits->seconds < before.seconds ||
           limits->seconds > before.seconds;
}

static bool is_old_id(const struct store *store, const char *id)
{
    for (size_t i = 0; i < store->n_old_ids; i++)
        if (!strcmp(id, store->old_ids[i]))
            return true;
    return false;
}

/* A line that has names of an earlier version, with today's. */
static int rename_line(const struct store *store, json_t *line, struct diag *diag)
{
    const json_t *set = json_object_get(line, "point"), *near = json_object_get(line, "near");

    if (json_is_object(set) &&
        json_object_set_new(line, "point", renamed_set(store->registry, store->identity, set)))
        return diag_no_memory(diag);
    if (json_is_object(near) &&
        json_object_set_new(line, "near", renamed_near(store->registry, store->identity, near)))
        return diag_no_memory(diag);
    return 0;
}

static int take_line(struct store *store, size_t number, const char *text, size_t size,
                     struct diag *diag)
{
    struct store_file *file = &store->files[number];
    json_t *line = json_loadb(text, size, 0, NULL);
    const char *id = json_string_value(json_object_get(line, "id"));
    int status = 0;

    file->lines++;
    if (!seal_holds(text, size)) {
        status = damaged(file, "its CRC is wrong");
    } else if (!id) {
        status = damaged(file, "not a line of a journal");
    } else if (strcmp(id, store->id) && !is_old_id(store, id)) {
        char what[160];
        snprintf(what, sizeof what, "of another pipeline: id %.12s..., here %.12s...", id,
                 store->id);
        status = fail_line(file, diag, what);
    } else if (json_object_get(line, "stop")) {
        const struct run_limits limits = line_read_limits(json_object_get(line, "stop"));
        store_loosen(store, &limits);
        json_decref(file->writer);
        file->writer = json_incref(line);
    } else {
        status = (store->registry && is_old_id(store, id) && rename_line(store, line, diag)) ||
                 add_line(store, number, line, diag);
        status = status ? -1 : 0;
    }
    json_decref(line);
    return status;
}

/* ---- Files ---- */

int store_open_file(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) || S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

static int fail_file(const char *path, const char *what, struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "cannot read %s: %s%s%s", path, what, what[0] ? ": " : "",
                     errno == ELOOP    ? "it is a symbolic link, which a journal does not follow"
                     : errno == EINVAL ? "it is not a regular file"
                                       : strerror(errno));
}

/*
 * True if nothing has the file's name any more: its writer had nothing to do and removed it, or a user did.
 * Such a file has no further lines. A link that leads nowhere is still there. Call it when open() failed.
 */
static bool is_removed(const struct store_file *file)
{
    const int reason = errno;
    struct stat st;
    const bool removed = reason == ENOENT && lstat(file->path, &st) && errno == ENOENT;

    errno = reason;
    return removed;
}

/*
 * Returns what follows the place that was read last, *size bytes of it; free it. A file that was removed
 * has nothing. NULL: it cannot be read.
 */
static char *read_more(const struct store_file *file, size_t *size, struct diag *diag)
{
    const int fd = store_open_file(file->path);
    struct stat st;
    char *text = NULL;
    ssize_t got = -1;

    *size = 0;
    if (fd >= 0 && !fstat(fd, &st)) {
        const size_t room = (uint64_t)st.st_size > file->read ? (size_t)st.st_size - file->read : 0;
        text = malloc(room + 1);
        got = text ? pread(fd, text, room, (off_t)file->read) : -1;
    } else if (fd < 0 && is_removed(file)) {
        text = malloc(1);
        got = text ? 0 : -1;
    }
    if (got < 0) {
        fail_file(file->path, "", diag);
        free(text);
        text = NULL;
    }
    *size = got > 0 ? (size_t)got : 0;
    if (fd >= 0)
        close(fd);
    return text;
}

static int read_file(struct store *store, size_t number, struct diag *diag)
{
    struct store_file *file = &store->files[number];
    const char *at, *end;
    size_t size;
    char *text;
    int status = 0;

    if (file->own)
        return 0;
    text = read_more(file, &size, diag);
    if (!text)
        return -1;
    for (at = text; !status && (end = memchr(at, '\n', size - (size_t)(at - text))); at = end + 1)
        status = take_line(store, number, at, (size_t)(end - at), diag);
    file->read += (uint64_t)(at - text);
    free(text);
    return status;
}

int store_add_file(struct store *store, char *path, bool own, struct diag *diag)
{
    struct store_file *files = realloc(store->files, (store->n_files + 1) * sizeof *files);

    if (!path || !files) {
        free(path);
        store->files = files ? files : store->files;
        return diag_no_memory(diag);
    }
    store->files = files;
    files[store->n_files++] = (struct store_file){.path = path, .own = own};
    return 0;
}

char *store_path(const char *dir, const char *name)
{
    const size_t size = strlen(dir) + strlen(name) + 2;
    char *path = malloc(size);

    if (path)
        snprintf(path, size, "%s/%s", dir, name);
    return path;
}

static bool is_known(const struct store *store, const char *path)
{
    for (size_t i = 0; i < store->n_files; i++)
        if (!strcmp(store->files[i].path, path))
            return true;
    return false;
}

/* Those that lines are read from. */
static int each_file(const char *dir, store_visit *visit, void *data, struct diag *diag)
{
    DIR *list = opendir(dir);
    struct dirent *entry;
    int status = 0;

    if (!list)
        return fail_file(dir, "", diag);
    while (!status && (errno = 0, entry = readdir(list))) {
        const size_t n = strlen(entry->d_name);
        char *path;
        if (entry->d_name[0] == '.' || n < 7 || strcmp(entry->d_name + n - 6, ".jsonl"))
            continue;
        path = store_path(dir, entry->d_name);
        status = path ? visit(data, path, diag) : diag_no_memory(diag);
        free(path);
    }
    if (!status && errno)
        status = fail_file(dir, "", diag);
    closedir(list);
    return status;
}

int store_each_file(const char *dir, store_visit *visit, void *data, struct diag *diag)
{
    char *head = store_path(dir, "pipeline.json");
    struct stat st;
    int status = head ? visit(data, head, diag) : diag_no_memory(diag);

    free(head);
    if (status || stat(dir, &st) || !S_ISDIR(st.st_mode) || access(dir, R_OK))
        return status;
    return each_file(dir, visit, data, diag);
}

static int find_file(void *data, const char *path, struct diag *diag)
{
    return is_known(data, path) ? 0 : store_add_file(data, strdup(path), false, diag);
}

int store_read(struct store *store, struct diag *diag)
{
    for (size_t i = 0; i < store->n_dirs; i++)
        if (each_file(store->dirs[i], find_file, store, diag))
            return -1;
    for (size_t i = 0; i < store->n_files; i++)
        if (read_file(store, i, diag))
            return -1;
    for (size_t i = 0; i < store->n_points; i++)
        if (store_settle(store, store->points[i], diag))
            return -1;
    return 0;
}
