# SPDX-License-Identifier: BSD-2-Clause
"""Comparisons of runs, and what the doctor measured: objects of `fecrun compare` and `fecrun run --doctor`."""

import html
import os
import types

from ._program import as_files, lines_of
from .result import Result, load


class Report(types.SimpleNamespace):
    """A JSON object of the program; its fields are attributes of the same names."""

    def to_dict(self):
        return {name: _plain(value) for name, value in vars(self).items()}


def _plain(value):
    if isinstance(value, Report):
        return value.to_dict()
    return [_plain(v) for v in value] if isinstance(value, list) else value


def report_of(line, kind=Report):
    """The JSON object as a Report, also inside, but for `set`, whose names have dots."""
    return kind(**{name: value if name == "set" else _reported(value) for name, value in line.items()})


def _reported(value):
    if isinstance(value, dict):
        return report_of(value)
    return [_reported(v) for v in value] if isinstance(value, list) else value


class Doctor(Report):
    """LLRs of each port: frames, and ports with stage, port, slope, information, verdicts, ... (doc/doctor.md)."""

    @property
    def verdicts(self):
        """All mistakes that were found, as (stage.port, text)."""
        return [(f"{port.stage}.{port.port}", verdict.text) for port in self.ports for verdict in port.verdicts]

    def _repr_html_(self):
        columns = ("stage", "port", "type", "llrs", "slope", "information", "signs_right", "saturated")
        rows = [[getattr(port, name, None) for name in columns] for port in self.ports]
        said = "".join(f"<p><b>{html.escape(where)}</b>: {html.escape(text)}</p>" for where, text in self.verdicts)
        return table(columns, rows) + (said or "<p>No mistake was found.</p>")


class Comparison(Report):
    """Two runs beside each other.

    points      a Report for each point, fields as in doc/results.md (frames_a, fer_a, fer_ratio, p, ...)
    summary     the last line: equally_good, same_frames, every_count_alike, p, gap_db, ... of results;
                of two backends as doc/commands.md has them
    accepted    the rule of `accept` holds; None: none was asked for
    """

    def _repr_html_(self):
        flat = [{k: v for k, v in point.to_dict().items() if not isinstance(v, (dict, list)) and k != "type"}
                for point in self.points]
        columns = list(flat[0]) if flat else []
        rows = [[row.get(name) for name in columns] for row in flat]
        return table(columns, rows) + table(("field", "value"), [
            (name, value) for name, value in self.summary.to_dict().items() if name != "type"])


def comparison_of(lines, accept):
    points = [report_of(line) for line in lines if line["type"] == "compare"]
    summary = [report_of(line) for line in lines if line["type"] == "compared"]
    status = [line["status"] for line in lines if line["type"] == "end"]
    return Comparison(points=points, summary=summary[-1] if summary else None,
                      accepted=None if accept is None else status[-1:] == [0])


def compare(a, b, *, accept=None, fer=None):
    """Compares two results, each a Result or the path of a result file, as `fecrun compare A B` does.

    accept  "exact" (every count alike) or "statistical" (equally good at a level of 1 %): sets `accepted`
    fer     frame error rate at which curves are compared in dB; None: 0.1

    Returns a Comparison. Raises PipelineError for what is no result, NotAvailableError without the program.
    """
    results = [one if isinstance(one, Result) else load(one) for one in (a, b)]
    args = [*(["--accept", accept] if accept else []), *(["--fer", str(fer)] if fer is not None else [])]
    with as_files(None, ".json", *(result.text() for result in results)) as files:
        lines = lines_of("compare", *files, *args, accept=(0, 4))
    names = [os.fspath(one) if not isinstance(one, Result) else "ab"[i] for i, one in enumerate((a, b))]
    for line in lines:
        line.update((side, name) for side, name in zip("ab", names) if side in line)
    return comparison_of(lines, accept)


def table(columns, rows):
    """Rows as a table in HTML; numbers have four digits."""
    def cell(value):
        return "" if value is None else html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
