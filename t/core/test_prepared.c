/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h: pipelines that are called on arrays of the program; real plugins, on the host. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "t/lib/tap.h"

#include "core/base/sanitized.h"
#include "core/batch/scratch.h"
#include "run/api/api_impl.h"

#include <dlfcn.h>
#include <fecrun/fecrun.h>
#include <pthread.h>
#include <time.h>

/* ---- Allocations of the process, its locks and looks at the clock ---- */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define COUNTS_ALLOCATIONS 1
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *ptr, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static long allocations;

void *malloc(size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_calloc(n, bytes);
}

void *realloc(void *ptr, size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    return __libc_realloc(ptr, bytes);
}

int posix_memalign(void **ptr, size_t align, size_t bytes)
{
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    *ptr = __libc_memalign(align, bytes);
    return *ptr ? 0 : 12;
}

static long waits;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*next)(pthread_mutex_t *);

    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
    return next(mutex);
}

int clock_gettime(clockid_t id, struct timespec *at)
{
    static int (*next)(clockid_t, struct timespec *);

    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
    return next(id, at);
}
#else
#define COUNTS_ALLOCATIONS 0
static long allocations, waits;
#endif

/* ---- Helpers ---- */

enum { BITS = 100, CODED = 2 * (BITS + 6), FRAMES = 9 };

#define HEAD "fecrun: 1\npipeline:\n"
#define ENCODER \
    HEAD "- source.memory: {dtype: u1, frame: 100}\n" \
         "- conv.encode: {code: ieee80211}\n" \
         "- sink.memory\n"
#define DECODER \
    HEAD "- source.memory: {dtype: i1, frame: 212, llr_max: 10}\n" \
         "- viterbi.decode: {code: ieee80211}\n" \
         "- sink.memory\n"

static struct fecrun_message message = {.size = sizeof message};
static struct fecrun_session *session;
static struct fecrun_prepared *prepared;

static bool open_text(const char *text)
{
    fecrun_close(session);
    message.text[0] = 0;
    return !fecrun_open_text(&session, "mine", text, strlen(text), NULL, &message);
}

static bool prepare(const char *text, uint64_t frames)
{
    const struct fecrun_prepare_options options = {.size = sizeof options, .frames = frames};

    fecrun_finish(prepared);
    prepared = NULL;
    return open_text(text) && !fecrun_prepare(&prepared, session, &options, &message);
}

static void must_prepare(const char *text, uint64_t frames)
{
    if (!prepare(text, frames))
        bail("%s", message.text);
}

static bool bind_input(const char *id, const void *data, size_t bytes, size_t stride)
{
    return !fecrun_bind_input(prepared, id, data, bytes, stride, &message);
}

static bool bind_output(const char *id, void *data, size_t bytes, size_t stride)
{
    return !fecrun_bind_output(prepared, id, data, bytes, stride, &message);
}

static bool execute(uint64_t frames)
{
    return !fecrun_execute(prepared, frames, &message);
}

#define IN(array) bind_input("source.memory", array, sizeof(array), 0)
#define OUT(array) bind_output("sink.memory", array, sizeof(array), 0)

static uint8_t sent[FRAMES][BITS];
static int8_t received[FRAMES][CODED];

/* Every 17th LLR is on the wrong side. */
static void make_frames(void)
{
    uint8_t coded[FRAMES][CODED];
    uint32_t z = 1;

    for (size_t i = 0; i < sizeof sent; i++) {
        z = z * 1664525 + 1013904223;
        (&sent[0][0])[i] = z >> 31;
    }
    must_prepare(ENCODER, FRAMES);
    ok(IN(sent) && OUT(coded) && execute(FRAMES), "encodes %s", message.text);
    for (size_t i = 0; i < sizeof coded; i++) {
        const int llr = (&coded[0][0])[i] ? -4 : 4;
        (&received[0][0])[i] = (int8_t)(i % 17 ? llr : -llr / 2);
    }
}

/* Both arrays took the place of buffers. */
static bool direct(void)
{
    return prepared->ports[0].direct && prepared->ports[1].direct;
}

/* ---- Calls ---- */

