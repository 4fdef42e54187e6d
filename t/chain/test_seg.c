/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Segmentation against a plain model of TS 38.212 5.2.2 and TS 36.212 5.1.2, written from their text
 * and tables: sizes for every transport block of 24 to 100000 bits, and the bits of some.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/seg/kind.h"
#include "t/lib/tap.h"

enum { FIRST_A = 24, LAST_A = 100000, MOST_SIZES = 256, MOST_B = 32768 };

/* ---- Tables of the standards ---- */

struct sizes {
    unsigned n, size[MOST_SIZES];
};

static struct sizes read_sizes(const char *name, unsigned want)
{
    const char *dir = getenv("T_DATA");
    struct sizes sizes = {0};
    char path[512], line[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/tables/%s", dir ? dir : "t/data", name);
    file = fopen(path, "r");
    if (!file)
        bail("%s: not there", path);
    while (fgets(line, sizeof line, file))
        if (line[0] >= '0' && line[0] <= '9' && sizes.n < MOST_SIZES)
            sizes.size[sizes.n++] = (unsigned)strtoul(line, NULL, 10);
    fclose(file);
    if (sizes.n != want)
        bail("%s: %u sizes", path, sizes.n);
    return sizes;
}

static unsigned smallest(const struct sizes *sizes, unsigned factor, unsigned least)
{
    unsigned best = 0;

    for (unsigned i = 0; i < sizes->n; i++)
        if (factor * sizes->size[i] >= least && (!best || sizes->size[i] < best))
            best = sizes->size[i];
    return best;
}

static unsigned largest_below(const struct sizes *sizes, unsigned k)
{
    unsigned best = 0;

    for (unsigned i = 0; i < sizes->n; i++)
        if (sizes->size[i] < k && sizes->size[i] > best)
            best = sizes->size[i];
    return best;
}

/* ---- Sizes ---- */

static unsigned blocks_of(unsigned b, unsigned largest)
{
    unsigned c = 1;

    if (b <= largest)
        return 1;
    while (c * (largest - 24) < b)
        c++;
    return c;
}

static bool good_nr(unsigned a, unsigned bg, const struct sizes *lifting)
{
    const struct seg_sizes s = seg_nr(a, bg);
    const unsigned b = a + (a > 3824 ? 24 : 16);
    const unsigned c = blocks_of(b, bg == 1 ? 8448 : 3840);
    const unsigned all = c == 1 ? b : b + 24 * c;
    unsigned columns = 22, z, k;

    if (bg == 2)
        columns = b > 640 ? 10 : b > 560 ? 9 : b > 192 ? 8 : 6;
    if (s.b != b || s.blocks != c || s.cb_crc != (c == 1 ? 0 : 24))
        return false;
    if (all % c)
        return !seg_even(&s, bg);
    z = smallest(lifting, columns, all / c);
    k = (bg == 1 ? 22 : 10) * z;
    return seg_even(&s, bg) && s.k_used == all / c && s.z == z && s.k_plus == k &&
           s.fillers == k - all / c;
}

static bool good_lte(unsigned a, const struct sizes *table)
{
    const struct seg_sizes s = seg_lte(a);
    const unsigned b = a + 24, c = blocks_of(b, 6144), all = c == 1 ? b : b + 24 * c;
    const unsigned plus = smallest(table, c, all);
    const unsigned minus = c == 1 ? 0 : largest_below(table, plus);
    unsigned n_minus = 0;

    /* as many of the smaller ones as leave room for all bits */
    while (c > 1 && n_minus < c && (c - n_minus - 1) * plus + (n_minus + 1) * minus >= all)
        n_minus++;
    return s.b == b && s.blocks == c && s.k_plus == plus && s.k_minus == minus &&
           s.blocks_minus == n_minus && s.fillers == (c - n_minus) * plus + n_minus * minus - all &&
           seg_even(&s, 0) == (c == 1 || c * plus == all);
}

static void test_sizes(void)
{
    const struct sizes lifting = read_sizes("nr_ldpc_lifting.csv", 51);
    const struct sizes turbo = read_sizes("lte_qpp.csv", 188);
    unsigned wrong[3] = {0};

    for (unsigned a = FIRST_A; a <= LAST_A; a++) {
        wrong[0] += !good_nr(a, 1, &lifting);
        wrong[1] += !good_nr(a, 2, &lifting);
        wrong[2] += !good_lte(a, &turbo);
    }
    is_int(wrong[0], 0, "NR, base graph 1: transport blocks of %d to %d bits", FIRST_A, LAST_A);
    is_int(wrong[1], 0, "NR, base graph 2");
    is_int(wrong[2], 0, "LTE");
}

/* Sizes that TS 38.214 5.1.3.2 and TS 36.213 7.1.7.2 send. */
static void test_sent_sizes(void)
{
    static const unsigned nr[] = {24,    3824,   3840,   8424,   8456,   20496,
                                  50184, 100392, 159880, 319784, 622760, 1277992};
    static const unsigned lte[] = {16, 40, 1000, 6120, 6200, 12216, 30576, 61664, 73712, 75376};
    unsigned bad = 0;

    for (size_t i = 0; i < sizeof nr / sizeof *nr; i++) {
        const struct seg_sizes s = seg_nr(nr[i], 1);
        bad += !seg_even(&s, 1);
    }
    for (size_t i = 0; i < sizeof lte / sizeof *lte; i++) {
        const struct seg_sizes s = seg_lte(lte[i]);
        bad += !seg_even(&s, 0);
    }
    is_int(bad, 0, "sizes that are sent have equal blocks");
}

static void test_base_graph(void)
{
    ok(seg_base_graph(292, 0.9) == 2 && seg_base_graph(293, 0.68) == 1, "292 bits");
    ok(seg_base_graph(3824, 0.67) == 2 && seg_base_graph(3825, 0.67) == 1, "3824 bits, 0.67");
    ok(seg_base_graph(100000, 0.25) == 2 && seg_base_graph(100000, 0.26) == 1, "rate 0.25");
}

/* ---- Bits ---- */

static uint8_t drawn(void)
{
    static uint64_t state = 7;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(state >> 62 & 1);
}

/* Parity by long division; the polynomial's bits from its highest power on. */
static void divide(const uint8_t *bits, unsigned n, const char *polynomial, uint8_t *parity)
{
    static uint8_t rest[MOST_B + 24];
    const unsigned width = (unsigned)strlen(polynomial) - 1;

    memcpy(rest, bits, n);
    memset(rest + n, 0, width);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; rest[i] && k <= width; k++) /* the first one clears it last */
            rest[i + width - k] ^= polynomial[width - k] == '1';
    memcpy(parity, rest + n, width);
}

