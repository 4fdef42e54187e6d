#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Small blocks of uplink control in pipelines: sent, received, and what is refused.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# link K E SCHEME QM SNR
link() {
    pipeline "source.random: {bits: $1}" "polar.encode: {code: nr-small, k: $1, qm: $4}" \
        "polar.rate_match: {e: $2}" "modem.map: {scheme: $3}" "channel.awgn: {esn0_db: $5}" \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' 'polar.rate_recover: {}' \
        'polar.decode: {}' 'sink.errors: {}' >p.yaml
}
for what in '1 4 bpsk 1' '1 24 qpsk 2' '1 24 16qam 4' '1 24 256qam 8' '2 3 bpsk 1' '2 12 16qam 4' \
    '2 30 64qam 6' '3 16 qpsk 1' '6 32 qpsk 1' '11 20 qpsk 1' '11 54 qpsk 1' '11 8192 qpsk 1'; do
    link $what 25
    same "$what: all come back" "$(run_fields 'frames frame_errors' p.yaml --set stop.frames=500)" \
        '500 0'
done

# Bits sent: the word over and over; placeholders as they stand where nothing is scrambled.
sent() { # BITS K E QM
    printf "$(echo "$1" | sed 's/./\\00&/g')" >bits
    pipeline "source.file: {path: bits, kind: bits, dtype: u1, frame: $2}" \
        "polar.encode: {code: nr-small, k: $2, qm: $4}" "polar.rate_match: {e: $3}" \
        'sink.file: {path: sent, dtype: u1}' >p.yaml
    rm -f sent
    "$FECRUN" run p.yaml --quiet && od -An -v -tu1 -w1000 sent | tr -d ' \n'
}
same "one bit" "$(sent 0 1 10 4)" 0011001100
same "one bit, set" "$(sent 1 1 3 1)" 111
same "two bits" "$(sent 01 2 15 4)" 011110111111011
same "eleven bits" "$(sent 10000000000 11 40 1)" "$(printf '1%.0s' $(seq 40))"

# Two repetitions are 3 dB.
errors() { run_fields frame_errors p.yaml --set stop.frames=4000; }
link 8 32 bpsk 1 -4
once=$(errors)
link 8 64 bpsk 1 -7.0103
twice=$(errors)
awk -v a="$once" -v b="$twice" 'BEGIN { d = a - b; exit !(a > 40 && d * d < 9 * (a + b)) }'
tap_check $? "a word sent twice 3 dB lower: $twice wrong, once: $once"

place='^fecrun: p.yaml:[0-9]+:[0-9]+: '
encoder() { # BITS PARAMETERS MESSAGE
    pipeline "source.random: {bits: $1}" "polar.encode: {code: nr-small, $2}" 'sink.null: {}' >p.yaml
    refuses 2 "${place}polar.encode.$3" check p.yaml
}
encoder 12 'k: 12' 'k: is 12; small blocks have 1 to 11 bits, larger ones `code: nr`'
encoder 5 'k: 5, qm: 2' 'qm: is that of blocks of one or two bits, and K is 5'
encoder 2 'k: 2, qm: 3' 'qm: is 3; 1, 2, 4, 6 and 8 are allowed'
encoder 5 'k: 5, n: 32' 'n: code: nr-small has no n; it has k, e, qm'
encoder 5 'k: 5, e: 4' 'e: is 4 and has no room for the K = 5 bits: at least 5 are allowed'
link 5 32 qpsk 1 3
cp p.yaml whole.yaml
replaced() { # STAGE MESSAGE
    sed "s/${1%%:*}: {[^}]*}/$1/" whole.yaml >p.yaml
    refuses 2 "$place$2" check p.yaml
}
replaced 'polar.rate_match: {e: 4}' 'polar.rate_match.e: is 4 and has no room for the K = 5 bits'
replaced 'polar.rate_match: {e: 32, channel_interleave: true}' \
    'polar.rate_match.channel_interleave: code: nr-small has no channel_interleave'
replaced 'polar.rate_match: {e: 32, n_max: 10}' 'polar.rate_match.n_max: code: nr-small has no n_max'
replaced 'polar.decode: {list: 8}' 'polar.decode.list: code: nr-small has no list: it is decoded exactly'
replaced 'polar.decode: {crc: 6}' 'polar.decode.crc: code: nr-small has no crc'
pipeline 'source.random: {bits: 40}' 'polar.encode: {code: nr, k: 40, e: 100}' \
    'polar.rate_match: {qm: 2}' 'sink.null: {}' >p.yaml
refuses 2 "${place}polar.rate_match.qm: qm is that of code: nr-small" check p.yaml
done_testing