static void test_calls(void)
{
    uint8_t out[FRAMES][BITS], packed[FRAMES][13];
    struct fecrun_port_info info = {.size = sizeof info};

    must_prepare(DECODER, FRAMES);
    ok(!fecrun_get_port(prepared, "source.memory", &info, &message) && !info.output &&
           info.kind == FECRUN_KIND_LLR && info.type == FECRUN_I8 && info.items == CODED &&
           info.frame_bytes == CODED && info.bytes == CODED * FRAMES && info.frames == FRAMES,
       "what the input is to hold");
    is_str(info.space, "host", "and where");
    ok(!fecrun_get_port(prepared, "sink.memory", &info, &message) && info.output == 1 &&
           info.kind == FECRUN_KIND_BITS && info.type == FECRUN_U8 && info.items == BITS,
       "the output");
    memset(out, 7, sizeof out);
    ok(IN(received) && OUT(out) && execute(FRAMES), "one call for all");
    ok(direct(), "without a copy");
    ok(!memcmp(out, sent, sizeof out), "gives what was sent");
    memset(out, 7, sizeof out);
    ok(execute(3) && !memcmp(out, sent, 3 * BITS) && out[3][0] == 7, "a call for fewer");
    for (size_t f = 0; f < FRAMES; f++)
        if (!bind_input("source.memory", received[f], CODED, 0) ||
            !bind_output("sink.memory", out[f], BITS, 0) || !execute(1))
            bail("%s", message.text);
    ok(!memcmp(out, sent, sizeof out), "one frame a call, arrays bound anew for each");

    must_prepare(DECODER, FRAMES);
    ok(!fecrun_get_port(prepared, "source.memory", &info, &message) && info.own, "memory is there");
    memcpy(info.own, received, sizeof received);
    ok(bind_input("source.memory", info.own, sizeof received, 0) && OUT(out),
       "which may be bound, too");
    memset(out, 7, sizeof out);
    ok(execute(FRAMES) && !memcmp(out, sent, sizeof out), "and has room for all frames");

    must_prepare(HEAD "- source.memory: {dtype: i1, frame: 212, llr_max: 10}\n"
                      "- viterbi.decode: {code: ieee80211}\n"
                      "- sink.memory: {dtype: packed}\n",
                 FRAMES);
    ok(IN(received) && OUT(packed) && execute(FRAMES), "packed bits");
    is_int(packed[1][1] >> 7, sent[1][8], "the first bit is the highest");
    is_int(packed[FRAMES - 1][12] & 15, 0, "the last byte of a frame is filled with zeros");
}

/* Arrays whose frames lie apart or not as items do: the same results, through copies. */
static void test_arrays(void)
{
    static uint8_t out[FRAMES][BITS + 3];
    static int8_t spread[FRAMES][CODED + 5];
    static float values[FRAMES * CODED + 1];
    float *odd = (float *)((char *)values + 1);
    bool same = true;

    must_prepare(DECODER, FRAMES);
    memset(out, 7, sizeof out);
    for (size_t f = 0; f < FRAMES; f++)
        memcpy(spread[f], received[f], CODED);
    ok(bind_input("source.memory", spread, sizeof spread - 5, sizeof spread[0]) &&
           bind_output("sink.memory", out, sizeof out - 3, sizeof out[0]) && execute(FRAMES),
       "strides");
    for (size_t f = 0; f < FRAMES; f++)
        same = same && !memcmp(out[f], sent[f], BITS) && out[f][BITS] == 7;
    ok(same, "nothing is written between frames");

    must_prepare(HEAD "- source.memory: {dtype: f4, frame: 212}\n"
                      "- viterbi.decode: {code: ieee80211}\n"
                      "- sink.memory\n",
                 FRAMES);
    for (size_t i = 0; i < FRAMES * CODED; i++) {
        const float value = (&received[0][0])[i];
        memcpy((char *)odd + i * sizeof value, &value, sizeof value);
    }
    ok(bind_input("source.memory", odd, FRAMES * CODED * sizeof *values, 0) &&
           bind_output("sink.memory", out, FRAMES * BITS, 0) && execute(FRAMES) &&
           !memcmp(out, sent, sizeof sent),
       "an array that is not aligned as its items are");

    must_prepare(HEAD "- source.memory: {dtype: u1, frame: 100}\n- sink.memory\n"
                      "- sink.memory: {id: again, from: source}\n",
                 FRAMES);
    memset(out, 7, sizeof out);
    ok(IN(sent) && bind_output("sink.memory", out, sizeof sent, 0) &&
           bind_output("again", spread, sizeof sent, 0) && execute(FRAMES) &&
           !memcmp(out, sent, sizeof sent) && !memcmp(spread, sent, sizeof sent),
       "no stage between arrays, and two outputs of the same");
}

