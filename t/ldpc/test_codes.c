/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.encode against the tables in t/data/tables, multiplied out here in the plainest way, and
 * against words that others computed; the order of rows of every code.
 */
#include "t/ldpc/codes.h"

enum { FRAMES = 3, MAX_LINE = 1 << 17, MAX_FIELDS = 32, MAX_WORD = 5 * 8192 };

/* ---- files of t/data ---- */

struct table {
    FILE *file;
    char line[MAX_LINE];
    char *field[MAX_FIELDS];
};

static FILE *open_data(const char *directory, const char *name)
{
    const char *data = getenv("T_DATA");
    char path[2048];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s/%s", data ? data : "t/data", directory, name);
    file = fopen(path, "rb");
    if (!file)
        bail("cannot read %s", path);
    return file;
}

/* The next line's fields; false at the end. */
static bool next_line(struct table *t)
{
    char *at = t->line;

    if (!fgets(t->line, sizeof t->line, t->file)) {
        fclose(t->file);
        return false;
    }
    t->line[strcspn(t->line, "\n")] = 0;
    for (unsigned i = 0; i < MAX_FIELDS; i++) {
        t->field[i] = at;
        at += strcspn(at, ",");
        if (*at)
            *at++ = 0;
    }
    return true;
}

static void open_table(struct table *t, const char *directory, const char *name)
{
    t->file = open_data(directory, name);
    next_line(t);
}

static uint32_t number(const struct table *t, unsigned field)
{
    return (uint32_t)strtoul(t->field[field], NULL, 10);
}

/* ---- matrices from the tables ---- */

struct block {
    uint32_t row, col;
    int shift[8]; /* NR: one a set; else the first */
};

struct matrix {
    uint32_t n;
    struct block block[400];
};

static struct table table; /* large, and one at a time is read */

static uint32_t find_set(uint32_t z)
{
    uint32_t set = 8;

    open_table(&table, "tables", "nr_ldpc_lifting.csv");
    while (next_line(&table))
        if (number(&table, 0) == z)
            set = number(&table, 1);
    return set;
}

static void read_nr(struct matrix *m, uint32_t bg)
{
    open_table(&table, "tables", bg == 1 ? "nr_ldpc_bg1.csv" : "nr_ldpc_bg2.csv");
    m->n = 0;
    while (next_line(&table)) {
        struct block *b = &m->block[m->n++];

        b->row = number(&table, 0);
        b->col = number(&table, 1);
        for (unsigned set = 0; set < 8; set++)
            b->shift[set] = (int)number(&table, 2 + set);
    }
}

/* Lines of the rate (and of the length, if its column is not negative): row and 24 shifts. */
static void read_proto(struct matrix *m, const char *name, int n_field, uint32_t n,
                       unsigned rate_field, const char *rate, unsigned row_field)
{
    open_table(&table, "tables", name);
    m->n = 0;
    while (next_line(&table)) {
        if (strcmp(table.field[rate_field], rate) || (n_field >= 0 && number(&table, 0) != n))
            continue;
        for (unsigned c = 0; c < 24; c++) {
            int shift = atoi(table.field[row_field + 1 + c]);

            if (shift >= 0)
                m->block[m->n++] = (struct block){number(&table, row_field), c, {shift}};
        }
    }
}

/* Checks that do not hold. `word` has all columns. */
static uint32_t broken(const struct matrix *m, uint32_t z, uint32_t set, const uint8_t *word)
{
    static uint8_t sum[MAX_WORD];
    uint32_t bad = 0;

    memset(sum, 0, sizeof sum);
    for (uint32_t i = 0; i < m->n; i++) {
        const struct block *b = &m->block[i];

        for (uint32_t r = 0; r < z; r++)
            sum[b->row * z + r] ^= word[b->col * z + (r + (uint32_t)b->shift[set]) % z];
    }
    for (uint32_t i = 0; i < MAX_WORD; i++)
        bad += sum[i];
    return bad;
}

/* ---- one code ---- */

/* Random messages; `word` is called for each frame. Linearity: the third is the sum of the two. */
static void encode_random(struct encoder *e, const struct wish *wish, uint64_t bits, uint8_t **in,
                          uint8_t **out)
{
    if (encoder_plan(e, wish, bits, 0))
        bail("%s: %s", e->err.param, e->err.text);
    *in = get(FRAMES * bits);
    draw_bits(*in, 2 * bits);
    for (uint64_t i = 0; i < bits; i++)
        (*in)[2 * bits + i] = (*in)[i] ^ (*in)[bits + i];
    *out = encoder_run(e, *in, FRAMES);
}

