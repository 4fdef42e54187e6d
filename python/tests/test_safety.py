# SPDX-License-Identifier: BSD-2-Clause
"""Wrong uses raise; none of them ends the interpreter."""

import copy
import gc
import subprocess
import sys
import textwrap
import threading
import time

import numpy
import pytest

import fecrun

CHAIN = {"fecrun": 1, "pipeline": [{"source.memory": {"dtype": "i1", "frame": 60}},
                                   {"viterbi.decode": {"code": "ieee80211"}},
                                   {"sink.memory": {}}]}


def prepared(frames=4):
    made = fecrun.Pipeline(CHAIN).prepare(frames)
    into = made.port("sink.memory")
    arrays = numpy.ones((frames, 60), numpy.int8), numpy.zeros((frames, into.shape), into.array_dtype)
    made.bind("source.memory", arrays[0])
    made.bind("sink.memory", arrays[1])
    return made, arrays


def test_what_cannot_be_written_is_not_filled():
    made, (_, out) = prepared()
    read_only = numpy.frombuffer(bytes(out.nbytes), out.dtype).reshape(out.shape)
    with pytest.raises(ValueError, match="sink.memory: the array is filled, and this one cannot be written"):
        made.bind("sink.memory", read_only)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        made.bind("sink.memory", out)
    source = numpy.ones((4, 60), numpy.int8)
    source.flags.writeable = False
    made.bind("source.memory", source)
    made.execute(4)


def test_bytes_are_no_array():
    made, _ = prepared()
    for wrong in (bytes(240), bytearray(240), [1] * 60, None, "text"):
        with pytest.raises(TypeError, match="an array of NumPy"):
            made.bind("source.memory", wrong)


def test_infos_are_those_of_the_last_call():
    made, _ = prepared()
    with pytest.raises(ValueError, match="infos of 1 frames are wanted, the last call had 0"):
        made.infos(1)
    made.execute(3)
    assert len(made.infos()[0]) == len(made.infos(3)[0]) == 3 and len(made.infos(2)[1]) == 2
    for wrong in (4, 1 << 40, -1):
        with pytest.raises(ValueError, match="the last call had 3"):
            made.infos(wrong)
    for wrong in (0, 5, 1 << 40):
        with pytest.raises(fecrun.PipelineError):
            made.execute(wrong)
    with pytest.raises(OverflowError):
        made.execute(-1)


def test_closed():
    made, arrays = prepared()
    made.execute(1)
    kept = made.infos(1)
    made.close()
    made.close()
    for use in (lambda: made.execute(1), lambda: made.infos(0), lambda: made.port("sink.memory"),
                lambda: made.bind("source.memory", arrays[0]),
                lambda: made.bind_pointer("source.memory", False, 0, 0)):
        with pytest.raises(ValueError, match="this Prepared is closed"):
            use()
    gc.collect()
    assert kept[0].shape == (1,)


def test_no_copies():
    made, _ = prepared()
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(made)


def test_names_without_an_end():
    made, _ = prepared()
    with pytest.raises(ValueError, match="NUL"):
        made.port("sink.memory\0")
    with pytest.raises(ValueError, match="NUL"):
        fecrun.Pipeline(CHAIN, backend="ref\0")
    with pytest.raises(ValueError, match="NUL"):
        fecrun.Pipeline(CHAIN, sets={"seed": "1\0"})


def test_closed_while_another_thread_calls():
    for _ in range(20):
        made, _ = prepared(64)
        ended = []

        def work():
            try:
                while True:
                    made.execute(64)
                    made.infos()
            except ValueError as error:
                ended.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.005)
        made.close()
        for thread in threads:
            thread.join()
        assert ended == ["this Prepared is closed"] * 2


RUN = {"fecrun": 1, "pipeline": [{"source.random": {"bits": 1000}}, {"sink.errors": {}}],
       "stop": {"seconds": 0.5}}


def test_a_pipeline_at_work_is_not_shared():
    pipeline = fecrun.Pipeline(RUN)
    wrong = []

    def progress(now):
        if now["seconds"] > 0.3 or wrong:  # the last one comes when it has ended
            return
        for use in (pipeline.check, pipeline.run, pipeline.prepare):
            with pytest.raises(RuntimeError, match="this Pipeline is at work"):
                use()
            wrong.append(use)

    assert pipeline.run(progress)[0].frames > 0
    assert wrong
    pipeline.check()


def test_the_end_of_the_interpreter():
    for end in ("", "import gc; gc.collect()", "made.close()", "sys.exit(0)"):
        text = textwrap.dedent(f"""
            import sys, threading, numpy, fecrun
            made = fecrun.Pipeline({CHAIN!r}).prepare(64)
            into = made.port("sink.memory")
            made.bind("source.memory", numpy.ones((64, 60), numpy.int8))
            made.bind("sink.memory", numpy.zeros((64, into.shape), into.array_dtype))
            def work():
                while True:
                    made.execute(64)
            threading.Thread(target=work, daemon=True).start()
            fecrun.Pipeline({RUN!r}).run()
            {end}
        """)
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
