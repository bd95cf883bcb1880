//! Values that recur: what an expression of a loop is in each iteration, as a list that begins
//! anew.
//!
//! **What**: [`Sequences::of`] gives the values of an expression in iterations 0, 1, …, for one
//! period; in iteration `k` it has the value at `k` modulo the length of the list.
//! **Method**: a period is read off the form of the expression, and the values are computed for
//! iterations with a constant number. Remainders and low bits of quotients of a counter recur;
//! variables that are made of each other and of constants are followed until they are again what
//! they were first; all else recurs where its operands do.
//! **Sound because**: a value that is computed from values that recur with periods `p` and `q`
//! recurs with their common multiple, and variables that depend on nothing else go the same way
//! from the same values. Counters count only where the sum cannot leave the range of the operator
//! that looks at it.
//! **Misses**: periods above [`LONGEST`], first values that are not constant, variables that depend
//! on a counter.
//! **Assumes**: loops run fewer than 2^31 iterations.

use heddle_ir::{BinOp, CastOp, ExprId, ExprKind, LoopId, UnOp, VarId};
use rustc_hash::FxHashSet;

use crate::engine::instance::{Instance, Placement, WrapAround};
use crate::facts::analysis::Analysis;
use crate::facts::evolution::{Evolution, rotation};
use crate::facts::thread::Thread;

/// The longest period that is followed.
pub(super) const LONGEST: u64 = 64;

/// Parts of an expression that are looked at for a period; what is used twice counts twice.
const MOST_PARTS: u32 = 2_000;

/// Values of expressions in the iterations of loops that stand in no other.
pub(super) struct Sequences<'a> {
    analysis: &'a Analysis<'a>,
    instance: Instance<'a>,
    /// Parts that may still be looked at.
    left: u32,
}