static uint32_t not_linear(const struct encoder *e, const uint8_t *out)
{
    uint64_t n = e->out.items;
    uint32_t bad = 0;

    for (uint64_t i = 0; i < n; i++)
        bad += out[2 * n + i] != (out[i] ^ out[n + i]);
    return bad;
}

static uint32_t check_nr(const struct matrix *m, uint32_t bg, uint32_t z, uint32_t set,
                         uint32_t fillers)
{
    uint32_t k = (bg == 1 ? 22 : 10) * z, n = (bg == 1 ? 66 : 50) * z, bits = k - fillers;
    struct wish wish = NR(bg, z, fillers);
    static uint8_t word[MAX_WORD];
    uint8_t *in, *out;
    struct encoder e;
    uint32_t bad;

    encode_random(&e, &wish, bits, &in, &out);
    bad = not_linear(&e, out) + (e.out.items != n);
    for (unsigned f = 0; f < FRAMES; f++) {
        memcpy(word, in + f * bits, 2 * z);
        memcpy(word + 2 * z, out + f * n, n);
        bad += broken(m, z, set, word) + (memcmp(word, in + f * bits, bits) != 0);
        for (uint32_t i = bits; i < k; i++)
            bad += word[i];
    }
    encoder_free(&e);
    free(in);
    free(out);
    return bad;
}

static void test_nr(void)
{
    static uint32_t sizes[64];
    static struct matrix m;
    uint32_t n = 0;

    open_table(&table, "tables", "nr_ldpc_lifting.csv");
    while (next_line(&table))
        sizes[n++] = number(&table, 0);
    is_int(n, 51, "51 lifting sizes");
    for (uint32_t bg = 1; bg <= 2; bg++) {
        uint32_t bad = 0;

        read_nr(&m, bg);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t z = sizes[i], set = find_set(z), most = (bg == 1 ? 20 : 8) * z - 1;

            bad += check_nr(&m, bg, z, set, 0) + check_nr(&m, bg, z, set, draw(most + 1)) +
                   check_nr(&m, bg, z, set, most);
        }
        is_int(bad, 0, "NR base graph %u: checks hold for all sizes and fillers", bg);
    }
}

static uint32_t check_proto(const struct matrix *m, const struct wish *wish, uint32_t z,
                            uint32_t rows)
{
    uint32_t bits = (24 - rows) * z, n = 24 * z, bad;
    uint8_t *in, *out;
    struct encoder e;

    encode_random(&e, wish, bits, &in, &out);
    bad = not_linear(&e, out) + (e.out.items != n);
    for (unsigned f = 0; f < FRAMES; f++)
        bad += broken(m, z, 0, out + f * n) + (memcmp(out + f * n, in + f * bits, bits) != 0);
    encoder_free(&e);
    free(in);
    free(out);
    return bad;
}

static void test_wifi(void)
{
    static const struct {
        const char *rate;
        uint32_t rows;
    } rates[] = {{"1/2", 12}, {"2/3", 8}, {"3/4", 6}, {"5/6", 4}};
    static struct matrix m;
    uint32_t bad = 0, codes = 0;

    for (unsigned i = 0; i < 4; i++)
        for (uint32_t n = 648; n <= 1944; n += 648, codes++) {
            struct wish wish = WIFI(n, rates[i].rate);

            read_proto(&m, "wifi_ldpc.csv", 0, n, 1, rates[i].rate, 3);
            bad += check_proto(&m, &wish, n / 24, rates[i].rows) + (m.n == 0);
        }
    is_int(bad, 0, "Wi-Fi: checks hold in all %u codes", codes);
}

static void test_wimax(void)
{
    static const struct {
        const char *rate;
        uint32_t rows;
    } rates[] = {{"1/2", 12}, {"2/3A", 8}, {"2/3B", 8}, {"3/4A", 6}, {"3/4B", 6}, {"5/6", 4}};
    static struct matrix m;
    uint32_t bad = 0, codes = 0;

    for (unsigned i = 0; i < 6; i++)
        for (uint32_t z = 24; z <= 96; z += 4, codes++) {
            struct wish wish = WIMAX(24 * z, rates[i].rate);

            read_proto(&m, "wimax_ldpc.csv", -1, 0, 0, rates[i].rate, 2);
            for (uint32_t b = 0; b < m.n; b++)
                if (!strcmp(rates[i].rate, "2/3A"))
                    m.block[b].shift[0] %= (int)z;
                else
                    m.block[b].shift[0] = m.block[b].shift[0] * (int)z / 96;
            bad += check_proto(&m, &wish, z, rates[i].rows) + (m.n == 0);
        }
    is_int(bad, 0, "WiMAX: checks hold in all %u codes", codes);
}

