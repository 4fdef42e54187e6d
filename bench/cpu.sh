# SPDX-License-Identifier: BSD-2-Clause
# For scripts of CPU time, which have set here and build: fecrun, and $tmp/cpu_time made of cpu_time.c.
fecrun=$build/fecrun
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

test -x "$fecrun" || { echo "no $fecrun: run ./bootstrap build first" >&2; exit 1; }
${CC:-cc} -O2 -o "$tmp/cpu_time" "$here/cpu_time.c" -I"$here/../core/include" -I"$build/include" \
    -L"$build/run/.libs" -Wl,--enable-new-dtags -Wl,-rpath,"$(cd "$build" && pwd)/run/.libs" -lfecrun
FECRUN_PLUGIN_PATH=$(printf '%s:' "$build"/lib/fecrun/[0-9]*)
export FECRUN_PLUGIN_PATH

# ---- For those of ldpc.decode; $tmp/d.yaml is the decoder ----

# $tmp/llrs and $tmp/bits of so many frames: FRAMES BITS EBN0 CODE
ldpc_link() {
    { printf 'fecrun: 1\nseed: 1\npipeline:\n  - source.random: {bits: %s}\n' "$2"; } >"$tmp/begin"
    { cat "$tmp/begin"; echo "  - sink.file: {path: $tmp/bits, dtype: u1, format: raw}"; } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$1"
    {
        cat "$tmp/begin"
        echo "  - ldpc.encode: {$4}"
        echo '  - modem.map: {scheme: bpsk}'
        echo "  - channel.awgn: {ebn0_db: $3}"
        echo '  - modem.demap: {}'
        echo '  - llr.quantize: {type: i8, scale: 8}'
        echo "  - sink.file: {path: $tmp/llrs, format: raw}"
    } >"$tmp/p.yaml"
    "$fecrun" run "$tmp/p.yaml" --quiet --set stop.frames="$1"
}

# timed BUILD FRAMES: "MBPS FER" of the fastest call
timed() {
    FECRUN_PLUGIN_PATH=$(printf '%s:' "$1"/lib/fecrun/[0-9]*) LD_LIBRARY_PATH=$1/run/.libs \
        "$tmp/cpu_time" "$tmp/d.yaml" "$tmp/llrs" "$tmp/bits" "$2" | awk '{ print $2, $4 }'
}

# fastest N BUILD FRAMES: of RUNS, or N
fastest() { for i in $(seq "${RUNS:-$1}"); do timed "$2" "$3"; done | sort -n | tail -n 1; }