/* What a receiver with retransmissions does: soft bits in, soft bits out, and a decision. */
static void test_several(void)
{
    static int8_t llrs[2][400], soft[2][660], after[2][660];
    static uint8_t bits[2][220];
    static const char text[] = HEAD
        "- source.memory: {dtype: i1, frame: 400, llr_max: 20}\n"
        "- source.memory: {id: before, dtype: i1, frame: 660, llr_max: 60}\n"
        "- ldpc.rate_recover: {id: r, from: source, bg: 1, z: 10, fillers: 0, harq_in: before}\n"
        "- sink.memory: {id: after, dtype: i1}\n"
        "- ldpc.decode: {from: r, code: nr, bg: 1, z: 10}\n"
        "- sink.memory: {id: bits}\n";
    int sums = 0;

    must_prepare(text, 2);
    memset(llrs, 20, sizeof llrs);
    memset(soft, 1, sizeof soft);
    ok(IN(llrs) && bind_input("before", soft, sizeof soft, 0) &&
           bind_output("after", after, sizeof after, 0) &&
           bind_output("bits", bits, sizeof bits, 0) && execute(2),
       "two inputs and two outputs %s", message.text);
    for (size_t i = 0; i < sizeof after / 2; i++)
        sums += after[1][i] == 21;
    is_int(sums, 400, "soft values are added");
    ok(!memchr(bits, 1, sizeof bits), "zeros are decoded");
    is_int(fecrun_get_infos(prepared)[1].flags, FECRUN_FRAME_CHECKED, "and the checks hold");
}

static void test_infos(void)
{
    static uint8_t bits[3][40], coded[3][64], out[3][40];
    const struct fecrun_frame_info *infos;

    must_prepare(HEAD "- source.memory: {dtype: u1, frame: 40}\n- crc.attach: {crc: 24a}\n"
                      "- sink.memory\n",
                 3);
    bits[1][3] = 1;
    ok(IN(bits) && OUT(coded) && execute(3), "three frames with a CRC");
    must_prepare(HEAD "- source.memory: {dtype: u1, frame: 64}\n- crc.check: {crc: 24a}\n"
                      "- sink.memory\n",
                 3);
    coded[2][9] ^= 1;
    ok(IN(coded) && OUT(out) && execute(3), "are checked");
    infos = fecrun_get_infos(prepared);
    ok(infos[0].flags == FECRUN_FRAME_CHECKED && infos[1].flags == FECRUN_FRAME_CHECKED &&
           infos[2].flags == (FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED),
       "frame by frame");
    coded[2][9] ^= 1;
    ok(execute(3) && infos[2].flags == FECRUN_FRAME_CHECKED,
       "anew in each call, in the same place");

    must_prepare("fecrun: 1\nblocks:\n  - {count: 2, frame: 40}\n  - {count: 1, frame: 16}\n"
                 "pipeline:\n- source.memory: {dtype: u1, frame: 1}\n- crc.attach: {crc: 8}\n"
                 "- sink.memory\n",
                 0);
    memset(coded, 7, sizeof coded);
    ok(bind_input("source.memory", bits, 96, 0) && bind_output("sink.memory", coded, 120, 0) &&
           execute(3) && !memcmp((uint8_t *)coded + 48, bits[1], 40) &&
           ((uint8_t *)coded)[119] < 2 && ((uint8_t *)coded)[120] == 7,
       "rows of blocks lie behind each other %s", message.text);
}

