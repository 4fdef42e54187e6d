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
refuses 2 'bad.yaml:4:.*frame.split.frame: is 4, and 6 items a frame are no whole number of such frames' check bad.yaml
done_testing
