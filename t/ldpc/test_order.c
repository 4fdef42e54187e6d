/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The matrices that decoders work on: the encoder's words satisfy them, and no two rows of a group
 * of a schedule share a column. What is said of codes that there are not.
 */
#include "t/ldpc/codes.h"

/* The lifted columns of a lifted row; false: the edges are not in order. */
static bool row_columns(const struct ldpc_code *c, uint32_t row, uint32_t *cols, uint32_t *n)
{
    uint32_t r = row / c->z, i = row % c->z;

    *n = 0;
    for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++) {
        const struct ldpc_edge *edge = &c->edge[e];

        if (e > c->row_first[r] && (edge->col < edge[-1].col ||
                                    (edge->col == edge[-1].col && edge->shift <= edge[-1].shift)))
            return false; /* not in order */
        if (edge->skip != i)
            cols[(*n)++] = edge->col * c->z + (i + edge->shift) % c->z;
    }
    return true;
}

static uint32_t broken_checks(const struct ldpc_code *c, const uint8_t *word, uint32_t *ones)
{
    static uint32_t cols[1 << 12];
    uint32_t bad = 0, n;

    *ones = 0;
    for (uint32_t row = 0; row < c->rows * c->z; row++) {
        uint8_t sum = 0;

        bad += !row_columns(c, row, cols, &n);
        for (uint32_t j = 0; j < n; j++)
            sum ^= word[cols[j]];
        bad += sum;
        *ones += n;
    }
    return bad;
}

/* Random information in all lifted columns that hold it, the word in its places. */
static uint32_t check_word(const struct wish *wish, const struct ldpc_code *c, uint32_t *ones)
{
    uint32_t bits = c->k - c->fillers, bad;
    uint8_t *in = get(bits), *all = calloc((size_t)c->cols * c->z, 1), *out;
    struct encoder e;

    draw_bits(in, bits);
    if (!all || encoder_plan(&e, wish, bits, 0))
        bail("%s", e.err.text);
    out = encoder_run(&e, in, 1);
    for (uint32_t i = 0; i < bits; i++)
        all[ldpc_info(c, i)] = in[i];
    for (uint32_t i = 0; i < c->n; i++)
        all[ldpc_place(c, i)] = out[i];
    bad = broken_checks(c, all, ones);
    for (uint32_t i = 0; i < bits; i++)
        bad += all[ldpc_info(c, i)] != in[i];
    encoder_free(&e);
    free(in);
    free(all);
    free(out);
    return bad;
}

/* Faults: rows missing or there twice, or two of a group with a column in common. */
static uint32_t check_schedule(const struct ldpc_code *c, uint32_t rows, bool reverse,
                               uint32_t *groups)
{
    static uint32_t cols[1 << 12];
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_schedule *s = ldpc_schedule_new(c, rows, reverse, &err);
    uint32_t *last = calloc((size_t)c->cols * c->z, sizeof *last), bad = 0, n;
    bool *seen = calloc((size_t)c->rows * c->z, sizeof *seen);

    if (!s || !last || !seen)
        bail("no schedule: %s", err.text);
    rows = rows ? rows : c->rows;
    bad += s->n_rows != rows * c->z || s->first[0] || s->first[s->n_groups] != s->n_rows;
    for (uint32_t g = 0; g < s->n_groups; g++)
        for (uint32_t j = s->first[g]; j < s->first[g + 1]; j++) {
            uint32_t row = s->row[j];

            if (row >= rows * c->z || seen[row]) {
                bad++;
                continue;
            }
            seen[row] = true;
            row_columns(c, row, cols, &n);
            for (uint32_t i = 0; i < n; i++) {
                bad += last[cols[i]] == g + 1;
                last[cols[i]] = g + 1;
            }
            if (c->z > 1)
                bad += row / c->z != s->row[s->first[g]] / c->z;
        }
    bad += s->row[0] / c->z != (reverse ? rows - 1 : 0);
    *groups = s->n_groups;
    ldpc_schedule_free(s);
    free(last);
    free(seen);
    return bad;
}

/* `ones`: of the whole matrix. */
static void check(const struct wish *wish, const char *name, uint32_t ones)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = read_wish(wish, &err);
    uint32_t found, groups, back;

    if (!c)
        bail("%s: %s", name, err.text);
    is_int(check_word(wish, c, &found), 0, "%s: a word satisfies the code's matrix", name);
    is_int(found, ones, "... which has so many ones");
    is_int(check_schedule(c, 0, false, &groups), 0, "... and a schedule of %u groups", groups);
    is_int(check_schedule(c, c->rows / 2 + 1, true, &back), 0, "... of half the rows, reversed");
    if (!c->twins && c->z > 1)
        is_int(groups, c->rows, "... with one group a base row");
    ldpc_code_free(c);
}

/* ---- DVB-S2: n - k ones of the sums' diagonal, one less beside it, and the addresses ---- */

