/* SPDX-License-Identifier: BSD-2-Clause */
/* alist and qc files: what is read, how it is encoded, what is said of bad ones. */
#include "plugins/ldpc/code/build.h"

#include "t/ldpc/codes.h"

#include <unistd.h>

typedef struct ldpc_code *parser(const char *data, size_t size, struct fecrun_error *err);

/* ---- what is refused ---- */

static void refuse(parser *parse, const char *data, size_t size, const char *text)
{
    struct fecrun_error err = {.size = sizeof err};
    char *copy = get(size); /* of that size, for the sanitizers */
    struct ldpc_code *c;

    memcpy(copy, data, size);
    c = parse(copy, size, &err);
    ok(!c, "refused: %s", text);
    is_str(err.param, "path", "... and the file is named");
    is_str(err.text, text, "... with line and reason");
    ldpc_code_free(c);
    free(copy);
}

static void bad_alist(const char *data, const char *text)
{
    refuse(ldpc_parse_alist, data, strlen(data), text);
}

static void bad_qc(const char *data, const char *text)
{
    refuse(ldpc_parse_qc, data, strlen(data), text);
}

/* The [7, 4] Hamming code with checks 0111001 1011010 1101100; its file, line by line. */
#define H1 "7 3\n3 4\n"
#define H2 "2 2 2 3 1 1 1\n4 4 4\n"
#define COLS "2 3\n1 3\n1 2\n1 2 3\n3\n2\n1\n"
#define ROWS "2 3 4 7\n1 3 4 6\n1 2 4 5\n"

static void test_bad_alist(void)
{
    bad_alist("", "line 1: the file ends here; missing: the line with the numbers of columns and "
                  "rows");
    bad_alist("# nothing\n\n", "line 2: the file ends here; missing: the line with the numbers of "
                               "columns and rows");
    bad_alist("7\n", "line 1: 1 numbers; 2 are needed: how many columns and rows there are");
    bad_alist("7 3 2\n", "line 1: more than 2 numbers: how many columns and rows there are");
    bad_alist("7 x3\n", "line 1: column 3: this is no whole number");
    bad_alist("7 3.0\n", "line 1: column 3: this is no whole number");
    bad_alist("7 -\n", "line 1: column 3: this is no whole number");
    bad_alist("7 99999999999999999999999\n", "line 1: column 3: the number is too large");
    bad_alist("root:$y$j9T$secret:20000\n", "line 1: column 1: this is no whole number");
    bad_alist("0 3\n", "line 1: number 1 is 0; 1 to 131072 is possible: how many columns and rows "
                       "there are");
    bad_alist("7 4000000000\n", "line 1: number 2 is 4000000000; 1 to 131072 is possible: how many "
                                "columns and rows there are");
    bad_alist("7 3\n4 4\n", "line 2: weights of 4 in a column and 4 in a row are too large for 3 "
                            "rows and 7 columns");
    bad_alist(H1 "2 2 2 3 1 1\n4 4 4\n" COLS ROWS,
              "line 3: 6 numbers; 7 are needed: the weights of the 7 columns");
    bad_alist(H1 "2 2 2 4 1 1 1\n4 4 4\n" COLS ROWS,
              "line 3: number 4 is 4; 0 to 3 is possible: the weights of the 7 columns");
    bad_alist(H1 "2 2 2 3 1 1 1\n4 4 1\n" COLS ROWS,
              "line 4: number 3 is 1; 2 to 4 is possible: the weights of the 3 rows");
    bad_alist(H1 "2 2 2 3 1 1 1\n4 4 3\n" COLS ROWS,
              "line 4: the weights of the rows add up to 11, those of the columns to 12");
    bad_alist(H1 H2 "2 3\n1 3\n", "line 6: the file ends here; missing: the list of column 3");
    bad_alist(H1 H2 "2 3\n1 4\n", "line 6: column 2 has a one in row 4; 1 to 3 is possible");
    bad_alist(H1 H2 "2 3\n1 -1\n", "line 6: column 2 has a one in row -1; 1 to 3 is possible");
    bad_alist(H1 H2 "2 3\n1 0\n", "line 6: column 2 has a one in row 0; 1 to 3 is possible");
    bad_alist(H1 H2 "2 3\n1 1\n", "line 6: column 2 has a one in row 1 twice");
    bad_alist(H1 H2 "2 3\n1\n", "line 6: column 2 has 1 ones; its weight is 2");
    bad_alist(H1 H2 "2 3\n1 2 3\n", "line 6: column 2 has more than the 2 ones of its weight");
    bad_alist(H1 H2 "2 3 0 3\n", "line 5: column 1 has more than the 2 ones of its weight");
    bad_alist(H1 H2 "2 3 0 0\n", "line 5: column 1 is filled up beyond the largest weight, 3");
    bad_alist(H1 H2 COLS "2 3 4 7\n1 3 4 5\n1 2 4 5\n",
              "line 13: row 2 has no one in column 6, whose list names that row");
    bad_alist(H1 "2 2 2 3 1 1 1\n3 4 4\n" COLS, /* sums disagree first */
              "line 4: the weights of the rows add up to 11, those of the columns to 12");
    bad_alist("4 2\n2 3\n2 2 1 1\n3 3\n1 2\n1 2\n1\n1\n1 2 3\n1 2 4\n",
              "line 9: row 1 has no one in column 4, whose list names that row");
    bad_alist("4 2\n2 3\n2 2 1 1\n3 3\n1 2\n1 2\n2\n2\n1 2 3\n1 2 4\n",
              "line 9: row 1 has 3 ones; the lists of the columns have only 2 of them");
    bad_alist(H1 H2 COLS "2 3 4 7\n", "line 12: the file ends here; missing: the list of row 2");
    bad_alist(H1 H2 COLS ROWS "\n1\n", "line 16: more text, where the file should end");
    bad_alist("2 2\n2 2\n2 1\n2 1\n", "line 4: number 2 is 1; 2 to 2 is possible: the weights of "
                                      "the 2 rows");
    bad_alist("3 3\n2 2\n2 2 2\n2 2 2\n1 3\n1 2\n2 3\n1 2\n2 3\n1 2\n",
              "line 10: row 3 has no one in column 3, whose list names that row");
}

