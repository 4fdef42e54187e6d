#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about polar codes: one line that says where, what is wrong and what is
# allowed, compared word for word; and batches of mixed sizes.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# encoder BITS PARAMETERS: it is in line 4.
encoder() { pipeline "source.random: {bits: $1}" "polar.encode: {$2}" 'sink.null: {}'; }
refused 2 encoder <<'END'
100 | code: plain, n: 1000, k: 100                | 4:36: polar.encode.n: is 1000 and no power of two; 32 to 32768 are allowed, \
    the next ones are 512 and 1024
100 | code: plain, n: 16, k: 10                   | 4:36: polar.encode.n: must be an integer from 32 to 32768 bits, is '16'
100 | code: plain, n: 64, k: 100                  | 4:43: polar.encode.k: is 100; a word of N = 64 bits has at most as many
100 | code: plain, k: 100                         | 4:5: polar.encode.n: missing: code: plain needs it (plain: bits of the word N, a power \
    of two)
100 | code: nr, n: 128, k: 100                    | 4:33: polar.encode.n: code: nr has no n; it has k, e, n_max, input_interleave
100 | code: plain, n: 128, k: 100, e: 120         | 4:52: polar.encode.e: code: plain has no e; it has k, n, construction, \
    design_snr_db, path
100 | code: nr, k: 100                            | 4:5: polar.encode.e: missing: code: nr needs it (nr: bits that are sent of a block; N and \
    the frozen bits depend on it)
100 | code: nr, k: 100, e: 99                     | 4:41: polar.encode.e: is 99 and has no room for the K = 100 bits: at least 100 are \
    allowed
20  | code: nr, k: 20, e: 22                      | 4:40: polar.encode.e: is 22 and has no room for the K = 20 bits and 3 bits of parity: \
    at least 23 are allowed
600 | code: nr, k: 600, e: 800, n_max: 9          | 4:33: polar.encode.k: is 600 and N = 512 with n_max: 9; at most 512 are \
    allowed
165 | code: nr, k: 165, e: 800, n_max: 9, input_interleave: true | 4:33: polar.encode.k: is 165; with \
    input_interleave there are 1 to 164 bits
50  | code: nr, k: 60, e: 100                     | 4:5: polar.encode: the input has 50 bits a frame and the code takes 60
50  | code: plain, n: 2048, k: 50                 | 4:5: polar.encode.construction: nr has the sequence up to N = 1024, and N is \
    2048; ga, bec, file and rm are allowed
50  | code: plain, n: 64, k: 50, construction: file | 4:61: polar.encode.construction: file needs `path`
50  | code: plain, n: 64, k: 50, path: a          | 4:53: polar.encode.path: is that of construction: file; nr reads none
50  | code: plain, n: 64, k: 50, design_snr_db: 1 | 4:62: polar.encode.design_snr_db: is that of construction: ga \
    and bec; nr has none
50  | code: turbo, k: 50                          | 4:26: polar.encode.code: must be one of nr, plain, nr-small, is 'turbo'
50  | code: plain, n: 64, k: 0                    | 4:43: polar.encode.k: must be an integer from 1 to 32768 bits, is '0'
50  | code: plain, n: 64, k: 50, construction: gaussian | 4:61: polar.encode.construction: must be one of nr, ga, bec, \
    file, rm, is 'gaussian'
END

# ---- A file of positions ----
# file CONTENTS: printf's, of order.txt
file() {
    printf '%b' "$1" >order.txt
    pipeline 'source.random: {bits: 16}' \
        'polar.encode: {code: plain, n: 32, k: 16, construction: file, path: order.txt}' 'sink.null: {}'
}
refused 2 file <<'END'
\n# none\n               | 4:73: polar.encode.path: order.txt: has 0 positions; N = 32 are needed
1 2\n3 32\n              | 4:73: polar.encode.path: order.txt:2: 32; positions are 0 to 31
1, 2 # 2\n\n1            | 4:73: polar.encode.path: order.txt:3: 1 stands there twice
1 -2                     | 4:73: polar.encode.path: order.txt:1:3: this is no number
0 1\nroot:secret:20000\n | 4:73: polar.encode.path: order.txt:2:1: this is no number
END
# What is no number is not quoted.
rm order.txt
run "$FECRUN" check p.yaml --quiet
same "no such file" "$(cat err)" "fecrun: p.yaml:4:73: polar.encode.path: order.txt: No such file or directory"
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

