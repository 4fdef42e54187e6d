# SPDX-License-Identifier: BSD-2-Clause
"""Decoders of quantum codes: syndromes in, corrections out.

    decoder = fecrun.qec.BpOsd(H, error_rate=0.05, max_iter=30, osd_method="OSD_CS", osd_order=7)
    errors = decoder.decode_batch(syndromes)        # (shots, rows) -> (shots, columns)

RelayBp is the same with relay belief propagation.

fecrun.sinter has the same for detector error models of stim.
"""

import os
import tempfile

import numpy

from ._errors import PipelineError
from .coder import Coder

_RULES = {"minimum_sum": "min-sum", "min_sum": "min-sum", "ms": "min-sum", "product_sum": "sum-product",
          "prod_sum": "sum-product", "ps": "sum-product"}
_OSDS = {"off": "none", "none": "none", "osd_off": "none", "osd_0": "0", "osd0": "0", "osd_e": "e", "exhaustive": "e",
         "osd_cs": "cs", "combination_sweep": "cs"}
_MOST_ITERATIONS = 10000


class _Decoder:
    """decode() and decode_batch() of the decoders below."""

    def __init__(self, pcm, error_rate, error_channel, params, threads, backend):
        rows, cols, self._m, self._n = _ones(pcm)
        priors = _priors(error_rate, error_channel, self._n)
        params = params(self._n)
        self._decoder = Syndromes(rows, cols, self._m, priors, params, threads=threads, backend=backend)

    def decode(self, syndrome):
        """The correction, uint8, of one syndrome, a bit a row."""
        syndrome = numpy.asarray(syndrome)
        if syndrome.ndim != 1:
            raise PipelineError(f"a syndrome has one dimension, this array has {syndrome.ndim}; see decode_batch()")
        return self.decode_batch(syndrome[None])[0]

    def decode_batch(self, syndromes, return_info=False):
        """The corrections of an array (shots, rows); with return_info also fecrun.Info, which says for each shot
        after how many iterations it was left and whether its syndrome is not met."""
        syndromes = numpy.asarray(syndromes)
        if syndromes.ndim != 2 or syndromes.shape[1] != self._m:
            raise PipelineError(f"syndromes must have the shape (shots, {self._m}), a bit for each row of the matrix, "
                                f"not {syndromes.shape}")
        if not len(syndromes):
            raise PipelineError("there is no syndrome in the array")
        bits = numpy.ascontiguousarray(syndromes, numpy.uint8)
        if bits.max() > 1 or (bits != syndromes).any():
            raise PipelineError("syndromes must be zeros and ones")
        return self._decoder(bits, return_info)


class BpOsd(_Decoder):
    """Belief propagation and ordered statistics, with the names of arguments of PyPI's `ldpc`.

    pcm                the parity-check matrix: a NumPy array or one of scipy.sparse with zeros and ones, or the name
                       of a file: .npz (scipy.sparse.save_npz), .mtx (Matrix Market), .alist
    error_rate         a probability above 0 and below 1, or one for each column
    error_channel      one for each column
    max_iter           0: as many as there are columns, at most 10,000
    bp_method          "minimum_sum" or "product_sum"
    ms_scaling_factor  of the minimum, 0.05 to 1
    schedule           "parallel", which is flooding, is the only one
    osd_method         "OSD_0", "OSD_E", "OSD_CS", or "off"
    osd_order          OSD_E: 1 to 16; OSD_CS: to 200
    threads            of decode_batch(); 0: all CPUs
    backend            "ref" or "simd"; None: the fastest

    Errors are fecrun.PipelineError, which is a ValueError. An object may be used by several threads.
    """

    def __init__(self, pcm, error_rate=None, error_channel=None, max_iter=0, bp_method="minimum_sum",
                 ms_scaling_factor=1.0, schedule="parallel", osd_method="OSD_0", osd_order=0, *, threads=1,
                 backend=None):
        super().__init__(pcm, error_rate, error_channel,
                         lambda n: _method(max_iter or min(n, _MOST_ITERATIONS), bp_method, ms_scaling_factor, schedule,
                                           osd_method, osd_order), threads, backend)


