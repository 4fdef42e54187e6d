# SPDX-License-Identifier: BSD-2-Clause
"""What holds of calls on CUDA tensors: streams are respected, nothing is copied."""

import numpy
import pytest

import fecrun
from conftest import llrs_of

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

CODE = {"code": "ieee80211"}


def frames(rng, count):
    bits = rng.integers(0, 2, (count, 1000), dtype=numpy.uint8)
    llr = llrs_of(fecrun.encode("conv.encode", bits, **CODE), rng)
    return torch.tensor(bits, device="cuda"), torch.tensor(llr, device="cuda")


def test_work_is_queued_behind_the_stream_s(rng):
    """The LLRs are written by work that the stream has not begun when the decoder is called."""
    bits, llr = frames(rng, 64)
    stream = torch.cuda.Stream()
    x = torch.zeros_like(llr)
    with torch.cuda.stream(stream):
        fecrun.decode("viterbi.decode", x, **CODE)  # prepares
        stream.synchronize()
        torch.cuda._sleep(200_000_000)
        x.copy_(llr)
        decoded = fecrun.decode("viterbi.decode", x, **CODE)
        done = stream.query()
        x.zero_()
        again = decoded.clone()
    assert not done, "the call has waited"
    stream.synchronize()
    assert torch.equal(again, bits)


def test_the_wrong_stream_is_noticed(rng):
    """What the test above tests with: on another stream the decoder sees the zeros."""
    bits, llr = frames(rng, 64)
    x, stream = torch.zeros_like(llr), torch.cuda.Stream()
    fecrun.decode("viterbi.decode", x, **CODE)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        x.copy_(llr)
    decoded = fecrun.decode("viterbi.decode", x, **CODE)
    torch.cuda.current_stream().synchronize()
    assert not torch.equal(decoded, bits)
    torch.cuda.synchronize()


def test_nothing_is_copied(rng):
    """A profile of a call shows the decoder's kernels, and no copy but that of the frame infos."""
    _, llr = frames(rng, 64)
    fecrun.decode("viterbi.decode", llr, **CODE)
    torch.cuda.synchronize()
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        fecrun.decode("viterbi.decode", llr, **CODE)
        torch.cuda.synchronize()
    names = [event.key for event in profile.key_averages()]
    assert not [n for n in names if "DtoD" in n or "HtoD" in n], names
    assert [n for n in names if "viterbi" in n.lower() or "kernel" in n.lower()], names


def test_infos_wait(rng):
    bits, llr = frames(rng, 8)
    coded = fecrun.encode("ldpc.encode", bits[:, :200].cpu(), code="nr", bg=2, z=20)
    llr = torch.tensor(llrs_of(coded.numpy(), rng), device="cuda")
    decoded, info = fecrun.decode("ldpc.decode", llr, code="nr", bg=2, z=20, return_info=True)
    assert info.checked.all() and not info.failed.any() and (info.iterations > 0).all()
    assert torch.equal(decoded, bits[:, :200])
