#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about turbo codes: one line that says where, what is wrong and what is
# allowed, compared word for word; and what the decoder takes and chooses.
. "$top_srcdir/t/lib/family.sh"
without_cuda

# code BITS ENCODER MESSAGE: it is in line 4.
code() {
    pipeline "source.random: {bits: $1}" "turbo.encode: {$2}" 'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:4:$3"
}
code 100 'k: 100' "23: turbo.encode.k: 100 is none of the 188 block sizes of TS 36.212; the next \
ones are 96 and 104"
code 6140 'k: 6140' "23: turbo.encode.k: 6140 is none of the 188 block sizes of TS 36.212; the next \
ones are 6080 and 6144"
code 8 'k: 8' "23: turbo.encode.k: must be an integer from 40 to 6144 bits, is '8'"
code 6208 'k: 6208' "23: turbo.encode.k: must be an integer from 40 to 6144 bits, is '6208'"
code 100 '' "5: turbo.encode: the input has 100 bits a frame, which makes blocks of 100 bits, none \
of the 188 sizes of TS 36.212; the next ones are 96 and 104"
code 7 '' "5: turbo.encode: the input has 7 bits a frame, which makes blocks of 7 bits, none of \
the 188 sizes of TS 36.212; the smallest is 40"
code 7000 '' "5: turbo.encode: the input has 7000 bits a frame, which makes blocks of 7000 bits, \
none of the 188 sizes of TS 36.212; the largest is 6144"
code 41 'k: 48' "5: turbo.encode: the input has 41 bits a frame and the code takes 48"
code 48 'k: 48, fillers: 7' "5: turbo.encode: the input has 48 bits a frame and the code takes 41 \
(K = 48 less 7 fillers)"
code 6080 'k: 6144, fillers: 64' \
    "38: turbo.encode.fillers: must be an integer from 0 to 63 bits, is '64'"
code 1 'k: 40, fillers: 40' \
    "36: turbo.encode.fillers: is 40; a block of 40 bits has at most 39"
code 40 'code: umts' "26: turbo.encode.code: must be one of lte, is 'umts'"

# decoder PARAMETERS MESSAGE: line 6, behind a word of 512 bits; `quantize` is line 5.
quantize='llr.quantize: {type: i8, scale: 8}'
decoder() {
    pipeline 'source.random: {bits: 1548}' 'channel.bsc: {p: 0.1}' "$quantize" \
        "turbo.decode: {$1}" 'sink.null: {}' >p.yaml
    wrong "${3-2}" "p.yaml:6:$2"
}
decoder 'k: 504' "5: turbo.decode: the input has 1548 LLRs a frame and the word of a block of 504 \
bits has 3 (K + 4) = 1524 (turbo.rate_recover gives as many)"
decoder 'sub_blocks: 3' "32: turbo.decode.sub_blocks: 3 sub-blocks do not divide the K = 512 bits \
evenly; the next numbers that do are 2 and 4"
decoder 'sub_blocks: 65' "32: turbo.decode.sub_blocks: is 65; a sub-block has at least 8 of the K = \
512 bits, so that there are at most 64"
decoder 'sub_blocks: 0' \
    "32: turbo.decode.sub_blocks: must be an integer from 1 to 768 or auto, is '0'"
decoder 'iterations: 0' "32: turbo.decode.iterations: must be an integer from 1 to 100, is '0'"
decoder 'algorithm: map' "31: turbo.decode.algorithm: must be one of max-log, log-map, is 'map'"
decoder 'alpha: 1.5' \
    "27: turbo.decode.alpha: must be a number from 0.1 to 1 or auto, is '1.5'"
decoder 'early_stop: crc16' "32: turbo.decode.early_stop: must be one of none, mean-llr, min-llr, \
crc, is 'crc16' (did you mean crc?)"
decoder 'threshold: 20' "31: turbo.decode.threshold: is that of early_stop: mean-llr and min-llr; \
none has none"
decoder 'early_stop: crc, crc: 24a, threshold: 20' "58: turbo.decode.threshold: is that of early_stop: \
mean-llr and min-llr; crc has none"
decoder 'backend: simd, algorithm: log-map' "29: turbo.decode.backend: simd cannot do what the \
parameters ask for: algorithm: backend simd has max-log only" 3
decoder 'backend: simd, early_stop: min-llr' "29: turbo.decode.backend: simd cannot do what the \
parameters ask for: early_stop: backend simd has none and crc; its integers do not \
hold LLRs that reach a threshold" 3
decoder 'backend: simd, tune: {arithmetic: i32}' "54: turbo.decode.tune (backend simd).arithmetic: \
must be one of i8, i16 or auto, is 'i32'"
decoder 'backend: simd, sub_blocks: 64' "29: turbo.decode.backend: simd cannot do what the parameters \
ask for: sub_blocks: backend simd has 1, 2, 4 .. 64 of 16 bits or more" 3
quantize='llr.quantize: {type: i16, scale: 8}'
decoder 'backend: simd, sub_blocks: 64' "29: turbo.decode.backend: simd cannot do what the parameters \
ask for: sub_blocks: backend simd has 1, 2, 4 .. 32 of 16 bits or more in 16-bit arithmetic" 3

