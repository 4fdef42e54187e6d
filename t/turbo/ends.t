#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a turbo code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/family.sh"
without_cuda

family=turbo bits=500
agrees "fillers and sizes" 'fillers: 4' 'fillers: 4, e: 1000' '' ''
agrees "a redundancy version and a buffer" 'k: 504, fillers: 4' \
    'fillers: 4, e: 1100, rv: 2, ncb: 1400' '' 'k: 504'
bits=504
link '' 'e: 1000' '' ''
same "a size that nobody wrote" "$(counts p.yaml)" "10 5040 0 0"
bits=500
agrees "fillers that are written once" 'fillers: 4' 'e: 1000' '' ''
disagree '5:42: turbo.rate_match.fillers: 8, but turbo.encode \(line 4\) has 4$' 'fillers: 4' \
    'e: 1000, fillers: 8' '' ''
disagree '9:30: turbo.rate_recover.rv: 0, but turbo.rate_match \(line 5\) has 2$' \
    'fillers: 4' 'fillers: 4, e: 1000, rv: 2' 'rv: 0' ''
disagree '9:31: turbo.rate_recover.ncb: K = 504 .* ncb = 1300, but .* ncb = 1536$' \
    'fillers: 4' 'fillers: 4, e: 1000' 'ncb: 1300' ''
disagree '9:29: turbo.rate_recover.k: K = 512 with 4 fillers.* but turbo.rate_match \(line 5\) has K = 504' \
    'fillers: 4' 'fillers: 4, e: 1000' 'k: 512' ''
disagree '10:29: turbo.decode.fillers: 0, but turbo.encode \(line 4\) has 4$' \
    'fillers: 4' 'fillers: 4, e: 1000' '' 'fillers: 0'
link 'fillers: 4' 'fillers: 4, e: 498' '' ''
run "$FECRUN" check p.yaml
is 0 "above rate 1: no error"
says '^fecrun: warning: p.yaml:10:5: turbo.decode: 498 bits of each word are received and 500' "... a warning"
run "$FECRUN" check p.yaml --set turbo.rate_match.e=500
ok "rate 1 is no reason for one" [ ! -s err ]
done_testing
