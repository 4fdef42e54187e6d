# SPDX-License-Identifier: BSD-2-Clause
"""The short way through a Coder, for arrays that lie as one did before.

A general call looks at its array, plans, and makes views: tens of microseconds of Python. What it found
out is a route, kept under the array's key: dtype, shape, device and stream. A call of an array with the
same key is a look-up, an allocation and three calls of the library.
"""

import sys

from ._cdef import SLACK
from ._library import lib, said

_IN, _OUT = b"source.memory", b"sink.memory"


def key_of(array):
    """The key of an array that a route can take; None: it has to go the general way."""
    kind = type(array)
    find = _KEYS.get(kind)
    if find is None:
        module = sys.modules.get(kind.__module__)
        if module is None or kind is not getattr(module, _TYPES.get(kind.__module__, ""), None):
            return None
        find = _KEYS[kind] = _numpy_key if kind.__module__ == "numpy" else _torch_keys(module)
    return find(array)


def route_for(key, pool, frames, lead):
    """A route; pool is where calls are taken from, lead the shape without its last axis."""
    return _ROUTES[key[0]](key, pool, frames, lead)


class _Route:
    def __init__(self, key, pool, frames, lead):
        self.pool = pool
        self._frames = frames
        out = pool.out
        self._shape = (*lead, out.shape)
        self._count = frames * out.shape
        self._dtype = out.array_dtype
        self._out_bytes = frames * out.frame_bytes

    def _run(self, call, pointer, room, out, out_room):
        """Binds and executes. A call that failed is not given back."""
        handle, message = call.handle, call.message
        bound = pointer, room, out, out_room
        if call.bound != bound:
            if (lib.fecrun_bind_input(handle, _IN, pointer, room, 0, message)
                    or lib.fecrun_bind_output(handle, _OUT, out, out_room, 0, message)):
                raise said(message)
            call.bound = bound
        if lib.fecrun_execute(handle, self._frames, message):
            raise said(message)
        call.prepared.did(self._frames)


class _NumpyRoute(_Route):
    def __call__(self, array, return_info):
        made = self._numpy().empty(self._shape, self._dtype)
        call = self.pool.take()
        self._run(call, array.__array_interface__["data"][0], array.nbytes,
                  made.__array_interface__["data"][0], made.nbytes)
        infos = call.prepared.infos(self._frames) if return_info else None
        self.pool.append(call)
        return made, infos

    @staticmethod
    def _numpy():
        return sys.modules["numpy"]


class _TorchRoute(_Route):
    def __init__(self, key, pool, frames, lead):
        super().__init__(key, pool, frames, lead)
        torch = sys.modules["torch"]
        self._empty = torch.empty
        self._torch_dtype = getattr(torch, self._dtype)
        self._bytes = frames * pool.source.frame_bytes

    def __call__(self, tensor, return_info):
        made = self._empty(self._shape, dtype=self._torch_dtype)
        call = self.pool.take()
        self._run(call, tensor.data_ptr(), self._bytes, made.data_ptr(), self._out_bytes)
        infos = call.prepared.infos(self._frames) if return_info else None
        self.pool.append(call)
        return made, infos


class _TorchCudaRoute(_TorchRoute):
    def __init__(self, key, pool, frames, lead):
        super().__init__(key, pool, frames, lead)
        from . import _cuda

        torch = sys.modules["torch"]
        self._cuda = _cuda
        self._device_index, self._stream = key[3:]
        self._device = torch.device("cuda", self._device_index)
        # Kernels touch SLACK bytes behind an array, which of the result have to be ours.
        size = self._out_bytes // self._count
        self._with_slack = self._count + -(-SLACK // size)
        self._room = self._out_bytes + SLACK
        self._strides = _strides(self._shape)

    def __call__(self, tensor, return_info):
        made = self._empty(self._with_slack, dtype=self._torch_dtype,
                           device=self._device).as_strided(self._shape, self._strides)
        pointer = tensor.data_ptr()
        call = self.pool.take()
        room = min(call.room_of(pointer), self._bytes + SLACK)
        self._run(call, pointer, max(room, self._bytes), made.data_ptr(), self._room)
        infos = None
        if return_info:
            self._cuda.wait(self._stream, self._device_index)
            infos = call.prepared.infos(self._frames)
        self.pool.append(call)
        return made, infos


def _strides(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    return tuple(strides)


def _numpy_key(array):
    return ("numpy", array.dtype, array.shape) if array.flags.c_contiguous else None


def _torch_keys(torch):
    # The function that torch's own compiler uses is 2 us quicker than torch.cuda.current_stream().
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    stream = raw or (lambda index: torch.cuda.current_stream(index).cuda_stream)

    def key(tensor):
        if not tensor.is_contiguous():
            return None
        if tensor.is_cuda:
            index = tensor.get_device()
            return "cuda", tensor.dtype, tensor.shape, index, stream(index)
        return ("torch", tensor.dtype, tensor.shape) if tensor.is_cpu else None

    return key


_TYPES = {"numpy": "ndarray", "torch": "Tensor"}
_KEYS = {}  # type of an array -> the function that gives its key
_ROUTES = {"numpy": _NumpyRoute, "torch": _TorchRoute, "cuda": _TorchCudaRoute}
