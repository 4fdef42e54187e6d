/* SPDX-License-Identifier: BSD-2-Clause */
/* A journal's arithmetic: hashes, the chain of ranges, gaps, cells. */
#include "tools/fecrun/journal/ranges.h"
#include "tools/fecrun/journal/seal.h"
#include "tools/fecrun/journal/sha256.h"

#include "t/lib/tap.h"

enum { FRAMES = 3000, TRIALS = 300 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(uint64_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (state >> 11) % n;
}

/* ---- SHA-256: the examples of FIPS 180-4's authors (csrc.nist.gov, SHA256.pdf, and CAVP) ---- */

static void try_hash(const char *text, size_t times, const char *want)
{
    struct sha256 sha;
    char got[SHA256_TEXT];

    sha256_begin(&sha);
    for (size_t i = 0; i < times; i++)
        sha256_add(&sha, text, strlen(text));
    sha256_end(&sha, got);
    ok(!strcmp(got, want), "SHA-256 of %zu x '%.20s'", times, text);
}

static void try_hashes(void)
{
    try_hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    try_hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    try_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    try_hash("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* ---- Ranges of frames whose errors are known ---- */

static bool wrong[FRAMES];

static struct range made(uint64_t first, uint64_t n)
{
    struct range range = {.first = first, .counts.frames = n, .seconds = (double)n};

    for (uint64_t f = first; f < first + n; f++)
        if (wrong[f]) {
            range.counts.frame_errors++;
            range.counts.iterations += f; /* tells which frames they were */
            range.last_wrong = f;
        }
    return range;
}

/* True: no two ranges of the same frames have other counts. */
static bool settle(struct ranges *ranges)
{
    const struct range *a;
    struct range b;

    return !ranges_settle(ranges, &a, &b) && !a;
}

static void add(struct ranges *ranges, uint64_t first, uint64_t n)
{
    const struct range range = made(first, n);

    if (n && (ranges_add(ranges, &range) || !settle(ranges)))
        bail("a range does not agree with itself");
}

/* The frame behind the one that fulfils a rule; FRAMES: none does. */
static uint64_t expected_end(const struct run_limits *limits)
{
    uint64_t errors = 0;

    for (uint64_t f = 0; f < FRAMES; f++) {
        errors += wrong[f];
        if (errors == limits->frame_errors || f + 1 == limits->frames)
            return f + 1;
    }
    return FRAMES;
}

/* As a process does that meets the rule in the middle of frames that were done before. */
static void rerun(struct ranges *ranges, const struct chain *chain, const struct run_limits *limits)
{
    const uint64_t at = chain->counts.frames, end = expected_end(limits);

    add(ranges, at, end < at + chain->passed ? end - at : chain->passed);
}

/* Ranges from anywhere, in any order, over each other; then what is missing, until a rule holds. */
static bool try_chain(void)
{
    struct ranges ranges = {.unit = 1};
    const struct run_limits limits = {.frame_errors = 1 + draw(60), .frames = 1 + draw(FRAMES)};
    const uint64_t share = 1 + draw(50);
    struct chain chain;
    struct range direct;
    bool fine;

    for (int f = 0; f < FRAMES; f++)
        wrong[f] = draw(100) < share;
    for (int i = 0; i < 40; i++) {
        const uint64_t first = draw(FRAMES), most = FRAMES - first;
        add(&ranges, first, 1 + draw(most < 200 ? most : 200));
    }
    for (int i = 0; i < 10000; i++) {
        ranges_chain(&ranges, &limits, NULL, &chain);
        if (chain.met)
            break;
        if (chain.passed) {
            rerun(&ranges, &chain, &limits);
        } else {
            struct gap gap = ranges_gap(&ranges, chain.counts.frames, NULL);
            uint64_t n = 1 + draw(150);
            n = n < gap.end - gap.first ? n : gap.end - gap.first;
            add(&ranges, gap.first, n < FRAMES - gap.first ? n : FRAMES - gap.first);
        }
    }
    direct = made(0, expected_end(&limits));
    fine = chain.met && chain.counts.frames == direct.counts.frames &&
           chain.counts.frame_errors == direct.counts.frame_errors &&
           chain.counts.iterations == direct.counts.iterations;
    ranges_free(&ranges);
    return fine;
}

static void try_chains(void)
{
    int bad = 0;

    for (int t = 0; t < TRIALS; t++)
        bad += !try_chain();
    is_int(bad, 0, "any ranges in any order end at the frame of one undisturbed run");
}

static void try_extension(void)
{
    const struct run_limits small = {.frame_errors = 2}, large = {.frame_errors = 4};
    struct ranges ranges = {.unit = 1};
    struct chain chain;

    memset(wrong, 0, sizeof wrong);
    wrong[3] = wrong[7] = wrong[12] = wrong[18] = true;
    add(&ranges, 0, 8);
    ranges_chain(&ranges, &small, NULL, &chain);
    ok(chain.met && chain.counts.frames == 8, "two errors after 8 frames");
    ranges_chain(&ranges, &large, NULL, &chain);
    ok(!chain.met && chain.counts.frames == 8 && !chain.passed, "four need more");
    add(&ranges, 0, 10);
    ranges_chain(&ranges, &large, NULL, &chain);
    ok(chain.counts.frames == 10, "of two ranges at one place the longer one is taken");
    ranges_chain(&ranges, &small, NULL, &chain);
    ok(chain.met && chain.counts.frames == 8, "but not beyond the rule");
    ranges_free(&ranges);
}

/* With `blocks:` a batch begins with the first row. */
static void try_units(void)
{
    const struct run_limits small = {.frames = 13}, large = {.frames = 20};
    struct ranges ranges = {.unit = 5};
    struct chain chain;
    struct gap gap;

    memset(wrong, 0, sizeof wrong);
    add(&ranges, 0, 10);
    add(&ranges, 10, 3);
    ranges_chain(&ranges, &small, NULL, &chain);
    ok(chain.met && chain.counts.frames == 13, "a rule may end a chain within a batch");
    ranges_chain(&ranges, &large, NULL, &chain);
    is_int((int)chain.counts.frames, 10, "but nothing goes on from there");
    gap = ranges_gap(&ranges, 10, NULL);
    ok(gap.first == 10 && gap.end == UINT64_MAX, "the gap begins with the batch");
    ranges_free(&ranges);
}

static void try_same(void)
{
    struct ranges ranges = {.unit = 1};
    struct range range;

    add(&ranges, 5, 10);
    range = made(5, 10);
    ok(!ranges_add(&ranges, &range) && settle(&ranges) && ranges.n == 1, "the same range again");
    range.counts.bit_errors++;
    ok(!ranges_add(&ranges, &range) && !settle(&ranges) && ranges.n == 1, "with other counts");
    ok(settle(&ranges), "which is told once");
    ranges_free(&ranges);
}

/* Steps are counted, not seconds. factor: frame k * factor mod n comes as the k-th. */
static void try_order(uint64_t factor, const char *how)
{
    enum { N = 60000 };
    const struct run_limits none = {0};
    struct ranges ranges = {.unit = 1, .n_rows = 1};
    struct run_class row = {0};
    struct range range = {.counts.frames = 1, .counts.rows = &row};
    struct chain chain;

    for (uint64_t k = 0; k < N; k++) {
        range.first = k * factor % N;
        range.counts.iterations = range.first;
        if (ranges_add(&ranges, &range))
            bail("no memory");
    }
    ok(settle(&ranges) && ranges.n == N, "%d lines, %s", N, how);
    ok(ranges.moved <= N, "move %llu ranges", (unsigned long long)ranges.moved);
    ranges_chain(&ranges, &none, NULL, &chain);
    ok(chain.counts.frames == N && chain.counts.iterations == (uint64_t)N * (N - 1) / 2,
       "and are one chain");
    range.first = N;
    if (ranges_add(&ranges, &range) || !settle(&ranges))
        bail("no memory");
    ok(ranges.moved <= N + 1, "to which a line is added in one step");
    ranges_free(&ranges);
}

/* ---- Cells ---- */

static void try_cells(unsigned n, uint64_t size)
{
    const struct cells cells = {size, n};
    bool fine = cells_first(&cells, 0) == 0;

    for (uint64_t k = 0; cells_first(&cells, k) >> 40 == 0; k++) {
        const uint64_t first = cells_first(&cells, k), next = cells_first(&cells, k + 1);
        fine &= next > first && (next - first) % size == 0 && cells_find(&cells, first) == k &&
                cells_find(&cells, next - 1) == k && next - first <= size + first / n / 8;
    }
    ok(fine, "cells of %u shards follow each other, and are no large part of what is done", n);
}

int main(void)
{
    static const char text[] = "{\"a\":1}";
    size_t size = 0;
    char *line;

    is_int(seal_crc("123456789", 9), 0xe3069283, "CRC-32C of the nine digits, RFC 3720");
    line = seal_line(strdup(text), &size);
    ok(line && size == strlen(line) && line[size - 1] == '\n' && seal_holds(line, size - 1) &&
           seal_holds(text, sizeof text - 1),
       "a line with its CRC holds, and one without: %s", line);
    line[5] ^= 1;
    ok(!seal_holds(line, size - 1), "but not with another bit");
    free(line);
    try_hashes();
    try_chains();
    try_extension();
    try_units();
    try_same();
    try_order(1, "in order");
    try_order(59999, "in reverse order");
    try_order(7919, "in no order");
    try_cells(1, 64);
    try_cells(3, 1);
    try_cells(64, 4096);
    return done_testing();
}
