#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Symbols from recordings: every type by known values, and what is beside them (SigMF).
. "$top_srcdir/t/lib/counts.sh"
without_cuda

pipeline 'source.file: {path: in, frame: 2}' 'sink.file: {path: out.c8}' >in.yaml

# gives WHAT DTYPE BYTES FLOATS OPTION...: two symbols
gives() {
    what=$1 dtype=$2 bytes=$3 floats=$4
    shift 4
    printf "$bytes" >in
    run "$FECRUN" run --quiet in.yaml --set source.file.dtype=$dtype "$@"
    same "$dtype: $what" "$(od -An -v -tf4 -w16 out.c8 | awk '{ $1 = $1; print }')" "$floats"
}
gives "full scale is 1" cs16 '\000\200\377\177\000\100\001\000' '-1 0.9999695 0.5 3.0517578e-05'
gives "full scale is 1" cs8 '\200\177\100\001' '-1 0.9921875 0.5 0.0078125'
gives "the middle is between 127 and 128" cu8 '\000\377\177\200' '-0.99609375 0.99609375 -0.00390625 0.00390625'
gives "as they are" cf32 '\000\000\200\077\000\000\000\300\000\000\000\000\000\000\000\077' '1 -2 0 0.5'
gives "the same as cf32" c8 '\000\000\200\077\000\000\000\300\000\000\000\000\000\000\000\077' '1 -2 0 0.5'
gives "doubles" cf64 '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\300\000\000\000\000\000\000\000\000\232\231\231\231\231\231\271\077' '1 -2 0 0.1'
gives "the same as cf64" complex128 '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\300\000\000\000\000\000\000\000\000\232\231\231\231\231\231\271\077' '1 -2 0 0.1'
gives "a factor" cs8 '\200\177\100\001' '-4 3.96875 2 0.03125' --set source.file.full_scale=4
gives "a factor" cf32 '\000\000\200\077\000\000\000\300\000\000\000\000\000\000\000\077' '0.5 -1 0 0.25' \
    --set source.file.full_scale=0.5

# Large ones, at once and piece by piece.
i=0
while [ $i -lt 256 ]; do
    printf "\\$(printf %o $i)"
    i=$((i + 1))
done >all
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do cat all all >twice && mv twice all; done
mv all in
for dtype in cs16 cs8 cu8; do
    run "$FECRUN" run --quiet in.yaml --set source.file.dtype=$dtype --set source.file.frame=4096
    whole=$(cksum <out.c8)
    run "$FECRUN" run --quiet in.yaml --set source.file.dtype=$dtype --set source.file.frame=32 --set batch=3
    same "$dtype: frames of any size" "$(cksum <out.c8)" "$whole"
    run sh -c "'$FECRUN' run --quiet in.yaml --set source.file.dtype=$dtype --set source.file.path=- \
        --set source.file.frame=0 --set source.file.piece=999 <in"
    same "$dtype: a stream from a pipe" "$(cksum <out.c8)" "$whole"
done

printf '123456789' >in
refuses 2 'in: truncated or oversized: the file ends at byte 9, inside the frame of 4 bytes .* at byte 8' \
    run in.yaml --set source.file.dtype=cs8
refuses 2 'in: .*ends at byte 9, inside the item of 2 bytes that starts at byte 8' \
    run in.yaml --set source.file.dtype=cu8 --set source.file.frame=0
refuses 2 'dtype=cs16: kind llr takes f8, f4, f2, int32, i2, i1, i4 or offset8, not cs16' \
    run in.yaml --set source.file.dtype=cs16 --set source.file.kind=llr
refuses 2 'dtype=f4: kind symbols takes c8, cf32, cf64, cs16, cs8 or cu8, not f32' run in.yaml \
    --set source.file.kind=symbols --set source.file.dtype=f4
refuses 2 'dtype=cu8: kind bits takes u1, packed or b8, not cu8' run in.yaml --set source.file.dtype=cu8 \
    --set source.file.kind=bits
printf 123456 >six
run "$FECRUN" run --quiet in.yaml --set source.file.dtype=cs8 --set source.file.kind=symbols \
    --set source.file.frame=3 --set source.file.path=six
is 0 "a kind that says the same"
refuses 2 '^fecrun: in.yaml:3:[0-9]+: source.file.dtype: in is not a .npy file, and a raw file needs dtype .*cu8' \
    run in.yaml
refuses 2 'dtype=cs12: must be one of f4.*cf32, cs16, cs8, cu8.*did you mean cs1?[68]' \
    run in.yaml --set source.file.dtype=cs12
refuses 2 'full_scale=2: is of symbols; LLRs have llr_scale' run in.yaml --set source.file.kind=llr \
    --set source.file.dtype=i8 --set source.file.full_scale=2
refuses 2 'sink.file.dtype=cs16: must be one of' run in.yaml --set sink.file.dtype=cs16

# ---- What the type says of other items ----
for case in 'u1 bits' 'packed bits' 'i4 LLRs'; do
    run "$FECRUN" explain in.yaml --set source.file.dtype="${case% *}" --set source.file.frame=0
    prints "out  161280 ${case#* } as" "$case"
