# SPDX-License-Identifier: BSD-2-Clause
"""Arrays of NumPy, torch, CuPy, JAX and of whatever speaks __cuda_array_interface__.

view_of() says where an array lies; kind_of() gives the module's functions for making another one of
the same kind. Modules are looked up by the array's class and never imported for its sake.
"""

import sys

from ._cdef import SLACK


class View:
    """Where an array lies. room: bytes that may be read from pointer on; device: None on the host.

    writable: False for an array whose owner promises that it does not change (bytes, JAX).
    """

    __slots__ = ("pointer", "shape", "dtype", "device", "room", "strides", "itemsize", "keep", "writable")

    def __init__(self, pointer, shape, dtype, device, room, strides, itemsize, keep, writable=True):
        self.pointer = pointer
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self.room = room
        self.strides = strides
        self.itemsize = itemsize
        self.keep = keep
        self.writable = writable

    def stride(self, frame_bytes):
        """Distance of frames as fecrun_bind_*() take it: 0 if they lie without gap."""
        if self.shape[-1] > 1 and self.strides[-1] != self.itemsize:
            raise ValueError("the items of a frame must lie behind each other")
        if len(self.shape) == 1:
            return 0
        if len(self.shape) > 2:
            raise ValueError(f"wanted is an array with a row a frame, not one of {len(self.shape)} axes")
        distance = self.strides[0]
        if self.shape[0] <= 1 or distance == frame_bytes:
            return 0
        if distance < frame_bytes:
            raise ValueError("the frames of the array overlap or go backwards")
        return distance


def name_of(dtype):
    """NumPy's name of a type, which says nothing of the order of bytes."""
    if not dtype.isnative:
        raise TypeError(f"an array of {dtype.str} has its bytes in another order than this machine; "
                        f"convert it with .astype({dtype.newbyteorder('=').str!r})")
    return dtype.name


class NumpyArrays:
    """Arrays in the host's memory."""

    device = None
    stream = None

    def view(self, array):
        room = _extent(array.shape, array.strides, array.itemsize)
        pointer, read_only = array.__array_interface__["data"]
        return View(pointer, array.shape, name_of(array.dtype), None, room, array.strides, array.itemsize,
                    array, not read_only)

    def contiguous(self, array):
        import numpy

        return numpy.ascontiguousarray(array)

    def converted(self, array, dtype):
        return array.astype(dtype)

    def empty(self, rows, columns, dtype):
        import numpy

        made = numpy.empty((rows, columns), dtype)
        return made, made.ctypes.data, made.nbytes


class TorchArrays:
    """Tensors on the CPU or a CUDA device; work goes on torch's current stream of it."""

    def __init__(self, tensor):
        self._torch = sys.modules["torch"]
        self._device = tensor.device
        self.device = None
        self.stream = None
        if tensor.device.type == "cuda":
            self.device = tensor.device.index
            self.stream = self._torch.cuda.current_stream(tensor.device).cuda_stream
        elif tensor.device.type != "cpu":
            raise TypeError(f"tensors on {tensor.device} are not supported: only cpu and cuda")

    def view(self, tensor):
        pointer = tensor.data_ptr()
        size = tensor.element_size()
        strides = tuple(n * size for n in tensor.stride())
        room = _extent(tensor.shape, strides, size)
        if self.device is not None:
            room = device_room(pointer, room, room)
        return View(pointer, tuple(tensor.shape), str(tensor.dtype)[6:], self.device, room, strides,
                    size, tensor)

    def contiguous(self, tensor):
        return tensor.detach().contiguous()

    def converted(self, tensor, dtype):
        return tensor.detach().to(getattr(self._torch, dtype))

    def empty(self, rows, columns, dtype):
        torch = self._torch
        kind = getattr(torch, dtype)
        if self.device is None:
            made = torch.empty((rows, columns), dtype=kind)
            return made, made.data_ptr(), made.numel() * made.element_size()
        bytes = rows * columns * torch.empty(0, dtype=kind).element_size()
        flat = torch.empty(bytes + SLACK, dtype=torch.uint8, device=self._device)
        made = flat.narrow(0, 0, bytes).view(kind).view(rows, columns)
        return made, flat.data_ptr(), bytes + SLACK


