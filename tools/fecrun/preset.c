/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelines of standards: their tables, and the text made of a row. */
#include "tools/fecrun/preset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *scheme_of(unsigned qm)
{
    static const char *const names[] = {"bpsk", "qpsk", "16qam", "64qam", "256qam", "1024qam"};

    return names[qm / 2];
}

/* What all have in common. The sweep goes over `range` dB in steps of 0.5, from `above` over the least Es/N0 at which
   that many bits a symbol can be sent at all (Shannon's limit). */
struct link {
    unsigned bits;              /* of a frame, before a CRC */
    const char *code, *decoder; /* stages before the mapper and after the demapper, in lines */
    unsigned qm;
    double bits_a_symbol, above, range;
};

static void write_link(struct preset *preset, const struct link *link)
{
    const double least = 10 * log10(exp2(link->bits_a_symbol) - 1);
    const double from = floor(2 * (least + link->above)) / 2;

    snprintf(preset->text, sizeof preset->text,
             "# %s\n"
             "fecrun: 1\n"
             "seed: 1\n"
             "pipeline:\n"
             "  - source.random: {bits: %u}\n"
             "%s"
             "  - modem.map: {scheme: %s}\n"
             "  - channel.awgn: {esn0_db: %.1f}\n"
             "  - modem.demap: {}\n"
             "  - llr.quantize: {type: i8, scale: auto}\n"
             "%s"
             "  - sink.errors: {}\n"
             "sweep: {channel.awgn.esn0_db: \"%.1f:0.5:%.1f\"}\n"
             "stop: {frame_errors: 100, frames: 10000}\n",
             preset->stands, link->bits, link->code, scheme_of(link->qm), from, link->decoder, from,
             from + link->range);
}

/* A row's number after `prefix`; -1: there is none, or not below n. */
static int row_of(const char *name, const char *prefix, int n)
{
    const size_t length = strlen(prefix);
    char *end;
    long row;

    if (strncmp(name, prefix, length) || name[length] < '0' || name[length] > '9')
        return -1;
    row = strtol(name + length, &end, 10);
    return *end || row >= n || (name[length] == '0' && end != name + length + 1) ? -1 : (int)row;
}

/* ---- DVB-S: EN 300 421, 4.4.3 and table 2 ---- */

/* With the six tail bits 13020 steps, a multiple of each pattern's length with an even number of sent bits. */
enum { DVB_BITS = 13014 };

static const char *const dvb_rates[] = {"1/2", "2/3", "3/4", "5/6", "7/8"};

enum { DVB_RATES = sizeof dvb_rates / sizeof *dvb_rates };

static bool make_dvb(struct preset *preset, const char *name)
{
    char code[128], decoder[64];
    unsigned i = 0;

    if (strncmp(name, "dvb-s-", 6))
        return false;
    while (i < DVB_RATES && strcmp(name + 6, dvb_rates[i]))
        i++;
    if (i == DVB_RATES)
        return false;
    snprintf(preset->stands, sizeof preset->stands,
             "DVB-S, EN 300 421 4.4.3: inner code (K = 7, 171 and 133) at rate %s over QPSK, "
             "without the Reed-Solomon code",
             dvb_rates[i]);
    snprintf(code, sizeof code, "  - conv.encode: {code: dvb, termination: zero}\n%s%s%s",
             i ? "  - conv.puncture: {scheme: dvb, rate: " : "", i ? dvb_rates[i] : "",
             i ? "}\n" : "");
    snprintf(decoder, sizeof decoder, "%s  - viterbi.decode: {}\n",
             i ? "  - conv.depuncture: {}\n" : "");
    write_link(preset,
               &(struct link){DVB_BITS, code, decoder, 2,
                              2.0 * (dvb_rates[i][0] - '0') / (dvb_rates[i][2] - '0'), 3, 3});
    return true;
}

/* ---- NR: TS 38.214 table 5.1.3.1-1, which PUSCH has without transform precoding (6.1.4.1) ---- */

static const uint16_t nr_rates[] = {120, 157, 193, 251, 308, 379, 449, 526, 602, 679,
                                    340, 378, 434, 490, 553, 616, 658, 438, 466, 517,
                                    567, 616, 666, 719, 772, 822, 873, 910, 948};

enum { NR_ROWS = sizeof nr_rates / sizeof *nr_rates };

/* A transport block that is one code block of the largest size; the base graph is that of TS 38.212 6.2.2, the CRC
   that of 6.2.1. */
