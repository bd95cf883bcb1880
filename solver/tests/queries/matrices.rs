//! 2-D tiles, transposes with padding, row-major matrices of symbolic width, matrix tiles of
//! symbolic size.

use heddle_ir::{BinOp, CastOp};

use super::builder::{Case, Expected::*, case};

pub(crate) fn cases(cases: &mut Vec<Case>) {
    tiles(cases);
    transposes(cases);
    row_major(cases);
    symbolic_tiles(cases);
}

fn tiles(cases: &mut Vec<Case>) {
    let family = "2-D tiles";
    for (pitch, expected) in [(16, Unsat), (17, Unsat), (15, Sat), (1, Sat), (64, Unsat)] {
        case(cases, family, format!("16 x 16 threads, pitch {pitch}"), expected, |t| {
            let (x, y) = (t.ids(32, 16), t.ids(32, 16));
            t.differ(&[x, y]);
            let index = [0, 1].map(|k| t.mad(y[k], pitch, x[k]));
            t.collide(index, 4);
        });
    }
    for (pitch, expected) in [(8, Unsat), (7, Sat)] {
        let name = format!("8 x 8 x 8 threads, pitch {pitch}");
        case(cases, family, name, expected, |t| {
            let (x, y, z) = (t.ids(32, 8), t.ids(32, 8), t.ids(32, 8));
            t.differ(&[x, y, z]);
            let index = [0, 1].map(|k| {
                let row = t.mad(z[k], pitch, y[k]);
                t.mad(row, 8, x[k])
            });
            t.collide(index, 4);
        });
    }
    case(cases, family, "32 x 8 threads, four rows each", Unsat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 8));
        t.differ(&[x, y]);
        let j = t.ids(32, 4);
        let index = [0, 1].map(|k| {
            let row = t.mad(j[k], 8, y[k]);
            t.mad(row, 32, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "32 x 8 threads, rows of the next", Sat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 8));
        t.differ(&[x, y]);
        let j = t.ids(32, 4);
        let index = [0, 1].map(|k| {
            let row = t.mad(y[k], 3, j[k]);
            t.mad(row, 32, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "blocks of tiles in an image of 1024", Unsat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        let (bx, by) = (t.ids(32, 64), t.ids(32, 64));
        t.differ(&[x, y, bx, by]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.mad(by[k], 16, y[k]), t.mad(bx[k], 16, x[k]));
            t.mad(row, 1024, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "blocks of tiles in an image too narrow", Sat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        let (bx, by) = (t.ids(32, 65), t.ids(32, 64));
        t.differ(&[x, y, bx, by]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.mad(by[k], 16, y[k]), t.mad(bx[k], 16, x[k]));
            t.mad(row, 1024, col)
        });
        t.collide(index, 4);
    });
}

fn transposes(cases: &mut Vec<Case>) {
    let family = "transpose with padding";
    for pitch in [32, 33] {
        case(cases, family, format!("columns, pitch {pitch}"), Unsat, |t| {
            let (x, y) = (t.ids(32, 32), t.ids(32, 32));
            t.differ(&[x, y]);
            let index = [0, 1].map(|k| t.mad(x[k], pitch, y[k]));
            t.collide(index, 4);
        });
        case(cases, family, format!("rows against columns, pitch {pitch}"), Sat, |t| {
            let (x, y) = (t.ids(32, 32), t.ids(32, 32));
            t.differ(&[x, y]);
            let (row, column) = (t.mad(y[0], pitch, x[0]), t.mad(x[1], pitch, y[1]));
            t.collide([row, column], 4);
        });
    }
    case(cases, family, "32 x 8 threads, padded, columns", Unsat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 8));
        t.differ(&[x, y]);
        let j = t.ids(32, 4);
        let index = [0, 1].map(|k| {
            let row = t.mad(j[k], 8, y[k]);
            t.mad(x[k], 33, row)
        });
        t.collide(index, 4);
    });
    case(cases, family, "same warp lane, both directions", Unsat, |t| {
        // Where both coordinates are the same, so are the threads.
        let (x, y) = (t.ids(32, 32), t.ids(32, 32));
        t.differ(&[x, y]);
        t.equal(x[0], y[0]);
        t.equal(x[1], y[1]);
        let (row, column) = (t.mad(y[0], 33, x[0]), t.mad(x[1], 33, y[1]));
        t.collide([row, column], 4);
    });
    case(cases, family, "global output of a transpose", Unsat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 32));
        let (bx, by) = (t.ids(32, 32), t.ids(32, 32));
        t.differ(&[x, y, bx, by]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.mad(bx[k], 32, y[k]), t.mad(by[k], 32, x[k]));
            t.mad(row, 1024, col)
        });
        t.collide(index, 4);
    });
}