impl<'a> Sequences<'a> {
    pub(super) fn new(analysis: &'a Analysis<'a>) -> Sequences<'a> {
        let instance = Instance::new(analysis, Placement::SameBlock, WrapAround::Happens);
        Sequences { analysis, instance, left: MOST_PARTS }
    }

    /// The values for one period; one value outside loops.
    pub(super) fn of(&mut self, expr: ExprId, of: Option<LoopId>) -> Option<Vec<u128>> {
        self.left = MOST_PARTS;
        let period = match of {
            Some(of) => self.period(expr, of, 0)?,
            None => 1,
        };
        (0..period).map(|k| self.at(expr, of, k)).collect()
    }

    /// The values of an expression that stands after a loop, for one period of the iteration in
    /// which the loop is left.
    pub(super) fn after(&mut self, expr: ExprId, of: LoopId) -> Option<Vec<u128>> {
        self.left = MOST_PARTS;
        let mut period = 1;
        for value in self.left_behind(expr, of)? {
            period = common(period, self.period(value, of, 0)?)?;
        }
        (0..period).map(|k| self.at_end(expr, of, k, 0)).collect()
    }

    /// What a loop leaves behind in an expression after it, which depends on nothing else.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is not computed")]
    fn left_behind(&self, expr: ExprId, of: LoopId) -> Option<Vec<ExprId>> {
        let kernel = self.analysis.kernel;
        let (mut values, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![expr]);
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match kernel[id].kind {
                ExprKind::Exit(it, value) if it == of => values.push(value),
                _ if is_computed(&kernel[id].kind) => {
                    kernel.exprs.for_each_operand(id, |it| work.push(it));
                }
                _ => return None,
            }
        }
        Some(values)
    }

    /// The value of such an expression where the loop is left in one iteration.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is not computed")]
    fn at_end(&mut self, expr: ExprId, of: LoopId, k: u64, depth: u32) -> Option<u128> {
        if depth > 32 {
            return None;
        }
        let kernel = self.analysis.kernel;
        let width = kernel.exprs.width(expr);
        let operand = |this: &mut Self, id: ExprId| {
            let value = this.at_end(id, of, k, depth + 1)?;
            let width = kernel.exprs.width(id);
            Some(this.instance.pool.constant(value, width))
        };
        let value = match kernel[expr].kind {
            ExprKind::Const(value) => return Some(value),
            ExprKind::Exit(it, value) if it == of => return self.at(value, Some(of), k),
            ExprKind::Unary(op, a) => {
                let a = operand(self, a)?;
                self.instance.pool.unary(op, a)
            }
            ExprKind::Binary(op, _, a, b) => {
                let (a, b) = (operand(self, a)?, operand(self, b)?);
                self.instance.pool.binary(op, a, b)
            }
            ExprKind::Cmp(op, a, b) => {
                let (a, b) = (operand(self, a)?, operand(self, b)?);
                self.instance.pool.cmp(op, a, b)
            }
            ExprKind::Select(c, a, b) => {
                let c = operand(self, c)?;
                let (a, b) = (operand(self, a)?, operand(self, b)?);
                self.instance.pool.select(c, a, b)
            }
            ExprKind::Cast(op, a) => {
                let a = operand(self, a)?;
                self.instance.pool.cast(op, a, width)
            }
            _ => return None,
        };
        self.instance.pool.as_const(value)
    }

    /// The value in one iteration, where it is constant.
    pub(super) fn at(&mut self, expr: ExprId, of: Option<LoopId>, k: u64) -> Option<u128> {
        let mut frame = self.instance.root(Thread::One);
        if let Some(of) = of {
            let k = self.instance.pool.constant(u128::from(k), 32);
            frame = self.instance.enter(frame, of, k);
        }
        let value = self.instance.at(frame, expr);
        self.instance.pool.as_const(value)
    }

    /// Whether a condition holds in the first iteration of a loop, in all iterations of those
    /// around it.
    pub(super) fn starts(&mut self, condition: ExprId, outside: &[LoopId], of: LoopId) -> bool {
        let mut frame = self.instance.root(Thread::One);
        for around in outside {
            let k = self.instance.iteration_symbol(*around, None);
            frame = self.instance.enter(frame, *around, k);
        }
        let first = self.instance.pool.constant(0, 32);
        let frame = self.instance.enter(frame, of, first);
        let holds = self.instance.at(frame, condition);
        self.instance.pool.as_const(holds) == Some(1)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed may not recur")]
    fn period(&mut self, expr: ExprId, of: LoopId, depth: u32) -> Option<u64> {
        let analysis = self.analysis;
        let kernel = analysis.kernel;
        self.left = self.left.checked_sub(1)?;
        if depth > 32 {
            return None;
        }
        if analysis.scopes.invariant(of, expr) {
            return Some(1);
        }
        match kernel[expr].kind {
            ExprKind::Var(var) if kernel[var].of == of => self.of_variable(var),
            ExprKind::Binary(BinOp::URem, _, a, b) => match kernel.exprs.as_const(b) {
                Some(n) if self.quotient(a, of, false).is_some() => {
                    let (step, by) = self.quotient(a, of, false)?;
                    turns(step, by.checked_mul(u64::try_from(n).ok()?)?)
                }
                _ => self.of_operands(expr, of, depth),
            },
            ExprKind::Binary(BinOp::SRem, _, a, b) => match kernel.exprs.as_const(b) {
                Some(n)
                    if self.quotient(a, of, true).is_some()
                        && n >> (kernel.exprs.width(b) - 1) == 0 =>
                {
                    let (step, by) = self.quotient(a, of, true)?;
                    turns(step, by.checked_mul(u64::try_from(n).ok()?)?)
                }
                _ => self.of_operands(expr, of, depth),
            },
            ExprKind::Binary(BinOp::And, _, a, b) => match kernel.exprs.as_const(b) {
                Some(bits) if (bits + 1).is_power_of_two() => {
                    self.low_bits(a, of, u64::try_from(bits + 1).ok()?, depth)
                }
                _ => self.of_operands(expr, of, depth),
            },
            ExprKind::Cast(CastOp::Trunc, a) if kernel.exprs.width(expr) < 32 => {
                self.low_bits(a, of, 1 << kernel.exprs.width(expr), depth)
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..) => self.of_operands(expr, of, depth),
            _ => None,
        }
    }

    fn of_operands(&mut self, expr: ExprId, of: LoopId, depth: u32) -> Option<u64> {
        let mut operands = Vec::new();
        self.analysis.kernel.exprs.for_each_operand(expr, |it| operands.push(it));
        let mut all = 1;
        for operand in operands {
            all = common(all, self.period(operand, of, depth + 1)?)?;
        }
        Some(all)
    }

    /// The period of an expression modulo a power of two: low bits of sums and the like come of low
    /// bits.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed has to recur itself")]
    fn low_bits(&mut self, expr: ExprId, of: LoopId, modulus: u64, depth: u32) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        for signed in [true, false] {
            if let Some((step, by)) = self.quotient(expr, of, signed) {
                return turns(step, by.checked_mul(modulus)?);
            }
        }
        match self.analysis.kernel[expr].kind {
            ExprKind::Unary(UnOp::Not, a) if depth < 32 => self.low_bits(a, of, modulus, depth + 1),
            ExprKind::Binary(
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor,
                _,
                a,
                b,
            ) if depth < 32 => common(
                self.low_bits(a, of, modulus, depth + 1)?,
                self.low_bits(b, of, modulus, depth + 1)?,
            ),
            _ => self.period(expr, of, depth + 1),
        }
    }

    /// A counter that is divided by a constant, rounding down: its step, and what it is divided by.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed is no quotient")]
    fn quotient(&self, expr: ExprId, of: LoopId, signed: bool) -> Option<(u64, u64)> {
        let kernel = self.analysis.kernel;
        let constant = |id: ExprId| u64::try_from(kernel.exprs.as_const(id)?).ok();
        match kernel[expr].kind {
            ExprKind::Binary(BinOp::UDiv, _, a, b) => {
                let step = self.counter(a, of, false)?.1;
                Some((step, constant(b).filter(|by| *by > 0)?))
            }
            ExprKind::Binary(BinOp::SDiv, _, a, b) => {
                let step = self.counter(a, of, true)?.1;
                let by = constant(b)?;
                (by > 0 && by < 1 << 31).then_some((step, by))
            }
            ExprKind::Binary(op @ (BinOp::LShr | BinOp::AShr), _, a, b) => {
                let step = self.counter(a, of, op == BinOp::AShr)?.1;
                let by = constant(b)?;
                (by < 31).then_some((step, 1 << by))
            }
            ExprKind::Cast(CastOp::Zext, a) => {
                self.quotient(a, of, true).or_else(|| self.quotient(a, of, false))
            }
            // What is halved at least has no sign.
            ExprKind::Cast(CastOp::Sext, a) => {
                let (step, by) = self.quotient(a, of, true)?;
                let signless =
                    matches!(kernel[a].kind, ExprKind::Binary(BinOp::UDiv | BinOp::LShr, ..));
                (by > 1 || !signless).then_some((step, by))
            }
            _ => Some((self.counter(expr, of, signed)?.1, 1)),
        }
    }

    /// First value and step of a number that starts at zero or above and grows by a constant,
    /// within the range of its width, signed or not.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed does not count")]
    fn counter(&self, expr: ExprId, of: LoopId, signed: bool) -> Option<(u64, u64)> {
        let kernel = self.analysis.kernel;
        let constant = |id: ExprId| u64::try_from(kernel.exprs.as_const(id)?).ok();
        let width = kernel.exprs.width(expr);
        let range = 1u128 << if signed { width - 1 } else { width };
        let fits = |start: u64, step: u64, kept: bool| {
            let last = u128::from(start) + (u128::from(step) << 31);
            (u128::from(start) < range && u128::from(step) < range && (kept || last <= range))
                .then_some((start, step))
        };
        match kernel[expr].kind {
            ExprKind::Var(var) if kernel[var].of == of => {
                let Evolution::Add(step, flags) = self.analysis.evolution(var) else { return None };
                let kept = if signed { flags.signed } else { flags.unsigned };
                fits(constant(kernel[var].init)?, constant(step)?, kept)
            }
            ExprKind::Binary(BinOp::Add, flags, a, b) => {
                let (start, step) = self.counter(a, of, signed)?;
                let kept = if signed { flags.signed } else { flags.unsigned };
                fits(start.checked_add(constant(b)?)?, step, kept)
            }
            // What is not negative is the same in a wider number.
            ExprKind::Cast(CastOp::Sext, a) => self.counter(a, of, true),
            ExprKind::Cast(CastOp::Zext, a) => {
                self.counter(a, of, true).or_else(|| self.counter(a, of, false))
            }
            _ => None,
        }
    }

    fn of_variable(&mut self, var: VarId) -> Option<u64> {
        let kernel = self.analysis.kernel;
        match self.analysis.evolution(var) {
            Evolution::Invariant => Some(1),
            Evolution::Cycle { step, modulus } => turns(step, modulus),
            Evolution::Toggle(_) => Some(2),
            Evolution::Rotate => Some(rotation(kernel, var)?.len() as u64),
            Evolution::Lag(_) | Evolution::Unknown => self.of_machine(var),
            Evolution::Add(..)
            | Evolution::LedIn { .. }
            | Evolution::Rounds(..)
            | Evolution::ShiftLeft(..)
            | Evolution::Double(..)
            | Evolution::ShiftRight(_)
            | Evolution::ShiftRightSigned(_)
            | Evolution::HalveSigned(_)
            | Evolution::HalveUnsigned(_)
            | Evolution::Reflect(_) => None,
        }
    }

    /// Follows a variable and those it is made of until all are what they were first.
    fn of_machine(&mut self, var: VarId) -> Option<u64> {
        let kernel = self.analysis.kernel;
        let of = kernel[var].of;
        let mut vars = vec![var];
        let mut seen = FxHashSet::default();
        let mut work = vec![kernel[var].next];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let ExprKind::Var(other) = kernel[id].kind {
                if kernel[other].of != of {
                    return None;
                }
                if !vars.contains(&other) {
                    vars.push(other);
                    work.push(kernel[other].next);
                }
            } else if is_computed(&kernel[id].kind) {
                kernel.exprs.for_each_operand(id, |it| work.push(it));
            } else {
                return None;
            }
        }
        let ids: Vec<ExprId> = kernel
            .exprs
            .iter()
            .filter_map(|(id, it)| {
                if let ExprKind::Var(var) = it.kind {
                    vars.contains(&var).then_some(id)
                } else {
                    None
                }
            })
            .collect();
        let mut state =
            |k| -> Option<Vec<u128>> { ids.iter().map(|id| self.at(*id, Some(of), k)).collect() };
        let first = state(0)?;
        for k in 1..=LONGEST {
            if state(k)? == first {
                return Some(k);
            }
        }
        None
    }
}

/// Whether a value is made of its operands, or is a constant.
fn is_computed(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
    )
}

/// After how many steps a number is the same modulo another.
fn turns(step: u64, modulus: u64) -> Option<u64> {
    let period = modulus / divisor(step, modulus).max(1);
    (modulus > 0 && period <= LONGEST).then_some(period)
}

fn common(a: u64, b: u64) -> Option<u64> {
    let all = a / divisor(a, b).max(1) * b;
    (all <= LONGEST).then_some(all)
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
