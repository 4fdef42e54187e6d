#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.rate_match and ldpc.rate_recover in pipelines: soft buffers through ports and files, blocks. (vectors.t has the
# known answers.)
. "$top_srcdir/t/lib/harq.sh"

family=ldpc word=350 rate='bg: 2, z: 7, fillers: 30, ncb: 301, qm: 2' known='26-55' second=600 unsent=49
other='s/z: 7/z: 8/' other_word=400
harq_ports
harq_files

# Three runs of one file, one transmission each: the same frames, and noise of its own each time.
again='bg: 2, z: 16'
pipeline 'source.random: {bits: 160}' "ldpc.encode: {code: nr, $again}" \
    "ldpc.rate_match: {$again, e: 480, rv: 0}" 'modem.map: {scheme: qpsk}' \
    'channel.awgn: {esn0_db: -4}' 'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}' \
    "ldpc.rate_recover: {id: r, $again, harq_out: sum.npy}" "ldpc.decode: {code: nr, $again}" \
    'sink.errors: {}' >again.yaml
printf 'stop: {frames: 100}\n' >>again.yaml
first=$(run_fields frame_errors again.yaml)
second=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
third=$(run_fields frame_errors again.yaml --set r.harq_in=sum.npy)
ok "each transmission helps: $first, $second, $third frame errors" \
    [ "$first" -gt 80 -a "$second" -lt 70 -a "$third" -lt 10 ]

harq_errors

# ---- blocks ----

cat >users.csv <<END
cell,user,count,bits,bg,z,fillers,e,rv,qm
1,a,2,1056,1,16,0,600,0,2
1,b,1,500,2,10,7,400,2,4
2,a,3,500,2,10,7,1400,3,1
END
cat >users.yaml <<END
fecrun: 1
blocks: users.csv
pipeline:
  - source.random: {id: word}
  - ldpc.rate_match: {}
  - channel.bsc: {p: 0.05}
  - llr.quantize: {scale: 4}
  - ldpc.rate_recover: {}
  - sink.null: {}
stop: {frames: 30}
END
same "frames of different sizes" "$(run_fields frames users.yaml)" 30

mv users.csv right.csv
# edited SED: the table of blocks after an edit
edited() {
    sed "$1" right.csv >users.csv
    cat users.yaml
}
refused 2 edited <<'END'
s/fillers/filers/             | users.csv:1:27: blocks: no stage of this pipeline has a size parameter `filers` (did you \
    mean fillers?); there are bits, bg, z, fillers, e, rv, qm, ncb, rate
s/,e,/,size,/                 | users.csv:1:35: blocks: no stage of this pipeline has a size parameter `size`; there are \
    bits, bg, z, fillers, e, rv, qm, ncb, rate
s/2,10,7,400/2,17,7,400/      | users.csv:3:13: ldpc.rate_match.z: 17 is none of the 51 lifting sizes of TS 38.212 (2 to \
    16 and, above, 8 to 15 times a power of two up to 384); the next ones are 16 and 18
s/2,10,7,400/3,10,7,400/      | users.csv:3:11: ldpc.rate_match.bg: must be an integer from 1 to 2, is '3'
s/,400,/,0,/                  | users.csv:3:18: ldpc.rate_match.e: must be an integer from 1 to 268435456 bits, is '0'
s/,400,/,402,/                | users.csv:3:18: ldpc.rate_match.e: is 402, which is no multiple of qm = 4
s/400,2,4/400,4,4/            | users.csv:3:22: ldpc.rate_match.rv: must be an integer from 0 to 3, is '4'
s/400,2,4/400,2,3/            | users.csv:3:24: ldpc.rate_match.qm: is 3; 1 (no interleaving), 2, 4, 6, 8, 10 or 12 bits a symbol \
    are possible
s/10,7,400/10,80,400/         | users.csv:3:16: ldpc.rate_match.fillers: is 80; with bg 2 and z = 10 (K = 100) at most 79 \
    are possible, for of the K - fillers bits the first 2 z = 20 are not sent
s/400,2,4/400,2,x/            | users.csv:3:24: blocks.qm: must be an integer, is 'x'
s/b,1,500/b,1,510/            | users.csv:3:1: ldpc.rate_match: the input has 510 bits a frame; a code word of base graph \
    2 with z = 10 has 500
s/,400,2,4/,400,2/            | users.csv:3:1: blocks.qm: the row has 9 columns, the header has 10
s/,[^,]*\(,[^,]*,[^,]*\)$/\1/ | users.csv:2:1: ldpc.rate_match.e: must be given, or rate: the bits sent a frame
END
mv right.csv users.csv

harq_blocks 1056 500
done_testing
