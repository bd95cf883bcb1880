"""What NumPy makes of the inputs of the kernels `numpy_*.cu`: their second lines have it.

    python3 numpy_results.py            compares the lines with what NumPy gives now
    python3 numpy_results.py --write    writes them

The tests of Heddle compare runs with the lines, and need no NumPy.
"""
import pathlib
import sys

import numpy as np

I = np.arange(32, dtype=np.uint32)
# Integers that look like any, and floats whose sums are exact.
X = (I * np.uint32(2654435761)) >> np.uint32(24)
F = ((I * np.uint32(37)) % np.uint32(101)).astype(np.float32) / np.float32(8)

RESULTS = {
    "saxpy": lambda: np.float32(2.5) * F + I.astype(np.float32),
    "dot": lambda: np.dot(F, F[::-1]).reshape(1),
    "cumsum": lambda: np.cumsum(X, dtype=np.uint32),
    "running_maximum": lambda: np.maximum.accumulate(X),
    "histogram": lambda: np.bincount(X % 8, minlength=8),
    "transpose": lambda: X.reshape(4, 8).T,
    "matmul": lambda: X.reshape(4, 8) @ X.reshape(8, 4),
    "convolve": lambda: np.convolve(X, np.array([1, 2, 1], np.uint32), "same"),
    "stencil": lambda: np.pad(F.reshape(4, 8), 1)[1:-1, :-2] + np.pad(F.reshape(4, 8), 1)[1:-1, 2:]
    + np.pad(F.reshape(4, 8), 1)[:-2, 1:-1] + np.pad(F.reshape(4, 8), 1)[2:, 1:-1],
    "sort": lambda: np.sort(X),
    "argsort": lambda: np.argsort(X, kind="stable"),
    "reverse": lambda: X[::-1],
    "take": lambda: X[(I * 7 + 3) % 32],
    "argmax": lambda: np.array([np.argmax(X), np.argmin(X)]),
    "windows": lambda: np.lib.stride_tricks.sliding_window_view(F, 4).mean(axis=1, dtype=np.float32),
    "clip": lambda: np.clip(X, 50, 200),
    "outer": lambda: np.outer(X[:4], X[4:12]),
    "bits": lambda: np.bitwise_count(X),
    "rows": lambda: np.abs(F.reshape(4, 8) - np.float32(6)).sum(axis=1),
    "running_xor": lambda: np.bitwise_xor.accumulate(X),
    "compress": lambda: X[X % 2 == 1],
    "roll": lambda: np.roll(X, 5),
    "diff": lambda: np.diff(X),
    "polynomial": lambda: X * X * X * np.uint32(3) + X * X * np.uint32(5) + np.uint32(7),
    "pooling": lambda: X.reshape(16, 2).max(axis=1),
    "searchsorted": lambda: np.searchsorted(np.sort(X), I * 8),
    "floor_divide": lambda: np.floor_divide(X.astype(np.int32) - 128, 7),
}


def words(result):
    """The bits of the result, four bytes each."""
    result = np.ascontiguousarray(result)
    kind = np.float32 if result.dtype.kind == "f" else np.int64
    result = result.astype(kind).ravel()
    bits = result.view(np.uint32) if kind == np.float32 else (result & 0xFFFFFFFF).astype(np.uint32)
    return " ".join(f"{word:x}" for word in bits)


def main():
    folder, bad = pathlib.Path(__file__).parent, 0
    for name, result in RESULTS.items():
        path = folder / f"numpy_{name}.cu"
        lines = path.read_text().split("\n")
        line = lines[1].split(" gives")[0] + " gives " + words(result())
        bad += line != lines[1]
        if "--write" in sys.argv:
            lines[1] = line
            path.write_text("\n".join(lines))
        elif line != lines[1]:
            print(f"{path.name}: NumPy gives {words(result())}")
    return bad > 0 and "--write" not in sys.argv


if __name__ == "__main__":
    sys.exit(main())
