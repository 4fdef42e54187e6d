/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun run as one of several processes of a job. */
#include "tools/fecrun/cmd_run.h"

#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/numa.h"
#include "tools/fecrun/report.h"

#include <string.h>
#include <unistd.h>

static const char *host_name(char *name, size_t size)
{
    memset(name, 0, size);
    return gethostname(name, size - 1) ? "?" : name;
}

/* What has to be the same everywhere: version, pipeline, points, backends that are only near. */
static json_t *hello_of(const struct session *session, const struct session_plan *plan,
                        struct diag *diag)
{
    json_t *run = report_run(session, plan, 1);
    json_t *identity = run ? identity_of(session, run, diag) : NULL;
    char name[64], id[SHA256_TEXT];
    json_t *hello = NULL;

    if (!run)
        diag_no_memory(diag);
    else if (identity && !identity_hash(identity, id))
        hello = json_pack("{s:s, s:O, s:i, s:s, s:O, s:O, s:o}", "host",
                          host_name(name, sizeof name), "fecrun", json_object_get(run, "fecrun"),
                          "part", (int)sizeof(struct run_part), "id", id, "identity", identity,
                          "sweep", json_object_get(run, "sweep"), "near",
                          identity_near(session, plan));
    if (identity && !hello)
        diag_no_memory(diag);
    json_decref(identity);
    json_decref(run);
    return hello;
}

/* Rank 0, before its first frame. */
int run_welcome(struct running *running, const struct session_plan *plan, struct diag *diag)
{
    if (!running->cluster->transport)
        return 0;
    return cluster_welcome(running->cluster, hello_of(running->session, plan, diag), diag);
}

int run_check_cluster(const struct cli *cli, const struct cluster *cluster, struct diag *diag)
{
    const char *alone = cli->replay   ? "--replay"
                        : cli->doctor ? "--doctor"
                        : cli->stats  ? "--stats"
                        : cli->shard  ? "--shard"
                                      : NULL;

    if (!cluster->transport || !alone)
        return 0;
    return diag_fail(diag, DIAG_USAGE,
                     "%s: is for a single process, and this is one of %d processes of a job", alone,
                     cluster->size);
}

/* Its words go to rank 0, which tells them. */
void run_worker(const struct cli *cli, struct cluster *cluster, const volatile int *signal)
{
    const struct sweep_options options = {.cancel = &cluster->cancel, .sinkless = true};
    const struct fleet_options fleet = {
        .local = cluster->local, .locals = cluster->locals, .bind = numa_bind_share};
    const struct session_plan *plan;
    struct server *server = NULL;
    struct session session;
    struct diag diag = {0};
    json_t *hello = NULL;
    char name[64];
    const bool open = !session_open(&session, cli->operand, &cli->session, &diag);

    if (open && !serve_open(&server, &session, &options, &fleet, &plan, &diag))
        hello = hello_of(&session, plan, &diag);
    if (!hello) {
        serve_close(server);
        server = NULL;
        hello = json_pack("{s:s, s:s}", "host", host_name(name, sizeof name), "error", diag.text);
    }
    cluster_work(cluster, server, hello, signal);
    if (open)
        session_close(&session);
}
