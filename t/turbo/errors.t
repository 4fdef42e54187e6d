#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about turbo codes: one line that says where, what is wrong and what is
# allowed, compared word for word; and what the decoder takes and chooses.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# encoder BITS PARAMETERS: it is in line 4.
encoder() { pipeline "source.random: {bits: $1}" "turbo.encode: {$2}" 'sink.null: {}'; }
refused 2 encoder <<'END'
100  | k: 100               | 4:23: turbo.encode.k: 100 is none of the 188 block sizes of TS 36.212; the next ones are 96 and 104
6140 | k: 6140              | 4:23: turbo.encode.k: 6140 is none of the 188 block sizes of TS 36.212; the next ones are 6080 and 6144
8    | k: 8                 | 4:23: turbo.encode.k: must be an integer from 40 to 8920 bits, is '8'
6208 | k: 6208              | 4:23: turbo.encode.k: 6208 is none of the 188 block sizes of TS 36.212; the largest is 6144
100  |                      | 4:5: turbo.encode: the input has 100 bits a frame, which makes blocks of 100 bits, none of the 188 \
    sizes of TS 36.212; the next ones are 96 and 104
7    |                      | 4:5: turbo.encode: the input has 7 bits a frame, which makes blocks of 7 bits, none of the 188 sizes \
    of TS 36.212; the smallest is 40
7000 |                      | 4:5: turbo.encode: the input has 7000 bits a frame, which makes blocks of 7000 bits, none of the \
    188 sizes of TS 36.212; the largest is 6144
41   | k: 48                | 4:5: turbo.encode: the input has 41 bits a frame and the code takes 48
48   | k: 48, fillers: 7    | 4:5: turbo.encode: the input has 48 bits a frame and the code takes 41 (K = 48 less 7 fillers)
6080 | k: 6144, fillers: 64 | 4:38: turbo.encode.fillers: must be an integer from 0 to 63 bits, is '64'
1    | k: 40, fillers: 40   | 4:36: turbo.encode.fillers: is 40; a block of 40 bits has at most 39
40   | code: wimax          | 4:26: turbo.encode.code: must be one of lte, umts, ccsds, is 'wimax'
39   | code: umts           | 4:5: turbo.encode: the input has 39 bits a frame, which makes blocks of 39 bits, none of the sizes of \
    TS 25.212: 40 to 5114
5115 | code: umts, k: 5115  | 4:35: turbo.encode.k: 5115 is none of the block sizes of TS 25.212: 40 to 5114
40   | code: umts, fillers: 2, k: 42 | 4:41: turbo.encode.fillers: are bits of lte that are not sent; umts has none
40   | code: umts, rate: 1/3 | 4:38: turbo.encode.rate: is of ccsds; umts has 1/3
1784 | code: ccsds          | 4:5: turbo.encode.rate: missing: ccsds has 1/2, 1/3, 1/4 and 1/6
1785 | code: ccsds, rate: 1/2 | 4:5: turbo.encode: the input has 1785 bits a frame, which makes blocks of 1785 bits, none of the \
    sizes of CCSDS 131.0-B: 1784, 3568, 7136 and 8920
1784 | code: ccsds, rate: 2/3 | 4:39: turbo.encode.rate: must be one of 1/2, 1/3, 1/4, 1/6, is '2/3' (did you \
    mean 1/3?)
END
# matched PARAMETERS: rate matching is in line 5.
matched() { pipeline 'source.random: {bits: 40}' "turbo.encode: {$1}" 'turbo.rate_match: {e: 100}' 'sink.null: {}'; }
refused 2 matched <<'END'
code: umts | 5:5: turbo.rate_match.code: turbo.rate_match is for lte; frame.insert and frame.remove puncture other codes
END


# decoder TYPE PARAMETERS: it is in line 6, behind a word of 512 bits.
decoder() {
    pipeline 'source.random: {bits: 1548}' 'channel.bsc: {p: 0.1}' "llr.quantize: {type: $1, scale: 8}" \
        "turbo.decode: {$2}" 'sink.null: {}'
}
refused 2 decoder <<'END'
i8 | k: 504                                   | 6:5: turbo.decode: the input has 1548 LLRs a frame and the word of a block of 504 bits has \
    3 (K + 4) = 1524 (turbo.rate_recover gives as many)
i8 | sub_blocks: 3                            | 6:32: turbo.decode.sub_blocks: 3 sub-blocks do not divide the K = 512 bits evenly; the next \
    numbers that do are 2 and 4
i8 | sub_blocks: 65                           | 6:32: turbo.decode.sub_blocks: is 65; a sub-block has at least 8 of the K = 512 bits, so that \
    there are at most 64
