//! Reads the values of marked launches as expressions, and what holds of them.
//!
//! **What**: an expression for each size and argument, and facts over them.
//! **Method**: backwards from the launch through instructions that compute; a phi, a load, a call
//! and a float are unknowns. Facts are the conditions of branches (`paths`), and
//! what a phi can be: one of its values, where its block runs once and control came through it;
//! where a loop leads, if it only grows or shrinks by steps.
//! **Sound because** the operands of an instruction dominate it, so that at the launch each has the
//! value that the instruction read (as for conditions). A phi whose block runs once per call reads
//! values that never change again. What a `nsw` promises holds of what is not chosen by a `select`,
//! for the host branches on it or passes it on.
//! **Misses**: joins inside loops, memory.
//! **Assumes**: the host has no undefined behaviour.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, ExprPool};

use super::alike::{self, Alike, Copied};
use super::expressions;
use super::paths::{Outcome, Paths};
use super::reader::Reader;
use super::sites::{ARGUMENT, LAUNCH, Sites};
use super::{HostLaunch, Wanted};
use heddle_llvm::{
    Block, Function, Inst, IntPredicate, Location, Module, Opcode, Predicate, TypeKind, Value,
};

/// Values of a phi that are told apart.
const MOST_CHOICES: usize = 16;
/// Operands that are looked at of what is not followed, at most.
const MOST_OPERANDS: usize = 256;

/// A launch of a function, as it was marked.
struct Mark<'m> {
    site: u32,
    launch: Inst<'m>,
    /// Parameter, bits, and from which bit on.
    arguments: Vec<(u32, Value<'m>, u32)>,
}

/// The launches of each kernel.
pub(super) fn read(module: &Module, sites: &Sites, wanted: &[Wanted]) -> Vec<Vec<HostLaunch>> {
    let mut found: Vec<Vec<Found>> = wanted.iter().map(|_| Vec::new()).collect();
    let takes_symbols = alike::takes_symbols(module);
    let copied = Copied::of(module);
    for function in module.functions().filter(|it| !it.is_declaration()) {
        let marks = marks(function);
        if marks.is_empty() {
            continue;
        }
        let Some(paths) = Paths::of(function) else { continue };
        let alike = Alike::of(function, &copied);
        for mark in marks {
            let Some(site) = sites.all.get(mark.site as usize) else { continue };
            let at = mark.launch.location(module).unwrap_or_else(|| site.at.clone());
            let mut launch =
                Reader::new(module, &paths, &alike).launch(&mark, &at, &wanted[site.kernel]);
            launch.is_called = function.name() != "main";
            launch.is_chosen = site.is_chosen;
            launch.is_cooperative = site.is_cooperative;
            launch.takes_symbols = takes_symbols;
            found[site.kernel].push(Found { launch, at });
        }
    }
    found.into_iter().map(distinct).collect()
}

struct Found {
    launch: HostLaunch,
    at: Location,
}

/// Without those that are copies of one in a function that has any arguments: that one says all,
/// but that two pointers lead to one allocation.
fn distinct(found: Vec<Found>) -> Vec<HostLaunch> {
    let chain = |it: &Found| -> Vec<(String, u32, u32, [String; 2])> {
        let named = |at: &Location| [at.function.clone(), at.symbol.clone()];
        let place = |at: &Location| (at.file.clone(), at.line, at.column, named(at));
        it.at.chain().map(place).collect()
    };
    let chains: Vec<_> = found.iter().map(chain).collect();
    let is_copy =
        |own: &[_]| chains.iter().any(|other| other.len() < own.len() && own.starts_with(other));
    let all = found.iter().zip(&chains);
    let keep: Vec<bool> =
        all.map(|(it, chain)| alike::gives_twice(&it.launch) || !is_copy(chain)).collect();
    let kept = found.into_iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(it, _)| it.launch).collect()
}

