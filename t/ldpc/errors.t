#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about LDPC codes: status 2 and one line that says where, what is wrong
# and what is allowed, compared word for word.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# coded BITS CODE DECODER: the encoder is in line 4, the decoder, which has the code, too, in line 6.
coded() {
    pipeline "source.random: {bits: $1}" "ldpc.encode: {$2}" 'channel.bsc: {p: 0.01}' "ldpc.decode: {$2${3:+, $3}}" \
        'sink.errors: {}'
}
refused 2 coded <<'END'
374 | code: nr, bg: 1, z: 17                |                                     | 4:39: ldpc.encode.z: 17 is none of the 51 lifting sizes of TS 38.212 (2 to 16 \
    and, above, 8 to 15 times a power of two up to 384); the next ones are 16 and 18
374 | code: nr, bg: 1, z: 400               |                                     | 4:39: ldpc.encode.z: must be an integer from 2 to 384, is '400'
88  | code: nr, bg: 3, z: 4                 |                                     | 4:33: ldpc.encode.bg: must be an integer from 1 to 2, is '3'
88  | code: nr, bg: 1                       |                                     | 4:5: ldpc.encode.z: missing: code: nr needs it (nr: lifting size Zc, one of the 51 of TS \
    38.212; K = 22 z or 10 z, N = 66 z or 50 z)
8   | code: nr, bg: 1, z: 4, fillers: 80    |                                     | 4:51: ldpc.encode.fillers: is 80; with bg 1 and z = 4 (K = 88) at most \
    79 are possible, for of the K - fillers bits the first 2 z = 8 are not sent
90  | code: nr, bg: 1, z: 4                 |                                     | 4:5: ldpc.encode: the input has 90 bits a frame and the code takes 88
324 | code: wify, n: 648, rate: 1/2         |                                     | 4:25: ldpc.encode.code: must be one of nr, wifi, wimax, dvbs2, alist, qc, \
    ccsds, is 'wify' (did you mean wifi?)
324 | code: wifi, bg: 1, z: 4               |                                     | 4:35: ldpc.encode.bg: code: wifi has no bg; it has n, rate
324 | code: wifi, n: 650, rate: 1/2         |                                     | 4:34: ldpc.encode.n: is 650; 648, 1296 and 1944 are the lengths of Wi-Fi
324 | code: wifi, n: 648, rate: 1/3         |                                     | 4:45: ldpc.encode.rate: Wi-Fi has no rate '1/3'; 1/2, 2/3, 3/4 and 5/6 are \
    possible
384 | code: wimax, n: 576, rate: 2/3        |                                     | 4:46: ldpc.encode.rate: WiMAX has no rate '2/3'; 1/2, 2/3A, 2/3B, 3/4A, \
    3/4B and 5/6 are possible
300 | code: wimax, n: 600, rate: 1/2        |                                     | 4:35: ldpc.encode.n: is 600; the 19 lengths of WiMAX go from 576 to 2304 \
    in steps of 96
64  | code: ccsds, n: 256                   |                                     | 4:35: ldpc.encode.n: is 256; CCSDS has 128, 512 (telecommand), 8176 (C2), \
    1280, 5120, 20480 (AR4JA 4/5), 1536, 6144, 24576 (2/3), 2048, 8192 and 32768 (1/2)
64  | code: ccsds                           |                                     | 4:5: ldpc.encode.n: missing: code: ccsds needs it (wifi: 648, 1296 or 1944; \
    wimax: 576 to 2304 in steps of 96; ccsds: 128, 512 (telecommand), 8176 (C2), 1280, 5120, 20480 (AR4JA 4/5), 1536, 6144, \
    24576 (2/3), 2048, 8192, 32768 (1/2))
64  | code: ccsds, n: 128, rate: 1/2        |                                     | 4:46: ldpc.encode.rate: code: ccsds has no rate; it has n
9   | code: dvbs2, frame: short, rate: 9/10 |                                     | 4:52: ldpc.encode.rate: DVB-S2 has no rate '9/10' in short frames; \
    it has 1/4, 1/3, 2/5, 1/2, 3/5, 2/3, 3/4, 4/5, 5/6, 8/9