# decoder TYPE PARAMETERS: it is in line 6, behind a word of 128 bits.
decoder() {
    pipeline 'source.random: {bits: 128}' 'channel.bsc: {p: 0.1}' "llr.quantize: {type: $1, scale: 8}" \
        "polar.decode: {code: plain, n: 128, k: 64, $2}" 'sink.null: {}'
}
refused 2 decoder <<'END'
i8 | list: 0                          | 6:54: polar.decode.list: must be an integer from 1 to 32 paths, is '0'
i8 | list: 33                         | 6:54: polar.decode.list: must be an integer from 1 to 32 paths, is '33'
i8 | algorithm: sc, list: 4           | 6:69: polar.decode.list: is that of algorithm: scl; sc has none
i8 | algorithm: bp, pruning: none     | 6:72: polar.decode.pruning: is that of algorithm: sc, scl and ae; bp has none
i8 | ensemble: 4                      | 6:58: polar.decode.ensemble: is that of algorithm: ae; scl has none
i8 | algorithm: ae, ensemble: 0       | 6:73: polar.decode.ensemble: must be an integer from 1 to 32 decoders, is '0'
i8 | algorithm: ae, ensemble: 10      | 6:73: polar.decode.ensemble: is 10, and this code has 9 orders of the word that \
    successive cancellation decodes differently (Reed-Muller codes, construction: rm, have most)
i8 | iterations: 4                    | 6:60: polar.decode.iterations: is that of algorithm: bp; scl has none
i8 | adaptive: true                   | 6:58: polar.decode.adaptive: needs `crc`, which says where the list has to run
i8 | crc: 24a, mask: 0x1000000        | 6:64: polar.decode.mask: must be an integer from 0 to 16777215, is '0x1000000'
i8 | crc: 11, mask: 0x800             | 6:63: polar.decode.mask: 0x800 is wider than the parity: at most 11 bits
i8 | ones: 24                         | 6:54: polar.decode.ones: is that of a CRC, and `crc` is none
i8 | algorithm: bp, early_stop: crc   | 6:75: polar.decode.early_stop: crc needs `crc`, which names it
i8 | algorithm: bp, check_rule: sum-product, alpha: 0.9 | 6:95: polar.decode.alpha: is the factor of check_rule: \
    min-sum; sum-product has none
i8 | algorithm: map                   | 6:59: polar.decode.algorithm: must be one of bp, sc, scl, ae, is 'map'
i8 | algorithm: bp, iterations: 0     | 6:75: polar.decode.iterations: must be an integer from 1 to 1000, is '0'
i8 | algorithm: bp, alpha: 1.5        | 6:70: polar.decode.alpha: must be a number from 0.1 to 1 or auto, is '1.5'
i8 | algorithm: bp, early_stop: crc16 | 6:75: polar.decode.early_stop: must be one of none, gmatrix, crc, is 'crc16' \
    (did you mean crc?)
i8 | iteration: 6                     | 6:48: polar.decode.iteration: no such parameter (did you mean iterations?)
i8 | backend: smid                    | 6:57: polar.decode.backend: unknown backend `smid` (did you mean simd?); this stage has ref, \
    cuda, simd, cuda-paper
i8 | backend: simd, tune: {x: 1}      | 6:70: polar.decode.tune (backend simd).x: no such parameter; there are isa
END
refused 3 decoder <<'END'
i16 | backend: simd | 6:57: polar.decode.backend: simd cannot do what the parameters ask for: algorithm: backend simd \
    has sc, scl and ae of 8-bit LLRs only (llr.quantize)
i8  | algorithm: bp, check_rule: sum-product, backend: simd | 6:97: polar.decode.backend: simd cannot do what the \
    parameters ask for: check_rule: backend simd has min-sum only
END

# received BITS PARAMETERS: of a binary symmetric channel, in line 5
received() {
    pipeline "source.random: {bits: $1}" 'channel.bsc: {p: 0.1}' "polar.decode: {$2}" 'sink.null: {}'
}
refused 2 received <<'END'
64 | code: plain, n: 128, k: 64       | 5:5: polar.decode: the input has 64 LLRs a frame and the word has N = 128 \
    (polar.rate_recover gives as many)
64 | code: plain, n: 64, k: 6, crc: 6 | 5:51: polar.decode.crc: frames of 6 bits have no room for a message and 6 \
    parity bits
END

