#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# frame.interleave and frame.deinterleave: orders of standards by values of others, delays by their formula, all
# types, pieces and batches, tables in files, what is refused.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

data=$T_DATA/frame
# numbers N: 0 to N-1 as i2
numbers() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$(awk -v n="$1" 'BEGIN { while (i < n) { printf "\\%03o\\%03o", i % 256, i / 256; i++ } }')"
}
# bits 0110...: a byte each
bits() { printf %s "$1" | tr 01 '\000\001'; }
digits() { tr '\000\001' 01 <"$1"; }
# order N PARAMETERS: which item comes to each place, of a frame of N
order() {
    numbers "$1" >in.i2
    pipeline "source.file: {path: in.i2, kind: llr, dtype: int16, frame: $1}" "frame.interleave: {$2}" \
        'sink.file: {path: out.i2, dtype: i2}' >order.yaml
    run "$FECRUN" run --quiet order.yaml
    od -An -v -td2 -w2 out.i2 | awk '{ printf "%s%s", n++ ? " " : "", $1 }'
}

# ---- IEEE 802.11-2020 annex I.1: table I-8 to I-9, I-16 (the first symbol) to I-21 ----
# wifi BITS SENT CODED
wifi() {
    bits "$3" >coded
    n=${#3}
    pipeline "source.file: {path: coded, dtype: u1, frame: $n}" "frame.interleave: {scheme: wifi, bits: $1}" \
        'sink.file: {path: sent, dtype: u1}' >wifi.yaml
    run "$FECRUN" run --quiet wifi.yaml
    same "wifi, $1 bits of a subcarrier" "$(digits sent)" "$2"
}
wifi 1 100101001101000000010100100000110010010010010100 110100011010000100000010001111100111000000000000
wifi 4 "011101111111000011101111110001000111001100000000101111110001000100010000$(:
    )100110100001110100010010011011100011100011110101011010010001101101101011$(:
    )100110000100001100000000000011011011001101101101" \
    "001010110000100010100001111100001001110110110101100110100001110101001010$(:
    )111110111110100011000010100011111100000011001000011100111100000001000011$(:
    )111000000001100111100000110100111110101110110010"

# ---- Galileo: pages that the tests of GNSS-SDR decode, positive for 1 ----
pipeline "source.file: {path: $data/galileo_fnav.i1, kind: llr, dtype: int8, frame: 488, invert: true}" \
    'frame.deinterleave: {scheme: galileo-fnav}' \
    'viterbi.decode: {constraint_length: 7, generators: [0o171, 0o133], inverted: [0, 1]}' \
    'crc.check: {crc: 24a}' 'sink.null: {}' >galileo.yaml
same "galileo-fnav: its CRC holds" "$(run_fields 'frames failed' galileo.yaml)" '1 0'
sed 's/scheme: galileo-fnav/rows: 8, columns: 61/' galileo.yaml >other.yaml
same "galileo-fnav: not with rows for columns" "$(run_fields 'frames failed' other.yaml)" '1 1'
pipeline "source.file: {path: $data/galileo_inav.i1, kind: llr, dtype: int8, frame: 240, invert: true}" \
    'frame.deinterleave: {scheme: galileo}' \
    'viterbi.decode: {constraint_length: 7, generators: [0o171, 0o133], inverted: [0, 1]}' \
    'sink.file: {path: parts, dtype: u1}' >inav.yaml
run "$FECRUN" run --quiet inav.yaml
head -c 220 parts >page # of both parts of the page: 114 bits, and 82 with their parity
pipeline 'source.file: {path: page, dtype: u1, frame: 220}' 'crc.check: {crc: 24a}' 'sink.null: {}' >page.yaml
same "galileo (I/NAV): the CRC of a page holds" "$(run_fields 'frames failed' page.yaml)" '1 0'

# ---- GSM: blocks that the tests of libosmocore code ----
pipeline "source.file: {path: $data/gsm_xcch_bursts.i1, kind: llr, dtype: int8, frame: 456}" \
    'frame.deinterleave: {scheme: gsm-xcch}' 'sink.file: {id: soft, path: soft, dtype: i1}' \
    'viterbi.decode: {from: frame.deinterleave, code: gsm_xcch}' 'sink.file: {path: decoded, dtype: packed}' >gsm.yaml
