# SPDX-License-Identifier: BSD-2-Clause
"""Pipelines: whole runs of them, and their preparation for calls on arrays."""

import os
import pathlib
import sys
import threading

from ._called import Called
from ._errors import PipelineError
from ._library import call, ffi, lib, new
from ._session import Session, settings
from .prepared import Prepared
from .result import Point, Result, known


class Pipeline:
    """A pipeline with its plugins loaded and its parameters checked.

    pipeline     a text in YAML or JSON, a dict of the same shape, or a path of a file: a pathlib.Path, or a
                 text of one line that ends in .yaml, .yml or .json
    sets         changed values, {"channel.awgn.ebn0_db": 3, "stop.frames": 1000}, as --set
    backend      of every stage that has it, as --backend
    threads      of run(); 0: all CPUs
    plugin_dirs  searched first
    base_dir     what paths in a text are relative to; None: the current directory
    name         stands for the file's name in errors about a text

    Raises PipelineError with line and column of what is wrong. One Pipeline is used by one thread at
    a time: while it runs, another call raises RuntimeError. Different ones are independent.
    """

    def __init__(self, pipeline, *, sets=None, backend=None, threads=0, plugin_dirs=(),
                 base_dir=None, name="pipeline"):
        pipeline = _path_of(pipeline)
        self._session = Session(pipeline, name, settings(sets), backend, threads, plugin_dirs,
                                base_dir)
        self._called = Called(pipeline, name, settings(sets), backend, threads, plugin_dirs, base_dir)

    def check(self):
        """Plans every point: raises what run() would find wrong before its first frame."""
        with self._session.used() as opened:
            call(lib.fecrun_check, opened)

    def run(self, progress=None, *, journal=None):
        """Runs all points, each from frame 0 to its stop rule, and returns a Result.

        journal: a directory in which finished work is kept; another run with it goes on from there
        (doc/journal.md). Such a run is one of the program `fecrun`, which shows no progress here.

        progress: True shows a bar (if tqdm is installed), False none, None one where somebody looks,
        on a terminal or in a notebook; or a function, which is called with a dict of point, points,
        frames, frame_errors and seconds a few times a second.

        Ctrl-C ends the run: the frames under way are finished, and KeyboardInterrupt is raised with
        what was counted in its attribute `result`.
        """
        if journal is not None:
            return self._called.run("--journal", os.path.abspath(journal))
        run = _Run(self._session)
        with _shown(progress) as show:
            try:
                run.wait(show)
            except KeyboardInterrupt as interrupt:
                run.cancel()
                interrupt.result = Result(run.points)
                raise
        return Result(run.points)

    def find(self):
        """Runs a pipeline with a search (`sweep: {NAME: {find: {fer: 0.01}}}`); its result's `found` has the values.

        By the program `fecrun`. PipelineError: the sweep has no `find`.
        """
        result = self._called.run()
        if not result.found:
            raise PipelineError("the pipeline searches nothing: give its last sweep as {find: {fer: 0.01}}")
        return result

    def doctor(self):
        """Measures the LLRs of each port and finds mistakes, as `fecrun run --doctor`; returns a Doctor.

        By the program `fecrun`. A NotAvailableError or RunError says why nothing could be measured.
        """
        return self._called.doctor()

    def compare(self, a, b, *, accept=None, fer=None):
        """Runs the same frames with the backends a and b ("ref", "simd", ...) and returns a Comparison.

        accept, fer: as of fecrun.compare(). By the program `fecrun`; of a pipeline that is a text or a dict
        it makes a temporary file in base_dir, which paths in it are relative to.
        """
        return self._called.compare(a, b, accept, fer)

    def prepare(self, frames=0, *, stream=None):
        """Makes it ready for calls on arrays; see Prepared.

        frames: most frames of one call; 0: the pipeline's `batch:`, else 1. stream: handle (an int)
        of a CUDA stream, on which calls are then queued; None: calls return when all is done.
        """
        return Prepared(self._session, frames, stream)


