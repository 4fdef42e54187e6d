#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What goes with a frame: flags of erased symbols into rs.decode; what the decoders say of frames, and how much they
# corrected.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# Six frames of two words, whose first symbols stand in turn in bytes 0, 2, ... and 1, 3, ...
pipeline 'source.random: {id: sent, bits: 3568}' 'sink.file: {id: truth, path: sent.npy}' \
    'rs.encode: {from: sent, code: ccsds-255-223, depth: 2}' \
    'sink.file: {path: coded, format: raw, dtype: packed}' >make.yaml
run "$FECRUN" run make.yaml --quiet --set stop.frames=6
is 0 "words to spoil"

# spoil FRAME WORD SYMBOL COUNT: inverts so many symbols in a row. flag: marks them as erased.
spoil() { each_symbol "$@" coded; }
flag() { each_symbol "$@" marks; }
each_symbol() {
    i=0
    while [ $i -lt "$4" ]; do
        at=$(($1 * 510 + 2 * ($3 + i) + $2)) i=$((i + 1))
        case $5 in
        coded) value=$((255 - $(od -An -tu1 -j$at -N1 coded))) ;;
        marks) value=1 ;;
        esac
        printf "$(printf '\\%03o' $value)" | dd of="$5" bs=1 seek=$at conv=notrunc 2>/dev/null
    done
}
head -c 3060 /dev/zero >marks
spoil 1 0 0 16                                   # as many errors as are corrected
spoil 2 1 10 17                                  # one more
spoil 3 0 5 32 && flag 3 0 5 32                  # as many erasures
spoil 4 1 100 3 && spoil 4 1 200 26 && flag 4 1 200 26 # 2 x 3 + 26 = 32
spoil 5 0 100 4 && spoil 5 0 200 26 && flag 5 0 200 26 # 2 x 4 + 26 = 34

# receive ERASURES BACKEND
receive() {
    pipeline 'source.file: {id: words, path: coded, kind: bits, dtype: packed, frame: 4080}' \
        'source.file: {id: marks, path: marks, kind: values, dtype: i1, frame: 510}' \
        "rs.decode: {id: dec, from: words, code: ccsds-255-223, depth: 2, backend: $2$1}" \
        'sink.file: {path: counts, format: raw, from: dec.corrected}' \
        'sink.errors: {from: dec, reference: sent.npy}' >p.yaml
    [ -n "$1" ] || sed -i '/id: marks/d' p.yaml
}
backends=ref
grep -qw avx2 /proc/cpuinfo && [ -z "${FECRUN_ISA-}" ] && backends='ref simd'
for backend in $backends; do
    receive ', erasures: marks' "$backend"
    same "two of six frames cannot be corrected, $backend" \
        "$(run_fields 'frames failed undetected frame_errors' p.yaml)" '6 2 0 2'
    same "corrected symbols of each word, -1 where it has failed, $backend" \
        "$(od -An -v -tf4 -w8 counts | awk '{ printf "%d,%d ", $1, $2 }')" '0,0 16,0 0,-1 32,0 0,29 -1,0 '
    receive '' "$backend"
    same "without the flags these are four, $backend" \
        "$(run_fields 'frames failed undetected frame_errors' p.yaml)" '6 4 0 4'
done

# ---- BCH ----
pipeline 'source.random: {id: sent, bits: 3072}' 'sink.file: {id: truth, path: sent.npy}' \
    'bch.encode: {from: sent, code: dvbs2, frame: short, rate: 1/4}' \
    'sink.file: {path: coded, format: raw, dtype: packed}' >make.yaml
run "$FECRUN" run make.yaml --quiet --set stop.frames=3
is 0 "words of DVB-S2 to spoil"
for at in 405 809; do # eight bits in a row; frame 1 has 405 bytes, too
    printf "$(printf '\\%03o' $((255 - $(od -An -tu1 -j$at -N1 coded))))" |
        dd of=coded bs=1 seek=$at conv=notrunc 2>/dev/null
done
printf "$(printf '\\%03o' $((15 ^ $(od -An -tu1 -j900 -N1 coded))))" | dd of=coded bs=1 seek=900 conv=notrunc 2>/dev/null
for backend in $backends; do
    pipeline 'source.file: {path: coded, kind: bits, dtype: packed, frame: 3240}' \
        "bch.decode: {id: dec, code: dvbs2, frame: short, rate: 1/4, backend: $backend}" \
        'sink.file: {path: counts, format: raw, from: dec.corrected}' \
        'sink.errors: {from: dec, reference: sent.npy}' >p.yaml
    same "of 0, 16 and 4 wrong bits 16 are too many, $backend" \
        "$(run_fields 'frames failed undetected frame_errors' p.yaml)" '3 1 0 1'
    same "... corrected bits of each, $backend" \
        "$(od -An -v -tf4 -w4 counts | awk '{ printf "%d ", $1 }')" '0 -1 4 '
done
done_testing
