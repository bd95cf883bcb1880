//! Control flow as a tree of loops, each with an acyclic body.
//!
//! Works on block numbers only (in the function's order, the entry is 0), so that it can be tested
//! without LLVM. [`Forest::new`] finds the natural loops and refuses irreducible flow;
//! [`Forest::region`] gives the body of one loop (or of the function): its blocks and inner loops
//! in topological order, each inner loop as one node, with what the predicates need: the immediate
//! dominator of each node, and whether whoever reaches that dominator also reaches the node.
//!
//! **Early returns.** What a thread still does on its way out of the kernel from the middle of a
//! loop happens while the others are in the loop, so a block at which the thread ends is part of
//! the loop that leads there, if another way out leads on.
//!
//! **Order.** Where the flow leaves a choice, the node that stands first in the text comes first.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// What the blocks of a function do at their ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Flow {
    /// By block: where it goes on, each target once.
    pub(super) succs: Vec<Vec<usize>>,
    /// By block: whether a thread can end there.
    pub(super) ends: Vec<bool>,
    /// By block: whether all who come there end there, without waiting for anyone.
    pub(super) tails: Vec<bool>,
}

/// One natural loop.
#[derive(Debug, Clone)]
pub(super) struct NaturalLoop {
    /// Where it is entered.
    pub(super) header: usize,
    /// The loop around it.
    pub(super) parent: Option<usize>,
    /// Edges that leave it, in block order.
    pub(super) exits: Vec<(usize, usize)>,
    /// Whether each thread in the last iteration leaves by the one exit edge there is.
    pub(super) single_way_out: bool,
}

/// The loops of a function.
#[derive(Debug)]
pub(super) struct Forest {
    flow: Flow,
    /// Whether the entry reaches the block.
    reachable: Vec<bool>,
    /// Inner loops after outer ones.
    pub(super) loops: Vec<NaturalLoop>,
    /// By block: the innermost loop around it.
    innermost: Vec<Option<usize>>,
}

/// A node of a loop's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    /// A block of this loop and no inner one.
    Block(usize),
    /// An inner loop as a whole.
    Loop(usize),
}

/// An edge that enters a node of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// The node it leaves.
    pub(super) node: usize,
    /// The block it leaves.
    pub(super) from: usize,
    /// The block it enters.
    pub(super) to: usize,
}

/// The body of a loop, or of the function. The index one past the nodes stands for the end of an
/// iteration, where all back edges meet.
#[derive(Debug)]
pub(super) struct Region {
    /// In topological order, the entry first.
    pub(super) nodes: Vec<Node>,
    /// By node (and end of iteration): the edges that enter it.
    pub(super) entering: Vec<Vec<Edge>>,
    /// By node (and end of iteration): its immediate dominator. The entry is its own.
    pub(super) idom: Vec<usize>,
    /// By node (and end of iteration): whoever reaches the immediate dominator gets here.
    pub(super) always: Vec<bool>,
}

/// The header of a cycle that can be entered elsewhere too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Irreducible(pub(super) usize);

