# SPDX-License-Identifier: BSD-2-Clause
"""The few functions of the CUDA driver that are wanted beside the library, and device arrays."""

import atexit
import ctypes
import functools
import sys

import cffi

from ._cdef import SLACK
from ._errors import RunError

_ffi = cffi.FFI()
_ffi.cdef("""
int cuInit(unsigned flags);
int cuMemGetAddressRange_v2(uintptr_t *base, size_t *bytes, uintptr_t pointer);
int cuPointerGetAttribute(void *value, int attribute, uintptr_t pointer);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDeviceGet(int *device, int number);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuMemAlloc_v2(uintptr_t *pointer, size_t bytes);
int cuMemFree_v2(uintptr_t pointer);
int cuStreamSynchronize(uintptr_t stream);
int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t bytes);
int cuGetErrorString(int error, const char **text);
""")
_DEVICE_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


@functools.lru_cache(maxsize=None)
def _driver():
    try:
        driver = _ffi.dlopen("libcuda.so.1")
    except OSError as error:
        raise RunError(f"the CUDA driver cannot be loaded: {error}") from None
    _must(driver, driver.cuInit(0), "cuInit")
    return driver


def _must(driver, error, what):
    if error == 0:
        return
    text = _ffi.new("const char **")
    driver.cuGetErrorString(error, text)
    said = _ffi.string(text[0]).decode() if text[0] else f"error {error}"
    raise RunError(f"{what}: {said}")


def room_of(pointer):
    """Bytes from pointer to the end of the allocation that it lies in."""
    driver = _driver()
    base, bytes = _ffi.new("uintptr_t *"), _ffi.new("size_t *")
    if driver.cuMemGetAddressRange_v2(base, bytes, pointer) != 0:
        return 0
    return base[0] + bytes[0] - pointer


def room_finder():
    """room_of() for calls that have to be quick: a function with memory of its own, for one thread."""
    find = _driver().cuMemGetAddressRange_v2
    base, bytes = _ffi.new("uintptr_t *"), _ffi.new("size_t *")

    def room(pointer):
        return base[0] + bytes[0] - pointer if find(base, bytes, pointer) == 0 else 0

    return room


def device_of(pointer):
    """Number of the device on which a pointer's memory lies."""
    driver = _driver()
    number = _ffi.new("int *")
    _must(driver, driver.cuPointerGetAttribute(number, _DEVICE_ORDINAL, pointer),
          "cuPointerGetAttribute")
    return number[0]


@functools.lru_cache(maxsize=None)
def _context(device):
    """The primary context, which the runtime uses, too; retained for the process's life."""
    driver = _driver()
    handle, context = _ffi.new("int *"), _ffi.new("void **")
    _must(driver, driver.cuDeviceGet(handle, device), "cuDeviceGet")
    _must(driver, driver.cuDevicePrimaryCtxRetain(context, handle[0]), "cuDevicePrimaryCtxRetain")
    return context[0]


class _current:
    """Context manager: the device's context is the thread's."""

    def __init__(self, device):
        self._device = device

    def __enter__(self):
        driver = _driver()
        _must(driver, driver.cuCtxPushCurrent_v2(_context(self._device)), "cuCtxPushCurrent")
        return driver

    def __exit__(self, *_):
        _driver().cuCtxPopCurrent_v2(_ffi.new("void **"))


def wait(stream, device):
    """Waits for a stream's handle, or for what __cuda_array_interface__ says in its place."""
    with _current(device) as driver:
        _must(driver, driver.cuStreamSynchronize(stream), "cuStreamSynchronize")


# ---- DLPack, whose structs are frozen (dlpack.h, version 0.8 and before 1.0's versioned capsule) ----


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _DLManagedTensor(ctypes.Structure):
    pass


_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_DLManagedTensor))
_DLManagedTensor._fields_ = [("tensor", _DLTensor), ("context", ctypes.c_void_p),
                             ("deleter", _DELETER)]
_DL_CUDA = 2
_DL_CODES = {"i": 0, "u": 1, "f": 2, "c": 5}
_capsule_new = ctypes.pythonapi.PyCapsule_New
_capsule_new.restype = ctypes.py_object
_capsule_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_libc = ctypes.CDLL(None)
_libc.malloc.restype = ctypes.c_void_p
_libc.malloc.argtypes = [ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
_exported = {}  # address of a managed tensor -> the array, until its deleter is called


@_DELETER
def _delete(managed):
    address = ctypes.addressof(managed.contents)
    if _exported.pop(address, None) is not None:
        _libc.free(address)


@atexit.register
def _let_go():
    """Modules may hold arrays longer than there is Python, which the deleter would need: free() follows.

    JAX calls what it finds then without a look, so that no deleter at all would be a crash. Structs are
    of the C library for it; the device's memory goes with the process.
    """
    for address in _exported:
        _DLManagedTensor.from_address(address).deleter = ctypes.cast(_libc.free, _DELETER)


class DeviceArray:
    """An array on a CUDA device, for modules that take __dlpack__ or __cuda_array_interface__.

    Made by fecrun as results for arrays of modules whose own it cannot make. It is complete when a
    call returns. numpy() copies it to the host.
    """

    def __init__(self, shape, dtype, device):
        import numpy

        self.shape = tuple(int(n) for n in shape)
        self.dtype = numpy.dtype(dtype)
        self.device = device
        self.nbytes = int(numpy.prod(self.shape)) * self.dtype.itemsize
        self.room = self.nbytes + SLACK
        pointer = _ffi.new("uintptr_t *")
        with _current(device) as driver:
            _must(driver, driver.cuMemAlloc_v2(pointer, self.room), "cuMemAlloc")
        self.pointer = pointer[0]

    def __del__(self, over=sys.is_finalizing):
        if getattr(self, "pointer", 0) and not over():
            with _current(self.device) as driver:
                driver.cuMemFree_v2(self.pointer)

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device})"

    def reshape(self, *shape):
        """Another view of the same memory."""
        made = object.__new__(DeviceArray)
        made.__dict__.update(self.__dict__, pointer=0)
        made._owner = self
        made._at = self._address()
        made.shape = tuple(shape)
        return made

    def _address(self):
        return self.pointer or self._at

    def numpy(self):
        import numpy

        made = numpy.empty(self.shape, self.dtype)
        with _current(self.device) as driver:
            _must(driver, driver.cuMemcpyDtoH_v2(_ffi.cast("void *", made.ctypes.data),
                                                 self._address(), self.nbytes), "cuMemcpyDtoH")
        return made

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address(), False),
                "version": 3, "stream": None}

    def __dlpack_device__(self):
        return _DL_CUDA, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("a copy is not made here")
        axes = ctypes.c_int64 * len(self.shape)
        address = _libc.malloc(ctypes.sizeof(_DLManagedTensor) + ctypes.sizeof(axes))
        if not address:
            raise MemoryError
        ctypes.memset(address, 0, ctypes.sizeof(_DLManagedTensor))
        managed = _DLManagedTensor.from_address(address)
        shape = axes.from_address(address + ctypes.sizeof(_DLManagedTensor))
        shape[:] = self.shape
        tensor = managed.tensor
        tensor.data = self._address()
        tensor.device_type, tensor.device_id = _DL_CUDA, self.device
        tensor.ndim = len(self.shape)
        tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
        tensor.code, tensor.bits, tensor.lanes = _DL_CODES[self.dtype.kind], 8 * self.dtype.itemsize, 1
        managed.deleter = _delete
        _exported[address] = self
        return _capsule_new(address, b"dltensor", None)
