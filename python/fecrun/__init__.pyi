# SPDX-License-Identifier: BSD-2-Clause
# Types of the package's functions; what they do is in the sources.
from os import PathLike
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

_Path = Union[str, PathLike[str]]
_Stages = Union[str, Tuple[str, Mapping[str, Any]], Sequence[Union[str, Tuple[str, Mapping[str, Any]]]]]
_Progress = Union[None, bool, Callable[[Dict[str, Any]], object]]

__version__: str

class Error(Exception):
    status: int
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    text: str

class RunError(Error, RuntimeError): ...
class PipelineError(Error, ValueError): ...
class NotAvailableError(Error): ...
class ConversionWarning(UserWarning): ...

class Info(NamedTuple):
    iterations: Any
    checked: Any
    failed: Any

class Param(NamedTuple):
    type: str
    range: Optional[Tuple[float, float]]
    choices: Tuple[str, ...]
    default: Optional[str]
    required: bool
    auto: bool
    unit: Optional[str]
    help: str

class Stage(NamedTuple):
    name: str
    summary: str
    plugin: str
    params: Dict[str, Param]
    backends: Dict[str, str]

class Port(NamedTuple):
    output: bool
    kind: str
    dtype: str
    frames: int
    items: int
    frame_bytes: int
    bytes: int
    device: Optional[int]
    pieces: int = ...
    @property
    def shape(self) -> int: ...
    @property
    def array_dtype(self) -> str: ...

class Point:
    settings: Dict[str, str]
    ebn0_db: Optional[float]
    esn0_db: Optional[float]
    frames: int
    bits: int
    info_bits: Optional[int]
    bit_errors: Optional[int]
    frame_errors: Optional[int]
    fer_lo: Optional[float]
    fer_hi: Optional[float]
    undetected: Optional[int]
    blocks: Optional[int]
    block_errors: Optional[int]
    iterations_mean: Optional[float]
    iterations_max: Optional[int]
    seconds: float
    stop: str
    ber_lo: Optional[float]
    ber_hi: Optional[float]
    failed: Optional[int]
    left_over: int
    @property
    def set(self) -> Dict[str, Any]: ...
    @property
    def fer(self) -> Optional[float]: ...
    @property
    def ber(self) -> Optional[float]: ...
    @property
    def bler(self) -> Optional[float]: ...
    @property
    def info_mbps(self) -> Optional[float]: ...
    def to_dict(self) -> Dict[str, Any]: ...
    def to_json(self) -> Dict[str, Any]: ...

class Found:
    set: Dict[str, Any]
    parameter: str
    of: str
    rate: float
    value: Optional[float]
    lo: Optional[float]
    hi: Optional[float]
    sure: bool
    points: int
    @property
    def fer(self) -> Optional[float]: ...
    @property
    def ber(self) -> Optional[float]: ...
    def to_json(self) -> Dict[str, Any]: ...

class Result:
    points: List[Point]
    found: List[Found]
    run: Dict[str, Any]
    status: Optional[int]
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Point: ...
    def __iter__(self) -> Iterator[Point]: ...
    def text(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def to_pandas(self) -> Any: ...
    def plot(self, y: str = ..., x: Optional[str] = ..., ax: Any = ..., label: Optional[str] = ..., **style: Any) -> Any: ...

class Report:
    def __getattr__(self, name: str) -> Any: ...
    def to_dict(self) -> Dict[str, Any]: ...

class Doctor(Report):
    frames: int
    ports: List[Report]
    @property
    def verdicts(self) -> List[Tuple[str, str]]: ...

class Comparison(Report):
    points: List[Report]
    summary: Report
    accepted: Optional[bool]

class Prepared:
    def close(self) -> None: ...
    def __enter__(self) -> Prepared: ...
    def port(self, stage: str) -> Port: ...
    def bind(self, stage: str, array: Any) -> None: ...
    def execute(self, frames: int) -> None: ...
    def set(self, values: Mapping[str, Any]) -> None: ...
    def infos(self, frames: Optional[int] = ...) -> Tuple[Any, Any, Any]: ...

class Pipeline:
    def __init__(self, pipeline: Union[_Path, Mapping[str, Any]], *, sets: Optional[Mapping[str, Any]] = ...,
                 backend: Optional[str] = ..., threads: int = ..., plugin_dirs: Iterable[_Path] = ...,
                 base_dir: Optional[_Path] = ..., name: str = ...) -> None: ...
    def check(self) -> None: ...
    def run(self, progress: _Progress = ..., *, journal: Optional[_Path] = ...) -> Result: ...
    def find(self) -> Result: ...
    def doctor(self) -> Doctor: ...
    def compare(self, a: str, b: str, *, accept: Optional[str] = ..., fer: Optional[float] = ...) -> Comparison: ...
    def prepare(self, frames: int = ..., *, stream: Optional[int] = ...) -> Prepared: ...

class Coder:
    def __init__(self, stages: _Stages, *, backend: Optional[str] = ..., llr_max: Optional[float] = ...,
                 llr_scale: Optional[float] = ..., quantize: Optional[Mapping[str, Any]] = ..., packed: bool = ...,
                 bits_in: Optional[int] = ..., output: Optional[str] = ..., threads: int = ...,
                 plugin_dirs: Iterable[_Path] = ..., latency: Optional[str] = ...) -> None: ...
    def __call__(self, array: Any, return_info: bool = ...) -> Any: ...
    def items(self, items: int, dtype: str) -> Tuple[int, str]: ...
    def pipeline(self, items: int, dtype: str, device: Optional[int] = ...) -> Dict[str, Any]: ...

def decode(stage: str, llr: Any, *, return_info: bool = ..., **params: Any) -> Any: ...
def encode(stage: str, bits: Any, **params: Any) -> Any: ...
def stages(plugin_dirs: Iterable[_Path] = ...) -> Dict[str, Stage]: ...
def load(path: _Path) -> Result: ...
def plot(results: Union[Mapping[str, Result], Sequence[Union[Result, _Path]]], y: str = ..., x: Optional[str] = ...,
         ax: Any = ..., **style: Any) -> Any: ...
def compare(a: Union[Result, _Path], b: Union[Result, _Path], *, accept: Optional[str] = ...,
            fer: Optional[float] = ...) -> Comparison: ...
def version() -> str: ...
