/* SPDX-License-Identifier: BSD-2-Clause */
/* How much memory control groups leave a process: v1 and v2, nested, and as a container shows them. */
#include "t/lib/tap.h"

#include "run/session/session.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        bail("cannot write %s", path);
}

static void is_bytes(uint64_t got, uint64_t want, const char *what)
{
    ok(got == want, "%s: %" PRIu64 ", expected %" PRIu64, what, got, want);
}

int main(void)
{
    char dir[] = "/tmp/fecrun-t.XXXXXX", command[64];

    if (!mkdtemp(dir) || chdir(dir) || mkdir("g", 0700) || mkdir("g/a", 0700) ||
        mkdir("g/a/b", 0700) || mkdir("g/memory", 0700) || mkdir("g/memory/a", 0700))
        bail("cannot make directories in %s", dir);
    is_bytes(budget_of_groups("none", "g"), UINT64_MAX, "no control groups");

    put("groups", "0::/a/b\n");
    is_bytes(budget_of_groups("groups", "g"), UINT64_MAX, "a group without a limit");
    put("g/a/b/memory.max", "max\n");
    is_bytes(budget_of_groups("groups", "g"), UINT64_MAX, "max is none");
    put("g/a/b/memory.max", "2000000000\n");
    is_bytes(budget_of_groups("groups", "g"), 2000000000, "its own limit");
    put("g/a/memory.max", "1500000000\n");
    is_bytes(budget_of_groups("groups", "g"), 1500000000, "that of the group that it is in");
    put("groups", "0::/of/outside\n");
    put("g/memory.max", "700000000\n");
    is_bytes(budget_of_groups("groups", "g"), 700000000, "in a container: that of the mount");

    put("groups", "12:pids:/x\n4:cpu,memory:/a\n0::/elsewhere\n");
    put("g/memory/a/memory.limit_in_bytes", "300000000\n");
    is_bytes(budget_of_groups("groups", "g"), 300000000, "version 1 beside version 2");
    put("g/memory/a/memory.limit_in_bytes", "9223372036854771712\n"); /* what v1 says for none */
    is_bytes(budget_of_groups("groups", "g"), 700000000, "the least of both");
    put("groups", "nonsense\n");
    is_bytes(budget_of_groups("groups", "g"), UINT64_MAX, "a line that is none");
    ok(budget_host_memory() > 0 && budget_host_memory() < UINT64_MAX, "this machine has some");

    snprintf(command, sizeof command, "cd / && rm -r %s", dir);
    if (system(command))
        bail("cannot remove %s", dir);
    return done_testing();
}
