# SPDX-License-Identifier: BSD-2-Clause
# The module for GNU Radio, built there, in flowgraphs with gr-fec's blocks.
shell_tests += %D%/blocks.t
EXTRA_DIST += %D%/blocks.py
