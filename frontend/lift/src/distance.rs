//! Whether a number may hold an address, or tell one: the distance of two objects above all.
//!
//! Where a number counts bytes inside an object, an address plus that number is one in the same
//! object. The distance of two objects is a number too, and leads from one to the other; so what
//! is added to an address must be known to count no address.
//!
//! **Promise**: a number that an address came into is seen as one, whatever computed it from the
//! address: arithmetic, choices, an exchange between lanes, a call, an assembly; memory, where the
//! kernel stores any address or a number made of one; and a loop or a choice that goes by how the
//! addresses of two objects compare. **Sound because** the walk goes back through all operands,
//! and where the kernel itself stores no address, what is in memory was put there before it.
//! **Assumes** that neither an argument nor what was in memory before is a distance of objects,
//! as arguments are pointers to objects of their own. **Does not**: follow which element of a table
//! an address chooses, nor a distance that is made up of what single tests of addresses say: their
//! bits one by one, in a loop or by a vote, or how often a loop runs. What is accessed by such a
//! number counts as in the object of the address that it is added to, as
//! `Assumption::InBounds` (heddle_diagnostics) says of each proof.

use heddle_ir::ObjectId;
use rustc_hash::FxHashSet;

use super::Lifter;
use super::own_addresses::{Addresses, computed_from};
use super::pointer::Place;
use heddle_llvm::{Inst, Opcode, TypeKind, Value, ValueKind};
use heddle_ptx::Class;

/// The objects whose addresses a number is made of.
#[derive(Debug, Default)]
pub(super) struct Mentioned {
    /// Those that are known.
    pub(super) objects: FxHashSet<ObjectId>,
    /// There may be others.
    pub(super) others: bool,
    /// Addresses that were met.
    addresses: usize,
}

impl Mentioned {
    /// Whether the number is made of addresses at all.
    pub(super) fn is_some(&self) -> bool {
        self.addresses > 0
    }

    /// Whether it may tell of two objects.
    fn is_of_several(&self) -> bool {
        self.objects.len() + usize::from(self.others) > 1 && self.addresses > 1
    }
}

impl<'m> Lifter<'m> {
    /// Whether an address may be a part of a number, or may have decided what it is.
    pub(super) fn may_hold_address(&mut self, number: Value<'m>) -> bool {
        if self.mentioned([number], true).is_some() {
            return true;
        }
        has_choices(number) && self.compares_objects()
    }

    /// Whether something in the kernel goes by the addresses of two objects.
    pub(super) fn compares_objects(&mut self) -> bool {
        if let Some(known) = self.compares_objects {
            return known;
        }
        self.compares_objects = Some(false);
        let deciding: Vec<Inst<'m>> = self
            .blocks
            .iter()
            .flat_map(|block| block.instructions())
            .filter(|it| matches!(it.opcode(), Opcode::ICmp | Opcode::Switch))
            .collect();
        let found = deciding.into_iter().any(|inst| {
            let operands: Vec<Value<'m>> = inst.as_value().operands().collect();
            let numbers = operands.into_iter().filter(|it| it.kind() != ValueKind::Block);
            self.mentioned(numbers, false).is_of_several()
        });
        self.compares_objects = Some(found);
        found
    }

