#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about polar codes: one line that says where, what is wrong and what is
# allowed, compared word for word; and batches of mixed sizes.
. "$top_srcdir/t/lib/family.sh"
without_cuda

# code BITS ENCODER MESSAGE: it is in line 4.
code() {
    pipeline "source.random: {bits: $1}" "polar.encode: {$2}" 'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:4:$3"
}
code 100 'code: plain, n: 1000, k: 100' "36: polar.encode.n: is 1000 and no power of two; 32 to 32768 \
are allowed, the next ones are 512 and 1024"
code 100 'code: plain, n: 16, k: 10' \
    "36: polar.encode.n: must be an integer from 32 to 32768 bits, is '16'"
code 100 'code: plain, n: 64, k: 100' \
    "43: polar.encode.k: is 100; a word of N = 64 bits has at most as many"
code 100 'code: plain, k: 100' "5: polar.encode.n: missing: code: plain needs it (plain: bits of the \
word N, a power of two)"
code 100 'code: nr, n: 128, k: 100' "33: polar.encode.n: code: nr has no n; it has k, e, n_max, \
input_interleave"
code 100 'code: plain, n: 128, k: 100, e: 120' "52: polar.encode.e: code: plain has no e; it has k, \
n, construction, design_snr_db, path"
code 100 'code: nr, k: 100' "5: polar.encode.e: missing: code: nr needs it (nr: bits that are sent of \
a block; N and the frozen bits depend on it)"
code 100 'code: nr, k: 100, e: 99' "41: polar.encode.e: is 99 and has no room for the K = 100 bits: at \
least 100 are allowed"
code 20 'code: nr, k: 20, e: 22' "40: polar.encode.e: is 22 and has no room for the K = 20 bits and 3 \
bits of parity: at least 23 are allowed"
code 600 'code: nr, k: 600, e: 800, n_max: 9' "33: polar.encode.k: is 600 and N = 512 with n_max: 9; \
at most 512 are allowed"
code 165 'code: nr, k: 165, e: 800, n_max: 9, input_interleave: true' "33: polar.encode.k: is 165; \
with input_interleave there are 1 to 164 bits"
code 50 'code: nr, k: 60, e: 100' \
    "5: polar.encode: the input has 50 bits a frame and the code takes 60"
code 50 'code: plain, n: 2048, k: 50' "5: polar.encode.construction: nr has the sequence up to N = \
1024, and N is 2048; ga, bec, file and rm are allowed"
code 50 'code: plain, n: 64, k: 50, construction: file' \
    "61: polar.encode.construction: file needs \`path\`"
code 50 'code: plain, n: 64, k: 50, path: a' \
    "53: polar.encode.path: is that of construction: file; nr reads none"
code 50 'code: plain, n: 64, k: 50, design_snr_db: 1' \
    "62: polar.encode.design_snr_db: is that of construction: ga and bec; nr has none"
code 50 'code: turbo, k: 50' "26: polar.encode.code: must be one of nr, plain, nr-small, is 'turbo'"

# ---- A file of positions ----
file() { # CONTENTS MESSAGE
    printf '%b' "$1" >order.txt
    pipeline 'source.random: {bits: 16}' \
        'polar.encode: {code: plain, n: 32, k: 16, construction: file, path: order.txt}' \
        'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:4:73: polar.encode.path: $2"
}
file '# none\n' 'order.txt: has 0 positions; N = 32 are needed'
file '1 2\n3 32\n' 'order.txt:2: 32; positions are 0 to 31'
file '1, 2 # 2\n\n1' 'order.txt:3: 1 stands there twice'
file '1 -2' 'order.txt:1:3: this is no number'
file '0 1\nroot:secret:20000\n' 'order.txt:2:1: this is no number'
ok "which is not quoted" sh -c '! grep secret err'
rm order.txt
wrong 2 "p.yaml:4:73: polar.encode.path: order.txt: No such file or directory"
awk -F, 'NR > 1 && $2 < 64 { print $2 }' "$T_DATA/tables/nr_polar_sequence.csv" >order.txt
for construction in 'nr' 'file, path: order.txt'; do
    code="code: plain, n: 64, k: 30, construction: $construction"
    pipeline 'source.random: {bits: 30}' "polar.encode: {$code}" \
        'sink.file: {path: word, dtype: packed}' >p.yaml
    run "$FECRUN" run p.yaml --quiet --set stop.frames=20
    is 0 "construction: $construction"
    cp word "word-${construction%%,*}"
done
ok "the sequence in a file makes the same code" cmp word-nr word-file

# ---- decoder PARAMETERS MESSAGE: line 6, behind a word of 128 bits; `quantize` is line 5. ----
quantize='llr.quantize: {type: i8, scale: 8}'
decoder() {
    pipeline 'source.random: {bits: 128}' 'channel.bsc: {p: 0.1}' "$quantize" \
        "polar.decode: {code: plain, n: 128, k: 64, $1}" 'sink.null: {}' >p.yaml
    wrong "${3-2}" "p.yaml:6:$2"
}
decoder 'list: 0' "54: polar.decode.list: must be an integer from 1 to 32 paths, is '0'"
decoder 'list: 33' "54: polar.decode.list: must be an integer from 1 to 32 paths, is '33'"
decoder 'algorithm: sc, list: 4' \
    "69: polar.decode.list: is that of algorithm: scl; sc has none"
