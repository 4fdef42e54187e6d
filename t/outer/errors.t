#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a user can get wrong about outer codes: one line that says where, what is wrong and what is allowed, compared
# word for word; and what is chosen.
. "$top_srcdir/t/lib/errors.sh"
without_cuda

# outer BITS STAGE PARAMETERS: the stage is in line 4.
outer() { pipeline "source.random: {bits: $1}" "$2: {$3}" 'sink.null: {}'; }
refused 2 outer <<'END'
100  | rs.encode | n: 255                  | 4:5: rs.encode.k: missing: code: custom needs it (custom: information symbols \
    of a word); or name a code
100  | rs.encode |                         | 4:5: rs.encode.n: missing: code: custom needs it (custom: symbols of a word, \
    at most 2^m - 1); or name a code
100  | rs.encode | code: ccsds-255-223     | 4:5: rs.encode: the input has 100 bits a frame and RS(255, 223) takes 1784 \
    (223 symbols of 8 bits)
1784 | rs.encode | code: ccsds-255-223, depth: 5, shortened: 3 | 4:5: rs.encode: the input has 1784 bits a frame and \
    RS(252, 220) takes 8800 (5 words of 220 symbols of 8 bits)
1784 | rs.decode | code: ccsds-255-223     | 4:5: rs.decode: the input has 1784 bits a frame and RS(255, 223) takes 2040 \
    (255 symbols of 8 bits)
1784 | rs.encode | code: ccsds-255-223, n: 255 | 4:41: rs.encode.n: code: ccsds-255-223 says it; leave it out, or take \
    code: custom
1784 | rs.encode | code: ccsds-255-223, prim: 1 | 4:44: rs.encode.prim: code: ccsds-255-223 says it; leave it out, or \
    take code: custom
1784 | rs.encode | n: 256, k: 223          | 4:20: rs.encode.n: is 256; words of symbols of 8 bits have at most 255
1784 | rs.encode | symbol_bits: 3, n: 8, k: 3 | 4:36: rs.encode.n: is 8; words of symbols of 3 bits have at most 7
1784 | rs.encode | n: 255, k: 255          | 4:28: rs.encode.k: is 255, and has to be less than n = 255
1784 | rs.encode | n: 223, k: 255          | 4:28: rs.encode.k: is 255, and has to be less than n = 223
1784 | rs.encode | n: 1000, k: 743, symbol_bits: 10 | 4:29: rs.encode.k: is 743: n - k = 257, and at most 256 parity \
    symbols are done
1784 | rs.encode | n: 255, k: 223, polynomial: 0x11b | 4:45: rs.encode.polynomial: 0x11b is not primitive; 0x11d is
1784 | rs.encode | n: 255, k: 223, polynomial: 0x11e | 4:45: rs.encode.polynomial: 0x11e is not primitive; 0x11d is
1784 | rs.encode | n: 255, k: 223, polynomial: 0x211 | 4:45: rs.encode.polynomial: 0x211 is of another degree than \
    symbols of 8 bits: from 0x100 to 0x1ff
1784 | rs.encode | n: 255, k: 223, prim: 51 | 4:39: rs.encode.prim: 51 and 2^8 - 1 = 255 have a common divisor
1784 | rs.encode | n: 255, k: 223, basis: dual | 4:40: rs.encode.basis: dual is a basis of the field of 0x187, and this \
    is that of 0x11d
1784 | rs.encode | code: ccsds-255-223, shortened: 223 | 4:49: rs.encode.shortened: is 223, and at most k - 1 = 222 \
    symbols can be left out
1784 | rs.encode | code: ccsds-255-223, depth: 9 | 4:45: rs.encode.depth: must be an integer from 1 to 8 words, is '9'
1784 | rs.encode | n: 3, k: 1, symbol_bits: 2 | 4:42: rs.encode.symbol_bits: must be an integer from 3 to 16 bits, is '2'
2040 | rs.decode | code: ccsds-255-223, erasures: x | 4:48: rs.decode.erasures: x is no stage of this file: a \
    source.file of `kind: values` is
2040 | rs.decode | code: ccsds-255-223, erasures: source | 4:5: rs.decode: input `erasures` takes values, but \
    source.random gives bits
9    | bch.encode |                        | 4:5: bch.encode.m: missing: code: custom needs it (custom: a word has \
    2^m - 1 bits, less those that are shortened)
9    | bch.encode | m: 4                   | 4:5: bch.encode.t: missing: code: custom needs it (custom: bits that are \
    always corrected)
