# SPDX-License-Identifier: BSD-2-Clause
# Interleavers, scramblers, hard decisions, frames.
shell_tests += \
	%D%/interleave.t \
	%D%/scramble.t \
	%D%/sync.t
