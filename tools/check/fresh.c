/* SPDX-License-Identifier: BSD-2-Clause */
/* One call in a process that has made no other code object: nothing of another one can stick there. */
#include "tools/check/fresh.h"

#include "tools/check/check_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

/* What goes to the process, with the point's text and the inputs behind it. The two are forks of one
   process, so that pointers to the plugin's tables mean the same in both. */
struct question {
    struct check_variant variant;
    struct check_call call;
    struct check_signal port[FECRUN_MAX_PORTS];
    const struct fecrun_form *form;
    size_t text;
};

/* What comes back, with outputs and infos behind it. */
struct answer {
    int status;
    char text[448];
    struct check_result result;
};

/* ---- Bytes ---- */

static bool put(int fd, const void *data, size_t size)
{
    const char *at = data;

    while (size) {
        const ssize_t n = send(fd, at, size, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool get(int fd, void *data, size_t size)
{
    char *at = data;

    while (size) {
        const ssize_t n = recv(fd, at, size, 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* To be freed; NULL: it has not come. */
static void *get_new(int fd, size_t size)
{
    char *data = malloc(size + 1);

    if (data && get(fd, data, size)) {
        data[size] = 0;
        return data;
    }
    free(data);
    return NULL;
}

static size_t signal_bytes(const struct check_signal *signal)
{
    return signal->frames * signal->pieces * signal->stride;
}

static bool put_signals(int fd, const struct check_signal *port)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if (port[p].data && !put(fd, port[p].data, signal_bytes(&port[p])))
            return false;
    return true;
}

/* Where data is not NULL there is some to come; all are their receiver's. */
static bool get_signals(int fd, struct check_signal *port)
{
    bool good = true;

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        if (port[p].data)
            port[p].data = good ? get_new(fd, signal_bytes(&port[p])) : NULL;
        good = good && (port[p].data || !signal_bytes(&port[p]));
    }
    return good;
}

/* ---- In the process ---- */

static void run_one(const struct check *check, const struct question *q,
                    const struct check_input *input, const char *text, struct answer *answer)
{
    struct check_variant v = q->variant;
    struct check_instance instance;
    struct check_point point;
    struct fecrun_error err = {.size = sizeof err};
    struct diag diag = {0};

    answer->status = -1;
    if (!check_point_read(&point, check->stage, text, "schema", &diag)) {
        snprintf(answer->text, sizeof answer->text, "%.400s", diag.text);
        return;
    }
    if (!check_plan(check, &point, &v, &err) &&
        !check_instance_open(&instance, check, check->stage, check->backend, &v, q->form, NULL,
                             q->call.frames, &err))
        answer->status = check_run(&instance, input, &q->call, &answer->result, &err);
    snprintf(answer->text, sizeof answer->text, "%s", err.text);
}

static bool serve(const struct check *check, int fd)
{
    struct check_input input = {0};
    struct answer answer = {0};
    struct question q;
    char *text;

    if (!get(fd, &q, sizeof q))
        return false;
    text = get_new(fd, q.text);
    memcpy(input.port, q.port, sizeof input.port);
    if (!text || !get_signals(fd, input.port))
        return false;
    run_one(check, &q, &input, text, &answer);
    return put(fd, &answer, sizeof answer) &&
           (answer.status ||
            (put_signals(fd, answer.result.out) &&
             put(fd, answer.result.info,
                 answer.result.frames * answer.result.infos * sizeof *answer.result.info)));
}

/* ---- Outside of it ---- */

void check_fresh_start(struct check_fresh *fresh, const struct check *check)
{
    int pair[2];
    pid_t parent = getpid();

    *fresh = (struct check_fresh){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return;
    fflush(NULL); /* or it would print it again */
    fresh->pid = fork();
    if (fresh->pid == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a hang ends with the one that waits for it */
#endif
        close(pair[0]);
        if (getppid() == parent)
            serve(check, pair[1]);
        fflush(NULL);
        _exit(0);
    }
    close(pair[1]);
    fresh->fd = pair[0];
}

static bool ask(const struct check_fresh *fresh, const struct check_variant *v,
                const struct fecrun_form *form, const struct check_input *input,
                const struct check_call *call, struct answer *answer)
{
    struct check_result *r = &answer->result;
    struct question q = {
        .variant = *v, .call = *call, .form = form, .text = strlen(v->point->text)};

    memcpy(q.port, input->port, sizeof q.port);
    if (!put(fresh->fd, &q, sizeof q) || !put(fresh->fd, v->point->text, q.text) ||
        !put_signals(fresh->fd, q.port) || !get(fresh->fd, answer, sizeof *answer))
        return false;
    r->info = NULL;
    if (answer->status) {
        memset(r, 0, sizeof *r);
        return true;
    }
    if (get_signals(fresh->fd, r->out))
        r->info = get_new(fresh->fd, r->frames * r->infos * sizeof *r->info);
    return r->info;
}

int check_fresh_run(struct check_fresh *fresh, const struct check_variant *variant,
                    const struct fecrun_form *form, const struct check_input *input,
                    const struct check_call *call, struct check_result *result,
                    struct fecrun_error *err)
{
    struct answer answer = {0};
    bool told = fresh->fd >= 0 && ask(fresh, variant, form, input, call, &answer);

    *err = (struct fecrun_error){.size = sizeof *err};
    *result = answer.result;
    if (!told)
        snprintf(err->text, sizeof err->text, "it ended without an answer");
    else if (answer.status)
        snprintf(err->text, sizeof err->text, "%s", answer.text);
    return told ? answer.status : -1;
}

void check_fresh_end(struct check_fresh *fresh)
{
    if (fresh->fd >= 0) {
        shutdown(fresh->fd, SHUT_RDWR); /* later ones have a copy of it */
        close(fresh->fd);
    }
    if (fresh->pid > 0)
        while (waitpid(fresh->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    *fresh = (struct check_fresh){.fd = -1};
}
