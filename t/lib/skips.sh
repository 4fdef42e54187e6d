#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# skips.sh BUILD [ALLOWED]: what tests that ran last in the directory BUILD left out, one line for each test and
# reason: how often, "AREA/NAME: REASON". With the file ALLOWED (t/skips.txt) only those that none of its lines,
# extended regular expressions of all behind the number, describes.
set -eu
patterns=$(mktemp)
trap 'rm -f "$patterns"' EXIT
[ $# -lt 2 ] || grep -Ev '^(#|$)' "$2" >"$patterns"
for trs in "$1"/t/*/*.trs; do
    [ -f "$trs" ] || continue
    name=${trs#"$1"/t/}
    sed -En "s,^(ok [0-9]+( .*)?|1\.\.0) *# *SKIP *,${name%.trs}: ,p" "${trs%.trs}.log"
done | if [ $# -lt 2 ]; then cat; else grep -Evx -f "$patterns" || :; fi | sort | uniq -c
