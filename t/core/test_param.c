/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/value/param.h"
#include "core/sdk/params.h"
#include "t/lib/tap.h"

static const char *const algorithms[] = {"nms", "oms", "spa", NULL};
static const char *const starts[] = {"best", "stored", "auto", NULL};
static const struct fecrun_param *const schema[] = {
    FECRUN_PARAM(.name = "k", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE, .unit = "bits", .imin = 1,
                 .imax = 8192, .help = "size of a block"),
    FECRUN_PARAM(.name = "ebn0_db", .type = FECRUN_VALUE_FLOAT, .unit = "dB"),
    FECRUN_PARAM(.name = "alpha", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_MAY_AUTO,
                 .fmin = 0.25, .fmax = 1, .default_text = "auto"),
    FECRUN_PARAM(.name = "code", .type = FECRUN_VALUE_STRING),
    FECRUN_PARAM(.name = "algorithm", .type = FECRUN_VALUE_CHOICE, .choices = algorithms,
                 .default_text = "nms"),
    FECRUN_PARAM(.name = "start", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = starts),
    FECRUN_PARAM(.name = "loop", .type = FECRUN_VALUE_BOOL, .default_text = "false"),
    FECRUN_PARAM(.name = "generators", .type = FECRUN_VALUE_INTS, .imin = 1, .imax = 511),
    FECRUN_PARAM(.name = "pattern", .type = FECRUN_VALUE_STRINGS),
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH),
    FECRUN_PARAM(.name = "harq_in", .type = FECRUN_VALUE_PORT),
    FECRUN_PARAM(.name = "tile.f", .type = FECRUN_VALUE_INT, .imin = 0, .imax = INT64_MAX,
                 .default_text = "256"),
    FECRUN_PARAM(.name = "tile.v1", .type = FECRUN_VALUE_INT, .imin = 0, .imax = INT64_MAX),
    NULL,
};

enum { K, EBN0, ALPHA, CODE, ALGORITHM, START, LOOP, GENERATORS, PATTERN, PATH, HARQ, TILE_F };

static struct conf *conf;
static struct diag error;

static struct param_set *read_all(const char *text, bool incomplete)
{
    static const char *const skip[] = {"id", "backend", NULL};
    static const struct conf_place place = {.base_dir = "dir"};
    struct param_source source = {.label = "s.x",
                                  .mark = {"f", 9, 9},
                                  .place = &place,
                                  .skip = skip,
                                  .incomplete = incomplete};
    struct param_set *set;

    conf_free(conf);
    error = (struct diag){0};
    if (conf_parse_text(&conf, "f", text, strlen(text), &error))
        return NULL;
    source.map = conf->root;
    param_read(&set, schema, &source, &error);
    return set;
}

static void refused(const char *text, const char *want)
{
    struct param_set *set = read_all(text, true);

    ok(!set, "refused: %s", text);
    is_str(error.text, want, "and told why");
    param_free(set);
}

static const struct fecrun_value *value_of(const struct param_set *set, size_t i)
{
    return fecrun_value(param_values(set), i);
}

static void is_text(const struct param_set *set, size_t i, const char *want)
{
    char text[128];

    is_str(param_text(set, i, text, sizeof text), want, "%s", schema[i]->name);
}

static void test_defaults(void)
{
    struct param_set *set = read_all("{k: 5}", false);

    if (!ok(set != NULL, "only what is required"))
        return;
    is_int(param_values(set)->count, 13, "values in schema order");
    is_int(value_of(set, K)->given, 2, "written");
    is_int(value_of(set, ALGORITHM)->given, 1, "a default");
    is_int(value_of(set, EBN0)->given, 0, "neither");
    ok(value_of(set, ALPHA)->is_auto, "auto as default");
    is_str(value_of(set, ALGORITHM)->s, "nms", "a choice is text");
    is_int(value_of(set, TILE_F)->i, 256, "and number");
    is_text(set, EBN0, "");
    is_text(set, ALPHA, "auto");
    is_text(set, LOOP, "false");
    is_int(param_mark(set, "k").column, 5, "mark of a value");
    is_int(param_mark(set, "tile.f").line, 9, "mark of the stage for a default");
    param_free(set);
    set = read_all("{}", false);
    is_str(error.text, "f:9:9: s.x.k: must be given: size of a block", "a required one is missing");
    param_free(set);
    set = read_all("{}", true);
    ok(set && param_require(set, NULL) == -1, "may come later");
    ok(!param_override(set, "k", "4", (struct mark){0}, &error) && !param_require(set, &error),
       "from an override");
    param_free(set);
    ok(!param_read(&set, schema, &(struct param_source){.incomplete = true}, &error), "no map");
    param_free(set);
}

