# SPDX-License-Identifier: BSD-2-Clause
# A module of GNU Radio with a CMake file of its own: make only packs and tests it.
EXTRA_DIST += \
	%D%/CMakeLists.txt \
	%D%/include/gnuradio/fecrun/api.h \
	%D%/include/gnuradio/fecrun/coder.h \
	%D%/lib/coder_impl.cc %D%/lib/coder_impl.h \
	%D%/lib/pipeline.cc %D%/lib/pipeline.h \
	%D%/python/__init__.py \
	%D%/python/bindings.cc
