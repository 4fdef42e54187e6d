/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/value/conf.h"
#include "t/lib/tap.h"

#include <locale.h>
#include <unistd.h>

static struct diag error;

static struct conf *parse_bytes(const char *text, size_t size)
{
    struct conf *conf;

    error = (struct diag){0};
    conf_parse_text(&conf, "f", text, size, &error);
    return conf;
}

static struct conf *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void refused(const char *text, const char *want, const char *what)
{
    struct conf *conf = parse(text);

    ok(!conf && error.status == DIAG_USAGE && strstr(error.text, want), "%s", what);
    if (!strstr(error.text, want))
        diag("got '%s', want '%s'", error.text, want);
    conf_free(conf);
}

static void test_tree(void)
{
    struct conf *conf = parse("a: 1\nb: [x, 'y z', \"0o7\"]\nc:\n  d: {}\n  e:\n");
    const struct conf_node *b, *c;

    if (!ok(conf != NULL, "a map"))
        return;
    is_int(conf->root->count, 3, "three keys");
    b = conf_get(conf->root, "b");
    is_int(b->kind, CONF_LIST, "a list");
    is_str(b->items[1]->text, "y z", "quotes are taken off");
    ok(b->items[0]->plain && !b->items[1]->plain && !b->items[2]->plain, "plain or quoted");
    is_int(b->items[1]->mark.line, 2, "line");
    is_int(b->items[1]->mark.column, 8, "column");
    is_str(b->items[1]->mark.file, "f", "file");
    c = conf_get(conf->root, "c");
    is_int(conf_get(c, "d")->kind, CONF_MAP, "an empty map");
    ok(conf_is_empty(conf_get(c, "e")), "an empty value");
    ok(!conf_get(c, "f") && !conf_get(NULL, "f") && !conf_get(b, "f"), "no such key");
    conf_free(conf);
    conf = parse("{\"fecrun\": 1, \"x\": [true, null, 1.5e3], \"y\": \"null\"}");
    ok(conf && conf_get(conf->root, "x")->count == 3, "JSON is YAML");
    ok(conf_is_empty(conf_get(conf->root, "x")->items[1]), "null is empty");
    ok(!conf_is_empty(conf_get(conf->root, "y")), "the text null is not");
    conf_free(conf);
    conf = parse("\xef\xbb\xbf"
                 "a: 1\r\nb: \xc3\xa9\r\n");
    ok(conf && conf_get(conf->root, "b"), "byte order mark, CR LF and UTF-8");
    conf_free(conf);
}

static void test_refusals(void)
{
    refused("", "f: the file is empty", "an empty file");
    refused("# nothing\n", "the file is empty", "only a comment");
    refused("---\n", "the file is empty", "an empty document");
    refused("a: 1\n---\nb: 2\n", "f:2:1: a second document", "two documents");
    refused("a: &x [1]\nb: *x\n", "f:1:4: anchors", "an anchor");
    refused("b: *x\n", "f:1:4: aliases", "an alias");
    refused("a: &a [l,l]\nb: &b [*a,*a]\nc: [*b,*b]\n", "anchors", "a bomb of aliases");
    refused("*a : 1\n", "aliases", "an alias as key");
    refused("a: !!python/object:os.system x\n", "tags", "a tag");
    refused("? [1, 2]\n: 3\n", "a key must be a single word", "a list as key");
    refused("{{a: 1}: 2}\n", "a key must be a single word", "a map as key");
    refused("a: 1\nb: 2\na: 3\n", "f:3:1: a: the key is there already, in line 1", "key twice");
    refused("a: 'x\n", "f:2:1: found unexpected end of stream", "a quote without end");
    refused("a: [1, 2\n", "f:2:1:", "a bracket without end");
    refused("a: [1, 2}\n", "f:1:9:", "the wrong bracket");
    refused("a:\n\tb: 1\n", "f:2:1: a tab; only blanks may indent a line or stand before a value",
            "a tab as indentation");
    refused("a: 1\n\tb: 1\n", "f:2:1: a tab; only blanks", "a tab behind a value");
    refused("\xc3\xa9:\n- \tb: {c: \xc3\xa9}\n-\tc: 1\n", "f:2:3: a tab; only blanks",
            "a tab behind a dash");
    refused("a: [\xc3\xa9, @x]\n",
            "f:1:8: a value cannot begin with @ without quotes: write it in \"\"",
            "a character that YAML has for itself");
    refused("a: `x\n", "f:1:4: a value cannot begin with ` without quotes", "another one");
    refused("a: b: c\n", "f:1:5:", "two colons");
    refused("a: \"\\0\"\n", "f:1:4: text with a NUL", "an escaped NUL");
    refused("a: 1\nb: \xff\xfe\n", "f:2:4:", "bad UTF-8");
    refused("a: 1\nb: \xc3\n", "f:2:5:", "half of a UTF-8 character");
    refused("a: \x01\n", "f:1:4: control characters", "a control character");
    refused("\x7f"
            "ELF\x02\x01",
            "f:1:1:", "a program");
    refused("\xff\xfe"
            "a\0:\0 \0b\0",
            "f:1:1:", "UTF-16");
    ok(!parse_bytes("a: 1\0b", 6) && strstr(error.text, "f:1:5:"), "a NUL byte");
    ok(!parse_bytes("", 0), "no text");
}

