#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What stands beside a frame: a mask of its own for the CRC (an RNTI), and how far the word that was
# found is from what was received.
. "$top_srcdir/t/lib/counts.sh"
without_cuda
backends=${backends:-ref simd}

# i2 NUMBER...: little-endian, 16 bits
i2() {
    for number in "$@"; do
        printf "$(printf '\\%03o\\%03o' $((number & 255)) $((number >> 8 & 255)))"
    done
}
masks() { echo "source.file: {id: $1, path: $1.i2, kind: values, dtype: i2, frame: 1, loop: true}"; }

# ---- Masks: 200 frames for five receivers in turn, two of them above 0x7fff ----
i2 0x4601 0xfffe 0 0x7fff 0x8000 >own.i2
i2 0x4601 0xffff 0 0x7ffe 0x8000 >other.i2
attach='crc.attach: {from: source, crc: 24c, ones: 24, masks: own}'
pipeline 'source.random: {bits: 41}' "$(masks own)" "$attach" 'sink.file: {path: coded.npy}' >p.yaml
run "$FECRUN" run p.yaml --quiet --set stop.frames=200
is 0 "messages with their parity"
# The one that is the lowest number of i2, as a parameter and from a file.
i2 0x8000 >least.i2
for mask in 'mask: 0x8000' 'masks: least'; do
    case $mask in
    masks*) least=$(masks least) ;;
    *) least= ;;
    esac
    pipeline 'source.random: {bits: 41}' ${least:+"$least"} \
        "crc.attach: {from: source, crc: 24c, ones: 24, $mask}" \
        "sink.file: {path: '$mask', dtype: packed}" >least.yaml
    run "$FECRUN" run least.yaml --quiet --set stop.frames=20
    is 0 "messages with the $mask"
done
run cmp 'mask: 0x8000' 'masks: least'
is 0 "a mask of 0x8000 is the same one from a file of i2"
# link DECODER [CHECK]: without a check the decoder's verdict is the last one
link() {
    case $* in
    *other*) other=$(masks other) ;;
    *) other= ;;
    esac
    pipeline 'source.random: {bits: 41}' "$(masks own)" ${other:+"$other"} "$attach" \
        'polar.encode: {code: nr, k: 65, e: 216, n_max: 9, input_interleave: true}' \
        'polar.rate_match: {}' 'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 6}' \
        'modem.demap: {}' 'llr.quantize: {type: i8, scale: 4}' 'polar.rate_recover: {}' \
        "polar.decode: {crc: 24c, ones: 24, $1}" ${2:+"crc.check: {crc: 24c, ones: 24, $2}"} \
        "sink.errors: {${2:-reference: coded.npy}}" | sed 's/sink.errors: {masks.*/sink.errors: {}/'
}
counted='frames failed undetected frame_errors'
for backend in $backends; do
    for how in 'algorithm: sc' 'list: 8' 'list: 4, adaptive: true' 'algorithm: bp, early_stop: crc'; do
        link "masks: own, backend: $backend, $how" 'masks: own' >p.yaml
        same "each frame its mask, $backend, $how" \
            "$(run_fields "$counted" p.yaml --set stop.frames=200)" '200 0 0 0'
        link "masks: other, backend: $backend, $how" '' >p.yaml
        same "two of five have another one, $backend, $how" \
            "$(run_fields 'frames failed' p.yaml --set stop.frames=200 --set batch=33)" '200 80'
    done
done
# The decoder accepts the first of five, the check alone also the third and the fifth.
link 'mask: 0x4601' 'masks: other' >p.yaml
same "the decoder's verdict and that of crc.check" \
    "$(run_fields "$counted" p.yaml --set stop.frames=200)" '200 160 0 0'
same "that of crc.check alone" "$(run_fields "$counted" p.yaml --set stop.frames=200 \
    --set crc.check.verdict=crc)" '200 80 0 0'

