/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h: parameters that change between calls; real plugins, on the host. */
#include "t/lib/tap.h"

#include "core/base/sanitized.h"
#include "run/api/api_impl.h"

#include <fecrun/fecrun.h>

/* ---- Memory that runs out ---- */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define RUNS_OUT 1
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *ptr, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static long left = -1; /* allocations until some fail, so many in a row; below 0: none does */
static int row;

static bool fails(void)
{
    if (left)
        left -= left > 0;
    else if (row-- > 0)
        return true;
    return false;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *ptr, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(ptr, bytes);
}

int posix_memalign(void **ptr, size_t align, size_t bytes)
{
    *ptr = fails() ? NULL : __libc_memalign(align, bytes);
    return *ptr ? 0 : 12;
}
#else
#define RUNS_OUT 0
static long left = -1;
static int row;
#endif

enum { FRAMES = 3, MOST = 1 << 18 };

#define HEAD "fecrun: 1\nseed: 3\npipeline:\n"
#define LDPC \
    HEAD "- source.memory: {dtype: i1, frame: 900, llr_max: 60}\n" \
         "- ldpc.rate_recover: {bg: 1, z: 20, fillers: 0}\n" \
         "- ldpc.decode: {code: nr, bg: 1, z: 20}\n" \
         "- sink.memory\n"
#define TURBO \
    HEAD "- source.memory: {dtype: i1, frame: 700, llr_max: 40}\n" \
         "- turbo.rate_recover: {k: 512}\n" \
         "- turbo.decode: {k: 512}\n" \
         "- sink.memory\n"
#define VITERBI \
    HEAD "- source.memory: {dtype: i1, frame: 212, llr_max: 10}\n" \
         "- viterbi.decode: {code: ieee80211}\n" \
         "- sink.memory\n"
#define POLAR \
    HEAD "- source.memory: {dtype: i1, frame: 432, llr_max: 60}\n" \
         "- polar.rate_recover: {code: nr, k: 120}\n" \
         "- polar.decode: {code: nr, k: 120, e: 432, crc: 11}\n" \
         "- sink.memory\n"
#define LINK \
    HEAD "- source.random: {bits: 300}\n" \
         "- conv.encode: {code: ieee80211}\n" \
         "- modem.map: {scheme: bpsk}\n" \
         "- channel.awgn: {ebn0_db: 2}\n" \
         "- modem.demap\n" \
         "- llr.quantize: {type: i8, scale: 2}\n" \
         "- sink.memory: {id: soft}\n" \
         "- viterbi.decode: {from: llr.quantize, code: ieee80211}\n" \
         "- sink.memory\n"

static struct fecrun_message message = {.size = sizeof message};

/* A prepared pipeline with arrays of its own. */
struct line_of {
    struct fecrun_session *session;
    struct fecrun_prepared *prepared;
    char out[8][MOST];
};

static char received[MOST];
static struct line_of one, other;

static void close_line(struct line_of *line)
{
    fecrun_finish(line->prepared);
    fecrun_close(line->session);
    *line = (struct line_of){0};
}

static bool open_line(struct line_of *line, const char *text, const char *const *sets)
{
    const struct fecrun_options options = {.size = sizeof options, .sets = sets};
    const struct fecrun_prepare_options most = {.size = sizeof most, .frames = FRAMES};

    close_line(line);
    return !fecrun_open_text(&line->session, "mine", text, strlen(text), &options, &message) &&
           !fecrun_prepare(&line->prepared, line->session, &most, &message);
}

static bool call_line(struct line_of *line, uint64_t frames)
{
    struct fecrun_prepared *p = line->prepared;

    memset(line->out, 7, sizeof line->out);
    for (size_t i = 0; i < p->n_ports; i++) {
        const char *id = p->session.graph->stages[p->ports[i].stage].decl->id;
        if (p->ports[i].output ? fecrun_bind_output(p, id, line->out[i], MOST, 0, &message)
                               : fecrun_bind_input(p, id, received, MOST, 0, &message))
            return false;
    }
    return !fecrun_execute(p, frames, &message);
}

