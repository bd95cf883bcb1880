//! Index splits by division and remainder, powers of two and others.

use heddle_ir::{BinOp, CastOp};

use super::builder::{Case, Expected::*, case};

pub(crate) fn cases(cases: &mut Vec<Case>) {
    let family = "div/mod splits";
    for d in [2, 3, 5, 7, 12, 16, 33] {
        case(cases, family, format!("rows of {d}, same pitch"), Unsat, |t| {
            let x = t.ids(32, 1024);
            t.differ(&[x]);
            let index = x.map(|x| {
                let row = t.op_const(BinOp::UDiv, x, d);
                let col = t.op_const(BinOp::URem, x, d);
                t.mad(row, d, col)
            });
            t.collide(index, 4);
        });
    }
    for d in [3, 5, 8] {
        case(cases, family, format!("rows of {d}, padded pitch"), Unsat, |t| {
            let x = t.ids(32, 1024);
            t.differ(&[x]);
            let index = x.map(|x| {
                let row = t.op_const(BinOp::UDiv, x, d);
                let col = t.op_const(BinOp::URem, x, d);
                t.mad(row, d + 1, col)
            });
            t.collide(index, 4);
        });
        case(cases, family, format!("rows of {d}, pitch one short"), Sat, |t| {
            let x = t.ids(32, 1024);
            t.differ(&[x]);
            let index = x.map(|x| {
                let row = t.op_const(BinOp::UDiv, x, d);
                let col = t.op_const(BinOp::URem, x, d);
                t.mad(row, d - 1, col)
            });
            t.collide(index, 4);
        });
    }
    case(cases, family, "quotient only", Sat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| t.op_const(BinOp::UDiv, x, 3));
        t.collide(index, 4);
    });
    case(cases, family, "quotient only, by the first of each group", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let zero = t.c(0, 32);
        let index = x.map(|x| {
            let rest = t.op_const(BinOp::URem, x, 3);
            t.equal(rest, zero);
            t.op_const(BinOp::UDiv, x, 3)
        });
        t.collide(index, 4);
    });
    case(cases, family, "signed division of an id", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let row = t.op_const(BinOp::SDiv, x, 5);
            let col = t.op_const(BinOp::SRem, x, 5);
            t.mad(col, 205, row)
        });
        t.collide(index, 4);
    });
    case(cases, family, "transposed digits, too short", Sat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let row = t.op_const(BinOp::UDiv, x, 5);
            let col = t.op_const(BinOp::URem, x, 5);
            t.mad(col, 204, row)
        });
        t.collide(index, 4);
    });
    case(cases, family, "warp and lane", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let warp = t.op_const(BinOp::LShr, x, 5);
            let lane = t.op_const(BinOp::And, x, 31);
            t.mad(warp, 33, lane)
        });
        t.collide(index, 4);
    });
    case(cases, family, "one slot per warp, by lane 0", Unsat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let zero = t.c(0, 32);
        let index = x.map(|x| {
            let lane = t.op_const(BinOp::And, x, 31);
            t.equal(lane, zero);
            t.op_const(BinOp::LShr, x, 5)
        });
        t.collide(index, 4);
    });
    case(cases, family, "one slot per warp, by lane 0 or 1", Sat, |t| {
        let x = t.ids(32, 1024);
        t.differ(&[x]);
        let index = x.map(|x| {
            let lane = t.op_const(BinOp::And, x, 31);
            let two = t.c(2, 32);
            t.less(lane, two);
            t.op_const(BinOp::LShr, x, 5)
        });
        t.collide(index, 4);
    });
    case(cases, family, "symbolic divisor, same pitch", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let x = t.ids(32, 1 << 20);
        t.differ(&[x]);
        let index = x.map(|x| {
            let row = t.op(BinOp::UDiv, x, n);
            let col = t.op(BinOp::URem, x, n);
            let start = t.mul(row, n);
            t.add(start, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "symbolic divisor, padded pitch", Unsat, |t| {
        let n = t.size(32, 1, 1024);
        let x = t.ids(32, 1 << 20);
        t.differ(&[x]);
        let pitch = t.plus(n, 1);
        let index = x.map(|x| {
            let row = t.op(BinOp::UDiv, x, n);
            let col = t.op(BinOp::URem, x, n);
            let start = t.mul(row, pitch);
            t.add(start, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "remainder by a symbolic size", Sat, |t| {
        let n = t.size(32, 1, 1024);
        let x = t.ids(32, 1 << 20);
        t.differ(&[x]);
        let index = x.map(|x| t.op(BinOp::URem, x, n));
        t.collide(index, 4);
    });
    case(cases, family, "three digits, 64-bit", Unsat, |t| {
        let x = t.ids(64, 1 << 30);
        t.differ(&[x]);
        let index = x.map(|x| {
            let c = t.op_const(BinOp::URem, x, 3);
            let rest = t.op_const(BinOp::UDiv, x, 3);
            let b = t.op_const(BinOp::URem, rest, 5);
            let a = t.op_const(BinOp::UDiv, rest, 5);
            let middle = t.mad(a, 8, b);
            t.mad(middle, 4, c)
        });
        t.collide(index, 4);
    });
    case(cases, family, "offset before the split", Unsat, |t| {
        let b = t.within(32, 0, 1 << 12);
        let x = t.ids(32, 256);
        t.differ(&[x]);
        let index = x.map(|x| {
            let id = t.mad(b, 256, x);
            let row = t.op_const(BinOp::UDiv, id, 12);
            let col = t.op_const(BinOp::URem, id, 12);
            t.mad(row, 16, col)
        });
        t.collide(index, 4);
    });
    case(cases, family, "quotient of a widened id", Unsat, |t| {
        let x = t.ids(32, 1 << 30);
        t.differ(&[x]);
        let index = x.map(|x| {
            let wide = t.pool.cast(CastOp::Zext, x, 64);
            let row = t.op_const(BinOp::UDiv, wide, 10);
            let col = t.op_const(BinOp::URem, wide, 10);
            t.mad(row, 11, col)
        });
        t.collide(index, 4);
    });
}
