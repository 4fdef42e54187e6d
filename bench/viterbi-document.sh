#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tables I to V and figures 9 and 11 of the document whose system the backend cuda-general is
# (A. Mohammadidoost, M. Hashemi, "High-Throughput and Memory-Efficient Parallel Viterbi Decoder for
# Convolutional Codes on GPU"), run again, beside its own figures, into bench/results/viterbi.md. Some minutes
# on a GPU. Variables: see lib.sh, and
#
#   DECODER  the decoder's backend (default: cuda-general)
#   FRAMES   of 16384 bits, for one point at most (default: 65536)
#
# Without a GPU, to try the script: QUICK=1 BACKEND= DECODER=simd REPORT=/tmp/r bench/viterbi-document.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODER=${DECODER:-cuda-general}
FRAMES=${FRAMES:-65536}
LIST_F='32 64 128 256 512' LIST_V2='10 20 30 40'
LIST_F0='8 16 24 32 40 48 56' LIST_V2_PARALLEL='25 30 35 40 45'
WINDOWS='3.25,3.5,3.75,4 4.25,4.5,4.75,5 5.5,6,6.5,7'
FIG='0:0.5:5'
BATCH=4096
if [ "$QUICK" ]; then
    FRAMES=64 BATCH=16 FIG='1:1:4'
    LIST_F='32 256' LIST_V2='10 40' LIST_F0='8 56' LIST_V2_PARALLEL='25 45'
    WINDOWS='2,3,4 5,6,7'
fi
soft=$here/viterbi-document.yaml punctured=$here/viterbi-document-punctured.yaml

# decode FILE OPTION...: runs it on the device, JSON lines to $work/json
decode() {
    file=$1
    shift
    "$FECRUN" run "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --set viterbi.decode.backend="$DECODER" --set batch="$BATCH" --set stop.frames="$FRAMES" \
        --set stop.frame_errors=20000 "$@"
}

commas() { echo "$*" | sed 's/ /, /g'; }

# Points at ever higher Eb/N0 until every key has come below $BER: lines "KEY EBN0 BER" in FILE.
# grid FILE PARAM LIST OPTION...
grid() {
    grid_out=$1 grid_param=$2 grid_list=$3
    shift 3
    : >"$grid_out"
    for window in $WINDOWS; do
        decode "$(sweep "$soft" "$grid_param: [$(commas $grid_list)], channel.awgn.ebn0_db: [$window]")" \
            "$@"
        fields "$work/json" point "$grid_param" ebn0_db ber >>"$grid_out"
        at_ber "$BER" <"$grid_out" | grep -q -- '-$' || return 0
    done
}

# rate FILE PARAM-LIST OPTION...: lines "VALUE... GBPS" of the decoder alone
rate() {
    rate_file=$1 rate_params=$2
    shift 2
    "$FECRUN" bench "$rate_file" --all-points --stage-only --quiet --json "$work/json" \
        --batches "$BATCH" ${BACKEND:+--backend "$BACKEND"} \
        --set viterbi.decode.backend="$DECODER" "$@"
    fields "$work/json" bench $rate_params device_gbps ber
}

# table CORNER COLUMNS ROWS DOCUMENT <lines "ROW COLUMN VALUE": cells "ours (the document's)"
table() {
    awk -v corner="$1" -v columns="$2" -v rows="$3" -v document="$4" '
        { cell[$1, $2] = $3 }
        END {
            n = split(columns, c, " ")
            m = split(rows, r, " ")
            while ((getline line <document) > 0) {
                k = split(line, f, " ")
                if (f[1] == "columns") {
                    for (i = 2; i <= k; i++)
                        dc[i] = f[i]
                    continue
                }
                for (i = 2; i <= k; i++)
                    doc[f[1], dc[i]] = f[i]
            }
            head = "| " corner " |"
            rule = "| --- |"
            for (i = 1; i <= n; i++) {
                head = head " " c[i] " |"
                rule = rule " --- |"
            }
            print head
            print rule
            for (j = 1; j <= m; j++) {
                line = "| " r[j] " |"
                for (i = 1; i <= n; i++)
                    line = line " " cell[r[j], c[i]] " (" doc[r[j], c[i]] ") |"
                print line
            }
        }'
}

# distances ROW <"KEY EBN0": "ROW KEY DISTANCE"
distances() {
    awk -v row="$1" -v ref="$whole" '{ print row, $1, $2 == "-" ? "-" : sprintf("%.3f", $2 - ref) }'
}

