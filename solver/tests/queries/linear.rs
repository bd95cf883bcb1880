//! Linear ids, mixed access sizes, halos, unknown indices, symbolic block size.

use heddle_ir::{BinOp, CastOp};

use super::builder::{Case, Expected::*, case};

pub(crate) fn cases(cases: &mut Vec<Case>) {
    linear_ids(cases);
    mixed_sizes(cases);
    halos(cases);
    unknown_indices(cases);
    symbolic_block(cases);
}

fn linear_ids(cases: &mut Vec<Case>) {
    let family = "linear ids";
    for (stride, expected) in [(1, Unsat), (2, Unsat), (3, Unsat), (0, Sat)] {
        case(cases, family, format!("stride {stride}"), expected, |t| {
            let x = t.ids(32, 256);
            t.differ(&[x]);
            let index = x.map(|x| t.op_const(BinOp::Mul, x, stride));
            t.collide(index, 4);
        });
    }
    for (offset, expected) in [(1, Sat), (256, Unsat), (255, Sat), (-1, Sat)] {
        case(cases, family, format!("write t, read t + {offset}"), expected, |t| {
            let x = t.ids(32, 256);
            t.differ(&[x]);
            let moved = t.plus(x[1], offset);
            t.collide([x[0], moved], 4);
        });
    }
    case(cases, family, "global id, blocks of 256", Unsat, |t| {
        let (x, b) = (t.ids(32, 256), t.ids(32, 65535));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| t.mad(b[k], 256, x[k]));
        t.collide(index, 4);
    });
    case(cases, family, "global id, blocks of 256, stride 255", Sat, |t| {
        let (x, b) = (t.ids(32, 256), t.ids(32, 65535));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| t.mad(b[k], 255, x[k]));
        t.collide(index, 4);
    });
    case(cases, family, "64-bit ids", Unsat, |t| {
        let (x, b) = (t.ids(32, 1024), t.ids(32, 1 << 31));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| {
            let (b, x) = (t.pool.cast(CastOp::Zext, b[k], 64), t.pool.cast(CastOp::Zext, x[k], 64));
            t.mad(b, 1024, x)
        });
        t.collide(index, 8);
    });
    case(cases, family, "32-bit ids that wrap around", Sat, |t| {
        // 2^23 blocks of 1024 threads: block 2^22 starts at zero again.
        let (x, b) = (t.ids(32, 1024), t.ids(32, 1 << 23));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| t.mad(b[k], 1024, x[k]));
        t.collide(index, 4);
    });
    case(cases, family, "reversed", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let last = t.c(255, 32);
        let index = x.map(|x| t.op(BinOp::Sub, last, x));
        t.collide(index, 4);
    });
    case(cases, family, "reversed against straight", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let last = t.c(255, 32);
        let turned = t.op(BinOp::Sub, last, x[1]);
        t.collide([x[0], turned], 4);
    });
    case(cases, family, "lower half reads upper half", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let half = t.c(128, 32);
        t.less(x[0], half);
        t.less(x[1], half);
        let moved = t.plus(x[1], 128);
        t.collide([x[0], moved], 4);
    });
    case(cases, family, "overlap in one comparison", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let [a, b] = x.map(|x| t.bytes(x, 4));
        t.meet_once(a, 4, b, 4);
    });
    case(cases, family, "overlap in one comparison, neighbour", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let moved = t.plus(x[1], 1);
        let [a, b] = [x[0], moved].map(|x| t.bytes(x, 4));
        t.meet_once(a, 4, b, 4);
    });
    case(cases, family, "guarded by a size", Unsat, |t| {
        let n = t.size(32, 0, 0x7fff_ffff);
        let (x, b) = (t.ids(32, 256), t.ids(32, 65535));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| t.mad(b[k], 256, x[k]));
        for i in index {
            t.less_signed(i, n);
        }
        t.collide(index, 4);
    });
}

