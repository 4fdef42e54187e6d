# SPDX-License-Identifier: BSD-2-Clause
# FECRUN_CC_FLAG(FLAG, [IF-ACCEPTED], [IF-NOT])
# Unlike AC_CACHE_CHECK based macros it takes a shell variable as FLAG.
AC_DEFUN([FECRUN_CC_FLAG],
[AC_MSG_CHECKING([whether $CC accepts $1])
fecrun_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
  [CFLAGS=$fecrun_save_CFLAGS
   AC_MSG_RESULT([yes])
   $2],
  [CFLAGS=$fecrun_save_CFLAGS
   AC_MSG_RESULT([no])
   $3])
])

# FECRUN_NEED_FLAG(FLAG): appends it to BASE_CFLAGS, or stops.
AC_DEFUN([FECRUN_NEED_FLAG],
[FECRUN_CC_FLAG([$1], [BASE_CFLAGS="$BASE_CFLAGS $1"],
  [AC_MSG_ERROR([$CC does not accept $1: use GCC or clang])])
])

# FECRUN_ISA_CHECK(NAME, FLAGS, BODY): sets and substitutes NAME_CFLAGS, HAVE_NAME.
AC_DEFUN([FECRUN_ISA_CHECK],
[AC_MSG_CHECKING([whether $CC compiles for $1])
fecrun_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $2"
fecrun_have_$1=no
AS_IF([test "x$enable_fuzzers" != xyes],
  [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <immintrin.h>]], [[$3]])],
    [fecrun_have_$1=yes
     $1_CFLAGS="$2"
     fecrun_isa_summary="$fecrun_isa_summary $1"
     AC_DEFINE([HAVE_$1], [1], [$1 objects are built])])])
CFLAGS=$fecrun_save_CFLAGS
AC_MSG_RESULT([$fecrun_have_$1])
AC_SUBST([$1_CFLAGS])
AM_CONDITIONAL([HAVE_$1], [test "x$fecrun_have_$1" = xyes])
])

# FECRUN_ISA: instruction sets that get objects of their own; the program chooses at run time. Fuzzers do
# without.
AC_DEFUN([FECRUN_ISA],
[fecrun_isa_summary=generic
FECRUN_ISA_CHECK([AVX2], [-mavx2],
  [__m256i x = _mm256_setzero_si256(); x = _mm256_adds_epi8(x, x);
   return _mm256_movemask_epi8(x);])
FECRUN_ISA_CHECK([AVX512], [-mavx512f -mavx512bw -mavx512vl -mavx512dq],
  [__m512i x = _mm512_setzero_si512(); x = _mm512_max_epi8(x, x);
   return (int)_mm512_movepi8_mask(x);])
FECRUN_ISA_CHECK([VBMI], [-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi],
  [__m512i x = _mm512_setzero_si512(); x = _mm512_permutexvar_epi8(x, x);
   return (int)_mm512_movepi8_mask(x);])
FECRUN_ISA_CHECK([PCLMUL], [-mavx2 -mpclmul],
  [__m128i x = _mm_setzero_si128(); x = _mm_clmulepi64_si128(x, x, 0x11);
   return _mm_movemask_epi8(x);])
FECRUN_ISA_CHECK([GFNI],
  [-mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vbmi -mgfni -mpclmul -mpopcnt],
  [__m512i x = _mm512_setzero_si512(); x = _mm512_gf2p8mul_epi8(x, x);
   return (int)_mm512_movepi8_mask(x);])
])

