//! The blocks of a host function, and what holds where control comes to one.
//!
//! **What**: conditions of branches that hold in a block.
//! **Method**: a block that dominates this one, and whose branch leads here by one of its edges
//! only: that edge was taken. Of a `switch`, by some of its edges only: one of these was.
//! **Sound because** the edge goes to a block `s` that dominates the block and has no other way in,
//! but from what it dominates itself, as the first block of a loop has. So the last run of the
//! branch before the block took it. An edge of a `switch` from which no way leads to the block but
//! through the switch again was not the last one before the block.
//! The values of the condition are those that an expression at the block reads: a value that
//! dominates the branch does not run again after the branch without the branch running again: from
//! there on the block is come to through `s`, and `s` by the edge.
//! Where several edges lead to a block, one of them was taken: `ways` tells by which blocks control
//! can have come from the one that dominates it, of which none runs twice, so that each condition
//! has the value that its branch looked at.
//! **Misses**: joins inside loops, and of many blocks.
//! **Assumes**: nothing.

use std::collections::{HashMap, HashSet};

use petgraph::algo::{dominators, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex};

use heddle_llvm::{Block, Function, Inst, Opcode, SwitchCase, Value};

/// What is known of the value that a branch looked at.
#[derive(Clone, Debug)]
pub(super) enum Outcome<'m> {
    /// A bit: it was this.
    Is(bool),
    /// It was one of these.
    OneOf(Vec<Value<'m>>),
    /// It was none of these.
    NoneOf(Vec<Value<'m>>),
}

/// A block on the ways to a join, and those from which control comes to it.
pub(super) struct Way<'m> {
    pub(super) to: Block<'m>,
    pub(super) from: Vec<Block<'m>>,
}

/// Blocks between a join and the one that dominates it, at most.
const MOST_BETWEEN: usize = 64;

/// The control flow of a function.
pub(super) struct Paths<'m> {
    index: HashMap<Block<'m>, NodeIndex>,
    graph: DiGraph<Block<'m>, ()>,
    dominators: dominators::Dominators<NodeIndex>,
    /// When a walk through the tree of dominators enters and leaves each block; none for those that
    /// control never comes to.
    spans: Vec<Option<(usize, usize)>>,
    /// Blocks that can be come to again.
    repeats: Vec<bool>,
}

impl<'m> Paths<'m> {
    pub(super) fn of(function: Function<'m>) -> Option<Paths<'m>> {
        let mut graph = DiGraph::new();
        let index: HashMap<_, _> =
            function.blocks().map(|block| (block, graph.add_node(block))).collect();
        for block in function.blocks() {
            for next in block.successors() {
                graph.add_edge(index[&block], *index.get(&next)?, ());
            }
        }
        let entry = *index.get(&function.blocks().next()?)?;
        let dominators = dominators::simple_fast(&graph, entry);
        let mut repeats = vec![false; graph.node_count()];
        for part in tarjan_scc(&graph) {
            let is_circle = part.len() > 1 || part.iter().any(|it| graph.contains_edge(*it, *it));
            part.iter().for_each(|it| repeats[it.index()] = is_circle);
        }
        let spans = spans(&graph, &dominators, entry);
        Some(Paths { index, graph, dominators, spans, repeats })
    }

    /// Whether a block can run more than once in a call of the function.
    pub(super) fn repeats(&self, block: Block<'m>) -> bool {
        self.index.get(&block).is_none_or(|it| self.repeats[it.index()])
    }

    /// Whether every path to the second goes through the first.
    pub(super) fn dominates(&self, first: Block<'m>, second: Block<'m>) -> bool {
        let (Some(&first), Some(&second)) = (self.index.get(&first), self.index.get(&second))
        else {
            return false;
        };
        let span = |it: NodeIndex| self.spans[it.index()];
        let (Some((enters, leaves)), Some((at, _))) = (span(first), span(second)) else {
            return false;
        };
        enters <= at && at < leaves
    }

    /// Whether control can come from the end of the first to the second, without the third.
    pub(super) fn reaches(&self, first: Block<'m>, second: Block<'m>, not: Block<'m>) -> bool {
        let index = |it: Block<'m>| self.index.get(&it).copied();
        let (Some(first), Some(second), not) = (index(first), index(second), index(not)) else {
            return true;
        };
        let mut seen = vec![false; self.graph.node_count()];
        let mut next: Vec<NodeIndex> = self.graph.neighbors(first).collect();
        while let Some(node) = next.pop() {
            if node == second {
                return true;
            }
            if Some(node) != not && !std::mem::replace(&mut seen[node.index()], true) {
                next.extend(self.graph.neighbors(node));
            }
        }
        false
    }

    /// The blocks from which control can come to the second without the first, which dominates it.
    pub(super) fn between(&self, first: Block<'m>, second: Block<'m>) -> Vec<Block<'m>> {
        let mut seen = vec![false; self.graph.node_count()];
        let mut found = Vec::new();
        let mut next: Vec<NodeIndex> = self.index.get(&second).copied().into_iter().collect();
        while let Some(node) = next.pop() {
            for before in self.graph.neighbors_directed(node, petgraph::Incoming) {
                let block = self.graph[before];
                if block != first && !std::mem::replace(&mut seen[before.index()], true) {
                    found.push(block);
                    next.push(before);
                }
            }
        }
        found
    }

