//! Scalar evolution: what a loop variable is in iteration `k`, as a recurrence with invariant
//! parts.
//!
//! **What**: for each loop variable, how it goes from one iteration to the next.
//! **Method**: the form of its next value in the kernel, as it stands there.
//! **Sound because** a recurrence describes the variable exactly, wrap-around included, in every
//! iteration that a thread runs: steps are invariant in the loop, a cut sum is the sum of cut
//! numbers, a rotation comes back to where it began, and a cycle's sums are far from wrapping.
//! Flags are those of one step. What `k` steps make of them is decided where the closed form is
//! built (`instance/recurrence.rs`).
//! **Misses**: how many iterations there are, and counters that are promoted before they are halved
//! or reflected. A variable without a recurrence is [`Evolution::Unknown`], never a guess.
//! **Assumes**: nothing.

use heddle_ir::{
    BinOp, CastOp, ExprId, ExprKind, Kernel, NoWrap, Scopes, UnOp, ValueFrom, VarId, flags_hold,
    fold_binary, fold_cast, fold_cmp, fold_unary, mask,
};

use rustc_hash::FxHashMap;

use super::rounds::{Rounds, rounds};

/// How a variable goes from one iteration to the next. Steps are expressions that its loop leaves
/// alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evolution {
    /// Keeps its first value.
    Invariant,
    /// Adds a step, which may be wider than the variable and is then cut; the flags of the
    /// addition.
    Add(ExprId, NoWrap),
    /// Adds a step as often as loops inside run ([`rounds`]); the flags of one addition.
    Rounds(ExprId, NoWrap),
    /// Shifts left.
    ShiftLeft(ExprId, NoWrap),
    /// Multiplies by a constant power of two; the exponent.
    Double(u32, NoWrap),
    /// Shifts right, zeros in.
    ShiftRight(ExprId),
    /// Shifts right, sign in.
    ShiftRightSigned(ExprId),
    /// Divides by a constant power of two towards zero: `s /= 2` on signed numbers. The exponent.
    HalveSigned(u32),
    /// The same on unsigned numbers.
    HalveUnsigned(u32),
    /// Flips the bits of a mask.
    Toggle(ExprId),
    /// `c - v`.
    Reflect(ExprId),
    /// `(v + step) % modulus`, both constant, the sum far from wrapping.
    Cycle {
        /// Added each iteration.
        step: u64,
        /// The modulus.
        modulus: u64,
    },
    /// Counts from a constant below zero up to zero, and from there on round a ring: `-1, 0, 1, 0`.
    LedIn {
        /// Iterations before it is zero for the first time.
        lead: u64,
        /// The modulus of the ring.
        modulus: u64,
    },
    /// Takes turns with other variables of its loop, or with its own complement: [`rotation`].
    Rotate,
    /// What this expression, which does not read the variable itself, was in the iteration before.
    Lag(ExprId),
    /// No recurrence is known.
    Unknown,
}

