//! Control flow: is every cycle a loop with one entrance?
//!
//! The lifter reads natural loops, with any number of latches and entry edges. A cycle that can be
//! entered at two places is not one; LLVM's `fix-irreducible` gives it a header that dispatches on
//! how it was entered. That pass wants `switch` lowered, which nothing else here does, so both run
//! only on functions that need them: of 2,326 public kernels none did.
//!
//! **Does not** run `loop-simplify`: it hoists, and it splits a loop with two latches into two
//! nested loops, which changes what "the same iteration" means to a barrier.

use std::collections::HashMap;

use heddle_llvm::{Block, Function};

/// Whether each back edge of the function goes to a block that dominates where it comes from.
pub fn is_reducible(function: Function<'_>) -> bool {
    let Some(graph) = Graph::of(function) else { return true };
    let dominators = graph.immediate_dominators();
    graph
        .edges()
        .all(|(from, to)| graph.order[to] > graph.order[from] || dominates(&dominators, to, from))
}

/// Reachable blocks, numbered from the entry on as depth-first search meets them.
struct Graph {
    successors: Vec<Vec<usize>>,
    /// Position in reverse postorder.
    order: Vec<usize>,
    /// Blocks in reverse postorder.
    sorted: Vec<usize>,
}

impl Graph {
    fn of(function: Function<'_>) -> Option<Graph> {
        let entry = function.blocks().next()?;
        let mut numbers: HashMap<Block<'_>, usize> = HashMap::from([(entry, 0)]);
        let mut blocks = vec![entry];
        let mut successors: Vec<Vec<usize>> = Vec::new();
        while let Some(&block) = blocks.get(successors.len()) {
            let targets = block.successors().into_iter().map(|target| {
                *numbers.entry(target).or_insert_with(|| {
                    blocks.push(target);
                    blocks.len() - 1
                })
            });
            let targets = targets.collect();
            successors.push(targets);
        }
        let mut graph = Graph { order: vec![0; successors.len()], sorted: Vec::new(), successors };
        graph.sort();
        Some(graph)
    }

    /// Depth-first, without recursion: generated kernels have tens of thousands of blocks in a row.
    fn sort(&mut self) {
        let mut seen = vec![false; self.successors.len()];
        let mut stack = vec![(0, 0)];
        seen[0] = true;
        while let Some((block, next)) = stack.pop() {
            match self.successors[block].get(next) {
                Some(&target) => {
                    stack.push((block, next + 1));
                    if !std::mem::replace(&mut seen[target], true) {
                        stack.push((target, 0));
                    }
                }
                None => self.sorted.push(block),
            }
        }
        self.sorted.reverse();
        for (position, &block) in self.sorted.iter().enumerate() {
            self.order[block] = position;
        }
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.successors
            .iter()
            .enumerate()
            .flat_map(|(from, targets)| targets.iter().map(move |&to| (from, to)))
    }

    /// Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm". The entry dominates itself.
    fn immediate_dominators(&self) -> Vec<usize> {
        const NONE: usize = usize::MAX;
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (from, to) in self.edges() {
            predecessors[to].push(from);
        }
        let mut dominator = vec![NONE; self.successors.len()];
        dominator[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.sorted[1..] {
                let mut known =
                    predecessors[block].iter().copied().filter(|&p| dominator[p] != NONE);
                let Some(first) = known.next() else { continue };
                let meet = known.fold(first, |a, b| self.meet(&dominator, a, b));
                changed |= std::mem::replace(&mut dominator[block], meet) != meet;
            }
        }
        dominator
    }

    fn meet(&self, dominator: &[usize], mut a: usize, mut b: usize) -> usize {
        while a != b {
            if self.order[a] > self.order[b] {
                a = dominator[a];
            } else {
                b = dominator[b];
            }
        }
        a
    }
}

fn dominates(dominator: &[usize], above: usize, below: usize) -> bool {
    let mut at = below;
    while at != above && at != 0 {
        at = dominator[at];
    }
    at == above
}
