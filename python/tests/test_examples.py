# SPDX-License-Identifier: BSD-2-Clause
"""The examples run, and say what is to be expected."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

from conftest import fecrun_torch

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def run(name, *args, cwd):
    path = os.pathsep.join([str(EXAMPLES.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, EXAMPLES / name, *args], cwd=cwd, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_decode(tmp_path):
    pytest.importorskip("matplotlib")
    assert len((EXAMPLES / "decode.py").read_text().splitlines()) < 40
    said = run("decode.py", tmp_path / "a.png", cwd=tmp_path)
    assert re.match(r"\d+ of 500 blocks wrong; \d+ failed their checks; \d+\.\d iterations\n", said)
    assert (tmp_path / "a.png").stat().st_size > 5000


def test_waterfall(tmp_path):
    pytest.importorskip("matplotlib")
    run("waterfall.py", tmp_path / "a.png", "100", cwd=tmp_path)
    assert (tmp_path / "a.png").stat().st_size > 5000


def test_own_matrix(tmp_path):
    rates = [float(r) for r in re.findall(r"dB: (\d\.\d+)", run("own_matrix.py", cwd=tmp_path))]
    assert len(rates) == 4 and rates == sorted(rates, reverse=True) and rates[-1] < 0.1 < rates[0]


def test_torch_loop(tmp_path):
    fecrun_torch()
    rates = [float(r) for r in re.findall(r"BLER (\d\.\d+)", run("torch_loop.py", cwd=tmp_path))]
    assert len(rates) == 3 and rates[-1] < 0.2
