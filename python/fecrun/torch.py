# SPDX-License-Identifier: BSD-2-Clause
"""Decoders as PyTorch functions and modules, on CPU and CUDA tensors, under torch.compile too.

Nothing here can be differentiated: bits are decided. A tensor that asks for gradients is refused.

Work on CUDA tensors is queued on torch's current stream and not waited for.
"""

import functools
import json
from concurrent.futures import ThreadPoolExecutor

import torch

if not hasattr(torch.library, "custom_op"):
    raise ImportError(f"fecrun.torch needs PyTorch 2.4 or newer, this is {torch.__version__}; "
                      "fecrun.decode() and fecrun.Coder take tensors of older ones, too")

from ._session import text_of
from .coder import Coder as _Coder
from .coder import split_options

__all__ = ["Coder", "LDPC5GDecoder", "PolarDecoder", "TurboDecoder", "ViterbiDecoder", "decode",
           "sim_ber"]


@functools.lru_cache(maxsize=64)
def _coder(text):
    made = json.loads(text)
    return _Coder([tuple(stage) for stage in made["stages"]], **made["options"])


@torch.library.custom_op("fecrun::code", mutates_args=())
def _code(x: torch.Tensor, text: str, columns: int, dtype: str) -> torch.Tensor:
    return _coder(text)(x)


@_code.register_fake
def _(x, text, columns, dtype):
    return x.new_empty((*x.shape[:-1], columns), dtype=getattr(torch, dtype))


class Coder(torch.nn.Module):
    """Stages as a module: fecrun.Coder of tensors whose last axis has `items` of `dtype`.

    Takes (..., items), returns (..., self.columns) of self.dtype. Stages and options are those of
    fecrun.Coder.
    """

    def __init__(self, stages, items, dtype=torch.float32, **options):
        super().__init__()
        coder = _Coder(stages, **options)
        self.items = items
        self._text = text_of({"stages": coder._stages[_quantizers(options):], "options": options})
        self.columns, out = coder.items(items, str(dtype)[6:])
        self.dtype = getattr(torch, out)
        self._out = out

    def forward(self, x):
        if x.requires_grad and torch.is_grad_enabled():
            raise RuntimeError("fecrun's decoders have no gradient: use torch.no_grad() or .detach()")
        if x.shape[-1] != self.items:
            raise ValueError(f"the last axis must have {self.items} items, it has {x.shape[-1]}")
        if type(x) is torch.Tensor and not torch.compiler.is_compiling():
            return _coder(self._text)(x)  # the operator's way through the dispatcher takes longer than all else
        return torch.ops.fecrun.code(x.contiguous(), self._text, self.columns, self._out)

    def extra_repr(self):
        return f"items={self.items}, columns={self.columns}"


def _quantizers(options):
    """Stages that Coder has put in front, which the text holds as an option."""
    return 1 if options.get("quantize") is not None else 0


@functools.lru_cache(maxsize=64)
def _module(stage, items, dtype, params, options):
    return Coder((stage, json.loads(params)), items, dtype, **json.loads(options))


def decode(stage, llr, **params):
    """fecrun.decode() of a tensor, as an operator that torch.compile knows."""
    options = split_options(params)
    module = _module(stage, llr.shape[-1], llr.dtype, text_of(params), text_of(options))
    return module(llr)


class _LogitDecoder(torch.nn.Module):
    """What Sionna's decoders share: logits (positive means 1) in, bits as floats out.

    LLRs are rounded to 8 bits in steps of llr_max / 127, larger ones clipped at llr_max, which is what
    the fast decoders take; llr_max=None hands them on as they are. With output, a port of LLRs of the last
    stage, logits come out.
    """

    def __init__(self, stages, items, llr_max, **options):
        super().__init__()
        if llr_max is not None:
            options["quantize"] = {"type": "i8", "scale": 127 / float(llr_max)}
        self._coder = Coder(stages, items, torch.float32, **options)
        # LLRs come out in the units of what the decoder gets.
        self._unit = None
        if options.get("output") is not None:
            self._unit = -(1 if llr_max is None else float(llr_max) / 127)
        self.n = items
        self.k = self._coder.columns

    def forward(self, llr):
        """(..., n) logits to (..., k) bits, 0. or 1., or logits, of the logits' dtype."""
        return self._finished(self._coder(_llrs(llr)), llr.dtype)

    def _finished(self, out, dtype):
        if self._unit is not None:
            out = out * self._unit
            if dtype == torch.float16:  # whose range certain bits leave
                out = out.clamp(-65504, 65504)
        return out.to(dtype)


def _llrs(logits):
    return -logits.detach().to(torch.float32).contiguous()


