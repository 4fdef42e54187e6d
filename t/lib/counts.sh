# SPDX-License-Identifier: BSD-2-Clause
# For shell tests that look at what runs count: . "$top_srcdir/t/lib/counts.sh", which brings t/lib/tap.sh.
. "$top_srcdir/t/lib/tap.sh"

# same WHAT GOT WANT
same() {
    tap_last="(see got and want)"
    [ "$2" = "$3" ]
    tap_check $? "$1"
    [ "$2" = "$3" ] || printf '%s\n' "got: $2" "want: $3" | sed 's/^/# /'
}

# pipeline STAGE...: a pipeline file.
pipeline() {
    printf 'fecrun: 1\npipeline:\n'
    printf '  - %s\n' "$@"
}

# viterbi_link QUANTIZER DECIBELS STOP [SEED]: a pipeline file of frames of 200 bits, with a sweep.
viterbi_link() {
    pipeline 'source.random: {bits: 200}' 'conv.encode: {code: ieee80211}' 'modem.map: {scheme: bpsk}' \
        'channel.awgn: {ebn0_db: 2}' 'modem.demap: {}' "llr.quantize: {type: i8, $1}" \
        'viterbi.decode: {code: ieee80211}' 'sink.errors: {}'
    printf 'sweep: {channel.awgn.ebn0_db: [%s]}\nstop: {%s}\nseed: %s\n' "$2" "$3" "${4-0}"
}

# fields NAME...: those of each point, a line a point, from result lines in JSON.
fields() {
    awk -v names="$*" '
        index($0, "\"type\":\"point\"") {
            n = split(names, name, " ")
            for (i = 1; i <= n; i++) {
                key = "\"" name[i] "\":"
                match($0, key "(\"[^\"]*\"|[^,}]*)")
                value = substr($0, RSTART + length(key), RLENGTH - length(key))
                gsub("\"", "", value)
                printf "%s%s", value, i < n ? " " : "\n"
            }
        }'
}

# run_fields NAMES ARGUMENT...: those fields of each point of `fecrun run ARGUMENT...`, where - as a
# file is a pipeline on standard input. A run that fails gives its status instead.
run_fields() {
    tap_names=$1
    shift
    tap_last="fecrun run $*"
    status=0
    "$FECRUN" run --quiet --json out "$@" 2>err || status=$?
    if [ "$status" = 0 ]; then
        fields "$tap_names" <out
    else
        echo "status $status: $(cat err)"
    fi
}

counts() { run_fields "frames bits bit_errors frame_errors" "$@"; }
