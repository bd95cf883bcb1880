//! Sums over the threads of a block: prefix sums, totals, and what is in between.
//!
//! **What**: expressions that are, in each thread, the sum of what consecutive threads of its block
//! contribute; of each it is known which threads these are ([`Sum`]). And what follows of two such
//! sums for any two threads ([`Law`]).
//! **Method**: the sums are given, thread by thread; a law is looked at for all pairs of threads.
//! What contributes may be a value per thread, or one per warp.
//! **Sound because**: sums are exact modulo the width, and are used only where the largest value
//! that each thread can contribute keeps the sum of all below half of what the width holds.
//! **Misses**: contributions without a bound by their form; sums in which threads take part more
//! than once, or not consecutively.
//! **Assumes**: nothing. How sums are found, and what that assumes: `engine/sums.rs`.

pub(crate) mod forms;

use std::sync::Mutex;

use heddle_ir::{ExprId, Kernel, mask};
use heddle_semantics::WARP;
use rustc_hash::FxHashMap;

use self::forms::{ALL_THREADS, Form, Key, Run};
use super::uniformity::{Uniformity, Varies};

/// Values that each thread contributes, at most.
const MOST_PARTS: usize = 16;

/// Threads from the first to before the second; in groups, their numbers.
pub(crate) type Range = (u32, u32);

/// An expression that is a sum over threads of the block, beside what all of them add.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sum {
    /// What is added to the sum: a constant, and multiples of values on which the block agrees.
    pub(crate) constant: u128,
    pub(crate) agreed: Vec<(ExprId, u128)>,
    pub(crate) parts: Vec<Part>,
    /// Threads that contribute together: 1, or a [`WARP`].
    pub(crate) group: u32,
    /// The threads for which this is so.
    pub(crate) threads: Range,
    /// Conditions under which it is so: that they hold, or do not.
    pub(crate) given: Vec<(ExprId, bool)>,
}

/// A value that each thread, or one thread of each warp, may contribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) value: ExprId,
    /// The multiple of it that counts.
    pub(crate) times: u128,
    /// The most that a group contributes.
    most: u128,
    /// Whose contributions a thread's sum has; none where the second is not above the first.
    of_thread: Vec<Range>,
}

/// Which two threads a law speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Whose {
    /// Any two of a block, or one twice.
    Any,
    /// The first in a lower group than the second.
    Lower,
    /// The same, both in one warp.
    LowerInWarp,
}

/// The first thread's sum and some contributions are at most the second thread's sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Law {
    pub(crate) whose: Whose,
    /// Multiples of values that the first of the two threads contributes, or the second.
    pub(crate) with: Vec<(ExprId, u128, usize)>,
    /// By how much the second sum is larger than that at most.
    pub(crate) beyond: Option<Bound>,
}

/// A number that grows with the groups of two threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    /// For each group before the second thread's.
    pub(crate) by_second: u128,
    /// Less, for each group before the first thread's.
    pub(crate) by_first: u128,
    pub(crate) more: i128,
}

/// What is known of one sum by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Own {
    /// Multiples of the thread's own values that are among them.
    pub(crate) has: Vec<(ExprId, u128)>,
    /// The most that it can be, with the thread as the second.
    pub(crate) most: Option<Bound>,
}

/// The sums of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    of: FxHashMap<ExprId, Sum>,
    laws: Mutex<FxHashMap<(ExprId, ExprId), Vec<Law>>>,
}

