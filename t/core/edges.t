# SPDX-License-Identifier: BSD-2-Clause
# Limits at their edges: as many as are allowed, in CPU time and memory that are bounded.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# 30,000 rows of blocks, each of another size.
cat >blocks.yaml <<'END'
fecrun: 1
blocks: blocks.csv
pipeline:
  - source.random: {}
  - channel.bsc: {p: 0.01}
  - sink.null: {}
stop: {frames: 30000}
END
awk 'BEGIN { print "cell,user,count,bits"; for (i = 1; i <= 30000; i++) print "1,u,1," i }' \
    >blocks.csv
if [ "${FECRUN_SANITIZER:-no}" = no ]; then
    ok "30,000 rows of different sizes in 20 s of CPU time" \
        sh -c 'ulimit -t 20; exec "$FECRUN" check blocks.yaml'
    # What may be had is less than what is there.
    (ulimit -v 2000000; exec "$FECRUN" run blocks.yaml --set in_flight=64 --threads 1) >out 2>err
    status=$? tap_last='fecrun run blocks.yaml with ulimit -v 2000000'
    is 1 "too much for ulimit -v: status 1"
    says '^fecrun: blocks: .* of host memory, this process may have 1.9 GiB; ' "before the first frame"
else
    skip 3 "a sanitizer takes more of both"
fi

# Nobody writes to it.
rm blocks.csv
mkfifo blocks.csv
refuses 2 'blocks.csv: is no regular file' check blocks.yaml
done_testing
