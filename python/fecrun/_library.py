# SPDX-License-Identifier: BSD-2-Clause
"""Finds libfecrun and calls it: the only module that knows cffi."""

import ctypes.util
import os
import pathlib

import cffi

from ._cdef import CDEF
from ._errors import error_of

ffi = cffi.FFI()
ffi.cdef(CDEF)

_HERE = pathlib.Path(__file__).resolve().parent


def _candidates():
    """Where the library may be, best first."""
    named = os.environ.get("FECRUN_LIBRARY")
    if named:
        return [named]
    found = [str(path) for path in sorted((_HERE / "lib").glob("libfecrun.so*"))]
    system = ctypes.util.find_library("fecrun")
    return found + ([system] if system else []) + ["libfecrun.so.0"]


def _load():
    tried = []
    for name in _candidates():
        try:
            return ffi.dlopen(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError(
        "libfecrun was not found: install fecrun, or set FECRUN_LIBRARY to the path of libfecrun.so"
        " (tried: " + "; ".join(tried) + ")"
    )


lib = _load()


def new(kind):
    """A zeroed struct with its size filled in."""
    made = ffi.new(f"struct {kind} *")
    made.size = ffi.sizeof(made[0])
    return made


def call(function, *args):
    """Calls a function whose last argument is a message, and raises what it says."""
    message = new("fecrun_message")
    if function(*args, message) != 0:
        raise said(message)


def said(message):
    """A message as an exception."""
    return error_of(message.status, ffi.string(message.text).decode(errors="replace"))


def name_of(text):
    """A text as a C string, which ends at a NUL."""
    name = os.fsencode(text)
    if b"\0" in name:
        raise ValueError(f"a name cannot have a NUL in it: {text!r}")
    return name


def strings(texts):
    """A NULL-terminated array of C strings, and what has to live as long as it."""
    if isinstance(texts, (str, os.PathLike)):
        raise TypeError("a list of strings is wanted, not one string")
    kept = [ffi.new("char[]", name_of(text)) for text in texts]
    return ffi.new("const char *[]", kept + [ffi.NULL]), kept


def version():
    return ffi.string(lib.fecrun_version()).decode()
