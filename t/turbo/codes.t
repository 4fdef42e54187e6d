#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The turbo codes of UMTS and CCSDS: words of other encoders (t/data/README.md), bit by bit, and their messages from noisy
# words by all decoders; LLRs of the whole word, a priori LLRs, other thresholds.
. "$top_srcdir/t/lib/vectors.sh"
without_cuda

decoder=turbo.decode check= recover= quantize='scale: 4'
all='
    f32 backend: ref
    f32 backend: ref, algorithm: log-map
    i8 backend: ref
    i16 backend: simd
    i8 backend: simd'
word() {
    unhex "${message}0" >message.all
    unhex "${word}0" >word.all
    head -c $(((k + 7) / 8)) message.all >message
    head -c $(((word_bits + 7) / 8)) word.all >word
    name="$code, $k bits"
    makes "$name" word "$(packed_bits message "$k")" "turbo.encode: {$code}"
    decodes "$name" message "$(packed_bits word "$word_bits")" 'modem.map: {scheme: bpsk}' \
        "channel.awgn: {esn0_db: $1}" 'modem.demap: {}'
}
umts() { code="code: umts"; word 1; }
ccsds() {
    code="code: ccsds, rate: $rate"
    case $rate in 1/2) word 0.5 ;; 1/3) word -2.5 ;; 1/4) word -4 ;; *) word -6 ;; esac
}
decoders=$all
each_line "$T_DATA/turbo/umts.csv" umts
each_line "$T_DATA/turbo/ccsds.csv" ccsds

# ---- Instruction sets: the same bits and LLRs ----
for code in "code: umts, k: 201 201" "code: ccsds, rate: 1/2 1784" "code: ccsds, rate: 1/4 1784" "code: ccsds, rate: 1/6 1784"; do
    for type in i8 i16; do
        for isa in generic avx2 avx512; do
            { pipeline "source.random: {bits: ${code##* }}" "turbo.encode: {${code% *}}" 'modem.map: {scheme: bpsk}' \
                'channel.awgn: {ebn0_db: 0.5}' 'modem.demap: {}' "llr.quantize: {type: $type, scale: 6}" \
                'turbo.decode: {backend: simd, iterations: 4}' 'sink.file: {path: bits}' \
                'sink.file: {id: soft, from: turbo.decode.llr, path: llr}'; echo 'stop: {frames: 77}'; } >isa.yaml
            FECRUN_ISA=$isa run "$FECRUN" run --quiet isa.yaml
            cat bits llr >"$isa.out"
        done
        ok "${code% *} of $type: instruction sets agree" sh -c '[ -s avx2.out ] && cmp generic.out avx2.out && cmp generic.out avx512.out'
    done
done

# ---- Soft outputs and inputs ----
for code in "code: umts 531" "code: ccsds, rate: 1/2 1784" "code: ccsds, rate: 1/6 1784"; do
    # What is put out of the word has its signs; where it arrived as 0, too.
    { pipeline "source.random: {bits: ${code##* }}" "turbo.encode: {${code% *}}" 'channel.bec: {p: 0.1}' \
        'turbo.decode: {backend: ref, iterations: 6}' 'bits.hard: {from: turbo.decode.code_llr}' \
        'sink.file: {path: word.out}' 'sink.file: {id: sent, from: turbo.encode, path: word.in}'; echo 'stop: {frames: 9}'; } >word.yaml
    run "$FECRUN" run --quiet word.yaml
    cmp word.in word.out >>err 2>&1
    tap_check $? "${code% *}: code_llr is the word, also where a tenth of it is missing"
    for backend in ref simd; do
        # LLRs of the bits beforehand, and next to nothing from the channel
        { pipeline "source.random: {bits: ${code##* }}" 'channel.bsc: {id: known, p: 0.02}' "turbo.encode: {from: source.random, ${code% *}}" \
            'channel.bsc: {p: 0.4}' 'llr.quantize: {type: i16, scale: 32}' \
            "turbo.decode: {backend: $backend, apriori: known, iterations: 4}" 'sink.errors: {}'
          echo 'stop: {frames: 20}'; } >known.yaml
        sed '/id: known/d; s/ apriori: known,//' known.yaml >no.yaml
        { run_fields 'bit_errors bits' known.yaml; run_fields 'bit_errors bits' no.yaml; } >both
        ok "${code% *}, $backend: a priori LLRs help" awk '{ a[NR] = $1 / $2 } END { exit !(a[1] < 0.03 && a[2] > 0.1) }' both
    done
done
done_testing
