"""The JSON report (docs/outputs.schema.json) as dataclasses.

Each class has what most callers ask for; `Report.raw` is the whole document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where something stands: a line of a source, or an instruction (then `line` is None)."""

    path: str | None
    line: int | None
    column: int | None
    function: str | None

    @classmethod
    def of(cls, raw: dict[str, Any] | None) -> Place | None:
        if raw is None:
            return None
        return cls(raw["path"], raw.get("line"), raw.get("column"), raw["function"])

    def __str__(self) -> str:
        known = [it for it in (self.path, self.line, self.column) if it is not None]
        return ":".join(map(str, known)) or str(self.function)


@dataclass(frozen=True)
class Finding:
    """One finding: `heddle explain CODE` says what its code means."""

    code: str
    severity: str
    message: str
    place: Place | None
    kernel: str | None
    notes: tuple[str, ...]
    helps: tuple[str, ...]
    confirmed: bool

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Finding:
        confirmation = raw["confirmation"] or {}
        return cls(
            code=raw["code"],
            severity=raw["severity"],
            message=raw["message"],
            place=Place.of(raw["place"]),
            kernel=raw["kernel"],
            notes=tuple(raw["notes"]),
            helps=tuple(raw["helps"]),
            confirmed=confirmation.get("state") == "confirmed",
        )

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}"


@dataclass(frozen=True)
class Reason:
    """Why a property is unknown."""

    code: str
    text: str
    place: Place | None

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Reason:
        return cls(raw["code"], raw["text"], Place.of(raw["place"]))


@dataclass(frozen=True)
class Verdict:
    """The answer for one property: `proved`, `refuted` or `unknown`."""

    property: str
    verdict: str
    assumptions: tuple[str, ...]
    reasons: tuple[Reason, ...]

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Verdict:
        reasons = tuple(Reason.of(it) for it in raw["reasons"])
        return cls(raw["property"], raw["verdict"], tuple(raw["assumptions"]), reasons)


@dataclass(frozen=True)
class Kernel:
    """A kernel with its verdicts and findings."""

    name: str
    symbol: str
    place: Place | None
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Kernel:
        return cls(
            name=raw["name"],
            symbol=raw["symbol"],
            place=Place.of(raw["place"]),
            verdicts=tuple(Verdict.of(it) for it in raw["verdicts"]),
            findings=tuple(Finding.of(it) for it in raw["findings"]),
        )

    def verdict(self, name: str) -> str:
        """The verdict for a property; KeyError where it was not checked."""
        for it in self.verdicts:
            if it.property == name:
                return it.verdict
        raise KeyError(name)


@dataclass(frozen=True)
class Report:
    """What `heddle check` said. `exit_code` is 0 where all is proved, 1 where something is
    refuted, 2 where the input or an option is at fault, 3 where something is unknown."""

    exit_code: int
    kernels: tuple[Kernel, ...]
    findings: tuple[Finding, ...]
    read: str | None = None
    raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: dict[str, Any], read: str | None = None) -> Report:
        return cls(
            exit_code=raw["exit_code"],
            kernels=tuple(Kernel.of(it) for it in raw["kernels"]),
            findings=tuple(Finding.of(it) for it in raw["findings"]),
            read=read,
            raw=raw,
        )

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Those of all kernels."""
        return tuple(it for kernel in self.kernels for it in kernel.verdicts)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Those of no kernel, and those of all kernels."""
        return self.findings + tuple(it for kernel in self.kernels for it in kernel.findings)

    @property
    def proved(self) -> bool:
        """Whether there are verdicts, and all say `proved`."""
        return bool(self.verdicts) and all(it.verdict == "proved" for it in self.verdicts)

    @property
    def refuted(self) -> bool:
        """Whether a verdict says `refuted`."""
        return any(it.verdict == "refuted" for it in self.verdicts)

    def __str__(self) -> str:
        lines = [str(it) for it in self.all_findings]
        for kernel in self.kernels:
            lines += [f"kernel `{kernel.name}`: {it.property} {it.verdict}" for it in kernel.verdicts]
        return "\n".join(lines)
