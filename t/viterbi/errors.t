#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about convolutional codes: one line that says where, what is wrong and what
# is allowed, compared word for word.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# encoder BITS PARAMETERS: it is in line 4.
encoder() { pipeline "source.random: {bits: $1}" "conv.encode: {$2}" 'sink.null: {}'; }
refused 2 encoder <<'END'
100 | constraint_length: 16, generators: [1, 3] | 4:38: conv.encode.constraint_length: must be an integer from 3 to 15, is '16'
100 | constraint_length: 7                      | 4:5: conv.encode.generators: missing: constraint_length alone is no code
100 | constraint_length: 7, generators: [0o171] | 4:53: conv.encode.generators: there are 1; 2 to 6 are possible
100 | constraint_length: 3, generators: [7, 9]  | 4:53: conv.encode.generators: number 2, 0o11, has more than constraint_length = 3 \
    binary digits; the largest is 0o7
100 | constraint_length: 3, generators: [0, 5]  | 4:53: conv.encode.generators: number 1 is 0; it must be positive
100 | code: ieee80211, constraint_length: 5     | 4:55: conv.encode.constraint_length: code: ieee80211 says this already; give either code \
    or constraint_length, generators, inverted, feedback and reversed
100 | code: ieee80211, termination: none        | 4:49: conv.encode.termination: must be one of zero, tail-biting, truncated, continuous, \
    is 'none'
3   | code: lte_tbcc                            | 4:5: conv.encode.termination: tail-biting takes the start state from the last 6 bits of a \
    frame, and it has 3
100 | code: ieee80212                           | 4:25: conv.encode.code: must be one of ieee80211, dvb, ccsds, \
    ccsds_punctured, lte_tbcc, umts_r2, umts_r3, cdma_r2, cdma_r3, cdma2000_r4, dab, gsm_xcch, gsm_tch_hs, cassini, is \
    'ieee80212' (did you mean ieee80211?)
100 | constraint_length: 3, generators: [5, 7], inverted: [1] | 4:71: conv.encode.inverted: has 1 flags for 2 generators
100 | constraint_length: 3, generators: [5, 7], inverted: [1, 2] | 4:75: conv.encode.inverted: item 2: must be an \
    integer from 0 to 1, is '2'
100 | code: gsm_xcch, feedback: 0o23            | 4:45: conv.encode.feedback: code: gsm_xcch says this already; give either code \
    or constraint_length, generators, inverted, feedback and reversed
100 | constraint_length: 3, generators: [5, 7], feedback: 9 | 4:71: conv.encode.feedback: 0o11 has more than \
    constraint_length = 3 binary digits; the largest is 0o7
100 | constraint_length: 3, generators: [5, 7], feedback: 3 | 4:71: conv.encode.feedback: 0o3 leaves out the input, its leftmost \
    digit: that one must be 1, or write `reversed: true` if it is the rightmost
100 | constraint_length: 3, generators: [5, 7], feedback: 6, reversed: true | 4:71: conv.encode.feedback: 0o6 leaves out the \
    input, its rightmost digit: that one must be 1
100 | constraint_length: 3, generators: [5, 7], feedback: 7, termination: tail-biting | 4:87: conv.encode.termination: tail-biting \
    is not possible with feedback; choose zero or truncated
100 | constraint_length: 3, generators: [5, 7], reversed: 2 | 4:71: conv.encode.reversed: must be true or false, is '2'
END

# decoder PARAMETERS: it is in line 6, behind a code of 802.11.
decoder() {
    pipeline 'source.random: {bits: 100}' 'conv.encode: {code: ieee80211}' 'channel.bsc: {p: 0.01}' \
        "viterbi.decode: {$1}" 'sink.null: {}'
}
refused 2 decoder <<'END'
code: lte_tbcc              | 6:5: viterbi.decode: the input has 212 LLRs a frame; tail-biting termination of this code takes a multiple \
    of 3, one an output, and at least 18; code is lte_tbcc, but conv.encode (line 4) has ieee80211