run "$FECRUN" run --quiet gsm.yaml
pipeline 'source.file: {path: decoded, dtype: packed, frame: 224}' 'conv.encode: {code: gsm_xcch}' \
    'sink.file: {path: again, dtype: u1}' >again.yaml
run "$FECRUN" run --quiet again.yaml
LC_ALL=C tr '\177\201' '\000\001' <soft >blocks
ok "gsm-xcch: all bits of three blocks are those of a code word" cmp again blocks
same "gsm-xcch: of these messages" \
    "$(for i in 1 29 57; do tail -c +$i decoded | head -c 23; done | hex)" "$(hex <$data/gsm_xcch_msg.bin)"

# ---- M17: the first 20 of the table that libm17's tests have ----
same "m17" "$(order 368 'scheme: m17' | cut -d ' ' -f 1-20)" \
    '0 137 90 227 180 317 270 39 360 129 82 219 172 309 262 31 352 121 74 211'

# ---- DVB-T: the first carriers H(q) of EN 300 744 4.3.4.2, as airspy_tv's tests have them ----
# dvbt MODE CARRIERS BITS H...: where bits 0 and 1 of the first symbols come from
dvbt() {
    mode=$1 carriers=$2 v=$3
    shift 3
    order $((2 * carriers * v)) "scheme: dvb-t, mode: $mode, bits: $v" >list
    echo "$@" | tr ' ' '\n' | awk -v n="$carriers" -v v="$v" '
        function bit(w, e) { # 4.3.4.1: which input bit is bit e of symbol w
            split("0 63 105 42 21 84", shift)
            w = w - w % 126 + (w % 126 + shift[e + 1]) % 126
            return w * v + (e % 2) * v / 2 + int(e / 2)
        }
        NR == FNR { for (i = 1; i <= NF; i++) from[i - 1] = $i; next }
        { for (e = 0; e < v; e++) {
              bad += from[$1 * v + e] != bit(FNR - 1, e)
              bad += from[n * v + (FNR - 1) * v + e] != n * v + bit($1, e)
          } }
        END { for (i in from) seen[from[i]]++
              for (i = 0; i < 2 * n * v; i++) bad += seen[i] != 1
              print bad + 0 }' list -
}
for v in 2 4 6; do
    same "dvb-t 2k, $v bits" "$(dvbt 2k 1512 $v 0 1024 16 1025 128 1056 2 1280 4 1088 513 1160)" 0
done
same "dvb-t 8k, 2 bits" "$(dvbt 8k 6048 2 0 4096 128 4128 2048 4104 1 5120 256 4192 2560 4140)" 0

# ---- Blocks ----
same "rows and columns" "$(order 12 'rows: 3, columns: 4')" '0 4 8 1 5 9 2 6 10 3 7 11'
same "two blocks in a frame" "$(order 12 'rows: 2, columns: 3')" '0 3 1 4 2 5 6 9 7 10 8 11'
same "as many columns as a frame has" "$(order 12 'rows: 6')" '0 2 4 6 8 10 1 3 5 7 9 11'
printf '# which item\n2, 0\n1 # the last\n' >table
same "a table" "$(order 6 'table: table')" '2 0 1 5 3 4'

# ---- Delays: item n of the output is item n - delay(n) ----
# delays N FROM PARAMETERS DELAY: the awk expression DELAY of n
delays() {
    head -c 40000 /dev/urandom | od -An -v -td2 -w2 >values
    numbers 20000 >in.i2
    pipeline "source.file: {path: in.i2, kind: llr, dtype: int16, frame: 0, piece: 20000, invert: true}" \
        "frame.interleave: {$1}" 'sink.file: {id: there, path: there.i2}' \
        "frame.deinterleave: {from: frame.interleave}" 'sink.file: {path: back.i2}' >delay.yaml
    for how in '' '--set source.file.piece=1000 --set batch=3' '--set source.file.piece=97 --set batch=7' \
        '--set source.file.piece=7001 --threads 2 --set batch=1'; do
        # shellcheck disable=SC2086 # several words
        run "$FECRUN" run --quiet delay.yaml $how
        is 0 "$1 $how"
        same "there: $1 $how" "$(od -An -v -td2 -w2 there.i2 | awk "{ n = NR - 1; delay = $2
            want = n < delay ? 0 : delay - n
            bad += \$1 != want } END { print bad + 0, NR }")" '0 20000'
        same "and back, without delay" "$(od -An -v -td2 -w2 back.i2 | awk "
            { n = NR - 1; all = $3; bad += \$1 != (n + all < 20000 ? -n : \$1 == -n ? -n : 0) }
            END { print bad + 0, NR }")" '0 20000'
    done
}
delays 'branches: 4, depth: 3' '(n % 4) * 4 * 3' 36
delays 'branches: 5, depth: 2, cell: 3' '(int(n / 3) % 5) * 15 * 2' 120
delays 'scheme: dvb' '(int(n / 8) % 12) * 17 * 96' 17952
# EN 300 401 clause 12, by the delays that libdabdecode's receiver adds up to 15
delays 'scheme: dab, logical_frame: 64' \
    '64 * (15 - substr("15071103130509011406100212040800", 1 + 2 * (n % 16), 2))' 960
