/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/tables.h"

/* Generators: K binary digits in octal, the leftmost one for the newest bit, as numbers and as
   users write them. */
#define OCTAL2(a, b) \
    { \
        0##a, 0##b \
    }
#define OCTAL3(a, b, c) \
    { \
        0##a, 0##b, 0##c \
    }
#define OCTAL4(a, b, c, d) \
    { \
        0##a, 0##b, 0##c, 0##d \
    }
#define OCTAL6(a, b, c, d, e, f) \
    { \
        0##a, 0##b, 0##c, 0##d, 0##e, 0##f \
    }
#define TEXT2(a, b) "0o" #a " 0o" #b
#define TEXT3(a, b, c) TEXT2(a, b) " 0o" #c
#define TEXT4(a, b, c, d) TEXT3(a, b, c) " 0o" #d
#define TEXT6(a, b, c, d, e, f) TEXT4(a, b, c, d) " 0o" #e " 0o" #f

#define INVERTED_NONE \
    { \
        0 \
    }
#define INVERTED_SECOND \
    { \
        0, 1 \
    }
#define INVERTED_TEXT_NONE ""
#define INVERTED_TEXT_SECOND ", the second output inverted"

#define TERMINATION_ZERO "zero"
#define TERMINATION_TAIL_BITING "tail-biting"
#define TERMINATION_CONTINUOUS "continuous"

/* clang-format off */
/*
 * Name, K, generators in the order in which the outputs are sent, inversion, termination, clause.
 * The standards' dvb, ccsds and cassini encoders run on without an end. CCSDS has no inverter where
 * it punctures: that is another code.
 */
#define CODES(X) \
    X(ieee80211, 7, 2, (133, 171), NONE, ZERO, "IEEE 802.11-2020 17.3.5.6") \
    X(dvb, 7, 2, (171, 133), NONE, CONTINUOUS, "ETSI EN 300 421 and EN 300 744") \
    X(ccsds, 7, 2, (171, 133), SECOND, CONTINUOUS, "CCSDS 131.0-B 3.3") \
    X(ccsds_punctured, 7, 2, (171, 133), NONE, CONTINUOUS, \
      "CCSDS 131.0-B 3.4, with conv.puncture") \
    X(lte_tbcc, 7, 3, (133, 171, 165), NONE, TAIL_BITING, "3GPP TS 36.212 5.1.3.1") \
    X(umts_r2, 9, 2, (561, 753), NONE, ZERO, "3GPP TS 25.212 4.2.3.1") \
    X(umts_r3, 9, 3, (557, 663, 711), NONE, ZERO, "3GPP TS 25.212 4.2.3.1") \
    X(cdma_r2, 9, 2, (753, 561), NONE, ZERO, "TIA/EIA-95 and 3GPP2 C.S0002") \
    X(cdma_r3, 9, 3, (557, 663, 711), NONE, ZERO, "TIA/EIA-95 and 3GPP2 C.S0002") \
    X(cdma2000_r4, 9, 4, (765, 671, 513, 473), NONE, ZERO, "3GPP2 C.S0002") \
    X(dab, 7, 4, (133, 171, 145, 133), NONE, ZERO, "ETSI EN 300 401") \
    X(gsm_xcch, 5, 2, (23, 33), NONE, ZERO, "3GPP TS 45.003") \
    X(gsm_tch_hs, 7, 3, (133, 145, 175), NONE, ZERO, "3GPP TS 45.003") \
    X(cassini, 15, 6, (46321, 51271, 70535, 63667, 73277, 76513), NONE, CONTINUOUS, \
      "NASA/JPL (15;1/6)")
/* clang-format on */

#define ROW(name, length, outputs, generators, inversion, end, clause) \
    {#name, \
     clause, \
     {.K = length, \
      .n = outputs, \
      .gen = OCTAL##outputs generators, \
      .inverted = INVERTED_##inversion}, \
     VITERBI_##end},
#define NAME(name, length, outputs, generators, inversion, end, clause) #name,
#define HELP(name, length, outputs, generators, inversion, end, clause) \
    "K = " #length ", generators " TEXT##outputs generators INVERTED_TEXT_##inversion \
        ", " TERMINATION_##end "; " clause,

const struct viterbi_named_code viterbi_named_codes[] = {CODES(ROW)};
const size_t viterbi_n_named_codes = sizeof viterbi_named_codes / sizeof viterbi_named_codes[0];

const char *const viterbi_code_names[] = {CODES(NAME) NULL};
const char *const viterbi_code_helps[] = {CODES(HELP) NULL};

const struct viterbi_named_code *viterbi_find_code(const char *name)
{
    for (size_t i = 0; i < viterbi_n_named_codes; i++)
        if (!strcmp(viterbi_named_codes[i].name, name))
            return &viterbi_named_codes[i];
    return NULL;
}

#define IEEE80211_LOW "IEEE 802.11-2020 17.3.5.6"
#define IEEE80211_HIGH "IEEE 802.11-2020 19.3.11.6"
#define DVB "EN 300 421 Table 2 and EN 300 744"
#define CCSDS "CCSDS 131.0-B 3.4"

const struct conv_puncturing conv_puncturings[] = {
    /* 1/2 is the code as it is: there so that a rate can be swept or set */
    {"ieee80211", "1/2", IEEE80211_LOW, {0133, 0171}, {"1", "1"}},
    {"ieee80211", "2/3", IEEE80211_LOW, {0133, 0171}, {"11", "10"}},
    {"ieee80211", "3/4", IEEE80211_LOW, {0133, 0171}, {"110", "101"}},
    {"ieee80211", "5/6", IEEE80211_HIGH, {0133, 0171}, {"11010", "10101"}},
    {"dvb", "1/2", DVB, {0171, 0133}, {"1", "1"}},
    {"dvb", "2/3", DVB, {0171, 0133}, {"10", "11"}},
    {"dvb", "3/4", DVB, {0171, 0133}, {"101", "110"}},
    {"dvb", "5/6", DVB, {0171, 0133}, {"10101", "11010"}},
    {"dvb", "7/8", DVB, {0171, 0133}, {"1000101", "1111010"}},
    /* the same, behind code: ccsds_punctured */
    {"ccsds", "1/2", CCSDS, {0171, 0133}, {"1", "1"}},
    {"ccsds", "2/3", CCSDS, {0171, 0133}, {"10", "11"}},
    {"ccsds", "3/4", CCSDS, {0171, 0133}, {"101", "110"}},
    {"ccsds", "5/6", CCSDS, {0171, 0133}, {"10101", "11010"}},
    {"ccsds", "7/8", CCSDS, {0171, 0133}, {"1000101", "1111010"}},
};

const size_t conv_n_puncturings = sizeof conv_puncturings / sizeof conv_puncturings[0];

const char *const conv_scheme_names[] = {"ieee80211", "dvb", "ccsds", NULL};
const char *const conv_rate_names[] = {"1/2", "2/3", "3/4", "5/6", "7/8", NULL};

const struct conv_puncturing *conv_find_puncturing(const char *scheme, const char *rate)
{
    for (size_t i = 0; i < conv_n_puncturings; i++)
        if (!strcmp(conv_puncturings[i].scheme, scheme) && !strcmp(conv_puncturings[i].rate, rate))
            return &conv_puncturings[i];
    return NULL;
}

const uint8_t rate_permutation[RATE_COLUMNS] = {
    1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31,
    0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
};
