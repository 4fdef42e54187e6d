# SPDX-License-Identifier: BSD-2-Clause
# For shell tests of a code family: . "$top_srcdir/t/lib/family.sh", which brings t/lib/counts.sh.
. "$top_srcdir/t/lib/counts.sh"

# ---- Errors ----

# wrong STATUS MESSAGE: `fecrun check p.yaml` ends so and says this and nothing else.
wrong() {
    run "$FECRUN" check p.yaml --quiet
    is "$1" "status $1"
    same "$2" "$(cat err)" "fecrun: $2"
}

# wrong_encoders STAGE: lines of BITS | PARAMETERS | MESSAGE on standard input. Frames of so many bits, an
# encoder with these parameters in line 4, and what is said of that line.
wrong_encoders() {
    while IFS='|' read -r bits params message; do
        pipeline "source.random: {bits: $bits}" "$1: {$params}" 'sink.null: {}' >p.yaml
        wrong 2 "p.yaml:4:$message"
    done
}

# ---- Both ends ----

# link ENCODER MATCH RECOVER DECODER: a link of $family and frames of $bits bits; the parameters are in
# lines 4, 5, 9 and 10.
link() {
    { pipeline "source.random: {bits: $bits}" "$family.encode: {$1}" "$family.rate_match: {$2}" \
        'modem.map: {scheme: qpsk}' 'channel.awgn: {esn0_db: 20}' 'modem.demap: {}' \
        "$family.rate_recover: {$3}" "$family.decode: {$4}" 'sink.errors: {}'
      printf 'stop: {frames: 10}\n'; } >p.yaml
}

# agrees WHAT ENCODER MATCH RECOVER DECODER: all bits arrive.
agrees() {
    link "$2" "$3" "$4" "$5"
    same "$1" "$(counts p.yaml)" "10 $((10 * bits)) 0 0"
}

# disagree MESSAGE ENCODER MATCH RECOVER DECODER: an error of p.yaml, an extended regular expression
disagree() {
    link "$2" "$3" "$4" "$5"
    refuses 2 "^fecrun: p.yaml:$1" check p.yaml
}

# ---- Vectors ----

# packed_bits FILE FRAME: a source of packed bits.
packed_bits() { echo "source.file: {path: $1, kind: bits, dtype: packed, frame: $2}"; }

# makes WHAT WANT STAGE...: do the stages make the bits of the file?
makes() {
    what=$1 want=$2
    shift 2
    pipeline "$@" 'sink.file: {path: made, dtype: packed}' >p.yaml
    rm -f made
    run "$FECRUN" run p.yaml --quiet
    ok "$what" cmp made "$want"
}

# ---- Curves ----

# overlap FRAMES ERRORS FRAMES ERRORS: do the two intervals of 95 % (Wilson's) overlap?
overlap() {
    echo "$@" | awk '
        function bound(n, k, side) {
            z = 1.96
            return (k + z * z / 2 + side * z * sqrt(k * (n - k) / n + z * z / 4)) / (n + z * z)
        }
        NF != 4 { exit 1 }
        {
            printf "# %d of %d: %.4g to %.4g; published %.4g to %.4g\n", $2, $1, \
                bound($1, $2, -1), bound($1, $2, 1), bound($3, $4, -1), bound($3, $4, 1)
            exit !(bound($1, $2, -1) <= bound($3, $4, 1) && bound($3, $4, -1) <= bound($1, $2, 1))
        }'
}
