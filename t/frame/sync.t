#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.sync: frames behind sync words, by streams that awk puts together: any offset, wrong symbols, inverted words and
# frames, slips, words that never come, pieces and batches; what is refused.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

asm=00011010110011111111110000011101 # CCSDS 131.0-B, 0x1acffc1d
# stream WORD FRAME FRAMES OFFSET [CHANGE]: to `sent` and the frames to `frames`, a byte a bit. CHANGE is awk that may change
# the bits of one frame with its word, s[1 ..]; w and f are lengths, k the number of the frame.
stream() {
    awk -v word="$1" -v f="$2" -v n="$3" -v offset="$4" -v seed="${6-1}" "
        function random() { seed = (seed * 16807) % 2147483647; return int(seed / 1024) % 2 }
        BEGIN {
            w = length(word)
            for (i = 0; i < offset; i++) printf \"%d\", random() >\"sent.txt\"
            for (k = 0; k < n; k++) {
                for (i = 1; i <= w; i++) s[i] = substr(word, i, 1)
                for (; i <= w + f; i++) { s[i] = random(); printf \"%d\", s[i] >\"frames.txt\" }
                len = w + f
                ${5-}
                for (i = 1; i <= len; i++) printf \"%d\", s[i] >\"sent.txt\"
            }
            for (i = 0; i < f; i++) printf \"%d\", random() >\"sent.txt\"
        }" </dev/null
    tr 01 '\000\001' <sent.txt >sent
    tr 01 '\000\001' <frames.txt >frames
}
pipeline 'source.file: {path: sent, dtype: u1, frame: 0, piece: 2320}' 'frame.sync: {scheme: ccsds, frame: 200}' \
    'sink.file: {path: got, dtype: u1, format: raw}' >sync.yaml
n='--set source.file' s='--set frame.sync'
starts() { head -c "$(wc -c <frames)" got | cmp -s - frames; }

# ---- Any offset, any pieces and batches ----
for offset in 0 1 77 199 200 231; do
    stream $asm 200 50 $offset
    for how in '' "$n.piece=232" "$n.piece=4640 --set batch=1" "$n.piece=1160 --set batch=3 --threads 2"; do
        # shellcheck disable=SC2086 # several words
        run "$FECRUN" run --quiet sync.yaml $how
        starts
        tap_check $? "50 frames behind $offset bits $how"
    done
done
stream $asm 200 50 77
run "$FECRUN" run sync.yaml
prints '^ +6 +1 +51 +1 ' "the part of a frame at the end is one that failed"
same "and is 0 where the stream has nothing" "$(tail -c 32 got | tr -d '\000' | wc -c)" 0

# ---- Soft: LLRs of any type, with noise ----
pipeline 'source.file: {path: sent, dtype: u1, frame: 0, piece: 2320}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {esn0_db: 2}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 10}' \
    'frame.sync: {scheme: ccsds, frame: 200, tolerance: 8}' 'bits.hard: {}' \
    'sink.file: {path: got, dtype: u1, format: raw}' >soft.yaml
for type in i8 i16 i4; do
    run "$FECRUN" run --quiet soft.yaml --set llr.quantize.type=$type --set llr.quantize.scale=2
    cmp -l got frames 2>/dev/null | awk 'END { print NR }' >wrong
    ok "noise, $type: all frames at their places" [ "$(cat wrong)" -gt 100 ] && [ "$(cat wrong)" -lt 700 ]
done
sed '/quantize/d' soft.yaml >float.yaml
run "$FECRUN" run --quiet float.yaml
cmp -l got frames 2>/dev/null | awk 'END { print NR }' >wrong
ok "noise, f32" [ "$(cat wrong)" -lt 700 ]

# ---- Backends: the same frames in noise, with words of odd length and sums wider than 16 bits ----
head -c 131072 "$FECRUN" >noise
# noise WORD FRAME CONFIRM DTYPE
noise() {
    pipeline "source.file: {path: noise, kind: llr, dtype: $4, frame: 0, piece: $((2 * (${#1} + $2)))}" \
        "frame.sync: {word: \"$1\", frame: $2, confirm: $3, inverted: undo}" \
        'sink.file: {path: got, format: raw}' >noise.yaml
    for isa in generic avx2 avx512; do
        FECRUN_ISA=$isa run "$FECRUN" run --quiet noise.yaml
        is 0 "word of ${#1}, frames of $2, confirm $3, $4: $isa"
        mv got "got.$isa"
    done
    ok "the same frames" sh -c 'cmp got.generic got.avx2 && cmp got.generic got.avx512'
}
noise 0 99 1 int8
noise 0110001 2049 0 int8
stream $asm$asm$asm 3000 30 7
tr '\000\001' '\177\201' <sent >noise
noise $asm$asm$asm 3000 8 int8
head -c 131072 "$FECRUN" >noise
noise 0110001 499 2 float32

# ---- Wrong symbols of a word ----
stream $asm 200 50 77 'if (k % 5 == 2) for (i = 1; i <= 5; i++) s[6 * i] = 1 - s[6 * i]'
run "$FECRUN" run --quiet --json - sync.yaml
ok "five of 32 are wrong in ten frames: they are found" starts
run "$FECRUN" run sync.yaml
same "and ten fail, and the end" "$(awk '$3 == 51 { print $4 }' out)" 11
run "$FECRUN" run sync.yaml $s.tolerance=5
same "with tolerance: 5 only the end" "$(awk '$3 == 51 { print $4 }' out)" 1

# ---- Inversion ----
stream $asm 200 50 30 'for (i = 1; i <= len; i++) s[i] = 1 - s[i]'
run "$FECRUN" run --quiet sync.yaml
ok "all inverted: no frames" sh -c '! head -c 10000 got | cmp -s - frames'
run "$FECRUN" run --quiet sync.yaml $s.inverted=undo
ok "undo: the frames that were sent" starts
run "$FECRUN" run --quiet sync.yaml $s.inverted=keep
tr '\000\001' '\001\000' <frames >turned
ok "keep: as they came" sh -c 'head -c 10000 got | cmp - turned'
sed 's/dtype: u1, frame: 0/dtype: int8, kind: llr, frame: 0/; s/dtype: u1, format/dtype: i1, format/' sync.yaml >llr.yaml
tr '\000\001' '\144\200' <sent >llrs
run "$FECRUN" run --quiet llr.yaml $n.path=llrs $s.inverted=undo
tr '\000\001' '\177\234' <frames >want
ok "LLRs, too: of -127 127, of 100 -100" sh -c 'head -c 10000 got | cmp - want'
stream 01000111 1624 16 500 'if (k % 8 == 3) for (i = 1; i <= 8; i++) s[i] = 1 - s[i]'
pipeline 'source.file: {path: sent, dtype: u1, frame: 0, piece: 16320}' 'frame.sync: {scheme: dvb, inverted: keep, confirm: 3}' \
    'sink.file: {path: got, dtype: packed, format: raw}' >dvb.yaml
run "$FECRUN" run --quiet dvb.yaml
same "dvb: packets keep their sync bytes, each eighth inverted" \
    "$(for i in 0 1 2 3 4 5 10 11 12; do tail -c +$((204 * i + 1)) got | head -c 1; done | od -An -v -tx1 | tr -d ' \n')" \
    474747b8474747b847

# ---- Slips, and words that never come ----
stream $asm 200 50 30 'if (k == 20) len -= 3'
run "$FECRUN" run --quiet sync.yaml
head -c $((200 * 20)) got >before
tail -c $((200 * 29)) frames >after
ok "three bits are lost: the frames before" sh -c 'head -c 4000 frames | cmp - before'
tail -c +$((200 * 21 + 1)) got | head -c $((200 * 29)) | cmp -s - after
tap_check $? "and those after it"
head -c 23200 /dev/zero >sent
run "$FECRUN" run sync.yaml
same "zeros: all frames fail" "$(awk '$3 == 100 { print $4 }' out)" 100
head -c 30 /dev/zero >sent
run "$FECRUN" run sync.yaml
is 0 "less than a word"
same "one that failed" "$(awk '$3 == 1 { print $4 }' out)" 1

# ---- Standards ----
for case in 'm17 1111111101011101 368' 'galileo-inav 0101100000 240' 'galileo-fnav 101101110000 488'; do
    set -- $case
    stream $2 $3 12 33
    sed "s/scheme: ccsds, frame: 200/scheme: $1, confirm: 2/" sync.yaml >named.yaml
    run "$FECRUN" run --quiet named.yaml $n.piece=$((4 * (${#2} + $3)))
    starts
    tap_check $? "$1"
done

# ---- What is refused ----
p='sync.yaml:4:.*frame.sync'
refuses 2 "$p: pieces of 2300 items are no whole periods of 232: write .piece: 2088." check sync.yaml $n.piece=2300
refuses 2 'pieces of 100 items are no whole periods of 232: write .piece: 232.' check sync.yaml $n.piece=100
refuses 2 'takes a stream' check sync.yaml $n.frame=16 $n.path=frames
refuses 2 'frame=9: m17 has frames of its own' check named.yaml $s.scheme=m17 $s.frame=9
refuses 2 'word=01: give one of scheme or word|scheme.*give one of scheme or word' check sync.yaml $s.word='"01"'
sed 's/scheme: ccsds, frame: 200/word: "01 1_2"/' sync.yaml >bad.yaml
refuses 2 'frame.sync.frame: missing' check bad.yaml
refuses 2 "bad.yaml:4:.*word: character 6, '2': only 0 and 1" check bad.yaml $s.frame=100
sed 's/scheme: ccsds/word: " "/' sync.yaml >bad.yaml
refuses 2 'bad.yaml:4:.*word: has no symbols' check bad.yaml
refuses 2 'tolerance=16: 16 of the 32 symbols of the word are half' check sync.yaml $s.tolerance=16
done_testing