static void test_values(void)
{
    struct param_set *set = read_all(
        "id: x\nbackend: {a: b}\nk: 0x10\nebn0_db: \"1.50\"\nalpha: 0.5\ncode: ieee 80211\n"
        "algorithm: spa\nstart: auto\nloop: yes\ngenerators: [0o133, '0o171']\n"
        "pattern: [110, \"101\", a b]\npath: x.npy\nharq_in: a.b\ntile: {f: 1e3}\n"
        "tile.v1: null\n",
        false);

    if (!ok(set != NULL, "every type: %s", error.text))
        return;
    is_int(value_of(set, K)->i, 16, "INT");
    ok(value_of(set, K)->f == 16, "INT as number");
    is_text(set, EBN0, "1.5");
    is_text(set, CODE, "ieee 80211");
    is_int(value_of(set, ALGORITHM)->i, 2, "CHOICE");
    ok(value_of(set, START)->is_auto && value_of(set, START)->i == 2, "auto is a choice, too");
    is_int(value_of(set, LOOP)->i, 1, "BOOL");
    is_int(value_of(set, GENERATORS)->ints[1], 0171, "INTS");
    is_text(set, GENERATORS, "[91, 121]");
    is_int(value_of(set, PATTERN)->count, 3, "STRINGS");
    is_text(set, PATTERN, "[110, 101, 'a b']");
    is_str(value_of(set, PATH)->s, "dir/x.npy", "PATH is relative to the file");
    is_str(value_of(set, HARQ)->s, "a.b", "PORT stays");
    ok(!param_make_path(set, "harq_in", &error) && !param_make_path(set, "harq_in", &error),
       "until it is a path");
    is_text(set, HARQ, "dir/a.b");
    is_text(set, TILE_F, "1000");
    is_int(value_of(set, TILE_F + 1)->given, 0, "null is not given");
    is_int(param_make_path(set, "path", &error), -1, "no port");
    param_free(set);
}

static void test_refusals(void)
{
    refused("{kk: 1}", "f:1:2: s.x.kk: no such parameter (did you mean k?)");
    refused("{tile: {g: 1}}", "f:1:9: s.x.tile.g: no such parameter (did you mean tile.f?)");
    refused("{zzzz: 1}", "f:1:2: s.x.zzzz: no such parameter; there are k, ebn0_db, alpha, code, "
                         "algorithm, start, loop, generators, pattern, path, harq_in, tile.f, "
                         "tile.v1");
    refused("{k: 0}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is '0'");
    refused("{k: x}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is 'x'");
    refused("{k: 010}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is '010' (octal is "
                        "written 0o171, decimal without leading zeros)");
    refused("{k: [1]}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is a list");
    refused("{k: {a: 1}}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is a map");
    refused("{k: }", "f:1:2: s.x.k: has no value");
    refused("{k: auto}", "f:1:5: s.x.k: must be an integer from 1 to 8192 bits, is 'auto'");
    refused("{ebn0_db: .inf}", "f:1:11: s.x.ebn0_db: must be a number (dB), is '.inf'");
    refused("{alpha: 2}", "f:1:9: s.x.alpha: must be a number from 0.25 to 1 or auto, is '2'");
    refused("{algorithm: npa}", "f:1:13: s.x.algorithm: must be one of nms, oms, spa, is 'npa' "
                                "(did you mean spa?)");
    refused("{loop: 1}", "f:1:8: s.x.loop: must be true or false, is '1'");
    refused("{generators: 7}", "f:1:14: s.x.generators: must be a list [a, b, ...] of integers "
                               "from 1 to 511, is '7'");
    refused("{generators: [7, 0]}", "f:1:18: s.x.generators: item 2: must be an integer from 1 to "
                                    "511, is '0'");
    refused("{pattern: [[[1]]]}", "f:1:12: s.x.pattern: item 1: must be a text, is a list");
    refused("{path: ''}", "f:1:8: s.x.path: must be a file name, is ''");
    refused("{tile: 5}", "f:1:8: s.x.tile: must be a map");
    refused("{tile: {f: -1}}", "f:1:12: s.x.tile.f: must be an integer of at least 0, is '-1'");
    refused("{tile: {f: 1}, tile.f: 2}", "f:1:16: s.x.tile.f: is there already, in line 1");
    refused("[k]", "f:1:1: s.x: must be a map of parameters, is a list");
    refused("{tiles: {f: 1}}", "f:1:2: s.x.tiles: no such parameter (did you mean tile?)");
    refused("{tile: {id: 1}}", "f:1:9: s.x.tile.id: no such parameter (did you mean tile.f?)");
}

