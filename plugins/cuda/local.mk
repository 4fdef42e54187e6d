# SPDX-License-Identifier: BSD-2-Clause
# Without CUDA the plugin is there all the same: its probe says why no device can be used.
pluginexec_LTLIBRARIES += %D%/cuda.la
%C%_cuda_la_SOURCES = %D%/convert.h %D%/cuda.c %D%/kernels.h \
	%D%/pinned.c %D%/pinned.h %D%/probe.c %D%/probe.h
%C%_cuda_la_CPPFLAGS = $(FAMILY_CPPFLAGS)
%C%_cuda_la_CFLAGS = $(AM_CFLAGS)
%C%_cuda_la_LIBADD = plugins/common/rtc/librtc.la $(PLUGIN_LIBS)
%C%_cuda_la_LDFLAGS = $(PLUGIN_LDFLAGS)
if HAVE_CUDA
%C%_cuda_la_SOURCES += %D%/convert_kernels.cu
%C%_cuda_la_LIBADD += $(CUDA_LIBS)
endif

BUILT_PLUGINS += lib/fecrun/$(FECRUN_ABI)/cuda.so
lib/fecrun/$(FECRUN_ABI)/cuda.so: %D%/cuda.la
	$(COPY_PLUGIN)
