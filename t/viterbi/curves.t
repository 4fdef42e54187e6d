#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Error rates lie where others than fecrun say they do. Seeds are fixed, so a result stays as it is.
#
# - t/data/curves.csv: simulations by t/data/curves.c, which shares nothing with fecrun. Frames are
#   independent, but the bit errors of a frame are not: frame errors are binomial, and bit errors
#   are compared by their mean a frame, with the variance that the simulation found there. Each
#   check may fail with a probability of 0.05/30 in theory (3.14 standard deviations), so that all
#   of this file together has 95 %.
# - t/data/bounds.csv: the union bound of the frame error rate, from counted weights. It is an upper
#   bound everywhere, and at these points less than 15 % above the truth: its terms are the
#   probabilities of single events, and two at once are rare at rates of 3e-3 and less. (Where a
#   simulation is at the same point, rates 5/6 and 7/8, it lies 9 % and 4 % below, with intervals of
#   20 %.) So fecrun's interval of 95 % must begin below the bound and end above 0.85 of it.
# - EN 300 421, Table 5: the Eb/N0 at which the inner code must give a bit error rate of 2e-4.
# - Tail-biting frames that are so short that all codewords can be tried.
. "$top_srcdir/t/lib/curves.sh"
without_cuda

# Part of the frames that the simulations and bounds have seen; t/viterbi/long_curves.t takes all of them.
part=${part:-8}

# noisy BITS CODE RATE EBN0_DB [QUANTIZER [BACKEND]]: frames (stream: true for streams) over BPSK.
noisy() {
    case $3 in
    1/2 | 1/3) puncturing= ;;
    5/6 | 2/3 | 3/4) puncturing="scheme: ieee80211, rate: $3" ;;
    *) puncturing="pattern: ['1111010', '1000101']" ;; # DVB's, for 133 first
    esac
    [ "$2" != dvb ] || [ "$3" = 1/2 ] || puncturing="scheme: dvb, rate: $3"
    pipeline "source.random: {bits: $1}" "conv.encode: {code: $2}" \
        ${puncturing:+"conv.puncture: {$puncturing}"} "modem.map: {scheme: bpsk}" \
        "channel.awgn: {ebn0_db: $4}" "modem.demap: {}" ${5:+"llr.quantize: {$5}"} \
        ${puncturing:+"conv.depuncture: {$puncturing}"} "viterbi.decode: {code: $2${6:+, backend: $6}}" \
        "sink.errors: {}"
}

code_of() {
    case $1 in
    1/3) echo lte_tbcc ;;
    *) echo ieee80211 ;;
    esac
}

# ---- Simulations ----

# agrees GOT SIMULATED: "frames bits bit_errors frame_errors", "frames bit_errors frame_errors
# squares"; prints how far they are apart.
agrees() {
    echo "$1 $2" | awk '
        function abs(x) { return x < 0 ? -x : x }
        NF != 8 { exit 1 }
        {
            mean = $6 / $5
            bits = ($3 / $1 - mean) / sqrt(($8 / $5 - mean * mean) * (1 / $1 + 1 / $5))
            p = ($4 + $7) / ($1 + $5)
            frames = ($4 / $1 - $7 / $5) / sqrt(p * (1 - p) * (1 / $1 + 1 / $5))
            printf "# %d of %d frames wrong, %d bits: %+.2f and %+.2f standard deviations\n", \
                $4, $1, $3, frames, bits
            exit !(abs(bits) < 3.14 && abs(frames) < 3.14)
        }'
}

simulated() {
    got=$(noisy "$bits" "$(code_of "$rate")" "$rate" "$ebn0_db" |
        counts - --set stop.frames=$((frames / part)))
    agrees "$got" "$frames $bit_errors $frame_errors $squares"
    tap_check $? "rate $rate, $bits bits, $ebn0_db dB: as simulated"
}
each_line "$T_DATA/curves.csv" simulated

# ---- Union bounds ----

bound() {
    [ "$frames" -le 200000 ] || [ "$part" = 1 ] || return 0
    got=$(noisy "$bits" "$(code_of "$rate")" "$rate" "$ebn0_db" |
        run_fields "fer fer_lo fer_hi" - --set seed=2 --set stop.frames=$((frames / part)))
    echo "# bound $fer, measured, from, to: $got"
    echo "$got" | awk -v bound="$fer" '{ exit !($2 < bound && $3 > 0.85 * bound) }'
    tap_check $? "rate $rate, $bits bits, $ebn0_db dB: frame error rate at the union bound"
}
each_line "$T_DATA/bounds.csv" bound

# ---- DVB-S ----

# The table's 4.5, 5.0, 5.5, 6.0, 6.4 dB count the bits in front of the outer code (0.36 dB) and
# allow the modem 0.8 dB. A decoder must reach 2e-4 with that, and none does 0.5 dB before.
# dvb RATE TABLE
dvb() {
    ebn0=$(echo "$2" | awk '{ print $1 - 0.8 - 0.36 }')
    for less in 0 0.5; do
        at=$(echo "$ebn0 $less" | awk '{ print $1 - $2 }')
        got=$(noisy "6720, stream: true" dvb "$1" "$at" "type: i8, scale: 4" |
            run_fields ber - --set stop.frames=$((4000 / part)))
        echo "# bit error rate $got"
        if [ $less = 0 ]; then
            echo "$got" | awk '{ exit !($1 > 0 && $1 <= 2e-4) }'
            tap_check $? "DVB-S rate $1, stream: 2e-4 is reached at $at dB"
        else
            echo "$got" | awk '{ exit !($1 > 2e-4) }'
            tap_check $? "DVB-S rate $1, stream: but not at $at dB"
        fi
    done
}
each_row dvb <<'END'
1/2 | 4.5
2/3 | 5.0
3/4 | 5.5
5/6 | 6.0
7/8 | 6.4
END

