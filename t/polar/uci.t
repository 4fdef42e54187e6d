#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Uplink control in two code blocks: what seg.split and seg.concatenate put round the polar stages is
# what the stages make of the two halves by themselves (t/polar/vectors.t has those stages), and all of
# it comes back.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

source='source.file: {path: NAME, kind: bits, dtype: u1, frame: BITS}'
from() { echo "$source" | sed "s/NAME/$1/; s/BITS/$2/"; }

match='polar.rate_match: {channel_interleave: true}'

# makes FILE STAGE...: the bits that these stages make
makes() {
    file=$1
    shift
    pipeline "$@" "sink.file: {path: $file, dtype: u1}" >p.yaml
    rm -f "$file"
    run "$FECRUN" run p.yaml --quiet --set stop.frames=1
    is 0 "makes $file"
}

# halves A G: a message, and what is sent of it
halves() {
    a=$1 g=$2 half=$(((a + 1) / 2)) e=$((g / 2))
    encode="polar.encode: {code: nr, k: $((half + 11)), e: $e}"
    makes message "source.random: {bits: $a}"
    { [ $((a % 2)) = 0 ] || printf '\0'; head -c "$a" message; } >padded
    : >want
    for part in 1 2; do
        head -c $((part * half)) padded | tail -c "$half" >part
        makes part.coded "$(from part $half)" 'crc.attach: {crc: 11}' "$encode" "$match"
        cat part.coded >>want
    done
    [ $((g % 2)) = 0 ] || printf '\0' >>want
    head -c "$a" message >first
    makes got "$(from first "$a")" "seg.split: {code: nr-uci, g: $g}" \ "$encode" "$match" \
        'seg.concatenate: {}'
    ok "$a bits in $g: the two halves, coded by themselves" cmp got want
    [ "$(wc -c <got)" = "$g" ]
    tap_check $? "and nothing else"
}
halves 400 1200
halves 401 1201
halves 1013 1087

# link A G SNR SCHEME: all the way
link() {
    k=$((($1 + 1) / 2 + 11)) e=$(($2 / 2))
    pipeline "source.random: {bits: $1}" "seg.split: {code: nr-uci, g: $2}" \
        "polar.encode: {code: nr, k: $k, e: $e}" 'polar.rate_match: {channel_interleave: true}' \
        'seg.concatenate: {}' "modem.map: {scheme: $4}" "channel.awgn: {esn0_db: $3}" \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' 'seg.divide: {}' \
        'polar.rate_recover: {}' 'polar.decode: {crc: 11}' 'seg.join: {}' 'sink.errors: {}'
}
fields='frames frame_errors undetected blocks block_errors'
link 401 1201 6 bpsk >odd.yaml
link 1706 16000 0 qpsk >large.yaml
for backend in ${backends:-ref simd}; do
    for file in odd large; do
        same "$file, $backend: all come back" "$(run_fields "$fields" $file.yaml \
            --set polar.decode.backend="$backend" --set stop.frames=8)" '8 0 0 16 0'
    done
done
same "Eb/N0 counts all bits that are sent" "$(run_fields ebn0_db odd.yaml --set stop.frames=1 |
    awk '{ printf "%.6f", $1 }')" "$(awk 'BEGIN { printf "%.6f", 6 - 10 * log(401 / 1201) / log(10) }')"

# Some blocks are lost; a message is as good as both of its blocks.
link 400 1200 -1.6 qpsk >noise.yaml
for how in '' '--threads 1 --set batch=3'; do
    run_fields "$fields" noise.yaml --set stop.frames=300 $how >"counts${how:+.other}"
done
same "counts do not depend on batches" "$(cat counts)" "$(cat counts.other)"
awk '{ exit !($1 == 300 && $2 > 9 && $2 < 290 && $4 == 600 && $5 >= $2 && $5 < 2 * $2) }' counts
tap_check $? "messages and blocks are counted: $(cat counts)"

# ---- What is refused ----
place='^fecrun: p.yaml:[0-9]+:[0-9]+: '
encode='polar.encode: {code: nr, k: 211, e: 600}'
pipeline 'source.random: {bits: 400}' 'seg.split: {code: nr-uci, g: 1200}' "$encode" "$match" \
    'seg.concatenate: {g: 1202}' 'sink.null: {}' >p.yaml
refuses 2 "${place}seg.concatenate.g: is 1202, but 2 code blocks of 600 bits .*: 1200 to 1201 are" \
    check p.yaml
pipeline 'source.random: {bits: 400}' 'channel.bsc: {p: 0.1}' 'seg.divide: {}' 'sink.null: {}' >p.yaml
refuses 2 "${place}seg.divide.blocks: is needed: no seg.concatenate is upstream" check p.yaml
link 400 1200 0 qpsk | sed 's/seg.divide: {}/seg.divide: {blocks: 3}/' >p.yaml
refuses 2 "${place}seg.divide.blocks: is 3, but seg.concatenate upstream took 2" check p.yaml
done_testing
