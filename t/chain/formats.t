#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# source.file: numbers of receivers that are no LLRs as they stand: other signs, other zeros, doubles,
# 4-byte integers, Fortran order; parts of files; types that are named like NumPy's and are others.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# npy DESCR SHAPE ORDER: a header of 128 bytes
npy() {
    printf '\223NUMPY\001\000v\000'
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': $3, 'shape': $2, }"
}
pipeline 'source.file: {path: in, kind: llr, dtype: f4, frame: 0}' 'sink.file: {path: out.f4, dtype: f4}' >in.yaml
floats() { od -An -v -tf4 -w4 out.f4 | awk '{ printf "%s%s", n++ ? " " : "", $1 } END { print "" }'; }
# gives WHAT BYTES FLOATS OPTION...: LLRs
gives() {
    what=$1 bytes=$2 floats=$3
    shift 3
    printf "$bytes" >in
    run "$FECRUN" run --quiet in.yaml "$@"
    same "$what" "$(floats)" "$floats"
    rm -f out.f4
}
type='--set source.file.dtype' not='--set source.file.invert=true' as='--set source.file.invert=false'
n=source.file

# ---- Doubles, 4-byte integers ----
for dtype in f8 f64 float64; do
    gives "$dtype" '\232\231\231\231\231\231\271\077\000\000\000\000\000\000\004\300' '0.1 -2.5' $type=$dtype
done
gives "one that f32 does not hold is infinite, as a sure LLR" \
    '\000\000\000\000\000\000\360\177\000\000\000\000\000\000\370\177\234\165\000\210\074\344\067\176' \
    'inf nan inf' $type=f8
gives "int32" '\003\000\000\000\370\377\377\377\377\377\377\177' '3 -8 2.1474836e+09' $type=int32
gives "int32, inverted" '\003\000\000\000\370\377\377\377' '-3 8' $type=int32 $not
gives "f8, inverted" '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\004\300' '-1 2.5' $type=f8 $not
printf '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\004\300' >in
refuses 1 'in: byte 8: LLR -2.5 is larger than 2' run in.yaml $type=f8 --set $n.llr_max=2
printf '\234\165\000\210\074\344\067\176' >in
refuses 1 'in: byte 0: 1.0[0-9]*e[+]300 is no value that f32 holds' run in.yaml $type=f8 --set $n.kind=values \
    --set sink.file.path=out.npy
printf '\001\000\000\001' >in
refuses 1 'in: byte 0: 16777217 is no value that f32 holds' run in.yaml $type=int32 --set $n.kind=values
printf '123456789' >in
refuses 2 'ends at byte 9, inside the item of 8 bytes that starts at byte 8' run in.yaml $type=f8

# ---- Bytes of 128 and an LLR ----
gives "offset8" '\200\000\377\177\201' '0 -127 127 -1 1' $type=offset8 $as
gives "offset8 of libfec: 255 is a sure 1" '\200\000\377\177\201' '0 127 -127 1 -1' $type=offset8 $not
printf '\200' >in
refuses 2 'source.file.invert: must be given for offset8: true where 255 is a sure 1' run in.yaml $type=offset8
printf '\034' >in
refuses 1 'in: byte 0: LLR -100 is larger than 50' run in.yaml $type=offset8 $as --set $n.llr_max=50
refuses 2 'kind symbols takes .*, not offset8' run in.yaml $type=offset8 $as --set $n.kind=symbols

# ---- Pairs ----
gives "pairs change places" '\001\002\375\004\007' '2 1 4 -3 7' $type=int8 --set $n.swap=true --set $n.piece=4
for turn in '90=-2 1' '180=-1 -2' '270=2 -1'; do
    gives "pairs turn by ${turn%%=*}" '\001\002' "${turn#*=}" $type=int8 --set $n.rotate=${turn%%=*}
done
gives "the least value" '\200\000' '0 -127' $type=int8 --set $n.rotate=90
gives "int16" '\001\000\002\000' '-2 1' $type=int16 --set $n.rotate=90
gives "float16, first swapped" '\000\074\000\300' '-1 -2' $type=float16 --set $n.rotate=90 --set $n.swap=true
gives "float32, then inverted" '\000\000\200\077\000\000\000\300' '-2 -1' $type=f4 --set $n.rotate=90 $not
printf '\001\002' >in
refuses 2 'in.yaml:3:.*source.file.rotate=90: is of pairs of LLRs, and a frame or piece has 3, an odd number|rotate.*odd number' \
    run in.yaml $type=int8 --set $n.rotate=90 --set $n.piece=3
