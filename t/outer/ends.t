#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of an outer code: what the decoder takes from the encoder, and what they say when they disagree.
# t/core/ends.t has the rules.
. "$top_srcdir/t/lib/ends.sh"
without_cuda

# outer FAMILY BITS ENCODER DECODER: ten frames with nothing between; the decoder is in line 5.
outer() {
    pipeline "source.random: {bits: $2}" "$1.encode: {$3}" "$1.decode: {$4}" 'sink.errors: {}'
    echo 'stop: {frames: 10}'
}
agree outer <<'END'
# what                  | counts   | family and bits | encoder | decoder
a name                            | 10 17840 | rs  | 1784 | code: ccsds-255-223
depth and shortening              | 10 88000 | rs  | 8800 | code: ccsds-255-223, depth: 5, shortened: 3
a basis                           | 10 17840 | rs  | 1784 | code: ccsds-255-223, basis: conventional
numbers                           | 10 600   | rs  | 60   | n: 20, k: 12, symbol_bits: 5, polynomial: 0x2f, fcr: 3, prim: 7
numbers that say what a name says | 10 17840 | rs  | 1784 | code: ccsds-255-223 | n: 255, k: 223, polynomial: 0x187, \
    fcr: 112, prim: 11, basis: dual
a name at the receiver            | 10 15040 | rs  | 1504 | n: 204, k: 188      | code: dvb-204-188
a symbol of 16 bits               | 10 160000 | rs  | 16000 | n: 1100, k: 1000, symbol_bits: 16
a frame and a rate                | 10 30720 | bch | 3072 | code: dvbs2, frame: short, rate: 1/4
t and shortening                  | 10 2050  | bch | 205  | m: 8, t: 5, polynomial: 0x187, shortened: 10
a name that numbers say           | 10 30720 | bch | 3072 | code: dvbs2, frame: short, rate: 1/4 | m: 14, t: 12, \
    shortened: 13143
END

refused 2 outer <<'END'
rs  | 1784 | code: ccsds-255-223           | code: g709-255-239  | 5:23: rs.decode.code: g709-255-239, but rs.encode \
    (line 4) has ccsds-255-223
rs  | 1784 | code: ccsds-255-223           | basis: conventional | 5:24: rs.decode.basis: RS(255, 223) over GF(2^8) of \
    0x187, roots (x^11)^112..., conventional basis, depth 1, but rs.encode (line 4) has RS(255, 223) over GF(2^8) of \
    0x187, roots (x^11)^112..., dual basis, depth 1
rs  | 3568 | code: ccsds-255-223, depth: 2 | depth: 1            | 5:5: rs.decode: the input has 4080 bits a frame and \
    RS(255, 223) takes 2040 (255 symbols of 8 bits); depth is 1, but rs.encode (line 4) has 2
rs  | 1784 | n: 255, k: 223                | n: 255, k: 223, fcr: 1 | 5:38: rs.decode.fcr: RS(255, 223) over GF(2^8) of \
    0x11d, roots (x^1)^1..., conventional basis, depth 1, but rs.encode (line 4) has RS(255, 223) over GF(2^8) of \
    0x11d, roots (x^1)^0..., conventional basis, depth 1
bch | 3072 | code: dvbs2, frame: short, rate: 1/4 | rate: 1/3    | 5:5: bch.decode: the input has 3240 bits a frame and \
    BCH(5400, 5232) takes 5400; rate is 1/3, but bch.encode (line 4) has 1/4
bch | 7    | m: 4, t: 2                    | t: 3                | 5:21: bch.decode.t: 3, but bch.encode (line 4) has 2
END
done_testing