class RelayBp(_Decoder):
    """Relay belief propagation (arXiv 2506.01779), with the names of arguments of PyPI's `relay-bp`.

    pcm, threads, backend  as of BpOsd
    error_priors         a probability above 0 and below 1, or one for each column
    alpha                factor of the minimum, 0.05 to 1
    gamma0               memory strength of each column in the first leg, -1 to 1
    pre_iter             largest number of iterations of the first leg
    num_sets             largest number of legs after the first one
    set_max_iter         largest number of iterations of each of these
    gamma_dist_interval  their memory strengths are drawn uniformly from it, within -1 to 1
    stop_nconv           solutions after which the lightest one is taken
    seed                 of the draws; all shots have the same
    osd_method, osd_order  as of BpOsd, for shots without a solution
    """

    def __init__(self, pcm, error_priors, alpha=1.0, gamma0=0.1, pre_iter=80, num_sets=60, set_max_iter=60,
                 gamma_dist_interval=(-0.24, 0.66), stop_nconv=1, *, seed=0, osd_method="off", osd_order=0, threads=1,
                 backend=None):
        super().__init__(pcm, error_priors, None,
                         lambda n: _relay(alpha, gamma0, pre_iter, num_sets, set_max_iter, gamma_dist_interval,
                                          stop_nconv, seed, osd_method, osd_order), threads, backend)


class Syndromes:
    """A Coder of ldpc.syndrome for ones at (rows[i], cols[i]) and a prior a column.

    A row of one column gets a second one like it, which hardly ever fails: alists have none of weight 1. `packed`: as
    of Coder, and what comes out has bits for these, too.
    """

    def __init__(self, rows, cols, m, priors, params, *, threads=1, backend=None, packed=False):
        weight = numpy.bincount(rows, minlength=m)
        empty = numpy.flatnonzero(weight == 0)
        if len(empty):
            raise PipelineError(f"row {empty[0]} of the matrix is empty (rows from 0); leave out rows without ones")
        self.twin = numpy.unique(cols[weight[rows] == 1])
        self.n = len(priors)
        for k, col in enumerate(self.twin):
            those = rows[cols == col]
            rows = numpy.concatenate([rows, those])
            cols = numpy.concatenate([cols, numpy.full(len(those), self.n + k)])
        priors = numpy.concatenate([priors, numpy.full(len(self.twin), 1e-12)])
        self._files = tempfile.TemporaryDirectory(prefix="fecrun-")
        path, p = (os.path.join(self._files.name, name) for name in ("h.alist", "p.txt"))
        _write_alist(path, rows, cols, m, len(priors))
        with open(p, "w") as out:
            out.write("\n".join(map(repr, priors.tolist())) + "\n")
        self._coder = Coder(("ldpc.syndrome", {"code": "alist", "path": path, "priors": p, **params}),
                            threads=threads, backend=backend, packed=packed, bits_in=m if packed else None)
        self._packed = packed

    def __call__(self, bits, return_info=False):
        errors, info = self._coder(bits, return_info=True) if return_info else (self._coder(bits), None)
        if len(self.twin) and not self._packed:
            errors[:, self.twin] ^= errors[:, self.n:]
            errors = numpy.ascontiguousarray(errors[:, :self.n])
        return (errors, info) if return_info else errors


def _ones(pcm):
    """Rows and columns of the ones, and the numbers of rows and columns."""
    if isinstance(pcm, (str, os.PathLike)):
        pcm = _load(os.fspath(pcm))
    if hasattr(pcm, "tocoo"):
        pcm = pcm.tocoo()
        pcm.sum_duplicates()
        shape, rows, cols, values = pcm.shape, pcm.row, pcm.col, pcm.data
    else:
        pcm = numpy.asarray(pcm)
        if pcm.ndim != 2:
            raise PipelineError(f"the parity-check matrix must have two dimensions, this array has {pcm.ndim}")
        shape, (rows, cols) = pcm.shape, numpy.nonzero(pcm)
        values = pcm[rows, cols]
    if ((values != 0) & (values != 1)).any():
        raise PipelineError("the parity-check matrix must have zeros and ones only")
    if 0 in shape:
        raise PipelineError(f"the parity-check matrix has the shape {shape}; it needs a row and a column")
    kept = values != 0
    return numpy.asarray(rows[kept], numpy.int64), numpy.asarray(cols[kept], numpy.int64), *shape


def _load(path):
    if path.endswith(".npz"):
        from scipy.sparse import load_npz

        return load_npz(path)
    if path.endswith(".mtx") or path.endswith(".mtx.gz"):
        from scipy.io import mmread

        return mmread(path)
    if path.endswith(".alist"):
        return _read_alist(path)
    raise PipelineError(f"{path}: the name of a matrix must end in .npz, .mtx or .alist")


