//! What the builder rewrites: random expressions, built with every rewrite and computed without
//! any, are equal for each value of their leaves; and no rewrite invents a no-wrap flag.
//!
//! Narrow leaves take every value, wide ones those at the edges. Both sides compute with
//! `fold_binary` and its sisters, which `frontend/tests/fold` compares with LLVM.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, ExprPool, NoWrap, UnOp, flags_hold, fold_binary,
    fold_cast, fold_cmp, fold_unary, mask,
};

/// A small deterministic generator (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A node as it was asked for; operands are places in the list of all nodes.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Leaf(usize),
    Const(u128),
    Unary(UnOp, usize),
    Binary(BinOp, NoWrap, usize, usize),
    Cmp(CmpOp, usize, usize),
    Select(usize, usize, usize),
    Cast(CastOp, usize),
}

/// A node as it was asked for, and what the builder made of it.
struct Node {
    asked: Asked,
    width: u8,
    built: ExprId,
}

/// Widths of which the leaves take every value, and others.
const NARROW: [u8; 3] = [1, 2, 3];
const WIDE: [&[u8]; 4] = [&[1, 32, 64], &[1, 8, 128], &[1, 64, 128], &[1, 33, 127]];

struct Make {
    random: Random,
    pool: ExprPool,
    nodes: Vec<Node>,
}

impl Make {
    fn push(&mut self, asked: Asked, width: u8, built: ExprId) {
        assert_eq!(self.pool.width(built), width, "{asked:?}");
        self.nodes.push(Node { asked, width, built });
    }

    /// A node of that width, preferably a late one; a constant where there is none, and now and
    /// then.
    fn operand(&mut self, width: u8) -> usize {
        let fitting: Vec<usize> =
            (0..self.nodes.len()).filter(|&at| self.nodes[at].width == width).collect();
        if fitting.is_empty() || self.random.below(4) == 0 {
            let edges = edges(width);
            let value = self.random.pick(&edges);
            let built = self.pool.constant(value, width);
            self.push(Asked::Const(value), width, built);
            return self.nodes.len() - 1;
        }
        let late = fitting.len().saturating_sub(4);
        fitting[late.min(self.random.below(fitting.len()))..]
            .get(self.random.below(2))
            .copied()
            .unwrap_or(fitting[0])
    }

    fn grow(&mut self, widths: &[u8]) {
        let width = self.random.pick(widths);
        let (a, b) = (self.operand(width), self.operand(width));
        let (x, y) = (self.nodes[a].built, self.nodes[b].built);
        let flags =
            self.random.pick(&[NoWrap::NONE, NoWrap::SIGNED, NoWrap::UNSIGNED, NoWrap::BOTH]);
        match self.random.below(10) {
            0 => {
                let op = self.random.pick(UnOp::ALL);
                let built = self.pool.unary(op, x);
                self.push(Asked::Unary(op, a), width, built);
            }
            // Constants that are added one after the other are merged.
            1 => {
                let sum = |node: &Node| matches!(node.asked, Asked::Binary(BinOp::Add, ..));
                let Some(a) = self.nodes.iter().rposition(sum) else { return };
                let (x, width) = (self.nodes[a].built, self.nodes[a].width);
                let value = self.random.pick(&edges(width));
                let constant = self.pool.constant(value, width);
                self.push(Asked::Const(value), width, constant);
                let built = self.pool.binary_flagged(BinOp::Add, flags, x, constant);
                self.push(Asked::Binary(BinOp::Add, flags, a, self.nodes.len() - 1), width, built);
            }
            2 => {
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Shl]);
                let built = self.pool.binary_flagged(op, flags, x, y);
                self.push(Asked::Binary(op, flags, a, b), width, built);
            }
            3..=5 => {
                let op = self.random.pick(BinOp::ALL);
                // `or` knows more than `binary`.
                let built = match op {
                    BinOp::Or => self.pool.or(x, y),
                    _ => self.pool.binary(op, x, y),
                };
                self.push(Asked::Binary(op, NoWrap::NONE, a, b), width, built);
            }
            6..=7 => {
                let op = self.random.pick(CmpOp::ALL);
                let built = self.pool.cmp(op, x, y);
                self.push(Asked::Cmp(op, a, b), 1, built);
            }
            8 => {
                let c = self.operand(1);
                let built = self.pool.select(self.nodes[c].built, x, y);
                self.push(Asked::Select(c, a, b), width, built);
            }
            _ => {
                let to = self.random.pick(widths);
                let op = match to.cmp(&width) {
                    std::cmp::Ordering::Less => CastOp::Trunc,
                    std::cmp::Ordering::Equal => return,
                    std::cmp::Ordering::Greater => self.random.pick(&[CastOp::Zext, CastOp::Sext]),
                };
                let built = self.pool.cast(op, x, to);
                self.push(Asked::Cast(op, a), to, built);
            }
        }
    }
}

