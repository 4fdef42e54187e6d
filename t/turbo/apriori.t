#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# turbo.decode's port `apriori`: nothing known changes nothing; what is known counts like what arrives.
. "$top_srcdir/t/lib/counts.sh"
without_cuda

# bits FILE DECODER STAGE...: the bits that a decoder finds; the stages say what is known.
bits() {
    file=$1 decoder=$2
    shift 2
    { pipeline 'source.random: {id: sent, bits: 512}' "$@" 'turbo.encode: {from: sent}' \
        'modem.map: {scheme: bpsk}' 'channel.awgn: {ebn0_db: 0}' 'modem.demap: {}' \
        'llr.quantize: {type: i8, scale: 8}' "turbo.decode: {iterations: 4, $decoder}" \
        "sink.file: {path: $file, dtype: u1}"
      echo 'stop: {frames: 40}'; } >p.yaml
    run "$FECRUN" run --quiet p.yaml
    [ "$tap_status" = 0 ] || sed 's/^/# /' err >&2
}

words='backend: simd, tune: {arithmetic: i16}'
for decoder in 'backend: ref' 'backend: ref, algorithm: log-map' 'backend: simd' "$words"; do
    rm -f with without
    bits without "$decoder"
    bits with "$decoder, apriori: none" 'channel.bsc: {p: 0.1}' \
        'llr.quantize: {id: none, type: i8, scale: 0.01}'
    ok "$decoder: what knows nothing changes nothing" cmp with without
done

# With a sanitizer half of them shows what can be wrong with memory.
most=200
[ "${FECRUN_SANITIZER:-no}" = no ] || most=100

# wrong DECODER STAGE...: wrong frames of $most
wrong() {
    decoder=$1
    shift
    pipeline 'source.random: {id: sent, bits: 512}' "$@" 'turbo.encode: {from: sent}' \
        'modem.map: {scheme: bpsk}' 'channel.awgn: {id: noise, ebn0_db: -1}' 'modem.demap: {}' \
        'llr.quantize: {type: i8, scale: 8}' "turbo.decode: {$decoder}" 'sink.errors: {}' |
        run_fields frame_errors - --set stop.frames=$most
}

# Nine bits of ten are right, the LLRs say so; those of a scale of their own are made the input's.
for decoder in 'backend: ref' 'backend: ref, algorithm: log-map' 'backend: simd' "$words"; do
    alone=$(wrong "$decoder")
    hint=$(wrong "$decoder, apriori: bsc" 'channel.bsc: {id: bsc, p: 0.1}')
    scaled=$(wrong "$decoder, apriori: hint" 'channel.bsc: {id: bsc, p: 0.1}' \
        'llr.quantize: {id: hint, type: i8, scale: 40}')
    echo "# $decoder: of $most frames $alone are wrong, $hint with a hint, $scaled with one in other units"
    ok "$decoder: what is known helps" [ "$alone" -gt $((most * 95 / 100)) ]
    ok "$decoder: and leaves few frames wrong" [ "$hint" -lt $((most / 10)) ]
    ok "$decoder: of whatever scale" [ $((hint - scaled)) -le 4 ]
    ok "$decoder: nor fewer" [ $((scaled - hint)) -le 4 ]
done

# One message sent twice: what the decoder of the one found helps that of the other, and back again.
# `llr` of the one is what arrived there and what its code adds, of which the other had nothing.
loop() {
    decoder=$1 times=$2
    set -- "turbo.decode: {id: a, from: one, $decoder}" \
        "turbo.decode: {id: b, from: two, apriori: a.llr, $decoder}" \
        "turbo.decode: {id: c, from: one, apriori: b.extrinsic, $decoder}" \
        "turbo.decode: {id: d, from: two, apriori: c.llr, $decoder}"
    case $times in
    1) set -- 'sink.null: {from: one}' "turbo.decode: {from: two, $decoder}" ;;
    2) set -- "$1" "$2" ;;
    esac
    pipeline 'source.random: {bits: 512}' 'turbo.encode: {id: word}' \
        'modem.map: {id: map1, scheme: bpsk}' 'channel.awgn: {id: noise1, ebn0_db: -1.2}' \
        'modem.demap: {id: demap1}' 'llr.quantize: {id: one, type: i8, scale: 8}' \
        'modem.map: {id: map2, from: word, scheme: bpsk}' 'channel.awgn: {id: noise2, ebn0_db: -1.2}' \
        'modem.demap: {id: demap2}' 'llr.quantize: {id: two, type: i8, scale: 8}' \
        "$@" 'sink.errors: {}' | run_fields frame_errors - --set stop.frames=$((most / 2))
}
for decoder in 'backend: ref, algorithm: log-map' 'backend: simd' "$words"; do
    a=$(loop "$decoder" 1) b=$(loop "$decoder" 2) d=$(loop "$decoder" 4)
    echo "# $decoder: of $((most / 2)) frames $a are wrong with one reception, $b and $d with two"
    ok "$decoder: a second reception helps" [ "$b" -lt "$a" ]
    ok "$decoder: and the first one, once more" [ "$d" -lt "$b" ]
done

pipeline 'source.random: {bits: 512}' 'turbo.encode: {}' 'channel.bsc: {id: q, p: 0.1}' \
    'turbo.decode: {apriori: q}' 'sink.errors: {}' >p.yaml
refuses 2 'p.yaml:6:29: turbo.decode.apriori: has to be frames of 512 LLRs, one a bit; has 1548$' \
    check p.yaml
pipeline 'source.random: {bits: 512}' 'turbo.encode: {}' 'channel.bsc: {p: 0.1}' \
    'turbo.decode: {apriori: hint.npy}' 'sink.errors: {}' >p.yaml
refuses 2 'turbo.decode.apriori: `.*hint.npy. is no stage before this one; a file comes in through' \
    check p.yaml
done_testing
