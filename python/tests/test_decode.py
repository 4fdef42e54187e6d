# SPDX-License-Identifier: BSD-2-Clause
"""Stages as functions of NumPy's arrays."""

import gc
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

import fecrun
from conftest import llrs_of


def words(family, rng, *shape):
    encoder, code, decoder, more, k = family
    bits = rng.integers(0, 2, (*shape, k), dtype=numpy.uint8)
    coded = fecrun.encode(encoder, bits, **code)
    return bits, coded, decoder, {**code, **more}


def test_decodes_what_was_encoded(family, rng):
    bits, coded, decoder, params = words(family, rng, 70)
    assert coded.dtype == numpy.uint8 and coded.max() == 1
    decoded = fecrun.decode(decoder, llrs_of(coded, rng), **params)
    assert decoded.dtype == numpy.uint8 and numpy.array_equal(decoded, bits)


def test_shapes_and_strides(family, rng):
    bits, coded, decoder, params = words(family, rng, 2, 3)
    llr = llrs_of(coded, rng)
    assert numpy.array_equal(fecrun.decode(decoder, llr, **params), bits)
    assert numpy.array_equal(fecrun.decode(decoder, llr[1, 2], **params), bits[1, 2])
    wide = numpy.full((3, llr.shape[2] + 5), 99, numpy.int8)
    wide[:, : llr.shape[2]] = llr[0]
    assert numpy.array_equal(fecrun.decode(decoder, wide[:, : llr.shape[2]], **params), bits[0])
    apart = numpy.repeat(llr[0], 2, axis=1)[:, ::2]
    assert numpy.array_equal(fecrun.decode(decoder, apart, **params), bits[0])
    assert numpy.array_equal(fecrun.decode(decoder, llr[0][::-1], **params), bits[0][::-1])


def test_threads_change_nothing(rng, family):
    bits, coded, decoder, params = words(family, rng, 300)
    llr = llrs_of(coded, rng, sigma=2.2)
    one, info = fecrun.decode(decoder, llr, threads=1, return_info=True, **params)
    for threads in (2, 3):
        many, same = fecrun.decode(decoder, llr, threads=threads, return_info=True, **params)
        assert numpy.array_equal(one, many)
        assert all(numpy.array_equal(a, b) for a, b in zip(info, same))
    assert (one != bits).any()


def test_types_and_scale(family, rng):
    bits, coded, decoder, params = words(family, rng, 5)
    llr = llrs_of(coded, rng)
    for dtype in ("int16", "float32"):
        assert numpy.array_equal(fecrun.decode(decoder, llr.astype(dtype), **params), bits)
    with pytest.raises(TypeError, match="order.*<i2"):
        fecrun.decode(decoder, llr.astype(">i2"), **params)
    with pytest.raises(TypeError, match="list"):
        fecrun.decode(decoder, [[1, 2]], **params)


def test_other_types_are_converted_with_one_note(family, rng, monkeypatch):
    monkeypatch.setattr(fecrun.coder, "_NOTED", set())
    bits, coded, decoder, params = words(family, rng, 5)
    encoder, made_with = family[:2]
    llr = llrs_of(coded, rng)
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        for _ in range(2):
            for dtype in ("bool", "int64", "uint32"):
                assert numpy.array_equal(fecrun.encode(encoder, bits.astype(dtype), **made_with), coded)
            for dtype in ("float64", "int64"):
                expected = fecrun.decode(decoder, llr.astype("float32" if dtype == "float64" else "int16"), **params)
                assert numpy.array_equal(fecrun.decode(decoder, llr.astype(dtype), **params), expected)
    assert {note.filename for note in notes} == {__file__}
    assert {note.category for note in notes} == {fecrun.ConversionWarning}
    said = [str(note.message).split(" at")[0] for note in notes]
    assert sorted(said) == ["arrays of bool are converted to uint8", "arrays of float64 are converted to float32",
                            "arrays of int64 are converted to int16", "arrays of int64 are converted to uint8",
                            "arrays of uint32 are converted to uint8"]
    with pytest.raises(ValueError, match="bits given as int64 must be 0 to 1; these are -1 to "):
        fecrun.encode(encoder, bits.astype("int64") - 1, **made_with)
    with pytest.raises(ValueError, match="LLRs given as int64 must be -32768 to 32767"):
        fecrun.decode(decoder, llr.astype("int64") * 10000, **params)
    with pytest.raises(TypeError, match="float128|longdouble"):
        fecrun.decode(decoder, llr.astype("longdouble"), **params)