impl Forest {
    /// Finds the loops.
    pub(super) fn new(flow: Flow) -> Result<Forest, Irreducible> {
        let count = flow.succs.len();
        let mut graph = DiGraph::<(), ()>::with_capacity(count, count * 2);
        for _ in 0..count {
            graph.add_node(());
        }
        for (from, succs) in flow.succs.iter().enumerate() {
            for &to in succs {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            }
        }
        let dominators = simple_fast(&graph, NodeIndex::new(0));
        let reachable: Vec<bool> = (0..count)
            .map(|b| b == 0 || dominators.immediate_dominator(NodeIndex::new(b)).is_some())
            .collect();
        let dominates = |a: usize, b: usize| {
            dominators.dominators(NodeIndex::new(b)).is_some_and(|mut d| d.any(|x| x.index() == a))
        };
        let mut back_edges: Vec<(usize, usize)> = Vec::new();
        let retreating = retreating_edges(&flow);
        for (from, to) in retreating {
            if !dominates(to, from) {
                return Err(Irreducible(to));
            }
            back_edges.push((from, to));
        }
        let mut preds = vec![Vec::new(); count];
        for (from, succs) in flow.succs.iter().enumerate().filter(|(b, _)| reachable[*b]) {
            for &to in succs {
                preds[to].push(from);
            }
        }
        let mut headers: Vec<usize> = back_edges.iter().map(|e| e.1).collect();
        headers.sort_unstable();
        headers.dedup();
        let mut bodies: Vec<(usize, Vec<usize>)> = headers
            .into_iter()
            .map(|header| {
                let latches = back_edges.iter().filter(|e| e.1 == header).map(|e| e.0);
                (header, natural_body(header, latches, &preds))
            })
            .collect();
        // Larger bodies first: an inner loop has fewer blocks than the one around it.
        bodies.sort_by_key(|(header, body)| (std::cmp::Reverse(body.len()), *header));
        let mut innermost = vec![None; count];
        let mut loops: Vec<NaturalLoop> = Vec::with_capacity(bodies.len());
        for (index, (header, body)) in bodies.iter().enumerate() {
            let parent: Option<usize> = innermost[*header];
            for &block in body {
                innermost[block] = Some(index);
            }
            let exits = Vec::new();
            loops.push(NaturalLoop { header: *header, parent, exits, single_way_out: false });
        }
        let mut forest = Forest { flow, reachable, loops, innermost };
        forest.take_in_tails(&preds);
        for index in 0..forest.loops.len() {
            let exits = forest.exits_of(index);
            let inside = |b: usize| forest.is_inside(forest.innermost[b], Some(index));
            let ends = (0..count).any(|b| forest.flow.ends[b] && inside(b));
            forest.loops[index].single_way_out = exits.len() == 1 && !ends;
            forest.loops[index].exits = exits;
        }
        Ok(forest)
    }

    /// The edges that leave a loop, in block order.
    fn exits_of(&self, index: usize) -> Vec<(usize, usize)> {
        let inside = |b: usize| self.is_inside(self.innermost[b], Some(index));
        (0..self.innermost.len())
            .filter(|&b| self.reachable[b] && inside(b))
            .flat_map(|b| self.flow.succs[b].iter().map(move |&s| (b, s)))
            .filter(|&(_, s)| !inside(s))
            .collect()
    }

    /// Makes blocks at which threads end part of the loops that they are reached from.
    fn take_in_tails(&mut self, preds: &[Vec<usize>]) {
        for index in (0..self.loops.len()).rev() {
            let mut targets: Vec<usize> = self.exits_of(index).into_iter().map(|e| e.1).collect();
            targets.sort_unstable();
            targets.dedup();
            // Where the kernel goes on after the loop: the last in the text, if all of them end.
            let on =
                targets.iter().copied().find(|&t| !self.flow.tails[t]).or(targets.last().copied());
            for target in targets {
                let here = |&p: &usize| self.innermost[p] == Some(index);
                if Some(target) != on && self.flow.tails[target] && preds[target].iter().all(here) {
                    self.innermost[target] = Some(index);
                }
            }
        }
    }

    /// Whether `inner` is `outer` or lies in it; the function as a whole is `None`.
    pub(super) fn is_inside(&self, inner: Option<usize>, outer: Option<usize>) -> bool {
        let mut at = inner;
        loop {
            if at == outer {
                return true;
            }
            match at {
                Some(index) => at = self.loops[index].parent,
                None => return false,
            }
        }
    }

    /// The node of `region` that a block is or lies in; `None` where it is outside.
    pub(super) fn node_of(&self, block: usize, region: Option<usize>) -> Option<Node> {
        let mut at = self.innermost[block];
        if at == region {
            return Some(Node::Block(block));
        }
        while let Some(index) = at {
            let parent = self.loops[index].parent;
            if parent == region {
                return Some(Node::Loop(index));
            }
            at = parent;
        }
        None
    }

