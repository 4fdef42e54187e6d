/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/file/pipeline.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <unistd.h>

static char dir[] = "/tmp/fecrun-pipeline-XXXXXX";
static char file[64];
static struct diag error;

#define HEAD "fecrun: 1\npipeline: [source.random, channel.awgn: {ebn0_db: 4}, sink.null]\n"

static void write_file(const char *name, const char *text)
{
    int fd = openat(AT_FDCWD, name, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        bail("cannot write %s", name);
    close(fd);
}

static struct pipeline *load_with(const char *text, const struct pipeline_options *options)
{
    struct pipeline *pipeline;

    error = (struct diag){0};
    write_file(file, text);
    pipeline_load(&pipeline, file, options, &error);
    return pipeline;
}

static struct pipeline *load(const char *text)
{
    return load_with(text, NULL);
}

/* The text of the error without the directory. */
static const char *error_text(void)
{
    size_t n = strlen(dir);

    return strncmp(error.text, dir, n) ? error.text : error.text + n + 1;
}

static void refused(const char *text, const char *want)
{
    struct pipeline *pipeline = load(text);

    is_int(pipeline ? 0 : error.status, DIAG_USAGE, "refused");
    is_str(error_text(), want, "and told why");
    pipeline_free(pipeline);
}

static struct pipeline *load_set(const char *text, const char *set)
{
    const char *const sets[] = {set, NULL};

    return load_with(text, &(struct pipeline_options){.sets = sets});
}

static void refused_set(const char *set, const char *want)
{
    struct pipeline *pipeline = load_set(HEAD, set);

    ok(!pipeline, "refused");
    is_str(error.text, want, "and told why");
    pipeline_free(pipeline);
}

static void test_full(void)
{
    struct pipeline *p = load("fecrun: 1\nseed: 18446744073709551615\nbatch: \"1024\"\n"
                              "in_flight: 4\nlatency: low\nbackend: cuda:1\npipeline:\n"
                              "  - source.random:  {bits: 4096}\n"
                              "  - llr.quantize:\n"
                              "      id: q.1\n"
                              "      scale: 4\n"
                              "  - llr.quantize: {id: q, backend: ref, tune: {threads: 2}}\n"
                              "  - sink.null\n"
                              "stop: {frame_errors: 100, frames: 1e6, seconds: 1.5}\n");

    if (!ok(p != NULL, "a full file: %s", error.text))
        return;
    ok(p->seed == UINT64_MAX, "seed");
    is_int(p->batch, 1024, "batch, quoted");
    is_int(p->in_flight, 4, "in_flight");
    ok(p->low_latency, "latency");
    is_str(p->backend, "cuda:1", "backend");
    is_str(p->place.base_dir, dir, "directory");
    is_int(p->n_stages, 4, "stages");
    is_str(p->stages[0].id, "source.random", "id by default");
    is_int(p->stages[0].mark.line, 8, "mark");
    is_str(p->stages[1].id, "q.1", "id");
    is_str(p->stages[1].name, "llr.quantize", "name");
    is_str(conf_get(p->stages[1].params, "scale")->text, "4", "parameters");
    is_str(p->stages[2].backend, "ref", "own backend");
    is_int(p->stages[2].backend_mark.line, 12, "and its mark");
    ok(conf_get(p->stages[2].tune, "threads"), "tune");
    ok(!p->stages[3].params->count && !strcmp(p->stages[3].name, "sink.null"), "only a name");
    ok(p->stop_given && p->stop_frame_errors == 100 && p->stop_frames == 1000000 &&
           p->stop_seconds == 1.5,
       "stop");
    pipeline_free(p);
    p = load("{\"fecrun\": 1, \"pipeline\": [{\"source.random\": {\"bits\": 1}}, "
             "{\"sink.null\": null}], \"sweep\": {}, \"stop\": null, \"backend\": \"auto\"}");
    ok(p && p->in_flight == 3 && !p->seed && !p->batch && !p->low_latency && !p->stop_given &&
           !p->backend,
       "JSON, and defaults");
    pipeline_free(p);
}

#define MEANING \
    "; any name is allowed but source, let, sweep, stop and those of settings (seed, batch, " \
    "in_flight, latency, " \
    "backend, stop.frame_errors, stop.frames, stop.seconds)"

static void test_refusals(void)
{
    refused("[1]", "p.yaml:1:1: a pipeline file must be a map with the keys fecrun and pipeline, "
                   "is a list");
    refused("pipeline: [a]", "p.yaml:1:1: fecrun: must be given: the format version, `fecrun: 1`");
    refused("fecrun: 2\nnew: 1\n", "p.yaml:1:9: fecrun: must be 1, the format version that this "
                                   "program reads, is '2'");
    refused("fecrun: 1\n", "p.yaml:1:1: pipeline: must be given: the list of stages");
    refused("fecrn: 1\n", "p.yaml:1:1: fecrn: no such parameter (did you mean fecrun?)");
    refused("fecrun: 1\nseed: 1\npipelin: []\n",
            "p.yaml:3:1: pipelin: no such parameter (did you mean pipeline?)");
    refused("fecrun: 1\npipeline: []\n",
            "p.yaml:2:11: pipeline: must be a list of 2 to 64 stages, is empty");
    refused("fecrun: 1\npipeline: {a: b}\n",
            "p.yaml:2:11: pipeline: must be a list of 2 to 64 stages, is a map");
    refused(HEAD "sede: 1\n", "p.yaml:3:1: sede: no such parameter (did you mean seed?)");
    refused(HEAD "stopp: {frames: 1}\n",
            "p.yaml:3:1: stopp: no such parameter (did you mean stop?)");
    refused(HEAD "sweep: {zipp: []}\n",
            "p.yaml:3:9: sweep.zipp: a swept name must be STAGE.PARAMETER, with a stage of this "
            "pipeline (did you mean zip?)");
    refused(HEAD "swep: {}\n", "p.yaml:3:1: swep: no such parameter (did you mean sweep?)");
    refused(HEAD "seed: -1\n", "p.yaml:3:7: seed: must be an integer from 0 to "
                               "18446744073709551615, is '-1'");
    refused(HEAD "batch: 0\n", "p.yaml:3:8: batch: must be an integer from 1 to 16777216, is '0'");
    refused(HEAD "in_flight: 65\n", "p.yaml:3:12: in_flight: must be an integer from 1 to 64, is "
                                    "'65'");
    refused(HEAD "latency: fast\n", "p.yaml:3:10: latency: must be one of auto, low, is 'fast'");
    refused(HEAD "latency: Low\n",
            "p.yaml:3:10: latency: must be one of auto, low, is 'Low' (did you mean low?)");
    refused(HEAD "latency: {low: 1}\n", "p.yaml:3:10: latency: must be one of auto, low, is a map");
    refused(HEAD "backend: [cuda]\n",
            "p.yaml:3:10: backend: must be the name of a backend or auto");
    refused(HEAD "seed:\n", "p.yaml:3:6: seed: must be an integer from 0 to 18446744073709551615, "
                            "is ''");
    refused(HEAD "stop: {frame: 1}\n", "p.yaml:3:8: stop.frame: no such parameter (did you mean "
                                       "stop.frames?)");
    refused(HEAD "stop: {seconds: 0}\n", "p.yaml:3:17: stop.seconds: must be a number of at least "
                                         "1e-09, is '0'");
    refused(HEAD "stop: 5\n", "p.yaml:3:7: stop: must be a map");
    refused("fecrun: 1\npipeline:\n- a.b: {}\n  bits: 5\n",
            "p.yaml:4:3: bits: a second key in a stage; write `- STAGE: {name: value}` or indent "
            "parameters more than the stage");
    refused("fecrun: 1\npipeline: [[a]]\n", "p.yaml:2:12: pipeline: a stage must be written "
                                            "`- STAGE: {name: value}`, is a list");
    refused("fecrun: 1\npipeline: [a: 5]\n", "p.yaml:2:15: a: must be a map of parameters {name: "
                                             "value}, is '5'");
    refused("fecrun: 1\npipeline: [a, b, a]\n", "p.yaml:2:18: a: the stage in line 2 is called a, "
                                                "too; give this one another `id:`");
    refused("fecrun: 1\npipeline: [a, b: {id: a}]\n",
            "p.yaml:2:15: b: the stage in line 2 is called a, too; give this one another `id:`");
    refused("fecrun: 1\npipeline: [a, b: {id: 5x}]\n",
            "p.yaml:2:23: b.id: must be a name of letters, digits and _ . - that begins with a "
            "letter or _, is '5x'");
    refused("fecrun: 1\npipeline: [a, b: {id: source}]\n",
            "p.yaml:2:23: b.id: `source` has another meaning" MEANING);
    refused("fecrun: 1\npipeline: [a, b: {id: stop.frames}]\n",
            "p.yaml:2:23: b.id: `stop.frames` has another meaning" MEANING);
    refused("fecrun: 1\npipeline: [a: {tune: 5}]\n",
            "p.yaml:2:22: a.tune: must be a map of backend settings, is '5'");
    refused("fecrun: 1\npipeline: [a: {backend: {}}]\n",
            "p.yaml:2:25: a.backend: must be the name of a backend or auto");
}

/* Stages may be called as settings begin. */
static void test_stop_ids(void)
{
    static const char *const ids[] = {"stop.x", "stop.frames.x", "seed.x", "backend.stop", NULL};

    for (size_t i = 0; ids[i]; i++) {
        char text[160], set[64];
        struct pipeline *p;
        snprintf(text, sizeof text, "fecrun: 1\npipeline: [a, b: {id: %s}]\n", ids[i]);
        snprintf(set, sizeof set, "%s.p=1", ids[i]);
        p = load_set(text, set);
        if (ok(p != NULL, "a stage called %s: %s", ids[i], p ? "" : error.text)) {
            ok(!p->stop_given, "--set of its parameter leaves the default stop rules");
            is_str(conf_get(p->stages[1].params, "p") ? "p" : NULL, "p", "and is one");
        }
        pipeline_free(p);
    }
}

static void is_values(const struct pipeline_sweep *sweep, const char *want)
{
    char text[512] = "";

    for (size_t i = 0; i < sweep->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "",
                 sweep->values[i]);
    is_str(text, want, "values");
}

static void sweep_gives(const char *range, const char *want)
{
    char text[256];
    struct pipeline *p;

    snprintf(text, sizeof text, HEAD "sweep: {channel.awgn.ebn0_db: %s}\n", range);
    p = load(text);
    if (ok(p && p->n_sweeps == 1, "sweep %s %s", range, error.text))
        is_values(&p->sweeps[0], want);
    pipeline_free(p);
}

static void test_sweeps(void)
{
    struct pipeline *p;

    sweep_gives("\"0:0.5:3\"", "0 0.5 1 1.5 2 2.5 3");
    sweep_gives("0:0.1:0.35", "0 0.1 0.2 0.3");
    sweep_gives("-0.3:0.1:0.3", "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
    sweep_gives("3:-1:1", "3 2 1");
    sweep_gives("5:1:5", "5");
    sweep_gives("1e6:500000:2e6", "1000000 1500000 2000000");
    sweep_gives("[1, 2.50, '0o7', a:b]", "1 2.50 0o7 a:b");
    sweep_gives("4", "4");
    sweep_gives("max-log", "max-log");
    p = load("fecrun: 1\npipeline: [a, a: {id: a.b}, c]\n"
             "sweep: {a.b.c: [1, 2], a.d.e: 0:1:2}\n");
    if (ok(p && p->n_sweeps == 2, "two sweeps")) {
        is_str(p->sweeps[0].stage, "a.b", "the longest id");
        is_str(p->sweeps[0].param, "c", "and the rest");
        is_str(p->sweeps[1].stage, "a", "an id");
        is_str(p->sweeps[1].param, "d.e", "a nested parameter");
        is_int(p->sweeps[1].mark.line, 3, "mark");
    }
    pipeline_free(p);
    refused(HEAD "sweep: {channel.awgm.ebn0_db: 1}\n",
            "p.yaml:3:9: sweep.channel.awgm.ebn0_db: a swept name must be STAGE.PARAMETER, with a "
            "stage of this pipeline (did you mean channel.awgn.ebn0_db?)");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 0:0:1}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: the step of start:step:stop must not be 0");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 0:-1:1}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: the step leads away from the end: 0:-1:1");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 0:1}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: must be start:step:stop, three numbers, is "
            "'0:1'");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 0:1e-9:1}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: has more values, may have 1 to 10000");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 0:1e-320:1}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: has more values, may have 1 to 10000");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: 1e15:1:1000000000000010}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: the step is too small next to the values");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: []}\n",
            "p.yaml:3:31: sweep.channel.awgn.ebn0_db: has no values, may have 1 to 10000");
    refused(HEAD "sweep: {channel.awgn.ebn0_db: [[1]]}\n",
            "p.yaml:3:32: sweep.channel.awgn.ebn0_db: item 1 must be a single value (a list as a "
            "value is written in quotes: \"[1, 2]\")");
    refused(HEAD "sweep: {channel.awgn.backend: [ref]}\n",
            "p.yaml:3:9: sweep.channel.awgn.backend: cannot be swept; only parameters can");
    refused(HEAD "sweep: {channel.awgn.a: 0:1:9999, channel.awgn.b: 0:1:9999}\n",
            "p.yaml:3:51: sweep: more than 1000000 points in all");
}

