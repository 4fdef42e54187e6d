#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What tests leave out is found, and in .ci/run a failure where nobody allowed it: t/lib/skips.sh, t/skips.txt,
# FECRUN_REQUIRE.
. "$top_srcdir/t/lib/counts.sh"
unset FECRUN_REQUIRE

# ---- skips.sh on logs that are made up ----
mkdir -p build/t/area
log() { # NAME: standard input is what the test printed
    cat >"build/t/area/$1.log"
    : >"build/t/area/$1.trs"
}
log some <<'END_OF_LOG'
ok 1 - as it should be
PASS: t/area/some.t 1 - as it should be
ok 2 # SKIP no gnuplot
SKIP: t/area/some.t 2 # SKIP no gnuplot
ok 3 # SKIP no gnuplot
SKIP: t/area/some.t 3 # SKIP no gnuplot
ok 4 - with a name # SKIP root may write everywhere
not ok 5 - a message about "# SKIP", which is none
# ok 6 # SKIP is what another program printed
1..5
END_OF_LOG
log whole <<'END_OF_LOG'
1..0 # SKIP mpirun is not installed
SKIP: t/area/whole.t - mpirun is not installed
END_OF_LOG
printf '# a comment\n\n[^:]*: root may write everywhere\narea/some: no gnu\n' >allowed
skips() { sh "$top_srcdir/t/lib/skips.sh" "$@" 2>&1 | sed 's/^ *//'; }
same "each test and reason once, with its number" "$(skips build)" "2 area/some: no gnuplot
1 area/some: root may write everywhere
1 area/whole: mpirun is not installed"
same "those of a list of patterns, of whole lines, are left out" "$(skips build allowed)" "2 area/some: no gnuplot
1 area/whole: mpirun is not installed"
same "the list of the tree allows none of what FECRUN_REQUIRE has names for" \
    "$(skips build "$top_srcdir/t/skips.txt")" "2 area/some: no gnuplot
1 area/whole: mpirun is not installed"
same "where no test ran none was left out" "$(skips nowhere allowed)" ""

# ---- lacks NAME N WHY of t/lib/tap.sh ----
# lacking REQUIRE ARGUMENT...
lacking() {
    require=$1
    shift
    FECRUN_REQUIRE=$require sh -c '
        . "$top_srcdir/t/lib/tap.sh"; lacks "$@"; ok "on" true; done_testing' sh "$@" >out 2>err
    status=$?
}
lacking '' plot 2 "no gnuplot"
same "skipped, by default" "$(cat out)" "ok 1 # SKIP no gnuplot
ok 2 # SKIP no gnuplot
ok 3 - on
1..3"
is 0 "which is fine"
lacking mpi,plots plot all "no gnuplot"
same "as a whole, too; other names do not matter" "$(cat out)" "1..0 # SKIP no gnuplot"
lacking mpi,plot plot 2 "no gnuplot"
ok "a failure where it is required" grep -q '^not ok 1 - no gnuplot' out
ok "and the rest of the test goes on" grep -q '^ok 2 - on' out
is 1 "which fails"
lacking plot plot all "no gnuplot"
ok "one failure for a whole test" [ "$(grep -c '^not ok' out) $(tail -n 1 out)" = "1 1..1" ]
is 1 "which fails"

# ---- .ci/run with a bootstrap that only says so ----
if [ ! -f "$top_srcdir/.ci/run" ]; then
    skip 10 "no .ci/run in an archive"
    done_testing
fi
mkdir -p .ci t/lib
cp "$top_srcdir/.ci/run" .ci
cp "$top_srcdir/t/skips.txt" t
cp "$top_srcdir/t/lib/skips.sh" t/lib
cat >bootstrap <<'END_OF_SCRIPT'
#!/bin/sh
echo "$FECRUN_REQUIRE" >required
echo "3 passed, 0 failed, 1 skipped"
END_OF_SCRIPT
chmod +x bootstrap
run .ci/run
is 1 "skips that are not on the list fail"
prints '^ *1 area/whole: mpirun is not installed$' "and are told"
same "with all else passed" "$(tail -n 1 out)" "23 passed, 1 failed, 7 skipped"
for name in $(tr , ' ' <required); do
    ok "some test asks for $name" grep -rqE "lacks $name (all|[0-9]+) " "$top_srcdir/t" --include=*.t --include=*.sh
done
same "gnuplot, MPI, Python, DPDK and GNU Radio" "$(cat required)" "plot,mpi,python,dpdk,gnuradio"
rm build/t/area/whole.*
sed -i 's/no gnuplot/cuda: built without CUDA: no nvcc/' build/t/area/some.log
run env FECRUN_REQUIRE=cuda .ci/run
is 0 "those that are on it do not"
same "each build is a check" "$(tail -n 1 out)" "24 passed, 0 failed, 7 skipped"
same "what the caller requires, too" "$(cat required)" "cuda,plot,mpi,python,dpdk,gnuradio"
done_testing
