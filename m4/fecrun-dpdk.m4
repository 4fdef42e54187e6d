# SPDX-License-Identifier: BSD-2-Clause
# FECRUN_DPDK: finds DPDK for the bbdev driver. Sets the conditional HAVE_DPDK, DPDK_CFLAGS, DPDK_LIBS,
# dpdkpmddir and, in words, fecrun_dpdk_summary.
AC_DEFUN([FECRUN_DPDK],
[AC_ARG_WITH([dpdk],
  [AS_HELP_STRING([--with-dpdk],
    [a driver for DPDK's bbdev, which loads it @<:@default: if libdpdk 22.11 or newer is found@:>@])],
  [], [with_dpdk=auto])
AC_ARG_VAR([DPDK_PMDDIR],
  [where `make install` puts the driver @<:@LIBDIR/dpdk/pmds-ABI, where DPDK of that prefix looks@:>@])

fecrun_have_dpdk=no
fecrun_dpdk_why=--without-dpdk
AS_IF([test "x$with_dpdk" != xno],
  [fecrun_dpdk_why="libdpdk >= 22.11 not found by $PKG_CONFIG"
   PKG_CHECK_EXISTS([libdpdk >= 22.11], [_FECRUN_DPDK_TRY])])
AS_IF([test "x$fecrun_have_dpdk" = xyes],
  [fecrun_dpdk_summary="$fecrun_dpdk_version, drivers' ABI $fecrun_dpdk_abi"],
  [AS_CASE([$with_dpdk], [no|auto], [],
     [AC_MSG_ERROR([--with-dpdk was given, but $fecrun_dpdk_why])])
   fecrun_dpdk_summary="no ($fecrun_dpdk_why): no bbdev driver"])
AC_SUBST([DPDK_CFLAGS])
AC_SUBST([DPDK_LIBS])
AC_SUBST([dpdkpmddir])
AM_CONDITIONAL([HAVE_DPDK], [test "x$fecrun_have_dpdk" = xyes])
])

# DPDK's headers are not free of warnings: they are taken as the system's. Only what is used is linked.
AC_DEFUN([_FECRUN_DPDK_TRY],
[fecrun_dpdk_why="libdpdk does not compile and link (see config.log)"
fecrun_dpdk_version=`$PKG_CONFIG --modversion libdpdk`
DPDK_CFLAGS=`$PKG_CONFIG --cflags libdpdk | sed 's/-I *\//-isystem \//g'`
DPDK_LIBS="`$PKG_CONFIG --libs-only-L libdpdk` -lrte_bus_vdev -lrte_bbdev -lrte_kvargs -lrte_mempool -lrte_mbuf -lrte_ring -lrte_eal"
fecrun_save_CPPFLAGS=$CPPFLAGS
fecrun_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $DPDK_CFLAGS"
LIBS="$LIBS $DPDK_LIBS"
AC_CHECK_HEADERS([bus_vdev_driver.h], [], [], [@%:@include <rte_common.h>])
AC_MSG_CHECKING([whether a bbdev driver can be made])
AC_LINK_IFELSE([AC_LANG_PROGRAM([@%:@include <rte_bbdev_pmd.h>
@%:@include <rte_bus_vdev.h>
void rte_vdev_register(void *driver);],
  [return rte_bbdev_allocate("") != 0 || (rte_vdev_register(0), 0);])], [fecrun_have_dpdk=yes])
AC_MSG_RESULT([$fecrun_have_dpdk])
CPPFLAGS=$fecrun_save_CPPFLAGS
LIBS=$fecrun_save_LIBS
# The ABI's number is in the names of DPDK's libraries.
fecrun_dpdk_abi=`for f in \`$PKG_CONFIG --variable=libdir libdpdk\`/librte_eal.so.*.*; do
    echo "${f##*.so.}"
  done | head -n 1`
dpdkpmddir=${DPDK_PMDDIR:-'${libdir}'/dpdk/pmds-$fecrun_dpdk_abi}
])