def test_quantize_is_the_stage(rng):
    llr = (8 * rng.standard_normal((9, 412))).astype(numpy.float32)
    ours = fecrun.decode("viterbi.decode", llr, code="ieee80211", quantize={"type": "i8", "scale": 3})
    steps = numpy.clip(numpy.rint(llr * numpy.float32(3)), -127, 127).astype(numpy.int8)
    assert numpy.array_equal(ours, fecrun.decode("viterbi.decode", steps, code="ieee80211"))


def test_packed(rng):
    bits = rng.integers(0, 2, (3, 200), dtype=numpy.uint8)
    coded = fecrun.encode("conv.encode", numpy.packbits(bits, axis=1), code="ieee80211", packed=True)
    whole = fecrun.encode("conv.encode", bits, code="ieee80211")
    assert numpy.array_equal(coded, numpy.packbits(whole, axis=1))
    odd = fecrun.encode("conv.encode", numpy.packbits(bits[:, :197], axis=1), code="ieee80211",
                        packed=True, bits_in=197)
    whole = fecrun.encode("conv.encode", bits[:, :197].copy(), code="ieee80211")
    assert numpy.array_equal(odd, numpy.packbits(whole, axis=1))


def test_info(rng):
    bits = rng.integers(0, 2, (4, 200), dtype=numpy.uint8)
    coded = fecrun.encode("ldpc.encode", bits, code="nr", bg=2, z=20)
    llr = llrs_of(coded, rng)
    llr[2] = rng.integers(-9, 9, llr.shape[1])
    decoded, info = fecrun.decode("ldpc.decode", llr, code="nr", bg=2, z=20, return_info=True)
    assert info.checked.all() and info.failed.tolist() == [False, False, True, False]
    assert info.iterations.shape == (4,) and info.iterations[2] == 10 > info.iterations[0]
    assert numpy.array_equal(decoded[3], bits[3])


def test_several_stages(rng):
    code = {"bg": 1, "z": 10, "fillers": 20}
    bits = rng.integers(0, 2, (6, 200), dtype=numpy.uint8)
    send = fecrun.Coder([("ldpc.encode", {**code, "code": "nr"}), ("ldpc.rate_match", {**code, "e": 420})])
    receive = fecrun.Coder([("ldpc.rate_recover", {**code, "e": 420}), ("ldpc.decode", {**code, "code": "nr"})])
    sent = send(bits)
    assert sent.shape == (6, 420)
    assert numpy.array_equal(receive(llrs_of(sent, rng)), bits)
    assert receive.items(420, "int8") == (200, "uint8")


def test_soft_output_is_an_array_of_llrs(rng):
    llr = llrs_of(rng.integers(0, 2, (2, 400)), rng)
    soft = fecrun.decode("ldpc.rate_recover", llr, bg=1, z=10, e=400)
    assert soft.dtype == numpy.int8 and soft.shape == (2, 660)


def belief_propagation(h, llr, iterations):
    """The textbook's sum-product algorithm, all checks at once: LLRs of all bits of (frames, n)."""
    edges = h[None, :, :] == 1
    to_check = numpy.where(edges, llr[:, None, :], 0)
    for _ in range(iterations):
        tanh = numpy.where(edges, numpy.tanh(to_check / 2), 1)
        tanh = numpy.where(numpy.abs(tanh) < 1e-12, 1e-12, tanh)
        others = numpy.clip(tanh.prod(2, keepdims=True) / tanh, -1 + 1e-15, 1 - 1e-15)
        to_bit = numpy.where(edges, 2 * numpy.arctanh(others), 0)
        total = llr + to_bit.sum(1)
        to_check = numpy.where(edges, total[:, None, :] - to_bit, 0)
    return total


