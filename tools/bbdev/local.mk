# SPDX-License-Identifier: BSD-2-Clause
# A driver for DPDK's bbdev, in an object of its own that DPDK loads. Tests link it, too.
bbdev_sources = \
	%D%/buffer.c %D%/buffer.h \
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
EXTRA_DIST += $(bbdev_sources)
if HAVE_DPDK
noinst_LTLIBRARIES += %D%/libbbdev.la
%C%_libbbdev_la_SOURCES = $(bbdev_sources)
%C%_libbbdev_la_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_libbbdev_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS) -std=gnu11
%C%_libbbdev_la_LIBADD = run/libfecrun.la $(DPDK_LIBS)

dpdkpmd_LTLIBRARIES += %D%/librte_baseband_fecrun.la
%C%_librte_baseband_fecrun_la_SOURCES =
%C%_librte_baseband_fecrun_la_LIBADD = %D%/libbbdev.la
%C%_librte_baseband_fecrun_la_LDFLAGS = -module -avoid-version -shared $(NO_UNDEFINED)
endif
