# SPDX-License-Identifier: BSD-2-Clause
"""Whole runs."""

import json
import math
import os
import pathlib
import signal
import subprocess
import threading
import _thread

import pytest

import fecrun

LINK = {
    "fecrun": 1,
    "seed": 5,
    "pipeline": [
        {"source.random": {"bits": 200}},
        {"conv.encode": {"code": "ieee80211"}},
        {"modem.map": {"scheme": "bpsk"}},
        {"channel.awgn": {"ebn0_db": 2}},
        {"modem.demap": {}},
        {"llr.quantize": {"type": "i8", "scale": 4}},
        {"viterbi.decode": {}},
        {"sink.errors": {}},
    ],
    "sweep": {"channel.awgn.ebn0_db": [1, 3]},
    "stop": {"frames": 500},
}
YAML = """\
fecrun: 1
pipeline:
  - source.random: {bits: 200}
  - conv.encode: {code: ieee80211}
  - sink.errors: {cod: 1}
"""


def test_counts_are_those_of_the_program(tmp_path):
    program = os.environ.get("FECRUN")
    if not program:
        pytest.skip("FECRUN does not name the program")
    (tmp_path / "link.json").write_text(json.dumps(LINK))
    subprocess.run([program, "run", "link.json", "--quiet", "--json", "out.json"], cwd=tmp_path, check=True)
    lines = [json.loads(line) for line in (tmp_path / "out.json").read_text().splitlines()]
    theirs = [line for line in lines if line.get("type") == "point"]
    ours = fecrun.Pipeline(LINK).run()
    assert len(theirs) == len(ours) == 2
    for their, our in zip(theirs, ours):
        assert (our.frames, our.bit_errors, our.frame_errors) == (
            their["frames"], their["bit_errors"], their["frame_errors"])
        assert our.frame_errors > 0
        for name in set(their) - {"type", "seconds", "info_mbps"}:
            value = their[name]
            assert getattr(our, name) == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name
        assert set(their) <= set(our.to_json())


def test_points():
    first, second = fecrun.Pipeline(LINK, threads=2).run(progress=False)
    assert first.settings == {"channel.awgn.ebn0_db": "1"} and first.ebn0_db == pytest.approx(1)
    assert first.esn0_db == pytest.approx(1 + 10 * math.log10(200 / 412))
    assert first.fer == first.frame_errors / 500 and first.ber == first.bit_errors / (500 * 200)
    assert first.fer_low < first.fer < first.fer_high
    assert first.ber_low < first.ber < first.ber_high
    assert first.fer > second.fer
    assert first.stop == "frames"
    assert first.to_dict()["channel.awgn.ebn0_db"] == 1
    assert first.block_error_rate is None


def test_sets_and_backend():
    run = fecrun.Pipeline(LINK, sets={"stop.frames": 100, "channel.awgn.ebn0_db": 9}, backend="ref").run()
    assert [p.frames for p in run] == [100] and run[0].fer == 0


def test_text_and_file(tmp_path):
    text = YAML.replace("{cod: 1}", "{}") + "stop: {frames: 10}\n"
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(fecrun.PipelineError, match="sink.errors"):
        fecrun.Pipeline(text).check()
    for path in (pathlib.Path(tmp_path / "a.yaml"), str(tmp_path / "a.yaml")):
        with pytest.raises(fecrun.PipelineError) as wrong:
            fecrun.Pipeline(path).check()
        assert wrong.value.file.endswith("a.yaml")
    with pytest.raises(fecrun.PipelineError, match="none.json"):
        fecrun.Pipeline("none.json")


def test_errors_say_where():
    with pytest.raises(fecrun.PipelineError) as wrong:
        fecrun.Pipeline(YAML, name="mine")
    error = wrong.value
    assert (error.file, error.line, error.column) == ("mine", 5, 19)
    assert "cod" in error.text and error.status == 2 and isinstance(error, ValueError)
    with pytest.raises(fecrun.PipelineError):
        fecrun.Pipeline(pathlib.Path("no such file.yaml"))
    with pytest.raises(TypeError):
        fecrun.Pipeline(LINK, sets=["seed=3"])


def test_a_backend_that_is_not_here():
    with pytest.raises(fecrun.NotAvailableError) as wrong:
        fecrun.Pipeline(LINK, backend="cuda:77").check()
    assert wrong.value.status == 3


def test_progress():
    seen = []
    fecrun.Pipeline(LINK, sets={"stop.frames": 20000}).run(progress=seen.append)
    assert seen and seen[-1]["points"] == 2


def test_interrupt_keeps_what_was_counted():
    sets = {"stop.frames": 10**9, "stop.seconds": 60, "channel.awgn.ebn0_db": 6}
    pipeline = fecrun.Pipeline(LINK, sets=sets, threads=1)
    # what a shell starts in the background (`make check &`) ignores SIGINT, and Python with it
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, _thread.interrupt_main).start()
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            pipeline.run(progress=False)
    finally:
        signal.signal(signal.SIGINT, before)
    (point,) = stopped.value.result
    assert point.stop == "signal" and 0 < point.frames < 10**9


def test_pandas_and_plot():
    result = fecrun.Pipeline(LINK).run()
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["channel.awgn.ebn0_db"]) == [1, 3]
    pytest.importorskip("matplotlib").use("Agg")
    axes = result.plot(label="K = 7")
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "Eb/N0 (dB)"
    assert result.plot(y="ber", x="channel.awgn.ebn0_db", ax=axes) is axes
    with pytest.raises(ValueError, match="channel.awgn.ebn0_db"):
        result.plot(x="nothing")
