#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a polar code, and of its rate matching. t/core/ends.t has the rules.
. "$top_srcdir/t/lib/ends.sh"
without_cuda
family=polar

bits=75
agree link <<'END'
# what | counts | encode | match | recover | decode
all is written once                    | 10 750 | code: nr, k: 75, e: 256 | channel_interleave: true
n_max and the input interleaver travel | 10 750 | code: nr, k: 75, e: 600, n_max: 9, input_interleave: true
and may be written again               | 10 750 | code: nr, k: 75, e: 256 | k: 75, e: 256 | k: 75 | code: nr, k: 75, e: 256
all of it, at both ends                | 10 750 | code: nr, k: 75, e: 256 | k: 75, e: 256, channel_interleave: true, n_max: 10 \
    | k: 75, e: 256, channel_interleave: true, n_max: 10 | code: nr, k: 75, e: 256, n_max: 10
shortened                              | 10 750 | code: nr, k: 75, e: 120
punctured                              | 10 750 | code: nr, k: 75, e: 220
END
bits=5
agree link <<'END'
a small block | 10 50 | code: nr-small, k: 5 | e: 40
END

bits=75
refused 2 link <<'END'
code: nr, k: 75, e: 256 | e: 250                   |                           |                         | 5:27: polar.rate_match.e: 250, but polar.encode (line 4) has 256
code: nr, k: 75, e: 256 | k: 74                    |                           |                         | 5:27: polar.rate_match.k: 74, but polar.encode (line 4) has 75
code: nr, k: 75, e: 256 | channel_interleave: true | channel_interleave: false |                         | 9:46: \
    polar.rate_recover.channel_interleave: false, but polar.rate_match (line 5) has true
code: nr, k: 75, e: 256 |                          | k: 74                     |                         | 9:29: polar.rate_recover.k: 74, but polar.rate_match (line 5) has 75
code: nr, k: 75, e: 256 |                          | e: 250                    |                         | 9:29: polar.rate_recover.e: is 250 and the input has 256 LLRs a frame; \
    e is 250, but polar.rate_match (line 5) has 256
code: nr, k: 75, e: 256 |                          |                           | e: 250                  | 10:23: polar.decode.e: 250, but polar.encode (line 4) has 256
code: nr, k: 75, e: 256 |                          |                           | k: 74                   | 10:23: polar.decode.k: 74, but polar.encode (line 4) has 75
code: nr, k: 75, e: 600 |                          |                           | n_max: 9                | 10:5: polar.decode: the input has 1024 LLRs a frame and the word has \
    N = 512 (polar.rate_recover gives as many); n_max is 9, but polar.encode (line 4) has 10
code: nr, k: 75, e: 600, input_interleave: true |                          |                           | input_interleave: false | 10:38: polar.decode.input_interleave: \
    false, but polar.encode (line 4) has true
END

# A plain code, without rate matching: decode is line 6.
plain() {
    pipeline "source.random: {bits: $1}" "polar.encode: {$2}" 'channel.bsc: {p: 0.001}' "polar.decode: {$3}" \
        'sink.errors: {}'
    echo 'stop: {frames: 10}'
}
agree plain <<'END'
a plain code travels  | 10 3000 | 300 | code: plain, n: 512, k: 300, construction: ga, design_snr_db: 2
as much as is written | 10 3000 | 300 | code: plain, n: 512, k: 300, construction: ga, design_snr_db: 2 | k: 300
END
refused 2 plain <<'END'
300 | code: plain, n: 512, k: 300, construction: ga, design_snr_db: 2 | design_snr_db: 3  | 6:35: \
    polar.decode.design_snr_db: 3, but polar.encode (line 4) has 2
300 | code: plain, n: 512, k: 300, construction: ga | construction: bec | 6:34: polar.decode.construction: bec, but \
    polar.encode (line 4) has ga
300 | code: plain, n: 512, k: 300 | n: 1024           | 6:5: polar.decode: the input has 512 LLRs a frame and the word has N = \
    1024 (polar.rate_recover gives as many); n is 1024, but polar.encode (line 4) has 512
300 | code: plain, n: 512, k: 300 | k: 299            | 6:23: polar.decode.k: 299, but polar.encode (line 4) has 300
END
done_testing
