"""Kernels that Triton compiles for a GPU that is not here, checked through both doors and the hook."""

import inspect
import unittest
import warnings

import heddle

try:
    warnings.filterwarnings("ignore", message="TRITON_DEFAULT_FP_FUSION")
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
except ImportError:
    triton = None


def compiled(kernel, signature, block):
    constants = {"BLOCK": block}
    source = ASTSource(fn=kernel, signature={**signature, "BLOCK": "constexpr"}, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 80, 32))


def overall(report):
    return "proved" if report.proved else "refuted" if report.refuted else "unknown"


@unittest.skipIf(triton is None, "Triton is not installed")
class Triton(unittest.TestCase):
    def test_each_kernel_answers_as_it_should(self):
        import kernels

        import heddle.triton

        doors = set()
        for kernel, signature, block, grid, args, verdict in kernels.CASES:
            with self.subTest(kernel=kernel.__name__):
                asm = compiled(kernel, signature, block)
                report = heddle.triton.check(asm, grid=grid, args=args)
                doors.add(report.read)
                self.assertEqual(overall(report), verdict, report)
                if verdict == "refuted":
                    lines, first = inspect.getsourcelines(kernel.fn)
                    store = first + next(n for n, it in enumerate(lines) if "tl.store" in it)
                    found = [it for it in report.all_findings if it.severity == "error"]
                    self.assertTrue(found)
                    for finding in found:
                        self.assertEqual(finding.place.line, store, finding)
                        self.assertTrue(finding.place.path.endswith("kernels.py"), finding)
                        self.assertNotIn("param_", finding.message)
                by_ptx = heddle.triton.check({"ptx": asm.asm["ptx"]}, grid=grid)
                self.assertEqual(by_ptx.read, "ptx")
        # LLVM 22 does not read all that Triton's LLVM writes.
        self.assertEqual(doors, {"llvm", "ptx"})

    def test_the_hook_warns_raises_and_calls(self):
        import kernels

        import heddle.triton

        kernel, signature, block, grid, args, _ = kernels.CASES[1]
        remove = heddle.triton.install("warn", grid=grid)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            compiled(kernel, signature, block)
        remove()
        self.assertIn("HD0102", "".join(str(it.message) for it in said))
        remove = heddle.triton.install("raise", grid=grid)
        with self.assertRaises(heddle.triton.RefutedKernel):
            compiled(kernel, signature, block)
        remove()
        seen = []
        remove = heddle.triton.install(lambda name, report: seen.append((name, report.proved)))
        compiled(kernels.CASES[0][0], kernels.FLOATS, 256)
        remove()
        compiled(kernel, signature, block)
        self.assertEqual(seen, [("add", True)])

    def test_a_policy_that_is_none_is_refused(self):
        import heddle.triton

        with self.assertRaises(ValueError):
            heddle.triton.install("shout")


if __name__ == "__main__":
    unittest.main()
