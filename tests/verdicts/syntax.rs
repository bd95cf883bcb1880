//! Kernels as a syntax tree: the part of CUDA C++ and OpenCL C that the generator draws, mutates,
//! prints and runs.
//!
//! **Promises**: a tree has no types on its expressions, so that a mutation is a local change;
//! [`super::lower`] computes the types and refuses what is not C. **Does not**: cover templates,
//! references, recursion, `goto`.

/// An integer type; `bool` has one bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct IntTy {
    pub(crate) bits: u8,
    pub(crate) signed: bool,
}

impl IntTy {
    pub(crate) const BOOL: IntTy = IntTy { bits: 1, signed: false };
    pub(crate) const INT: IntTy = IntTy { bits: 32, signed: true };
    pub(crate) const UINT: IntTy = IntTy { bits: 32, signed: false };
    pub(crate) const LONG: IntTy = IntTy { bits: 64, signed: true };
    pub(crate) const ULONG: IntTy = IntTy { bits: 64, signed: false };

    pub(crate) fn bytes(self) -> u64 {
        u64::from(self.bits).div_ceil(8)
    }
}

/// A type of C. Qualifiers are not part of it.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Ty {
    Void,
    Int(IntTy),
    Float,
    Double,
    Ptr(Box<Ty>),
    /// An array; length 0 stands for `[]`.
    Array(Box<Ty>, u64),
    /// A structure, a union, or a vector type such as `int4`, by name.
    Aggregate(String),
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Int(IntTy::INT);

    pub(crate) fn pointer(self) -> Ty {
        Ty::Ptr(Box::new(self))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Language {
    Cuda,
    OpenCl,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    LogAnd,
    LogOr,
    Comma,
}

impl BinOp {
    pub(crate) const ALL: [(BinOp, &'static str); 19] = [
        (BinOp::Add, "+"),
        (BinOp::Sub, "-"),
        (BinOp::Mul, "*"),
        (BinOp::Div, "/"),
        (BinOp::Rem, "%"),
        (BinOp::Shl, "<<"),
        (BinOp::Shr, ">>"),
        (BinOp::And, "&"),
        (BinOp::Or, "|"),
        (BinOp::Xor, "^"),
        (BinOp::Lt, "<"),
        (BinOp::Le, "<="),
        (BinOp::Gt, ">"),
        (BinOp::Ge, ">="),
        (BinOp::Eq, "=="),
        (BinOp::Ne, "!="),
        (BinOp::LogAnd, "&&"),
        (BinOp::LogOr, "||"),
        (BinOp::Comma, ","),
    ];

    pub(crate) fn text(self) -> &'static str {
        BinOp::ALL.iter().find(|(op, _)| *op == self).map_or("?", |(_, text)| text)
    }

    /// How strongly it binds, as in C.
    pub(crate) fn level(self) -> u8 {
        match self {
            BinOp::Comma => 1,
            BinOp::LogOr => 4,
            BinOp::LogAnd => 5,
            BinOp::Or => 6,
            BinOp::Xor => 7,
            BinOp::And => 8,
            BinOp::Eq | BinOp::Ne => 9,
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 10,
            BinOp::Shl | BinOp::Shr => 11,
            BinOp::Add | BinOp::Sub => 12,
            BinOp::Mul | BinOp::Div | BinOp::Rem => 13,
        }
    }

    pub(crate) fn is_comparison(self) -> bool {
        matches!(self.level(), 9 | 10)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnOp {
    Neg,
    Not,
    BitNot,
    Deref,
    Address,
}

/// An id or a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    Thread,
    Block,
    BlockSize,
    GridSize,
    /// OpenCL's `get_global_id`.
    Global,
    /// OpenCL's `get_global_size`.
    GlobalSize,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    /// A number with its type.
    Int(u64, IntTy),
    /// A number of type `float`, or `double` if the flag is not set.
    Real(f64, bool),
    Name(String),
    /// An id or size in one dimension; as `size_t` (OpenCL's functions) or `unsigned` (CUDA's
    /// variables).
    Special {
        what: Special,
        dim: u8,
        wide: bool,
    },
    Unary(UnOp, Box<Expr>),
    /// `++x`, `x--`.
    Step {
        prefix: bool,
        up: bool,
        of: Box<Expr>,
    },
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinOp>, Box<Expr>, Box<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// `a.f`, or `a->f` if the flag is set.
    Member(Box<Expr>, String, bool),
    Cast(Ty, Box<Expr>),
    SizeOf(Ty),
    Call(String, Vec<Expr>),
}

impl Expr {
    pub(crate) fn int(value: i64) -> Expr {
        Expr::Int(value.unsigned_abs(), IntTy::INT).negated_if(value < 0)
    }

    fn negated_if(self, negated: bool) -> Expr {
        if negated { Expr::Unary(UnOp::Neg, Box::new(self)) } else { self }
    }

    pub(crate) fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Init {
    Expr(Expr),
    List(Vec<Init>),
}

/// Where a declared variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A variable of the thread.
    Auto,
    /// `__shared__` or `__local`.
    Shared,
    /// `extern __shared__ T x[]`.
    OpenShared,
    /// `__device__`.
    Device,
    /// `static const` or `__constant`, with an initialiser.
    Table,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decl {
    pub(crate) ty: Ty,
    pub(crate) name: String,
    pub(crate) storage: Storage,
    pub(crate) volatile: bool,
    pub(crate) init: Option<Init>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Case {
    /// `None` is `default`.
    pub(crate) label: Option<Expr>,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    Decl(Decl),
    Expr(Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For { init: Vec<Stmt>, cond: Option<Expr>, step: Option<Expr>, body: Vec<Stmt> },
    While(Expr, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Expr),
    Switch(Expr, Vec<Case>),
    Break,
    Continue,
    Return(Option<Expr>),
    Block(Vec<Stmt>),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Param {
    pub(crate) ty: Ty,
    pub(crate) name: String,
    pub(crate) volatile: bool,
    /// OpenCL's `__local` pointer.
    pub(crate) local: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub(crate) result: Ty,
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) body: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Aggregate {
    pub(crate) name: String,
    pub(crate) is_union: bool,
    pub(crate) fields: Vec<(String, Ty)>,
}

/// A source file with one kernel.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Program {
    pub(crate) language: Language,
    pub(crate) aggregates: Vec<Aggregate>,
    pub(crate) globals: Vec<Decl>,
    pub(crate) functions: Vec<Function>,
    pub(crate) kernel: Function,
}

/// Children of an expression.
pub(crate) fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Int(..) | Expr::Real(..) | Expr::Name(_) | Expr::Special { .. } | Expr::SizeOf(_) => {
            Vec::new()
        }
        Expr::Unary(_, a) | Expr::Step { of: a, .. } | Expr::Member(a, ..) | Expr::Cast(_, a) => {
            vec![a]
        }
        Expr::Binary(_, a, b) | Expr::Assign(_, a, b) | Expr::Index(a, b) => vec![a, b],
        Expr::Select(a, b, c) => vec![a, b, c],
        Expr::Call(_, args) => args.iter_mut().collect(),
    }
}

/// Visits an expression and all in it, the outer first.
pub(crate) fn visit_expr(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    for child in children_mut(expr) {
        visit_expr(child, visit);
    }
}

fn visit_init(init: &mut Init, visit: &mut dyn FnMut(&mut Expr)) {
    match init {
        Init::Expr(expr) => visit_expr(expr, visit),
        Init::List(parts) => parts.iter_mut().for_each(|it| visit_init(it, visit)),
    }
}

/// The lists of statements directly in a statement.
pub(crate) fn bodies_mut(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match stmt {
        Stmt::If(_, a, b) => vec![a, b],
        Stmt::For { init: _, cond: _, step: _, body } => vec![body],
        Stmt::While(_, body) | Stmt::DoWhile(body, _) | Stmt::Block(body) => vec![body],
        Stmt::Switch(_, cases) => cases.iter_mut().map(|it| &mut it.body).collect(),
        Stmt::Decl(_) | Stmt::Expr(_) | Stmt::Break | Stmt::Continue | Stmt::Return(_) => {
            Vec::new()
        }
    }
}

/// Visits the expressions that stand directly in a statement, not in the statements inside.
fn visit_own(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Expr)) {
    match stmt {
        Stmt::Decl(decl) => decl.init.iter_mut().for_each(|it| visit_init(it, visit)),
        Stmt::Expr(e) | Stmt::If(e, ..) | Stmt::While(e, _) | Stmt::DoWhile(_, e) => {
            visit_expr(e, visit);
        }
        Stmt::Switch(e, _) => visit_expr(e, visit),
        Stmt::Return(e) => e.iter_mut().for_each(|e| visit_expr(e, visit)),
        Stmt::For { init, cond, step, body: _ } => {
            init.iter_mut().for_each(|it| visit_own(it, visit));
            cond.iter_mut().chain(step).for_each(|e| visit_expr(e, visit));
        }
        Stmt::Break | Stmt::Continue | Stmt::Block(_) => {}
    }
}

/// Visits all expressions of statements, in the order of the text.
pub(crate) fn visit_stmts(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for stmt in stmts {
        visit_own(stmt, visit);
        for body in bodies_mut(stmt) {
            visit_stmts(body, visit);
        }
    }
}

/// Visits all lists of statements, the outer first.
pub(crate) fn visit_bodies(body: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(body);
    for stmt in body {
        for inner in bodies_mut(stmt) {
            visit_bodies(inner, visit);
        }
    }
}

/// Visits all declarations, those in the heads of loops too.
pub(crate) fn visit_decls(body: &mut [Stmt], visit: &mut dyn FnMut(&mut Decl)) {
    for stmt in body {
        match stmt {
            Stmt::Decl(decl) => visit(decl),
            Stmt::For { init, .. } => visit_decls(init, visit),
            Stmt::Expr(_)
            | Stmt::If(..)
            | Stmt::While(..)
            | Stmt::DoWhile(..)
            | Stmt::Switch(..)
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Return(_)
            | Stmt::Block(_) => {}
        }
        for inner in bodies_mut(stmt) {
            visit_decls(inner, visit);
        }
    }
}

impl Program {
    /// The bodies of the kernel and of the functions, the kernel's first.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut Vec<Stmt>> {
        std::iter::once(&mut self.kernel.body)
            .chain(self.functions.iter_mut().map(|it| &mut it.body))
    }

    pub(crate) fn visit_exprs(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.texts_mut().for_each(|body| visit_stmts(body, visit));
    }

    /// Whether a call to a function with a name like this is in the text.
    pub(crate) fn calls(&self, name: impl Fn(&str) -> bool) -> bool {
        let mut found = false;
        self.clone().visit_exprs(&mut |expr| {
            if let Expr::Call(called, _) = expr {
                found |= name(called);
            }
        });
        found
    }
}
