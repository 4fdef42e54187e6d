#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# viterbi.decode on CUDA devices: from the same noise the same files as the reference.
. "$top_srcdir/t/lib/counts.sh"
need_cuda

decode=$("$FECRUN" list | sed -n 's/^ *viterbi\.decode  *//p')
backends=
for backend in cuda-general cuda; do
    case " $decode " in *" $backend "*) backends="$backends $backend" ;; esac
done
ok "viterbi.decode has a CUDA backend" [ -n "$backends" ]

# chain BITS CODE EBN0_DB QUANTIZER DECODER [PUNCTURING]: BITS and CODE may have more parameters.
chain() {
    pipeline "source.random: {bits: $1}" "conv.encode: {$2}" ${6:+"conv.puncture: {$6}"} \
        "modem.map: {scheme: bpsk}" "channel.awgn: {ebn0_db: $3}" "modem.demap: {}" \
        ${4:+"llr.quantize: {$4}"} ${6:+"conv.depuncture: {$6}"} \
        "viterbi.decode: {$2${5:+, $5}}" "sink.file: {path: $file, dtype: packed}"
    printf 'batch: %s\nstop: {frames: %s}\n' "$batch" "$frames"
}

batch=50 frames=120 file=bits
i8='type: i8, scale: 2, max: 20'
i4='type: i4, scale: 1'

# same_bits WHAT CHAIN-ARGUMENT...: a check a backend; the decoder's tuning is in $tune.
same_bits() {
    same_what=$1
    shift
    chain "$@" >chain.yaml
    run timeout 100 "$FECRUN" run --quiet --set viterbi.decode.backend=ref chain.yaml
    [ "$status" = 0 ] && mv bits bits.ref
    for backend in $backends; do
        rm -f bits
        run timeout 100 "$FECRUN" run --quiet --set viterbi.decode.backend=$backend chain.yaml
        [ "$status" = 0 ] && cmp bits.ref bits >/dev/null
        tap_check $? "$backend: $same_what"
    done
    rm -f bits.ref
}

# ---- every code of the tables, every termination ----

codes=$("$FECRUN" describe conv.encode |
    sed -n 's/^  code  *\([a-z0-9_|]*\).*/\1/p' | tr '|' ' ')
ok "describe lists the codes: $codes" [ "$(echo "$codes" | wc -w)" -ge 13 ]
for code in $codes; do
    bits=203 frames=120
    [ $code != cassini ] || { bits=40 frames=6; }
    for termination in zero truncated tail-biting; do
        same_bits "$code, $termination" $bits "code: $code, termination: $termination" 1 "$i8"
    done
    same_bits "$code, zero, tiles" $bits "code: $code, termination: zero" 1 "$i8" \
        'tile: {f: 48, v1: 20, v2: 24}'
    same_bits "$code, continuous" "$((bits / 8 * 8)), stream: true" \
        "code: $code, termination: continuous" 1 "$i8" 'tile: {f: 64, v1: 40, v2: 40}'
done
frames=120

# ---- free codes: few states, many states, all numbers of outputs ----

same_bits "K = 3" 100 'constraint_length: 3, generators: [7, 5]' 1 "$i8"
same_bits "K = 6, rate 1/5, inverted" 100 \
    'constraint_length: 6, generators: [0o53, 0o75, 0o61, 0o47, 0o71], inverted: [0, 1, 0, 1, 1]' \
    0 "$i8" 'tile: {f: 33, v1: 9, v2: 21}'
same_bits "K = 8" 300 'constraint_length: 8, generators: [0o247, 0o371]' 1 "$i8"
frames=20
same_bits "K = 10" 90 'constraint_length: 10, generators: [0o1167, 0o1545]' 1 "$i8"
same_bits "K = 12, 2 states a thread" 50 \
    'constraint_length: 12, generators: [0o4335, 0o5723, 0o6265]' 0 "$i8"
frames=120

# ---- tiles, sub-frames, where traces start ----

k7='code: ieee80211'
for decoder in 'tile: {f: 256, v1: 20, v2: 20}' 'tile: {f: 300, v1: 21, v2: 21}' \
    'tile: {f: 7, v1: 3, v2: 11}' 'tile: {f: 256, v1: 20, v2: 45, f0: 32}' \
    'tile: {f: 300, v1: 21, v2: 45, f0: 56}' 'tile: {f: 300, v2: 30, f0: 17}' \
    'tile: {f: 256, v2: 45, f0: 32}, traceback_start: any' \
    'tile: {f: 64, v1: 0, v2: 0}, traceback_start: stored' 'tile: {f0: 8}' \
    'traceback_start: any'; do
    same_bits "$decoder" 1003 "$k7" 1 "$i8" "$decoder"
