//! Where a run is: all that decides what it does next, but for the values that warps compute.

use heddle_interp::Place;
use heddle_ir::OpId;
use heddle_trace::{ObjectName, Standing, StrandId, Target};

use super::drive::{Drive, GroupStanding, State};

/// A position. Runs at equal positions whose values are equal do the same from there on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Position {
    place: Place,
    flows: Vec<Doing>,
    standing: Standing,
    groups: Vec<GroupStanding>,
    asked: Vec<Asked>,
}

/// By strand and test: what was asked last, and whether it was waited for.
type Asked = ((StrandId, OpId), (ObjectName, Target, bool));

/// What a flow that has not ended is doing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Doing {
    Runs,
    Waits(OpId, u32, Vec<StrandId>),
    Held(OpId),
}

impl Position {
    /// How many parts it has: what comparing it costs.
    pub(super) fn size(&self) -> u64 {
        let Position { place: _, flows, standing: _, groups, asked } = self;
        let copies = groups.iter().flat_map(|(_, list)| list).map(|list| 1 + list.len());
        (flows.len() + asked.len() + copies.sum::<usize>()) as u64
    }
}

impl Drive<'_> {
    /// Where the run is.
    pub(super) fn position(&self) -> Position {
        let flows = self.states.iter().filter_map(|state| match state {
            State::Ready => Some(Doing::Runs),
            State::Waits(op, lanes, waits) => {
                let strands = waits.iter().map(|wait| wait.strand).collect();
                Some(Doing::Waits(*op, *lanes, strands))
            }
            State::Held(op) => Some(Doing::Held(*op)),
            State::Ended => None,
        });
        Position {
            place: self.warps.place(),
            flows: flows.collect(),
            standing: self.execution.standing(),
            groups: self.groups(),
            asked: self.asked.iter().map(|(key, of)| (*key, *of)).collect(),
        }
    }
}
