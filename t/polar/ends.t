#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a polar code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/family.sh"
without_cuda

family=polar bits=75
agrees "all is written once" 'code: nr, k: 75, e: 256' 'channel_interleave: true' '' ''
agrees "n_max and the input interleaver travel" \
    'code: nr, k: 75, e: 600, n_max: 9, input_interleave: true' '' '' ''
agrees "and may be written again" 'code: nr, k: 75, e: 256' 'k: 75, e: 256' 'k: 75' 'code: nr, k: 75, e: 256'
disagree '5:[0-9]*: polar.rate_match.e: 250, but polar.encode \(line 4\) has 256$' \
    'code: nr, k: 75, e: 256' 'e: 250' '' ''
disagree '9:[0-9]*: polar.rate_recover.k: 74, but polar.rate_match \(line 5\) has 75$' \
    'code: nr, k: 75, e: 256' '' 'k: 74' ''
disagree '10:[0-9]*: polar.decode.e: 250, but polar.encode \(line 4\) has 256$' \
    'code: nr, k: 75, e: 256' '' '' 'e: 250'

# A plain code.
pipeline 'source.random: {bits: 300}' \
    'polar.encode: {code: plain, n: 512, k: 300, construction: ga, design_snr_db: 2}' \
    'channel.bsc: {p: 0.001}' 'polar.decode: {}' 'sink.errors: {}' >p.yaml
same "a plain code travels" "$(counts p.yaml --set stop.frames=10)" "10 3000 0 0"
done_testing
