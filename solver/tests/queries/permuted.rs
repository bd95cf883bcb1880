//! Bitonic partners and swizzles: exclusive or on indices.

use heddle_ir::{BinOp, CmpOp, UnOp};

use super::builder::{Case, Expected::*, case};

pub(crate) fn cases(cases: &mut Vec<Case>) {
    bitonic(cases);
    swizzles(cases);
}

fn bitonic(cases: &mut Vec<Case>) {
    let family = "bitonic partner";
    for (j, width) in [(1, 32), (16, 32), (512, 32)] {
        case(cases, family, format!("partner {j}, lower thread swaps"), Unsat, |t| {
            let x = t.ids(width, 1024);
            t.differ(&[x]);
            let partner = x.map(|x| t.op_const(BinOp::Xor, x, j));
            t.less(x[0], partner[0]);
            t.less(x[1], partner[1]);
            t.collide([x[0], partner[1]], 4);
        });
    }
    case(cases, family, "symbolic partner, lower thread swaps", Unsat, |t| {
        let j = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let partner = x.map(|x| t.op(BinOp::Xor, x, j));
        t.less(x[0], partner[0]);
        t.less(x[1], partner[1]);
        t.collide([x[0], partner[1]], 4);
    });
    case(cases, family, "symbolic partner, both upper cells", Unsat, |t| {
        let j = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let partner = x.map(|x| t.op(BinOp::Xor, x, j));
        t.collide(partner, 4);
    });
    case(cases, family, "symbolic partner, no guard", Sat, |t| {
        let j = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let partner = t.op(BinOp::Xor, x[1], j);
        t.collide([x[0], partner], 4);
    });
    case(cases, family, "signed comparison of partners", Unsat, |t| {
        let j = t.within(32, 1, 512);
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let partner = x.map(|x| t.op(BinOp::Xor, x, j));
        for k in [0, 1] {
            let fact = t.pool.cmp(CmpOp::Slt, x[k], partner[k]);
            t.fact(fact);
        }
        t.collide([partner[0], x[1]], 4);
    });
    case(cases, family, "two stages without a barrier", Sat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let first = t.op_const(BinOp::Xor, x[0], 2);
        let second = t.op_const(BinOp::Xor, x[1], 1);
        t.less(x[0], first);
        t.less(x[1], second);
        t.collide([first, second], 4);
    });
    case(cases, family, "global index of blocks", Unsat, |t| {
        let j = t.within(32, 1, 128);
        let (x, b) = (t.ids(32, 256), t.ids(32, 1 << 16));
        t.differ(&[x, b]);
        let index = [0, 1].map(|k| t.mad(b[k], 256, x[k]));
        let partner = index.map(|i| t.op(BinOp::Xor, i, j));
        t.less(index[0], partner[0]);
        t.less(index[1], partner[1]);
        t.collide([index[0], partner[1]], 4);
    });
    case(cases, family, "butterfly: i + j with bit j clear", Unsat, |t| {
        // i = 2 j (t / j) + t % j, partner i + j.
        let (x, j) = (t.ids(32, 512), 8);
        t.differ(&[x]);
        let index = x.map(|x| {
            let high = t.op_const(BinOp::LShr, x, 3);
            let low = t.op_const(BinOp::And, x, j - 1);
            t.mad(high, 2 * j, low)
        });
        let far = t.plus(index[1], j);
        t.collide([index[0], far], 4);
    });
}

fn swizzles(cases: &mut Vec<Case>) {
    let family = "swizzles";
    case(cases, family, "column xor row", Unsat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 32));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let column = t.op(BinOp::Xor, x[k], y[k]);
            t.mad(y[k], 32, column)
        });
        t.collide(index, 4);
    });
    case(cases, family, "column xor row, written by rows, read by columns", Sat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 32));
        t.differ(&[x, y]);
        let by_row = {
            let column = t.op(BinOp::Xor, x[0], y[0]);
            t.mad(y[0], 32, column)
        };
        let by_column = {
            let column = t.op(BinOp::Xor, y[1], x[1]);
            t.mad(x[1], 32, column)
        };
        t.collide([by_row, by_column], 4);
    });
    case(cases, family, "16-byte chunks xor row modulo 8", Unsat, |t| {
        let (chunk, row) = (t.ids(32, 8), t.ids(32, 64));
        t.differ(&[chunk, row]);
        let index = [0, 1].map(|k| {
            let low = t.op_const(BinOp::And, row[k], 7);
            let mixed = t.op(BinOp::Xor, chunk[k], low);
            t.mad(row[k], 8, mixed)
        });
        t.collide(index, 16);
    });
    case(cases, family, "chunks xor row, rows too short", Sat, |t| {
        let (chunk, row) = (t.ids(32, 8), t.ids(32, 64));
        t.differ(&[chunk, row]);
        let index = [0, 1].map(|k| {
            let low = t.op_const(BinOp::And, row[k], 7);
            let mixed = t.op(BinOp::Xor, chunk[k], low);
            t.mad(row[k], 7, mixed)
        });
        t.collide(index, 16);
    });
    case(cases, family, "rotated columns", Unsat, |t| {
        let (x, y) = (t.ids(32, 32), t.ids(32, 32));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let sum = t.add(x[k], y[k]);
            let column = t.op_const(BinOp::And, sum, 31);
            t.mad(y[k], 32, column)
        });
        t.collide(index, 4);
    });
    case(cases, family, "rotated columns, not a power of two", Unsat, |t| {
        let (x, y) = (t.ids(32, 24), t.ids(32, 24));
        t.differ(&[x, y]);
        let index = [0, 1].map(|k| {
            let sum = t.add(x[k], y[k]);
            let column = t.op_const(BinOp::URem, sum, 24);
            t.mad(y[k], 24, column)
        });
        t.collide(index, 4);
    });
    case(cases, family, "odd multiple modulo a power of two", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let mixed = t.op_const(BinOp::Mul, x, 37);
            t.op_const(BinOp::And, mixed, 1023)
        });
        t.collide(index, 4);
    });
    case(cases, family, "even multiple modulo a power of two", Sat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let mixed = t.op_const(BinOp::Mul, x, 38);
            t.op_const(BinOp::And, mixed, 1023)
        });
        t.collide(index, 4);
    });
    case(cases, family, "bit reversal", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let turned = t.pool.unary(UnOp::Bitreverse, x);
            t.op_const(BinOp::LShr, turned, 22)
        });
        t.collide(index, 4);
    });
    case(cases, family, "gray code", Unsat, |t| {
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| {
            let half = t.op_const(BinOp::LShr, x, 1);
            t.op(BinOp::Xor, x, half)
        });
        t.collide(index, 4);
    });
}
