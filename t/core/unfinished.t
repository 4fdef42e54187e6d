#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Input that ends in the middle. A stream that ends inside a step of its code is decoded as far as it goes, with a
# warning; frames that are cut are an error, and what came before them is kept, into a file or a pipe.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# LLRs of 150000 items, which are no constant: rate 3/4 has steps of two and of one item.
pipeline 'source.random: {bits: 1000, stream: true}' 'conv.encode: {code: dvb, termination: continuous}' \
    'modem.map: {scheme: bpsk}' 'channel.awgn: {esn0_db: 3}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 8}' 'sink.file: {path: llrs, format: raw}' >make.yaml
"$FECRUN" run make.yaml --quiet --set stop.frames=75

stream() { # SINK: decodes a stream from standard input
    pipeline 'source.file: {path: "-", kind: llr, dtype: i1, llr_scale: 8, frame: 0, piece: 32000}' \
        'conv.depuncture: {scheme: dvb, rate: 3/4}' 'viterbi.decode: {code: dvb}' \
        "sink.file: {path: $1, format: raw, dtype: packed}"
}
stream '"-"' >pipe.yaml
stream bits >file.yaml
# decode FILE BYTES: to out, by a pipe; err has the messages
decode() {
    head -c "$2" llrs >some
    status=0
    "$FECRUN" run "$1" --quiet <some 2>err | cat >out
    "$FECRUN" run "$1" --quiet <some >whole 2>err || status=$?
}

decode pipe.yaml 120000
cp out want
is 0 "a stream that ends with a step"
ok "is decoded as a whole: $(wc -c <want) bytes" [ "$(wc -c <want)" = 11250 ]
ok "and is no constant" [ "$(od -An -v -tx1 want | tr ' ' '\n' | sort -u | wc -l)" -gt 100 ]
decode pipe.yaml 120001
is 0 "an LLR more"
says '^fecrun: warning: source.file: the stream ends inside a step of a later stage; items at its end that were not decoded: 1$' \
    "is left over, which is told"
ok "the same bits into a pipe" cmp out want
ok "and into a file that is standard output" cmp whole want
run sh -c '"$FECRUN" run file.yaml --quiet <some'
is 0 "the same into a file with a name"
ok "has the same bits" cmp bits want
run sh -c '"$FECRUN" run file.yaml --quiet --threads 3 --set batch=2 --json - <some'
prints '"left_over":1[,}]' "results have how many"
decode pipe.yaml 120000
ok "none where none is left: no message" [ ! -s err ]
decode pipe.yaml 1
is 0 "a stream of one LLR"
ok "has no bits" [ ! -s whole ]
decode pipe.yaml 32001
ok "one more than a piece, into a pipe and a file" cmp out whole
ok "... is what the piece gives" [ "$(wc -c <whole)" = 3000 ]

# ---- Frames ----
frames() { # SINK
    pipeline 'source.file: {path: "-", kind: llr, dtype: i1, llr_scale: 8, frame: 1356}' \
        'viterbi.decode: {code: ieee80211}' "sink.file: {path: $1, format: raw, dtype: packed}"
}
frames '"-"' >pipe.yaml
frames bits2 >file.yaml
decode pipe.yaml $((1356 * 80))
cp whole want
ok "80 frames" [ "$(wc -c <want)" = $((84 * 80)) ]
decode pipe.yaml $((1356 * 80 + 325))
is 1 "a frame that is cut is an error"
says 'truncated: it ends at byte 108805, inside a frame of 1356 items, of which 325 are there' "told with its byte"
ok "whole frames come out of a pipe" cmp out want
ok "and are in a file that is standard output" cmp whole want
run sh -c '"$FECRUN" run file.yaml --quiet <some'
is 1 "a file with a name"
ok "does not appear unfinished" [ ! -e bits2 ]
done_testing
