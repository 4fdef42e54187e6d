#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the 8 bits of the backend simd cost where LLRs are unequal, or many are 0: its block errors beside
# those of ref with float LLRs, on the same frames and noise. (bench/map draws many such points.)
. "$top_srcdir/t/lib/counts.sh"
without_cuda

frames=200

# errors STAGE...: block errors of this pipeline
errors() { pipeline "$@" "sink.errors: {}" | run_fields frame_errors - --set stop.frames=$frames; }

# near WHAT REF SIMD: less than what 0.05 dB make, and some luck
near() {
    tap_last="ref $2, simd $3 of $frames"
    [ "$2" -ge 8 ] && [ "$2" -le 80 ] && [ "$3" -le $(($2 + $2 / 4 + 5)) ]
    tap_check $? "$1: ref $2, simd $3"
}

# one SCHEME QM E ESN0 DECODER [STAGE]: BG1, Z = 64; the stage stands behind the demapper
nr='bg: 1, z: 64'
one() {
    errors "source.random: {bits: 1408}" "ldpc.encode: {code: nr, $nr}" \
        "ldpc.rate_match: {$nr, e: $3, qm: $2}" "modem.map: {scheme: $1}" \
        "channel.awgn: {esn0_db: $4}" "modem.demap: {}" ${6:+"$6"} \
        "ldpc.rate_recover: {$nr, qm: $2}" "ldpc.decode: {code: nr, $nr, $5}"
}
quantize() { echo "llr.quantize: {type: i8, scale: $1}"; }

ref=$(one 256qam 8 2112 18.7 "backend: ref")
for scale in 2 8; do
    near "256QAM, rate 2/3, scale $scale" "$ref" \
        "$(one 256qam 8 2112 18.7 "backend: simd" "$(quantize $scale)")"
done
near "16QAM, rate 0.88, scale 2" "$(one 16qam 4 1600 12.6 "backend: ref")" \
    "$(one 16qam 4 1600 12.6 "backend: simd" "$(quantize 2)")"
near "QPSK, rate 1/3" "$(one qpsk 2 4224 -0.9 "backend: ref")" \
    "$(one qpsk 2 4224 -0.9 "backend: simd" "$(quantize 8)")"
near "zeros for what was not sent, all rows" "$(one qpsk 2 2112 3.5 "rows: 46, backend: ref")" \
    "$(one qpsk 2 2112 3.5 "rows: 46, backend: simd" "$(quantize 8)")"

# harq SECOND_RV ESN0 DECODER [SCALE]: redundancy version $first and a second one, of $bits bits, $e each
harq() {
    harq_rv=$1 harq_db=$2 harq_decoder=$3
    set -- "source.random: {bits: $bits}" "ldpc.encode: {id: enc, code: nr, $nr}" \
        "ldpc.rate_match: {id: send0, $nr, e: $e, qm: 2, rv: $first}" "modem.map: {id: map0, scheme: qpsk}" \
        "channel.awgn: {id: noise0, esn0_db: $2}" "modem.demap: {id: demap0}" \
        ${4:+"llr.quantize: {id: q0, type: i8, scale: $4}"} \
        "ldpc.rate_recover: {id: r0, $nr, qm: 2, rv: $first}" \
        "ldpc.rate_match: {id: send1, from: enc, $nr, e: $e, qm: 2, rv: $1}" \
        "modem.map: {id: map1, scheme: qpsk}" "channel.awgn: {id: noise1, esn0_db: $2}" \
        "modem.demap: {id: demap1}" ${4:+"llr.quantize: {id: q1, type: i8, scale: $4}"} \
        "ldpc.rate_recover: {id: r1, $nr, qm: 2, rv: $harq_rv, harq_in: r0}" \
        "ldpc.decode: {code: nr, $nr, $harq_decoder}"
    errors "$@"
}
bits=1408 e=1472 first=0
ref=$(harq 3 2.75 "backend: ref")
near "redundancy versions 0 and 3" "$ref" "$(harq 3 2.75 "backend: simd" 8)"
oms=$(harq 3 2.75 "backend: ref, check_rule: offset-min-sum")
tap_last="nms $ref, oms $oms of $frames"
[ "$ref" -le $((oms + oms / 3 + 5)) ]
tap_check $? "redundancy versions 0 and 3: nms as good as oms ($ref, $oms)"

# A fifth of the information bits is sent: 83 wrong with the gain of other frames.
frames=400 nr='bg: 2, z: 176, fillers: 535' bits=1225 e=1422 first=1
ref=$(harq 3 3 "backend: ref, iterations: 20") simd=$(harq 3 3 "backend: simd, iterations: 20" 8)
tap_last="ref $ref, simd $simd of $frames"
[ "$ref" -ge 20 ] && [ "$simd" -le $((ref + ref / 2 + 5)) ]
tap_check $? "redundancy versions 1 and 3, few information bits: ref $ref, simd $simd"

# short BACKEND: sums of few strong LLRs are beyond a byte where blocks are nearly always right
short() {
    errors "source.random: {bits: 432}" "ldpc.encode: {code: wifi, n: 648, rate: 2/3}" \
        "modem.map: {scheme: qpsk}" "channel.awgn: {esn0_db: 4.355}" "modem.demap: {}" \
        "$(quantize 8)" "ldpc.decode: {backend: $1, iterations: 10, check_rule: offset-min-sum}"
}
frames=20000
near "oms, Wi-Fi 648 2/3, 0.001" "$(short ref)" "$(short simd)"
done_testing