def _read_alist(path):
    from scipy.sparse import coo_array

    with open(path) as lines:
        n, m = map(int, next(lines).split())
        for _ in range(3):
            next(lines)
        lists = [[int(row) - 1 for row in next(lines).split() if row != "0"] for _ in range(n)]
    rows = [row for col in lists for row in col]
    cols = [j for j, col in enumerate(lists) for _ in col]
    return coo_array((numpy.ones(len(rows), numpy.uint8), (rows, cols)), shape=(m, n))


def _priors(rate, channel, n):
    if (rate is None) == (channel is None):
        raise PipelineError("give error_rate, or error_channel with a probability for each column")
    priors = numpy.asarray(rate if channel is None else channel, float)
    if priors.ndim == 0:
        priors = numpy.full(n, float(priors))
    if priors.shape != (n,):
        raise PipelineError(f"there must be a probability for each of the {n} columns, not {priors.shape}")
    wrong = numpy.flatnonzero(~((priors > 0) & (priors < 1)))
    if len(wrong):
        raise PipelineError(f"the probability of column {wrong[0]} is {priors[wrong[0]]:g} (columns from 0); it must be "
                            "above 0 and below 1: leave out columns that never fail")
    return priors


def _one_of(name, value, table):
    made = table.get(str(value).lower())
    if made is None:
        raise PipelineError(f"{name} must be one of {', '.join(table)}, is {value!r}")
    return made


def _method(max_iter, bp_method, factor, schedule, osd_method, order):
    """The parameters of ldpc.syndrome."""
    if schedule != "parallel":
        raise PipelineError(f"schedule must be 'parallel', is {schedule!r}")
    if not 1 <= max_iter <= _MOST_ITERATIONS:
        raise PipelineError(f"max_iter must be 0 to {_MOST_ITERATIONS}, is {max_iter}")
    rule, osd = _one_of("bp_method", bp_method, _RULES), _one_of("osd_method", osd_method, _OSDS)
    params = {"iterations": int(max_iter), "check_rule": rule, "osd": osd}
    if rule == "min-sum":
        if not 0.05 <= factor <= 1:
            raise PipelineError(f"ms_scaling_factor must be 0.05 to 1, is {factor}")
        params["alpha"] = float(factor)
    if osd in ("e", "cs"):
        most = 16 if osd == "e" else 200
        if not 0 <= order <= most:
            raise PipelineError(f"osd_order must be 0 to {most} for {osd_method}, is {order}")
        if osd == "e" and not order:
            params["osd"] = "0"
        else:
            params["osd_order"] = max(1, int(order))  # of one column there is no pair
    return params


def _within(name, value, least, most, kind=int):
    if not isinstance(value, (int, float, numpy.number)) or not least <= value <= most or kind(value) != value:
        raise PipelineError(f"{name} must be {'an integer' if kind is int else 'a number'} from {least} to {most}, is "
                            f"{value!r}")
    return kind(value)


def _relay(alpha, gamma0, pre_iter, num_sets, set_max_iter, interval, stop_nconv, seed, osd_method, osd_order):
    """The parameters of ldpc.syndrome."""
    params = _method(_within("pre_iter", pre_iter, 1, _MOST_ITERATIONS), "minimum_sum",
                     _within("alpha", alpha, 0.05, 1, float), "parallel", osd_method, osd_order)
    params["gamma0"] = _within("gamma0", gamma0, -1, 1, float)
    params["legs"] = _within("num_sets", num_sets, 0, 10000)
    solutions = _within("stop_nconv", stop_nconv, 1, params["legs"] + 1)
    if len(interval) != 2 or interval[0] > interval[1]:
        raise PipelineError(f"gamma_dist_interval must be two numbers, the lower one first, is {interval!r}")
    low, high = (_within("gamma_dist_interval", value, -1, 1, float) for value in interval)
    if params["legs"]:
        params |= {"leg_iterations": _within("set_max_iter", set_max_iter, 1, _MOST_ITERATIONS), "gamma_min": low,
                   "gamma_max": high, "solutions": solutions, "gamma_seed": _within("seed", seed, 0, 2**63 - 1)}
    return params


def _write_alist(path, rows, cols, m, n):
    with open(path, "w") as out:
        by_col, by_row = numpy.lexsort((rows, cols)), numpy.lexsort((cols, rows))
        weights = numpy.bincount(cols, minlength=n), numpy.bincount(rows, minlength=m)
        out.write(f"{n} {m}\n{weights[0].max()} {weights[1].max()}\n")
        for weight in weights:
            out.write(" ".join(map(str, weight)) + "\n")
        for weight, ones in (weights[0], rows[by_col] + 1), (weights[1], cols[by_row] + 1):
            at = 0
            for size in weight:
                out.write(" ".join(map(str, ones[at:at + size])) + "\n")
                at += size