    /// The objects whose addresses numbers are made of; `any` stops at the first.
    pub(super) fn mentioned(
        &mut self,
        numbers: impl IntoIterator<Item = Value<'m>>,
        any: bool,
    ) -> Mentioned {
        let mut found = Mentioned::default();
        let mut seen = FxHashSet::default();
        let mut work: Vec<Value<'m>> = numbers.into_iter().collect();
        while let Some(at) = work.pop() {
            if any && found.is_some() {
                return found;
            }
            if !seen.insert(at) {
                continue;
            }
            if matches!(at.ty().kind(), TypeKind::Pointer(_)) {
                self.mention(at, any, &mut found);
                continue;
            }
            match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
                // The pointer is what is looked at.
                Some(Opcode::PtrToInt | Opcode::PtrToAddr) => work.extend(at.operand(0)),
                Some(Opcode::Load | Opcode::AtomicRmw | Opcode::CmpXchg) => {
                    self.read_back(&mut found);
                }
                // Looked at where the kernel is asked what it goes by.
                Some(Opcode::ICmp | Opcode::FCmp) => {}
                Some(Opcode::Phi) => {
                    let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                    work.extend(incoming.into_iter().map(|(value, _)| value));
                }
                Some(Opcode::Call) => {
                    let Some(call) = at.as_inst() else { continue };
                    match what_is_called(call) {
                        Called::Function => {
                            self.read_back(&mut found);
                            work.extend(call.arguments());
                        }
                        Called::Reader => {
                            self.read_back(&mut found);
                            work.extend(computed_from(call));
                        }
                        Called::Computation => work.extend(computed_from(call)),
                    }
                }
                Some(_) => work.extend(at.operands()),
                None => {}
            }
        }
        found
    }

    /// What is in memory may be made of the addresses that the kernel stores.
    fn read_back(&mut self, found: &mut Mentioned) {
        if self.stores_addresses(Addresses::Any) {
            found.addresses += 1;
            found.others = true;
        }
    }

    /// Whether the result of a call may be read from memory that the kernel has put addresses into.
    pub(super) fn call_reads_addresses(&mut self, call: Inst<'m>) -> bool {
        !matches!(what_is_called(call), Called::Computation)
            && self.stores_addresses(Addresses::Any)
    }

    fn mention(&mut self, pointer: Value<'m>, any: bool, found: &mut Mentioned) {
        if matches!(
            pointer.kind(),
            ValueKind::Null | ValueKind::Undef | ValueKind::Poison | ValueKind::Function
        ) {
            return;
        }
        found.addresses += 1;
        if any {
            return;
        }
        for place in self.roots(pointer).places {
            match place {
                Place::Object(object) => {
                    found.objects.insert(object);
                }
                Place::Absolute(_) => found.others = true,
            }
        }
    }
}

/// What a call may take its result from.
enum Called {
    /// Its operands.
    Computation,
    /// Memory, where an operand points.
    Reader,
    /// Anything.
    Function,
}

fn what_is_called(call: Inst<'_>) -> Called {
    let points = |it: &Value<'_>| matches!(it.ty().kind(), TypeKind::Pointer(_));
    let has_pointer = call.arguments().iter().any(points);
    let Some(callee) = call.callee() else { return Called::Function };
    match callee.as_inline_asm() {
        Some(asm) => match heddle_ptx::read(&asm.text, &asm.constraints) {
            Ok(asm) if asm.instructions.iter().all(|it| is_pure(&it.class)) => Called::Computation,
            Ok(_) | Err(_) => Called::Reader,
        },
        None if !callee.name().starts_with("llvm.") => Called::Function,
        None if has_pointer => Called::Reader,
        None => Called::Computation,
    }
}

fn is_pure(class: &Class) -> bool {
    matches!(class, Class::Pure { .. })
}

/// Whether a pointer is one into its object however it came about, or just past it: no step on the
/// way may leave it (`inbounds`).
pub(super) fn stays_inside(pointer: Value<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![pointer];
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        match at.const_opcode().or_else(|| at.as_inst().map(|i| i.opcode())) {
            Some(Opcode::GetElementPtr) => {
                if at.as_inst().is_some_and(|it| !it.is_inbounds())
                    && at.operands().skip(1).any(|it| it.const_int() != Some(0))
                {
                    return false;
                }
                work.extend(at.operand(0));
            }
            Some(Opcode::Phi) => {
                let incoming = at.as_inst().map(|i| i.incoming()).unwrap_or_default();
                work.extend(incoming.into_iter().map(|(value, _)| value));
            }
            Some(Opcode::Select) => work.extend(at.operands().skip(1)),
            Some(Opcode::BitCast | Opcode::AddrSpaceCast | Opcode::Freeze) => {
                work.extend(at.operand(0));
            }
            Some(Opcode::IntToPtr) => return false,
            Some(_) | None => {}
        }
    }
    true
}

/// Whether a loop, a choice, a comparison or memory says what a number is.
fn has_choices(number: Value<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![number];
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        match at.as_inst().map(|i| i.opcode()) {
            Some(
                Opcode::Phi
                | Opcode::Select
                | Opcode::ICmp
                | Opcode::FCmp
                | Opcode::Load
                | Opcode::AtomicRmw
                | Opcode::CmpXchg,
            ) => return true,
            Some(_) => work.extend(at.operands()),
            None => {}
        }
    }
    false
}