/// The marks of a function, in order.
fn marks(function: Function<'_>) -> Vec<Mark<'_>> {
    let mut marks: Vec<Mark<'_>> = Vec::new();
    for inst in function.instructions().filter(|it| it.is_call()) {
        let Some(callee) = inst.called_function() else { continue };
        let name = callee.name();
        let given = inst.arguments();
        let number = |n: usize| given.get(n).and_then(|it| it.const_int()).map(|it| it as u32);
        if name == LAUNCH {
            let site = number(0).unwrap_or(u32::MAX);
            marks.push(Mark { site, launch: inst, arguments: Vec::new() });
        } else if name == ARGUMENT {
            let (Some(site), Some(param), Some(shift)) = (number(0), number(1), number(3)) else {
                continue;
            };
            // The mark of an argument stands after that of its launch, in the same block.
            let own = marks.last_mut().filter(|it| it.site == site);
            let own = own.filter(|it| it.launch.block() == inst.block());
            if let (Some(own), Some(value)) = (own, given.get(2)) {
                own.arguments.push((param, *value, shift));
            }
        }
    }
    marks
}

impl<'m> Reader<'_, 'm> {
    fn launch(mut self, mark: &Mark<'m>, at: &Location, wanted: &Wanted) -> HostLaunch {
        let given = mark.launch.arguments();
        let bits: Vec<ExprId> = given[1..].iter().map(|it| self.strict(*it)).collect();
        let (gxy, gz, bxy, bz, shared) = (bits[0], bits[1], bits[2], bits[3], bits[4]);
        let grid = [self.part(gxy, 0, 32), self.part(gxy, 32, 32), self.part(gz, 0, 32)];
        let block = [self.part(bxy, 0, 32), self.part(bxy, 32, 32), self.part(bz, 0, 32)];
        let mut args = vec![None; wanted.params + wanted.members.len()];
        let widths: BTreeMap<u32, u8> = wanted.widths().collect();
        for (param, value, shift) in &mark.arguments {
            let Some(&width) = widths.get(param) else { continue };
            let bits = self.strict(*value);
            args[*param as usize] = Some(self.part(bits, *shift as u8, width));
        }
        let mut facts = Vec::new();
        for (condition, outcome) in self.paths.conditions(mark.launch.block(), None) {
            facts.push(self.outcome(condition, &outcome, true));
        }
        for join in self.paths.dominating(mark.launch.block()) {
            facts.extend(self.joined(join));
        }
        while let Some(phi) = self.phis.pop() {
            self.leads(phi);
            let choices = self.choices(phi, mark.launch.block());
            if choices.is_some() {
                self.is_known(phi);
            }
            facts.extend(choices);
            facts.extend(self.grows(phi));
            facts.extend(self.swapped(phi));
        }
        facts.append(&mut self.facts);
        let truth = self.pool.truth();
        facts.retain(|it| *it != truth);
        facts.sort_unstable();
        facts.dedup();
        self.tell_apart(mark.launch);
        self.tell_computed();
        let member = |n: usize| Some((wanted.members[n], args[wanted.number_of(n) as usize]?));
        let members = (0..wanted.members.len()).filter_map(member).collect();
        args.truncate(wanted.params);
        let calls = at.chain().skip(1).map(|it| (it.path(), it.line)).collect();
        HostLaunch {
            file: at.path(),
            line: at.line,
            calls,
            is_called: false,
            is_chosen: false,
            is_cooperative: false,
            pool: self.pool,
            grid,
            block,
            shared,
            args,
            members,
            facts,
            unknowns: self.unknowns,
            takes_symbols: false,
            is_one_of_many: false,
        }
    }

    /// So many bits of an expression, from one on.
    fn part(&mut self, whole: ExprId, from: u8, width: u8) -> ExprId {
        let low = expressions::shifted(&mut self.pool, whole, from);
        expressions::narrowed(&mut self.pool, low, width)
    }

    fn strict(&mut self, value: Value<'m>) -> ExprId {
        self.value(value, true, 0)
    }

    /// Says of what is computed, of which other unknowns it is.
    fn tell_computed(&mut self) {
        let of_pool = |it: &Self, expr| match it.pool[expr].kind {
            ExprKind::Param(unknown) => Some(unknown),
            _ => None,
        };
        let all: Vec<_> = self.known.iter().map(|(value, expr)| (*value, *expr)).collect();
        for (value, expr) in all {
            let Some(own) = of_pool(self, expr) else { continue };
            if self.unknowns[own as usize].computed_of.is_none() {
                continue;
            }
            let (mut seen, mut work, mut of) = (HashSet::new(), vec![value], BTreeSet::new());
            while let Some(at) = work.pop() {
                let Some(inst) = at.as_inst() else { continue };
                for operand in
                    inst.operands().filter(|it| seen.len() < MOST_OPERANDS && seen.insert(*it))
                {
                    let known = self.known.get(&operand);
                    of.extend(known.and_then(|it| of_pool(self, *it)));
                    work.push(operand);
                }
            }
            self.unknowns[own as usize].computed_of = Some(of.into_iter().collect());
        }
    }

    /// What a branch found, as a fact.
    fn outcome(&mut self, condition: Value<'m>, outcome: &Outcome<'m>, strict: bool) -> ExprId {
        // Both sides of an `a && b` that holds were computed, and of an `a || b` that does not.
        if let (Outcome::Is(holds), Some([a, b])) = (outcome, both(condition, outcome)) {
            let [a, b] = [a, b].map(|it| self.outcome(it, &Outcome::Is(*holds), strict));
            return self.pool.and(a, b);
        }
        match outcome {
            Outcome::Is(true) => self.value(condition, strict, 0),
            Outcome::Is(false) => {
                let value = self.value(condition, strict, 0);
                self.pool.not(value)
            }
            Outcome::OneOf(cases) => {
                let mut any = self.pool.falsity();
                for case in cases {
                    let is = self.is_case(condition, *case, strict);
                    any = self.pool.or(any, is);
                }
                any
            }
            Outcome::NoneOf(cases) => {
                let mut none = self.pool.truth();
                for case in cases {
                    let is = self.is_case(condition, *case, strict);
                    let is_not = self.pool.not(is);
                    none = self.pool.and(none, is_not);
                }
                none
            }
        }
    }

    /// The fact of a join: control came to it by one of its ways.
    fn joined(&mut self, join: Block<'m>) -> Option<ExprId> {
        let mut known = HashMap::new();
        for way in self.paths.ways(join)? {
            let mut any = self.pool.falsity();
            for from in way.from {
                let mut came = known.get(&from).copied().unwrap_or_else(|| self.pool.truth());
                if let Some((condition, outcome)) = self.paths.edge(from, way.to) {
                    let chose = self.outcome(condition, &outcome, false);
                    came = self.pool.and(came, chose);
                }
                any = self.without(came, any);
                came = self.without(any, came);
                any = self.pool.or(any, came);
            }
            known.insert(way.to, any);
        }
        known.remove(&join)
    }

    /// What is left to ask of a condition where another one does not hold: `p | (!p & q)` is
    /// `p | q`.
    fn without(&mut self, other: ExprId, condition: ExprId) -> ExprId {
        let ExprKind::Binary(BinOp::And, _, a, b) = self.pool[condition].kind else {
            return condition;
        };
        let not_other = self.pool.not(other);
        match not_other {
            it if it == a => b,
            it if it == b => a,
            _ => condition,
        }
    }

    /// Says of an address where it may come from, in this turn of a loop or an earlier one.
    fn leads(&mut self, phi: Inst<'m>) {
        let own = self.value(phi.as_value(), false, 0);
        let ExprKind::Param(unknown) = self.pool[own].kind else { return };
        if self.unknowns[unknown as usize].is_address {
            let blocks: Vec<_> = phi.block().function().blocks().collect();
            let place = |it: Block<'m>| blocks.iter().position(|other| *other == it);
            let mut ways = phi.incoming();
            ways.sort_by_key(|(_, from)| place(*from));
            let from = ways.into_iter().map(|(value, _)| self.value(value, false, 0)).collect();
            let own = &mut self.unknowns[unknown as usize];
            own.may_be = from;
            own.joined = place(phi.block()).map(|it| it as u32);
        }
    }

    /// Says of a number that facts say all that it can be.
    fn is_known(&mut self, phi: Inst<'m>) {
        let own = self.value(phi.as_value(), false, 0);
        let ExprKind::Param(unknown) = self.pool[own].kind else { return };
        // As far as what it can be is.
        let mut lost = false;
        for (value, _) in phi.incoming() {
            let from = self.value(value, false, 0);
            self.pool.for_each_below(from, |it| {
                if let ExprKind::Param(other) = self.pool[it].kind {
                    let other = &self.unknowns[other as usize];
                    lost |= !(other.is_input || other.is_parameter || other.is_address);
                }
            });
        }
        self.unknowns[unknown as usize].is_input = !lost;
    }

    /// What a phi can be, where its block runs once: if control came through it on the way to the
    /// launch, as it need not where only an arm that was not taken uses it.
    fn choices(&mut self, phi: Inst<'m>, launch: Block<'m>) -> Option<ExprId> {
        let incoming = phi.incoming();
        if self.paths.repeats(phi.block()) || incoming.len() > MOST_CHOICES {
            return None;
        }
        let on_the_way = self.paths.on_the_way(phi.block(), launch)?;
        let own = self.value(phi.as_value(), false, 0);
        let above = self.paths.immediate(phi.block());
        let mut any = self.pool.falsity();
        // Several cases of a `switch` come from one block, with one value.
        let mut seen = HashSet::new();
        for (value, from) in incoming.into_iter().filter(|(_, from)| seen.insert(*from)) {
            let value = self.value(value, false, 0);
            let mut way = self.pool.eq(own, value);
            let mut conditions = self.paths.conditions(from, above);
            conditions.extend(self.paths.edge(from, phi.block()));
            for (condition, outcome) in conditions {
                let holds = self.outcome(condition, &outcome, false);
                way = self.pool.and(way, holds);
            }
            any = self.pool.or(any, way);
        }
        for (condition, outcome) in on_the_way {
            let holds = self.outcome(condition, &outcome, false);
            any = self.pool.implies(holds, any);
        }
        Some(any)
    }

    /// What holds of a number that each turn of a loop makes larger, or smaller, by the same step.
    /// A step that would leave the signed range is undefined behaviour of the host.
    fn grows(&mut self, phi: Inst<'m>) -> Option<ExprId> {
        let block = phi.block();
        let is_back = |from: &Block<'m>| self.paths.dominates(block, *from);
        let (back, first): (Vec<_>, Vec<_>) =
            phi.incoming().into_iter().partition(|(_, from)| is_back(from));
        let (&[(first, _)], false) = (&first[..], back.is_empty()) else { return None };
        let steps: Option<Vec<Step>> = back.iter().map(|(next, _)| step(phi, *next)).collect();
        let steps = steps?;
        let own = self.value(phi.as_value(), false, 0);
        let width = self.pool.width(own);
        let first_value = self.value(first, false, 0);
        let first = first.const_int();
        let is_power = first.is_some_and(|it| it.is_power_of_two());
        let zero = self.pool.constant(0, width);
        let mut holds = self.pool.truth();
        let mut say = |pool: &mut ExprPool, fact| holds = pool.and(holds, fact);
        if steps.iter().all(|it| matches!(it, Step::Up(_))) {
            let fact = self.pool.cmp(CmpOp::Sle, first_value, own);
            say(&mut self.pool, fact);
            let each = steps.iter().map(|it| if let Step::Up(by) = it { *by } else { 1 });
            let common = each.chain(first).fold(0, gcd);
            if common > 1 && first.is_some_and(|it| it < 1 << (width - 1)) {
                let divisor = self.pool.constant(common, width);
                let rest = self.pool.binary(BinOp::SRem, own, divisor);
                let fact = self.pool.eq(rest, zero);
                say(&mut self.pool, fact);
            }
        } else if steps.iter().all(|it| matches!(it, Step::Down(_))) {
            let fact = self.pool.cmp(CmpOp::Sle, own, first_value);
            say(&mut self.pool, fact);
        } else if is_power
            && steps.iter().all(|it| it.keeps_power(first, width))
            && !(steps.iter().any(|it| matches!(it, Step::Double { .. }))
                && steps.contains(&Step::HalveSigned))
        {
            // One bit or none, wherever it goes.
            let ones = self.pool.constant(u128::MAX, width);
            let below = self.pool.add(own, ones);
            let both = self.pool.and(own, below);
            let fact = self.pool.eq(both, zero);
            say(&mut self.pool, fact);
            if !steps.iter().any(|it| matches!(it, Step::Double { .. })) {
                let fact = self.pool.cmp(CmpOp::Ule, own, first_value);
                say(&mut self.pool, fact);
            }
            let fits = |it: &Step| matches!(it, Step::Double { fits: true });
            let is_positive = first.is_some_and(|it| it < 1 << (width - 1));
            let bounded = back.iter().all(|(_, from)| self.is_small(phi, *from));
            let doubles = steps.iter().all(|it| matches!(it, Step::Double { .. }));
            if is_positive && doubles && (steps.iter().all(fits) || bounded) {
                let fact = self.pool.cmp(CmpOp::Sle, first_value, own);
                say(&mut self.pool, fact);
            }
        }
        Some(holds)
    }
}

