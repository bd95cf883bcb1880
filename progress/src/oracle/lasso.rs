//! A failure as a schedule: steps that lead to a cycle, and the cycle.

use rustc_hash::FxHashMap;

use super::Unfolding;
use crate::model::{Model, View};
use crate::system::System;
use crate::threads::ThreadSet;

/// One step of a schedule, by the states of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The state before.
    pub state: u32,
    /// The thread that steps.
    pub thread: usize,
    /// The state after.
    pub next: u32,
}

/// A schedule that does not terminate although the model allows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From the start to the cycle.
    pub prefix: Vec<Move>,
    /// Round the cycle, back to its first state. Never empty.
    pub cycle: Vec<Move>,
    /// Live and started threads, the same all the way round.
    pub view: View,
    /// `F` in the cycle. Each of these threads steps in it.
    pub guaranteed: ThreadSet,
    /// The states the schedule may visit for ever: those of the failing component.
    pub component: Vec<u32>,
}

impl Lasso {
    /// The threads that step in the cycle, for nothing.
    pub fn spinning(&self) -> ThreadSet {
        self.cycle.iter().fold(ThreadSet::EMPTY, |set, step| set.with(step.thread))
    }

    /// The live threads that do not step in the cycle and need not, by the model.
    pub fn starved(&self) -> ThreadSet {
        self.view.live.difference(self.spinning())
    }
}

/// Edges of an unfolding that a walk may use.
struct Graph<'a> {
    unfolding: &'a Unfolding,
    /// The threads whose steps are used.
    threads: ThreadSet,
    /// The component to stay in, if any.
    component: Option<usize>,
}

type Edge = (u32, usize, u32);

impl Graph<'_> {
    fn edges(&self, node: u32) -> impl Iterator<Item = Edge> {
        let live = self.unfolding.view(node).live.intersection(self.threads);
        live.iter().map(move |thread| (node, thread, self.unfolding.next(node, thread))).filter(
            move |(.., next)| {
                self.component.is_none_or(|inside| self.unfolding.component_of(*next) == inside)
            },
        )
    }

    /// The shortest walk from `from` that ends with an edge that satisfies `last`.
    fn walk(&self, from: u32, last: impl Fn(Edge) -> bool) -> Option<Vec<Edge>> {
        let mut reached: FxHashMap<u32, Edge> = FxHashMap::default();
        let mut queue = vec![from];
        let mut position = 0;
        while position < queue.len() {
            for edge in self.edges(queue[position]) {
                if last(edge) {
                    let mut path = vec![edge];
                    let mut node = edge.0;
                    while node != from {
                        let before = reached[&node];
                        path.push(before);
                        node = before.0;
                    }
                    path.reverse();
                    return Some(path);
                }
                if edge.2 != from && !reached.contains_key(&edge.2) {
                    reached.insert(edge.2, edge);
                    queue.push(edge.2);
                }
            }
            position += 1;
        }
        None
    }

    /// The nodes that a walk from `from` can visit, in breadth-first order.
    fn reachable(&self, from: u32) -> Vec<u32> {
        let mut nodes = vec![from];
        let mut seen: FxHashMap<u32, ()> = FxHashMap::default();
        seen.insert(from, ());
        let mut position = 0;
        while position < nodes.len() {
            for (.., next) in self.edges(nodes[position]) {
                if seen.insert(next, ()).is_none() {
                    nodes.push(next);
                }
            }
            position += 1;
        }
        nodes
    }

    /// A closed walk from `start` that takes a step of each of `wanted`, and at least one step.
    fn round(&self, start: u32, wanted: ThreadSet) -> Option<Vec<Edge>> {
        let mut path: Vec<Edge> = Vec::new();
        let mut node = start;
        for thread in wanted.iter() {
            if path.iter().any(|(_, taken, _)| *taken == thread) {
                continue;
            }
            let part = self.walk(node, |(_, taken, _)| taken == thread)?;
            node = part.last()?.2;
            path.extend(part);
        }
        if node != start || path.is_empty() {
            path.extend(self.walk(node, |(.., next)| next == start)?);
        }
        Some(path)
    }
}

/// The schedule that stays in a component, fair to the threads that `model` guarantees there.
pub(super) fn in_component(
    unfolding: &Unfolding,
    system: &System,
    component: usize,
    model: Model,
) -> Lasso {
    let view = unfolding.components()[component].view;
    let guaranteed = model.at(view);
    let mut nodes = unfolding.nodes_of(&unfolding.components()[component]).to_vec();
    nodes.sort_unstable();
    // A cycle of the guaranteed threads alone says most: the others are shown as starved.
    let alone = Graph { unfolding, threads: guaranteed, component: Some(component) };
    let anyone = Graph { unfolding, threads: view.live, component: Some(component) };
    let (start, cycle) = nodes
        .iter()
        .find_map(|node| Some((*node, alone.round(*node, guaranteed)?)))
        .or_else(|| nodes.iter().find_map(|node| Some((*node, anyone.round(*node, guaranteed)?))))
        .expect("a failing component has a cycle with a step of each guaranteed thread");
    assemble(unfolding, system, start, &cycle, guaranteed, &nodes)
}

/// The schedule from a node whose guaranteed threads cannot finish, whatever they do.
pub(super) fn from_stuck(
    unfolding: &Unfolding,
    system: &System,
    stuck: u32,
    model: Model,
) -> Lasso {
    // Each guaranteed step leads from a stuck node to a stuck node. Follow them to a place where
    // they lead back: there live and started threads, and with them F, no longer change.
    let mut start = stuck;
    loop {
        let guaranteed = model.at(unfolding.view(start));
        let steps = Graph { unfolding, threads: guaranteed, component: None };
        let reachable = steps.reachable(start);
        let settled = reachable.iter().all(|node| unfolding.view(*node) == unfolding.view(start));
        let back = |node: u32| node == start || steps.walk(node, |(.., to)| to == start).is_some();
        let away = match settled {
            true => reachable.iter().copied().find(|node| !back(*node)),
            false => reachable
                .iter()
                .copied()
                .find(|node| unfolding.view(*node) != unfolding.view(start)),
        };
        let Some(away) = away else {
            let cycle = steps
                .round(start, guaranteed)
                .expect("each guaranteed thread of a settled stuck node steps and leads back");
            let mut nodes = reachable;
            nodes.sort_unstable();
            return assemble(unfolding, system, start, &cycle, guaranteed, &nodes);
        };
        start = away;
    }
}

fn assemble(
    unfolding: &Unfolding,
    system: &System,
    start: u32,
    cycle: &[Edge],
    guaranteed: ThreadSet,
    nodes: &[u32],
) -> Lasso {
    let everything =
        Graph { unfolding, threads: ThreadSet::first(system.threads()), component: None };
    let prefix = if start == 0 {
        Vec::new()
    } else {
        everything.walk(0, |(.., next)| next == start).expect("each node is reachable")
    };
    let moves = |edges: &[Edge]| {
        let step = |(from, thread, to): &Edge| Move {
            state: unfolding.state(*from),
            thread: *thread,
            next: unfolding.state(*to),
        };
        edges.iter().map(step).collect()
    };
    let mut component: Vec<u32> = nodes.iter().map(|node| unfolding.state(*node)).collect();
    component.sort_unstable();
    component.dedup();
    Lasso {
        prefix: moves(&prefix),
        cycle: moves(cycle),
        view: unfolding.view(start),
        guaranteed,
        component,
    }
}
