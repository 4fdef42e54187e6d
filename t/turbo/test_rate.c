/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of the LTE turbo code and its rate matching: against the tables of the standard, a
 * matrix written and read as 36.212 5.1.4.1.1 says, and the one vector that has more fillers than
 * parameters allow.
 */
#include "t/lib/tap.h"

#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/encode.h"
#include "plugins/turbo/rate/rate.h"

static FILE *data_file(const char *name)
{
    const char *dir = getenv("T_DATA");
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir ? dir : "t/data", name);
    file = fopen(path, "r");
    if (!file)
        bail("cannot read %s", path);
    return file;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void check_qpp(void)
{
    FILE *file = data_file("tables/lte_qpp.csv");
    unsigned k, f1, f2, n = 0, wrong = 0;
    char line[64];

    if (!fgets(line, sizeof line, file))
        bail("no header");
    for (; fscanf(file, "%u,%u,%u", &k, &f1, &f2) == 3; n++) {
        const struct turbo_qpp *qpp = turbo_qpp_find(k);

        wrong += !qpp || qpp->f1 != f1 || qpp->f2 != f2 || qpp != &turbo_qpp_table[n];
    }
    fclose(file);
    is_int(n, 188, "188 sizes in the table of the standard");
    is_int(wrong, 0, "all are ours");
    ok(!turbo_qpp_find(0) && !turbo_qpp_find(41) && !turbo_qpp_find(6145), "and no others");
}

/* Also what the vector decoder needs: pi(x + w W) mod W does not depend on w. */
static void check_interleaver(void)
{
    unsigned wrong = 0, crossed = 0;

    for (unsigned i = 0; i < TURBO_SIZES; i++) {
        const struct turbo_qpp *qpp = &turbo_qpp_table[i];
        uint16_t pi[TURBO_MOST_K], inverse[TURBO_MOST_K];

        turbo_interleaver(qpp, pi, inverse);
        for (uint64_t x = 0; x < qpp->k; x++) {
            wrong += pi[x] != (qpp->f1 * x + qpp->f2 * x * x) % qpp->k;
            wrong += pi[x] != turbo_pi(qpp, (uint32_t)x) || inverse[pi[x]] != x;
        }
        for (unsigned p = 2; p <= 64; p *= 2)
            for (uint32_t x = 0; qpp->k % p == 0 && x < qpp->k; x++)
                crossed += pi[x] % (qpp->k / p) != pi[x % (qpp->k / p)] % (qpp->k / p);
    }
    is_int(wrong, 0, "interleavers and their inverses");
    is_int(crossed, 0, "rows stay together");
}

/* ---- the circular buffer --------------------------------------------------------------------- */

static unsigned column[32];

static void read_columns(void)
{
    FILE *file = data_file("tables/lte_subblock_permutation.csv");
    unsigned j, p, other, n = 0;
    char line[64];

    if (!fgets(line, sizeof line, file))
        bail("no header");
    while (fscanf(file, "%u,%u,%u", &j, &p, &other) == 3 && j < 32) {
        column[j] = p;
        n++;
    }
    fclose(file);
    is_int(n, 32, "32 columns in the table of the standard");
}

/* w of 5.1.4.1.2: each place's item, or -1. */
static void collect(uint32_t k, int *w)
{
    const uint32_t d = k + 4, rows = (d + 31) / 32, all = 32 * rows, nulls = all - d;
    int v[3][TURBO_MOST_PLACES / 3];

    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; i < all; i++) {
            const uint32_t c = column[i / rows], r = i % rows;
            const uint32_t y = s < 2 ? 32 * r + c : (c + 32 * r + 1) % all;

            v[s][i] = y < nulls ? -1 : (int)(s * d + y - nulls);
        }
    for (uint32_t i = 0; i < all; i++) {
        w[i] = v[0][i];
        w[all + 2 * i] = v[1][i];
        w[all + 2 * i + 1] = v[2][i];
    }
}

static void check_buffer(void)
{
    static int w[TURBO_MOST_PLACES];
    unsigned wrong = 0;

    for (unsigned i = 0; i < TURBO_SIZES; i++) {
        const uint32_t k = turbo_qpp_table[i].k;

        collect(k, w);
        for (uint32_t x = 0; x < turbo_buffer(k); x++)
            wrong += turbo_buffer_item(k, x) != (w[x] < 0 ? TURBO_DUMMY : (uint32_t)w[x]);
    }
    is_int(wrong, 0, "the circular buffers of all sizes");
}

