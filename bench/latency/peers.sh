# SPDX-License-Identifier: BSD-2-Clause
# Builds time.c with each peer that is given; read with `.` by bench/latency.sh. Only the files that a decoder needs are
# compiled, with the options of the peer's own build for this machine. A program NAME in $programs for each.
programs=${PROGRAMS:-$work/programs}
mkdir -p "$programs"
: >"$work/peers"
CXX=${CXX:-c++}

# peer NAME VARIABLE DIR: notes what is given. True if its program has to be built.
peer() {
    if [ -z "$3" ]; then
        echo "$1 $2 -" >>"$work/peers"
        return 1
    fi
    [ -d "$3" ] || { echo "$2: no directory $3" >&2; exit 1; }
    echo "$1 $2 $(git -C "$3" rev-parse --short=8 HEAD 2>/dev/null || basename "$3")" >>"$work/peers"
    [ ! -x "$programs/$1" ] || return 1
    note "building $1"
    mkdir -p "$work/$1"
    objects "$1" "${CC:-cc}" "-O2 -std=gnu11" "$here/latency/time.c" "$here/latency/row.c"
}

# objects NAME COMPILER OPTIONS FILE...: compiles into $work/NAME.
objects() {
    objects_of=$1 objects_with=$2 objects_options=$3
    shift 3
    for file in "$@"; do
        # The options are several words.
        # shellcheck disable=SC2086
        $objects_with $objects_options -w -ffunction-sections -fdata-sections -c \
            -o "$work/$objects_of/$(echo "$file" | tr / _ | tail -c 120).o" "$file"
    done
}

# program NAME COMPILER OPTIONS FILE [LIBRARY...]
program() {
    program_of=$1 program_with=$2 program_options=$3 file=$4
    shift 4
    # shellcheck disable=SC2086
    $program_with $program_options -w -o "$programs/$program_of" "$file" "$work/$program_of"/*.o -Wl,--gc-sections "$@" -lm
}

if peer libfec LIBFEC "${LIBFEC-}"; then
    library=$(find "$LIBFEC" -name libfec.a | head -n 1)
    [ -n "$library" ] || { echo "LIBFEC: no libfec.a under $LIBFEC" >&2; exit 1; }
    program libfec "${CC:-cc}" "-O2 -I$(dirname "$(find "$LIBFEC" -name fec.h | head -n 1)")" "$here/latency/libfec.c" "$library"
fi

if peer libcorrect LIBCORRECT "${LIBCORRECT-}"; then
    options="-std=gnu99 -O2 -march=native -DHAVE_SSE -I$LIBCORRECT/include"
    objects libcorrect "${CC:-cc}" "$options" "$LIBCORRECT"/src/convolutional/*.c "$LIBCORRECT"/src/convolutional/sse/*.c
    program libcorrect "${CC:-cc}" "$options" "$here/latency/libcorrect.c"
fi

if peer viterbicpp VITERBICPP "${VITERBICPP-}"; then
    program viterbicpp "$CXX" "-std=c++17 -O3 -march=native -I$VITERBICPP/include" "$here/latency/viterbicpp.cc"
fi

if peer srsran SRSRAN "${SRSRAN-}"; then
    options="-std=gnu99 -O3 -march=native -fno-trapping-math -fno-math-errno -D_GNU_SOURCE -DBUILD_TYPE_RELEASE
        -DLV_HAVE_SSE -DLV_HAVE_AVX -DLV_HAVE_AVX2 -DLV_HAVE_FMA -I$SRSRAN/lib/include -I$work/srsran"
    ! grep -q avx512bw /proc/cpuinfo || options="$options -DLV_HAVE_AVX512"
    mkdir -p "$work/srsran/srsran"
    : >"$work/srsran/srsran/version.h" # which its build makes
    fec=$SRSRAN/lib/src/phy/fec utils=$SRSRAN/lib/src/phy/utils
    objects srsran "${CC:-cc}" "$options" "$fec"/*.c "$fec"/convolutional/*.c "$fec"/turbo/*.c "$fec"/polar/*.c "$fec"/ldpc/*.c \
        "$utils"/vector.c "$utils"/vector_simd.c "$utils"/bit.c "$utils"/debug.c "$utils"/phy_logger.c
    program srsran "${CC:-cc}" "$options" "$here/latency/srsran.c"
fi

if peer ocudu OCUDU "${OCUDU-}"; then
    options="-std=c++17 -O3 -march=native -fno-trapping-math -fno-math-errno -DNDEBUG -DHAVE_SSE -DHAVE_AVX -DHAVE_AVX2
        -DHAVE_FMA -I$OCUDU/include -I$OCUDU/external -I$OCUDU/external/fmt/include"
    ! grep -q avx512bw /proc/cpuinfo || options="$options -DHAVE_AVX512"
    coding=$OCUDU/lib/phy/upper/channel_coding
    # shellcheck disable=SC2046
    objects ocudu "$CXX" "$options" $(find "$coding" "$OCUDU/lib/ocuduvec" -name '*.cpp' ! -name '*neon*') \
        "$OCUDU/lib/phy/upper/log_likelihood_ratio.cpp" "$OCUDU/external/fmt/src/format.cc"
    program ocudu "$CXX" "$options" "$here/latency/ocudu.cc"
fi

if peer aff3ct AFF3CT "${AFF3CT-}"; then
    options="-std=c++14 -O3 -funroll-loops -march=native -faligned-new -DNDEBUG -DAFF3CT_8BIT_PREC -DAFF3CT_POLAR_BIT_PACKING
        -I$AFF3CT/include -I$AFF3CT/src -I$AFF3CT/lib/MIPP/src -I$AFF3CT/lib/cli/src -I$AFF3CT/lib/rang/include
        -I$AFF3CT/lib/date/include"
    # shellcheck disable=SC2046
    objects aff3ct "$CXX" "$options" "$AFF3CT"/src/Module/Module.cpp "$AFF3CT"/src/Module/Task.cpp \
        "$AFF3CT"/src/Module/Decoder/Decoder.cpp "$AFF3CT"/src/Tools/system_functions.cpp \
        "$AFF3CT"/src/Tools/Display/rang_format/rang_format.cpp "$AFF3CT"/src/Tools/Code/Polar/*.cpp \
        $(find "$AFF3CT"/src/Module/CRC "$AFF3CT"/src/Tools/Exception -name '*.cpp')
    program aff3ct "$CXX" "$options" "$here/latency/aff3ct.cc"
fi
