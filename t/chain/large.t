#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Files that are read at several places at once, straight into a batch: what comes out is what was
# there, and of errors the first one is told, at its byte, in each type.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# put FILE BYTE OCTAL...: there, over what is there.
put() {
    put_file=$1 put_at=$2
    shift 2
    printf "$*" | dd of="$put_file" bs=1 seek="$put_at" conv=notrunc 2>/dev/null
}

pipeline 'source.file: {path: raw, kind: llr, dtype: i8, frame: 1000}' 'sink.file: {path: copy}' >raw.yaml
head -c 20000000 /dev/zero >raw
put raw 4321 '\001\002\003'
put raw 19999990 '\001\002\003\004\005\006\007\010\011\012'
for batch in 20000 19999 7 1; do
    [ $batch = 1 ] && head -c 100000 raw >few && mv few raw
    run "$FECRUN" run --quiet raw.yaml --set batch=$batch
    is 0 "batches of $batch frames"
    ok "are as they were" cmp raw copy
done

# ---- Where errors are ----
pipeline 'source.file: {path: raw, kind: bits, dtype: u1, frame: 1000}' 'sink.null: {}' >bits.yaml
head -c 20000000 /dev/zero >raw
put raw 17000003 '\002'
refuses 1 'raw: byte 17000003: 2 is not a bit' run bits.yaml --set batch=20000
put raw 9000001 '\003'
refuses 1 'raw: byte 9000001: 3 is not a bit' run bits.yaml --set batch=20000
refuses 1 'raw: byte 9000001: 3 is not a bit' run bits.yaml --set batch=3
refuses 1 'raw: byte 9000001: 3 is not a bit' run bits.yaml --set batch=20000 \
    --set source.file.frame=0 --set source.file.piece=999

# beyond DTYPE BYTE BYTES LLR MAX: at that place of zeros
beyond() {
    head -c 20000000 /dev/zero >raw
    put raw "$2" "$3"
    for batch in 1 5000; do
        refuses 1 "raw: byte $2: LLR $4 is larger than $5" run raw.yaml --set batch=$batch \
            --set source.file.dtype=$1 --set source.file.llr_max=$5
    done
    run "$FECRUN" run --quiet raw.yaml --set source.file.dtype=$1 --set source.file.llr_max=$6
    is 0 "$1: but not than $6"
}
beyond i8 12000007 '\211' -119 118.5 119
beyond i8 12000007 '\200' -127 126 127
beyond i16 12000006 '\001\001' 257 256 257
beyond i16 12000006 '\000\200' -32767 32766 32767
beyond f32 12000004 '\000\000\200\300' -4 3.5 4
beyond f16 12000006 '\000\102' 3 2.5 3
beyond i4 12000006 '\005' 5 4 5
beyond i4 12000006 '\240' -6 5 6
beyond i4 12000006 '\200' -7 6 7

# A NaN is no error, and infinity one.
head -c 40000 /dev/zero >raw
put raw 400 '\000\000\300\177'
run "$FECRUN" run --quiet raw.yaml --set source.file.dtype=f4 --set source.file.llr_max=1
is 0 "NaN is not beyond a limit"
put raw 444 '\000\000\200\377'
refuses 1 'raw: byte 444: LLR -inf is larger than 1' run raw.yaml --set source.file.dtype=f4 \
    --set source.file.llr_max=1

# -128 is -127 wherever it stands.
head -c 9000000 /dev/zero | tr '\000' '\200' >raw
run "$FECRUN" run --quiet raw.yaml --set batch=9000
same "all are -127" "$(head -c 9000000 /dev/zero | tr '\000' '\201' | cksum)" "$(cksum <copy)"

# ---- Ends ----
for bytes in 8388607 8388608 8388609 16777217; do
    head -c $bytes /dev/zero >raw
    put raw $((bytes - 3)) '\001\002\003'
    run "$FECRUN" run --quiet raw.yaml --set source.file.frame=0 --set source.file.piece=4096 --set batch=3000
    is 0 "a stream of $bytes items"
    ok "all of them" cmp raw copy
done
pipeline 'source.file: {path: raw, kind: bits, dtype: packed, frame: 8192}' \
    'sink.file: {path: copy, dtype: packed}' >packed.yaml
run "$FECRUN" explain packed.yaml --set source.file.frame=8
ok "packed bits stay so" [ "$(grep -c '8 bits as packed' out)" = 2 ]
refuses 2 'raw: truncated or oversized: the file ends at byte 16777217' run packed.yaml

done_testing
