/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/signals.h"

#include "core/base/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static volatile int stopped;
static int64_t first; /* when, in ms; 0: not yet */

/* Batch systems and timeout(1) send a signal to a process and to its group, so it comes twice. */
static void on_signal(int number)
{
    static const char text[] = "fecrun: ended at once by a second signal; results are lost, and "
                               "temporary files may be left\n";
    struct timespec now;
    int64_t ms, before = 0;

    (void)number;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&first, &before, ms, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
        ms - before < 1000)
        return;
    while (write(STDERR_FILENO, text, sizeof text - 1) < 0 && errno == EINTR)
        continue;
    _exit(DIAG_RUN);
}

/* Without SA_RESTART: a read that waits for input ends. */
volatile int *signals_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &stopped;
}