/* Which stages have the instances that they had? A digit each. */
static void *first[64];

static void note(const struct line_of *line)
{
    for (size_t s = 0; s < line->prepared->session.graph->n; s++) {
        void ***instances = line->prepared->line.worker->full.instances;
        first[s] = instances[s];
    }
}

static const char *kept(const struct line_of *line)
{
    static char text[64];

    for (size_t s = 0; s < line->prepared->session.graph->n; s++)
        text[s] = (void *)line->prepared->line.worker->full.instances[s] == first[s] ? '1' : '0';
    text[line->prepared->session.graph->n] = 0;
    return text;
}

/* Outputs and frame infos are those of a pipeline that was prepared with these values. calls: so many were made. */
static void same_as_fresh(const char *text, const char *const *sets, int calls)
{
    const struct fecrun_frame_info *a, *b;

    if (!open_line(&other, text, sets))
        bail("%s", message.text);
    for (int i = 0; i < calls; i++)
        if (!call_line(&other, FRAMES))
            bail("%s", message.text);
    if (!call_line(&one, FRAMES) || !call_line(&other, FRAMES))
        bail("%s", message.text);
    a = fecrun_get_infos(one.prepared);
    b = fecrun_get_infos(other.prepared);
    ok(!memcmp(one.out, other.out, sizeof one.out) && !memcmp(a, b, FRAMES * sizeof *a),
       "as prepared with %s %s", sets[0], sets[1] ? sets[1] : "");
}

static bool set(const char *const *sets)
{
    return !fecrun_set(one.prepared, sets, &message);
}

#define SETS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void says(bool failed, const char *what, const char *has)
{
    ok(failed && message.status == 2 && !strncmp(message.text, what, strlen(what)) &&
           strstr(message.text, has),
       "%d: %s", message.status, message.text);
}

/* ---- Families ---- */

static void test_ldpc(void)
{
    const void *code;

    if (!open_line(&one, LDPC, NULL) || !call_line(&one, FRAMES))
        bail("%s", message.text);
    note(&one);
    ok(set(SETS("ldpc.rate_recover.qm=2")), "bits of a symbol %s", message.text);
    is_str(kept(&one), "1011", "the decoder's instance is kept");
    same_as_fresh(LDPC, SETS("ldpc.rate_recover.qm=2"), 1);
    ok(set(SETS("ldpc.rate_recover.rv=2", "ldpc.rate_recover.qm=1")), "rv");
    is_str(kept(&one), "1001", "which reaches other rows of the decoder");
    same_as_fresh(LDPC, SETS("ldpc.rate_recover.rv=2"), 2);
    code = one.prepared->made->plan->stages[2].plan.code;
    note(&one);
    ok(set(SETS("ldpc.rate_recover.qm=4")) && set(SETS("ldpc.rate_recover.qm=1")), "bits again");
    is_str(kept(&one), "1011", "a later instance is kept, too");
    ok(one.prepared->kept->plan->stages[2].plan.code == code, "with its code");
    ok(set(SETS("source.memory.frame=1300", "ldpc.rate_recover.rv=3")), "more LLRs, both at once");
    same_as_fresh(LDPC, SETS("source.memory.frame=1300", "ldpc.rate_recover.rv=3"), 3);
    ok(set(SETS("source.memory.frame=900")), "as many as before; rv stays");
    same_as_fresh(LDPC, SETS("source.memory.frame=900", "ldpc.rate_recover.rv=3"), 4);
    ok(set(SETS("ldpc.rate_recover.fillers=40", "ldpc.decode.fillers=40")), "fillers");
    same_as_fresh(
        LDPC,
        SETS("ldpc.rate_recover.rv=3", "ldpc.rate_recover.fillers=40", "ldpc.decode.fillers=40"),
        5);
    ok(set(SETS("ldpc.rate_recover.fillers=0", "ldpc.decode.fillers=0", "ldpc.decode.iterations=3",
                "ldpc.rate_recover.z=24", "ldpc.decode.z=24")),
       "another z and fewer iterations %s", message.text);
    same_as_fresh(LDPC,
                  SETS("ldpc.rate_recover.rv=3", "ldpc.decode.iterations=3",
                       "ldpc.rate_recover.z=24", "ldpc.decode.z=24"),
                  6);
}

