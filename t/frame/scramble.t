#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.scramble and frame.descramble: sequences of standards by published values and by their definition, all types,
# pieces of streams; bits.hard; what is refused.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

head -c 200000 /dev/zero >zeros
pipeline 'source.file: {path: zeros, dtype: packed, frame: 4096, count: 8192}' 'frame.scramble: {scheme: ccsds}' \
    'sink.file: {path: out, dtype: packed}' >p.yaml
s='--set frame.scramble' n='--set source.file'
# sequence BYTES OPTION...: that many bytes of it, as hexadecimal
sequence() {
    bytes=$1
    shift
    rm -f out
    run "$FECRUN" run --quiet p.yaml "$@"
    head -c "$bytes" out | hex
}
# as_bits: of hexadecimal
as_bits() {
    awk '{ for (i = 1; i <= length($0); i++) {
            x = index("0123456789abcdef", substr($0, i, 1)) - 1
            printf "%d%d%d%d", (x >= 8), (x % 8 >= 4), (x % 4 >= 2), x % 2 } }'
}

# ---- Standards ----
# CCSDS 131.0-B 10.4.1, as SatDump and suo have it
ccsds=ff480ec09a0d70bc8e2c93ada7b746ce5a977dcc32a2bf3e0a10f18894cdeab1
same "ccsds" "$(sequence 32)" $ccsds
same "each frame begins with it" "$(tail -c 512 out | head -c 32 | hex)" $ccsds
same "it goes round in 255 bits" "$(sequence 287 | tail -c 66 | head -c 66)" "58$ccsds"
same "by its polynomial" \
    "$(sed 's/scheme: ccsds/polynomial: [8, 5, 3, 1], seed: 255, output: register/' p.yaml >q.yaml
        run "$FECRUN" run --quiet q.yaml && head -c 32 out | hex)" $ccsds
# EN 300 421 4.4.1 as the tests of gr-dvb have it: fed to the first packet behind its sync byte
prbs=03f6083430b8a393c968b773b329aaf5fe3c04881b305aa1dfc4c09a835f0bc2388c932b6afb7e1b045a19dc54c9fab4
same "dvb: the first sync byte is inverted" "$(sequence 49 $s.scheme=dvb $n.frame=12032 $n.count=12032)" "ff$prbs"
cp out dvb
same "dvb-s2: the same from the first bit on" "$(sequence 48 $s.scheme=dvb-s2 $n.frame=12032 $n.count=12032)" $prbs
same "the register runs on under the sync bytes" \
    "$(for i in 1 187 189 375 377 1503; do tail -c +$((i + 1)) dvb | head -c 1; done | hex)" \
    "$(for i in 0 186 188 374 376 1502; do tail -c +$((i + 1)) out | head -c 1; done | hex)"
same "which stay" "$(for i in 1 2 3 4 5 6 7; do tail -c +$((188 * i + 1)) dvb | head -c 1; done | hex)" 00000000000000
printf 'G%187s' '' >packet
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat packet; done >ts
same "a transport stream gets 0xb8 in each eighth packet" \
    "$(sequence 3008 $s.scheme=dvb $n.path=ts $n.frame=0 $n.count=24064 >list
        for i in 0 1 7 8 9 15; do tail -c +$((188 * i + 1)) out | head -c 1; done | hex)" b84747b84747
# IEEE 802.11-2020 17.3.5.5, and tables I-13 and I-15
wifi=00001110111100101100100100000010001001100010111010110110000011001101010011100111101101000010101011111010010100011011100011111110
same "wifi, all ones" "$(sequence 16 $s.scheme=wifi $s.seed=127 | as_bits)" $wifi
same "wifi: seed 64 is x7" "$(sequence 1 $s.scheme=wifi $s.seed=64 | as_bits | head -c 4)" 1000
same "seed 1 is x1" "$(sequence 1 $s.scheme=wifi $s.seed=1 | as_bits | head -c 4)" 0001
sent=011011000001100110001001100011110110100000100001111101001010010101100001010011111101011110101110001001000000110011110011001110101110010010111100
data=000000000000000000100000010000000000000001110100000000000000011000010000101100111110110001100101000000000000010001101011100000000011110010001111
printf %s $data | tr 01 '\000\001' >service
pipeline 'source.file: {path: service, dtype: u1, frame: 144}' 'frame.scramble: {scheme: wifi, seed: 0b1011101}' \
    'sink.file: {path: out, dtype: u1}' >wifi.yaml
