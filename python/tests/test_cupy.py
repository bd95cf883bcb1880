"""CuPy's kernels: a `RawKernel` has its source, which is checked before anything is compiled."""

import unittest

import heddle

try:
    import cupy
except ImportError:
    cupy = None

SHIFT = r"""
extern "C" __global__ void shift(float *out, const float *in, int n) {
  __shared__ float s[SIZE];
  int i = blockIdx.x * SIZE + threadIdx.x;
  if (i < n) s[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n && threadIdx.x > 0) out[i] = s[threadIdx.x - 1];
}
"""


@unittest.skipIf(cupy is None, "CuPy is not installed")
class Cupy(unittest.TestCase):
    def check(self, code):
        kernel = cupy.RawKernel(code, "shift", ("-DSIZE=128",))
        return heddle.check(
            kernel.code,
            language="cu",
            grid=8,
            block=128,
            options=["--kernel", kernel.name],
            clang=kernel.options,
        )

    def test_the_code_of_a_raw_kernel_is_checked(self):
        report = self.check(SHIFT)
        self.assertTrue(report.proved, report)
        self.assertEqual([it.symbol for it in report.kernels], ["shift"])

    def test_a_race_has_its_line(self):
        report = self.check(SHIFT.replace("__syncthreads();", ""))
        self.assertTrue(report.refuted, report)
        lines = {it.place.line for it in report.all_findings if it.severity == "error"}
        # The store, or the load that reads it: lines 5 and 7 of the text.
        self.assertTrue(lines and lines <= {5, 7}, report)


if __name__ == "__main__":
    unittest.main()