termination: tail-biting    | 6:35: viterbi.decode.termination: K = 7, generators 0o133 0o171, tail-biting, but conv.encode (line 4) has \
    K = 7, generators 0o133 0o171, zero
constraint_length: 7, generators: [0o133, 0o171], feedback: 0o133 | 6:41: viterbi.decode.constraint_length: K = 7, generators 0o133 0o171, \
    feedback 0o133, zero, but conv.encode (line 4) has K = 7, generators 0o133 0o171, zero
traceback: 0                | 6:22: viterbi.decode.traceback: no such parameter (did you mean traceback_start?)
backend: smid               | 6:31: viterbi.decode.backend: unknown backend `smid` (did you mean simd?); this stage has \
    ref, cuda, simd, cuda-general
tile: {f: -1}               | 6:32: viterbi.decode.tile.f: must be an integer from 0 to 1000000000 steps, is '-1'
wrap_limit: 0               | 6:34: viterbi.decode.wrap_limit: must be an integer from 1 to 64 passes, is '0'
traceback_start: 1          | 6:39: viterbi.decode.traceback_start: must be one of best, stored, any or auto, is '1'
backend: simd, tune: {x: 1} | 6:44: viterbi.decode.tune (backend simd).x: no such parameter; there are isa, metric_bits
END

# ---- Puncturing: puncture is line 5, depuncture 7 ----
# punctured PUNCTURE DEPUNCTURE
punctured() {
    pipeline 'source.random: {bits: 66}' 'conv.encode: {code: ieee80211}' "conv.puncture: {$1}" \
        'channel.bsc: {p: 0.01}' "conv.depuncture: {$2}" 'viterbi.decode: {}' 'sink.null: {}'
}
refused 2 punctured <<'END'
scheme: ieee80211, rate: 4/5               |                              | 5:46: conv.puncture.rate: must be one of 1/2, 2/3, 3/4, 5/6, 7/8, is '4/5'
scheme: wifi, rate: 3/4                    |                              | 5:29: conv.puncture.scheme: must be one of ieee80211, dvb, ccsds, is 'wifi'
scheme: ieee80211                          |                              | 5:5: conv.puncture.rate: missing: scheme and rate belong together
rate: 3/4                                  |                              | 5:5: conv.puncture.scheme: missing: scheme and rate belong together
                                           |                              | 5:5: conv.puncture.scheme: missing: give scheme and rate, or pattern
pattern: ["110", "10"]                     |                              | 5:30: conv.puncture.pattern: row 2 has 2 characters and row 1 has 3
pattern: ["110", "1x1"]                    |                              | 5:30: conv.puncture.pattern: row 2, '1x1': only 0 and 1 are allowed, and runs as 110*32
pattern: ["1* 3", "110"]                   |                              | 5:30: conv.puncture.pattern: row 1, '1* 3': only 0 and 1 are allowed, and runs as 110*32
pattern: ["11", "1*5000"]                  |                              | 5:30: conv.puncture.pattern: row 2, '1*5000', has more than 4096 digits
pattern: ["000", "000"]                    |                              | 5:30: conv.puncture.pattern: sends nothing: no row has a 1
pattern: []                                |                              | 5:30: conv.puncture.pattern: has 0 rows; 1 to 6 are possible, one a generator
pattern: ["110", "101"], scheme: ieee80211 |                              | 5:30: conv.puncture.pattern: give either scheme and rate, or pattern
scheme: ieee80211, rate: 3/4               | length: 100                  | 7:31: conv.depuncture.length: is 100, but conv.puncture had frames of 144 bits
scheme: ieee80211, rate: 3/4               | scheme: ieee80211, rate: 3/5 | 7:48: conv.depuncture.rate: must be one of 1/2, 2/3, \
    3/4, 5/6, 7/8, is '3/5' (did you mean 3/4?)
END

# ---- Rate matching: match is line 5, recover 7 ----
# matched MATCH RECOVER
matched() {
    pipeline 'source.random: {bits: 40}' 'conv.encode: {code: lte_tbcc}' "conv.rate_match: {$1}" \
        'channel.bsc: {p: 0.01}' "conv.rate_recover: {$2}" 'viterbi.decode: {}' 'sink.null: {}'
}
refused 2 matched <<'END'
e: 0          |       | 5:26: conv.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
              |       | 5:5: conv.rate_match.e: must be given: bits sent a frame
