# SPDX-License-Identifier: BSD-2-Clause
# DPDK's test program on the built driver, and its vectors (t/data/README.md). DPDK_TEST_BBDEV: another build of it.
. "$top_srcdir/t/lib/tap.sh"

driver=$top_builddir/tools/bbdev/.libs/librte_baseband_fecrun.so
[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "a sanitizer cannot be loaded into a program without it"
[ -f "$driver" ] || lacks dpdk all "built without DPDK"
command -v "${DPDK_TEST_BBDEV:=dpdk-test-bbdev}" >/dev/null || lacks dpdk all "no dpdk-test-bbdev here"
command -v xz >/dev/null || skip_all "no xz here"

LD_LIBRARY_PATH=$top_builddir/run/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
FECRUN_PLUGIN_PATH=$PLUGINS
# DPDK makes its files there if the user is not root.
XDG_RUNTIME_DIR=$T
export LD_LIBRARY_PATH FECRUN_PLUGIN_PATH XDG_RUNTIME_DIR

mkdir vectors && xz -dc "$T_DATA/bbdev/vectors.tar.xz" | (cd vectors && tar xf -) || exit 99

# DPDK refuses to load from below a folder that all may write to, such as /tmp: a preloaded driver is there without -d.
bbdev_load="-d $driver"
bbdev_where=$(dirname "$driver")
while [ "$bbdev_where" != / ]; do
    [ -z "$(find "$bbdev_where" -prune -perm -o+w)" ] || bbdev_load=
    bbdev_where=$(dirname "$bbdev_where")
done

# bbdev ARGUMENTS CASE VECTOR [OPTION...]: runs a case of the program, e.g. bbdev threads=2 validation turbo_dec_...
bbdev() {
    arguments=$1 case=$2 vector=$3
    shift 3
    (
        [ -n "$bbdev_load" ] || export LD_PRELOAD="$driver"
        run "$DPDK_TEST_BBDEV" --no-huge --no-shconf -m 512 --no-pci $bbdev_load \
            --vdev "baseband_fecrun0${arguments:+,$arguments}" -- \
            -l 1 -c "$case" -v "vectors/$vector.data" "$@"
        cat out err
        exit "$status"
    ) >bbdev.log 2>&1
}
