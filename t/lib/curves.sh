# SPDX-License-Identifier: BSD-2-Clause
# Error rates against published ones, as tables (t/lib/table.sh): . "$top_srcdir/t/lib/curves.sh". Builds with a sanitizer
# skip the test.
. "$top_srcdir/t/lib/table.sh"

[ "${FECRUN_SANITIZER:-no}" = no ] || skip_all "statistics need speed"

# as_published WHAT FRAMES ERRORS FRAMES ERRORS: ours and theirs. Both intervals of 95 % must overlap (Clopper-Pearson).
as_published() {
    tap_what=$1
    shift
    tap_said=$(echo "$@" | awk -f "$top_srcdir/t/lib/overlap.awk")
    tap_check $? "$tap_what: as published"
    echo "# $tap_said"
}

# curves SIMULATE FILE <<TABLE: rows NAME | POINTS | FRAMES | VALUE... . At each point of the curve NAME in the FILE of
# t/data, SIMULATE FRAMES AT VALUE... prints "frames frame_errors", which must be as published. AT is the column $at of the
# point, ebn0_db or esn0_db.
#
# POINTS are a list of Eb/N0, or `above RATE`: where more than this share of the frames is wrong. FRAMES are a number, or
# `errors MOST`: as many as give 100 errors, and no point that needs more than MOST.
at=ebn0_db
curves() { each_row tap_curve "$@"; }

tap_curve() {
    tap_simulate=$1 tap_curve=$3
    tap_points "$2" "$3" "$4" "$5" >points
    tap_last="curves $2: $3, points $4"
    [ -s points ] || tap_check 1 "$3 has points"
    shift 5
    while read -r tap_ebn0 tap_at tap_frames tap_published <&4; do
        tap_ours=$(tap_simulated "$tap_frames" "$tap_at" "$@" 4<&-)
        as_published "$tap_curve, $tap_ebn0 dB, $*" $tap_ours $tap_published
    done 4<points
}

# tap_points FILE NAME POINTS FRAMES: lines "EBN0 AT FRAMES PUBLISHED-FRAMES PUBLISHED-ERRORS". The columns left of
# ebn0_db are the name, with blanks between them, except channel and esn0_db.
tap_points() {
    awk -F, -v at="$at" -v wanted="$2" -v points="$3" -v frames="$4" '
        NR == 1 {
            for (i = 1; i <= NF; i++)
                column[$i] = i
            next
        }
        {
            name = ""
            for (i = 1; i < column["ebn0_db"]; i++)
                if (i != column["channel"] && i != column["esn0_db"])
                    name = name (i > 1 ? " " : "") $i
            ebn0 = $column["ebn0_db"] + 0
            n = $column["frames"]
            k = $column["frame_errors"]
            if (name != wanted || (points ~ /^above/ ? k / n <= substr(points, 7) + 0 : !index(" " points " ", " " ebn0 " ")))
                next
            own = frames
            if (frames ~ /^errors/) {
                own = int(99.999 * n / k) + 1
                if (own > substr(frames, 8) + 0)
                    next
            }
            print ebn0, $column[at], own, n, k
        }' "$T_DATA/$1"
}

# against SIMULATE <<TABLE: rows AT | FRAMES | DECODER | OTHER | LESS | PERCENT | MORE | VALUE... . DECODER has at most as
# many wrong frames as OTHER has with LESS dB less, PERCENT and MORE added. SIMULATE is called as by `curves`; the decoder is
# its last value. A point where OTHER has no wrong frame, or none that is right, is a failure: it would compare nothing.
against() { each_row tap_against "$@"; }

tap_against() {
    tap_simulate=$1 tap_ebn0=$2 tap_frames=$3 tap_decoder=$4 tap_other=$5 tap_less=$6 tap_percent=$7 tap_more=$8
    shift 8
    tap_ours=$(tap_simulated "$tap_frames" "$tap_ebn0" "$@" "$tap_decoder")
    tap_at=$(echo "$tap_ebn0 $tap_less" | awk '{ print $1 - $2 }')
    tap_theirs=$(tap_simulated "$tap_frames" "$tap_at" "$@" "$tap_other")
    tap_last="$tap_ours; $tap_other: $tap_theirs"
    echo "$tap_ours $tap_theirs" | awk -v percent="$tap_percent" -v more="$tap_more" '
        { exit !(NF == 4 && $1 == $3 && $4 > 0 && $4 < $3 && $2 <= int($4 * (100 + percent) / 100) + more) }'
    tap_check $? "$tap_ebn0 dB, $*, $tap_decoder: ${tap_ours#* } wrong of ${tap_ours% *}, $tap_other at $tap_at dB ${tap_theirs#* }"
}

# tap_simulated ARGUMENT...: what $tap_simulate gives for these; each is run once.
tap_simulated() {
    tap_run=simulated.$(echo "$tap_simulate $*" | cksum | tr ' ' .)
    [ -s "$tap_run" ] || "$tap_simulate" "$@" >"$tap_run"
    cat "$tap_run"
}
