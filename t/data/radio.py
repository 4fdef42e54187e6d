#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Streams of symbols for conf/, made by GNU Radio 3.10.5 and gr-satellites 4.4.0 as Debian 12 has them.

They do the coding; this script chooses the content and adds white noise. radio.py DIR writes the files."""
import random
import sys
import time

import numpy as np
import pmt
import satellites
from gnuradio import blocks, digital, dtv, fec, gr

OUT = sys.argv[1] + "/"


def flow(items, size, *stages):
    """What the blocks `stages` make of a vector of bytes; `size` bytes are an item of the first one."""
    top = gr.top_block()
    sink = blocks.vector_sink_b(stages[-1].output_signature().sizeof_stream_item(0))
    source = blocks.vector_source_b([int(b) for b in items], False, size)
    top.connect(source, *stages, sink)
    top.run()
    return np.array(sink.data(), dtype=np.uint8)


def k7(bits, inverted=False):
    """The code 171 133 without an end; CCSDS inverts the second output."""
    code = fec.cc_encoder_make(len(bits), 7, 2, [79, -109 if inverted else 109], 0, fec.CC_STREAMING)
    return flow(bits, 1, fec.encoder(code, 1, 1))


def noisy(symbols, amplitude, sigma, name, seed):
    """LLRs of one byte, positive for 0."""
    noise = np.random.default_rng(seed).normal(0, sigma, len(symbols))
    llrs = np.clip(np.round(amplitude * (1 - 2.0 * symbols + noise)), -127, 127)
    llrs.astype(np.int8).tofile(OUT + name)


def noisy4(symbols, sigma, name, seed):
    """LLRs of half a byte, -7 to 7, the first one in the high half."""
    noise = np.random.default_rng(seed).normal(0, sigma, len(symbols))
    llrs = np.clip(np.round(3 * (1 - 2.0 * symbols + noise)), -7, 7).astype(np.int8) & 15
    (llrs[0::2] << 4 | llrs[1::2]).astype(np.uint8).tofile(OUT + name)


def ccsds():
    """Two transfer frames of 5 x 223 bytes, between 777 and 300 other bits."""
    rng = random.Random(38)
    frames = [bytes(rng.randrange(256) for _ in range(1115)) for _ in range(2)]
    open(OUT + "ccsds_msg.bin", "wb").write(b"".join(frames))
    asm = np.unpackbits(np.frombuffer(bytes.fromhex("1acffc1d"), dtype=np.uint8))
    bits = [rng.randrange(2) for _ in range(777)]
    for frame in frames:
        top = gr.top_block()
        encoder, sink = satellites.encode_rs(True, 5), blocks.message_debug()
        top.msg_connect(encoder, "out", sink, "store")
        top.start()
        message = pmt.cons(pmt.PMT_NIL, pmt.init_u8vector(len(frame), list(frame)))
        encoder.to_basic_block()._post(pmt.intern("in"), message)
        while sink.num_messages() < 1:
            time.sleep(0.01)
        top.stop()
        top.wait()
        word = np.array(pmt.u8vector_elements(pmt.cdr(sink.get_message(0))), dtype=np.uint8)
        sent = flow(np.unpackbits(word), 1, digital.additive_scrambler_bb(0xa9, 0xff, 7, 0, 1))
        bits += list(asm) + list(sent)
    bits += [rng.randrange(2) for _ in range(300)]
    noisy(k7(bits, True), 24, 0.6, "ccsds.i1", 1)


def dvb_outer(packets):
    """Transport packets as DVB-S and DVB-T send them, in front of the inner code."""
    return (packets, 1, dtv.dvbt_energy_dispersal(1), dtv.dvbt_reed_solomon_enc(2, 8, 0x11d, 255, 239, 8, 51, 8),
            dtv.dvbt_convolutional_interleaver(136, 12, 17))


def transport(n, seed):
    rng = random.Random(seed)
    return b"".join(b"\x47" + bytes(rng.randrange(256) for _ in range(187)) for _ in range(n))


def bits_of(carriers, bits):
    """The bits of carriers' values, the first one highest."""
    return np.unpackbits(carriers[:, None], axis=1)[:, 8 - bits:].reshape(-1)


def dvb():
    """56 transport packets of random bytes: DVB-S at 3/4, and DVB-T's carriers (2k, 16-QAM, rate 3/4)."""
    packets = transport(56, 5)
    open(OUT + "dvb_msg.bin", "wb").write(packets[:3008])
    outer = dvb_outer(packets)
    coder = dtv.dvbt_inner_coder(1, 1512, dtv.MOD_QPSK, dtv.NH, dtv.C3_4)
    before = np.random.default_rng(4).integers(0, 2, 1001)
    noisy(np.concatenate([before, bits_of(flow(*outer, coder), 2)[:43999]]), 24, 0.45, "dvb_s.i1", 2)
    outer = dvb_outer(packets)
    coder = dtv.dvbt_inner_coder(1, 1512, dtv.MOD_16QAM, dtv.NH, dtv.C3_4)
    bit = dtv.dvbt_bit_inner_interleaver(1512, dtv.MOD_16QAM, dtv.NH, dtv.T2k)
    symbol = dtv.dvbt_symbol_inner_interleaver(1512, dtv.T2k, 1)
    noisy4(bits_of(flow(*outer, coder, bit, symbol), 4)[:66528], 0.3, "dvb_t.i4", 3)


def cnav():
    """Five messages of GPS CNAV (IS-GPS-200 30.3.3): preamble, PRN 22, type 0, times from 1000 on, other bits random."""
    rng = random.Random(30)
    messages, sent = b"", [rng.randrange(2) for _ in range(123)]
    for i in range(5):
        head = f"{0x8b:08b}{22:06b}{0:06b}{1000 + i:017b}0" + "".join(rng.choice("01") for _ in range(238))
        parity = digital.crc(24, 0x864cfb, 0, 0, False, False).compute(list(int(head, 2).to_bytes(35, "big")))
        messages += int(head + "0000", 2).to_bytes(35, "big")
        sent += [int(b) for b in head + f"{parity:024b}"]
    open(OUT + "cnav_msg.bin", "wb").write(messages)
    noisy(k7(sent + [0] * 100), 24, 0.6, "cnav.i1", 6)


def dvb_s2():
    """Two short baseband frames of rate 3/4, behind the scrambler, BCH and LDPC codes."""
    settings = dtv.STANDARD_DVBS2, dtv.FECFRAME_SHORT, dtv.C3_4
    header = dtv.dvb_bbheader_bb(*settings, dtv.RO_0_35, dtv.INPUTMODE_NORMAL, dtv.INBAND_OFF, 168, 4000000)
    frames = flow(transport(40, 6), 1, header)[:2 * 11712]
    np.packbits(frames).tofile(OUT + "dvb_s2_msg.bin")
    words = flow(frames, 1, dtv.dvb_bbscrambler_bb(*settings), dtv.dvb_bch_bb(*settings),
                 dtv.dvb_ldpc_bb(*settings, dtv.MOD_OTHER))
    noisy4(words[:2 * 16200], 0.5, "dvb_s2.i4", 7)


if __name__ == "__main__":
    dvb_s2()
    ccsds()
    cnav()
    dvb()
