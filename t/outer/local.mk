# SPDX-License-Identifier: BSD-2-Clause
# Outer codes: Reed-Solomon and BCH.
check_PROGRAMS += \
	%D%/test_bch \
	%D%/test_cuda \
	%D%/test_rs
%C%_test_bch_LDADD = plugins/outer/libouter.la $(LDADD)
%C%_test_cuda_LDADD = plugins/outer/libouter.la $(LDADD)
%C%_test_rs_LDADD = plugins/outer/libouter.la $(LDADD)
shell_tests += \
	%D%/ends.t \
	%D%/errors.t \
	%D%/links.t \
	%D%/side.t
EXTRA_DIST += \
	%D%/stage.h
