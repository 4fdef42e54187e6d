#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.join: words and frames as they are sent; through a code and a channel back to frame.sync; what is refused.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- Bytes that are known ----
pipeline 'source.file: {path: in, dtype: packed, frame: 16}' 'frame.join: {scheme: ccsds}' \
    'sink.file: {path: out.bin, dtype: packed}' >join.yaml
printf '\001\002\003\004\005\006' >in
for how in '' '--set batch=1' '--threads 2'; do
    # shellcheck disable=SC2086 # several words
    run "$FECRUN" run --quiet join.yaml $how
    same "0x1acffc1d before each frame $how" "$(od -An -v -tx1 out.bin | tr -d ' \n')" \
        1acffc1d01021acffc1d03041acffc1d0506
done
pipeline 'source.file: {path: in, dtype: packed, frame: 6}' 'frame.join: {word: "10"}' 'sink.file: {path: out.bin, dtype: packed}' \
    >join.yaml
printf '\000\004\010' >in
run "$FECRUN" run --quiet join.yaml
same "frames of 6 bits behind 10" "$(od -An -v -tx1 out.bin | tr -d ' \n')" 808182

# ---- There and back ----
for case in 'scheme: ccsds=scheme: ccsds, frame: 368=400' 'scheme: m17=scheme: m17=384'; do
    IFS='=' read -r to from period <<END
$case
END
    { pipeline 'source.random: {bits: 368}' "frame.join: {$to}" 'conv.encode: {code: ccsds}' 'channel.bsc: {p: 0.01}' \
        'viterbi.decode: {}' "frame.sync: {$from}" 'sink.file: {path: got, format: raw, dtype: u1}' \
        'sink.file: {id: sent, from: source.random, path: sent, format: raw, dtype: u1}'
        printf 'stop: {frames: 60}\nseed: 3\n'; } >back.yaml
    run "$FECRUN" run --quiet back.yaml --json result
    is 0 "$to: over a channel, period $period"
    cmp sent got
    tap_check $? "the frames that were sent"
    same "none failed" "$(fields "frames failed" <result)" "60 0"
done

# ---- Pieces: frames that a split made are joined ----
pipeline 'source.file: {path: in, dtype: u1, frame: 0, piece: 24}' 'frame.sync: {word: "101", frame: 5}' 'frame.join: {word: "110"}' \
    'sink.file: {path: got, dtype: u1, format: raw}' >pieces.yaml
printf '\001\000\001\000\000\001\000\000\001\000\001\001\000\000\000\000\001\000\001\001\001\001\000\000' >in
run "$FECRUN" run --quiet pieces.yaml
same "another word" "$(od -An -v -tu1 got | tr -d ' \n')" 110001001101000011011100

# ---- Without a word: frames of a stream become a stream again, with its end ----
head -c 1000 "$T_DATA/frame/dvb_msg.bin" >in
for piece in 40 200 8000; do
    for how in '' '--set batch=1' '--set batch=3 --threads 2'; do
        pipeline "source.file: {path: in, dtype: packed, frame: 0, piece: $piece}" 'frame.sync: {word: "0", frame: 39, keep_word: true, confirm: 0}' \
            'frame.join: {}' 'sink.file: {path: got, format: raw, dtype: packed}' >plain.yaml
        # shellcheck disable=SC2086 # several words
        run "$FECRUN" run --quiet plain.yaml $how
        same "pieces of $piece $how: all of the stream's periods" "$(wc -c <got)" 1000
    done
done
# The word stands at the begin of each period, so that the stream comes back as it was.
printf '\001\000\001\001\001\000\000\001\001\000\000\000\001\000' >in
pipeline 'source.file: {path: in, dtype: u1, frame: 0, piece: 8}' 'frame.sync: {word: "10", frame: 2, keep_word: true, confirm: 0}' \
    'frame.join: {}' 'sink.file: {path: got, dtype: u1, format: raw}' >plain.yaml
run "$FECRUN" run --quiet plain.yaml
same "a last piece of one period and a half gives one frame" "$(od -An -v -tu1 got | tr -d ' \n')" 101110011000
pipeline 'source.file: {path: in, kind: llr, dtype: int8, frame: 2}' 'frame.join: {}' 'sink.file: {path: got, dtype: int8, format: raw}' >llrs.yaml
run "$FECRUN" run --quiet llrs.yaml
ok "LLRs" cmp in got

# A frame that has failed spoils the piece that it is put into.
printf '\001\000\001\000\001\000\000\000' >in
pipeline 'source.file: {path: in, dtype: u1, frame: 0, piece: 8}' 'frame.sync: {word: "101", frame: 1, tolerance: 0}' \
    'frame.join: {}' 'sink.file: {path: got, dtype: u1, format: raw}' >plain.yaml
run "$FECRUN" run --quiet --json result plain.yaml
same "one of two failed, and the piece with it" "$(fields "frames failed blocks block_errors" <result)" "1 1 2 1"

# ---- What is refused ----
sed 's/{word: "10"}/{scheme: m17}/' join.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*frame.join.scheme: m17 has frames of 368 bits, the input has 6' check bad.yaml
sed 's/{word: "10"}/{word: "10", scheme: m17}/' join.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*frame.join.scheme: give one of scheme or word' check bad.yaml
sed 's/frame: 2}/frame: 2}/; s/frame.join: {}/frame.join: {word: "1"}/' llrs.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*frame.join.word: a word is put before frames of bits; LLRs are joined without one' check bad.yaml
sed 's/{word: "10"}/{word: "12"}/' join.yaml >bad.yaml
refuses 2 "frame.join.word: character 2, '2': only 0 and 1 are allowed" check bad.yaml
sed 's/frame: 6/frame: 0/' join.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*frame.join: takes frames, and makes a stream of them' check bad.yaml
done_testing
