# SPDX-License-Identifier: BSD-2-Clause
"""Result files, pictures of several, and what the program does for the package."""

import json
import os
import subprocess

import numpy
import pytest

import fecrun
from test_pipeline import LINK, YAML

CRC = {**LINK, "pipeline": [LINK["pipeline"][0], {"crc.attach": {"crc": 16}}, *LINK["pipeline"][1:-1],
                            {"crc.check": {"crc": 16}}, "sink.errors"]}
ROWS = {"channel.awgn.ebn0_db": {"find": {"fer": 0.1, "tolerance_db": 0.1}}}


@pytest.fixture(scope="module", autouse=True)
def program():
    """The program of the build; an installed one in a package's own tests."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("FECRUN"):
            patch.setenv("FECRUN_PROGRAM", os.environ["FECRUN"])
        try:
            yield fecrun._program.program()
        except fecrun.NotAvailableError as error:
            pytest.skip(str(error))


def printed(program, directory, *args):
    done = subprocess.run([program, *args, "--json", "-", "--quiet"], cwd=directory, text=True, check=True,
                          capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_saved_and_loaded(tmp_path):
    result = fecrun.Pipeline(CRC).run()
    assert all(point.failed and point.failed >= point.frame_errors - point.undetected for point in result)
    result.save(tmp_path / "a.json")
    again = fecrun.load(tmp_path / "a.json")
    assert again.points == result.points and again.status == 0
    assert again[1].set == {"channel.awgn.ebn0_db": 3}


def test_files_of_the_program(program, tmp_path):
    (tmp_path / "link.json").write_text(json.dumps(CRC))
    lines = printed(program, tmp_path, "run", "link.json")
    (tmp_path / "r.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = fecrun.load(tmp_path / "r.json")
    points = [line for line in lines if line["type"] == "point"]
    for point, line in zip(result, points):
        made = point.to_json()
        assert {name: made[name] for name in line} == {
            name: pytest.approx(v) if name == "info_mbps" else v for name, v in line.items()}
    assert len(result) == len(points) == 2 and result.run["seed"] == 5 and result.status == 0
    (tmp_path / "cut.json").write_text("".join(json.dumps(line) + "\n" for line in lines[:-1]))
    assert fecrun.load(tmp_path / "cut.json").status is None


@pytest.mark.parametrize("text, line", [("", 1), ("[]\n", 1), ("x\n", 1), ('{"type":"end","status":0}\n', 1),
                                        ('{"type":"run"}\n{"point":1}\n', 2)])
def test_what_is_no_result(tmp_path, text, line):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(fecrun.PipelineError) as wrong:
        fecrun.load(tmp_path / "a.json")
    assert (wrong.value.file, wrong.value.line) == (str(tmp_path / "a.json"), line)


def test_find(program, tmp_path):
    link = {**LINK, "sweep": {"llr.quantize.scale": [2, 4], **ROWS}, "stop": {"frame_errors": 30}}
    (tmp_path / "link.json").write_text(json.dumps(link))
    theirs = [line for line in printed(program, tmp_path, "run", "link.json") if line["type"] == "found"]
    result = fecrun.Pipeline(link).find()
    assert [one.to_json() for one in result.found] == theirs and len(theirs) == 2
    assert result.found[1].set == {"llr.quantize.scale": 4} and result.found[1].fer == 0.1
    assert result.found[1].lo < result.found[1].value < result.found[1].hi
    assert f"{result.found[1].value:.3f}" in result._repr_html_()
    result.save(tmp_path / "r.json")
    assert fecrun.load(tmp_path / "r.json").found == result.found
    with pytest.raises(fecrun.PipelineError, match="searches nothing"):
        fecrun.Pipeline(LINK).find()


def test_journal(tmp_path):
    link = {**LINK, "stop": {"frames": 300}}
    journal = tmp_path / "J"
    half = fecrun.Pipeline(link).run(journal=journal)
    whole = fecrun.Pipeline(LINK).run(journal=journal)
    assert [p.frames for p in half] == [300, 300] and (journal / "pipeline.json").exists()
    straight = fecrun.Pipeline(LINK).run()
    assert [(p.frames, p.bit_errors) for p in whole] == [(p.frames, p.bit_errors) for p in straight]
    with pytest.raises(fecrun.PipelineError, match="seed: 5, here 6"):
        fecrun.Pipeline(LINK, sets={"seed": 6}).run(journal=journal)


def test_doctor():
    assert fecrun.Pipeline(LINK).doctor().verdicts == []
    report = fecrun.Pipeline(LINK, sets={"llr.quantize.scale": 300}).doctor()
    (place, text), = report.verdicts
    assert place == "llr.quantize.out" and "saturated" in text
    assert report.ports[0].slope == pytest.approx(1, abs=0.02) and report.ports[1].type == "i8"
    assert "saturated" in report._repr_html_()
    with pytest.raises(fecrun.Error, match="LLR"):
        fecrun.Pipeline({"fecrun": 1, "pipeline": [{"source.random": {"bits": 8}}, "sink.errors"],
                         "stop": {"frames": 9}}).doctor()


def test_compare_backends(tmp_path):
    both = fecrun.Pipeline(LINK, base_dir=tmp_path).compare("ref", "simd", accept="exact")
    assert both.accepted and both.summary.every_frame_alike
    assert [p.frames for p in both.points] == [500, 500] and both.points[0].both_wrong > 0
    assert "both_wrong" in both._repr_html_() and os.listdir(tmp_path) == []
    turbo = {**LINK, "pipeline": [{"source.random": {"bits": 104}}, {"turbo.encode": {"k": 104}},
                                  *LINK["pipeline"][2:6], "turbo.decode", "sink.errors"],
             "sweep": {"channel.awgn.ebn0_db": [0]}}  # simd is near ref, not alike
    assert fecrun.Pipeline(turbo).compare("ref", "simd", accept="exact").accepted is False
    with pytest.raises(fecrun.Error, match="nothing"):
        fecrun.Pipeline(LINK).compare("ref", "nothing")


def test_compare_results(tmp_path):
    good = fecrun.Pipeline(LINK).run()
    bad = fecrun.Pipeline(LINK, sets={"llr.quantize.scale": 0.3}).run()
    same = fecrun.compare(good, good, accept="statistical")
    assert same.accepted and same.summary.equally_good and same.summary.gap_db == 0
    bad.save(tmp_path / "bad.json")
    other = fecrun.compare(good, tmp_path / "bad.json", accept="statistical", fer=0.2)
    assert other.accepted is False and not other.summary.equally_good and other.summary.gap_fer == 0.2
    assert [p.frame_errors_b for p in other.points] == [p.frame_errors for p in bad]
    assert other.points[0].set == {"channel.awgn.ebn0_db": 1} and other.summary.b.endswith("bad.json")


def test_errors_have_the_pipelines_name(monkeypatch, tmp_path):
    pipeline = fecrun.Pipeline(LINK, name="mine", base_dir=tmp_path)
    pipeline._called._pipeline = YAML  # wrong, which Pipeline() would not have taken
    for function in (pipeline.find, lambda: pipeline.compare("ref", "simd")):
        with pytest.raises(fecrun.PipelineError) as wrong:
            function()
        assert (wrong.value.file, wrong.value.line, wrong.value.column) == ("mine", 5, 19)
    monkeypatch.setenv("FECRUN_PROGRAM", "/nowhere/fecrun")
    with pytest.raises(fecrun.NotAvailableError, match="/nowhere/fecrun was not found"):
        pipeline.doctor()


def test_html():
    text = fecrun.Pipeline(CRC).run()._repr_html_()
    head = text[:text.index("</thead>")]
    assert "<th>channel.awgn.ebn0_db</th>" in head and "<th>failed</th>" in head and "<th>bler</th>" not in head
    assert text.count("<tr>") == 3 and text.count("<table>") == text.count("</table>") == 1
    assert fecrun.Result([])._repr_html_().count("<tr>") == 1


def test_plot_of_several(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("matplotlib.pyplot").close("all")
    one = fecrun.Pipeline(LINK).run()
    fecrun.Pipeline(LINK, sets={"llr.quantize.scale": 0.3}).run().save(tmp_path / "coarse.json")
    axes = fecrun.plot([one, tmp_path / "coarse.json"], linestyle="--")
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["result 1", "coarse"] and axes.get_yscale() == "log"
    curves = [line.get_ydata() for line in axes.get_lines() if len(line.get_ydata()) == 2 and line.get_marker() == "o"]
    assert len(curves) == 2 and numpy.all(curves[1] > curves[0])
    with pytest.raises(ValueError, match="no result"):
        fecrun.plot([])
