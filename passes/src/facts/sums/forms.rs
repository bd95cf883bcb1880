//! Sums of values that nobody knows: what a thread's value is made of.
//!
//! **Promises**: arithmetic modulo the width, exact. A form whose runs get too many is given up.
//! **Does not** know which values its addends may have, but for the largest.

use std::rc::Rc;

use heddle_ir::{ExprId, mask};

/// Runs of one form.
const MOST_RUNS: usize = 96;

/// Stands for the thread of a value on which all threads of the block agree.
pub(crate) const ALL_THREADS: u32 = u32::MAX - 1;

/// The value of an expression in one iteration of its home: what forms are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) value: ExprId,
    /// It is of no loop.
    pub(crate) fixed: bool,
    /// The largest value that it has by its form.
    pub(crate) most: u128,
}

/// Consecutive threads that each add the same multiple of a value of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Run {
    /// Which value.
    pub(crate) key: u32,
    /// The first thread.
    pub(crate) from: u32,
    /// The thread after the last.
    pub(crate) to: u32,
    /// The multiple, modulo the width.
    pub(crate) times: u128,
}

/// A constant, and multiples of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub(crate) constant: u128,
    pub(crate) runs: Rc<[Run]>,
}

impl Form {
    /// A constant.
    pub(crate) fn constant(constant: u128) -> Form {
        Form { constant, runs: Rc::from([]) }
    }

    /// One thread's value.
    pub(crate) fn value(key: u32, thread: u32) -> Form {
        Form { constant: 0, runs: Rc::from([Run { key, from: thread, to: thread + 1, times: 1 }]) }
    }

    /// This sum and a multiple of another.
    pub(crate) fn plus(&self, other: &Form, times: u128, width: u8) -> Option<Form> {
        let constant = mask(self.constant.wrapping_add(other.constant.wrapping_mul(times)), width);
        let scaled = other.runs.iter().map(|it| Run { times: it.times.wrapping_mul(times), ..*it });
        let runs = self.runs.iter().copied().chain(scaled).collect();
        Some(Form { constant, runs: merged(runs, width)? })
    }

    /// The same, modulo a smaller width.
    pub(crate) fn narrowed(&self, width: u8) -> Option<Form> {
        Form::constant(0).plus(self, 1, width)
    }
}

/// Runs that do not overlap, in order, as few as may be.
fn merged(mut runs: Vec<Run>, width: u8) -> Option<Rc<[Run]>> {
    runs.sort_unstable();
    let mut all: Vec<Run> = Vec::with_capacity(runs.len());
    for of_key in runs.chunk_by(|a, b| a.key == b.key) {
        let mut ends: Vec<u32> = of_key.iter().flat_map(|it| [it.from, it.to]).collect();
        ends.sort_unstable();
        ends.dedup();
        for part in ends.windows(2) {
            let [from, to] = [part[0], part[1]];
            let covers = |it: &&Run| it.from <= from && to <= it.to;
            let times =
                of_key.iter().filter(covers).fold(0u128, |sum, it| sum.wrapping_add(it.times));
            let times = mask(times, width);
            if times == 0 {
                continue;
            }
            let key = of_key[0].key;
            match all.last_mut() {
                Some(last) if last.key == key && last.to == from && last.times == times => {
                    last.to = to;
                }
                Some(_) | None => all.push(Run { key, from, to, times }),
            }
        }
        if all.len() > MOST_RUNS {
            return None;
        }
    }
    Some(Rc::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_one_run_and_what_cancels_is_gone() {
        let sum = (0..8).fold(Form::constant(0), |sum, thread| {
            sum.plus(&Form::value(3, thread), 1, 32).expect("few runs")
        });
        assert_eq!(*sum.runs, [Run { key: 3, from: 0, to: 8, times: 1 }]);
        let less = sum.plus(&Form::value(3, 7), u128::MAX, 32).expect("few runs");
        assert_eq!(*less.runs, [Run { key: 3, from: 0, to: 7, times: 1 }]);
        let twice = sum.plus(&Form::value(3, 0), 1, 32).expect("few runs");
        assert_eq!(twice.runs.len(), 2);
        assert_eq!(sum.narrowed(8).map(|it| it.runs.len()), Some(1));
    }

    #[test]
    fn multiples_are_modulo_the_width() {
        let shifted = Form::constant(1).plus(&Form::value(0, 0), 1 << 8, 8).expect("few runs");
        assert_eq!(shifted, Form::constant(1));
    }
}
