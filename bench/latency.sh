#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One frame at a time on one core, as a live receiver decodes, AVX-512 and AVX2, beside other decoders with the same noisy
# frames in one run, error rates beside. Into bench/results/latency.md. A minute, and as much to build each peer:
#
#     bench/latency.sh [BUILD_DIR]
#
#   SRSRAN, OCUDU, AFF3CT   checkouts of srsRAN 4G, OCUDU and AFF3CT (with its submodules in lib/)
#   VITERBICPP, LIBCORRECT  checkouts of ViterbiDecoderCpp and libcorrect
#   LIBFEC                  where libfec-dev is installed or unpacked, such as /usr
#   PROGRAMS                directory that keeps the programs built with them (default: a temporary one)
#   FRAMES                  of each row, all of which are timed (default: 2000)
#   ROWS                    a grep -E pattern of rows (default: all)
#   CORE                    the core's number (default: 0)
# and FECRUN, REPORT, COMMIT, QUICK as in lib.sh. A peer that is not given is named in the rows that it could decode.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
FECRUN=$build/fecrun
. "$here/lib.sh"
FRAMES=${FRAMES:-2000} ROWS=${ROWS:-.} CORE=${CORE:-0}
[ -z "$QUICK" ] || FRAMES=64
LD_LIBRARY_PATH=$build/run/.libs
FECRUN_PLUGIN_PATH=$(echo "$build"/lib/fecrun/[0-9]*)
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH
. "$here/latency/peers.sh"
${CC:-cc} -O2 -std=gnu11 -I"$here/../core/include" -I"$build/include" -o "$work/fecrun" "$here/latency/time.c" \
    "$here/latency/row.c" "$here/latency/fecrun.c" -L"$build/run/.libs" -lfecrun
: >"$work/raw"

stages() { [ -z "$1" ] || printf '%s\n' "$1" | tr '|' '\n' | sed 's/^ */  - /'; }