class CupyArrays:
    """CuPy's arrays; work goes on CuPy's current stream."""

    def __init__(self, array):
        self._cupy = sys.modules["cupy"]
        self.device = array.device.id
        self.owner = self._cupy.cuda.get_current_stream()  # which destroys the stream with itself
        self.stream = self.owner.ptr

    def view(self, array):
        return cuda_view(array, array.device.id)

    def contiguous(self, array):
        return self._cupy.ascontiguousarray(array)

    def converted(self, array, dtype):
        return array.astype(dtype)

    def empty(self, rows, columns, dtype):
        kind = self._cupy.dtype(dtype)
        bytes = rows * columns * kind.itemsize
        with self._cupy.cuda.Device(self.device):
            flat = self._cupy.empty(bytes + SLACK, "uint8")
        made = flat[:bytes].view(kind).reshape(rows, columns)
        return made, flat.data.ptr, bytes + SLACK


class JaxArrays:
    """JAX's arrays, on the host or on a CUDA device. Calls wait: JAX shows nobody its streams."""

    stream = None

    def __init__(self, array):
        self._jax = sys.modules["jax"]
        devices = list(array.devices())
        if len(devices) != 1:
            raise TypeError("an array that is spread over several devices is not supported")
        self._device = devices[0]
        platform = self._device.platform
        if platform not in ("cpu", "gpu", "cuda"):
            raise TypeError(f"arrays on {platform} are not supported: only cpu and gpu")
        self.device = None if platform == "cpu" else self._device.local_hardware_id

    def view(self, array):
        array.block_until_ready()
        if self.device is not None:
            view = cuda_view(array, self.device)
        else:
            import numpy

            view = NumpyArrays().view(numpy.asarray(array))
        view.writable = False  # JAX takes its arrays for constant
        return view

    def converted(self, array, dtype):
        return array.astype(dtype)

    def contiguous(self, array):
        return array

    def empty(self, rows, columns, dtype):
        if self.device is None:
            return NumpyArrays().empty(rows, columns, dtype)
        from ._cuda import DeviceArray

        made = DeviceArray((rows, columns), dtype, self.device)
        return made, made.pointer, made.room

    def finished(self, made):
        """What `empty` made, filled, as JAX's own."""
        if self.device is None:
            return self._jax.device_put(made, self._device)
        return self._jax.dlpack.from_dlpack(made)


class CudaArrays:
    """Whatever else has __cuda_array_interface__, such as Numba's arrays; results are DeviceArrays."""

    stream = None

    def __init__(self, array):
        from ._cuda import device_of

        self.device = device_of(array.__cuda_array_interface__["data"][0])

    def view(self, array):
        stream = array.__cuda_array_interface__.get("stream")
        if stream:
            from ._cuda import wait

            wait(stream, self.device)
        return cuda_view(array, self.device)

    def contiguous(self, array):
        return array

    def empty(self, rows, columns, dtype):
        from ._cuda import DeviceArray

        made = DeviceArray((rows, columns), dtype, self.device)
        return made, made.pointer, made.room


def cuda_view(array, device):
    face = array.__cuda_array_interface__
    import numpy

    kind = numpy.dtype(face["typestr"])
    shape = tuple(face["shape"])
    strides = face.get("strides") or _strides(shape, kind.itemsize)
    pointer, read_only = face["data"]
    bytes = _extent(shape, strides, kind.itemsize)
    return View(pointer, shape, name_of(kind), device, device_room(pointer, bytes, bytes), strides,
                kind.itemsize, array, not read_only)


def _extent(shape, strides, itemsize):
    """Bytes from an array's first item to behind its last."""
    if 0 in shape:
        return 0
    return sum((n - 1) * s for n, s in zip(shape, strides)) + itemsize


def _strides(shape, itemsize):
    strides = []
    for n in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= n
    return tuple(strides)


def device_room(pointer, bytes, room):
    """Kernels read SLACK bytes behind an array: fine if these are of the same allocation."""
    if room >= bytes + SLACK:
        return room
    from ._cuda import room_of

    return max(room, min(room_of(pointer), bytes + SLACK))


def kind_of(array):
    """The functions for arrays of this kind."""
    module = type(array).__module__.partition(".")[0]
    if module == "numpy" and hasattr(array, "__array_interface__"):
        return NumpyArrays()
    if module == "torch":
        return TorchArrays(array)
    if module == "cupy":
        return CupyArrays(array)
    if module in ("jax", "jaxlib"):
        return JaxArrays(array)
    if hasattr(array, "__cuda_array_interface__"):
        return CudaArrays(array)
    raise TypeError(f"an array of NumPy, torch, CuPy or JAX is wanted, or one with "
                    f"__cuda_array_interface__, not {type(array).__name__}")


def view_of(array):
    return kind_of(array).view(array)
