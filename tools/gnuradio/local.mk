# SPDX-License-Identifier: BSD-2-Clause
# A module of GNU Radio with a CMake file of its own: make only packs and tests it.
EXTRA_DIST += \
	%D%/CMakeLists.txt \
	%D%/examples/decode_recording.grc %D%/examples/recording.yaml \
	%D%/grc/fecrun.tree.yml \
	%D%/grc/fecrun_decoder.block.yml \
	%D%/grc/fecrun_encoder.block.yml \
	%D%/include/gnuradio/fecrun/api.h \
	%D%/include/gnuradio/fecrun/coder.h \
	%D%/lib/coder_impl.cc %D%/lib/coder_impl.h \
	%D%/lib/pipeline.cc %D%/lib/pipeline.h \
	%D%/python/__init__.py \
	%D%/python/bindings.cc
