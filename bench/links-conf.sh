#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every simulation in conf/ as it is, on one GPU (BACKEND=simd: on one core) into bench/results/chain.md:
# information bits a second of the whole run and of its slowest decoder alone, what bounds it, and whether a sample
# has the same counts on the host alone. The last point of a sweep. Two minutes.
# On one core, speeds are of CPU time, and a decoder's is that of the run divided by its share of the time; a sample
# is compared with the references.
# Variables: see lib.sh, and
#
#   SECONDS_EACH   of a timed run (default: 2)
#   SAMPLE         frames that are compared (default: 1000)
#   ROWS           a grep -E pattern of files (default: all)
#
# Without a GPU, to try the script: QUICK=1 BACKEND=simd REPORT=/tmp/r bench/links-conf.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
SECONDS_EACH=${SECONDS_EACH:-2} SAMPLE=${SAMPLE:-1000} ROWS=${ROWS:-.}
[ -z "$QUICK" ] || SECONDS_EACH=0.1 SAMPLE=20
on=${BACKEND:+--backend "$BACKEND"}
[ "$BACKEND" != simd ] || on="--threads 1"
: >"$work/table"

# point_of FILE: options that leave the last point of its sweep alone. The host finds them.
point_of() {
    CUDA_VISIBLE_DEVICES='' "$FECRUN" run "$1" --quiet --json "$work/all" --set stop.frames=1 >/dev/null 2>&1 || return 0
    grep '"type":"point"' "$work/all" | tail -n 1 | sed 's/.*"set":{\([^}]*\)}.*/\1/; s/"//g; s/:/=/g' | tr , '\n' |
        sed '/./s/^/--sweep /' | tr '\n' ' '
}

# run_point FILE OPTION...: the point to $work/json, all lines to $work/all
run_point() {
    point_file=$1
    shift
    # shellcheck disable=SC2086 # row_point has options
    "$FECRUN" run "$point_file" $row_point --json "$work/all" --set stop.frame_errors=1000000000000 "$@" \
        >"$work/table_of_run" 2>"$work/words" || {
        cat "$work/words" >&2
        return 1
    }
    grep '"type":"point"' "$work/all" | tail -n 1 >"$work/json"
}

# seconds_of COMMAND...: of CPU time, user and system
seconds_of() {
    (
        "$@" || exit 1
        times
    ) | sed -n '$s/[ms]/ /gp' | awk '{ print 60 * $1 + $2 + 60 * $3 + $4 }'
}

# stages FILE: of the table of --stats, stages by the time they take, in percent; those with an id by their names
stages() {
    awk 'NR == FNR {
            if ($1 == "-" && match($0, /id: [a-z0-9_]+/))
                name[substr($0, RSTART + 4, RLENGTH - 4)] = substr($2, 1, length($2) - 1)
            next
        }
        NF > 5 && $(NF - 1) == "%" { share[$1 in name ? name[$1] : $1] += $(NF - 2) }
        END { for (s in share) printf "%d %s\n", share[s] + 0.5, s }' "$1" "$work/table_of_run" | sort -rn
}

# bound <lines "PERCENT STAGE": those that take three quarters of the time, or the host. Argument: the whole run's
# speed as a multiple of that of its stages, one after the other.
bound() {
    awk -v busy="$1" '
        { all += $1; share[NR] = $1; name[NR] = $2 }
        END {
            if (busy < 0.75) {
                print "the host"
                exit
            }
            for (i = 1; i <= NR && sum < 0.75 * all; sum += share[i++])
                printf "%s%s", (i > 1 ? ", " : ""), name[i]
            print ""
        }'
}

counts() { fields "$work/json" point frames bit_errors frame_errors; }

# alone OPTION...: the speed of the slowest decoder, 10^9 bits a second, or "null"
alone() {
    alone_least=null
    for alone_stage in $(grep -oE '[a-z]+\.decode' "$row_file"); do
        # shellcheck disable=SC2086 # row_point has options
        "$FECRUN" bench "$row_file" $on $row_point --stage "$alone_stage" --stage-only --quiet --json "$work/bench" "$@" \
            >/dev/null 2>&1 || continue
        alone_one=$({ grep -o '"device_gbps":[0-9.]*' "$work/bench" || grep -o '"gbps":[0-9.]*' "$work/bench"; } |
            cut -d : -f 2 | sort -g | tail -n 1)
        alone_least=$(printf '%s\n' "$alone_least" "${alone_one:-null}" | grep -v null | sort -g | head -n 1)
    done
    echo "${alone_least:-null}"
}

# same: whether a sample has the counts of the host alone, of references on one core
same() {
    same_as=$([ "$BACKEND" = simd ] && echo ref || echo auto)
    run_point "$row_file" $on --quiet --set stop.frames="$SAMPLE"
    same_got=$(counts)
    CUDA_VISIBLE_DEVICES='' run_point "$row_file" --backend "$same_as" --quiet --set stop.frames="$SAMPLE" || { echo - && return; }
    same_host=$(counts)
    same_decoder=$(grep -o '[a-z]*\.decode' "$row_file" | head -n 1)
    if [ "$same_got" = "$same_host" ]; then
        echo yes
    elif [ "$same_as" = auto ] && run_point "$row_file" $on --quiet --set stop.frames="$SAMPLE" --set "$same_decoder.backend=simd" &&
        [ "$(counts)" = "$same_host" ]; then
        echo "yes, but for the decoder: $same_got, $same_host"
    else
        echo "no: $same_got, $same_host"
    fi
}

