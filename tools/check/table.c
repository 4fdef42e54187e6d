/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases of stages that fecrun knows by name: what a schema alone does not tell. */
#include "check.h"

#include <string.h>

#define CODES "conv.encode viterbi.decode"
#define TILES "viterbi.decode"
#define PUNCTURE "conv.puncture conv.depuncture"
#define MATCH "ldpc.rate_match"
#define RECOVER "ldpc.rate_recover"
#define LDPC "ldpc.encode" /* `items`: what the code takes */

const struct check_builtin check_builtins[] = {
    {CODES, "{code: ieee80211}"},
    {CODES, "{code: ieee80211, termination: tail-biting}"},
    {CODES, "{code: ieee80211, termination: truncated}"},
    {CODES, "{code: ieee80211, termination: continuous}"},
    {CODES, "{code: lte_tbcc, termination: zero}"},
    {CODES, "{code: cassini, termination: zero}"},
    {CODES, "{code: gsm_xcch, termination: tail-biting}"},
    {CODES, "{code: umts_r3, termination: continuous}"},
    {CODES, "{constraint_length: 3, generators: [0o5, 0o7]}"},
    {CODES, "{constraint_length: 3, generators: [0o5, 0o7], termination: tail-biting}"},
    {CODES, "{constraint_length: 3, generators: [0o5, 0o7], termination: continuous}"},
    {CODES, "{constraint_length: 4, generators: [0o15, 0o17]}"},
    {CODES, "{constraint_length: 4, generators: [0o13, 0o15, 0o17], termination: truncated}"},
    {CODES, "{constraint_length: 5, generators: [0o23, 0o35], inverted: [1, 0]}"},
    {CODES, "{constraint_length: 6, generators: [0o53, 0o75], termination: tail-biting}"},
    {CODES, "{constraint_length: 7, generators: [0o133, 0o171, 0o165], inverted: [0, 1, 1]}"},
    {CODES, "{constraint_length: 7, generators: [0o133, 0o171, 0o165, 0o133, 0o171, 0o165]}"},
    {CODES, "{constraint_length: 8, generators: [0o247, 0o371]}"},
    {CODES, "{constraint_length: 8, generators: [0o247, 0o371], termination: continuous}"},
    {CODES, "{constraint_length: 9, generators: [0o561, 0o753], termination: tail-biting}"},
    {CODES, "{constraint_length: 10, generators: [0o1131, 0o1537]}"},
    {CODES, "{constraint_length: 11, generators: [0o2473, 0o3217]}"},
    {CODES, "{constraint_length: 12, generators: [0o4325, 0o6747]}"},
    {CODES, "{constraint_length: 13, generators: [0o10627, 0o16765]}"},
    {CODES, "{constraint_length: 14, generators: [0o27251, 0o37363]}"},
    {CODES, "{constraint_length: 15, generators: [0o51445, 0o77625]}"},
    /* outputs that do not hang on the newest or on the oldest bit, and two that are the same */
    {CODES, "{constraint_length: 5, generators: [0o6, 0o12]}"},
    {CODES, "{constraint_length: 7, generators: [0o133, 0o133]}"},

    {TILES, "{code: ieee80211, tile: {f: 64}}"},
    {TILES, "{code: ieee80211, tile: {f: 1, v1: 5, v2: 9}}"},
    {TILES, "{code: ieee80211, tile: {f: 17, v1: 0, v2: 0}}"},
    {TILES, "{code: ieee80211, tile: {f: 100, v1: 33, v2: 42}, traceback_start: any}"},
    {TILES, "{code: ieee80211, tile: {f: 128, v1: 20, v2: 45, f0: 32}}"},
    {TILES, "{code: ieee80211, tile: {f: 128, v1: 20, v2: 45, f0: 32}, traceback_start: any}"},
    {TILES, "{code: ieee80211, tile: {f: 100, f0: 7}, traceback_start: stored}"},
    {TILES, "{code: ieee80211, tile: {f0: 16}}"},
    {TILES, "{code: ieee80211, termination: truncated, tile: {f: 50}}"},
    {TILES, "{code: ieee80211, termination: truncated, traceback_start: any}"},
    {TILES, "{code: ieee80211, termination: tail-biting, tile: {f: 40}}"},
    {TILES, "{code: ieee80211, termination: tail-biting, tile: {f: 40, f0: 8}}"},
    {TILES, "{code: lte_tbcc, wrap_limit: 1}"},
    {TILES, "{code: lte_tbcc, wrap_limit: 2}"},
    {TILES, "{code: dvb, tile: {f: 96, v1: 42, v2: 42}}"},
    {TILES, "{code: dvb, tile: {f: 96, v1: 42, v2: 42, f0: 24}}"},
    {TILES, "{code: ccsds, tile: {f: 33, v1: 10, v2: 20}, traceback_start: stored}"},
    {TILES, "{code: dvb, tile: {v1: 0, v2: 0}}"},
    {TILES, "{code: umts_r3, tile: {f: 64}}"},
    {TILES, "{code: dab, tile: {f: 64, f0: 16}}"},

    {PUNCTURE, "{scheme: ieee80211, rate: 2/3}"},
    {PUNCTURE, "{scheme: ieee80211, rate: 3/4}"},
    {PUNCTURE, "{scheme: ieee80211, rate: 5/6}"},
    {PUNCTURE, "{scheme: dvb, rate: 2/3}"},
    {PUNCTURE, "{scheme: dvb, rate: 3/4}"},
    {PUNCTURE, "{scheme: dvb, rate: 5/6}"},
    {PUNCTURE, "{scheme: dvb, rate: 7/8}"},
    {PUNCTURE, "{pattern: [\"1\"]}"},
    {PUNCTURE, "{pattern: [\"10\", \"01\"]}"},
    {PUNCTURE, "{pattern: [\"1101\", \"1011\", \"0111\"]}"},
    {PUNCTURE, "{pattern: [\"1001\", \"0110\"]}"},

    {"conv.rate_match", "{e: 1}"},
    {"conv.rate_match", "{e: 100}"},
    {"conv.rate_match", "{e: 1001}"},
    {"conv.rate_match", "{e: 7200}"},
    {"conv.rate_recover", "{k: 8}"},
    {"conv.rate_recover", "{k: 40}"},
    {"conv.rate_recover", "{k: 77}"},
    {"conv.rate_recover", "{k: 256}"},
    {"conv.rate_recover", "{k: 5000}"},

    /* a word goes in, what was sent of it comes back; both of one size: a soft buffer, too */
    {MATCH, "{bg: 1, z: 2, e: 100, check: {items: 132}}"},
    {MATCH, "{bg: 1, z: 7, e: 462, rv: 1, qm: 2, check: {items: 462}}"},
    {MATCH, "{bg: 1, z: 52, fillers: 101, e: 1500, rv: 1, qm: 6, check: {items: 3432}}"},
    {MATCH, "{bg: 1, z: 52, fillers: 101, e: 4000, rv: 3, qm: 2, ncb: 2500, check: {items: 3432}}"},
    {MATCH, "{bg: 2, z: 2, fillers: 3, e: 5, check: {items: 100}}"},
    {MATCH, "{bg: 2, z: 7, fillers: 30, e: 600, rv: 2, qm: 4, ncb: 301, check: {items: 350}}"},
    {MATCH, "{bg: 2, z: 10, fillers: 44, e: 66, qm: 6, ncb: 50, check: {items: 500}}"},
    {MATCH, "{bg: 2, z: 2, e: 1000, rv: 3, qm: 8, ncb: 1, check: {items: 100}}"},
    {MATCH, "{bg: 2, z: 104, fillers: 100, e: 1001, rv: 2, check: {items: 5200}}"},
    {MATCH, "{bg: 1, z: 384, e: 25344, rv: 3, qm: 8, check: {items: 25344}}"},
    {RECOVER, "{bg: 1, z: 2, e: 100, check: {items: 100}}"},
    {RECOVER, "{bg: 1, z: 7, e: 462, rv: 1, qm: 2, check: {items: 462}}"},
    {RECOVER, "{bg: 1, z: 52, fillers: 101, e: 1500, rv: 1, qm: 6, check: {items: 1500}}"},
    {RECOVER,
     "{bg: 1, z: 52, fillers: 101, e: 4000, rv: 3, qm: 2, ncb: 2500, check: {items: 4000}}"},
    {RECOVER, "{bg: 2, z: 2, fillers: 3, e: 5, check: {items: 5}}"},
    {RECOVER, "{bg: 2, z: 7, fillers: 30, e: 600, rv: 2, qm: 4, ncb: 301, check: {items: 600}}"},
    {RECOVER, "{bg: 2, z: 10, fillers: 44, e: 66, qm: 6, ncb: 50, check: {items: 66}}"},
    {RECOVER, "{bg: 2, z: 2, e: 1000, rv: 3, qm: 8, ncb: 1, check: {items: 1000}}"},
    {RECOVER, "{bg: 2, z: 104, fillers: 100, e: 1001, rv: 2, check: {items: 1001}}"},
    {RECOVER, "{bg: 1, z: 384, e: 25344, rv: 3, qm: 8, check: {items: 25344}}"},
    {RECOVER, "{bg: 1, z: 3, fillers: 20, e: 198, rv: 2, check: {items: 198}}"},
    {RECOVER, "{bg: 2, z: 2, fillers: 5, e: 100, rv: 3, qm: 4, ncb: 77, check: {items: 100}}"},
    {LDPC, "{code: nr, bg: 1, z: 2, check: {items: 44}}"},
    {LDPC, "{code: nr, bg: 1, z: 384, fillers: 296, check: {items: 8152}}"},
    {LDPC, "{code: nr, bg: 2, z: 15, check: {items: 150}}"},
    {LDPC, "{code: nr, bg: 2, z: 208, fillers: 1, check: {items: 2079}}"},
    {LDPC, "{code: wifi, n: 648, rate: 1/2, check: {items: 324}}"},
    {LDPC, "{code: wifi, n: 1944, rate: 5/6, check: {items: 1620}}"},
    {LDPC, "{code: wimax, n: 576, rate: 2/3A, check: {items: 384}}"},
    {LDPC, "{code: wimax, n: 2304, rate: 3/4B, check: {items: 1728}}"},
    {LDPC, "{code: dvbs2, frame: short, rate: 1/4, check: {items: 3240}}"},
    {LDPC, "{code: dvbs2, frame: normal, rate: 9/10, check: {items: 58320}}"},

    {"crc.attach crc.check", "{crc: 24a, ones: 24}"},
    {"crc.attach crc.check", "{crc: 16, mask: 0xbeef}"},
    {"crc.attach crc.check", "{crc: 6, ones: 64, mask: 63}"},
    {"channel.awgn", "{esn0_db: 3}"},
    {"channel.awgn", "{ebn0_db: 3}"},
    {"channel.bec", "{p: 0.3}"},
    {"channel.bec", "{p: 0.7}"},
    {"modem.demap", "{esn0_db: 7}"},
    {"llr.quantize", "{type: i8, scale: 4}"},
    {"llr.quantize", "{type: i8, bits: 5, scale: 2.5}"},
    {"llr.quantize", "{type: i8, max: 10, scale: 1.5}"},
    {"llr.quantize", "{type: i4, scale: 1}"},
    {"llr.quantize", "{type: i4, bits: 3, scale: 0.7}"},
    {"llr.quantize", "{type: i16, bits: 12, scale: 64}"},
    {"source.random", "{bits: 1}"},
    {"source.random", "{bits: 127}"},
    {"source.random", "{bits: 1537}"},
    {"source.random", "{bits: 4096, stream: true}"},

    {"ldpc.decode", "{code: nr, bg: 1, z: 2, check: {items: 132}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 3, rows: 4, check: {items: 150}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 7, rows: 9, order: forward, check: {items: 462}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 52, fillers: 40, check: {items: 2600}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 36, rows: 13, fillers: 5, early_stop: none, "
                    "check: {items: 2376}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 13, algorithm: spa, check: {items: 650}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 20, algorithm: oms, beta: 0.3, rows: 20, "
                    "check: {items: 1320}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 16, schedule: flooding, iterations: 20, "
                    "check: {items: 800}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 384, rows: 5, check: {items: 25344}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 384, fillers: 100, iterations: 4, "
                    "check: {items: 25344}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 384, rows: 42, iterations: 1, early_stop: none, "
                    "check: {items: 19200}}"},
    {"ldpc.decode", "{code: nr, bg: 1, z: 240, rows: 46, algorithm: oms, check: {items: 15840}}"},
    {"ldpc.decode", "{code: nr, bg: 2, z: 11, fillers: 30, erasures: solve, check: {items: 550}}"},
    {"ldpc.decode", "{code: wifi, n: 648, rate: 5/6, check: {items: 648}}"},
    {"ldpc.decode", "{code: wifi, n: 648, rate: 3/4, algorithm: spa, erasures: solve, "
                    "check: {items: 648}}"},
    {"ldpc.decode", "{code: wifi, n: 1944, rate: 1/2, early_stop: none, check: {items: 1944}}"},
    {"ldpc.decode", "{code: wifi, n: 1296, rate: 3/4, algorithm: spa, order: reverse, "
                    "check: {items: 1296}}"},
    {"ldpc.decode", "{code: wimax, n: 576, rate: 1/2, algorithm: spa, schedule: flooding, "
                    "iterations: 100, check: {items: 576}}"},
    {"ldpc.decode", "{code: wimax, n: 2304, rate: 2/3B, alpha: 0.8, check: {items: 2304}}"},
    {"ldpc.decode", "{code: dvbs2, frame: short, rate: 8/9, check: {items: 16200}}"},
    {"ldpc.decode", "{code: dvbs2, frame: short, rate: 1/4, schedule: flooding, algorithm: oms, "
                    "iterations: 5, check: {items: 16200}}"},
    {"ldpc.decode", "{code: dvbs2, frame: normal, rate: 1/2, iterations: 2, "
                    "check: {items: 64800}}"},
    {NULL, NULL},
};

/* What --bench measures, and in how many frames at once. */
static const struct {
    const char *stage, *map;
    uint64_t frames;
} benches[] = {
    {"viterbi.decode", "{code: ieee80211, check: {items: 8204, type: i8, llr_max: 10}}", 256},
    {"ldpc.decode", "{code: nr, bg: 1, z: 384, early_stop: none, "
                    "check: {items: 25344, type: i8, llr_max: 127}}", 64},
};

const char *check_bench_case(const char *stage)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (!strcmp(benches[i].stage, stage))
            return benches[i].map;
    return NULL;
}

uint64_t check_bench_frames(const char *stage)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
        if (!strcmp(benches[i].stage, stage))
            return benches[i].frames;
    return 64;
}
