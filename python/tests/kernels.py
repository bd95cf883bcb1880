"""Kernels in Triton, and twins that are broken. Each has its signature, its constants, and a grid."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def add_overlapping(x, y, z, n, BLOCK: tl.constexpr):
    """Programs are half a block apart, and write what others write."""
    at = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(z + at, tl.load(x + at, mask=inside) + tl.program_id(0), mask=inside)


@triton.jit
def add_in_place(x, n, BLOCK: tl.constexpr):
    """Reads the element of the next program, which may have been written."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at + BLOCK, mask=at + BLOCK < n, other=0.0), mask=at < n)


@triton.jit
def softmax(out, given, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(given + row * stride + at, mask=inside, other=-float("inf"))
    top = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, top / tl.sum(top, axis=0), mask=inside)


@triton.jit
def softmax_without_mask(out, given, stride, columns, BLOCK: tl.constexpr):
    """Stores whole blocks, past the end of rows that are shorter."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(given + row * stride + at, mask=inside, other=-float("inf"))
    top = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, top / tl.sum(top, axis=0))


@triton.jit
def copy_rows(out, given, stride, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    row = tl.program_id(0) * stride
    tl.store(out + row + at, tl.load(given + row + at, mask=inside), mask=inside)


@triton.jit
def copy_rows_without_mask(out, given, stride, columns, BLOCK: tl.constexpr):
    """Stores whole blocks, past the end of rows that are shorter."""
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * stride
    tl.store(out + row + at, tl.load(given + row + at, mask=at < columns, other=0.0))


@triton.jit
def matmul(a, b, c, K, BLOCK: tl.constexpr):
    row, column = tl.program_id(0), tl.program_id(1)
    at = tl.arange(0, BLOCK)
    rows, columns = row * BLOCK + at, column * BLOCK + at
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, K, BLOCK):
        left = tl.load(a + rows[:, None] * K + (k + at)[None, :])
        right = tl.load(b + (k + at)[:, None] * 64 + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * 64 + columns[None, :], total)


@triton.jit
def layer_norm(out, given, means, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(given + row * stride + at, mask=at < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    square = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        value = tl.load(given + row * stride + at, mask=at < columns, other=0.0)
        away = tl.where(at < columns, value - mean, 0.0)
        square += away * away
    scale = 1 / tl.sqrt(tl.sum(square, axis=0) / columns + 1e-5)
    tl.store(means + row, mean)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        value = tl.load(given + row * stride + at, mask=at < columns, other=0.0)
        tl.store(out + row * stride + at, (value - mean) * scale, mask=at < columns)


@triton.jit
def attention(q, k, v, out, n, BLOCK: tl.constexpr):
    """One head of as many numbers as a block has rows."""
    at = tl.arange(0, BLOCK)
    rows = tl.program_id(0) * BLOCK + at
    here = rows[:, None] * BLOCK + at[None, :]
    query = tl.load(q + here, mask=rows[:, None] < n, other=0.0)
    top = tl.full([BLOCK], -1e30, tl.float32)
    weight = tl.zeros([BLOCK], tl.float32)
    total = tl.zeros([BLOCK, BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        others = first + at
        key = tl.load(k + others[None, :] * BLOCK + at[:, None], mask=others[None, :] < n, other=0.0)
        scores = tl.where(others[None, :] < n, tl.dot(query, key), -1e30)
        now = tl.maximum(top, tl.max(scores, 1))
        shares = tl.exp(scores - now[:, None])
        kept = tl.exp(top - now)
        value = tl.load(v + others[:, None] * BLOCK + at[None, :], mask=others[:, None] < n, other=0.0)
        weight = weight * kept + tl.sum(shares, 1)
        total = total * kept[:, None] + tl.dot(shares.to(tl.float16), value)
        top = now
    tl.store(out + here, total / weight[:, None], mask=rows[:, None] < n)


@triton.jit
def histogram(bins, given, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.atomic_add(bins + tl.load(given + at, mask=inside, other=0), 1, mask=inside)


@triton.jit
def histogram_without_atomics(bins, given, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    bin = bins + tl.load(given + at, mask=inside, other=0)
    tl.store(bin, tl.load(bin, mask=inside) + at, mask=inside)


FLOATS = {"x": "*fp32", "y": "*fp32", "z": "*fp32", "n": "i32"}
ROWS = {"out": "*fp32", "given": "*fp32", "stride": "i32", "columns": "i32"}
BINS = {"bins": "*i32", "given": "*i32", "n": "i32"}
NORMS = {"out": "*fp32", "given": "*fp32", "means": "*fp32", "stride": "i32", "columns": "i32"}
HEADS = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "n": "i32"}
MATRICES = {"a": "*fp16", "b": "*fp16", "c": "*fp32", "K": "i32"}

# Kernel, signature, BLOCK, grid, scalars, verdict over all properties. What `softmax_without_mask` stores
# past its rows is computed by functions that a run does not know: unknown. A race is on the line with
# `tl.store`.
ROW = {"stride": 100, "columns": 100}
CASES = [
    (add, FLOATS, 256, 4, {}, "proved"),
    (add_overlapping, FLOATS, 256, 4, {"n": 1000}, "refuted"),
    (add_in_place, {"x": "*fp32", "n": "i32"}, 128, 4, {"n": 512}, "refuted"),
    (softmax, ROWS, 128, 8, ROW, "proved"),
    (softmax_without_mask, ROWS, 128, 8, ROW, "unknown"),
    (copy_rows, ROWS, 128, 8, ROW, "proved"),
    (copy_rows_without_mask, ROWS, 128, 8, ROW, "refuted"),
    (matmul, MATRICES, 32, (2, 2), {"K": 64}, "proved"),
    (layer_norm, NORMS, 128, 8, {"stride": 1000, "columns": 1000}, "proved"),
    (attention, HEADS, 64, 4, {"n": 256}, "proved"),
    (histogram, BINS, 128, 4, {"n": 512}, "proved"),
    (histogram_without_atomics, BINS, 128, 4, {"n": 512}, "refuted"),
]
