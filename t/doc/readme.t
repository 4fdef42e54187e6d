#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What README.md shows: its pipeline is conf/quickstart.yaml, and gives the table that stands there.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# The block of indented lines of README.md that begins with a line of this pattern
block() { awk -v begin="^    $1" '$0 ~ begin { on = 1 } !/^    / { on = 0 } on { print substr($0, 5) }' "$top_srcdir/README.md"; }

# All columns of a table but the last one, the speed
counts() { awk '!/^\(|^ which/ { sub(/ *[^ ]+$/, ""); sub(/ info$/, ""); print }'; }

block 'Eb/N0' | counts >shown
ok "README.md shows a table" [ "$(wc -l <shown)" = 8 ]
block 'fecrun: 1' >readme.yaml
for file in readme.yaml "$top_srcdir/conf/quickstart.yaml"; do
    run env COLUMNS=80 "$FECRUN" run "$file"
    is 0 "$(basename "$file") runs"
    counts <out >counted
    ok "and gives the table of README.md" cmp shown counted
done
done_testing
