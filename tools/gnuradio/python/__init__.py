# SPDX-License-Identifier: BSD-2-Clause
"""Blocks that encode and decode with pipelines of fecrun; doc/gnuradio.md is the guide."""
from .fecrun_python import coder, decoder, encoder

__all__ = ["coder", "decoder", "encoder"]
