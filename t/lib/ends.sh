# SPDX-License-Identifier: BSD-2-Clause
# Both ends of a link, as tables (t/lib/table.sh): . "$top_srcdir/t/lib/ends.sh". t/core/ends.t has the rules. What the
# ends say when they disagree, or are above rate 1, stands in tables of t/lib/errors.sh.
. "$top_srcdir/t/lib/errors.sh"

# agree PIPELINE <<TABLE: rows WHAT | FRAMES BITS | VALUE... . A run of the pipeline that PIPELINE prints counts so many
# frames and bits, and no error.
agree() { each_row tap_agree "$@"; }

tap_agree() {
    tap_pipeline=$1 tap_what=$2 tap_want=$3
    shift 3
    "$tap_pipeline" "$@" >p.yaml
    same "$tap_what" "$(counts p.yaml)" "$tap_want 0 0"
}

# link ENCODER MATCH RECOVER DECODER: ten frames of $bits bits of $family through rate matching and next to no noise; the
# four have lines 4, 5, 9 and 10.
link() {
    pipeline "source.random: {bits: $bits}" "$family.encode: {$1}" "$family.rate_match: {$2}" \
        'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
        "$family.rate_recover: {$3}" "$family.decode: {$4}" 'sink.errors: {}'
    echo 'stop: {frames: 10}'
}
