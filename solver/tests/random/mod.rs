//! Random queries, by seed.

pub(crate) mod chains;
pub(crate) mod races;

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprPool, NoWrap, SymId, UnOp};
use heddle_solver::{Answer, Query};

/// A small generator with a fixed seed (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The seeds that `HEDDLE_SEEDS=first..last` asks for, or these.
pub(crate) fn seeds(otherwise: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let asked = std::env::var("HEDDLE_SEEDS").ok();
    let asked = asked.as_deref().and_then(|it| it.split_once(".."));
    match asked.and_then(|(lo, hi)| Some(lo.parse().ok()?..hi.parse().ok()?)) {
        Some(range) => range,
        None => otherwise,
    }
}

/// A random query.
pub(crate) struct Case {
    pub(crate) pool: ExprPool,
    /// Its leaves and their widths.
    pub(crate) leaves: Vec<(ExprId, u8)>,
    pub(crate) query: Query,
}

fn term(random: &mut Random, pool: &mut ExprPool, terms: &[ExprId], width: u8) -> ExprId {
    let fitting: Vec<ExprId> =
        terms.iter().copied().filter(|&it| pool.width(it) == width).collect();
    if fitting.is_empty() || random.below(8) == 0 {
        let value = if random.below(3) == 0 { random.next() } else { random.below(5) as u64 };
        return pool.constant(u128::from(value), width);
    }
    random.pick(&fitting)
}

fn grow(random: &mut Random, pool: &mut ExprPool, terms: &mut Vec<ExprId>, widths: &[u8]) {
    let width = random.pick(widths);
    let a = term(random, pool, terms, width);
    let b = term(random, pool, terms, width);
    let flags = match random.below(6) {
        0 => NoWrap::SIGNED,
        1 => NoWrap::UNSIGNED,
        2 => NoWrap::BOTH,
        _ => NoWrap::NONE,
    };
    let made = match random.below(12) {
        0 => pool.unary(random.pick(UnOp::ALL), a),
        1..=3 => {
            let op = random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul]);
            pool.binary_flagged(op, flags, a, b)
        }
        4..=6 => {
            let op = random.pick(BinOp::ALL);
            pool.binary_flagged(op, flags, a, b)
        }
        7 => pool.cmp(random.pick(CmpOp::ALL), a, b),
        8 => {
            let c = term(random, pool, terms, 1);
            pool.select(c, a, b)
        }
        9 | 10 => {
            let to = random.pick(widths);
            if to < width {
                pool.cast(CastOp::Trunc, a, to)
            } else {
                pool.cast(random.pick(&[CastOp::Zext, CastOp::Sext]), a, to)
            }
        }
        _ => {
            let inside = random.pick(&[a, b]);
            pool.pure("f", &[inside], width)
        }
    };
    terms.push(made);
}

/// Operators of all kinds in any order.
pub(crate) fn any(seed: u64, functions: bool) -> Case {
    let mut random = Random(seed);
    let mut pool = ExprPool::new();
    let widths = random.pick(&[&[3u8, 4][..], &[4, 6], &[1, 4], &[2, 5], &[4]]);
    let count = 1 + random.below(3);
    let mut leaves = Vec::new();
    let mut bits = 0;
    for at in 0..count {
        let width = random.pick(widths);
        bits += width;
        // Every value is tried.
        if bits > 12 {
            break;
        }
        leaves.push((pool.symbol(SymId::from_u32(at as u32), width), width));
    }
    let mut terms: Vec<ExprId> = leaves.iter().map(|(leaf, _)| *leaf).collect();
    for _ in 0..4 + random.below(14) {
        let before = terms.len();
        grow(&mut random, &mut pool, &mut terms, widths);
        let made = terms[before];
        if !functions && mentions_function(&pool, made) {
            terms.pop();
        }
    }
    let mut query = Query::default();
    for &(leaf, width) in &leaves {
        if random.below(2) == 0 {
            let lo = random.next() as u128 % (1 << width);
            let hi = lo + random.next() as u128 % ((1 << width) - lo);
            query.ranges.push((leaf, lo, hi));
        }
        if random.below(4) == 0 {
            query.small.push((leaf, [1u128, 2].as_slice().into()));
        }
    }
    for _ in 0..1 + random.below(4) {
        let width = random.pick(widths);
        let a = term(&mut random, &mut pool, &terms, width);
        let b = term(&mut random, &mut pool, &terms, width);
        let first = pool.cmp(random.pick(CmpOp::ALL), a, b);
        let fact = match random.below(4) {
            0 => pool.not(first),
            1 => {
                let c = term(&mut random, &mut pool, &terms, width);
                let second = pool.cmp(random.pick(CmpOp::ALL), a, c);
                pool.or(first, second)
            }
            _ => first,
        };
        query.facts.push(fact);
    }
    Case { pool, leaves, query }
}

fn mentions_function(pool: &ExprPool, root: ExprId) -> bool {
    let mut stack = vec![root];
    while let Some(expr) = stack.pop() {
        if matches!(pool[expr].kind, heddle_ir::ExprKind::Pure(..)) {
            return true;
        }
        pool.for_each_operand(expr, |operand| stack.push(operand));
    }
    false
}

fn render(pool: &ExprPool, expr: ExprId) -> String {
    let mut operands = Vec::new();
    pool.for_each_operand(expr, |operand| operands.push(render(pool, operand)));
    let text = format!("{:?}:{}", pool[expr].kind, pool.width(expr));
    if operands.is_empty() { text } else { format!("{text}[{}]", operands.join(", ")) }
}

/// The query and its answer, for a failure.
pub(crate) fn explain(seed: u64, case: &Case, answer: &Answer) -> String {
    let facts: Vec<String> =
        case.query.facts.iter().map(|&fact| render(&case.pool, fact)).collect();
    format!(
        "seed {seed}: {answer:?}\n{}\nranges {:?}, leaves {:?}",
        facts.join("\n"),
        case.query.ranges,
        case.leaves
    )
}