impl Sums {
    /// These sums.
    pub(crate) fn new(of: FxHashMap<ExprId, Sum>) -> Sums {
        Sums { of, laws: Mutex::default() }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The sum that an expression is.
    pub(crate) fn get(&self, id: ExprId) -> Option<&Sum> {
        self.of.get(&id)
    }

    /// The laws of two sums, the first in one thread and the second in another.
    pub(crate) fn laws(&self, first: ExprId, second: ExprId) -> Vec<Law> {
        let (Some(one), Some(two)) = (self.get(first), self.get(second)) else { return Vec::new() };
        let known = self.laws.lock().ok().and_then(|it| it.get(&(first, second)).cloned());
        known.unwrap_or_else(|| {
            let laws = one.laws(two);
            if let Ok(mut known) = self.laws.lock() {
                known.insert((first, second), laws.clone());
            }
            laws
        })
    }
}

impl Sum {
    /// The sum that the values of all threads are, if they are one.
    pub(crate) fn of(
        (kernel, uniformity): (&Kernel, &Uniformity),
        id: ExprId,
        values: &[Form],
        keys: &[Key],
    ) -> Option<Sum> {
        let width = kernel.exprs.width(id);
        // Threads that do not compute it have a value of which nothing is known.
        let is_itself = |it: &Form| match it.runs[..] {
            [run] => keys[run.key as usize].value == id,
            _ => false,
        };
        let from = values.iter().position(|it| !is_itself(it))?;
        let to = values.iter().rposition(|it| !is_itself(it))? + 1;
        let is_agreed = |it: &&Run| it.from == ALL_THREADS;
        let agreed_by = |it: &Form| it.runs.iter().filter(is_agreed).copied().collect::<Vec<Run>>();
        let agreed = agreed_by(&values[from]);
        if values[from..to].iter().any(|it| agreed_by(it) != agreed) {
            return None;
        }
        let of_threads = |it: &Form| Form {
            constant: it.constant,
            runs: it.runs.iter().filter(|it| !is_agreed(it)).copied().collect(),
        };
        let values: Vec<Form> = values.iter().map(of_threads).collect();
        let known = &values[from..to];
        let first = known.iter().find(|it| !it.runs.is_empty())?;
        // The multiple of each contribution, by its value.
        let mut times: Vec<(u32, u128)> =
            known.iter().flat_map(|it| it.runs.iter().map(|run| (run.key, run.times))).collect();
        times.sort_unstable();
        times.dedup();
        let one_each = times.windows(2).all(|it| it[0].0 != it[1].0);
        if times.len() > MOST_PARTS
            || !one_each
            || known.iter().any(|it| it.constant != first.constant)
        {
            return None;
        }
        let ranges: Vec<Vec<Vec<Range>>> = times
            .iter()
            .map(|(key, _)| {
                let of_value = |(thread, value): (usize, &Form)| {
                    let is_known = from <= thread && thread < to;
                    let runs = value.runs.iter().filter(|it| is_known && it.key == *key);
                    runs.map(|it| (it.from, it.to)).collect()
                };
                values.iter().enumerate().map(of_value).collect()
            })
            .collect();
        // What has nothing of others says nothing.
        let is_own = |it: &Vec<Vec<Range>>| {
            (from..to).all(|thread| it[thread] == [(thread as u32, thread as u32 + 1)])
        };
        if ranges.iter().all(is_own) {
            return None;
        }
        let of_warps =
            |key: u32| uniformity.variation(keys[key as usize].value).varies <= Varies::ByWarp;
        let warps = values.len() > WARP as usize && times.iter().all(|(key, _)| of_warps(*key));
        let by_warp: Option<Vec<Vec<Range>>> = ranges.iter().map(|it| by_warps(it)).collect();
        let (group, ranges) = match by_warp.filter(|_| warps) {
            Some(ranges) => (WARP, ranges),
            None => (1, ranges.iter().map(|it| by_threads(it)).collect::<Option<Vec<_>>>()?),
        };
        let mut parts = Vec::new();
        for ((key, times), of_thread) in times.into_iter().zip(ranges) {
            let key = &keys[key as usize];
            if !key.fixed || kernel.exprs.width(key.value) > width {
                return None;
            }
            let most = key.most.checked_mul(times)?;
            parts.push(Part { value: key.value, times, most, of_thread });
        }
        let most = parts.iter().try_fold(0u128, |sum, it| sum.checked_add(it.most))?;
        let groups = (values.len() as u128).div_ceil(u128::from(group));
        let small = most.checked_mul(groups)? < 1 << (width - 1);
        let constant = mask(first.constant, width);
        let threads = (from as u32, to as u32);
        let mut of_block = Vec::new();
        for run in agreed {
            let key = &keys[run.key as usize];
            if !key.fixed || kernel.exprs.width(key.value) > width {
                return None;
            }
            of_block.push((key.value, run.times));
        }
        small.then_some(Sum {
            constant,
            agreed: of_block,
            parts,
            group,
            threads,
            given: Vec::new(),
        })
    }

