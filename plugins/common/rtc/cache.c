/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/replace.h>
#include <fecrun/sdk/stage.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/common/rtc/cache.h"

enum { MOST = 64 << 20 }; /* bytes of data */

/* A file: this, then the data. */
struct header {
    char magic[8];
    struct rtc_key key;
    uint64_t size, digest; /* of the data */
};

static const char magic[8] = "fecrunC1";

void rtc_key_add(struct rtc_key *key, const void *data, size_t size)
{
    const uint64_t length = size;

    for (unsigned i = 0; i < 2; i++) {
        key->digest[i] = fecrun_digest(key->digest[i] + i, &length, sizeof length);
        key->digest[i] = fecrun_digest(key->digest[i], data, size);
    }
}

/* As much of it as there is, but not more. 0: all. */
static int read_all(int fd, void *data, size_t size)
{
    char *to = data;

    while (size) {
        const ssize_t n = read(fd, to, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        to += n;
        size -= (size_t)n;
    }
    return 0;
}

static int write_all(int fd, const void *data, size_t size)
{
    const char *from = data;

    while (size) {
        const ssize_t n = write(fd, from, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        from += n;
        size -= (size_t)n;
    }
    return 0;
}

/* The directory, and where the key's name begins in path. -1: there is none. Relative names do not
   count (XDG Base Directory Specification). */
static int directory(char path[PATH_MAX])
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;

    if (xdg && *xdg == '/')
        n = snprintf(path, PATH_MAX, "%s/fecrun", xdg);
    else if (home && *home == '/')
        n = snprintf(path, PATH_MAX, "%s/.cache/fecrun", home);
    return n > 0 && n < PATH_MAX - 64 ? n : -1;
}

static int name(char path[PATH_MAX], const struct rtc_key *key)
{
    const int n = directory(path);

    if (n < 0)
        return -1;
    snprintf(path + n, (size_t)(PATH_MAX - n), "/%016llx%016llx",
             (unsigned long long)key->digest[0], (unsigned long long)key->digest[1]);
    return 0;
}

/* All directories above the last '/' that are not there yet, for this user alone. */
static void make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static void *read_entry(int fd, const struct rtc_key *key, size_t *size)
{
    struct header header;
    struct stat st;
    void *data = NULL;

    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || read_all(fd, &header, sizeof header) ||
        memcmp(header.magic, magic, sizeof magic) || memcmp(&header.key, key, sizeof *key) ||
        header.size > MOST || !header.size || (uint64_t)st.st_size != sizeof header + header.size)
        return NULL;
    data = malloc(header.size);
    if (data &&
        (read_all(fd, data, header.size) || fecrun_digest(0, data, header.size) != header.digest)) {
        free(data);
        data = NULL;
    }
    *size = header.size;
    return data;
}

void *rtc_cache_load(const struct rtc_key *key, size_t *size)
{
    char path[PATH_MAX];
    void *data;
    int fd;

    *size = 0;
    if (name(path, key))
        return NULL;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be anything, a pipe too */
    if (fd < 0)
        return NULL;
    data = read_entry(fd, key, size);
    close(fd);
    return data;
}

void rtc_cache_store(const struct rtc_key *key, const void *data, size_t size)
{
    struct header header = {.key = *key, .size = size, .digest = fecrun_digest(0, data, size)};
    struct fecrun_replace file;
    char path[PATH_MAX];
    struct stat st;

    memcpy(header.magic, magic, sizeof magic);
    if (!size || size > MOST || name(path, key))
        return;
    make_directories(path);
    if ((!stat(path, &st) && !S_ISREG(st.st_mode)) || fecrun_replace_open(&file, path))
        return;
    if (!write_all(file.fd, &header, sizeof header) && !write_all(file.fd, data, size))
        fecrun_replace_commit(&file, "");
    fecrun_replace_drop(&file);
}
