/* SPDX-License-Identifier: BSD-2-Clause */
/* graph_bind() and look-ups, on pipeline files of toy stages; messages are compared in full. */
#include "t/lib/toy.h"

static struct registry registry;
static struct pipeline *pipeline;
static struct graph *graph;
static struct diag error;

static void done(void)
{
    graph_free(graph);
    pipeline_free(pipeline);
    graph = NULL;
    pipeline = NULL;
}

#define HEAD "fecrun: 1\npipeline:\n"

/* From here on, `pipeline` and `graph` are those of the text; graph is NULL where it is refused. */
static bool bind_with(const char *text, const char *set)
{
    const char *const sets[] = {set, NULL};

    done();
    pipeline = yaml_load(text, sets, &error);
    return pipeline && !graph_bind(&graph, pipeline, &registry, &error);
}

static bool bind(const char *text)
{
    return bind_with(text, NULL);
}

static void refused_with(const char *text, const char *set, const char *want)
{
    ok(!bind_with(text, set) && pipeline && !graph, "refused");
    is_int(error.status, DIAG_USAGE, "as the user's error");
    is_str(error.text, want, "and told why");
}

static void refused(const char *text, const char *want)
{
    refused_with(text, NULL, want);
}

static struct graph_link input(size_t stage, unsigned port)
{
    return graph->stages[stage].in[port];
}

static void is_link(size_t stage, unsigned port, int from, int from_port, const char *what)
{
    struct graph_link link = input(stage, port);

    ok(link.stage == from && link.port == from_port, "%s: from stage %d, port %d", what, link.stage,
       link.port);
}

static void test_chain(void)
{
    if (!ok(bind(HEAD "- toy.source\n- toy.pass: {id: one}\n- toy.pass: {id: two}\n- toy.sink\n"),
            "a chain %s", error.text))
        return;
    is_int(graph->n, 4, "four stages");
    ok(graph->pipeline == pipeline && graph->registry == &registry, "of this file and registry");
    for (size_t s = 0; s < graph->n; s++)
        ok(graph->stages[s].decl == &pipeline->stages[s] &&
               graph->stages[s].entry == registry_find(&registry, pipeline->stages[s].name) &&
               graph->stages[s].stage == graph->stages[s].entry->stage,
           "stage %zu is found", s);
    ok(graph->stages[0].n_in == 0 && graph->stages[0].n_out == 1, "ports of the source");
    ok(graph->stages[1].n_in == 1 && graph->stages[1].n_out == 1, "of a transform");
    ok(graph->stages[3].n_in == 1 && graph->stages[3].n_out == 0, "and of the sink");
    is_link(0, 0, -1, 0, "nothing feeds the source");
    for (size_t s = 1; s < graph->n; s++) {
        is_link(s, 0, (int)s - 1, 0, "each stage is fed by the one before");
        for (unsigned p = 1; p < FECRUN_MAX_PORTS; p++)
            if (input(s, p).stage != -1)
                ok(false, "stage %zu has no input %u", s, p);
    }
    is_int(graph_find(graph, "toy.source"), 0, "a name is an id");
    is_int(graph_find(graph, "two"), 2, "an id of its own");
    is_int(graph_find(graph, "toy.pass"), -1, "then the name is none");
    is_int(graph_find(graph, "tw"), -1, "nor is the beginning of one");
    is_int(graph_find(graph, ""), -1, "nor nothing");
}

/* n stages, as YAML takes them. */
static const char *many(size_t n)
{
    static char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, HEAD "- toy.source\n");

    for (size_t s = 1; s + 1 < n; s++)
        used += (size_t)snprintf(text + used, sizeof text - used, "- toy.pass: {id: p%zu}\n", s);
    if (n > 1)
        snprintf(text + used, sizeof text - used, "- toy.sink\n");
    return text;
}