i8 | sub_blocks: 0                            | 6:32: turbo.decode.sub_blocks: must be an integer from 1 to 768 or auto, is '0'
i8 | iterations: 0                            | 6:32: turbo.decode.iterations: must be an integer from 1 to 100, is '0'
i8 | algorithm: map                           | 6:31: turbo.decode.algorithm: must be one of max-log, log-map, is 'map'
i8 | alpha: 1.5                               | 6:27: turbo.decode.alpha: must be a number from 0.1 to 1 or auto, is '1.5'
i8 | early_stop: crc16                        | 6:32: turbo.decode.early_stop: must be one of none, mean-llr, min-llr, crc, is 'crc16' (did \
    you mean crc?)
i8 | threshold: 20                            | 6:31: turbo.decode.threshold: is that of early_stop: mean-llr and min-llr; none has none
i8 | early_stop: crc, crc: 24a, threshold: 20 | 6:58: turbo.decode.threshold: is that of early_stop: mean-llr and \
    min-llr; crc has none
i8 | backend: simd, tune: {arithmetic: i32}   | 6:54: turbo.decode.tune (backend simd).arithmetic: must be one of i8, \
    i16 or auto, is 'i32'
i8 | iteration: 6                             | 6:20: turbo.decode.iteration: no such parameter (did you mean iterations?)
i8 | backend: smid                            | 6:29: turbo.decode.backend: unknown backend `smid` (did you mean simd?); this stage has ref, \
    cuda, simd, cuda-paper
i8 | early_stop: crc                          | 6:32: turbo.decode.early_stop: crc needs `crc`, which names it
i8 | backend: simd, tune: {arithmetics: i8}   | 6:42: turbo.decode.tune (backend simd).arithmetics: no such parameter \
    (did you mean arithmetic?)
END
refused 3 decoder <<'END'
i8  | backend: simd, algorithm: log-map  | 6:29: turbo.decode.backend: simd cannot do what the parameters ask for: \
    algorithm: backend simd has max-log only
i8  | backend: simd, early_stop: min-llr | 6:29: turbo.decode.backend: simd cannot do what the parameters ask for: \
    early_stop: backend simd has none and crc; its integers do not hold LLRs that reach a threshold
i8  | backend: simd, sub_blocks: 64      | 6:29: turbo.decode.backend: simd cannot do what the parameters ask for: \
    sub_blocks: backend simd has 1, 2, 4 .. 64 of 16 bits or more
i16 | backend: simd, code: umts, sub_blocks: 4 | 6:29: turbo.decode.backend: simd cannot do what the parameters ask for: \
    sub_blocks: backend simd has 1 with umts
i16 | backend: simd, sub_blocks: 64      | 6:29: turbo.decode.backend: simd cannot do what the parameters ask for: \
    sub_blocks: backend simd has 1, 2, 4 .. 32 of 16 bits or more in 16-bit arithmetic
END

# What `explain` says of the decoder
explained decoder <<'END'
i8  | backend: simd, iterations: 6           | ^    does +[a-z0-9]+, 8-bit arithmetic \(i8 LLRs\), 2 sub-blocks of each of 32 blocks side by side(; up to 4 left over one by one, up to 16 in half a row)?$
i16 | backend: simd, iterations: 6           | ^    does +[a-z0-9]+, 16-bit arithmetic \(i16 LLRs; arithmetic: i8 would be faster\), 2 sub-blocks of each of 16 blocks side by side(; up to [0-9]+ left over one by one)?([,;] up to 8 in half a row)?$
i8  | backend: simd, tune: {arithmetic: i16} | ^    does +[a-z0-9]+, 16-bit arithmetic \(as tuned\), 2
i16 | backend: simd, tune: {arithmetic: i8}, sub_blocks: 1 | ^    does +[a-z0-9]+, 8-bit arithmetic \(as tuned\), 1 sub-block of each of 64 blocks
i16 | backend: simd, tune: {arithmetic: auto}, sub_blocks: 32 | ^    does +[a-z0-9]+, 16-bit arithmetic \(i16 LLRs; arithmetic: i8 would be faster\), 32 sub-blocks of each of 1 block side
# i16 LLRs go to simd, too, without a word.
i16 |                                        | ^turbo.decode: simd on host
END