    fn all_threads(&self) -> std::ops::Range<usize> {
        self.threads.0 as usize..self.threads.1 as usize
    }

    /// The group of a thread.
    fn group_of(&self, thread: usize) -> u32 {
        thread as u32 / self.group
    }

    /// Each part of either sum, with whose contributions both have.
    fn with<'a>(&'a self, other: &'a Sum) -> Vec<(&'a Part, [Option<&'a Part>; 2])> {
        let find = |sum: &'a Sum, wanted: &Part| {
            sum.parts.iter().find(|it| (it.value, it.times) == (wanted.value, wanted.times))
        };
        let mut all: Vec<(&Part, [Option<&Part>; 2])> =
            self.parts.iter().map(|it| (it, [Some(it), find(other, it)])).collect();
        let others = other.parts.iter().filter(|it| find(self, it).is_none());
        all.extend(others.map(|it| (it, [None, Some(it)])));
        all
    }

    fn laws(&self, other: &Sum) -> Vec<Law> {
        if self.group != other.group {
            return Vec::new();
        }
        let mut laws = Vec::new();
        for whose in [Whose::Any, Whose::Lower, Whose::LowerInWarp] {
            if whose == Whose::LowerInWarp && self.group != 1 {
                continue;
            }
            laws.extend(self.law(other, whose));
            if whose == Whose::Lower && laws.iter().any(|it| it.whose == Whose::Lower) {
                break;
            }
        }
        laws
    }

    /// The two threads that a law speaks of.
    fn pairs(&self, other: &Sum, whose: Whose) -> impl Iterator<Item = (usize, usize)> {
        let others = other.all_threads();
        let speaks_of = move |one: usize, two: usize| match whose {
            Whose::Any => true,
            Whose::Lower => self.group_of(one) < self.group_of(two),
            Whose::LowerInWarp => one < two && one / WARP as usize == two / WARP as usize,
        };
        self.all_threads().flat_map(move |one| {
            others.clone().filter(move |two| speaks_of(one, *two)).map(move |two| (one, two))
        })
    }

    fn law(&self, other: &Sum, whose: Whose) -> Option<Law> {
        let parts = self.with(other);
        let range = |of: Option<&Part>, thread: usize| of.map_or((0, 0), |it| it.of_thread[thread]);
        let includes = |outer: Range, inner: Range| {
            is_empty(inner) || outer.0 <= inner.0 && inner.1 <= outer.1
        };
        let all_include = parts.iter().all(|(_, [one, two])| {
            self.pairs(other, whose).all(|(a, b)| includes(range(*two, b), range(*one, a)))
        });
        if !all_include {
            return None;
        }
        let mut with = Vec::new();
        let mut counted = 0u128;
        for (part, [one, two]) in &parts {
            for side in [0, 1] {
                let is_new = |a: usize, b: usize| {
                    let at = self.group_of([a, b][side]);
                    let own = (at, at + 1);
                    includes(range(*two, b), own)
                        && (is_empty(range(*one, a)) || !includes(range(*one, a), own))
                };
                let adds = self.pairs(other, whose).all(|(a, b)| is_new(a, b));
                // Of any two threads, which may be one, one contributes.
                let once = whose != Whose::Any
                    || with.iter().all(|it: &(ExprId, u128, usize)| it.0 != part.value);
                if adds && once {
                    with.push((part.value, part.times, side));
                    counted = counted.checked_add(part.most)?;
                }
            }
        }
        let only = |a: usize, b: usize| {
            let more = parts.iter().map(|(part, [one, two])| {
                part.most as i128 * (count(range(*two, b)) - count(range(*one, a)))
            });
            more.sum::<i128>() - counted as i128
        };
        let most: u128 = parts.iter().map(|(part, _)| part.most).sum();
        let beyond = self.bound(other, whose, most, only);
        Some(Law { whose, with, beyond })
    }

