# SPDX-License-Identifier: BSD-2-Clause
# FECRUN_CUDA: finds and tries nvcc. Sets the conditional HAVE_CUDA, NVCC, NVCCFLAGS, CUDA_ARCH_FLAGS, CUDA_86_FLAGS,
# CUDA_MACHINE_FLAGS, CUDA_SMALL_FLAGS, CUDA_CPPFLAGS, CUDA_LIBS and, in words, fecrun_cuda_summary; makes
# include/cuda_defs.h.
#
# The oldest release is 12.0: the first with the intrinsics of sm_90. Kernels take minutes to compile:
# only who has a device or asks gets them.
AC_DEFUN([FECRUN_CUDA],
[AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR|auto@:>@],
    [CUDA, with the toolkit in DIR or nvcc from PATH; auto: if nvcc is found
     @<:@default: if nvcc and a device are found@:>@])],
  [], [with_cuda=device])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST],
    [GPU targets, as nvcc names them, separated by commas @<:@sm_80,sm_90,compute_90@:>@])],
  [], [with_cuda_arch=sm_80,sm_90,compute_90])
AC_ARG_VAR([NVCC], [the CUDA compiler])
AC_ARG_VAR([NVCCFLAGS], [CUDA compiler flags])
: ${NVCCFLAGS="-O3"}

fecrun_have_cuda=no
fecrun_cuda_why=
AS_CASE([$with_cuda],
  [no], [fecrun_cuda_why="--without-cuda"],
  [device|auto|yes], [fecrun_cuda_path=$PATH:/usr/local/cuda/bin],
  [fecrun_cuda_path=$with_cuda/bin])
AS_CASE([$with_cuda_arch], [yes|no|''],
  [AC_MSG_ERROR([--with-cuda-arch needs a list such as sm_80,sm_90,compute_90])])

AS_IF([test "x$with_cuda" != xno],
  [AC_PATH_PROG([NVCC], [nvcc], [], [$fecrun_cuda_path])
   AS_IF([test -z "$NVCC"], [fecrun_cuda_why="nvcc not found"],
     [AS_IF([test "x$with_cuda" = xdevice], [_FECRUN_CUDA_DEVICE])
      AS_IF([test -z "$fecrun_cuda_why"], [_FECRUN_CUDA_TRY])])])
AS_IF([test "x$fecrun_have_cuda" = xyes],
  [fecrun_cuda_summary="nvcc $fecrun_cuda_version for $with_cuda_arch"],
  [AS_CASE([$with_cuda], [no|device|auto], [],
     [AC_MSG_ERROR([--with-cuda was given, but $fecrun_cuda_why])])
   fecrun_cuda_summary="no ($fecrun_cuda_why): CPU backends only"])
AC_SUBST([CUDA_ARCH_FLAGS])
AC_SUBST([CUDA_86_FLAGS])
AC_SUBST([CUDA_MACHINE_FLAGS])
AC_SUBST([CUDA_SMALL_FLAGS])
AC_SUBST([CUDA_CPPFLAGS])
AC_SUBST([CUDA_LIBS])
AM_CONDITIONAL([HAVE_CUDA], [test "x$fecrun_have_cuda" = xyes])
# What files of plugins learn: that there is CUDA, or why not. In a header and not among the flags, so
# that make compiles them again, and nothing else, when another configure says otherwise.
AS_IF([test "x$fecrun_have_cuda" = xyes],
  [fecrun_cuda_define="CUDA 1" fecrun_cuda_code=$with_cuda_arch],
  [fecrun_cuda_define="CUDA_MISSING \"$fecrun_cuda_why\""])