static void test_others(void)
{
    if (!open_line(&one, TURBO, NULL) || !call_line(&one, 1))
        bail("%s", message.text);
    ok(set(SETS("turbo.rate_recover.k=1024", "turbo.decode.k=1024", "turbo.rate_recover.rv=1")),
       "turbo: K and rv %s", message.text);
    same_as_fresh(
        TURBO, SETS("turbo.rate_recover.k=1024", "turbo.decode.k=1024", "turbo.rate_recover.rv=1"),
        0);
    if (!open_line(&one, VITERBI, NULL) || !call_line(&one, 1))
        bail("%s", message.text);
    ok(set(SETS("source.memory.frame=400", "source.memory.llr_max=127")), "Viterbi: larger LLRs");
    same_as_fresh(VITERBI, SETS("source.memory.frame=400", "source.memory.llr_max=127"), 0);
    if (!open_line(&one, POLAR, NULL) || !call_line(&one, 1))
        bail("%s", message.text);
    ok(set(SETS("polar.rate_recover.k=200", "polar.decode.k=200")), "polar: K %s", message.text);
    same_as_fresh(POLAR, SETS("polar.rate_recover.k=200", "polar.decode.k=200"), 0);
}

/* Noise: the numbers of frames go on, and no instance is made anew. */
static void test_noise(void)
{
    if (!open_line(&one, LINK, NULL) || !call_line(&one, FRAMES))
        bail("%s", message.text);
    note(&one);
    ok(set(SETS("channel.awgn.ebn0_db=5")), "Eb/N0");
    ok(!strcmp(kept(&one) + 6, "111"), "decoder and sinks are kept");
    same_as_fresh(LINK, SETS("channel.awgn.ebn0_db=5"), 1);
    ok(set(SETS("seed=77", "channel.awgn.ebn0_db=-1")), "seed, too");
    same_as_fresh(LINK, SETS("seed=77", "channel.awgn.ebn0_db=-1"), 2);
    ok(set(SETS("source.random.bits=200")), "then the frame's size");
    same_as_fresh(LINK, SETS("seed=77", "channel.awgn.ebn0_db=-1", "source.random.bits=200"), 3);
    ok(set(SETS("channel.awgn.ebn0_db=3")), "and noise again");
    same_as_fresh(LINK, SETS("seed=77", "channel.awgn.ebn0_db=3", "source.random.bits=200"), 4);
}

/* Of the buffers, whichever has which. */
static uintptr_t places(const struct line_of *line)
{
    uintptr_t sum = 0;

    for (size_t s = 0; s < line->prepared->session.graph->n; s++)
        sum += (uintptr_t)line->prepared->line.slot->stages[s].out[0].memory.ptr;
    return sum;
}

/* The largest sizes were prepared for: smaller ones and those again take no memory. */
static void test_memory(void)
{
    uintptr_t largest;

    if (!open_line(&one, LDPC, SETS("source.memory.frame=1320")))
        bail("%s", message.text);
    largest = places(&one);
    for (int frame = 600; frame <= 1320; frame += 360) {
        char text[64];
        snprintf(text, sizeof text, "source.memory.frame=%d", frame);
        if (!set(SETS(text)))
            bail("%s", message.text);
        ok(places(&one) == largest, "%d LLRs lie where the most lay", frame);
        same_as_fresh(LDPC, SETS(text), frame == 600 ? 0 : frame == 960 ? 1 : 2);
    }
}

