# SPDX-License-Identifier: BSD-2-Clause
"""Arrays of other modules; those on a GPU only where there is one."""

import ctypes
import os
import subprocess
import sys
import weakref

import numpy
import pytest

import fecrun
from conftest import llrs_of


@pytest.fixture
def frames(rng):
    bits = rng.integers(0, 2, (10, 200), dtype=numpy.uint8)
    return bits, llrs_of(fecrun.encode("conv.encode", bits, code="ieee80211"), rng)


def test_torch_on_the_host(frames):
    torch = pytest.importorskip("torch")
    bits, llr = frames
    tensor, twice = torch.tensor(llr), torch.tensor(llr.repeat(2, axis=1))
    for array, sent in ((tensor, bits), (tensor[::3], bits[::3]), (twice[:, ::2], bits)):
        decoded = fecrun.decode("viterbi.decode", array, code="ieee80211")
        assert isinstance(decoded, torch.Tensor) and decoded.dtype == torch.uint8
        assert (decoded.numpy() == sent).all()


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


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


def exported():
    """A DeviceArray without a device, its DLPack capsule, and the struct that the capsule holds."""
    from fecrun import _cuda

    array = object.__new__(_cuda.DeviceArray)
    array.shape, array.dtype, array.device = (3, 5), numpy.dtype("int16"), 0
    array.pointer, array._at = 0, 4096
    capsule = array.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return array, capsule, _cuda._DLManagedTensor.from_address(get(capsule, b"dltensor"))


def test_dlpack_holds_the_array_until_its_deleter_is_called():
    from fecrun import _cuda

    array, capsule, managed = exported()
    tensor = managed.tensor
    assert (tensor.data, tensor.device_type, tensor.ndim, tensor.bits) == (4096, 2, 2, 16)
    assert [tensor.shape[0], tensor.shape[1]] == [3, 5]
    held = weakref.ref(array)
    del array
    assert held() is not None
    managed.deleter(ctypes.byref(managed))
    assert held() is None and not _cuda._exported


def test_dlpack_after_the_interpreter():
    """A module may let go when Python is gone: what it calls then is the C library's."""
    from fecrun import _cuda

    array, capsule, managed = exported()
    _cuda._let_go()
    assert address(managed.deleter) == address(_cuda._libc.free) and managed.tensor.data == 4096
    managed.deleter(ctypes.byref(managed))
    assert list(_cuda._exported.values()) == [array]
    _cuda._exported.clear()


def test_jax_holds_its_arrays_to_the_end(frames, tmp_path):
    jax = pytest.importorskip("jax")
    try:
        jax.devices("gpu")
    except RuntimeError as error:
        pytest.skip(str(error))
    numpy.save(tmp_path / "llr.npy", frames[1])
    program = """import sys, numpy, jax, fecrun
kept = fecrun.decode("viterbi.decode", jax.device_put(numpy.load("llr.npy")), code="ieee80211")
jax.kept = kept"""
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