static bool make_nr(struct preset *preset, const char *name)
{
    const int row = row_of(name, "nr-pusch-mcs-", NR_ROWS);
    const unsigned qm = row < 10 ? 2 : row < 17 ? 4 : 6;
    char code[256];
    unsigned bits, e;
    bool small;

    if (row < 0)
        return false;
    small = nr_rates[row] <= 256; /* R of 0.25 and less */
    bits = small ? 3840 - 16 : 8448 - 24;
    e = (bits * 1024 + nr_rates[row] * qm - 1) / (nr_rates[row] * qm) * qm;
    snprintf(preset->stands, sizeof preset->stands,
             "NR PUSCH, MCS %d of TS 38.214 table 5.1.3.1-1: Qm = %u, R = %u/1024; %u bits in one "
             "code block",
             row, qm, nr_rates[row], bits);
    snprintf(code, sizeof code,
             "  - crc.attach: {crc: %s}\n"
             "  - ldpc.encode: {code: nr, bg: %d, z: 384}\n"
             "  - ldpc.rate_match: {e: %u, qm: %u}\n",
             small ? "16" : "24a", small ? 2 : 1, e, qm);
    write_link(preset, &(struct link){bits, code,
                                      "  - ldpc.rate_recover: {}\n"
                                      "  - ldpc.decode: {iterations: 20}\n"
                                      "  - crc.check: {verdict: crc}\n",
                                      qm, qm * nr_rates[row] / 1024.0, 0.5, 2.5});
    return true;
}

/* ---- NR's LDPC code by (k, n): TS 38.212 5.2.2 and 6.2.2 for one block without a CRC ---- */

/* a 2^j, a of 2, 3, 5, .. 15, up to 384 (TS 38.212 table 5.3.2-1): the least one of at least `least`; 0: none. */
static unsigned lifting_size(unsigned least)
{
    static const uint8_t of[] = {2, 3, 5, 7, 9, 11, 13, 15};
    unsigned best = 0;

    for (size_t i = 0; i < sizeof of; i++)
        for (unsigned z = of[i]; z <= 384; z *= 2)
            if (z >= least && (!best || z < best))
                best = z;
    return best;
}

static unsigned base_graph(unsigned k, double rate)
{
    return k <= 292 || (k <= 3824 && rate <= 0.67) || (k <= 3840 && rate <= 0.25) ? 2 : 1;
}

/* K_b of base graph 2 by the block's bits */
static unsigned columns_of(unsigned bg, unsigned k)
{
    return bg == 1 ? 22 : k > 640 ? 10 : k > 560 ? 9 : k > 192 ? 8 : 6;
}

static bool make_kn(struct preset *preset, const char *name)
{
    unsigned k, n, bg, z, fillers, qm;
    char code[256], again[64];

    if (sscanf(name, "nr-ldpc-%5u-%7u", &k, &n) != 2)
        return false;
    snprintf(again, sizeof again, "nr-ldpc-%u-%u", k, n);
    if (strcmp(name, again) || k < 12 || k > 8448 || n <= k || n > 1000000)
        return false;
    bg = base_graph(k, (double)k / n);
    z = lifting_size((k + columns_of(bg, k) - 1) / columns_of(bg, k));
    fillers = (bg == 1 ? 22 : 10) * z - k;
    qm = n % 2 ? 1 : 2;
    snprintf(preset->stands, sizeof preset->stands,
             "NR LDPC (%u, %u): base graph %u, z = %u, %u fillers (TS 38.212 5.2.2, 6.2.2), %s", k,
             n, bg, z, fillers, scheme_of(qm));
    snprintf(code, sizeof code,
             "  - ldpc.encode: {code: nr, bg: %u, z: %u, fillers: %u}\n"
             "  - ldpc.rate_match: {e: %u, qm: %u}\n",
             bg, z, fillers, n, qm);
    write_link(preset, &(struct link){k, code,
                                      "  - ldpc.rate_recover: {}\n"
                                      "  - ldpc.decode: {iterations: 20}\n",
                                      qm, (double)qm * k / n, 0.5, 4});
    return true;
}

/* ---- LTE: TS 36.213 tables 7.1.7.1-1 and 7.1.7.2.1-1, the sizes of six pairs of resource blocks: one code block each */

static const uint16_t lte_sizes[] = {152,  208,  256,  328,  408,  504,  600,  712,  808,
                                     936,  1032, 1192, 1352, 1544, 1736, 1800, 1928, 2152,
                                     2344, 2600, 2792, 2984, 3240, 3496, 3624, 3752, 4392};

enum {
    LTE_ROWS = 29,
    /* A pair has 12 carriers in 14 symbols; two symbols are control's, six elements of the others pilots of one port. */
    LTE_ELEMENTS = 6 * (12 * 12 - 6)
};

