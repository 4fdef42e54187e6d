# SPDX-License-Identifier: BSD-2-Clause
"""Stages as functions of arrays: decode(), encode() and what is behind them, Coder."""

import collections
import itertools
import os
import sys
import threading
import typing
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

from ._arrays import kind_of
from ._routes import key_of, route_for
from ._session import text_of
from ._stages import takes_bits
from .pipeline import Pipeline

# NumPy's names of types as source.memory takes them.
_SOURCE = {"float32": "f4", "float16": "f2", "int16": "i2", "int8": "i1", "uint8": "u1",
           "complex64": "c8"}
# What is converted before a call, and to what.
_CONVERTED = {"float64": "float32", "complex128": "complex64", "bool": "uint8"}
_INTEGERS = ("int64", "int32", "uint64", "uint32", "uint16")
_NOTED = set()
# Fewer frames for a thread are not worth its waking; one vector of decoders works on 64 side by side.
_LEAST_OF_THREAD = 64
# All sizes of a standard stay prepared (LTE's turbo code has 188). A few are kept whatever their arrays take, more only
# as long as the arrays are small.
_MOST_PREPARED = 256
_LEAST_PREPARED = 16
_MOST_BYTES = 256 << 20


class Info(typing.NamedTuple):
    """What a decoder says of each frame, as NumPy arrays of the input's shape without its last axis.

    iterations  of an iterative decoder; 0: none
    checked     the decoder or a CRC can tell good from bad
    failed      checked, and bad
    """

    iterations: object
    checked: object
    failed: object


class ConversionWarning(UserWarning):
    """An array is converted at each call; said once for each pair of types."""


