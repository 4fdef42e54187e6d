# SPDX-License-Identifier: BSD-2-Clause
# All of the plugin, also for the unit tests of its parts.
noinst_LTLIBRARIES += %D%/libviterbi.la
%C%_libviterbi_la_SOURCES = \
	%D%/decode.c %D%/decode.h \
	%D%/encode.c \
	%D%/match.h \
	%D%/plugin.c %D%/plugin.h \
	%D%/puncture.c \
	%D%/rate_match.c \
	%D%/code/conv.h \
	%D%/code/levels.h \
	%D%/code/params.c %D%/code/params.h \
	%D%/code/puncture.h \
	%D%/code/tables.c %D%/code/tables.h \
	%D%/code/tiles.c %D%/code/tiles.h \
	%D%/code/tiles_device.h \
	%D%/code/trellis.c %D%/code/trellis.h \
	%D%/code/views.c %D%/code/views.h \
	%D%/code/words.h \
	%D%/cuda/choose.c \
	%D%/cuda/compiled.c %D%/cuda/compiled.h \
	%D%/cuda/conv.h \
	%D%/cuda/decode.c \
	%D%/cuda/device.c %D%/cuda/device.h \
	%D%/cuda/frames.h \
	%D%/cuda/grid.h \
	%D%/cuda/input.h \
	%D%/cuda/instance.h \
	%D%/cuda/rows.h \
	%D%/cuda/shift.h \
	%D%/cuda/encode/backend.c \
	%D%/cuda/encode/thread.h \
	%D%/cuda/encode/words.h \
	%D%/cuda/general/backend.c \
	%D%/cuda/general/block.h \
	%D%/cuda/general/input.h \
	%D%/cuda/general/plan.c %D%/cuda/general/plan.h \
	%D%/cuda/general/steps.h \
	%D%/cuda/general/trace.h \
	%D%/cuda/rate/puncture.c \
	%D%/cuda/rate/rate_match.c \
	%D%/cuda/rate/thread.h \
	%D%/cuda/registers/codes.c \
	%D%/cuda/registers/frames_plan.c \
	%D%/cuda/registers/plan.c %D%/cuda/registers/plan.h \
	%D%/cuda/registers/wrap/launch.c \
	%D%/cuda/registers/wrap/plan.c %D%/cuda/registers/wrap/plan.h \
	%D%/ref/decode.c \
	%D%/ref/soft.c %D%/ref/soft.h \
	%D%/simd/along.h \
	%D%/simd/backend.c \
	%D%/simd/common.h \
	%D%/simd/explain.c \
	%D%/simd/frame/bytes.h \
	%D%/simd/frame/bytes_wide.h \
	%D%/simd/frame/frame.h \
	%D%/simd/frame/kernels.h \
	%D%/simd/frame/known_code.h \
	%D%/simd/frame/plan.c \
	%D%/simd/frame/run.c \
	%D%/simd/frame/step.h \
	%D%/simd/frame/tagged.h \
	%D%/simd/frame/trace.c %D%/simd/frame/trace.h \
	%D%/simd/generic.c \
	%D%/simd/known.h \
	%D%/simd/kernels.h \
	%D%/simd/lanes.h \
	%D%/simd/match.c %D%/simd/match.h \
	%D%/simd/pack.h \
	%D%/simd/place.h \
	%D%/simd/run.c \
	%D%/simd/several/plan.c \
	%D%/simd/several/run.c \
	%D%/simd/several/several.h \
	%D%/simd/several/step.h \
	%D%/simd/simd.c %D%/simd/simd.h \
	%D%/simd/turn.h \
	%D%/simd/turning.c %D%/simd/turning.h
%C%_libviterbi_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_libviterbi_la_LIBADD = plugins/common/gpu/libgpu.la plugins/common/recover/librecover.la plugins/common/rtc/librtc.la %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la

# CUDA kernels; what the C side of them does without CUDA: see <fecrun/sdk/cuda.h>.
viterbi_register_kernels = \
	%D%/cuda/registers/kernels/k7.cu \
	%D%/cuda/registers/kernels/k7_fine.cu \
	%D%/cuda/registers/kernels/k7_float.cu \
	%D%/cuda/registers/wrap/kernels/k7.cu \
	%D%/cuda/registers/wrap/kernels/k7_low.cu
viterbi_kernels = \
	%D%/cuda/classes.cu \
	%D%/cuda/encode/kernels.cu \
	%D%/cuda/general/kernels.cu \
	%D%/cuda/rate/kernels.cu \
	$(viterbi_register_kernels)
