# SPDX-License-Identifier: BSD-2-Clause
# A code is made once, however many points or rows have it: seen in how often its file is opened.
. "$top_srcdir/t/lib/tap.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "what is preloaded comes before a sanitizer"
without_cuda

# A (7, 4) Hamming code.
cat >hamming.alist <<'END'
7 3
3 4
1 1 1 2 2 2 3
4 4 4
1 0 0
2 0 0
3 0 0
1 2 0
1 3 0
2 3 0
1 2 3
1 4 5 7
2 4 6 7
3 5 6 7
END
cat >sweep.yaml <<'END'
fecrun: 1
pipeline:
  - source.random: {bits: 4}
  - ldpc.encode: {code: alist, path: hamming.alist}
  - channel.bsc: {p: 0.01}
  - ldpc.decode: {}
  - sink.errors: {}
stop: {frames: 1}
END

# STEP: how many files are opened by a check of the sweep with that step?
opened() {
    head -c 16 /dev/zero >count
    LD_PRELOAD=$top_builddir/t/doubles/fault/fault.so FAULT=open:0 FAULT_COUNT=count \
        "$FECRUN" check sweep.yaml --sweep "channel.bsc.p=0.01:$1:0.06" >out 2>err || return 1
    od -A n -t u8 -N 8 count | tr -d ' '
}
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
opened 0.05 >/dev/null # notes which plugins load, so that the next ones do not try them
few=$(opened 0.05)
many=$(opened 0.001)
tap_last="2 points: ${few:-none}; 51 points: ${many:-none}"
ok "a sweep of 51 points opens as many files as one of 2" [ -n "$few" -a "$few" = "$many" ]
done_testing
