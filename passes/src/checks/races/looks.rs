//! All pairs of groups are asked about, twice where once is not enough.
//!
//! **What**: [`ask_all`] hands the answers about every pair to whoever records them.
//! **Method**: at a first look each pair gets a small share of what the kernel may cost. A pair
//! that spends it waits for the second look, if its property can still be proved then: often
//! another pair leaves it open for good, and all that is wanted after that is a run.
//! **Sound because** every pair is answered, at the first look or at the second; what a look costs
//! decides whether there is an answer, never which.
//! **Misses**: nothing that one look with all of the work would find, but for what the first look
//! has spent of it.
//! **Assumes**: nothing.

use super::effort::{Look, Open, PAIRS_AT_A_TIME, UnitsLeft};
use super::groups::{Answers, ask_group};
use super::pair::OtherOrders;
use super::site::{Site, ops_of};
use super::unguarded::Unguarded;
use crate::engine::cx::Cx;

/// Asks about all pairs. `record` is given what came of each, and says of which properties a proof
/// is no longer possible.
pub(super) fn ask_all<'a>(
    cx: &'a Cx<'_>,
    known: (&OtherOrders, &Unguarded),
    pairs: &[[Site; 2]],
    mut record: impl FnMut(Vec<Answers<'a>>) -> Open,
) {
    let mut left = UnitsLeft::of(&cx.options.budget);
    let mut open = record(Vec::new());
    let (mut hard, mut waiting) = (0, Vec::new());
    let mut look_at = |look: Look, pairs: &[[Site; 2]]| {
        for some in pairs.chunks(PAIRS_AT_A_TIME) {
            let budget = cx.options.budget.divided(divisor(hard));
            let now = left.clone();
            let answers = cx.answers("races", some, ops_of, |pair| {
                let effort = now.effort(&budget, look);
                let answers = ask_group(cx, known, pair.clone(), open, &effort);
                (answers, effort)
            });
            let mut settled = Vec::new();
            for (pair, (answers, effort)) in some.iter().zip(answers) {
                left.take(&effort);
                let waits = effort.wants_more() && answers.iter().any(|it| it.is_open_beside(open));
                match look {
                    Look::First if waits => waiting.push(pair.clone()),
                    Look::First | Look::Second => settled.extend(answers),
                }
            }
            hard += settled.iter().filter(|it| it.is_open()).count();
            open = record(settled);
        }
        std::mem::take(&mut waiting)
    };
    let waiting = look_at(Look::First, pairs);
    look_at(Look::Second, &waiting);
}

/// By how much the budget of a question is divided. With the number of questions of the kernel that
/// took a search and were not answered it grows, so that a kernel that is hard throughout costs no
/// minutes.
fn divisor(not_answered: usize) -> u32 {
    match not_answered {
        0..24 => 1,
        24..96 => 4,
        _ => 16,
    }
}
