//! Random race queries of small widths: the shapes that algebra reads, with everything that could
//! make its reading wrong: wrap-around, flags, conditional values, signs.

use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprPool, NoWrap, SymId};
use heddle_solver::Query;

use super::{Case, Random};

struct Builder {
    /// Widths and numbers as in real kernels, too large to try.
    real: bool,
    random: Random,
    pool: ExprPool,
    query: Query,
    leaves: Vec<(ExprId, u8)>,
}

/// Two threads with one or two coordinates, sizes, an index of the same shape in both, guards.
pub(crate) fn case(seed: u64) -> Case {
    build(seed, false)
}

/// The same at 32 and 64 bits, with the numbers of real kernels.
pub(crate) fn wide(seed: u64) -> Case {
    build(seed, true)
}

fn build(seed: u64, real: bool) -> Case {
    let mut b = Builder {
        real,
        random: Random(seed ^ 0x5eed),
        pool: ExprPool::new(),
        query: Query::default(),
        leaves: Vec::new(),
    };
    b.build();
    Case { pool: b.pool, leaves: b.leaves, query: b.query }
}

/// How an index is made from the coordinates of a thread and what both share.
#[derive(Clone, Copy)]
enum Step {
    /// `acc * constant`, `acc + constant`, `acc op constant`.
    Constant(BinOp, i128, NoWrap),
    /// The same with a coordinate, by number.
    Coordinate(BinOp, usize, NoWrap),
    /// The same with a shared size.
    Size(BinOp, NoWrap),
    /// `cond(acc) ? acc : coordinate`.
    Select(CmpOp, i128, usize),
    /// There and back through another width.
    Through(CastOp),
}

impl Builder {
    fn leaf(&mut self, width: u8, lo: u128, hi: u128) -> ExprId {
        let leaf = self.pool.symbol(SymId::from_u32(self.leaves.len() as u32), width);
        self.leaves.push((leaf, width));
        self.query.ranges.push((leaf, lo, hi));
        leaf
    }

    fn flags(&mut self) -> NoWrap {
        self.random.pick(&[NoWrap::NONE, NoWrap::NONE, NoWrap::SIGNED, NoWrap::UNSIGNED])
    }

    fn number(&mut self) -> i128 {
        if self.real && self.random.below(2) == 0 {
            return self.random.pick(&[8, 16, 31, 32, 33, 64, 100, 256, 1024]);
        }
        self.random.below(9) as i128 - 2
    }

    fn step(&mut self, coordinates: usize) -> Step {
        let arithmetic = [BinOp::Add, BinOp::Sub, BinOp::Mul];
        let digits = [BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem, BinOp::And];
        let others = [
            BinOp::Xor,
            BinOp::Or,
            BinOp::LShr,
            BinOp::AShr,
            BinOp::Shl,
            BinOp::UMin,
            BinOp::SMax,
            BinOp::UMax,
            BinOp::SMin,
        ];
        let small = self.number();
        let at = self.random.below(coordinates);
        let flags = self.flags();
        match self.random.below(12) {
            0..=2 => Step::Constant(self.random.pick(&arithmetic), small, flags),
            3..=5 => Step::Coordinate(self.random.pick(&arithmetic), at, flags),
            6 => Step::Size(self.random.pick(&arithmetic), flags),
            7 => Step::Constant(self.random.pick(&digits), small, NoWrap::NONE),
            8 => Step::Size(self.random.pick(&digits), NoWrap::NONE),
            9 => Step::Constant(self.random.pick(&others), small, NoWrap::NONE),
            10 => Step::Select(self.random.pick(CmpOp::ALL), small, at),
            _ => Step::Through(self.random.pick(&[CastOp::Zext, CastOp::Sext])),
        }
    }

    fn apply(&mut self, step: Step, acc: ExprId, own: &[ExprId], size: ExprId) -> ExprId {
        let width = self.pool.width(acc);
        match step {
            Step::Constant(op, value, flags) => {
                let value = self.pool.signed(value, width);
                self.pool.binary_flagged(op, flags, acc, value)
            }
            Step::Coordinate(op, at, flags) => self.pool.binary_flagged(op, flags, acc, own[at]),
            Step::Size(op, flags) => self.pool.binary_flagged(op, flags, acc, size),
            Step::Select(op, value, at) => {
                let value = self.pool.signed(value, width);
                let condition = self.pool.cmp(op, acc, value);
                self.pool.select(condition, acc, own[at])
            }
            Step::Through(op) => {
                let narrow = self.pool.cast(CastOp::Trunc, acc, width - 1);
                self.pool.cast(op, narrow, width)
            }
        }
    }

