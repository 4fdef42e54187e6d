#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# viterbi.decode's tiles in registers on a CUDA device: every code, source and way to trace back
# that has kernels gives the reference's bits, from the same noise.
. "$top_srcdir/t/lib/counts.sh"
need_cuda

# chain BITS CODE QUANTIZER [PUNCTURING]: BITS and CODE may have more parameters.
chain() {
    pipeline "source.random: {bits: $1}" "conv.encode: {$2}" ${4:+"conv.puncture: {$4}"} \
        "modem.map: {scheme: bpsk}" "channel.awgn: {esn0_db: $esn0}" "modem.demap: {}" \
        "llr.quantize: {$3}" ${4:+"conv.depuncture: {$4}"} "viterbi.decode: {$2}" \
        "sink.file: {path: bits, dtype: packed}"
    printf 'seed: 3\nbatch: %s\nstop: {frames: %s}\n' "$batch" "$frames"
}

# same_bits WHAT CHAIN-ARGUMENT...: with the settings of $set for the decoder
same_bits() {
    same_what=$1 sets=
    shift
    for setting in $set; do
        sets="$sets --set viterbi.decode.$setting"
    done
    chain "$@" >chain.yaml
    rm -f bits want
    run timeout 100 "$FECRUN" run --quiet chain.yaml $sets --backend ref
    [ "$status" = 0 ] && mv bits want &&
        run timeout 100 "$FECRUN" run --quiet chain.yaml $sets --backend ref \
            --set viterbi.decode.backend=cuda --set viterbi.decode.tune.kernel=registers &&
        [ "$status" = 0 ] && cmp want bits >>err
    tap_check $? "$same_what"
}

# all_ways MEMORY WHAT CHAIN-ARGUMENT...: MEMORY is the code's K - 1
all_ways() {
    memory=$1 what=$2
    shift 2
    cut="tile.f=256 tile.v1=40"
    for set in "$cut tile.f0=8 tile.v2=$((memory + 48)) traceback_start=any" \
        "$cut tile.f0=16 tile.v2=$((memory + 32)) traceback_start=any" \
        "$cut tile.f0=24 tile.v2=$((memory + 32)) traceback_start=stored" \
        "$cut tile.v2=40" "tile.f=0"; do
        same_bits "$what: $set" "$@"
    done
}

esn0=1 batch=41 frames=100
narrow='scale: 1.2, max: 5'
all_ways 4 "K = 5" 1003 'code: gsm_xcch, termination: zero' "$narrow"
for code in ieee80211 dvb ccsds lte_tbcc gsm_tch_hs dab; do
    all_ways 6 $code 1003 "code: $code, termination: zero" "$narrow"
done
for code in umts_r2 cdma_r2 umts_r3 cdma2000_r4; do
    all_ways 8 $code 1003 "code: $code, termination: zero" "$narrow"
done
all_ways 8 "K = 9, large LLRs" 1003 'code: umts_r2' 'scale: 20'
all_ways 6 "whole tiles and words" 2048 'code: ieee80211' "$narrow"
all_ways 6 "open end" 1003 'code: ieee80211, termination: truncated' "$narrow"
all_ways 6 "large LLRs" 1003 'code: ieee80211' 'scale: 20'
all_ways 6 "nibbles" 1003 'code: ieee80211' "type: i4, $narrow"
all_ways 6 "punctured" 1003 'code: ieee80211' "$narrow" 'scheme: ieee80211, rate: 3/4'
all_ways 6 "punctured, large LLRs" 1003 'code: ieee80211' 'scale: 20' \
    'scheme: ieee80211, rate: 3/4'
batch=7
all_ways 6 "stream" '1680, stream: true' 'code: dvb, termination: continuous' "$narrow"
for rate in 2/3 3/4 5/6 7/8; do
    all_ways 6 "stream at rate $rate" '1680, stream: true' \
        'code: dvb, termination: continuous' "$narrow" "scheme: dvb, rate: $rate"
done

# More tiles than threads of a grid.
batch=70000 frames=70000
all_ways 6 "70000 frames" 50 'code: ieee80211' "$narrow"
done_testing