/* In the order of seg.split's `code`. */
enum family { NR, LTE, UCI };

static const char *const families[] = {"NR", "LTE", "uplink control"};

#define CRC6 "1100001"
#define CRC11 "111000100001"
#define CRC24A "1100001100100110011111011"
#define CRC24B "1100000000000000001100011"
#define CRC16 "10001000000100001"

/* The code blocks that the standard makes of a bits, one behind the other; how many. */
static unsigned model(const uint8_t *bits, unsigned a, bool lte, const struct seg_sizes *s,
                      uint8_t *out)
{
    static uint8_t whole[MOST_B];
    const char *crc = lte || a > 3824 ? CRC24A : CRC16;
    const unsigned k = lte ? s->k_plus : s->k_used;
    unsigned at = 0, front = lte ? s->fillers : 0;

    memcpy(whole, bits, a);
    divide(bits, a, crc, whole + a);
    for (unsigned r = 0; r < s->blocks; r++) {
        uint8_t *block = out + r * k;
        unsigned n = 0;
        while (n < front)
            block[n++] = 0;
        front = 0;
        while (n < (s->blocks > 1 ? k - 24 : k))
            block[n++] = whole[at++];
        if (s->blocks > 1)
            divide(block, n, CRC24B, block + n);
    }
    return at == s->b ? s->blocks : 0;
}