done
same_bits "tail-biting tiles longer than the frame" 31 'code: lte_tbcc' 0 "$i8" \
    'tile: {f: 20, v1: 70, v2: 80}'
batch=2 frames=3
same_bits "long frames" 100000 "$k7" 2 "$i8" 'tile: {f: 512}'
same_bits "long frames, no tiles" 50000 "$k7" 2 "$i8"
batch=1 frames=5
same_bits "one frame a batch" 1003 "$k7" 1 "$i8"
batch=50 frames=120

# ---- input ----

same_bits "i4" 203 "$k7" 1 "$i4"
same_bits "i4, odd frames, rate 1/3" 201 'code: gsm_tch_hs' 0 "$i4" 'tile: {f: 40, v1: 8, v2: 31}'
same_bits "i4, punctured" 203 "$k7" 3 "$i4" '' 'scheme: ieee80211, rate: 3/4'
same_bits "the largest LLRs" 203 "$k7" 3 'type: i8, scale: 40'
# float metrics of integers are exact
same_bits "f32" 203 "$k7" 1 'type: i16, scale: 4' 'tile: {f: 64}'
# others are rounded, in the same order everywhere
same_bits "f32 as the demapper gives it" 203 "$k7" 1 ''
same_bits "f32 as it is, tiles" 2030 'code: umts_r3' 0 '' 'tile: {f: 128, f0: 32}'
same_bits "f32 as it is, tail-biting" 203 'code: umts_r2, termination: tail-biting' 1 ''
same_bits "f32 as it is, one output inverted" 203 'code: ccsds, termination: zero' 1 ''
same_bits "f32, K = 9, tail-biting" 203 'code: umts_r2, termination: tail-biting' 1 \
    'type: i16, scale: 4'
same_bits "f32, K = 5, stream" '200, stream: true' \
    'code: gsm_xcch, termination: continuous' 1 'type: i16, scale: 4' 'tile: {f: 70}'

# ---- punctured: the decoder reads the sent items ----

for rate in 1/2 2/3 3/4 5/6 7/8; do
    [ $rate = 7/8 ] || same_bits "IEEE 802.11 $rate" 1003 "$k7" 4 "$i8" \
        'tile: {f: 128, v1: 60, v2: 90}' "scheme: ieee80211, rate: $rate"
    # 1680 bits are whole periods of all rates
    for batch in 1 7; do
        same_bits "DVB $rate, stream, $batch pieces a batch" '1680, stream: true' 'code: dvb' 5 \
            "$i8" 'tile: {f: 300, v1: 60, v2: 90}' "scheme: dvb, rate: $rate"
    done
    batch=50
done
same_bits "a pattern that drops whole steps" 207 "$k7" 6 "$i8" '' \
    "pattern: ['0110110', '0101100']"
same_bits "tail-biting, punctured, round and round" 90 'code: lte_tbcc' 3 "$i8" '' \
    "pattern: ['110', '101', '010']"
for backend in $backends; do
    chain 1003 "$k7" 4 "$i8" '' 'scheme: ieee80211, rate: 3/4' >chain.yaml
    run "$FECRUN" explain chain.yaml --set viterbi.decode.backend=$backend
    prints '^conv.depuncture: absorbed by viterbi.decode' "$backend absorbs conv.depuncture"
    chain '1680, stream: true' 'code: dvb' 4 "$i8" '' 'scheme: dvb, rate: 3/4' >chain.yaml
    run "$FECRUN" explain chain.yaml --set viterbi.decode.backend=$backend
    prints '^conv.depuncture: absorbed by viterbi.decode' "$backend: also in streams"
done

# ---- streams ----

for batch in 1 2 9; do
    for tile in 'f: 512' 'f: 0, v1: 30, v2: 40' 'f: 100, v1: 900, v2: 700' \
        'f: 64, v1: 0, v2: 0' 'f: 96, v2: 50, f0: 24'; do
        same_bits "stream, $batch pieces a batch, tile $tile" '240, stream: true' 'code: ccsds' 2 \
            "$i8" "tile: {$tile}"
    done
done
batch=50

# A file that ends inside a piece.
frames=7 file=stream.bits
chain '840, stream: true' 'code: dvb' 5 "$i8" '' 'scheme: dvb, rate: 3/4' |
    sed '/depuncture/d; /viterbi/d; s/stream.bits, dtype: packed/llrs, dtype: i1/' >make.yaml
run "$FECRUN" run --quiet make.yaml
head -c 7004 llrs >part
pipeline 'source.file: {path: part, kind: llr, dtype: i1, frame: 0, piece: 1120}' \
    'conv.depuncture: {scheme: dvb, rate: 3/4}' \
    'viterbi.decode: {code: dvb, tile: {f: 200, v1: 60, v2: 70}}' \
    'sink.file: {path: bits, dtype: packed}' >part.yaml
