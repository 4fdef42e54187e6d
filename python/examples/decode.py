# SPDX-License-Identifier: BSD-2-Clause
"""Simulates a link, decodes an array of NumPy, draws a curve: python decode.py [PICTURE]."""

import sys

import matplotlib
import numpy

import fecrun

matplotlib.use("Agg")
CODE = {"code": "nr", "bg": 1, "z": 64}
rng = numpy.random.default_rng(1)

# Arrays: 500 blocks of 1408 bits through a channel of our own, as 8-bit LLRs.
bits = rng.integers(0, 2, (500, 1408), dtype=numpy.uint8)
word = fecrun.encode("ldpc.encode", bits, **CODE)
received = 1 - 2.0 * word + 1.02 * rng.standard_normal(word.shape)
llr = numpy.clip(numpy.rint(2 / 1.02**2 * received * 8), -127, 127).astype(numpy.int8)
decoded, info = fecrun.decode("ldpc.decode", llr, **CODE, llr_scale=8, return_info=True)
print(f"{(decoded != bits).any(1).sum()} of {len(bits)} blocks wrong; {info.failed.sum()} failed their checks;"
      f" {info.iterations.mean():.1f} iterations")

# A whole simulation.
link = fecrun.Pipeline("""
fecrun: 1
pipeline:
  - source.random: {bits: 1408}
  - ldpc.encode:   {code: nr, bg: 1, z: 64}
  - modem.map:     {scheme: bpsk}
  - channel.awgn:  {}
  - modem.demap:   {}
  - llr.quantize:  {type: i8, scale: 8}
  - ldpc.decode:   {}
  - sink.errors:   {}
sweep: {channel.awgn.ebn0_db: "0:0.25:1.5"}
stop: {frame_errors: 50, frames: 1000}
""")
link.run().plot(label="NR, base graph 1, Z = 64").figure.savefig(*sys.argv[1:] or ["decode.png"])
