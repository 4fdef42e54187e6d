# SPDX-License-Identifier: BSD-2-Clause
# For scripts of CPU time, which have set here and build: fecrun, and $tmp/cpu_time made of cpu_time.c.
fecrun=$build/fecrun
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

test -x "$fecrun" || { echo "no $fecrun: run ./bootstrap build first" >&2; exit 1; }
${CC:-cc} -O2 -o "$tmp/cpu_time" "$here/cpu_time.c" -I"$here/../core/include" -I"$build/include" \
    -L"$build/core/.libs" -Wl,--enable-new-dtags -Wl,-rpath,"$(cd "$build" && pwd)/core/.libs" -lfecrun
FECRUN_PLUGIN_PATH=$(printf '%s:' "$build"/lib/fecrun/[0-9]*)
export FECRUN_PLUGIN_PATH