run "$FECRUN" run --quiet wifi.yaml
same "the example's first 144 bits" "$(tr '\000\001' 01 <out)" $sent
# the table of the M17 specification
same "m17" "$(sequence 46 $s.scheme=m17 $n.frame=368 $n.count=736)" \
    d6b5e23082ff8462ba4e9690d898dd5d0cc85243911df86e682f35da14eacd76198dd580d133871357182d2978c3
# EN 300 401 clause 10
sed 's/scheme: ccsds/polynomial: [9, 5], seed: 0b111111111/' p.yaml >q.yaml
run "$FECRUN" run --quiet q.yaml
same "DAB's energy dispersal, by polynomial" "$(head -c 2 out | hex | as_bits)" 0000011110111110
# TS 38.211 5.2.1 by its definition
gold() { awk -v c="$1" 'BEGIN {
    for (n = 0; n < 31; n++) { x1[n] = n == 0; x2[n] = c % 2; c = int(c / 2) }
    for (n = 0; n < 1600 + 400; n++) {
        x1[n + 31] = (x1[n + 3] + x1[n]) % 2
        x2[n + 31] = (x2[n + 3] + x2[n + 2] + x2[n + 1] + x2[n]) % 2
    }
    for (n = 0; n < 400; n++) printf "%d", (x1[n + 1600] + x2[n + 1600]) % 2 }'; }
for seed in 1 4660 2147483647; do
    same "nr, c_init $seed" "$(sequence 50 $s.scheme=nr $s.seed=$seed | as_bits)" "$(gold $seed)"
done
# The first sequence alone: its state before bit 1600, which many implementations have as a constant.
same "nr, c_init 0" "$(sequence 4 $s.scheme=nr $s.seed=0 | as_bits)" "$(awk 'BEGIN {
    x = 1423055652 # 0x54d21b24, bit 0 is x1(1569)
    for (n = 0; n < 31; n++) { b[n] = x % 2; x = int(x / 2) }
    for (n = 31; n < 63; n++) { b[n] = (b[n - 31] + b[n - 28]) % 2; printf "%d", b[n] } }')"

# ---- LLRs: the sign ----
pipeline 'source.file: {path: in, kind: llr, dtype: int8, frame: 8}' 'frame.scramble: {polynomial: [3, 2], seed: 0b111}' \
    'sink.file: {path: out, dtype: f4, format: raw}' >llr.yaml
signs() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$2" >in
    run "$FECRUN" run --quiet llr.yaml $n.dtype=$1
    same "$1" "$(od -An -v -tf4 -w4 out | awk '{ printf "%s ", $1 }')" "$3 "
}
# the sequence is 00101110
signs int8 '\001\002\003\200\200\177\000\201' '1 2 -3 -127 127 -127 0 -127'
signs int4 '\022\070\212\150' '1 2 -3 -7 7 6 -6 -7'
signs int16 '\001\000\002\000\003\000\000\200\000\200\377\177\000\000\001\200' '1 2 -3 -32767 32767 -32767 0 -32767'
signs float16 '\000\074\000\100\000\102\000\304\000\304\000\074\000\000\000\300' '1 2 -3 -4 4 -1 0 -2'
signs float32 '\000\000\200\077\000\000\000\100\000\000\100\100\000\000\200\300\000\000\200\300\000\000\200\077\000\000\000\000\000\000\000\300' \
    '1 2 -3 -4 4 -1 0 -2'

