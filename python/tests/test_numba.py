"""Kernels that Numba compiles for a GPU that is not here: its PTX and its LLVM, with their Python lines."""

import inspect
import unittest

import heddle

try:
    from numba import cuda, float32
    from numba.cuda.compiler import _compile_pyfunc_with_fixup

    ARGUMENTS = (float32[::1], float32[::1])
except ImportError:
    cuda = None


def reverse(out, a):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncthreads()
    out[t] = s[63 - t]


def reverse_without_barrier(out, a):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    out[t] = s[63 - t]


def scale(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] * 2


def scale_into_halves(out, a):
    i = cuda.grid(1)
    if i < out.size:
        out[i // 2] = a[i]


def histogram(bins, a):
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.add(bins, int(a[i]) & 15, 1)


# The kernel, blocks and threads, its verdict by way of PTX and of LLVM, and the statement of a finding.
CASES = [
    (reverse, 1, 64, "proved", "proved", None),
    (reverse_without_barrier, 1, 64, "refuted", "refuted", "s["),
    (scale, 4, 64, "proved", "proved", None),
    (scale_into_halves, 4, 64, "refuted", "refuted", "out[i // 2]"),
    # What a pointer of the array leads to is not told.
    (histogram, 4, 64, "proved", "unknown", None),
]


def overall(report):
    return "proved" if report.proved else "refuted" if report.refuted else "unknown"


@unittest.skipIf(cuda is None, "Numba is not installed")
class Numba(unittest.TestCase):
    def holds(self, kernel, report, verdict, statement):
        self.assertEqual(overall(report), verdict, report)
        found = [it for it in report.all_findings if it.severity == "error"]
        self.assertEqual(bool(found), verdict == "refuted")
        lines, first = inspect.getsourcelines(kernel)
        for finding in found:
            self.assertTrue(finding.place.path.endswith("test_numba.py"), finding)
            self.assertIn(statement, lines[finding.place.line - first], finding)

    def test_the_ptx_that_numba_compiles_for_a_device_that_is_not_here(self):
        for kernel, grid, block, verdict, _, statement in CASES:
            with self.subTest(kernel=kernel.__name__):
                ptx, _ = cuda.compile_ptx(kernel, ARGUMENTS, cc=(8, 0), lineinfo=True)
                report = heddle.check(ptx, language="ptx", grid=grid, block=block)
                self.holds(kernel, report, verdict, statement)

    def test_what_inspect_llvm_and_inspect_asm_return(self):
        """Both ask a device for a kernel; this is what they ask of it."""
        for kernel, grid, block, by_ptx, by_llvm, statement in CASES:
            with self.subTest(kernel=kernel.__name__):
                library, _ = _compile_pyfunc_with_fixup(
                    kernel, ARGUMENTS, device=False, cc=(8, 0), lineinfo=True, abi="numba"
                )
                llvm, asm = library.get_llvm_str(), library.get_asm_str(cc=(8, 0))
                report = heddle.check(llvm, language="ll", grid=grid, block=block)
                self.holds(kernel, report, by_llvm, statement)
                report = heddle.check(asm, language="ptx", grid=grid, block=block)
                self.holds(kernel, report, by_ptx, statement)


if __name__ == "__main__":
    unittest.main()
