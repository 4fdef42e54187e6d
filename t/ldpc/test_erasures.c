/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `erasures: solve` of ldpc.decode against plain elimination: a block is solved if and only if what
 * arrived has one solution as far as information bits go; else it is what `leave` makes of it.
 */
#include "t/ldpc/codes.h"
#include "t/ldpc/ref.h"

#include <unistd.h>

#include "plugins/ldpc/encode.h"

/* ---- the rule, by elimination of all unknowns ---------------------------------------------- */

/* One byte a bit. Columns: unknown parity bits, unknown information bits, the sum of the others. */
struct matrix {
    uint32_t rows, parity, info, cols;
    uint8_t *bit;
};

static void add_row(struct matrix *m, uint32_t to, uint32_t from)
{
    for (uint32_t c = 0; c < m->cols; c++)
        m->bit[(size_t)to * m->cols + c] ^= m->bit[(size_t)from * m->cols + c];
}

/* Rank of some columns in the rows from `first` on; their pivots go to the front of these. */
static uint32_t eliminate(struct matrix *m, uint32_t from, uint32_t n, uint32_t first)
{
    uint32_t next = first;

    for (uint32_t c = from; c < from + n; c++) {
        uint32_t r = next;

        while (r < m->rows && !m->bit[(size_t)r * m->cols + c])
            r++;
        if (r == m->rows)
            continue;
        if (r != next)
            add_row(m, next, r);
        for (r = next + 1; r < m->rows; r++)
            if (m->bit[(size_t)r * m->cols + c])
                add_row(m, r, next);
        next++;
    }
    return next - first;
}

struct trial {
    struct encoder encoder;
    const struct ldpc_code *code;
    struct ldpc_decode d;
    uint32_t cols;  /* lifted */
    uint8_t *sent;  /* information bits */
    uint8_t *known; /* lifted columns */
    uint8_t *value; /* lifted columns, where known */
    uint8_t *info;  /* lifted columns: an information bit that is no filler */
    uint8_t *used;  /* lifted columns: in a row in use */
    float *llr;
};

/* Lifted columns of row r in lane i, their number. */
static uint32_t row_columns(const struct ldpc_code *c, uint32_t r, uint32_t i, uint32_t *cols)
{
    uint32_t n = 0;

    for (uint32_t e = c->row_first[r]; e < c->row_first[r + 1]; e++)
        if (c->edge[e].skip != i)
            cols[n++] = c->edge[e].col * c->z + (c->edge[e].shift + i) % c->z;
    return n;
}

enum { MOST_EDGES = 64 };

static void fill_matrix(struct matrix *m, const struct trial *t)
{
    uint32_t *place = get(t->cols * sizeof *place), z = t->code->z;

    *m = (struct matrix){.rows = t->d.rows * z};
    for (uint32_t c = 0; c < t->cols; c++)
        if (!t->known[c] && t->used[c] && !t->info[c])
            place[c] = m->parity++;
    for (uint32_t c = 0; c < t->cols; c++)
        if (!t->known[c] && t->info[c])
            place[c] = m->parity + m->info++;
    m->cols = m->parity + m->info + 1;
    m->bit = get((size_t)m->rows * m->cols);
    memset(m->bit, 0, (size_t)m->rows * m->cols);
    for (uint32_t row = 0; row < m->rows; row++) {
        uint32_t cols[MOST_EDGES], n = row_columns(t->code, row / z, row % z, cols);
        uint8_t *bit = m->bit + (size_t)row * m->cols;

        for (uint32_t j = 0; j < n; j++)
            bit[t->known[cols[j]] ? m->cols - 1 : place[cols[j]]] ^= t->known[cols[j]]
                                                                         ? t->value[cols[j]]
                                                                         : 1;
    }
    free(place);
}

struct rule {
    bool unique, consistent;
};

static struct rule find_rule(const struct trial *t)
{
    struct matrix m;
    struct rule rule;
    uint32_t parity, info;