# ---- Streams: any pieces; first and restart ----
head -c 30000 /dev/urandom >noise
pipeline 'source.file: {path: noise, dtype: packed, frame: 0, count: 200000}' 'frame.scramble: {scheme: wifi, seed: 5}' \
    'sink.file: {id: there, path: there, dtype: packed}' 'frame.descramble: {from: frame.scramble}' \
    'sink.file: {path: back, dtype: packed}' >stream.yaml
for piece in 200000 1000 96 1016; do
    for options in '--set batch=1' '--set batch=7 --threads 2'; do
        # shellcheck disable=SC2086 # several words
        run "$FECRUN" run --quiet stream.yaml $n.piece=$piece $options
        [ -e whole ] || cp there whole
        ok "pieces of $piece, $options" cmp there whole
        ok "and back" sh -c 'head -c 25000 noise | cmp - back'
    done
done
tr '\000-\377' '\000\001' <noise >u1
sed 's/path: noise, dtype: packed, frame: 0, count: 200000/path: u1, dtype: u1, frame: 0/; s/dtype: packed/dtype: u1/g' \
    stream.yaml >odd.yaml
run "$FECRUN" run --quiet odd.yaml
cp there whole
for piece in 1 7 97 1001; do
    run "$FECRUN" run --quiet odd.yaml $n.piece=$piece
    ok "pieces of $piece" cmp there whole
done
run "$FECRUN" run --quiet odd.yaml $s.first=100
tail -c +101 whole >later
same "first: the sequence from there on" \
    "$(run "$FECRUN" run --quiet odd.yaml $n.path=zeros && tail -c +101 there | head -c 127 | cksum)" \
    "$(run "$FECRUN" run --quiet odd.yaml $n.path=zeros $s.first=100 && head -c 127 there | cksum)"
run "$FECRUN" run --quiet odd.yaml $n.path=zeros $s.restart=50 $n.piece=33
ok "restart" [ "$(head -c 50 there | cksum)" = "$(tail -c +51 there | head -c 50 | cksum)" ]
run "$FECRUN" explain odd.yaml
prints 'the sequence begins anew every 127 items' "explain shows the round"

# ---- Both ends ----
pipeline 'source.random: {bits: 300}' 'frame.scramble: {scheme: wifi, seed: 5}' 'modem.map: {scheme: bpsk}' \
    'modem.demap: {esn0_db: 5}' 'frame.descramble: {}' 'bits.hard: {}' 'sink.errors: {}' >ends.yaml
echo 'stop: {frames: 20}' >>ends.yaml
same "the receiver takes the sequence over" "$(run_fields 'frames bit_errors' ends.yaml)" '20 0'
refuses 2 'frame.descramble.seed: 6, but frame.scramble .line 4. has 5|seed is 6|seed=6: .*5' check ends.yaml \
    --set frame.descramble.seed=6 --set frame.descramble.scheme=wifi

# ---- bits.hard ----
pipeline 'source.file: {path: in, kind: llr, dtype: float32, frame: 9}' 'bits.hard: {}' \
    'sink.file: {path: out, dtype: u1, format: raw}' >hard.yaml
# hard TYPE BYTES BITS
hard() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$2" >in
    for out in u1 packed; do
        run "$FECRUN" run --quiet hard.yaml $n.dtype=$1 --set sink.file.dtype=$out
        [ $out = u1 ] && got=$(tr '\000\001' 01 <out) || got=$(hex <out | as_bits | head -c 9)
        same "bits.hard: $1 to $out" "$got" $3
    done
}
hard float32 '\000\000\200\077\000\000\200\277\000\000\000\000\000\000\000\200\000\000\300\177\000\000\300\377\000\000\200\377\000\000\200\177\001\000\000\200' 010000101
hard float16 '\000\074\000\274\000\000\000\200\000\176\000\376\000\374\000\174\001\200' 010000101
hard int16 '\001\000\377\377\000\000\000\200\377\177\000\377\000\001\200\000\200\377' 010101001
hard int8 '\001\377\000\200\177\201\002\376\200' 010101011
hard int4 '\037\010\167\217\220' 010100111

