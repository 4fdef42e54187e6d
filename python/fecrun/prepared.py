# SPDX-License-Identifier: BSD-2-Clause
"""Prepared pipelines: calls on arrays that lie in the program's memory."""

import threading
import typing
import weakref

from ._arrays import view_of
from ._cdef import CHECKED, FAILED
from ._library import call, ffi, lib, name_of, new, said, strings
from ._session import settings

def _finish(handle, session):
    lib.fecrun_finish(handle)


_KINDS = {1: "bits", 2: "llr", 4: "symbols", 8: "values"}
# Type of an item in memory and its bytes; two items of i4 and eight of packed share a byte.
_TYPES = {1: "uint8", 2: "packed", 3: "float32", 4: "float16", 5: "int16", 6: "int8", 7: "i4",
          8: "complex64"}


class Port(typing.NamedTuple):
    """What an array at a source.memory or sink.memory is to hold.

    dtype        NumPy's name; "packed": bits, eight a byte; "i4": two LLRs a byte, both as uint8
    frames       most of one call
    items        of a frame; columns of the array, for packed and i4 that many fill `frame_bytes`
    device       None: the array lies in the host's memory; else the number of the CUDA device
    pieces       rows of the array for each frame: more than 1 where frames are split (seg.split)
    """

    output: bool
    kind: str
    dtype: str
    frames: int
    items: int
    frame_bytes: int
    bytes: int
    device: typing.Optional[int]
    pieces: int = 1

    @property
    def shape(self):
        """Columns of an array with a row a frame."""
        return self.frame_bytes if self.dtype in ("packed", "i4") else self.items

    @property
    def array_dtype(self):
        return "uint8" if self.dtype in ("packed", "i4") else self.dtype


class Prepared:
    """A pipeline of source.memory, ..., sink.memory, made ready to be called; from Pipeline.prepare().

    All planning and allocation is done. A call works in the calling thread (others may run
    meanwhile). One Prepared is used by one thread at a time: a second one waits, close() too.

        prepared.bind("source.memory", llrs)      # arrays of NumPy, torch, CuPy, ...
        prepared.bind("sink.memory", bits)        # stay bound until others are
        prepared.execute(frames)

    Stages are named by their id, which is the stage's name if it has no other.
    """

    def __init__(self, session, frames=0, stream=None):
        options = new("fecrun_prepare_options")
        options.frames = frames
        if stream is not None:
            self._stream = ffi.new("void **", ffi.cast("void *", stream))
            options.stream = self._stream
        handle = ffi.new("struct fecrun_prepared **")
        with session.used() as opened:
            call(lib.fecrun_prepare, handle, opened, options)
        self.handle = handle[0]
        # Holds the session, which has to be closed later; also when the garbage collector takes both
        # at once, in a circle, when it would call destructors of theirs in any order.
        self._finish = weakref.finalize(self, _finish, handle[0], session)
        # The process's end frees all. To wait then for a stream that its owner has destroyed would crash.
        self._finish.atexit = False
        self._session = session
        self._lock = threading.Lock()
        self._bound = {}
        self._frames = 0  # of the last call
        self.message = new("fecrun_message")

    def keep(self, owner):
        """Holds what owns the stream for as long as it may be waited for."""
        self._session.keep = owner

    def close(self):
        """Waits for a call in another thread and for what is queued, and frees all. Once more is fine."""
        with self._lock:
            self._finish()
            self.handle = None
            self._frames = 0
            self._bound.clear()

    def __reduce_ex__(self, _protocol):
        raise TypeError("a Prepared cannot be copied; prepare the Pipeline once more")

    def did(self, frames):
        """For a call that was made without execute()."""
        self._frames = frames

    def _open(self):
        if self.handle is None:
            raise ValueError("this Prepared is closed")
        return self.handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def port(self, stage):
        info = new("fecrun_port_info")
        with self._lock:
            call(lib.fecrun_get_port, self._open(), name_of(stage), info)
        on_host = ffi.string(info.space) == b"host"
        return Port(bool(info.output), _KINDS[info.kind], _TYPES[info.type], info.frames,
                    info.items, info.frame_bytes, info.bytes, None if on_host else info.device,
                    info.pieces)

    def bind(self, stage, array):
        """Binds an array whose rows are frames, of the port's dtype; it stays referenced here.

        Its last axis lies without gap. Frames without gap are worked on where they lie. An array that is
        filled must be writable.
        """
        port = self.port(stage)
        view = view_of(array)
        columns = view.shape[-1] if view.shape else 0
        if view.dtype != port.array_dtype or columns != port.shape:
            raise ValueError(
                f"{stage}: the array holds rows of {columns} {view.dtype}, wanted are rows of "
                f"{port.shape} {port.array_dtype}")
        if view.device != port.device:
            raise ValueError(f"{stage}: the array lies on {_place(view.device)}, wanted is one on "
                             f"{_place(port.device)}")
        if port.output and not view.writable:
            raise ValueError(f"{stage}: the array is filled, and this one cannot be written")
        stride = view.stride(port.frame_bytes)
        self.bind_pointer(stage, port.output, view.pointer, view.room, stride)
        self._bound[stage] = array

    def bind_pointer(self, stage, output, pointer, room, stride=0):
        """The same of a bare address; room is how many bytes may be touched from there on."""
        function = lib.fecrun_bind_output if output else lib.fecrun_bind_input
        with self._lock:
            if function(self._open(), name_of(stage), pointer, room, stride, self.message):
                raise said(self.message)

    def execute(self, frames):
        """Does the next `frames` frames: all stages, in this thread."""
        with self._lock:
            self._frames = 0
            if lib.fecrun_execute(self._open(), frames, self.message):
                raise said(self.message)
            self._frames = frames

    def set(self, values):
        """Sets parameters, {"ldpc.rate_recover.rv": 2, "source.memory.frame": 900, "seed": 1}: all, or none if it raises.

        Calls then give what a new pipeline with these `sets` gives. What the values do not reach is kept, and arrays
        stay bound as far as they fit; see fecrun_set() in fecrun.h.
        """
        sets, kept = strings(settings(values))
        with self._lock:
            self._frames = 0
            if lib.fecrun_set(self._open(), sets, self.message):
                raise said(self.message)
        del kept

    def infos(self, frames=None):
        """Of each frame of the last call: (iterations, checked, failed), three NumPy arrays.

        frames: only of that many; at most those of the call, after which there are none. failed is True where a frame was checked and is bad; where checked is False nobody knows. With
        a stream: wait for it first.
        """
        import numpy

        dtype = [("flags", "u4"), ("iterations", "u4"), ("bit_errors", "u8")]
        with self._lock:
            infos = lib.fecrun_get_infos(self._open())
            frames = self._frames if frames is None else frames
            if not 0 <= frames <= self._frames:
                raise ValueError(f"infos of {frames} frames are wanted, the last call had {self._frames}")
            rows = numpy.frombuffer(ffi.buffer(infos, frames * ffi.sizeof(infos[0])), dtype).copy()
        return (rows["iterations"].astype("int32"), rows["flags"] & CHECKED != 0,
                rows["flags"] & FAILED != 0)


def _place(device):
    return "the host" if device is None else f"CUDA device {device}"