static void test_sets(void)
{
    static const char *const many[] = {"seed=7",
                                       "batch=0x10",
                                       "in_flight=2",
                                       "latency=low",
                                       "backend=ref",
                                       "stop.frames=5",
                                       "stop.seconds=2",
                                       "channel.awgn.tile.f=8",
                                       "channel.awgn.backend=cuda",
                                       "channel.awgn.tune.x=1",
                                       "channel.awgn.tile.f=9",
                                       "sink.null.path=a=b",
                                       NULL};
    struct pipeline *p = load_with(HEAD "stop: {frames: 9, frame_errors: 3}\n",
                                   &(struct pipeline_options){.sets = many});

    if (ok(p != NULL, "--set: %s", error.text)) {
        ok(p->seed == 7 && p->batch == 16 && p->in_flight == 2 && p->low_latency,
           "seed, batch, in_flight, latency");
        is_str(p->backend, "ref", "backend");
        ok(p->stop_frames == 5 && p->stop_frame_errors == 3 && p->stop_seconds == 2, "stop");
        is_str(p->stages[1].backend, "cuda", "backend of a stage");
        is_str(p->stages[1].backend_mark.file, "--set channel.awgn.backend=cuda", "and its place");
        is_str(conf_get(p->stages[1].params, "tile.f")->text, "9", "the last one counts");
        is_int(p->stages[1].params->count, 4, "of a name");
        is_str(conf_get(p->stages[1].tune, "x")->text, "1", "a backend setting");
        is_str(conf_get(p->stages[2].params, "path")->text, "a=b", "an equals sign in the value");
    }
    pipeline_free(p);
    p = load_set(HEAD "sweep: {channel.awgn.ebn0_db: 0:1:5}\n", "channel.awgn.ebn0_db=3");
    ok(p && p->stages[1].params->count == 1 && p->n_sweeps == 1, "a swept parameter");
    is_values(&p->sweeps[0], "3");
    is_int(p->sweeps[0].mark.line, 0, "is from --set");
    pipeline_free(p);
    p = load_set(HEAD "sweep: {channel.awgn.ebn0_db: 0:1:5}\n", "channel.awgn.ebn0_db=1:1:2");
    is_values(&p->sweeps[0], "1 2");
    pipeline_free(p);
    p = load_set(HEAD "sweep: {channel.awgn.ebn0_db: 0:1:5}\n", "channel.awgn.ebn0_db=1, 2.5");
    is_values(&p->sweeps[0], "1 2.5");
    pipeline_free(p);
    p = load_set("fecrun: 1\npipeline: [a: {tile: {f: 4, g: 5}}, b]\n", "a.tile.f=8");
    if (ok(p && p->stages[0].params->count == 1, "a parameter in a map")) {
        const struct conf_node *tile = conf_get(p->stages[0].params, "tile");
        is_str(conf_get(tile, "f")->text, "8", "is set there");
        is_str(conf_get(tile, "f")->mark.file, "--set a.tile.f=8", "with its origin");
        is_str(conf_get(tile, "g")->text, "5", "beside another one");
    }
    pipeline_free(p);
    ok(!load_set(HEAD "sweep: {channel.awgn.a: 0:1:9999, channel.awgn.b: 1}\n",
                 "channel.awgn.b=0:1:9999"),
       "too many points by --set");
    is_str(error.text, "--set channel.awgn.b=0:1:9999: more than 1000000 points in all", "why");
    p = load_with(HEAD "backend: simd\n", &(struct pipeline_options){.backend = "cuda"});
    is_str(p->backend, "cuda", "--backend wins");
    pipeline_free(p);
    p = load_with(HEAD "backend: simd\n", &(struct pipeline_options){.backend = "auto"});
    ok(!p->backend, "--backend auto, too");
    pipeline_free(p);
    refused_set("seed", "--set seed: must be NAME=VALUE");
    refused_set("=1", "--set =1: must be NAME=VALUE");
    refused_set("seed=x", "--set seed=x: must be an integer from 0 to 18446744073709551615, is "
                          "'x'");
    refused_set("stop.frame=1", "--set stop.frame=1: no such stage or setting (did you mean "
                                "stop.frames?)");
    refused_set("chanel.awgn.p=1", "--set chanel.awgn.p=1: no such stage or setting (did you mean "
                                   "channel.awgn.p?)");
    refused_set("zzz.y=1", "--set zzz.y=1: no such stage or setting");
    refused_set("ebn0_db=1",
                "--set ebn0_db=1: no such stage or setting (did you mean channel.awgn.ebn0_db?)");
    refused_set("fillers=1", "--set fillers=1: no such stage or setting; a stage's parameter is "
                             "STAGE.NAME");
    refused_set("channel.awgn.=3", "--set channel.awgn.=3: no such stage or setting (a stage's "
                                   "parameter is channel.awgn.NAME)");
    refused_set("ID.=3", "--set ID.=3: no such stage or setting; a stage's parameter is "
                         "STAGE.NAME");
    refused_set("channel.awgn=1", "--set channel.awgn=1: no such stage or setting (a stage's "
                                  "parameter is channel.awgn.NAME)");
    refused_set("channel.awgn.backend=", "--set channel.awgn.backend=: must be the name of a "
                                         "backend or auto");
    refused_set("channel.awgn.id=x", "--set channel.awgn.id=x: cannot be set; a parameter, "
                                     "`backend` or `tune.NAME` can");
}

