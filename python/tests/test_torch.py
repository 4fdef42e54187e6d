# SPDX-License-Identifier: BSD-2-Clause
"""Tensors of PyTorch: functions, modules, torch.compile, and a decoder in the place of Sionna's."""

import copy
import pickle
import types

import numpy
import pytest

import fecrun
from conftest import fecrun_torch, llrs_of

torch = pytest.importorskip("torch")
ft = fecrun_torch()

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])


@pytest.fixture(params=DEVICES)
def device(request):
    return request.param


def words(rng, frames, device, n=412):
    bits = rng.integers(0, 2, (frames, n // 2 - 6), dtype=numpy.uint8)
    coded = fecrun.encode("conv.encode", bits, code="ieee80211")
    return torch.tensor(bits, device=device), torch.tensor(llrs_of(coded, rng), device=device)


def test_same_kind_comes_out(family, rng, device):
    encoder, code, decoder, more, k = family
    bits = torch.tensor(rng.integers(0, 2, (3, 5, k), dtype=numpy.uint8), device=device)
    coded = fecrun.encode(encoder, bits.cpu(), **code)
    assert isinstance(coded, torch.Tensor) and coded.dtype == torch.uint8
    llr = torch.tensor(llrs_of(coded.numpy(), rng), device=device)
    if device == "cuda" and decoder == "polar.decode":
        more = {"algorithm": "sc"}
    decoded = fecrun.decode(decoder, llr, **code, **more)
    assert decoded.device == llr.device and torch.equal(decoded, bits)


def test_operator_is_well_made(rng, device):
    _, llr = words(rng, 4, device)
    coder = ft.Coder(("viterbi.decode", {"code": "ieee80211"}), 412, torch.int8)
    torch.library.opcheck(torch.ops.fecrun.code.default,
                          (llr, coder._text, coder.columns, coder._out),
                          test_utils=("test_schema", "test_faketensor"))


def test_compile_has_no_break(rng, device):
    bits, llr = words(rng, 4, device)
    coder = ft.Coder(("viterbi.decode", {"code": "ieee80211"}), 412, torch.int8)

    def receiver(x):
        return coder(x.sign() * 5).to(torch.float32) + 1

    compiled = torch.compile(receiver, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(llr), receiver(llr))
    assert torch.equal(receiver(llr), bits + 1.0)


def test_decode_function(rng, device):
    bits, llr = words(rng, 6, device)
    assert torch.equal(ft.decode("viterbi.decode", llr, code="ieee80211"), bits)


def test_modules_can_be_copied(rng, device):
    """Also after a call, which keeps what it prepared elsewhere."""
    bits, llr = words(rng, 6, device)
    module = ft.Coder(("viterbi.decode", {"code": "ieee80211"}), 412, torch.int8)
    module(llr)
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert torch.equal(other(llr), bits)


def test_gradients_are_refused(rng):
    coder = ft.Coder(("viterbi.decode", {"code": "ieee80211"}), 412)
    x = torch.zeros(2, 412, requires_grad=True)
    with pytest.raises(RuntimeError, match="gradient"):
        coder(x)
    with torch.no_grad():
        assert coder(x).shape == (2, 200)
    with pytest.raises(ValueError, match="412"):
        coder(torch.zeros(2, 411))


def encoder_5g(k, n, bg, z, m=None):
    """What LDPC5GDecoder reads of Sionna's encoder."""
    columns = {"bg1": 22, "bg2": 10}[bg]
    return types.SimpleNamespace(k=k, n=n, z=z, k_filler=columns * z - k, num_bits_per_symbol=m, _bg=bg)


@pytest.mark.parametrize("k, n, bg, z, m", [(100, 200, "bg2", 18, None), (400, 900, "bg2", 52, 2),
                                            (2000, 3000, "bg1", 96, 4),
                                            (100, 900, "bg2", 18, None)])  # less than 1/5: repeated
def test_ldpc_5g(rng, device, k, n, bg, z, m):
    encoder = encoder_5g(k, n, bg, z, m)
    code = {"bg": int(bg[2]), "z": z, "fillers": encoder.k_filler}
    send = fecrun.Coder([("ldpc.encode", {**code, "code": "nr"}),
                         ("ldpc.rate_match", {**code, "e": n, "qm": m or 1})])
    bits = rng.integers(0, 2, (2, 7, k), dtype=numpy.uint8)
    sent = send(bits)
    logits = torch.tensor(2.0 * sent - 1, dtype=torch.float32, device=device) * 4
    others = {"cn_schedule": "flooding"} if device == "cpu" else {"early_stop": False}
    for options in ({}, {"cn_update": "minsum", **others}, {"llr_max": None}):
        decoder = ft.LDPC5GDecoder(encoder, num_iter=10, **options)
        decoded = decoder(logits)
        assert decoded.dtype == torch.float32 and decoded.device == logits.device
        assert numpy.array_equal(decoded.cpu().numpy(), bits)
    everything = ft.LDPC5GDecoder(encoder, return_infobits=False)(logits)
    assert numpy.array_equal(everything.cpu().numpy(), sent)
    with pytest.raises(NotImplementedError, match="return_state"):
        ft.LDPC5GDecoder(encoder, return_state=True)
    with pytest.raises(TypeError, match="num_iters"):
        ft.LDPC5GDecoder(encoder, num_iters=4)


def test_redundancy_versions_are_combined(rng, device):
    """Each transmission alone has too few bits to be decoded; two together have enough."""
    encoder = encoder_5g(400, 420, "bg2", 52)
    code = {"bg": 2, "z": 52, "fillers": encoder.k_filler}
    bits = rng.integers(0, 2, (3, 5, 400), dtype=numpy.uint8)
    word = fecrun.encode("ldpc.encode", bits, code="nr", **code)
    sent = numpy.stack([fecrun.encode("ldpc.rate_match", word, e=420, rv=rv, **code) for rv in (0, 2)], 2)
    logits = (2.0 * sent - 1 + 0.6 * rng.standard_normal(sent.shape)) * 5
    logits = torch.tensor(logits, dtype=torch.float32, device=device)
    decoder = ft.LDPC5GDecoder(encoder, harq_mode=True)
    assert logits.shape == (3, 5, 2, 420)
    assert numpy.array_equal(decoder(logits, rv=[0, 2]).cpu().numpy(), bits)
    one = decoder(logits[:, :, 0])
    assert one.shape == (3, 5, 400) and not numpy.array_equal(one.cpu().numpy(), bits)
    assert torch.equal(one, decoder(logits[:, :, :1], rv=[0]))
    for rv in ([0, 4], [0, 2, 3], []):
        with pytest.raises(ValueError):
            decoder(logits, rv=rv)
    with pytest.raises(ValueError, match="harq_mode"):
        ft.LDPC5GDecoder(encoder)(logits[:, :, 0], rv=[0])


@pytest.mark.parametrize("k, n, bg, z, m", [(400, 900, "bg2", 52, 2), (100, 900, "bg2", 18, None)])
def test_soft_output_of_ldpc_5g(rng, device, k, n, bg, z, m):
    """Logits out: signs are the bits', those of the sent bits are in their order, repeated ones are the same."""
    encoder = encoder_5g(k, n, bg, z, m)
    code = {"bg": int(bg[2]), "z": z, "fillers": encoder.k_filler}
    bits = rng.integers(0, 2, (2, 30, k), dtype=numpy.uint8)
    sent = fecrun.Coder([("ldpc.encode", {**code, "code": "nr"}),
                         ("ldpc.rate_match", {**code, "e": n, "qm": m or 1})])(bits)
    logits = torch.tensor((2.0 * sent - 1 + 0.7 * rng.standard_normal(sent.shape)) * 4,
                          dtype=torch.float32, device=device)
    options = [{}, {"llr_max": None}]
    if device == "cpu":  # no GPU backend has sum-product
        options += [{"cn_update": "boxplus", "cn_schedule": "flooding"}]
    for more in options:
        hard = ft.LDPC5GDecoder(encoder, **more)(logits)
        soft = ft.LDPC5GDecoder(encoder, hard_out=False, **more)(logits)
        assert soft.shape == (2, 30, k) and soft.dtype == torch.float32 and soft.device == logits.device
        assert numpy.array_equal(hard.cpu().numpy(), bits) and torch.equal((soft > 0).float(), hard)
        decoder = ft.LDPC5GDecoder(encoder, hard_out=False, return_infobits=False, **more)
        word = decoder(logits)
        assert word.shape == logits.shape and decoder.k == n
        assert numpy.array_equal((word > 0).cpu().numpy(), sent == 1)
        assert word.abs().mean() > logits.abs().mean() and word.abs().mean() < 60 * logits.abs().mean()
        assert torch.equal(copy.deepcopy(decoder)(logits), word)
        if n > 5 * k:  # the circular buffer has been sent once, and its first bits again
            once = 50 * z - encoder.k_filler
            assert once < n and torch.equal(word[..., once:], word[..., : n - once])
    halves = ft.LDPC5GDecoder(encoder, hard_out=False)(logits.half())
    assert halves.dtype == torch.float16 and torch.isfinite(halves).all()


def test_soft_output_is_as_sure_as_it_says(rng):
    """Of bits with the logit L, 1 of 1 + e^|L| is wrong: sum-product on a noisy link, few iterations."""
    encoder = encoder_5g(460, 1500, "bg2", 52)
    code = {"bg": 2, "z": 52, "fillers": encoder.k_filler}
    bits = rng.integers(0, 2, (60, 460), dtype=numpy.uint8)
    sent = fecrun.Coder([("ldpc.encode", {**code, "code": "nr"}), ("ldpc.rate_match", {**code, "e": 1500})])(bits)
    sigma = 1.08
    received = 2.0 * sent - 1 + sigma * rng.standard_normal(sent.shape)
    logits = torch.tensor(2 / sigma ** 2 * received, dtype=torch.float32)
    for infobits, truth in ((True, bits), (False, sent)):
        soft = ft.LDPC5GDecoder(encoder, cn_update="boxplus", hard_out=False, num_iter=2, llr_max=None,
                                return_infobits=infobits)(logits).numpy().astype(numpy.float64)
        expected = (1 / (1 + numpy.exp(numpy.abs(soft)))).sum()
        wrong = ((soft > 0) != (truth == 1)).sum()
        assert wrong > 300 and 0.8 * expected < wrong < 1.25 * expected


def test_soft_output_of_redundancy_versions(rng, device):
    encoder = encoder_5g(400, 420, "bg2", 52)
    code = {"bg": 2, "z": 52, "fillers": encoder.k_filler}
    bits = rng.integers(0, 2, (3, 5, 400), dtype=numpy.uint8)
    word = fecrun.encode("ldpc.encode", bits, code="nr", **code)
    sent = numpy.stack([fecrun.encode("ldpc.rate_match", word, e=420, rv=rv, **code) for rv in (0, 2)], 2)
    logits = torch.tensor((2.0 * sent - 1 + 0.4 * rng.standard_normal(sent.shape)) * 5,
                          dtype=torch.float32, device=device)
    for hard in (True, False):
        decoder = ft.LDPC5GDecoder(encoder, harq_mode=True, hard_out=hard, return_infobits=False)
        out = decoder(logits, rv=["rv0", "rv2"])
        assert out.shape == (3, 5, 2, 420) and numpy.array_equal((out > 0).cpu().numpy(), sent == 1)
        assert decoder(logits[:, :, 0]).shape == (3, 5, 420)
    soft = ft.LDPC5GDecoder(encoder, harq_mode=True, hard_out=False)(logits, rv=[0, 2])
    assert soft.shape == (3, 5, 400) and numpy.array_equal((soft > 0).cpu().numpy(), bits == 1)


def test_soft_output_of_turbo_codes(rng, device):
    bits = rng.integers(0, 2, (7, 104), dtype=numpy.uint8)
    coded = fecrun.encode("turbo.encode", bits, k=104)
    logits = torch.tensor((2.0 * coded - 1 + 0.7 * rng.standard_normal(coded.shape)) * 4,
                          dtype=torch.float32, device=device)
    soft = ft.TurboDecoder(104, hard_out=False)(logits)
    assert soft.shape == (7, 104) and soft.dtype == torch.float32
    assert numpy.array_equal((soft > 0).cpu().numpy(), bits)
    received = logits[:, :104].cpu()  # information bits are sent first; decoding makes them surer
    assert soft.abs().mean() > received.abs().mean() and soft.abs().mean() < 40 * received.abs().mean()


def test_logits_of_the_others(rng, device):
    for module, encoder, code, k in (
            (ft.ViterbiDecoder(412, code="ieee80211"), "conv.encode", {"code": "ieee80211"}, 200),
            (ft.TurboDecoder(104), "turbo.encode", {"k": 104}, 104),
            (ft.PolarDecoder(256, code="plain", n=256, k=128, algorithm="sc"), "polar.encode",
             {"code": "plain", "n": 256, "k": 128}, 128)):
        bits = rng.integers(0, 2, (9, k), dtype=numpy.uint8)
        coded = fecrun.encode(encoder, bits, **code)
        logits = torch.tensor(2.0 * coded - 1, dtype=torch.float32, device=device) * 3
        assert (module.n, module.k) == (coded.shape[1], k)
        assert numpy.array_equal(module(logits).cpu().numpy(), bits)


def test_sim_ber_does_not_depend_on_devices():
    decode = ft.Coder(("viterbi.decode", {"code": "ieee80211"}), 412)
    encode = ft.Coder(("conv.encode", {"code": "ieee80211"}), 200, torch.uint8)

    def simulate(frames, ebno_db, generator):
        bits = torch.randint(0, 2, (frames, 200), generator=generator, dtype=torch.uint8)
        noise = torch.randn(frames, 412, generator=generator) * 10 ** (-ebno_db / 20)
        return bits, decode(1 - 2.0 * encode(bits) + noise)

    one = ft.sim_ber(simulate, [0, 2], 50, max_batches=6, devices=["cpu"])
    two = ft.sim_ber(simulate, [0, 2], 50, max_batches=6, devices=["cpu", "cpu"])
    assert all(torch.equal(a, b) for a, b in zip(one, two))
    assert one[1][0] > one[1][1] > 0
