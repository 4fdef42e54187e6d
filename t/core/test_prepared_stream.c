/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h: streams in prepared pipelines: as a run of a file gives them, wherever calls are cut. */
#include "t/lib/tap.h"

#include "run/api/api_impl.h"

#include <fecrun/fecrun.h>

enum { MOST = 1 << 20, FRAMES = 3 };

static struct fecrun_message message = {.size = sizeof message};
static struct fecrun_session *session;
static struct fecrun_prepared *prepared;
static char in[MOST], out[MOST], expected[MOST];

/* A pipeline between a file or an array and another one. */
struct chain {
    const char *name, *stages, *dtype, *of_bits;
    unsigned piece, item; /* items of a piece, bytes of an item; */
    unsigned per_byte;    /* or items of a byte */
};

static bool open_text(const char *text)
{
    const char *const dirs[] = {getenv("FAKEDIR"), NULL};
    const struct fecrun_options options = {.size = sizeof options, .plugin_dirs = dirs};

    fecrun_close(session);
    message.text[0] = 0;
    return !fecrun_open_text(&session, "mine", text, strlen(text), &options, &message);
}

static bool prepare(const char *text)
{
    const struct fecrun_prepare_options options = {.size = sizeof options, .frames = FRAMES};

    fecrun_finish(prepared);
    prepared = NULL;
    return open_text(text) && !fecrun_prepare(&prepared, session, &options, &message);
}

static size_t read_whole(const char *path, char *to)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(to, 1, MOST, f) : 0;

    if (!f)
        bail("no %s", path);
    fclose(f);
    return n;
}

/* What a run of the whole gives. */
static size_t run_whole(const struct chain *c, size_t bytes)
{
    const char *suffix = strcmp(c->of_bits, "packed") ? "bits.u8" : "bits.bin";
    char text[2048];
    FILE *f = fopen("stream.in", "wb");

    if (!f || fwrite(in, 1, bytes, f) != bytes || fclose(f))
        bail("stream.in");
    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n"
             "- source.file: {path: stream.in, dtype: %s, frame: 0, piece: %u%s}\n%s"
             "- sink.file: {path: %s, dtype: %s}\n",
             c->dtype, c->piece, strcmp(c->dtype, "u1") ? ", kind: llr, llr_max: 20" : "",
             c->stages, suffix, c->of_bits);
    if (!open_text(text) || fecrun_run(session, NULL, &message))
        bail("%s\n%s", message.text, text);
    return read_whole(suffix, expected);
}

static void prepare_chain(const struct chain *c)
{
    char text[2048];

    snprintf(text, sizeof text,
             "fecrun: 1\npipeline:\n"
             "- source.memory: {dtype: %s, frame: %u, stream: true%s}\n%s"
             "- sink.memory: {dtype: %s}\n",
             c->dtype, c->piece, strcmp(c->dtype, "u1") ? ", llr_max: 20" : "", c->stages,
             c->of_bits);
    if (!prepare(text))
        bail("%s\n%s", message.text, text);
}

static size_t bytes_of(const struct chain *c, uint64_t items)
{
    return c->per_byte ? (items + c->per_byte - 1) / c->per_byte : items * c->item;
}

/* One call, behind what came before; returns the bytes that it gave. Arrays have just as many bytes as are needed. */
static size_t push(const struct chain *c, uint64_t at, uint64_t items, int end, size_t given)
{
    const unsigned per_byte = strcmp(c->of_bits, "packed") ? 1 : 8;
    struct fecrun_port_info info = {.size = sizeof info};
    char *exact = malloc(bytes_of(c, items) + 1), *sink;

    memcpy(exact, in + bytes_of(c, at), bytes_of(c, items));
    if (fecrun_get_port(prepared, "sink.memory", &info, &message) || !(sink = malloc(info.bytes)))
        bail("%s", message.text);
    if (fecrun_bind_input(prepared, "source.memory", exact, bytes_of(c, items), 0, &message) ||
        fecrun_bind_output(prepared, "sink.memory", sink, info.bytes, 0, &message) ||
        fecrun_execute_stream(prepared, items, end, &message))
        bail("%s: %s", c->name, message.text);
    items = (fecrun_get_items(prepared, "sink.memory") + per_byte - 1) / per_byte;
    memcpy(out + given, sink, items);
    free(exact);
    free(sink);
    return items;
}