    /// The body of a loop, or of the function.
    pub(super) fn region(&self, of: Option<usize>) -> Region {
        let entry = of.map_or(0, |l| self.loops[l].header);
        // Nodes by the block that stands for them, in text order, with the entry at its place.
        let first = |node: Node| match node {
            Node::Block(b) => b,
            Node::Loop(l) => self.loops[l].header,
        };
        let mut members: Vec<Node> = Vec::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut leaves: Vec<usize> = Vec::new();
        for block in (0..self.flow.succs.len()).filter(|&b| self.reachable[b]) {
            let Some(node) = self.node_of(block, of) else { continue };
            if first(node) == block {
                members.push(node);
            }
            if self.flow.ends[block] {
                leaves.push(block);
            }
            for &to in &self.flow.succs[block] {
                match self.node_of(to, of) {
                    Some(other)
                        if other != node || of.is_some_and(|l| self.loops[l].header == to) =>
                    {
                        edges.push((block, to));
                    }
                    Some(_) => {}
                    None => leaves.push(block),
                }
            }
        }
        let mut by_first = vec![None; self.flow.succs.len()];
        for (index, &member) in members.iter().enumerate() {
            by_first[first(member)] = Some(index);
        }
        let member_of: Vec<Option<usize>> = (0..self.flow.succs.len())
            .map(|b| {
                self.node_of(b, of).filter(|_| self.reachable[b]).and_then(|n| by_first[first(n)])
            })
            .collect();
        let end = members.len();
        let target =
            |to: usize| if of.is_some() && to == entry { Some(end) } else { member_of[to] };
        let mut succs = vec![Vec::new(); end + 1];
        let mut waiting = vec![0usize; end + 1];
        for &(from, to) in &edges {
            let (Some(f), Some(t)) = (member_of[from], target(to)) else { continue };
            succs[f].push(t);
            waiting[t] += 1;
        }
        let order = topological(&members, &succs, &mut waiting, first);
        let mut rank = vec![end; end + 1];
        for (position, &member) in order.iter().enumerate() {
            rank[member] = position;
        }
        let mut entering: Vec<Vec<Edge>> = vec![Vec::new(); end + 1];
        let mut follow = vec![Vec::new(); end + 1];
        for &(from, to) in &edges {
            let (Some(f), Some(t)) = (member_of[from], target(to)) else { continue };
            entering[rank[t]].push(Edge { node: rank[f], from, to });
            follow[rank[f]].push(rank[t]);
        }
        let mut ends = vec![false; end + 1];
        for block in leaves {
            if let Some(member) = member_of[block] {
                ends[rank[member]] = true;
            }
        }
        let preds: Vec<Vec<usize>> =
            entering.iter().map(|es| es.iter().map(|e| e.node).collect()).collect();
        let idom = dominators_of_dag(&preds);
        let ipdom = postdominators_of_dag(&follow, &ends);
        let always = (0..=end)
            .map(|node| {
                let mut at = idom[node];
                while at < node {
                    at = ipdom[at];
                }
                at == node
            })
            .collect();
        let nodes = order.into_iter().map(|m| members[m]).collect();
        Region { nodes, entering, idom, always }
    }
}

/// Edges to a block that is still being visited, depth first.
fn retreating_edges(flow: &Flow) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; flow.succs.len()];
    let mut found = Vec::new();
    let mut stack = vec![(0usize, 0usize)];
    mark[0] = Mark::Open;
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        match flow.succs[block].get(*next) {
            None => {
                mark[block] = Mark::Done;
                stack.pop();
            }
            Some(&to) => {
                *next += 1;
                match mark[to] {
                    Mark::New => {
                        mark[to] = Mark::Open;
                        stack.push((to, 0));
                    }
                    Mark::Open => found.push((block, to)),
                    Mark::Done => {}
                }
            }
        }
    }
    found
}

/// The blocks that reach a latch without passing the header, and the header; sorted.
fn natural_body(
    header: usize,
    latches: impl Iterator<Item = usize>,
    preds: &[Vec<usize>],
) -> Vec<usize> {
    let mut inside = vec![false; preds.len()];
    inside[header] = true;
    let mut work: Vec<usize> = latches.collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut inside[block], true) {
            work.extend(preds[block].iter().copied());
        }
    }
    (0..preds.len()).filter(|&b| inside[b]).collect()
}

/// Kahn's order, the node whose first block stands first in the text first.
fn topological(
    members: &[Node],
    succs: &[Vec<usize>],
    waiting: &mut [usize],
    first: impl Fn(Node) -> usize,
) -> Vec<usize> {
    let mut ready: std::collections::BTreeSet<(usize, usize)> =
        (0..members.len()).filter(|&m| waiting[m] == 0).map(|m| (first(members[m]), m)).collect();
    let mut order = Vec::with_capacity(members.len());
    while let Some((_, member)) = ready.pop_first() {
        order.push(member);
        for &to in &succs[member] {
            waiting[to] -= 1;
            if waiting[to] == 0 && to < members.len() {
                ready.insert((first(members[to]), to));
            }
        }
    }
    order
}

