# SPDX-License-Identifier: BSD-2-Clause
"""fecrun: fast decoders of turbo, LDPC, convolutional and polar codes, on CPUs and GPUs.

    fecrun.Pipeline("file.yaml").run()            a whole simulation, as `fecrun run` does it; also of a text or dict
    fecrun.load("result.json"), fecrun.plot([..]) result files and pictures; fecrun.compare(a, b)
    fecrun.decode("ldpc.decode", llr, code=...)   frames in arrays of NumPy, torch, CuPy or JAX
    fecrun.Coder([...])                           several stages as one function of arrays
    fecrun.torch                                  modules, also as Sionna's decoders

Errors are fecrun.Error with file, line and column; see its subclasses.
"""

from ._errors import Error, NotAvailableError, PipelineError, RunError
from ._library import version
from .coder import Coder, ConversionWarning, Info, decode, encode
from .pipeline import Pipeline
from .prepared import Port, Prepared
from .reports import Comparison, Doctor, Report, compare
from .result import Found, Point, Result, load, plot
from ._stages import Param, Stage, stages

__version__ = version()
__all__ = ["Coder", "Comparison", "ConversionWarning", "Doctor", "Error", "Found", "Info", "NotAvailableError",
           "Param", "Pipeline", "PipelineError", "Point", "Port", "Prepared", "Report", "Result", "RunError", "Stage", "compare",
           "decode", "encode", "load", "plot", "stages", "version"]
