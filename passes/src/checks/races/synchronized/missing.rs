//! Which part of a hand-over is missing between two accesses that race.
//!
//! **What**: a sentence for the finding of a race beside a flag, a counter or a lock: no release,
//! no acquire, a scope that is too small and whose, a flag that is no atomic access, a read or
//! write that is not done, another place, a value that the flag holds at the start.
//! **Method**: a *hand-over* is a write of a word after the first access and a read of it before
//! the second. Of each, the parts that are missing are those for which the search of
//! [`super::may_be_ordered`] found nothing. The hand-over that lacks the fewest parts is told, of
//! equal ones the first in the text.
//! **Sound because**: each part is a fact of the text, which the search has looked for in vain on
//! all paths; or of the run that is shown, and then only where its two threads are those of the
//! model. Nothing is decided by it.
//! **Misses**: hand-overs through a third thread, and races beside none at all, of which nothing is
//! told.
//! **Assumes**: nothing.

use heddle_ir::{AccessKind, MemoryOrder, OpId, Scope};

use super::Search;
use crate::checks::races::flags::Flags;
use crate::checks::races::flags::excluded::{Excluded, results_in, why_excluded};
use crate::checks::races::pair::Candidate;
use crate::engine::cx::Cx;
use crate::engine::shown::Shown;
use crate::facts::thread::Thread;

/// Kernels with more accesses than this are not looked through.
const MOST_ACCESSES: usize = 256;

/// What is missing between the two accesses of a race, in words; of the run only where that is
/// given.
pub(in crate::checks::races) fn missing(
    cx: &Cx<'_>,
    flags: &Flags,
    candidate: &mut Candidate<'_>,
    shown: Option<&Shown>,
) -> Option<String> {
    let kernel = cx.kernel;
    let accesses: Vec<OpId> = kernel.ops.keys().filter(|op| kernel.access(*op).is_some()).collect();
    if accesses.len() > MOST_ACCESSES {
        return None;
    }
    let search = Search::of(cx, candidate.placement);
    let is_of_model = shown.is_some_and(|shown| is_of_model(candidate, shown));
    let ops = candidate.ops;
    let mut least: Option<(usize, String)> = None;
    for earlier in [Thread::One, Thread::Two] {
        let at = earlier.index();
        let (from, to) = (ops[at], ops[1 - at]);
        for &write in &accesses {
            for &read in &accesses {
                if !search.is_hand_over(from, to, [write, read]) {
                    continue;
                }
                let parts = [search.release_part(from, write), search.acquire_part(read, to)];
                let mut parts: Vec<String> = parts.into_iter().flatten().collect();
                if parts.is_empty() {
                    if !is_of_model {
                        continue;
                    }
                    let why = why_excluded(flags, candidate, earlier, [write, read]);
                    parts.extend(why.map(|why| search.in_the_run(why, [write, read])));
                }
                let fewer = least.as_ref().is_none_or(|(count, _)| parts.len() < *count);
                if !parts.is_empty() && fewer {
                    let name = &kernel[kernel.access(write)?.address.object].name;
                    let text = parts.join("; and ");
                    least = Some((parts.len(), format!("`{name}` does not order them: {text}")));
                }
            }
        }
    }
    least.map(|(_, text)| text)
}

/// Whether the two threads of the run that is shown are those of the model.
fn is_of_model(candidate: &Candidate<'_>, shown: &Shown) -> bool {
    let threads = shown.run.witness(&candidate.instance).threads;
    shown.parties.as_ref().is_none_or(|parties| {
        threads.iter().zip(parties).all(|(thread, party)| {
            let at = |it: heddle_diagnostics::Dim3, is: [u32; 3]| {
                heddle_diagnostics::Dim3::new(is[0], is[1], is[2]) == it
            };
            at(thread.block, party.block) && at(thread.thread, party.tid)
        })
    })
}

impl Search<'_, '_> {
    /// Whether a write after one access and a read before another are of one word, and the read
    /// decides about something: whether a loop goes on, or the later access is done.
    fn is_hand_over(&self, from: OpId, to: OpId, [write, read]: [OpId; 2]) -> bool {
        let kernel = self.cx.kernel;
        let (Some(writes), Some(reads)) = (kernel.access(write), kernel.access(read)) else {
            return false;
        };
        let others = ![from, to].contains(&write) && ![from, to].contains(&read) && write != read;
        if !others || !writes.writes() || !reads.reads() {
            return false;
        }
        let object = writes.address.object;
        let is_apart = [from, to]
            .iter()
            .all(|op| kernel.access(*op).is_some_and(|it| it.address.object != object));
        is_apart
            && object == reads.address.object
            && self.may_meet(write, read)
            && self.may_follow(from, write)
            && self.may_follow(read, to)
            && self.decides(read, to)
    }