def put_alist(path, h):
    """A parity-check matrix of 0 and 1 as a file in MacKay's format."""
    checks, bits = h.shape
    columns, rows = [h[:, c].nonzero()[0] + 1 for c in range(bits)], [r.nonzero()[0] + 1 for r in h]
    lines = [[bits, checks], [max(map(len, columns)), max(map(len, rows))], map(len, columns), map(len, rows)]
    for lists in (columns, rows):
        most = max(map(len, lists))
        lines += [[*some, *[0] * (most - len(some))] for some in lists]
    path.write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))


def test_soft_output_of_ldpc_codes_is_that_of_the_textbook(rng, tmp_path):
    h = numpy.zeros((30, 60), numpy.uint8)
    for column in range(60):
        h[rng.choice(30, 3, replace=False), column] = 1
    put_alist(tmp_path / "own.alist", h)
    code = {"code": "alist", "path": str(tmp_path / "own.alist")}
    llr = (2 + 2 * rng.standard_normal((50, 60))).astype(numpy.float32)
    for iterations in (1, 4):
        params = {**code, "check_rule": "sum-product", "schedule": "flooding", "iterations": iterations,
                  "early_stop": "none", "llr_scale": 1}
        expected = belief_propagation(h, llr.astype(numpy.float64), iterations)
        word = fecrun.decode("ldpc.decode", llr, output="code_llr", **params)
        assert word.dtype == numpy.float32 and word.shape == (50, 60)
        assert numpy.allclose(word, expected, rtol=1e-3, atol=1e-3)
        soft = fecrun.decode("ldpc.decode", llr, output="llr", **params)
        bits = fecrun.decode("ldpc.decode", llr, **params)
        assert soft.shape == bits.shape and numpy.array_equal(soft < 0, bits == 1)
        # in units of the input
        scaled = fecrun.decode("ldpc.decode", 8 * llr, output="code_llr", **{**params, "llr_scale": 8})
        assert numpy.allclose(scaled, 8 * expected, rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("backend", ["ref", "simd"])
def test_soft_output_of_ldpc_codes_has_the_bits_signs(rng, backend):
    code = {"code": "nr", "bg": 2, "z": 20, "fillers": 30}
    bits = rng.integers(0, 2, (70, 170), dtype=numpy.uint8)
    coded = fecrun.encode("ldpc.encode", bits, **code)
    llr = llrs_of(coded, rng, sigma=1)
    params = {**code, "backend": backend}
    decided = fecrun.decode("ldpc.decode", llr, **params)
    soft = fecrun.decode("ldpc.decode", llr, output="llr", **params)
    word = fecrun.decode("ldpc.decode", llr, output="code_llr", **params)
    assert (soft.dtype, soft.shape, word.shape) == (numpy.float32, (70, 170), (70, 1000))
    assert numpy.array_equal(soft < 0, decided == 1) and numpy.array_equal(decided, bits)
    assert numpy.array_equal(word < 0, coded == 1)
    assert numpy.array_equal(soft[:, 40:], word[:, :130])  # the first 2 z bits are not in the word
    assert (word[:, 130:160] == 2 ** 20).all()  # fillers
    assert numpy.abs(word[:, 160:]).mean() > numpy.abs(llr[:, 160:].astype(int)).mean()


def test_soft_output_of_ldpc_codes_that_a_backend_lacks(rng):
    llr = rng.standard_normal((2, 1000)).astype(numpy.float32)
    with pytest.raises(fecrun.NotAvailableError, match="no simd backend takes LLRs as f32"):
        fecrun.decode("ldpc.decode", llr, code="nr", bg=2, z=20, output="llr", backend="simd")
    with pytest.raises(fecrun.PipelineError, match="extrinsic"):
        fecrun.decode("ldpc.decode", llr, code="nr", bg=2, z=20, output="extrinsic")


def test_names_of_earlier_versions(rng):
    code = {"code": "wifi", "n": 648, "rate": "1/2"}
    bits = rng.integers(0, 2, (50, 324), dtype=numpy.uint8)
    llr = llrs_of(fecrun.encode("ldpc.encode", bits, **code), rng, sigma=0.9)
    few = {**code, "backend": "ref", "iterations": 2}
    today = fecrun.decode("ldpc.decode", llr, check_rule="offset-min-sum", **few)
    assert numpy.array_equal(fecrun.decode("ldpc.decode", llr, algorithm="oms", **few), today)
    assert not numpy.array_equal(fecrun.decode("ldpc.decode", llr, **few), today)
    with pytest.raises(fecrun.Error, match="algorithm: is the old name of check_rule, which is there already"):
        fecrun.decode("ldpc.decode", llr, algorithm="oms", check_rule="min-sum", **few)


def test_one_coder_in_many_threads(rng):
    coder = fecrun.Coder(("viterbi.decode", {"code": "ieee80211"}), threads=1)
    llr = rng.integers(-9, 9, (40, 33, 412)).astype(numpy.int8)
    expected = [coder(part) for part in llr]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(coder, llr))
    assert all(numpy.array_equal(a, b) for a, b in zip(got, expected))


