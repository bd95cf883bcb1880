//! Functions of registers (PTX ISA 9.7.1 to 9.7.8), as far as a verifier looks into them.

use super::super::types::{Space, Type};

/// A function of the operands. Operands in parentheses; value, second, third, fourth are a, b, c,
/// d.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PureOp {
    /// (a): also packs and unpacks, where one side is a vector; the first element is the lowest.
    Move,
    /// (a, b), wraps.
    Add,
    /// (a, b), wraps.
    Sub,
    /// (a, b)
    Mul(Half),
    /// (a, b, c): product and sum.
    Mad(Half),
    /// (a, b): toward zero.
    Div,
    /// (a, b): sign of the dividend.
    Rem,
    /// (a): wraps.
    Abs,
    /// (a): wraps.
    Neg,
    /// (a, b)
    Min,
    /// (a, b)
    Max,
    /// (a, b), on predicates too.
    And,
    /// (a, b), on predicates too.
    Or,
    /// (a, b), on predicates too.
    Xor,
    /// (a), on predicates too.
    Not,
    /// (a, b): by at most the width.
    Shl,
    /// (a, b): arithmetic for signed types, by at most the width.
    Shr,
    /// (low a, high b, c): funnel shift.
    Funnel {
        /// To the left.
        left: bool,
        /// The amount is at most 32, else modulo 32.
        clamp: bool,
    },
    /// (a, b, predicate?): `dest` is whether it holds, `dest_pred` whether it does not; each is
    /// then combined with the predicate.
    Compare(Comparison, Option<Logic>),
    /// (a, b, predicate)
    Select,
    /// (a): from this integer type: truncates or extends.
    Convert(Type),
    /// (a): between generic addresses and those of this space.
    ConvertAddress {
        /// From generic to the space; else the other way.
        to: bool,
        /// Which.
        space: Space,
    },
    /// (a, start b, length c); 8 low bits of each count.
    BitExtract,
    /// (bits a, into b, start c, length d); 8 low bits of each count.
    BitInsert,
    /// (a, b, c, table)
    Lop3,
    /// (a, b, selector c)
    Permute,
    /// (a)
    PopCount,
    /// (a)
    LeadingZeros,
    /// (a)
    Reverse,
    /// (a): whether a generic address is in this space.
    IsSpace(Space),
    /// (a, rank b): the same address in another block's shared memory.
    MapToBlock,
    /// (a): which block of the cluster an address belongs to.
    BlockRank,
    /// A function of the operands and the opcode, not looked into: floats, saturation, packed
    /// lanes, approximations.
    Uninterpreted,
}

/// Which bits of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// `.lo`
    Low,
    /// `.hi`
    High,
    /// `.wide`: all; the result (and the summand) is twice as wide as the type.
    Wide,
}

/// What is asked of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `.eq`
    Eq,
    /// `.ne`
    Ne,
    /// `.lt`, `.lo`
    Lt,
    /// `.le`, `.ls`
    Le,
    /// `.gt`, `.hi`
    Gt,
    /// `.ge`, `.hs`
    Ge,
}

/// How a comparison is combined with the predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// `.and`
    And,
    /// `.or`
    Or,
    /// `.xor`
    Xor,
}
