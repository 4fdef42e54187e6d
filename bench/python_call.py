# SPDX-License-Identifier: BSD-2-Clause
"""What a call of fecrun from Python costs on CUDA tensors beside its kernels: python python_call.py.

    host     the call alone, nothing queued before it: until it returns
    loop     a call of many behind each other, the stream is waited for at the end
    waited   a call and the wait for its stream
    device   kernels, copies and fills of a call on the device, by torch's profiler; memcpy: their number
"""

import statistics
import time

import torch

import fecrun
import fecrun.torch

CALLS = 300


def microseconds(function):
    begin = time.perf_counter()
    function()
    return (time.perf_counter() - begin) * 1e6


def profiled(function, calls=20):
    """Microseconds on the device of a call, copies of a call by kind, kernels of a call."""
    activity = torch.profiler.ProfilerActivity
    with torch.profiler.profile(activities=[activity.CPU, activity.CUDA]) as profile:
        for _ in range(calls):
            function()
        torch.cuda.synchronize()
    events = [e for e in profile.events()
              if str(e.device_type).endswith("CUDA") and e.time_range.elapsed_us() > 0]
    copies = [e.name for e in events if "memcpy" in e.name.lower()]
    kinds = {name: copies.count(name) / calls for name in sorted(set(copies))}
    kernels = [e for e in events if "mem" not in e.name.lower()[:4]]
    return sum(e.time_range.elapsed_us() for e in events) / calls, kinds, len(kernels) / calls


def row(name, function):
    sync = torch.cuda.current_stream().synchronize
    for _ in range(20):
        function()
    sync()
    host, waited = [], []
    for _ in range(CALLS):
        host.append(microseconds(function))
        sync()
    for _ in range(CALLS):
        waited.append(microseconds(lambda: (function(), sync())))
    loop = min(microseconds(lambda: ([function() for _ in range(CALLS)], sync())) for _ in range(5)) / CALLS
    device, copies, kernels = profiled(function)
    shown = ", ".join(f"{n:g} {name}" for name, n in copies.items()) or "none"
    print(f"| {name} | {statistics.median(host):.1f} (least {min(host):.1f}) | {loop:.1f} | "
          f"{statistics.median(waited):.1f} | {device:.1f} | {kernels:g} | {shown} |", flush=True)


def decoder(stage, items, frames, code):
    llr = torch.randint(-10, 11, (frames, items), dtype=torch.int8, device="cuda")
    coder = fecrun.Coder((stage, code))
    module = fecrun.torch.Coder((stage, code), items, torch.int8)
    row(f"{stage}, {frames} x {items}, Coder", lambda: coder(llr))
    row(f"{stage}, {frames} x {items}, decode()", lambda: fecrun.decode(stage, llr, **code))
    row(f"{stage}, {frames} x {items}, torch module", lambda: module(llr))
    call = next(iter(coder._pools.values()))[0]
    row(f"{stage}, {frames} x {items}, execute alone", lambda: call.prepared.execute(frames))


if __name__ == "__main__":
    print(torch.cuda.get_device_name(), torch.__version__, "fecrun", fecrun.__version__)
    print("| microseconds a call | host, median | loop | waited, median | device | kernels | memcpy |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    x = torch.zeros(1000, device="cuda")
    row("torch: x + 1", lambda: x + 1)
    decoder("viterbi.decode", 2012, 1, {"code": "ieee80211"})
    decoder("viterbi.decode", 2012, 4096, {"code": "ieee80211"})
    decoder("ldpc.decode", 25344, 64, {"code": "nr", "bg": 1, "z": 384})
