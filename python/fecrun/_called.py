# SPDX-License-Identifier: BSD-2-Clause
"""A pipeline as the program `fecrun` is called with it."""

import contextlib
import os

from ._errors import error_of
from ._program import as_files, lines_of
from ._session import text_of


class Called:
    """Takes what Session takes, and keeps it until the program is called."""

    def __init__(self, pipeline, name, sets, backend, threads, plugin_dirs, base_dir):
        self._pipeline = pipeline if isinstance(pipeline, os.PathLike) else text_of(pipeline)
        self._name, self._base_dir = name, base_dir
        self._sets, self._backend, self._threads = sets, backend, threads
        self._plugin_dirs = [os.path.abspath(one) for one in plugin_dirs]

    def run(self, *args):
        """A Result of `fecrun run`."""
        from .result import result_of

        return result_of(self._once("run", *args))

    def doctor(self):
        from .reports import Doctor, report_of

        (line,) = self._once("run", "--doctor")
        return report_of(line, Doctor)

    def compare(self, a, b, accept, fer):
        from .reports import comparison_of

        rules = [*(["--accept", accept] if accept else []), *(["--fer", str(fer)] if fer is not None else [])]
        with self._as_file() as path, self._named(path):
            lines = lines_of("compare", path, "--a", a, "--b", b, *rules, *self._options(), cwd=self._base_dir,
                             accept=(0, 4))
        return comparison_of(lines, accept)

    def _options(self):
        return [*(word for one in self._sets for word in ("--set", one)),
                *(word for one in self._plugin_dirs for word in ("--plugin-dir", one)),
                *(["--threads", str(self._threads)] if self._threads else [])]

    def _once(self, verb, *args):
        """A text goes to the program's standard input, relative to base_dir."""
        if self._backend is not None:
            args = (*args, "--backend", self._backend)
        if isinstance(self._pipeline, os.PathLike):
            return lines_of(verb, os.path.abspath(self._pipeline), *args, *self._options())
        with self._named("standard input"):
            return lines_of(verb, "-", *args, *self._options(), text=self._pipeline, cwd=self._base_dir)

    @contextlib.contextmanager
    def _as_file(self):
        if isinstance(self._pipeline, os.PathLike):
            yield os.path.abspath(self._pipeline)
            return
        with as_files(os.path.abspath(self._base_dir or "."), ".yaml", self._pipeline) as (path,):
            yield path

    @contextlib.contextmanager
    def _named(self, path):
        """Errors about the text have its name."""
        try:
            yield
        except Exception as error:
            text = str(error)
            if isinstance(self._pipeline, os.PathLike) or path not in text or not hasattr(error, "status"):
                raise
            raise error_of(error.status, text.replace(path, self._name)) from None
