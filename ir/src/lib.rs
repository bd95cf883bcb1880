//! The structured predicated IR that every check of Heddle reads.
//!
//! # What a kernel means
//! A [`Kernel`] is a tree of loops whose leaves are predicated operations in topological order.
//! Inside one loop body control flow is acyclic, so an LLVM block becomes a run of operations under
//! one predicate, the disjunction of its incoming edges; a phi becomes a select over edge
//! predicates; a loop header's phi becomes a [`Var`]. There is no `if` and no jump. A thread goes
//! through each region from top to bottom, and does an operation where its predicate ([`Op::pred`])
//! is one.
//!
//! A [`Loop`] is entered by the threads of its `pred`, and its body is run at least once by each.
//! At the end of an iteration `cont` decides, per thread, who runs another. Threads in an iteration
//! are in lock-step with those that have left, which are disabled: barrier divergence is defined
//! against this meaning. A `while` loop therefore has its test as a predicate inside the body.
//!
//! # When an expression is evaluated
//! An expression ([`ExprKind`]) is a pure function of its leaves, and belongs to every region where
//! its leaves mean something: [`ExprKind::Var`] and [`ExprKind::Result`] inside the loop that has
//! the variable or operation (and after that operation), for the iteration that is running;
//! [`ExprKind::Exit`]`(l, e)` after loop `l`, in the region that has `l`, for the thread's last
//! iteration of it in the present iteration of that region. [`Var::init`] and [`Loop::pred`] belong
//! to the parent, [`Var::next`] and [`Loop::cont`] to the end of the body. Where a thread did not
//! enter a loop or do an operation, what it left is arbitrary.
//!
//! # Memory
//! An access names an [`Object`] and a byte offset. Pointers are no values: the front end resolves
//! each to the objects it may mean, and splits the access by predicate where there are several.
//!
//! # What it does not say
//! Nothing about types beyond width, about the layout of blocks, or about exceptions. What the
//! front end did not understand is an [`OpKind::Opaque`] with what it may touch; it is never left
//! out.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod array_contract;
mod async_copy;
mod builder;
mod claim;
mod cluster;
mod effects;
mod entity;
mod expr;
mod initial;
mod kernel;
mod mlir;
mod nest;
mod object;
mod op;
mod operands;
mod pointee;
mod renumber;
mod scope;
mod text;
mod verify;

pub use array_contract::{ArrayContract, ArrayRule, Element};
pub use builder::KernelBuilder;
pub use cluster::Remote;
pub use cranelift_entity;
pub use effects::{Effects, Orders, Place, Touch, TouchedBy, Waits};
pub use entity::{ExprId, LoopId, ObjectId, OpId, OriginId, PureId, SymId, VarId};
pub use expr::symbol_of_address;
pub use expr::{
    BinOp, CastOp, CmpOp, Expr, ExprKind, ExprPool, NoWrap, Special, UnOp, ValueFrom, flags_hold,
    fold_binary, fold_cast, fold_cmp, fold_unary, is_undefined_division, mask, sign_extend,
};
pub use initial::{Data, Initial, Reading};
pub use kernel::{
    Family, Item, Kernel, LaunchBounds, Loop, Origin, Param, ParamKind, Region, SeenLaunch, Sign,
    Span, Target, Var,
};
pub use mlir::{dialect, parse_mlir, print_mlir};
pub use nest::as_one_loop;
pub use object::{Address, Object, ObjectKind, Shape, Space};
pub use op::{
    ALL_MEMORY, Access, AccessKind, AsyncCopy, AsyncMechanism, AtomicOp, Barrier, BarrierAction,
    Claim, ClaimKind, ClusterAction, CrossLane, CrossLaneKind, Ending, MbarrierAction, MemoryOrder,
    OPERAND_BYTES, Op, OpKind, Opaque, Phase, Proxy, Reduction, RegisterMove, Scope, Strided,
    Touches, in_quotes,
};
pub use renumber::renumber;
pub use scope::Scopes;
pub use text::{ParseError, parse_kernel, parse_kernels, print_kernel, show_expr};
pub use verify::{Entity, VerifyError, verify};