/* Arrays stay bound while their frames fit. */
static void test_arrays(void)
{
    static uint8_t bits[FRAMES][400];
    static int8_t llrs[FRAMES][500];

    memcpy(llrs, received, sizeof llrs);
    if (!open_line(&one, VITERBI, NULL) ||
        fecrun_bind_input(one.prepared, "source.memory", llrs, sizeof llrs, sizeof llrs[0],
                          &message) ||
        fecrun_bind_output(one.prepared, "sink.memory", bits, sizeof bits, 0, &message))
        bail("%s", message.text);
    ok(set(SETS("source.memory.frame=412")) && !fecrun_execute(one.prepared, FRAMES, &message),
       "arrays stay bound");
    if (!open_line(&other, VITERBI, SETS("source.memory.frame=412")) ||
        fecrun_bind_input(other.prepared, "source.memory", llrs, sizeof llrs, sizeof llrs[0],
                          &message) ||
        fecrun_bind_output(other.prepared, "sink.memory", other.out[1], MOST, 0, &message) ||
        fecrun_execute(other.prepared, FRAMES, &message))
        bail("%s", message.text);
    ok(!memcmp(bits, other.out[1], FRAMES * 200), "and are written");
    ok(set(SETS("source.memory.frame=512")), "frames that are longer than a stride");
    says(fecrun_execute(one.prepared, 1, &message), "source.memory: ", "no array is bound");
}

/* ---- Errors ---- */

static void test_old_names(void)
{
    if (!open_line(&one, LDPC, NULL) || !call_line(&one, FRAMES))
        bail("%s", message.text);
    ok(set(SETS("ldpc.decode.algorithm=oms")), "an old name and an old word");
    same_as_fresh(LDPC, SETS("ldpc.decode.check_rule=offset-min-sum"), 1);
    ok(set(SETS("ldpc.decode.check_rule=nms")), "the old word after the present name");
    same_as_fresh(LDPC, SETS("ldpc.decode.check_rule=min-sum"), 2);
    says(!set(SETS("ldpc.decode.algorithm=omss")),
         "--set ldpc.decode.algorithm=omss: must be one of", "");
    if (!open_line(&one,
                   "fecrun: 1\npipeline:\n- source.memory: {dtype: i8, frame: 132}\n"
                   "- turbo.decode: {code: lte, k: 40}\n- sink.memory\n",
                   NULL))
        bail("%s", message.text);
    says(!set(SETS("turbo.decode.early_stop=crc24a")), "--set turbo.decode.early_stop=crc24a: ",
         "`crc24a` is an old word; write crc, and turbo.decode.crc=24a");
    ok(set(SETS("turbo.decode.extrinsic_scale=0.5")), "the old name of a factor");
}