    fill_matrix(&m, t);
    parity = eliminate(&m, 0, m.parity, 0);
    info = eliminate(&m, m.parity, m.info, parity);
    rule.unique = info == m.info;
    rule.consistent = !eliminate(&m, m.parity + m.info, 1, parity + info);
    free(m.bit);
    return rule;
}

/* ---- words and what arrives of them -------------------------------------------------------- */

static void open_trial(struct trial *t, const struct wish *wish, uint64_t bits, uint32_t rows)
{
    struct ldpc_encode *plan;
    uint32_t cols[MOST_EDGES];

    if (encoder_plan(&t->encoder, wish, bits, 0))
        bail("no code: %s", t->encoder.err.text);
    plan = t->encoder.plan.code;
    t->code = plan->code;
    t->cols = t->code->cols * t->code->z;
    t->d = (struct ldpc_decode){.code = plan->code,
                                .rows = rows ? rows : t->code->rows,
                                .alpha = 0.75,
                                .beta = 0.1,
                                .llr_scale = 1,
                                .bits = bits};
    t->d.schedule = ldpc_schedule_new(t->code, t->d.rows, false, &t->encoder.err);
    if (!t->d.schedule)
        bail("no schedule: %s", t->encoder.err.text);
    t->sent = get(bits);
    t->known = get(t->cols);
    t->value = get(t->cols);
    t->info = calloc(t->cols, 1);
    t->used = calloc(t->cols, 1);
    t->llr = get(t->code->n * sizeof *t->llr);
    for (uint32_t i = 0; i < bits; i++)
        t->info[ldpc_info(t->code, i)] = 1;
    for (uint32_t row = 0; row < t->d.rows * t->code->z; row++)
        for (uint32_t n = row_columns(t->code, row / t->code->z, row % t->code->z, cols); n-- > 0;)
            t->used[cols[n]] = 1;
}

static void close_trial(struct trial *t)
{
    ldpc_schedule_free(t->d.schedule);
    encoder_free(&t->encoder);
    free(t->sent);
    free(t->known);
    free(t->value);
    free(t->info);
    free(t->used);
    free(t->llr);
}

/* The word of these bits in lifted columns; those that are in no word stay as they are. */
static void to_columns(struct trial *t, const uint8_t *bits, uint8_t *value)
{
    uint8_t *word = encoder_run(&t->encoder, bits, 1);

    for (uint32_t i = 0; i < t->code->n; i++)
        value[ldpc_place(t->code, i)] = word[i];
    free(word);
}

/* Some of the rows' columns are erased: about as many as there are rows. */
static void draw_word(struct trial *t)
{
    uint32_t rows = t->d.rows * t->code->z, used = 0, p;

    for (uint32_t c = 0; c < t->cols; c++)
        used += t->used[c];
    p = (uint32_t)(1000.0 * rows / used * (0.55 + draw(60) / 100.0));
    memset(t->known, 0, t->cols);
    memset(t->value, 0, t->cols);
    draw_bits(t->sent, t->d.bits);
    to_columns(t, t->sent, t->value);
    for (uint32_t i = 0; i < t->code->n; i++)
        t->known[ldpc_place(t->code, i)] = draw(1000) >= p;
    for (uint32_t i = (uint32_t)t->d.bits; i < t->code->k; i++)
        t->known[ldpc_info(t->code, i)] = 1;
}

static bool is_filler(const struct trial *t, uint32_t c)
{
    return t->code->fillers && c < t->code->k && !t->info[c];
}

/* Erases more, so that no row has less than two erased columns: messages are 0 for ever. */
static void make_stuck(struct trial *t)
{
    const uint32_t z = t->code->z;

    for (uint32_t row = 0; row < t->d.rows * z; row++) {
        uint32_t cols[MOST_EDGES], n = row_columns(t->code, row / z, row % z, cols), erased = 0, c;

        for (uint32_t j = 0; j < n; j++)
            erased += !t->known[cols[j]];
        for (uint32_t j = draw(n), step = 0; erased < 2 && step < n; step++, j = (j + 1) % n)
            if (t->known[c = cols[j]] && !is_filler(t, c)) {
                t->known[c] = 0;
                erased++;
            }
    }
}