/// The evolution of a variable.
pub(crate) fn evolution(kernel: &Kernel, scopes: &Scopes, var: VarId) -> Evolution {
    let it = &kernel[var];
    let exprs = &kernel.exprs;
    let is_self = |id: ExprId| exprs[id].kind == ExprKind::Var(var);
    let invariant = |id: ExprId| scopes.invariant(it.of, id);
    if is_self(it.next) || it.next == it.init {
        return Evolution::Invariant;
    }
    match exprs[it.next].kind {
        ExprKind::Binary(op, flags, a, b) => match op {
            BinOp::Add if is_self(a) && invariant(b) => return Evolution::Add(b, flags),
            BinOp::Add if is_self(b) && invariant(a) => return Evolution::Add(a, flags),
            BinOp::Shl if is_self(a) && invariant(b) => return Evolution::ShiftLeft(b, flags),
            BinOp::LShr if is_self(a) && invariant(b) => return Evolution::ShiftRight(b),
            BinOp::AShr if is_self(a) && invariant(b) => return Evolution::ShiftRightSigned(b),
            BinOp::Xor if is_self(a) && invariant(b) => return Evolution::Toggle(b),
            BinOp::Xor if is_self(b) && invariant(a) => return Evolution::Toggle(a),
            BinOp::Sub if is_self(b) && invariant(a) => return Evolution::Reflect(a),
            BinOp::Mul if is_self(a) => {
                if let Some(exponent) = power_of_two(exprs.as_const(b), it.width) {
                    return Evolution::Double(exponent, flags);
                }
            }
            BinOp::SDiv if is_self(a) => {
                if let Some(exponent) = power_of_two(exprs.as_const(b), it.width) {
                    return Evolution::HalveSigned(exponent);
                }
            }
            BinOp::UDiv if is_self(a) => {
                if let Some(exponent) = power_of_two(exprs.as_const(b), it.width) {
                    return Evolution::HalveUnsigned(exponent);
                }
            }
            BinOp::URem | BinOp::SRem | BinOp::And => {
                let cycle = (op == BinOp::URem).then(|| cycle(kernel, var, a, b)).flatten();
                if let Some(cycle) = cycle.or_else(|| ring(kernel, var)) {
                    return cycle;
                }
            }
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => {}
        },
        ExprKind::Cast(CastOp::Trunc, wide) => {
            if let Some(step) = widened_step(kernel, scopes, var, wide) {
                return Evolution::Add(step, NoWrap::NONE);
            }
        }
        ExprKind::Const(_)
        | ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Exit(..)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Unary(..)
        | ExprKind::Cmp(..)
        | ExprKind::Select(..)
        | ExprKind::Cast(CastOp::Zext | CastOp::Sext, _)
        | ExprKind::Pure(..) => {
            if let Some(Rounds { step, flags, .. }) = rounds(kernel, scopes, var) {
                return Evolution::Rounds(step, flags);
            }
            if rotation(kernel, var).is_some() {
                return Evolution::Rotate;
            }
            if let Some(ring) = ring(kernel, var) {
                return ring;
            }
        }
    }
    if reads(kernel, it.next, var) { Evolution::Unknown } else { Evolution::Lag(it.next) }
}

/// `trunc(ext(v) + step)`, what mixed widths make of `v += step`.
fn widened_step(kernel: &Kernel, scopes: &Scopes, var: VarId, wide: ExprId) -> Option<ExprId> {
    let ExprKind::Binary(BinOp::Add, _, a, b) = kernel[wide].kind else { return None };
    let widened = |id: ExprId| {
        let ExprKind::Cast(CastOp::Sext | CastOp::Zext, inner) = kernel[id].kind else {
            return false;
        };
        kernel[inner].kind == ExprKind::Var(var)
    };
    let of = kernel[var].of;
    [(a, b), (b, a)]
        .into_iter()
        .find(|(counter, step)| widened(*counter) && scopes.invariant(of, *step))
        .map(|(_, step)| step)
}

/// The longest rotation that is followed.
const PERIOD: usize = 8;

/// What a variable is in iterations 0, 1, … of one period: the first value of which variable,
/// complemented or not. Buffers that change places are made of these.
pub(crate) fn rotation(kernel: &Kernel, var: VarId) -> Option<Vec<(VarId, bool)>> {
    let mut turns = vec![(var, false)];
    loop {
        let &(last, negated) = turns.last()?;
        let next = kernel[last].next;
        let (source, flips) = if let ExprKind::Unary(UnOp::Not, inner) = kernel[next].kind {
            (inner, true)
        } else {
            (next, false)
        };
        let ExprKind::Var(source) = kernel[source].kind else { return None };
        if kernel[source].of != kernel[var].of {
            return None;
        }
        let turn = (source, negated != flips);
        if turn == (var, false) {
            return Some(turns);
        }
        if turns.len() == PERIOD {
            return None;
        }
        turns.push(turn);
    }
}

/// `v -> (v + step) % modulus` from a constant start below the modulus, where the sum cannot wrap.
fn cycle(kernel: &Kernel, var: VarId, dividend: ExprId, modulus: ExprId) -> Option<Evolution> {
    let exprs = &kernel.exprs;
    let it = &kernel[var];
    let modulus = exprs.as_const(modulus)?;
    let ExprKind::Binary(BinOp::Add, _, a, b) = exprs[dividend].kind else { return None };
    let step = exprs.as_const(b)?;
    let start = exprs.as_const(it.init)?;
    let small = modulus > 0 && modulus < 1 << 31 && step < 1 << 31 && it.width >= 32;
    (exprs[a].kind == ExprKind::Var(var) && start < modulus && small)
        .then_some(Evolution::Cycle { step: step as u64, modulus: modulus as u64 })
}

/// The longest ring that is followed.
const RING: u64 = 256;

