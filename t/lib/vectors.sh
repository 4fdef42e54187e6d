# SPDX-License-Identifier: BSD-2-Clause
# Files of t/data as known answers: . "$top_srcdir/t/lib/vectors.sh". each_line of t/lib/table.sh reads their lists.
. "$top_srcdir/t/lib/table.sh"

# packed_bits FILE FRAME: a source of packed bits.
packed_bits() { echo "source.file: {path: $1, kind: bits, dtype: packed, frame: $2}"; }

# makes WHAT WANT STAGE...: the stages make the bits of the file WANT.
makes() {
    tap_what=$1 tap_want=$2
    shift 2
    pipeline "$@" 'sink.file: {path: made, dtype: packed}' >p.yaml
    rm -f made
    run "$FECRUN" run p.yaml --quiet
    ok "$tap_what" cmp made "$tap_want"
}

# unhex HEX: bytes
unhex() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$(echo "$1" | awk 'function value(i) {
        return index("0123456789abcdef", substr($0, i, 1)) - 1
    }
    { for (i = 1; i < length($0); i += 2) printf "\\%03o", 16 * value(i) + value(i + 1) }')"
}

# Standard input in hexadecimal, in one line.
hex() { od -An -v -tx1 | tr -d ' \n'; }

# payload FILE: what stands behind the header of a .npy file
payload() { tail -c "+$(($(od -An -j8 -N2 -tu2 "$1") + 11))" "$1"; }

# on_device LINES: these decoders where there is a CUDA device
on_device() { [ -n "$(tap_no_cuda)" ] || echo "$1"; }

# decodes WHAT MESSAGE STAGE...: the stages end in LLRs, of which each decoder of $decoders makes the bits of the file
# MESSAGE (packed, or .npy): a check a decoder. $decoders has a line a decoder, TYPE PARAMETERS: LLRs come as TYPE, by an
# llr.quantize with the parameters $quantize unless it is f32, through
# the stages of $recover (a line a stage) to the stage $decoder with $code and PARAMETERS, and to those of $check. Decoders of
# the host share a run; each one of a device has its own, where it absorbs what stands before it.
decodes() {
    tap_what=$1 tap_message=$2
    shift 2
    echo "$decoders" | sed '/^ *$/d; s/^ *//' >decoders
    # A sanitizer looks at memory, which fecrun-check shows it with all types: here bytes are enough.
    [ "${FECRUN_SANITIZER:-no}" = no ] || ! grep '^i8' decoders >bytes || mv bytes decoders
    ! grep -v cuda decoders >some || tap_decode "$@"
    ! grep cuda decoders >devices || while read -r tap_line <&4; do
        echo "$tap_line" >some
        tap_decode "$@" 4<&-
    done 4<devices
}

# tap_decode STAGE...: a run of the decoders of the file `some`.
tap_decode() {
    rm -f made.*
    case $tap_message in
    *.npy) tap_kind=.npy ;;
    *) tap_kind=", dtype: packed" ;;
    esac
    { pipeline "$@" | sed '$s/{\(id: [^,}]*, \)*/{id: llrs, /'
      awk -v kind="$tap_kind" -v quantize="$quantize" -v recover="$recover" -v decoder="$decoder" -v code="$code" -v check="$check" '
        function stage(text) {
            sub(/{/, "{id: branch" NR "_" ++n ", " (n == 1 ? "from: llrs, " : ""), text)
            print "  - " text
        }
        function stages(texts,    list, count, i) {
            count = split(texts, list, "\n")
            for (i = 1; i <= count; i++)
                stage(list[i])
        }
        {
            n = 0
            type = $1
            sub(/^[^ ]* */, "")
            if (type != "f32")
                stage("llr.quantize: {type: " type ", " quantize "}")
            stages(recover)
            stage(decoder ": {" code (code == "" ? "" : ", ") $0 "}")
            stages(check)
            stage("sink.file: {path: made." NR kind "}")
        }' some
    } >p.yaml
    run "$FECRUN" run p.yaml --quiet
    tap_k=0
    while read -r tap_line <&5; do
        tap_k=$((tap_k + 1))
        cmp "made.$tap_k${tap_kind%,*}" "$tap_message" >>err 2>&1
        tap_check $? "$tap_what: $tap_line"
    done 5<some
}

# all_right WHAT FRAMES STAGE...: a run counts so many frames, and none is wrong.
all_right() {
    tap_what=$1 tap_want="$2 0"
    shift 2
    same "$tap_what" "$(pipeline "$@" | run_fields "frames frame_errors" -)" "$tap_want"
}

# raw_to_raw HEX FRAME STAGE...: packed bits through the stages, from standard input to standard output, in hexadecimal;
# FRAME bits a frame, 0 is a stream.
raw_to_raw() {
    tap_digits=$1 tap_frame=$2
    shift 2
    pipeline "source.file: {path: '-', kind: bits, dtype: packed, frame: $tap_frame}" "$@" \
        "sink.file: {path: '-', dtype: packed}" >raw.yaml
    unhex "$tap_digits" | "$FECRUN" run --quiet raw.yaml | hex
}