/* Transport blocks, cut into code blocks and joined. */
static void test_split(void)
{
    static uint8_t bits[2][9016], blocks[8 * 4544], joined[2][9016];
    struct fecrun_port_info info = {.size = sizeof info};
    const struct fecrun_frame_info *infos;
    uint64_t n = 0;

    for (size_t i = 0; i < sizeof bits; i++)
        (&bits[0][0])[i] = (uint8_t)(i * i / 7 % 3 == 1);
    must_prepare(HEAD "- source.memory: {dtype: u1, frame: 9016}\n- seg.split: {code: lte}\n"
                      "- sink.memory: {id: blocks}\n",
                 3);
    ok(!fecrun_get_port(prepared, "blocks", &info, &message) && info.pieces == 2 &&
           info.frames == 3 && info.items == 4544 && info.bytes == info.frame_bytes * 6,
       "two code blocks for each frame");
    ok(IN(bits) && bind_output("blocks", blocks, sizeof blocks, 0) && execute(2), "two are split");
    fecrun_get_block_infos(prepared, &n);
    is_int((long)n, 4, "infos of four blocks");
    ok(!memcmp(blocks, bits[0], 4544 - 24) && !memcmp(blocks + 2 * 4544, bits[1], 4544 - 24),
       "blocks of a frame lie in a row");
    ok(bind_output("blocks", blocks, sizeof blocks, 5000) && execute(2) &&
           !memcmp(blocks + 2 * 5000, bits[1], 4544 - 24),
       "or apart");

    must_prepare(HEAD "- source.memory: {dtype: u1, frame: 9016}\n- seg.split: {code: lte}\n"
                      "- turbo.encode: {k: 4544}\n- modem.map: {scheme: bpsk}\n"
                      "- modem.demap: {esn0_db: 3}\n- llr.quantize: {type: i8, scale: 2}\n"
                      "- turbo.decode: {k: 4544}\n- seg.join\n- sink.memory\n",
                 2);
    ok(IN(bits) && OUT(joined) && execute(2) && !memcmp(joined, bits, sizeof bits),
       "split, coded, decoded and joined");
    infos = fecrun_get_infos(prepared);
    ok(infos[0].flags == FECRUN_FRAME_CHECKED && infos[1].flags == FECRUN_FRAME_CHECKED,
       "joined blocks are checked");
    infos = fecrun_get_block_infos(prepared, &n);
    ok(n == 4 && infos[0].iterations && infos[3].iterations, "iterations of each block");
}

static void test_costs(void)
{
    static uint8_t out[FRAMES][BITS];
    struct timespec at;
    long before, waited;

    must_prepare(DECODER, FRAMES);
    if (!IN(received) || !OUT(out))
        bail("%s", message.text);
    clock_gettime(CLOCK_MONOTONIC, &at);
    before = allocations;
    waited = waits;
    for (int i = 0; i < 50; i++)
        if (!execute(1 + (uint64_t)i % FRAMES) || !IN(received) || !OUT(out))
            bail("%s", message.text);
    if (COUNTS_ALLOCATIONS) {
        ok(before > 0 && allocations == before, "calls allocate nothing");
        ok(waited > 1 && waits == waited, "take no lock and ask no clock");
    } else {
        skip(2, "allocations are not counted here");
    }
}

/* Pipelines that are called in turn share what is small. */
static void test_scratch(void)
{
#define LONG \
    HEAD "- source.memory: {dtype: i1, frame: 40012, llr_max: 10}\n" \
         "- viterbi.decode: {code: ieee80211, backend: simd}\n- sink.memory\n"
    must_prepare(DECODER, 1);
    ok(SCRATCH_SHARED ? !prepared->line.worker->scratch.ptr
                      : prepared->line.worker->scratch.bytes > 0,
       "working memory of a short frame is the thread's");
    must_prepare(LONG, 64);
    ok(prepared->line.worker->scratch.bytes > SCRATCH_SHARED, "that of a large call its own");
}

/* Random stages see another frame in each call, as in a run. */
static void test_random(void)
{
    uint8_t all[4][BITS], each[BITS];
    bool same = true;

    must_prepare(HEAD "- source.random: {bits: 100}\n- sink.memory\n", 4);
    ok(OUT(all) && execute(4), "random frames");
    must_prepare(HEAD "- source.random: {bits: 100}\n- sink.memory\n", 1);
    for (size_t f = 0; f < 4; f++)
        same = same && OUT(each) && execute(1) && !memcmp(each, all[f], BITS);
    ok(same, "are numbered on from call to call");
}

/* ---- Threads ---- */

static void *decode_often(void *data)
{
    struct fecrun_prepared *own = data;
    uint8_t out[FRAMES][BITS];
    bool same = true;

    same = !fecrun_bind_input(own, "source.memory", received, sizeof received, 0, NULL) &&
           !fecrun_bind_output(own, "sink.memory", out, sizeof out, 0, NULL);
    for (int i = 0; same && i < 100; i++) {
        memset(out, 7, sizeof out);
        same = !fecrun_execute(own, FRAMES, NULL) && !memcmp(out, sent, sizeof out);
    }
    return same ? own : NULL;
}

