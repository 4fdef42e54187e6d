#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Microseconds that the framework itself takes for a batch: one thread, one frame a batch, stages
# that do nothing. The best of five runs each, as everything else on the machine only adds to it.
#
#     bench/overhead.sh [BUILD-DIR]     (default: build; needs `make check` once, or
#                                       `make t/doubles/fake/null.so`)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -f "$build/t/doubles/fake/null.so" ] || make -s -C "$build" t/doubles/fake/null.so

# STAGES: overhead.yaml with that many null.pass
pipeline() {
    awk -v n="$1" '
        /null.pass/ { for (i = 1; i <= n; i++) printf "  - null.pass: {id: s%d}\n", i; next }
        { print }' "$here/overhead.yaml"
}

best() {
    for i in 1 2 3 4 5; do
        "$build/fecrun" run "$work/p.yaml" --plugin-dir "$build/t/doubles/fake" --threads 1 --quiet \
            --json - | sed -n 's/.*"frames":\([0-9]*\),.*"seconds":\([0-9.e+-]*\).*/\1 \2/p'
    done | awk '{ t = 1e6 * $2 / $1; if (NR == 1 || t < m) m = t } END { printf "%.3f", m }'
}

echo "stages  microseconds a batch  a stage more"
last= count=
for passes in 0 1 2 4 8 16; do
    pipeline $passes >"$work/p.yaml"
    time=$(best)
    more=
    [ -z "$last" ] || more=$(awk "BEGIN { printf \"%.3f\", ($time - $last) / ($passes - $count) }")
    printf '%6d  %20s  %12s\n' $((passes + 2)) "$time" "$more"
    last=$time count=$passes
done