/// Immediate dominators, of nodes numbered in topological order.
fn dominators_of_dag(preds: &[Vec<usize>]) -> Vec<usize> {
    let mut idom: Vec<usize> = vec![0; preds.len()];
    for node in 1..preds.len() {
        let mut common: Option<usize> = None;
        for &pred in &preds[node] {
            common = Some(match common {
                None => pred,
                Some(mut a) => {
                    let mut b = pred;
                    while a != b {
                        if a > b { a = idom[a] } else { b = idom[b] }
                    }
                    a
                }
            });
        }
        idom[node] = common.unwrap_or(0);
    }
    idom
}

/// Immediate post-dominators; one past the end stands for where all paths go at last.
fn postdominators_of_dag(succs: &[Vec<usize>], ends: &[bool]) -> Vec<usize> {
    let last = succs.len();
    let mut ipdom = vec![last; last + 1];
    for node in (0..last).rev() {
        let outward = ends[node] || succs[node].is_empty();
        let mut common: Option<usize> = outward.then_some(last);
        for &succ in &succs[node] {
            common = Some(match common {
                None => succ,
                Some(mut a) => {
                    let mut b = succ;
                    while a != b {
                        if a < b { a = ipdom[a] } else { b = ipdom[b] }
                    }
                    a
                }
            });
        }
        ipdom[node] = common.unwrap_or(last);
    }
    ipdom
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(succs: &[&[usize]], ends: &[usize]) -> Flow {
        Flow {
            succs: succs.iter().map(|s| s.to_vec()).collect(),
            ends: (0..succs.len()).map(|b| ends.contains(&b)).collect(),
            tails: vec![false; succs.len()],
        }
    }

    #[test]
    fn a_join_is_reached_by_whoever_reaches_the_branch() {
        let forest = Forest::new(flow(&[&[1, 2], &[3], &[3], &[]], &[3])).unwrap();
        let region = forest.region(None);
        assert_eq!(region.nodes, [Node::Block(0), Node::Block(1), Node::Block(2), Node::Block(3)]);
        assert_eq!(region.idom[3], 0);
        assert!(region.always[3] && !region.always[1] && !region.always[2]);
    }

    #[test]
    fn a_return_in_an_arm_keeps_the_join_from_being_always_reached() {
        let forest = Forest::new(flow(&[&[1, 2], &[2], &[]], &[1, 2])).unwrap();
        let region = forest.region(None);
        assert_eq!(region.idom[2], 0);
        assert!(!region.always[2]);
    }

    #[test]
    fn loops_nest_and_their_bodies_are_acyclic() {
        // 0 -> 1 header; 1 -> 2 | 5; 2 inner header -> 2 | 3; 3 -> 1; 5 end (4 is not reachable).
        let forest = Forest::new(flow(&[&[1], &[2, 5], &[2, 3], &[1], &[5], &[]], &[5])).unwrap();
        assert_eq!(forest.loops.len(), 2);
        assert_eq!(forest.loops[1].parent, Some(0));
        assert!(forest.loops[0].single_way_out && forest.loops[1].single_way_out);
        assert!(!forest.reachable[4]);
        let outer = forest.region(Some(0));
        assert_eq!(outer.nodes, [Node::Block(1), Node::Loop(1), Node::Block(3)]);
        let end = outer.nodes.len();
        assert_eq!(outer.entering[end], [Edge { node: 2, from: 3, to: 1 }]);
        assert!(outer.always[2] && !outer.always[1]);
        let inner = forest.region(Some(1));
        assert_eq!(inner.nodes, [Node::Block(2)]);
        assert_eq!(inner.entering[1], [Edge { node: 0, from: 2, to: 2 }]);
        assert_eq!(forest.region(None).nodes, [Node::Block(0), Node::Loop(0), Node::Block(5)]);
    }

    #[test]
    fn a_block_that_ends_the_thread_is_in_the_loop_that_leads_there() {
        // 0 -> 1 header -> 2 | 4; 2 -> 3 (ends) | 1; 4 goes on and ends.
        let mut flow = flow(&[&[1], &[2, 4], &[3, 1], &[], &[]], &[3, 4]);
        flow.tails[3] = true;
        let forest = Forest::new(flow).unwrap();
        assert_eq!(forest.region(Some(0)).nodes, [1, 2, 3].map(Node::Block));
        assert_eq!(forest.region(None).nodes, [Node::Block(0), Node::Loop(0), Node::Block(4)]);
        assert!(!forest.loops[0].single_way_out);
    }

    #[test]
    fn a_cycle_with_two_entries_is_refused() {
        let refused = Forest::new(flow(&[&[1, 2], &[2], &[1, 3], &[]], &[3]));
        assert!(refused.is_err());
    }
}