# FECRUN_SANITIZER: --enable-sanitizer and --enable-fuzzers -> SANITIZER_CFLAGS, FUZZ_LDFLAGS.
AC_DEFUN([FECRUN_SANITIZER],
[AC_ARG_ENABLE([sanitizer],
  [AS_HELP_STRING([--enable-sanitizer=address|thread|memory],
    [address and undefined behaviour, data races, or (clang) memory that nobody wrote, with a libyaml and
     a jansson that are built so, too; any report is fatal])],
  [], [enable_sanitizer=no])
AC_ARG_ENABLE([fuzzers],
  [AS_HELP_STRING([--enable-fuzzers], [build the libFuzzer targets t/fuzz/* (needs CC=clang)])],
  [], [enable_fuzzers=no])
fecrun_sanitizer_summary=$enable_sanitizer
AS_IF([test "x$enable_fuzzers$enable_sanitizer" = xyesno], [enable_sanitizer=address])
AS_CASE([$enable_sanitizer],
  [no], [SANITIZER_CFLAGS=],
  [address], [SANITIZER_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"],
  [thread], [SANITIZER_CFLAGS="-fsanitize=thread -fno-omit-frame-pointer"],
  [memory], [SANITIZER_CFLAGS="-fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer -DSANITIZED=1"],
  [AC_MSG_ERROR([--enable-sanitizer=$enable_sanitizer: must be address, thread or memory])])
AS_IF([test "x$enable_fuzzers" = xyes],
  [SANITIZER_CFLAGS="$SANITIZER_CFLAGS -fsanitize=fuzzer-no-link -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
   FUZZ_LDFLAGS=-fsanitize=fuzzer
   fecrun_sanitizer_summary="$enable_sanitizer, with libFuzzer targets"])
AS_IF([test -n "$SANITIZER_CFLAGS"],
  [fecrun_save_CFLAGS=$CFLAGS
   CFLAGS="$CFLAGS $SANITIZER_CFLAGS"
   AC_MSG_CHECKING([whether $CC links with $SANITIZER_CFLAGS])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
     [AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])
      AC_MSG_ERROR([$CC cannot build with $SANITIZER_CFLAGS (fuzzers need CC=clang and its runtime libraries)])])
   CFLAGS=$fecrun_save_CFLAGS])
# Kernels of CUDA as functions of the CPU, which take a third less to build with checks of memory that are calls.
EMULATE_SANITIZER_CFLAGS=$SANITIZER_CFLAGS
# Kernels share nothing between threads and are no targets of fuzzers: there they are only slow to build.
# So are the largest ones with checks of memory that are not calls.
AS_IF([test "x$enable_sanitizer$enable_fuzzers" = xaddressno],
  [SIMD_SANITIZER_CFLAGS=$SANITIZER_CFLAGS
   LARGE_SANITIZER_CFLAGS=$SANITIZER_CFLAGS
   fecrun_calls="--param asan-instrumentation-with-call-threshold=0"
   FECRUN_CC_FLAG([-fsanitize=address $fecrun_calls],
     [WIDE_SANITIZER_CFLAGS="-fsanitize=address $fecrun_calls -fno-omit-frame-pointer"
      LARGE_SANITIZER_CFLAGS="$SANITIZER_CFLAGS $fecrun_calls"
      EMULATE_SANITIZER_CFLAGS=$LARGE_SANITIZER_CFLAGS])])
# What an object without it writes would still count as never written.
AS_IF([test "x$enable_sanitizer" = xmemory],
  [SIMD_SANITIZER_CFLAGS=$SANITIZER_CFLAGS
   LARGE_SANITIZER_CFLAGS=$SANITIZER_CFLAGS
   WIDE_SANITIZER_CFLAGS=$SANITIZER_CFLAGS])
AC_SUBST([EMULATE_SANITIZER_CFLAGS])
AC_SUBST([SIMD_SANITIZER_CFLAGS])
AC_SUBST([LARGE_SANITIZER_CFLAGS])
AC_SUBST([WIDE_SANITIZER_CFLAGS])
AC_SUBST([SANITIZER], [$enable_sanitizer])
AC_SUBST([SANITIZER_CFLAGS])
AC_SUBST([FUZZ_LDFLAGS])
AM_CONDITIONAL([ENABLE_FUZZERS], [test "x$enable_fuzzers" = xyes])
])

# FECRUN_CXX: whether $CC takes C++, too: the kernels that a test runs on the CPU are templates.
AC_DEFUN([FECRUN_CXX],
[fecrun_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $SANITIZER_CFLAGS -x c++ -std=gnu++17 -fno-exceptions -fno-rtti"
AC_MSG_CHECKING([whether $CC compiles C++17])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[#include <utility>
template <int... I> int sum(std::integer_sequence<int, I...>) { return (I + ...); }
int main() { return sum(std::make_integer_sequence<int, 3>{}) - 3; }]])],
  [fecrun_have_cxx=yes],
  [fecrun_have_cxx=no])
CFLAGS=$fecrun_save_CFLAGS
AC_MSG_RESULT([$fecrun_have_cxx])
AM_CONDITIONAL([HAVE_CXX], [test "x$fecrun_have_cxx" = xyes])
])

# FECRUN_HARDENING: --disable-hardening -> HARDENING_CFLAGS, HARDENING_LDFLAGS. What costs nothing that
# can be measured: canaries, calls of libc with a checked size, and tables of addresses that are filled
# before main() and read-only from then on. Position independent programs are the compiler's default.
# Sanitizers check the same calls in their own way.
AC_DEFUN([FECRUN_HARDENING],
[AC_ARG_ENABLE([hardening],
  [AS_HELP_STRING([--disable-hardening],
    [neither -fstack-protector-strong nor _FORTIFY_SOURCE nor full RELRO])],
  [], [enable_hardening=yes])
fecrun_hardening_summary=no
AS_IF([test "x$enable_hardening" != xno && test -z "$SANITIZER_CFLAGS"],
  [fecrun_hardening_summary=
   for fecrun_flag in -fstack-protector-strong -D_FORTIFY_SOURCE=2
   do
     # Where the distribution's compiler, or the user, defines it already, that is what stays: defining
     # it again is a warning. So is defining it without optimization.
     FECRUN_CC_FLAG([$fecrun_flag -include stdio.h],
       [HARDENING_CFLAGS="$HARDENING_CFLAGS $fecrun_flag"
        fecrun_hardening_summary="$fecrun_hardening_summary $fecrun_flag"])
   done
   fecrun_save_LDFLAGS=$LDFLAGS
   LDFLAGS="$LDFLAGS -Wl,-z,relro,-z,now"
   AC_MSG_CHECKING([whether the linker knows -z relro and -z now])
   AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
     [HARDENING_LDFLAGS=-Wl,-z,relro,-z,now
      fecrun_hardening_summary="$fecrun_hardening_summary -z relro -z now"
      AC_MSG_RESULT([yes])],
     [AC_MSG_RESULT([no])])
   LDFLAGS=$fecrun_save_LDFLAGS])
AC_SUBST([HARDENING_CFLAGS])
AC_SUBST([HARDENING_LDFLAGS])
])
