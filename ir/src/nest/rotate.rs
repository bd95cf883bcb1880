//! A loop that tests before its body as one that tests after it.
//!
//! **Promise**: each thread does the same operations with the same operands in the same order as in
//! the kernel as it was, under the same numbers. Iteration `k` of the loop is iteration `k` as
//! before; the last one, in which the test failed, is gone. What was done in it alone stands after
//! the loop. **Does not**: change loops in which an operation depends neither on the test nor on
//! its contrary, or whose test in the next iteration depends on what that does.

use rustc_hash::FxHashMap;

use crate::entity::{ExprId, LoopId, OpId};
use crate::expr::{ExprKind, ValueFrom};
use crate::kernel::{Item, Kernel};
use crate::verify::verify;

/// The kernel with a loop that tests at the end; `None` where it cannot be made one.
pub(crate) fn tested_at_end(kernel: &Kernel, of: LoopId) -> Option<Kernel> {
    let test = kernel[of].cont;
    let mut it = Rotation {
        old: kernel,
        new: kernel.clone(),
        of,
        test,
        inside: FxHashMap::default(),
        done: FxHashMap::default(),
    };
    it.place(&kernel[of].body.items);
    let moved = it.moved()?;
    it.rebuild(&moved)?;
    verify(&it.new).is_ok().then_some(it.new)
}

/// Where an expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum At {
    /// In the loop, where the test has been passed.
    Inside,
    /// Anywhere else.
    Outside,
    /// In the loop, of the next iteration, at the end of this one.
    Next,
    /// Before the loop, of its first iteration.
    First,
    /// After the loop, of the iteration in which the test failed.
    Last,
}

struct Rotation<'k> {
    old: &'k Kernel,
    new: Kernel,
    of: LoopId,
    test: ExprId,
    /// Operations and loops in the loop.
    inside: FxHashMap<Item, ()>,
    done: FxHashMap<(At, ExprId), ExprId>,
}