/* Bit selection as the standard has it: from k0 on, over dummies and fillers. */
static void select_bits(uint32_t k, uint32_t fillers, uint32_t ncb, uint32_t rv, uint32_t e,
                        uint32_t *item)
{
    static int w[TURBO_MOST_PLACES];
    const uint32_t rows = (k + 4 + 31) / 32;
    const uint32_t k0 = rows * (2 * ((ncb + 8 * rows - 1) / (8 * rows)) * rv + 2);

    collect(k, w);
    for (uint32_t n = 0, j = 0; n < e; j++) {
        const int at = w[(k0 + j) % ncb];
        const uint32_t place = (uint32_t)at % (k + 4);

        if (at < 0 || (place < fillers && (uint32_t)at < 2 * (k + 4)))
            continue;
        item[n++] = (uint32_t)at;
    }
}

static void check_selection(void)
{
    static uint32_t want[40000];
    static uint16_t order[TURBO_MOST_PLACES];
    unsigned wrong = 0, tried = 0;

    for (unsigned i = 0; i < TURBO_SIZES; i += 5)
        for (uint32_t rv = 0; rv < 4; rv++) {
            const uint32_t k = turbo_qpp_table[i].k, all = turbo_buffer(k);
            const struct turbo_rate_params p = {.k = k,
                                                .fillers = 17 * rv % 40,
                                                .e = 2 * k + 100 * rv,
                                                .rv = rv,
                                                .ncb = rv == 3   ? all / 2 + 31
                                                       : rv == 2 ? all - 1
                                                                 : 0};
            struct fecrun_error err = {.size = sizeof err};
            struct turbo_rate r;

            if (turbo_rate_make(&r, order, &p, &err))
                bail("K = %u: %s", k, err.text);
            select_bits(k, p.fillers, p.ncb ? p.ncb : all, rv, p.e, want);
            for (uint32_t j = 0; j < p.e; j++, tried++)
                wrong += order[(r.first + j) % r.sent] != want[j];
        }
    is_int(wrong, 0, "what is sent, %u bits in %d ways", tried, 38 * 4);
}

/* ---- 64 fillers ------------------------------------------------------------------------------- */

static void read_bits(const char *name, uint8_t *bits, size_t n, size_t frame)
{
    FILE *file = data_file(name);
    const size_t bytes = (n + 7) / 8;
    uint8_t *packed = malloc(bytes);

    if (!packed || fseek(file, (long)(frame * bytes), SEEK_SET) ||
        fread(packed, 1, bytes, file) != bytes)
        bail("%s is too short", name);
    for (size_t i = 0; i < n; i++)
        bits[i] = packed[i / 8] >> (7 - i % 8) & 1;
    free(packed);
    fclose(file);
}

static void check_fillers(void)
{
    enum { K = 6144, F = 64, E = 12000, WORD = 3 * (K + 4) };
    static uint8_t msg[K], want[WORD], word[WORD], sent[E];
    static uint16_t order[TURBO_MOST_PLACES];
    static struct turbo_encode e;
    const struct turbo_rate_params p = {.k = K, .fillers = F, .e = E, .rv = 3, .ncb = 12352};
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_rate r;

    if (turbo_rate_make(&r, order, &p, &err))
        bail("%s", err.text);
    turbo_encode_make(&e, turbo_qpp_find(K), F);
    for (size_t f = 0; f < 2; f++) {
        unsigned wrong = 0;

        read_bits("lte_turbo/msg_k6144_f64.bin", msg, K - F, f);
        read_bits("lte_turbo/cw_k6144_f64.bin", want, WORD, f);
        read_bits("lte_turbo/rm_k6144_f64_e12000_rv3_ncb12352.bin", sent, E, f);
        turbo_encode_frame(&e, msg, word);
        ok(!memcmp(word, want, WORD), "64 fillers: the word");
        for (uint32_t j = 0; j < E; j++)
            wrong += word[order[(r.first + j) % r.sent]] != sent[j];
        is_int(wrong, 0, "64 fillers: what was sent");
    }
}

int main(void)
{
    check_qpp();
    check_interleaver();
    read_columns();
    check_buffer();
    check_selection();
    check_fillers();
    return done_testing();
}
