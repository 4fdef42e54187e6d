#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# crc.attach and crc.check by polynomial: check values of RevEng's catalogue, GSM's Fire code, the remainder, what is
# refused. CRCs by name: vectors.t.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

# CRC of the characters 123456789, in a catalogue. Reflected ones stand in the frame from their lowest byte on.
# crc WIDTH CHECK PARAMETERS NAME
crc() {
    width=$1 value=$2
    fill=$(((8 - width % 8) % 8))
    case $3 in
    *reflect*) want=$(echo "$value" | sed 's/../& /g' | awk '{ for (i = NF; i; i--) printf "%s", $i }') ;;
    *) want=$(printf "%0$(((width + fill) / 4))x" $((0x$value << fill))) ;;
    esac
    same "CRC-$1/$4" "$(raw_to_raw 313233343536373839 72 "crc.attach: {poly: $3, width: $1}")" "313233343536373839$want"
    unhex "313233343536373839$want" >coded
    pipeline "source.file: {path: coded, dtype: packed, frame: $((72 + width))}" \
        "crc.check: {poly: $3, width: $1}" 'sink.file: {path: message, dtype: packed}' >check.yaml
    same "and its check" "$(run_fields 'frames failed' check.yaml) $(hex <message)" "1 0 313233343536373839"
    { printf 2; tail -c +2 coded; } >spoiled
    same "and not with another bit" "$(run_fields 'frames failed' check.yaml --set source.file.path=spoiled)" "1 1"
}
crc 3 4 '3, xor: 7' GSM
crc 6 13 '0x2f, xor: 0x3f' GSM
crc 7 75 '0x09' MMC
crc 8 bc '0xd5' DVB-S2
crc 8 94 '0x49, xor: 0xff' GSM-B
crc 14 30ae '0x202d, xor: 0x3fff' GSM
crc 16 29b1 '0x1021, init: 0xffff' IBM-3740
crc 16 d64e '0x1021, init: 0xffff, xor: 0xffff' GENIBUS
crc 16 906e '0x1021, init: 0xffff, xor: 0xffff, reflect: true' IBM-SDLC
crc 16 4b37 '0x8005, init: 0xffff, reflect: true' MODBUS
crc 16 4b36 '0x8005, init: 0xffff, xor: 1, reflect: true' "MODBUS, and xor by its definition"
crc 16 772b '0x5935, init: 0xffff' M17
crc 24 21cf02 '0x864cfb, init: 0xb704ce' OPENPGP
crc 32 cbf43926 '0x04c11db7, init: 0xffffffff, xor: 0xffffffff, reflect: true' ISO-HDLC
crc 32 fc891918 '0x04c11db7, init: 0xffffffff, xor: 0xffffffff' BZIP2
crc 32 0376e6e7 '0x04c11db7, init: 0xffffffff' MPEG-2
crc 32 3010bf7f '0x814141ab' AIXM
crc 40 d4164fc646 '0x4820009, xor: 0xffffffffff' GSM

# ---- A named one by its polynomial, of all lengths, packed and one a byte ----
head -c 4000 /dev/urandom >noise
for bits in 1 7 8 63 64 65 1000 4097; do
    for dtype in packed u1; do
        pipeline "source.file: {path: noise, dtype: packed, frame: $bits, count: $bits}" 'crc.attach: {crc: 24c, ones: 24, mask: 77}' \
            "sink.file: {path: named, dtype: $dtype}" >named.yaml
        [ $((bits % 8)) = 0 ] || sed -i 's/path: noise, dtype: packed/path: u1, dtype: u1/' named.yaml
        tr '\000-\377' '\000\001' <noise | head -c 5000 >u1
        sed 's/crc: 24c/poly: 0xb2b117, width: 24/; s/path: named/path: general/' named.yaml >general.yaml
        run "$FECRUN" run --quiet named.yaml
        run "$FECRUN" run --quiet general.yaml
        [ -s named ] && cmp named general
        tap_check $? "24c by polynomial, $bits bits to $dtype"
    done
done
tr '\000-\377' '\000\001' <noise >u1
for bits in 8 64 72 4000; do
    pipeline "source.file: {path: u1, dtype: u1, frame: $bits, count: $bits}" \
        'crc.attach: {poly: 0x04c11db7, width: 32, init: 1, reflect: true}' 'sink.file: {path: bytes, dtype: u1}' >r.yaml
    sed 's/dtype: u1}/dtype: packed}/; s/path: bytes/path: packed/' r.yaml >s.yaml
    run "$FECRUN" run --quiet r.yaml
    run "$FECRUN" run --quiet s.yaml
    pipeline "source.file: {path: packed, dtype: packed, frame: $((bits + 32))}" 'sink.file: {path: again, dtype: u1}' >u.yaml
    run "$FECRUN" run --quiet u.yaml
    ok "reflected, $bits bits: the same packed" cmp bytes again
done

