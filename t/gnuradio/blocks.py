# SPDX-License-Identifier: BSD-2-Clause
"""Flowgraphs with fecrun's blocks, beside gr-fec's and beside `fecrun run` on the same data."""
import os
import subprocess
import time
import traceback

import numpy as np
import pmt
from gnuradio import blocks, fec, fecrun, gr

FRAME, CODED = 1000, 2012
POLYS = [109, 79]  # ieee80211's 0133 and 0171, first bit last


def pipeline(*stages):
    return "fecrun: 1\npipeline:\n" + "".join(f"  - {stage}\n" for stage in stages)


def receiver(dtype="f4", frame=CODED, more="", code="ieee80211"):
    return pipeline(f"source.memory: {{dtype: {dtype}, frame: {frame}{more}}}",
                    f"viterbi.decode: {{code: {code}}}", "sink.memory: {dtype: u1}")


ENCODER = pipeline(f"source.memory: {{dtype: u1, frame: {FRAME}}}", "conv.encode: {code: ieee80211}",
                   "sink.memory: {dtype: u1}")
LDPC = pipeline("source.memory: {dtype: f4, frame: 1200}",
                "ldpc.decode: {code: nr, bg: 2, z: 24, iterations: 8}", "sink.memory: {dtype: u1}")

SOURCES = {np.dtype("u1"): blocks.vector_source_b, np.dtype("i1"): blocks.vector_source_b,
           np.dtype("i2"): blocks.vector_source_s, np.dtype("f4"): blocks.vector_source_f,
           np.dtype("c8"): blocks.vector_source_c}
SINKS = {"u1": blocks.vector_sink_b, "f4": blocks.vector_sink_f, "c8": blocks.vector_sink_c}


def flow(data, *chain, out="u1", most=100000000, tags=(), messages=None):
    """Sends an array through blocks, at most `most` items of output a call; returns items and tags."""
    top = gr.top_block()
    listed = (data.view("u1") if data.dtype == np.dtype("i1") else data).tolist()
    source = SOURCES[data.dtype](listed, False, 1, list(tags))
    sink = SINKS[out]()
    top.connect(source, *chain, sink)
    if messages is not None:
        top.msg_connect((chain[-1], "quality"), (messages, "store"))
    top.run(most)
    return np.array(sink.data(), out), sink.tags()


def fecrun_run(text, data, kind):
    """The same pipeline by `fecrun run`: arrays become files."""
    data.tofile("in.bin")
    text = text.replace("source.memory: {", f"source.file: {{path: in.bin, kind: {kind}, " + ("llr_scale: 1, " if kind == "llr" else ""))
    text = text.replace("sink.memory: {dtype: u1}", "sink.file: {path: out.npy}")
    with open("run.yaml", "w") as file:
        file.write(text)
    if os.path.exists("out.npy"):
        os.remove("out.npy")
    subprocess.run([os.environ["FECRUN"], "run", "--quiet", "run.yaml"], check=True,
                   stdout=subprocess.DEVNULL)
    return np.load("out.npy").reshape(-1).astype("u1")


def random_bits(n, seed=1):
    return np.random.default_rng(seed).integers(0, 2, n, dtype=np.uint8)


def noisy(coded, sigma, seed=2):
    """Soft symbols as GNU Radio has them: positive for 1."""
    noise = np.random.default_rng(seed).normal(0, sigma, coded.size)
    return (2.0 * coded - 1 + noise).astype("f4")


def gr_fec_encode(bits):
    return flow(bits, fec.encoder(fec.cc_encoder_make(FRAME, 7, 2, POLYS, 0, fec.CC_TERMINATED), 1, 1))[0]


def errors_by_gr_fec(sent, decoded):
    """The bit error rate that gr-fec's own BER block reports at the end."""
    top = gr.top_block()
    ber, sink = fec.ber_bf(False), blocks.vector_sink_f()
    top.connect(blocks.vector_source_b(np.packbits(sent).tolist()), (ber, 0))
    top.connect(blocks.vector_source_b(np.packbits(decoded).tolist()), (ber, 1))
    top.connect(ber, sink)
    top.run()
    return 10.0 ** sink.data()[-1]


def refused(make, *words):
    try:
        make()
    except ValueError as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"{error}: lacks {missing}"
        return
    raise AssertionError(f"not refused: {words}")


# ---- Codes of others ----

def test_encoder_gives_what_gr_fec_gives():
    bits = random_bits(FRAME * 37)
    ours, _ = flow(bits, fecrun.encoder(ENCODER))
    assert ours.size == 37 * CODED
    assert np.array_equal(ours, gr_fec_encode(bits))


