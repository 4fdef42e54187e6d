#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about LDPC codes: status 2 and one line that says where, what is wrong
# and what is allowed, compared word for word.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# wrong MESSAGE [FILE [STATUS]]: `fecrun check FILE` (p.yaml) ends with 2 and says this and nothing
# else.
wrong() {
    run "$FECRUN" check "${2-p.yaml}" --quiet
    is "${3-2}" "status ${3-2}"
    same "$1" "$(cat err)" "fecrun: $1"
}

# code BITS CODE MESSAGE: its encoder is in line 4, its decoder in line 6.
code() {
    pipeline "source.random: {bits: $1}" "ldpc.encode: {$2}" 'channel.bsc: {p: 0.01}' \
        "ldpc.decode: {$2${decoder:+, $decoder}}" 'sink.errors: {}' >p.yaml
    wrong "p.yaml:$3"
}

decoder=
code 374 'code: nr, bg: 1, z: 17' "4:39: ldpc.encode.z: 17 is none of the 51 lifting sizes of \
TS 38.212 (2 to 16 and, above, 8 to 15 times a power of two up to 384); the next ones are 16 and 18"
code 374 'code: nr, bg: 1, z: 400' \
    "4:39: ldpc.encode.z: must be an integer from 2 to 384, is '400'"
code 88 'code: nr, bg: 3, z: 4' \
    "4:33: ldpc.encode.bg: must be an integer from 1 to 2, is '3'"
code 88 'code: nr, bg: 1' "4:5: ldpc.encode.z: missing: code: nr needs it (nr: lifting size Zc, one \
of the 51 of TS 38.212; K = 22 z or 10 z, N = 66 z or 50 z)"
code 8 'code: nr, bg: 1, z: 4, fillers: 80' "4:51: ldpc.encode.fillers: is 80; with bg 1 and z = 4 \
(K = 88) at most 79 are possible, for of the K - fillers bits the first 2 z = 8 are not sent"
code 90 'code: nr, bg: 1, z: 4' \
    "4:5: ldpc.encode: the input has 90 bits a frame and the code takes 88"
code 324 'code: wify, n: 648, rate: 1/2' "4:25: ldpc.encode.code: must be one of nr, wifi, wimax, \
dvbs2, alist, qc, is 'wify' (did you mean wifi?)"
code 324 'code: wifi, bg: 1, z: 4' "4:35: ldpc.encode.bg: code: wifi has no bg; it has n, rate"
code 324 'code: wifi, n: 650, rate: 1/2' \
    "4:34: ldpc.encode.n: is 650; 648, 1296 and 1944 are the lengths of Wi-Fi"
code 324 'code: wifi, n: 648, rate: 1/3' \
    "4:45: ldpc.encode.rate: Wi-Fi has no rate '1/3'; 1/2, 2/3, 3/4 and 5/6 are possible"
code 384 'code: wimax, n: 576, rate: 2/3' "4:46: ldpc.encode.rate: WiMAX has no rate '2/3'; 1/2, \
2/3A, 2/3B, 3/4A, 3/4B and 5/6 are possible"
code 300 'code: wimax, n: 600, rate: 1/2' "4:35: ldpc.encode.n: is 600; the 19 lengths of WiMAX go \
from 576 to 2304 in steps of 96"
code 9 'code: dvbs2, frame: short, rate: 9/10' "4:52: ldpc.encode.rate: DVB-S2 has no rate '9/10' \
in short frames; it has 1/4, 1/3, 2/5, 1/2, 3/5, 2/3, 3/4, 4/5, 5/6, 8/9"
code 9 'code: dvbs2, frame: medium, rate: 1/2' \
    "4:39: ldpc.encode.frame: must be one of normal, short, is 'medium'"

# ---- The decoder ----
decoder='rows: 47'
code 88 'code: nr, bg: 1, z: 4' \
    "6:48: ldpc.decode.rows: must be an integer from 4 to 46 or auto, is '47'"
decoder='rows: 3'
code 88 'code: nr, bg: 1, z: 4' \
    "6:48: ldpc.decode.rows: must be an integer from 4 to 46 or auto, is '3'"
decoder='rows: 43'
code 40 'code: nr, bg: 2, z: 4' \
    "6:48: ldpc.decode.rows: 43: base graph 2 is used with 4 to 42 rows"
decoder='rows: 12'
code 324 'code: wifi, n: 648, rate: 1/2' \
    "6:56: ldpc.decode.rows: only code: nr can do without some of its rows"
