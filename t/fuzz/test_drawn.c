/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pipelines drawn at random over all families of codes, run for a few frames each:
 *
 *     test_drawn [FIRST COUNT [lines]]
 *
 * Number N is always the same pipeline. One thread or three, any batch: the same status and the same counts. A refusal
 * has a place. No crash, and no end that does not come. With `lines` each pipeline whose LLRs are integers is a line of
 * counts, which have to be the same under another FECRUN_ISA. A number alone, COUNT 0: prints that pipeline.
 */
#include "t/fuzz/pipeline.h"

#include "t/lib/tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { TOGETHER = 50, SECONDS = 300, FRAMES = 12 }; /* of one child process */

static uint64_t state;

static uint64_t draw(uint64_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state * 0x9e3779b97f4a7c15u >> 33) % n;
}

static void seed(uint64_t number)
{
    state = number * 0xd1342543de82ef95u + 1;
    for (int i = 0; i < 8; i++)
        draw(2);
}

/* ---- The text ---- */

static char text[8192];
static size_t used;
static bool integers; /* the decoder's LLRs */

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

static const char *one_of(const char *words)
{
    static char word[64];
    unsigned n = 1;

    for (const char *p = words; *p; p++)
        n += *p == ' ';
    for (n = (unsigned)draw(n); n; n--)
        words = strchr(words, ' ') + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
    return word;
}

/* Small values are drawn most; those at the ends, too. */
static int64_t between(int64_t low, int64_t high)
{
    const int64_t room = high - low;

    if (room <= 0)
        return (int64_t)draw(20);
    if (!draw(8))
        return draw(2) ? low : high < 1000 ? high : low + 1000;
    return low + (int64_t)draw((uint64_t)(room < 40 ? room + 1 : 40));
}

/* A parameter of any stage by its own description; nothing for what names files and ports. */
static void put_param(const struct fecrun_param *param)
{
    size_t n = 0;

    switch (param->type) {
    case FECRUN_VALUE_INT:
        put(", %s: %" PRId64, param->name, between(param->imin, param->imax));
        break;
    case FECRUN_VALUE_FLOAT:
        put(", %s: %g", param->name,
            param->fmax > param->fmin
                ? param->fmin + (param->fmax - param->fmin) * (double)draw(101) / 100
                : (double)draw(64) / 8);
        break;
    case FECRUN_VALUE_CHOICE:
        while (param->choices[n])
            n++;
        put(", %s: %s", param->name, param->choices[draw(n)]);
        break;
    case FECRUN_VALUE_BOOL:
        put(", %s: %s", param->name, draw(2) ? "true" : "false");
        break;
    default:
        break;
    }
}

/* `- NAME: {GIVEN, ...}`: one in `rare` of the other parameters is drawn, too. */
static void put_stage(const char *name, const char *given, unsigned rare)
{
    const struct fecrun_param *const *params = registry_find(fuzz_registry, name)->stage->params;

    put("  - %s: {id: s%zu%s%s", name, used, *given ? ", " : "", given);
    for (; params && *params; params++) {
        char key[64];
        snprintf(key, sizeof key, "%s:", (*params)->name);
        if (!strchr((*params)->name, '.') && !strstr(given, key) && !draw(rare))
            put_param(*params);
    }
    put("}\n");
}

/* ---- Links ---- */

struct link {
    unsigned bits; /* of the source */
    char encode[160], decode[160], crc[24];
    const char *family;
};

static void draw_viterbi(struct link *link)
{
    link->bits = 8 + (unsigned)draw(draw(3) ? 120 : 1500);
    snprintf(link->encode, sizeof link->encode, "code: %s",
             one_of("ieee80211 dvb ccsds lte_tbcc umts_r2 umts_r3 cdma_r2 cdma_r3"));
    if (!draw(3))
        snprintf(link->encode, sizeof link->encode,
                 "constraint_length: %d, generators: [0o%" PRIo64 ", 0o%" PRIo64 "]", 5,
                 (16 + draw(16)) | 1, (16 + draw(16)) | 1);
    if (draw(2))
        snprintf(link->encode + strlen(link->encode), 40, ", termination: %s",
                 one_of("zero tail-biting truncated"));
}

