#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates of turbo decoding lie where others than fecrun say they do (t/data/README.md says who),
# 6 iterations, white noise: both intervals of 95 % must overlap. Seeds are fixed, so a result stays as it
# is. AFF3CT's decoder scales its extrinsic LLRs by a factor that grows with the iterations, IT++'s as ours
# by 0.75 or, log-map, not at all: see doc/turbo.md. bench/turbo-curves.sh has the same with CUDA.
. "$top_srcdir/t/lib/curves.sh"
without_cuda

# Blocks of 6144 bits of a point, and more of others; t/turbo/long_curves.t has more.
most=${most:-300}

# simulate FRAMES EBN0 BITS DECODER: "frames frame_errors"
simulate() {
    pipeline "source.random: {bits: $3}" 'turbo.encode: {}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
        "turbo.decode: {$4}" 'sink.errors: {}' | run_fields "frames frame_errors" - \
        --set stop.frames="$1"
}

# Arithmetic of 16 bits, which loses next to nothing.
words='backend: simd, tune: {arithmetic: i16}'

curves simulate turbo_curves.csv <<END
Turbo_N18432_K6144_BCJR_i6_p32_LTE | 0.3 0.4 0.5 0.6 | $most | 6144 | backend: ref
Turbo_N18432_K6144_BCJR_i6_p32_LTE | 0.4 0.5 0.6     | $most | 6144 | $words
END
[ "$most" -le 300 ] || curves simulate turbo_itpp.csv <<END
6144 LOGMAX | 0.5 | $most | 6144 | backend: ref
END
curves simulate turbo_itpp.csv <<END
6144 LOGMAP | 0.3     | $((most / 5))  | 6144 | backend: ref, algorithm: log-map
1024 LOGMAX | 0.5 0.8 | $((2 * most))  | 1024 | backend: ref
1024 LOGMAX | 0.5 0.8 | $((2 * most))  | 1024 | $words
1024 LOGMAP | 0.5     | $most          | 1024 | backend: ref, algorithm: log-map
40 LOGMAX   | 1 2     | $((10 * most)) | 40   | backend: ref
40 LOGMAX   | 1 2     | $((10 * most)) | 40   | backend: simd
40 LOGMAX   | 1 2     | $((10 * most)) | 40   | $words
40 LOGMAP   | 1 2     | $((10 * most)) | 40   | backend: ref, algorithm: log-map
END

# 16 states, rate 1/3
simulate_ccsds() {
    pipeline 'source.random: {bits: 1784}' 'turbo.encode: {code: ccsds, rate: 1/3}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' "turbo.decode: {iterations: 10, $3}" 'sink.errors: {}' |
        run_fields "frames frame_errors" - --set stop.frames="$1"
}
curves simulate_ccsds turbo_curves.csv <<END
Turbo_N5352_K1784_BCJR_i10_CCSDS | 0.2 0.4 | $((2 * most / 3)) | backend: ref, algorithm: log-map
END
simulate_many() {
    pipeline 'source.random: {bits: 1784}' "turbo.encode: {code: ccsds, rate: $3}" 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {ebn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {type: i16, scale: 64}' \
        "turbo.decode: {$4}" 'sink.errors: {}' | run_fields "frames frame_errors" - --set stop.frames="$1"
}
against simulate_many <<END
0.4 | $most | backend: simd | backend: ref | 0 | 10 | 3 | 1/3
1   | $most | backend: simd | backend: ref | 0 | 10 | 3 | 1/2
0   | $most | backend: simd | backend: ref | 0 | 10 | 3 | 1/6
END

# simd is worse than ref by 0.1 dB at most; of 16 bits, and of sub-blocks, there are hardly more wrong; the exact sum of
# probabilities is not worse than its largest term.
against simulate <<END
# Eb/N0 | frames | decoder | other | dB less | percent | more | bits
0.6 | $most          | backend: simd | backend: ref | 0.1 | 0 | 0 | 6144
0.7 | $((4 * most))  | backend: simd | backend: ref | 0.1 | 0 | 0 | 1024
2   | $((20 * most)) | backend: simd | backend: ref | 0.1 | 0 | 0 | 40
0.5 | $most          | $words | backend: ref | 0 | 8 | 3 | 6144
0.7 | $((4 * most))  | $words | backend: ref | 0 | 8 | 3 | 1024
2   | $((20 * most)) | $words | backend: ref | 0 | 8 | 3 | 40
0.5 | $most          | backend: simd, sub_blocks: 64 | backend: simd, sub_blocks: 1 | 0 | 8 | 3 | 6144
2   | $((20 * most / 3)) | backend: ref, algorithm: log-map | backend: ref | 0 | 10 | 0 | 40
END

# Half a block of fillers: few frames are wrong in whatever arithmetic.
fillers() {
    pipeline 'source.random: {bits: 65}' 'turbo.encode: {k: 128, fillers: 63}' 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {esn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' \
        "turbo.decode: {$3}" 'sink.errors: {}' | run_fields "frames frame_errors" - --set stop.frames="$1"
}
against fillers <<END
-3.5 | 10000 | backend: simd | backend: ref | 0 | 100 | 3
-3.5 | 10000 | $words        | backend: ref | 0 | 100 | 3
END
done_testing
