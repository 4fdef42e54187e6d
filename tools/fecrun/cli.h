/* SPDX-License-Identifier: BSD-2-Clause */
/* Command line of all verbs; see `usage` in cli.c. */
#ifndef FECRUN_TOOL_CLI_H
#define FECRUN_TOOL_CLI_H

#include "tools/fecrun/preset.h"
#include "tools/fecrun/result.h"
#include "tools/fecrun/warnings.h"
#include "run/session/session.h"

struct cli {
    const char *verb;
    const char *operand_kind; /* struct verb's */
    const char *operand;      /* FILE.yaml, STAGE or NAME; NULL: none given */
    const char **operands;    /* merge, plot: all of them; owned */
    size_t n_operands;
    struct preset *preset; /* --preset; NULL: a file; owned */
    const char *preset_name;
    struct session_options session;              /* --set --backend --plugin-dir --threads */
    struct warnings warnings;                    /* of its sessions */
    struct result_options result;                /* --json --csv --quiet */
    const char *stage;                           /* bench --stage */
    const char *batches;                         /* bench --batches */
    bool sweep_batch, all_points, stage_only;    /* bench */
    bool latency;                                /* bench */
    const char *rates, *seconds;                 /* bench --rate, --seconds */
    const char *a, *b, *accept, *fer;            /* compare */
    const char *journal, *shard, *replay, *dump; /* run; dump: compare, too */
    bool stats;                                  /* run */
    bool doctor;                                 /* run */
    bool cxx, cuda;                              /* new-plugin */
    const char *output, *gp;                     /* plot -o, --gp */
    bool ber, guides;                            /* plot */
    const char *title, *xrange, *yrange;         /* plot */
    const char *size, *group;                    /* plot */
    const char *restrict_to;                     /* --restrict */
    char *restricted;                            /* without links; owned */
    bool help;
    const char **sets, **sweeps, **dirs, **labels; /* owned */
};

struct verb {
    const char *name;
    const char *operand; /* "FILE.yaml", "STAGE", "NAME", "DIR...", "[NAME]" (optional) or NULL */
    const char *summary;
    int (*run)(const struct cli *cli, struct diag *diag);
};

struct cli_option {
    const char *name;
    const char *verbs; /* those that take it; NULL: all */
    const char *help;  /* its lines of --help */
};

/* All options in the order of --help; NULL: no more, or none of that name. */
const struct cli_option *cli_option(size_t i);
const struct cli_option *cli_option_named(const char *name);
bool cli_is_flag(const struct cli_option *option); /* has no value */
bool cli_takes(const char *verb, const struct cli_option *option);

/* A command line of so many words without any of them; cli_free() also after an error. */
int cli_begin(struct cli *cli, const struct verb *verb, int argc, struct diag *diag);
void cli_append(const char **list, const char *value); /* to an owned list of cli's */
int cli_use_preset(struct cli *cli, const char *name, struct diag *diag);

int cli_parse(struct cli *cli, const struct verb *verb, int argc, char **argv, struct diag *diag);
void cli_free(struct cli *cli);
const struct verb *cli_verb(const struct verb *const *verbs, const char *name);
void cli_usage(FILE *out, const struct verb *const *verbs, const struct verb *verb);

/* Tells what stages of the session warned of, on stderr. */
void cli_warn(const struct session *session);

int cmd_run(const struct cli *cli, struct diag *diag);
int cmd_check(const struct cli *cli, struct diag *diag);
int cmd_example(const struct cli *cli, struct diag *diag);
/* Names of examples; NULL: no more. */
const char *example_name(size_t i);
int cmd_explain(const struct cli *cli, struct diag *diag);
int cmd_list(const struct cli *cli, struct diag *diag);
int cmd_describe(const struct cli *cli, struct diag *diag);
int cmd_bench(const struct cli *cli, struct diag *diag);
int cmd_compare(const struct cli *cli, struct diag *diag);
int cmd_merge(const struct cli *cli, struct diag *diag);
int cmd_new_plugin(const struct cli *cli, struct diag *diag);
int cmd_sync(const struct cli *cli, struct diag *diag);
int cmd_plot(const struct cli *cli, struct diag *diag);
int cmd_report(const struct cli *cli, struct diag *diag);

/* Checks that no option writes a file that the command reads, or that another option writes. Operands and
   options are always looked at; registry and session are NULL as long as they are not open. -1: DIAG_USAGE. */
int cli_check_files(const struct cli *cli, const struct registry *registry,
                    const struct session *session, struct diag *diag);

/* registry_open(), and session_open() of the operand, followed by cli_check_files(). Verbs open plugins and
   pipelines only by these two. After an error nothing is open. */
int cli_open_registry(const struct cli *cli, struct registry **registry, struct diag *diag);
int cli_open_session(const struct cli *cli, const struct session_options *options,
                     struct session *session, struct diag *diag);

/* --restrict DIR: the pipeline's files have to lie in it from now on. An error if one of the command line that is
   written does not. */
int cli_check_within(struct cli *cli, struct diag *diag);

/* Writes one JSON object and a newline to --json FILE ("-": stdout), by way of a temporary. */
int cli_write_json(const struct cli *cli, json_t *object, struct diag *diag);

/* Ends the result files and returns the verb's status; stopped: by a signal, before its end. */
int cli_close(const struct cli *cli, struct result *result, int status, bool stopped,
              struct diag *diag);

/* An error if the user named several devices for what runs on one: `what`. */
int cli_one_device(const struct session *session, const char *what, struct diag *diag);

#endif
