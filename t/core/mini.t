#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A host on the core's archive alone (mini.c, which doc/core.md begins with) decodes a file as fecrun does.
. "$top_srcdir/t/lib/tap.sh"
without_cuda
mini=$top_builddir/t/core/mini

# decodes WHAT BITS LLRS STAGE...: of LLRs that `fecrun run` makes from these stages
decodes() {
    what=$1 decoder=$2
    shift 2
    { printf 'fecrun: 1\nseed: 3\npipeline:\n'; printf '  - %s\n' "$@" 'sink.file: {path: llr.npy}'; } >make.yaml
    printf '%s\n' '- source.file: {path: llr.npy, kind: llr}' "- $decoder" '- sink.file: {path: bits.npy}' >chain.yaml
    { printf 'fecrun: 1\npipeline:\n'; sed 's/^/  /; s/bits.npy/want.npy/' chain.yaml; } >run.yaml
    "$FECRUN" run make.yaml --quiet --set stop.frames=150 || return 1
    "$FECRUN" run run.yaml --quiet || return 1
    rm -f bits.npy
    run "$mini" "$PLUGINS" chain.yaml
    is 0 "$what: mini runs"
    ok "... and gives what fecrun gives" cmp want.npy bits.npy
}

decodes "Viterbi" 'viterbi.decode: {code: ieee80211}' 'source.random: {bits: 100}' 'conv.encode: {code: ieee80211}' \
    'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 2}' 'modem.demap: {}' \
    'llr.quantize: {type: i8, scale: 8}'
decodes "LDPC" 'ldpc.decode: {code: wifi, n: 648, rate: 1/2}' 'source.random: {bits: 324}' \
    'ldpc.encode: {code: wifi, n: 648, rate: 1/2}' 'modem.map: {scheme: qpsk}' 'channel.awgn: {ebn0_db: 2}' \
    'modem.demap: {}' 'llr.quantize: {type: i8, scale: 8}'
ok "the decoded file has errors to compare, and is no constant" \
    [ "$(od -An -v -tx1 bits.npy | tr ' ' '\n' | sort -u | wc -l)" -gt 2 ]

printf -- '- source.null: {}\n- viterbi.decod: {}\n' >chain.yaml
run "$mini" "$PLUGINS" chain.yaml
is 1 "a stage that is not there"
says '^mini: .*chain.yaml:[12]:[0-9]+: .*source.null' "is told of with its place"
printf 'fecrun: 1\n' >chain.yaml
run "$mini" "$PLUGINS" chain.yaml
is 1 "no list"
says '^mini: .*chain.yaml:1:1: must be a list of stages' "is told of with its place"
ok "mini.c has at most 130 lines" [ "$(wc -l <"$top_srcdir/t/core/mini.c")" -le 130 ]
done_testing