/* One that some row has, and no filler, for those are zeros whatever arrives. */
static void flip_known(struct trial *t)
{
    uint32_t c;

    do
        c = ldpc_place(t->code, draw(t->code->n));
    while (!t->known[c] || !t->used[c] || is_filler(t, c));
    t->value[c] ^= 1;
}

/* ---- decoding ------------------------------------------------------------------------------ */

static struct fecrun_frame_info decode(struct trial *t, bool solve, uint8_t *bits, float *soft)
{
    for (uint32_t i = 0; i < t->code->n; i++) {
        const uint32_t c = ldpc_place(t->code, i);

        t->llr[i] = !t->known[c] ? 0 : t->value[c] ? -8 : 8;
    }
    t->d.solve = solve;
    return decode_ref_soft(&t->d, t->llr, FECRUN_F32, bits, FECRUN_U8, soft, NULL);
}

static void vary(struct trial *t, uint32_t frame)
{
    t->d.algorithm = (enum ldpc_algorithm)(frame % 3);
    t->d.rule = (enum ldpc_rule)(frame / 3 % 2);
    t->d.early_stop = frame / 6 % 2;
    t->d.iterations = frame / 12 % 2 ? 20 : 1;
}

/* Is the word of these bits all that arrived? */
static bool matches(struct trial *t, const uint8_t *bits)
{
    uint8_t *value = get(t->cols);
    bool same = true;

    memcpy(value, t->value, t->cols);
    to_columns(t, bits, value);
    for (uint32_t c = 0; c < t->cols; c++)
        same &= !t->known[c] || !t->used[c] || value[c] == t->value[c];
    free(value);
    return same;
}

struct counts {
    uint32_t solved, ambiguous, contradictory, converged, wrong;
};

/* Both decoders, and what the rule says where the iterations failed. */
static void judge(struct trial *t, struct counts *n)
{
    uint8_t *left = get(t->d.bits), *solved = get(t->d.bits);
    float *before = get(t->d.bits * sizeof *before), *after = get(t->d.bits * sizeof *after);
    struct fecrun_frame_info a = decode(t, false, left, before);
    struct fecrun_frame_info b = decode(t, true, solved, after);
    struct rule rule = find_rule(t);
    bool same = !memcmp(left, solved, t->d.bits) && a.flags == b.flags;

    n->wrong += a.iterations != b.iterations;
    if (!(a.flags & FECRUN_FRAME_FAILED)) {
        n->converged++;
        n->wrong += !same;
    } else if (rule.unique && rule.consistent) {
        n->solved++;
        n->wrong += b.flags != FECRUN_FRAME_CHECKED || !matches(t, solved);
        for (uint64_t i = 0; i < t->d.bits; i++) /* what was found is sure */
            n->wrong += before[i] != 0 ? after[i] != before[i]
                        : solved[i]    ? after[i] != -1048576
                                       : after[i] != 1048576;
    } else {
        n->contradictory += !rule.consistent;
        n->ambiguous += rule.consistent;
        n->wrong += !same || b.flags != (FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED);
    }
    free(left);
    free(solved);
    free(before);
    free(after);
}

static void test_code(const struct wish *wish, uint64_t bits, uint32_t rows, uint32_t frames,
                      const char *name)
{
    struct counts n = {0}, stuck = {0}, flipped = {0};
    struct trial t;

    open_trial(&t, wish, bits, rows);
    for (uint32_t f = 0; f < frames; f++) {
        vary(&t, f);
        draw_word(&t);
        judge(&t, &n);
        make_stuck(&t);
        judge(&t, &stuck);
        flip_known(&t);
        judge(&t, &flipped);
    }
    is_int(n.wrong, 0, "%s: %u solved, %u left, %u need no solving", name, n.solved, n.ambiguous,
           n.converged);
    ok(n.solved && n.ambiguous && !n.contradictory, "and both kinds were there");
    is_int(stuck.wrong, 0, "%s, no message but 0: %u solved, %u left", name, stuck.solved,
           stuck.ambiguous);
    is_int(flipped.wrong, 0, "%s, with a wrong bit: %u solved, %u ambiguous, %u contradictory",
           name, flipped.solved, flipped.ambiguous, flipped.contradictory);
    ok(flipped.contradictory, "and contradictions were there");
    close_trial(&t);
}