/* step 0: sizes that change. late: the end comes in a call without items. */
static void cut(const struct chain *c, uint64_t items, uint64_t step, bool late, size_t bytes)
{
    const uint64_t most = FRAMES * (uint64_t)c->piece;
    uint64_t at = 0, i = 0, n;
    size_t given = 0, calls = 0;

    memset(out, 9, sizeof out);
    for (; at < items; at += n) {
        n = step ? step : i++ % 5 == 3 ? 0 : i * 7919 % (2 * (uint64_t)c->piece);
        n = n > most ? most : n;
        n = n < items - at ? n / (c->per_byte ? c->per_byte : 1) * (c->per_byte ? c->per_byte : 1)
                           : items - at;
        given += push(c, at, n, !late && at + n == items, given);
        calls++;
    }
    if (late || !items)
        given += push(c, at, 0, 1, given);
    ok(given == bytes && !memcmp(out, expected, bytes),
       "%s: %llu items, %llu a call%s: %zu of %zu bytes in %zu calls", c->name,
       (unsigned long long)items, (unsigned long long)step, late ? ", the end by itself" : "",
       given, bytes, calls);
}

static void cut_other(const struct chain *c, uint64_t items)
{
    const size_t bytes = items ? run_whole(c, bytes_of(c, items)) : 0;

    cut(c, items, c->piece, false, bytes);
}

static void test_chain(const struct chain *c, uint64_t items)
{
    const unsigned least = c->per_byte ? c->per_byte : 1;
    size_t bytes;

    items -= items % least; /* as a file can have */
    bytes = items ? run_whole(c, bytes_of(c, items)) : 0;

    prepare_chain(c);
    cut(c, items, FRAMES * (uint64_t)c->piece, false, bytes);
    cut(c, items, 0, false, bytes);
    cut(c, items, c->piece, true, bytes);
    cut(c, items, c->piece - least, false, bytes);
    cut(c, items, c->piece + least, true, bytes);
    if (items < 9000)
        cut(c, items, least, false, bytes);
    /* another stream of the same prepared pipeline, which ends elsewhere, then one that ends as the first */
    cut_other(c, items - items / 3 / least * least);
    cut_other(c, items);
}

/* Another size and rate between two streams, whose ends are shorter frames, too. */
static void test_set(void)
{
    struct chain c = {"set",
                      "- conv.depuncture: {scheme: dvb, rate: 2/3}\n"
                      "- viterbi.decode: {code: dvb}\n",
                      "i1",
                      "u1",
                      480,
                      1,
                      0};
    const char *const sets[] = {"source.memory.frame=600", "conv.depuncture.rate=5/6", NULL};
    size_t bytes = run_whole(&c, 1701);

    prepare_chain(&c);
    cut(&c, 1701, 700, false, bytes);
    c.stages = "- conv.depuncture: {scheme: dvb, rate: 5/6}\n- viterbi.decode: {code: dvb}\n";
    c.piece = 600;
    if (fecrun_set(prepared, sets, &message))
        bail("%s", message.text);
    /* the session of the run is another one: what was prepared goes on */
    bytes = run_whole(&c, 2502);
    cut(&c, 2502, 700, true, bytes);
    cut(&c, 2502, 1, false, bytes);
}

static const struct chain chains[] = {
    {"Viterbi", "- viterbi.decode: {code: dvb}\n", "i1", "u1", 1000, 1, 0},
    {"short pieces", "- viterbi.decode: {code: dvb}\n", "i1", "packed", 32, 1, 0},
    {"ref", "- viterbi.decode: {code: dvb, backend: ref}\n", "i1", "u1", 400, 1, 0},
    {"punctured",
     "- llr.quantize: {type: i8, scale: 2, max: 10}\n- conv.depuncture: {scheme: dvb, rate: 3/4}\n"
     "- viterbi.decode: {code: dvb}\n",
     "f4", "u1", 800, 4, 0},
    {"encoder", "- conv.encode: {code: dvb, termination: continuous}\n", "u1", "u1", 120, 1, 0},
    {"two parts",
     "- viterbi.decode: {code: dvb}\n- conv.encode: {code: dvb, termination: continuous}\n", "i1",
     "u1", 240, 1, 0},
    {"half bytes", "- viterbi.decode: {code: dvb}\n", "i4", "u1", 480, 0, 2},
    /* margins of several pieces; needs t/doubles, which refuse any other margin */
    {"windows",
     "- stream.window: {before: 700, after: 930}\n- stream.window: {id: b, before: 3, after: 250}\n"
     "- stream.window: {id: c, before: 10, after: 0}\n",
     "u1", "u1", 100, 1, 0},
    {"a device between",
     "- fake.flip: {backend: fake}\n- stream.window: {before: 30, after: 250}\n"
     "- fake.flip: {id: back, backend: fake}\n- stream.window: {id: b, before: 3, after: 5}\n",
     "u1", "u1", 100, 1, 0},
};

/* ---- Errors ---- */

