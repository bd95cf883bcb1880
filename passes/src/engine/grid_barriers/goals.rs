//! What the n-th wait of a block waits for.
//!
//! **What**: each wait ends only when the counter is at least the number of blocks times the number
//! of additions that the block has done.
//! **Method**: either the goal is computed from what the addition found, as the next multiple of
//! the number of blocks; or by induction over the text and the rounds of loops: the first goal is
//! the number of blocks, each next one is larger by it, as polynomials ([`super::sum`]).
//! **Sound because**: a block's n-th addition finds at least n - 1 times the number of blocks,
//! since its wait before has ended, and less than n times, since no block has done more than n; its
//! next multiple is the n-th. For the induction, what has been counted is a value of the kernel's
//! own: at the head of a loop that of the first goal inside, less one round. It must be what was
//! counted before the loop in the first iteration, and what was counted at the end of one iteration
//! in the next. Iterations that go on have come to the barriers; whether the last one has is told
//! by the loop's condition, or nothing is known after the loop. Equal modulo 2^width is enough, as
//! the counter does not wrap around.
//! **Misses**: barriers under several conditions in one region, goals that go through memory.
//! **Assumes**: as [`super`].

use heddle_ir::{BinOp, CmpOp, ExprId, ExprKind, Item, LoopId, Region, UnOp};

use super::sum::{Moment, Sum, Sums};
use super::{Site, is_in};
use crate::facts::analysis::Analysis;
use crate::facts::order::implies;

/// Whether each wait of these places ends only when all blocks have done as many additions.
pub(super) fn are_reached_by_all(analysis: &Analysis<'_>, sites: &[Site]) -> bool {
    let sums = Sums { kernel: analysis.kernel, scopes: &analysis.scopes, launch: analysis.launch };
    let goals: Option<Vec<ExprId>> = sites.iter().map(|it| goal(analysis, *it)).collect();
    let Some(goals) = goals else { return false };
    let next_multiples =
        sites.iter().zip(&goals).all(|(site, goal)| is_next_multiple(sums, *site, *goal).is_some());
    let rounds = || {
        let width = analysis.kernel.exprs.width(*goals.first()?);
        let blocks = sums.blocks(width)?;
        let rounds = Rounds { analysis, sums, sites, goals: &goals, blocks };
        rounds.through(None, Sum::constant(0, width))
    };
    !sites.is_empty() && (next_multiples || rounds().is_some())
}

/// What a wait waits for: it goes on while the counter is less, or something else.
fn goal(analysis: &Analysis<'_>, site: Site) -> Option<ExprId> {
    let kernel = analysis.kernel;
    let is_value = |id: ExprId| kernel[id].kind == ExprKind::Result(site.read, 0);
    let (negated, compared) =
        if let ExprKind::Unary(UnOp::Not, inner) = kernel[site.waits_while].kind {
            (true, inner)
        } else {
            (false, site.waits_while)
        };
    let ExprKind::Cmp(op, a, b) = kernel[compared].kind else { return None };
    let goal = match (op, negated) {
        (CmpOp::Ult | CmpOp::Slt, false) | (CmpOp::Eq, true) if is_value(a) => b,
        // While the goal is not less than or equal to it, or not equal.
        (CmpOp::Ule | CmpOp::Sle | CmpOp::Eq, true) if is_value(b) => a,
        // The sign of the difference.
        (CmpOp::Slt, false) if kernel.exprs.as_const(b) == Some(0) => {
            let ExprKind::Binary(BinOp::Sub, _, value, goal) = kernel[a].kind else { return None };
            is_value(value).then_some(goal)?
        }
        (CmpOp::Eq | CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle, _) => return None,
    };
    let of_loop = analysis.scopes.loop_of(site.read);
    let is_fixed = of_loop.is_some_and(|of| analysis.scopes.invariant(of, goal));
    is_fixed.then_some(goal)
}