e: 268435457  |       | 5:26: conv.rate_match.e: must be an integer from 1 to 268435456 bits, is '268435457'
e: 100        | k: 41 | 7:5: conv.rate_recover: 3 streams of 41 bits, but conv.rate_match (line 5) has 3 streams of 40 bits
e: 100        | k: 0  | 7:28: conv.rate_recover.k: must be an integer from 1 to 16777216 bits, is '0'
e: 100        | e: 99 | 7:28: conv.rate_recover.e: is 99 and the input has 100 LLRs a frame
e: 100, rv: 1 |       | 5:31: conv.rate_match.rv: no such parameter; there are code, e
e: 100, k: 41 |       | 5:31: conv.rate_match.k: no such parameter; there are code, e
END
lonely() { pipeline "source.random: {bits: $1}" 'conv.rate_match: {e: 100}' 'sink.null: {}'; }
refused 2 lonely <<'END'
100 | 4:5: conv.rate_match: the input has 100 bits a frame; the code gives 3 a step, and there may be 16777216 steps
END

# What costs speed without a word otherwise: explain says which metrics are used, and what narrower ones need.
explains() {
    run env FECRUN_ISA=generic "$FECRUN" explain p.yaml --set "source.memory.llr_max=$1"
    prints "^    does generic $2\$" "explain, llr_max $1"
}
pipeline 'source.memory: {dtype: i8, frame: 212}' \
    'viterbi.decode: {code: ieee80211, backend: simd}' 'sink.memory: {}' >p.yaml
explains 10 '8-bit, 64 tiles side by side'
explains 127 '16-bit, 64 tiles side by side; 8-bit metrics are faster and need llr_max of at most 1[0-9]'
pipeline 'source.memory: {dtype: i8, frame: 212, llr_max: 10}' \
    'viterbi.decode: {code: ieee80211, backend: simd, tune: {isa: avx512}}' 'sink.memory: {}' >p.yaml
run "$FECRUN" explain p.yaml
if [ "$status" = 0 ]; then
    prints '^    does avx512 8-bit, 64 tiles side by side; up to [0-9]+: 4 or 8 at a time along their states, fewer than [0-9] one by one, 10-bit metrics \(alone: 8 bits\)$' \
        'explain, avx512'
else
    skip 1 "this machine or build has no AVX-512"
fi

# ---- blocks: mixed sizes ----
cat >right.csv <<END
cell,user,count,bits,e
1,a,2,40,120
1,b,3,57,300
2,c,1,1000,2500
END
edited() {
    sed "$1" right.csv >users.csv
    pipeline 'source.random: {}' 'conv.encode: {code: lte_tbcc}' 'conv.rate_match: {}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {esn0_db: 8}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 2, max: 12}' 'conv.rate_recover: {}' \
        'viterbi.decode: {}' 'sink.errors: {}'
    printf '%s\n' 'blocks: users.csv' 'stop: {frames: 36}'
}
edited '' >p.yaml
for backend in ref simd; do
    same "blocks of three sizes, $backend" \
        "$(run_fields 'frames frame_errors' p.yaml --backend $backend --set batch=6)" "36 0"
done
refused 2 edited <<'END'
s/,57,/,3,/         | users.csv:3:1: conv.encode.termination: tail-biting takes the start state from the last 6 bits \
    of a frame, and it has 3
s/,300$/,0/         | users.csv:3:10: conv.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
s/,300$/,x/         | users.csv:3:10: blocks.e: must be an integer, is 'x'
s/,300$//           | users.csv:3:1: blocks.e: the row has 4 columns, the header has 5
s/,bits,/,bit,/     | users.csv:1:17: blocks: no stage of this pipeline has a size parameter `bit` (did you mean \
    bits?); there are bits, e, k
s/,count,/,counts,/ | users.csv:1:1: blocks.count: the column is missing
END
done_testing