static bool make_lte(struct preset *preset, const char *name)
{
    const int row = row_of(name, "lte-pdsch-mcs-", LTE_ROWS);
    const unsigned qm = row < 10 ? 2 : row < 17 ? 4 : 6;
    char code[256];
    unsigned bits;

    if (row < 0)
        return false;
    bits = lte_sizes[row - (row > 9) - (row > 16)]; /* I_TBS: 9 and 15 stand in two rows */
    snprintf(preset->stands, sizeof preset->stands,
             "LTE PDSCH, MCS %d of TS 36.213 table 7.1.7.1-1: Qm = %u, I_TBS = %d, %u bits in six "
             "pairs of resource blocks with %d elements each",
             row, qm, row - (row > 9) - (row > 16), bits, LTE_ELEMENTS / 6);
    snprintf(code, sizeof code,
             "  - crc.attach: {crc: 24a}\n"
             "  - turbo.encode: {code: lte, k: %u}\n"
             "  - turbo.rate_match: {e: %u}\n",
             bits + 24, LTE_ELEMENTS * qm);
    write_link(preset, &(struct link){bits, code,
                                      "  - turbo.rate_recover: {}\n"
                                      "  - turbo.decode: {iterations: 8}\n"
                                      "  - crc.check: {verdict: crc}\n",
                                      qm, (double)bits / LTE_ELEMENTS, 0.5, 4});
    return true;
}

/* ---- Wi-Fi 6: IEEE 802.11ax, HE-MCSs of one stream ---- */

static const struct {
    unsigned qm, part, whole;
} he_rows[] = {{1, 1, 2}, {2, 1, 2}, {2, 3, 4}, {4, 1, 2}, {4, 3, 4},  {6, 2, 3},
               {6, 3, 4}, {6, 5, 6}, {8, 3, 4}, {8, 5, 6}, {10, 3, 4}, {10, 5, 6}};

enum { HE_ROWS = sizeof he_rows / sizeof *he_rows };

static bool make_wifi(struct preset *preset, const char *name)
{
    const int row = row_of(name, "wifi-he-mcs-", HE_ROWS);
    unsigned qm, part, whole, fill;
    char code[192], decoder[128];

    if (row < 0)
        return false;
    qm = he_rows[row].qm;
    part = he_rows[row].part;
    whole = he_rows[row].whole;
    fill = (qm - 1944 % qm) % qm;
    snprintf(preset->stands, sizeof preset->stands,
             "Wi-Fi 6, HE-MCS %d of IEEE 802.11ax: %s, LDPC of rate %u/%u in words of 1944 bits%s",
             row, scheme_of(qm), part, whole, fill ? " and 6 zeros, for whole symbols" : "");
    snprintf(code, sizeof code, "  - ldpc.encode: {code: wifi, n: 1944, rate: %u/%u}\n%s", part,
             whole, fill ? "  - frame.insert: {count: 6, at: 1944}\n" : "");
    snprintf(decoder, sizeof decoder, "%s  - ldpc.decode: {iterations: 20}\n",
             fill ? "  - frame.remove: {count: 6, at: 1944}\n" : "");
    write_link(preset, &(struct link){1944 * part / whole, code, decoder, qm,
                                      (double)qm * part / whole, 1, 3});
    return true;
}

const char *preset_name(size_t i, char *name, size_t size)
{
    static const struct {
        const char *before;
        size_t rows;
    } numbered[] = {
        {"nr-pusch-mcs-", NR_ROWS}, {"lte-pdsch-mcs-", LTE_ROWS}, {"wifi-he-mcs-", HE_ROWS}};

    if (i < DVB_RATES) {
        snprintf(name, size, "dvb-s-%s", dvb_rates[i]);
        return name;
    }
    i -= DVB_RATES;
    for (size_t k = 0; k < sizeof numbered / sizeof *numbered; i -= numbered[k++].rows)
        if (i < numbered[k].rows) {
            snprintf(name, size, "%s%zu", numbered[k].before, i);
            return name;
        }
    return NULL;
}

int preset_make(struct preset *preset, const char *name, struct diag *diag)
{
    if (make_dvb(preset, name) || make_nr(preset, name) || make_kn(preset, name) ||
        make_lte(preset, name) || make_wifi(preset, name))
        return 0;
    return diag_fail(
        diag, DIAG_USAGE,
        "--preset %s: there are dvb-s-1/2, -2/3, -3/4, -5/6 and -7/8, nr-pusch-mcs-0 to "
        "-%d, nr-ldpc-K-N with K from 12 to 8448 and N from K + 1 to 1000000, lte-pdsch-mcs-0 to "
        "-%d, wifi-he-mcs-0 to -%d",
        name, NR_ROWS - 1, LTE_ROWS - 1, HE_ROWS - 1);
}