class Coder:
    """One stage or several behind each other as a function of arrays.

        decoder = fecrun.Coder([("ldpc.rate_recover", dict(bg=1, z=384, e=16896)),
                                ("ldpc.decode", dict(code="nr", bg=1, z=384))])
        bits = decoder(llrs)

    The last axis of the array is a frame, the others are any number of frames. What comes out is an
    array of the same kind (NumPy, torch, CuPy, JAX) on the same device, with the frame put out as its
    last axis. LLRs are ln P(0)/P(1): positive means 0; float32, float16, int16 or int8. Bits are
    uint8, one a byte (`packed=True`: eight a byte, the first in the highest place, as
    numpy.packbits). Symbols are complex64. Other types are converted, with one ConversionWarning: float64
    to float32, complex128 to complex64, bool and integers of bits to uint8, integers of LLRs to int16
    (ValueError if one does not fit).

    stages     a name, (name, parameters), or a list of these; parameters as in pipeline files
    backend    "auto" (default), "ref", "simd", "cuda", ...; on a device by default "cuda". A named
               one that cannot do it raises NotAvailableError
    llr_max    the caller's promise that no LLR is larger; not checked. Some decoders are faster then
    llr_scale  LLRs are given in units of 1/llr_scale (int8 LLRs mostly are); 1
    quantize   parameters of llr.quantize in front, as dict(type="i8", scale=8): many CPU decoders
               take 8-bit LLRs only, and `auto` is the slow reference for float ones
    packed     bits go in and come out eight a byte; `bits_in` says how many of a frame there are
    output     which output of the last stage comes out, as "llr" of ldpc.decode; its first
    threads    for arrays of the host; 0: all CPUs
    latency    "low": what takes the least time for one frame, as in pipeline files

    Arrays on a device are read where they lie and the work is queued on the module's current stream
    (torch, CuPy); the call does not wait for it. Each size of frame, number of frames of an array on
    a device and stream is prepared once, which can take a while; the last 256 are kept, but only 16
    where their arrays are larger than 256 MiB in all.

    A Coder may be used by several threads.
    """

    def __init__(self, stages, *, backend=None, llr_max=None, llr_scale=None, quantize=None,
                 packed=False, bits_in=None, output=None, threads=0, plugin_dirs=(), latency=None,
                 _kept=None):
        self._stages = _stages_of(stages)
        if quantize is not None:
            self._stages.insert(0, ("llr.quantize", dict(quantize)))
        self._backend = backend
        self._source = {name: value for name, value in
                        (("llr_max", llr_max), ("llr_scale", llr_scale)) if value is not None}
        self._packed = packed
        self._bits_in = bits_in
        self._output = output
        self._latency = latency
        self._threads = threads or len(os.sched_getaffinity(0))
        self._plugin_dirs = tuple(plugin_dirs)
        self._bits = None  # whether integers are bits; None: not asked yet
        self._pools = {}
        self._routes = {}
        self._kept = _kept or _Kept()
        self._lock = threading.Lock()

    def __call__(self, array, return_info=False):
        """The array that comes out; with return_info a pair of it and an Info, for which it waits."""
        key = key_of(array)
        route = self._routes.get(key)
        if route is not None:
            made, infos = route(array, return_info)
        else:
            made, infos = self._generally(array, key, return_info)
        if not return_info:
            return made
        lead = _shape(array)[:-1]
        return made, Info(*(part.reshape(lead) for part in infos))

    def _generally(self, array, key, return_info):
        kind = kind_of(array)
        view = kind.view(array)
        if view.dtype not in _SOURCE and hasattr(kind, "converted"):
            array = self._converted(kind, array, view.dtype)
            key, view = None, kind.view(array)
        if not view.shape or 0 in view.shape:
            raise ValueError(f"an array with at least one frame is wanted, not one of shape {view.shape}")
        flat, view = _rows(kind, array, view)
        frames, lead = view.shape[0], _shape(array)[:-1]
        if kind.device is None:
            made, infos, pool = self._on_host(kind, view, frames, return_info)
        else:
            made, infos, pool = self._on_device(kind, view, frames, return_info)
        made = made.reshape(*lead, made.shape[-1])
        del flat
        if key is not None and pool is not None:
            self._routes[key] = route_for(key, pool, frames, lead)
            pool.routes.append(key)
            if self._pools.get(pool.key) is not pool:  # another thread has dropped it meanwhile
                self._drop(pool)
        return kind.finished(made) if hasattr(kind, "finished") else made, infos

    def _type_for(self, dtype):
        """What arrays of this type are converted to; itself: nothing."""
        if dtype in _INTEGERS:
            if self._bits is None:
                self._bits = takes_bits(self._stages[0][0], self._plugin_dirs)
            return "uint8" if self._bits else "int16"
        return _CONVERTED.get(dtype, dtype)

    def _converted(self, kind, array, dtype):
        to = self._type_for(dtype)
        if to == dtype:
            return array
        if dtype in _INTEGERS and array.shape and 0 not in array.shape:
            low, high = (0, 255 if self._packed else 1) if to == "uint8" else (-32768, 32767)
            if not low <= int(array.min()) <= int(array.max()) <= high:
                raise ValueError(f"{'bits' if to == 'uint8' else 'LLRs'} given as {dtype} must be {low} to {high}; "
                                 f"these are {int(array.min())} to {int(array.max())}")
        if (dtype, to) not in _NOTED:
            _NOTED.add((dtype, to))
            warnings.warn(f"arrays of {dtype} are converted to {to} at each call; .astype({to!r}) once is faster",
                          ConversionWarning, stacklevel=_outside())
        return kind.converted(array, to)

    def items(self, items, dtype):
        """How many items a frame has that is put out for one of so many, and their dtype."""
        dtype = self._type_for(dtype)
        out = self._pool(dtype, items, None, 1, None).out
        return out.shape, out.array_dtype

    def _on_host(self, kind, view, frames, return_info):
        threads = max(1, min(self._threads, frames // _LEAST_OF_THREAD))
        share = -(-frames // threads)
        pool = self._pool(view.dtype, view.shape[1], None, _room_for(share), None)
        calls = [pool.take() for _ in range(threads)]
        out = pool.out
        made, pointer, room = kind.empty(frames, out.shape, out.array_dtype)
        stride = view.strides[0] if frames > 1 else view.room
        parts = []
        for i, call in enumerate(calls):
            first, count = i * share, min(share, frames - i * share)
            if count > 0:
                parts.append((call, count, view.pointer + first * stride,
                              view.room - first * stride, stride if frames > 1 else 0,
                              pointer + first * out.frame_bytes, room - first * out.frame_bytes))
        _in_threads(parts)
        infos = [part[0].prepared.infos(part[1]) for part in parts] if return_info else ()
        pool.extend(calls)
        return made, [_joined(part) for part in zip(*infos)], pool if threads == 1 else None

    def _on_device(self, kind, view, frames, return_info):
        pool = self._pool(view.dtype, view.shape[1], kind.device, frames, kind.stream)
        call = pool.take()
        call.prepared.keep(getattr(kind, "owner", None))
        made, pointer, room = kind.empty(frames, pool.out.shape, pool.out.array_dtype)
        call.bind(view.pointer, view.room, 0, pointer, room)
        call.prepared.execute(frames)
        infos = None
        if return_info:
            if kind.stream is not None:
                from ._cuda import wait

                wait(kind.stream, kind.device)
            infos = call.prepared.infos(frames)
        pool.append(call)
        return made, infos, pool

    def _pool(self, *key):
        """The calls prepared for (dtype, items, device, frames, stream)."""
        pool = self._pools.get(key)
        if pool is not None:
            return pool
        with self._lock:
            pool = self._pools.get(key)
            if pool is None:
                pool = self._pools[key] = _Pool(self, key)
                self._kept.add(self, pool)
            return pool

    def _drop(self, pool):
        """From any thread, also without the lock."""
        if self._pools.get(pool.key) is pool:
            self._pools.pop(pool.key, None)
        for key in list(pool.routes):
            route = self._routes.get(key)
            if route is not None and route.pool is pool:
                self._routes.pop(key, None)

    def pipeline(self, items, dtype, device=None):
        """The pipeline for frames of so many items, as a dict."""
        if dtype not in _SOURCE:
            raise TypeError(f"arrays of {dtype} are not taken; convert to one of {', '.join(_SOURCE)}")
        source = {"dtype": _SOURCE[dtype], "frame": items, **self._source}
        sink = {}
        if self._packed:
            if dtype == "uint8":
                source.update(dtype="packed", frame=self._bits_in or 8 * items)
            sink["dtype"] = "packed"
        if device is not None:
            source["space"] = sink["space"] = "device"
        if self._output is not None:
            sink["from"] = f"{self._stages[-1][0]}.{self._output}"
        stages = [(name, self._with_backend(params, device)) for name, params in self._stages]
        chain = [("source.memory", source), *stages, ("sink.memory", sink)]
        latency = {} if self._latency is None else {"latency": self._latency}
        return {"fecrun": 1, **latency, "pipeline": [{name: params} for name, params in chain]}

    def _with_backend(self, params, device):
        backend = self._backend or ("cuda" if device is not None else None)
        if backend is None or "backend" in params:
            return params
        if device and ":" not in backend:
            backend = f"{backend}:{device}"
        return {**params, "backend": backend}


class _Kept:
    """Pools of one Coder, or of all that decode() has made: those that were used last."""

    def __init__(self):
        self._pools = {}  # pool's id: (weak reference to its coder, pool)
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, coder, pool):
        """Drops those that were not used for longest, as long as there are too many."""
        with self._lock:
            self._forget(key for key, (owner, _) in list(self._pools.items()) if owner() is None)
            self._pools[id(pool)] = weakref.ref(coder), pool
            self._bytes += pool.bytes
            while len(self._pools) > (_MOST_PREPARED if self._bytes <= _MOST_BYTES else _LEAST_PREPARED):
                oldest = min((key for key in self._pools if key != id(pool)),
                             key=lambda key: self._pools[key][1].used)
                owner, dropped = self._pools[oldest]
                self._forget([oldest])
                if owner() is not None:
                    owner()._drop(dropped)

    def _forget(self, keys):
        for key in keys:
            self._bytes -= self._pools.pop(key)[1].bytes


class _Pool(list):
    """Prepared calls of one key that nobody uses; those of a list are atomic operations."""

    _clock = itertools.count()

    def __init__(self, coder, key):
        super().__init__()
        self.key = key
        self.routes = []  # keys of those that take calls from here
        self._coder = weakref.ref(coder)
        call = self.take()
        self.source, self.out = call.prepared.port("source.memory"), call.prepared.port("sink.memory")
        self.bytes = self.source.bytes + self.out.bytes
        self.append(call)

    def take(self):
        self.used = next(self._clock)
        try:
            return self.pop()
        except IndexError:
            return _Call(self._coder(), self.key)


class _Call:
    """A prepared pipeline of one source and one sink."""

    def __init__(self, coder, key):
        dtype, items, device, frames, stream = key
        pipeline = Pipeline(coder.pipeline(items, dtype, device), plugin_dirs=coder._plugin_dirs)
        self.prepared = pipeline.prepare(frames, stream=stream)
        self.handle, self.message = self.prepared.handle, self.prepared.message
        self.bound = None  # addresses and sizes, where a route has bound them
        if device is not None:
            from ._cuda import room_finder

            self.room_of = room_finder()

    def bind(self, pointer, room, stride, out, out_room):
        self.bound = None
        self.prepared.bind_pointer("source.memory", False, pointer, room, stride)
        self.prepared.bind_pointer("sink.memory", True, out, out_room)


def _in_threads(parts):
    def work(call, count, pointer, room, stride, out, out_room):
        call.bind(pointer, room, stride, out, out_room)
        call.prepared.execute(count)

    if len(parts) == 1:
        work(*parts[0])
        return
    with ThreadPoolExecutor(len(parts)) as pool:
        for job in [pool.submit(work, *part) for part in parts]:
            job.result()


def _joined(parts):
    import numpy

    return numpy.concatenate(parts)


def _room_for(frames):
    """Host calls are prepared for a power of two of frames, so that few are."""
    return 1 << (frames - 1).bit_length()


def _outside():
    """The stack level of the caller's line, for warnings of the function that calls this."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("fecrun."):
        level, frame = level + 1, frame.f_back
    return level


def _shape(array):
    return tuple(array.shape)


def _rows(kind, array, view):
    """The array as rows of frames without gap in a row, copied if it lies otherwise."""
    if len(view.shape) == 2:
        try:
            view.stride(view.shape[1] * view.itemsize)
        except ValueError:
            pass
        else:
            if kind.device is None or view.stride(view.shape[1] * view.itemsize) == 0:
                return array, view
    array = kind.contiguous(array)
    flat = array.reshape(-1, view.shape[-1])
    return flat, kind.view(flat)


def _stages_of(stages):
    if isinstance(stages, str):
        return [(stages, {})]
    if isinstance(stages, tuple) and len(stages) == 2 and isinstance(stages[0], str):
        stages = [stages]
    made = []
    for stage in stages:
        name, params = (stage, {}) if isinstance(stage, str) else stage
        made.append((name, dict(params)))
    return made


_CODERS = collections.OrderedDict()
_CODERS_LOCK = threading.Lock()
_CODERS_KEPT = _Kept()


def _coder(stage, params):
    key = _key(stage, params)
    coder = _CODERS.get(key)
    if coder is not None:
        return coder
    options = split_options(params)
    coder = Coder((stage, params), **options, _kept=_CODERS_KEPT)
    with _CODERS_LOCK:
        _CODERS[key] = coder
        while len(_CODERS) > _MOST_PREPARED:
            _CODERS.popitem(last=False)
    return coder


def _key(stage, values):
    """Hashable, and different for different values; True is not 1 here."""
    try:
        key = (stage, tuple(values.items()), tuple(map(type, values.values())))
        hash(key)
        return key
    except TypeError:
        return stage, text_of(values)


_OPTIONS = ("backend", "llr_max", "llr_scale", "quantize", "packed", "bits_in", "output", "threads",
            "plugin_dirs", "latency")


def split_options(params):
    """Takes the options of Coder out of a stage's parameters."""
    return {name: params.pop(name) for name in _OPTIONS if name in params}


def decode(stage, llr, *, return_info=False, **params):
    """Decodes the frames of an array: decode("ldpc.decode", llr, code="nr", bg=1, z=384).

    stage   a decoder, as `fecrun list` names them: viterbi.decode, ldpc.decode, turbo.decode,
            polar.decode; any other stage of one input and output goes, too
    llr     (..., N): NumPy, torch, CuPy or JAX; positive means 0
    params  the stage's, as `fecrun describe STAGE` has them, and the options of Coder: backend,
            llr_max, llr_scale, quantize, packed, bits_in, output, threads, plugin_dirs, latency

    Returns the bits (..., K) as uint8, of the same kind on the same device; with return_info a pair
    of them and an Info. What was prepared is kept for the next call with the same parameters.
    """
    return _coder(stage, params)(llr, return_info)


def encode(stage, bits, **params):
    """Encodes the frames of an array of bits (..., K), uint8; else as decode()."""
    return decode(stage, bits, **params)
