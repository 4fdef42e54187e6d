# SPDX-License-Identifier: BSD-2-Clause
"""Speed of GNU Radio's blocks on one core: fecrun.decoder, `fecrun run` and gr-fec's decoder on the same file.

    taskset -c 0 python3 bench/radio.py [RUNS]

Information bits per second of CPU time (user and system), the fastest of RUNS (5) runs in turn. A flowgraph is a
file_source, the decoder, and a file_sink. Of `fecrun run`, the time of a run without frames is not counted: programs
begin with it, flowgraphs do not. FECRUN is the program (fecrun); PYTHONPATH and FECRUN_PLUGIN_PATH as the module needs
them; files go to TMPDIR.
"""
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np
from gnuradio import blocks, fec, fecrun, gr

PROGRAM = os.environ.get("FECRUN", "fecrun")


def pipeline(*stages):
    return "fecrun: 1\npipeline:\n" + "".join(f"  - {stage}\n" for stage in stages)


# name, items of source.memory, its other options, decoder, bits of a frame, frames of the file, sender
K7 = "conv.encode: {code: ieee80211}"
NR = "ldpc.encode: {code: nr, bg: 1, z: 384}"
TURBO = "turbo.encode: {k: 6144}"
ROWS = [
    ("Viterbi K = 7, rate 1/2, 1000 bits", 2012, "llr_max: 10", "viterbi.decode: {code: ieee80211}", 1000, 60000, K7),
    ("LDPC, NR BG1, z = 384, 10 iterations", 25344, "llr_max: 31",
     "ldpc.decode: {code: nr, bg: 1, z: 384, iterations: 10, early_stop: none}", 8448, 2000, NR),
    ("turbo K = 6144, 6 iterations", 18444, "llr_max: 31", "turbo.decode: {k: 6144, iterations: 6}", 6144, 2000, TURBO),
]


def cpu(children):
    use = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


def flowgraph(decoder, source, item=gr.sizeof_char, out="decoded.gr"):
    top = gr.top_block()
    sink = blocks.file_sink(gr.sizeof_char, out)
    sink.set_unbuffered(False)
    top.connect(blocks.file_source(item, source, False), decoder, sink)
    start = cpu(False)
    top.run()
    return cpu(False) - start


def by_run(text, frames):
    with open("run.yaml", "w") as file:
        file.write(text + f"stop: {{frames: {frames}}}\n")
    start = cpu(True)
    subprocess.run([PROGRAM, "run", "--quiet", "--threads", "1", "run.yaml"], check=True, stdout=subprocess.DEVNULL)
    return cpu(True) - start


def make(row):
    """Received LLRs of a link near the end of its waterfall, positive for 0, and the same positive for 1."""
    _, items, more, _, bits, frames, sender = row
    scale = more.split()[-1]
    stages = [f"source.random: {{bits: {bits}}}", sender, "modem.map: {scheme: bpsk}", "channel.awgn: {esn0_db: 0.5}",
              "modem.demap: {}", f"llr.quantize: {{type: i8, scale: {2 if scale == '10' else 4}, max: {scale}}}",
              "sink.file: {path: soft.i1, dtype: i1}"]
    with open("make.yaml", "w") as file:
        file.write(pipeline(*stages) + f"stop: {{frames: {frames}}}\n")
    subprocess.run([PROGRAM, "run", "--quiet", "make.yaml"], check=True, stdout=subprocess.DEVNULL)
    (-np.fromfile("soft.i1", "i1")).tofile("one.i1")


def measure(row, runs):
    name, items, more, decoder, bits, frames, _ = row
    make(row)
    memory = pipeline(f"source.memory: {{dtype: i1, frame: {items}, {more}}}", decoder, "sink.memory: {dtype: u1}")
    run = memory.replace("source.memory: {", "source.file: {path: soft.i1, kind: llr, ")
    run = run.replace("sink.memory: {", "sink.file: {path: decoded.run, ")
    # gr-fec takes bytes around 128.
    ways = {
        "fecrun run": lambda: by_run(run, frames) - by_run(run, 1),
        "fecrun.decoder, positive zero": lambda: flowgraph(fecrun.decoder(memory, positive="zero"), "soft.i1"),
        "fecrun.decoder": lambda: flowgraph(fecrun.decoder(memory), "one.i1"),
        "fecrun.decoder, frames 64": lambda: flowgraph(fecrun.decoder(memory, frames=64), "one.i1"),
    }
    if row is ROWS[0]:
        (np.fromfile("one.i1", "i1").astype("i2") * 12 + 128).astype("u1").tofile("bytes.u1")
        ways["gr-fec's cc_decoder"] = lambda: flowgraph(
            fec.decoder(fec.cc_decoder.make(bits, 7, 2, [109, 79], 0, -1, fec.CC_TERMINATED), 1, 1), "bytes.u1",
            out="decoded.fec")
    best = {}
    for _ in range(runs):
        for way, call in ways.items():
            best[way] = min(best.get(way, 1e9), call())
    by_run(run, frames)
    expected = np.fromfile("decoded.run", "u1")
    same = np.array_equal(np.fromfile("decoded.gr", "u1"), expected)
    speeds = {way: bits * frames / seconds / 1e6 for way, seconds in best.items()}
    for way, speed in speeds.items():
        print(f"| {name} | {way} | {speed:.1f} | {speed / speeds['fecrun run']:.2f} |")
    if not same:
        sys.exit(f"{name}: the flowgraph's bits are not those of fecrun run")


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| decoder | by | Mbit/s | of fecrun run |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for row in ROWS:
            measure(row, runs)


main()
