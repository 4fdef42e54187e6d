#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a turbo code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/ends.sh"
without_cuda
family=turbo

bits=500
agree link <<'END'
# what                               | counts  | encode               | match | recover | decode
fillers and sizes                 | 10 5000 | fillers: 4         | fillers: 4, e: 1000
a redundancy version and a buffer | 10 5000 | k: 504, fillers: 4 | fillers: 4, e: 1100, rv: 2, ncb: 1400 |  | k: 504
fillers that are written once     | 10 5000 | fillers: 4         | e: 1000
all of it, written at both ends   | 10 5000 | k: 504, fillers: 4 | k: 504, fillers: 4, e: 1000, rv: 0, ncb: 1536 \
    | k: 504, fillers: 4, e: 1000, rv: 0, ncb: 1536 | k: 504, fillers: 4
END
bits=504
agree link <<'END'
a size that nobody wrote | 10 5040 |        | e: 1000
a plain code without rate matching's parameters at the receiver | 10 5040 | k: 504 | e: 1516, rv: 3 |  |
END

bits=500
refused 2 link <<'END'
fillers: 4 | e: 1000, fillers: 8        |            |            | 5:42: turbo.rate_match.fillers: 8, but turbo.encode (line 4) has 4
fillers: 4 | e: 1000, k: 512            |            |            | 5:5: turbo.rate_match: the input has 1524 bits a frame; the word of a \
    block of 512 bits has 3 (K + 4) = 1548
fillers: 4 | fillers: 4, e: 1000        | e: 999     |            | 9:29: turbo.rate_recover.e: is 999 and the input has 1000 LLRs \
    a frame
fillers: 4 | fillers: 4, e: 1000, rv: 2 | rv: 0      |            | 9:30: turbo.rate_recover.rv: 0, but turbo.rate_match (line 5) has 2
fillers: 4 | fillers: 4, e: 1000        | ncb: 1300  |            | 9:31: turbo.rate_recover.ncb: K = 504 with 4 fillers, rv = 0, \
    ncb = 1300, but turbo.rate_match (line 5) has K = 504 with 4 fillers, rv = 0, ncb = 1536
fillers: 4 | fillers: 4, e: 1000        | k: 512     |            | 9:29: turbo.rate_recover.k: K = 512 with 4 fillers, rv = 0, \
    ncb = 1632, but turbo.rate_match (line 5) has K = 504 with 4 fillers, rv = 0, ncb = 1536
fillers: 4 | fillers: 4, e: 1000        | fillers: 5 |            | 9:35: turbo.rate_recover.fillers: 5, but turbo.rate_match \
    (line 5) has 4
fillers: 4 | fillers: 4, e: 1000        |            | fillers: 0 | 10:29: turbo.decode.fillers: 0, but turbo.encode (line 4) has 4
fillers: 4 | fillers: 4, e: 1000        |            | k: 512     | 10:5: turbo.decode: the input has 1524 LLRs a frame and the word \
    of a block of 512 bits has 3 (K + 4) = 1548 (turbo.rate_recover gives as many)
END

warned link <<'END'
fillers: 4 | fillers: 4, e: 498 |  |  | 10:5: turbo.decode: 498 bits of each word are received and 500 are to be found: \
    above rate 1 nothing can be decoded
fillers: 4 | fillers: 4, e: 500 |  |  | none
END
done_testing
