#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds wheels into a folder: wheels.sh FOLDER BUILD...; BUILD is a folder that ./bootstrap build has filled, or `none`
# for a wheel that uses an installed library. A build --with-cuda makes fecrun-VERSION+cuda, with its kernels.
#
#     ./bootstrap build --without-cuda && python/wheels.sh dist build none
#
# PYTHON is the interpreter, with pip, setuptools and wheel. Nothing is downloaded.
set -eu
[ $# -ge 2 ] || { echo "usage: wheels.sh FOLDER BUILD..." >&2; exit 2; }
package=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
for build; do
    [ "$build" = none ] || [ -e "$build/run/.libs/libfecrun.so.0" ] || { echo "wheels.sh: $build: no libfecrun.so.0 there" >&2; exit 2; }
    [ "$build" = none ] || build=$(cd "$build" && pwd)
    # setuptools writes beside its sources, so they are copied; configure.ac has the version.
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    cp -R "$package" "$tree/python"
    cp "$package/../configure.ac" "$tree"
    chmod -R u+w "$tree"
    rm -rf "$tree/python/build" "$tree"/python/*.egg-info
    FECRUN_BUILD=$build "${PYTHON:-python3}" -m pip -q wheel --no-deps --no-index --no-build-isolation -w "$folder" "$tree/python"
    rm -rf "$tree"
done
