//! A transition system as a picture, with a failing component marked.
//!
//! Both forms are deterministic and self-contained: no times, no paths, no fonts to fetch.
//! Meant for systems a person can look at; nothing stops a caller from drawing a large one.

mod dot;
mod svg;

pub(crate) use dot::dot;
pub(crate) use svg::svg;

use crate::oracle::Lasso;
use crate::system::{Explored, Program, System};

/// What is drawn.
pub(crate) struct Picture<'a, P: Program> {
    /// The program whose states these are.
    pub(crate) program: &'a P,
    /// Its transition system.
    pub(crate) explored: &'a Explored<P::State>,
    /// The title, such as the name of the test and the criterion it fails.
    pub(crate) title: String,
    /// A failure to mark: its component, and the steps of its cycle.
    pub(crate) failure: Option<&'a Lasso>,
}

/// Colours of the threads, readable on white, told apart by people with common colour blindness.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#444444"];

impl<P: Program> Picture<'_, P> {
    fn system(&self) -> &System {
        &self.explored.system
    }

    fn label(&self, state: u32) -> String {
        self.program.describe(&self.explored.states[state as usize])
    }

    fn colour(thread: usize) -> &'static str {
        COLOURS[thread % COLOURS.len()]
    }

    fn is_final(&self, state: u32) -> bool {
        self.system().live(state).is_empty()
    }

    fn fails(&self, state: u32) -> bool {
        self.failure.is_some_and(|lasso| lasso.component.binary_search(&state).is_ok())
    }

    /// Whether the lasso goes round this edge.
    fn in_cycle(&self, state: u32, thread: usize) -> bool {
        let goes = |lasso: &Lasso| {
            lasso.cycle.iter().any(|step| step.state == state && step.thread == thread)
        };
        self.failure.is_some_and(goes)
    }

    /// Edges as (state, thread, next), in order.
    fn edges(&self) -> impl Iterator<Item = (u32, usize, u32)> {
        let system = self.system();
        (0..system.states() as u32).flat_map(move |state| {
            let threads = system.live(state).iter();
            threads.map(move |thread| (state, thread, system.next(state, thread)))
        })
    }
}