/* The same of uplink control, TS 38.212 6.3.1.2.1 and 5.2.1, letter by letter: A' = ceil(A / C) C. */
static unsigned model_uci(const uint8_t *bits, unsigned a, unsigned g, uint8_t *out)
{
    static uint8_t whole[MOST_B];
    const bool two = (a >= 360 && g >= 1088) || a >= 1013;
    const unsigned c = two ? 2 : 1, l = a <= 19 ? 6 : 11, all = (a + c - 1) / c * c;
    unsigned s = 0;

    for (unsigned i = 0; i < all - a; i++)
        whole[i] = 0;
    for (unsigned i = all - a; i < all; i++)
        whole[i] = bits[i - (all - a)];
    for (unsigned r = 0; r < c; r++) {
        uint8_t *block = out + r * (all / c + l);
        for (unsigned k = 0; k < all / c; k++)
            block[k] = whole[s++];
        divide(block, all / c, l == 6 ? CRC6 : CRC11, block + all / c);
    }
    return c;
}

struct planned {
    struct fecrun_frame in, out;
    struct fecrun_plan plan;
};

static void plan_stage(struct planned *p, const struct fecrun_stage *stage, enum family family,
                       unsigned number)
{
    const uint32_t bg = family == NR ? 2 : 0, g = family == UCI ? 2 : 0;
    struct fecrun_value v[SEG_N_PARAMS] = {
        [SEG_P_CODE] = {.size = sizeof *v, .given = 2, .i = family},
        [SEG_P_A] = {.size = sizeof *v},
        [SEG_P_BG] = {.size = sizeof *v, .given = bg, .i = number},
        [SEG_P_RATE] = {.size = sizeof *v},
        [SEG_P_G] = {.size = sizeof *v, .given = g, .i = number}};
    const struct fecrun_value *list[] = {&v[0], &v[1], &v[2], &v[3], &v[4]};
    const struct fecrun_values values = {sizeof values, SEG_N_PARAMS, list};
    const struct fecrun_frame *ins[] = {&p->in};
    struct fecrun_frame *outs[] = {&p->out};
    struct fecrun_error err = {.size = sizeof err};

    p->out = (struct fecrun_frame){.size = sizeof p->out};
    p->plan = (struct fecrun_plan){.size = sizeof p->plan};
    if (stage->plan(NULL, &values, ins, outs, &p->plan, &err))
        bail("%s: %s", stage->name, err.text);
}

static void run_stage(const struct fecrun_stage *stage, const struct planned *p,
                      const struct fecrun_view *in, struct fecrun_view *out,
                      struct fecrun_frame_info *info, struct fecrun_frame_info *out_info)
{
    const struct fecrun_backend *backend = stage->backends[0];
    const struct fecrun_create create = {
        .size = sizeof create, .codes = &p->plan.code, .n_codes = 1, .form = backend->forms[0]};
    const struct fecrun_call call = {
        .size = sizeof call, .codes = &p->plan.code, .info = info, .out_info = out_info};
    const struct fecrun_view *ins[] = {in};
    struct fecrun_view *outs[] = {out};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (backend->create(&create, &instance, &err) || backend->run(instance, &call, ins, outs, &err))
        bail("%s: %s", stage->name, err.text);
    backend->destroy(instance);
}

static struct fecrun_view view_of(uint8_t *data, uint64_t frames, uint64_t items)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = data,
                                .type = FECRUN_U8,
                                .frames = frames,
                                .items = items,
                                .stride = items};
}

