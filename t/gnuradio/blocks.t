#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the module for GNU Radio beside the built library, and runs flowgraphs with it: blocks.py.
. "$top_srcdir/t/lib/tap.sh"
source=$(cd "$top_srcdir" && pwd)
library=$(cd "$top_builddir" && pwd)/run/.libs/libfecrun.so

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer cannot be loaded into an interpreter without it"
[ -f "$library" ] || skip_all "no $library: the library was not built as a shared object"
command -v cmake >/dev/null || lacks gnuradio all "no cmake here"
command -v g++ >/dev/null || lacks gnuradio all "no g++ here"

# The interpreter that GNU Radio was built for, which need not be the first one.
for python in ${PYTHON:+"$PYTHON"} /usr/bin/python3 python3; do
    version=$("$python" -c 'from gnuradio import fec, gr; print(gr.version())' 2>/dev/null) && break
done
case ${version-} in
3.1[0-9].*) ;;
*)  lacks gnuradio all "no GNU Radio 3.10 here (Debian: gnuradio, gnuradio-dev)" ;;
esac
python=$(command -v "$python")

# What GNU Radio writes of itself goes there.
HOME=$T
export HOME
run cmake -S "$source/tools/gnuradio" -B gr -DCMAKE_INSTALL_PREFIX="$T/prefix" -DPYTHON_EXECUTABLE="$python" \
    -DGR_PYTHON_DIR="$T/prefix/python" -DCMAKE_INSTALL_LIBDIR=lib -DFECRUN_WERROR=ON \
    -DFECRUN_INCLUDE_DIRS="$source/core/include" -DFECRUN_LINK_LIBRARIES="$library"
if [ "$status" != 0 ] && grep -q 'Could not find a package configuration file provided by "Gnuradio"' err; then
    lacks gnuradio all "no headers of GNU Radio here (Debian: gnuradio-dev)"
fi
is 0 "CMake finds what the module needs"
run make -C gr install
is 0 "the module is built without warnings"
[ "$status" = 0 ] || { awk '{ print "# " $0 }' out err; done_testing; }

# Installed: found by PYTHONPATH, with its library beside the plugins' program.
LD_LIBRARY_PATH=$T/prefix/lib:$top_builddir/run/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PYTHONPATH=$T/prefix/python
FECRUN_PLUGIN_PATH=$PLUGINS
PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH PYTHONPATH FECRUN_PLUGIN_PATH PYTHONDONTWRITEBYTECODE
run timeout 300 "$python" "$source/t/gnuradio/blocks.py"
cp out blocks.out
cp err blocks.err
is 0 "blocks.py ends well"
[ "$status" = 0 ] || awk '{ print "# " $0 }' blocks.err
# Its lines "ok - NAME" and "not ok - NAME" are checks.
while read -r line; do
    case $line in
    "ok - "*) ok "${line#ok - }" true ;;
    "not ok - "*) ok "${line#not ok - }" false ;;
    *) echo "# $line" ;;
    esac
done <blocks.out
ok "all of blocks.py ran" grep -q '^end$' blocks.out

# ---- Flowgraphs of GNU Radio Companion, with its compiler ----

if ! command -v grcc >/dev/null; then
    lacks gnuradio 6 "no grcc here (Debian: gnuradio)"
    done_testing
fi
GRC_BLOCKS_PATH=$T/prefix/share/gnuradio/grc/blocks
export GRC_BLOCKS_PATH
examples=$T/prefix/share/gnuradio/examples/fecrun
cp "$CONF/recording-make.yaml" "$CONF/recording.sigmf-meta" . && "$FECRUN" run --quiet recording-make.yaml >/dev/null || exit 99

# by_run FILE INPUT: the same pipeline by fecrun run, from INPUT to expected.u8
by_run() {
    sed "s|source.memory: *{|source.file: {path: $2, |; s|sink.memory: *{|sink.file: {path: expected.u8, |" "$1" >by-run.yaml
    "$FECRUN" run --quiet by-run.yaml >/dev/null
}

run grcc "$examples/decode_recording.grc"
is 0 "grcc compiles the example"
run "$python" decode_recording.py --receiver "$examples/recording.yaml"
is 0 "... which decodes a recording"
prints '\(failed \. 0\).*\(first \. 0\)' "... and prints what the decoder says of it"
by_run "$examples/recording.yaml" recording.sigmf-data
ok "... to the bits that fecrun run gives" cmp bits.u8 expected.u8

# The same flowgraph with the other block.
sed 's/fecrun_decoder/fecrun_encoder/; s/: complex/: byte/; /positive/d; s/decode_recording/encode_bits/' \
    "$examples/decode_recording.grc" >encode_bits.grc
printf 'fecrun: 1\npipeline:\n  - source.memory: {dtype: u1, frame: 1000}\n%s\n  - sink.memory: {dtype: u1}\n' \
    '  - conv.encode: {code: dvb, termination: truncated}' >encoder.yaml
run grcc encode_bits.grc
is 0 "grcc compiles a flowgraph with an encoder"
"$python" encode_bits.py --recording bits.u8 --receiver encoder.yaml --bits coded.u8 >out 2>err
by_run encoder.yaml bits.u8
ok "... which encodes as fecrun run does" cmp coded.u8 expected.u8
done_testing
