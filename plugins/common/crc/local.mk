# SPDX-License-Identifier: BSD-2-Clause
# Cyclic redundancy checks: their names, and sums.
noinst_LTLIBRARIES += %D%/libcrc.la
%C%_libcrc_la_SOURCES = %D%/crc.c %D%/crc.h
%C%_libcrc_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