AC_CONFIG_COMMANDS([cuda-defs],
  [AS_MKDIR_P([include])
   AS_ECHO(["@%:@define FECRUN_$fecrun_cuda_define"]) >include/cuda_defs.tmp
   AS_IF([test -n "$fecrun_cuda_code"],
     [AS_ECHO(["@%:@define FECRUN_CUDA_CODE \"$fecrun_cuda_code\""]) >>include/cuda_defs.tmp
      AS_ECHO(["@%:@define FECRUN_CUDA_MACHINE_CODE \"$fecrun_cuda_machine\""]) >>include/cuda_defs.tmp])
   AS_IF([cmp -s include/cuda_defs.tmp include/cuda_defs.h],
     [rm -f include/cuda_defs.tmp],
     [mv -f include/cuda_defs.tmp include/cuda_defs.h])],
  [fecrun_cuda_define='$fecrun_cuda_define' fecrun_cuda_code='$fecrun_cuda_code' fecrun_cuda_machine='$fecrun_cuda_machine'])
])

# /dev/dxg: a device of Windows, as its Linux sees it.
AC_DEFUN([_FECRUN_CUDA_DEVICE],
[AC_MSG_CHECKING([for a CUDA device])
AS_IF([test -e /dev/nvidia0 || test -e /dev/dxg || nvidia-smi -L 2>/dev/null | grep '^GPU' >/dev/null],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   fecrun_cuda_why="no device was there; configure --with-cuda needs none"])
])

# Version, targets, then a kernel compiled and a program linked.
AC_DEFUN([_FECRUN_CUDA_TRY],
[AC_MSG_CHECKING([the version of $NVCC])
fecrun_cuda_version=`"$NVCC" --version 2>&AS_MESSAGE_LOG_FD | sed -n 's/^.*release \(@<:@0-9.@:>@*\).*/\1/p'`
AC_MSG_RESULT([${fecrun_cuda_version:-none}])
AS_VERSION_COMPARE([${fecrun_cuda_version:-0}], [12.0],
  [fecrun_cuda_why="nvcc ${fecrun_cuda_version:-of unknown version} is older than 12.0"])

for fecrun_arch in `AS_ECHO(["$with_cuda_arch"]) | tr ',' ' '`
do
  AS_CASE([$fecrun_arch],
    [sm_*], [fecrun_cc=compute_`AS_ECHO(["$fecrun_arch"]) | sed 's/^sm_//'`],
    [compute_*], [fecrun_cc=$fecrun_arch],
    [AC_MSG_ERROR([--with-cuda-arch: $fecrun_arch: must be sm_NN (machine code) or compute_NN (PTX)])])
  CUDA_ARCH_FLAGS="$CUDA_ARCH_FLAGS -gencode arch=$fecrun_cc,code=$fecrun_arch"
done

# Kernels that can also be compiled when they are used have no PTX, if there is machine code of 9.0 or later: newer
# devices compile them.
AS_CASE([,$with_cuda_arch],
  [*,sm_9*|*,sm_1@<:@0-9@:>@*],
    [fecrun_cuda_machine=
     for fecrun_arch in `AS_ECHO(["$with_cuda_arch"]) | tr ',' ' '`
     do
       AS_CASE([$fecrun_arch], [sm_*],
         [fecrun_cuda_machine="$fecrun_cuda_machine${fecrun_cuda_machine:+,}$fecrun_arch"
          CUDA_MACHINE_FLAGS="$CUDA_MACHINE_FLAGS -gencode arch=compute_`AS_ECHO(["$fecrun_arch"]) | sed 's/^sm_//'`,code=$fecrun_arch"])
     done],
  [fecrun_cuda_machine=$with_cuda_arch CUDA_MACHINE_FLAGS=$CUDA_ARCH_FLAGS])

# Kernels for 99 KiB of shared memory and less: devices of 9.0 and 10.0 take others. Their machine code is left out
# where PTX is there, with which tests run them.
AS_CASE([$with_cuda_arch],
  [*compute_*], [fecrun_large=sm], [fecrun_large=none])
for fecrun_arch in `AS_ECHO(["$with_cuda_arch"]) | tr ',' ' '`
do
  AS_CASE([$fecrun_large:$fecrun_arch],
    [sm*:sm_9*|sm*:sm_10*], [],
    [fecrun_cc=`AS_ECHO(["$fecrun_arch"]) | sed 's/^@<:@a-z@:>@*_//'`
     CUDA_SMALL_FLAGS="$CUDA_SMALL_FLAGS -gencode arch=compute_$fecrun_cc,code=$fecrun_arch"])
done

# A fifth smaller than nvcc compresses by itself. The drivers of CUDA 13 read it, and this nvcc needs one of them.
AS_VERSION_COMPARE([${fecrun_cuda_version:-0}], [13.0],
  [fecrun_cuda_compress=], [fecrun_cuda_compress=" --compress-mode=size"], [fecrun_cuda_compress=" --compress-mode=size"])
CUDA_ARCH_FLAGS="$CUDA_ARCH_FLAGS$fecrun_cuda_compress"
CUDA_MACHINE_FLAGS="$CUDA_MACHINE_FLAGS$fecrun_cuda_compress"
CUDA_SMALL_FLAGS="$CUDA_SMALL_FLAGS$fecrun_cuda_compress"

# What uses an instruction of 8.6 needs code for it where there is code of 8.0, which 8.6 and 8.9 run, too.
AS_CASE([",$with_cuda_arch,"],
  [*,sm_86,*], [],
  [*,sm_80,*], [CUDA_86_FLAGS="-gencode arch=compute_86,code=sm_86"])

AS_IF([test -z "$fecrun_cuda_why"], [_FECRUN_CUDA_COMPILE])
])

