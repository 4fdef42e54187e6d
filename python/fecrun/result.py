# SPDX-License-Identifier: BSD-2-Clause
"""What a run has counted."""

import dataclasses
import html
import json
import math
import os
import typing

from ._errors import PipelineError
from ._library import version

# Columns of a table in a notebook, where they are known.
_SHOWN = ("ebn0_db", "frames", "frame_errors", "fer", "fer_lo", "fer_hi", "ber", "bler", "failed", "undetected",
          "iterations_mean", "info_mbps", "stop")


@dataclasses.dataclass(frozen=True)
class Point:
    """One point of the sweep. Names are those of result files (doc/results.md); None: does not apply.

    set               swept values, {"channel.awgn.ebn0_db": 2.5}; also called `settings`, as texts
    ebn0_db, esn0_db  of the channel; None: the pipeline has none
    frames, bits      compared by the sink; info_bits are those of the source
    fer_lo, fer_hi    95 % Clopper-Pearson interval of fer
    ber_lo, ber_hi    that of ber, whose errors come in frames
    undetected        wrong frames that the decoder or its CRC called good
    failed            frames that they called bad
    left_over         items that end a stream inside a step, which nobody got
    stop              why the point ended: frame_errors, frames, seconds, end or signal
    """

    settings: typing.Dict[str, str]
    ebn0_db: typing.Optional[float]
    esn0_db: typing.Optional[float]
    frames: int
    bits: int
    info_bits: typing.Optional[int]
    bit_errors: typing.Optional[int]
    frame_errors: typing.Optional[int]
    fer_lo: typing.Optional[float]
    fer_hi: typing.Optional[float]
    undetected: typing.Optional[int]
    blocks: typing.Optional[int]
    block_errors: typing.Optional[int]
    iterations_mean: typing.Optional[float]
    iterations_max: typing.Optional[int]
    seconds: float
    stop: str
    ber_lo: typing.Optional[float]
    ber_hi: typing.Optional[float]
    failed: typing.Optional[int] = None
    left_over: int = 0

    # Names of earlier versions.
    fer_low = property(lambda self: self.fer_lo)
    fer_high = property(lambda self: self.fer_hi)
    ber_low = property(lambda self: self.ber_lo)
    ber_high = property(lambda self: self.ber_hi)
    block_error_rate = property(lambda self: self.bler)

    @property
    def set(self):
        """Swept values as numbers, truth values or texts."""
        return {name: number(value) for name, value in self.settings.items()}

    @property
    def fer(self):
        """Frame error rate."""
        return _rate(self.frame_errors, self.frames)

    @property
    def ber(self):
        """Bit error rate."""
        return _rate(self.bit_errors, self.bits)

    @property
    def bler(self):
        """Error rate of the code blocks that frames were split into; None: they were not."""
        return _rate(self.block_errors, self.blocks)

    @property
    def info_mbps(self):
        """Information bits a second through the whole pipeline, in Mb/s."""
        known = self.info_bits is not None and self.seconds > 0
        return self.info_bits / self.seconds / 1e6 if known else None

    def to_dict(self):
        """All of it in one level, with the swept values under their names."""
        row = self.set
        for field in dataclasses.fields(self):
            if field.name != "settings":
                row[field.name] = getattr(self, field.name)
        row.update(fer=self.fer, ber=self.ber, bler=self.bler, info_mbps=self.info_mbps)
        return row

    def to_json(self):
        """A line of a result file, as a dict."""
        row = self.to_dict()
        for name in self.settings:
            del row[name]
        del row["info_bits"]
        return {"type": "point", "set": self.set, **row}


