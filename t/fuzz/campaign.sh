#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Fuzzes for long: campaign.sh TARGETS CORPORA OUT SECONDS [DICTIONARY]
#
# TARGETS is the directory of the fuzz targets (build-fuzz/t/fuzz), CORPORA has a directory a target,
# which grows; PLUGINS names the directory of plugins, as for each target, and TIMEOUT the seconds an input may
# take (60; more where other work has the cores). 15 processes, more of them
# for what has more behind it; one that found something begins again. OUT gets the inputs that failed,
# logs, and `statistics`: executions, inputs and CPU time of each target.
set -eu
targets=$(cd "$1" && pwd) corpora=$(cd "$2" && pwd) seconds=$4 words=${5:+-dict=$5}
mkdir -p "$3"
out=$(cd "$3" && pwd)
end=$(($(date +%s) + seconds))

# fuzz NAME NUMBER: until the time is over
fuzz() {
    found=0
    while left=$((end - $(date +%s))) && [ "$left" -gt 1 ] && [ "$found" -lt 20 ]; do
        log=$out/$1.$2.$found.log
        "$targets/$1" -max_total_time="$left" -timeout="${TIMEOUT:-60}" -report_slow_units=60 -rss_limit_mb=4000 \
            -print_final_stats=1 $words -artifact_prefix="$out/$1-" "$corpora/$1" \
            >"$log" 2>&1 </dev/null || :
        sed -n "s/^stat::number_of_executed_units: */$1 executions /p" "$log" >>"$out/$1.$2.counts"
        found=$((found + 1))
    done
    # of the children, in seconds
    times >"$out/$1.$2.times"
    awk -v name="$1" 'NR == 2 {
        for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] }
        print name, "cpu", sum }' "$out/$1.$2.times" >>"$out/$1.$2.counts"
}

for name in plan.1 plan.2 plan.3 blocks.1 blocks.2 samples.1 samples.2 set.1 conf.1 dem.1 alist.1 qc.1 npy.1 journal.1 result.1 sigmf.1; do
    (fuzz "${name%.*}" "${name#*.}") &
done
wait

# sum PATTERN WHAT
sum() {
    cat "$out"/*.counts | awk -v name="$1" -v what="$2" '
        $1 ~ name && $2 == what { n += $3 }
        END { printf "%.2f\n", n }'
}

# line NAME WORDS PATTERN
line() {
    awk -v name="$1" -v runs="$(sum "$3" executions)" -v cpu="$(sum "$3" cpu)" -v words="$2" 'BEGIN {
        printf "%s: %d executions, %.2f CPU-hours%s\n", name, runs, cpu / 3600, words }'
}

for name in alist blocks conf dem npy plan qc samples set; do
    line "$name" ", $(ls "$corpora/$name" | wc -l) inputs, $(ls "$out" | grep -c "^$name-") failed" "^$name\$"
done >"$out/statistics"
line all '' . >>"$out/statistics"
cat "$out/statistics"