def _places(sent, items):
    """Which bit of the word each bit is that is sent: what rate matching makes of the bits' numbers."""
    digits = torch.arange(items.bit_length()).unsqueeze(1)
    numbers = (torch.arange(items) >> digits & 1).to(torch.uint8)
    return (_Coder(("ldpc.rate_match", sent))(numbers).long() << digits).sum(0)


_RVS = {"rv0": 0, "rv1": 1, "rv2": 2, "rv3": 3}  # as Sionna writes them

_CN_UPDATES = {
    "minsum": {"check_rule": "min-sum", "alpha": 1, "alpha_last": 1},
    "offset-minsum": {"check_rule": "offset-min-sum"},
    "boxplus": {"check_rule": "sum-product"},
    "boxplus-phi": {"check_rule": "sum-product"},
}


class LDPC5GDecoder(_LogitDecoder):
    """Takes the place of Sionna's LDPC5GDecoder: LDPC5GDecoder(encoder, num_iter=20).

    encoder      Sionna's LDPC5GEncoder, or any object with k, n, z, k_filler, num_bits_per_symbol and
                 _bg ("bg1" or "bg2")
    cn_update    None: scaled min-sum, whose factor rises from iteration to iteration (fast kernels);
                 "minsum", "offset-minsum", "boxplus" and "boxplus-phi" as there
    cn_schedule  "layered", which needs about half the iterations of "flooding"; the latter, "boxplus" and
                 "boxplus-phi" are for tensors on the CPU: no GPU backend has them
    early_stop   a block is done when all checks hold

    hard_out     False: logits instead of bits, after the last iteration and with all that arrived in them; so
                 extrinsic ones are these less the decoder's input. They say how often bits are wrong with
                 cn_update="boxplus"; those of the min-sums are of about that size. On a GPU a slower kernel
                 has them
    return_infobits
                 False: all n bits that were sent, as the decided information bits are encoded, or their logits
    harq_mode    True: decoder(llr, rv=[0, 2]) takes (..., 2, n), the LLRs of each redundancy version, and
                 adds them up; rv=None is [0]. With return_infobits=False (..., 2, n) comes out

    Any rate down to repetition of the whole code word. Not there: callbacks, the decoder's state; asking for
    them is an error.
    """

    def __init__(self, encoder, cn_update=None, cn_schedule="layered", hard_out=True,
                 return_infobits=True, num_iter=20, llr_max=20.0, early_stop=True, harq_mode=False,
                 **others):
        _refuse(others, vn_update="sum", v2c_callbacks=None, c2v_callbacks=None, return_state=False,
                prune_pcm=True, precision=None, device=None)
        if cn_update is not None and cn_update not in _CN_UPDATES:
            raise ValueError(f"cn_update must be None or one of {', '.join(_CN_UPDATES)}, "
                             f"not {cn_update!r}")
        bg = {"bg1": 1, "bg2": 2}[encoder._bg]
        n = int(encoder.n)
        code = dict(bg=bg, z=int(encoder.z), fillers=int(encoder.k_filler))
        sent = dict(code, e=n, qm=int(encoder.num_bits_per_symbol or 1))
        decode = dict(code, code="nr", iterations=int(num_iter), schedule=cn_schedule,
                      early_stop="syndrome" if early_stop else "none",
                      **_CN_UPDATES.get(cn_update, {}))
        word = (66 if bg == 1 else 50) * code["z"]
        stages = [("ldpc.decode", decode)]
        output = None if hard_out else "llr" if return_infobits else "code_llr"
        if hard_out and not return_infobits:
            stages.append(("ldpc.encode", dict(code, code="nr")))
            if not harq_mode:
                stages.append(("ldpc.rate_match", sent))
        if harq_mode:
            super().__init__(stages, word, llr_max, output=output)
            self._recover = torch.nn.ModuleList(
                Coder(("ldpc.rate_recover", dict(sent, rv=rv)), n) for rv in range(4))
        else:
            super().__init__([("ldpc.rate_recover", sent), *stages], n, llr_max, output=output)
        # Of each redundancy version: the sent ones of the word's bits, where these come out of the stages.
        self._sent = []
        if not return_infobits and (harq_mode or not hard_out):
            self._sent = [_places(dict(sent, rv=rv), word) for rv in range(4 if harq_mode else 1)]
            self.k = n
        self.n = n
        self.harq_mode = harq_mode
        self.encoder = encoder

    def forward(self, llr, rv=None):
        """(..., n) logits, or with several rv (..., len(rv), n), to bits or logits of the logits' dtype."""
        if not self.harq_mode:
            if rv is not None:
                raise ValueError("rv is for harq_mode=True")
            out = self._coder(_llrs(llr))
            return self._finished(self._pick(out, 0) if self._sent else out, llr.dtype)
        rv = [0] if rv is None else [_RVS.get(v, v) for v in rv]
        if any(v not in range(4) for v in rv) or not rv:
            raise ValueError(f"rv must be a list of 0 to 3, not {rv}")
        several = len(rv) > 1 or llr.dim() > 2 and llr.shape[-2] == 1
        if several and (llr.dim() < 2 or llr.shape[-2] != len(rv)):
            raise ValueError(f"the axis before the last one must have {len(rv)} items, one for each rv")
        parts = llr.unbind(-2) if several else [llr]
        received = [self._recover[v](_llrs(part)) for v, part in zip(rv, parts)]
        out = self._coder(functools.reduce(torch.add, received))
        if self._sent and several:
            out = torch.stack([self._pick(out, v) for v in rv], -2)
        elif self._sent:
            out = self._pick(out, rv[0])
        return self._finished(out, llr.dtype)

    def _pick(self, word, rv):
        if self._sent[rv].device != word.device:
            self._sent[rv] = self._sent[rv].to(word.device)
        return word[..., self._sent[rv]]


