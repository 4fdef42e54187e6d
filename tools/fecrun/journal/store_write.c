/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a journal: its directory, the pipeline's identity, and the file of this process. */
#include "tools/fecrun/journal/store_impl.h"
#include "tools/fecrun/json/objects.h"

#include "core/base/cpu.h"
#include "tools/fecrun/journal/heads.h"
#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/journal/renamed.h"
#include "tools/fecrun/journal/line.h"
#include "tools/fecrun/journal/seal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT 1
#define SYNC_EVERY 10.0 /* seconds: what a power cut costs */
#define SYNC_SHARE 200  /* of the time at least, that fsync() may not take */

/* ---- What it is a journal of ---- */

/* status: DIAG_USAGE where the user named what cannot be written at all. */
static int fail_write(const char *path, int status, struct diag *diag)
{
    return diag_fail(diag, status, "cannot write %s: %s", path, strerror(errno));
}

/* HOST-PID-RANDOM: a name that no other process has, on no machine. */
static void unique_name(char *text, size_t size, const char *before, const char *after)
{
    char host[64] = "";
    unsigned char bytes[4] = {0};
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

    if (fd >= 0 && read(fd, bytes, sizeof bytes) != sizeof bytes)
        bytes[0] = 0;
    if (fd >= 0)
        close(fd);
    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '.')
            *p = '_';
    snprintf(text, size, "%s%s-%ld-%02x%02x%02x%02x%s", before, *host ? host : "host",
             (long)getpid(), bytes[0], bytes[1], bytes[2], bytes[3], after);
}

