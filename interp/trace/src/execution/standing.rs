//! How an execution stands: all that decides how it goes on, and nothing of what has been.
//!
//! **Promises.** Two executions that stand alike answer every further sequence of events alike: who
//! goes, who waits, what halts. Generations and phases are not numbered in it, and clocks not kept:
//! what is violated may differ, what happens may not.

use heddle_semantics::{Arrived, Target};

use crate::strand::StrandId;
use crate::sync::ObjectName;

use super::Execution;
use super::product::Warpgroup;

/// A standing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    named: Vec<NamedStanding>,
    objects: Vec<ObjectStanding>,
    /// Arrivals that are awaited, and that came.
    cluster: (u32, u32),
    /// Who is between the halves of the cluster's barrier, and whether the phase is over.
    between: Vec<(StrandId, bool)>,
    at_cluster: Vec<StrandId>,
    meetings: Vec<MeetingStanding>,
    products: Vec<ProductStanding>,
    exited: Vec<((u32, u32), u64)>,
    block_arrivals: Vec<(u32, u32)>,
    blocked: Vec<bool>,
}

/// By block and number: what the open generation needs and what has come, who waits.
type NamedStanding = ((u32, u32), Arrived, Vec<StrandId>);

/// By block, warp and lanes: lanes that have come, and who they are.
type MeetingStanding = ((u32, u32, u64), u64, Vec<StrandId>);

/// By warpgroup: who is how many groups ahead of the last, and waits for which, counted alike.
type ProductStanding = (Warpgroup, Vec<(StrandId, usize)>, Vec<(StrandId, usize)>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ObjectStanding {
    name: ObjectName,
    per_phase: u32,
    needs: u32,
    is_odd: bool,
    lacking: u32,
    bytes: i64,
    waiting: Vec<(StrandId, Aim)>,
    asked: Vec<(StrandId, Aim)>,
}

/// A target, as it is from the phase in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Aim {
    Parity(bool),
    Behind(u32),
}

impl Execution {
    /// The phase that each barrier object is in.
    pub fn phases(&self) -> impl Iterator<Item = (ObjectName, u32)> {
        self.objects.iter().map(|(name, object)| (*name, object.phases.phase))
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        let open = self.named.iter().filter_map(|(key, named)| Some((key, named.open.as_ref()?)));
        let named = open.map(|(key, open)| (*key, open.arrived, open.waiting.clone()));
        let objects = self.objects.iter().map(|(name, object)| {
            let aim = |target: Target| match target {
                Target::Parity(parity) => Aim::Parity(parity),
                Target::Phase(phase) => Aim::Behind(object.phases.phase.wrapping_sub(phase)),
            };
            let aims = |list: &[(crate::Membership, Target)]| {
                list.iter().map(|(at, target)| (at.strand, aim(*target))).collect()
            };
            ObjectStanding {
                name: *name,
                per_phase: object.phases.per_phase,
                needs: object.phases.needs,
                is_odd: object.phases.phase & 1 == 1,
                lacking: object.phases.lacking,
                bytes: object.phases.bytes,
                waiting: aims(&object.waiting),
                asked: aims(&object.asked),
            }
        });
        let meetings = self.meetings.iter().map(|(key, meeting)| {
            (*key, meeting.arrived, meeting.waiting.iter().map(|it| it.strand).collect())
        });
        let products = self.products.iter().map(|(group, products)| {
            let counts = products.committed.iter().map(|(strand, it)| (*strand, it.len()));
            let last = counts.clone().map(|it| it.1).min().unwrap_or(0);
            // Who waits for a group that the last has not committed waits for none before.
            let from_last = |number: usize| number.saturating_sub(last);
            let waiting = products.waiting.iter().map(|(at, of)| (at.strand, from_last(*of)));
            let ahead = counts.map(|(strand, count)| (strand, count - last));
            (*group, ahead.collect(), waiting.collect())
        });
        let (_, arrived, expected) = self.cluster.standing();
        let between = self.cluster.between.iter();
        let strands = (0..self.trace.strands.len() as u32).map(StrandId);
        Standing {
            named: named.collect(),
            objects: objects.collect(),
            cluster: (expected, arrived),
            between: between
                .map(|(strand, of)| (*strand, self.cluster.phases.is_over(of.phase)))
                .collect(),
            at_cluster: self.cluster.waiting.iter().map(|it| it.0).collect(),
            meetings: meetings.collect(),
            products: products.collect(),
            exited: self.exited.iter().map(|(key, lanes)| (*key, *lanes)).collect(),
            block_arrivals: self.block_arrivals.iter().map(|(key, left)| (*key, *left)).collect(),
            blocked: strands.map(|it| self.is_blocked(it)).collect(),
        }
    }
}
