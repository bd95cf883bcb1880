//! One instruction, understood: what it means and what each operand is to it.

use super::class::Class;
use super::operand::Operand;

/// One instruction of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Executed only where it holds.
    pub guard: Option<Guard>,
    /// What it means.
    pub class: Class,
    /// The opcode as written, with all modifiers.
    pub opcode: String,
    /// The operands in the order written, each with its role. [`Role::Rest`] and
    /// [`Role::ReadWrite`] may repeat.
    pub operands: Vec<(Role, Operand)>,
    /// Where it starts in the template: characters, from 1.
    pub column: usize,
}

/// `@p` or `@!p`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// `!`: executed where the predicate does not hold.
    pub negated: bool,
    /// The predicate: a register, or an operand from outside.
    pub predicate: Operand,
}

macro_rules! roles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What an operand is to its instruction.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Role {
            $($(#[$doc])* $variant,)*
        }

        impl Role {
            /// The role that the table writes so.
            pub(crate) fn parse(name: &str) -> Option<Role> {
                match name {
                    $($name => Some(Role::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    /// The result.
    Dest = "dest",
    /// The predicate beside the result, `d|p`.
    DestPred = "dest_pred",
    /// The address that is read or written; a copy's destination.
    Address = "address",
    /// A copy's source address.
    Source = "source",
    /// The address of the barrier object.
    Mbarrier = "mbarrier",
    /// Which named barrier.
    Id = "id",
    /// How many threads, or arrivals.
    Count = "count",
    /// A predicate that is reduced, voted on or selects.
    Predicate = "predicate",
    /// The lanes that take part.
    Mask = "mask",
    /// What is written, exchanged or compared with: the first value.
    Value = "value",
    /// The second value: `b`.
    Second = "second",
    /// The third value: `c`.
    Third = "third",
    /// The fourth value: `d`.
    Fourth = "fourth",
    /// A truth table (`lop3`).
    Table = "table",
    /// Which lane, or how far away.
    Lane = "lane",
    /// Clamp and segment of a shuffle.
    Clamp = "clamp",
    /// Bytes of a copy.
    Size = "size",
    /// Bytes of a copy that are read; the rest is written as zeros.
    SourceSize = "source_size",
    /// Where it holds, a copy writes zeros only.
    IgnoreSource = "ignore_source",
    /// Bytes of a transaction.
    Bytes = "bytes",
    /// The state an arrival returned.
    Token = "token",
    /// Zero or one: which phase.
    Parity = "parity",
    /// Nanoseconds for which it may suspend.
    SuspendHint = "suspend_hint",
    /// Groups that may still be pending.
    Pending = "pending",
    /// Blocks of the cluster that receive a copy.
    Multicast = "multicast",
    /// Whether a copy is to those blocks; else it is to the one that its address is of.
    HasMulticast = "has_multicast",
    /// Offsets of an im2col copy.
    Im2col = "im2col",
    /// Which bytes are copied.
    ByteMask = "byte_mask",
    /// A cache policy; changes no value.
    CachePolicy = "cache_policy",
    /// Whether it goes by that policy.
    HasCachePolicy = "has_cache_policy",
    /// Registers per thread.
    Registers = "registers",
    /// Where a branch goes.
    Target = "target",
    /// Read, and no more is said.
    Rest = "rest",
    /// May be read, written or both; an address that may be read and written at.
    ReadWrite = "read_write",
}

impl Role {
    /// Whether the operand is written, or may be.
    pub fn writes(self) -> bool {
        matches!(self, Role::Dest | Role::DestPred | Role::ReadWrite)
    }

    /// Whether an address stands here.
    pub fn is_address(self) -> bool {
        matches!(self, Role::Address | Role::Source | Role::Mbarrier)
    }
}

impl Instruction {
    /// The operand of a role, the first if several have it.
    pub fn operand(&self, role: Role) -> Option<&Operand> {
        self.operands.iter().find(|(of, _)| *of == role).map(|(_, operand)| operand)
    }

    /// The operands that are written or may be, vectors as one.
    pub fn dests(&self) -> impl Iterator<Item = &Operand> {
        self.operands.iter().filter(|(role, _)| role.writes()).map(|(_, operand)| operand)
    }
}