static void test_bad_qc(void)
{
    bad_qc("", "line 1: the file ends here; missing: the line with the numbers of base columns and "
               "rows, and z");
    bad_qc("4 2\n", "line 1: 2 numbers; 3 are needed: how many base columns and base rows there "
                    "are, and z");
    bad_qc("1000 2 1000\n", "line 1: 1000000 columns and 2000 rows, each times z, are too many; "
                            "131072 are possible");
    bad_qc("3 2 4\n0 1 2\n", "line 2: the file ends here; missing: the 3 shifts of base row 2");
    bad_qc("3 2 4\n0 1\n", "line 2: 2 numbers; 3 are needed: the 3 shifts of base row 1");
    bad_qc("3 2 4\n0 1 2 3\n", "line 2: more than 3 numbers: the 3 shifts of base row 1");
    bad_qc("3 2 4\n0 1 4\n", "line 2: number 3 is 4; -1 to 3 is possible: the 3 shifts of base row "
                             "1");
    bad_qc("3 2 4\n0 -2 1\n", "line 2: number 2 is -2; -1 to 3 is possible: the 3 shifts of base "
                              "row 1");
    bad_qc("3 2 4\n0 -1 -1\n", "line 2: base row 1 has 1 shifts that are not -1; 2 to 4096 are "
                               "possible");
    bad_qc("3 1 4\n0 1 2\n1 1\n", "line 3: 2 numbers; 3 are needed: one for each base column, 1: "
                                  "sent, 0: punctured");
    bad_qc("3 1 4\n0 1 2\n1 2 1\n", "line 3: number 2 is 2; 0 to 1 is possible: one for each base "
                                    "column, 1: sent, 0: punctured");
    bad_qc("3 1 4\n0 1 2\n0 0 0\n", "line 3: no column is sent");
    bad_qc("3 1 4\n0 1 2\n1 1 1\n0\n", "line 4: more text, where the file should end");
    refuse(ldpc_parse_qc, "3 1 4\n0 1\0 2\n", 13,
           "line 2: byte 0x00, where whole numbers and blanks may be");
    refuse(ldpc_parse_qc, "3 1 4\n0 \0 2\n", 12,
           "line 2: byte 0x00, where whole numbers and blanks may be");
}

/* ---- what is encoded ---- */

static char *path;

static void put_file(const char *data)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, strlen(data), file) != strlen(data) || fclose(file))
        bail("cannot write %s", path);
}