# What is tuned is known where instances are made.
decoder i8 'backend: simd, sub_blocks: 64, tune: {arithmetic: i16}' | sed 's/1548/3084/' >p.yaml
limit='backend simd has 1, 2, 4 .. 32 of 16 bits or more in 16-bit arithmetic$'
run "$FECRUN" explain p.yaml
prints "^    does +nothing: sub_blocks: $limit" "64 sub-blocks are too many for the lanes of 16 bits"
for verb in check run; do
    refuses 2 "^fecrun: p.yaml:6:70: turbo.decode.tune \(backend simd\).arithmetic: i16: sub_blocks: $limit" \
        $verb p.yaml
done

# received BITS STAGE: of a binary symmetric channel, in line 5
received() { pipeline "source.random: {bits: $1}" 'channel.bsc: {p: 0.1}' "$2" 'sink.null: {}'; }
refused 2 received <<'END'
1549 | turbo.decode: {} | 5:5: turbo.decode: the input has 1549 LLRs a frame, which makes blocks of 0 bits, none of \
    the 188 sizes of TS 36.212; the smallest is 40
132  | turbo.decode: {fillers: 20, early_stop: crc, crc: 24a} | 5:55: turbo.decode.crc: frames of 20 bits have no \
    room for a message and 24 parity bits
END
head -c 100 /dev/zero >x.i1
recover() {
    pipeline 'source.file: {path: x.i1, kind: llr, dtype: i1, frame: 100, llr_scale: 1}' "turbo.rate_recover: {$1}" \
        'sink.null: {}'
}
refused 2 recover <<'END'
 | 4:5: turbo.rate_recover.k: must be given: what was received does not tell the size of the block
END

# ---- Rate matching: match is line 5, recover 7 ----
# matched MATCH RECOVER
matched() {
    pipeline 'source.random: {bits: 40}' 'turbo.encode: {}' "turbo.rate_match: {$1}" \
        'channel.bsc: {p: 0.01}' "turbo.rate_recover: {$2}" 'sink.null: {}'
}
refused 2 matched <<'END'
e: 0             | k: 40                | 5:27: turbo.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
                 | k: 40                | 5:5: turbo.rate_match.e: must be given: bits sent a frame
e: 100, rv: 4    | k: 40                | 5:36: turbo.rate_match.rv: must be an integer from 0 to 3, is '4'
e: 100, ncb: 193 | k: 40                | 5:37: turbo.rate_match.ncb: is 193; the circular buffer of a block of 40 bits has Kw = 192 \
    places, dummies included
e: 100, ncb: 1   | k: 40                | 5:37: turbo.rate_match.ncb: is 1; so many places of the circular buffer hold no bit that \
    could be sent, only dummies and fillers
e: 100, k: 48    | k: 40                | 5:5: turbo.rate_match: the input has 132 bits a frame; the word of a block of 48 bits has \
    3 (K + 4) = 156
e: 100           | k: 41                | 7:29: turbo.rate_recover.k: 41 is none of the 188 block sizes of TS 36.212; the next ones are \
    40 and 48
e: 100           | k: 40, e: 99         | 7:36: turbo.rate_recover.e: is 99 and the input has 100 LLRs a frame
e: 100           | k: 40, harq_out: "-" | 7:43: turbo.rate_recover.harq_out: standard output is raw; give the name of a \
    .npy file
e: 100, qm: 2    | k: 40                | 5:32: turbo.rate_match.qm: no such parameter; there are code, k, fillers, rate, e, rv, ncb
e: 100           | k: 40, rv: 4         | 7:37: turbo.rate_recover.rv: must be an integer from 0 to 3, is '4'
END

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
mv users.csv right.csv
# edited SED: the table of blocks after an edit
edited() {
    sed "$1" right.csv >users.csv
    cat users.yaml
}
refused 2 edited <<'END'
s/,512,/,513,/      | users.csv:3:7: turbo.encode.k: 513 is none of the 188 block sizes of TS 36.212; the next ones are \
    512 and 528
s/,900,/,0,/        | users.csv:3:15: turbo.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
s/,900,/,x,/        | users.csv:3:15: blocks.e: must be an integer, is 'x'
s/,900,12/,900,64/  | users.csv:3:19: turbo.encode.fillers: must be an integer from 0 to 63 bits, is '64'
s/,12$//            | users.csv:3:1: blocks.fillers: the row has 6 columns, the header has 7
s/fillers/filers/   | users.csv:1:26: blocks: no stage of this pipeline has a size parameter `filers` (did you mean \
    fillers?); there are bits, k, fillers, e, rv, ncb, sub_blocks
s/,count,/,counts,/ | users.csv:1:1: blocks.count: the column is missing
s/,500,/,501,/      | users.csv:3:1: turbo.encode: the input has 501 bits a frame and the code takes 500 (K = 512 \
    less 12 fillers)
END
done_testing
