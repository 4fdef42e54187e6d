# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libturbo.la
%C%_libturbo_la_SOURCES = \
	%D%/code/apriori.h \
	%D%/code/family.c %D%/code/family.h \
	%D%/code/interleaver.c %D%/code/interleaver.h \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/qpp.c %D%/code/qpp.h \
	%D%/code/subblock.h \
	%D%/code/trellis.h \
	%D%/code/umts.c \
	%D%/cuda/decode.c \
	%D%/cuda/device.c %D%/cuda/device.h \
	%D%/cuda/document/backend.c \
	%D%/cuda/document/plan.h \
	%D%/cuda/document/thread.h \
	%D%/cuda/encode/backend.c \
	%D%/cuda/encode/block.h \
	%D%/cuda/encode/launch.h \
	%D%/cuda/rate/backend.c \
	%D%/cuda/rate/launch.h \
	%D%/cuda/rate/block.h \
	%D%/cuda/single/plan.h \
	%D%/cuda/windows/launch.c \
	%D%/cuda/windows/plan.c %D%/cuda/windows/plan.h \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c %D%/encode.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/rate/params.h \
	%D%/rate/rate.c %D%/rate/rate.h \
	%D%/rate_match.c \
	%D%/rate_recover.c \
	%D%/ref/decode.c \
	%D%/simd/bytes.h \
	%D%/simd/decode.c \
	%D%/simd/floats.c \
	%D%/simd/frames.h \
	%D%/simd/gain.c \
	%D%/simd/generic.c %D%/simd/generic.h %D%/simd/generic_words.c \
	%D%/simd/kernel.h %D%/simd/kernel_many.h \
	%D%/simd/rows.c \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/single_half.h \
	%D%/simd/single.c %D%/simd/single.h \
	%D%/simd/single_bytes.c %D%/simd/single_bytes.h \
	%D%/simd/single_bytes_half.h %D%/simd/single_bytes_order.h \
	%D%/simd/soft.c \
	%D%/simd/words.h
%C%_libturbo_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libturbo_la_LIBADD = plugins/common/crc/libcrc.la plugins/common/recover/librecover.la plugins/common/absorbed/libabsorbed.la plugins/common/gpu/libgpu.la %D%/libturbo-avx2.la %D%/libturbo-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
turbo_kernels = \
	%D%/cuda/document/kernels.cu \
	%D%/cuda/encode/kernels.cu \
	%D%/cuda/rate/kernels.cu \
	%D%/cuda/single/columns_32.cu \
	%D%/cuda/single/launch.cu \
	%D%/cuda/windows/deal.cu \
	%D%/cuda/windows/kernels/all.cu \
	%D%/cuda/windows/kernels/crc.cu \
	%D%/cuda/windows/kernels/llr.cu \
	%D%/cuda/windows/kernels/log_all.cu \
	%D%/cuda/windows/kernels/log_crc.cu \
	%D%/cuda/windows/kernels/log_llr.cu \
	%D%/cuda/windows/kernels/log_soft.cu \
	%D%/cuda/windows/kernels/slim.cu \
	%D%/cuda/windows/kernels/slimmest.cu \
	%D%/cuda/windows/kernels/soft.cu \
	%D%/cuda/windows/kernels/wide.cu
EXTRA_DIST += $(turbo_kernels) \
	%D%/cuda/single/frame.cuh \
	%D%/cuda/single/kernel.cuh \
	%D%/cuda/windows/acs.cuh \
	%D%/cuda/windows/frame.cuh \
	%D%/cuda/windows/half_iteration.cuh \
	%D%/cuda/windows/kernel.cuh \
	%D%/cuda/windows/logmap.cuh \
	%D%/cuda/windows/maxlog.cuh \
	%D%/cuda/windows/packed.cuh \
	%D%/cuda/windows/share.cuh \
	%D%/cuda/windows/slim.cuh \
	%D%/cuda/windows/trellis.cuh
if HAVE_CUDA
%C%_libturbo_la_LIBADD += $(turbo_kernels:.cu=.lo) $(CUDA_LIBS)
%D%/cuda/windows/kernels/slim.lo %D%/cuda/windows/kernels/slimmest.lo: CUDA_ARCH_FLAGS = $(CUDA_SMALL_FLAGS)
endif

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libturbo-avx2.la %D%/libturbo-avx512.la
%C%_libturbo_avx2_la_SOURCES = %D%/simd/avx2.c %D%/simd/avx2.h %D%/simd/avx2_bytes.h \
	%D%/simd/avx2_words.c %D%/simd/single_avx2.c %D%/simd/single_bytes_avx2.c
%C%_libturbo_avx2_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(AVX2_CFLAGS)
%C%_libturbo_avx512_la_SOURCES = \
	%D%/simd/avx512.c %D%/simd/avx512.h %D%/simd/avx512_words.c \
	%D%/simd/single_avx512.c
%C%_libturbo_avx512_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libturbo_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(VBMI_CFLAGS)

pluginexec_LTLIBRARIES += %D%/turbo.la
%C%_turbo_la_SOURCES =
%C%_turbo_la_LIBADD = %D%/libturbo.la $(PLUGIN_LIBS)
%C%_turbo_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/turbo.so
lib/fecrun/$(FECRUN_ABI)/turbo.so: %D%/turbo.la
	$(COPY_PLUGIN)