static void test_inline_blocks(void)
{
    struct pipeline *p = load(HEAD "blocks:\n- {cell: 1, user: a, count: 2, e: 120, rv: 0}\n"
                                   "- {rv: 2, count: 1, e: 0x10, user: b, cell: 1}\n");

    if (ok(p && p->n_blocks == 2, "inline blocks: %s", error.text)) {
        is_int(p->n_block_columns, 2, "sizes");
        is_str(p->block_columns[0], "e", "e");
        is_str(p->block_columns[1], "rv", "rv");
        is_str(p->blocks[1].user, "b", "user");
        is_str(p->blocks[1].sizes[0], "0x10", "sizes in the order of the columns");
        is_str(p->blocks[1].sizes[1], "2", "of the first row");
        is_int(p->blocks[0].count, 2, "count");
        is_int(p->blocks[1].mark.line, 5, "mark");
        ok(p->column_marks[1].line == 4 && p->blocks[1].marks[0].line == 5 &&
               p->blocks[1].marks[0].column > p->blocks[1].mark.column,
           "marks of its cells");
    }
    pipeline_free(p);
    refused(HEAD "blocks: [{count: 1, e: 1}, {count: 1}]\n",
            "p.yaml:3:28: blocks.e: is missing in this row; every row must have the same columns");
    refused(HEAD "blocks: [{count: 1}, {count: 1, e: 1}]\n",
            "p.yaml:3:33: blocks.e: is not in the first row; every row must have the same columns");
    refused(HEAD "blocks: [{e: 1}]\n", "p.yaml:3:11: blocks.count: the column is missing");
    refused(HEAD "blocks: [{count: 0}]\n",
            "p.yaml:3:18: blocks.count: must be from 1 to 1000000000, is '0'");
    refused(HEAD "blocks: [{count: 1, e: x}]\n",
            "p.yaml:3:24: blocks.e: must be an integer, is 'x'");
    refused(HEAD "blocks: [{count: 1, e: [1]}]\n", "p.yaml:3:24: blocks.e: must be a single value");
    refused(HEAD "blocks: []\n", "p.yaml:3:9: blocks: the list is empty");
    refused(HEAD "blocks: [1]\n",
            "p.yaml:3:10: blocks: a row must be a map {user: u1, count: 2, SIZE: VALUE, ...}");
    refused(HEAD "blocks: {a: 1}\n",
            "p.yaml:3:9: blocks: must be a list of rows or the path of a CSV file");
}

