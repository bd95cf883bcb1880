//! What arrays are said to keep ([`ArrayContract`]), as facts about what two threads read.
//!
//! **What**: of elements that were read, that they are different numbers, lie between bounds, or
//! rise with their places; and what follows for the launch: no more than 256 bytes are different.
//! **Method**: a contract is about all elements of an array, and a question is about those that the
//! threads read. For each such element, or each two of them, the contract is stated where they are
//! among the elements that it is about: whole ones, from the first to the last.
//! **Sound because** a contract speaks of what memory holds when the kernel begins, and only reads
//! that give that value are looked at: plain loads of the element's width, from memory that the
//! kernel does not write, or not before. An element is one for all threads, so that two reads of
//! one place are no two elements. A launch that gives an array a negative number of elements is
//! none, as with `--size`, nor is one that gives it more than memory has.
//! **Misses**: elements that are read in parts or several at once; more reads than
//! [`MOST_ELEMENTS`] of an array.
//! **Assumes**: the contract, which each answer names with the launch.

use heddle_ir::{ArrayContract, ArrayRule, BinOp, CastOp, CmpOp, ExprId};

use heddle_solver::Budget;

use super::{Instance, Read, low_bits};
use crate::facts::thread::Thread;

/// Elements of one array that are set beside each other in one question.
const MOST_ELEMENTS: usize = 12;

/// An element that was read.
#[derive(Clone, Copy)]
struct Element {
    /// Its distance from the first one in bytes, 64 bits.
    place: ExprId,
    /// That it is one of those that the contract is about.
    is_meant: ExprId,
    value: ExprId,
}

