//! What a variable of the module holds when a kernel starts.
//!
//! **What**: decides who besides the initialiser has a say, and reads the initialiser into bytes.
//! **Method**: a variable that LLVM calls `constant`, with a definition that no linker replaces,
//! always holds its initialiser. [`prepare`](mod@crate::prepare) has made variables `constant` that
//! nothing outside the module can name and nothing in it writes. A variable marked
//! `externally_initialized` is the host's: its initialiser is what it holds unless the host wrote
//! it. Other variables that the host cannot name start with their initialiser in the first launch:
//! those with local linkage, and program-scope variables of OpenCL.
//! **Sound because** a byte is given only where the initialiser has a number there: addresses,
//! undefined values, padding and bytes beyond [`MOST_BYTES`] are left out, and what is left out is
//! arbitrary to a proof.
//! **Misses**: the values of tables larger than [`MOST_BYTES`], unless they are zeros.
//! A CUDA variable of zeros is arbitrary: clang calls `static __constant__ int table[64];` a
//! constant where the host code that fills it is out of its sight (`#ifndef __CUDA_ARCH__`), and
//! nobody writes a table of zeros.
//! **Assumes**: the host does not write a CUDA variable that is `const` by the language, nor one
//! that is `static`, has an initialiser that is not all zeros, and is named by device code alone.
//! Our own compiler marks those that are also named where the device's compilation does not look
//! (`frontend/clang/unseen.h`); of another one, and of IR, the marks of clang are taken.

use heddle_ir::{Data, Initial};

use super::constant::float_bits;
use super::value::elements;
use heddle_llvm::{Global, Linkage, Module, Type, TypeKind, Value, ValueKind};

/// Bytes of an initialiser that are read, zeros of whole aggregates not counted.
const MOST_BYTES: usize = 1 << 16;

/// What a variable in global or constant memory holds when a kernel starts.
pub(super) fn initial(module: &Module, global: Global<'_>, opencl: bool) -> Initial {
    let data = || match global.initializer().filter(|_| !global.is_interposable()) {
        Some(value) => data(module, value),
        // Another module has the definition.
        None => Data::default(),
    };
    if global.is_externally_initialized() {
        return of_host(data());
    }
    if global.is_constant() {
        let data = data();
        let addresses = || global.initializer().is_some_and(holds_addresses);
        return match opencl || !data.is_all_zeros() || addresses() {
            true => Initial::Fixed(data),
            false => Initial::Any,
        };
    }
    match global.linkage() {
        Linkage::Local => Initial::First(data()),
        Linkage::Mergeable | Linkage::External if opencl => Initial::First(data()),
        Linkage::Mergeable | Linkage::External => of_host(data()),
    }
}

/// Whether an initialiser has an address in it, as tables of functions have.
fn holds_addresses(value: Value<'_>) -> bool {
    use ValueKind::{Alias, ConstExpr, Function, Global};
    holds(value, &|it| matches!(it.kind(), Global | Function | Alias | ConstExpr))
}

/// Whether an initialiser has the address of a variable that can be written.
pub(super) fn leads_to_variables(value: Value<'_>) -> bool {
    holds(value, &|it| it.as_global().is_some_and(|it| !it.is_constant()))
}

/// Whether a constant, or a part of it, is one of those asked for.
fn holds(value: Value<'_>, is_one: &impl Fn(Value<'_>) -> bool) -> bool {
    is_one(value)
        || match value.kind() {
            ValueKind::ConstExpr | ValueKind::ConstAggregate | ValueKind::Alias => {
                value.operands().any(|it| holds(it, is_one))
            }
            ValueKind::Global
            | ValueKind::Function
            | ValueKind::ConstInt
            | ValueKind::ConstFloat
            | ValueKind::Null
            | ValueKind::ZeroAggregate
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::Block
            | ValueKind::Instruction
            | ValueKind::Argument
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => false,
        }
}

/// What a variable holds that the host can write. Zeros say nothing that is asked about.
fn of_host(data: Data) -> Initial {
    match data.pieces.is_empty() || data.is_all_zeros() {
        true => Initial::Any,
        false => Initial::Host(data),
    }
}

/// The bytes of a constant, as far as they are numbers.
fn data(module: &Module, value: Value<'_>) -> Data {
    let mut reader = Reader { module, data: Data::default(), left: MOST_BYTES };
    let all = reader.read(value, 0);
    // Zeros alone would say that there is nothing else.
    match all.is_none() && reader.data.is_all_zeros() {
        true => Data::default(),
        false => reader.data,
    }
}

struct Reader<'m> {
    module: &'m Module,
    data: Data,
    left: usize,
}

impl<'m> Reader<'m> {
    /// Appends the bytes of a value at an offset; `None` where the rest is not read.
    fn read(&mut self, value: Value<'m>, offset: u64) -> Option<()> {
        let ty = value.ty();
        match value.kind() {
            ValueKind::ConstInt => self.number(value.const_int(), ty, offset),
            ValueKind::ConstFloat => self.number(float_bits(value), ty, offset),
            ValueKind::Null | ValueKind::ZeroAggregate => {
                self.data.push_zeros(offset, ty.store_size(self.module)?);
                Some(())
            }
            ValueKind::ConstAggregate => self.aggregate(value, ty, offset),
            // Not numbers, or numbers that only the linker knows.
            ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::Global
            | ValueKind::Function
            | ValueKind::Alias
            | ValueKind::Block
            | ValueKind::ConstExpr
            | ValueKind::Instruction
            | ValueKind::Argument
            | ValueKind::InlineAsm
            | ValueKind::Metadata
            | ValueKind::Other => Some(()),
        }
    }

    fn number(&mut self, bits: Option<u128>, ty: Type<'m>, offset: u64) -> Option<()> {
        let size = usize::try_from(ty.store_size(self.module)?).ok()?;
        self.left = self.left.checked_sub(size)?;
        if let Some(bits) = bits.filter(|_| size <= 16) {
            self.data.push(offset, &bits.to_le_bytes()[..size]);
        }
        Some(())
    }

    fn aggregate(&mut self, value: Value<'m>, ty: Type<'m>, offset: u64) -> Option<()> {
        match ty.kind() {
            TypeKind::Array(count, element) => {
                let stride = element.alloc_size(self.module)?;
                for index in 0..u32::try_from(count).ok()? {
                    self.read(value.element(index)?, offset + u64::from(index) * stride)?;
                }
                Some(())
            }
            TypeKind::Struct { .. } => {
                for index in 0..elements(ty)?.len() as u32 {
                    let at = ty.field_offset(self.module, index)?;
                    self.read(value.element(index)?, offset + at)?;
                }
                Some(())
            }
            TypeKind::Vector(count, element) => {
                // Elements of a vector stand bit by bit after each other; of those of whole bytes
                // that is where they are.
                let size = element.store_size(self.module)?;
                let whole = ty.store_size(self.module)? == size * u64::from(count);
                for index in (0..count).filter(|_| whole) {
                    self.read(value.element(index)?, offset + u64::from(index) * size)?;
                }
                Some(())
            }
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::BFloat
            | TypeKind::Pointer(_)
            | TypeKind::Function
            | TypeKind::Event
            | TypeKind::Other => Some(()),
        }
    }
}