decoder='check_rule: sum-product, alpha: 0.7'
code 324 'code: wifi, n: 648, rate: 1/2' \
    "6:82: ldpc.decode.alpha: is the factor of check_rule: min-sum; sum-product has none"
decoder='alpha: 1.5'
code 324 'code: wifi, n: 648, rate: 1/2' \
    "6:57: ldpc.decode.alpha: must be a number from 0.05 to 1 or auto, is '1.5'"
decoder='early_stop: crc'
code 324 'code: wifi, n: 648, rate: 1/2' \
    "6:62: ldpc.decode.early_stop: must be one of syndrome, none, is 'crc'"
decoder='erasures: fill'
code 324 'code: wifi, n: 648, rate: 1/2' \
    "6:60: ldpc.decode.erasures: must be one of leave, solve, is 'fill'"
decoder='erasures: solve, backend: simd'
pipeline 'source.random: {bits: 324}' 'ldpc.encode: {code: wifi, n: 648, rate: 1/2}' \
    'channel.bec: {p: 0.4}' 'llr.quantize: {type: i8, scale: 8}' \
    "ldpc.decode: {code: wifi, n: 648, rate: 1/2, $decoder}" 'sink.errors: {}' >p.yaml
wrong "p.yaml:7:76: ldpc.decode.backend: simd cannot do what the parameters ask for: erasures: \
backend simd has leave only; solve is that of ref" p.yaml 3
decoder=

# ---- Rate matching: `send` is line 5, `recover` 7 and the decoder 8 ----
# matched SEND RECOVER DECODER MESSAGE
matched() {
    pipeline 'source.random: {bits: 88}' 'ldpc.encode: {code: nr, bg: 1, z: 4}' \
        "ldpc.rate_match: {bg: 1, $1}" 'channel.bsc: {p: 0.01}' "ldpc.rate_recover: {bg: 1, $2}" \
        "ldpc.decode: {code: nr, bg: 1, $3}" 'sink.errors: {}' >p.yaml
    wrong "p.yaml:$4"
}
matched 'z: 4, e: 0' 'z: 4' 'z: 4' \
    "5:39: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'"
matched 'z: 4' 'z: 4' 'z: 4' \
    "5:5: ldpc.rate_match.e: must be given: bits sent a frame, a multiple of qm"
matched 'z: 4, e: 101, qm: 2' 'z: 4' 'z: 4' \
    "5:39: ldpc.rate_match.e: is 101, which is no multiple of qm = 2"
matched 'z: 4, e: 102, qm: 3' 'z: 4' 'z: 4' "5:48: ldpc.rate_match.qm: is 3; 1 (no interleaving), \
2, 4, 6 or 8 bits a symbol are possible"
matched 'z: 4, e: 100, rv: 4' 'z: 4' 'z: 4' \
    "5:48: ldpc.rate_match.rv: must be an integer from 0 to 3, is '4'"
matched 'z: 4, e: 100, ncb: 300' 'z: 4' 'z: 4' \
    "5:49: ldpc.rate_match.ncb: is 300; with bg 1 and z = 4 the code word has 264 bits"
matched 'z: 5, e: 100' 'z: 5' 'z: 5' "5:5: ldpc.rate_match: the input has 264 bits a frame; a code \
word of base graph 1 with z = 5 has 330; z is 5, but ldpc.encode (line 4) has 4"
matched 'z: 4, e: 100' 'z: 4, e: 99' 'z: 4' \
    "7:41: ldpc.rate_recover.e: is 99 and the input has 100 LLRs a frame"
matched 'z: 4, e: 100' 'z: 4' 'z: 5' "8:5: ldpc.decode: the input has 264 LLRs a frame and the \
code's word has N = 330 (ldpc.rate_recover with the same bg and z gives as many); z is 5, but \
ldpc.encode (line 4) has 4"

# ---- Files ----
# file KIND MESSAGE <its text
file() {
    cat >"bad.$1"
    pipeline 'source.random: {bits: 4}' "ldpc.encode: {code: $1, path: bad.$1}" 'sink.null: {}' \
        >p.yaml
    wrong "p.yaml:4:$((33 + ${#1})): ldpc.encode.path: $2"
}
pipeline 'source.random: {bits: 4}' "ldpc.encode: {code: alist, path: nowhere.alist}" \
    'sink.null: {}' >p.yaml
wrong 'p.yaml:4:38: ldpc.encode.path: nowhere.alist: No such file or directory'
pipeline 'source.random: {bits: 4}' "ldpc.encode: {code: alist}" 'sink.null: {}' >p.yaml
wrong 'p.yaml:4:5: ldpc.encode.path: missing: code: alist needs it (alist, qc: the file)'

