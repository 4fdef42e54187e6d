#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# llr.quantize with `scale: auto`: which scale that is, that LLRs are those of that number, and what it
# has to know.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# link QUANTIZER SCHEME
link() {
    pipeline 'source.random: {bits: 128}' 'polar.encode: {code: plain, n: 256, k: 128}' \
        "modem.map: {scheme: $2}" 'channel.awgn: {esn0_db: 0}' 'modem.demap: {}' \
        "llr.quantize: {$1}" 'polar.decode: {list: 4}' 'sink.errors: {}'
    printf 'stop: {frames: 300}\n'
}

# A weak bit's LLR has the mean m = 4 unit^2 / N0 and the variance 2 m: 10 / sqrt(2 m), at most 10; of
# narrow types max / (m + sqrt(2 m)); of wide ones sqrt(max / 127) times as much.
# chosen QUANTIZER SCHEME DECIBELS WANT
chosen() {
    link "$1, scale: auto" "$2" >p.yaml
    run "$FECRUN" explain p.yaml --set channel.awgn.esn0_db="$3"
    prints "note scale = $4, as the LLR of a weak bit" "$1, $2, $3 dB"
}
chosen 'type: i8' bpsk 0 3.5          # m = 4
chosen 'type: i8' qpsk 0 5            # m = 2
chosen 'type: i8' qpsk -20 10         # m = 0.02
chosen 'type: i8' 16qam 10 3.5        # m = 4 x 0.1 / 0.1
chosen 'type: i8' 256qam 22.3045 3.5  # m = 4 x 170 / 170
chosen 'type: i8, max: 10' bpsk 0 1.5 # 10 / 6.83
chosen 'type: i4' bpsk 0 1            # 7 / 6.83
chosen 'type: i16' qpsk 0 80          # 16.06 x 5

# At each point of a sweep its own, whoever makes the LLRs.
for how in 'backend: ref' 'backend: simd' 'type: i8'; do
    link "$how, scale: auto" qpsk >p.yaml
    link "$how, scale: 3" qpsk >fixed.yaml
    echo 'sweep: {channel.awgn.esn0_db: [0, -3, -20]}' >>p.yaml
    echo 'sweep: {zip: {channel.awgn.esn0_db: [0, -3, -20], llr.quantize.scale: [5, 7.1, 10]}}' >>fixed.yaml
    same "$how: counts of these scales" "$(counts p.yaml)" "$(counts fixed.yaml)"
done
ok "with errors" [ "$(counts p.yaml | awk '$3 > 0' | wc -l)" -ge 2 ]

pipeline 'source.random: {bits: 128}' 'channel.bsc: {p: 0.1}' 'llr.quantize: {scale: auto}' \
    'sink.null: {}' >p.yaml
refuses 2 '^fecrun: p.yaml:5:27: llr.quantize.scale: auto needs LLRs of which .* give a number' check p.yaml
run "$FECRUN" describe llr.quantize
prints 'scale .*auto' "describe knows the word"
done_testing
