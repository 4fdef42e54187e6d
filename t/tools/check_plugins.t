#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fecrun-check finds nothing in the plugins of this tree.
. "$top_srcdir/t/lib/tap.sh"

# Single threads were looked at without it: the thread sanitizer has what two do at the same time.
threads=
if [ "${FECRUN_SANITIZER:-no}" = thread ]; then
    threads=--threads
    echo "# two instances at the same time only: the thread sanitizer finds nothing in one"
fi
no_cuda=$(tap_no_cuda)
for plugin in "$PLUGINS"/*.so; do
    name=$(basename "$plugin")
    run "$FECRUN_CHECK" $threads --seconds 2 --timeout 120 "$plugin"
    grep -A 6 '^not ok' out | sed 's/^/# /'
    is 0 "$name keeps the contract"
    rows=$("$FECRUN_CHECK" --list "$plugin" | grep -c '^  [^ ]* cuda')
    if [ -n "$no_cuda" ]; then
        [ "$rows" = 0 ] || skip 1 "$no_cuda"
    else
        ok "$name: none of its $rows rows for CUDA is skipped" \
            [ "$(grep -c '^ok [0-9]* - [^ ]* cuda[^ ]* # SKIP' out)" = 0 ]
    fi
done
done_testing
