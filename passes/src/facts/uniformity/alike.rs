//! Which lanes of a warp have one value: where values that lanes exchange crosswise are combined.
//!
//! **What**: for each expression the exclusive-or masks `m` for which lane `l` and lane `l ^ m`
//! have one value, as 32 bits ([`ALL`] says that it is one for the warp).
//! **Method**: a step of a butterfly, `op(v, shfl.bfly(v, d))` with an operator that is the same
//! with its operands exchanged, has the masks of `v` and what they and `d` span; any other
//! expression has the masks of all its operands. A loop that counts with constants is followed
//! through its iterations, of which the last one decides what it leaves. Of the thread index in a
//! block of one row, it is known which bits of the lane's number each bit is.
//! **Sound because**: lane `l ^ d` has `op(v(l ^ d), v(l))`, which is what lane `l` has; and a mask
//! of `v` changes neither operand. All lanes exchange, in the same iterations: the mask names all
//! of them, the block is made of whole warps, and what guards the exchange is one for the warp
//! ([`Uniformity::done_together`]). `shfl.bfly` reads lane `l ^ d` where its clamp lets it read any
//! (PTX ISA, section 9.7.9).
//! **Misses**: values and their positions that are combined together, and operators that are not
//! exchangeable, such as a fused multiplication and addition.
//! **Assumes**: what [`super`] does of loads; that a sum or product of the same two
//! floating-point numbers is one number in either order, NaN included.

use std::cell::RefCell;

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{
    BinOp, CastOp, CrossLaneKind, ExprId, ExprKind, Item, Kernel, LoopId, OpId, OpKind, Special,
    ValueFrom, VarId,
};
use heddle_semantics::WARP;
use heddle_solver::{Model, Value};
use rustc_hash::FxHashMap;

use super::{ANY_LANE, Facts, Uniformity, Varies};
use crate::facts::launch::Launch;

/// One value for the warp.
pub(crate) const ALL: u32 = u32::MAX;

/// Nothing is known of two different lanes.
pub(crate) const NONE: u32 = 1;

/// Iterations of a loop that are followed at most.
const MOST_ITERATIONS: usize = 40;

/// The masks of all expressions, as far as they are found.
#[derive(Debug)]
pub(crate) struct Alike {
    masks: SecondaryMap<ExprId, u32>,
}

/// What is known in one iteration of a loop that is followed.
#[derive(Default)]
struct Iteration {
    of: Option<LoopId>,
    numbers: FxHashMap<VarId, u128>,
    masks: FxHashMap<VarId, u32>,
    /// Masks that were computed in it.
    memo: RefCell<FxHashMap<ExprId, u32>>,
}

impl Alike {
    /// All expressions, with the most that can be said, to be taken back.
    pub(crate) fn new() -> Alike {
        Alike { masks: SecondaryMap::with_default(ALL) }
    }

    /// The masks of an expression.
    pub(crate) fn masks(&self, id: ExprId) -> u32 {
        self.masks[id]
    }

    /// Computes the masks of an expression from those of its operands; whether they became fewer.
    pub(crate) fn update(&mut self, facts: Facts<'_>, uniform: &Uniformity, id: ExprId) -> bool {
        let now = Step { alike: self, facts, uniform }.masks(&Iteration::default(), id, true);
        let fewer = self.masks[id] & now != self.masks[id];
        self.masks[id] &= now;
        fewer
    }
}

/// Whether a value is one that lanes have alike though what it is computed from is not: a step of a
/// butterfly, or what a loop of such steps leaves.
pub(crate) fn is_combined(kernel: &Kernel, id: ExprId) -> bool {
    match &kernel[id].kind {
        ExprKind::Exit(..) => true,
        ExprKind::Binary(_, _, a, b) => crossed(kernel, *a, *b).is_some(),
        ExprKind::Pure(_, args) => matches!(args[..], [a, b] if crossed(kernel, a, b).is_some()),
        ExprKind::Const(_)
        | ExprKind::Special(_)
        | ExprKind::Param(_)
        | ExprKind::Base(_)
        | ExprKind::Var(_)
        | ExprKind::Result(..)
        | ExprKind::Undef(_)
        | ExprKind::Sym(_)
        | ExprKind::Unary(..)
        | ExprKind::Cmp(..)
        | ExprKind::Select(..)
        | ExprKind::Cast(..) => false,
    }
}

struct Step<'a> {
    alike: &'a Alike,
    facts: Facts<'a>,
    uniform: &'a Uniformity,
}