9   | code: dvbs2, frame: medium, rate: 1/2 |                                     | 4:39: ldpc.encode.frame: must be one of normal, short, is 'medium'
# ---- The decoder ----
88  | code: nr, bg: 1, z: 4                 | rows: 47                            | 6:48: ldpc.decode.rows: must be an integer from 4 to 46 or auto, is '47'
88  | code: nr, bg: 1, z: 4                 | rows: 3                             | 6:48: ldpc.decode.rows: must be an integer from 4 to 46 or auto, is '3'
40  | code: nr, bg: 2, z: 4                 | rows: 43                            | 6:48: ldpc.decode.rows: 43: base graph 2 is used with 4 to 42 rows
324 | code: wifi, n: 648, rate: 1/2         | rows: 12                            | 6:56: ldpc.decode.rows: only code: nr can do without some of its rows
324 | code: wifi, n: 648, rate: 1/2         | check_rule: sum-product, alpha: 0.7 | 6:82: ldpc.decode.alpha: is the factor \
    of check_rule: min-sum; sum-product has none
324 | code: wifi, n: 648, rate: 1/2         | alpha: 1.5                          | 6:57: ldpc.decode.alpha: must be a number from 0.05 to 1 or \
    auto, is '1.5'
324 | code: wifi, n: 648, rate: 1/2         | early_stop: crc                     | 6:62: ldpc.decode.early_stop: must be one of syndrome, \
    none, is 'crc'
324 | code: wifi, n: 648, rate: 1/2         | erasures: fill                      | 6:60: ldpc.decode.erasures: must be one of leave, solve, is \
    'fill'
324 | code: wifi, n: 648, rate: 1/2         | iterations: 0                       | 6:62: ldpc.decode.iterations: must be an integer from 1 to \
    1000, is '0'
324 | code: wifi, n: 648, rate: 1/2         | iteration: 6                        | 6:50: ldpc.decode.iteration: no such parameter (did you mean \
    iterations?)
324 | code: wifi, n: 648, rate: 1/2         | check_rule: sum                     | 6:62: ldpc.decode.check_rule: must be one of min-sum, \
    offset-min-sum, sum-product, is 'sum' (did you mean sum-product?)
324 | code: wifi, n: 648, rate: 1/2         | schedule: layer                     | 6:60: ldpc.decode.schedule: must be one of layered, flooding, \
    is 'layer' (did you mean layered?)
324 | code: wifi, n: 648, rate: 1/2         | backend: smid                       | 6:59: ldpc.decode.backend: unknown backend `smid` (did you mean \
    simd?); this stage has ref, cuda, simd, cuda-general
END

# quantized TYPE DECODER: the decoder is in line 7.
quantized() {
    pipeline 'source.random: {bits: 324}' 'ldpc.encode: {code: wifi, n: 648, rate: 1/2}' \
        'channel.bec: {p: 0.4}' "llr.quantize: {type: $1, scale: 8}" \
        "ldpc.decode: {code: wifi, n: 648, rate: 1/2, $2}" 'sink.errors: {}'
}
refused 3 quantized <<'END'
i8  | erasures: solve, backend: simd         | 7:76: ldpc.decode.backend: simd cannot do what the parameters ask for: erasures: \
    backend simd has leave only; solve is that of ref
i8  | backend: simd, check_rule: sum-product | 7:59: ldpc.decode.backend: simd cannot do what the parameters ask for: \
    check_rule: backend simd has min-sum and offset-min-sum
i8  | backend: simd, schedule: flooding      | 7:59: ldpc.decode.backend: simd cannot do what the parameters ask for: \
    schedule: backend simd has layered only
i16 | backend: simd                          | 7:5: ldpc.decode: no simd backend takes LLRs as i16 here
END
refused 2 quantized <<'END'
i8 | backend: simd, tune: {layout: rows} | 7:80: ldpc.decode.tune (backend simd).layout: must be one of block, blocks \
    or auto, is 'rows'
i8 | backend: simd, tune: {x: 1}         | 7:72: ldpc.decode.tune (backend simd).x: no such parameter; there are isa, layout
END

# ---- Rate matching: match is line 5, recover 7 and the decoder 8 ----
# matched MATCH RECOVER DECODER
matched() {
    pipeline 'source.random: {bits: 88}' 'ldpc.encode: {code: nr, bg: 1, z: 4}' \
        "ldpc.rate_match: {bg: 1, $1}" 'channel.bsc: {p: 0.01}' "ldpc.rate_recover: {bg: 1, $2}" \
        "ldpc.decode: {code: nr, bg: 1, $3}" 'sink.errors: {}'
}
refused 2 matched <<'END'
z: 4, e: 0             | z: 4                | z: 4 | 5:39: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
z: 4                   | z: 4                | z: 4 | 5:5: ldpc.rate_match.e: must be given, or rate: the bits sent a frame
z: 4, e: 101, qm: 2    | z: 4                | z: 4 | 5:39: ldpc.rate_match.e: is 101, which is no multiple of qm = 2
z: 4, e: 102, qm: 3    | z: 4                | z: 4 | 5:48: ldpc.rate_match.qm: is 3; 1 (no interleaving), 2, 4, 6, 8, 10 or 12 bits a symbol \
    are possible
