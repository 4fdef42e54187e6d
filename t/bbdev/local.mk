# SPDX-License-Identifier: BSD-2-Clause
# The driver for DPDK's bbdev: DPDK's own test program and vectors, and operations that it does not send.
shell_tests += \
	%D%/modes.t \
	%D%/vectors.t
EXTRA_DIST += %D%/dpdk.sh %D%/device.h %D%/operations.h
bbdev_thread_programs =
if HAVE_DPDK
bbdev_thread_programs += %D%/test_many %D%/test_queues
check_PROGRAMS += \
	%D%/test_buffer \
	%D%/test_impossible \
	%D%/test_many \
	%D%/test_operations \
	%D%/test_queues
# The driver is in an archive there: it registers itself, and nothing else asks for it.
bbdev_driver = -Wl,--undefined=bbdev_driver
%C%_test_buffer_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_test_buffer_CFLAGS = $(AM_CFLAGS) -std=gnu11
%C%_test_buffer_LDADD = tools/bbdev/libbbdev.la
%C%_test_impossible_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_test_impossible_CFLAGS = $(AM_CFLAGS) -std=gnu11
%C%_test_impossible_LDFLAGS = $(bbdev_driver)
%C%_test_impossible_LDADD = tools/bbdev/libbbdev.la
%C%_test_many_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_test_many_CFLAGS = $(AM_CFLAGS) -std=gnu11
%C%_test_many_LDFLAGS = $(bbdev_driver)
%C%_test_many_LDADD = tools/bbdev/libbbdev.la
%C%_test_operations_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_test_operations_CFLAGS = $(AM_CFLAGS) -std=gnu11
%C%_test_operations_LDFLAGS = $(bbdev_driver)
%C%_test_operations_LDADD = tools/bbdev/libbbdev.la
%C%_test_queues_CPPFLAGS = $(AM_CPPFLAGS) $(DPDK_CFLAGS)
%C%_test_queues_CFLAGS = $(AM_CFLAGS) -std=gnu11
%C%_test_queues_LDFLAGS = $(bbdev_driver)
%C%_test_queues_LDADD = tools/bbdev/libbbdev.la
endif
check-bbdev: all
	$(MAKE) $(AM_MAKEFLAGS) check check_PROGRAMS='$(filter %D%/%,$(check_PROGRAMS))' \
	    TESTS='$(filter %D%/%,$(check_PROGRAMS)) %D%/modes.t %D%/vectors.t'
.PHONY: check-bbdev
