//! What an instruction is applied to.

use super::special::Special;
use super::types::Type;

/// A register of [`Asm::regs`](super::Asm::regs).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RegId(pub usize);

/// A label of [`Asm::labels`](super::Asm::labels).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LabelId(pub usize);

/// A register that the template declares. Its value is undefined until written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Its name, with `%` if it has one.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Elements: 1, or those of a `.v2`, `.v4` register.
    pub elements: u8,
}

/// A place to go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name.
    pub name: String,
    /// The instruction it stands before; the number of instructions where it stands at the end.
    pub at: usize,
    /// The block that it is seen in; 0 is the outermost.
    pub block: usize,
}

/// What an instruction is applied to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// `$n`, the n-th constraint. An output that is read before it is written has the value of the
    /// input tied to it; without one, its value is undefined.
    Asm(usize),
    /// A register declared in the template.
    Reg(RegId),
    /// An integer, as written.
    Int(i128),
    /// A float: its bits, in 32 or 64 of them.
    Float {
        /// The bits.
        bits: u64,
        /// How many: 32 or 64.
        width: u8,
    },
    /// A special register (section 10).
    Special(Special),
    /// `!p`.
    Not(Box<Operand>),
    /// `[base+offset]`.
    Address(Address),
    /// `{a, b}`, or the `(a, b)` of a call.
    Vector(Vec<Operand>),
    /// `_`: not wanted.
    Sink,
    /// A label of the template.
    Label(LabelId),
    /// A variable or function declared outside.
    Symbol(String),
}

/// `[base+offset]`, or a tensor's `[base, {coordinates}]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// A register, an operand, a symbol, or an absolute number.
    pub base: Box<Operand>,
    /// What is added: bytes.
    pub offset: Offset,
    /// For tensors and textures: what follows the first comma, vectors flattened.
    pub coordinates: Vec<Operand>,
}

/// The constant added to a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offset {
    /// A number of bytes.
    Bytes(i128),
    /// `$n`, a constant operand.
    Asm(usize),
}

impl Operand {
    /// Calls `visit` with each operand that it is made of, itself included, from left to right.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Operand)) {
        visit(self);
        match self {
            Operand::Not(inner) => inner.walk(visit),
            Operand::Address(Address { base, offset: _, coordinates }) => {
                base.walk(visit);
                coordinates.iter().for_each(|c| c.walk(visit));
            }
            Operand::Vector(elements) => elements.iter().for_each(|e| e.walk(visit)),
            Operand::Asm(_)
            | Operand::Reg(_)
            | Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => {}
        }
    }
}