# What a row says: sets row_whole, in Mb/s, row_alone in Gb/s, row_busy (the whole run's speed as a multiple of that of
# its stages one after the other), and $work/stages.
device_row() {
    run_point "$row_file" $on --quiet --set stop.frames=1000000000000 --set stop.seconds="$SECONDS_EACH" || return 1
    row_whole=$(fields "$work/json" point info_mbps)
    row_batch=
    grep -q '^blocks:' "$row_file" || # as large as in the run
        row_batch="--batches $(grep -o '"batch":[0-9]*' "$work/all" | head -n 1 | cut -d : -f 2)"
    # shellcheck disable=SC2086
    row_alone=$(alone $row_batch)
    run_point "$row_file" $on --stats --set in_flight=1 --set stop.frames=1000000000000 \
        --set stop.seconds="$SECONDS_EACH" || return 1
    stages "$row_file" >"$work/stages"
    row_busy=$(awk -v whole="$row_whole" -v one="$(fields "$work/json" point info_mbps)" '
        / s of them in no stage/ || / s on / { all = $1; for (i = 1; i < NF; i++) if ($(i + 1) == "s" && i > 1) none = $i }
        END { print (all > none ? whole / one * (all - none) / all : 0) }' "$work/table_of_run")
}

core_row() {
    run_point "$row_file" $on --stats --set stop.frames=1000000000000 --set stop.seconds="$SECONDS_EACH" || return 1
    stages "$row_file" >"$work/stages"
    core_share=$(awk '$2 ~ /[.]decode$/ { print $1; exit }' "$work/stages") # the slowest decoder's
    core_frames=$(fields "$work/json" point frames)
    core_mbit=$(fields "$work/json" point info_mbps seconds | awk '{ print $1 * $2 }')
    core_took=$(seconds_of run_point "$row_file" $on --set stop.frames="$core_frames" --quiet)
    core_start=$(seconds_of run_point "$row_file" $on --set stop.frames=1 --quiet)
    row_whole=$(awk "BEGIN { print $core_mbit / ($core_took > $core_start ? $core_took - $core_start : 1e-3) }")
    row_alone=$(awk "BEGIN { print (${core_share:-0} > 0 ? $row_whole / ${core_share:-0} / 10 : 0) }")
    row_busy=1
}

row() {
    row_file=$1 row_name=$(basename "$1" .yaml)
    grep -q 'source.random' "$row_file" && grep -q '\.decode' "$row_file" || return 0
    ! grep -q 'sink.file\|source.file\|stream: true' "$row_file" || return 0
    echo "$row_name" | grep -qE "$ROWS" || return 0
    note "$row_name"
    row_point=$(point_of "$row_file")
    if [ "$BACKEND" = simd ]; then core_row || return 0; else device_row || return 0; fi
    row_most=$(awk 'NR < 4 { printf "%s%s %d", (NR > 1 ? ", " : ""), $2, $1 }' "$work/stages")
    row_bound=$(bound "$row_busy" <"$work/stages")
    awk -v name="$row_name" -v whole="$row_whole" -v alone="$row_alone" -v same="$(same)" -v most="$row_most" -v bound="$row_bound" 'BEGIN {
        known = alone + 0 > 0
        printf "| %s | %s | **%.3g** | %s | %s | %s | %s |\n", name, known ? sprintf("%.3g", alone) : "-",
            whole / 1000, known ? sprintf("%.0f %%", whole / 10 / alone) : "-", bound, most, same }' >>"$work/table"
    tail -n 1 "$work/table" >&2
}

core() {
    echo "## The files of conf/ as they are, on one core"
    echo
    machine
    echo "Load of the machine after the run: $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors."
    echo
    echo "Made by \`BACKEND=simd bench/links-conf.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second of CPU time, without the start, the last point of"
    echo "a sweep. \"Most\": the three slowest stages and their share of the time in percent (\`--stats\`). \"Bound by\": those that take"
    echo "three quarters of it. \"Decoder alone\": the run's speed divided by the share of its slowest decoder. \"As ref\": $SAMPLE"
    echo "frames have the counts of the references; where decoders round otherwise, frames, bit and frame errors of both are given."
    echo
    echo "| file | decoder alone | whole run | share | bound by | most | as ref |"
}

device() {
    echo "## The files of conf/ as they are"
    echo
    machine
    echo
    echo "Made by \`bench/links-conf.sh\`$([ -z "$QUICK" ] || echo ' with QUICK, NOT A RESULT'): 10^9 information bits a second, runs of $SECONDS_EACH s, the last point of a sweep."
    echo "\"Most\": the three slowest stages and their share of the time in percent, one batch at a time (\`--stats\`)."
    echo "\"Bound by\": the stages that take three quarters of that time. The host, where the run reaches less than"
    echo "three quarters of the speed of its stages alone."
    echo "\"As on the host\": $SAMPLE frames have the same counts there, without a device. Where decoders round"
    echo "otherwise, those with the host's decoder and all else on the device; frames, bit and frame errors of both are given."
    echo "\"Decoder alone\": at the same point."
    echo
    echo "| file | decoder alone | whole run | share | bound by | most | as on the host |"
}

for file in "$here"/../conf/*.yaml; do row "$file"; done
kind=$([ "$BACKEND" = simd ] && echo core || echo device)
{
    $kind
    echo "| --- | --- | --- | --- | --- | --- | --- |"
    cat "$work/table"
} | put_section "links-conf$([ $kind = device ] || echo -core)"