static void test_numbers(void)
{
    struct pipeline_stage decls[GRAPH_MAX_STAGES + 1];
    struct pipeline long_one;

    refused(many(1), "p.yaml:3:3: pipeline: has 1 stages, must have 2 to 64");
    ok(bind(many(2)) && graph->n == 2, "two stages are enough");
    ok(bind(many(GRAPH_MAX_STAGES)) && graph->n == 64, "64 are not too many");
    is_link(63, 0, 62, 0, "the last one");
    is_int(graph_find(graph, "p62"), 62, "the last but one");
    /* the reader takes no more, but pipelines need not come from there */
    long_one = *pipeline;
    memcpy(decls, pipeline->stages, GRAPH_MAX_STAGES * sizeof *decls);
    decls[GRAPH_MAX_STAGES] = decls[GRAPH_MAX_STAGES - 1];
    long_one.stages = decls;
    long_one.n_stages = GRAPH_MAX_STAGES + 1;
    graph_free(graph);
    ok(graph_bind(&graph, &long_one, &registry, &error) && !graph, "65 are");
    is_str(error.text, "p.yaml:3:3: pipeline: has 65 stages, must have 2 to 64", "and told so");
}

static void test_unknown(void)
{
    struct registry empty, broken = registry;
    struct loaded files[2] = {{.plugin = NULL}, {.plugin = NULL}};
    const char *text = HEAD "- toy.source\n- toy.psas\n- toy.sink\n";
    static const struct fecrun_plugin good = {.size = sizeof good};

    refused(text, "p.yaml:4:3: unknown stage `toy.psas` (did you mean toy.pass?); `fecrun list` "
                  "shows all");
    refused(HEAD "- toy.source\n- magic.wand: {x: 1}\n- toy.sink\n",
            "p.yaml:4:3: unknown stage `magic.wand`; `fecrun list` shows all");
    pipeline_free(pipeline);
    pipeline = yaml_load(text, NULL, &error);
    memory_registry_init(&empty);
    ok(graph_bind(&graph, pipeline, &empty, &error), "no plugin at all");
    is_str(error.text,
           "p.yaml:3:3: unknown stage `toy.source`; `fecrun list` shows all (no plugin "
           "was found: set FECRUN_PLUGIN_PATH or give --plugin-dir)",
           "is a hint");
    broken.files = files;
    files[0].plugin = &good;
    broken.n_files = 1;
    error = (struct diag){0};
    graph_bind(&graph, pipeline, &broken, &error);
    ok(!strstr(error.text, "could not"), "no word of plugins where all could be loaded");
    broken.n_files = 2;
    error = (struct diag){0};
    graph_bind(&graph, pipeline, &broken, &error);
    is_str(error.text,
           "p.yaml:4:3: unknown stage `toy.psas` (did you mean toy.pass?); `fecrun "
           "list` shows all, and which plugins could not be loaded",
           "else there is");
}

static void test_roles(void)
{
    refused(HEAD "- toy.pass\n- toy.sink\n", "p.yaml:3:3: toy.pass: a pipeline begins with a "
                                             "source");
    refused(HEAD "- toy.sink: {id: end}\n- toy.sink\n", "p.yaml:3:3: end: a pipeline begins with a "
                                                        "source");
    refused(HEAD "- toy.source\n- toy.source: {id: b}\n",
            "p.yaml:4:3: b: a pipeline ends with a sink (sink.errors, sink.file, sink.null)");
    ok(bind(HEAD "- toy.source\n- toy.source: {id: b}\n- toy.join: {from: source, side: b}\n"
                 "- toy.sink\n"),
       "a source beside the first one %s", error.text);
    ok(bind(HEAD "- toy.source\n- toy.sink: {id: a}\n- toy.sink: {from: source}\n"),
       "a sink beside the last one %s", error.text);
    refused(HEAD "- toy.source\n- toy.pass\n",
            "p.yaml:4:3: toy.pass: a pipeline ends with a sink (sink.errors, sink.file, "
            "sink.null)");
    refused(HEAD "- toy.source\n- toy.sink: {id: a}\n- toy.sink\n",
            "p.yaml:5:3: toy.sink: a puts out nothing; `from:` says which stage feeds this one");
}

