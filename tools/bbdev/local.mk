# SPDX-License-Identifier: BSD-2-Clause
# A driver for DPDK's bbdev, in an object of its own that DPDK loads. Tests link it, too.
bbdev_sources = \
	%D%/buffer.c %D%/buffer.h \
	%D%/split.h \
	%D%/capabilities.c %D%/capabilities.h \
	%D%/class.c %D%/class.h \
	%D%/driver.c \
	%D%/ldpc.c \
	%D%/pipeline.c \
	%D%/queue.c %D%/queue.h \
	%D%/ring.h \
	%D%/turbo.c \
	%D%/vdev.h \
	%D%/work.c %D%/work.h
EXTRA_DIST += $(bbdev_sources) %D%/buffer_avx512.c
if HAVE_DPDK
noinst_LTLIBRARIES += %D%/libbbdev.la %D%/libbbdev-avx512.la
%C%_libbbdev_avx512_la_SOURCES = %D%/buffer_avx512.c
%C%_libbbdev_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_libbbdev_avx512_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) $(AVX512_CFLAGS) -std=gnu11
%C%_libbbdev_la_SOURCES = $(bbdev_sources)
%C%_libbbdev_la_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_libbbdev_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) -std=gnu11
%C%_libbbdev_la_LIBADD = run/libfecrun.la %D%/libbbdev-avx512.la $(DPDK_LIBS)

dpdkpmd_LTLIBRARIES += %D%/librte_baseband_fecrun.la
%C%_librte_baseband_fecrun_la_SOURCES =
%C%_librte_baseband_fecrun_la_LIBADD = %D%/libbbdev.la
%C%_librte_baseband_fecrun_la_LDFLAGS = -module -avoid-version -shared $(NO_UNDEFINED)
endif