impl Step<'_> {
    /// The masks of an expression in an iteration of a loop that is followed, if one is. `anew`:
    /// from its operands, and not what was found before.
    fn masks(&self, at: &Iteration, id: ExprId, anew: bool) -> u32 {
        if !anew && self.uniform.variation(id).varies <= Varies::ByWarp {
            return ALL;
        }
        if !anew && !self.is_inside(at, id) {
            return self.alike.masks(id);
        }
        if let Some(&known) = at.memo.borrow().get(&id) {
            return known;
        }
        let masks = self.computed(at, id);
        if at.of.is_some() {
            at.memo.borrow_mut().insert(id, masks);
        }
        masks
    }

    fn computed(&self, at: &Iteration, id: ExprId) -> u32 {
        let kernel = self.facts.kernel;
        let of = |id: ExprId| self.masks(at, id, false);
        match &kernel[id].kind {
            ExprKind::Const(_) | ExprKind::Param(_) | ExprKind::Sym(_) => ALL,
            ExprKind::Base(_) | ExprKind::Undef(_) => NONE,
            ExprKind::Special(_) => self.of_index(id),
            ExprKind::Var(var) => match at.masks.get(var) {
                Some(&masks) => masks,
                None => of(kernel[*var].init) & of(kernel[*var].next),
            },
            ExprKind::Exit(loop_, value) => {
                let simple = of(*value) & of(kernel[*loop_].cont);
                match at.of {
                    None if simple != ALL => {
                        simple | self.followed(*loop_, |at| self.masks(at, *value, true))
                    }
                    _ => simple,
                }
            }
            ExprKind::Result(op, index) => self.of_result(at, *op, *index),
            ExprKind::Binary(op, _, a, b) => {
                let plain = (of(*a) & of(*b)) | self.of_index(id);
                match op.commutes() {
                    true => plain | self.combined(at, *a, *b),
                    false => plain,
                }
            }
            ExprKind::Pure(function, args) => {
                let plain = args.iter().fold(ALL, |all, it| all & of(*it));
                match args[..] {
                    [a, b] if commutes(kernel.exprs.function_name(*function)) => {
                        plain | self.combined(at, a, b)
                    }
                    _ => plain,
                }
            }
            ExprKind::Unary(..) | ExprKind::Cmp(..) | ExprKind::Select(..) | ExprKind::Cast(..) => {
                let mut all = ALL;
                kernel.exprs.for_each_operand(id, |it| all &= of(it));
                all | self.of_index(id)
            }
        }
    }

    /// Whether an expression may be another one in each iteration of the loop that is followed.
    fn is_inside(&self, at: &Iteration, id: ExprId) -> bool {
        let Some(of) = at.of else { return false };
        let kernel = self.facts.kernel;
        let mut inside = false;
        kernel.exprs.for_each_below(id, |part| match kernel[part].kind.value_from() {
            ValueFrom::Var(var) => inside |= kernel[var].of == of,
            ValueFrom::Result(op, _) => inside |= self.facts.order.chain(op).contains(&of),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Exit(..)
            | ValueFrom::Analysis(_) => {}
        });
        inside
    }

    /// The masks of `op(a, b)` where one is what the other is in another lane.
    fn combined(&self, at: &Iteration, a: ExprId, b: ExprId) -> u32 {
        let kernel = self.facts.kernel;
        let Some(Crossed { value, by, left }) = crossed(kernel, a, b) else { return NONE };
        match left {
            // What a loop leaves is combined after it, as its last iteration has it.
            Some(of) if at.of.is_none() => self.followed(of, |at| self.step(at, value, by)),
            Some(_) => NONE,
            None => self.step(at, value, by),
        }
    }

    /// The masks of a value that is combined with that of another lane, which shuffles give.
    fn step(&self, at: &Iteration, value: ExprId, ops: [OpId; 2]) -> u32 {
        let kernel = self.facts.kernel;
        let number = |op: OpId| {
            let OpKind::CrossLane(lanes) = &kernel[op].kind else { return None };
            self.number(at, lanes.args[1])
        };
        let [by, too] = ops.map(number);
        let is_done = |op: OpId| {
            let now = at.of.is_none() || self.number(at, kernel[op].pred) == Some(1);
            now && self.exchanges(op)
        };
        let is_there = by == too && ops.into_iter().all(is_done);
        let mut undefined = false;
        kernel.exprs.for_each_below(value, |it| {
            undefined |= matches!(kernel[it].kind, ExprKind::Undef(_));
        });
        match by.and_then(|by| u32::try_from(by).ok()) {
            Some(by) if (1..32).contains(&by) && is_there && !undefined => {
                let masks = self.masks(at, value, false);
                masks | moved(masks, by)
            }
            _ => NONE,
        }
    }

    /// Whether all lanes of the warp do a crosswise shuffle, which may read any of them.
    fn exchanges(&self, op: OpId) -> bool {
        let Facts { kernel, launch, order, .. } = self.facts;
        let OpKind::CrossLane(lanes) = &kernel[op].kind else { return false };
        let full = lanes.mask.and_then(|mask| kernel.exprs.as_const(mask));
        lanes.kind == CrossLaneKind::ShuffleBfly
            && full == Some(u128::from(u32::MAX))
            && kernel.exprs.as_const(lanes.args[2]) == Some(ANY_LANE)
            && !kernel.target.opencl
            && launch.whole_warps()
            && self.uniform.done_together(kernel, order, op)
    }

    fn of_result(&self, at: &Iteration, op: OpId, index: u32) -> u32 {
        let kernel = self.facts.kernel;
        if let OpKind::CrossLane(lanes) = &kernel[op].kind {
            let follows = index == 0 && self.exchanges(op);
            let is_one = |id: ExprId| self.uniform.variation(id).varies <= Varies::ByWarp;
            return match follows && is_one(lanes.args[1]) {
                true => self.masks(at, lanes.args[0], false),
                false => NONE,
            };
        }
        match kernel.access(op) {
            Some(access) if self.uniform.load_varies_by_place(self.facts, op) => {
                self.masks(at, access.address.offset, false)
            }
            Some(_) | None => NONE,
        }
    }

    /// A number that is the same in each run.
    fn number(&self, at: &Iteration, id: ExprId) -> Option<u128> {
        let exprs = &self.facts.kernel.exprs;
        if let Some(constant) = exprs.as_const(id) {
            return Some(constant);
        }
        let (mut model, mut known) = (Model::new(), true);
        exprs.for_each_below(id, |part| match exprs[part].kind.value_from() {
            ValueFrom::Operands => {}
            ValueFrom::Var(var) => match at.numbers.get(&var) {
                Some(&number) => model.set_leaf(part, number),
                None => known = false,
            },
            ValueFrom::Nothing
            | ValueFrom::Launch
            | ValueFrom::Exit(..)
            | ValueFrom::Result(..)
            | ValueFrom::Analysis(_) => known &= exprs.as_const(part).is_some(),
        });
        match model.evaluate(exprs, id) {
            Value::Known(number) if known => Some(number),
            Value::Known(_) | Value::Poison => None,
        }
    }

    /// What is asked of the last iteration of a loop, where it counts with constants.
    fn followed(&self, of: LoopId, asked: impl Fn(&Iteration) -> u32) -> u32 {
        let kernel = self.facts.kernel;
        let crosses = |op: OpId| {
            let OpKind::CrossLane(lanes) = &kernel[op].kind else { return false };
            lanes.kind == CrossLaneKind::ShuffleBfly
        };
        let items = &kernel[of].body.items;
        if !items.iter().any(|it| matches!(*it, Item::Op(op) if crosses(op))) {
            return NONE;
        }
        let vars = &kernel[of].vars;
        let mut at = Iteration { of: Some(of), ..Iteration::default() };
        for &var in vars {
            let init = kernel[var].init;
            at.masks.insert(var, self.masks(&Iteration::default(), init, false));
            at.numbers.extend(kernel.exprs.as_const(init).map(|it| (var, it)));
        }
        for _ in 0..MOST_ITERATIONS {
            match self.number(&at, kernel[of].cont) {
                Some(0) => return asked(&at),
                Some(_) => {}
                None => return NONE,
            }
            let mut next = Iteration { of: Some(of), ..Iteration::default() };
            for &var in vars {
                next.masks.insert(var, self.masks(&at, kernel[var].next, true));
                next.numbers.extend(self.number(&at, kernel[var].next).map(|it| (var, it)));
            }
            at = next;
        }
        NONE
    }

    /// The masks of a part of the bits of the thread index, in a block of one row.
    fn of_index(&self, id: ExprId) -> u32 {
        match bits_of_lane(self.facts.kernel, self.facts.launch, id) {
            Some((down, bits)) => {
                let looked_at = bits << down & 31;
                (0..32u32)
                    .filter(|mask| u128::from(*mask) & looked_at == 0)
                    .fold(0, |all, it| all | 1 << it)
            }
            None => NONE,
        }
    }
}

