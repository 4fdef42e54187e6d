# SPDX-License-Identifier: BSD-2-Clause
# A stage in front of the one that absorbs it.
noinst_LTLIBRARIES += %D%/libabsorbed.la
%C%_libabsorbed_la_SOURCES = %D%/absorbed.c %D%/absorbed.h
%C%_libabsorbed_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