    /// A number of two threads as one that grows with their groups.
    fn bound(
        &self,
        other: &Sum,
        whose: Whose,
        most: u128,
        number: impl Fn(usize, usize) -> i128,
    ) -> Option<Bound> {
        let ways = [(most, most), (0, most), (most, 0), (0, 0)];
        ways.into_iter().find_map(|(by_second, by_first)| {
            let part = |by: u128, thread: usize| by as i128 * i128::from(self.group_of(thread));
            let rest =
                |(a, b): (usize, usize)| number(a, b) - part(by_second, b) + part(by_first, a);
            let mut all = self.pairs(other, whose).map(rest);
            let more = all.next()?;
            all.all(|it| it == more).then_some(Bound { by_second, by_first, more })
        })
    }

    /// What is known of the sum by itself.
    pub(crate) fn own(&self) -> Own {
        let has_own = |part: &&Part| {
            self.all_threads().all(|thread| {
                let (group, range) = (self.group_of(thread), part.of_thread[thread]);
                range.0 <= group && group < range.1
            })
        };
        let has = self.parts.iter().filter(has_own).map(|it| (it.value, it.times)).collect();
        let all = |thread: usize| -> i128 {
            self.parts.iter().map(|it| it.most as i128 * count(it.of_thread[thread])).sum()
        };
        let most: u128 = self.parts.iter().map(|it| it.most).sum();
        let ways = [most, 0];
        let most = ways.into_iter().find_map(|by_second| {
            let part = |thread: usize| by_second as i128 * i128::from(self.group_of(thread));
            let rest = |thread: usize| -> i128 { all(thread) - part(thread) };
            let more = rest(self.all_threads().start);
            let alike = self.all_threads().all(|thread| rest(thread) == more);
            alike.then_some(Bound { by_second, by_first: 0, more })
        });
        Own { has, most }
    }
}

fn is_empty(range: Range) -> bool {
    range.0 >= range.1
}

fn count(range: Range) -> i128 {
    i128::from(range.1.saturating_sub(range.0))
}

/// Consecutive threads, in each sum.
fn by_threads(of_thread: &[Vec<Range>]) -> Option<Vec<Range>> {
    let one = |ranges: &Vec<Range>| match ranges[..] {
        [] => Some((0, 0)),
        [range] => Some(range),
        _ => None,
    };
    of_thread.iter().map(one).collect()
}

/// Consecutive warps, one thread of each, in each sum.
fn by_warps(of_thread: &[Vec<Range>]) -> Option<Vec<Range>> {
    let Some(first) = of_thread.iter().flatten().next() else {
        return Some(vec![(0, 0); of_thread.len()]);
    };
    let lane = first.0 % WARP;
    let one = |ranges: &Vec<Range>| {
        let Some(first) = ranges.first() else { return Some((0, 0)) };
        let first = first.0 / WARP;
        let is_next = |(at, range): (u32, &Range)| {
            range.1 == range.0 + 1 && range.0 % WARP == lane && range.0 / WARP == first + at
        };
        let all = (0..).zip(ranges).all(is_next);
        all.then_some((first, first + ranges.len() as u32))
    };
    of_thread.iter().map(one).collect()
}
