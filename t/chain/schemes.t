#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Schemes over whole links: which backends take them, pi/2-BPSK in streams, parameters and what is refused.
# t/chain/test_schemes.c has their symbols, LLRs and error rates.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Whole links: all backends count what the references count ----
link() {
    pipeline 'source.random: {bits: 4794}' 'conv.encode: {code: ieee80211}' "modem.map: {$1}" \
        "channel.awgn: {esn0_db: $2}" 'modem.demap: {}' 'llr.quantize: {scale: auto}' \
        'viterbi.decode: {code: ieee80211}' 'sink.errors: {}'
    echo 'stop: {frames: 40}'
}
square='[[-3, 3], [-1, 1], [1, 1], [3, 3], [-3, -3], [-1, -1], [1, -1], [3, -3]]'
for scheme in 'scheme: bpsk:-1' 'scheme: pi/2-bpsk:-1' 'scheme: 8psk:5' 'scheme: 16apsk, rate: 2/3:9' \
    'scheme: 32apsk, gamma: 2.7, gamma2: 4.7:12' 'scheme: 256qam:17' 'scheme: 1024qam:22' 'scheme: 4096qam:25' \
    "scheme: points, points: $square:9"; do
    link "${scheme%:*}" "${scheme##*:}" >link.yaml
    want=$(counts link.yaml --backend ref)
    same "${scheme%:*}: all backends" "$(counts link.yaml)" "$want"
    ok "it has errors: $want" sh -c "set -- $want; [ \$3 -gt 3 ] && [ \$3 -lt 20000 ]"
done
link 'scheme: 256qam' 20 >link.yaml
run "$FECRUN" explain link.yaml
prints '^modem.demap: absorbed by llr.quantize$' "256qam is absorbed"
for scheme in 1024qam 4096qam 8psk pi/2-bpsk 16apsk; do
    run "$FECRUN" explain link.yaml --set modem.map.scheme=$scheme
    prints '^modem.demap: ref on host$' "$scheme is not"
done

# ---- A table of 16QAM's points is 16QAM ----
points=
for b in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    points="$points, [$(((1 - b / 8 * 2) * (1 + b / 2 % 2 * 2))), $(((1 - b / 4 % 2 * 2) * (1 + b % 2 * 2)))]"
done
link 'scheme: 16qam' 8 >link.yaml
want=$(counts link.yaml)
link "scheme: points, points: [${points#, }]" 8 >table.yaml
same "a table with 16QAM's points counts the same" "$(counts table.yaml)" "$want"
run "$FECRUN" explain table.yaml
prints 'points divided by 3.162: their mean energy is 1' "it says how points are scaled"
prints 'scale = 4.5, as the LLR of a weak bit is 2.5 .- 2.2 .points, Es/N0 8.0 dB' \
    "llr.quantize knows the smallest distance"

# ---- pi/2-BPSK counts symbols from the begin of a stream, or of a frame ----
# signs FILE: 1 for each negative number
signs() { od -An -v -tf4 -w4 "$1" | awk '{ printf "%d", $1 < 0 }'; }
turned() { # of packed bits on standard input, in frames of $1 symbols
    od -An -v -tu1 | tr -d ' \n' | awk -v frame="$1" '{
        for (i = 0; i < length($0); i++) {
            d = substr($0, i + 1, 1)
            odd = (i % frame) % 2
            printf "%d%d", odd ? 1 - d : d, d    # (1 + j) d, or (-1 + j) d
        }
    }'
}
for stream in true false; do
    end=continuous frame=72 # 8 frames of 9 symbols
    [ $stream = true ] || end=truncated frame=9
    pipeline "source.random: {bits: 8, stream: $stream}" \
        "conv.encode: {code: ieee80211, termination: $end}" \
        'conv.puncture: {id: odd, pattern: ["11111111", "10000000"]}' 'sink.file: {path: all, dtype: u1}' \
        'modem.map: {scheme: pi/2-bpsk, from: odd}' 'sink.file: {id: s, path: symbols}' \
        'modem.hard: {from: modem.map}' 'sink.file: {id: h, path: hard, dtype: u1}' \
        'modem.demap: {from: modem.map, esn0_db: 9}' 'sink.file: {id: l, path: llrs}' >turned.yaml
    echo 'stop: {frames: 8}' >>turned.yaml
    for batch in 1 3 8; do
        run "$FECRUN" run --quiet turned.yaml --set batch=$batch
        same "stream: $stream, batch $batch: symbols" "$(signs symbols)" "$(turned $frame <all)"
        ok "decided back" cmp all hard
        same "and LLRs" "$(signs llrs)" "$(od -An -v -tu1 all | tr -d ' \n')"
    done
