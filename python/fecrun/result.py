# SPDX-License-Identifier: BSD-2-Clause
"""What a run has counted."""

import dataclasses
import math
import typing


@dataclasses.dataclass(frozen=True)
class Point:
    """One point of the sweep. Rates are None where nothing was counted.

    settings          swept values, {"channel.awgn.ebn0_db": "2.5"}
    ebn0_db, esn0_db  of the channel; None: the pipeline has none
    frames, bits      compared by the sink; info_bits are those of the source
    fer_low, fer_high 95 % Clopper-Pearson interval of fer
    ber_low, ber_high that of ber, whose errors come in frames
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
    info_bits: int
    bit_errors: typing.Optional[int]
    frame_errors: typing.Optional[int]
    fer_low: typing.Optional[float]
    fer_high: typing.Optional[float]
    undetected: typing.Optional[int]
    blocks: typing.Optional[int]
    block_errors: typing.Optional[int]
    iterations_mean: float
    iterations_max: int
    seconds: float
    stop: str
    ber_low: typing.Optional[float]
    ber_high: typing.Optional[float]
    failed: typing.Optional[int] = None
    left_over: int = 0

    # Names of the result files of `fecrun run --json`.
    fer_lo = property(lambda self: self.fer_low)
    fer_hi = property(lambda self: self.fer_high)
    ber_lo = property(lambda self: self.ber_low)
    ber_hi = property(lambda self: self.ber_high)

    @property
    def fer(self):
        """Frame error rate."""
        return _rate(self.frame_errors, self.frames)

    @property
    def ber(self):
        """Bit error rate."""
        return _rate(self.bit_errors, self.bits)

    @property
    def block_error_rate(self):
        """Of the code blocks that frames were split into; None: they were not."""
        return _rate(self.block_errors, self.blocks)

    @property
    def info_mbps(self):
        """Information bits a second through the whole pipeline, in Mb/s."""
        return self.info_bits / self.seconds / 1e6 if self.seconds > 0 else None

    def to_dict(self):
        """All of it in one level, with the swept values under their names."""
        row = {name: number(value) for name, value in self.settings.items()}
        for field in dataclasses.fields(self):
            if field.name != "settings":
                row[field.name] = getattr(self, field.name)
        row.update(fer=self.fer, ber=self.ber, info_mbps=self.info_mbps)
        return row


def _rate(errors, of):
    return None if errors is None or not of else errors / of


def number(text):
    """A swept value as a number, if it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


@dataclasses.dataclass(frozen=True)
class Result:
    """The points of a run, in the order of the sweep. It can be iterated and indexed."""

    points: typing.List[Point]

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        return self.points[i]

    def __iter__(self):
        return iter(self.points)

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
        drawn = axes.errorbar(
            [v for v, _ in seen],
            [getattr(p, y) for _, p in seen],
            yerr=_whiskers([p for _, p in seen], y),
            label=label,
            **{"marker": "o", "markersize": 4, "capsize": 2, **style},
        )
        none = [(v, getattr(p, y + "_high")) for v, p in zip(values, self.points)
                if getattr(p, y) == 0 and getattr(p, y + "_high")]
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
    ends = [(getattr(p, y), getattr(p, y + "_low"), getattr(p, y + "_high")) for p in points]
    return [[rate - (rate if low is None else low) for rate, low, _ in ends],
            [(rate if high is None else high) - rate for rate, _, high in ends]]


def known(value):
    """NaN stands for "there is none"."""
    return None if math.isnan(value) else value
