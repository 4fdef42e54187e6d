#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The output llr of viterbi.decode in pipelines: signs are those of the decoded bits, for frames, streams, punctured and
# tail-biting ones; what is refused. test_soft.c compares the LLRs with sums over all messages.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# signs WHAT SOURCE CODE DECODER: bits of both outputs, and how many differ
signs() {
    { pipeline "source.random: {$2}" "conv.encode: {$3}" 'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 3}' \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' "viterbi.decode: {$4}" \
        'bits.hard: {from: viterbi.decode.llr}' 'sink.file: {path: soft, format: raw, dtype: u1}' \
        'sink.file: {id: hard, from: viterbi.decode, path: hard, format: raw, dtype: u1}' \
        'sink.file: {id: sent, from: source.random, path: sent, format: raw, dtype: u1}'; echo 'stop: {frames: 50}'; } >p.yaml
    run "$FECRUN" run --quiet p.yaml
    is 0 "$1"
    differ=$(cmp -l hard soft | wc -l) wrong=$(cmp -l sent soft | wc -l) bits=$(wc -c <sent)
    tap_last="$differ of $bits differ, $wrong are wrong"
    ok "signs of the LLRs are the bits" [ "$bits" -gt 4000 ] && [ $((differ * 1000)) -le "$bits" ]
    ok "and next to those sent" [ $((wrong * 100)) -lt "$bits" ]
}
signs "frames" 'bits: 200' 'code: ieee80211' ''
signs "log-map" 'bits: 200' 'code: ieee80211' 'soft: log-map'
signs "a stream" 'bits: 304, stream: true' 'code: dvb' ''
signs "K = 9, truncated" 'bits: 200' 'code: umts_r3, termination: truncated' ''
signs "tail-biting" 'bits: 100' 'code: lte_tbcc' ''
signs "recursive" 'bits: 200' 'constraint_length: 5, generators: [0o37, 0o33], feedback: 0o31' ''

# An LLR of log-map says how likely a bit is wrong: of those between 1 and 2, about 1 / (1 + e^1.5).
{ pipeline 'source.random: {bits: 2000}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 1}' 'modem.demap: {}' 'viterbi.decode: {soft: log-map}' \
    'sink.file: {path: llr, from: viterbi.decode.llr, format: raw, dtype: f4}' 'sink.null: {id: bits, from: viterbi.decode}' \
    'sink.file: {id: sent, from: source.random, path: sent, format: raw, dtype: u1}'; echo 'stop: {frames: 50}'; } >p.yaml
run "$FECRUN" run --quiet p.yaml
is 0 "LLRs to a file"
od -An -v -tf4 -w4 llr | tr -d ' ' >llrs
od -An -v -tu1 -w1 sent | paste llrs - | awk '{ x = $1 < 0 ? -$1 : $1; if (x >= 1 && x < 2) { n++; wrong += ($1 < 0) != $2; p += 1 / (1 + exp(x)) } }
    END { print n, wrong, p; exit !(n > 500 && wrong > p - 4 * sqrt(p) && wrong < p + 4 * sqrt(p)) }' >share
tap_check $? "log-map: LLRs between 1 and 2 are wrong as often as they say ($(cat share))"

pipeline 'source.random: {bits: 200}' 'conv.encode: {code: ieee80211}' 'channel.bsc: {p: 0.01}' \
    'viterbi.decode: {soft: log-map}' 'bits.hard: {from: viterbi.decode.llr}' 'sink.null: {}' \
    'sink.null: {id: bits, from: viterbi.decode}' >p.yaml
refuses 2 'viterbi.decode.soft|soft=map: must be one of max-log, log-map' check p.yaml --set viterbi.decode.soft=map
refuses 3 'simd has no port .llr.' check p.yaml --set viterbi.decode.backend=simd --set stop.frames=1
done_testing
