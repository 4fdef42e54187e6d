# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libchain.la
%C%_libchain_la_SOURCES = \
	%D%/codes.h \
	%D%/llr_quantize.c \
	%D%/memory.c \
	%D%/plugin.c %D%/plugin.h \
	%D%/quantize.h \
	%D%/channel/awgn.c \
	%D%/channel/bits.c \
	%D%/channel/fading.c %D%/channel/fading.h \
	%D%/channel/gains.c \
	%D%/channel/wave.h \
	%D%/crc/crc.c \
	%D%/crc/general.c %D%/crc/general.h \
	%D%/modem/demap.c \
	%D%/modem/hard.c \
	%D%/modem/hard.h \
	%D%/modem/map.c \
	%D%/modem/modem.c %D%/modem/modem.h \
	%D%/modem/points.c \
	%D%/seg/concatenate.c \
	%D%/seg/kind.c %D%/seg/kind.h \
	%D%/seg/seg.c %D%/seg/seg.h \
	%D%/seg/sizes.c \
	%D%/sink/errors.c %D%/sink/errors.h \
	%D%/sink/errors_file.c \
	%D%/sink/file.c \
	%D%/sink/null.c \
	%D%/source/check.c \
	%D%/source/file.c %D%/source/file.h \
	%D%/source/format.c %D%/source/format.h \
	%D%/source/plan.c \
	%D%/source/random.c \
	%D%/source/read.c \
	%D%/source/sigmf.c \
	%D%/source/symbols.c %D%/source/symbols.h \
	%D%/source/turn.c \
	%D%/cuda/channel.c \
	%D%/cuda/crc.c \
	%D%/cuda/demap.c \
	%D%/cuda/device.c %D%/cuda/device.h \
	%D%/cuda/hard.c \
	%D%/cuda/llr_quantize.c \
	%D%/cuda/map.c \
	%D%/cuda/seg.c \
	%D%/cuda/sink_errors.c \
	%D%/cuda/source_random.c \
	%D%/cuda/thread/bits.h \
	%D%/cuda/thread/crc_general.h \
	%D%/cuda/thread/hard.h \
	%D%/cuda/thread/items.h \
	%D%/cuda/thread/link.h \
	%D%/cuda/thread/noise.h \
	%D%/cuda/thread/rough.h \
	%D%/cuda/thread/seg.h \
	%D%/cuda/thread/symbols.h \
	%D%/simd/awgn.c \
	%D%/simd/fading.c \
	%D%/simd/generic.c \
	%D%/simd/hard.c \
	%D%/simd/link.h \
	%D%/simd/linked.c %D%/simd/linked.h \
	%D%/simd/noise.h \
	%D%/simd/quantize.c \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/wave.h
%C%_libchain_la_CPPFLAGS = $(FAMILY_CPPFLAGS) $(JANSSON_CFLAGS)
%C%_libchain_la_CFLAGS = $(AM_CFLAGS) $(VECTOR_CFLAGS)
%C%_libchain_la_LIBADD = plugins/common/gpu/libgpu.la plugins/common/crc/libcrc.la plugins/common/files/libfiles.la $(JANSSON_LIBS) \
	%D%/libchain-avx2.la %D%/libchain-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
chain_kernels = \
	%D%/cuda/kernels/bits.cu \
	%D%/cuda/kernels/crc_general.cu \
	%D%/cuda/kernels/hard.cu \
	%D%/cuda/kernels/link.cu \
	%D%/cuda/kernels/seg.cu \
	%D%/cuda/kernels/symbols.cu
EXTRA_DIST += $(chain_kernels) %D%/cuda/kernels/launch.cuh
if HAVE_CUDA
%C%_libchain_la_LIBADD += $(chain_kernels:.cu=.lo) $(CUDA_LIBS)
endif

# One object an instruction set, as in plugins/viterbi.
noinst_LTLIBRARIES += %D%/libchain-avx2.la %D%/libchain-avx512.la
%C%_libchain_avx2_la_SOURCES = %D%/simd/avx2.c
%C%_libchain_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libchain_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(VECTOR_CFLAGS) $(AVX2_CFLAGS)
%C%_libchain_avx512_la_SOURCES = %D%/simd/avx512.c
%C%_libchain_avx512_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libchain_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(VECTOR_CFLAGS) $(AVX512_CFLAGS)

pluginexec_LTLIBRARIES += %D%/chain.la
%C%_chain_la_SOURCES =
%C%_chain_la_LIBADD = %D%/libchain.la $(PLUGIN_LIBS)
%C%_chain_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/chain.so
lib/fecrun/$(FECRUN_ABI)/chain.so: %D%/chain.la
	$(COPY_PLUGIN)