impl<'m> Reader<'_, 'm> {
    /// Whether a branch that leads to a block found a phi to be below a constant that is at most a
    /// quarter of its range, and not negative: it can be doubled.
    fn is_small(&self, phi: Inst<'m>, block: Block<'m>) -> bool {
        let conditions = self.paths.conditions(block, None).into_iter();
        let mut conditions = conditions.chain(self.paths.edge(block, phi.block()));
        conditions.any(|(condition, outcome)| {
            let compares = || {
                let inst = condition.as_inst().filter(|it| it.opcode() == Opcode::ICmp)?;
                let (a, b) = (inst.operand(0)?, inst.operand(1)?.const_int()?);
                let TypeKind::Int(width @ 8..=64) = a.ty().kind() else { return None };
                let Some(Predicate::Int(predicate)) = inst.predicate() else { return None };
                let below = match predicate {
                    IntPredicate::Slt | IntPredicate::Ult => true,
                    IntPredicate::Sgt | IntPredicate::Ugt => false,
                    _ => return None,
                };
                let is = matches!(outcome, Outcome::Is(true)) == below;
                (a == phi.as_value() && is && b < 1 << (width - 2)).then_some(())
            };
            matches!(outcome, Outcome::Is(_)) && compares().is_some()
        })
    }
}