    /// Conditions under which control came through a block on its way to `end`; none at all where
    /// it always did, and `None` where they cannot be told.
    ///
    /// Going up the dominators to one that `end` has too, which control came through: from each of
    /// them control went to the next because its branch chose so, or because there is no other way
    /// to `end`. No block on the way runs twice, so a condition has at `end` the value that the
    /// branch looked at.
    pub(super) fn on_the_way(
        &self,
        block: Block<'m>,
        end: Block<'m>,
    ) -> Option<Vec<(Value<'m>, Outcome<'m>)>> {
        let mut conditions = Vec::new();
        let mut below = block;
        while !self.dominates(below, end) {
            let above = self.immediate(below).filter(|it| !self.repeats(*it))?;
            let by_branch = || {
                let next = *self.index.get(&below)?;
                let mut from = self.graph.neighbors_directed(next, petgraph::Incoming);
                let only = from.all(|it| self.graph[it] == above);
                only.then(|| self.taken(above, below)).flatten()
            };
            match by_branch() {
                Some(condition) => conditions.push(condition),
                None if !self.reaches(above, end, below) => {}
                None => return None,
            }
            below = above;
        }
        Some(conditions)
    }

    /// The blocks that dominate one, itself first.
    pub(super) fn dominating(&self, block: Block<'m>) -> Vec<Block<'m>> {
        let node = self.index.get(&block);
        let chain = node.and_then(|it| self.dominators.dominators(*it));
        chain.into_iter().flatten().map(|it| self.graph[it]).collect()
    }

    /// The ways by which control comes to a join from the block that dominates it immediately: each
    /// block on them after those that it is come to from, and the join last. None where a block
    /// runs twice, where they are many, and where they say nothing, since all of them lead to the
    /// join.
    pub(super) fn ways(&self, join: Block<'m>) -> Option<Vec<Way<'m>>> {
        let above = self.immediate(join)?;
        let node = *self.index.get(&join)?;
        let before = |it: NodeIndex| self.graph.neighbors_directed(it, petgraph::Incoming);
        let mut from: Vec<_> = before(node).collect();
        from.dedup();
        if from.len() < 2 {
            return None;
        }
        let between = self.between(above, join);
        let all = [above, join].into_iter().chain(between.iter().copied());
        if between.len() > MOST_BETWEEN || all.clone().any(|it| self.repeats(it)) {
            return None;
        }
        let leads_here = |it: Block<'m>| all.clone().any(|other| other == it);
        let leaves = |it: &Block<'m>| it.successors().iter().any(|next| !leads_here(*next));
        if !leaves(&above) && !between.iter().any(leaves) {
            return None;
        }
        let mut order: Vec<Way<'m>> = Vec::new();
        while order.len() <= between.len() {
            let is_done = |it: Block<'m>| it == above || order.iter().any(|way| way.to == it);
            let next = between.iter().copied().chain([join]).find(|it| {
                !is_done(*it) && before(self.index[it]).all(|it| is_done(self.graph[it]))
            })?;
            let mut from: Vec<_> = before(self.index[&next]).map(|it| self.graph[it]).collect();
            let mut seen = HashSet::new();
            from.retain(|it| seen.insert(*it));
            order.push(Way { to: next, from });
        }
        Some(order)
    }

    /// The block from which the conditions of a join are told apart.
    pub(super) fn immediate(&self, block: Block<'m>) -> Option<Block<'m>> {
        let node = self.dominators.immediate_dominator(*self.index.get(&block)?)?;
        Some(self.graph[node])
    }

    /// The conditions that hold in a block, from the nearest branch up to `until`, which is not
    /// looked at itself, or to the entry.
    pub(super) fn conditions(
        &self,
        block: Block<'m>,
        until: Option<Block<'m>>,
    ) -> Vec<(Value<'m>, Outcome<'m>)> {
        let mut found = Vec::new();
        let Some(&node) = self.index.get(&block) else { return found };
        let Some(chain) = self.dominators.strict_dominators(node) else { return found };
        // `until` decides as well, where it branches to here.
        let mut done = false;
        for above in chain {
            if done {
                break;
            }
            done = until.is_some_and(|it| self.index.get(&it) == Some(&above));
            found.extend(self.taken(self.graph[above], block));
        }
        found
    }

    /// What the branch at the end of a block decided, for who is in another.
    fn taken(&self, branch: Block<'m>, here: Block<'m>) -> Option<(Value<'m>, Outcome<'m>)> {
        let end = branch.terminator()?;
        let condition = end.condition()?;
        let successors = end.successors();
        let leads = |next: &Block<'m>| {
            let Some(&node) = self.index.get(next) else { return false };
            let mut from = self.graph.neighbors_directed(node, petgraph::Incoming);
            self.dominates(*next, here)
                && !self.dominates(*next, branch)
                && from.all(|it| {
                    let from = self.graph[it];
                    from == branch || self.dominates(*next, from)
                })
        };
        let next = successors.iter().copied().find(leads);
        match end.opcode() {
            Opcode::Br => {
                let next = next?;
                let is_true = successors.first() == Some(&next);
                let is_false = successors.get(1) == Some(&next);
                (is_true != is_false).then_some((condition, Outcome::Is(is_true)))
            }
            Opcode::Switch => match next {
                Some(next) => switched(end, |it| it == next),
                None if !self.dominates(branch, here) => None,
                None => switched(end, |it| it == here || self.reaches(it, here, branch)),
            },
            _ => None,
        }
    }

    /// What the branch at the end of a block decided, for who goes on at another.
    pub(super) fn edge(&self, from: Block<'m>, to: Block<'m>) -> Option<(Value<'m>, Outcome<'m>)> {
        let end = from.terminator()?;
        match end.opcode() {
            Opcode::Br => {
                let condition = end.condition()?;
                let next = end.successors();
                let (yes, no) = (next.first() == Some(&to), next.get(1) == Some(&to));
                (yes != no).then_some((condition, Outcome::Is(yes)))
            }
            Opcode::Switch => switched(end, |it| it == to),
            _ => None,
        }
    }
}

/// What a `switch` found that went on at one of some blocks; none where these are all there are.
fn switched<'m>(
    end: Inst<'m>,
    is_taken: impl Fn(Block<'m>) -> bool,
) -> Option<(Value<'m>, Outcome<'m>)> {
    let is_default = end.successors().first().is_some_and(|it| is_taken(*it));
    let (to_here, elsewhere): (Vec<_>, Vec<_>) =
        end.switch_cases().into_iter().partition(|it| is_taken(it.target));
    let values = |of: Vec<SwitchCase<'m>>| of.into_iter().map(|it| it.value).collect();
    let outcome = match is_default {
        true if elsewhere.is_empty() => return None,
        true => Outcome::NoneOf(values(elsewhere)),
        false => Outcome::OneOf(values(to_here)),
    };
    Some((end.condition()?, outcome))
}

/// When a walk through the tree of dominators enters and leaves each block.
fn spans<'m>(
    graph: &DiGraph<Block<'m>, ()>,
    dominators: &dominators::Dominators<NodeIndex>,
    entry: NodeIndex,
) -> Vec<Option<(usize, usize)>> {
    let mut below = vec![Vec::new(); graph.node_count()];
    for node in graph.node_indices() {
        if let Some(above) = dominators.immediate_dominator(node) {
            below[above.index()].push(node);
        }
    }
    let mut spans = vec![None; graph.node_count()];
    let (mut time, mut work) = (0, vec![(entry, false)]);
    while let Some((node, is_left)) = work.pop() {
        if is_left {
            let enters = spans[node.index()].map_or(0, |(enters, _)| enters);
            spans[node.index()] = Some((enters, time));
            continue;
        }
        spans[node.index()] = Some((time, time));
        time += 1;
        work.push((node, true));
        work.extend(below[node.index()].iter().map(|it| (*it, false)));
    }
    spans
}
