# SPDX-License-Identifier: BSD-2-Clause
# FECRUN_MPI: finds and tries Open MPI. Sets the conditional HAVE_MPI, MPICC, MPI_CFLAGS, MPI_LIBS and, in
# words, fecrun_mpi_summary.
AC_DEFUN([FECRUN_MPI],
[AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--with-mpi],
    [one run over the processes of an MPI job, by Open MPI @<:@default: if mpicc is found@:>@])],
  [], [with_mpi=auto])
AC_ARG_VAR([MPICC], [Open MPI's compiler wrapper])

fecrun_have_mpi=no
fecrun_mpi_why=--without-mpi
AS_CASE([$with_mpi,$enable_sanitizer], [auto,no|auto,], [],
  [auto,*], [with_mpi=no
    fecrun_mpi_why="MPI's own leaks and races are not ours to mend"])
AS_IF([test "x$with_mpi" != xno],
  [AC_PATH_PROG([MPICC], [mpicc])
   fecrun_mpi_why="mpicc not found"
   AS_IF([test -n "$MPICC"], [_FECRUN_MPI_TRY])])
AS_IF([test "x$fecrun_have_mpi" = xyes],
  [fecrun_mpi_summary="Open MPI $fecrun_mpi_version"],
  [AS_CASE([$with_mpi], [no|auto], [],
     [AC_MSG_ERROR([--with-mpi was given, but $fecrun_mpi_why])])
   fecrun_mpi_summary="no ($fecrun_mpi_why): one process a run"])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AM_CONDITIONAL([HAVE_MPI], [test "x$fecrun_have_mpi" = xyes])
])

# Other wrappers do not know --showme; other MPIs end with the first process that dies.
AC_DEFUN([_FECRUN_MPI_TRY],
[fecrun_mpi_why="$MPICC is not Open MPI's, or cannot compile"
MPI_CFLAGS=`"$MPICC" --showme:compile 2>/dev/null` &&
  MPI_LIBS=`"$MPICC" --showme:link 2>/dev/null` &&
  fecrun_mpi_version=`"$MPICC" --showme:version 2>/dev/null | sed 's/.*Open MPI \(@<:@0-9.@:>@*\).*/\1/'`
fecrun_save_CPPFLAGS=$CPPFLAGS
fecrun_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
LIBS="$LIBS $MPI_LIBS"
AC_MSG_CHECKING([whether $MPICC works])
AC_LINK_IFELSE([AC_LANG_PROGRAM([@%:@include <mpi.h>
@%:@ifndef OPEN_MPI
@%:@error another MPI
@%:@endif], [MPI_Finalize();])], [fecrun_have_mpi=yes])
AC_MSG_RESULT([$fecrun_have_mpi])
CPPFLAGS=$fecrun_save_CPPFLAGS
LIBS=$fecrun_save_LIBS
])
