# SPDX-License-Identifier: BSD-2-Clause
"""Arrays of other modules; those on a GPU only where there is one."""

import numpy
import pytest

import fecrun
from conftest import llrs_of


@pytest.fixture
def frames(rng):
    bits = rng.integers(0, 2, (10, 200), dtype=numpy.uint8)
    return bits, llrs_of(fecrun.encode("conv.encode", bits, code="ieee80211"), rng)


def test_jax_on_the_host(frames):
    jax = pytest.importorskip("jax")
    bits, llr = frames
    array = jax.device_put(llr, jax.devices("cpu")[0])
    decoded = fecrun.decode("viterbi.decode", array, code="ieee80211")
    assert isinstance(decoded, jax.Array) and (numpy.asarray(decoded) == bits).all()


def test_jax_on_a_gpu(frames):
    jax = pytest.importorskip("jax")
    try:
        device = jax.devices("gpu")[0]
    except RuntimeError as error:
        pytest.skip(str(error))
    bits, llr = frames
    decoded = fecrun.decode("viterbi.decode", jax.device_put(llr, device), code="ieee80211")
    assert isinstance(decoded, jax.Array) and decoded.devices() == {device}
    assert (numpy.asarray(decoded) == bits).all()
    assert int((decoded + 1).sum()) == int(bits.sum()) + bits.size


def test_cupy(frames):
    cupy = pytest.importorskip("cupy")
    bits, llr = frames
    with cupy.cuda.Stream(non_blocking=True):
        decoded = fecrun.decode("viterbi.decode", cupy.asarray(llr), code="ieee80211")
        assert isinstance(decoded, cupy.ndarray) and (decoded.get() == bits).all()


def test_anything_on_a_gpu(frames):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    bits, llr = frames
    tensor = torch.tensor(llr, device="cuda")

    class Foreign:
        shape = tensor.shape
        __cuda_array_interface__ = tensor.__cuda_array_interface__

    torch.cuda.synchronize()
    decoded = fecrun.decode("viterbi.decode", Foreign(), code="ieee80211")
    assert (decoded.numpy() == bits).all()
    assert (torch.from_dlpack(decoded).cpu().numpy() == bits).all()
