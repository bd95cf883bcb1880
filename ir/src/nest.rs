//! A loop in a loop as one loop: an iteration of the outer loop is cut into as many as the inner
//! loop runs in it.
//!
//! **Promise**: each thread does the same operations with the same operands in the same order as in
//! the kernel as it was, under the same numbers. Iteration `k` of what the outer loop has become
//! does what stands before the inner loop if that begins there, one iteration of the inner loop,
//! and what stands after it if that ends there. Values that nothing reads any more are arbitrary,
//! flags of operators in the two loops are gone, and the inner loop is left, empty, and is
//! never entered.
//! **Does not**: keep threads in step. Where their inner loops run differently often, iterations of
//! one number are no longer those that were done together; who asks for the kernel looks at that.
//!
//! A variable of the inner loop that begins as one of the outer loop, which in turn goes on with
//! what the inner loop ends with, counts through all of them: it is one variable of the new
//! loop, with the recurrence that it had in the inner loop. So that is kept, the inner loop has to
//! be entered in all iterations or in none.

mod rotate;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::entity::{ExprId, LoopId, OpId, VarId};
use crate::expr::{ExprKind, UnOp, ValueFrom};
use crate::kernel::{Item, Kernel, Var};
use crate::scope::Scopes;
use crate::verify::verify;

use self::rotate::tested_at_end;

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Part {
    /// Not in the outer loop.
    Outside,
    /// In the outer loop, before the inner one.
    Before,
    /// In the inner loop.
    Inside,
    /// In the outer loop, after the inner one.
    After,
}

/// The kernel with a loop and the one around it as one loop, which has the name of the outer one;
/// `None` for a loop in no other, and where the parts are not those of a nest.
pub fn as_one_loop(kernel: &Kernel, inner: LoopId) -> Option<Kernel> {
    let outer = kernel[inner].parent?;
    // An iteration that only fails a test would count as one.
    let mut rotated: Option<Kernel> = None;
    for of in [inner, outer] {
        let turned = tested_at_end(rotated.as_ref().unwrap_or(kernel), of);
        rotated = turned.or(rotated);
    }
    let kernel = rotated.as_ref().unwrap_or(kernel);
    let at = kernel[outer].body.items.iter().position(|it| *it == Item::Loop(inner))?;
    let mut nest = Nest {
        old: kernel,
        new: kernel.clone(),
        outer,
        inner,
        ops: FxHashMap::default(),
        loops: FxHashMap::default(),
        counters: FxHashMap::default(),
        is_entered_always: kernel.exprs.as_const(kernel[inner].pred) == Some(1),
        first: kernel.exprs.iter().next()?.0,
        carried: FxHashMap::default(),
        vars: Vec::new(),
        done: FxHashMap::default(),
    };
    let items = &kernel[outer].body.items;
    nest.place(&items[..at], Part::Before);
    nest.place(&kernel[inner].body.items, Part::Inside);
    nest.place(&items[at + 1..], Part::After);
    nest.find_counters();
    nest.rebuild(at);
    verify(&nest.new).is_ok().then_some(nest.new)
}

struct Nest<'k> {
    old: &'k Kernel,
    new: Kernel,
    outer: LoopId,
    inner: LoopId,
    ops: FxHashMap<OpId, Part>,
    /// Loops in the two, but for these.
    loops: FxHashMap<LoopId, Part>,
    /// By variables of the outer loop, those of the inner loop that go on with them.
    counters: FxHashMap<VarId, VarId>,
    is_entered_always: bool,
    /// That an iteration of the outer loop begins.
    first: ExprId,
    /// What is worked out before the inner loop and read in it or after it, in the iteration that
    /// is running.
    carried: FxHashMap<ExprId, ExprId>,
    /// New variables.
    vars: Vec<VarId>,
    done: FxHashMap<(Part, ExprId), ExprId>,
}