/// The values at the edges of a width.
fn edges(width: u8) -> Vec<u128> {
    let least = 1u128 << (width - 1);
    let mut values = vec![0, 1, 2, u128::from(width), least - 1, least, least + 1];
    values.extend([u128::MAX, u128::MAX - 1, u128::MAX / 5]);
    values.iter_mut().for_each(|value| *value = mask(*value, width));
    values.sort_unstable();
    values.dedup();
    values
}

/// Each node's value without any rewrite, and whether all flags up to it hold.
fn naive(nodes: &[Node], leaves: &[u128]) -> Vec<(u128, bool)> {
    let mut values: Vec<(u128, bool)> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let width = |at: usize| nodes[at].width;
        let made = match node.asked {
            Asked::Leaf(n) => (leaves[n], true),
            Asked::Const(value) => (value, true),
            Asked::Unary(op, a) => (fold_unary(op, values[a].0, width(a)), values[a].1),
            Asked::Binary(op, flags, a, b) => {
                let ((x, clean_x), (y, clean_y)) = (values[a], values[b]);
                let holds = flags_hold(op, flags, x, y, width(a));
                (fold_binary(op, x, y, width(a)), clean_x && clean_y && holds)
            }
            Asked::Cmp(op, a, b) => {
                let truth = fold_cmp(op, values[a].0, values[b].0, width(a));
                (u128::from(truth), values[a].1 && values[b].1)
            }
            Asked::Select(c, a, b) => {
                let picked = if values[c].0 != 0 { values[a].0 } else { values[b].0 };
                (picked, values[c].1 && values[a].1 && values[b].1)
            }
            Asked::Cast(op, a) => (fold_cast(op, values[a].0, width(a), node.width), values[a].1),
        };
        values.push(made);
    }
    values
}

