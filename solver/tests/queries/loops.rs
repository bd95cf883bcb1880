//! Strided and chunked loops, tree reductions, loop-counter invariants.

use heddle_ir::{BinOp, CmpOp, ExprId, NoWrap};

use super::builder::{Case, Expected::*, Threads, case};

pub(crate) fn cases(cases: &mut Vec<Case>) {
    strided(cases);
    chunked(cases);
    reductions(cases);
    invariants(cases);
}

fn strided(cases: &mut Vec<Case>) {
    let family = "strided loops";
    for (stride, expected) in [(256, Unsat), (255, Sat), (512, Unsat)] {
        case(cases, family, format!("256 threads, stride {stride}"), expected, |t| {
            let (x, i) = (t.ids(32, 256), t.ids(32, 4096));
            t.differ(&[x]);
            let index = [0, 1].map(|k| t.mad(i[k], stride, x[k]));
            t.collide(index, 4);
        });
    }
    case(cases, family, "block stride, symbolic block", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let (x, i) = (t.ids_below(n, 1024), t.ids(32, 1 << 16));
        t.differ(&[x]);
        let index = [0, 1].map(|k| {
            let start = t.mul(i[k], n);
            t.add(start, x[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "grid stride, symbolic launch, 64 bits", Unsat, |t| {
        let (n, g) = (t.size(32, 1, 1024), t.size(32, 1, 1 << 20));
        let (x, b) = (t.ids_below(n, 1024), t.ids_below(g, 1 << 20));
        let i = t.ids(64, 1 << 20);
        t.differ(&[x, b]);
        let wide = |t: &mut Threads, e| t.pool.cast(heddle_ir::CastOp::Zext, e, 64);
        let (wide_n, wide_g) = (wide(t, n), wide(t, g));
        let all = t.mul(wide_n, wide_g);
        let index = [0, 1].map(|k| {
            let (x, b) = (wide(t, x[k]), wide(t, b[k]));
            let start = t.mul(b, wide_n);
            let id = t.add(start, x);
            let step = t.mul(i[k], all);
            t.add(id, step)
        });
        t.collide(index, 4);
    });
    case(cases, family, "grid stride, symbolic launch, signed", Unsat, |t| {
        let (n, g) = (t.size(32, 1, 1024), t.size(32, 1, 1 << 16));
        let (x, b) = (t.ids_below(n, 1024), t.ids_below(g, 1 << 16));
        let i = t.ids(32, 1 << 20);
        t.differ(&[x, b]);
        let all = t.mul(n, g);
        let index = [0, 1].map(|k| {
            let start = t.mul(b[k], n);
            let id = t.add(start, x[k]);
            t.mad_nsw(i[k], all, id)
        });
        t.collide(index, 4);
    });
    case(cases, family, "grid stride that forgets the grid", Sat, |t| {
        let (n, g) = (t.size(32, 1, 1024), t.size(32, 1, 1 << 16));
        let (x, b) = (t.ids_below(n, 1024), t.ids_below(g, 1 << 16));
        let i = t.ids(32, 1 << 10);
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| {
            let start = t.mul(b[k], n);
            let id = t.add(start, x[k]);
            let step = t.mul(i[k], n);
            t.add(id, step)
        });
        t.collide(index, 4);
    });
    case(cases, family, "guarded by the length", Unsat, |t| {
        let length = t.size(32, 0, 0x7fff_ffff);
        let (x, i) = (t.ids(32, 128), t.ids(32, 1 << 24));
        t.differ(&[x]);
        let index = [0, 1].map(|k| {
            let c = t.c(128, 32);
            t.mad_nsw(i[k], c, x[k])
        });
        for i in index {
            t.less_signed(i, length);
        }
        t.collide(index, 4);
    });
    case(cases, family, "two elements each step", Unsat, |t| {
        let (x, i, e) = (t.ids(32, 128), t.ids(32, 1 << 16), t.ids(32, 2));
        t.differ(&[x]);
        let index = [0, 1].map(|k| {
            let start = t.mad(i[k], 128, x[k]);
            t.mad(start, 2, e[k])
        });
        t.collide(index, 4);
    });
}

fn chunked(cases: &mut Vec<Case>) {
    let family = "chunked loops";
    for (own, size, expected) in [(8, 8, Unsat), (9, 8, Sat), (7, 8, Unsat)] {
        case(cases, family, format!("{own} of chunks of {size}"), expected, |t| {
            let (x, i) = (t.ids(32, 256), t.ids(32, own));
            t.differ(&[x]);
            let index = [0, 1].map(|k| t.mad(x[k], size, i[k]));
            t.collide(index, 4);
        });
    }
    case(cases, family, "symbolic chunk", Unsat, |t| {
        let chunk = t.size(32, 1, 1 << 20);
        let (x, i) = (t.ids(32, 1024), t.ids_below(chunk, 1 << 20));
        t.differ(&[x]);
        let index = [0, 1].map(|k| {
            let start = t.mul(x[k], chunk);
            t.add(start, i[k])
        });
        t.collide(index, 4);
    });
    case(cases, family, "symbolic chunk, one too many", Sat, |t| {
        let chunk = t.size(32, 1, 1 << 20);
        let (x, i) = (t.ids(32, 1024), t.ids(32, 1 << 20));
        t.differ(&[x]);
        for i in i {
            t.at_most(i, chunk);
        }
        let index = [0, 1].map(|k| {
            let start = t.mul(x[k], chunk);
            t.add(start, i[k])
        });
        t.collide(index, 4);
    });
    for (inclusive, expected) in [(false, Unsat), (true, Sat)] {
        let name = if inclusive { "bounds as guards, end included" } else { "bounds as guards" };
        case(cases, family, name, expected, |t| {
            let chunk = t.size(32, 1, 1 << 16);
            let x = t.ids(32, 1024);
            t.differ(&[x]);
            let i = t.ids(32, 1 << 27);
            for k in [0, 1] {
                let start = t.mul(x[k], chunk);
                let next = t.plus(x[k], 1);
                let end = t.mul(next, chunk);
                t.at_most(start, i[k]);
                if inclusive { t.at_most(i[k], end) } else { t.less(i[k], end) }
            }
            t.collide(i, 4);
        });
    }
    case(cases, family, "end clipped to the length", Unsat, |t| {
        let length = t.size(32, 0, 1 << 20);
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let i = t.ids(32, 1 << 20);
        for k in [0, 1] {
            let start = t.op_const(BinOp::Mul, x[k], 100);
            let past = t.plus(start, 100);
            let end = t.op(BinOp::UMin, past, length);
            t.at_most(start, i[k]);
            t.less(i[k], end);
        }
        t.collide(i, 4);
    });
    case(cases, family, "chunk by division, rounded up", Unsat, |t| {
        let (n, p) = (t.size(32, 1, 1 << 20), t.size(32, 1, 1024));
        let sum = t.add(n, p);
        let sum = t.plus(sum, -1);
        let chunk = t.op(BinOp::UDiv, sum, p);
        let x = t.ids_below(p, 1024);
        t.differ(&[x]);
        let i = [0, 1].map(|_| t.within(32, 0, 1 << 21));
        let index = [0, 1].map(|k| {
            t.less(i[k], chunk);
            let start = t.mul(x[k], chunk);
            t.add(start, i[k])
        });
        t.collide(index, 4);
    });
}

fn reductions(cases: &mut Vec<Case>) {
    let family = "tree reduction";
    case(cases, family, "sequential addressing, symbolic step", Unsat, |t| {
        let s = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        t.less(x[0], s);
        t.less(x[1], s);
        let far = t.add(x[1], s);
        t.collide([x[0], far], 4);
    });
    case(cases, family, "sequential addressing, guard missing", Sat, |t| {
        let s = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        t.less(x[1], s);
        let far = t.add(x[1], s);
        t.collide([x[0], far], 4);
    });
    case(cases, family, "interleaved, remainder by a symbolic step", Unsat, |t| {
        let s = t.within(32, 1, 512);
        let twice = t.op_const(BinOp::Mul, s, 2);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let zero = t.c(0, 32);
        for x in x {
            let rest = t.op(BinOp::URem, x, twice);
            t.equal(rest, zero);
        }
        let far = t.add(x[1], s);
        t.collide([x[0], far], 4);
    });
    case(cases, family, "interleaved, remainder by the step itself", Sat, |t| {
        let s = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let zero = t.c(0, 32);
        for x in x {
            let rest = t.op(BinOp::URem, x, s);
            t.equal(rest, zero);
        }
        let far = t.add(x[1], s);
        t.collide([x[0], far], 4);
    });
    for step in [1, 4, 64] {
        case(cases, family, format!("interleaved, step {step}, by mask"), Unsat, |t| {
            let x = t.ids(32, 1024);
            t.differ(&[x]);
            let zero = t.c(0, 32);
            for x in x {
                let rest = t.op_const(BinOp::And, x, 2 * step - 1);
                t.equal(rest, zero);
            }
            let far = t.plus(x[1], step);
            t.collide([x[0], far], 4);
        });
    }
    case(cases, family, "interleaved, contiguous threads", Unsat, |t| {
        // s[2 * step * t] += s[2 * step * t + step]
        let s = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let twice = t.op_const(BinOp::Mul, s, 2);
            t.mul(twice, x)
        });
        let far = t.add(index[1], s);
        t.collide([index[0], far], 4);
    });
    case(cases, family, "step a power of two by shift", Unsat, |t| {
        let i = t.within(32, 0, 9);
        let one = t.c(1, 32);
        let s = t.op(BinOp::Shl, one, i);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        t.less(x[0], s);
        t.less(x[1], s);
        let far = t.add(x[1], s);
        t.collide([x[0], far], 4);
    });
    case(cases, family, "last block writes its sum", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let zero = t.c(0, 32);
        t.equal(x[0], zero);
        t.equal(x[1], zero);
    });
    case(cases, family, "scan: write t, read t - offset, no barrier", Sat, |t| {
        let offset = t.within(32, 1, 128);
        let x = t.ids(32, 256);
        t.differ(&[x]);
        t.at_most(offset, x[1]);
        let back = t.op(BinOp::Sub, x[1], offset);
        t.collide([x[0], back], 4);
    });
    case(cases, family, "Blelloch up-sweep", Unsat, |t| {
        // ai = offset * (2 t + 1) - 1, bi = offset * (2 t + 2) - 1; s[bi] += s[ai]
        let offset = t.within(32, 1, 512);
        let x = t.ids(32, 512);
        t.differ(&[x]);
        let at = |t: &mut Threads, x: ExprId, k: i128| {
            let twice = t.op_const(BinOp::Mul, x, 2);
            let odd = t.plus(twice, k);
            let end = t.mul(offset, odd);
            t.plus(end, -1)
        };
        let (ai, bi) = (at(t, x[0], 1), at(t, x[1], 2));
        t.collide([ai, bi], 4);
    });
    case(cases, family, "Blelloch up-sweep, both write their upper cell", Unsat, |t| {
        let offset = t.within(32, 1, 512);
        let x = t.ids(32, 512);
        t.differ(&[x]);
        let index = x.map(|x| {
            let twice = t.op_const(BinOp::Mul, x, 2);
            let odd = t.plus(twice, 2);
            let end = t.mul(offset, odd);
            t.plus(end, -1)
        });
        t.collide(index, 4);
    });
}