for backend in ref $backends; do
    run "$FECRUN" run --quiet part.yaml --set viterbi.decode.backend=$backend --set batch=2
    [ "$status" = 0 ] && mv bits bits.$backend
    ok "$backend: a stream that ends inside a piece" cmp bits.ref bits.$backend
done
frames=120 file=bits

# ---- tail-biting frames in registers, also where they are so few that auto would not ----

# in_registers WHAT CHAIN-ARGUMENT...: as same_bits, of backend cuda
in_registers() {
    registers_what=$1
    shift
    chain "$@" >chain.yaml
    run timeout 100 "$FECRUN" run --quiet --set viterbi.decode.backend=ref chain.yaml
    mv bits bits.ref
    run timeout 100 "$FECRUN" run --quiet --set viterbi.decode.backend=cuda \
        --set viterbi.decode.tune.kernel=registers chain.yaml
    [ "$status" = 0 ] && cmp bits.ref bits >/dev/null
    tap_check $? "in registers: $registers_what"
}
narrow='type: i8, scale: 0.9, max: 5'
for bits in 6 7 8 40 43 203; do
    in_registers "tail-biting, $bits bits" $bits 'code: lte_tbcc' 1 "$narrow"
    in_registers "tail-biting, $bits bits, large LLRs" $bits 'code: lte_tbcc' 1 "$i8"
done
for code in ieee80211 ccsds gsm_tch_hs dab; do
    in_registers "$code, tail-biting" 77 "code: $code, termination: tail-biting" 1 "$narrow"
    in_registers "$code, tail-biting, large LLRs" 77 "code: $code, termination: tail-biting" 1 "$i8"
done

# ---- whole frames: cut into pieces, with noise that leaves much to compute again ----

for code in gsm_xcch ieee80211 ccsds gsm_tch_hs dab umts_r2; do
    for ebn0 in -2 1 4; do
        in_registers "$code, whole frames, $ebn0 dB" 1003 "code: $code, termination: zero" $ebn0 \
            "$narrow"
        in_registers "$code, whole truncated frames, $ebn0 dB" 4096 \
            "code: $code, termination: truncated" $ebn0 "$narrow"
    done
done
in_registers "whole frames, i4" 4100 'code: ieee80211' 0 "$i4"
in_registers "whole frames, large LLRs" 1003 'code: ieee80211' 0 "$i8"
in_registers "whole frames, punctured" 4100 'code: ieee80211' 2 "$narrow" '' \
    'scheme: ieee80211, rate: 3/4'
in_registers "whole frames, any state" 2003 'code: ieee80211, termination: truncated' 0 "$narrow" \
    'traceback_start: any'
for bits in 7 8 9 57 203; do
    in_registers "whole frames of $bits bits" $bits 'code: ieee80211' 0 "$narrow"
done
batch=70000 frames=70000
in_registers "more frames than there is room for" 100 'code: ieee80211' 1 "$narrow"
batch=5000 frames=20000
in_registers "several frames a lane" 43 'code: lte_tbcc' 0 "$narrow"
batch=50 frames=120

# ---- iterations and verdicts of tail-biting frames ----

pipeline 'source.random: {bits: 40}' 'conv.encode: {code: lte_tbcc}' 'modem.map: {scheme: bpsk}' \
    'channel.awgn: {ebn0_db: -2}' 'modem.demap: {}' 'llr.quantize: {scale: 2}' \
    'viterbi.decode: {code: lte_tbcc}' 'sink.errors: {}' 'stop: {frames: 500}' |
    sed 's/^  - stop/stop/' >circle.yaml
# all_of BACKEND: everything that the point tells but the time.
all_of() {
    tap_last="fecrun run circle.yaml with $1"
    "$FECRUN" run --quiet --json out circle.yaml --set viterbi.decode.backend=$1 2>err &&
        grep '"type":"point"' out |
        sed 's/"seconds":[^,]*,"info_mbps":[^,]*,//; s/"stop":"[a-z_]*"//' || cat err
}
want=$(all_of ref)
for backend in $backends; do
    same "$backend: verdicts and iterations" "$(all_of $backend)" "$want"
done
sed 's/viterbi.decode: {code: lte_tbcc}/viterbi.decode: {code: lte_tbcc, tune: {kernel: registers}}/' \
    circle.yaml >circle.new && mv circle.new circle.yaml
same "in registers: verdicts and iterations" "$(all_of cuda)" "$want"
case $want in
*'"iterations_max":4'*) ok "some frames do not close" true ;;
*) ok "some frames do not close: $want" false ;;
esac