cat >"$work/II" <<'END'
columns 32 64 128 256 512
10 0.72 0.48 0.31 0.18 0.12
20 0.15 0.090 0.044 0.040 0.039
30 0.030 0.016 0.0069 0.022 0.033
40 0.0040 0.00097 0.0032 0.025 0.034
END
cat >"$work/III" <<'END'
columns 8 16 24 32 40 48 56
25 2.90 2.41 2.15 1.94 1.77 1.72 1.54
30 1.57 1.28 1.09 0.97 0.85 0.81 0.70
35 0.87 0.66 0.53 0.44 0.39 0.33 0.29
40 0.43 0.31 0.22 0.18 0.15 0.12 0.10
45 0.18 0.11 0.08 0.06 0.05 0.03 0.03
END
cat >"$work/IV" <<'END'
columns 32 64 128 256 512
10 4.28 5.11 6.64 6.15 4.97
20 3.79 4.79 6.36 6.05 4.86
30 3.10 4.23 5.74 5.77 4.80
40 2.82 3.93 5.50 5.62 4.77
END
cat >"$work/V" <<'END'
columns 8 16 24 32 40 48 56
25 12.1 11.7 13.7 11.9 13.5 12.4 13.0
30 10.2 10.0 12.1 10.3 11.9 10.9 11.5
35 8.47 8.47 10.6 8.79 10.3 9.45 9.95
40 6.74 7.11 9.15 7.37 8.82 8.00 8.48
45 4.95 5.28 7.58 5.84 7.23 6.39 6.83
END

note "theory"
theory "$(sweep "$soft" "channel.awgn.ebn0_db: $( [ "$QUICK" ] && echo '[1, 2, 3, 3.5, 4]' ||
    echo '[0, 0.5, 1, 1.5, 2, 2.5, 3, 3.25, 3.5, 3.75, 4, 4.5, 5]')")"
fields "$work/json" point ebn0_db ber >"$work/theory"
whole=$(crossing "$work/json")
[ "$whole" != - ] || { echo "the theory's curve does not cross $BER" >&2; exit 1; }

note "Table II"
for v2 in $LIST_V2; do
    grid "$work/points" viterbi.decode.tile.f "$LIST_F" --set viterbi.decode.tile.v2=$v2
    at_ber "$BER" <"$work/points" | distances $v2
done >"$work/ours-II"

for start in any stored; do
    note "Table III, start state $start"
    for v2 in $LIST_V2_PARALLEL; do
        grid "$work/points" viterbi.decode.tile.f0 "$LIST_F0" --set viterbi.decode.tile.v2=$v2 \
            --set viterbi.decode.traceback_start=$start
        at_ber "$BER" <"$work/points" | distances $v2
    done >"$work/ours-III-$start"
done

note "Tables IV and V"
rate "$(sweep "$soft" "viterbi.decode.tile.v2: [$(commas $LIST_V2)], viterbi.decode.tile.f: [$(commas $LIST_F)]")" \
    "viterbi.decode.tile.v2 viterbi.decode.tile.f" | awk '{ printf "%s %s %.1f\n", $1, $2, $3 }' \
    >"$work/ours-IV"
for start in any stored; do
    rate "$(sweep "$soft" "viterbi.decode.tile.v2: [$(commas $LIST_V2_PARALLEL)], viterbi.decode.tile.f0: [$(commas $LIST_F0)]")" \
        "viterbi.decode.tile.v2 viterbi.decode.tile.f0" --set viterbi.decode.traceback_start=$start |
        awk '{ printf "%s %s %.1f\n", $1, $2, $3 }' >"$work/ours-V-$start"
done

note "figures 9 and 11"
decode "$(sweep "$soft" "channel.awgn.ebn0_db: \"$FIG\"")"
fields "$work/json" point ebn0_db ber >"$work/fig9"
for start in stored any; do
    decode "$(sweep "$soft" "channel.awgn.ebn0_db: \"$FIG\"")" --set viterbi.decode.tile.f0=32 \
        --set viterbi.decode.traceback_start=$start
    fields "$work/json" point ebn0_db ber >"$work/fig11-$start"
done

note "hard decisions"
decode "$(sweep "$soft" "channel.awgn.ebn0_db: [$( [ "$QUICK" ] && echo '4, 5, 6, 7' || echo '5, 5.5, 6, 6.5')]")" \
    --set viterbi.decode.tile.v2=40 --set llr.quantize.scale=1000 --set llr.quantize.max=1
hard=$(crossing "$work/json")
grid "$work/points" viterbi.decode.tile.f 256 --set viterbi.decode.tile.v2=40
soft_at=$(at_ber "$BER" <"$work/points" | cut -d ' ' -f 2)

note "punctured"
: >"$work/punctured"
for rate in 2/3 3/4; do
    points='4, 4.5, 5, 5.5'
    [ $rate = 3/4 ] || points='3.5, 4, 4.5, 5'
    [ -z "$QUICK" ] || points='2.5, 3, 3.5, 4, 4.5'
    sed "s|rate: 3/4|rate: $rate|" "$punctured" >"$work/rate.yaml"
    theory "$(sweep "$work/rate.yaml" "channel.awgn.ebn0_db: [$points]")"
    reference=$(crossing "$work/json")
    for v2 in 48 96; do
        decode "$(sweep "$work/rate.yaml" "channel.awgn.ebn0_db: [$points]")" \
            --set viterbi.decode.tile.v2=$v2
        ours=$(crossing "$work/json")
        speed=$(rate "$work/rate.yaml" "" --set viterbi.decode.tile.v2=$v2 | cut -d ' ' -f 1)
        absorbed=no
        ! "$FECRUN" explain "$work/rate.yaml" ${BACKEND:+--backend "$BACKEND"} \
            --set viterbi.decode.backend="$DECODER" | grep -q '^conv.depuncture: absorbed' ||
            absorbed=yes
        echo "$rate $v2 $absorbed $ours $reference $speed" >>"$work/punctured"
    done