refuses 2 'swap.*is of symbols, and of LLRs of a byte or more' run in.yaml $type=int4 --set $n.swap=true
refuses 2 'rotate.*must be one of 0, 90, 180, 270' run in.yaml $type=int8 --set $n.rotate=45
pipeline 'source.file: {path: in, dtype: cf32, frame: 0, rotate: 90}' 'sink.file: {path: out.f4, format: raw}' >symbols.yaml
printf '\000\000\200\077\000\000\000\300' >in
run "$FECRUN" run --quiet symbols.yaml
same "a symbol: 1 - 2i times i" "$(floats)" "2 1"

# ---- The other sign ----
gives "f4" '\000\000\200\077\000\000\000\300' '-1 2' $not
gives "f2" '\000\074\000\300' '-1 2' $type=float16 $not
gives "i2, and its least value" '\001\000\000\200\377\177' '-1 32767 -32767' $type=int16 $not
gives "i1, and its least value" '\001\200\177\000' '-1 127 -127 0' $type=int8 $not
gives "i4, and its least value" '\027\217\200' '-1 -7 7 1 7 0' $type=int4 $not
pipeline 'source.file: {path: in, dtype: i4, frame: 3, invert: true}' \
    'sink.file: {path: out.f4, dtype: f4, format: raw}' >odd.yaml
printf '\027\020\377\160' >in
run "$FECRUN" run --quiet odd.yaml
same "frames that end with half a byte" "$(floats)" '-1 -7 -1 1 1 -7'
printf '\000\001\001\000\001' >in
pipeline 'source.file: {path: in, dtype: u1, frame: 5, invert: true}' 'sink.file: {path: bits, dtype: u1, format: raw}' >bits.yaml
run "$FECRUN" run --quiet bits.yaml
same "bits" "$(od -An -v -tu1 bits | tr -d ' \n')" 10010
printf '\145\100' >in
run "$FECRUN" run --quiet bits.yaml $type=packed --set $n.frame=11
same "packed bits, not those after the last one" "$(od -An -v -tu1 bits | tr -d ' \n')" 10011010101
head -c 300000 /dev/urandom >in
for dtype in u1 packed; do # at once and by pieces
    tr '\000-\377' '\000\001' <in >some
    [ $dtype = u1 ] || cp in some
    run "$FECRUN" run --quiet bits.yaml --set $n.path=some $type=$dtype --set $n.frame=0 --set sink.file.dtype=$dtype
    cp bits once
    run "$FECRUN" run --quiet bits.yaml --set $n.path=once $type=$dtype --set $n.frame=0 --set $n.piece=808 --set sink.file.dtype=$dtype
    ok "$dtype: inverted twice" cmp some bits
    ok "$dtype: but not once" sh -c '! cmp some once'
done
refuses 2 'invert=true: is of LLRs and bits, not of symbols' run in.yaml --set $n.kind=symbols $type=cf32 $not
refuses 2 'invert=true: is of LLRs and bits, not of values' run in.yaml --set $n.kind=values $not

# ---- Parts of a file ----
printf '\000\001\002\003\004\005\006\007\010\011' >ten
i1="--set $n.path=ten $type=int8"
# part WHAT FLOATS OPTION...
part() {
    what=$1 floats=$2
    shift 2
    rm -f out.f4
    run "$FECRUN" run --quiet in.yaml $i1 "$@"
    same "$what" "$(floats)" "$floats"
}
skip="--set $n.skip" count="--set $n.count" frame="--set $n.frame"
part "skip" '3 4 5 6 7 8 9' $skip=3
part "count" '0 1 2 3' $count=4
part "both" '3 4 5 6' $skip=3 $count=4
part "both, in pieces" '3 4 5 6' $skip=3 $count=4 --set $n.piece=3
part "to the end" '8 9' $skip=8 $count=2
part "frames after a header" '4 5 6 7 8 9' $skip=4 $frame=3
part "frames of the middle" '1 2 3 4 5 6' $skip=1 $count=6 $frame=3
for latency in auto low; do
    run sh -c '"$0" "$@" <ten' "$FECRUN" run --quiet in.yaml $i1 --set $n.path=- $skip=3 $count=4 --set latency=$latency
    same "a pipe, latency $latency" "$(floats)" '3 4 5 6'
    run sh -c '"$0" "$@" <ten' "$FECRUN" run --quiet in.yaml $i1 --set $n.path=- $skip=3 $count=4 $frame=2 --set latency=$latency
    same "frames of a pipe, latency $latency" "$(floats)" '3 4 5 6'
