# SPDX-License-Identifier: BSD-2-Clause
"""The Python that README.md and doc/ show runs as it stands there."""

import pathlib
import re
import textwrap
import types

import numpy
import pytest

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = """fecrun: 1
pipeline: [source.random: {bits: 200}, conv.encode: {code: ieee80211}, modem.map: {scheme: bpsk},
    channel.awgn: {ebn0_db: 3}, modem.demap: {}, viterbi.decode: {}, sink.errors: {}]
stop: {frames: 50}
"""


def blocks(path):
    """(line, text) of each indented block of Python; those that only others can run are left to them."""
    lines, found = path.read_text().splitlines(), []
    for at, line in enumerate(lines):
        if line.startswith("    ") and not lines[at - 1].strip():
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            if not any(start <= at < start + text.count("\n") + 1 for start, text in found):
                found.append((at, textwrap.dedent("\n".join(lines[at:end])).strip("\n")))
    found = [(at + 2, text.partition("\n\n")[2]) if text.startswith("pip ") else (at, text) for at, text in found]
    return [(at + 1, text) for at, text in found
            if re.match(r"(from|import) \w+|(result|decoder|bits) = ", text)]


FILES = [TREE / "README.md", TREE / "python/README.md", *sorted((TREE / "doc").glob("*.md"))]
SNIPPETS = [pytest.param(path, line, text, id=f"{path.name}:{line}") for path in FILES for line, text in blocks(path)]


def names(tmp_path):
    """What the text around the snippets speaks of."""
    fecrun = pytest.importorskip("fecrun")
    word = fecrun.encode("ldpc.encode", numpy.zeros((3, 22 * 384), numpy.uint8), code="nr", bg=1, z=384)
    (tmp_path / "link.yaml").write_text(LINK)
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf/quickstart.yaml").write_text(LINK)
    return {"fecrun": fecrun, "llr": (4 - 8 * word.astype(numpy.float32)), "syndromes": numpy.zeros((5, 3), numpy.uint8),
            "priors": numpy.full(7, 0.05), "__name__": "not main"}


def test_there_are_some():
    assert len(SNIPPETS) >= 8


@pytest.mark.parametrize("path, line, text", SNIPPETS)
def test_snippet(path, line, text, tmp_path, monkeypatch):
    code = compile("\n" * (line - 1) + text, str(path), "exec")
    if "gnuradio" in text:
        return  # t/gnuradio runs flowgraphs
    monkeypatch.chdir(tmp_path)
    space = names(tmp_path)
    if ".plot(" in text:
        pytest.importorskip("matplotlib")
        pytest.importorskip("pandas")
    if "H.npz" in text:
        sparse = pytest.importorskip("scipy.sparse")
        sparse.save_npz("H.npz", sparse.csr_matrix(
            numpy.array([[1, 0, 1, 0, 1, 0, 1], [0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1, 1]], numpy.uint8)))
    if "sinter" in text:
        try:
            __import__("sinter")
        except ImportError:
            pytest.skip("sinter of PyPI is not installed")
    if "fecrun.torch" in text:
        torch = pytest.importorskip("torch")
        space.update(encoder=types.SimpleNamespace(k=200, n=400, num_bits_per_symbol=None),
                     logits=torch.full((2, 400), -4.0))
    exec(code, space)
    if "bits" in space:
        assert not numpy.asarray(space["bits"]).any()
    if "result" in space:
        assert space["result"][0].frames > 0
    if "errors" in space:
        assert space["errors"].shape == (5, 7) and not space["errors"].any()
