# SPDX-License-Identifier: BSD-2-Clause
# Pipelines and scripts that make the performance report, and the report: distributed, not installed.
EXTRA_DIST += \
	%D%/REPORT.md %D%/MAP.md \
	%D%/beside_sionna.py \
	%D%/bits.yaml \
	%D%/cpu.sh \
	%D%/cpu_time.c \
	%D%/files-cpu.sh \
	%D%/fleet.c \
	%D%/frames.yaml \
	%D%/holds.sh \
	%D%/journal.sh \
	%D%/ldpc-block.yaml \
	%D%/ldpc-alpha.sh \
	%D%/ldpc-codes-cpu.sh \
	%D%/ldpc-cpu.sh \
	%D%/ldpc-cuda.sh \
	%D%/ldpc-curves.sh \
	%D%/ldpc-multiuser.yaml \
	%D%/ldpc-rows.sh \
	%D%/ldpc-stop-cpu.sh \
	%D%/ldpc-nr.yaml \
	%D%/ldpc.sh \
	%D%/lib.sh \
	%D%/libfec.c \
	%D%/libfec.sh \
	%D%/links-cpu.sh \
	%D%/links-cuda.sh \
	%D%/links-files.sh \
	%D%/overhead.sh \
	%D%/overhead.yaml \
	%D%/peer_libfec.c \
	%D%/polar-bp.sh \
	%D%/polar-cpu.sh \
	%D%/polar-cuda.sh \
	%D%/polar-curves.sh \
	%D%/polar.yaml \
	%D%/ranks.sh \
	%D%/scaling.c \
	%D%/scaling.sh \
	%D%/python_call.py \
	%D%/soak.sh \
	%D%/turbo-cpu.sh \
	%D%/turbo-cuda.sh \
	%D%/turbo-crc.yaml \
	%D%/turbo-curves.sh \
	%D%/turbo-mixed.yaml \
	%D%/turbo-studies.sh \
	%D%/turbo.yaml \
	%D%/turbo_fading.py \
	%D%/viterbi-cpu.sh \
	%D%/viterbi-cuda-34.yaml \
	%D%/viterbi-cuda-fast.yaml \
	%D%/viterbi-cuda-fine.yaml \
	%D%/viterbi-cuda-frame.yaml \
	%D%/viterbi-cuda-i4.yaml \
	%D%/viterbi-cuda-k9.yaml \
	%D%/viterbi-cuda-tail.yaml \
	%D%/viterbi-cuda-third.yaml \
	%D%/viterbi-cuda.sh \
	%D%/viterbi-document-punctured.yaml \
	%D%/viterbi-document.sh \
	%D%/viterbi-document.yaml \
	%D%/viterbi-k7.yaml

include %D%/map/local.mk