z: 4, e: 100, rv: 4    | z: 4                | z: 4 | 5:48: ldpc.rate_match.rv: must be an integer from 0 to 3, is '4'
z: 4, e: 100, ncb: 300 | z: 4                | z: 4 | 5:49: ldpc.rate_match.ncb: is 300; with bg 1 and z = 4 the code word has 264 \
    bits
z: 5, e: 100           | z: 5                | z: 5 | 5:5: ldpc.rate_match: the input has 264 bits a frame; a code word of base graph 1 with \
    z = 5 has 330; z is 5, but ldpc.encode (line 4) has 4
z: 4, e: 100           | z: 4, e: 99         | z: 4 | 7:41: ldpc.rate_recover.e: is 99 and the input has 100 LLRs a frame
z: 4, e: 100           | z: 4                | z: 5 | 8:5: ldpc.decode: the input has 264 LLRs a frame and the code's word has N = 330 \
    (ldpc.rate_recover with the same bg and z gives as many); z is 5, but ldpc.encode (line 4) has 4
z: 4, e: 100           | z: 4, harq_out: "-" | z: 4 | 7:48: ldpc.rate_recover.harq_out: standard output is raw; give the name \
    of a .npy file
z: 4, e: 100           | z: 4, rv: 4         | z: 4 | 7:42: ldpc.rate_recover.rv: must be an integer from 0 to 3, is '4'
z: 4, e: 268435457     | z: 4                | z: 4 | 5:39: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '268435457'
z: 4, e: 100           | z: 4, ncb: 300      | z: 4 | 7:43: ldpc.rate_recover.ncb: is 300; with bg 1 and z = 4 the code word has 264 bits
END

# ---- Files ----
# file KIND EDIT: of the file right.KIND, which sed edits
file() {
    [ ! -f "right.$1" ] || sed "$2" "right.$1" >"bad.$1"
    [ "$1" = alist ] && bits=4 || bits=5
    pipeline "source.random: {bits: $bits}" "ldpc.encode: {code: $1, path: bad.$1}" 'sink.null: {}'
}
# nothing PARAMETERS: a file that is not there
nothing() { pipeline 'source.random: {bits: 4}' "ldpc.encode: {$1}" 'sink.null: {}'; }
refused 2 nothing <<'END'
code: alist, path: nowhere.alist | 4:38: ldpc.encode.path: nowhere.alist: No such file or directory
code: alist                      | 4:5: ldpc.encode.path: missing: code: alist needs it (alist, qc: the file)
END

# The (7, 4) Hamming code.
cat >right.alist <<'END'
7 3
3 4
2 2 2 3 1 1 1
4 4 4
2 3
1 3
1 2
1 2 3
3
2
1
2 3 4 7
1 3 4 6
1 2 4 5
END
printf '3 2 4\n0 1 2\n0 1 1\n' >right.qc
for kind in alist qc; do
    file $kind '' >p.yaml
    run "$FECRUN" check p.yaml
    is 0 "a right $kind file"
done
refused 2 file <<'END'
# kind | edit | message
alist | 1s/.*/8 3/      | 4:38: ldpc.encode.path: bad.alist: line 3: 7 numbers; 8 are needed: the weights of the 8 columns
alist | 4s/.*/4 4 3/    | 4:38: ldpc.encode.path: bad.alist: line 4: the weights of the rows add up to 11, those of the columns to 12
alist | 6s/.*/1 1/      | 4:38: ldpc.encode.path: bad.alist: line 6: column 2 has a one in row 1 twice
alist | 6s/.*/1 4/      | 4:38: ldpc.encode.path: bad.alist: line 6: column 2 has a one in row 4; 1 to 3 is possible
alist | 6s/.*/1 2 3/    | 4:38: ldpc.encode.path: bad.alist: line 6: column 2 has more than the 2 ones of its weight
alist | 13s/.*/1 3 4 4/ | 4:38: ldpc.encode.path: bad.alist: line 13: row 2 has a one in column 4 twice
alist | 13s/.*/1 3 4 5/ | 4:38: ldpc.encode.path: bad.alist: line 13: row 2 has no one in column 6, whose list names that row
alist | 13s/.*/1 x 4 5/ | 4:38: ldpc.encode.path: bad.alist: line 13: column 3: this is no whole number
alist | 14d             | 4:38: ldpc.encode.path: bad.alist: line 13: the file ends here; missing: the list of row 3
qc    | 3s/.*/0 4 1/    | 4:35: ldpc.encode.path: bad.qc: line 3: number 2 is 4; -1 to 3 is possible: the 3 shifts of base row 2
qc    | 3s/.*/0 1/      | 4:35: ldpc.encode.path: bad.qc: line 3: 2 numbers; 3 are needed: the 3 shifts of base row 2
qc    | 2s/.*/0 -1 -1/  | 4:35: ldpc.encode.path: bad.qc: line 2: base row 1 has 1 shifts that are not -1; 2 to 4096 are possible
END

