#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The four studies of the paper that turbo.decode's cuda-paper has its sub-blocks from (Wu, Sun,
# Wang, Cavallaro 2011: LTE, K = 6144, a GTX 470), with both CUDA backends, into bench/results/turbo.md: error
# rate over the number P of sub-blocks; throughput over iterations; how many codewords N it takes
# with each P; throughput and iterations with early termination. And one codeword alone. Three
# minutes. Variables: see lib.sh, and
#
#   DECODERS  the backends (default: cuda-paper cuda; the windows of cuda do not overlap here,
#             as the paper's do not)
#   BATCH     codewords of cuda (default: 12672); cuda-paper has the paper's 2048
#   FRAMES    codewords for an error rate (default: 4096)
#
# Without a GPU, to try the script:
#   QUICK=1 BACKEND= DECODERS=ref REPORT=/tmp/r bench/turbo-studies.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
DECODERS=${DECODERS:-cuda-paper cuda}
BATCH=${BATCH:-12672}
FRAMES=${FRAMES:-4096}
PAPER=2048
P_LIST="1 32 64 96 128"
ITERATIONS="1 2 3 4 5 6 7 8 9"
N_LIST=132,264,528,1056,2112,4224,8448,12672
EBN0="0.5 0.6 0.7 0.8 1 1.5"
if [ "$QUICK" ]; then
    BATCH=2 PAPER=2 FRAMES=4 P_LIST="1 96" ITERATIONS="1 2" N_LIST=1,2 EBN0="0.6 1.5"
fi
file=$here/turbo.yaml

# with NAME=VALUE...: options of fecrun
with() {
    for with_option in "$@"; do
        echo "--set turbo.decode.$with_option"
        [ "$with_option" != backend=cuda ] || echo "--set turbo.decode.tune.overlap=0"
    done
}

# errors OPTION...: "frame_errors/frames", or "-" where the backend cannot
errors() {
    "$FECRUN" run "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --set stop.frames="$FRAMES" --set stop.frame_errors=1000000 "$@" 2>"$work/err" || {
        note "$(head -n 1 "$work/err")"
        echo -
        return
    }
    fields "$work/json" point frame_errors frames | awk '{ printf "%.4f\n", $1 / $2 }'
}

# speed BATCHES OPTION...: a line "batch Gb/s iterations us" for each batch; "- - - -"
speed() {
    speed_batches=$1
    shift
    "$FECRUN" bench "$file" --quiet --json "$work/json" ${BACKEND:+--backend "$BACKEND"} \
        --batches "$speed_batches" "$@" 2>"$work/err" || {
        note "$(head -n 1 "$work/err")"
        echo "- - - -"
        return
    }
    sed 's/"latency_us":{"p50":/"p50":/' "$work/json" >"$work/lines"
    fields "$work/lines" bench batch device_gbps iterations_mean p50 |
        awk '{ printf "%s %.4g %.3g %s\n", $1, $2, ($3 == "null" ? 0 : $3), $4 }'
}

batch_of() {
    if [ "$1" = cuda-paper ]; then echo "$PAPER"; else echo "$BATCH"; fi
}

# cells of a row, from lines
row() {
    printf '| %s |' "$1"
    shift
    for row_cell in "$@"; do printf ' %s |' "$row_cell"; done
    echo
}

error_rates() {
    echo "Block error rate, 6 iterations, $FRAMES codewords. \`-\`: there are no windows of these lengths. The paper has P = 32"
    echo "close to P = 1, and P = 96 within 0.1 dB of it."
    echo
    row "decoder" "Eb/N0, dB" $(for p in $P_LIST; do echo "P=$p"; done)
    row --- --- $(for p in $P_LIST; do echo ---; done)
    for decoder in $DECODERS; do
        for algorithm in max-log log-map; do
            for db in 0.6 0.7; do
                note "error rates: $decoder $algorithm $db"
                row "$decoder, $algorithm" "$db" $(for p in $P_LIST; do
                    errors --set channel.awgn.ebn0_db="$db" $(with backend="$decoder" \
                        algorithm="$algorithm" iterations=6 sub_blocks="$p")
                done)
            done
        done
    done
}

