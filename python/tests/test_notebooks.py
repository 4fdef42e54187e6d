# SPDX-License-Identifier: BSD-2-Clause
"""The notebooks run from the first cell to the last, and show what their text says."""

import os
import pathlib

import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parent.parent / "notebooks"


@pytest.fixture
def shown(monkeypatch, tmp_path):
    """Function of a notebook's name: runs it in an empty folder, returns the outputs of each of its cells of code."""
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    nbformat = pytest.importorskip("nbformat")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(
        [str(NOTEBOOKS.parent), *filter(None, [os.environ.get("PYTHONPATH")])]))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    if os.environ.get("FECRUN"):
        monkeypatch.setenv("FECRUN_PROGRAM", os.environ["FECRUN"])

    def run(name):
        notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                                resources={"metadata": {"path": str(tmp_path)}}).execute()
        return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]

    return run


def kinds(outputs):
    """MIME types of what a cell has shown."""
    return {kind for output in outputs for kind in output.get("data", {})}


def printed(outputs):
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def test_curves(shown):
    first, several, table, found = shown("curves.ipynb")
    assert "text/html" in kinds(first) and "image/png" in kinds(several) and "text/html" in kinds(table)
    gain = printed(found).split("gain ")[1].split(" dB")[0]
    assert 0.2 < float(gain) < 3


def test_arrays(shown):
    shape, decoded, picture, _ = shown("arrays.ipynb")
    assert shape[0].data["text/plain"] == "(400, 2600)" and "image/png" in kinds(picture)
    wrong = int(printed(decoded).split(" of 400")[0])
    assert 0 < wrong < 400


def test_receiver(shown):
    report, judged, both = shown("receiver.ipynb")
    assert "saturated" in report[-1].data["text/html"]
    before, after = (float(rate) for rate in printed(judged).split("rate ")[1].split(" -> "))
    assert after < before and "text/html" in kinds(judged)
    assert printed(both).startswith("alike in every frame: True")