def test_decoder_beside_gr_fec_by_its_ber_block():
    bits = random_bits(FRAME * 300)
    soft = noisy(gr_fec_encode(bits), 0.8)
    ours, _ = flow(soft, fecrun.decoder(receiver()))
    theirs = fec.cc_decoder.make(FRAME, 7, 2, POLYS, 0, -1, fec.CC_TERMINATED)
    # gr-fec's takes bytes around 128.
    scaled = np.clip(soft * 32 + 128, 0, 255).astype("u1")
    other, _ = flow(scaled, fec.decoder(theirs, 1, 1))
    rates = [errors_by_gr_fec(bits, x) for x in (ours, other[:bits.size])]
    print(f"BER at Eb/N0 1.9 dB: fecrun {rates[0]:.2e}, gr-fec {rates[1]:.2e}")
    assert abs(rates[0] - np.mean(ours != bits)) < 1e-6
    assert 1e-3 < rates[0] < 1.05 * rates[1] < 0.1


def test_positive_zero_is_the_other_sign():
    bits = random_bits(FRAME * 20)
    soft = noisy(gr_fec_encode(bits), 0.7)
    one, _ = flow(soft, fecrun.decoder(receiver()))
    zero, _ = flow(-soft, fecrun.decoder(receiver(), positive="zero"))
    wrong, _ = flow(soft, fecrun.decoder(receiver(), positive="zero"))
    assert np.array_equal(one, zero)
    assert np.mean(one != bits) < 0.02 < np.mean(wrong != bits)


def test_types_give_what_fecrun_run_gives():
    soft = noisy(gr_fec_encode(random_bits(FRAME * 20)), 0.9)
    for dtype, array in (("f4", soft), ("i1", np.clip(np.rint(soft * 30), -128, 127).astype("i1")),
                         ("i2", np.rint(soft * 300).astype("i2"))):
        if dtype == "i1":
            array[::501] = -128  # has no opposite
        ours, _ = flow(array, fecrun.decoder(receiver(dtype)))
        turned = -array if dtype == "f4" else np.clip(-array.astype(int), None, np.iinfo(array.dtype).max).astype(array.dtype)
        assert np.array_equal(ours, fecrun_run(receiver(dtype), turned, "llr")), dtype


def test_symbols():
    text = pipeline("source.memory: {dtype: c8, frame: 1006}", "modem.demap: {scheme: qpsk, esn0_db: 2.5}",
                    "llr.quantize: {type: i8, scale: 2}", "viterbi.decode: {code: ieee80211}",
                    "sink.memory: {dtype: u1}")
    bits = random_bits(FRAME * 12)
    sender = fecrun.encoder(ENCODER.replace("  - sink.memory: {dtype: u1}",
                                            "  - modem.map: {scheme: qpsk}\n  - sink.memory: {}"))
    symbols, _ = flow(bits, sender, out="c8")
    assert symbols.size == 12 * 1006
    rng = np.random.default_rng(3)
    received = (symbols + rng.normal(0, 0.5, (symbols.size, 2)) @ [1, 1j]).astype("c8")
    decoder = fecrun.decoder(text)
    ours, _ = flow(received, decoder)
    assert np.array_equal(ours, fecrun_run(text, received, "symbols"))
    assert np.mean(ours != bits) < 0.02
    decoder.set(["modem.demap.esn0_db=9"])


# ---- Batches ----

def test_all_frames_of_all_batches():
    soft = noisy(gr_fec_encode(random_bits(FRAME * 71)), 0.9)
    whole, _ = flow(soft, fecrun.decoder(receiver()))
    for frames in (1, 2, 16, 70, 200):
        for most in (FRAME, 7 * FRAME, 100000000):
            for end in (0, CODED - 1):
                decoder = fecrun.decoder(receiver(), frames=frames)
                part, _ = flow(soft[:soft.size - end], decoder, most=most)
                frames_there = 71 - (end > 0)
                assert np.array_equal(part, whole[:frames_there * FRAME]), (frames, most, end, part.size)
                assert decoder.frames() == frames_there


def test_batch_of_the_file():
    assert [fecrun.decoder(receiver("f4", n)).batch() for n in (2012, 212, 200012)] == [64, 192, 5]
    assert fecrun.decoder(receiver() + "batch: 5\n").batch() == 5
    assert fecrun.decoder(receiver() + "batch: 5\n", frames=9).batch() == 9
    assert fecrun.decoder(receiver(), ["source.memory.frame=4012"]).input_items() == 4012


def test_calls_have_whole_batches():
    messages = blocks.message_debug()
    few = blocks.throttle(4, 4e6)
    few.set_max_noutput_items(1000)
    flow(noisy(random_bits(CODED * 645), 0.5), few, fecrun.decoder(receiver(), frames=64), messages=messages)
    sizes = [entry["frames"] for entry in stored(messages)]
    assert sizes == 10 * [64] + [5], sizes