static void test_limits(void)
{
    size_t size = (1 << 20) + 1;
    char *text = malloc(size + 1), *at = text;
    struct conf *conf;

    memset(text, '[', size);
    text[size] = '\0';
    refused(text, "f: more than 1048576 bytes", "more than a megabyte");
    text[size - 1] = '\0';
    refused(text, "nested more than 32 deep", "a megabyte of brackets");
    for (size_t i = 0; i + 2 < size; i += 2)
        memcpy(text + i, "- ", 3);
    refused(text, "nested more than 32 deep", "a megabyte of dashes");
    for (size_t i = 0; i + 2 < size; i += 2)
        memcpy(text + i, "? ", 3);
    refused(text, "f:1:3: a key must be", "a megabyte of question marks");
    memset(text, 'x', 70000);
    text[70000] = '\0';
    refused(text, "text of more than 65536 bytes", "a long scalar");
    *at++ = '[';
    for (int i = 0; i < 100001; i++)
        at = stpcpy(at, "1,");
    strcpy(at, "]");
    refused(text, "more than 100000 values", "many values");
    for (at = text; at < text + 300000;)
        at += sprintf(at, "k%x:\n", (unsigned)(at - text));
    conf = parse(text);
    ok(conf && conf->root->count > 30000, "many keys are compared in time");
    conf_free(conf);
    at[-1] = '\0';
    strcpy(at - 1, "\nk0: again\n");
    refused(text, "k0: the key is there already, in line 1", "and found");
    free(text);
    refused("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "32 deep",
            "33 deep");
    conf = parse("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    ok(conf != NULL, "32 deep");
    conf_free(conf);
}

static void test_files(void)
{
    char name[] = "/tmp/fecrun-conf-XXXXXX";
    int fd = mkstemp(name);
    struct conf *conf;

    error = (struct diag){0};
    ok(conf_parse_file(&conf, "/nonexistent/x.yaml", &error) && error.status == DIAG_USAGE,
       "a missing file");
    is_str(error.text, "/nonexistent/x.yaml: No such file or directory", "and its reason");
    error = (struct diag){0};
    conf_parse_file(&conf, "/tmp", &error);
    is_str(error.text, "/tmp: Is a directory", "a directory");
    error = (struct diag){0};
    conf_parse_file(&conf, "/dev/zero", &error);
    is_str(error.text, "/dev/zero: more than 1048576 bytes of text", "a file without end");
    ok(ftruncate(fd, 100 << 20) == 0, "100 MB");
    error = (struct diag){0};
    conf_parse_file(&conf, name, &error);
    ok(strstr(error.text, "more than 1048576 bytes") != NULL, "are not read");
    ok(ftruncate(fd, 0) == 0 && write(fd, "a: b\n", 5) == 5, "a file");
    error = (struct diag){0};
    ok(!conf_parse_file(&conf, name, &error), "is read");
    is_str(conf->file, name, "and named");
    conf_free(conf);
    close(fd);
    unlink(name);
}

static void integer(const char *text, bool valid, int64_t want)
{
    int64_t value = 77;
    bool got = conf_int(text, &value);

    ok(got == valid && value == (valid ? want : 77), "integer '%s'", text);
}

static void test_integers(void)
{
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      "+-1",
                                      "-+1",
                                      "--1",
                                      "0171",
                                      "00",
                                      "0o",
                                      "0x",
                                      "0o8",
                                      "0b2",
                                      "1.5",
                                      "1e",
                                      "1e-3",
                                      "1e19",
                                      "e3",
                                      " 1",
                                      "1 ",
                                      "1_000",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999",
                                      "0x1ffffffffffffffff",
                                      "12a",
                                      "nan",
                                      "\xd9\xa1",
                                      "0x1e+2",
                                      "1e99999999999999999999"};
    uint64_t u = 0;

    integer("0", true, 0);
    integer("-0", true, 0);
    integer("42", true, 42);
    integer("+7", true, 7);
    integer("0o171", true, 0171);
    integer("-0x7F", true, -127);
    integer("0b101", true, 5);
    integer("1e6", true, 1000000);
    integer("2E+03", true, 2000);
    integer("9223372036854775807", true, INT64_MAX);
    integer("-9223372036854775808", true, INT64_MIN);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        integer(bad[i], false, 0);
    ok(conf_uint("18446744073709551615", &u) && u == UINT64_MAX, "2^64 - 1");
    ok(!conf_uint("18446744073709551616", &u) && !conf_uint("-1", &u), "2^64, -1");
}

static void test_floats(void)
{
    static const char *const bad[] = {"",      ".",  "-",  "1.2.3", "nan", "inf", "-inf", "1e999",
                                      "0x1p3", " 1", "1 ", "1,5",   "1e",  "1e+", "1.5x"};
    char text[32];
    double value = 77;

    ok(conf_float("-1.5", &value) && value == -1.5, "-1.5");
    ok(conf_float(".5", &value) && value == 0.5, ".5");
    ok(conf_float("1e3", &value) && value == 1000, "1e3");
    ok(conf_float("7", &value) && value == 7, "7");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!conf_float(bad[i], &value) && value == 7, "number '%s'", bad[i]);
    is_str(conf_float_text(text, sizeof text, 0.1 + 0.2), "0.3", "canonical 0.3");
    is_str(conf_float_text(text, sizeof text, -0.0), "0", "canonical -0");
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) {
        ok(conf_float("1.5", &value) && value == 1.5, "a point in a locale with commas");
        is_str(conf_float_text(text, sizeof text, 1.5), "1.5", "and back");
        setlocale(LC_ALL, "C");
    } else {
        skip(2, "no locale with decimal commas");
    }
}

static void test_bools(void)
{
    bool value = false;

    ok(conf_bool("true", &value) && value, "true");
    ok(conf_bool("Off", &value) && !value, "Off");
    ok(conf_bool("YES", &value) && value, "YES");
    ok(!conf_bool("1", &value) && !conf_bool("", &value) && !conf_bool("truee", &value), "others");
}

int main(void)
{
    test_tree();
    test_refusals();
    test_limits();
    test_files();
    test_integers();
    test_floats();
    test_bools();
    return done_testing();
}
