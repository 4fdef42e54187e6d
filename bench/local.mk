# SPDX-License-Identifier: BSD-2-Clause
# Pipelines and scripts that make the performance report, and the report: distributed, not installed.
EXTRA_DIST += \
	%D%/REPORT.md \
	%D%/bits.yaml \
	%D%/frames.yaml \
	%D%/overhead.sh \
	%D%/overhead.yaml \
	%D%/peer_libfec.c \
	%D%/viterbi-cpu.sh \
	%D%/viterbi-k7.yaml
