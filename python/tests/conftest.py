# SPDX-License-Identifier: BSD-2-Clause
"""What tests share: one code of each family, and what a channel makes of its words."""

import importlib

import numpy
import pytest

# Encoder, its parameters, decoder, its parameters beside those, information bits of a frame.
FAMILIES = {
    "viterbi": ("conv.encode", {"code": "ieee80211"}, "viterbi.decode", {}, 200),
    "ldpc": ("ldpc.encode", {"code": "nr", "bg": 2, "z": 20}, "ldpc.decode", {}, 200),
    "turbo": ("turbo.encode", {"k": 104}, "turbo.decode", {}, 104),
    "polar": ("polar.encode", {"code": "plain", "n": 256, "k": 128}, "polar.decode",
              {"algorithm": "scl", "list": 4}, 128),
}


@pytest.fixture(params=sorted(FAMILIES))
def family(request):
    return FAMILIES[request.param]


def fecrun_torch():
    """fecrun.torch; the caller is skipped where there is no PyTorch, or one that is too old."""
    torch = pytest.importorskip("torch")
    if not hasattr(torch.library, "custom_op"):
        pytest.skip(f"needs PyTorch 2.4, this is {torch.__version__}", allow_module_level=True)
    return importlib.import_module("fecrun.torch")


@pytest.fixture
def rng():
    return numpy.random.default_rng(7)


def llrs_of(coded, rng, scale=6, sigma=0.5):
    """int8 LLRs of BPSK with noise that these codes correct."""
    received = 1 - 2 * coded.astype(numpy.float64) + sigma * rng.standard_normal(coded.shape)
    return numpy.clip(numpy.rint(received * scale), -127, 127).astype(numpy.int8)
