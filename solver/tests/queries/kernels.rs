//! Queries as whole kernels ask them: signed source arithmetic, guards by sizes, several splits at
//! once.

use heddle_ir::{BinOp, NoWrap};

use super::builder::{Case, Expected::*, Threads, case};

const MOST: u128 = 0x7fff_ffff;

pub(crate) fn cases(cases: &mut Vec<Case>) {
    let family = "whole kernels";
    for (guarded, expected) in [(true, Unsat), (false, Sat)] {
        let name = if guarded { "3-D grid, guarded" } else { "3-D grid, rows not guarded" };
        case(cases, family, name, expected, |t| {
            let sizes = [0, 1, 2].map(|_| t.size(32, 0, 0xffff_ffff));
            let (x, y, z) = (t.ids(32, 8), t.ids(32, 8), t.ids(32, 4));
            let blocks = [0, 1, 2].map(|_| t.ids(32, 65535));
            let [bx, by, bz] = blocks;
            t.differ(&[x, y, z, bx, by, bz]);
            let index = [0, 1].map(|k| {
                let col = t.mad(bx[k], 8, x[k]);
                let row = t.mad(by[k], 8, y[k]);
                let plane = t.mad(bz[k], 4, z[k]);
                t.less_signed(col, sizes[0]);
                if guarded {
                    t.less_signed(row, sizes[1]);
                }
                t.less_signed(plane, sizes[2]);
                let line = t.mad_nsw(plane, sizes[1], row);
                t.mad_nsw(line, sizes[0], col)
            });
            t.collide(index, 4);
        });
    }
    for (swapped, expected) in [(true, Unsat), (false, Sat)] {
        let name =
            if swapped { "split and transposed" } else { "split and transposed by the width" };
        case(cases, family, name, expected, |t| {
            // (i % w) * h + i / w, for i below w * h.
            let (w, h) = (t.size(32, 1, MOST), t.size(32, 0, MOST));
            let n = t.size(32, 1, 1024);
            let (x, b) = (t.ids_below(n, 1024), t.ids(32, 65535));
            t.differ(&[x, b]);
            let all = t.mul_nsw(w, h);
            let index = [0, 1].map(|k| {
                let start = t.mul(b[k], n);
                let i = t.add(start, x[k]);
                t.less_signed(i, all);
                let (row, col) = (t.op(BinOp::SDiv, i, w), t.op(BinOp::SRem, i, w));
                t.mad_nsw(col, if swapped { h } else { w }, row)
            });
            t.collide(index, 4);
        });
    }
    for (bound, expected) in [(0, Unsat), (1, Sat)] {
        case(cases, family, format!("packed triangle, rows {bound} longer"), expected, |t| {
            // row * (row + 1) / 2 + column, for columns up to the row.
            let (row, column) = (t.ids(32, 256), t.ids(32, 257));
            t.differ(&[row]);
            let index = [0, 1].map(|k| {
                let end = t.plus(row[k], bound);
                t.at_most(column[k], end);
                let next = t.plus(row[k], 1);
                let twice = t.mul(row[k], next);
                let start = t.op_const(BinOp::UDiv, twice, 2);
                t.add(start, column[k])
            });
            t.collide(index, 4);
        });
    }
    for (step, expected) in [(128, Unsat), (96, Sat)] {
        case(cases, family, format!("counting down from a size by {step}"), expected, |t| {
            let n = t.size(32, 0, 0xffff_ffff);
            let (x, k) = (t.ids(32, 128), t.ids(32, 1 << 31));
            t.differ(&[x]);
            let index = [0, 1].map(|thread| {
                let back =
                    |t: &mut Threads, a, b| t.pool.binary_flagged(BinOp::Sub, NoWrap::SIGNED, a, b);
                let (one, stride) = (t.c(1, 32), t.c(step, 32));
                let last = back(t, n, one);
                let start = back(t, last, x[thread]);
                let away = t.mul_nsw(k[thread], stride);
                let i = back(t, start, away);
                let zero = t.c(-1, 32);
                t.less_signed(zero, i);
                i
            });
            t.collide(index, 4);
        });
    }
    case(cases, family, "sums of 64 unknowns may differ", Sat, |t| {
        let sums = [0, 1].map(|_| {
            let first = t.leaf(32);
            (0..63).fold(first, |sum, _| {
                let next = t.leaf(32);
                t.add_nsw(sum, next)
            })
        });
        t.differ(&[sums]);
    });
    case(cases, family, "index split twice and put together again", Unsat, |t| {
        // i / n * n + i % n is i, where i is a block-stride loop's counter.
        let (n, p) = (t.size(32, 1, 10_000), t.size(32, 1, 1024));
        let (x, k) = (t.ids_below(p, 1024), t.ids(32, 1 << 31));
        t.differ(&[x]);
        let all = t.mul_nsw(n, n);
        let index = [0, 1].map(|thread| {
            let i = t.mad_nsw(p, k[thread], x[thread]);
            t.less_signed(i, all);
            let (row, col) = (t.op(BinOp::SDiv, i, n), t.op(BinOp::SRem, i, n));
            t.mad_nsw(row, n, col)
        });
        t.collide(index, 4);
    });
}