    /// Whether what is read decides how long a loop around the read goes on, or whether an access
    /// is done.
    pub(super) fn decides(&self, read: OpId, to: OpId) -> bool {
        let (kernel, order) = (self.cx.kernel, &self.cx.analysis.order);
        let polls = order.chain(read).last().map(|of| kernel[*of].cont);
        let around = order.chain(to).iter().flat_map(|of| [kernel[*of].pred, kernel[*of].cont]);
        let of_later = std::iter::once(kernel[to].pred).chain(around);
        let (deciding, _) = results_in(kernel, polls.into_iter().chain(of_later));
        deciding.contains(&read)
    }

    /// What the write lacks to release what was before it.
    fn release_part(&self, from: OpId, write: OpId) -> Option<String> {
        let needed = self.needed();
        if self.releases(Some(from), write, needed).is_some() {
            return None;
        }
        let what = self.at("write", write);
        let between =
            |fence: &OpId| self.may_follow(from, *fence) && self.may_follow(*fence, write);
        Some(self.weak(write, &what).unwrap_or_else(|| {
            match self.fences(Scope::Warp, MemoryOrder::Release).find(between) {
                Some(fence) => self.narrow(fence),
                None => {
                    format!("no fence stands before the {what}, which does not release by itself")
                }
            }
        }))
    }

    /// What the read lacks to acquire for what comes after it.
    fn acquire_part(&self, read: OpId, to: OpId) -> Option<String> {
        let needed = self.needed();
        if self.acquires(read, Some(to), needed) {
            return None;
        }
        let what = self.at("read", read);
        let between = |fence: &OpId| self.may_follow(read, *fence) && self.may_follow(*fence, to);
        Some(self.weak(read, &what).unwrap_or_else(|| {
            match self.fences(Scope::Warp, MemoryOrder::Acquire).find(between) {
                Some(fence) => self.narrow(fence),
                None => {
                    format!("no fence stands after the {what}, which does not acquire by itself")
                }
            }
        }))
    }

    /// Why an access to a flag is none that others may rely on.
    fn weak(&self, op: OpId, what: &str) -> Option<String> {
        if self.strong(op, self.needed()).is_some() {
            return None;
        }
        let of = self.cx.kernel.access(op).and_then(|it| it.order);
        Some(match of {
            Some((_, scope)) => {
                format!("the {what} is atomic for threads of one {} only", scope.name())
            }
            None => format!("the {what} is neither atomic nor volatile, of an aligned word"),
        })
    }

    fn narrow(&self, fence: OpId) -> String {
        let line = self.cx.places.op(self.cx.kernel, fence).line();
        let at = line.map(|line| format!(" at line {line}")).unwrap_or_default();
        let others = if self.across { "blocks" } else { "warps" };
        format!("the fence{at} is not for the threads of other {others}")
    }

    /// An access to a flag, in words.
    fn at(&self, verb: &str, op: OpId) -> String {
        let kernel = self.cx.kernel;
        let atomic = kernel.access(op).is_some_and(|it| matches!(it.kind, AccessKind::Atomic(..)));
        let verb = if atomic { "atomic" } else { verb };
        let line = self.cx.places.op(kernel, op).line();
        let line = line.map(|line| format!(" at line {line}")).unwrap_or_default();
        match kernel.access(op) {
            Some(access) => format!("{verb} of `{}`{line}", kernel[access.address.object].name),
            None => format!("{verb}{line}"),
        }
    }

    fn in_the_run(&self, why: Excluded, [write, read]: [OpId; 2]) -> String {
        let (write, read) = (self.at("write", write), self.at("read", read));
        match why {
            Excluded::NotWritten => format!(
                "in this run the {write} is done neither by the thread of the earlier access nor, \
                 after a barrier, by the first of its block"
            ),
            Excluded::NotRead => format!(
                "in this run the {read} is done neither by the thread of the later access nor, \
                 before a barrier, by the first of its block"
            ),
            Excluded::OtherPlace => {
                format!("in this run the {read} looks at another place than the {write} goes to")
            }
            Excluded::AtStart => {
                format!("in this run the {read} goes on at zero, which is there at the start")
            }
            Excluded::OtherValue => {
                format!("in this run the {read} goes on at what another write stores")
            }
        }
    }
}