# The (7, 4) Hamming code, whose file is right ...
hamming='7 3
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
1 2 4 5'
echo "$hamming" >right.alist
pipeline 'source.random: {bits: 4}' 'ldpc.encode: {code: alist, path: right.alist}' \
    'sink.null: {}' >p.yaml
run "$FECRUN" check p.yaml
is 0 "a right alist file"
# ... and one of its lines is not.
alist() { # LINE TEXT MESSAGE
    echo "$hamming" | sed "$1s/.*/$2/" >in
    file alist "bad.alist: line $3" <in
}
alist 1 '8 3' '3: 7 numbers; 8 are needed: the weights of the 8 columns'
alist 4 '4 4 3' '4: the weights of the rows add up to 11, those of the columns to 12'
alist 6 '1 1' '6: column 2 has a one in row 1 twice'
alist 6 '1 4' '6: column 2 has a one in row 4; 1 to 3 is possible'
alist 6 '1 2 3' '6: column 2 has more than the 2 ones of its weight'
alist 13 '1 3 4 4' '13: row 2 has a one in column 4 twice'
alist 13 '1 3 4 5' '13: row 2 has no one in column 6, whose list names that row'
alist 13 '1 x 4 5' "13: column 3: this is no whole number"
echo "$hamming" | head -n 13 >in
file alist 'bad.alist: line 13: the file ends here; missing: the list of row 3' <in

printf '3 2 4\n0 1 2\n0 4 1\n' >in
file qc 'bad.qc: line 3: number 2 is 4; -1 to 3 is possible: the 3 shifts of base row 2' <in
printf '3 2 4\n0 1 2\n0 1\n' >in
file qc 'bad.qc: line 3: 2 numbers; 3 are needed: the 3 shifts of base row 2' <in
printf '3 2 4\n0 -1 -1\n0 1 2\n' >in
file qc 'bad.qc: line 2: base row 1 has 1 shifts that are not -1; 2 to 4096 are possible' <in

# ---- Tables of code blocks ----
printf '%s\n' 'blocks: users.csv' >blocks
pipeline 'source.random: {}' 'ldpc.encode: {code: nr}' 'ldpc.rate_match: {}' \
    'channel.bsc: {p: 0.01}' 'ldpc.rate_recover: {}' 'ldpc.decode: {code: nr}' 'sink.errors: {}' |
    cat - blocks >many.yaml
# users MESSAGE HEADER ROW: the row before it is right.
users() {
    printf '%s\n' "$2" "$3" >users.csv
    wrong "users.csv:$1" many.yaml
}
columns=cell,user,count,bits,bg,z,fillers,e,rv,qm
printf '%s\n' $columns 1,far,3,80,1,4,8,100,0,2 2,near,1,40,2,4,0,64,3,4 >users.csv
run "$FECRUN" run many.yaml --quiet --set stop.frames=8
is 0 "a right table"
users "1:25: blocks: no stage of this pipeline has a size parameter \`zc\` (did you mean z?); there \
are bits, bg, z, fillers, e, rv, qm, ncb, rows" cell,user,count,bits,bg,zc 1,far,3,88,1,4
users "1:27: blocks: no stage of this pipeline has a size parameter \`modulation\`; there are bits, \
bg, z, fillers, e, rv, qm, ncb, rows" cell,user,count,bits,bg,z,modulation 1,far,3,88,1,4,2
users '1:1: blocks.count: the column is missing' cell,user,bits 1,far,88
users '2:1: blocks.qm: the row has 9 columns, the header has 10' $columns 1,far,3,88,1,4,0,100,0
users "2:14: blocks.z: must be an integer, is '4x'" $columns 1,far,3,88,1,4x,0,100,0,2
users "2:15: ldpc.encode.z: 17 is none of the 51 lifting sizes of TS 38.212 (2 to 16 and, above, 8 \
to 15 times a power of two up to 384); the next ones are 16 and 18" $columns \
    1,far,3,374,1,17,0,400,0,2
users "2:18: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'" $columns \
    1,far,3,88,1,4,0,0,0,2
users '2:18: ldpc.rate_match.e: is 101, which is no multiple of qm = 2' $columns \
    1,far,3,88,1,4,0,101,0,2
users '2:1: ldpc.encode: the input has 88 bits a frame and the code takes 40' $columns \
    1,far,3,88,2,4,0,100,0,2
users "2:26: ldpc.decode.rows: 43: base graph 2 is used with 4 to 42 rows" $columns,rows \
    1,far,3,40,2,4,0,100,0,2,43
done_testing