/// `invariant(i)` and the step do not give `invariant(i + step)`.
fn invariants(cases: &mut Vec<Case>) {
    let family = "loop-counter invariants";
    case(cases, family, "congruent modulo a power of two", Unsat, |t| {
        let (i, x) = (t.leaf(32), t.within(32, 0, 255));
        let next = t.plus(i, 256);
        let [now, then] = [i, next].map(|i| t.op_const(BinOp::And, i, 255));
        t.equal(now, x);
        let broken = t.pool.ne(then, x);
        t.fact(broken);
    });
    case(cases, family, "congruent modulo 100 in range", Unsat, |t| {
        let (i, x) = (t.within(32, 0, 1 << 30), t.within(32, 0, 99));
        let next = t.plus(i, 100);
        let [now, then] = [i, next].map(|i| t.op_const(BinOp::URem, i, 100));
        t.equal(now, x);
        let broken = t.pool.ne(then, x);
        t.fact(broken);
    });
    case(cases, family, "congruent modulo 100 where the counter wraps", Sat, |t| {
        let (i, x) = (t.leaf(32), t.within(32, 0, 99));
        let next = t.plus(i, 100);
        let [now, then] = [i, next].map(|i| t.op_const(BinOp::URem, i, 100));
        t.equal(now, x);
        let broken = t.pool.ne(then, x);
        t.fact(broken);
    });
    case(cases, family, "congruent modulo a symbolic stride", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let i = t.within(32, 0, 1 << 30);
        let next = t.add(i, n);
        let [now, then] = [i, next].map(|i| t.op(BinOp::URem, i, n));
        let broken = t.pool.ne(now, then);
        t.fact(broken);
    });
    case(cases, family, "not below its start", Unsat, |t| {
        let (start, i) = (t.leaf(32), t.leaf(32));
        let fact = t.pool.cmp(CmpOp::Sle, start, i);
        t.fact(fact);
        let four = t.c(4, 32);
        let next = t.pool.binary_flagged(BinOp::Add, NoWrap::SIGNED, i, four);
        let broken = t.pool.slt(next, start);
        t.fact(broken);
    });
    case(cases, family, "not below its start, may wrap", Sat, |t| {
        let (start, i) = (t.leaf(32), t.leaf(32));
        let fact = t.pool.cmp(CmpOp::Sle, start, i);
        t.fact(fact);
        let next = t.plus(i, 4);
        let broken = t.pool.slt(next, start);
        t.fact(broken);
    });
    case(cases, family, "counters differ by the start", Unsat, |t| {
        let (x, i) = (t.ids(32, 256), [0, 1].map(|_| t.leaf(32)));
        let stride = t.leaf(32);
        let apart = [0, 1].map(|k| t.op(BinOp::Sub, i[k], x[k]));
        t.equal(apart[0], apart[1]);
        let next = i.map(|i| t.add(i, stride));
        let then = [0, 1].map(|k| t.op(BinOp::Sub, next[k], x[k]));
        let broken = t.pool.ne(then[0], then[1]);
        t.fact(broken);
    });
    case(cases, family, "product of doubled and halved", Unsat, |t| {
        let (d, h) = (t.within(32, 1, 1 << 10), t.within(32, 0, 1 << 10));
        let product = t.mul(d, h);
        let all = t.c(1 << 10, 32);
        t.equal(product, all);
        let one = t.c(1, 32);
        let low = t.op(BinOp::And, h, one);
        let zero = t.c(0, 32);
        t.equal(low, zero);
        let doubled = t.op_const(BinOp::Mul, d, 2);
        let halved = t.op_const(BinOp::LShr, h, 1);
        let then = t.mul(doubled, halved);
        let broken = t.pool.ne(then, all);
        t.fact(broken);
    });
    case(cases, family, "stays below the bound", Unsat, |t| {
        let n = t.size(32, 0, 0x7fff_ffff);
        let i = t.within(32, 0, 0x7fff_ffff);
        t.less_signed(i, n);
        let next = t.plus(i, 1);
        let broken = t.pool.slt(n, next);
        t.fact(broken);
    });
    case(cases, family, "remains a power of two", Unsat, |t| {
        let i = t.within(32, 1, 1 << 20);
        let less = t.plus(i, -1);
        let both = t.op(BinOp::And, i, less);
        let zero = t.c(0, 32);
        t.equal(both, zero);
        let next = t.op_const(BinOp::LShr, i, 1);
        let less = t.plus(next, -1);
        let both = t.op(BinOp::And, next, less);
        let broken = t.pool.ne(both, zero);
        t.fact(broken);
    });
}