    fn build(&mut self) {
        if self.real {
            return self.build_real();
        }
        let width = self.random.pick(&[4u8, 5]);
        let most = (1u128 << width) - 1;
        let count = 1 + self.random.below(2);
        // Two threads of up to two coordinates and a size: at most twelve bits to try.
        let reach = if count == 1 { 4 } else { 2 };
        let shared_width = if count == 1 { width } else { 3 };
        let top = most.min((1 << reach) - 1);
        let mut own = [Vec::new(), Vec::new()];
        for _ in 0..count {
            let hi = 1 + self.random.next() as u128 % top;
            for thread in &mut own {
                thread.push(self.leaf(width, 0, hi));
            }
        }
        let lo = self.random.below(3) as u128;
        let hi = lo + self.random.next() as u128 % ((1 << shared_width) - lo);
        let size = self.leaf(width, lo, hi.min(most));
        if self.random.below(2) == 0 {
            self.query.small.push((size, [lo].as_slice().into()));
        }
        self.finish(&own, size);
    }

    fn build_real(&mut self) {
        let count = 1 + self.random.below(2);
        let mut own = [Vec::new(), Vec::new()];
        for _ in 0..count {
            let hi = self.random.pick(&[15u128, 31, 255, 1023, 65535, 0xffff_ffff]);
            for thread in &mut own {
                thread.push(self.leaf(32, 0, hi));
            }
        }
        let hi = self.random.pick(&[32u128, 1024, 1 << 20, 0xffff_ffff]);
        let lo = self.random.below(2) as u128;
        let size = self.leaf(32, lo, hi);
        self.finish(&own, size);
    }

    fn finish(&mut self, own: &[Vec<ExprId>; 2], size: ExprId) {
        let count = own[0].len();
        let steps: Vec<Step> = {
            let length = 1 + self.random.below(5);
            (0..length).map(|_| self.step(count)).collect()
        };
        let mut index = [own[0][0], own[1][0]];
        for (thread, index) in index.iter_mut().enumerate() {
            // Now and then the second thread goes another way.
            let length = if thread == 1 && self.random.below(4) == 0 { 1 } else { steps.len() };
            for &step in &steps[..length] {
                *index = self.apply(step, *index, &own[thread], size);
            }
        }
        let mut same = self.pool.truth();
        for (&one, &two) in own[0].iter().zip(&own[1]) {
            let equal = self.pool.eq(one, two);
            same = self.pool.and(same, equal);
        }
        let differ = self.pool.not(same);
        self.query.facts.push(differ);
        self.guards(own, &index, size);
        self.meet(index);
    }

    fn guards(&mut self, own: &[Vec<ExprId>; 2], index: &[ExprId; 2], size: ExprId) {
        let op = self.random.pick(CmpOp::ALL);
        let what = self.random.below(4);
        let small = self.random.below(5) as i128;
        for thread in [0, 1] {
            let subject = match what {
                0 => return,
                1 => index[thread],
                _ => own[thread][own[thread].len() - 1],
            };
            let limit =
                if what == 3 { self.pool.signed(small, self.pool.width(subject)) } else { size };
            let fact = self.pool.cmp(op, subject, limit);
            self.query.facts.push(fact);
        }
    }

    fn meet(&mut self, index: [ExprId; 2]) {
        let wide = if self.real { 64 } else { self.random.pick(&[8u8, 9]) };
        let cast = self.random.pick(&[CastOp::Zext, CastOp::Sext]);
        let element = self.random.pick(&[1i128, 2, 3, 4]);
        let bytes = [element, self.random.pick(&[1, element, 2 * element])];
        let offsets = index.map(|index| {
            let wide_index = self.pool.cast(cast, index, wide);
            let element = self.pool.signed(element, wide);
            self.pool.mul(wide_index, element)
        });
        if self.random.below(2) == 0 {
            let apart = self.pool.sub(offsets[0], offsets[1]);
            let before = self.pool.signed(bytes[0] - 1, wide);
            let shifted = self.pool.add(apart, before);
            let reach = self.pool.signed(bytes[0] + bytes[1] - 1, wide);
            let fact = self.pool.ult(shifted, reach);
            self.query.facts.push(fact);
            return;
        }
        for (a, b, size) in [(0, 1, bytes[1]), (1, 0, bytes[0])] {
            let size = self.pool.signed(size, wide);
            let end = self.pool.add(offsets[b], size);
            let fact = self.pool.ult(offsets[a], end);
            self.query.facts.push(fact);
        }
    }
}
