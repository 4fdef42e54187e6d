#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The tests of the Python package, each of which pytest reports here as one check. They need a Python with
# NumPy, cffi and pytest: $PYTHON, python3 or Debian's, at best one with all that ./bootstrap check installs.
# Those of torch, JAX and CuPy skip themselves where these are not installed, as do those of stim, sinter and `ldpc`,
# which ./bootstrap check installs into pypi/ of the build.
. "$top_srcdir/t/lib/tap.sh"
package=$(cd "$top_srcdir/python" && pwd)
pypi=$(cd "$top_builddir" && pwd)/pypi
library=$(cd "$top_builddir" && pwd)/run/.libs/libfecrun.so.0

find_python() {
    for modules in "cffi, numpy, pytest, matplotlib, pandas, nbclient, ipykernel, wheel, scipy, pip" "cffi, numpy, pytest"; do
        for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
            "$python" -c "import $modules" 2>/dev/null && return
        done
    done
    lacks python all "no python3 with numpy, cffi and pytest (Debian: python3-numpy python3-cffi python3-pytest)"
}

# One "ok" for each test of pytest's verbose list, and one for its end: what it did not come to, it does not list.
report() {
    awk -v status="$status" '
        { sub(/^[^ ]*tests\//, "") }
        / (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)( |$)/ {
            verdict = $2
            reason = verdict == "SKIPPED" && match($0, / \(.*\)/) ? substr($0, RSTART + 2, RLENGTH - 3) : "no reason"
            print (verdict ~ /PASSED|XFAIL|SKIPPED/ ? "ok " : "not ok ") ++n " - " $1 \
                (verdict == "SKIPPED" ? " # SKIP " reason : "")
        }
        END {
            print (n > 20 && status == 0 ? "ok " : "not ok ") n + 1 " - " n " tests were there, pytest ended with " status
            print "1.." n + 1
        }' out
}

find_python
[ -f "$library" ] || skip_all "no $library: the library was not built as a shared object"
! grep -Eq '__[at]san_init' "$library" || skip_all "an interpreter cannot load a library with a sanitizer in it"
run env COLUMNS=300 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$package:$pypi" FECRUN_LIBRARY="$library" MPLBACKEND=Agg \
    FECRUN_PLUGIN_PATH="$PLUGINS" FECRUN_BUILD="$(cd "$top_builddir" && pwd)" \
    FECRUN_INCLUDE="$(cd "$top_srcdir" && pwd)/core/include" \
    "$python" -m pytest -v -p no:cacheprovider --rootdir "$package" "$package/tests"
[ "$status" = 0 ] || awk '{ print "# " $0 }' out err
report