# ---- explain names the kernel, and why it is not a faster one ----

# explains PATTERN CHAIN-ARGUMENT...
explains() {
    explained=$1
    shift
    chain "$@" >chain.yaml
    run "$FECRUN" explain chain.yaml --set viterbi.decode.backend=cuda
    prints "$explained" "explain: $explained"
}
fast='tile: {f: 256, v1: 48, v2: 54, f0: 8}, traceback_start: any'
explains 'in registers, two tiles a thread(;.*)?$' 1000 "$k7" 4 "$narrow" "$fast"
explains 'in registers, two tiles a thread; less than 2048: the general decoder$' 1000 \
    "$k7" 4 "$narrow"
explains 'in registers, two tail-biting frames a thread; less than 512' 43 'code: lte_tbcc' 4 "$narrow"
explains 'in registers, one tail-biting frame a thread; less than 512' 43 'code: lte_tbcc' 4 "$i8"
explains 'the general decoder, which is slower: tile.f0 is not 8, 16, 24 or 32$' 1000 "$k7" 4 \
    "$narrow" 'tile: {f: 256, v1: 48, v2: 54, f0: 12}'
explains 'the general decoder, which is slower: there are no kernels for this code' 43 \
    'constraint_length: 6, generators: [0o53, 0o75]' 4 "$narrow"
# Smaller devices, pretended: registers are what explain says they are.
for like in 8.6:99 9.0:99 9.0:64; do
    FECRUN_CUDA_LIKE=$like
    export FECRUN_CUDA_LIKE
    chain 1000 "$k7" 4 "$narrow" "$fast" >chain.yaml
    run "$FECRUN" explain chain.yaml --set viterbi.decode.backend=cuda
    said=2
    if grep -q 'in registers, ' out; then said=0; fi
    [ $like != 8.6:99 ] || prints 'slower: the device.s compute capability is below 9.0$' "like $like"
    run "$FECRUN" run chain.yaml --quiet --set viterbi.decode.backend=cuda \
        --set viterbi.decode.tune.kernel=registers
    is $said "like $like: registers, as explain says"
    same_bits "like $like" 1000 "$k7" 4 "$narrow" "$fast"
    unset FECRUN_CUDA_LIKE
done

# ---- classes of blocks ----

cat >blocks.yaml <<'END'
fecrun: 1
seed: 5
batch: 30
blocks:
  - {user: a, count: 3, bits: 40}
  - {user: b, count: 1, bits: 77}
  - {user: c, count: 2, bits: 21}
pipeline:
  - source.random:  {}
  - conv.encode:    {code: lte_tbcc}
  - modem.map:      {scheme: bpsk}
  - channel.awgn:   {ebn0_db: 1}
  - modem.demap:    {}
  - llr.quantize:   {type: i8, scale: 4}
  - viterbi.decode: {code: lte_tbcc}
  - sink.errors:    {}
stop: {frames: 600}
END
want=$(counts blocks.yaml --set viterbi.decode.backend=ref)
for backend in $backends; do
    same "$backend: blocks of several sizes" \
        "$(counts blocks.yaml --set viterbi.decode.backend=$backend)" "$want"
done

# ---- tuning of cuda-general ----

# tuned WHAT TUNE: in place of `viterbi.decode: {`
tuned() {
    chain 1003 "$k7" 1 "$i8" 'tile: {f: 300, v1: 21, v2: 45, f0: 56}' |
        sed "s/viterbi.decode: {/&backend: cuda-general, tune: {$2}, /" >tuned.yaml
    run "$FECRUN" run --quiet tuned.yaml
    [ "$status" = 0 ] && cmp bits bits.ref >/dev/null
    tap_check $? "$1"
}
chain 1003 "$k7" 1 "$i8" 'tile: {f: 300, v1: 21, v2: 45, f0: 56}' >tuned.yaml
run "$FECRUN" run --quiet tuned.yaml --set viterbi.decode.backend=ref
mv bits bits.ref
for form in state warp; do
    for survivors in shared global; do
        for frames_a_block in 1 3 auto; do
            tuned "tune: form $form, survivors $survivors, frames $frames_a_block" \
                "form: $form, survivors: $survivors, frames: $frames_a_block"
        done
    done
done
refused() {
    sed "s/tune: {[^}]*}/tune: {$1}/" tuned.yaml >refused.yaml
    refuses 2 "$2" run refused.yaml
}
refused 'frames: 200' 'frames: is 200; a thread block takes multiples of 1 up to 16 tiles'
sed 's/code: ieee80211/code: gsm_xcch/g' tuned.yaml >small.yaml && mv small.yaml tuned.yaml
refused 'form: warp' 'form: warp is for constraint lengths 7 to 9'

done_testing