@dataclasses.dataclass(frozen=True)
class Found:
    """What a search (`find:` in a sweep) has found.

    set        values of the other sweeps; parameter: what was searched
    rate       the error rate that was wanted; of: "fer" or "ber"
    value      where it is reached; lo, hi: 95 % interval; None: not reached
    sure       the interval is as narrow as was wanted
    points     points that were run
    """

    set: typing.Dict[str, object]
    parameter: str
    of: str
    rate: float
    value: typing.Optional[float]
    lo: typing.Optional[float]
    hi: typing.Optional[float]
    sure: bool
    points: int

    fer = property(lambda self: self.rate if self.of == "fer" else None)
    ber = property(lambda self: self.rate if self.of == "ber" else None)

    def to_json(self):
        """A line of a result file, as a dict."""
        row = dataclasses.asdict(self)
        row[row.pop("of")] = row.pop("rate")
        return {"type": "found", **row}


def _rate(errors, of):
    return None if errors is None or not of else errors / of


def number(text):
    """A swept value as a number or truth value, if it is one."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


@dataclasses.dataclass(frozen=True)
class Result:
    """The points of a run, in the order of the sweep. It can be iterated and indexed.

    found   a Found for each search of Pipeline.find() and of loaded files
    run     the file's line "run" (pipeline, plan, machine, versions) as a dict; of a run here: only the version
    status  exit status of the file's run; None: the file is not complete
    """

    points: typing.List[Point]
    found: typing.List[Found] = dataclasses.field(default_factory=list)
    run: typing.Dict[str, object] = dataclasses.field(default_factory=dict, repr=False)
    status: typing.Optional[int] = 0

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        return self.points[i]

    def __iter__(self):
        return iter(self.points)

    def text(self):
        """The content of a result file."""
        run = {"type": "run", "format": 1, "fecrun": version(), **self.run}
        lines = [run, *(one.to_json() for one in [*self.points, *self.found])]
        if self.status is not None:
            lines.append({"type": "end", "status": self.status})
        return "".join(json.dumps(line) + "\n" for line in lines)

    def save(self, path):
        """Writes a result file, which load(), `fecrun plot` and `fecrun compare` read."""
        with open(path, "w") as file:
            file.write(self.text())

    def _repr_html_(self):
        from .reports import table

        names = [name for name in _SHOWN if any(getattr(p, name) is not None for p in self.points)]
        swept = list(self.points[0].settings) if self.points else []
        rows = [[*p.set.values(), *(getattr(p, name) for name in names)] for p in self.points]
        said = "".join(f"<p>{html.escape(_sentence(found))}</p>" for found in self.found)
        return table([*swept, *names], rows) + said

    def to_pandas(self):
        """A pandas.DataFrame with a row a point."""
        import pandas

        return pandas.DataFrame([point.to_dict() for point in self.points])

    def plot(self, y="fer", x=None, ax=None, label=None, **style):
        """Draws the error rate over Eb/N0 with matplotlib, with its interval; returns the axes.

        x is a swept name; by default Eb/N0 if the channel has one, else the first swept name. Points
        without an error have no place on a logarithmic axis: the upper end of the interval is drawn
        there, as a triangle.
        """
        if y not in ("fer", "ber"):
            raise ValueError(f'y must be "fer" or "ber", not {y!r}')
        import matplotlib.pyplot as pyplot

        if ax is None and not pyplot.get_fignums():
            pyplot.figure(layout="constrained")  # room for labels of less than a decade, which are wide
        axes = pyplot.gca() if ax is None else ax
        name, values = self._x(x)
        seen = [(v, p) for v, p in zip(values, self.points) if getattr(p, y)]
        style = {"marker": "o", "markersize": 4, "capsize": 2, **style}
        drawn = axes.errorbar(
            [v for v, _ in seen],
            [getattr(p, y) for _, p in seen],
            yerr=_whiskers([p for _, p in seen], y),
            label=label,
            **style,
        )
        none = [(v, getattr(p, y + "_hi")) for v, p in zip(values, self.points)
                if getattr(p, y) == 0 and getattr(p, y + "_hi")]
        if none:
            axes.plot(*zip(*none), "v", color=drawn[0].get_color(), fillstyle="none")
        axes.set_yscale("log")
        axes.set_xlabel(name)
        axes.set_ylabel({"fer": "frame error rate", "ber": "bit error rate"}[y])
        axes.grid(True, which="both", alpha=0.3)
        if label is not None:
            axes.legend()
        return axes

    def _x(self, name):
        first = self.points[0] if self.points else None
        if name is None and first is not None:
            if first.ebn0_db is not None:
                return "Eb/N0 (dB)", [point.ebn0_db for point in self.points]
            name = next(iter(first.settings), None)
        if first is None or name not in first.settings:
            known = ", ".join(first.settings) if first is not None else ""
            raise ValueError(f"no swept value is called {name!r}; there is: {known or 'none'}")
        return name, [number(point.settings[name]) for point in self.points]


def _whiskers(points, y):
    """Lengths below and above; none where the interval is not known."""
    ends = [(getattr(p, y), getattr(p, y + "_lo"), getattr(p, y + "_hi")) for p in points]
    return [[rate - (rate if low is None else low) for rate, low, _ in ends],
            [(rate if high is None else high) - rate for rate, _, high in ends]]


def known(value):
    """NaN stands for "there is none"."""
    return None if math.isnan(value) else value


def plot(results, y="fer", x=None, ax=None, **style):
    """Draws several results into one picture: a dict {label: Result}, or a list of Results or paths of result files.

    A path's label is its name. y, x, ax and style are those of Result.plot(). Returns the axes.
    """
    if not isinstance(results, dict):
        results = {_label(one, i): one for i, one in enumerate(results, 1)}
    if not results:
        raise ValueError("no result to plot")
    for label, one in results.items():
        ax = (one if isinstance(one, Result) else load(one)).plot(y=y, x=x, ax=ax, label=label, **style)
    return ax


def _label(one, number):
    return f"result {number}" if isinstance(one, Result) else os.path.splitext(os.path.basename(one))[0]


def load(path):
    """Reads a result file of `fecrun run --json`, `fecrun merge --json` or Result.save() and returns a Result.

    Its `status` is None if the run had not ended. PipelineError: it is no result file, with the line.
    """
    lines = []
    with open(path) as file:
        for at, text in enumerate(file, 1):
            try:
                lines.append(json.loads(text))
                lines[-1]["type"]
            except (ValueError, KeyError, TypeError) as error:
                raise PipelineError(f"{os.fspath(path)}:{at}:1: this is not a line of a result file of fecrun") from error
    if not lines or lines[0]["type"] != "run":
        raise PipelineError(f"{os.fspath(path)}:1:1: a result file of fecrun begins with a line of type run"
                            + (f", not {lines[0]['type']}" if lines else ""))
    return result_of(lines)


def result_of(lines):
    """The objects of a result file as a Result."""
    runs = [line for line in lines if line["type"] == "run"]
    ends = [line["status"] for line in lines[-1:] if line["type"] == "end"]
    return Result([_point(line) for line in lines if line["type"] == "point"],
                  [_found(line) for line in lines if line["type"] == "found"],
                  runs[0] if runs else {}, ends[0] if ends else None)


def _point(line):
    values = {field.name: line.get(field.name) for field in dataclasses.fields(Point)}
    rate = line.get("info_mbps")
    values.update(settings={name: value if isinstance(value, str) else json.dumps(value)
                            for name, value in line["set"].items()},
                  left_over=line.get("left_over", 0),
                  info_bits=None if rate is None else round(rate * line["seconds"] * 1e6))
    return Point(**values)


def _found(line):
    of = "ber" if "ber" in line else "fer"
    return Found(of=of, rate=line[of], **{name: line[name] for name in
                                          ("set", "parameter", "value", "lo", "hi", "sure", "points")})


def _sentence(found):
    others = "".join(f"{name} {value}, " for name, value in found.set.items())
    if found.value is None:
        return f"{others}{found.of.upper()} {found.rate:g}: not found"
    return (f"{others}{found.of.upper()} {found.rate:g} at {found.parameter} {found.value:.3f} "
            f"(95 %: {found.lo:.3f} to {found.hi:.3f}{'' if found.sure else ', wider than wanted'})")