impl Nest<'_> {
    fn place(&mut self, items: &[Item], part: Part) {
        for item in items {
            match *item {
                Item::Op(op) => {
                    self.ops.insert(op, part);
                }
                Item::Loop(of) => {
                    self.loops.insert(of, part);
                    let items = self.old[of].body.items.clone();
                    self.place(&items, part);
                }
            }
        }
    }

    /// Variables that count through both loops.
    fn find_counters(&mut self) {
        let Nest { old, outer, inner, .. } = *self;
        let entered = old[inner].pred;
        if !self.is_entered_always && !Scopes::of(old).invariant(outer, entered) {
            return;
        }
        for &own in &old[inner].vars {
            let ExprKind::Var(around) = old[old[own].init].kind else { continue };
            let goes_on = old[around].of == outer
                && old[around].width == old[own].width
                && self.is_left(old[around].next, own);
            if goes_on && !self.counters.values().any(|it| *it == own) {
                self.counters.entry(around).or_insert(own);
            }
        }
    }

    /// Whether a value, where the inner loop was entered, is what the next one of a variable of it
    /// was at its end.
    fn is_left(&self, value: ExprId, own: VarId) -> bool {
        let Nest { old, inner, .. } = *self;
        match old[value].kind {
            ExprKind::Exit(of, left) => of == inner && left == old[own].next,
            ExprKind::Select(on, a, b) => {
                let given = old.exprs.conjuncts(old[inner].pred);
                let is_not = |it: &ExprId| old[*it].kind == ExprKind::Unary(UnOp::Not, on);
                let not_given =
                    matches!(old[on].kind, ExprKind::Unary(UnOp::Not, it) if given.contains(&it));
                if given.contains(&on) {
                    self.is_left(a, own)
                } else {
                    (not_given || given.iter().any(is_not)) && self.is_left(b, own)
                }
            }
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => false,
        }
    }

    fn rebuild(&mut self, at: usize) {
        let Nest { old, outer, inner, .. } = *self;
        let first = self.variable(1, "first");
        self.first = self.new.exprs.intern(ExprKind::Var(first), 1);
        let truth = self.new.exprs.constant(1, 1);
        self.new.vars[first].init = truth;
        let entered = self.value(Part::Inside, old[inner].pred);
        let goes_on = self.value(Part::Inside, old[inner].cont);
        let stays = self.new.exprs.and(entered, goes_on);
        let leaves = self.new.exprs.not(stays);
        self.new.vars[first].next = leaves;
        let guards = [(Part::Before, self.first), (Part::Inside, entered), (Part::After, leaves)];
        let direct = [&old[outer].body.items, &old[inner].body.items];
        let direct: FxHashSet<Item> = direct.into_iter().flatten().copied().collect();
        for (op, it) in old.ops.iter() {
            let part = self.ops.get(&op).copied().unwrap_or(Part::Outside);
            let mut it = it.clone();
            it.map_exprs(&mut |id| self.value(part, id));
            if direct.contains(&Item::Op(op)) {
                it.pred = self.guarded(&guards, part, it.pred);
            }
            self.new.ops[op] = it;
        }
        for (of, it) in old.loops.iter() {
            let part = self.loops.get(&of).copied().unwrap_or(Part::Outside);
            if of == inner {
                continue;
            }
            let mut pred = self.value(part, it.pred);
            if direct.contains(&Item::Loop(of)) {
                pred = self.guarded(&guards, part, pred);
                self.new.loops[of].parent = Some(outer);
            }
            self.new.loops[of].pred = pred;
            if of == outer {
                continue;
            }
            self.new.loops[of].cont = self.value(part, it.cont);
            for var in &it.vars {
                self.new.vars[*var].init = self.value(part, old[*var].init);
                self.new.vars[*var].next = self.value(part, old[*var].next);
            }
        }
        self.variables_of_both(stays);
        let again = self.value(Part::After, old[outer].cont);
        self.new.loops[outer].cont = self.new.exprs.or(stays, again);
        let items = &old[outer].body.items;
        let parts = [&items[..=at], &old[inner].body.items, &items[at + 1..]];
        self.new.loops[outer].body.items = parts.concat();
        let never = self.new.exprs.constant(0, 1);
        let left = &mut self.new.loops[inner];
        (left.pred, left.cont) = (never, never);
        left.vars.clear();
        left.body.items.clear();
        let (of_inner, new) = (old[inner].vars.clone(), std::mem::take(&mut self.vars));
        self.new.loops[outer].vars.extend(of_inner.into_iter().chain(new));
    }

    /// The variables of the two loops, as those of the one.
    fn variables_of_both(&mut self, stays: ExprId) {
        let Nest { old, outer, inner, .. } = *self;
        for &var in &old[outer].vars {
            self.new.vars[var].init = self.value(Part::Outside, old[var].init);
            let own = self.new.exprs.intern(ExprKind::Var(var), old[var].width);
            let next = self.value(Part::After, old[var].next);
            self.new.vars[var].next = self.new.exprs.select(stays, own, next);
        }
        for &var in &old[inner].vars {
            let around = self.counters.iter().find(|(_, own)| **own == var).map(|(it, _)| *it);
            let init = match around {
                Some(around) => self.value(Part::Outside, old[around].init),
                None => self.new.exprs.constant(0, old[var].width),
            };
            let next = self.value(Part::Inside, old[var].next);
            let it = &mut self.new.vars[var];
            (it.of, it.init, it.next) = (outer, init, next);
        }
    }

    fn guarded(&mut self, guards: &[(Part, ExprId)], part: Part, pred: ExprId) -> ExprId {
        match guards.iter().find(|(of, _)| *of == part) {
            Some((_, guard)) => self.new.exprs.and(*guard, pred),
            None => pred,
        }
    }

    fn variable(&mut self, width: u8, name: &str) -> VarId {
        let zero = self.new.exprs.constant(0, width);
        let name = Some(name.to_owned());
        let var = Var { of: self.outer, width, init: zero, next: zero, name };
        let var = self.new.vars.push(var);
        self.vars.push(var);
        var
    }

    /// What an expression of a part is in the iteration that is running.
    fn value(&mut self, part: Part, id: ExprId) -> ExprId {
        let mut work = vec![(part, id)];
        while let Some(&(part, id)) = work.last() {
            if self.done.contains_key(&(part, id)) {
                work.pop();
                continue;
            }
            let before = work.len();
            for needed in self.needed(part, id) {
                if !self.done.contains_key(&needed) {
                    work.push(needed);
                }
            }
            if work.len() == before {
                work.pop();
                let value = self.made(part, id);
                self.done.insert((part, id), value);
            }
        }
        self.done[&(part, id)]
    }

    /// Whether something before the inner loop is read later.
    fn is_carried(&self, part: Part, id: ExprId) -> bool {
        let from = match self.old[id].kind.value_from() {
            ValueFrom::Result(op, _) => self.ops.get(&op),
            ValueFrom::Exit(of, _) => self.loops.get(&of),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Var(_)
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => None,
        };
        from == Some(&Part::Before) && matches!(part, Part::Inside | Part::After)
    }

    /// What the value of an expression is made of.
    fn needed(&self, part: Part, id: ExprId) -> Vec<(Part, ExprId)> {
        if self.is_carried(part, id) {
            return vec![(Part::Before, id)];
        }
        match self.old[id].kind {
            ExprKind::Exit(of, value) => vec![(self.part_of_loop(of), value)],
            ExprKind::Var(var) if self.starts_anew(var) => {
                vec![(Part::Before, self.old[var].init)]
            }
            _ => {
                let mut all = Vec::new();
                self.old.exprs.for_each_operand(id, |it| all.push((part, it)));
                all
            }
        }
    }

    fn part_of_loop(&self, of: LoopId) -> Part {
        match of {
            _ if of == self.inner => Part::Inside,
            _ if of == self.outer => Part::After,
            _ => self.loops.get(&of).copied().unwrap_or(Part::Outside),
        }
    }

    /// Whether a variable of the inner loop has a first value in each of its runs.
    fn starts_anew(&self, var: VarId) -> bool {
        self.old[var].of == self.inner && !self.counters.values().any(|it| *it == var)
    }

    fn made(&mut self, part: Part, id: ExprId) -> ExprId {
        let width = self.old.exprs.width(id);
        if self.is_carried(part, id) {
            return self.carry(id);
        }
        match self.old[id].kind {
            ExprKind::Exit(of, value) => {
                let value = self.done[&(self.part_of_loop(of), value)];
                if of == self.inner {
                    return value;
                }
                self.new.exprs.intern(ExprKind::Exit(of, value), width)
            }
            ExprKind::Var(var) if self.starts_anew(var) => {
                let init = self.done[&(Part::Before, self.old[var].init)];
                self.new.exprs.select(self.first, init, id)
            }
            ExprKind::Var(var) if part == Part::Before && self.is_entered_always => {
                match self.counters.get(&var) {
                    Some(own) => self.new.exprs.intern(ExprKind::Var(*own), width),
                    None => id,
                }
            }
            _ => {
                let done = &self.done;
                let mut is_as_before = part == Part::Outside;
                self.old.exprs.for_each_operand(id, |it| is_as_before &= done[&(part, it)] == it);
                match is_as_before {
                    true => id,
                    false => self.new.exprs.rebuilt(id, &|it| done[&(part, it)]),
                }
            }
        }
    }

    /// A value from before the inner loop, kept until the outer iteration is over.
    fn carry(&mut self, id: ExprId) -> ExprId {
        if let Some(known) = self.carried.get(&id) {
            return *known;
        }
        let width = self.old.exprs.width(id);
        let var = self.variable(width, "kept");
        let own = self.new.exprs.intern(ExprKind::Var(var), width);
        let value = self.done[&(Part::Before, id)];
        let now = self.new.exprs.select(self.first, value, own);
        self.new.vars[var].next = now;
        self.carried.insert(id, now);
        now
    }
}
