#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode's `simd` keeps what it has decoded, although its sums are limited to 8 bits: with factors as users
# give them, without an early stop, for many iterations, and with LLRs that are all at their limit.
. "$top_srcdir/t/lib/counts.sh"

pipeline 'source.random: {bits: 1408}' 'ldpc.encode: {code: nr, bg: 1, z: 64}' 'ldpc.rate_match: {bg: 1, z: 64, e: 2816}' \
    'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 4}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
    'ldpc.rate_recover: {}' 'ldpc.decode: {backend: simd, iterations: 40}' 'sink.errors: {}' >link.yaml
echo 'stop: {frames: 64}' >>link.yaml

for alpha in 0.75 0.8 0.875 1 auto; do
    for stop in none syndrome; do
        same "alpha $alpha, early_stop: $stop, 3 dB above the threshold" \
            "$(counts link.yaml --set ldpc.decode.alpha=$alpha --set ldpc.decode.early_stop=$stop)" "64 90112 0 0"
    done
    same "alpha $alpha, LLRs all at their limit" "$(counts link.yaml --set ldpc.decode.alpha=$alpha \
        --set ldpc.decode.early_stop=none --set llr.quantize.scale=1000 --set channel.awgn.esn0_db=6)" "64 90112 0 0"
done

# ---- Where 8 bits are few ----
# wrong CODE BITS DECODER MAX DECIBELS: frame errors of 60 with LLRs of at most MAX eighths.
wrong() {
    pipeline "source.random: {bits: $2}" "ldpc.encode: {$1}" 'modem.map: {scheme: qpsk}' \
        "channel.awgn: {esn0_db: $5}" 'modem.demap: {}' "llr.quantize: {type: i8, scale: 8, max: $4}" \
        "ldpc.decode: {iterations: 20, $3}" 'sink.errors: {}' >few.yaml
    echo "stop: {frames: 60}" >>few.yaml
    run_fields frame_errors few.yaml
}

# at_most WHAT GOT MOST
at_most() {
    ok "$1: $2 of 60, at most $3" [ "$2" -le "$3" ]
}

same "the offset leaves something of LLRs up to 0.625" \
    "$(wrong 'code: wifi, n: 648, rate: 1/2' 324 'check_rule: offset-min-sum, backend: simd' 5 8)" \
    "$(wrong 'code: wifi, n: 648, rate: 1/2' 324 'check_rule: offset-min-sum, backend: ref' 5 8)"
for alpha in 0.2 0.3; do
    at_most "alpha $alpha, NR" "$(wrong 'code: nr, bg: 1, z: 32' 704 "alpha: $alpha, backend: simd" 127 4)" \
        $(($(wrong 'code: nr, bg: 1, z: 32' 704 "alpha: $alpha, backend: ref" 127 4) + 6))
done
# With alpha 1 sums of hard values grow without end in ref. simd limits messages, and what is decided stays.
at_most "alpha 1, LLRs cut to 1.25, no more wrong words than ref" \
    "$(wrong 'code: nr, bg: 2, z: 208' 2080 'alpha: 1, early_stop: none, backend: simd' 10 -2.3)" \
    "$(wrong 'code: nr, bg: 2, z: 208' 2080 'alpha: 1, early_stop: none, backend: ref' 10 -2.3)"

done_testing
