//! Expressions: bit-vectors of 1 to 128 bits, hash-consed, without side effects.
//!
//! **Meaning.** An expression is a pure function of its leaves. A leaf is a constant, an id of the
//! running thread or its launch ([`Special`]), a kernel parameter, the value of a loop variable in
//! the iteration that is running, the result of an operation in the iteration that is running, or
//! the value that another expression had in the last iteration of a loop ([`ExprKind::Exit`]).
//! A predicate is an expression of one bit. There are no pointers: an address is an object and a
//! 64-bit byte offset in it, kept apart by the operation that uses it; [`ExprKind::Base`] stands
//! for the numeric address of an object where a program looks at it. Floats are bit patterns, and
//! float arithmetic is a [`ExprKind::Pure`] function named as LLVM names it (`fadd`, `fcmp.olt`,
//! `sqrt`).
//!
//! **Total.** Every operator has a value for every operand, the one SMT-LIB gives: division by zero
//! is all ones, remainder by zero the dividend, a shift by the width or more is zero (or the sign).
//! The no-wrap flags of an operator are facts the compiler was allowed to rely on: where the flag
//! does not hold the program has undefined behaviour.
//!
//! **Does not**: compare expressions up to algebra. Equal handles are equal values in one context;
//! different handles may be equal too. That question belongs to the solver.

mod division;
mod flags;
mod fold;
mod function;
mod multiple;
mod simplify;
mod substitute;

pub use fold::{
    flags_hold, fold_binary, fold_cast, fold_cmp, fold_unary, is_undefined_division, mask,
    sign_extend,
};
pub use function::symbol_of_address;

use cranelift_entity::{EntitySet, PrimaryMap};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::entity::{ExprId, LoopId, ObjectId, OpId, PureId, SymId, VarId};

/// One node: what it computes, and how many bits wide the value is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What the node computes.
    pub kind: ExprKind,
    /// Bits of the value, 1 to 128.
    pub width: u8,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// A constant; bits above the width are zero.
    Const(u128),
    /// An id of the thread, or a size of the launch; 32 bits.
    Special(Special),
    /// The value of the kernel's n-th parameter.
    Param(u32),
    /// The numeric address of an object; 64 bits.
    Base(ObjectId),
    /// A loop variable, in the iteration that is running.
    Var(VarId),
    /// The value an expression had in the last iteration that this thread ran of the loop.
    Exit(LoopId, ExprId),
    /// The n-th result of an operation, in the iteration that is running.
    Result(OpId, u32),
    /// An arbitrary value, the same wherever this number appears, per thread and iteration.
    Undef(u32),
    /// A symbol of an analysis.
    Sym(SymId),
    /// An operator on one operand of the same width.
    Unary(UnOp, ExprId),
    /// An operator on two operands of the same width as the result.
    Binary(BinOp, NoWrap, ExprId, ExprId),
    /// A comparison of two operands of one width; the result has one bit.
    Cmp(CmpOp, ExprId, ExprId),
    /// The second operand where the first (one bit) is one, else the third.
    Select(ExprId, ExprId, ExprId),
    /// A change of width.
    Cast(CastOp, ExprId),
    /// A pure function known by name only: equal operands give equal results.
    Pure(PureId, Box<[ExprId]>),
}

/// What the value of an expression comes from: what an analysis that follows values has to tell
/// apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueFrom {
    /// Its operands alone ([`ExprPool::for_each_operand`]); a constant has none.
    Operands,
    /// The thread, the launch and its arguments.
    Launch,
    /// A loop variable: its first value, then what each iteration makes of it.
    Var(VarId),
    /// The last iteration of a loop, in which it is this expression.
    Exit(LoopId, ExprId),
    /// An operation, as its n-th result.
    Result(OpId, u32),
    /// Nothing: it is arbitrary.
    Nothing,
    /// An analysis that made it up.
    Analysis(SymId),
}