static void says(bool failed, int status, const char *what, const char *has)
{
    ok(failed && message.status == status && !strncmp(message.text, what, strlen(what)) &&
           strstr(message.text, has),
       "%d: %s", message.status, message.text);
}

#define STREAM \
    "fecrun: 1\npipeline:\n- source.memory: {dtype: i1, frame: 240, stream: true, llr_max: 20}\n"

static void test_errors(void)
{
    const char *const sets[] = {"source.memory.frame=480", NULL};
    static char bits[4 * 480];
    struct fecrun_port_info info = {.size = sizeof info};

    prepare_chain(&chains[5]);
    says(fecrun_execute(prepared, 1, &message), 2, "the pipeline takes a stream",
         "fecrun_execute_stream");
    says(fecrun_execute_stream(prepared, 240, 0, &message), 2, "source.memory: no array is bound",
         "");
    says(fecrun_bind_input(prepared, "source.memory", in, MOST, 240, &message) == 0 ||
             fecrun_bind_input(prepared, "source.memory", in, MOST, 999, &message),
         2, "source.memory: a stride of 999 bytes", "stream");
    if (fecrun_bind_input(prepared, "source.memory", in, 1000, 0, &message) ||
        fecrun_bind_output(prepared, "sink.memory", bits, 100, 0, &message))
        bail("%s", message.text);
    says(fecrun_execute_stream(prepared, 721, 0, &message), 2, "721 items in a call",
         "at most 720");
    says(fecrun_execute_stream(prepared, 720, 0, &message), 2,
         "sink.memory: ", "the array has 100");
    ok(!fecrun_get_infos(prepared), "a stream has no infos of frames");
    is_int((long)fecrun_get_items(prepared, "nobody"), 0, "no such stage, no items");
    fecrun_get_port(prepared, "sink.memory", &info, &message);
    if (info.bytes > sizeof bits ||
        fecrun_bind_output(prepared, "sink.memory", bits, sizeof bits, 0, &message))
        bail("%zu bytes", info.bytes);
    ok(!fecrun_execute_stream(prepared, 720, 0, &message), "a call that goes well");
    says(fecrun_set(prepared, sets, &message), 2, "a stream is under way", "");
    ok(!fecrun_execute_stream(prepared, 0, 1, &message) && !fecrun_set(prepared, sets, &message),
       "values change after the end %s", message.text);
    if (!prepare(STREAM "- sink.memory: {id: soft}\n- viterbi.decode: {from: source, code: dvb}\n- "
                        "sink.memory\n"))
        bail("%s", message.text);
    ok(!prepare(STREAM "- viterbi.decode: {code: dvb}\n- sink.memory\n- sink.memory: {id: soft, "
                       "from: source}\n"),
       "what was before a decoder cannot be had behind it");
    says(true, 2, "mine:6:3: soft: reads source.memory past viterbi.decode", "");
    ok(!prepare("fecrun: 1\npipeline:\n- source.random: {bits: 80, stream: true}\n- sink.memory\n"),
       "a stream that is no array's");
    says(true, 2, "mine:3:3: source.random: gives a stream", "");
    ok(prepare("fecrun: 1\npipeline:\n- source.memory: {dtype: u1, frame: 80}\n- sink.memory\n"),
       "frames");
    says(fecrun_execute_stream(prepared, 1, 0, &message), 2, "the pipeline takes frames",
         "fecrun_execute()");
}

int main(void)
{
    const char *top = getenv("top_builddir");
    char plugins[4096];
    uint32_t z = 1;

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    setenv("FAKE_DEVICES", "1", 1);
    for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) {
        const struct chain *c = &chains[k];
        if (strstr(c->stages, "window") && !getenv("FAKEDIR")) {
            skip(1, "FAKEDIR is not set");
            continue;
        }
        for (size_t i = 0; i < MOST; i++) {
            z = z * 1664525 + 1013904223;
            in[i] = !strcmp(c->dtype, "u1") ? (char)(z >> 31) : (char)(int8_t)((int)(z >> 28) - 8);
        }
        if (!strcmp(c->dtype, "f4"))
            for (size_t i = 0; i + 4 <= MOST; i += 4) {
                const float value = (float)(in[i]) / 2;
                memcpy(in + i, &value, 4);
            }
        test_chain(c, 7 * (uint64_t)c->piece);
        test_chain(c, 7 * (uint64_t)c->piece + 4);
        test_chain(c, 9 * (uint64_t)c->piece + c->piece / 2 + 1);
        test_chain(c, 30 * (uint64_t)c->piece);
        test_chain(c, c->piece / 2);
        test_chain(c, 0);
    }
    test_set();
    test_errors();
    fecrun_finish(prepared);
    fecrun_close(session);
    return done_testing();
}
