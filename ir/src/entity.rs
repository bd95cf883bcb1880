//! Typed handles. Each is an index into one table of a [`Kernel`](crate::Kernel) or an
//! [`ExprPool`](crate::ExprPool), prints as its letter and number, and means nothing elsewhere.

use cranelift_entity::entity_impl;

/// A hash-consed expression of an [`ExprPool`](crate::ExprPool).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// An operation: something that happens, under a predicate, at one place of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(u32);
entity_impl!(OpId, "op");

/// A loop of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// A loop variable: what a phi of a loop header was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A memory object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "obj");

/// A place in the source program that an operation came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginId(u32);
entity_impl!(OriginId, "at");

/// A free symbol that an analysis brought in. Never part of a printed kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymId(u32);
entity_impl!(SymId, "s");

/// The name of a pure function that has no meaning here beyond being one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PureId(u32);
entity_impl!(PureId, "fn");