done
for dtype in f4 f2 i2 i1; do
    refuses 2 '^fecrun: in.yaml:3:[0-9]+: source.file.kind: must be given, llr or values, for [fi][0-9]* says neither' \
        run in.yaml --set source.file.dtype=$dtype
done
pipeline 'source.random: {bits: 6}' 'modem.map: {scheme: qpsk}' 'sink.file: {path: symbols.npy}' >npy.yaml
run "$FECRUN" run --quiet npy.yaml --set stop.frames=2
run "$FECRUN" run --quiet in.yaml --set source.file.path=symbols.npy --set source.file.frame=3
is 0 "symbols from .npy"
refuses 2 'kind=llr: kind llr takes .*, not c8 as in the file.s header .byte 10 on.' run in.yaml \
    --set source.file.path=symbols.npy --set source.file.kind=llr --set source.file.frame=3
pipeline 'source.random: {bits: 6}' 'modem.map: {scheme: bpsk}' 'modem.demap: {esn0_db: 1}' \
    'sink.file: {path: llrs.npy}' >npy.yaml
run "$FECRUN" run --quiet npy.yaml --set stop.frames=2
refuses 2 'source.file.kind: must be given, llr or values, for f32 as in the file.s header .byte 10 on. says neither' \
    run in.yaml --set source.file.path=llrs.npy --set source.file.frame=6

# ---- SigMF ----
pipeline 'source.file: {path: r.sigmf-data, frame: 2}' 'sink.file: {path: out.c8}' >meta.yaml
# meta GLOBAL [CAPTURES]
meta() { printf '{"global": {"core:version": "1.0.0", %s}, "captures": [%s], "annotations": []}\n' "$1" "${2-}" >r.sigmf-meta; }
# described DATATYPE BYTES FLOATS
described() {
    meta "\"core:datatype\": \"$1\", \"core:sample_rate\": 2.5e6"
    printf "$2" >r.sigmf-data
    run "$FECRUN" run --quiet meta.yaml
    same "$1" "$(od -An -v -tf4 -w16 out.c8 | awk '{ $1 = $1; print }')" "$3"
}
described ci16_le '\000\200\377\177\000\100\001\000' '-1 0.9999695 0.5 3.0517578e-05'
described ci8 '\200\177\100\001' '-1 0.9921875 0.5 0.0078125'
described cu8 '\000\377\177\200' '-0.99609375 0.99609375 -0.00390625 0.00390625'
described cf32_le '\000\000\200\077\000\000\000\300\000\000\000\000\000\000\000\077' '1 -2 0 0.5'
run "$FECRUN" explain meta.yaml
prints 'recorded at 2500000 samples a second' "explain shows the rate"
run "$FECRUN" run --quiet meta.yaml --set source.file.dtype=cf32
is 0 "a dtype that says the same"
refuses 2 'dtype=cs8: cs8, but .*r.sigmf-data is described as another type' run meta.yaml \
    --set source.file.dtype=cs8
refuses 2 'kind=llr: must be symbols, which recordings hold' run meta.yaml --set source.file.kind=llr \
    --set source.file.dtype=f4
refuses 2 'r.sigmf-meta describes a recording: give that, NAME.sigmf-data' run meta.yaml \
    --set source.file.path=r.sigmf-meta

# wrong PATTERN GLOBAL [CAPTURES]
wrong() {
    pattern=$1
    shift
    meta "$@"
    refuses 2 "^fecrun: meta.yaml:3:[0-9]+: source.file.path: .*r.sigmf-meta: $pattern" run meta.yaml
}
for type in ci16_be cf64_le rf32_le ri16_le ci32_le; do
    wrong "core:datatype \"$type\" is none of cf32_le, ci16_le, ci8, cu8" "\"core:datatype\": \"$type\""
done
wrong 'global has no text "core:datatype"' '"core:sample_rate": 1'
wrong 'global has no text "core:datatype"' '"core:datatype": 8'
wrong 'core:num_channels is not 1' '"core:datatype": "ci8", "core:num_channels": 2'
wrong 'core:trailing_bytes is not 0' '"core:datatype": "ci8", "core:trailing_bytes": 4'
wrong 'core:metadata_only' '"core:datatype": "ci8", "core:metadata_only": true'
wrong 'core:sample_rate is no number above 0' '"core:datatype": "ci8", "core:sample_rate": "fast"'
wrong 'core:sample_rate is no number above 0' '"core:datatype": "ci8", "core:sample_rate": -1'
wrong 'core:header_bytes of a capture' '"core:datatype": "ci8"' '{"core:sample_start": 0, "core:header_bytes": 4}'
echo '{"global": ' >r.sigmf-meta
refuses 2 'r.sigmf-meta:[0-9]+:[0-9]+: ' run meta.yaml
echo '[]' >r.sigmf-meta
refuses 2 'global has no text "core:datatype"' run meta.yaml
head -c 3000 /dev/zero | tr '\000' '[' >r.sigmf-meta
refuses 2 'r.sigmf-meta:[0-9]+:[0-9]+: ' run meta.yaml
rm r.sigmf-meta
refuses 2 'r.sigmf-meta, which has to say what the recording is: No such file' run meta.yaml
done_testing
