"""`heddle.check` on text and files; needs the binary alone (HEDDLE names it)."""

import tempfile
import unittest
from pathlib import Path

import heddle

RACE = """__global__ void k(int *out) {
  out[threadIdx.x / 2] = threadIdx.x;
}
"""


class Check(unittest.TestCase):
    def test_a_race_is_refuted_with_its_line(self):
        report = heddle.check(RACE, language="cu", grid=1, block=64, name="race")
        self.assertEqual(report.exit_code, 1)
        self.assertTrue(report.refuted)
        self.assertFalse(report.proved)
        (finding,) = report.all_findings
        self.assertEqual((finding.code, finding.place.line), ("HD0101", 2))
        self.assertTrue(finding.confirmed)
        self.assertEqual(report.kernels[0].verdict("barrier-divergence"), "proved")
        self.assertIn("HD0101", str(report))

    def test_the_launch_counts(self):
        right = RACE.replace("threadIdx.x / 2", "threadIdx.x + n * blockIdx.x")
        right = right.replace("int *out", "int *out, int n")
        given = {"language": "cu", "grid": (2, 1), "block": [64, 1]}
        self.assertTrue(heddle.check(right, **given, args={"n": 64}).proved)
        self.assertTrue(heddle.check(right, **given, args={"n": 32}).refuted)
        self.assertTrue(heddle.check(right, **given, assume=["n == 64"]).proved)

    def test_a_file_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "k.cu"
            path.write_text(RACE)
            self.assertTrue(heddle.check(path, grid=1, block=64).refuted)

    def test_bad_input_is_a_finding_and_no_exception(self):
        report = heddle.check(".version 8.0\n.target", language="ptx")
        self.assertEqual(report.exit_code, 2)
        self.assertEqual([it.code for it in report.all_findings], ["HD0901"])
        self.assertFalse(report.proved)

    def test_clang_gets_its_arguments(self):
        right = RACE.replace("/ 2", "/ N")
        self.assertTrue(heddle.check(right, language="cu", grid=1, block=64, clang=["-DN=1"]).proved)
        self.assertTrue(heddle.check(right, language="cu", grid=1, block=64, clang=["-DN=2"]).refuted)

    def test_options_that_are_wrong_raise(self):
        with self.assertRaises(heddle.HeddleError):
            heddle.check(RACE, language="cu", options=["--no-such-option"])
        with self.assertRaises(ValueError):
            heddle.check(RACE, language="c++")


if __name__ == "__main__":
    unittest.main()
