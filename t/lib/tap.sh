# SPDX-License-Identifier: BSD-2-Clause
# Test Anything Protocol for shell tests, which begin with
#
#     . "$top_srcdir/t/lib/tap.sh"
#
# and then stand in an empty directory that goes away at the end. Checks:
#
#     run COMMAND...                $status, out and err are what it gave; no check by itself
#     is STATUS WHAT                the last run ended with that status
#     prints PATTERN WHAT           a line of its standard output matches (grep -E)
#     says PATTERN WHAT             a line of its standard error does
#     refuses STATUS PATTERN ARG... fecrun with these arguments ends so and says so: one check
#     ok WHAT COMMAND...            the command succeeds
#     skip N WHY; skip_all WHY; done_testing
#     lacks NAME N WHY              N checks, or `all` of the test, cannot run for want of something that can be
#                                   installed: skipped, or failed if FECRUN_REQUIRE names it
#     need_cuda                     ends the test here if there is no CUDA device: skipped, with the
#                                   reason that `fecrun list` gives, or failed if FECRUN_REQUIRE
#                                   names cuda
#     without_cuda [COMMAND...]     hides CUDA devices from the command, or from all that follows:
#                                   for tests of what the host does, where `auto` would take them
tap_n=0 tap_failed=0 tap_last= status=0
T=$(mktemp -d "${TMPDIR:-/tmp}/fecrun-t.XXXXXX") || exit 99
T=$(cd "$T" && pwd -P)
trap 'cd / && chmod -R u+w "$T" 2>/dev/null; rm -rf "$T"' EXIT
trap 'exit 99' HUP INT TERM
cd "$T" || exit 99
: "${FECRUN:?run me with make check}"

# STATUS WHAT
tap_check() {
    tap_n=$((tap_n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $tap_n - $2"
        return 0
    fi
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_n - $2"
    echo "# last command: $tap_last"
    echo "# its status: $status"
    for tap_file in out err; do
        [ ! -s $tap_file ] || head -c 2000 $tap_file | tr -d '\000' |
            awk -v f="# $tap_file: " '{ print f $0 }'
    done
    return 0
}

run() {
    tap_last=$*
    status=0
    "$@" >out 2>err </dev/null || status=$?
}

is() { [ "$status" = "$1" ]; tap_check $? "$2"; }
prints() { grep -Eq -e "$1" out; tap_check $? "$2"; }
says() { grep -Eq -e "$1" err; tap_check $? "$2"; }

refuses() {
    tap_status=$1 tap_pattern=$2
    shift 2
    run "$FECRUN" "$@"
    [ "$status" = "$tap_status" ] && grep -Eq -e "$tap_pattern" err
    tap_check $? "$tap_status: $(head -n 1 err | sed "s|$T/||g" | cut -c 1-120 | tr '#' '.')"
}

ok() {
    tap_what=$1
    shift
    tap_last=$*
    "$@" >/dev/null 2>&1
    tap_check $? "$tap_what"
}

skip() {
    tap_skip=$1
    while [ "$tap_skip" -gt 0 ]; do
        tap_n=$((tap_n + 1)) tap_skip=$((tap_skip - 1))
        echo "ok $tap_n # SKIP $2"
    done
}

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# Why there is no CUDA device; nothing if there is one.
tap_no_cuda() {
    "$FECRUN" list --json - >tap_list 2>/dev/null </dev/null
    if grep -q '"provider":"cuda","available":true' tap_list; then
        return 0
    fi
    tap_why=$(sed -n 's/.*"provider":"cuda","available":false,"reason":"\([^"]*\)".*/\1/p' tap_list)
    [ -n "$tap_why" ] ||
        tap_why=$(tr '{' '\n' <tap_list |
            sed -n 's/^"name":"cuda","available":false,"reason":"\([^"]*\)".*/\1/p' | head -n 1)
    echo "cuda: ${tap_why:-no plugin provides CUDA devices}"
}

without_cuda() {
    if [ $# = 0 ]; then
        CUDA_VISIBLE_DEVICES=
        export CUDA_VISIBLE_DEVICES
    else
        env CUDA_VISIBLE_DEVICES= "$@"
    fi
}

lacks() {
    case ",${FECRUN_REQUIRE-}," in
    *,"$1",*)
        tap_last="FECRUN_REQUIRE=$FECRUN_REQUIRE"
        tap_check 1 "$3"
        [ "$2" != all ] || done_testing
        ;;
    *)
        [ "$2" != all ] || skip_all "$3"
        skip "$2" "$3"
        ;;
    esac
}

need_cuda() {
    tap_reason=$(tap_no_cuda)
    [ -n "$tap_reason" ] || return 0
    [ "$tap_n" != 0 ] || lacks cuda all "$tap_reason"
    lacks cuda 1 "$tap_reason"
    done_testing
}

done_testing() {
    echo "1..$tap_n"
    [ "$tap_failed" = 0 ]
    exit
}