/* ---- DVB-S2, as EN 302 307-1 5.3.2 says it ---- */

static uint32_t dvbs2_groups(bool is_short, const char *rate, uint32_t *q)
{
    uint32_t groups = 0;

    open_table(&table, "tables", "dvbs2_ldpc.csv");
    while (next_line(&table))
        if (!strcmp(table.field[0], is_short ? "short" : "normal") &&
            !strcmp(table.field[1], rate)) {
            *q = number(&table, 2);
            groups++;
        }
    return groups;
}

static void dvbs2_parity(bool is_short, const char *rate, uint32_t q, const uint8_t *info,
                         uint8_t *p)
{
    uint32_t n = 360 * q;

    memset(p, 0, n);
    open_table(&table, "tables", "dvbs2_ldpc.csv");
    while (next_line(&table)) {
        char *at = table.field[4], *end;

        if (strcmp(table.field[0], is_short ? "short" : "normal") || strcmp(table.field[1], rate))
            continue;
        for (uint32_t x = (uint32_t)strtoul(at, &end, 10); end != at;
             at = end, x = (uint32_t)strtoul(at, &end, 10))
            for (uint32_t i = 0; i < 360; i++)
                p[(x + i * q) % n] ^= info[number(&table, 3) * 360 + i];
    }
    for (uint32_t i = 1; i < n; i++)
        p[i] ^= p[i - 1];
}

static void test_dvbs2(void)
{
    static const char *const rates[] = {"1/4", "1/3", "2/5", "1/2", "3/5", "2/3",
                                        "3/4", "4/5", "5/6", "8/9", "9/10"};
    static uint8_t want[64800];
    uint32_t bad = 0, codes = 0;

    for (unsigned i = 0; i < 21; i++, codes++) {
        bool is_short = i >= 11;
        const char *rate = rates[i % 11];
        struct wish wish = DVBS2(is_short, rate);
        uint32_t q = 0, bits = 360 * dvbs2_groups(is_short, rate, &q);
        uint32_t n = is_short ? 16200 : 64800;
        uint8_t *in, *out;
        struct encoder e;

        encode_random(&e, &wish, bits, &in, &out);
        bad += not_linear(&e, out) + (e.out.items != n);
        for (unsigned f = 0; f < FRAMES; f++) {
            dvbs2_parity(is_short, rate, q, in + f * bits, want);
            bad += memcmp(out + f * n, in + f * bits, bits) != 0;
            bad += memcmp(out + f * n + bits, want, n - bits) != 0;
        }
        encoder_free(&e);
        free(in);
        free(out);
    }
    is_int(bad, 0, "DVB-S2: all %u codes give the standard's sums", codes);
}

/* ---- CCSDS: every one of the matrix, and the rows of generators ---- */

static uint32_t read_ccsds(struct matrix *m, uint32_t n, uint32_t *k, uint32_t *z)
{
    uint32_t cols = 0;

    m->n = 0;
    open_table(&table, "tables", "ccsds_ldpc.csv");
    while (next_line(&table))
        if (number(&table, 0) == n) {
            *k = number(&table, 1);
            *z = number(&table, 2);
            m->block[m->n++] = (struct block){
                number(&table, 3), number(&table, 4), {(int)number(&table, 5)}};
            cols = number(&table, 4) >= cols ? number(&table, 4) + 1 : cols;
        }
    return cols * *z;
}

static unsigned hex_bit(const char *hex, uint32_t i)
{
    const char digit[2] = {hex[i / 4], 0};

    return (unsigned)strtoul(digit, NULL, 16) >> (3 - i % 4) & 1;
}

/* Parity by the generator: a line a circulant, z bits of each of its columns (of 511: behind a 0). Returns its lines. */
static uint32_t ccsds_parity(uint32_t n, uint32_t k, const uint8_t *info, uint8_t *parity)
{
    uint32_t lines = 0;

    memset(parity, 0, n - k);
    open_table(&table, "tables", "ccsds_ldpc_generator.csv");
    while (next_line(&table)) {
        const uint32_t z = number(&table, 2), extra = z % 4 ? 4 - z % 4 : 0;

        if (number(&table, 0) != n)
            continue;
        for (uint32_t i = 0; i < z; i++)
            for (uint32_t p = 0; info[number(&table, 3) * z + i] && p < n - k; p++)
                parity[p / z * z + (p + i) % z] ^= hex_bit(table.field[4], p + (p / z + 1) * extra);
        lines++;
    }
    return lines;
}

