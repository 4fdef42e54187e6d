# SPDX-License-Identifier: BSD-2-Clause
# Helpers for plugins: one list, built twice, as an archive to install and as a libtool library for
# the plugins of this tree. Hidden symbols, position independent.
sdk_headers = \
	%D%/bits.h \
	%D%/carve.h \
	%D%/cuda.h \
	%D%/device.h \
	%D%/facts.h \
	%D%/gauss.h \
	%D%/grid.cuh \
	%D%/mask.h \
	%D%/params.h \
	%D%/read.h \
	%D%/replace.h \
	%D%/rng.h \
	%D%/sample.h \
	%D%/simd.h \
	%D%/stage.h \
	%D%/stats.h \
	%D%/thread.h \
	%D%/write.h
sdk_sources = \
	%D%/bits.c \
	%D%/gauss.c \
	%D%/read.c \
	%D%/replace.c \
	%D%/rng.c \
	%D%/sample.c \
	%D%/simd.c \
	%D%/stats.c \
	%D%/thread.c \
	%D%/write.c

lib_LIBRARIES += %D%/libfecrun-sdk.a
%C%_libfecrun_sdk_a_SOURCES = $(sdk_sources)
%C%_libfecrun_sdk_a_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libfecrun_sdk_a_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) -fPIC

noinst_LTLIBRARIES += %D%/libsdk.la
%C%_libsdk_la_SOURCES = $(sdk_sources)
%C%_libsdk_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libsdk_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)

sdkincludedir = $(includedir)/fecrun/sdk
sdkinclude_HEADERS = $(sdk_headers)