/// The value of what the builder made, and whether all flags in it hold.
fn built(pool: &ExprPool, id: ExprId, leaves: &[u128]) -> (u128, bool) {
    let of = |id: ExprId| built(pool, id, leaves);
    let width = pool.width(id);
    match &pool[id].kind {
        ExprKind::Const(value) => (*value, true),
        ExprKind::Param(n) => (leaves[*n as usize], true),
        ExprKind::Unary(op, a) => (fold_unary(*op, of(*a).0, width), of(*a).1),
        ExprKind::Binary(op, flags, a, b) => {
            let ((x, clean_x), (y, clean_y)) = (of(*a), of(*b));
            let holds = flags_hold(*op, *flags, x, y, width);
            (fold_binary(*op, x, y, width), clean_x && clean_y && holds)
        }
        ExprKind::Cmp(op, a, b) => {
            let ((x, clean_x), (y, clean_y)) = (of(*a), of(*b));
            (u128::from(fold_cmp(*op, x, y, pool.width(*a))), clean_x && clean_y)
        }
        ExprKind::Select(c, a, b) => {
            let ((c, clean_c), (x, clean_x), (y, clean_y)) = (of(*c), of(*a), of(*b));
            (if c != 0 { x } else { y }, clean_c && clean_x && clean_y)
        }
        ExprKind::Cast(op, a) => (fold_cast(*op, of(*a).0, pool.width(*a), width), of(*a).1),
        other @ (ExprKind::Special(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Pure(..)) => panic!("the builder made {other:?} of operators"),
    }
}

/// All lists of one value for each leaf.
fn assignments(leaves: &[u8]) -> Vec<Vec<u128>> {
    let mut lists = vec![Vec::new()];
    for &width in leaves {
        let values = if width <= 3 { (0..1 << width).collect() } else { edges(width) };
        lists = lists
            .iter()
            .flat_map(|list: &Vec<u128>| {
                values.iter().map(|&value| [list.as_slice(), &[value]].concat())
            })
            .collect();
    }
    lists
}

/// Compares the nodes drawn for each seed. Gives how many values were compared, and how many nodes
/// were rewritten.
fn compare(seeds: std::ops::Range<u64>, leaves: &[u8], widths: &[u8]) -> (usize, usize) {
    let (mut compared, mut rewritten) = (0, 0);
    let assignments = assignments(leaves);
    for seed in seeds {
        let mut make = Make {
            random: Random(seed.wrapping_mul(0xff51_afd7_ed55_8ccd)),
            pool: ExprPool::new(),
            nodes: Vec::new(),
        };
        for (n, &width) in leaves.iter().enumerate() {
            let leaf = make.pool.param(n as u32, width);
            make.push(Asked::Leaf(n), width, leaf);
        }
        while make.nodes.len() < 14 {
            make.grow(widths);
        }
        rewritten += make.nodes.len().saturating_sub(make.pool.len());
        for leaves in &assignments {
            let naive = naive(&make.nodes, leaves);
            for (at, (node, (value, clean))) in make.nodes.iter().zip(naive).enumerate() {
                let (found, holds) = built(&make.pool, node.built, leaves);
                if found != value || (clean && !holds) {
                    let what = if found == value { "a flag from nowhere" } else { "another value" };
                    let asked: Vec<_> =
                        make.nodes[..=at].iter().map(|it| (it.asked, it.width)).collect();
                    panic!(
                        "{what}: seed {seed}, leaves {leaves:x?}: {found:x}, not {value:x}: {asked:x?}"
                    );
                }
                compared += 1;
            }
        }
    }
    (compared, rewritten)
}

#[test]
fn rewrites_keep_every_value_of_narrow_leaves() {
    let (compared, rewritten) = compare(0..2_000, &[1, 2, 2, 3], &NARROW);
    assert!(compared > 500_000 && rewritten > 1_000, "{compared} compared, {rewritten} rewritten");
}

#[test]
fn rewrites_keep_the_values_at_the_edges_of_wide_leaves() {
    for widths in WIDE {
        let leaves = [widths[0], widths[1], widths[2], widths[2]];
        let (compared, rewritten) = compare(0..800, &leaves, widths);
        assert!(
            compared > 100_000 && rewritten > 100,
            "{compared} compared, {rewritten} rewritten"
        );
    }
}

/// `x % n + (x / n) * n`, with another addend in between, and widened: each value of `x` and `n`.
#[test]
fn a_quotient_and_its_rest_are_what_was_divided() {
    let divisions = [(BinOp::UDiv, BinOp::URem), (BinOp::SDiv, BinOp::SRem)];
    let (mut rejoined, mut kept) = (0, 0);
    for (width, (div, rem), widen, swap) in [1u8, 2, 3, 4, 5].iter().flat_map(|&width| {
        let ways =
            [(None, false), (None, true), (Some(CastOp::Zext), false), (Some(CastOp::Sext), true)];
        divisions.iter().flat_map(move |it| ways.map(|(widen, swap)| (width, *it, widen, swap)))
    }) {
        let mut pool = ExprPool::new();
        let (x, n, other) = (pool.param(0, width), pool.param(1, width), pool.param(2, width));
        let to = if widen.is_some() { 2 * width } else { width };
        let wide = |pool: &mut ExprPool, it| widen.map_or(it, |cast| pool.cast(cast, it, to));
        let (rest, quotient) = (pool.binary(rem, x, n), pool.binary(div, x, n));
        let [rest, quotient, by, addend] = [rest, quotient, n, other].map(|it| wide(&mut pool, it));
        let product = pool.mul(quotient, by);
        let sum = match swap {
            false => pool.add(addend, rest),
            true => pool.add(product, addend),
        };
        let sum = if swap { pool.add(rest, sum) } else { pool.add(sum, product) };
        let mut divides = false;
        pool.for_each_below(sum, |it| {
            divides |= matches!(pool[it].kind, ExprKind::Binary(op, ..) if op == div)
        });
        if divides {
            kept += 1
        } else {
            rejoined += 1
        }
        for value in 0..1u128 << (3 * width) {
            let part = |n: u8| (value >> (n * width)) & mask(u128::MAX, width);
            let leaves = [part(0), part(1), part(2)];
            let [x, n, addend] = leaves;
            let (rest, quotient) = (fold_binary(rem, x, n, width), fold_binary(div, x, n, width));
            let wide = |it| widen.map_or(it, |cast| fold_cast(cast, it, width, to));
            let product = fold_binary(BinOp::Mul, wide(quotient), wide(n), to);
            let all = wide(rest) + product + wide(addend);
            assert_eq!(
                built(&pool, sum, &leaves).0,
                mask(all, to),
                "{width} {div} {widen:?} {leaves:?}"
            );
        }
    }
    assert_eq!((rejoined, kept), (25, 15), "rejoined, and left apart");
}