impl Rotation<'_> {
    fn place(&mut self, items: &[Item]) {
        for item in items {
            self.inside.insert(*item, ());
            if let Item::Loop(of) = item {
                let items = self.old[*of].body.items.clone();
                self.place(&items);
            }
        }
    }

    /// The operations of the last iteration; nothing where one may be done with the test and
    /// without.
    fn moved(&mut self) -> Option<Vec<OpId>> {
        let contrary = self.new.exprs.not(self.test);
        let mut moved = Vec::new();
        for item in &self.old[self.of].body.items {
            let pred = match *item {
                Item::Op(op) => self.old[op].pred,
                Item::Loop(of) => self.old[of].pred,
            };
            let given = self.new.exprs.conjuncts(pred);
            match *item {
                _ if given.contains(&self.test) => {}
                Item::Op(op) if given.contains(&contrary) => moved.push(op),
                Item::Op(_) | Item::Loop(_) => return None,
            }
        }
        Some(moved)
    }

    fn rebuild(&mut self, moved: &[OpId]) -> Option<()> {
        let Rotation { old, of, test, .. } = *self;
        let entered = self.value(At::First, test)?;
        let again = self.value(At::Next, test)?;
        for (op, it) in old.ops.iter() {
            let at = match self.inside.contains_key(&Item::Op(op)) {
                true if moved.contains(&op) => At::Last,
                true => At::Inside,
                false => At::Outside,
            };
            let mut it = it.clone();
            let mut failed = false;
            it.map_exprs(&mut |id| {
                self.value(at, id).unwrap_or_else(|| {
                    failed = true;
                    id
                })
            });
            if failed {
                return None;
            }
            if at == At::Last {
                let came = self.value(At::Outside, old[of].pred)?;
                it.pred = self.new.exprs.and(came, it.pred);
            }
            self.new.ops[op] = it;
        }
        for (other, it) in old.loops.iter() {
            let inside = self.inside.contains_key(&Item::Loop(other));
            let (around, within) = match (inside, other == of) {
                (true, _) => (At::Inside, At::Inside),
                (false, true) => (At::Outside, At::Inside),
                (false, false) => (At::Outside, At::Outside),
            };
            self.new.loops[other].pred = self.value(around, it.pred)?;
            self.new.loops[other].cont = self.value(within, it.cont)?;
            for var in &it.vars {
                self.new.vars[*var].init = self.value(around, old[*var].init)?;
                self.new.vars[*var].next = self.value(within, old[*var].next)?;
            }
        }
        let came = self.new.loops[of].pred;
        self.new.loops[of].pred = self.new.exprs.and(came, entered);
        self.new.loops[of].cont = again;
        let left = |item: &Item| !matches!(item, Item::Op(op) if moved.contains(op));
        self.new.loops[of].body.items.retain(left);
        let around = match old[of].parent {
            Some(parent) => &mut self.new.loops[parent].body.items,
            None => &mut self.new.body.items,
        };
        let at = around.iter().position(|it| *it == Item::Loop(of))? + 1;
        around.splice(at..at, moved.iter().map(|op| Item::Op(*op)));
        Some(())
    }

    /// What an expression is at a place, if that can be said.
    fn value(&mut self, at: At, id: ExprId) -> Option<ExprId> {
        let mut work = vec![(at, id)];
        while let Some(&(at, id)) = work.last() {
            if self.done.contains_key(&(at, id)) {
                work.pop();
                continue;
            }
            let before = work.len();
            let needed = self.needed(at, id)?;
            work.extend(needed.into_iter().filter(|it| !self.done.contains_key(it)));
            if work.len() == before {
                work.pop();
                let value = self.made(at, id);
                self.done.insert((at, id), value);
            }
        }
        self.done.get(&(at, id)).copied()
    }

    fn needed(&self, at: At, id: ExprId) -> Option<Vec<(At, ExprId)>> {
        let Rotation { old, of, .. } = *self;
        // What the iteration that failed the test does is not there any more.
        let is_moving = matches!(at, At::Next | At::First);
        match old[id].kind.value_from() {
            _ if at == At::Last => {
                Some(vec![(At::First, self.test), (At::First, id), (At::Next, id)])
            }
            ValueFrom::Exit(it, value) if it == of => {
                Some(vec![(At::First, self.test), (At::First, value), (At::Next, value)])
            }
            ValueFrom::Exit(it, value) => {
                let inside = self.inside.contains_key(&Item::Loop(it));
                if is_moving && inside {
                    return None;
                }
                Some(vec![(if inside { At::Inside } else { At::Outside }, value)])
            }
            ValueFrom::Result(op, _) if is_moving && self.inside.contains_key(&Item::Op(op)) => {
                None
            }
            ValueFrom::Var(var) if old[var].of == of => Some(match at {
                At::Next => vec![(At::Inside, old[var].next)],
                At::First => vec![(At::Outside, old[var].init)],
                At::Inside | At::Outside | At::Last => Vec::new(),
            }),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Var(_)
            | ValueFrom::Result(..)
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => {
                let mut all = Vec::new();
                old.exprs.for_each_operand(id, |it| all.push((at, it)));
                Some(all)
            }
        }
    }

    fn made(&mut self, at: At, id: ExprId) -> ExprId {
        let Rotation { old, of, test, .. } = *self;
        let width = old.exprs.width(id);
        match old[id].kind {
            _ if at == At::Last => self.left(id),
            _ if at == At::Inside && id == test => self.new.exprs.constant(1, 1),
            ExprKind::Exit(it, value) if it == of => self.left(value),
            ExprKind::Exit(it, value) => {
                let inside = self.inside.contains_key(&Item::Loop(it));
                let value = self.done[&(if inside { At::Inside } else { At::Outside }, value)];
                self.new.exprs.intern(ExprKind::Exit(it, value), width)
            }
            ExprKind::Var(var) if old[var].of == of => match at {
                At::Next => self.done[&(At::Inside, old[var].next)],
                At::First => self.done[&(At::Outside, old[var].init)],
                At::Inside | At::Outside | At::Last => id,
            },
            _ => {
                let done = &self.done;
                let mut is_as_before = true;
                old.exprs.for_each_operand(id, |it| is_as_before &= done[&(at, it)] == it);
                match is_as_before {
                    true => id,
                    false => self.new.exprs.rebuilt(id, &|it| done[&(at, it)]),
                }
            }
        }
    }

    /// What an expression was in the iteration that failed the test.
    fn left(&mut self, value: ExprId) -> ExprId {
        let width = self.old.exprs.width(value);
        let entered = self.done[&(At::First, self.test)];
        let (first, next) = (self.done[&(At::First, value)], self.done[&(At::Next, value)]);
        let after = self.new.exprs.intern(ExprKind::Exit(self.of, next), width);
        self.new.exprs.select(entered, after, first)
    }
}