9    | bch.encode | m: 4, t: 2             | 4:5: bch.encode: the input has 9 bits a frame and BCH(15, 7) takes 7
9    | bch.decode | m: 4, t: 2             | 4:5: bch.decode: the input has 9 bits a frame and BCH(15, 7) takes 15
9    | bch.encode | m: 4, t: 8             | 4:27: bch.encode.t: is 8; for words of 15 bits over GF(2^4) it is at most 7
9    | bch.encode | m: 8, t: 2, shortened: 239 | 4:27: bch.encode.t: is 2; for words of 16 bits over GF(2^8) it is at \
    most 1
9    | bch.encode | m: 16, t: 65           | 4:28: bch.encode.t: must be an integer from 1 to 64 bits, is '65'
9    | bch.encode | m: 8, t: 2, polynomial: 0x11b | 4:42: bch.encode.polynomial: 0x11b is not primitive; 0x11d is
9    | bch.encode | m: 8, t: 2, polynomial: 0x13 | 4:42: bch.encode.polynomial: 0x13 is not of degree m = 8: from 0x100 \
    to 0x1ff
9    | bch.encode | m: 8, t: 2, shortened: 255 | 4:41: bch.encode.shortened: is 255; words of m = 8 have 255 bits
9    | bch.encode | code: dvbs2            | 4:5: bch.encode.frame: missing: code: dvbs2 needs it (dvbs2: the word of \
    the LDPC code, 64800 or 16200 bits)
9    | bch.encode | code: dvbs2, frame: short, rate: 9/10 | 4:51: bch.encode.rate: is `9/10`; short frames have 1/4, \
    1/3, 2/5, 1/2, 3/5, 2/3, 3/4, 4/5, 5/6, 8/9
9    | bch.encode | code: dvbs2, frame: normal, rate: 7/8 | 4:52: bch.encode.rate: is `7/8`; normal frames have 1/4, \
    1/3, 2/5, 1/2, 3/5, 2/3, 3/4, 4/5, 5/6, 8/9 and 9/10
9    | bch.encode | code: dvbs2, frame: normal, rate: 1/2, t: 12 | 4:60: bch.encode.t: code: dvbs2 has no t; it has \
    frame and rate
9    | bch.encode | m: 4, t: 2, rate: 1/2  | 4:36: bch.encode.rate: code: custom has no rate; it has m, t, polynomial \
    and shortened
END

if grep -qw avx2 /proc/cpuinfo && grep -qw pclmulqdq /proc/cpuinfo && [ -z "${FECRUN_ISA-}" ]; then
    refused 3 outer <<'END'
5140 | rs.encode | n: 528, k: 514, symbol_bits: 10, backend: simd | 4:59: rs.encode.backend: simd cannot do what the \
    parameters ask for: symbols have 10 bits, and simd takes up to 8
1000 | rs.encode | n: 255, k: 125, backend: simd | 4:42: rs.encode.backend: simd cannot do what the parameters ask for: \
    words have 130 parity symbols, and simd takes up to 64
648  | bch.encode | m: 10, t: 40, backend: simd | 4:41: bch.encode.backend: simd cannot do what the parameters ask for: \
    words have 375 parity bits, and simd takes 8 to 192
END
else
    skip 3 "this machine has no AVX2 or no PCLMUL"
fi

# A stream has no frames, and a file of too few flags no frame of them.
stream() {
    pipeline 'source.file: {path: bits, kind: bits, dtype: packed, frame: 0}' "$1: {$2}" 'sink.null: {}'
}
head -c 25400 /dev/zero >bits
refused 2 stream <<'END'
rs.decode  | code: ccsds-255-223 | 4:5: rs.decode: the input is one stream; block codes work on frames
bch.decode | m: 4, t: 2          | 4:5: bch.decode: the input is one stream; block codes work on frames
END
flags() {
    pipeline 'source.random: {bits: 2040}' \
        "source.file: {id: marks, path: bits, kind: values, dtype: i1, frame: $1, loop: true}" \
        "rs.decode: {from: source, code: ccsds-255-223, erasures: marks}" 'sink.null: {}'
}
refused 2 flags <<'END'
254 | 5:62: rs.decode.erasures: gives 254 values a frame, and the frame has 255 symbols
END

explained outer <<'END'
1784 | rs.encode  | code: ccsds-255-223                       | note RS\(255, 223\) over GF\(2\^8\), depth 1$
7032 | bch.encode | code: dvbs2, frame: short, rate: 1/2      | note BCH\(7200, 7032\), t = 12$
5140 | rs.encode  | n: 528, k: 514, symbol_bits: 10           | rs.encode: ref on host
END
done_testing
