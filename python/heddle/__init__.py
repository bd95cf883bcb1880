"""Verifies GPU kernels, with the `heddle` binary.

`check` starts the binary, which `HEDDLE` names or the path has, and returns its JSON report as
dataclasses. Nothing is run but the binary; no GPU is needed. `heddle.triton` checks the kernels
that Triton compiles.
"""

from heddle._check import HeddleError, check
from heddle._report import Finding, Kernel, Place, Reason, Report, Verdict

__all__ = [
    "Finding",
    "HeddleError",
    "Kernel",
    "Place",
    "Reason",
    "Report",
    "Verdict",
    "check",
]
