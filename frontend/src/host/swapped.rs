//! Pairs of numbers that a loop swaps.
//!
//! **What**: `int src = 0, dst = 1;` and in each turn the two change places, as with two buffers
//! that programs choose by their index. They are the two numbers that they started with, one each.
//! **Method**: two joins of one block to which each way brings two different constants, the two
//! themselves, or the one for the other.
//! **Sound because** the first way to the block is no way of the loop, and brings constants; each
//! further one keeps what held of the pair.
//! **Misses**: numbers that start as something else than constants, and more than two in a circle.

use heddle_ir::ExprId;

use super::reader::Reader;
use heddle_llvm::{Inst, Opcode, Value};

/// What one way to the block makes of the pair.
enum Way {
    Starts([u128; 2]),
    KeepsOrSwaps,
}

impl<'m> Reader<'_, 'm> {
    /// What holds of a join and those that it is swapped with.
    pub(super) fn swapped(&mut self, phi: Inst<'m>) -> Vec<ExprId> {
        let joins = phi.block().instructions().take_while(|it| it.opcode() == Opcode::Phi);
        let others: Vec<Inst<'m>> = joins.filter(|it| *it != phi && it.ty() == phi.ty()).collect();
        let mut facts = Vec::new();
        for other in others {
            let Some([a, b]) = starts([phi, other]) else { continue };
            let values = [phi, other].map(|it| self.value(it.as_value(), false, 0));
            let width = self.pool.width(values[0]);
            let [a, b] = [a, b].map(|it| self.pool.constant(it, width));
            let mut are = |starts: [ExprId; 2]| {
                let one = self.pool.eq(values[0], starts[0]);
                let other = self.pool.eq(values[1], starts[1]);
                self.pool.and(one, other)
            };
            let (as_first, swapped) = (are([a, b]), are([b, a]));
            facts.push(self.pool.or(as_first, swapped));
        }
        facts
    }
}

/// The two numbers that a pair of joins starts with and keeps, in this order or the other.
fn starts(pair: [Inst<'_>; 2]) -> Option<[u128; 2]> {
    let [one, other] = pair;
    let of_other = other.incoming();
    let mut found: Option<[u128; 2]> = None;
    for (value, from) in one.incoming() {
        let (beside, _) = of_other.iter().find(|it| it.1 == from)?;
        match way([value, *beside], pair)? {
            Way::Starts(numbers) if found.is_none_or(|it| it == numbers) => found = Some(numbers),
            Way::Starts(_) => return None,
            Way::KeepsOrSwaps => {}
        }
    }
    found.filter(|[a, b]| a != b)
}

fn way(values: [Value<'_>; 2], pair: [Inst<'_>; 2]) -> Option<Way> {
    let own = pair.map(Inst::as_value);
    if values == own || values == [own[1], own[0]] {
        return Some(Way::KeepsOrSwaps);
    }
    Some(Way::Starts([values[0].const_int()?, values[1].const_int()?]))
}