throughput() {
    echo "Throughput, Gb/s of information bits, over iterations: $PAPER codewords of cuda-paper, $BATCH of cuda."
    echo "The figures of the paper are Mb/s."
    echo
    row "decoder" $ITERATIONS
    row --- $(for n in $ITERATIONS; do echo ---; done)
    if [ ! "$QUICK" ]; then
        row "the paper, GTX 470, max-log, Mb/s" 95.36 61.08 44.99 35.57 29.45 25.13 21.92 19.41 17.44
        row "log-map, Mb/s" 89.79 57.14 42.07 33.14 27.54 23.31 20.26 18.00 16.19
    fi
    for decoder in $DECODERS; do
        for algorithm in max-log log-map; do
            note "throughput: $decoder $algorithm"
            row "$decoder, $algorithm" $(for n in $ITERATIONS; do
                speed "$(batch_of "$decoder")" --stage-only $(with backend="$decoder" \
                    algorithm="$algorithm" iterations="$n") | awk '{ print $2 }'
            done)
        done
    done
}

codewords() {
    echo "Gb/s with N codewords, max-log, 5 iterations. The last column has the least N that gives 90 % of the row's"
    echo "best. The paper asks for 27 Mb/s, and for 24 with log-map."
    echo
    row "decoder" P $(echo "$N_LIST" | tr , ' ') "90 %"
    row --- --- $(echo "$N_LIST" | tr , ' ' | sed 's/[0-9][0-9]*/---/g') ---
    for decoder in $DECODERS; do
        for p in 32 64 96 128; do
            note "codewords: $decoder $p"
            speed "$N_LIST" --stage-only $(with backend="$decoder" iterations=5 \
                sub_blocks="$p") >"$work/n"
            row "$decoder" "$p" $(awk '
                { n[NR] = $1; g[NR] = $2; if ($2 + 0 > best) best = $2 + 0 }
                END {
                    for (i = 1; i <= NR; i++) print g[i]
                    for (i = 1; i <= NR && g[i] < 0.9 * best; i++) ;
                    print (best > 0 ? n[i] : "-")
                }' "$work/n")
        done
    done
}

termination() {
    echo "Early termination, at most 16 iterations, max-log: Gb/s / mean iterations. The threshold of mean-llr is 40, as in"
    echo "the paper, that of min-llr is 10."
    echo
    row "decoder" "rule" $(for db in $EBN0; do echo "${db}dB"; done)
    row --- --- $(for db in $EBN0; do echo ---; done)
    for decoder in $DECODERS; do
        for rule in mean-llr/40 min-llr/10; do
            note "termination: $decoder $rule"
            row "$decoder" "${rule%/*}" $(for db in $EBN0; do
                speed "$(batch_of "$decoder")" --stage-only --set channel.awgn.ebn0_db="$db" \
                    $(with backend="$decoder" iterations=16 early_stop="${rule%/*}" \
                    threshold="${rule#*/}") | awk '{ print $2 "/" $3 }'
            done)
        done
    done
}

alone() {
    echo "One codeword alone, 6 iterations, max-log:"
    echo
    row "decoder" "kernels, us" "host to host, us"
    row --- --- ---
    for decoder in $DECODERS; do
        note "alone: $decoder"
        row "$decoder" $(speed 1 $(with backend="$decoder" iterations=6) |
            awk '{ if ($2 > 0) printf "%.1f %.1f\n", 6.144 / $2, $4; else print "- -" }')
    done
}

{
    echo "## The studies of a paper"
    echo
    machine
    for study in error_rates throughput codewords termination alone; do
        echo
        $study
    done
} >"$work/all"
put_section turbo-studies <"$work/all"