class ViterbiDecoder(_LogitDecoder):
    """Convolutional codes: ViterbiDecoder(2012, code="ieee80211"); parameters of viterbi.decode.

    items is how many LLRs a frame has.
    """

    def __init__(self, items, llr_max=20.0, **params):
        super().__init__([("viterbi.decode", params)], items, llr_max)


class TurboDecoder(_LogitDecoder):
    """LTE's turbo code, one code block of k bits: TurboDecoder(k); parameters of turbo.decode.

    hard_out=False: logits of the bits instead of bits.
    """

    def __init__(self, k, num_iter=6, llr_max=20.0, hard_out=True, **params):
        stage = ("turbo.decode", dict(params, k=k, iterations=num_iter))
        super().__init__([stage], 3 * k + 12, llr_max, output=None if hard_out else "llr")


class PolarDecoder(_LogitDecoder):
    """Polar codes: PolarDecoder(1024, code="plain", n=1024, k=512); parameters of polar.decode.

    items is how many LLRs a frame has.
    """

    def __init__(self, items, llr_max=20.0, **params):
        super().__init__([("polar.decode", params)], items, llr_max)


def _refuse(given, **allowed):
    for name, value in given.items():
        if name not in allowed:
            raise TypeError(f"there is no parameter {name!r}")
        if value != allowed[name]:
            raise NotImplementedError(f"{name}={value!r} is not there: only {allowed[name]!r}")


def sim_ber(simulate, ebno_dbs, batch_size, *, max_batches=1000, target_block_errors=None,
            devices=None, seed=0):
    """Error rates of a link of your own, on all GPUs at once.

    simulate             function of (batch_size, ebno_db, generator), which returns a pair (bits, bits
                         decided) of tensors (frames, k); generator is a torch.Generator of the device
                         that it has to work on, generator.device
    max_batches          of a point
    target_block_errors  a point ends when it has so many; None: at max_batches
    devices              list of torch devices; None: all CUDA devices, or the CPU

    Returns (ber, bler), tensors of a value a point. Batch b of point p has a generator of its own,
    and batches count in their order: results do not depend on how many devices there are.
    """
    devices = [torch.device(d) for d in devices or _all_devices()]
    rates = [_point(simulate, float(db), batch_size, p, max_batches, target_block_errors, devices, seed)
             for p, db in enumerate(ebno_dbs)]
    return torch.tensor([r[0] for r in rates]), torch.tensor([r[1] for r in rates])


def _all_devices():
    count = torch.cuda.device_count()
    return [f"cuda:{i}" for i in range(count)] or ["cpu"]


def _point(simulate, db, batch_size, point, max_batches, target, devices, seed):
    def batch(b):
        generator = torch.Generator(devices[b % len(devices)])
        generator.manual_seed((seed << 40) + (point << 24) + b)
        bits, decided = simulate(batch_size, db, generator)
        wrong = bits.reshape(-1, bits.shape[-1]) != decided.reshape(-1, bits.shape[-1])
        return int(wrong.sum()), int(wrong.any(-1).sum()), wrong.numel(), wrong.shape[0]

    sums = [0, 0, 0, 0]
    with ThreadPoolExecutor(len(devices)) as pool:
        for first in range(0, max_batches, len(devices)):
            round_ = range(first, min(first + len(devices), max_batches))
            for counts in pool.map(batch, round_):
                if target is None or sums[1] < target:
                    sums = [a + b for a, b in zip(sums, counts)]
            if target is not None and sums[1] >= target:
                break
    return sums[0] / sums[2], sums[1] / sums[3]