static void test_dvbs2(void)
{
    static const struct {
        bool is_short;
        const char *rate;
        uint32_t k, addresses; /* a group of 360 bits each */
    } codes[] = {
        {false, "1/4", 16200, 15 * 12 + 30 * 3},
        {false, "1/3", 21600, 20 * 12 + 40 * 3},
        {false, "2/5", 25920, 24 * 12 + 48 * 3},
        {false, "1/2", 32400, 36 * 8 + 54 * 3},
        {false, "3/5", 38880, 36 * 12 + 72 * 3},
        {false, "2/3", 43200, 12 * 13 + 108 * 3},
        {false, "3/4", 48600, 15 * 12 + 120 * 3},
        {false, "4/5", 51840, 18 * 11 + 126 * 3},
        {false, "5/6", 54000, 15 * 13 + 135 * 3},
        {false, "8/9", 57600, 20 * 4 + 140 * 3},
        {false, "9/10", 58320, 18 * 4 + 144 * 3},
        {true, "1/4", 3240, 4 * 12 + 5 * 3},
        {true, "1/3", 5400, 5 * 12 + 10 * 3},
        {true, "2/5", 6480, 6 * 12 + 12 * 3},
        {true, "1/2", 7200, 5 * 8 + 15 * 3},
        {true, "3/5", 9720, 9 * 12 + 18 * 3},
        {true, "2/3", 10800, 3 * 13 + 27 * 3},
        {true, "3/4", 11880, 12 + 32 * 3},
        {true, "4/5", 12600, 35 * 3},
        {true, "5/6", 13320, 13 + 36 * 3},
        {true, "8/9", 14400, 5 * 4 + 35 * 3},
    };

    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
        uint32_t n = codes[i].is_short ? 16200 : 64800;
        struct wish wish = DVBS2(codes[i].is_short, codes[i].rate);
        char name[32];

        snprintf(name, sizeof name, "DVB-S2 %u %s", n, codes[i].rate);
        check(&wish, name, 360 * codes[i].addresses + 2 * (n - codes[i].k) - 1);
    }
}

/* ---- errors ---- */

static void fails(const struct wish *wish, const char *param, const char *text)
{
    struct fecrun_error err = {.size = sizeof err};

    ok(!read_wish(wish, &err), "refused: %s", param);
    is_str(err.param, param, "... which is named");
    is_str(err.text, text, "... with the reason");
}

static void test_errors(void)
{
    fails(&NR(1, 17, 0), "z",
          "17 is none of the 51 lifting sizes of TS 38.212 (2 to 16 and, above, 8 to 15 times a "
          "power of two up to 384); the next ones are 16 and 18");
    fails(&NR(1, 385, 0), "z", "is 385; the 51 lifting sizes of TS 38.212 go from 2 to 384");
    fails(&NR(3, 2, 0), "bg", "is 3; the base graphs of NR are 1 and 2");
    fails(&NR(1, 384, 7680), "fillers",
          "is 7680; with bg 1 and z = 384 (K = 8448) at most 7679 are possible, for of the K - "
          "fillers bits the first 2 z = 768 are not sent");
    fails(&NR(2, -1, 0), "z",
          "missing: code: nr needs it (nr: lifting size Zc, one of the 51 of TS 38.212; K = 22 z "
          "or 10 z, N = 66 z or 50 z)");
    fails(&(struct wish){LDPC_WIFI, -1, 4, -1, 648, -1, "1/2", NULL}, "z",
          "code: wifi has no z; it has n, rate");
    fails(&(struct wish){LDPC_WIFI, -1, -1, 0, 648, -1, "1/2", NULL}, "fillers",
          "code: wifi has no fillers; it has n, rate");
    fails(&(struct wish){LDPC_NR, 1, 4, -1, -1, -1, NULL, "x"}, "path",
          "code: nr has no path; it has bg, z, fillers");
    fails(&WIFI(649, "1/2"), "n", "is 649; 648, 1296 and 1944 are the lengths of Wi-Fi");
    fails(&WIFI(648, "2/3A"), "rate",
          "Wi-Fi has no rate '2/3A'; 1/2, 2/3, 3/4 and 5/6 are possible");
    fails(&WIMAX(600, "1/2"), "n",
          "is 600; the 19 lengths of WiMAX go from 576 to 2304 in steps of 96");
    fails(&WIMAX(576, "2/3"), "rate",
          "WiMAX has no rate '2/3'; 1/2, 2/3A, 2/3B, 3/4A, 3/4B and 5/6 are possible");
    fails(&DVBS2(1, "9/10"), "rate",
          "DVB-S2 has no rate '9/10' in short frames; it has 1/4, 1/3, 2/5, 1/2, 3/5, 2/3, 3/4, "
          "4/5, 5/6, 8/9");
    fails(&IN_FILE(LDPC_ALIST, "/dev/null"), "path", "/dev/null: is no regular file");
    fails(&IN_FILE(LDPC_QC, "/no/such"), "path", "/no/such: No such file or directory");
}

static void test_input_errors(void)
{
    struct encoder e;

    ok(encoder_plan(&e, &NR(1, 2, 3), 44, 0), "the fillers are not among the bits that come in");
    is_str(e.err.text,
           "the input has 44 bits a frame and the code takes 41 (K = 44 less 3 "
           "fillers)",
           "... says it");
    ok(encoder_plan(&e, &WIFI(648, "1/2"), 1, 0), "one bit is not enough");
    is_str(e.err.text, "the input has 1 bits a frame and the code takes 324", "... says it");
    ok(encoder_plan(&e, &WIFI(648, "1/2"), 324, 1), "a stream is refused");
    is_str(e.err.text, "the input is one stream; block codes work on frames", "... says it");
}

int main(void)
{
    check(&NR(1, 2, 0), "NR 1, z = 2", 316 * 2);
    check(&NR(1, 384, 100), "NR 1, z = 384", 316 * 384);
    check(&NR(2, 15, 0), "NR 2, z = 15", 197 * 15);
    check(&NR(2, 208, 1), "NR 2, z = 208", 197 * 208);
    check(&WIFI(648, "1/2"), "Wi-Fi 648 1/2", 88 * 27);
    check(&WIMAX(2304, "1/2"), "WiMAX 2304 1/2", 76 * 96);
    test_dvbs2();
    test_errors();
    test_input_errors();
    return done_testing();
}
