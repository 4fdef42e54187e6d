# SPDX-License-Identifier: BSD-2-Clause
"""What the library says is wrong, as exceptions."""

import re

_PLACE = re.compile(r"(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)", re.DOTALL)


class Error(Exception):
    """Base of all that fecrun raises.

    str() is a complete sentence: what is wrong and what is allowed. Where it is about the pipeline's
    text, `file`, `line` and `column` (both from 1) say where; else they are None. `status` is what
    the `fecrun` program would exit with.
    """

    status = 1

    def __init__(self, text):
        super().__init__(text)
        place = _PLACE.fullmatch(text)
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place else None
        self.text = place["text"] if place else text


class RunError(Error, RuntimeError):
    """Something failed while running: memory, a file, a device."""

    status = 1


class PipelineError(Error, ValueError):
    """The pipeline, a parameter or an array is wrong."""

    status = 2


class NotAvailableError(Error):
    """A backend, plugin or device that was asked for by name is not available here."""

    status = 3


_BY_STATUS = {1: RunError, 2: PipelineError, 3: NotAvailableError}


def error_of(status, text):
    return _BY_STATUS.get(status, RunError)(text)