impl ExprKind {
    /// What the value comes from. The one place that sorts all kinds of expressions by this.
    #[inline]
    pub fn value_from(&self) -> ValueFrom {
        match *self {
            ExprKind::Const(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => ValueFrom::Operands,
            ExprKind::Special(_) | ExprKind::Param(_) | ExprKind::Base(_) => ValueFrom::Launch,
            ExprKind::Var(var) => ValueFrom::Var(var),
            ExprKind::Exit(of, value) => ValueFrom::Exit(of, value),
            ExprKind::Result(op, index) => ValueFrom::Result(op, index),
            ExprKind::Undef(_) => ValueFrom::Nothing,
            ExprKind::Sym(symbol) => ValueFrom::Analysis(symbol),
        }
    }
}

/// Ids of the running thread and sizes of its launch, as PTX special registers (PTX ISA, section
/// 10). All are 32 bits wide. OpenCL's are built from these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Special {
    /// `threadIdx`, by dimension 0 to 2.
    Tid(u8),
    /// `blockIdx`, by dimension.
    Ctaid(u8),
    /// `blockDim`, by dimension.
    Ntid(u8),
    /// `gridDim`, by dimension.
    Nctaid(u8),
    /// OpenCL's global offset, by dimension.
    GlobalOffset(u8),
    /// The thread's index in its warp.
    LaneId,
    /// The warp's index in its block as hardware numbers it. Not promised to be `tid / 32`.
    WarpId,
    /// The block's rank in its cluster.
    ClusterCtaRank,
    /// Blocks in a cluster.
    ClusterNctaRank,
    /// Bytes of dynamic shared memory.
    DynamicSharedSize,
}

/// Facts about wrap-around that hold unless the program is undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct NoWrap {
    /// The result, read as signed, is the mathematical one.
    pub signed: bool,
    /// The result, read as unsigned, is the mathematical one.
    pub unsigned: bool,
}

impl NoWrap {
    /// May wrap either way.
    pub const NONE: NoWrap = NoWrap { signed: false, unsigned: false };
    /// Does not wrap as signed.
    pub const SIGNED: NoWrap = NoWrap { signed: true, unsigned: false };
    /// Does not wrap as unsigned.
    pub const UNSIGNED: NoWrap = NoWrap { signed: false, unsigned: true };
    /// Does not wrap either way.
    pub const BOTH: NoWrap = NoWrap { signed: true, unsigned: true };

    /// What either promises, of the same operation.
    pub fn or(self, other: NoWrap) -> NoWrap {
        NoWrap { signed: self.signed || other.signed, unsigned: self.unsigned || other.unsigned }
    }

    /// What both promise.
    pub fn and(self, other: NoWrap) -> NoWrap {
        NoWrap { signed: self.signed && other.signed, unsigned: self.unsigned && other.unsigned }
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All of them, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The spelling in the textual form.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The one with this spelling.
            pub fn from_name(text: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|it| it.name() == text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) }
        }
    };
}
pub(crate) use named;

named! {
    /// Operators on one operand.
    UnOp {
        /// Complement of each bit.
        Not = "not",
        /// Two's complement.
        Neg = "neg",
        /// Number of ones.
        Popcount = "popcount",
        /// Zeros above the highest one; the width for zero.
        Clz = "clz",
        /// Zeros below the lowest one; the width for zero.
        Ctz = "ctz",
        /// Bits in reverse order.
        Bitreverse = "bitreverse",
    }
}

named! {
    /// Operators on two operands of one width.
    BinOp {
        /// Sum.
        Add = "add",
        /// Difference.
        Sub = "sub",
        /// Low half of the product.
        Mul = "mul",
        /// Unsigned quotient.
        UDiv = "udiv",
        /// Signed quotient, towards zero.
        SDiv = "sdiv",
        /// Unsigned remainder.
        URem = "urem",
        /// Signed remainder, with the sign of the dividend.
        SRem = "srem",
        /// Shift left.
        Shl = "shl",
        /// Shift right, zeros in.
        LShr = "lshr",
        /// Shift right, sign in.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Smaller, unsigned.
        UMin = "umin",
        /// Larger, unsigned.
        UMax = "umax",
        /// Smaller, signed.
        SMin = "smin",
        /// Larger, signed.
        SMax = "smax",
    }
}