# files BITS CRC EBN0 MAX ENCODER: LLRs, what was sent, and some words of the code without noise.
files() {
    files_crc=
    files_source=$1
    [ "$2" = - ] || files_crc="crc.attach: {$2}"
    case $2 in *24*) files_source=$(($1 - 24)) ;; *11*) files_source=$(($1 - 11)) ;; esac
    {
        printf 'fecrun: 1\nseed: 5\npipeline:\n  - source.random: {bits: %s}\n' "$files_source"
        stages "$files_crc"
    } >"$work/begin"
    {
        cat "$work/begin"
        stages "$5"
        printf '  - modem.map: {scheme: bpsk}\n  - channel.awgn: {ebn0_db: %s}\n  - modem.demap: {}\n' "$3"
        printf '  - llr.quantize: {type: i8, max: %s, scale: auto}\n' "$4"
        printf '  - sink.file: {path: llrs.raw}\nstop: {frames: %s}\n' "$FRAMES"
    } >"$work/llrs.yaml"
    { cat "$work/begin"; printf '  - sink.file: {path: bits.raw}\nstop: {frames: %s}\n' "$FRAMES"; } >"$work/bits.yaml"
    {
        cat "$work/begin"
        stages "$5"
        printf '  - sink.file: {path: words.raw}\nstop: {frames: 64}\n'
    } >"$work/words.yaml"
    rm -f "$work"/*.raw
    for files_of in llrs bits words; do "$FECRUN" run "$work/$files_of.yaml" --quiet; done
}

# of_peers FAMILY WORDS: the peers that decode such a code, by their variables.
of_peers() {
    case $1:$2 in
    viterbi:*tail_biting=1*) echo SRSRAN ;;
    viterbi:*outputs=3*) echo LIBCORRECT VITERBICPP SRSRAN ;;
    viterbi:*) echo LIBFEC LIBCORRECT VITERBICPP ;;
    polar:*n=1024*list=8* | polar:*list=32*) echo AFF3CT ;;
    polar:*list=8*) echo SRSRAN OCUDU ;;
    polar:*) echo AFF3CT SRSRAN OCUDU ;;
    turbo:*) echo SRSRAN ;;
    ldpc:*) echo SRSRAN OCUDU ;;
    esac
}

isa_name() { if [ "$1" = avx2 ]; then echo ', AVX2'; else echo ', AVX-512'; fi; }

# named ROW SUFFIX <lines of time.c: with the row's name in front, and the suffix after the decoder's.
named() { awk -F '|' -v OFS='|' -v row="$1" -v suffix="$2" '{ $1 = row "|" $1 suffix; print }'; }

# row NAME BITS CRC EBN0 MAX FAMILY WORDS ENCODER DECODER [OPTIONS]: BITS as the decoder puts them out, its CRC included.
# Stages as "NAME: {...}", "|" between several. WORDS: what peers have to know of the code. OPTIONS: of the pipeline.
row() {
    echo "$1" | grep -qE "$ROWS" || return 0
    note "$1"
    files "$2" "$3" "$4" "$5" "$8"
    row_llrs=$(($(wc -c <"$work/llrs.raw") / FRAMES))
    {
        printf 'fecrun: 1\n%s\npipeline:\n  - source.memory: {dtype: i8, frame: %s, llr_max: %s}\n' "${10:-}" "$row_llrs" "$5"
        stages "$9"
        printf '  - sink.memory: {dtype: packed}\n'
    } >"$work/call.yaml"
    row_words="family=$6 $7 block=$2 frame=$row_llrs max=$5 calls=$FRAMES
        llrs=$work/llrs.raw bits=$work/bits.raw words=$work/words.raw file=$work/call.yaml"
    for row_isa in avx512 avx2; do
        # shellcheck disable=SC2086
        FECRUN_ISA=$row_isa taskset -c "$CORE" "$work/fecrun" $row_words | named "$1" "$(isa_name $row_isa)"
    done >>"$work/raw"
    row_missing=
    for row_peer in $(of_peers "$6" "$7"); do
        row_program=$(awk -v v="$row_peer" '$2 == v && $3 != "-" { print $1 }' "$work/peers")
        if [ -z "$row_program" ]; then
            row_missing="$row_missing $row_peer"
            continue
        fi
        # shellcheck disable=SC2086
        taskset -c "$CORE" "$programs/$row_program" $row_words | named "$1" '' >>"$work/raw"
    done
    [ -z "$row_missing" ] || echo "$1|not given:$row_missing" >>"$work/raw"
    awk -F '|' -v name="$1" '$1 == name' "$work/raw" >&2
}

# own STAGES: the time of a call whose stages do nothing.
own() {
    own_name="fecrun_execute alone, $1 stage$([ "$1" = 1 ] || echo s)"
    echo "$own_name" | grep -qE "$ROWS" || return 0
    note "$own_name"
    [ -f "$build/t/doubles/fake/null.so" ] || make -s -C "$build" t/doubles/fake/null.so
    {
        printf 'fecrun: 1\npipeline:\n  - source.memory: {dtype: u1, frame: 8}\n'
        for own_i in $(seq "$1"); do printf '  - null.pass: {id: s%s}\n' "$own_i"; done
        printf '  - sink.memory: {}\n'
    } >"$work/call.yaml"
    head -c 512 /dev/zero >"$work/bits.raw"
    for own_isa in avx512 avx2; do
        FECRUN_PLUGIN_PATH=$FECRUN_PLUGIN_PATH:$build/t/doubles/fake FECRUN_ISA=$own_isa taskset -c "$CORE" "$work/fecrun" \
            file="$work/call.yaml" llrs="$work/bits.raw" bits="$work/bits.raw" frame=8 block=8 max=1 calls="$FRAMES" group=100 |
            named "$own_name" "$(isa_name $own_isa)" | sed 's/|[0-9]*|[0-9]*$/|-|-/'
    done >>"$work/raw"
}

viterbi() { # NAME BITS MAX CODE K GENERATORS
    row "$1" "$2" - 3 "$3" viterbi "constraint_length=$5 generators=$6 outputs=$(echo "$6" | tr ',' '\n' | grep -c .) ${7-}" \
        "conv.encode: {$4}" "viterbi.decode: {$4}"
}
nr() { # Z ROWS EBN0
    row "NR LDPC BG1 z = $1, $2 rows, at most 10 iterations" $((22 * $1)) 'crc: 24b' "$3" 127 ldpc "z=$1 iterations=10" \
        "ldpc.encode: {code: nr, bg: 1, z: $1} | ldpc.rate_match: {bg: 1, z: $1, e: $(((20 + $2) * $1))}" \
        "ldpc.rate_recover: {bg: 1, z: $1} | ldpc.decode: {code: nr, bg: 1, z: $1, iterations: 10}"
}
polar() { # NAME N K CRC EBN0 WORDS OPTIONS
    row "$1" "$3" "$4" "$5" 127 polar "n=$2 $6" "polar.encode: {code: plain, n: $2, k: $3, construction: nr}" \
        "polar.decode: {code: plain, n: $2, k: $3, construction: nr, $7}"
}

own 1
own 3
for bits in 64 1000 4096; do
    viterbi "Viterbi K = 7, rate 1/2, $bits bits, LLRs to 10" $bits 10 'code: ieee80211' 7 0133,0171
done
viterbi 'Viterbi K = 7, rate 1/2, 4096 bits, LLRs to 127' 4096 127 'code: ieee80211' 7 0133,0171
viterbi 'Viterbi K = 9, rate 1/2, 4096 bits, LLRs to 8' 4096 8 'code: umts_r2' 9 0561,0753
viterbi 'Viterbi K = 7, rate 1/3, 4096 bits, LLRs to 10' 4096 10 'code: lte_tbcc, termination: zero' 7 0133,0171,0165
viterbi 'Viterbi K = 7, rate 1/3, tail-biting, 43 bits, LLRs to 10' 43 10 'code: lte_tbcc' 7 0133,0171,0165 tail_biting=1
polar 'polar (1024, 512), sc' 1024 512 - 3 nr_order=1 'algorithm: sc'
polar 'polar (1024, 512), adaptive list 8, CRC 24C' 1024 512 'crc: 24c' 2.5 \
    'list=8 adaptive=1 crc_bits=24 crc_polynomial=24-5GC' 'list: 8, adaptive: true, crc: 24c'
polar 'polar (128, 64), adaptive list 32, CRC 11' 128 64 'crc: 11' 2.5 \
    'list=32 adaptive=1 crc_bits=11 crc_polynomial=11-5G' 'list: 32, adaptive: true, crc: 11'
nr_polar='code: nr, k: 40, e: 108, n_max: 9, input_interleave: true'
small_nr() { # NAME OPTIONS
    row "NR polar K = 40, E = 108 with rate recovery, $1" 40 'crc: 24c, ones: 24' 6 127 polar \
        'n=128 nr_order=1 input_interleave=1 list=8' "polar.encode: {$nr_polar} | polar.rate_match: {n_max: 9}" \
        "polar.rate_recover: {k: 40, n_max: 9} | polar.decode: {$nr_polar, $2, crc: 24c, ones: 24}"
}
small_nr 'list 8' 'list: 8'
small_nr 'adaptive list 8' 'list: 8, adaptive: true'
for k in 40 512 1024 6144; do
    row "turbo K = $k, 6 iterations, latency: low" $k - 1.5 127 turbo iterations=6 "turbo.encode: {k: $k}" \
        "turbo.decode: {k: $k, iterations: 6}" 'latency: low'
done
nr 384 46 2
nr 384 5 4.5
nr 2 46 6
nr 8 46 3
for z in 16 32 64; do nr $z 46 2; done

# The lines of raw as two tables. FER: "-" if no frame was wrong.
table() {
    awk -F '|' -v all="$1" '
        function rate(wrong, n) { return wrong == "-" ? "-" : wrong / n < 1e-9 ? "0" : sprintf("%.3g", wrong / n) }
        $2 ~ /^not given/ { missing[$1] = $2; next }
        {
            if (!($1 in seen)) { seen[$1] = ++n; name[n] = $1 }
            if (all) {
                lines[$1] = lines[$1] sprintf("| %s| %s | %.2f | **%.2f** | %.2f | %s |\n", first[$1]++ ? "" : $1 " ", $2, $3, $4, $6,
                    rate($7, $8))
            } else if ($2 ~ /^fecrun/) {
                ours[$1, $2] = $4; fer[$1] = rate($7, $8)
            } else {
                if (!($1 in time) || $4 < time[$1]) { time[$1] = $4; who[$1] = $2; theirs[$1] = rate($7, $8) }
                if (!($1 in best) || $7 / $8 < best[$1]) best[$1] = $7 / $8
            }
        }
        END {
            for (i = 1; i <= n; i++) {
                r = name[i]
                if (all) {
                    printf "%s", lines[r]
                    if (r in missing)
                        printf "| | %s | | | | |\n", missing[r]
                    continue
                }
                printf "| %s | **%.2f** | **%.2f** | ", r, ours[r, "fecrun, AVX-512"], ours[r, "fecrun, AVX2"]
                if (r in time)
                    printf "%.2f | %s | %.1f | %s | %s | %s |\n", time[r], who[r], time[r] / ours[r, "fecrun, AVX-512"], fer[r],
                        theirs[r], rate(best[r], 1)
                else
                    printf "- | %s | - | %s | - | - |\n", (r in missing) ? missing[r] : "-", fer[r]
            }
        }' "$work/raw"
}

{
    echo "## One frame at a time"
    echo
    machine
    echo "Load of the machine after the run: $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors."
    awk '{ printf "%s%s %s", NR == 1 ? "Peers: " : ", ", $1, $3 == "-" ? "(not given)" : $3 } END { print "." }' "$work/peers"
    echo
    echo "Made by \`bench/latency.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): the median time of a call with one frame on one core, in us, of $FRAMES frames."
    echo "All decode the same files. Frames are in the caches, and for peers in their own type and order: conversions are"
    echo "not in their time. A call of fecrun is a \`fecrun_execute\` that takes i8 LLRs and gives packed bits. Peers are"
    echo "compiled for this machine. FER: wrong frames, the fastest peer's, and the least one of any peer."
    echo "\"fecrun_execute alone\": stages that do nothing, 100 calls timed as one."
    echo
    echo "| | AVX-512 | AVX2 | fastest peer | which | peer / AVX-512 | FER | its FER | least FER |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    table 0
    echo
    echo "All of them: the least, the median and the 99th percentile, in us."
    echo
    echo "| | | least | median | 99 % | FER |"
    echo "| --- | --- | --- | --- | --- | --- |"
    table 1
} | put_section latency