def test_calls_with_the_same_shape_do_not_share(rng):
    """The second and later calls go a shorter way; each has an array of its own and the new LLRs."""
    coder = fecrun.Coder(("viterbi.decode", {"code": "ieee80211"}))
    llr = rng.integers(-9, 9, (5, 7, 412)).astype(numpy.int8)
    one_by_one = [coder(row.reshape(1, 412)) for row in llr.reshape(-1, 412)]
    first = coder(llr)
    kept = first.copy()
    second = coder(-llr)
    assert not numpy.shares_memory(first, second) and numpy.array_equal(first, kept)
    assert numpy.array_equal(coder(llr), kept) and kept.shape == (5, 7, 200)
    assert numpy.array_equal(kept.reshape(-1, 200), numpy.concatenate(one_by_one))
    # Same shape, other layout or type
    assert numpy.array_equal(coder(numpy.asfortranarray(llr)), kept)
    wide = numpy.zeros((5, 7, 500), numpy.int8)
    wide[..., 44:456] = llr
    assert numpy.array_equal(coder(wide[..., 44:456]), kept)
    assert numpy.array_equal(coder(llr.astype(numpy.float32)), kept)
    with pytest.raises(TypeError, match="bytes"):
        coder(llr.astype(">f4"))
    with pytest.raises(ValueError, match="shape"):
        coder(llr[:0])


@pytest.fixture
def prepares(monkeypatch):
    """A list that grows by one with each pipeline that a Coder prepares."""
    made = []
    prepare = fecrun.Pipeline.prepare
    monkeypatch.setattr(fecrun.Pipeline, "prepare", lambda *args, **more: made.append(1) or prepare(*args, **more))
    return made


def test_all_sizes_of_lte_stay_prepared(rng, prepares):
    sizes = [*range(40, 513, 8), *range(528, 1025, 16), *range(1056, 2049, 32), *range(2112, 6145, 64)]
    llrs = {k: rng.integers(-9, 9, 3 * k + 12).astype(numpy.int8) for k in sizes}
    first = {k: fecrun.decode("turbo.decode", llrs[k], k=k, iterations=1) for k in sizes}
    assert len(sizes) == len(prepares) == 188
    for k in reversed(sizes):
        bits = fecrun.decode("turbo.decode", llrs[k], k=k, iterations=1)
        assert bits.shape == (k,) and numpy.array_equal(bits, first[k])
    assert len(prepares) == 188