# What is no mask fails: a fraction, one that is too wide.
printf '\0\0\300\077\0\0\0\113\0\0\200\077' >own.f4 # 1.5, 2^23, 1
pipeline 'source.random: {bits: 20}' \
    'source.file: {id: own, path: own.f4, kind: values, dtype: f4, frame: 1, loop: true}' \
    'crc.attach: {from: source, crc: 11, masks: own}' 'polar.encode: {code: plain, n: 64, k: 31}' \
    'channel.bsc: {p: 0.001}' 'llr.quantize: {type: i8, scale: 8}' \
    'polar.decode: {crc: 11, masks: own}' 'crc.check: {crc: 11, masks: own}' 'sink.errors: {}' >p.yaml
for backend in $backends; do
    same "no mask, no message, $backend" "$(run_fields 'frames failed' p.yaml \
        --set stop.frames=30 --set polar.decode.backend="$backend")" '30 20'
done

# ---- Metrics: over a binary symmetric channel, the bits that it flipped ----
# decoded WHAT CODE BITS DECODER
decoded() {
    for backend in $backends; do
        pipeline "source.random: {bits: $3}" "polar.encode: {id: enc, $2}" \
            'sink.file: {id: words, path: sent, dtype: u1}' 'channel.bsc: {from: enc, p: 0.02}' \
            'llr.quantize: {id: q, type: i8, scale: 8}' \
            'sink.file: {id: llrs, path: llrs, dtype: i1, format: raw}' \
            "polar.decode: {id: dec, from: q, ${4:+$4, }backend: $backend}" \
            "sink.file: {id: metrics, path: metrics.$backend, format: raw, from: dec.metric}" \
            'sink.errors: {from: dec}' >p.yaml
        run "$FECRUN" run p.yaml --quiet --set stop.frames=40 --set stop.frame_errors=1000 \
            --set batch=16 --json out
        is 0 "$1, $backend: runs"
        same "all is right" "$(fields frame_errors <out)" 0
    done
    od -An -v -tu1 -w1 sent >sent.txt
    od -An -v -td1 -w1 llrs >llrs.txt
    paste sent.txt llrs.txt | awk '{ n[int((NR - 1) * 40 / total)] += ($2 < 0) != $1; m = $2 < 0 ? -$2 : $2 }
        END { for (f = 0; f < 40; f++) printf "%.3f\n", n[f] * m }' total="$(wc -l <sent.txt)" >want
    for backend in $backends; do
        od -An -v -tf4 -w4 "metrics.$backend" | head -n 40 | awk '{ printf "%.3f\n", $1 }' >got
        ok "$1, $backend: the metric is what was flipped" cmp want got
    done
}
decoded sc 'code: plain, n: 128, k: 40' 40 'algorithm: sc'
decoded 'list of 8' 'code: plain, n: 128, k: 40' 40 'list: 8'
decoded bp 'code: plain, n: 128, k: 40' 40 'algorithm: bp, iterations: 20'
decoded 'nr-small' 'code: nr-small, k: 4' 4 ''

# ---- What is wrong with ports ----
place='^fecrun: p.yaml:[0-9]+:[0-9]+: '
link 'masks: own, mask: 1' '' >p.yaml
refuses 2 "${place}polar.decode.mask: is one for all frames, and masks gives each its own" check p.yaml
link 'masks: nobody' '' >p.yaml
refuses 2 "${place}polar.decode.masks: .*nobody is no stage of this file" check p.yaml
link 'masks: own' '' | sed 's/id: own\(.*\)frame: 1/id: own\1frame: 5/' >p.yaml
refuses 2 "${place}crc.attach.masks: has 5 values a frame, and a mask is one" check p.yaml
link 'masks: own' '' | sed 's/polar.decode: {crc: 24c, ones: 24/polar.decode: {crc: none/' >p.yaml
refuses 2 "${place}polar.decode.masks: is that of a CRC, and \`crc\` is none" check p.yaml
done_testing
