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


def compiled(kernel, signature, block, capability=80, stages=None):
    """With `stages`, as Triton does it for arguments that are multiples of 16: loops are pipelined."""
    constants = {"BLOCK": block}
    signature = {**signature, "BLOCK": "constexpr"}
    sixteen = {(n,): [["tt.divisibility", 16]] for n, it in enumerate(signature.values()) if it != "constexpr"}
    attributes = sixteen if stages else {}
    source = ASTSource(fn=kernel, signature=signature, constexprs=constants, attrs=attributes)
    options = {"num_stages": stages} if stages else None
    return triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)


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

    def test_pipelined_loops_are_proved_for_all_that_they_are_compiled_for(self):
        import kernels

        import heddle.triton

        for capability, block, copies in ((80, 32, "mma.sync"), (90, 64, "wgmma.mma_async")):
            for stages in (3, 4):
                with self.subTest(capability=capability, stages=stages):
                    asm = compiled(kernels.matmul, kernels.MATRICES, block, capability, stages)
                    self.assertIn("cp.async", asm.asm["ptx"])
                    self.assertIn(copies, asm.asm["ptx"])
                    grid = (64 // block, 64 // block)
                    report = heddle.triton.check({"ptx": asm.asm["ptx"]}, grid=grid, args={"param_3": 256})
                    self.assertTrue(report.proved, report)
                    report = heddle.triton.check(asm, grid=grid)
                    self.assertTrue(report.proved, report)
                    self.assertIn("K % 16 == 0", str(report.raw))
        asm = compiled(kernels.attention, kernels.HEADS, 64, 90, 3)
        report = heddle.triton.check(asm, grid=4, args={"n": 256})
        self.assertTrue(report.proved, report)

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