static int write_all(int fd, const char *text, size_t size)
{
    while (size) {
        const ssize_t n = write(fd, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        text += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Complete or not at all: a file of another name that gets this one when it is on the disk. */
static int write_head(const char *dir, const char *path, const char *text, struct diag *diag)
{
    char name[160];
    char *temporary;
    int fd, status = -1;

    unique_name(name, sizeof name, ".", ".tmp");
    temporary = store_path(dir, name);
    if (!temporary)
        return diag_no_memory(diag);
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && !write_all(fd, text, strlen(text)) && !fsync(fd) &&
        (!link(temporary, path) || errno == EEXIST))
        status = 0;
    /* a file system without links: two that begin at once write the same */
    else if (fd >= 0 && (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS))
        status = rename(temporary, path);
    if (status)
        fail_write(path, fd < 0 ? diag_of_open(errno) : DIAG_RUN, diag);
    if (fd >= 0)
        close(fd);
    unlink(temporary);
    free(temporary);
    return status;
}

/* The name itself outlives a power cut only then. Not every file system can. */
static int sync_directory(const char *dir, struct diag *diag)
{
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = 0;

    if (fd < 0)
        return fail_write(dir, DIAG_RUN, diag);
    if (fsync(fd) && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
        status = fail_write(dir, DIAG_RUN, diag);
    close(fd);
    return status;
}

/* The directory's own name is one in its parent, which may be one that cannot be read. */
static int sync_parent(const char *dir, struct diag *diag)
{
    char *copy = strdup(dir);
    const char *parent = copy ? dirname(copy) : NULL;
    int status = 0;

    if (!parent)
        status = diag_no_memory(diag);
    else if (!access(parent, R_OK))
        status = sync_directory(parent, diag);
    free(copy);
    return status;
}

static int make_head(const char *dir, const char *path, const json_t *identity, struct diag *diag)
{
    char id[SHA256_TEXT];
    json_t *head;
    char *text;
    int status;

    if (!mkdir(dir, 0777)) {
        if (sync_parent(dir, diag))
            return -1;
    } else if (errno != EEXIST) {
        return diag_fail(diag, diag_of_open(errno), "--journal %s: cannot make the directory: %s",
                         dir, strerror(errno));
    }
    if (access(path, F_OK) == 0)
        return 0;
    if (identity_hash(identity, id))
        return diag_no_memory(diag);
    head = json_pack("{s:s, s:i, s:s, s:O}", "type", "journal", "format", FORMAT, "id", id,
                     "identity", identity);
    text = head && !objects_lost() ? json_dumps(head, JSON_INDENT(1) | JSON_REAL_PRECISION(17))
                                   : NULL;
    status = text ? write_head(dir, path, text, diag) : diag_no_memory(diag);
    free(text);
    json_decref(head);
    return status;
}

/* Lines of the directory have this id, and mean the store's pipeline. */
static int add_old_id(struct store *store, const json_t *found, struct diag *diag)
{
    char(*grown)[SHA256_TEXT] = realloc(store->old_ids,
                                        (store->n_old_ids + 1) * sizeof *store->old_ids);

    if (!grown)
        return diag_no_memory(diag);
    store->old_ids = grown;
    if (identity_hash(found, grown[store->n_old_ids]))
        return diag_no_memory(diag);
    store->n_old_ids++;
    return 0;
}

static int check_identity(struct store *store, const char *path, const json_t *found,
                          const json_t *wanted, struct diag *diag)
{
    char hash[SHA256_TEXT], other[SHA256_TEXT], text[512];

    if (identity_hash(found, hash) || (wanted && identity_hash(wanted, other)))
        return diag_no_memory(diag);
    if (wanted && strcmp(hash, other))
        return diag_fail(diag, DIAG_USAGE, "%s: the journal of another pipeline: %s", path,
                         identity_difference(found, wanted, text, sizeof text));
    if (store->identity && strcmp(hash, store->id))
        return diag_fail(diag, DIAG_USAGE, "%s and %s: journals of different pipelines: %s, %s",
                         store->dirs[0], path, store->dirs[0],
                         identity_difference(store->identity, found, text, sizeof text));
    if (!store->identity)
        store->identity = json_incref((json_t *)found);
    memcpy(store->id, hash, sizeof hash);
    return 0;
}

/* With today's names, where they are known. */
static int check_renamed(struct store *store, const char *path, const json_t *found,
                         const json_t *wanted, struct diag *diag)
{
    json_t *now = store->registry ? renamed_run(store->registry, found) : NULL;
    int status;

    if (store->registry && !now)
        return diag_no_memory(diag);
    status = check_identity(store, path, now ? now : found, wanted, diag);
    if (!status && now && !json_equal(now, (json_t *)found))
        status = add_old_id(store, found, diag);
    json_decref(now);
    return status;
}

static int read_head(struct store *store, const char *path, const json_t *wanted, struct diag *diag)
{
    json_error_t error;
    const int fd = store_open_file(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    json_t *head = file ? json_loadf(file, 0, &error) : NULL;
    const json_t *found = json_object_get(head, "identity");
    const json_t *format = json_object_get(head, "format");
    int status;

    if (!file)
        status = diag_fail(diag, diag_of_open(errno), "%s: is not a journal: %s", path,
                           errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    else if (ferror(file))
        status = diag_fail(diag, DIAG_RUN, "cannot read %s: %s", path, strerror(errno));
    else if (!json_is_integer(format) || !json_is_object(found))
        status = diag_fail(diag, DIAG_USAGE, "%s: is not the beginning of a journal", path);
    else if (json_integer_value(format) != FORMAT)
        status = diag_fail(diag, DIAG_USAGE,
                           "%s: a journal of format %lld; this program knows format %d", path,
                           (long long)json_integer_value(format), FORMAT);
    else
        status = check_renamed(store, path, found, wanted, diag);
    if (file)
        fclose(file);
    json_decref(head);
    return status;
}

static void count_rows(struct store *store)
{
    const json_t *blocks = json_object_get(store->identity, "blocks");
    uint64_t frames = 0;
    json_t *row;
    size_t i;

    json_array_foreach(blocks, i, row)
        frames += (uint64_t)json_integer_value(json_object_get(row, "count"));
    store->n_rows = json_array_size(blocks);
    store->unit = frames ? frames : 1;
}

int store_open(struct store *store, const char *dir, const json_t *identity, struct diag *diag)
{
    char **dirs = realloc(store->dirs, (store->n_dirs + 1) * sizeof(*dirs));
    char *path = store_path(dir, "pipeline.json");
    int status;

    if (!store->n_dirs)
        store->fd = -1;
    store->dirs = dirs ? dirs : store->dirs;
    if (!dirs || !path || !(dirs[store->n_dirs] = strdup(dir))) {
        free(path);
        return diag_no_memory(diag);
    }
    status = (identity && make_head(dir, path, identity, diag)) ||
             read_head(store, path, identity, diag);
    store->n_dirs++;
    if (!status)
        count_rows(store);
    free(path);
    return status ? -1 : 0;
}

/* ---- The own file ---- */

/* One write() but where the disk is full. Of a line that does not fit nothing is left behind; if that
   fails, too, it has no newline, which is as good. */
static int write_line(struct store *store, json_t *line, struct diag *diag)
{
    const char *path = store->files[store->own].path;
    size_t size;
    char *text = seal_line(
        line && !objects_lost() ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL,
        &size);
    int status;

    if (!text)
        return diag_no_memory(diag);
    status = write_all(store->fd, text, size);
    free(text);
    if (!status) {
        store->written += size;
        store->files[store->own].lines++;
        store->unsynced = true;
        return 0;
    }
    status = diag_fail(diag, DIAG_RUN,
                       "cannot write %s: %s; the journal so far is valid: start again when "
                       "there is room",
                       path, strerror(errno));
    status |= ftruncate(store->fd, (off_t)store->written);
    return status;
}

static int sync_file(struct store *store, struct diag *diag)
{
    const double begin = cpu_seconds();
    double took;

    if (!store->unsynced)
        return 0;
    if (fsync(store->fd) && errno != EINVAL && errno != EROFS)
        return fail_write(store->files[store->own].path, DIAG_RUN, diag);
    took = cpu_seconds() - begin;
    store->unsynced = false;
    store->sync_every = SYNC_EVERY > SYNC_SHARE * took ? SYNC_EVERY : SYNC_SHARE * took;
    store->sync_at = begin + took + store->sync_every;
    return 0;
}

int store_begin(struct store *store, struct diag *diag)
{
    json_t *writer = store->writer;
    const struct run_limits limits = line_read_limits(json_object_get(writer, "stop"));
    const char *dir = store->dirs[0];
    char name[160];
    char *path;

    unique_name(name, sizeof name, "", ".jsonl");
    path = store_path(dir, name);
    store->fd = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (path && store->fd < 0) {
        fail_write(path, diag_of_open(errno), diag);
        free(path);
        return -1;
    }
    store->own = store->n_files;
    json_object_set_new(writer, "id", json_string(store->id));
    if (path)
        heads_lock(store->fd, writer);
    if (store_add_file(store, path, true, diag) || write_line(store, writer, diag))
        return -1;
    heads_remove(store);
    store->loosened = store_loosen(store, &limits);
    store->sync_at = cpu_seconds() + SYNC_EVERY;
    return sync_directory(dir, diag);
}

int store_append(struct store *store, struct store_point *point, struct range *range, json_t *extra,
                 struct diag *diag)
{
    json_t *line = line_of(store, point, range);
    int status;

    if (line && extra)
        json_object_update(line, extra);
    status = write_line(store, line, diag);
    json_decref(line);
    json_decref(extra);
    if (status)
        return -1;
    if (!point->by)
        point->by = json_incref(store->writer);
    range->file = store->own;
    range->line = store->files[store->own].lines;
    if (cpu_seconds() >= store->sync_at && sync_file(store, diag))
        return -1;
    if (ranges_add(&point->ranges, range))
        return diag_no_memory(diag);
    return store_settle(store, point, diag);
}

static int close_own(struct store *store, struct diag *diag)
{
    struct store_file *file = &store->files[store->own];
    int status = sync_file(store, diag);

    if (close(store->fd) && !status)
        status = fail_write(file->path, DIAG_RUN, diag);
    if (file->lines <= 1 && !store->loosened)
        unlink(file->path);
    return status;
}

int store_close(struct store *store, struct diag *diag)
{
    const int status = store->n_dirs && store->fd >= 0 && store->own < store->n_files
                           ? close_own(store, diag)
                           : 0;

    for (size_t i = 0; i < store->n_points; i++) {
        json_decref(store->points[i]->set);
        json_decref(store->points[i]->near);
        json_decref(store->points[i]->by);
        ranges_free(&store->points[i]->ranges);
        free(store->points[i]);
    }
    for (size_t i = 0; i < store->n_files; i++) {
        free(store->files[i].path);
        json_decref(store->files[i].writer);
    }
    for (size_t i = 0; i < store->n_dirs; i++)
        free(store->dirs[i]);
    free(store->points);
    free(store->files);
    free(store->dirs);
    json_decref(store->identity);
    free(store->old_ids);
    json_decref(store->writer);
    *store = (struct store){.fd = -1};
    return status;
}