static void test_errors(void)
{
    if (!open_line(&one, LDPC, NULL) || !call_line(&one, FRAMES))
        bail("%s", message.text);
    says(!set(SETS("ldpc.rate_recover.rv=4")), "--set ldpc.rate_recover.rv=4: ", "0 to 3");
    says(!set(SETS("ldpc.rate_recover.vr=1")),
         "--set ldpc.rate_recover.vr=1: ", "did you mean rv?");
    says(!set(SETS("ldpc.rate_recove.rv=1")), "--set ldpc.rate_recove.rv=1: unknown",
         "did you mean ldpc.rate_recover.rv?");
    says(!set(SETS("rv")), "--set rv: ", "NAME=VALUE");
    says(!set(SETS("batch=4")), "--set batch=4: is fixed", "");
    says(!set(SETS("seed=x")), "--set seed=x: must be an integer", "");
    says(!set(SETS("ldpc.decode.backend=ref")), "--set ldpc.decode.backend=ref: is fixed", "seed");
    says(!set(SETS("ldpc.decode.tune.x=1")), "--set ldpc.decode.tune.x=1: is fixed", "");
    says(!set(SETS("ldpc.rate_recover.harq_in=x")), "--set ldpc.rate_recover.harq_in=x: links", "");
    says(!set(SETS("ldpc.decode.z=24")), "mine:6:3: ldpc.decode", "z");
    says(!set(SETS("source.memory.frame=1300", "ldpc.rate_recover.rv=9")),
         "--set ldpc.rate_recover.rv=9: ", "");
    ok(fecrun_set(NULL, SETS("a=b"), &message) && fecrun_set(one.prepared, NULL, &message) &&
           strstr(message.text, "sets is NULL"),
       "NULL: %s", message.text);
    same_as_fresh(LDPC, SETS("seed=3"), 1);
    ok(set(SETS("ldpc.rate_recover.rv=1")), "after all of them a good one");
    says(!set(SETS("ldpc.rate_recover.rv=2", "ldpc.decode.z=3")), "", "");
    same_as_fresh(LDPC, SETS("ldpc.rate_recover.rv=1"), 2);

    if (!open_line(&one,
                   "fecrun: 1\nblocks:\n  - {count: 2, frame: 40}\n  - {count: 1, frame: 16}\n"
                   "pipeline:\n- source.memory: {dtype: u1, frame: 1}\n- crc.attach: {crc: 8}\n"
                   "- sink.memory\n",
                   NULL))
        skip(2, "%s", message.text);
    else {
        says(!set(SETS("source.memory.frame=20")), "--set source.memory.frame=20: blocks: sets it",
             "");
        ok(set(SETS("crc.attach.crc=16")), "in front of rows of blocks %s", message.text);
    }
    close_line(&one);
    if (!open_line(&one, VITERBI, NULL) || !call_line(&one, 1))
        bail("%s", message.text);
    says(!set(SETS("source.memory.stream=true", "viterbi.decode.termination=continuous")), "",
         "would take a stream, which is fixed");
    close_line(&one);
}

/* Allocations of a set fail, one after the other or two in a row (where the first is tried again): what was there
   works on, or says that it cannot where its own memory cannot be had again. The decoder is kept. */
static void test_no_memory(int in_row)
{
    static const char *const sets[] = {"b.frame=900", "ldpc.rate_recover.qm=2", NULL};
    static const char text[] = LDPC "- source.memory: {id: b, dtype: u1, frame: 10}\n"
                                    "- sink.memory: {id: c}\n";
    static char before[MOST];
    long n = 0, wrong = 0, refused = 0;
    bool failed = true;

    row = 0;
    for (; RUNS_OUT && row < in_row && n < 5000; n++) {
        if (!failed || !n) { /* some are not needed */
            row = 0;
            if (!open_line(&one, text, NULL) || !call_line(&one, FRAMES))
                bail("%s", message.text);
            note(&one);
            memcpy(before, one.out[1], MOST);
        }
        left = n;
        row = in_row;
        failed = fecrun_set(one.prepared, sets, &message);
        left = -1;
        refused += failed;
        if (in_row > 1 && one.prepared->broken) {
            wrong += call_line(&one, FRAMES) || !strstr(message.text, "prepare the pipeline again");
            failed = false;
            continue;
        }
        wrong += failed && (message.status != 1 || !call_line(&one, FRAMES) ||
                            memcmp(one.out[1], before, MOST));
    }
    if (!RUNS_OUT)
        skip(3, "allocations do not fail here");
    else {
        ok(refused > 30 && !wrong, "%ld of %ld allocations fail, %ld went wrong", refused, n,
           wrong);
        is_str(kept(&one), "101100", "then the decoder's instance is the same");
        same_as_fresh(text, sets, 1);
    }
}

int main(void)
{
    const char *top = getenv("top_builddir");
    char plugins[4096];
    uint32_t z = 1;

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    for (size_t i = 0; i < MOST; i++) {
        z = z * 1664525 + 1013904223;
        received[i] = (char)(int8_t)((int)(z >> 29) - 2 + (i % 7 == 0));
    }
    test_ldpc();
    test_others();
    test_noise();
    test_memory();
    test_arrays();
    test_old_names();
    test_errors();
    test_no_memory(1);
    test_no_memory(2);
    close_line(&one);
    close_line(&other);
    return done_testing();
}