# ---- Rate matching: match is line 5, recover 7 ----
# matched MATCH RECOVER
matched() {
    pipeline 'source.random: {bits: 40}' 'polar.encode: {code: nr, k: 40, e: 100}' "polar.rate_match: {$1}" \
        'channel.bsc: {p: 0.01}' "polar.rate_recover: {$2}" 'sink.null: {}'
}
refused 2 matched <<'END'
k: 40, e: 8193       | k: 40                | 5:34: polar.rate_match.e: must be an integer from 1 to 8192 bits, is '8193'
k: 40, e: 200        | k: 40                | 5:5: polar.rate_match: the input has 128 bits a frame; with these parameters N is 256; e is \
    200, but polar.encode (line 4) has 100
k: 40, e: 100        | k: 40, e: 99         | 7:36: polar.rate_recover.e: is 99 and the input has 100 LLRs a frame; e is 99, but \
    polar.rate_match (line 5) has 100
k: 40, e: 100        | k: 101               | 7:5: polar.rate_recover.e: is 100 and has no room for the K = 101 bits: at least 101 are \
    allowed; k is 101, but polar.rate_match (line 5) has 40
k: 40, e: 0          | k: 40                | 5:34: polar.rate_match.e: must be an integer from 1 to 8192 bits, is '0'
k: 40, e: 100        | k: 40, harq_out: "-" | 7:33: polar.rate_recover.harq_out: no such parameter; there are code, k, e, \
    n_max, channel_interleave, qm
k: 40, e: 100, rv: 1 | k: 40                | 5:39: polar.rate_match.rv: no such parameter; there are code, k, e, n_max, \
    channel_interleave, qm
END

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
mv users.csv right.csv
# edited SED: the table of blocks after an edit
edited() {
    sed "$1" right.csv >users.csv
    cat users.yaml
}
refused 2 edited <<'END'
s/,124,/,125,/         | users.csv:4:1: polar.encode: the input has 124 bits a frame and the code takes 125
s/,216,/,0,/           | users.csv:3:13: polar.encode.e: must be an integer from 1 to 8192 bits, is '0'
s/,216,/,x,/           | users.csv:3:13: blocks.e: must be an integer, is 'x'
s/,0xbeef$//           | users.csv:3:1: blocks.mask: the row has 6 columns, the header has 7
s/,0xbeef$/,0x1000000/ | users.csv:3:17: crc.attach.mask: must be an integer from 0 to 16777215, is '0x1000000'
s/mask/masks/          | users.csv:1:26: blocks: no stage of this pipeline has a size parameter `masks` (did you mean \
    mask?); there are bits, mask, k, e, n, qm
s/,count,/,counts,/    | users.csv:1:1: blocks.count: the column is missing
END

# ---- what `explain` says of the kernels: simd ----
kernel() {
    pipeline 'source.memory: {dtype: i8, frame: 1024, llr_max: 127}' \
        "polar.decode: {code: plain, n: 1024, k: 512, construction: nr, backend: simd, $1}" 'sink.memory: {}'
}
explained kernel <<'END'
algorithm: sc, tune: {isa: generic}  | ^    does generic, 8-bit LLRs, 64 frames side by side, also where a call has fewer$
algorithm: scl, list: 8, tune: {isa: generic} | ^    does generic, 8-bit LLRs, 32-bit metrics, the 8 paths of each of 8 frames side by side, also where a call has fewer$
algorithm: scl, list: 3, crc: 24c, tune: {isa: generic} | the 3 paths of each of 16 frames side by side, also .*; adaptive: true would try one path first$
algorithm: scl, list: 8, crc: 24c, adaptive: true, tune: {isa: generic} | LLRs, 64 frames .*; where the CRC fails a list with 32-bit metrics, the 8 paths of
algorithm: bp, tune: {isa: generic}  | ^    does generic, floats, 16 frames side by side$
END
kernel 'algorithm: sc, tune: {isa: avx2}' >p.yaml
run "$FECRUN" explain p.yaml
if [ "$status" = 0 ]; then
    prints '^    does avx2, 8-bit LLRs, 64 frames side by side, up to [0-9]+ left over along their positions$' 'explain: sc, avx2'
    kernel 'algorithm: scl, list: 32, tune: {isa: avx2}' >p.yaml
    run "$FECRUN" explain p.yaml
    prints '^    does avx2, 8-bit LLRs, 32-bit metrics, the 32 paths of a frame along its positions$' 'explain: list, avx2'
else
    skip 2 "this machine or build has no AVX2"
fi
done_testing