# ---- What is refused ----
pipeline 'source.random: {bits: 300}' 'frame.scramble: {}' 'sink.null: {}' >bad.yaml
echo 'stop: {frames: 2}' >>bad.yaml
refuses 2 'bad.yaml:4:.*frame.scramble: give one of scheme or polynomial' check bad.yaml
refuses 2 'give one of scheme or polynomial' check bad.yaml $s.scheme=ccsds $s.polynomial='[3, 2]'
refuses 2 'frame.scramble.seed: missing: the register' check bad.yaml $s.polynomial='[3, 2]'
refuses 2 'seed=8: is 8: 1 to 7 are states of 3 stages' check bad.yaml $s.polynomial='[3, 2]' $s.seed=8
refuses 2 'seed=0: is 0: 1 to 7 are states' check bad.yaml $s.polynomial='[3, 2]' $s.seed=0
refuses 2 'polynomial=.*: has 3 twice' check bad.yaml $s.polynomial='[3, 3]' $s.seed=1
refuses 2 'polynomial=.*33' check bad.yaml $s.polynomial='[33, 3]' $s.seed=1
refuses 2 'seed: missing: wifi has one, 1 to 127' check bad.yaml $s.scheme=wifi
refuses 2 'seed=128: is 128: wifi takes 1 to 127' check bad.yaml $s.scheme=wifi $s.seed=128
refuses 2 'seed=2147483648: is 2147483648: nr takes 0 to 2147483647' check bad.yaml $s.scheme=nr $s.seed=2147483648
refuses 2 'seed=1: ccsds has a seed of its own' check bad.yaml $s.scheme=ccsds $s.seed=1
refuses 2 'frames of 300 items are no multiple of 368, the items of a round of m17' check bad.yaml $s.scheme=m17
refuses 2 'restart=9: dvb begins anew every 12032 items by itself' check bad.yaml $s.scheme=dvb $s.restart=9
refuses 2 'first=9: is of streams' check bad.yaml $s.scheme=ccsds $s.first=9
refuses 2 'first=127: is 127: 0 to 126 are places' check odd.yaml $s.first=127
sed 's/scheme: wifi, seed: 5/scheme: nr, seed: 5/' odd.yaml >nr.yaml
refuses 2 'frame.scramble.restart: missing: a stream needs it' check nr.yaml
run "$FECRUN" check nr.yaml $s.restart=1000
is 0 "with it there is a sequence"

# ---- Payloads of 5G NR's broadcast channel: pbch_nr_scramble() of srsRAN_4G at 1fab3df86, cell 713, all four sequences ----
# pbch SCHEME: what becomes of the payloads in `in`, in hexadecimal.
pbch() {
    pipeline 'source.file: {path: in, dtype: packed, frame: 32}' "frame.scramble: {scheme: $1, seed: 713}" \
        'sink.file: {path: out, dtype: packed, format: raw}' >pbch.yaml
    run "$FECRUN" run --quiet pbch.yaml
    od -An -v -tx1 -w4 out | tr -d ' ' | tr '\n' ' '
}
printf '\211\237\274\030\224\313\056\273\136\062\224\063\317\102\234\230' >in
same "nr-pbch-64" "$(pbch nr-pbch-64)" 'c8002f25 d4a92ab8 561fb87c 8fd018ce '
same "nr-pbch" "$(pbch nr-pbch)" 'd1632774 a44a2fea 6a6baa17 9f0849bb '
cp out in
same "and back" "$(pbch nr-pbch)" '899fbc18 94cb2ebb 5e329433 cf429c98 '
sed 's/frame: 32/frame: 64/' pbch.yaml >bad.yaml
refuses 2 'frame.scramble.scheme: nr-pbch takes frames of 32 bits' check bad.yaml
sed 's/713/1008/' pbch.yaml >bad.yaml
refuses 2 'frame.scramble.seed: is 1008: nr-pbch takes 0 to 1007' check bad.yaml
sed 's/seed: 713/&, restart: 32/' pbch.yaml >bad.yaml
refuses 2 'frame.scramble.restart: nr-pbch has a sequence for each frame' check bad.yaml
done_testing