EXTRA_DIST += $(viterbi_kernels) \
	%D%/cuda/registers/decode.cuh \
	%D%/cuda/registers/float.cuh \
	%D%/cuda/registers/float_run.cuh \
	%D%/cuda/registers/frames.cuh \
	%D%/cuda/registers/kernel.cuh \
	%D%/cuda/registers/lean.cuh \
	%D%/cuda/registers/prove.cuh \
	%D%/cuda/registers/step.cuh \
	%D%/cuda/registers/thread.cuh \
	%D%/cuda/registers/trace.cuh \
	%D%/cuda/registers/trace_again.cuh \
	%D%/cuda/registers/whole.cuh \
	%D%/cuda/registers/team/decode.cuh \
	%D%/cuda/registers/team/kernel.cuh \
	%D%/cuda/registers/team/lean.cuh \
	%D%/cuda/registers/team/step.cuh \
	%D%/cuda/registers/team/trace.cuh \
	%D%/cuda/registers/wrap/kernel.cuh \
	%D%/cuda/registers/wrap/thread.cuh
if HAVE_CUDA
%C%_libviterbi_la_LIBADD += $(viterbi_kernels:.cu=.lo) $(CUDA_LIBS)
# Devices that are newer than the build compile these when they are used.
$(viterbi_register_kernels:.cu=.lo): CUDA_ARCH_FLAGS = $(CUDA_MACHINE_FLAGS)
endif

# What kernels that are compiled when they are used include, as strings in the plugin.
viterbi_kernel_texts = \
	plugins/viterbi/code/tiles.h \
	plugins/viterbi/code/trellis.h \
	plugins/viterbi/cuda/input.h \
	plugins/viterbi/cuda/registers/decode.cuh \
	plugins/viterbi/cuda/registers/float.cuh \
	plugins/viterbi/cuda/registers/float_run.cuh \
	plugins/viterbi/cuda/registers/frames.cuh \
	plugins/viterbi/cuda/registers/kernel.cuh \
	plugins/viterbi/cuda/registers/lean.cuh \
	plugins/viterbi/cuda/registers/plan.h \
	plugins/viterbi/cuda/registers/prove.cuh \
	plugins/viterbi/cuda/registers/step.cuh \
	plugins/viterbi/cuda/registers/thread.cuh \
	plugins/viterbi/cuda/registers/trace.cuh \
	plugins/viterbi/cuda/registers/trace_again.cuh \
	plugins/viterbi/cuda/registers/whole.cuh \
	plugins/viterbi/cuda/registers/team/decode.cuh \
	plugins/viterbi/cuda/registers/team/kernel.cuh \
	plugins/viterbi/cuda/registers/team/lean.cuh \
	plugins/viterbi/cuda/registers/team/step.cuh \
	plugins/viterbi/cuda/registers/team/trace.cuh \
	plugins/viterbi/cuda/registers/wrap/kernel.cuh \
	plugins/viterbi/cuda/registers/wrap/plan.h \
	plugins/viterbi/cuda/registers/wrap/thread.cuh \
	core/include/fecrun/plugin.h \
	core/sdk/device.h
BUILT_SOURCES += include/viterbi_kernel_texts.h
CLEANFILES += include/viterbi_kernel_texts.h
viterbi_compiled_object = %D%/cuda/libviterbi_la-compiled.lo # by name it would be another rule
$(viterbi_compiled_object): include/viterbi_kernel_texts.h
include/viterbi_kernel_texts.h: $(viterbi_kernel_texts)
	$(call write_kernel_texts,$(viterbi_kernel_texts))

# One object an instruction set, chosen at run time. Where the compiler cannot, the flags are empty
# (and HAVE_AVX2, HAVE_AVX512 are not defined): the file then says that it has no kernels.
noinst_LTLIBRARIES += %D%/libviterbi-avx2.la %D%/libviterbi-avx512.la
%C%_libviterbi_avx2_la_SOURCES = %D%/simd/avx2.c %D%/simd/frame/kernels_avx2.c
%C%_libviterbi_avx2_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libviterbi_avx2_la_CFLAGS = $(SIMD_CFLAGS) $(AVX2_CFLAGS)
%C%_libviterbi_avx512_la_SOURCES = %D%/simd/avx512.c %D%/simd/frame/kernels_avx512.c %D%/simd/several/kernels_avx512.c
%C%_libviterbi_avx512_la_CPPFLAGS = $(SIMD_CPPFLAGS)
%C%_libviterbi_avx512_la_CFLAGS = $(SIMD_CFLAGS) $(AVX512_CFLAGS)

pluginexec_LTLIBRARIES += %D%/viterbi.la
%C%_viterbi_la_SOURCES =
%C%_viterbi_la_LIBADD = %D%/libviterbi.la $(PLUGIN_LIBS)
%C%_viterbi_la_LDFLAGS = $(PLUGIN_LDFLAGS)

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/viterbi.so
lib/fecrun/$(FECRUN_ABI)/viterbi.so: %D%/viterbi.la
	$(COPY_PLUGIN)
