# SPDX-License-Identifier: BSD-2-Clause
"""A pipeline that was opened, as the C library holds it."""

import contextlib
import json
import os
import threading
import weakref

from ._library import call, ffi, lib, name_of, new, strings


def text_of(pipeline):
    """Pipelines are texts in YAML; JSON is YAML, too, so that is what a dict becomes."""
    if isinstance(pipeline, dict):
        return json.dumps(pipeline, indent=1, default=_plain)
    return pipeline


def _plain(value):
    """NumPy's numbers and truth values as Python's."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a parameter cannot be {type(value).__name__}: {value!r}")


class Session:
    """Owns a struct fecrun_session."""

    def __init__(self, pipeline, name, sets, backend, threads, plugin_dirs, base_dir):
        options = new("fecrun_options")
        dirs, set_texts = strings(plugin_dirs), strings(sets)
        options.plugin_dirs, options.sets = dirs[0], set_texts[0]
        kept = [dirs, set_texts]
        for field, value in (("backend", backend), ("base_dir", base_dir)):
            if value is not None:
                kept.append(ffi.new("char[]", name_of(value)))
                setattr(options, field, kept[-1])
        options.threads = threads
        handle = ffi.new("struct fecrun_session **")
        if isinstance(pipeline, os.PathLike):
            call(lib.fecrun_open, handle, name_of(pipeline), options)
        else:
            text = text_of(pipeline).encode()
            call(lib.fecrun_open_text, handle, name_of(name), text, len(text), options)
        del kept
        self.handle = handle[0]
        self.keep = None
        self._lock = threading.Lock()
        # Not at the process's end, when what was prepared from it is not finished either.
        weakref.finalize(self, lib.fecrun_close, handle[0]).atexit = False

    @contextlib.contextmanager
    def used(self):
        """For one thread at a time; waiting could be for ever, in a callback of the run itself."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("this Pipeline is at work; another thread, or a callback of its run, needs a "
                               "Pipeline of its own")
        try:
            yield self.handle
        finally:
            self._lock.release()


def settings(sets):
    """{"channel.awgn.ebn0_db": 3} as --set takes it."""
    if not sets:
        return []
    if not isinstance(sets, dict):
        raise TypeError('sets is a dict, as in {"channel.awgn.ebn0_db": 3}')
    return [f"{name}={_setting(value)}" for name, value in sets.items()]


def _setting(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value, default=_plain)
    return str(value)
