# SPDX-License-Identifier: BSD-2-Clause
"""fecrun: fast decoders of turbo, LDPC, convolutional and polar codes, on CPUs and GPUs.

    fecrun.Pipeline(text_or_dict).run()           a whole simulation, as `fecrun run` does it
    fecrun.decode("ldpc.decode", llr, code=...)   frames in arrays of NumPy, torch, CuPy or JAX
    fecrun.Coder([...])                           several stages as one function of arrays
    fecrun.torch                                  modules, also as Sionna's decoders

Errors are fecrun.Error with file, line and column; see its subclasses.
"""

from ._errors import Error, NotAvailableError, PipelineError, RunError
from ._library import version
from .coder import Coder, Info, decode, encode
from .pipeline import Pipeline
from .prepared import Port, Prepared
from .result import Point, Result
from ._stages import Param, Stage, stages

__version__ = version()
__all__ = ["Coder", "Error", "Info", "NotAvailableError", "Param", "Pipeline", "PipelineError", "Point",
           "Port", "Prepared", "Result", "RunError", "Stage", "decode", "encode", "stages", "version"]
