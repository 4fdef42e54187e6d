# SPDX-License-Identifier: BSD-2-Clause
"""What goes into the wheel is enough: library, plugins and program."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent

TRIED = """
import json, fecrun
from fecrun import _library, _program
link = {"fecrun": 1, "pipeline": [{"source.random": {"bits": 200}}, {"conv.encode": {"code": "ieee80211"}},
    {"modem.map": {"scheme": "bpsk"}}, {"channel.awgn": {"ebn0_db": 2}}, "modem.demap",
    {"llr.quantize": {"type": "i8", "scale": 4}}, "viterbi.decode", "sink.errors"], "stop": {"frames": 500}}
pipeline = fecrun.Pipeline(link)
run, kept = pipeline.run()[0], pipeline.run(journal="J")[0]
print(json.dumps([fecrun.__file__, _program.program(), fecrun.stages()["ldpc.decode"].plugin,
                  [run.frames, run.bit_errors], [kept.frames, kept.bit_errors]]))
"""


def test_contents_of_the_wheel(tmp_path):
    build = os.environ.get("FECRUN_BUILD")
    if not build:
        pytest.skip("FECRUN_BUILD does not name a build of the tree")
    try:
        import setuptools.command.bdist_wheel  # noqa: F401
    except ImportError:
        pytest.importorskip("wheel")
    subprocess.run([sys.executable, "setup.py", "-q", "egg_info", "-e", tmp_path, "build_py", "-d", tmp_path / "lib"],
                   cwd=PACKAGE, check=True, capture_output=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FECRUN") and name != "PATH"}
    done = subprocess.run([sys.executable, "-c", TRIED], cwd=tmp_path, text=True, capture_output=True,
                          env={**clean, "PYTHONPATH": str(tmp_path / "lib"), "PATH": "/nowhere"})
    assert done.returncode == 0, done.stderr
    package, program, plugin, run, kept = json.loads(done.stdout)
    inside = str(tmp_path / "lib" / "fecrun")
    assert package.startswith(inside) and program.startswith(inside) and plugin == "ldpc"
    assert {"__init__.pyi", "py.typed"} <= set(os.listdir(inside))
    assert run == kept and run[0] == 500 and run[1] > 0


INSTALLED = """
import json, fecrun
from fecrun import _program
decoder = fecrun.stages()["ldpc.decode"]
pipeline = fecrun.Pipeline({"fecrun": 1, "pipeline": [{"source.random": {"bits": 440}},
    {"ldpc.encode": {"code": "nr", "bg": 1, "z": 20}}, {"modem.map": {"scheme": "bpsk"}},
    {"channel.awgn": {"ebn0_db": 9}}, "modem.demap", "ldpc.decode", "sink.errors"], "stop": {"frames": 20}})
print(json.dumps([fecrun.__file__, _program.program(), pipeline.run()[0].frame_errors,
                  dict(decoder.backends)]))
"""


def test_wheel_in_a_clean_environment(tmp_path):
    """wheels.sh builds it, pip installs it, and the kernels of the build are found there."""
    build = os.environ.get("FECRUN_BUILD")
    if not build:
        pytest.skip("FECRUN_BUILD does not name a build of the tree")
    pytest.importorskip("pip")
    pytest.importorskip("wheel")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FECRUN") and name != "PYTHONPATH"}
    subprocess.run(["sh", PACKAGE / "wheels.sh", tmp_path, build, "none"], check=True, env={**clean, "PYTHON": sys.executable})
    kernels = any(b".nv_fatbin" in path.read_bytes() for path in pathlib.Path(build).glob("lib/fecrun/*/ldpc.so"))
    names = sorted(path.name.partition("-py3-none")[0] for path in tmp_path.glob("*.whl"))
    assert len(names if kernels else set(names)) == (2 if kernels else 1) and names[-1].endswith("+cuda") == kernels
    wheel = next(path for path in tmp_path.glob("*.whl") if not path.name.endswith("-any.whl"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "-q", "install", "--no-deps", "--no-index", wheel],
                   check=True, env=clean)
    done = subprocess.run([python, "-c", INSTALLED], cwd=tmp_path, text=True, capture_output=True,
                          env={**clean, "PATH": "/nowhere"})
    assert done.returncode == 0, done.stderr
    package, program, wrong, backends = json.loads(done.stdout)
    inside = str(tmp_path / "venv")
    assert package.startswith(inside) and program.startswith(inside) and wrong == 0
    assert ("built without CUDA" in (backends["cuda"] or "")) == (not kernels)
