# SPDX-License-Identifier: BSD-2-Clause
# What the scripts that write results share; read with `.`, after `here` is set to this directory.
#
#   FECRUN   the program (default: build/fecrun beside this directory)
#   REPORT   the file whose section is replaced (default: the page in results/ that has it)
#   COMMIT   what was built; default: git's word, "unknown" without git
#   BACKEND  of all stages but those that say otherwise (default: cuda; empty: the planner's choice)
#   QUICK    not empty: few frames and cells, to see whether the script works, not to report
FECRUN=${FECRUN:-$here/../build/fecrun}
REPORT=${REPORT-}
COMMIT=${COMMIT:-$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)}
BACKEND=${BACKEND-cuda}
QUICK=${QUICK-}
BER=${QUICK:+1e-3}
BER=${BER:-1e-4} # at which distances in dB are taken
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
[ -x "$FECRUN" ] || { echo "no $FECRUN: build first, or set FECRUN" >&2; exit 1; }

note() { echo "$(date +%T) $*" >&2; }

# sweep FILE TEXT: a copy of a pipeline file with this sweep; prints its path.
sweep() {
    { cat "$1"; echo "sweep: {$2}"; } >"$work/sweep.yaml"
    echo "$work/sweep.yaml"
}

# fields FILE TYPE NAME...: a line for each JSON line of this type with the values of these fields,
# wherever in the line they stand first; null where there is none.
fields() {
    fields_file=$1 fields_type=$2
    shift 2
    awk -v type="\"type\":\"$fields_type\"" -v names="$*" '
        function value(name,    at, rest) {
            at = index($0, "\"" name "\":")
            if (!at)
                return "null"
            rest = substr($0, at + length(name) + 3)
            match(rest, /^("[^"]*"|[^,}]*)/)
            rest = substr(rest, 1, RLENGTH)
            gsub(/"/, "", rest)
            return rest
        }
        BEGIN { n = split(names, name, " ") }
        index($0, type) {
            line = value(name[1])
            for (i = 2; i <= n; i++)
                line = line " " value(name[i])
            print line
        }' "$fields_file"
}

# theory FILE: float decoding of whole frames of at most 16384 bits on the CPU, which finds the most
# likely sequence; JSON lines to $work/json. At most THEORY_FRAMES (default: FRAMES) at a point. What
# was run before is not run again.
theory() {
    sed '/^#/d; /llr.quantize/d; s/, tile: {[^}]*}//; s/, traceback_start: [a-z]*//; s/, termination: continuous//
        s/, stream: true//; s/bits: [0-9]\{6,\}/bits: 16384/
        s/bits: [2-9][0-9]\{4\}/bits: 16384/; s/^batch: .*/batch: 64/' "$1" >"$work/theory.yaml"
    theory_json=$work/theory-$(cksum <"$work/theory.yaml" | cut -d ' ' -f 1)
    [ -f "$theory_json" ] || "$FECRUN" run "$work/theory.yaml" --quiet --json "$theory_json" \
        --backend ref --set viterbi.decode.backend=simd \
        --set stop.frames="${THEORY_FRAMES:-$FRAMES}" --set stop.frame_errors=20000
    cp "$theory_json" "$work/json"
}

# crossing FILE: Eb/N0 at which the points of these JSON lines cross $BER, or -
crossing() { fields "$1" point ebn0_db ber | sed 's/^/x /' | at_ber "$BER" | cut -d ' ' -f 2; }

# at_ber BER <lines "KEY EBN0 BER": a line "KEY EBN0" for each key, where log BER, taken as straight
# between the points, crosses that value; "KEY -" where it does not.
at_ber() {
    sort -k1,1 -k2,2n | awk -v target="$1" '
        function result() { if (key != "") print key, found != "" ? found : "-" }
        $1 != key { result(); key = $1; found = ""; last = 0 }
        {
            if (found == "" && $3 + 0 <= target && last > target)
                found = $3 + 0 == 0 ? "-" : sprintf("%.4f", ebn0 + ($2 - ebn0) * \
                    log(last / target) / log(last / $3))
            ebn0 = $2; last = $3 + 0
        }
        END { result() }'
}

# machine: the lines that say where and when.
machine() {
    echo "Commit $COMMIT, $(date -u +%Y-%m-%d), $("$FECRUN" --version)."
    if command -v nvidia-smi >/dev/null 2>&1; then
        nvidia-smi --format=csv,noheader --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit |
            head -n 1 | awk -F ', ' '{ printf "%s, driver %s, SM clock %s (at most %s), memory %s, power limit %s.\n",
                $1, $2, $3, $4, $5, $6 }'
    fi
    "$FECRUN" list | sed -n 's/^  \([a-z]*:[0-9]* .*\)/\1./p' | head -n 1
    sed -n 's/^model name[^:]*: \(.*\)/Host: \1./p' /proc/cpuinfo | head -n 1
}

# page NAME: the file that has this section.
page() {
    case $1 in
    viterbi-* | libfec) page=viterbi ;;
    ldpc-*) page=ldpc ;;
    turbo-*) page=turbo ;;
    polar-*) page=polar ;;
    links-*) page=chain ;;
    holds) page=conditions ;;
    latency | growth | bbdev) page=latency ;;
    outer-*) page=outer ;;
    *) echo "section $1 has no page" >&2; return 1 ;;
    esac
    echo "$here/results/$page.md"
}

# put_section NAME <text: into $REPORT or the section's page, in the place of what stood there.
put_section() {
    cat >"$work/section"
    report=${REPORT:-$(page "$1")}
    [ -f "$report" ] || echo "# Measured speeds" >"$report"
    awk -v name="$1" -v file="$work/section" '
        function insert(    line) {
            print "<!-- " name " begin -->"
            while ((getline line <file) > 0)
                print line
            print "<!-- " name " end -->"
            done = 1
        }
        $0 == "<!-- " name " begin -->" { insert(); skip = 1 }
        !skip { print }
        $0 == "<!-- " name " end -->" { skip = 0 }
        END { if (!done) { print ""; insert() } }' "$report" >"$work/report"
    cat "$work/report" >"$report"
    note "section $1 of $report"
}