/* ---- a code from a file -------------------------------------------------------------------- */

enum { FILE_COLS = 120, FILE_ROWS = 60, WEIGHT = 3 };

/* Columns of three ones each, in random rows, but one of a single one now and then. */
static void put_alist(const char *path)
{
    bool one[FILE_ROWS][FILE_COLS] = {{false}};
    FILE *file = fopen(path, "w");

    if (!file)
        bail("cannot write %s", path);
    fprintf(file, "%d %d\n%d %d\n", FILE_COLS, FILE_ROWS, WEIGHT, FILE_COLS);
    for (uint32_t c = 0; c < FILE_COLS; c++) {
        const uint32_t weight = c % 8 == 3 ? 1 : WEIGHT;

        for (uint32_t left = weight, r = c % FILE_ROWS; left; r = draw(FILE_ROWS))
            if (!one[r][c]) {
                one[r][c] = true;
                left--;
            }
        fprintf(file, "%u%c", weight, c + 1 < FILE_COLS ? ' ' : '\n');
    }
    for (uint32_t r = 0; r < FILE_ROWS; r++) {
        uint32_t weight = 0;

        for (uint32_t c = 0; c < FILE_COLS; c++)
            weight += one[r][c];
        fprintf(file, "%u%c", weight, r + 1 < FILE_ROWS ? ' ' : '\n');
    }
    for (uint32_t c = 0; c < FILE_COLS; c++, fputc('\n', file))
        for (uint32_t r = 0; r < FILE_ROWS; r++)
            if (one[r][c])
                fprintf(file, "%u ", r + 1);
    for (uint32_t r = 0; r < FILE_ROWS; r++, fputc('\n', file))
        for (uint32_t c = 0; c < FILE_COLS; c++)
            if (one[r][c])
                fprintf(file, "%u ", c + 1);
    fclose(file);
}

/* Information bits of the code in the file: the encoder says them where they are wrong. */
static uint64_t file_bits(const struct wish *wish)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = read_wish(wish, &err);
    uint64_t k;

    if (!code)
        bail("%s", err.text);
    k = code->k;
    ldpc_code_free(code);
    return k;
}

static void test_files(void)
{
    char name[] = "/tmp/fecrun-ldpc-XXXXXX";
    struct wish alist = IN_FILE(LDPC_ALIST, name), qc = IN_FILE(LDPC_QC, name);
    int fd = mkstemp(name);
    FILE *file;

    if (fd < 0)
        bail("cannot make a temporary file");
    close(fd);
    put_alist(name);
    test_code(&alist, file_bits(&alist), 0, 400, "alist");
    file = fopen(name, "w");
    if (!file)
        bail("cannot write %s", name);
    fputs("8 4 13\n0 3 -1 7 1 0 -1 -1\n5 -1 2 11 -1 0 0 -1\n-1 9 4 -1 0 -1 0 0\n"
          "8 6 12 1 1 -1 -1 0\n",
          file);
    fclose(file);
    test_code(&qc, file_bits(&qc), 0, 400, "qc");
    unlink(name);
}

int main(void)
{
    test_code(&NR(1, 2, 0), 44, 0, 200, "BG1, z = 2");
    test_code(&NR(1, 6, 20), 112, 20, 100, "BG1, z = 6, 20 rows, fillers");
    test_code(&NR(2, 7, 30), 40, 0, 100, "BG2, z = 7, fillers");
    test_code(&NR(2, 8, 0), 80, 9, 200, "BG2, z = 8, 9 rows");
    test_code(&WIFI(648, "1/2"), 324, 0, 60, "Wi-Fi 648, 1/2");
    test_code(&WIMAX(576, "3/4A"), 432, 0, 100, "WiMAX 576, 3/4A");
    test_code(&DVBS2(1, "8/9"), 14400, 0, 8, "DVB-S2 short, 8/9");
    test_files();
    return done_testing();
}
