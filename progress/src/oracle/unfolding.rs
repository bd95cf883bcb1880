//! A system unfolded with the threads that have started, and its strongly connected components.
//!
//! Invariants: node 0 is the start; nodes are numbered breadth first; components are numbered so
//! that a step leads to the same component or to one with a lower number (Tarjan's order).

use rustc_hash::FxHashMap;

use crate::model::View;
use crate::rules::{Rule, Rules};
use crate::system::System;
use crate::threads::ThreadSet;

/// A strongly connected component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Live and started threads, the same in each of its nodes if it has an inner edge.
    pub view: View,
    /// The threads with a step that stays inside. Empty: no inner edge.
    pub stepping: ThreadSet,
    first: u32,
    end: u32,
}

/// The unfolded system. Reusable: reading the next system keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Unfolding {
    threads: usize,
    state: Vec<u32>,
    view: Vec<View>,
    next: Vec<u32>,
    component_of: Vec<u32>,
    components: Vec<Component>,
    /// The nodes, grouped by component.
    grouped: Vec<u32>,
    numbers: Numbers,
    search: Search,
}

impl Unfolding {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.state.len()
    }

    /// The state of the system that a node stands for.
    pub fn state(&self, node: u32) -> u32 {
        self.state[node as usize]
    }

    /// Live and started threads at a node.
    pub fn view(&self, node: u32) -> View {
        self.view[node as usize]
    }

    /// The node after a step of a thread that lives at `node`.
    pub fn next(&self, node: u32, thread: usize) -> u32 {
        self.next[node as usize * self.threads + thread]
    }

    /// The components, successors before predecessors.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The number of the component that holds a node.
    pub fn component_of(&self, node: u32) -> usize {
        self.component_of[node as usize] as usize
    }

    /// The nodes of a component.
    pub fn nodes_of(&self, component: &Component) -> &[u32] {
        &self.grouped[component.first as usize..component.end as usize]
    }

    /// Reads a system.
    pub(super) fn build(&mut self, system: &System, rules: Rules) {
        self.threads = system.threads();
        self.state.clear();
        self.view.clear();
        self.next.clear();
        self.numbers.reset(system);
        let started = if rules.holds(Rule::FirstStepStarts) {
            ThreadSet::EMPTY
        } else {
            ThreadSet::first(self.threads)
        };
        self.number(system, 0, started);
        let mut node = 0;
        while node < self.state.len() {
            let (state, View { live, started }) = (self.state[node], self.view[node]);
            for thread in live.iter() {
                let after = system.next(state, thread);
                let mut started = started.with(thread);
                if !rules.holds(Rule::StartedOutlivesThread) {
                    started = started.intersection(system.live(after));
                }
                let next = self.number(system, after, started);
                self.next[node * self.threads + thread] = next;
            }
            node += 1;
        }
        self.find_components();
    }

    fn number(&mut self, system: &System, state: u32, started: ThreadSet) -> u32 {
        let fresh = self.state.len() as u32;
        let number = self.numbers.get_or_insert(state, started, fresh);
        if number == fresh {
            self.state.push(state);
            self.view.push(View { live: system.live(state), started });
            self.next.resize(self.state.len() * self.threads, System::NONE);
        }
        number
    }

    /// Tarjan's algorithm, with its own stack: systems may be deep.
    fn find_components(&mut self) {
        let nodes = self.nodes();
        self.components.clear();
        self.grouped.clear();
        self.component_of.clear();
        self.component_of.resize(nodes, System::NONE);
        let search = &mut self.search;
        search.index.clear();
        search.index.resize(nodes, System::NONE);
        search.low.clear();
        search.low.resize(nodes, 0);
        search.calls.push((0, 0));
        let mut counter = 0;
        while let Some((node, thread)) = search.calls.pop() {
            let at = node as usize;
            let first_visit = thread & Search::RESUME == 0;
            if first_visit {
                search.index[at] = counter;
                search.low[at] = counter;
                counter += 1;
                search.stack.push(node);
            }
            let mut thread = (thread & !Search::RESUME) as usize;
            let mut descended = false;
            while thread < self.threads {
                let next = self.next[at * self.threads + thread];
                if next != System::NONE && self.component_of[next as usize] == System::NONE {
                    if search.index[next as usize] == System::NONE {
                        // Come back to the same edge afterwards, to take over its low link.
                        search.calls.push((node, thread as u32 | Search::RESUME));
                        search.calls.push((next, 0));
                        descended = true;
                        break;
                    }
                    search.low[at] = search.low[at].min(search.low[next as usize]);
                }
                thread += 1;
            }
            if descended {
                continue;
            }
            if search.low[at] == search.index[at] {
                let component = self.components.len() as u32;
                let first = self.grouped.len();
                while let Some(member) = search.stack.pop() {
                    self.component_of[member as usize] = component;
                    self.grouped.push(member);
                    if member == node {
                        break;
                    }
                }
                let end = self.grouped.len();
                let mut stepping = ThreadSet::EMPTY;
                for member in &self.grouped[first..end] {
                    for thread in self.view[*member as usize].live.iter() {
                        let next = self.next[*member as usize * self.threads + thread];
                        if self.component_of[next as usize] == component {
                            stepping = stepping.with(thread);
                        }
                    }
                }
                let view = self.view[at];
                self.components.push(Component {
                    view,
                    stepping,
                    first: first as u32,
                    end: end as u32,
                });
            }
        }
    }
}

/// The work lists of the component search.
#[derive(Clone, Debug, Default)]
struct Search {
    index: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    calls: Vec<(u32, u32)>,
}

impl Search {
    /// Marks a call that was interrupted, so that thread 0 is not taken for a first visit.
    const RESUME: u32 = 1 << 31;
}

/// Node numbers by state and started threads: a table where that is small, else a map.
#[derive(Clone, Debug, Default)]
struct Numbers {
    dense: Vec<u32>,
    sparse: FxHashMap<(u32, ThreadSet), u32>,
    shift: u32,
}

impl Numbers {
    const LARGEST_TABLE: usize = 1 << 20;

    fn reset(&mut self, system: &System) {
        self.sparse.clear();
        self.dense.clear();
        self.shift = system.threads() as u32;
        let size = system.states() << self.shift;
        if size <= Self::LARGEST_TABLE {
            self.dense.resize(size, System::NONE);
        }
    }

    fn get_or_insert(&mut self, state: u32, started: ThreadSet, fresh: u32) -> u32 {
        if self.dense.is_empty() {
            return *self.sparse.entry((state, started)).or_insert(fresh);
        }
        let entry = &mut self.dense[((state as usize) << self.shift) + started.bits() as usize];
        if *entry == System::NONE {
            *entry = fresh;
        }
        *entry
    }
}