def test_rows_of_blocks():
    """All rows of `blocks:` are one unit."""
    text = ("fecrun: 1\nblocks:\n  - {count: 1, frame: 212}\n  - {count: 2, frame: 412}\n  - {count: 1, frame: 112}\n"
            + receiver().replace("fecrun: 1\n", "").replace(", frame: 2012", ""))
    decoder = fecrun.decoder(text)
    assert (decoder.input_items(), decoder.output_items(), decoder.batch()) == (1148, 550, 4)
    soft = noisy(random_bits(1148 * 5), 0.1)
    ours, _ = flow(soft, decoder)
    assert ours.size == 5 * 550 and decoder.frames() == 20
    parts = []
    for start in range(0, soft.size, 1148):
        for at, n in ((0, 212), (212, 412), (624, 412), (1036, 112)):
            parts.append(flow(soft[start + at:start + at + n], fecrun.decoder(receiver(frame=n)))[0])
    assert np.array_equal(ours, np.concatenate(parts))


def test_blocks_again():
    """A flowgraph may run again with the same blocks."""
    soft = noisy(gr_fec_encode(random_bits(FRAME * 10)), 0.9)
    decoder, sink = fecrun.decoder(receiver()), blocks.vector_sink_b()
    source = blocks.vector_source_f(soft.tolist())
    top = gr.top_block()
    top.connect(source, decoder, sink)
    top.run()
    first = sink.data()
    source.rewind()
    sink.reset()
    top.run()
    assert len(first) == 10 * FRAME and first == sink.data() and decoder.frames() == 20


# ---- Streams ----

STREAM = receiver("f4", 8192, ", stream: true", "dvb")


def stream_of(n, seed=4):
    text = pipeline(f"source.memory: {{dtype: u1, frame: {n}}}", "conv.encode: {code: dvb, termination: truncated}",
                    "sink.memory: {dtype: u1}")
    bits = random_bits(n, seed)
    return bits, noisy(flow(bits, fecrun.encoder(text))[0], 0.7)


def test_stream_to_its_last_bit():
    bits, soft = stream_of(50000)
    text = receiver("f4", 0, "", "dvb")
    expected = fecrun_run(text, -soft, "llr")
    assert expected.size == 50000 and np.mean(expected != bits) < 1e-3
    for frames, most in ((0, 100000000), (1, 100), (1, 5000), (3, 100000000)):
        ours, _ = flow(soft, fecrun.decoder(STREAM, frames=frames), most=most)
        assert np.array_equal(ours, expected), (frames, most, ours.size)