done

note "memory"
rate "$soft" "" >/dev/null
scratch=$(fields "$work/json" bench scratch_bytes batch info_bits backend |
    awk '{ printf "%.4f", $1 / ($2 * $3) }')

{
    echo "## viterbi.decode, backend $DECODER: the tables of a paper"
    echo
    machine
    echo
    echo "Made by \`bench/viterbi-document.sh\`$( [ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'). (2,1,7) with 171 and 133 octal, BPSK, white noise, i8 LLRs in"
    echo "steps of 1/8 up to 15.9, frames of 16384 bits cut into tiles, v1 = 20. In brackets the paper's"
    echo "figure (V100). Distance: dB of Eb/N0 at BER $BER, log BER interpolated, from float decoding of whole"
    echo "frames (the most likely sequence) in the same run, which needs $whole dB; up to $FRAMES frames or 20000"
    echo "frame errors a point, different noise for each cell: a few thousandths of a dB are chance."
    echo
    echo "Table II, distance in dB, serial trace-back from the best state:"
    echo
    table 'v2 \ f' "$LIST_F" "$LIST_V2" "$work/II" <"$work/ours-II"
    echo
    echo "Table III, parallel trace-back, f = 256, from any state (the paper's numbers fit that):"
    echo
    table 'v2 \ f0' "$LIST_F0" "$LIST_V2_PARALLEL" "$work/III" <"$work/ours-III-any"
    echo
    echo "The same from the stored best state (the paper gives no numbers; Table III again):"
    echo
    table 'v2 \ f0' "$LIST_F0" "$LIST_V2_PARALLEL" "$work/III" <"$work/ours-III-stored"
    echo
    echo "Table IV, Gb/s, serial trace-back, input and output on the device, batch $BATCH frames:"
    echo
    table 'v2 \ f' "$LIST_F" "$LIST_V2" "$work/IV" <"$work/ours-IV"
    echo
    echo "Table V, Gb/s, parallel trace-back, f = 256, any state:"
    echo
    table 'v2 \ f0' "$LIST_F0" "$LIST_V2_PARALLEL" "$work/V" <"$work/ours-V-any"
    echo
    echo "The same with stored states:"
    echo
    table 'v2 \ f0' "$LIST_F0" "$LIST_V2_PARALLEL" "$work/V" <"$work/ours-V-stored"
    echo
    echo "Figures 9 and 11, BER; f = 256, v1 = v2 = 20; figure 11 with f0 = 32:"
    echo
    echo "| Eb/N0 dB | theory | v2 = 20 (9) | stored state (11) | any state (11) |"
    echo "| --- | --- | --- | --- | --- |"
    awk -v dir="$work" '
        function read(file, into,    line, f) {
            while ((getline line <(dir "/" file)) > 0) {
                split(line, f, " ")
                value[into, f[1] + 0] = sprintf("%.2e", f[2])
            }
        }
        BEGIN { read("theory", "t"); read("fig11-stored", "s"); read("fig11-any", "a") }
        { e = $1 + 0; printf "| %g | %s | %.2e | %s | %s |\n", e, value["t", e], $2, value["s", e], value["a", e] }' \
        "$work/fig9"
    echo
    echo "Hard against soft decisions at BER $BER, f = 256, v2 = 40: $(awk "BEGIN { print \"$hard\" == \"-\" || \"$soft_at\" == \"-\" ? \"-\" : sprintf(\"%.2f\", $hard - $soft_at) }" 2>/dev/null || echo -) dB (the paper: 2.3)."
    echo
    echo "Punctured, f = 384, v1 = 24:"
    echo
    echo "| rate | v2 | depuncturing in the decoder's kernel | distance, dB | Gb/s |"
    echo "| --- | --- | --- | --- | --- |"
    awk '{ printf "| %s | %s | %s | %s | %.1f |\n", $1, $2, $3,
        $4 == "-" || $5 == "-" ? "-" : sprintf("%.3f", $4 - $5), $6 }' "$work/punctured"
    echo
    echo "Table I, global memory for intermediate data, bytes an information bit: $scratch (\`scratch_bytes\` of"
    echo "\`fecrun bench\`, f = 256, v1 = v2 = 20). Earlier works have the survivors in global memory: 2^(k-1) bits a"
    echo "step, which is 9.2 bytes with the same tiles, and 8 for a whole frame."
} | put_section viterbi-document