/* Bits of the punctured columns, put behind the word. Each is in one check of the last block row (131.0-B 7.4.2). */
static void add_punctured(const struct matrix *m, uint32_t z, uint32_t n, uint8_t *word)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct block *b = &m->block[i];

        for (uint32_t l = 0; b->row >= 8 && b->col * z < n && l < z; l++)
            word[n + (b->row - 8) * z + l] ^= word[b->col * z + (l + (uint32_t)b->shift[0]) % z];
    }
}

static void test_ccsds(void)
{
    static const uint32_t sizes[] = {128,  512,  1280,  1536,  2048,  5120,
                                     6144, 8192, 20480, 24576, 32768, 8176};
    static uint8_t word[MAX_WORD], parity[MAX_WORD];
    static struct matrix m;

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t n = sizes[i], k = 0, z = 0, cols = read_ccsds(&m, n, &k, &z), bad, lines = 0;
        struct wish wish = CCSDS(n);
        uint8_t *in, *out;
        struct encoder e;

        encode_random(&e, &wish, k, &in, &out);
        bad = not_linear(&e, out) + (e.out.items != n) + (m.n == 0);
        for (unsigned f = 0; f < FRAMES; f++) {
            memset(word, 0, sizeof word);
            memcpy(word, out + f * n, n);
            if (cols > n)
                add_punctured(&m, z, n, word);
            bad += broken(&m, z, 0, word) + (memcmp(word, in + f * k, k) != 0);
            lines = ccsds_parity(n, k, in + f * k, parity);
            bad += lines && memcmp(word + k, parity, n - k);
        }
        is_int(bad, 0, "CCSDS (%u, %u): checks hold, parity as %u circulants say", n, k, lines);
        encoder_free(&e);
        free(in);
        free(out);
    }
}

/* ---- words that others computed ---- */

static void read_bits(const char *name, uint8_t *bits, uint32_t n, uint32_t frames)
{
    FILE *file = open_data("nr_ldpc", name);
    size_t bytes = (n + 7) / 8;
    uint8_t *packed = get(bytes);

    for (uint32_t f = 0; f < frames; f++) {
        if (fread(packed, 1, bytes, file) != bytes)
            bail("%s is too short", name);
        for (uint32_t i = 0; i < n; i++)
            *bits++ = packed[i / 8] >> (7 - i % 8) & 1;
    }
    fclose(file);
    free(packed);
}

static void test_vectors(void)
{
    struct table *index = get(sizeof *index);

    open_table(index, "nr_ldpc", "index.csv");
    while (next_line(index)) {
        struct wish wish = NR(number(index, 0), number(index, 1), number(index, 2));
        uint32_t bits = number(index, 3), n = number(index, 4), frames = number(index, 5);
        uint8_t *in, *want, *out;
        struct encoder e;

        if (*index->field[8])
            continue; /* rate matched: the word stands in another line, too */
        in = get(frames * bits);
        want = get(frames * n);
        read_bits(index->field[6], in, bits, frames);
        read_bits(index->field[7], want, n, frames);
        if (encoder_plan(&e, &wish, bits, 0))
            bail("%s", e.err.text);
        out = encoder_run(&e, in, frames);
        ok(e.out.items == n && !memcmp(out, want, frames * n), "%s", index->field[7]);
        encoder_free(&e);
        free(in);
        free(want);
        free(out);
    }
    free(index);
}

static void from_hex(const char *hex, uint8_t *bits, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char digit[2] = {hex[i / 4], 0};

        bits[i] = strtoul(digit, NULL, 16) >> (3 - i % 4) & 1;
    }
}

static void test_golden(void)
{
    static uint8_t in[22 * 384], want[MAX_WORD];
    uint32_t bad = 0, words = 0;

    open_table(&table, "tables", "nr_ldpc_golden.csv");
    while (next_line(&table)) {
        struct wish wish = NR(number(&table, 0), number(&table, 1), 0);
        uint32_t z = number(&table, 1), bits = number(&table, 3), n = number(&table, 4);
        struct encoder e;
        uint8_t *out;

        from_hex(table.field[5], in, bits);
        from_hex(table.field[6], want, n);
        if (encoder_plan(&e, &wish, bits, 0))
            bail("%s", e.err.text);
        out = encoder_run(&e, in, 1);
        words++;
        bad += e.out.items != n - 2 * z || memcmp(out, want + 2 * z, n - 2 * z);
        encoder_free(&e);
        free(out);
    }
    is_int(words, 30, "30 words in nr_ldpc_golden.csv");
    is_int(bad, 0, "all of them are encoded so");
}

int main(void)
{
    test_nr();
    test_wifi();
    test_wimax();
    test_dvbs2();
    test_ccsds();
    test_vectors();
    test_golden();
    return done_testing();
}
