# SPDX-License-Identifier: BSD-2-Clause
# Interleavers, scramblers, hard decisions, frames.
check_PROGRAMS += \
	%D%/test_cuda
%C%_test_cuda_LDADD = plugins/frame/libframe.la $(LDADD)
shell_tests += \
	%D%/interleave.t \
	%D%/join.t \
	%D%/known.t %D%/split.t \
	%D%/scramble.t \
	%D%/sync.t %D%/wrong.t