static void test_sets(void)
{
    const char *text = HEAD "- toy.source\n- toy.pass: {x: 1}\n- toy.sink\n";

    if (ok(bind_with(text, "toy.pass.x=2.5"), "--set %s", error.text)) {
        const struct param_set *params = graph->stages[1].params;
        ok(param_values(params)->v[0]->f == 2.5, "wins over the file");
    }
    ok(bind_with(text, "toy.pass.tune.threads=2"), "tune.NAME is left to the backend");
    refused_with(text, "toy.pass.x=11",
                 "--set toy.pass.x=11: must be a number from -10 to 10, is '11'");
    refused_with(text, "toy.pass.y=1", "--set toy.pass.y=1: no such parameter; there are x, k");
    refused(HEAD "- toy.source\n- toy.pass: {x: 11}\n- toy.sink\n",
            "p.yaml:4:17: toy.pass.x: must be a number from -10 to 10, is '11'");
}

/* ---- Links ---- */

#define SPLIT HEAD "- toy.source\n- toy.split: {id: two}\n- toy.pass\n"

static void test_from(void)
{
    ok(bind(SPLIT "- toy.join: {from: two}\n- toy.sink\n"), "from: ID %s", error.text);
    is_link(3, 0, 1, 0, "its first output");
    ok(bind(SPLIT "- toy.join: {from: two.side}\n- toy.sink\n"), "from: ID.PORT %s", error.text);
    is_link(3, 0, 1, 1, "that output");
    ok(bind(SPLIT "- toy.join: {from: source}\n- toy.sink\n"), "from: source %s", error.text);
    is_link(3, 0, 0, 0, "the first stage, whatever its id");
    ok(bind(SPLIT "- toy.join: {from: toy.pass}\n- toy.sink\n"), "from: NAME %s", error.text);
    is_link(3, 0, 2, 0, "a name with a dot");
    ok(bind(HEAD "- toy.source: {id: a.b}\n- toy.pass: {id: a}\n- toy.join: {from: a.b}\n"
                 "- toy.sink\n"),
       "an id that looks like a port %s", error.text);
    is_link(2, 0, 0, 0, "is an id");
    ok(bind(HEAD "- toy.source\n- toy.pass: {id: ab}\n- toy.split: {id: a}\n"
                 "- toy.join: {from: a}\n- toy.sink\n"),
       "an id that begins as another");
    is_link(3, 0, 2, 0, "is not taken for it");
}

static void test_from_refused(void)
{
    refused(SPLIT "- toy.join: {from: two.sode}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `two.sode` (two has "
            "the outputs main, side); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: toy.pass.bit}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `toy.pass.bit` "
            "(toy.pass has the output bits); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: toy.join}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `toy.join` (a stage "
            "cannot feed itself); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: toy.sink}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `toy.sink` (that "
            "stage comes later); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: twi}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `twi` (did you mean "
            "two?); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: sauce}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `sauce` (did you mean "
            "source?); ID, ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: elsewhere}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `elsewhere`; ID, "
            "ID.PORT or source is allowed");
    refused(SPLIT "- toy.join: {from: .side}\n- toy.sink\n",
            "p.yaml:6:20: toy.join.from: no stage before this one is called `.side`; ID, ID.PORT "
            "or source is allowed");
}

static const char *side_text(size_t stage)
{
    return param_values(graph->stages[stage].params)->v[0]->s;
}

static void test_side(void)
{
    ok(bind(SPLIT "- toy.join: {side: two.side}\n- toy.sink\n"), "side: ID.PORT %s", error.text);
    is_link(3, 1, 1, 1, "links that output");
    is_link(3, 0, 2, 0, "and leaves the first input alone");
    ok(bind(SPLIT "- toy.join: {side: source}\n- toy.sink\n"), "side: source");
    is_link(3, 1, 0, 0, "links the first stage");
    ok(bind(SPLIT "- toy.join\n- toy.sink\n") && input(3, 1).stage == -1, "it is optional");
    ok(bind(SPLIT "- toy.join: {side: other.npy}\n- toy.sink\n"), "side: PATH");
    is_link(3, 1, -1, 0, "links nothing");
    is_str(side_text(3), "other.npy", "it is a path, beside the file");
    ok(bind(SPLIT "- toy.join: {side: toy.sink}\n- toy.sink\n") && input(3, 1).stage == -1,
       "no later stage is linked");
    ok(bind(SPLIT "- toy.need: {side: two.main}\n- toy.sink\n"), "an input that must be linked");
    is_link(3, 1, 1, 0, "is");
    refused(SPLIT "- toy.need\n- toy.sink\n", "p.yaml:6:3: toy.need: input `side` is not linked");
    refused(SPLIT "- toy.need: {side: some.npy}\n- toy.sink\n",
            "p.yaml:6:3: toy.need: input `side` is not linked");
}