def _path_of(pipeline):
    """A text that names a file as a path."""
    if isinstance(pipeline, str) and "\n" not in pipeline and pipeline.endswith((".yaml", ".yml", ".json")):
        return pathlib.Path(pipeline)
    return pipeline


class _Run:
    """A run in a thread of its own, so that the calling one can be interrupted."""

    def __init__(self, session):
        self._session = session
        self.points = []
        self._raised = None
        self._callbacks = new("fecrun_callbacks")
        self._point = ffi.callback("int(void *, const struct fecrun_point *)", self._add,
                                   error=1, onerror=self._fault)
        self._callbacks.point = self._point
        self._cancel = ffi.new("int *")
        self._callbacks.cancel = self._cancel
        # Not Thread.join(): interrupted, it takes the thread for ended (Python 3.11).
        self._ended = threading.Event()

    def wait(self, show):
        threading.Thread(target=self._work, daemon=True).start()
        while not self._ended.wait(0.1 if show else 1):
            if show:
                show(self._progress())
        if show:
            show(self._progress())
        if self._raised:
            raise self._raised

    def cancel(self):
        self._cancel[0] = 1
        self._ended.wait()

    def _work(self):
        try:
            with self._session.used() as opened:
                call(lib.fecrun_run, opened, self._callbacks)
        except BaseException as error:
            self._raised = self._raised or error
        finally:
            self._ended.set()

    def _fault(self, _kind, error, _trace):
        self._raised = error

    def _add(self, _data, point):
        self.points.append(_point_of(point))
        return 0

    def _progress(self):
        now = new("fecrun_progress")
        lib.fecrun_get_progress(self._session.handle, now)
        return {"point": now.point, "points": now.points, "frames": now.frames,
                "frame_errors": now.frame_errors, "most_frames": now.most_frames,
                "most_frame_errors": now.most_frame_errors, "seconds": now.seconds}


def _point_of(point):
    def text(pointer):
        return ffi.string(pointer).decode(errors="replace")

    def if_(there, value):
        return value if there else None

    names = (text(point.set_names[i]) for i in range(point.n_set))
    values = (text(point.set_values[i]) for i in range(point.n_set))
    return Point(
        settings=dict(zip(names, values)),
        ebn0_db=known(point.ebn0_db),
        esn0_db=known(point.esn0_db),
        frames=point.frames,
        bits=point.bits,
        info_bits=point.info_bits,
        bit_errors=if_(point.counted, point.bit_errors),
        frame_errors=if_(point.counted, point.frame_errors),
        fer_lo=if_(point.counted and point.frames, point.fer_low),
        fer_hi=if_(point.counted and point.frames, point.fer_high),
        undetected=if_(point.checked and point.counted, point.undetected),
        blocks=point.blocks or None,
        block_errors=if_(point.blocks_judged, point.block_errors),
        iterations_mean=if_(point.iterations_max, point.iterations_mean),
        iterations_max=point.iterations_max or None,
        seconds=point.seconds,
        stop=text(point.stop),
        ber_lo=known(point.ber_low) if point.counted else None,
        ber_hi=known(point.ber_high) if point.counted else None,
        failed=if_(point.checked, point.failed),
        left_over=point.left_over,
    )


class _Bar:
    """A tqdm bar over points; the present one's counts stand behind it."""

    def __init__(self, tqdm):
        self._bar = tqdm(unit="point")

    def __call__(self, now):
        self._bar.total = now["points"] or None
        self._bar.n = now["point"]
        self._bar.set_postfix(frames=now["frames"], errors=now["frame_errors"], refresh=True)

    def close(self, done):
        if done and self._bar.total:
            self._bar.n = self._bar.total
        self._bar.close()


class _shown:
    """Context: what shows the progress of a run, or None."""

    def __init__(self, progress):
        self._bar = None
        self._function = progress if callable(progress) else None
        if progress is None:
            progress = sys.stderr.isatty() or "ipykernel" in sys.modules
        if progress and not self._function:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = _Bar(tqdm)

    def __enter__(self):
        return self._function or self._bar

    def __exit__(self, kind, _error, _trace):
        if self._bar:
            self._bar.close(kind is None)