static void csv_refused(const char *csv, const char *want)
{
    char name[64];

    snprintf(name, sizeof name, "%s/b.csv", dir);
    write_file(name, csv);
    refused(HEAD "blocks: b.csv\n", want);
}

static void test_csv_blocks(void)
{
    char name[64];
    struct pipeline *p;

    snprintf(name, sizeof name, "%s/b.csv", dir);
    write_file(name, "\xef\xbb\xbf"
                     "cell, user ,count,bg,e\r\n1,\"a, \"\"b\"\"\",2,1, 120 \r\n"
                     "\r\n2,,1,2,64");
    p = load(HEAD "blocks: b.csv\n");
    if (ok(p && p->n_blocks == 2, "CSV: %s", error.text)) {
        is_str(p->blocks[0].user, "a, \"b\"", "quotes");
        is_str(p->blocks[0].sizes[1], "120", "blanks");
        is_str(p->blocks[1].user, "", "an empty cell");
        is_str(p->blocks[1].sizes[0], "2", "the last line has no end");
        is_int(p->blocks[1].mark.line, 4, "line");
        is_str(p->blocks[1].mark.file, name, "file");
    }
    pipeline_free(p);
    csv_refused("", "b.csv:1:1: blocks: the file is empty");
    csv_refused("\n\n", "b.csv:1:1: blocks: the file is empty");
    csv_refused("count,e\n", "b.csv:1:1: blocks: the file has a header, but no rows");
    csv_refused("user,e\na,1\n", "b.csv:1:1: blocks.count: the column is missing");
    csv_refused("count,e,e\n1,1,1\n", "b.csv:1:9: blocks.e: the column is there already");
    csv_refused("count,\n1,1\n", "b.csv:1:7: blocks: a column must be cell, user, count or a size "
                                 "parameter of a stage");
    csv_refused("root:secret:20000\n", "b.csv:1:1: blocks: a column must be cell, user, count or a "
                                       "size parameter of a stage");
    csv_refused("count,e\n1,5\n1\n",
                "b.csv:3:1: blocks.e: the row has 1 columns, the header has 2");
    csv_refused("count,e\n1,5,6\n", "b.csv:2:1: blocks: the row has 3 columns, the header has 2");
    csv_refused("count,e\n1,\n", "b.csv:2:3: blocks.e: must be an integer, is ''");
    csv_refused("count,e\n\n 1, x\n", "b.csv:3:5: blocks.e: must be an integer, is 'x'");
    csv_refused("count,e\n-1,5\n",
                "b.csv:2:1: blocks.count: must be from 1 to 1000000000, is '-1'");
    csv_refused("count,e\n\"1,5\n2,3\n",
                "b.csv:2:1: blocks: a quote that is not closed in its line");
    csv_refused("count,e\n\"1\"x,5\n", "b.csv:2:1: blocks: text behind a closing quote");
    unlink(name);
    p = load(HEAD "blocks: b.csv\n");
    ok(!p && error.status == DIAG_USAGE && strstr(error_text(), "p.yaml:3:9: blocks: ") &&
           strstr(error.text, "b.csv: No such file or directory"),
       "a missing file: %s", error_text());
    p = load(HEAD "blocks: .\n");
    ok(!p && strstr(error.text, "is no regular file"), "a directory");
}

