#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.split: frames of frames and of streams, the end of a stream, verdicts, what is refused.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

# split SOURCE STAGE...: what comes out of the 24 bits or LLRs of `in`, in hexadecimal.
split() {
    pipeline "source.file: {path: in, $1}" "$2" "$3" 'sink.file: {path: out, format: raw}' | sed '/^  - $/d' >split.yaml
    run "$FECRUN" run --quiet --json result split.yaml --set sink.file.dtype="$4"
    hex <out
}
printf '\1\0\1\1\0\0\1\0\0\1\0\1\1\1\0\0\1\0\1\0\0\1\1\0' >in
all=010001010000010000010001010100000100010000010100
same "frames of 12 into frames of 4" "$(split 'kind: bits, dtype: u1, frame: 12' 'frame.split: {frame: 4}' '' u1)" $all
same "two frames with three blocks each" "$(fields "frames blocks" <result)" "2 6"
same "and out of order if each is removed from" \
    "$(split 'kind: bits, dtype: u1, frame: 12' 'frame.split: {frame: 4}' 'frame.remove: {count: 3}' u1)" 010000010100
same "LLRs" "$(split 'kind: llr, dtype: int8, frame: 8' 'frame.split: {frame: 2}' '' int8)" $all
same "a stream in pieces" "$(split 'kind: bits, dtype: u1, frame: 0, piece: 8' 'frame.split: {frame: 4}' 'frame.remove: {count: 3}' u1)" \
    010000010100
# The stream ends inside a piece and inside a frame: 0 is put behind it.
printf '\1\0\1\1\0\0\1\0\0\1\1' >in
same "the end of a stream" "$(split 'kind: bits, dtype: u1, frame: 0, piece: 8' 'frame.split: {frame: 4}' '' u1)" \
    010001010000010000010100
same "back to the stream" "$(split 'kind: bits, dtype: u1, frame: 0, piece: 8' 'frame.split: {frame: 4}' 'frame.join: {}' u1)" \
    010001010000010000010100

# Each has its own verdict: a CRC of one bit, the sum.
printf '\1\0\1\1\0\0' >in
same "one of two has a wrong CRC" "$(
    split 'kind: bits, dtype: u1, frame: 6' 'frame.split: {frame: 3}' 'crc.check: {poly: 1, width: 1}' u1 >/dev/null
    fields "frames failed blocks block_errors" <result
)" "1 1 2 1"

sed 's/frame: 3/frame: 4/' split.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*frame.split.frame: is 4, and 6 items a frame are no whole number of such frames: a divisor of that is allowed' check bad.yaml
pipeline 'source.random: {bits: 65536}' 'frame.split: {frame: 1}' 'frame.insert: {count: 65535}' 'frame.split: {id: s2, frame: 1}' \
    'sink.null: {}' >bad.yaml
refuses 2 's2.frame: is 1: too short for pieces of 65536 items' check bad.yaml

# Eb/N0 counts what all frames of one frame send: 100 bits, 224 symbols.
pipeline 'source.random: {bits: 100}' 'frame.split: {frame: 50}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: 3}' 'modem.demap: {}' 'viterbi.decode: {}' 'frame.join: {}' 'sink.errors: {}' >snr.yaml
run "$FECRUN" run --quiet --json result snr.yaml --set stop.frames=10
same "the noise of frames of frames" "$(fields "ebn0_db esn0_db" <result | tr ' ' '\n' | cut -c1-6 | paste -sd ' ')" "3.0 -0.502"

# Rows of one piece beside rows of two, no CRC right: each row and each block has failed.
of_rows() {
    printf 'fecrun: 1\nblocks:\n  - {count: 2, bits: 100}\n  - {count: 2, bits: 200}\npipeline:\n' >rows.yaml
    for stage in 'source.random: {}' "$@" 'sink.errors: {}'; do printf '  - %s\n' "$stage"; done >>rows.yaml
    run "$FECRUN" run --quiet --json result rows.yaml --set stop.frames=40
    same "all rows and blocks: $*" "$(fields "frames failed blocks block_errors" <result)" "40 40 60 60"
}
of_rows 'frame.split: {frame: 100}' 'crc.attach: {crc: 24a}' 'channel.bsc: {p: 0.4}' 'bits.hard: {}' 'crc.check: {}' 'frame.join: {}'
of_rows 'crc.attach: {crc: 24a}' 'channel.bsc: {p: 0.4}' 'bits.hard: {}' 'crc.check: {}' 'frame.split: {frame: 100}' 'frame.join: {}'
done_testing