/// An index that counts from a constant start up to some number and begins anew at zero, however
/// its next value says so: `v + 1 == n ? 0 : v + 1`. Its values are computed one by one, until one
/// comes again: the start, or zero where the start is below it.
fn ring(kernel: &Kernel, var: VarId) -> Option<Evolution> {
    let it = &kernel[var];
    let mut values = vec![kernel.exprs.as_const(it.init)?];
    let again = loop {
        let next = value_after(kernel, (var, *values.last()?), it.next, &mut FxHashMap::default())?;
        if let Some(again) = values.iter().position(|it| *it == next) {
            break again;
        }
        if values.len() as u64 == RING {
            return None;
        }
        values.push(next);
    };
    let goes_up = |from: u128, to: u128| to == mask(from.wrapping_add(1), it.width);
    // From the start up to zero; then the ring, which begins there.
    let (lead, ring) = values.split_at(again);
    if again > 0 {
        let counts = values.windows(2).all(|it| goes_up(it[0], it[1]));
        let modulus = u64::try_from(ring.len()).ok()?;
        let begins = counts && ring.first() == Some(&0) && !lead.contains(&0);
        return begins.then_some(Evolution::LedIn { lead: again as u64, modulus });
    }
    let last = *ring.iter().max()?;
    let steps = ring.iter().zip(ring.iter().cycle().skip(1));
    let turns = steps.into_iter().all(|(from, to)| match *from == last {
        true => *to == 0,
        false => goes_up(*from, *to),
    });
    turns.then_some(Evolution::Cycle { step: 1, modulus: u64::try_from(last + 1).ok()? })
}

/// What an expression of nothing but a variable and constants is for a value of the variable. Parts
/// that stand in several places, as steps that are written out make them, are computed once:
/// `known` has them.
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed makes no ring")]
fn value_after(
    kernel: &Kernel,
    (var, at): (VarId, u128),
    id: ExprId,
    known: &mut FxHashMap<ExprId, u128>,
) -> Option<u128> {
    if let Some(value) = known.get(&id) {
        return Some(*value);
    }
    let mut of = |id: ExprId| value_after(kernel, (var, at), id, known);
    let width = kernel.exprs.width(id);
    let value = match kernel[id].kind {
        ExprKind::Const(value) => value,
        ExprKind::Var(it) if it == var => at,
        ExprKind::Unary(op, a) => fold_unary(op, of(a)?, width),
        ExprKind::Binary(op, flags, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            let has_value = match op {
                BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => b != 0,
                BinOp::Shl | BinOp::LShr | BinOp::AShr => b < u128::from(width),
                BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor
                | BinOp::UMin
                | BinOp::UMax
                | BinOp::SMin
                | BinOp::SMax => true,
            };
            (has_value && flags_hold(op, flags, a, b, width))
                .then(|| fold_binary(op, a, b, width))?
        }
        ExprKind::Cast(op, a) => fold_cast(op, of(a)?, kernel.exprs.width(a), width),
        ExprKind::Cmp(op, a, b) => u128::from(fold_cmp(op, of(a)?, of(b)?, kernel.exprs.width(a))),
        ExprKind::Select(c, a, b) => {
            if of(c)? == 1 {
                of(a)?
            } else {
                of(b)?
            }
        }
        _ => return None,
    };
    known.insert(id, value);
    Some(value)
}

fn power_of_two(value: Option<u128>, width: u8) -> Option<u32> {
    let value = value?;
    let positive = value.is_power_of_two() && value > 1 && value < 1 << (width - 1);
    positive.then(|| value.trailing_zeros())
}

/// Whether an expression reads a variable of this iteration or of an earlier one: through operands,
/// through what other loop variables are made of, through the addresses of loads, and through how
/// often inner loops run.
fn reads(kernel: &Kernel, expr: ExprId, var: VarId) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![expr];
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match kernel[id].kind.value_from() {
            ValueFrom::Var(it) if it == var => return true,
            ValueFrom::Var(it) => work.extend([kernel[it].init, kernel[it].next]),
            ValueFrom::Result(op, _) => {
                work.extend(kernel.access(op).map(|access| access.address.offset));
            }
            ValueFrom::Exit(of, value) => work.extend([value, kernel[of].cont, kernel[of].pred]),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {
                kernel.exprs.for_each_operand(id, |operand| work.push(operand));
            }
        }
    }
    false
}
