/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/tables.h"

/*
 * Generators as K binary digits, the leftmost one for the newest bit, in the order in which the
 * outputs are sent. The standards' dvb, ccsds and cassini encoders run on without an end.
 */
const struct viterbi_named_code viterbi_named_codes[] = {
    {"ieee80211", "IEEE 802.11-2020 17.3.5.6", {.K = 7, .n = 2, .gen = {0133, 0171}}, VITERBI_ZERO},
    {"dvb",
     "ETSI EN 300 421 and EN 300 744",
     {.K = 7, .n = 2, .gen = {0171, 0133}},
     VITERBI_CONTINUOUS},
    {"ccsds",
     "CCSDS 131.0-B",
     {.K = 7, .n = 2, .gen = {0171, 0133}, .inverted = {0, 1}},
     VITERBI_CONTINUOUS},
    {"lte_tbcc",
     "3GPP TS 36.212 5.1.3.1",
     {.K = 7, .n = 3, .gen = {0133, 0171, 0165}},
     VITERBI_TAIL_BITING},
    {"umts_r2", "3GPP TS 25.212 4.2.3.1", {.K = 9, .n = 2, .gen = {0561, 0753}}, VITERBI_ZERO},
    {"umts_r3",
     "3GPP TS 25.212 4.2.3.1",
     {.K = 9, .n = 3, .gen = {0557, 0663, 0711}},
     VITERBI_ZERO},
    {"cdma_r2",
     "TIA/EIA-95 and 3GPP2 C.S0002",
     {.K = 9, .n = 2, .gen = {0753, 0561}},
     VITERBI_ZERO},
    {"cdma_r3",
     "TIA/EIA-95 and 3GPP2 C.S0002",
     {.K = 9, .n = 3, .gen = {0557, 0663, 0711}},
     VITERBI_ZERO},
    {"cdma2000_r4",
     "3GPP2 C.S0002",
     {.K = 9, .n = 4, .gen = {0765, 0671, 0513, 0473}},
     VITERBI_ZERO},
    {"dab", "ETSI EN 300 401", {.K = 7, .n = 4, .gen = {0133, 0171, 0145, 0133}}, VITERBI_ZERO},
    {"gsm_xcch", "3GPP TS 45.003", {.K = 5, .n = 2, .gen = {023, 033}}, VITERBI_ZERO},
    {"gsm_tch_hs", "3GPP TS 45.003", {.K = 7, .n = 3, .gen = {0133, 0145, 0175}}, VITERBI_ZERO},
    {"cassini",
     "NASA/JPL (15;1/6)",
     {.K = 15, .n = 6, .gen = {046321, 051271, 070535, 063667, 073277, 076513}},
     VITERBI_CONTINUOUS},
};

const size_t viterbi_n_named_codes = sizeof viterbi_named_codes / sizeof viterbi_named_codes[0];

const char *const viterbi_code_names[] = {
    "ieee80211", "dvb",         "ccsds", "lte_tbcc", "umts_r2",    "umts_r3", "cdma_r2",
    "cdma_r3",   "cdma2000_r4", "dab",   "gsm_xcch", "gsm_tch_hs", "cassini", NULL,
};

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
};

const size_t conv_n_puncturings = sizeof conv_puncturings / sizeof conv_puncturings[0];

const char *const conv_scheme_names[] = {"ieee80211", "dvb", NULL};
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