# 3GPP TS 45.003 3.1.3: bit k of block n goes to burst 4n + (k mod 8), place j
numbers 20000 >in.i2
pipeline "source.file: {path: in.i2, kind: llr, dtype: int16, frame: 0}" 'frame.interleave: {scheme: gsm-tch}' \
    'sink.file: {path: out.i2}' >tch.yaml
run "$FECRUN" run --quiet tch.yaml
same "gsm-tch" "$(od -An -v -td2 -w2 out.i2 | awk '
    { got[NR - 1] = $1 }
    END { for (n = 0; n < 43; n++)
              for (k = 0; k < 456; k++) {
                  at = 114 * (4 * n + k % 8) + 2 * ((49 * k) % 57) + int(k % 8 / 4)
                  bad += at < 20000 && got[at] != 456 * n + k
              }
          print bad + 0 }')" 0

# ---- A place in the middle of a round ----
pipeline 'source.file: {path: in.i2, kind: llr, dtype: int16, frame: 0, count: 10}' \
    'frame.interleave: {rows: 2, columns: 3, first: 4}' 'sink.file: {path: out.i2}' >first.yaml
run "$FECRUN" run --quiet first.yaml
same "first: two places are those of the block before" \
    "$(od -An -v -td2 -w2 out.i2 | tr -s ' \n' ' ')" ' 0 1 2 5 3 6 4 7 8 0 '
run "$FECRUN" run --quiet first.yaml --set frame.interleave.first=0
same "else the stream begins with a block" "$(od -An -v -td2 -w2 out.i2 | tr -s ' \n' ' ')" ' 0 3 1 4 2 5 6 9 7 0 '

# ---- Types ----
head -c 48000 /dev/urandom >noise
pipeline 'source.file: {path: noise, kind: llr, dtype: int8, frame: 96}' 'frame.interleave: {rows: 8, columns: 12}' \
    'frame.deinterleave: {}' 'sink.file: {path: back, format: raw}' >types.yaml
LC_ALL=C tr '\200\210\000' '\177\177\001' <noise >plain # least values are others
for case in 'int8 llr' 'int4 llr' 'int16 llr' 'float32 llr' 'packed bits' 'cf32 symbols'; do
    set -- $case
    file=plain
    case $1 in
    int16 | int4) # no half byte is 8
        LC_ALL=C tr '\200-\217\010\030\050\070\110\130\150\170\230\250\270\310\330\350\370' '\021' <noise >file
        ;;
    float32) LC_ALL=C tr '\000-\377' '\001-\100\001-\100\001-\100\001-\100' <noise >file ;;
    *) cp plain file ;;
    esac
    run "$FECRUN" run --quiet types.yaml --set source.file.path=file --set source.file.dtype=$1 \
        --set source.file.kind=$2 --set sink.file.dtype=$(echo $1 | sed 's/cf32/c8/; s/int16/i2/')
    ok "$1 and back" cmp file back
done
head -c 960 /dev/urandom >packed
pipeline 'source.file: {path: packed, dtype: packed, frame: 960}' 'frame.interleave: {rows: 8, columns: 120}' \
    'sink.file: {path: turned, dtype: packed}' >packed.yaml
run "$FECRUN" run --quiet packed.yaml
ok "packed bits: not as they were" sh -c '! cmp -s packed turned'