/// Whether a goal is the next multiple of the number of blocks after what the addition found.
fn is_next_multiple(sums: Sums<'_>, site: Site, goal: ExprId) -> Option<()> {
    let kernel = sums.kernel;
    let width = kernel.exprs.width(goal);
    let blocks = sums.blocks(width)?;
    let read = sums.read(goal)?;
    let found = |id: ExprId| kernel[id].kind == ExprKind::Result(site.add, 0);
    let is_blocks = |id: ExprId| sums.read(id).as_ref() == Some(&blocks);
    let atoms: Vec<ExprId> = read.atoms().map(|atom| atom.of).collect();
    let is_one = atoms.into_iter().any(|atom| {
        let next = || {
            let ExprKind::Binary(op, _, a, b) = kernel[atom].kind else { return None };
            let multiple = match (op, found(a) && is_blocks(b)) {
                // found / blocks * blocks
                (BinOp::UDiv, true) => sums.read(atom)?.times(&blocks)?,
                // found - found % blocks
                (BinOp::URem, true) => sums.read(a)?.minus(&sums.read(atom)?)?,
                _ => return None,
            };
            multiple.plus(1, &blocks)
        };
        next().as_ref() == Some(&read)
    });
    is_one.then_some(())
}

struct Rounds<'a, 'k> {
    analysis: &'a Analysis<'k>,
    sums: Sums<'a>,
    sites: &'a [Site],
    goals: &'a [ExprId],
    blocks: Sum,
}

/// What a region has of the places: one, or a loop with some inside.
#[derive(Clone, Copy)]
enum Event {
    Site(usize),
    Loop(LoopId),
}

/// What is counted somewhere.
enum Counted {
    As(Sum),
    /// As much as blocks have, which is no sum.
    Somehow,
}

impl Rounds<'_, '_> {
    /// What is counted after a region, if each wait in it is for one more of each block than was
    /// counted before it.
    fn through(&self, of: Option<LoopId>, before: Sum) -> Option<Counted> {
        let mut counted = Counted::As(before);
        for event in self.events(of) {
            let Counted::As(before) = counted else { return None };
            counted = match event {
                Event::Site(at) => {
                    let goal = self.sums.read(self.goals[at])?;
                    Counted::As((before.plus(1, &self.blocks)? == goal).then_some(goal)?)
                }
                Event::Loop(inner) => self.around(inner, &before)?,
            };
        }
        self.who_comes(of).map(|_| counted)
    }

    fn around(&self, of: LoopId, before: &Sum) -> Option<Counted> {
        let kernel = self.analysis.kernel;
        let (enters, cont) = (kernel[of].pred, kernel[of].cont);
        let comes = self.who_comes(Some(of))?;
        let is_true = kernel.exprs.as_const(comes) == Some(1);
        let always =
            is_true || self.analysis.scopes.invariant(of, comes) && implies(kernel, enters, comes);
        if !always && !implies(kernel, cont, comes) {
            return None;
        }
        let head = self.head(of)?;
        let Counted::As(end) = self.through(Some(of), head.clone())? else { return None };
        let goes_on = self.sums.at(of, Moment::First, &head)? == *before
            && self.sums.at(of, Moment::Next, &head)? == end;
        let last = match always {
            true => Some(&end),
            false if comes == cont => Some(&head),
            false => None,
        };
        let after = last.and_then(|it| self.sums.after(of, it));
        goes_on.then_some(after.map_or(Counted::Somehow, Counted::As))
    }

    /// What is counted at the start of an iteration: as the first wait in it says.
    fn head(&self, of: LoopId) -> Option<Sum> {
        match *self.events(Some(of)).first()? {
            Event::Site(at) => self.sums.read(self.goals[at])?.minus(&self.blocks),
            Event::Loop(inner) => self.sums.at(inner, Moment::First, &self.head(inner)?),
        }
    }

    /// Who comes to the waits of a region: to all or to none.
    fn who_comes(&self, of: Option<LoopId>) -> Option<ExprId> {
        let kernel = self.analysis.kernel;
        let mut all = self.events(of).into_iter().map(|event| match event {
            Event::Site(at) => self.sites[at].pred,
            Event::Loop(inner) => kernel[inner].pred,
        });
        let first = all.next()?;
        all.all(|it| it == first).then_some(first)
    }

    fn events(&self, of: Option<LoopId>) -> Vec<Event> {
        let kernel = self.analysis.kernel;
        let region: &Region = match of {
            Some(of) => &kernel[of].body,
            None => &kernel.body,
        };
        let event = |item: &Item| match *item {
            Item::Op(op) => self.sites.iter().position(|it| it.add == op).map(Event::Site),
            Item::Loop(inner) => {
                let is_around = |it: &Site| is_in(self.analysis, inner, it.add);
                self.sites.iter().any(is_around).then_some(Event::Loop(inner))
            }
        };
        region.items.iter().filter_map(event).collect()
    }
}