def test_what_is_kept_of_several_coders(rng, prepares, monkeypatch):
    """decode() keeps a number of pipelines of all its coders: those that were used last."""
    monkeypatch.setattr(fecrun.coder, "_MOST_PREPARED", 20)
    monkeypatch.setattr(fecrun.coder, "_CODERS_KEPT", fecrun.coder._Kept())
    monkeypatch.setattr(fecrun.coder, "_CODERS", type(fecrun.coder._CODERS)())
    bits = rng.integers(0, 2, 400, dtype=numpy.uint8)
    for crc in (8, 16):
        for n in range(8, 24):
            fecrun.encode("crc.attach", bits[:n], crc=crc)
            fecrun.encode("crc.attach", bits[:9], crc=8)
    assert len(prepares) == 32
    coders = fecrun.coder._CODERS.values()
    assert [len(coder._pools) for coder in coders] == [len(coder._routes) for coder in coders] == [4, 16]
    fecrun.encode("crc.attach", bits[:9], crc=8)
    assert len(prepares) == 32
    fecrun.encode("crc.attach", bits[:10], crc=8)
    assert len(prepares) == 33


def test_fewer_large_ones_are_kept(rng, prepares, monkeypatch):
    monkeypatch.setattr(fecrun.coder, "_MOST_BYTES", 20000)
    coder = fecrun.Coder(("crc.attach", {"crc": 8}))
    bits = rng.integers(0, 2, 1000, dtype=numpy.uint8)
    for n in range(8, 40):
        coder(bits[:n])
    assert len(coder._pools) == 32
    coder(rng.integers(0, 2, 20000, dtype=numpy.uint8))
    assert len(coder._pools) == len(coder._routes) == 16
    coder(rng.integers(0, 2, 20001, dtype=numpy.uint8))
    assert len(coder._pools) == 16 and len(prepares) == 34


def test_more_sizes_than_are_kept(rng, monkeypatch):
    monkeypatch.setattr(fecrun.coder, "_MOST_PREPARED", 16)
    coder = fecrun.Coder(("crc.attach", {"crc": 8}))
    bits = rng.integers(0, 2, (2, 600), dtype=numpy.uint8)
    for _ in range(2):
        for n in range(8, 600, 16):
            coder(bits[:, :n].copy())
            word = coder(bits[:, :n].copy())
            assert word.shape == (2, n + 8) and numpy.array_equal(word[:, :n], bits[:, :n])
    assert len(coder._pools) == len({route.pool.key for route in coder._routes.values()}) == 16


def test_garbage_in_a_circle():
    """What is prepared and its session are freed in that order, also by the garbage collector."""
    text = {"fecrun": 1, "pipeline": [
        {"source.memory": {"dtype": "u1", "frame": 8}}, {"crc.attach": {"crc": 8}}, "sink.memory"]}
    for _ in range(2):
        circle = [fecrun.Pipeline(text).prepare(1) for _ in range(2)]
        for one in circle:
            one.circle = circle
        del circle, one
        gc.collect()
    prepared = fecrun.Pipeline(text).prepare(1)
    prepared.close()
    with pytest.raises(ValueError, match="closed"):
        prepared.execute(1)