AC_DEFUN([_FECRUN_CUDA_COMPILE],
[AC_MSG_CHECKING([whether nvcc compiles for $with_cuda_arch])
AS_ECHO(["__global__ void k(int *p) { *p = 1; }"]) >conftest.cu
AS_IF(["$NVCC" $CUDA_ARCH_FLAGS -c -o conftest.$ac_objext conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
  [AC_MSG_RESULT([yes])
   _FECRUN_CUDA_LINK],
  [AC_MSG_RESULT([no])
   fecrun_cuda_why="nvcc $fecrun_cuda_version cannot compile for $with_cuda_arch (see config.log)"])
rm -f conftest.cu conftest.$ac_objext
])

# nvcc itself says where its toolkit is, also through a wrapper script.
AC_DEFUN([_FECRUN_CUDA_LINK],
[fecrun_cuda_top=`"$NVCC" --dryrun -c conftest.cu 2>&1 | sed -n 's/^#\\$ TOP=//p'`
AS_IF([test -f "$fecrun_cuda_top/include/cuda_runtime_api.h"],
  [CUDA_CPPFLAGS="-I`cd "$fecrun_cuda_top" && pwd`/include"])
for fecrun_dir in lib64 lib
do
  AS_IF([test -f "$fecrun_cuda_top/$fecrun_dir/libcudart_static.a"],
    [CUDA_LIBS="-L`cd "$fecrun_cuda_top/$fecrun_dir" && pwd`"
     break])
done
CUDA_LIBS="$CUDA_LIBS -lcudart_static -ldl -lrt -lpthread"
fecrun_save_CPPFLAGS=$CPPFLAGS
fecrun_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS"
LIBS="$CUDA_LIBS $LIBS"
AC_MSG_CHECKING([whether the static CUDA runtime links])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <cuda_runtime_api.h>]],
    [[int n = 0; return (int)cudaGetDeviceCount(&n);]])],
  [AC_MSG_RESULT([yes])
   fecrun_have_cuda=yes],
  [AC_MSG_RESULT([no])
   fecrun_cuda_why="the static CUDA runtime of nvcc $fecrun_cuda_version does not link (see config.log)"])
CPPFLAGS=$fecrun_save_CPPFLAGS
LIBS=$fecrun_save_LIBS
])
