//! The barrier dependence graph: generations, and who goes from one to the next.

use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::strand::StrandId;
use crate::trace::{GenerationId, Trace};

/// A node: a generation or phase.
pub type Node = GenerationId;

/// Generations as nodes; an edge for each strand that takes part in one and next in another,
/// labelled with it.
#[derive(Clone, Debug)]
pub struct BarrierGraph {
    /// The graph itself.
    pub graph: DiGraph<Node, StrandId>,
    nodes: FxHashMap<GenerationId, NodeIndex>,
}

impl BarrierGraph {
    /// Of a trace.
    pub fn of(trace: &Trace) -> BarrierGraph {
        let mut graph = DiGraph::new();
        let mut nodes = FxHashMap::default();
        for index in (0..trace.generations.len() as u32).map(GenerationId) {
            nodes.insert(index, graph.add_node(index));
        }
        for (strand, events) in (0..).map(StrandId).zip(&trace.events) {
            let met: Vec<_> = events.iter().filter_map(|event| event.generation).collect();
            for pair in met.windows(2) {
                graph.add_edge(nodes[&pair[0]], nodes[&pair[1]], strand);
            }
        }
        BarrierGraph { graph, nodes }
    }

    /// For each generation, by its number in the trace, how many lie on the longest way to it.
    /// Generations that strands pass in different orders have the same rank.
    pub fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.graph.node_count()];
        // Components come with those they lead to first.
        for component in tarjan_scc(&self.graph).into_iter().rev() {
            let before = component.iter().flat_map(|node| {
                let from = self.graph.neighbors_directed(*node, Direction::Incoming);
                from.filter(|it| !component.contains(it))
            });
            let rank = before.map(|it| ranks[it.index()] + 1).max().unwrap_or(0);
            component.iter().for_each(|node| ranks[node.index()] = rank);
        }
        ranks
    }

    /// The node of a generation.
    pub fn node(&self, generation: GenerationId) -> Option<NodeIndex> {
        self.nodes.get(&generation).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arrivals, Execution, Partition, Sync};

    #[test]
    fn ranks_rise_along_each_strand() {
        let partition = Partition::whole_warps(1, 3, |_, _| 1);
        let mut execution = Execution::new(&partition, 3, true);
        let sync = |id, count| Sync::Named {
            id,
            expected: Arrivals::Count(count),
            brings: 1,
            waits: true,
            aligned: false,
        };
        for (strand, id, count) in
            [(0, 1, 2), (1, 1, 2), (1, 2, 2), (2, 2, 2), (0, 3, 3), (1, 3, 3), (2, 3, 3)]
        {
            execution.perform(StrandId(strand), sync(id, count), id);
        }
        let (trace, violations) = execution.finish();
        assert_eq!(violations, []);
        assert_eq!(BarrierGraph::of(&trace).ranks(), [0, 1, 2]);
    }
}