decoder 'algorithm: bp, pruning: none' \
    "72: polar.decode.pruning: is that of algorithm: sc, scl and ae; bp has none"
decoder 'ensemble: 4' "58: polar.decode.ensemble: is that of algorithm: ae; scl has none"
decoder 'algorithm: ae, ensemble: 0' \
    "73: polar.decode.ensemble: must be an integer from 1 to 32 decoders, is '0'"
decoder 'algorithm: ae, ensemble: 10' "73: polar.decode.ensemble: is 10, and this code has 9 orders of \
the word that successive cancellation decodes differently (Reed-Muller codes, construction: rm, have most)"
decoder 'iterations: 4' "60: polar.decode.iterations: is that of algorithm: bp; scl has none"
decoder 'adaptive: true' \
    "58: polar.decode.adaptive: needs \`crc\`, which says where the list has to run"
decoder 'crc: 24a, mask: 0x1000000' \
    "64: polar.decode.mask: must be an integer from 0 to 16777215, is '0x1000000'"
decoder 'crc: 11, mask: 0x800' "63: polar.decode.mask: 0x800 is wider than the parity: at most 11 bits"
decoder 'ones: 24' "54: polar.decode.ones: is that of a CRC, and \`crc\` is none"
decoder 'algorithm: bp, early_stop: crc' \
    "75: polar.decode.early_stop: crc needs \`crc\`, which names it"
decoder 'algorithm: bp, check_rule: sum-product, alpha: 0.9' \
    "95: polar.decode.alpha: is the factor of check_rule: min-sum; sum-product has none"
decoder 'algorithm: bp, check_rule: sum-product, backend: simd' "97: polar.decode.backend: simd cannot do \
what the parameters ask for: check_rule: backend simd has min-sum only" 3
pipeline 'source.random: {bits: 64}' 'channel.bsc: {p: 0.1}' \
    'polar.decode: {code: plain, n: 128, k: 64}' 'sink.null: {}' >p.yaml
wrong 2 "p.yaml:5:5: polar.decode: the input has 64 LLRs a frame and the word has N = 128 \
(polar.rate_recover gives as many)"
pipeline 'source.random: {bits: 64}' 'channel.bsc: {p: 0.1}' \
    'polar.decode: {code: plain, n: 64, k: 6, crc: 6}' 'sink.null: {}' >p.yaml
wrong 2 "p.yaml:5:51: polar.decode.crc: frames of 6 bits have no room for a message and 6 parity bits"

# ---- Rate matching: `send` is line 5, `recover` 7 ----
# matched SEND RECOVER MESSAGE
matched() {
    pipeline 'source.random: {bits: 40}' 'polar.encode: {code: nr, k: 40, e: 100}' \
        "polar.rate_match: {$1}" 'channel.bsc: {p: 0.01}' "polar.rate_recover: {$2}" \
        'sink.null: {}' >p.yaml
    wrong 2 "p.yaml:$3"
}
matched 'k: 40, e: 8193' 'k: 40' \
    "5:34: polar.rate_match.e: must be an integer from 1 to 8192 bits, is '8193'"
matched 'k: 40, e: 200' 'k: 40' "5:5: polar.rate_match: the input has 128 bits a frame; with these \
parameters N is 256; e is 200, but polar.encode (line 4) has 100"
matched 'k: 40, e: 100' 'k: 40, e: 99' \
    "7:36: polar.rate_recover.e: is 99 and the input has 100 LLRs a frame; e is 99, but \
polar.rate_match (line 5) has 100"
matched 'k: 40, e: 100' 'k: 101' "7:5: polar.rate_recover.e: is 100 and has no room for the K = 101 \
bits: at least 101 are allowed; k is 101, but polar.rate_match (line 5) has 40"

# ---- blocks: mixed sizes, each with its RNTI ----
cat >users.csv <<END
cell,user,count,k,bits,e,mask
1,a,2,36,12,108,0x1
1,b,3,64,40,216,0xbeef
2,c,1,124,100,432,0xffff
END
cat >users.yaml <<END
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {}
  - crc.attach: {crc: 24c, ones: 24}
  - polar.encode: {code: nr, n_max: 9, input_interleave: true}
  - polar.rate_match: {n_max: 9}
  - modem.map: {scheme: qpsk}
  - channel.awgn: {esn0_db: 9}
  - modem.demap: {}
  - llr.quantize: {type: i8, scale: 4}
  - polar.rate_recover: {n_max: 9}
  - polar.decode: {code: nr, n_max: 9, input_interleave: true, crc: 24c, ones: 24}
  - crc.check: {crc: 24c, ones: 24}
  - sink.errors: {}
stop: {frames: 36}
END
for backend in ${backends:-ref simd}; do
    same "blocks of three sizes, $backend" \
        "$(run_fields 'frames frame_errors' users.yaml --set polar.decode.backend="$backend" \
            --set batch=6)" "36 0"
done
sed 's/,124,/,125,/' users.csv >bad.csv
sed 's/users.csv/bad.csv/' users.yaml >bad.yaml
refuses 2 '^fecrun: .*polar.encode: the input has 124 bits .* takes 125' check bad.yaml
done_testing
