#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# How large the plugins are together, without symbols: kernels for each kind of device add up. They are meant to have
# 30 MB with kernels for the default targets.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer adds its own code to the plugins"
command -v strip >/dev/null 2>&1 || skip_all "no strip"
case " $CFLAGS $CXXFLAGS " in *' -O0 '* | *coverage*) skip_all "not compiled as users have it" ;; esac

# 10^6 bytes, by targets. On 2026-11-29: 8.0 without CUDA. With the default targets 14.6 are not kernels, and these
# have about 14.6, of which 8.5 were measured and turbo's 6.1 follow from one of their files.
targets=$(sed -n 's/^#define FECRUN_CUDA_CODE "\(.*\)"$/\1/p' "$top_builddir/include/cuda_defs.h")
case $targets in
'') most=9 ;;
sm_90) most=23 ;;
sm_80,sm_90,compute_90) most=32 ;;
*) skip_all "no limit for the targets $targets" ;;
esac

# The plugins of this tree, not those that someone left beside them.
total=0
for plugin in chain cuda frame ldpc outer polar turbo viterbi; do
    [ -f "$PLUGINS/$plugin.so" ] || continue
    run strip -o stripped.so "$PLUGINS/$plugin.so"
    [ "$status" = 0 ] || skip_all "strip cannot read $plugin.so"
    bytes=$(wc -c <stripped.so)
    echo "# $plugin.so $bytes"
    total=$((total + bytes))
done
ok "there are plugins" test "$total" -gt 1000000
ok "${targets:-without CUDA}: $total bytes, at most $most MB" test "$total" -le $((most * 1000000))
done_testing