# ---- blocks: mixed sizes ----
cat >right.csv <<'END'
cell,user,count,bits,bg,z,fillers,e,rv,qm
1,far,3,80,1,4,8,100,0,2
2,near,1,40,2,4,0,64,3,4
END
# edited SED: the table of blocks after an edit
edited() {
    sed "$1" right.csv >users.csv
    pipeline 'source.random: {}' 'ldpc.encode: {code: nr}' 'ldpc.rate_match: {}' \
        'channel.bsc: {p: 0.01}' 'ldpc.rate_recover: {}' 'ldpc.decode: {code: nr}' 'sink.errors: {}'
    echo 'blocks: users.csv'
}
edited '' >p.yaml
run "$FECRUN" run p.yaml --quiet --set stop.frames=8
is 0 "a right table"
refused 2 edited <<'END'
s/,z,/,zc,/                                  | users.csv:1:25: blocks: no stage of this pipeline has a size parameter `zc` (did you mean z?); there are bits, \
    bg, z, fillers, e, rv, qm, ncb, rate, rows
s/,z,/,modulation,/                          | users.csv:1:25: blocks: no stage of this pipeline has a size parameter `modulation`; there are \
    bits, bg, z, fillers, e, rv, qm, ncb, rate, rows
s/,count,/,counts,/                          | users.csv:1:1: blocks.count: the column is missing
2s/,2$//                                     | users.csv:2:1: blocks.qm: the row has 9 columns, the header has 10
2s/,4,8/,4x,8/                               | users.csv:2:14: blocks.z: must be an integer, is '4x'
2s/,80,1,4,8/,374,1,17,0/                    | users.csv:2:15: ldpc.encode.z: 17 is none of the 51 lifting sizes of TS 38.212 (2 to 16 and, above, 8 \
    to 15 times a power of two up to 384); the next ones are 16 and 18
2s/,100,/,0,/                                | users.csv:2:18: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
2s/,100,/,101,/                              | users.csv:2:18: ldpc.rate_match.e: is 101, which is no multiple of qm = 2
2s/80,1,4,8/88,2,4,0/                        | users.csv:2:1: ldpc.encode: the input has 88 bits a frame and the code takes 40
s/$/,43/; 1s/43/rows/; 2s/80,1,4,8/40,2,4,0/ | users.csv:2:26: ldpc.decode.rows: 43: base graph 2 is used with 4 to 42 rows
END

# ---- what `explain` says of the kernels: simd ----
kernel() { # FRAME PARAMETERS
    pipeline "source.memory: {dtype: i8, frame: $1, llr_max: 127}" "ldpc.decode: {$2, backend: simd}" 'sink.memory: {}'
}
explained kernel <<'END'
1056 | code: nr, bg: 1, z: 16, iterations: 10, tune: {isa: generic} | ^    does generic, 8-bit messages, 64 blocks side by side; up to [0-9]+ one by one along their lanes; slow blocks of more than 128 leave for 5 other groups$
1056 | code: nr, bg: 1, z: 16, iterations: 10, early_stop: none, tune: {isa: generic} | 64 blocks side by side; up to [0-9]+ one by one along their lanes$
1056 | code: nr, bg: 1, z: 16, tune: {isa: generic, layout: block} | ^    does generic, 8-bit messages, blocks one by one along their lanes$
1056 | code: nr, bg: 1, z: 16, early_stop: none, tune: {isa: generic, layout: blocks} | ^    does generic, 8-bit messages, 64 blocks side by side$
25344 | code: nr, bg: 1, z: 384, tune: {isa: generic} | blocks one by one along their lanes; 64 side by side would not fit the caches$
END
kernel 1056 'code: nr, bg: 1, z: 16, tune: {isa: avx2}' >p.yaml
run "$FECRUN" explain p.yaml
if [ "$status" = 0 ]; then
    prints '^    does AVX2, .* along their lanes, 2 columns a vector; slow' 'explain: packed rows, AVX2'
else
    skip 1 "this machine or build has no AVX2"
fi
done_testing
