#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about convolutional codes: one line that says where, what is wrong and what
# is allowed, compared word for word.
. "$top_srcdir/t/lib/family.sh"
without_cuda

wrong_encoders conv.encode <<'END'
100|constraint_length: 16, generators: [1, 3]|38: conv.encode.constraint_length: must be an integer from 3 to 15, is '16'
100|constraint_length: 7|5: conv.encode.generators: missing: constraint_length alone is no code
100|constraint_length: 7, generators: [0o171]|53: conv.encode.generators: there are 1; 2 to 6 are possible
100|constraint_length: 3, generators: [7, 9]|53: conv.encode.generators: number 2, 0o11, has more than constraint_length = 3 binary digits; the largest is 0o7
100|constraint_length: 3, generators: [0, 5]|53: conv.encode.generators: number 1 is 0; it must be positive
100|code: ieee80211, constraint_length: 5|55: conv.encode.constraint_length: code: ieee80211 says this already; give either code or constraint_length, generators and inverted
100|code: ieee80211, termination: none|49: conv.encode.termination: must be one of zero, tail-biting, truncated, continuous, is 'none'
3|code: lte_tbcc|5: conv.encode.termination: tail-biting takes the start state from the last 6 bits of a frame, and it has 3
END

# decoder PARAMETERS MESSAGE: it is in line 6, behind a code of 802.11.
decoder() {
    pipeline 'source.random: {bits: 100}' 'conv.encode: {code: ieee80211}' 'channel.bsc: {p: 0.01}' \
        "viterbi.decode: {$1}" 'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:6:$2"
}
decoder 'code: lte_tbcc' "5: viterbi.decode: the input has 212 LLRs a frame; tail-biting termination of \
this code takes a multiple of 3, one an output, and at least 18; code is lte_tbcc, but conv.encode \
(line 4) has ieee80211"
decoder 'termination: tail-biting' "35: viterbi.decode.termination: K = 7, generators 0o133 0o171, \
tail-biting, but conv.encode (line 4) has K = 7, generators 0o133 0o171, zero"
decoder 'traceback: 0' "22: viterbi.decode.traceback: no such parameter (did you mean traceback_start?)"

# What costs speed without a word otherwise: explain says which metrics are used, and what narrower ones need.
explains() {
    run env FECRUN_ISA=generic "$FECRUN" explain p.yaml --set "source.memory.llr_max=$1"
    prints "^    does generic $2\$" "explain, llr_max $1"
}
pipeline 'source.memory: {dtype: i8, frame: 212}' \
    'viterbi.decode: {code: ieee80211, backend: simd}' 'sink.memory: {}' >p.yaml
explains 10 '8-bit, 64 tiles side by side'
explains 127 '16-bit, 64 tiles side by side; 8-bit metrics are faster and need llr_max of at most 1[0-9]'
done_testing