fn mixed_sizes(cases: &mut Vec<Case>) {
    let family = "mixed access sizes";
    let sizes: [(i128, i128, i128, i128, super::Expected); 8] = [
        (4, 4, 8, 8, Sat),
        (8, 4, 8, 4, Unsat),
        (8, 8, 8, 4, Unsat),
        (4, 8, 4, 4, Sat),
        (16, 16, 16, 16, Unsat),
        (16, 16, 4, 4, Sat),
        (1, 1, 4, 4, Sat),
        (12, 12, 12, 4, Unsat),
    ];
    for (stride_a, bytes_a, stride_b, bytes_b, expected) in sizes {
        let name = format!("{bytes_a} bytes every {stride_a}, {bytes_b} every {stride_b}");
        case(cases, family, name, expected, |t| {
            let x = t.ids(32, 128);
            t.differ(&[x]);
            let (a, b) = (t.bytes(x[0], stride_a), t.bytes(x[1], stride_b));
            t.meet(a, bytes_a, b, bytes_b);
        });
    }
    case(cases, family, "fields of a structure", Unsat, |t| {
        let (x, b) = (t.ids(32, 256), t.ids(32, 1 << 16));
        let index = [0, 1].map(|k| t.mad(b[k], 256, x[k]));
        let [first, second] = index.map(|i| t.bytes(i, 24));
        let (first, second) = (t.plus(first, 8), t.plus(second, 16));
        t.meet(first, 8, second, 8);
    });
    case(cases, family, "a field that reaches into the next", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let [first, second] = x.map(|i| t.bytes(i, 24));
        let first = t.plus(first, 20);
        t.meet_once(first, 8, second, 8);
    });
}

fn halos(cases: &mut Vec<Case>) {
    let family = "halos";
    case(cases, family, "interior cells", Unsat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let (row, col) = (t.plus(y[k], 1), t.plus(x[k], 1));
            t.mad(row, 18, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "interior against left halo", Unsat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        t.differ(&[x, y]);
        let (row, col) = (t.plus(y[0], 1), t.plus(x[0], 1));
        let inner = t.mad(row, 18, col);
        let zero = t.c(0, 32);
        t.equal(x[1], zero);
        let row = t.plus(y[1], 1);
        let halo = t.mad(row, 18, zero);
        t.collide([inner, halo], 4);
    });
    case(cases, family, "interior against right halo", Unsat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        t.differ(&[x, y]);
        let (row, col) = (t.plus(y[0], 1), t.plus(x[0], 1));
        let inner = t.mad(row, 18, col);
        let row = t.plus(y[1], 1);
        let right = t.c(17, 32);
        let halo = t.mad(row, 18, right);
        t.collide([inner, halo], 4);
    });
    case(cases, family, "pitch without room for the halo", Sat, |t| {
        let (x, y) = (t.ids(32, 16), t.ids(32, 16));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let col = t.plus(x[k], k as i128 * 2);
            t.mad(y[k], 16, col)
        });
        t.collide(index, 4);
    });
    for (tile, radius, expected) in [(128, 3, Unsat), (128, 128, Unsat), (128, 129, Sat)] {
        let name = format!("tile {tile}, both halos of {radius} by the first threads");
        case(cases, family, name, expected, |t| {
            let x = t.ids(32, tile as u128);
            t.differ(&[x]);
            let limit = t.c(radius, 32);
            t.less(x[1], limit);
            let inner = t.plus(x[0], radius);
            // The right halo starts one tile further; a radius beyond the tile makes it too early.
            let halo = t.plus(x[1], radius + tile.min(2 * tile - radius));
            t.collide([inner, halo], 4);
        });
    }
    case(cases, family, "stencil reads neighbours in place", Sat, |t| {
        let x = t.ids(32, 64);
        t.differ(&[x]);
        let centre = t.plus(x[0], 1);
        let right = t.plus(x[1], 2);
        t.collide([centre, right], 4);
    });
}