def test_packets_are_streams():
    sizes = [20000, 300, 8192, 16384, 8194]
    parts = [stream_of(n // 2, 5 + i) for i, n in enumerate(sizes)]
    soft = np.concatenate([part[1] for part in parts])
    ours, tags = flow(soft, fecrun.decoder(STREAM, length_tag="len", frames=4), tags=lengths(sizes))
    expected = [fecrun_run(receiver("f4", 0, "", "dvb"), -part[1], "llr") for part in parts]
    assert np.array_equal(ours, np.concatenate(expected))
    assert [pmt.to_long(tag.value) for tag in tags] == [n // 2 for n in sizes]


def test_streams_have_no_packed_bits():
    refused(lambda: fecrun.decoder(STREAM.replace("u1", "packed")), "sink.memory.dtype", "must not be packed")


# ---- Packets ----

def lengths(sizes):
    tags, offset = [], 0
    for size in sizes:
        tag = gr.tag_t()
        tag.offset, tag.key, tag.value = offset, pmt.intern("len"), pmt.from_long(size)
        tags.append(tag)
        offset += size
    return tags


def stored(messages):
    entries = [pmt.to_python(messages.get_message(i)) for i in range(messages.num_messages())]
    return entries


def test_packets():
    counts = [1, 3, 2, 8, 1]
    soft = noisy(gr_fec_encode(random_bits(FRAME * sum(counts))), 0.9)
    whole, _ = flow(soft, fecrun.decoder(receiver()))
    decoder = fecrun.decoder(receiver(), length_tag="len", frames=8)
    ours, tags = flow(soft, decoder, tags=lengths([n * CODED for n in counts]))
    assert np.array_equal(ours, whole)
    assert [pmt.to_long(tag.value) for tag in tags] == [n * FRAME for n in counts]


def test_packet_of_a_wrong_length_is_dropped():
    soft = noisy(gr_fec_encode(random_bits(FRAME * 5)), 0.9)
    whole, _ = flow(soft, fecrun.decoder(receiver()))
    sizes = [CODED, 2 * CODED - 7, CODED + 7, CODED]
    messages = blocks.message_debug()
    decoder = fecrun.decoder(receiver(), length_tag="len", frames=4)
    ours, _ = flow(soft, decoder, tags=lengths(sizes), messages=messages)
    assert np.array_equal(ours, np.concatenate((whole[:FRAME], whole[4 * FRAME:])))
    dropped = [entry["dropped"] for entry in stored(messages) if "dropped" in entry]
    assert dropped == sizes[1:3] and decoder.frames() == 2


# ---- Quality ----

def test_quality():
    """Frames of zeros, of which some are noise only."""
    soft = noisy(np.zeros(1200 * 40, "u1"), 0.4).reshape(40, 1200)
    bad = [3, 4, 17, 39]
    soft[bad] = np.random.default_rng(9).normal(0, 1, (len(bad), 1200))
    messages = blocks.message_debug()
    decoder = fecrun.decoder(LDPC, frames=7)
    ours, _ = flow(soft.reshape(-1), decoder, messages=messages)
    entries = stored(messages)
    assert not ours.reshape(40, -1)[[i for i in range(40) if i not in bad]].any()
    verdict = np.concatenate([entry["bad"] for entry in entries])
    assert np.flatnonzero(verdict).tolist() == bad
    assert sum(entry["frames"] for entry in entries) == sum(entry["checked"] for entry in entries) == 40
    assert sum(entry["failed"] for entry in entries) == decoder.failed() == 4
    assert [entry["first"] for entry in entries] == np.cumsum([0] + [e["frames"] for e in entries])[:-1].tolist()
    assert all(1 <= entry["iterations"] <= 8 for entry in entries)


def test_pieces_of_frames():
    """A frame of several code blocks gives all of them."""
    text = pipeline("source.memory: {dtype: u1, frame: 75376}", "seg.split: {code: lte}", "turbo.encode: {k: 5824}",
                    "sink.memory: {dtype: u1}")
    encoder = fecrun.encoder(text)
    assert encoder.output_items() == 13 * (3 * 5824 + 12)
    bits = random_bits(75376 * 3)
    assert np.array_equal(flow(bits, encoder)[0], fecrun_run(text, bits, "bits"))


# ---- Errors ----

def test_what_is_refused():
    refused(lambda: fecrun.decoder(receiver(code="none")), "pipeline:4:28: viterbi.decode.code: must be one of")
    refused(lambda: fecrun.decoder("/nowhere.yaml"), "/nowhere.yaml", "No such file")
    refused(lambda: fecrun.decoder(receiver(), positive="minus"), "positive: must be one or zero, is 'minus'")
    refused(lambda: fecrun.decoder(receiver("i4")), "positive: must be zero", "i4")
    refused(lambda: fecrun.decoder(receiver(), frames=1 << 40), "frames: must be at most 65536")
    refused(lambda: fecrun.decoder(receiver(), frames=65536, sets=["source.memory.frame=1000012"]), "too large")
    refused(lambda: fecrun.decoder(receiver(), ["viterbi.decode.no=1"]), "--set viterbi.decode.no=1")
    refused(lambda: fecrun.decoder(pipeline("source.random: {bits: 100}", "sink.null: {}")), "source.memory")


def test_a_set_that_is_refused_changes_nothing():
    soft = noisy(gr_fec_encode(random_bits(FRAME * 5)), 0.9)
    decoder = fecrun.decoder(receiver())
    refused(lambda: decoder.set(["source.memory.frame=1012"]), "the size of a frame would change")
    refused(lambda: decoder.set(["viterbi.decode.code=none"]), "must be one of")
    ours, _ = flow(soft, decoder)
    assert np.array_equal(ours, flow(soft, fecrun.decoder(receiver()))[0])


def test_set_while_it_runs():
    top = gr.top_block()
    decoder = fecrun.decoder(LDPC)
    top.connect(blocks.null_source(4), decoder, blocks.null_sink(1))
    top.start()
    before = decoder.frames()
    for iterations in range(2, 20):
        decoder.set([f"ldpc.decode.iterations={iterations}"])
    end = time.monotonic() + 30
    while decoder.frames() == before and time.monotonic() < end:
        time.sleep(0.01)
    top.stop()
    top.wait()
    assert decoder.frames() > before


failed = 0
for name, test in [entry for entry in globals().items() if entry[0].startswith("test_")]:
    try:
        test()
        print("ok -", name[5:].replace("_", " "), flush=True)
    except Exception:
        failed += 1
        traceback.print_exc()
        print("not ok -", name[5:].replace("_", " "), flush=True)
print("end", flush=True)
raise SystemExit(failed != 0)
