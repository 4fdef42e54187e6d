#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Do the 95 % intervals of results hold the true rates in 95 of 100 runs? 1,000 runs of 1,000 frames, as
# points of a sweep of which each draws its own errors.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# A polar code without a frozen bit decides bit by bit, then multiplies by F: a frame is wrong if any
# of its 64 bits is, and bit i of it if an odd number of 2^j of them is, where C(6, j) bits have that j.
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%s%.12f", i ? ", " : "", 0.002 * (1 + 1e-8 * i) }' >values
pipeline 'source.random: {bits: 64}' 'polar.encode: {code: plain, n: 64, k: 64}' \
    'channel.bsc: {p: 0.002}' 'polar.decode: {algorithm: sc}' sink.errors >polar.yaml
echo "sweep: {channel.bsc.p: [$(cat values)]}" >>polar.yaml
echo "stop: {frames: 1000}" >>polar.yaml

run_fields "fer_lo fer_hi ber_lo ber_hi bits bit_errors" polar.yaml >points
awk '
    BEGIN {
        p = 0.002
        split("1 6 15 20 15 6 1", ways, " ")
        for (j = 0; j <= 6; j++)
            ber += ways[j + 1] * (1 - (1 - 2 * p) ^ (2 ^ j)) / 2 / 64
        fer = 1 - (1 - p) ^ 64
    }
    {
        in_fer += $1 <= fer && fer <= $2
        in_ber += $3 <= ber && ber <= $4
        rate = $6 / $5
        half = 1.96 * sqrt(rate * (1 - rate) / $5)
        in_naive += rate - half <= ber && ber <= rate + half
    }
    END { print NR, in_fer, in_ber, in_naive }' points >held
read -r runs fer ber naive <held
tap_last="runs, FER held, BER held, BER held if bits were independent: $(cat held)"
# three standard deviations of a binomial of 1,000 and 0.95 are 21
holds() { [ "$1" -ge 929 ] && [ "$1" -le 971 ]; }
ok "1,000 points" [ "$runs" = 1000 ]
ok "the interval of the FER holds it in 95 of 100 ($fer)" holds "$fer"
ok "the interval of the BER, whose errors come in frames, too ($ber)" holds "$ber"
ok "one of independent bits would not ($naive)" [ "$naive" -le 700 ]

# Errors that know nothing of each other: the majority of three, bit by bit.
pipeline 'source.random: {bits: 64}' \
    'conv.encode: {constraint_length: 3, generators: [4, 4, 4], termination: truncated}' \
    'channel.bsc: {p: 0.02}' viterbi.decode sink.errors >bits.yaml
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%s%.12f", i ? ", " : "", 0.02 * (1 + 1e-8 * i) }' >values
echo "sweep: {channel.bsc.p: [$(cat values)]}" >>bits.yaml
echo "stop: {frames: 200}" >>bits.yaml
run_fields "ber_lo ber_hi bits bit_errors" bits.yaml |
    awk '
        BEGIN { p = 0.02; ber = 3 * p * p * (1 - p) + p ^ 3 }
        {
            held += $1 <= ber && ber <= $2
            wide += ($2 - $1) / (2 * 1.96 * sqrt(ber / $3))
        }
        END { print NR, held, wide / NR }' >held
read -r runs ber wide <held
tap_last="runs, BER held, width against that of independent bits: $(cat held)"
# three standard deviations are 9 of 200; Clopper-Pearson is on the safe side
ok "of single errors the interval is that of bits" \
    [ "$runs $((ber >= 181))" = "200 1" -a "${wide%.*}" = 1 ]
done_testing