/* All words of a small code: `checks` are rows of '0' and '1'. Bits of the word not sent: '-'. */
static void encode_all(enum ldpc_family family, const char *data, const char *const *checks,
                       uint32_t k, const char *name)
{
    struct wish wish = IN_FILE(family, path);
    uint32_t bad = 0, n = (uint32_t)strlen(checks[0]);
    struct encoder e;

    put_file(data);
    if (encoder_plan(&e, &wish, k, 0)) {
        ok(false, "%s: %s", name, e.err.text);
        return;
    }
    is_int(e.out.items, n, "%s: bits of the word", name);
    for (uint32_t u = 0; u < 1u << k && e.out.items == n; u++) {
        uint8_t in[20], *out;

        for (uint32_t i = 0; i < k; i++)
            in[i] = u >> i & 1;
        out = encoder_run(&e, in, 1);
        for (unsigned r = 0; checks[r]; r++) {
            uint8_t sum = 0;

            for (uint32_t i = 0; i < n; i++)
                sum ^= checks[r][i] == '1' && out[i];
            bad += sum;
        }
        if (!strstr(e.plan.note, "not the first"))
            bad += memcmp(in, out, k) != 0;
        free(out);
    }
    is_int(bad, 0, "%s: checks hold in all 2^%u words; %s", name, k, e.plan.note);
    encoder_free(&e);
}

static void test_small(void)
{
    static const char *const hamming[] = {"0111001", "1011010", "1101100", NULL};
    static const char *const dependent[] = {"110011", "001111", "111100", NULL};
    static const char *const left[] = {"11000", "01100", NULL}; /* the last bits are free */
    static const char *const mixed[] = {"1010000", "1110000", "0001111", NULL};

    encode_all(LDPC_ALIST, H1 H2 COLS ROWS, hamming, 4, "alist without filling");
    encode_all(LDPC_ALIST, H1 H2 "2 3 0\n1 3 0\n1 2 0\n1 2 3\n3 0 0\n2 0 0\n1 0 0\n" ROWS, hamming,
               4, "alist with zeros");
    encode_all(LDPC_ALIST,
               "# a comment\r\n7 3 \r\n\r\n3 4\r\n2 2 2 3 1 1 1\r\n4 4 4\r\n\n" COLS
               "\n\n# rows\n" ROWS "\n  \n# end",
               hamming, 4, "comments, blank lines, CR");
    encode_all(LDPC_ALIST,
               "6 3\n2 4\n2 2 2 2 2 2\n4 4 4\n1 3\n1 3\n2 3\n2 3\n1 2\n1 2\n"
               "1 2 5 6\n3 4 5 6\n1 2 3 4\n",
               dependent, 4, "a row that depends on others");
    encode_all(LDPC_ALIST, "5 2\n2 2\n1 2 1 0 0\n2 2\n1\n1 2\n2\n1 2\n2 3\n", left, 3,
               "columns without ones, no lists");
    encode_all(LDPC_ALIST, "5 2\n2 2\n1 2 1 0 0\n2 2\n1 0\n1 2\n2 0\n0 0\n0 0\n1 2\n2 3\n", left, 3,
               "columns without ones, lists of zeros");
    encode_all(LDPC_ALIST, "5 2\n2 2\n1 2 1 0 0\n2 2\n1\n1 2\n2\n\n\n1 2\n2 3\n", left, 3,
               "columns without ones, empty lines");
    encode_all(LDPC_ALIST,
               "7 3\n2 4\n2 1 2 1 1 1 1\n2 3 4\n1 2\n2\n1 2\n3\n3\n3\n3\n1 3\n1 2 3\n4 5 6 7\n",
               mixed, 4, "information that is not in front");
}

static void test_small_qc(void)
{
    static const char *const plain[] = {"100010100", "010001010", "001100001", NULL};
    static const char *const punctured[] = {"000000", NULL};

    encode_all(LDPC_QC, "# a code\n3 1 3\n0 1 0\n", plain, 6, "qc");
    encode_all(LDPC_QC, "3 1 3\n0 1 0\n1 1 1\n", plain, 6, "qc, all sent");
    encode_all(LDPC_QC, "3 1 3\n0 1 0\n1 0 1\n", punctured, 6, "qc with a punctured column");
}

/* ---- larger ones: words satisfy the code's own matrix, which is what was written ---- */

struct sparse {
    uint32_t cols, rows;
    uint32_t n[64]; /* of each row */
    uint32_t col[64][64];
};

