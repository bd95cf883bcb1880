"""Checks the kernels that Triton compiles.

    import heddle.triton
    heddle.triton.install()          # each kernel is checked when it is compiled
    heddle.triton.check(compiled)    # one kernel: what triton.compile returned

Triton's LLVM text is read where LLVM 22 reads it. Triton brings another LLVM, some of whose text
LLVM 22 refuses; then its PTX is read. `Report.read` says which it was: "llvm" or "ptx". Both are
what is left after Triton's optimiser: a race that it removed is not reported, and locations are
Triton's lines.

Neither text has the names of arguments; `args` and the report have those of the Triton function,
where each of its arguments is one of the kernel. Numbers that Triton compiled for as multiples of 16
(`tt.divisibility`) are assumed to be: it compiles another kernel for others. The report says so.

This module imports Triton only in `install`.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from heddle._check import check as _check
from heddle._report import Report

Policy = str | Callable[[str, Report], None]


class RefutedKernel(RuntimeError):
    """A kernel has a property that is refuted; `report` says how."""

    def __init__(self, name: str, report: Report) -> None:
        super().__init__(f"kernel `{name}` is refuted\n{report}")
        self.report = report


class HeddleWarning(UserWarning):
    """A kernel has a property that is not proved, or could not be read."""


def check(compiled: Any, **options: Any) -> Report:
    """Checks one kernel: what `triton.compile` returned, or its `asm`.

    `options` are those of `heddle.check` (`grid`, `args`, `assume` and so on). The block is known
    from the code.
    """
    asm = compiled if isinstance(compiled, Mapping) else compiled.asm
    source = getattr(compiled, "src", None)
    return _of_texts(asm.get("llir"), asm.get("ptx"), source, options)


def install(policy: Policy = "warn", **options: Any) -> Callable[[], None]:
    """Checks each kernel from now on, when Triton compiles it or takes it from its cache.

    `policy` says what happens where not all is proved: "warn" warns (HeddleWarning), "raise" raises
    RefutedKernel where something is refuted and warns of the rest, and a function is called with
    the kernel's name and the report of each kernel, proved or not. `options` are those of
    `heddle.check`. Returns a function that takes the hook away.
    """
    if policy not in ("warn", "raise") and not callable(policy):
        raise ValueError('`policy` is "warn", "raise" or a function')
    from triton import knobs

    before = knobs.compilation.listener

    def listen(**event: Any) -> None:
        if before is not None:
            before(**event)
        group = event["metadata_group"]
        name = event["metadata"].get("name", "kernel")
        report = _of_texts(_text(group, ".llir"), _text(group, ".ptx"), event["src"], options)
        _apply(policy, name, report)

    def uninstall() -> None:
        knobs.compilation.listener = before

    knobs.compilation.listener = listen
    return uninstall


def _text(group: Mapping[str, str], suffix: str) -> str | None:
    """The file of Triton's cache with this suffix."""
    for name, path in group.items():
        if name.endswith(suffix):
            return Path(path).read_text()
    return None


def _names(source: Any) -> list[str]:
    """The arguments that the kernel has, by position; empty where that is not known."""
    signature = getattr(source, "signature", None)
    if not isinstance(signature, Mapping):
        return []
    if not all(isinstance(it, str) and not it.startswith("tensordesc") for it in signature.values()):
        return []
    names = list(getattr(getattr(source, "fn", None), "arg_names", signature))
    return [it for it in names if isinstance(it, str) and signature.get(it) != "constexpr"]


def _multiples(source: Any, names: list[str]) -> list[str]:
    """Conditions on numbers that the kernel was compiled for, as `n % 16 == 0`."""
    signature, attributes = getattr(source, "signature", None), getattr(source, "attrs", None)
    if not names or not isinstance(attributes, Mapping):
        return []
    all_names = list(getattr(getattr(source, "fn", None), "arg_names", signature))
    found = []
    for path, given in attributes.items():
        if not (isinstance(path, tuple) and len(path) == 1 and isinstance(path[0], int)):
            continue
        name = all_names[path[0]] if path[0] < len(all_names) else None
        is_number = name in names and re.fullmatch(r"[iu]\d+", signature[name])
        for of in given if is_number else ():
            if len(of) == 2 and of[0] == "tt.divisibility" and isinstance(of[1], int):
                found.append(f"{name} % {of[1]} == 0")
    return found


def _of_texts(
    llir: str | None, ptx: str | None, source: Any, options: Mapping[str, Any]
) -> Report:
    if llir is None and ptx is None:
        raise ValueError("there is neither LLVM text nor PTX: is this a kernel for CUDA?")
    names = _names(source)
    known = _multiples(source, names)
    if known:
        options = {**options, "assume": [*options.get("assume", ()), *known]}
    if llir is not None:
        report = _of_text(llir, "ll", "llvm", "arg", names, options)
        if ptx is None or not _is_bad_input(report):
            return report
    return _of_text(ptx, "ptx", "ptx", "param_", names, options)


def _of_text(
    text: str, language: str, read: str, word: str, names: list[str], options: Mapping[str, Any]
) -> Report:
    """Checks a text in which the n-th argument is called `word` and n."""
    numbers = {name: f"{word}{number}" for number, name in enumerate(names)}
    given = dict(options)
    given["args"] = {numbers.get(it, it): value for it, value in (options.get("args") or {}).items()}
    given["assume"] = [
        re.sub(r"[A-Za-z_]\w*", lambda it: numbers.get(it[0], it[0]), condition)
        for condition in options.get("assume", ())
    ]
    report = _check(text, language=language, **given)

    def named(found: re.Match[str]) -> str:
        number = int(found[1])
        return names[number] if number < len(names) else found[0]

    text = re.sub(rf"\b{word}(\d+)\b", named, json.dumps(report.raw))
    return Report.of(json.loads(text), read)


def _is_bad_input(report: Report) -> bool:
    return any(it.code == "HD0901" for it in report.findings)


def _apply(policy: Policy, name: str, report: Report) -> None:
    if callable(policy):
        policy(name, report)
    elif policy == "raise" and report.refuted:
        raise RefutedKernel(name, report)
    elif not report.proved:
        warnings.warn(f"kernel `{name}` ({report.read})\n{report}", HeddleWarning, stacklevel=2)