impl Instance<'_> {
    /// What arrays keep.
    pub(crate) fn arrays(&self) -> &[ArrayContract] {
        &self.arrays
    }

    /// Adds what an array keeps to what is stated, and what follows for the launch.
    pub(crate) fn state_array(&mut self, contract: ArrayContract) {
        self.arrays.push(contract);
        let ArrayContract { rule, element, object, start, .. } = contract;
        let [count, low, high] = self.numbers_of(&contract);
        let zero = self.pool.constant(0, 64);
        let most = self.pool.constant(i64::MAX as u128 / u128::from(element.bytes), 64);
        let (not_negative, fits) =
            (self.pool.cmp(CmpOp::Sle, zero, count), self.pool.cmp(CmpOp::Sle, count, most));
        self.state(not_negative);
        self.state(fits);
        let some = self.pool.slt(zero, count);
        match rule {
            ArrayRule::Injective | ArrayRule::Ascending => {
                if element.bits() < 63 {
                    let all = self.pool.constant(1 << element.bits(), 64);
                    let fits = self.pool.cmp(CmpOp::Sle, count, all);
                    self.state(fits);
                }
            }
            ArrayRule::Range => {
                let not_empty = self.pool.slt(low, high);
                let fact = self.pool.implies(some, not_empty);
                self.state(fact);
            }
            ArrayRule::Sorted => {}
        }
        // Different numbers between bounds are no more than lie between them.
        let of_same =
            |it: &&ArrayContract| (it.object, it.start, it.element) == (object, start, element);
        let others: Vec<_> = self.arrays.iter().filter(of_same).copied().collect();
        for other in others {
            let (different, within) = match (rule, other.rule) {
                (ArrayRule::Range, ArrayRule::Injective | ArrayRule::Ascending) => {
                    (other, contract)
                }
                (ArrayRule::Injective | ArrayRule::Ascending, ArrayRule::Range) => {
                    (contract, other)
                }
                _ => continue,
            };
            let [count, ..] = self.numbers_of(&different);
            let [bounded, low, high] = self.numbers_of(&within);
            let some = self.pool.slt(zero, count);
            let all_bounded = self.pool.cmp(CmpOp::Sle, count, bounded);
            let between = self.pool.sub(high, low);
            let fits = self.pool.cmp(CmpOp::Ule, count, between);
            let given = self.pool.and(some, all_bounded);
            let fact = self.pool.implies(given, fits);
            self.state(fact);
        }
    }

    /// States of all elements that were read so far what their arrays keep.
    pub(super) fn state_arrays(&mut self) {
        for contract in self.arrays.clone() {
            let elements = self.elements_of(&contract);
            match contract.rule {
                ArrayRule::Range => {
                    elements.iter().for_each(|it| self.state_within(&contract, it));
                }
                ArrayRule::Injective | ArrayRule::Sorted | ArrayRule::Ascending => {
                    for (n, one) in elements.iter().enumerate() {
                        for other in &elements[n + 1..] {
                            self.state_of_two(&contract, one, other);
                        }
                    }
                }
            }
        }
    }

    /// States of elements that the two threads read in arrays of which something is said that they
    /// are not one, where what is stated so far excludes that: a question about what the elements
    /// hold is easier with it.
    pub(crate) fn state_places_apart(&mut self, budget: &Budget) {
        let budget = budget.divided(8);
        let is_of = |it: &Read, array: &ArrayContract| {
            it.object == array.object && array.rule != ArrayRule::Range
        };
        let said: Vec<Read> = self
            .reads
            .iter()
            .filter(|it| self.arrays.iter().any(|array| is_of(it, array)))
            .copied()
            .collect();
        let mut asked = 0;
        for (n, one) in said.iter().enumerate() {
            for other in &said[n + 1..] {
                let threads = [one, other].map(|it| self.thread(it.frame));
                if one.object != other.object
                    || one.offset == other.offset
                    || threads[0] == threads[1]
                    || asked == MOST_ELEMENTS
                {
                    continue;
                }
                asked += 1;
                let same = self.pool.eq(one.offset, other.offset);
                if self.ask(&[same], &budget).held().is_some() {
                    let apart = self.pool.not(same);
                    self.state(apart);
                }
            }
        }
    }

    /// States that an array has elements, and that the first one keeps what is said.
    pub(crate) fn state_first_element(&mut self, contract: &ArrayContract) {
        let [count, ..] = self.numbers_of(contract);
        let zero = self.pool.constant(0, 64);
        let some = self.pool.slt(zero, count);
        self.state(some);
        if contract.rule == ArrayRule::Range {
            let width = contract.element.bits();
            let name = format!("{}.{width}", self.analysis.kernel[contract.object].name);
            let start = self.at(self.root(Thread::One), contract.start);
            let value = self.pool.pure(&name, &[start], width);
            self.state_within(contract, &Element { place: zero, is_meant: some, value });
        }
    }

    /// How many elements, and the bounds.
    fn numbers_of(&mut self, contract: &ArrayContract) -> [ExprId; 3] {
        let ArrayContract { count, bounds: [low, high], .. } = *contract;
        [count, low, high].map(|id| self.at(self.root(Thread::One), id))
    }

    /// What was read of an array, as far as it is what the array held at the start.
    fn elements_of(&mut self, contract: &ArrayContract) -> Vec<Element> {
        let ArrayContract { element, object, start, .. } = *contract;
        let mut read: Vec<(ExprId, ExprId)> = Vec::new();
        for it in &self.reads {
            let is_element = it.object == object
                && self.pool.width(it.value) == element.bits()
                && self.initial.contains(&it.value);
            if is_element && read.iter().all(|(_, value)| *value != it.value) {
                read.push((it.offset, it.value));
            }
        }
        read.truncate(MOST_ELEMENTS);
        let start = self.at(self.root(Thread::One), start);
        let [count, ..] = self.numbers_of(contract);
        let bytes = u128::from(element.bytes);
        let mut all = Vec::new();
        for (offset, value) in read {
            let pool = &mut self.pool;
            let (zero, each) = (pool.constant(0, 64), pool.constant(bytes, 64));
            let place = pool.sub(offset, start);
            let end = pool.mul(count, each);
            let after_first = pool.cmp(CmpOp::Sle, zero, place);
            let before_end = pool.slt(place, end);
            let mut is_meant = pool.and(after_first, before_end);
            let (known, low) = low_bits(pool, place);
            if known < bytes.trailing_zeros() || low & (bytes - 1) != 0 {
                let last = pool.constant(bytes - 1, 64);
                let rest = pool.binary(BinOp::And, place, last);
                let whole = pool.eq(rest, zero);
                is_meant = pool.and(is_meant, whole);
            }
            all.push(Element { place, is_meant, value });
        }
        all
    }

    fn state_within(&mut self, contract: &ArrayContract, it: &Element) {
        let [_, low, high] = self.numbers_of(contract);
        let pool = &mut self.pool;
        let cast = if contract.element.signed { CastOp::Sext } else { CastOp::Zext };
        let number = pool.cast(cast, it.value, 64);
        let (above, below) = (pool.cmp(CmpOp::Sle, low, number), pool.slt(number, high));
        let within = pool.and(above, below);
        let fact = pool.implies(it.is_meant, within);
        self.state(fact);
    }

    fn state_of_two(&mut self, contract: &ArrayContract, one: &Element, other: &Element) {
        let both = self.pool.and(one.is_meant, other.is_meant);
        let (less, not_more) = match contract.element.signed {
            true => (CmpOp::Slt, CmpOp::Sle),
            false => (CmpOp::Ult, CmpOp::Ule),
        };
        let op = match contract.rule {
            ArrayRule::Injective => {
                let apart = self.pool.ne(one.place, other.place);
                let given = self.pool.and(both, apart);
                let differ = self.pool.ne(one.value, other.value);
                let fact = self.pool.implies(given, differ);
                return self.state(fact);
            }
            ArrayRule::Range => return,
            ArrayRule::Sorted => not_more,
            ArrayRule::Ascending => less,
        };
        for [first, second] in [[one, other], [other, one]] {
            let before = self.pool.slt(first.place, second.place);
            let given = self.pool.and(both, before);
            let rises = self.pool.cmp(op, first.value, second.value);
            let fact = self.pool.implies(given, rises);
            self.state(fact);
        }
    }
}