/// How far an expression shifts the thread index to the right, and which bits it has then; in a
/// block of one row, with warps of 32 threads.
pub(crate) fn bits_of_lane(kernel: &Kernel, launch: &Launch, id: ExprId) -> Option<(u32, u128)> {
    let exprs = &kernel.exprs;
    let width = exprs.width(id);
    let is_negative = |bits: u128, width: u8| bits >> (width - 1) != 0;
    if let ExprKind::Special(Special::Tid(0)) = kernel[id].kind {
        // A block has at most 1,024 threads.
        return (launch.is_row() && launch.warp_size == Some(WARP)).then_some((0, 0x3ff));
    }
    if let ExprKind::Cast(op, inner) = kernel[id].kind {
        let (down, bits) = bits_of_lane(kernel, launch, inner)?;
        let keeps = op != CastOp::Sext || !is_negative(bits, exprs.width(inner));
        return keeps.then(|| (down, heddle_ir::mask(bits, width)));
    }
    let ExprKind::Binary(op, _, a, b) = kernel[id].kind else { return None };
    let (value, by) = match (exprs.as_const(a), exprs.as_const(b)) {
        (None, Some(by)) => (a, by),
        (Some(by), None) if op == BinOp::And => (b, by),
        _ => return None,
    };
    let (down, bits) = bits_of_lane(kernel, launch, value)?;
    if op == BinOp::And {
        return Some((down, bits & by));
    }
    if is_negative(bits, width) || is_negative(by, width) || by == 0 {
        return None;
    }
    let shifted = |by: u32| (by < 10).then(|| (down + by, bits >> by));
    match op {
        BinOp::LShr | BinOp::AShr => shifted(u32::try_from(by).ok()?),
        BinOp::UDiv | BinOp::SDiv if by.is_power_of_two() => shifted(by.ilog2()),
        BinOp::URem | BinOp::SRem if by.is_power_of_two() => Some((down, bits & (by - 1))),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::UDiv
        | BinOp::SDiv
        | BinOp::URem
        | BinOp::SRem
        | BinOp::Shl
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::UMin
        | BinOp::UMax
        | BinOp::SMin
        | BinOp::SMax => None,
    }
}