/* Which outputs are read, one character each: stages are parted by blanks. */
static const char *reads(void)
{
    static char text[4 * GRAPH_MAX_STAGES];
    size_t n = 0;

    for (size_t s = 0; s < graph->n; s++) {
        for (unsigned p = 0; p < graph->stages[s].n_out; p++)
            text[n++] = graph_output_read(graph, s, p) ? 'r' : '-';
        text[n++] = ' ';
    }
    text[n] = 0;
    return text;
}

static void test_read(void)
{
    bind(SPLIT "- toy.sink\n");
    is_str(reads(), "r r- r  ", "outputs of a chain");
    ok(!graph_check_read(graph, &error), "no stage of it is left out");
    bind(SPLIT "- toy.join: {side: two.side}\n- toy.sink\n");
    is_str(reads(), "r rr r r  ", "both outputs are read");
    bind(SPLIT "- toy.join: {from: source, side: toy.pass}\n- toy.sink\n");
    is_str(reads(), "r r- r r  ", "an output that has two readers");
    ok(!graph_check_read(graph, &error), "a side input is a reader");
    bind(HEAD "- toy.source\n- toy.split: {id: two}\n- toy.pass: {from: two.side}\n- toy.sink\n");
    is_str(reads(), "r -r r  ", "the second output alone");
    ok(!graph_check_read(graph, &error), "is enough");
    bind(SPLIT "- toy.join: {from: two.side}\n- toy.sink\n");
    is_str(reads(), "r rr - r  ", "a stage that is left out");
    error = (struct diag){0};
    ok(graph_check_read(graph, &error) && error.status == DIAG_USAGE, "is an error");
    is_str(error.text, "p.yaml:6:20: toy.join.from: then no stage reads what toy.pass puts out",
           "where it was left out");
}

/* ---- Random stages ---- */

static uint32_t number(const char *id)
{
    int s = graph_find(graph, id);

    return s < 0 ? UINT32_MAX : graph->stages[s].random_stage;
}

/* Results of old files depend on these numbers: they never change. */
static void test_random(void)
{
    bind(HEAD "- toy.source: {id: source.random}\n- toy.pass: {id: channel.awgn}\n- toy.sink\n");
    is_int(number("source.random"), 9483, "source.random");
    is_int(number("channel.awgn"), 19969, "channel.awgn");
    bind(HEAD "- toy.source: {id: a}\n- toy.pass\n- toy.pass: {id: channel.awgn}\n- toy.sink\n");
    is_int(number("channel.awgn"), 19969, "wherever it stands, whatever the others are");
    bind(HEAD "- toy.source: {id: d}\n- toy.pass: {id: scn}\n- toy.pass: {id: wov}\n- toy.sink\n");
    ok(number("d") == 0xc57f && number("scn") == 0xc580 && number("wov") == 0xc581,
       "three ids of one hash have three numbers");
    bind(HEAD "- toy.source: {id: rel}\n- toy.pass: {id: d}\n- toy.pass: {id: scn}\n- toy.sink\n");
    ok(number("rel") == 0xc580 && number("d") == 0xc57f && number("scn") == 0xc581,
       "the next number may be taken, too");
    bind(HEAD "- toy.source: {id: xer}\n- toy.pass: {id: atwf}\n- toy.pass: {id: cupf}\n"
              "- toy.sink\n");
    ok(number("xer") == 0 && number("atwf") == 0xffff && number("cupf") == 1,
       "behind the last one comes 0");
}

/* ---- Sweeps and blocks ---- */

#define CHAIN HEAD "- toy.source\n- toy.pass\n- toy.sink\n"