static void draw_sparse(struct sparse *s, uint32_t cols, uint32_t rows)
{
    s->cols = cols;
    s->rows = rows;
    for (uint32_t r = 0; r < rows; r++) {
        s->n[r] = 0;
        for (uint32_t c = 0; c < cols; c++)
            if (!draw(cols / 5) || c == r || c == r + 1 || c == cols - 1 - r)
                s->col[r][s->n[r]++] = c;
    }
}

static void put_alist(const struct sparse *s)
{
    FILE *file = fopen(path, "w");
    uint32_t weight[64] = {0};

    if (!file)
        bail("cannot write %s", path);
    for (uint32_t r = 0; r < s->rows; r++)
        for (uint32_t i = 0; i < s->n[r]; i++)
            weight[s->col[r][i]]++;
    fprintf(file, "%u %u\n%u %u\n", s->cols, s->rows, s->rows, s->cols);
    for (uint32_t c = 0; c < s->cols; c++)
        fprintf(file, "%u ", weight[c]);
    fprintf(file, "\n");
    for (uint32_t r = 0; r < s->rows; r++)
        fprintf(file, "%u ", s->n[r]);
    fprintf(file, "\n");
    for (uint32_t c = 0; c < s->cols; c++) {
        for (uint32_t r = 0; r < s->rows; r++)
            for (uint32_t i = 0; i < s->n[r]; i++)
                if (s->col[r][i] == c)
                    fprintf(file, "%u ", r + 1);
        fprintf(file, "\n");
    }
    for (uint32_t r = 0; r < s->rows; r++) {
        for (uint32_t i = 0; i < s->n[r]; i++)
            fprintf(file, "%u ", s->col[r][i] + 1);
        fprintf(file, "\n");
    }
    fclose(file);
}

/* By plain elimination. */
static uint32_t rank_of(const struct sparse *s)
{
    uint64_t row[64] = {0};
    uint32_t rank = 0;

    for (uint32_t r = 0; r < s->rows; r++)
        for (uint32_t i = 0; i < s->n[r]; i++)
            row[r] |= UINT64_C(1) << s->col[r][i];
    for (uint32_t c = 0; c < s->cols; c++) {
        uint32_t r = rank;
        uint64_t keep;

        while (r < s->rows && !(row[r] >> c & 1))
            r++;
        if (r == s->rows)
            continue;
        keep = row[r];
        row[r] = row[rank];
        row[rank] = keep;
        for (r = rank + 1; r < s->rows; r++)
            row[r] ^= row[r] >> c & 1 ? keep : 0;
        rank++;
    }
    return rank;
}

static uint32_t check_sparse(const struct sparse *s)
{
    struct wish wish = IN_FILE(LDPC_ALIST, path);
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c;
    uint32_t bad = 0;
    uint8_t in[64], *out;
    struct encoder e;

    put_alist(s);
    c = read_wish(&wish, &err);
    if (!c)
        bail("%s", err.text);
    bad += c->k != s->cols - rank_of(s);
    draw_bits(in, c->k);
    if (encoder_plan(&e, &wish, c->k, 0))
        bail("%s", e.err.text);
    out = encoder_run(&e, in, 1);
    for (uint32_t i = 0; i < c->k; i++)
        bad += out[ldpc_info(c, i)] != in[i];
    for (uint32_t r = 0; r < s->rows; r++) {
        uint8_t sum = 0;

        for (uint32_t i = 0; i < s->n[r]; i++)
            sum ^= out[s->col[r][i]];
        bad += sum;
    }
    ldpc_code_free(c);
    encoder_free(&e);
    free(out);
    return bad;
}

static void test_random(void)
{
    static struct sparse s;
    uint32_t bad = 0, codes = 0;

    for (; codes < 200; codes++) {
        uint32_t cols = 12 + draw(52);

        draw_sparse(&s, cols, cols / 4 + draw(cols / 2));
        if (codes % 3 == 0) { /* a row that depends on others: one there twice */
            s.n[1] = s.n[0];
            memcpy(s.col[1], s.col[0], sizeof s.col[0]);
        }
        bad += check_sparse(&s);
    }
    is_int(bad, 0, "rank and checks of %u random matrices", codes);
}

int main(void)
{
    char name[] = "/tmp/fecrun-ldpc-XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0)
        bail("cannot make a temporary file");
    close(fd);
    path = name;
    test_bad_alist();
    test_bad_qc();
    test_small();
    test_small_qc();
    test_random();
    unlink(name);
    return done_testing();
}