/// The masks that these and one more are made of.
fn moved(masks: u32, by: u32) -> u32 {
    (0..32).filter(|it| masks >> it & 1 == 1).fold(0, |all, it| all | 1 << (it ^ by))
}

/// A value, and the same in another lane.
struct Crossed {
    value: ExprId,
    /// The shuffles across that give it, of 32 bits each.
    by: [OpId; 2],
    /// The loop that both are left by, in its last iteration.
    left: Option<LoopId>,
}

/// Whether one of two values is what the other is in another lane.
fn crossed(kernel: &Kernel, a: ExprId, b: ExprId) -> Option<Crossed> {
    [(a, b), (b, a)].into_iter().find_map(|(own, given)| {
        let crossed = in_another_lane(kernel, given)?;
        let own = match crossed.left {
            Some(of) => left_by(kernel, of, own)?,
            None => own,
        };
        (crossed.value == own).then_some(crossed)
    })
}

/// What this was in the last iteration of a loop.
fn left_by(kernel: &Kernel, of: LoopId, id: ExprId) -> Option<ExprId> {
    let ExprKind::Exit(left, value) = kernel[id].kind else { return None };
    (left == of).then_some(value)
}

/// The value of another lane that this is, as a whole or in two halves of 32 bits.
fn in_another_lane(kernel: &Kernel, given: ExprId) -> Option<Crossed> {
    let exprs = &kernel.exprs;
    let shuffled = |id: ExprId| {
        let (left, id) = if let ExprKind::Exit(of, value) = exprs[id].kind {
            (Some(of), value)
        } else {
            (None, id)
        };
        let ExprKind::Result(op, 0) = exprs[id].kind else { return None };
        let OpKind::CrossLane(lanes) = &kernel[op].kind else { return None };
        let crosses = lanes.kind == CrossLaneKind::ShuffleBfly;
        crosses.then(|| Crossed { value: lanes.args[0], by: [op, op], left })
    };
    let cast = |id: ExprId, by: CastOp, from: u8| {
        let ExprKind::Cast(op, inner) = exprs[id].kind else { return None };
        (op == by && exprs.width(inner) == from).then_some(inner)
    };
    if let Some(whole) = shuffled(given) {
        return Some(whole);
    }
    let ExprKind::Binary(BinOp::Or | BinOp::Add, _, a, b) = exprs[given].kind else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(high, low)| {
        let ExprKind::Binary(BinOp::Shl, _, high, up) = exprs[high].kind else { return None };
        let low = shuffled(cast(low, CastOp::Zext, 32)?)?;
        let high = shuffled(cast(high, CastOp::Zext, 32)?)?;
        let value = cast(low.value, CastOp::Trunc, 64)?;
        let upper = cast(high.value, CastOp::Trunc, 64)?;
        let ExprKind::Binary(BinOp::LShr, _, of, down) = exprs[upper].kind else { return None };
        let is_half = [up, down].into_iter().all(|it| exprs.as_const(it) == Some(32));
        let is_one = is_half && of == value && low.left == high.left;
        is_one.then_some(Crossed { value, by: [low.by[0], high.by[0]], left: low.left })
    })
}

/// Whether a function of floating-point numbers gives the same with its operands exchanged.
fn commutes(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "fadd",
        "fmul",
        "fmaxf",
        "fminf",
        "fmax",
        "fmin",
        "maxnum",
        "minnum",
        "maximum",
        "minimum",
        "maximumnum",
        "minimumnum",
    ];
    NAMES.contains(&name)
}