static void test_threads(void)
{
    const struct fecrun_prepare_options options = {.size = sizeof options, .frames = FRAMES};
    struct fecrun_prepared *own[2];
    pthread_t threads[2];
    void *result;

    must_prepare(DECODER, 1);
    for (int i = 0; i < 2; i++)
        if (fecrun_prepare(&own[i], session, &options, &message) ||
            pthread_create(&threads[i], NULL, decode_often, own[i]))
            bail("%s", message.text);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &result);
        ok(result != NULL, "thread %d, with a prepared pipeline of its own", i);
        fecrun_finish(own[i]);
    }
}

/* ---- Errors ---- */

/* what: how the message begins; has: what is in it. */
static void says(bool failed, int status, const char *what, const char *has)
{
    ok(failed && message.status == status && !strncmp(message.text, what, strlen(what)) &&
           strstr(message.text, has),
       "%d: %s", message.status, message.text);
}

static void test_bad_calls(void)
{
    uint8_t out[FRAMES][BITS];

    must_prepare(DECODER, FRAMES);
    says(!execute(1), 2, "source.memory: ", "no array is bound");
    says(!bind_input("sauce.memory", out, 1, 0), 2, "no array can be bound to `sauce.memory`",
         "source.memory, sink.memory");
    says(!bind_input("sink.memory", out, 1, 0), 2, "sink.memory: ", "is an output");
    says(!bind_output("source.memory", out, 1, 0), 2, "source.memory: ", "is an input");
    says(!bind_input("source.memory", NULL, 1, 0), 2, "source.memory: ", "NULL");
    says(!bind_input("source.memory", received, sizeof received, CODED - 1), 2,
         "source.memory: ", "a frame has 212");
    ok(IN(received) && bind_output("sink.memory", out, 2 * BITS, 0), "an array for two frames");
    ok(execute(2), "is enough for two");
    says(!execute(3), 2, "sink.memory: ", "3 frames take 300 bytes, the array has 200");
    says(!execute(FRAMES + 1), 2, "10 frames", "1 to 9");
    says(!execute(0), 2, "0 frames", "1 to 9");
    ok(execute(2), "none of it has done harm");
}

static void test_bad_pipelines(void)
{
    says(!prepare(ENCODER "sweep: {source.memory.frame: [10, 20]}\n", 1), 2, "mine:6:", "sweep");
    says(!prepare(ENCODER "stop: {frames: 3}\n", 1), 2, "mine:3:", "stop: ");
    says(!prepare(HEAD "- source.random: {bits: 8}\n- sink.file: {path: x}\n", 1), 2,
         "mine:4:", "sink.file: reads or writes a file");
    says(!prepare(HEAD "- source.memory: {dtype: u1, frame: 8}\n- conv.encode: {code: nosuch}\n"
                       "- sink.memory\n",
                  1),
         2, "mine:4:", "conv.encode.code");
    says(!prepare(HEAD "- source.memory: {dtype: f4, frame: 8}\n- sink.memory: {dtype: i1}\n", 1),
         2, "mine:4:", "sink.memory.dtype: f32 items do not all fit into i8");
    says(!prepare(HEAD "- source.memory: {dtype: u1, frame: 8}\n- sink.memory\n- sink.null\n", 1),
         2, "mine:5:", "sink.memory puts out nothing; `from:` says");
    says(!prepare(HEAD "- source.memory: {dtype: u1, frame: 8}\n- sink.memory\n"
                       "- source.memory: {id: b, dtype: u1, frame: 8}\n",
                  1),
         2, "mine:5:", "b: a pipeline ends with a sink");
    says(!prepare("fecrun: 1\nblocks:\n  - {count: 2, frame: 40}\n"
                  "pipeline:\n- source.memory: {dtype: u1, frame: 1}\n- sink.memory\n",
                  3),
         2, "mine:3:", "3 frames are asked for, the rows have 2");
    if (!open_text(ENCODER))
        bail("%s", message.text);
    says(fecrun_run(session, NULL, &message), 2, "mine:3:", "a run has none, but files");
    says(fecrun_check(session, &message), 2, "mine:3:", "source.memory: is memory of a program");
}

int main(void)
{
    const char *top = getenv("top_builddir");
    char plugins[4096];

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    make_frames();
    test_calls();
    test_arrays();
    test_several();
    test_infos();
    test_split();
    test_costs();
    test_scratch();
    test_random();
    test_threads();
    test_bad_calls();
    test_bad_pipelines();
    fecrun_finish(prepared);
    fecrun_close(session);
    return done_testing();
}
