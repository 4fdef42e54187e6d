#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Frames of several sizes on a device (plugins/common/gpu/apart.h): there is room for the ports of each stage with a
# backend for CUDA. Without it such a stage works until a batch has a second size.
. "$top_srcdir/t/lib/tap.sh"

most=$(sed -n 's/^enum { APART_PORTS = \([0-9]*\) }.*/\1/p' "$top_srcdir/plugins/common/gpu/apart.h")
ok "a number of ports is written there" test "${most:-0}" -ge 2
"$FECRUN" list --quiet --json list.json
tr '{' '\n' <list.json | sed -n 's/.*"name":"\([a-z0-9_]*\.[a-z0-9_.]*\)".*/\1/p' | sort -u >stages
ok "there are stages" test "$(wc -l <stages)" -gt 30
while read -r stage; do
    run "$FECRUN" describe "$stage" --quiet --json stage.json
    [ "$status" = 0 ] && grep -q '{"name":"cuda",' stage.json || continue
    # Inputs and outputs stand between "inputs" and "params".
    ports=$(sed 's/.*"inputs":\(.*\),"params":.*/\1/' stage.json | grep -o '"name":' | wc -l)
    ok "$stage: $ports ports" test "$ports" -ge 1 -a "$ports" -le "$most"
done <stages
done_testing