# ---- GSM: the Fire code of three blocks that libosmocore coded ----
pipeline "source.file: {path: $T_DATA/frame/gsm_xcch_bursts.i1, kind: llr, dtype: int8, frame: 456}" \
    'frame.deinterleave: {scheme: gsm-xcch}' 'viterbi.decode: {code: gsm_xcch}' \
    'crc.check: {poly: 0x4820009, width: 40, xor: 0xffffffffff}' 'sink.null: {}' >gsm.yaml
same "GSM's Fire code holds" "$(run_fields 'frames failed' gsm.yaml)" '3 0'
same "and not without its xor" "$(run_fields 'frames failed' gsm.yaml --set crc.check.xor=0)" '3 3'

# ---- The remainder: which mask? ----
pipeline 'source.random: {bits: 40}' 'crc.attach: {crc: 24c, ones: 24, mask: 0x1234}' \
    'crc.check: {crc: 24c, ones: 24}' 'sink.file: {id: rest, path: rest, from: crc.check.remainder, dtype: packed}' \
    'sink.errors: {from: crc.check}' >rest.yaml
echo 'stop: {frames: 3}' >>rest.yaml
same "a wrong mask fails" "$(run_fields 'frames failed' rest.yaml)" '3 3'
same "and is the remainder" "$(hex <rest)" 001234001234001234
same "which is 0 with the right one" \
    "$(run_fields 'frames failed' rest.yaml --set crc.check.mask=0x1234) $(hex <rest)" '3 0 000000000000000000'
sed 's/dtype: packed/dtype: u1/; s/crc: 24c, ones: 24/poly: 0x5, width: 5/g; s/0x1234/9/' rest.yaml >short.yaml
run "$FECRUN" run --quiet short.yaml
same "of five bits, one a byte" "$(hex <rest)" 000100000100010000010001000001

# ---- Both ends ----
pipeline 'source.random: {bits: 40}' 'crc.attach: {poly: 0x5935, width: 16, init: 0xffff}' 'crc.check: {}' \
    'sink.errors: {}' >ends.yaml
echo 'stop: {frames: 3}' >>ends.yaml
same "the check takes the polynomial over" "$(run_fields 'frames failed' ends.yaml)" '3 0'
refuses 2 'ends.yaml:5|crc.check.*poly.*0x1021.*0x5935|init=0' check ends.yaml --set crc.check.init=0

# ---- What is refused ----
pipeline 'source.random: {bits: 41}' 'crc.attach: {}' 'sink.null: {}' >bad.yaml
echo 'stop: {frames: 3}' >>bad.yaml
a='--set crc.attach'
refuses 2 'bad.yaml:4:.*crc.attach: give one of crc or poly' check bad.yaml
refuses 2 'give one of crc or poly' check bad.yaml $a.crc=16 $a.poly=5 $a.width=8
refuses 2 'crc.attach.width: missing: bits of the parity' check bad.yaml $a.poly=5
refuses 2 'poly=256: 0x100 is wider than 8 bits' check bad.yaml $a.poly=256 $a.width=8
refuses 2 'init=256: 0x100 is wider than 8 bits' check bad.yaml $a.poly=5 $a.width=8 $a.init=256
refuses 2 'xor=256: 0x100 is wider than 8 bits' check bad.yaml $a.poly=5 $a.width=8 $a.xor=256
refuses 2 'mask=256: 0x100 is wider than the parity' check bad.yaml $a.poly=5 $a.width=8 $a.mask=256
refuses 2 'width=64' check bad.yaml $a.poly=5 $a.width=64
refuses 2 'width=9: must be a multiple of 8 with .reflect: true' check bad.yaml $a.poly=5 $a.width=9 $a.reflect=true
refuses 2 'reflect=true: frames of 41 bits are no whole bytes' check bad.yaml $a.poly=5 $a.width=8 $a.reflect=true
refuses 2 'init=1: is of poly: a CRC by name has its own' check bad.yaml $a.crc=16 $a.init=1
sed 's/crc.attach: {}/crc.check: {poly: 5, width: 60}/' bad.yaml >room.yaml
refuses 2 'frames of 41 bits have no room for a message and 60 parity bits' check room.yaml

# ---- Bits of the parity with an unknown mask ----
pipeline 'source.file: {path: u1, dtype: u1, frame: 40, count: 400}' 'crc.attach: {crc: 24c, mask: 0xa5a5}' \
    'crc.check: {crc: 24c, unknown: 16}' 'sink.null: {}' >unknown.yaml
same "24c, 16 unknown bits: any mask of 16" "$(run_fields 'frames failed' unknown.yaml)" "10 0"
same "but not of 17" "$(run_fields 'frames failed' unknown.yaml --set crc.attach.mask=0x1a5a5)" "10 10"
same "nor with 15 unknown ones" "$(run_fields 'frames failed' unknown.yaml --set crc.check.unknown=15)" "10 10"
refuses 2 'unknown=24: must be less than the 24 bits of the parity' check unknown.yaml --set crc.check.unknown=24
done_testing