fn unknown_indices(cases: &mut Vec<Case>) {
    let family = "unknown indices";
    case(cases, family, "two loaded indices", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| t.pool.pure("load", &[x], 32));
        t.collide(index, 4);
    });
    case(cases, family, "the same loaded index by both", Unsat, |t| {
        // The guard says that what was loaded differs; equal places hold equal values.
        let x = t.ids(32, 256);
        let index = x.map(|x| t.pool.pure("load", &[x], 32));
        t.differ(&[index]);
        t.equal(x[0], x[1]);
    });
    case(cases, family, "loaded base, own slot", Unsat, |t| {
        let base = t.within(32, 0, 1 << 20);
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| t.add(base, x));
        t.collide(index, 4);
    });
    case(cases, family, "loaded base, own slot, any base", Unsat, |t| {
        // Wraps at 2^32, as a whole: zero-extended offsets still differ.
        let base = t.leaf(32);
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let [a, b] = x.map(|x| {
            let index = t.add(base, x);
            t.bytes_unsigned(index, 4)
        });
        t.meet(a, 4, b, 4);
    });
    case(cases, family, "base per thread", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| {
            let base = t.within(32, 0, 1 << 20);
            t.add(base, x)
        });
        t.collide(index, 4);
    });
    case(cases, family, "function of a uniform value", Unsat, |t| {
        let n = t.leaf(32);
        let f = t.pool.pure("f", &[n], 32);
        let x = t.ids(32, 64);
        t.differ(&[x]);
        let low = t.op_const(BinOp::And, f, 0xffff);
        let index = x.map(|x| t.mad(low, 64, x));
        t.collide(index, 4);
    });
    case(cases, family, "histogram bin against counter", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let loaded = t.pool.pure("load", &[x[0]], 8);
        let bin = t.pool.cast(CastOp::Zext, loaded, 32);
        let counter = t.plus(x[1], 256);
        t.collide([bin, counter], 4);
    });
    case(cases, family, "histogram bins of two threads", Sat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| {
            let loaded = t.pool.pure("load", &[x], 8);
            t.pool.cast(CastOp::Zext, loaded, 32)
        });
        t.collide(index, 4);
    });
}

fn symbolic_block(cases: &mut Vec<Case>) {
    let family = "symbolic block size";
    case(cases, family, "thread id", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let x = t.ids_below(n, 1024);
        t.differ(&[x]);
        t.collide(x, 4);
    });
    for (blocks, expected) in [(1u128 << 20, Unsat), (1 << 23, Sat)] {
        // At 2^23 blocks of up to 1024 threads the 32-bit id comes round again.
        let name = format!("global id, up to {blocks} blocks");
        case(cases, family, name, expected, |t| {
            let n = t.size(32, 1, 1024);
            let (x, b) = (t.ids_below(n, 1024), t.ids(32, blocks));
            t.differ(&[x, b]);
            if expected == Sat {
                let full = t.c(1024, 32);
                t.equal(n, full);
            }
            let index = [0, 1].map(|k| {
                let start = t.mul(b[k], n);
                t.add(start, x[k])
            });
            t.collide(index, 4);
        });
    }
    case(cases, family, "global id against neighbour", Sat, |t| {
        let n = t.size(32, 1, 1024);
        let (x, b) = (t.ids_below(n, 1024), t.ids(32, 1 << 20));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| {
            let start = t.mul(b[k], n);
            let own = t.add(start, x[k]);
            t.plus(own, k as i128)
        });
        t.collide(index, 4);
    });
    case(cases, family, "two dimensions linearised", Unsat, |t| {
        let (nx, ny) = (t.size(32, 1, 1024), t.size(32, 1, 1024));
        let (x, y) = (t.ids_below(nx, 1024), t.ids_below(ny, 1024));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let row = t.mul(y[k], nx);
            t.add(row, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "three dimensions linearised", Unsat, |t| {
        let (nx, ny) = (t.size(32, 1, 1024), t.size(32, 1, 1024));
        let (x, y, z) = (t.ids_below(nx, 1024), t.ids_below(ny, 1024), t.ids(32, 64));
        t.differ(&[x, y, z]);
        let index = [0, 1].map(|k| {
            let plane = t.mul(z[k], ny);
            let plane = t.add(plane, y[k]);
            let row = t.mul(plane, nx);
            t.add(row, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "two dimensions with the wrong pitch", Sat, |t| {
        let (nx, ny) = (t.size(32, 1, 1024), t.size(32, 1, 1024));
        let (x, y) = (t.ids_below(nx, 1024), t.ids_below(ny, 1024));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let row = t.mul(y[k], ny);
            t.add(row, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "second half of a doubled buffer", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let x = t.ids_below(n, 1024);
        let moved = t.add(x[1], n);
        t.collide([x[0], moved], 4);
    });
    case(cases, family, "64-bit global id", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let (x, b) = (t.ids_below(n, 1024), t.ids(32, (1 << 31) - 1));
        t.differ(&[x, b]);
        let wide_n = t.pool.cast(CastOp::Zext, n, 64);
        let index = [0, 1].map(|k| {
            let (b, x) = (t.pool.cast(CastOp::Zext, b[k], 64), t.pool.cast(CastOp::Zext, x[k], 64));
            let start = t.mul(b, wide_n);
            t.add(start, x)
        });
        t.collide(index, 4);
    });
}
