# SPDX-License-Identifier: BSD-2-Clause
"""What there is: stages, their parameters and backends, as `fecrun list` and `fecrun describe` tell."""

import typing

from ._library import call, ffi, lib, name_of, new, strings

_TYPES = {1: "int", 2: "float", 3: "str", 4: "choice", 5: "bool", 6: "ints", 7: "strs", 8: "path", 9: "port"}
_REQUIRED, _MAY_AUTO = 1, 2
_BITS = 1  # of enum fecrun_kind


class Param(typing.NamedTuple):
    """A parameter of a stage.

    type         "int", "float", "str", "choice", "bool", "ints", "strs", "path" or "port"
    range        (least, largest) of a number; None: any
    choices      words of a choice
    default      as text; None: none
    auto         the word auto is a value, too
    """

    type: str
    range: typing.Optional[tuple]
    choices: tuple
    default: typing.Optional[str]
    required: bool
    auto: bool
    unit: typing.Optional[str]
    help: str


class Stage(typing.NamedTuple):
    """A stage: parameters by name, and backends by name with "" or the reason why they cannot run here."""

    name: str
    summary: str
    plugin: str
    params: typing.Dict[str, Param]
    backends: typing.Dict[str, str]


def stages(plugin_dirs=()):
    """Loads all plugins, asks all backends, and returns {"viterbi.decode": Stage, ...}."""
    options, (dirs, _kept) = new("fecrun_options"), strings(plugin_dirs)
    options.plugin_dirs = dirs
    handle = ffi.new("struct fecrun_list **")
    call(lib.fecrun_list_open, handle, options)
    try:
        return {stage.name: stage for stage in _all(handle[0])}
    finally:
        lib.fecrun_list_close(handle[0])


def takes_bits(stage, plugin_dirs=()):
    """Whether the stage's input is bits and nothing else. PipelineError: there is no such stage."""
    options, (dirs, _kept) = new("fecrun_options"), strings(plugin_dirs)
    options.plugin_dirs = dirs
    handle, number, info = ffi.new("struct fecrun_list **"), ffi.new("size_t *"), new("fecrun_stage_info")
    call(lib.fecrun_list_open, handle, options)
    try:
        call(lib.fecrun_list_find, handle[0], name_of(stage), number)
        lib.fecrun_list_stage(handle[0], number[0], info)
        inputs = info.stage.inputs
        return bool(inputs and inputs[0] and inputs[0].kinds == _BITS)
    finally:
        lib.fecrun_list_close(handle[0])


def _all(handle):
    info, backend = new("fecrun_stage_info"), new("fecrun_backend_info")
    number = 0
    while not lib.fecrun_list_stage(handle, number, info):
        backends = {}
        while not lib.fecrun_list_backend(handle, number, len(backends), backend):
            backends[_text(backend.backend.name)] = _text(backend.reason)
        yield Stage(_text(info.stage.name), _text(info.stage.summary), _text(info.plugin.name),
                    dict(_params(info.stage.params)), backends)
        number += 1


def _text(pointer):
    return ffi.string(pointer).decode(errors="replace") if pointer else None


def _params(table):
    i = 0
    while table[i]:
        p = table[i]
        limits = (p.imin, p.imax) if p.imin != p.imax else (p.fmin, p.fmax)
        words = []
        while p.type == 4 and p.choices[len(words)]:
            words.append(_text(p.choices[len(words)]))
        yield _text(p.name), Param(
            _TYPES.get(p.type, "?"), limits if limits[0] != limits[1] else None, tuple(words),
            _text(p.default_text), bool(p.flags & _REQUIRED), bool(p.flags & _MAY_AUTO),
            _text(p.unit), _text(p.help))
        i += 1