def test_nothing_is_waited_for_at_the_end_of_the_process():
    """A stream may be gone by then, and with it what waiting for it would look at."""
    program = """if True:
        import os, numpy, fecrun
        from fecrun import prepared, _library
        class Seen:
            def __getattr__(self, name, write=os.write, real=_library.lib):
                write(1, name.encode() + b" ")
                return getattr(real, name)
        prepared.lib = Seen()
        coder = fecrun.Coder(("crc.attach", {"crc": 8}))
        coder(numpy.zeros((1, 16), "uint8"))
        os.write(1, b"end ")
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("fecrun_prepare ") and done.stdout.endswith("end ")


def test_errors(rng):
    llr = numpy.zeros((2, 300), numpy.int8)
    with pytest.raises(fecrun.PipelineError, match="bg"):
        fecrun.decode("ldpc.decode", llr, code="nr", bg=3, z=10)
    with pytest.raises(fecrun.PipelineError, match="300"):
        fecrun.decode("ldpc.decode", llr, code="nr", bg=1, z=10)
    with pytest.raises(fecrun.PipelineError, match="ldpc.decode"):
        fecrun.decode("lpdc.decode", llr)
    with pytest.raises(ValueError, match="shape"):
        fecrun.decode("ldpc.decode", llr[:0], code="nr", bg=1, z=10)
    with pytest.raises(fecrun.NotAvailableError):
        fecrun.decode("viterbi.decode", llr, code="ieee80211", backend="cuda:77")


def test_prepared():
    pipeline = fecrun.Pipeline({"fecrun": 1, "pipeline": [
        {"source.memory": {"dtype": "i8", "frame": 412, "llr_max": 10}},
        {"viterbi.decode": {"code": "ieee80211"}}, {"sink.memory": {"id": "bits", "dtype": "packed"}}]})
    with pipeline.prepare(8) as prepared:
        port = prepared.port("bits")
        assert (port.output, port.kind, port.dtype, port.items, port.shape, port.device) == (
            True, "bits", "packed", 200, 25, None)
        llr = numpy.full((8, 412), 5, numpy.int8)
        out = numpy.full((8, 25), 255, numpy.uint8)
        prepared.bind("source.memory", llr)
        prepared.bind("bits", out)
        prepared.execute(5)
        assert (out[:5] == 0).all() and (out[5:] == 255).all()
        with pytest.raises(ValueError, match="411 int8.*412 int8"):
            prepared.bind("source.memory", llr[:, 1:])
        with pytest.raises(fecrun.PipelineError):
            prepared.execute(9)
        with pytest.raises(fecrun.PipelineError, match="nothing"):
            prepared.port("nothing")


def test_set():
    text = """
fecrun: 1
pipeline:
  - source.memory: {dtype: i8, frame: 900, llr_max: 60}
  - ldpc.rate_recover: {bg: 1, z: 20, fillers: 0}
  - ldpc.decode: {code: nr, bg: 1, z: 20}
  - sink.memory: {id: bits}
"""
    random = numpy.random.default_rng(1)
    llr = random.integers(-9, 12, (4, 700)).astype("int8")
    values = {"source.memory.frame": 700, "ldpc.rate_recover.rv": 2}
    outs = [numpy.zeros((4, 440), "uint8") for _ in range(2)]
    with fecrun.Pipeline(text).prepare(4) as changed, \
            fecrun.Pipeline(text, sets=values).prepare(4) as fresh:
        changed.set(values)
        assert changed.port("source.memory").items == 700
        for prepared, out in zip((changed, fresh), outs):
            prepared.bind("source.memory", llr)
            prepared.bind("bits", out)
            prepared.execute(4)
        assert numpy.array_equal(*outs) and outs[0].any()
        with pytest.raises(fecrun.PipelineError, match="0 to 3"):
            changed.set({"ldpc.rate_recover.rv": 4})
        changed.execute(4)
        assert numpy.array_equal(*outs)


def test_low_latency_is_the_choice_of_pipeline_files(rng):
    llr = rng.integers(-9, 9, (20, 3 * 1024 + 12)).astype(numpy.int8)
    chosen = {"sub_blocks": 32, "tune": {"arithmetic": "i16"}}
    bits = {name: fecrun.decode("turbo.decode", llr, k=1024, backend="simd", **params)
            for name, params in (("auto", {}), ("low", {"latency": "low"}), ("chosen", chosen))}
    assert numpy.array_equal(bits["low"], bits["chosen"])
    assert not numpy.array_equal(bits["low"], bits["auto"])
    with pytest.raises(fecrun.PipelineError, match="latency"):
        fecrun.decode("turbo.decode", llr, k=1024, latency="lowest")