done
run timeout 20 sh -c '{ cat ten; sleep 30; } | "$0" "$@"' "$FECRUN" run --quiet in.yaml $i1 --set $n.path=- $count=10 $frame=5
ok "after count, a pipe is not waited for" [ "$(floats)" = '0 1 2 3 4 5 6 7 8 9' ]
refuses 2 'skip=10: 10 items are all of .*ten, which ends at byte 10' run in.yaml $i1 $skip=10
refuses 2 'count=8: .*ten ends at byte 10, before item 8 after the 3 that are left out' run in.yaml $i1 $skip=3 $count=8
refuses 2 'count=4: 4 items are no whole frames of 3' run in.yaml $i1 $count=4 $frame=3
refuses 2 'inside the frame of 3 bytes that starts at byte 8' run in.yaml $i1 $skip=2 $frame=3
refuses 2 'skip=3: must be a multiple of 2 for i4, which share bytes' run in.yaml $i1 $type=int4 $skip=3
refuses 2 'count=12: must be a multiple of 8 for packed' run bits.yaml $i1 $type=packed $count=12 --set $n.frame=0
refuses 2 'skip=4: 4 items are no whole frames of 3' run odd.yaml --set $n.path=ten $skip=4
run sh -c '"$0" "$@" <ten' "$FECRUN" run --quiet in.yaml $i1 --set $n.path=- $skip=11
is 1 "a pipe that ends before its first item"
says 'skip=11: - ends at byte 10, before byte 11' "says so"
run sh -c '"$0" "$@" <ten' "$FECRUN" run --quiet in.yaml $i1 --set $n.path=- $count=11
is 1 "one that ends before its last"
says 'it ends at byte 10, not at byte 11' "says so"
pipeline "source.file: {path: ten, kind: llr, dtype: int8, frame: 2, skip: 1, count: 4, loop: true}" \
    'sink.file: {path: out.f4, dtype: f4, format: raw}' >loop.yaml
echo 'stop: {frames: 5}' >>loop.yaml
run "$FECRUN" run --quiet loop.yaml
same "a loop over a part" "$(floats)" '1 2 3 4 1 2 3 4 1 2'

# ---- Fortran order: 3 frames of 5 ----
for case in 'i1 |i1 1' 'i2 <i2 2' 'i4 <i4 4' 'f8 <f8 8'; do
    set -- $case
    case $1 in
    f8) item() { printf "$(awk -v n="$1" 'BEGIN { split("000\\000 360\\077 000\\100 010\\100 020\\100 024\\100 030\\100 034\\100 040\\100 042\\100 044\\100 046\\100 050\\100 052\\100 054\\100", t, " "); print "\\000\\000\\000\\000\\000\\000\\" t[n + 1] }')"; } ;;
    *) bytes=$3; item() { printf "\\$(printf %o "$1")"; head -c $((bytes - 1)) /dev/zero; } ;;
    esac
    { npy "$2" '(3, 5)' True; for i in 0 1 2 3 4; do for f in 0 1 2; do item $((5 * f + i)); done; done; } >f.npy
    run "$FECRUN" run --quiet in.yaml --set $n.path=f.npy --set $n.dtype=$(echo $1 | sed 's/i4/int32/') $frame=5
    same "$1: rows come out" "$(floats)" '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14'
