# SPDX-License-Identifier: BSD-2-Clause
"""Four families of codes at rate 1/2 in one picture: python waterfall.py [PICTURE [FRAMES]]."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

import fecrun

CODES = {
    "convolutional, K = 7": (1018, {"conv.encode": {"code": "ieee80211"}}, {"viterbi.decode": {}}),
    "LDPC, IEEE 802.11, n = 1944": (972, {"ldpc.encode": {"code": "wifi", "n": 1944, "rate": "1/2"}},
                                    {"ldpc.decode": {"iterations": 20}}),
    "turbo, LTE, rate 1/3, K = 1024": (1024, {"turbo.encode": {"k": 1024}}, {"turbo.decode": {}}),
    "polar, CRC 11, list 8": (501, {"polar.encode": {"code": "plain", "n": 1024, "k": 512}},
                              {"polar.decode": {"list": 8, "crc": 11}}),
}


def link(bits, encoder, decoder, frames):
    crc = [{"crc.attach": {"crc": 11}}] if bits == 501 else []
    drop = [{"crc.check": {"crc": 11}}] if crc else []
    return {"fecrun": 1, "seed": 1,
            "pipeline": [{"source.random": {"bits": bits}}, *crc, encoder,
                         {"modem.map": {"scheme": "bpsk"}}, {"channel.awgn": {"ebn0_db": 0}},
                         {"modem.demap": {}}, {"llr.quantize": {"type": "i8", "scale": 8}},
                         decoder, *drop, {"sink.errors": {}}],
            "sweep": {"channel.awgn.ebn0_db": "0:0.5:4.5"},
            "stop": {"frame_errors": 50, "frames": frames}}


def main(picture="waterfall.png", frames="2000"):
    for label, code in CODES.items():
        result = fecrun.Pipeline(link(*code, int(frames))).run()
        result.plot(label=label)
    pyplot.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