/// What a turn of a loop does to a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Up(u128),
    Down(u128),
    Double {
        /// It stays in the signed range.
        fits: bool,
    },
    Halve,
    /// As a signed number.
    HalveSigned,
}

impl Step {
    /// Whether it makes of a power of two, or zero, one again, where the first one is this.
    fn keeps_power(self, first: Option<u128>, width: u8) -> bool {
        match self {
            Step::Up(_) | Step::Down(_) => false,
            Step::Double { .. } | Step::Halve => true,
            // The largest power is negative as a signed number.
            Step::HalveSigned => first.is_some_and(|it| it < 1 << (width - 1)),
        }
    }
}

fn step(phi: Inst<'_>, next: Value<'_>) -> Option<Step> {
    let inst = next.as_inst()?;
    let (a, b) = (inst.operand(0)?, inst.operand(1)?);
    (a == phi.as_value()).then_some(())?;
    let TypeKind::Int(width) = inst.ty().kind() else { return None };
    let by = b.const_int()?;
    let fits = inst.no_signed_wrap();
    let is_negative = width <= 64 && by >> (width - 1) & 1 == 1;
    match inst.opcode() {
        Opcode::Add if inst.no_signed_wrap() && is_negative => Some(Step::Down((1 << width) - by)),
        Opcode::Add if inst.no_signed_wrap() && by > 0 => Some(Step::Up(by)),
        Opcode::Shl if by == 1 => Some(Step::Double { fits }),
        Opcode::Mul if by == 2 => Some(Step::Double { fits }),
        Opcode::LShr if by == 1 => Some(Step::Halve),
        Opcode::UDiv if by == 2 => Some(Step::Halve),
        Opcode::AShr if by == 1 => Some(Step::HalveSigned),
        Opcode::SDiv if by == 2 => Some(Step::HalveSigned),
        _ => None,
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The two conditions that an outcome of `a && b` or `a || b` says the same of.
fn both<'m>(condition: Value<'m>, outcome: &Outcome<'m>) -> Option<[Value<'m>; 2]> {
    let inst = condition.as_inst().filter(|it| it.opcode() == Opcode::Select)?;
    let [of, yes, no] = [inst.operand(0)?, inst.operand(1)?, inst.operand(2)?];
    match outcome {
        Outcome::Is(true) if no.const_int() == Some(0) => Some([of, yes]),
        Outcome::Is(false) if yes.const_int() == Some(1) => Some([of, no]),
        Outcome::Is(_) | Outcome::OneOf(_) | Outcome::NoneOf(_) => None,
    }
}
