# SPDX-License-Identifier: BSD-2-Clause
"""The declarations here are those of the header."""

import os
import re
import shlex
import subprocess

import pytest

from fecrun._cdef import CDEF
from fecrun._library import ffi


def structs():
    for name, body in re.findall(r"struct (\w+) \{([^}]*)\};", CDEF):
        fields = re.sub(r"\([^)]*\)", "", re.sub(r"\(\*(\w+)\)", r"\1", body))
        yield name, [re.search(r"(\w+)(\[\d+\])?$", f.strip())[1] for f in fields.split(";") if f.strip()]


def test_structs_are_those_of_the_header(tmp_path):
    include = os.environ.get("FECRUN_INCLUDE")
    if not include:
        pytest.skip("FECRUN_INCLUDE does not say where fecrun/fecrun.h is")
    lines = ["#include <fecrun/fecrun.h>", "#include <stdio.h>", "int main(void) {"]
    expected = []
    for name, fields in structs():
        lines.append(f'printf("%zu\\n", sizeof(struct {name}));')
        expected.append((f"sizeof {name}", ffi.sizeof(f"struct {name}")))
        for field in fields:
            lines.append(f'printf("%zu\\n", offsetof(struct {name}, {field}));')
            expected.append((f"{name}.{field}", ffi.offsetof(f"struct {name}", field)))
    (tmp_path / "sizes.c").write_text("\n".join(lines + ["}"]))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, f"-I{include}", "-o", tmp_path / "sizes", tmp_path / "sizes.c"], check=True)
    printed = subprocess.run([tmp_path / "sizes"], check=True, capture_output=True).stdout.split()
    assert len(expected) > 60
    assert [(what, int(n)) for (what, _), n in zip(expected, printed)] == expected


def test_stages():
    import fecrun

    stages = fecrun.stages()
    awgn = stages["channel.awgn"]
    assert awgn.plugin == "chain" and awgn.summary and awgn.backends["ref"] == ""
    esn0 = awgn.params["esn0_db"]
    assert esn0.type == "float" and esn0.range == (-50, 100) and esn0.unit == "dB" and esn0.help
    assert not esn0.required and esn0.default is None
    types = stages["llr.quantize"].params["type"]
    assert types.type == "choice" and "i8" in types.choices
    assert stages["ldpc.rate_recover"].params["z"].range == (2, 384)
