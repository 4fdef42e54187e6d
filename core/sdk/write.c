/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/write.h>

#include <fecrun/sdk/params.h>

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

enum { STEP_MS = 100, PATIENCE = 10 /* steps */ };

/* The signal that sets the flag may be another thread's, and a stop rule sends none: so in steps. */
static int wait_for_room(int fd, const volatile int *cancel)
{
    struct pollfd room = {.fd = fd, .events = POLLOUT};

    for (int steps = 0; steps < PATIENCE; steps += cancel && fecrun_cancelled(cancel)) {
        const int n = poll(&room, 1, STEP_MS);

        if (n > 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return -1;
    }
    errno = ETIMEDOUT;
    return -1;
}

int fecrun_write(int fd, const void *data, size_t n, const volatile int *cancel)
{
    const char *from = data;

    while (n > 0) {
        /* this much goes without waiting where there is room at all */
        const size_t part = n < PIPE_BUF ? n : PIPE_BUF;
        ssize_t done;

        if (wait_for_room(fd, cancel))
            return -1;
        done = write(fd, from, part);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return -1;
        if (done > 0) {
            from += done;
            n -= (size_t)done;
        }
    }
    return 0;
}