# arithmetic TYPE TUNE WORDS: what `explain` says of LLRs of this type
arithmetic() {
    pipeline 'source.random: {bits: 1548}' 'channel.bsc: {p: 0.1}' "llr.quantize: {type: $1, scale: 8}" \
        "turbo.decode: {backend: simd, $2}" 'sink.null: {}' >p.yaml
    run "$FECRUN" explain p.yaml
    prints "^    does +$3" "$1 LLRs, $2: $3"
}
arithmetic i8 'iterations: 6' '8-bit arithmetic, 2 sub-blocks of each of 32 blocks side by side$'
arithmetic i16 'iterations: 6' '16-bit arithmetic, 2 sub-blocks of each of 16 blocks side by side$'
arithmetic i8 'tune: {arithmetic: i16}' '16-bit arithmetic'
arithmetic i16 'tune: {arithmetic: i8}, sub_blocks: 1' '8-bit arithmetic, 1 sub-block of each of 64 blocks'
arithmetic i16 'tune: {arithmetic: auto}, sub_blocks: 32' '16-bit arithmetic, 32 sub-blocks of each of 1 block '

# What is tuned is known where instances are made.
pipeline 'source.random: {bits: 3084}' 'channel.bsc: {p: 0.1}' 'llr.quantize: {type: i8, scale: 8}' \
    'turbo.decode: {backend: simd, sub_blocks: 64, tune: {arithmetic: i16}}' 'sink.null: {}' >p.yaml
limit='backend simd has 1, 2, 4 .. 32 of 16 bits or more in 16-bit arithmetic$'
run "$FECRUN" explain p.yaml
prints "^    does +nothing: sub_blocks: $limit" "64 sub-blocks are too many for the lanes of 16 bits"
for verb in check run; do
    refuses 2 "^fecrun: p.yaml:6:70: turbo.decode.tune \(backend simd\).arithmetic: i16: sub_blocks: $limit" \
        $verb p.yaml
done

# i16 LLRs go to simd, too, without a word.
pipeline 'source.random: {bits: 1548}' 'channel.bsc: {p: 0.1}' 'llr.quantize: {type: i16, scale: 8}' \
    'turbo.decode: {}' 'sink.null: {}' >p.yaml
run "$FECRUN" explain p.yaml
prints '^turbo.decode: simd on host' "auto takes simd for i16 LLRs"
pipeline 'source.random: {bits: 1549}' 'channel.bsc: {p: 0.1}' 'turbo.decode: {}' 'sink.null: {}' \
    >p.yaml
wrong 2 "p.yaml:5:5: turbo.decode: the input has 1549 LLRs a frame, which makes blocks of 0 bits, \
none of the 188 sizes of TS 36.212; the smallest is 40"
pipeline 'source.random: {bits: 132}' 'channel.bsc: {p: 0.1}' \
    'turbo.decode: {fillers: 20, early_stop: crc, crc: 24a}' 'sink.null: {}' >p.yaml
wrong 2 "p.yaml:5:55: turbo.decode.crc: frames of 20 bits have no room for a message and 24 \
parity bits"
pipeline 'source.file: {path: x.i1, kind: llr, dtype: i1, frame: 100, llr_scale: 1}' \
    'turbo.rate_recover: {}' 'sink.null: {}' >p.yaml
head -c 100 /dev/zero >x.i1
wrong 2 "p.yaml:4:5: turbo.rate_recover.k: must be given: what was received does not tell the size \
of the block"
# ---- Rate matching: `send` is line 5, `recover` 7 ----
# matched SEND RECOVER MESSAGE
matched() {
    pipeline 'source.random: {bits: 40}' 'turbo.encode: {}' "turbo.rate_match: {$1}" \
        'channel.bsc: {p: 0.01}' "turbo.rate_recover: {$2}" 'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:$3"
}
matched 'e: 0' 'k: 40' \
    "5:27: turbo.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'"
matched '' 'k: 40' "5:5: turbo.rate_match.e: must be given: bits sent a frame"
matched 'e: 100, rv: 4' 'k: 40' \
    "5:36: turbo.rate_match.rv: must be an integer from 0 to 3, is '4'"
matched 'e: 100, ncb: 193' 'k: 40' "5:37: turbo.rate_match.ncb: is 193; the circular buffer of a \
block of 40 bits has Kw = 192 places, dummies included"
matched 'e: 100, ncb: 1' 'k: 40' "5:37: turbo.rate_match.ncb: is 1; so many places of the circular \
buffer hold no bit that could be sent, only dummies and fillers"
matched 'e: 100, k: 48' 'k: 40' "5:5: turbo.rate_match: the input has 132 bits a frame; the word of \
a block of 48 bits has 3 (K + 4) = 156"
matched 'e: 100' 'k: 41' "7:29: turbo.rate_recover.k: 41 is none of the 188 block sizes of TS \
36.212; the next ones are 40 and 48"
matched 'e: 100' 'k: 40, e: 99' \
    "7:36: turbo.rate_recover.e: is 99 and the input has 100 LLRs a frame"
matched 'e: 100' 'k: 40, harq_out: "-"' "7:43: turbo.rate_recover.harq_out: standard output is raw; \
give the name of a .npy file"

# ---- blocks: mixed sizes ----
cat >users.csv <<END
cell,user,count,k,bits,e,fillers
1,a,2,40,40,100,0
1,b,3,512,500,900,12
2,c,1,6144,6144,12000,0
END
cat >users.yaml <<END
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {}
  - turbo.encode: {}
  - turbo.rate_match: {}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {esn0_db: 6}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 8}
  - turbo.rate_recover: {}
  - turbo.decode: {}
  - sink.errors: {}
stop: {frames: 36}
END
for how in 'backend ref' 'backend simd' 'set turbo.decode.tune.arithmetic=i16' 'set llr.quantize.type=i16'; do
    same "blocks of three sizes, $how" \
        "$(run_fields 'frames frame_errors' users.yaml --$how --set batch=6)" "36 0"
done
sed 's/,512,/,513,/' users.csv >bad.csv
sed 's/users.csv/bad.csv/' users.yaml >bad.yaml
refuses 2 '^fecrun: bad.csv:3:7: turbo.encode.k: 513 is none .* 512 and 528' check bad.yaml
done_testing