static void test_sweeps(void)
{
    ok(bind(CHAIN "sweep: {toy.pass.x: [-10, 0, 10]}\n"), "values in range %s", error.text);
    ok(param_values(graph->stages[1].params)->v[0]->f == 0, "which the graph does not keep");
    refused(CHAIN "sweep: {toy.pass.x: [0, 10.5]}\n",
            "p.yaml:6:21: toy.pass.x: must be a number from -10 to 10, is '10.5'");
    refused(CHAIN "sweep: {toy.pass.y: [1]}\n",
            "p.yaml:6:21: toy.pass.y: no such parameter; there are x, k");
    refused(HEAD "- toy.source\n- toy.pass: {form: 1}\n- toy.sink\n",
            "p.yaml:4:14: toy.pass.form: no such parameter (did you mean from?)");
    refused(HEAD "- toy.source\n- toy.pass: {backnd: ref}\n- toy.sink\n",
            "p.yaml:4:14: toy.pass.backnd: no such parameter (did you mean backend?)");
    refused(HEAD "- toy.source\n- toy.join\n- toy.sink\nsweep: {toy.join.side: [a, b]}\n",
            "p.yaml:6:24: sweep: toy.join.side links stages and cannot change between points");
    bind(CHAIN "sweep: {toy.pass.x: [1]}\n");
    pipeline->sweeps[0].stage = (char[]){"nobody"};
    graph_free(graph);
    ok(graph_bind(&graph, pipeline, &registry, &error), "a sweep of no stage");
    is_str(error.text, "p.yaml:6:21: sweep: no stage `nobody`", "is told");
}

static void test_blocks(void)
{
    ok(bind(CHAIN "blocks:\n- {count: 2, n: 16, k: 3}\n- {count: 1, n: 8, k: 5}\n"), "blocks %s",
       error.text);
    refused(CHAIN "blocks:\n- {count: 2, m: 16}\n",
            "p.yaml:7:14: blocks: no stage of this pipeline has a size parameter `m`; there are n, "
            "k");
    refused(CHAIN "blocks:\n- {count: 2, n: 1, x: 2}\n",
            "p.yaml:7:20: blocks: no stage of this pipeline has a size parameter `x`; there are n, "
            "k");
    refused(CHAIN "blocks:\n- {count: 2, usr: 1}\n",
            "p.yaml:7:14: blocks: no stage of this pipeline has a size parameter `usr` (did you "
            "mean user?); there are n, k");
    refused_with(CHAIN "blocks:\n- {count: 2, n: 16}\n", "toy.source.n=4",
                 "--set toy.source.n=4: blocks: sets it, row by row");
    ok(bind_with(CHAIN "blocks:\n- {count: 2, n: 16}\n", "toy.pass.k=4"),
       "--set of what is no column");
    ok(bind_with(SPLIT "- toy.sink\nblocks:\n- {count: 2, n: 16}\n", "two.n=4"),
       "or has only the name of one");
    refused(SPLIT "- toy.sink\nblocks:\n- {count: 2, side: 16}\n",
            "p.yaml:8:14: blocks: no stage of this pipeline has a size parameter `side`; there are "
            "n, k");
}

static void test_no_sizes(void)
{
    static const struct fecrun_param *const no_params[] = {NULL};
    struct fecrun_stage plain = *toy_stages[0];
    struct registry few;

    plain.params = no_params;
    memory_registry_init(&few);
    memory_add_stage(&few, &plain);
    memory_add_stage(&few, registry_find(&registry, "toy.sink")->stage);
    done();
    pipeline = yaml_load(HEAD "- toy.source\n- toy.sink\nblocks:\n- {count: 1, n: 4}\n", NULL,
                         &error);
    ok(graph_bind(&graph, pipeline, &few, &error), "no stage has a size");
    is_str(error.text,
           "p.yaml:6:14: blocks: no stage of this pipeline has a size parameter `n`; "
           "there is none",
           "and told so");
    memory_registry_free(&few);
}

int main(void)
{
    toy_registry(&registry);
    test_chain();
    test_numbers();
    test_unknown();
    test_roles();
    test_sets();
    test_from();
    test_from_refused();
    test_side();
    test_read();
    test_random();
    test_sweeps();
    test_blocks();
    test_no_sizes();
    graph_free(NULL);
    done();
    memory_registry_free(&registry);
    return done_testing();
}
