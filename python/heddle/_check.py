"""Starts the binary."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from heddle._report import Report

LANGUAGES = ("cu", "cl", "ll", "bc", "ptx", "mlir", "mlirbc")


class HeddleError(RuntimeError):
    """The binary is not there, or gave no report."""


def check(
    source: str | bytes | os.PathLike[str],
    *,
    language: str | None = None,
    grid: int | Sequence[int] | None = None,
    block: int | Sequence[int] | None = None,
    args: Mapping[str, int] | None = None,
    assume: Iterable[str] = (),
    options: Iterable[str] = (),
    clang: Iterable[str] = (),
    name: str = "kernel",
    timeout: float | None = None,
) -> Report:
    """Checks the kernels of a file, or of text.

    `source` is a path; with `language` (one of LANGUAGES) it is the text or the bytes themselves.
    `grid`, `block`, `args` and `assume` are the launch, as on the command line; `options` are
    further arguments of `heddle check`, `clang` those that clang gets (`-DN=4`). `name` is what
    messages call text.

    Raises HeddleError where there is no binary or no report. Bad input is no exception: the report
    then has the finding HD0901, and `exit_code` 2.
    """
    command = [_binary(), "check", "--format", "json"]
    for word, size in (("--grid", grid), ("--block", block)):
        if size is not None:
            command += [word, _size(size)]
    for argument, value in (args or {}).items():
        command += ["--arg", f"{argument}={value}"]
    for condition in assume:
        command += ["--assume", condition]
    command += options
    last = ["--", *clang]
    if language is None:
        return _run([*command, os.fspath(source), *last], timeout)
    if language not in LANGUAGES:
        raise ValueError(f"`{language}` is not one of {', '.join(LANGUAGES)}")
    content = source if isinstance(source, bytes) else str(source).encode()
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        path = Path(folder) / f"{_plain(name)}.{language}"
        path.write_bytes(content)
        return _run([*command, str(path), *last], timeout)


def _binary() -> str:
    named = os.environ.get("HEDDLE")
    found = shutil.which(named or "heddle")
    if found is None:
        where = f"`HEDDLE` names `{named}`, which is not there" if named else "it is not in the path"
        raise HeddleError(f"the binary `heddle` was not found: {where}")
    return found


def _size(size: int | Sequence[int]) -> str:
    return str(size) if isinstance(size, int) else ",".join(map(str, size))


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in name)[:100] or "kernel"


def _run(command: list[str], timeout: float | None) -> Report:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HeddleError(str(error)) from error
    try:
        return Report.of(json.loads(done.stdout))
    except (ValueError, KeyError, TypeError) as error:
        said = done.stderr.decode(errors="replace").strip() or f"exit status {done.returncode}"
        raise HeddleError(f"`heddle` gave no report: {said}") from error
