/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/heads.h"

#include "tools/fecrun/journal/line.h"
#include "tools/fecrun/journal/store_impl.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_boot(char *text, size_t size)
{
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return false;
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    return text[0];
}

void heads_lock(int fd, json_t *writer)
{
    char boot[64];

    if (read_boot(boot, sizeof boot) && !flock(fd, LOCK_EX | LOCK_NB))
        json_object_set_new(writer, "boot", json_string(boot));
}

static struct run_limits limits_of(const struct store_file *file)
{
    return line_read_limits(json_object_get(file->writer, "stop"));
}

/* Does nobody hold the file's lock, and was nothing written since it was read? */
static bool is_dead(const struct store_file *file)
{
    const int fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;
    const bool dead = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &st) &&
                      S_ISREG(st.st_mode) && (uint64_t)st.st_size == file->read;

    if (fd >= 0)
        close(fd);
    return dead;
}

/* Is it the first line alone, of a process that had the lock under this kernel? */
static bool is_head(const struct store_file *file, const json_t *boot)
{
    return !file->own && file->lines == 1 && file->writer && boot &&
           json_equal(json_object_get(file->writer, "boot"), boot);
}

void heads_remove(const struct store *store)
{
    const json_t *boot = json_object_get(store->writer, "boot");
    struct store kept = {.fd = -1}; /* the loosest rules of files that stay */

    for (size_t i = 0; i < store->n_files; i++)
        if (!store->files[i].own && store->files[i].lines > 1 && store->files[i].writer) {
            const struct run_limits limits = limits_of(&store->files[i]);
            store_loosen(&kept, &limits);
        }
    for (size_t i = 0; i < store->n_files; i++) {
        const struct store_file *file = &store->files[i];
        const struct run_limits limits = limits_of(file);
        struct store with = kept;
        if (!is_head(file, boot))
            continue;
        if (store_loosen(&with, &limits))
            kept = with;
        else if (is_dead(file))
            unlink(file->path);
    }
}
