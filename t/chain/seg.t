#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Transport blocks in pipelines: vectors, error rates of frames and of their blocks, what is refused.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# ---- One block: the parities of the vectors ----

# vector MSG CODED SPLIT FILLERS: are CODED's frames, behind fillers, what seg.split makes of MSG's?
payload() { tail -c "+$(($(od -An -j8 -N2 -tu2 "$1") + 11))" "$1"; }
vector() {
    pipeline "source.file: {path: $T_DATA/crc/$1.npy, kind: bits}" "seg.split: {$3}" \
        "sink.file: {path: out.npy}" >vector.yaml
    run "$FECRUN" run vector.yaml --quiet
    frames=4 items=$(($(payload "$T_DATA/crc/$2.npy" | wc -c) / 4))
    payload out.npy | od -An -v -tu1 -w$((items + $4)) | tr -d ' ' | cut -c$(($4 + 1))- >got
    payload "$T_DATA/crc/$2.npy" | od -An -v -tu1 -w$items | tr -d ' ' >want
    [ "$status" = 0 ] && [ -s want ] && cmp got want
    tap_check $? "$3: $1 with the parity of $2"
}
for n in 12 40 64 101 1000; do
    vector msg_n$n crc16_n$n 'code: nr, bg: 2' 0
done
vector msg_n6120 crc24a_n6120 'code: nr, rate: 0.5' 0
for n in 12:4 40:0 64:0 101:3 1000:0 6120:0; do
    vector msg_n${n%:*} crc24a_n${n%:*} 'code: lte' ${n#*:}
done

# ---- Many blocks, without noise ----

for a in '1064 code: nr, bg: 1' '20496 code: nr, rate: 0.2' '100392 code: nr, rate: 0.75' \
    '75376 code: lte'; do
    pipeline "source.random: {bits: ${a%% *}}" "seg.split: {${a#* }}" 'seg.join: {}' \
        'sink.errors: {}' >plain.yaml
    same "$a: all come back" "$(run_fields 'frames bit_errors failed undetected' plain.yaml \
        --set stop.frames=9)" '9 0 0 0'
done

# ---- Noise: BLER and the frames' error rate ----

# chain STAGE...: what follows the decoder.
chain() {
    printf 'seed: 4\n'
    pipeline 'source.random: {bits: 20496}' 'seg.split: {code: nr, rate: 0.75}' \
        'ldpc.encode: {code: nr, bg: 1, z: 320, fillers: 176}' \
        'ldpc.rate_match: {bg: 1, z: 320, fillers: 176, e: 9156, qm: 6}' \
        'modem.map: {scheme: 64qam}' 'channel.awgn: {ebn0_db: 8.8}' 'modem.demap: {}' \
        'llr.quantize: {type: i8, scale: 8}' \
        'ldpc.rate_recover: {bg: 1, z: 320, fillers: 176, qm: 6}' \
        'ldpc.decode: {code: nr, bg: 1, z: 320, fillers: 176}' "$@"
}
chain 'seg.join: {}' 'sink.errors: {}' >joined.yaml
chain 'sink.errors: {reference: seg.split}' >blocks.yaml
chain 'seg.join: {}' 'sink.errors: {}' | sed 's/ebn0_db: 8.8/ebn0_db: 30/' >quiet.yaml

counts='frames frame_errors blocks block_errors'
same "no noise to speak of" "$(run_fields "$counts" quiet.yaml --set stop.frames=20)" '20 0 60 0'
all=$(run_fields "$counts" joined.yaml --set stop.frames=60)
echo "$all" | awk '{ bad = !($1 == 60 && $3 == 180 && $2 > 0 && $2 < 60 && $4 > $2 && $4 < 3 * $2) }
    END { exit bad }'
tap_check $? "some blocks are lost, and more of them than frames: $all"
same "blocks counted bit by bit are those whose parity fails" \
    "$(run_fields "$counts" blocks.yaml --set stop.frames=60)" "$all"
for how in '--threads 1 --set batch=1' '--threads 3 --set batch=7' '--threads 2 --set batch=64'; do
    same "the same with $how" "$(run_fields "$counts" joined.yaml --set stop.frames=60 $how)" "$all"
done
first=$(run_fields 'frames frame_errors stop' joined.yaml --set stop.frame_errors=5)
same "stop rules count frames" "${first#* }" '5 frame_errors'
same "wherever batches end" \
    "$(run_fields 'frames frame_errors stop' joined.yaml --set stop.frame_errors=5 \
        --set batch=3)" "$first"

# Eb/N0 is that of the whole frame, at the blocks and behind them.
same "Eb/N0" "$(run_fields ebn0_db joined.yaml --set stop.frames=1 | awk '{ printf "%.6f", $1 }')" \
    8.800000
run "$FECRUN" explain joined.yaml
prints 'out +3 x 6864 bits' "explain shows the blocks of a frame"
prints '3 code blocks of K. = 6864 bits: bg 1, z 320, 176 fillers' "and what they are made of"
run "$FECRUN" run joined.yaml --set stop.frames=2
prints 'blocks +block errors +BLER' "the table has them"
run "$FECRUN" run joined.yaml --quiet --set stop.frames=2 --csv counts.csv
ok "and the CSV" grep -q 'block_errors' counts.csv
pipeline 'source.random: {bits: 64}' 'sink.errors: {}' >none.yaml
run "$FECRUN" run none.yaml --quiet --set stop.frames=2 --json none.json
ok "a run without them has not" sh -c '! grep -q bler none.json'

# ---- bg, z and fillers that nobody writes ----

sed 's/ldpc.encode: {.*}/ldpc.encode: {code: nr}/
     s/bg: 1, z: 320, fillers: 176, e: 9156/e: 9156/
     s/ldpc.rate_recover: {.*}/ldpc.rate_recover: {}/; s/ldpc.decode: {.*}/ldpc.decode: {}/' joined.yaml >short.yaml
ok "short.yaml writes no z" sh -c '! grep -q "z:" short.yaml'
same "seg.split says what the code blocks are" "$(run_fields "$counts" short.yaml --set stop.frames=60)" "$all"
run "$FECRUN" explain short.yaml
prints 'bg 1, z 320, 176 fillers from seg.split; K = 7040' "explain says where they come from"
sed 's/ldpc.encode: {code: nr}/ldpc.encode: {code: nr, bg: 1, z: 320, fillers: 176}/' short.yaml >encoder.yaml
same "or the encoder" "$(run_fields "$counts" encoder.yaml --set stop.frames=60)" "$all"
sed 's/ldpc.encode: {code: nr}/ldpc.encode: {code: nr, bg: 1, z: 320}/' short.yaml >some.yaml
same "or both" "$(run_fields "$counts" some.yaml --set stop.frames=60)" "$all"
same "another code with as many bits is the user's to write" "$(run_fields 'frames bit_errors' short.yaml \
    --set channel.awgn.ebn0_db=30 --set ldpc.encode.z=352 --set ldpc.encode.bg=1 --set ldpc.encode.fillers=880 \
    --set stop.frames=4)" '4 0'
for bits in 320 3824 3848 8424; do # base graph 2, the most bits of one with CRC 16, CRC 24, the most of one block
    sed 's/e: 9156/rate: 0.3/; s/rate: 0.75/rate: 0.3/' short.yaml >swept.yaml
    same "$bits bits" "$(run_fields 'frames bit_errors failed' swept.yaml --set source.random.bits=$bits \
        --set stop.frames=4 --set channel.awgn.ebn0_db=30)" '4 0 0'
done
cat >classes.yaml <<'END'
fecrun: 1
blocks:
  - {count: 3, bits: 20496}
  - {count: 2, bits: 1000}
END
sed '/^fecrun/d; /^seed/d; s/{bits: 20496}/{}/; s/e: 9156/rate: 0.5/; s/ebn0_db: 8.8/ebn0_db: 30/' short.yaml >>classes.yaml
same "classes of blocks" "$(run_fields 'frames bit_errors failed' classes.yaml --set stop.frames=10)" '10 0 0'
pipeline 'source.random: {bits: 492}' 'seg.split: {code: nr, bg: 1}' 'seg.join: {}' \
    'ldpc.encode: {code: nr}' 'sink.null: {}' >behind.yaml
refuses 2 'ldpc.encode.bg: missing: code: nr needs it' check behind.yaml
refuses 2 'ldpc.encode.z(=384)?: is 384, but seg.split has 320; write bg, z and fillers here, or none' \
    check short.yaml --set ldpc.encode.z=384
refuses 2 'ldpc.decode.bg(=2)?: is 2, but seg.split has 1' check short.yaml --set ldpc.decode.bg=2
refuses 2 'ldpc.rate_recover.fillers(=7)?: is 7, but seg.split has 176' check short.yaml --set ldpc.rate_recover.fillers=7
pipeline 'source.random: {bits: 632}' 'seg.split: {code: nr, bg: 2}' 'ldpc.encode: {code: wifi, n: 1296, rate: 1/2}' \
    'sink.null: {}' >other.yaml
run "$FECRUN" check other.yaml
is 0 "other codes take nothing of seg.split"

# ---- Frames of different sizes in one batch ----

cat >rows.yaml <<'END'
fecrun: 1
seed: 3
blocks:
  - {cell: a, user: x, count: 3, bits: 20496}
  - {cell: a, user: y, count: 2, bits: 1000}
  - {cell: b, user: z, count: 1, bits: 100392}
pipeline:
  - source.random: {}
  - seg.split: {code: nr, bg: 1}
  - seg.join: {}
  - sink.errors: {}
stop: {frames: 24}
END
same "rows of blocks" "$(run_fields 'frames bit_errors failed blocks block_errors' rows.yaml)" \
    '24 0 0 92 0'

# ---- What is refused ----

split() { # BITS PARAMETERS [STAGE...]
    bits=$1 params=$2
    shift 2
    [ $# != 0 ] || set -- 'seg.join: {}'
    pipeline "source.random: {bits: $bits}" "seg.split: {$params}" "$@" 'sink.errors: {}' >bad.yaml
}
place='^fecrun: bad.yaml:[0-9]+:[0-9]+: '
split 100000 'code: nr, bg: 1'
refuses 2 "${place}seg.split.a: 100000 bits .* do not divide into 12 code blocks; .*: 99996 and 100008 are" \
    check bad.yaml
split 10000 'code: lte'
refuses 2 "${place}seg.split.a: 10000 bits .* make [0-9]+ blocks of [0-9]+ bits, .*nearest" check bad.yaml
split 1000 'code: nr'
refuses 2 "${place}seg.split.bg: give either bg or rate" check bad.yaml
split 1000 'code: nr, bg: 1, rate: 0.5'
refuses 2 "${place}seg.split.rate: give either bg or rate, not both" check bad.yaml
split 1000 'code: lte, bg: 1'
refuses 2 "${place}seg.split.bg: is of .code: nr. only" check bad.yaml
split 1000 'code: umts'
refuses 2 "${place}seg.split.code: .*nr.*lte" check bad.yaml
split 1000 'code: lte, a: 999'
refuses 2 "${place}seg.split.a: is 999, but 1000 bits" check bad.yaml
split 20496 'code: nr, bg: 1' 'seg.join: {a: 20496, code: nr, bg: 2}'
refuses 2 "${place}seg.join.bg: .*(2, but seg.split|line)" check bad.yaml
split 20496 'code: nr, bg: 1' 'seg.join: {a: 20488}'
refuses 2 "${place}seg.join.a: .*20488, but seg.split" check bad.yaml
split 20496 'code: nr, bg: 1' 'sink.errors: {}'
sed -i '$d' bad.yaml
refuses 2 "${place}sink.errors: input .reference. has 1 frames? .*, and .in. has 3" check bad.yaml
split 400 'code: nr-uci'
refuses 2 "${place}seg.split.g: missing: code: nr-uci needs it" check bad.yaml
split 11 'code: nr-uci, g: 100'
refuses 2 "${place}seg.split.a: 11 bits have no parity: less than 12 go to the code of small" check bad.yaml
split 400 'code: nr, bg: 1, g: 100'
refuses 2 "${place}seg.split.g: is of .code: nr-uci. only" check bad.yaml
split 400 'code: nr-uci, g: 1200' 'seg.join: {code: nr-uci, g: 1087}'
refuses 2 "${place}seg.join.g: is 1087, but seg.split upstream has 1200" check bad.yaml
split 400 'code: nr-uci, g: 1200' 'seg.join: {code: lte}'
refuses 2 "${place}seg.join.code: seg.split upstream has another one" check bad.yaml
split 20496 'code: nr, bg: 1' 'seg.join: {bg: 2}'
refuses 2 "${place}seg.join.bg: needs .code. beside it" check bad.yaml
split 20496 'code: nr, bg: 1' 'seg.join: {code: nr}'
run "$FECRUN" check bad.yaml
is 0 "what seg.split said may be said again"
pipeline 'source.random: {bits: 1000}' 'seg.join: {}' 'sink.null: {}' >bad.yaml
refuses 2 "${place}seg.join.a: is needed" check bad.yaml
pipeline 'source.random: {bits: 1000, stream: true}' 'seg.split: {code: lte}' 'seg.join: {}' \
    'sink.errors: {}' >bad.yaml
refuses 2 "${place}seg.split: .*stream" check bad.yaml
done_testing