static void draw_ldpc(struct link *link)
{
    static const unsigned z[] = {2, 3, 6, 8, 10, 15, 16, 26, 36, 64};

    if (draw(2)) {
        const unsigned bg = 1 + (unsigned)draw(2), size = z[draw(10)];
        link->bits = (bg == 1 ? 22 : 10) * size;
        snprintf(link->encode, sizeof link->encode, "code: nr, bg: %u, z: %u", bg, size);
        return;
    }
    link->bits = 648 / 12 * (6 + 2 * (unsigned)draw(2));
    snprintf(link->encode, sizeof link->encode, "code: wifi, n: 648, rate: %s",
             link->bits == 324 ? "1/2" : "2/3");
}

static void draw_turbo(struct link *link)
{
    link->bits = 40 + 8 * (unsigned)draw(59);
    snprintf(link->encode, sizeof link->encode, "k: %u", link->bits);
    snprintf(link->decode, sizeof link->decode, "iterations: %d", 1 + (int)draw(6));
}

static void draw_polar(struct link *link)
{
    const char *crc = draw(2) ? one_of("11 6 24c") : "";
    const unsigned more = (unsigned)atoi(crc);

    link->bits = 12 + (unsigned)draw(60);
    if (*crc) {
        snprintf(link->crc, sizeof link->crc, "crc: %s", crc);
        snprintf(link->decode, sizeof link->decode, "crc: %s", crc);
    }
    if (draw(3))
        snprintf(link->encode, sizeof link->encode, "code: nr, k: %u, e: %d", link->bits + more,
                 (int)(link->bits + more + 20 + draw(200)));
    else
        snprintf(link->encode, sizeof link->encode, "code: plain, k: %u, n: %u", link->bits + more,
                 128u << draw(4));
}

static void draw_link(struct link *link)
{
    static void (*const families[])(struct link *) = {draw_viterbi, draw_ldpc, draw_turbo,
                                                      draw_polar};
    static const char *const names[] = {"viterbi", "ldpc", "turbo", "polar"};
    const size_t family = draw(4);

    *link = (struct link){.family = names[family]};
    families[family](link);
}

/* Of a scheme that the coded bits may not fill, some, too: that is refused. */
static void put_channel(void)
{
    char given[64];

    if (!draw(6)) {
        snprintf(given, sizeof given, "p: 0.0%d", (int)draw(10));
        put_stage("channel.bsc", given, 1000);
        return;
    }
    snprintf(given, sizeof given, "scheme: %s", one_of("bpsk bpsk bpsk qpsk qpsk 16qam 64qam"));
    put_stage("modem.map", given, 1000);
    snprintf(given, sizeof given, "esn0_db: %d", (int)draw(12) - 4);
    put_stage("channel.awgn", given, 12);
    put_stage("modem.demap", "", 12);
}

/* The pipeline of the present state. */
static void make(void)
{
    struct link link;
    char name[32], given[64];
    const unsigned rare = draw(2) ? 1000 : 10;

    used = 0;
    integers = draw(4) != 0;
    draw_link(&link);
    put("fecrun: 1\nseed: %d\npipeline:\n", (int)draw(1000000));
    put("  - source.random: {bits: %u}\n", link.bits);
    if (*link.crc)
        put("  - crc.attach: {%s}\n", link.crc);
    snprintf(name, sizeof name, "%s.encode", strcmp(link.family, "viterbi") ? link.family : "conv");
    put_stage(name, link.encode, 10 * rare);
    put_channel();
    if (integers) {
        snprintf(given, sizeof given, "type: %s, scale: %d", one_of("i8 i8 i8 i4 i16"),
                 1 + (int)draw(8));
        put_stage("llr.quantize", given, rare);
    }
    snprintf(name, sizeof name, "%s.decode", link.family);
    put_stage(name, link.decode, rare);
    if (*link.crc)
        put("  - crc.check: {%s}\n", link.crc);
    put("  - sink.errors: {}\n");
}

/* ---- Running ---- */

struct outcome {
    int status; /* enum diag_status */
    char why[sizeof((struct diag *)0)->text];
    struct run_counts counts;
};

