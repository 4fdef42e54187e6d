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

done_testing
