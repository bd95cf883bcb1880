//! Warp barriers: the lanes of a mask wait for each other; lanes that have exited are not waited
//! for.

use crate::clock::Knowledge;
use crate::trace::Membership;

use super::Execution;

/// Lanes on their way to meet.
#[derive(Clone, Default, Debug)]
pub(super) struct WarpMeeting {
    pub(super) arrived: u64,
    release: Knowledge,
    pub(super) waiting: Vec<Membership>,
}

impl Execution {
    pub(super) fn meet(&mut self, at: Membership, lanes: u64) -> bool {
        let of = self.trace.strands[at.strand.0 as usize];
        let key = (of.block, of.warp, lanes);
        let mut meeting = self.meetings.remove(&key).unwrap_or_default();
        meeting.arrived |= of.lanes;
        self.release_into(at, &mut meeting.release);
        meeting.waiting.push(at);
        self.meetings.insert(key, meeting);
        self.recheck_warp(of.block, of.warp);
        true
    }

    /// Lanes of the warp have come or exited.
    pub(super) fn recheck_warp(&mut self, block: u32, warp: u32) {
        let gone = self.exited.get(&(block, warp)).copied().unwrap_or(0);
        let range = (block, warp, 0)..=(block, warp, u64::MAX);
        let is_full = |arrived: u64, lanes: u64| lanes & !(arrived | gone) == 0;
        let full: Vec<_> = self
            .meetings
            .range(range)
            .filter(|(key, meeting)| is_full(meeting.arrived, key.2))
            .map(|(key, _)| *key)
            .collect();
        for key in full {
            if let Some(meeting) = self.meetings.remove(&key) {
                for at in &meeting.waiting {
                    self.next_interval(at.strand, Some(&meeting.release));
                }
            }
        }
    }
}
