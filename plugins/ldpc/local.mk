# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libldpc.la
%C%_libldpc_la_SOURCES = \
	%D%/alpha.c \
	%D%/carve.h \
	%D%/code.c %D%/code.h \
	%D%/code_build.h \
	%D%/code_dvbs2.c \
	%D%/code_nr.c \
	%D%/code_params.c %D%/code_params.h \
	%D%/code_wifi_wimax.c \
	%D%/cuda_document.c %D%/cuda_document.h \
	%D%/cuda_document_arith.h \
	%D%/cuda_document_backend.c \
	%D%/cuda_document_group.h \
	%D%/cuda_document_kernel.h \
	%D%/cuda_document_launch.h \
	%D%/cuda_document_plan.c \
	%D%/cuda_document_row.h \
	%D%/cuda_fast.c %D%/cuda_fast.h \
	%D%/cuda_fast_plan.c \
	%D%/decode.c %D%/decode.h \
	%D%/decode_fixed.c %D%/decode_fixed.h \
	%D%/decode_ref.c \
	%D%/decode_simd.c %D%/decode_simd.h \
	%D%/decode_simd_along.h \
	%D%/decode_simd_generic.c \
	%D%/decode_simd_plan.c \
	%D%/decode_simd_row.h \
	%D%/decode_simd_side.h \
	%D%/dvbs2_tables.c \
	%D%/encode.c %D%/encode.h \
	%D%/encode_cuda.c %D%/encode_cuda.h %D%/encode_device.h \
	%D%/encode_dvbs2.c \
	%D%/encode_general.c \
	%D%/encode_lifted.c \
	%D%/encode_plan.c \
	%D%/encode_steps.c \
	%D%/encode_words.h \
	%D%/erasures.c %D%/erasures.h \
	%D%/frames_cuda.c %D%/frames_cuda.h %D%/frames_device.h \
	%D%/harq.c %D%/harq.h \
	%D%/ldpc.c %D%/ldpc.h \
	%D%/nr_bg1.inc %D%/nr_bg2.inc %D%/nr_tables.c \
	%D%/rate.c %D%/rate.h \
	%D%/rate_cuda.c %D%/rate_cuda.h %D%/rate_device.h \
	%D%/rate_match.c \
	%D%/rate_params.h \
	%D%/rate_recover.c \
	%D%/rate_runs.h \
	%D%/read_alist.c \
	%D%/read_qc.c \
	%D%/read_text.c %D%/read_text.h \
	%D%/schedule.c \
	%D%/solve.c \
	%D%/solve_dense.c %D%/solve_dense.h \
	%D%/solve_peel.c %D%/solve_peel.h \
	%D%/tables.h \
	%D%/wifi_tables.c \
	%D%/wimax_tables.c
%C%_libldpc_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libldpc_la_LIBADD = plugins/chain/libfiles.la %D%/libldpc-avx2.la %D%/libldpc-avx512.la \
	%D%/libldpc-vbmi.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
ldpc_kernels = \
	%D%/cuda_document_half.cu \
	%D%/cuda_document_i16.cu \
	%D%/cuda_fast_bg1.cu \
	%D%/cuda_fast_bg1_fixed.cu \
	%D%/cuda_fast_bg2.cu \
	%D%/cuda_fast_bg2_fixed.cu \
	%D%/encode_kernels.cu \
	%D%/rate_kernels.cu
EXTRA_DIST += $(ldpc_kernels) %D%/cuda_document.cuh %D%/cuda_fast_graph.cuh \
	%D%/cuda_fast_kernel.cuh %D%/cuda_fast_ptx.cuh %D%/cuda_fast_row.cuh
if HAVE_CUDA
%C%_libldpc_la_LIBADD += $(ldpc_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libldpc-avx2.la %D%/libldpc-avx512.la %D%/libldpc-vbmi.la
%C%_libldpc_avx2_la_SOURCES = %D%/decode_simd_avx2.c
%C%_libldpc_avx2_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libldpc_avx2_la_CFLAGS = $(AM_CFLAGS) $(AVX2_CFLAGS)
%C%_libldpc_avx512_la_SOURCES = %D%/decode_simd_avx512.c
%C%_libldpc_avx512_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
%C%_libldpc_avx512_la_CFLAGS = $(AM_CFLAGS) $(AVX512_CFLAGS)
%C%_libldpc_vbmi_la_SOURCES = %D%/decode_simd_avx512.c
%C%_libldpc_vbmi_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) -DLDPC_VBMI
%C%_libldpc_vbmi_la_CFLAGS = $(AM_CFLAGS) $(VBMI_CFLAGS)

pluginexec_LTLIBRARIES += %D%/ldpc.la
%C%_ldpc_la_SOURCES =
%C%_ldpc_la_LIBADD = %D%/libldpc.la $(PLUGIN_LIBS)
%C%_ldpc_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/1/ldpc.so
lib/fecrun/1/ldpc.so: %D%/ldpc.la
	$(COPY_PLUGIN)