static struct outcome *to; /* the run's */

static void keep(void *data, const struct result_point *point)
{
    (void)data;
    to->counts = point->counts;
    to->counts.rows = NULL;
}

static void run_it(struct outcome *outcome, unsigned threads, const char *batch)
{
    char frames[32];
    const char *sets[] = {frames, batch, NULL};
    const struct pipeline_options options = {
        .text = text,
        .text_size = used,
        .sets = sets,
        .place = {.base_dir = fuzz_dir, .resolve = restrict_path, .data = (char *)fuzz_dir}};
    struct session session = {.registry = fuzz_registry, .threads = threads};
    struct diag diag = {0};

    *outcome = (struct outcome){0};
    to = outcome;
    snprintf(frames, sizeof frames, "stop.frames=%d", FRAMES);
    if (!pipeline_load(&session.pipeline, "p.yaml", &options, &diag) &&
        !graph_bind(&session.graph, session.pipeline, session.registry, &diag) &&
        !sweep_try(&session, &diag))
        sweep_all(&session, NULL, NULL, keep, &diag);
    outcome->status = diag.status;
    snprintf(outcome->why, sizeof outcome->why, "%s", diag.text);
    graph_free(session.graph);
    pipeline_free(session.pipeline);
}

static bool same_counts(const struct outcome *a, const struct outcome *b)
{
    return a->status == b->status && !memcmp(a->counts.all, b->counts.all, sizeof a->counts.all);
}

/* Shared with the child that runs it. */
static struct tally {
    uint64_t number, decoded, refused, failed;
    char how[1200];
} * tally;

static void fail(const char *what, const char *why)
{
    if (!tally->failed++)
        snprintf(tally->how, sizeof tally->how, "number %" PRIu64 ": %s: %s", tally->number, what,
                 why);
}

static void try_one(bool lines)
{
    static struct outcome one, other;
    char batch[32];

    make();
    snprintf(batch, sizeof batch, "batch=%d", 1 + (int)draw(20));
    run_it(&one, 1, NULL);
    run_it(&other, 3, batch);
    if (!same_counts(&one, &other))
        fail("other threads and batch, other counts", other.why);
    if (one.status == DIAG_USAGE && !strstr(one.why, "p.yaml:") && strncmp(one.why, "--", 2))
        fail("a refusal without a place", one.why);
    if (one.status && !one.why[0])
        fail("no reason", "");
    if (!one.status && one.counts.frames != FRAMES)
        fail("frames are missing", "");
    tally->refused += one.status != 0;
    tally->decoded += !one.status;
    if (lines && integers && !one.status) {
        printf("%" PRIu64, tally->number);
        for (size_t k = 0; k < N_COUNTERS; k++)
            printf(" %" PRIu64, one.counts.all[k]);
        putchar('\n');
    }
}

/* In a process of its own, whose end says whether all went well. */
static void try_some(uint64_t first, uint64_t n, bool lines)
{
    const pid_t child = fork();
    int status;

    if (!child) {
        alarm(SECONDS);
        for (uint64_t i = 0; i < n; i++) {
            tally->number = first + i;
            seed(first + i);
            try_one(lines);
        }
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        bail("fork");
    if (WIFSIGNALED(status))
        fail("a signal ended it", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status))
        fail("it ended by itself", "");
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 200;
    const bool lines = argc > 3;

    fuzz_begin();
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED)
        bail("mmap");
    if (argc > 2 && !count) {
        seed(first);
        make();
        fputs(text, stdout);
        return 0;
    }
    for (uint64_t i = 0; i < count; i += TOGETHER) {
        fflush(stdout);
        try_some(first + i, count - i < TOGETHER ? count - i : TOGETHER, lines);
    }
    if (lines)
        return tally->failed != 0;
    printf("# %" PRIu64 " were decoded, %" PRIu64 " refused\n", tally->decoded, tally->refused);
    ok(!tally->failed, "%" PRIu64 " pipelines, from number %" PRIu64 ": %s", count, first,
       tally->failed ? tally->how : "all is the same");
    ok(tally->decoded > count / 4 || count < 100, "a quarter of them is decoded at least");
    return done_testing();
}