impl BinOp {
    /// Whether the operands may change places.
    pub fn commutes(self) -> bool {
        match self {
            BinOp::Add
            | BinOp::Mul
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => true,
            BinOp::Sub
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr => false,
        }
    }
}

named! {
    /// Comparisons. The other five are these with operands exchanged or the answer negated.
    CmpOp {
        /// Equal.
        Eq = "eq",
        /// Less, unsigned.
        Ult = "ult",
        /// Less or equal, unsigned.
        Ule = "ule",
        /// Less, signed.
        Slt = "slt",
        /// Less or equal, signed.
        Sle = "sle",
    }
}

named! {
    /// Changes of width.
    CastOp {
        /// Wider, zeros in.
        Zext = "zext",
        /// Wider, sign in.
        Sext = "sext",
        /// Narrower, high bits dropped.
        Trunc = "trunc",
    }
}

/// The table of expressions. Building the same node twice gives the same handle; the builder
/// methods (in `simplify.rs`) fold constants and identities first.
#[derive(Clone, Default, Debug)]
pub struct ExprPool {
    nodes: PrimaryMap<ExprId, Expr>,
    index: FxHashMap<Expr, ExprId>,
    functions: IndexSet<String, FxBuildHasher>,
}

impl std::ops::Index<ExprId> for ExprPool {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id]
    }
}

impl ExprPool {
    /// An empty table.
    pub fn new() -> ExprPool {
        ExprPool::default()
    }

    /// The node exactly as given, without simplification. What the parser and the tests use.
    pub fn intern(&mut self, kind: ExprKind, width: u8) -> ExprId {
        debug_assert!((1..=128).contains(&width), "width {width}");
        let node = Expr { kind, width };
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// Bits of an expression's value.
    pub fn width(&self, id: ExprId) -> u8 {
        self.nodes[id].width
    }

    /// The value of a constant.
    pub fn as_const(&self, id: ExprId) -> Option<u128> {
        match self.nodes[id].kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All expressions, operands before users.
    pub fn iter(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.nodes.iter()
    }

    /// The handle of a pure function's name.
    pub fn function(&mut self, name: &str) -> PureId {
        let index = match self.functions.get_index_of(name) {
            Some(index) => index,
            None => self.functions.insert_full(name.to_owned()).0,
        };
        PureId::from_u32(index as u32)
    }

    /// The name of a pure function.
    pub fn function_name(&self, id: PureId) -> &str {
        &self.functions[id.as_u32() as usize]
    }

    /// Calls `visit` once on an expression and once on each that it is computed from, however often
    /// it is used.
    pub fn for_each_below(&self, root: ExprId, mut visit: impl FnMut(ExprId)) {
        let (mut seen, mut work) = (EntitySet::new(), vec![root]);
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                visit(id);
                self.for_each_operand(id, |operand| work.push(operand));
            }
        }
    }

    /// The conditions that a condition is the conjunction of, each once.
    pub fn conjuncts(&self, condition: ExprId) -> Vec<ExprId> {
        let (mut seen, mut work, mut found) = (EntitySet::new(), vec![condition], Vec::new());
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.nodes[id].kind {
                ExprKind::Binary(BinOp::And, _, a, b) if self.width(id) == 1 => {
                    work.extend([a, b]);
                }
                _ => found.push(id),
            }
        }
        found
    }

    /// Calls `visit` on each direct operand.
    pub fn for_each_operand(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match &self.nodes[id].kind {
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_) => {}
            ExprKind::Exit(_, a) | ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => visit(*a),
            ExprKind::Binary(_, _, a, b) | ExprKind::Cmp(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            ExprKind::Select(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            ExprKind::Pure(_, args) => args.iter().copied().for_each(visit),
        }
    }
}
