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
//! none, as with `--size`, nor is one that gives it more than memory has. Of an element that no
//! thread reads nothing is said: its place may be poison.
//! **Misses**: elements that are read in parts or several at once; more reads than
//! [`MOST_ELEMENTS`] of an array.
//! **Assumes**: the contract, which each answer names with the launch.

use heddle_ir::{ArrayContract, ArrayRule, BinOp, CastOp, CmpOp, ExprId, ExprPool, ObjectId};

use heddle_solver::{Answer, Budget, Query, decide};
use rustc_hash::FxHashSet;

use super::{Instance, Read, low_bits};
use crate::facts::thread::Thread;

/// Elements of one array that are set beside each other in one question.
const MOST_ELEMENTS: usize = 12;

/// An element that was read.
#[derive(Clone, Copy)]
struct Element {
    /// Its distance from the first one in bytes, 64 bits.
    place: ExprId,
    /// That it was read, and is one of those that the contract is about.
    is_meant: ExprId,
    value: ExprId,
}

impl Instance<'_> {
    /// What arrays keep.
    pub(crate) fn arrays(&self) -> &[ArrayContract] {
        &self.arrays
    }

    /// Adds what an array keeps, in the kernel's expressions, to what is stated.
    pub(crate) fn state_array_of_kernel(&mut self, contract: ArrayContract) {
        let ArrayContract { start, count, bounds: [low, high], .. } = contract;
        let root = self.root(Thread::One);
        let [start, count, low, high] = [start, count, low, high].map(|id| self.at(root, id));
        self.state_array(ArrayContract { start, count, bounds: [low, high], ..contract });
    }

    /// Adds what an array keeps to what is stated, and what follows for the launch.
    fn state_array(&mut self, contract: ArrayContract) {
        self.arrays.push(contract);
        let ArrayContract { rule, element, object, start, count, bounds: [low, high] } = contract;
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
            let (count, bounded, [low, high]) = (different.count, within.count, within.bounds);
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

    /// States of elements that the two threads read by one operation in arrays of which something
    /// is said that they are not one, where what is stated so far excludes that: a question about
    /// what the elements hold is easier with it.
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
                if one.of != other.of
                    || one.offset == other.offset
                    || threads[0] == threads[1]
                    || asked == MOST_ELEMENTS
                {
                    continue;
                }
                asked += 1;
                let same = self.pool.eq(one.offset, other.offset);
                // What arrays hold says nothing of places but of those that come from one.
                let rests_on_elements = self.rests_on_elements(same);
                let mut facts = self.facts_to_ask(&[same]);
                facts.retain(|it| *it == same || rests_on_elements || !self.rests_on_elements(*it));
                let ranges = self.ranges.clone();
                let query = Query { facts, ranges, small: Vec::new(), relevant: Vec::new() };
                let answer = decide(&self.pool, &query, &budget);
                self.analysis.journal.solved(&self.pool, &query, &answer);
                if matches!(answer, Answer::Unsat(_)) {
                    let done = [one, other].map(|it| self.executed_in(it.frame, it.op));
                    let both = self.pool.and(done[0], done[1]);
                    let apart = self.pool.not(same);
                    let fact = self.pool.implies(both, apart);
                    self.state(fact);
                }
            }
        }
    }

    /// Whether an expression is computed from what memory holds at the start.
    fn rests_on_elements(&self, id: ExprId) -> bool {
        let mut found = false;
        self.pool.for_each_below(id, |it| found |= self.initial.contains(&it));
        found
    }

    /// Memory of the host that these places are read from, with the bits of a number there, of
    /// which nothing is said.
    pub(crate) fn arrays_of_indices(&self, places: [ExprId; 2]) -> Vec<(ObjectId, u8)> {
        let mut found: Vec<(ObjectId, u8)> = Vec::new();
        let mut used = FxHashSet::default();
        for place in places {
            self.pool.for_each_below(place, |it| _ = used.insert(it));
        }
        let is_index = |it: &&Read| used.contains(&it.value) && self.initial.contains(&it.value);
        for it in self.reads.iter().filter(is_index) {
            let width = self.pool.width(it.value);
            let is_said = self.arrays.iter().any(|array| array.object == it.object);
            if !is_said && found.iter().all(|(object, _)| *object != it.object) {
                found.push((it.object, width));
            }
        }
        found
    }

    /// Whether what is stated excludes everything once an array keeps something more, which some
    /// launch has, and what `more` states of it. Nothing of it stays stated.
    pub(crate) fn excludes_with(
        &mut self,
        contract: impl Fn(&mut ExprPool) -> ArrayContract,
        more: impl FnOnce(&mut Self),
        budget: &Budget,
    ) -> bool {
        let mut launch = self.of_other_threads(self.placement);
        let of_launch = contract(&mut launch.pool);
        launch.state_array(of_launch);
        launch.state_first_element(&of_launch);
        if launch.ask(&[], budget).held().is_some() {
            return false;
        }
        let (facts, arrays) = (self.facts.len(), self.arrays.len());
        let contract = contract(&mut self.pool);
        self.state_array(contract);
        more(self);
        self.state_places_apart(budget);
        let excluded = self.ask(&[], budget).held().is_some();
        self.facts.truncate(facts);
        self.arrays.truncate(arrays);
        excluded
    }

    /// States that an array has elements, and that the first one keeps what is said.
    pub(crate) fn state_first_element(&mut self, contract: &ArrayContract) {
        let zero = self.pool.constant(0, 64);
        let some = self.pool.slt(zero, contract.count);
        self.state(some);
        if contract.rule == ArrayRule::Range {
            let width = contract.element.bits();
            let name = format!("{}.{width}", self.analysis.kernel[contract.object].name);
            let value = self.pool.pure(&name, &[contract.start], width);
            self.state_within(contract, &Element { place: zero, is_meant: some, value });
        }
    }

    /// What was read of an array, as far as it is what the array held at the start.
    fn elements_of(&mut self, contract: &ArrayContract) -> Vec<Element> {
        let ArrayContract { element, object, start, count, .. } = *contract;
        let mut read: Vec<(ExprId, ExprId, ExprId)> = Vec::new();
        for it in self.reads.clone() {
            let is_element = it.object == object
                && self.pool.width(it.value) == element.bits()
                && self.initial.contains(&it.value);
            let known = read.iter().position(|(_, value, _)| *value == it.value);
            if !is_element || known.is_none() && read.len() == MOST_ELEMENTS {
                continue;
            }
            let done = self.executed_in(it.frame, it.op);
            match known {
                Some(known) => read[known].2 = self.pool.or(read[known].2, done),
                None => read.push((it.offset, it.value, done)),
            }
        }
        let bytes = u128::from(element.bytes);
        let mut all = Vec::new();
        for (offset, value, done) in read {
            let pool = &mut self.pool;
            let (zero, each) = (pool.constant(0, 64), pool.constant(bytes, 64));
            let place = pool.sub(offset, start);
            let end = pool.mul(count, each);
            let after_first = pool.cmp(CmpOp::Sle, zero, place);
            let before_end = pool.slt(place, end);
            let mut is_meant = pool.and(after_first, before_end);
            is_meant = pool.and(done, is_meant);
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
        let [low, high] = contract.bounds;
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