fn row_major(cases: &mut Vec<Case>) {
    let family = "row-major, symbolic width";
    case(cases, family, "one row per thread, signed arithmetic", Unsat, |t| {
        let n = t.size(32, 0, 0x7fff_ffff);
        let (x, j) = (t.ids(32, 256), t.ids(32, 0x7fff_ffff));
        t.differ(&[x]);
        for j in j {
            t.less_signed(j, n);
        }
        let index = [0, 1].map(|k| t.mad_nsw(x[k], n, j[k]));
        t.collide(index, 4);
    });
    case(cases, family, "one row per thread, columns not guarded", Sat, |t| {
        let n = t.size(32, 0, 0x7fff_ffff);
        let (x, j) = (t.ids(32, 256), t.ids(32, 0x7fff_ffff));
        t.differ(&[x]);
        for j in j {
            let fact = t.pool.cmp(heddle_ir::CmpOp::Sle, j, n);
            t.fact(fact);
        }
        let index = [0, 1].map(|k| t.mad_nsw(x[k], n, j[k]));
        t.collide(index, 4);
    });
    case(cases, family, "cell per thread, both guarded", Unsat, |t| {
        let (m, n) = (t.size(32, 0, 0x7fff_ffff), t.size(32, 0, 0x7fff_ffff));
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        let (bx, by) = (t.ids(32, 65535), t.ids(32, 65535));
        t.differ(&[x, y, bx, by]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.mad(by[k], 16, y[k]), t.mad(bx[k], 16, x[k]));
            t.less_signed(row, m);
            t.less_signed(col, n);
            t.mad_nsw(row, n, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "cell per thread, column not guarded", Sat, |t| {
        let (m, n) = (t.size(32, 0, 0x7fff_ffff), t.size(32, 0, 0x7fff_ffff));
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        let (bx, by) = (t.ids(32, 65535), t.ids(32, 65535));
        t.differ(&[x, y, bx, by]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.mad(by[k], 16, y[k]), t.mad(bx[k], 16, x[k]));
            t.less_signed(row, m);
            t.mad_nsw(row, n, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "unsigned and bounded width", Unsat, |t| {
        let n = t.size(32, 1, 8192);
        let (row, col) = (t.ids(32, 8192), t.ids_below(n, 8192));
        t.differ(&[row, col]);
        let index = [0, 1].map(|k| {
            let start = t.mul(row[k], n);
            t.add(start, col[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "unsigned and any width: rows wrap", Sat, |t| {
        let n = t.size(32, 1, 0xffff_ffff);
        let row = t.ids(32, 8192);
        let zero = t.c(0, 32);
        t.differ(&[row]);
        let start = row.map(|row| t.mul(row, n));
        let index = start.map(|start| t.add(start, zero));
        let big = t.c(0x8000_0000_u32 as i128, 32);
        t.at_most(big, n);
        t.collide(index, 4);
    });
    case(cases, family, "64-bit regrouping", Unsat, |t| {
        let n = t.size(32, 1, 0x7fff_ffff);
        let (row, col) = (t.ids(32, 1 << 20), t.ids_below(n, 0x7fff_ffff));
        t.differ(&[row, col]);
        let wide_n = t.pool.cast(CastOp::Zext, n, 64);
        let index = [0, 1].map(|k| {
            let (row, col) =
                (t.pool.cast(CastOp::Zext, row[k], 64), t.pool.cast(CastOp::Zext, col[k], 64));
            let start = t.mul(row, wide_n);
            t.add(start, col)
        });
        t.collide(index, 8);
    });
    case(cases, family, "pitch of width plus padding", Unsat, |t| {
        let n = t.size(32, 1, 4096);
        let (row, col) = (t.ids(32, 4096), t.ids_below(n, 4096));
        t.differ(&[row, col]);
        let pitch = t.plus(n, 1);
        let index = [0, 1].map(|k| {
            let start = t.mul(row[k], pitch);
            t.add(start, col[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "pitch of width less one", Sat, |t| {
        let n = t.size(32, 2, 4096);
        let (row, col) = (t.ids(32, 4096), t.ids_below(n, 4096));
        t.differ(&[row, col]);
        let pitch = t.plus(n, -1);
        let index = [0, 1].map(|k| {
            let start = t.mul(row[k], pitch);
            t.add(start, col[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "row against the row above", Unsat, |t| {
        // Read row r - 1 at the same step as row r is written, by the thread of the column.
        let n = t.size(32, 1, 4096);
        let r = t.within(32, 1, 4095);
        let col = t.ids_below(n, 4096);
        let above = t.plus(r, -1);
        let (own, other) = (t.mul(r, n), t.mul(above, n));
        let (a, b) = (t.add(own, col[0]), t.add(other, col[1]));
        t.collide([a, b], 4);
    });
}

fn symbolic_tiles(cases: &mut Vec<Case>) {
    let family = "matrix tiles, symbolic sizes";
    for (tile, expected) in [(16i128, Unsat), (32, Unsat), (15, Sat)] {
        let name = format!("output of a product, blocks of {tile}, 16 x 16 threads");
        let threads = if tile == 32 { 32 } else { 16 };
        case(cases, family, name, expected, |t| {
            let (m, n) = (t.size(32, 1, 1 << 15), t.size(32, 1, 1 << 15));
            let (x, y) = (t.ids(32, threads), t.ids(32, threads));
            let (bx, by) = (t.ids(32, 1 << 11), t.ids(32, 1 << 11));
            t.differ(&[x, y, bx, by]);
            let index = [0, 1].map(|k| {
                let (row, col) = (t.mad(by[k], tile, y[k]), t.mad(bx[k], tile, x[k]));
                t.less(row, m);
                t.less(col, n);
                let start = t.mul(row, n);
                t.add(start, col)
            });
            t.collide(index, 4);
        });
    }
    case(cases, family, "batched: three symbolic sizes, signed", Unsat, |t| {
        let sizes = [0, 1, 2].map(|_| t.size(32, 1, 0x7fff_ffff));
        let [b, r, c] = sizes.map(|n| t.ids_below(n, 0x7fff_ffff));
        t.differ(&[b, r, c]);
        let index = [0, 1].map(|k| {
            let row = t.mad_nsw(b[k], sizes[1], r[k]);
            t.mad_nsw(row, sizes[2], c[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "batched: product of sizes as plane", Unsat, |t| {
        let sizes = [0, 1, 2].map(|_| t.size(32, 1, 1 << 20));
        let [b, r, c] = sizes.map(|n| t.ids_below(n, 1 << 20));
        t.differ(&[b, r, c]);
        let wide = sizes.map(|n| t.pool.cast(CastOp::Zext, n, 64));
        let plane = t.mul(wide[1], wide[2]);
        let index = [0, 1].map(|k| {
            let [b, r, c] = [b[k], r[k], c[k]].map(|it| t.pool.cast(CastOp::Zext, it, 64));
            let start = t.mul(b, plane);
            let row = t.mul(r, wide[2]);
            let start = t.add(start, row);
            t.add(start, c)
        });
        t.collide(index, 8);
    });
    case(cases, family, "batched: plane one row short", Sat, |t| {
        let sizes = [0, 1, 2].map(|_| t.size(32, 2, 1 << 20));
        let [b, r, c] = sizes.map(|n| t.ids_below(n, 1 << 20));
        t.differ(&[b, r, c]);
        let wide = sizes.map(|n| t.pool.cast(CastOp::Zext, n, 64));
        let short = t.plus(wide[1], -1);
        let plane = t.mul(short, wide[2]);
        let index = [0, 1].map(|k| {
            let [b, r, c] = [b[k], r[k], c[k]].map(|it| t.pool.cast(CastOp::Zext, it, 64));
            let start = t.mul(b, plane);
            let row = t.mul(r, wide[2]);
            let start = t.add(start, row);
            t.add(start, c)
        });
        t.collide(index, 8);
    });
    case(cases, family, "shared tile of symbolic width", Unsat, |t| {
        let n = t.size(32, 1, 32);
        let (x, y) = (t.ids_below(n, 32), t.ids_below(n, 32));
        t.differ(&[x, y]);
        let pitch = t.plus(n, 1);
        let index = [0, 1].map(|k| {
            let start = t.mul(y[k], pitch);
            t.add(start, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "input tiles of one step and the next", Unsat, |t| {
        // Double buffering: half p of a shared array of two tiles.
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        let p = t.within(32, 0, 1);
        let other = t.op_const(BinOp::Xor, p, 1);
        let index = [(0, p), (1, other)].map(|(k, half)| {
            let row = t.mad(half, 16, y[k]);
            t.mad(row, 16, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "input tiles of the same half", Sat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        t.differ(&[x, y]);
        let p = t.within(32, 0, 1);
        let write = {
            let row = t.mad(p, 16, y[0]);
            t.mad(row, 16, x[0])
        };
        let step = t.within(32, 0, 15);
        let read = {
            let row = t.mad(p, 16, y[1]);
            t.mad(row, 16, step)
        };
        t.collide([write, read], 4);
    });
    case(cases, family, "column-major output with leading dimension", Unsat, |t| {
        let (m, ld) = (t.size(32, 1, 1 << 14), t.size(32, 1, 1 << 14));
        t.at_most(m, ld);
        let (row, col) = (t.ids_below(m, 1 << 14), t.ids(32, 1 << 14));
        t.differ(&[row, col]);
        let index = [0, 1].map(|k| {
            let start = t.mul(col[k], ld);
            t.add(start, row[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "leading dimension too small", Sat, |t| {
        let (m, ld) = (t.size(32, 1, 1 << 14), t.size(32, 1, 1 << 14));
        t.less(ld, m);
        let (row, col) = (t.ids_below(m, 1 << 14), t.ids(32, 1 << 14));
        t.differ(&[row, col]);
        let index = [0, 1].map(|k| {
            let start = t.mul(col[k], ld);
            t.add(start, row[k])
        });
        t.collide(index, 4);
    });
}