static void test_many_blocks(void)
{
    char name[64], *text = malloc(12 << 20), *at = text;
    struct pipeline *p;

    snprintf(name, sizeof name, "%s/b.csv", dir);
    at = stpcpy(at, "count,e\n");
    for (int i = 0; i < 1000000; i++)
        at = stpcpy(at, "1,12345\n");
    write_file(name, text);
    p = load(HEAD "blocks: b.csv\n");
    ok(p && p->n_blocks == 1000000, "a million rows");
    pipeline_free(p);
    strcpy(at, "1,2\n1,2\n1,2\n");
    write_file(name, text);
    p = load(HEAD "blocks: b.csv\n");
    ok(!p && strstr(error.text, "more than a million rows"), "and not many more");
    unlink(name);
    free(text);
}

static void test_paths(void)
{
    struct pipeline *p;

    error = (struct diag){0};
    ok(pipeline_load(&p, "/nonexistent/p.yaml", NULL, &error) && error.status == DIAG_USAGE,
       "a missing file");
    if (chdir(dir))
        bail("chdir");
    write_file(file, HEAD);
    error = (struct diag){0};
    ok(!pipeline_load(&p, "p.yaml", NULL, &error), "a bare name");
    is_str(p->place.base_dir, ".", "is here");
    pipeline_free(p);
}

int main(void)
{
    if (!mkdtemp(dir))
        bail("mkdtemp");
    snprintf(file, sizeof file, "%s/p.yaml", dir);
    test_full();
    test_refusals();
    test_sweeps();
    test_sets();
    test_stop_ids();
    test_inline_blocks();
    test_csv_blocks();
    test_many_blocks();
    test_paths();
    unlink(file);
    rmdir(dir);
    return done_testing();
}