done

# ---- What is refused ----
map() { # MESSAGE PARAMETERS
    pipeline 'source.random: {bits: 60}' "modem.map: {$2}" 'sink.null: {}' >bad.yaml
    refuses 2 "bad.yaml:4:[0-9]+: modem.map.$1" run bad.yaml
}
map 'scheme: must be one of bpsk, .*, points, is .9psk.' 'scheme: 9psk'
map 'points: missing: scheme points needs \[\[re, im\], ...\]' 'scheme: points'
map 'points: has 3 points: a power of two from 2 to 4096 is allowed' \
    'scheme: points, points: [[1, 0], [0, 1], [-1, 0]]'
map 'points: has 1 points: a power of two' 'scheme: points, points: [[1, 0]]'
map 'points: item 2 must be two numbers \[re, im\], is .0 1 2.' \
    'scheme: points, points: [[1, 0], [0, 1, 2]]'
map 'points: item 1 must be two numbers \[re, im\], is .one 0.' \
    'scheme: points, points: [[one, 0], [0, 1]]'
map 'points: items 1 and 2 are the same point' 'scheme: points, points: [[1, 0], [1, 0.0]]'
map 'points: the largest number must be between 1e-100 and 1e100' \
    'scheme: points, points: [[0, 0], [0, 0]]'
map 'points: item 1: must be a text, is a list' 'scheme: points, points: [[[1, 0]], [0, 1]]'
map 'points: 8psk has no such parameter' 'scheme: 8psk, points: [[1, 0], [0, 1]]'
map 'rate: 64qam has no such parameter' 'scheme: 64qam, rate: 2/3'
map 'rate: give either rate or gamma, not both' 'scheme: 16apsk, rate: 2/3, gamma: 3'
map 'rate: 32apsk has rates 3/4, 4/5, 5/6, 8/9 and 9/10' 'scheme: 32apsk, rate: 2/3'
map 'gamma: 32apsk has three rings: give gamma and gamma2' 'scheme: 32apsk, gamma: 3'
map 'gamma2: 16apsk has two rings: give gamma only' 'scheme: 16apsk, gamma: 3, gamma2: 4'
map 'gamma2: must be larger than gamma, which is 3' 'scheme: 32apsk, gamma: 3, gamma2: 3'
pipeline "source.random: {bits: 64}" "modem.map: {scheme: 1024qam}" "sink.null: {}" >bad.yaml
refuses 2 "modem.map.scheme: 1024qam takes a multiple of 10 bits, but a frame has 64" run bad.yaml
disagree() { # MESSAGE MAP DEMAP
    pipeline 'source.random: {bits: 60}' "modem.map: {$2}" "modem.demap: {esn0_db: 9, $3}" 'sink.null: {}' \
        >bad.yaml
    refuses 2 "bad.yaml:5:.*$1" run bad.yaml
}
disagree 'rate: 2/3, but modem.map .line 4. has 3/4' \
    'scheme: 16apsk, rate: 3/4' 'rate: 2/3'
disagree '16apsk, gamma 3, but modem.map .line 4. has 16apsk, gamma 2.85' \
    'scheme: 16apsk, rate: 3/4' 'gamma: 3'
disagree 'points with digest [0-9a-f]*, but modem.map' 'scheme: points, points: [[1, 0], [-1, 0]]' 'points: [[-1, 0], [1, 0]]'
done_testing