# ---- Both ends ----
pipeline 'source.random: {bits: 240}' 'frame.interleave: {scheme: galileo}' 'frame.deinterleave: {scheme: galileo-fnav}' \
    'sink.errors: {}' >ends.yaml
echo 'stop: {frames: 5}' >>ends.yaml
refuses 2 'ends.yaml:5:.*scheme is galileo-fnav, but frame.interleave .line 4. has galileo' check ends.yaml
run "$FECRUN" run ends.yaml --quiet --set 'frame.deinterleave.scheme=galileo'
is 0 "both the same"
sed 's/scheme: galileo-fnav/rows: 30, columns: 8/' ends.yaml >other.yaml
run "$FECRUN" check other.yaml
is 0 "or the same in other words"
run "$FECRUN" explain tch.yaml
prints 'delays by up to [0-9]+ items; what would come before the stream is 0' "explain shows the delay"

# ---- What is refused ----
pipeline 'source.random: {bits: 240}' 'frame.interleave: {rows: 5, columns: 48}' 'sink.null: {}' >bad.yaml
p='bad.yaml:4:.*frame.interleave'
i='--set frame.interleave'
sed 's/{rows: 5, columns: 48}/{}/' bad.yaml >none.yaml
refuses 2 'none.yaml:4:.*give one of scheme, rows and columns, branches and depth, or table' check none.yaml
refuses 2 'scheme=m17: give one of scheme, rows' check bad.yaml $i.scheme=m17
refuses 2 'frames of 240 items are no whole blocks of 368: the nearest sizes are 0 and 368' check none.yaml $i.scheme=m17
refuses 2 'frames of 240 items are no whole blocks of 35: the nearest sizes are 210 and 245' check none.yaml $i.rows=5 $i.columns=7
refuses 2 'rows=7: frames of 240 items do not fill 7 rows' check none.yaml $i.rows=7
refuses 2 'columns=7|frame.interleave.rows: missing: rows and columns belong together' check none.yaml $i.columns=7
refuses 2 'frame.interleave.depth: missing: branches and depth belong together' check none.yaml $i.branches=7
refuses 2 'delays go over the ends of frames: the source has to be a stream' check none.yaml $i.branches=7 $i.depth=2
refuses 2 'delays go over the ends of frames: the source has to be a stream' check none.yaml $i.scheme=dvb
refuses 2 'first=2: is of streams' check bad.yaml $i.first=2
refuses 2 'first=240: is 240: 0 to 239 are places' check bad.yaml $i.first=240
refuses 2 'depth=1048576: the last branch delays by more than' check none.yaml $i.branches=4096 $i.depth=1048576
refuses 2 'frame.interleave.bits: missing: bits of a subcarrier' check none.yaml $i.scheme=wifi
refuses 2 'bits=3: 3: 1, 2, 4 or 6 are allowed' check none.yaml $i.scheme=wifi $i.bits=3
refuses 2 'bits=1: 1: 2, 4 or 6 are allowed' check none.yaml $i.scheme=dvb-t $i.bits=1 $i.mode=2k
refuses 2 'frame.interleave.mode: missing: 2k or 8k' check none.yaml $i.scheme=dvb-t $i.bits=2
refuses 2 'logical_frame: missing: bits of 24 ms' check none.yaml $i.scheme=dab
refuses 2 'logical_frame=100: 100 is no multiple of 64' check none.yaml $i.scheme=dab $i.logical_frame=100
refuses 2 'rows=16777216: 16777216 x 2 is more than 16777216 items' check none.yaml $i.rows=16777216 $i.columns=2
# tables FILE PATTERN
table() {
    printf "$1" >order.txt
    refuses 2 "table=order.txt: .*order.txt:$2" check none.yaml $i.table=order.txt
}
table '' '1:1: no numbers'
table '# nothing\n' '2:1: no numbers'
table '0 1 x' '1:5: expected a whole number'
table '0 1 -1' '1:5: expected a whole number'
table '0\n1\n1\n' '3:1: 1 stands in the table a second time'
table '0 1\n  3\n' '2:3: 3 is no place: as many items as there are numbers go round'
table '0 1 2.5' '1:6: expected a blank'
table '0 16777216' '1:3: the number is too large'
refuses 2 'table=nowhere: .*nowhere: cannot read: No such file' check none.yaml $i.table=nowhere
done_testing
