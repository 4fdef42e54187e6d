#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ldpc.decode on one CPU thread, codes of all families beside each other: CPU time (bench/cpu_time.c, which a busy
# machine changes less than wall time) of 10 iterations without early stop, i8 LLRs with noise, and edges of the parity-check
# matrix a second, which say what a code costs beside its size.
#
#     bench/ldpc-codes-cpu.sh [BUILD_DIR [OTHER/BUILD_DIR]]    environment: RUNS=3, of which the fastest counts; ISA=auto;
#                                                             ROWS: a grep -E pattern of rows
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-$here/../build}
other=${2-}
. "$here/cpu.sh"

# Name; frames a call; bits; items of the decoder; edges; Eb/N0; code; parameters of the decoder alone
rows() {
    cat <<'END'
NR BG1, z = 384, 46 rows;64;8448;25344;121344;1;code: nr, bg: 1, z: 384;rows: 46
NR BG1, z = 384, 13 rows;64;8448;25344;55296;5.3;code: nr, bg: 1, z: 384;rows: 13
NR BG1, z = 384, 5 rows;64;8448;25344;30336;8;code: nr, bg: 1, z: 384;rows: 5
NR BG2, z = 384, 42 rows;64;3840;19200;75648;0.5;code: nr, bg: 2, z: 384;rows: 42
Wi-Fi 648 1/2;256;324;648;2376;2;code: wifi, n: 648, rate: 1/2;
Wi-Fi 648 5/6;256;540;648;2376;4;code: wifi, n: 648, rate: 5/6;
Wi-Fi 1944 1/2;64;972;1944;6966;1.5;code: wifi, n: 1944, rate: 1/2;
Wi-Fi 1944 5/6;64;1620;1944;6399;3.5;code: wifi, n: 1944, rate: 5/6;
WiMAX 576 1/2;256;288;576;1824;2;code: wimax, n: 576, rate: 1/2;
WiMAX 2304 1/2;64;1152;2304;7296;1.5;code: wimax, n: 2304, rate: 1/2;
WiMAX 2304 5/6;64;1920;2304;7680;3.5;code: wimax, n: 2304, rate: 5/6;
DVB-S2 normal 1/4;8;16200;64800;194399;1.2;code: dvbs2, frame: normal, rate: 1/4;
DVB-S2 normal 1/2;8;32400;64800;226799;1.5;code: dvbs2, frame: normal, rate: 1/2;
DVB-S2 normal 3/4;8;48600;64800;226799;2.5;code: dvbs2, frame: normal, rate: 3/4;
DVB-S2 normal 8/9;8;57600;64800;194399;3.8;code: dvbs2, frame: normal, rate: 8/9;
DVB-S2 normal 9/10;8;58320;64800;194399;4;code: dvbs2, frame: normal, rate: 9/10;
DVB-S2 normal 1/2, 64 a call;64;32400;64800;226799;1.5;code: dvbs2, frame: normal, rate: 1/2;
DVB-S2 normal 9/10, 64 a call;64;58320;64800;194399;4;code: dvbs2, frame: normal, rate: 9/10;
DVB-S2 short 2/3;8;10800;16200;53999;2.5;code: dvbs2, frame: short, rate: 2/3;
DVB-S2 short 5/6;8;13320;16200;49319;3.2;code: dvbs2, frame: short, rate: 5/6;
DVB-S2 short 8/9;8;14400;16200;48599;4;code: dvbs2, frame: short, rate: 8/9;
DVB-S2 short 1/2, 64 a call;64;7200;16200;48599;1.5;code: dvbs2, frame: short, rate: 1/2;
DVB-S2 short 4/5, 64 a call;64;12600;16200;44999;3.2;code: dvbs2, frame: short, rate: 4/5;
DVB-S2 short 5/6, 64 a call;64;13320;16200;49319;3.2;code: dvbs2, frame: short, rate: 5/6;
DVB-S2 short 8/9, 64 a call;64;14400;16200;48599;4;code: dvbs2, frame: short, rate: 8/9;
END
}

sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
echo "| | frames a call | Mb/s | 10^9 edges a second | of the first row's | FER | the other's Mb/s | FER | multiple |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
rows | grep -E "${ROWS:-.}" | while IFS=';' read -r name frames bits items edges ebn0 code more; do
    ldpc_link "$frames" "$bits" "$ebn0" "$code"
    cat >"$tmp/d.yaml" <<END
fecrun: 1
pipeline:
  - source.memory: {dtype: i1, frame: $items}
  - ldpc.decode: {$code, ${more:+$more, }iterations: 10, early_stop: none, backend: simd, tune: {isa: ${ISA:-auto}}}
  - sink.memory: {dtype: u1}
END
    echo "$(fastest 3 "$build" "$frames") ; $([ -z "$other" ] || fastest 3 "$other" "$frames")" |
        awk -v name="$name" -v frames="$frames" -v bits="$bits" -v edges="$edges" -v file="$tmp/first" '{
            rate = $1 * 1e6 / bits * edges * 10 / 1e9
            if ((getline first <file) <= 0) { first = rate; print rate >file }
            printf "| %s | %d | %s | %.1f | %.2f | %s | %s | %s | %s |\n", name, frames, $1, rate, rate / first, $2,
                $4, $5, ($4 > 0 ? sprintf("%.2f", $1 / $4) : "") }'
done
