//! The barrier dependence graph: generations, and who goes from one to the next.

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::strand::StrandId;
use crate::trace::{GenerationId, Trace};

/// A node: a generation or phase.
pub type Node = GenerationId;

/// Generations as nodes; an edge for each strand that takes part in one and next in another, labelled with it.
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

    /// The node of a generation.
    pub fn node(&self, generation: GenerationId) -> Option<NodeIndex> {
        self.nodes.get(&generation).copied()
    }
}
