//! Global objects as locations of a block program.
//!
//! A location is an element of the one size that the object is accessed in. An object whose
//! elements are known by number has those as locations; one that is indexed by what was read has
//! [`ELEMENTS`] from its start, and an index outside stops the exploration with its reason.
//! Addresses are asked for twice: once to learn what is there, once for the answer.

use std::collections::{BTreeMap, BTreeSet};

use heddle_ir::{Kernel, ObjectId, ObjectKind, Shape};

use super::Refusal;
use crate::blocks::{Address, Expr, Location, Operator};

/// Elements of an object whose index is not known before the kernel runs.
const ELEMENTS: u64 = 64;

/// A location in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The object.
    pub object: ObjectId,
    /// Its first byte.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
}

#[derive(Default)]
struct Use {
    size: u64,
    indices: BTreeSet<u64>,
    dynamic: bool,
    base: usize,
}

impl Use {
    /// Elements in the order of their locations.
    fn elements(&self) -> Vec<u64> {
        if !self.dynamic {
            return self.indices.iter().copied().collect();
        }
        let last = self.indices.last().map_or(0, |last| last + 1);
        (0..last.max(ELEMENTS)).collect()
    }
}

/// The locations of a kernel.
#[derive(Default)]
pub(super) struct Memory {
    uses: BTreeMap<ObjectId, Use>,
    laid_out: bool,
}

impl Memory {
    /// The address of an access of `size` bytes.
    pub(super) fn address(
        &mut self,
        kernel: &Kernel,
        object: ObjectId,
        offset: Expr,
        size: u64,
    ) -> Result<Address, Refusal> {
        let name = &kernel[object].name;
        if kernel[object].kind == ObjectKind::Unknown {
            return Err(Refusal::undecided(
                "an access through a pointer that is not known may be to what blocks wait for",
            ));
        }
        if !kernel[object].initial.may_be_zeros() {
            return Err(Refusal::undecided(format!(
                "`{name}`, which blocks wait for, has an initialiser that is not zero, which is not followed"
            )));
        }
        if !matches!(size, 1 | 2 | 4 | 8) {
            return Err(Refusal::unmodelled(format!(
                "an access of {size} bytes to `{name}`, which blocks wait for, is not modelled"
            )));
        }
        let known = self.uses.entry(object).or_default();
        if known.size == 0 {
            known.size = size;
        }
        if known.size != size {
            return Err(Refusal::undecided(format!(
                "`{name}` is accessed in pieces of {} and of {size} bytes, and blocks wait for it",
                known.size
            )));
        }
        let Expr::Constant(offset) = offset else {
            known.dynamic = true;
            let count = if self.laid_out { known.elements().len() } else { ELEMENTS as usize };
            return Ok(Address { base: known.base, count, index: element(offset, size) });
        };
        if offset % size != 0 {
            return Err(Refusal::undecided(format!(
                "an access to `{name}`, which blocks wait for, is not aligned to its size"
            )));
        }
        let index = offset / size;
        known.indices.insert(index);
        let place = if known.dynamic { index as usize } else { rank(&known.indices, index) };
        let count = if self.laid_out { known.elements().len() } else { place + 1 };
        Ok(Address { base: known.base, count, index: Expr::Constant(place as u64) })
    }

    /// Gives each element its location. Addresses asked for from now on are final.
    pub(super) fn lay_out(&mut self) {
        let mut base = 0;
        for known in self.uses.values_mut() {
            known.base = base;
            base += known.elements().len();
        }
        self.laid_out = true;
    }

    /// How many locations there are.
    pub(super) fn len(&self) -> usize {
        self.uses.values().map(|known| known.elements().len()).sum()
    }

    /// The locations, each with where it is.
    pub(super) fn locations(&self, kernel: &Kernel) -> Vec<(Location, Place)> {
        let mut locations = Vec::new();
        for (object, known) in &self.uses {
            let elements = known.elements();
            for index in &elements {
                let shape = &kernel[*object].shape;
                let path = match shape {
                    Shape::Bytes | Shape::Scalar { .. } if elements.len() == 1 => String::new(),
                    Shape::Bytes | Shape::Scalar { .. } => format!("[{index}]"),
                    Shape::Array { .. } | Shape::Struct { .. } => shape.path(index * known.size),
                };
                let name = format!("{}{path}", kernel[*object].name);
                let (object, size) = (*object, known.size);
                let place = Place { object, offset: index * size, size };
                locations.push((Location { name, initial: 0 }, place));
            }
        }
        locations
    }
}

fn rank(indices: &BTreeSet<u64>, index: u64) -> usize {
    indices.range(..index).count()
}

/// The element at a byte offset, and an index outside every object where the offset is not one of
/// an element.
fn element(offset: Expr, size: u64) -> Expr {
    let index = Expr::wide(Operator::UnsignedDiv, 64, offset.clone(), size);
    if size == 1 || is_multiple(&offset, size) {
        return index;
    }
    let rest = Expr::wide(Operator::UnsignedRem, 64, offset, size);
    Expr::Select(Box::new([rest, Expr::Constant(u64::MAX), index]))
}

/// Whether an offset is certainly a multiple of a power of two, wrapping included.
fn is_multiple(offset: &Expr, size: u64) -> bool {
    match offset {
        Expr::Constant(value) => value % size == 0,
        Expr::Binary { operator, left, right, .. } => match operator {
            Operator::Mul => is_multiple(left, size) || is_multiple(right, size),
            Operator::Add | Operator::Sub => is_multiple(left, size) && is_multiple(right, size),
            Operator::ShiftLeft => {
                matches!(**right, Expr::Constant(by) if by < 64 && (1u64 << by).is_multiple_of(size))
            }
            Operator::UnsignedDiv
            | Operator::UnsignedRem
            | Operator::SignedDiv
            | Operator::SignedRem
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftRight
            | Operator::SignedShiftRight
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::AtMost
            | Operator::SignedLess
            | Operator::SignedAtMost
            | Operator::Min
            | Operator::Max
            | Operator::SignedMin
            | Operator::SignedMax
            | Operator::WrapIncrement
            | Operator::WrapDecrement
            | Operator::Nand => false,
        },
        Expr::Register(_) | Expr::Select(_) => false,
    }
}