static void test_override(void)
{
    struct param_set *set = read_all("{k: 5, generators: [1]}", false);
    struct param_set *copy = param_clone(set);
    struct mark mark = {"f", 3, 4};

    ok(!param_override(copy, "k", "6", mark, &error), "override");
    is_int(value_of(copy, K)->i, 6, "in the copy");
    is_int(value_of(set, K)->i, 5, "not in the original");
    is_int(param_mark(copy, "k").line, 3, "mark of an override");
    ok(!param_override(copy, "generators", "[0o7, 9]", mark, &error), "a list");
    is_int(value_of(copy, GENERATORS)->count, 2, "of two");
    ok(!param_override(copy, "pattern", "['1, 0', x]", mark, &error), "of texts");
    is_text(copy, PATTERN, "['1, 0', x]");
    param_free(set);
    is_int(param_override(copy, "k", "0", mark, &error), -1, "out of range");
    is_str(error.text, "f:3:4: s.x.k: must be an integer from 1 to 8192 bits, is '0'", "why");
    is_int(value_of(copy, K)->i, 6, "the value stays");
    error = (struct diag){0};
    param_override(copy, "generators", "[1, 2", (struct mark){"--set s.x.generators=[1, 2", 0, 0},
                   &error);
    is_str(error.text,
           "--set s.x.generators=[1, 2: must be a list [a, b, ...] of integers from 1 "
           "to 511, is '[1, 2'",
           "half a list");
    error = (struct diag){0};
    param_override(copy, "cod", "x", (struct mark){"--set s.x.cod=x", 0, 0}, &error);
    is_str(error.text, "--set s.x.cod=x: no such parameter (did you mean code?)", "unknown");
    param_free(copy);
}

static void test_fail(void)
{
    struct param_set *set = read_all("{k: 5}", false);
    struct fecrun_error err = {.size = sizeof err};

    fecrun_fail(&err, "k", "must be even");
    error = (struct diag){0};
    is_int(param_fail(set, DIAG_RUN, &err, &error), -1, "a plugin's error");
    is_int(error.status, DIAG_RUN, "its status");
    is_str(error.text, "f:1:5: s.x.k: must be even", "at the parameter");
    param_override(set, "k", "7", (struct mark){"--set s.x.k=7", 0, 0}, NULL);
    error = (struct diag){0};
    param_fail(set, DIAG_USAGE, &err, &error);
    is_str(error.text, "--set s.x.k=7: must be even", "at --set");
    err = (struct fecrun_error){.size = sizeof err};
    fecrun_fail(&err, NULL, "nothing fits");
    error = (struct diag){0};
    param_fail(set, DIAG_USAGE, &err, &error);
    is_str(error.text, "f:9:9: s.x: nothing fits", "at the stage");
    param_free(set);
}

static void test_paths(void)
{
    static const char *const cases[][3] = {
        {"d", "x", "d/x"}, {"d/", "x", "d/x"}, {"/", "x", "/x"}, {".", "x", "x"},
        {"d", "/x", "/x"}, {"d", "-", "-"},    {NULL, "x", "x"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct conf_place place = {.base_dir = cases[i][0]};
        char *path, why[64];
        int status = param_path(&place, cases[i][1], &path, why, sizeof why);

        if (ok(!status, "a path"))
            is_str(path, cases[i][2], "path %s", cases[i][2]);
        free(path);
    }
}

/* A host that takes no path with "bad" in it, and puts others below /host. */
static int host_path(void *data, char **path, char *why, size_t size)
{
    char *other = malloc(64);

    ++*(unsigned *)data;
    if (!other || strstr(*path, "bad")) {
        free(other);
        snprintf(why, size, "%s: not here", *path);
        return 1;
    }
    snprintf(other, 64, "/host/%s", *path);
    free(*path);
    *path = other;
    return 0;
}

static void test_host_paths(void)
{
    unsigned asked = 0;
    const struct conf_place place = {.base_dir = "d", .resolve = host_path, .data = &asked};
    char *path, why[64];

    ok(!param_path(&place, "x", &path, why, sizeof why), "the host may resolve a path");
    is_str(path, "/host/d/x", "which it gets joined");
    free(path);
    ok(param_path(&place, "bad", &path, why, sizeof why) == 1 && !path, "or refuse it");
    is_str(why, "d/bad: not here", "and say why");
    ok(!param_path(&place, "-", &path, why, sizeof why) && asked == 2, "standard input is no path");
    is_str(path, "-", "and stays");
    free(path);
}

static void test_text(void)
{
    struct param_set *set = read_all("{k: 512, generators: [100, 200]}", false);
    char text[8];

    is_str(param_text(set, GENERATORS, text, sizeof text), "[100, 2", "a text is cut");
    is_str(param_text(set, K, text, 1), "", "to nothing");
    param_free(set);
}

static const struct fecrun_param *const bad[] = {
    FECRUN_PARAM(.name = "x", .type = FECRUN_VALUE_INT, .default_text = "y"), NULL};

static void test_bad_schema(void)
{
    struct param_source source = {.label = "s.x", .mark = {"f", 9, 9}};
    struct param_set *set;

    error = (struct diag){0};
    ok(param_read(&set, bad, &source, &error) && error.status == DIAG_RUN, "a bad default");
}

int main(void)
{
    test_defaults();
    test_values();
    test_refusals();
    test_override();
    test_fail();
    test_paths();
    test_host_paths();
    test_text();
    test_bad_schema();
    conf_free(conf);
    return done_testing();
}
