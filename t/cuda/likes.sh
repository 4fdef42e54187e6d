#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make check-cuda-likes`: the decoders as other devices have them (FECRUN_CUDA_LIKE, doc/cuda.md), on this one: with
# their shared memory, and with LDPC and Viterbi kernels that are compiled for their capability. Of each device:
# fecrun-check finds nothing, neither does memcheck in the decoders' cases of sanitize.sh, and counts of runs are those
# that the device here has by itself. Prints a line a check, as tests do.
#
#     LIKES            devices (default: 8.0:163 8.6:99 8.9:99 12.0:99)
#     LIKES_PARTS      of check, counts, memcheck (default: all)
#     LIKES_SECONDS    of each run of fecrun-check (default: 20)
#     SANITIZE_CASES   of sanitize.sh (default: decoders)
. "$top_srcdir/t/lib/counts.sh"
likes=${LIKES:-8.0:163 8.6:99 8.9:99 12.0:99}
parts=${LIKES_PARTS:-check counts memcheck}
seconds=${LIKES_SECONDS:-20}
need_cuda

# ---- Counts ----

# Files of conf/. A turbo code of K = 4096 has other windows in 99 KiB, and other counts.
pipelines='gpu-simulation ldpc-nr ldpc-wifi ldpc-multiuser turbo-lte polar-list polar-pdcch'

# counts FILE: errors and iterations of 2000 frames
counts() {
    run timeout 100 "$FECRUN" run "$CONF/$1.yaml" --quiet --backend cuda --json result --set stop.frames=2000 \
        --set stop.frame_errors=1000000 --set stop.seconds=60
    if [ "$status" = 0 ]; then
        fields frames frame_errors bit_errors iterations_mean <result
    else
        echo "status $status: $(tail -n 1 err)"
    fi
}

own() {
    unset FECRUN_CUDA_LIKE
    for file in $pipelines; do
        counts $file >own.$file
        ok "by itself: $file: $(head -n 1 own.$file)" grep -Eq '^[0-9]+ [0-9]+ ' own.$file
    done
}

# ---- A device ----

check() {
    for plugin in viterbi ldpc turbo polar; do
        run timeout $((6 * seconds + 60)) "$FECRUN_CHECK" --backend cuda --seconds "$seconds" "$PLUGINS/$plugin.so"
        is 0 "like $FECRUN_CUDA_LIKE: fecrun-check $plugin"
    done
}

same_counts() {
    for file in $pipelines; do
        same "like $FECRUN_CUDA_LIKE: $file" "$(counts $file)" "$(cat own.$file)"
    done
}

memcheck() {
    run env SANITIZE_TOOLS=memcheck \
        SANITIZE_CASES="${SANITIZE_CASES:-^(LDPC, (registers|flooding|Wi-Fi)|registers|turbo|polar)}" \
        sh "$top_srcdir/t/cuda/sanitize.sh"
    is 0 "like $FECRUN_CUDA_LIKE: memcheck, $(grep -c '^ok' out) cases"
    grep '^not ok' out | sed 's/^/# /'
}

case $parts in *counts*) own ;; esac
for like in $likes; do
    FECRUN_CUDA_LIKE=$like
    export FECRUN_CUDA_LIKE
    case $parts in *check*) check ;; esac
    case $parts in *counts*) same_counts ;; esac
    case $parts in *memcheck*) memcheck ;; esac
done
done_testing
