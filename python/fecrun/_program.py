# SPDX-License-Identifier: BSD-2-Clause
"""Calls the program `fecrun`, which has what the library has not: journals, searches, comparisons, the doctor."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from ._errors import NotAvailableError, error_of

_HERE = pathlib.Path(__file__).resolve().parent


def program():
    """Path of the program: $FECRUN_PROGRAM, the package's own, or the one on PATH. NotAvailableError: there is none."""
    named = os.environ.get("FECRUN_PROGRAM")
    found = shutil.which(named) if named else shutil.which("fecrun", path=str(_HERE / "bin")) or shutil.which("fecrun")
    if not found:
        raise NotAvailableError(
            f"the program {named or 'fecrun'} was not found: install it, or set FECRUN_PROGRAM to its path")
    return found


def lines_of(verb, *args, text=None, cwd=None, accept=(0,)):
    """Runs `fecrun VERB ARGS --json -` with the text as its input; returns its JSON objects.

    accept: exit statuses that are no error. Raises what the program printed, as an exception of its status.
    Ctrl-C on a terminal reaches the program too, which then finishes the frames under way.
    """
    command = [program(), verb, *args, "--json", "-", "--quiet"]
    done = subprocess.run(command, input=text, cwd=cwd, text=True, capture_output=True)
    if done.returncode not in accept:
        raise error_of(done.returncode, _message(done.stderr) or f"fecrun {verb} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def _message(stderr):
    """The error without the program's name and without warnings before it."""
    said = [line for line in stderr.splitlines() if not line.startswith("fecrun: warning: ")]
    return "\n".join(said).removeprefix("fecrun: ").strip()


@contextlib.contextmanager
def as_files(directory, suffix, *texts):
    """Temporary files with these texts, in the directory (None: any), as a list of paths."""
    paths = []
    try:
        for text in texts:
            handle, path = tempfile.mkstemp(suffix, ".fecrun-", directory)
            paths.append(path)
            with os.fdopen(handle, "w") as file:
                file.write(text)
        yield paths
    finally:
        for path in paths:
            os.unlink(path)
