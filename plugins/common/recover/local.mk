# SPDX-License-Identifier: BSD-2-Clause
# What the rate recovery of all families shares.
noinst_LTLIBRARIES += %D%/librecover.la
%C%_librecover_la_SOURCES = %D%/clean.h %D%/recover.c %D%/recover.h
%C%_librecover_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_librecover_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_librecover_la_LIBADD = plugins/common/files/libfiles.la
