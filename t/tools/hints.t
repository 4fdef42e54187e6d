#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Slips of new users in a file: a blank missing after a colon, a tab, a unit, "1,2,3" of a sweep, a device for all stages.
. "$top_srcdir/t/lib/tap.sh"
without_cuda

# link SWEEP [BITS]
link() {
    cat <<END
fecrun: 1
pipeline:
  - source.random: {${2:-bits: 64}}
  - modem.map: {scheme: bpsk}
  - channel.awgn: {ebn0_db: 1}
  - modem.demap: {}
  - sink.null: {}
sweep: {channel.awgn.ebn0_db: $1}
stop: {frames: 5}
END
}
for values in '"1,2,3"' '"1, 2.5, 3e0"' '[1, 2, 3]' '"1:1:3"'; do
    link "$values" >p.yaml
    run "$FECRUN" check p.yaml
    prints '5 stages, 3 points' "sweep: $values has three points"
done
link '"1,,3"' >p.yaml
refuses 2 '^fecrun: p.yaml:8:[0-9]+: .*value 2 is missing' check p.yaml
link '"1,x"' >p.yaml
refuses 2 "^fecrun: p.yaml:8:[0-9]+: channel.awgn.ebn0_db: must be a number .*is '1,x'" check p.yaml
link 1 bits:64 >p.yaml
refuses 2 '^fecrun: p.yaml:3:21: source.random.bits:64: no such parameter \(a blank has to follow the colon\)$' check p.yaml
link 1 'bits: 64kbit' >p.yaml
refuses 2 "^fecrun: p.yaml:3:27: source.random.bits: must be an integer .*is '64kbit'" check p.yaml
link 1 | sed 's/^  - modem.map/	- modem.map/' >p.yaml
refuses 2 '^fecrun: p.yaml:4:1: a tab; only blanks may indent' check p.yaml
link 1 | sed 's/^pipeline/backend: cuda\npipeline/' >p.yaml
refuses 3 '^fecrun: p.yaml:2:10: source.random.backend: cuda is not available here: ' check p.yaml
link 1 >p.yaml
refuses 3 '^fecrun: --backend cuda: source.random.backend: cuda is not available here: ' check p.yaml --backend cuda
done_testing