/* Is each info CHECKED, and FAILED just where `bad` says? */
static bool verdicts(const struct fecrun_frame_info *info, unsigned n, int bad)
{
    for (unsigned i = 0; i < n; i++)
        if (info[i].flags != (FECRUN_FRAME_CHECKED | ((int)i == bad ? FECRUN_FRAME_FAILED : 0u)))
            return false;
    return true;
}

enum { FRAMES = 2 };

/* number: NR's base graph, or the bits sent of uplink control */
static void test_bits(unsigned a, enum family family, unsigned number)
{
    static uint8_t bits[FRAMES * MOST_B], blocks[FRAMES * MOST_B], want[FRAMES * MOST_B];
    static uint8_t back[FRAMES * MOST_B];
    const struct seg_sizes s = family == UCI   ? seg_uci(a, number)
                               : family == LTE ? seg_lte(a)
                                               : seg_nr(a, number);
    const unsigned k = family == LTE ? s.k_plus : s.k_used, c = s.blocks;
    struct fecrun_frame_info info[FRAMES * 16] = {{0}}, out_info[FRAMES] = {{0}};
    struct planned split = {.in = {.size = sizeof split.in,
                                   .kind = FECRUN_KIND_BITS,
                                   .type = FECRUN_U8,
                                   .items = a,
                                   .pieces = 1}};
    struct planned join;
    struct fecrun_view whole = view_of(bits, FRAMES, a), cut = view_of(blocks, FRAMES * c, k);
    struct fecrun_view again = view_of(back, FRAMES, a);
    bool good = true;

    for (unsigned i = 0; i < FRAMES * a; i++)
        bits[i] = drawn();
    plan_stage(&split, &chain_seg_split, family, number);
    join.in = split.out;
    plan_stage(&join, &chain_seg_join, family, number);
    run_stage(&chain_seg_split, &split, &whole, &cut, out_info, info);
    for (unsigned f = 0; f < FRAMES; f++)
        good &= (family == UCI ? model_uci(bits + f * a, a, number, want + f * c * k)
                               : model(bits + f * a, a, family == LTE, &s, want + f * c * k)) == c;
    ok(good && split.out.pieces == c && split.out.items == k &&
           !memcmp(blocks, want, (size_t)FRAMES * c * k),
       "%s, %u bits: %u blocks of %u bits are the standard's", families[family], a, c, k);
    run_stage(&chain_seg_join, &join, &cut, &again, info, out_info);
    ok(!memcmp(bits, back, (size_t)FRAMES * a) && join.out.pieces == 1 &&
           verdicts(info, FRAMES * c, -1) && verdicts(out_info, FRAMES, -1),
       "joined again");
    blocks[(2 * c - 1) * k + k / 2] ^= 1; /* in the last block of the second frame */
    run_stage(&chain_seg_join, &join, &cut, &again, info, out_info);
    ok(verdicts(info, FRAMES * c, (int)(2 * c) - 1) && verdicts(out_info, FRAMES, 1),
       "a wrong bit: its block has failed, and its transport block");
    free(split.plan.code);
    free(join.plan.code);
}

int main(void)
{
    test_base_graph();
    test_sizes();
    test_sent_sizes();
    test_bits(24, NR, 1);
    test_bits(3824, NR, 2);
    test_bits(3840, NR, 2);
    test_bits(8424, NR, 1);
    test_bits(20496, NR, 1);
    test_bits(20496, NR, 2);
    test_bits(24, LTE, 0);
    test_bits(1000, LTE, 0);
    test_bits(12216, LTE, 0);
    test_bits(30576, LTE, 0);
    test_bits(12, UCI, 54);
    test_bits(19, UCI, 1088);
    test_bits(20, UCI, 40);
    test_bits(359, UCI, 1088);
    test_bits(360, UCI, 1087);
    test_bits(360, UCI, 1088);
    test_bits(361, UCI, 1089);
    test_bits(1012, UCI, 1087);
    test_bits(1013, UCI, 1087);
    test_bits(1706, UCI, 16384);
    return done_testing();
}
