#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Manual pages and pages of stages, which are made from what the programs say.
. "$top_srcdir/t/lib/tap.sh"

run sh "$top_srcdir/tools/manual/manual.sh" "$(dirname "$FECRUN")" "$top_srcdir" manual
is 0 "they are made"

# ---- Manual pages ----
for verb in $("$FECRUN" --help | awk '/^$/ { part++ } part == 1 && NF { print $1 }'); do
    "$FECRUN" "$verb" --help >help
    ok "fecrun.1 has $verb" grep -q "^\.SS \"fecrun $(echo "$verb" | sed 's/-/.*/')" manual/fecrun.1
    sed -n 's/^  \(--*[a-z-]*\).*/\1/p' help | sort -u >wanted
    awk -v verb="$verb" '{ gsub(/[\\"]/, ""); sub(/,$/, "", $2) } /^\.S/ { on = $1 == ".SS" && $3 == verb }
        on && $1 == ".B" { print $2 }' manual/fecrun.1 | sort -u >there
    ok "with all of its options" cmp -s wanted there
done
"$FECRUN_CHECK" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort >wanted
sed -n 's/\\//g; s/^\.B \(--[a-z-]*\).*/\1/p' manual/fecrun-check.1 | sort >there
ok "fecrun-check.1 has all options" cmp -s wanted there
grep -c '^##' "$top_srcdir/doc/pipeline.md" >wanted
grep -c '^\.SH "' manual/fecrun-pipeline.5 >there
ok "fecrun-pipeline.5 has all sections" cmp -s wanted there
for page in manual/*.[15]; do
    if command -v groff >/dev/null 2>&1; then
        run groff -man -Tutf8 -wall -rLL=100n "$page"
        ok "$(basename "$page"): groff has nothing to say" [ ! -s err ]
    else
        skip 1 "no groff"
    fi
done

# ---- A page a stage ----
"$FECRUN" list --json - | grep -o '"name":"[a-z]*\.[a-z_]*"' | sed 's/.*:"//; s/"//' | sort -u >wanted
ls manual/stages | sed 's/\.md$//' | sort >there
ok "each stage has a page" cmp -s wanted there
ok "with its parameters" grep -q '^      iterations ' manual/stages/ldpc.decode.md
ok "and backends, here or not" grep -q '^      cuda ' manual/stages/ldpc.decode.md
ok "no page tells of the machine that it was made on" sh -c '! grep -l "not available" manual/stages/*'

done_testing