# ---- Backends and types ----

# Integers, of 8 bits or 16, lose less than 0.1 dB of what `ref` does with floats, and simd's floats nothing.
# simulate FRAMES EBN0 BITS CODE RATE DECODER: BACKEND [QUANTIZER]
simulate() {
    case $6 in
    *' '*) quantizer=${6#* } ;;
    *) quantizer= ;;
    esac
    noisy "$3" "$4" "$5" "$2" "$quantizer" "${6%% *}" |
        run_fields "frames frame_errors" - --set stop.frames="$1"
}
against simulate <<END
# Eb/N0 | frames | decoder | other | dB less | percent | more | bits | code | rate
2.6 | $((2000 / part)) | simd                           | ref | 0   | 0 | 0 | 1000 | ieee80211 | 1/2
2.6 | $((2000 / part)) | ref type: i8, scale: 4         | ref | 0.1 | 0 | 0 | 1000 | ieee80211 | 1/2
2.6 | $((2000 / part)) | simd type: i8, scale: 4        | ref | 0.1 | 0 | 0 | 1000 | ieee80211 | 1/2
2.6 | $((2000 / part)) | simd type: i8, scale: 2, max: 15 | ref | 0.1 | 0 | 0 | 1000 | ieee80211 | 1/2
2.6 | $((2000 / part)) | simd type: i16, scale: 40      | ref | 0.1 | 0 | 0 | 1000 | ieee80211 | 1/2
3.8 | $((2000 / part)) | simd type: i8, scale: 4        | ref | 0.1 | 0 | 0 | 1000 | ieee80211 | 3/4
1.6 | $((4000 / part)) | simd type: i8, scale: 4        | ref | 0.1 | 0 | 0 | 100  | lte_tbcc  | 1/3
1.6 | $((4000 / part)) | simd type: i8, scale: 2, max: 15 | ref | 0.1 | 0 | 0 | 100  | lte_tbcc  | 1/3
END

# ---- Tail-biting, all codewords ----

# best BITS FILE: the items of FILE are each frame's LLRs and then its decoded bits; how many
# frames have a codeword that fits better than the decoded one.
best() {
    awk -v bits="$1" '
        function parity(x, n) { for (n = 0; x; x = int(x / 2)) n += x % 2; return n % 2 }
        # bit t of word w, the first in the highest place
        function bit(w, t) { return int(w / 2 ^ (bits - 1 - (t + bits) % bits)) % 2 }
        BEGIN {
            split("0 2 3 5 6;0 1 2 3 6;0 1 2 4 6", taps, ";") # 133, 171, 165: delays
            for (w = 0; w < 2 ^ bits; w++)
                for (t = 0; t < bits; t++)
                    for (g = 1; g <= 3; g++) {
                        n = split(taps[g], delay, " ")
                        for (sum = i = 1; i <= n; i++)
                            sum += bit(w, t - delay[i])
                        sign[w, 3 * t + g] = sum % 2 ? 1 : -1
                    }
        }
        {
            decided = 0
            for (t = 1; t <= bits; t++)
                decided = 2 * decided + $(3 * bits + t)
            most = -1e9
            for (w = 0; w < 2 ^ bits; w++) {
                fit = 0
                for (i = 1; i <= 3 * bits; i++)
                    fit += sign[w, i] * $i
                if (w == decided)
                    own = fit
                if (fit > most)
                    most = fit
            }
            behind += own < most
        }
        END { print NR, behind + 0 }' "$2"
}

# brute_force BITS FRAMES EBN0_DB
brute_force() {
    bits=$1
    frames=$2
    noisy "$bits" lte_tbcc 1/3 "$3" "type: i8, scale: 8" >counted.yaml
    sed '/viterbi/d; s/sink.errors: {}/sink.file: {path: llrs}/' counted.yaml >llrs.yaml
    sed 's/sink.errors: {}/sink.file: {path: bits}/' counted.yaml >decode.yaml
    for file in llrs decode; do
        run "$FECRUN" run --quiet $file.yaml --set stop.frames="$frames"
    done
    od -An -v -td1 -w$((3 * bits)) llrs >llrs.txt
    od -An -v -td1 -w"$bits" bits | paste -d' ' llrs.txt - >both.txt
    set -- $(best "$bits" both.txt)
    echo "# $1 frames, of $2 another codeword fits better"
    [ "$1" = "$frames" ] && [ $(($2 * 100)) -le "$1" ]
    tap_check $? "tail-biting, $bits bits: the decoder finds the best codeword (99 % of the frames)"
}

each_row brute_force <<'END'
8  | 400 | 5
10 | 300 | 4
END
done_testing