done
pipeline 'source.file: {path: f.npy, kind: llr}' 'sink.file: {path: out.f4, dtype: f4, format: raw}' >f.yaml
run "$FECRUN" run --quiet f.yaml $skip=5 $count=5
same "the second row" "$(floats)" '5 6 7 8 9'
run "$FECRUN" run --quiet f.yaml --set $n.stream=true $skip=3 $count=9 --set $n.piece=4
same "a stream from the middle of a row" "$(floats)" '3 4 5 6 7 8 9 10 11'
run "$FECRUN" run --quiet f.yaml --set batch=1 --threads 2
same "row by row" "$(floats)" '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14'
refuses 1 'f.npy: byte 168: LLR 11 is larger than 10' run f.yaml --set $n.llr_max=10
refuses 2 'skip=2: 2 items are no whole frames of 5' run f.yaml $skip=2
# more rows than are read at once, each item by its place: byte 7 i + f of 20 000 000 x 3
awk 'BEGIN { for (i = 0; i < 3; i++) for (f = 0; f < 7000; f++) printf "%c", 1 + (7 * i + f) % 120 }' >columns
{ npy '|i1' '(7000000, 3)' True; for i in 0 1 2; do
    tail -c +$((7000 * i + 1)) columns | head -c 7000 >column
    awk 'BEGIN { while (n++ < 1000) print "column" }' | xargs cat; done; } >f.npy
awk 'BEGIN { for (f = 0; f < 7000; f++) for (i = 0; i < 3; i++) printf "%c", 1 + (7 * i + f) % 120 }' >rows
run "$FECRUN" run --quiet f.yaml --set sink.file.dtype=i1 --set sink.file.path=out.i1
awk 'BEGIN { while (n++ < 1000) print "rows" }' | xargs cat | cmp - out.i1
tap_check $? "rows of more than one part of the file"
printf '\000\001\001\000' >sent
{ npy '|u1' '(2, 2)' True; cat sent; } >f.npy
pipeline 'source.random: {bits: 2}' 'sink.errors: {reference: f.npy}' >reference.yaml
refuses 2 'reference.yaml:4:.*reference: .*f.npy: .npy header: Fortran order, only C order is allowed here' run reference.yaml

# ---- Names that NumPy has for other types ----
awk 'BEGIN { while (n++ < 40) printf "%s", n % 3 ? "\005" "Z" "Z" "Z" : "N" "F" "F" "F" }' | tr ZNF '\000\373\377' >int32
mistaken='warning: .*the file seems to hold NumPy.s i4 .int32, 4 bytes an item., but dtype i4 is half a byte here: write int32, or int4'
run "$FECRUN" run --quiet in.yaml --set $n.path=int32 $type=i4
says "$mistaken" "a file of int32 that is read as i4"
run "$FECRUN" run --quiet in.yaml --set $n.path=int32 $type=int4
ok "int4 says that it is meant" [ ! -s err ]
run "$FECRUN" run --quiet in.yaml --set $n.path=int32 $type=int32
same "and int32 is what it is" "$(floats | cut -d' ' -f1-4)" '5 5 -5 5'
ok "without a warning" [ ! -s err ]
awk 'BEGIN { while (n++ < 40) printf "\005ZZZZZZZ" }' | tr Z '\000' >int64
run "$FECRUN" run --quiet in.yaml --set $n.path=int64 $type=i8
says 'NumPy.s i8 .int64, 8 bytes an item., but dtype i8 is one byte' "int64 as i8"
awk 'BEGIN { while (n++ < 40) printf "%sZZZZZZZ", n % 2 ? "\001" : "Z" }' | tr Z '\000' >uint64
run "$FECRUN" run --quiet bits.yaml --set $n.path=uint64 $type=u8 --set $n.frame=0
says 'NumPy.s u8 .uint64, 8 bytes an item., but dtype u8 is a bit in a byte' "uint64 as u8"
head -c 160 /dev/urandom >noise
run "$FECRUN" run --quiet in.yaml --set $n.path=noise $type=i4
ok "LLRs of half a byte are none" [ ! -s err ]
head -c 160 /dev/zero >zeros
run "$FECRUN" run --quiet in.yaml --set $n.path=zeros $type=i4
ok "and zeros say nothing" [ ! -s err ]
head -c 60 int32 >some
refuses 2 'inside the frame of 8 bytes .*; its size fits NumPy.s i4 .int32, 4 bytes an item.' run in.yaml \
    --set $n.path=some $type=i4 $frame=15
done_testing
