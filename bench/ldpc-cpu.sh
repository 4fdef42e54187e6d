#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode on one CPU thread, every instruction set that is there, beside `ref`, into
# bench/results/ldpc.md. A minute. Variables: FECRUN, REPORT and COMMIT of lib.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BACKEND=
. "$here/lib.sh"
. "$here/ldpc.sh"

# bench FILE BATCHES BACKEND OPTION...: the lines to $work/json
bench() {
    bench_file=$1 bench_batches=$2 bench_backend=$3
    shift 3
    "$FECRUN" bench "$bench_file" --quiet --threads 1 --backend auto --batches "$bench_batches" \
        --json "$work/json" --set ldpc.decode.backend="$bench_backend" "$@"
}

# figures: "MBPS SPREAD P50 BER FER" of the last line
figures() {
    line >"$work/line"
    fields "$work/line" bench device_gbps spread p50 ber fer
}

# row NAME FILE BATCH OPTION...
row() {
    name=$1 file=$2 batch=$3
    shift 3
    note "$name"
    bench "$file" "$batch" simd "$@"
    ours=$(figures)
    bench "$file" "$( [ "$batch" -gt 8 ] && echo 8 || echo "$batch")" ref --stage-only "$@"
    echo "$ours $(figures)" | awk -v name="$name" -v batch="$batch" '
        { printf "| %s | %s | **%.3f** | %.0f %% | %.1f | %.2e | %.3f | %.4f | %.0f |\n",
            name, batch, $1, 100 * $2, $3, $4, $5, $6, $1 / $6 }' >>"$work/rows"
}

: >"$work/rows"
: >"$work/isa"
nr=$here/ldpc-nr.yaml
row 'NR BG1, z = 384, 46 rows' "$nr" 32 $(nr 1 384 46 -0.95)
row 'NR BG1, z = 384, 24 rows' "$nr" 32 $(nr 1 384 24 1.36)
row 'NR BG1, z = 384, 13 rows' "$nr" 32 $(nr 1 384 13 3.35)
row 'NR BG1, z = 384, 5 rows' "$nr" 32 $(nr 1 384 5 6.1)
row 'NR BG2, z = 384, 42 rows' "$nr" 32 $(nr 2 384 42 -3.4)
row 'NR BG1, z = 36, 46 rows' "$nr" 256 $(nr 1 36 46 -0.7)
row 'NR BG1, z = 36, 5 rows' "$nr" 256 $(nr 1 36 5 6.4)
row 'NR BG2, z = 36, 42 rows' "$nr" 256 $(nr 2 36 42 -3)
row 'NR BG1, z = 384, 46 rows, one block' "$nr" 1 $(nr 1 384 46 -0.95)
row 'NR BG1, z = 384, 5 rows, one block' "$nr" 1 $(nr 1 384 5 6.1)
row 'Wi-Fi 648, 1/2' "$(block 'code: wifi, n: 648, rate: 1/2' 324)" 256
row 'Wi-Fi 1944, 5/6' "$(block 'code: wifi, n: 1944, rate: 5/6' 1620)" 64 \
    --set channel.awgn.ebn0_db=3.5
row 'WiMAX 576, 1/2' "$(block 'code: wimax, n: 576, rate: 1/2' 288)" 256
row 'DVB-S2 normal 1/2' "$(block 'code: dvbs2, frame: normal, rate: 1/2' 32400)" 8 \
    --set channel.awgn.ebn0_db=2.2
row 'DVB-S2 short 4/5' "$(block 'code: dvbs2, frame: short, rate: 4/5' 12600)" 16 \
    --set channel.awgn.ebn0_db=3.2

note "instruction sets"
for isa in avx512 avx2 generic; do
    line_of="| $isa |"
    for rows in '46 -0.95' '13 3.35' '5 6.1'; do
        if bench "$nr" 32 simd --stage-only $(nr 1 384 $rows) \
            --set ldpc.decode.tune.isa=$isa 2>"$work/why"; then
            line_of="$line_of $(figures | awk '{ printf "%.3f", $1 }') |"
        else
            line_of="$line_of - |"
        fi
    done
    echo "$line_of" >>"$work/isa"
done

{
    echo "## ldpc.decode on the CPU, one thread"
    echo
    machine | grep -v '^cuda'
    grep -o '"isa":"[^"]*"' "$work/json" | head -n 1 | sed 's/.*:"\(.*\)"/Instruction set: \1./'
    echo
    echo "Made by \`bench/ldpc-cpu.sh\`, settings in \`bench/ldpc-nr.yaml\` and \`bench/ldpc-block.yaml\`: i8 LLRs, 10"
    echo "iterations, no early stop, \`nms\`. 10^9 information bits a second, medians of 11 repeats, bits checked in"
    echo "the same run. p50: one batch from host memory to host memory. \`ref\` has batches of at most 8."
    echo
    echo "| | blocks | simd Gb/s | spread | p50 us | BER | BLER | ref Gb/s | times ref |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/rows"
    echo
    echo "NR BG1, z = 384, 32 blocks, Gb/s by instruction set:"
    echo
    echo "| | 46 rows | 13 rows | 5 rows |"
    echo "| --- | --- | --- | --- |"
    cat "$work/isa"
} | put_section ldpc-cpu
