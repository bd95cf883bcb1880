//! The value of an IR expression for one thread, over registers of a block program, with everything
//! known folded in.
//!
//! What is not known is a [`Refusal`], unless it cannot matter: nothing times zero, an arm that is
//! not chosen, a conjunct beside one that is false. So the same translation also answers whether a
//! thread that is not followed can get somewhere at all.

use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, LoopId, OpId, Special, UnOp, VarId,
    fold_binary, fold_cast, fold_cmp, fold_unary,
};
use heddle_semantics::Warps;
use rustc_hash::FxHashMap;

use super::{KernelLaunch, Refusal};
use crate::blocks::{Expr, Operator, Register};

/// Nodes that one expression may have once it is written out as a tree.
const NODES: usize = 4_000;

/// A thread whose values are asked for.
pub(super) struct Thread<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) launch: &'a KernelLaunch,
    pub(super) block: [u32; 3],
    /// Its number in the block.
    pub(super) number: u32,
    /// Registers of loop variables.
    pub(super) vars: FxHashMap<VarId, Register>,
    /// Registers of results.
    pub(super) results: FxHashMap<(OpId, u32), Register>,
    known: FxHashMap<ExprId, (Result<Expr, Refusal>, usize)>,
}

impl<'a> Thread<'a> {
    pub(super) fn new(
        kernel: &'a Kernel,
        launch: &'a KernelLaunch,
        block: [u32; 3],
        number: u32,
    ) -> Self {
        let (vars, results) = (FxHashMap::default(), FxHashMap::default());
        Self { kernel, launch, block, number, vars, results, known: FxHashMap::default() }
    }

    /// The value, if it is one number for this thread whatever others do.
    pub(super) fn number_of(&mut self, expr: ExprId) -> Option<u64> {
        match self.value(expr) {
            Ok(Expr::Constant(value)) => Some(value),
            Ok(Expr::Register(_) | Expr::Binary { .. } | Expr::Select(_)) | Err(_) => None,
        }
    }

    /// Whether a condition may hold.
    pub(super) fn may_hold(&mut self, condition: ExprId) -> bool {
        self.number_of(condition) != Some(0)
    }

    /// The value.
    pub(super) fn value(&mut self, expr: ExprId) -> Result<Expr, Refusal> {
        self.sized(expr).0
    }

    fn sized(&mut self, root: ExprId) -> (Result<Expr, Refusal>, usize) {
        // Operands come before users, so an explicit stack is enough and deep expressions do no
        // harm.
        let mut work = vec![root];
        while let Some(expr) = work.last().copied() {
            if self.known.contains_key(&expr) {
                work.pop();
                continue;
            }
            let mut missing = Vec::new();
            self.kernel.exprs.for_each_operand(expr, |operand| {
                if !self.known.contains_key(&operand) {
                    missing.push(operand);
                }
            });
            if missing.is_empty() {
                let found = self.node(expr);
                self.known.insert(expr, found);
                work.pop();
            } else {
                work.append(&mut missing);
            }
        }
        self.known[&root].clone()
    }

    fn node(&self, expr: ExprId) -> (Result<Expr, Refusal>, usize) {
        let mut size = 1;
        self.kernel.exprs.for_each_operand(expr, |operand| size += self.known[&operand].1);
        let value = self.translated(expr);
        match value {
            Ok(Expr::Constant(_) | Expr::Register(_)) => (value, 1),
            Ok(_) if size > NODES => {
                let reason = "an expression that decides a poll is too large to write out";
                (Err(Refusal::undecided(reason)), 1)
            }
            Ok(_) => (value, size),
            Err(_) => (value, 1),
        }
    }

    fn operand(&self, expr: ExprId) -> Result<Expr, Refusal> {
        self.known[&expr].0.clone()
    }

    fn translated(&self, expr: ExprId) -> Result<Expr, Refusal> {
        let kernel = self.kernel;
        let width = kernel.exprs.width(expr);
        match &kernel[expr].kind {
            ExprKind::Const(value) => u64::try_from(*value)
                .map(Expr::Constant)
                .map_err(|_| Refusal::unmodelled("a value of more than 64 bits decides a poll")),
            ExprKind::Special(special) => self.special(*special).map(Expr::Constant),
            ExprKind::Param(index) => {
                let value = self.launch.args.get(*index as usize).copied().flatten();
                value.map(|value| Expr::Constant(value as u64)).ok_or_else(|| {
                    let name = &kernel.params[*index as usize].name;
                    Refusal::undecided(format!(
                        "the value of `{name}` decides a poll; give `--arg {name}=…`"
                    ))
                })
            }
            ExprKind::Base(object) => Err(Refusal::undecided(format!(
                "the numeric address of `{}` decides a poll",
                kernel[*object].name
            ))),
            ExprKind::Var(var) => self.register(self.vars.get(var)),
            ExprKind::Result(op, index) => self.register(self.results.get(&(*op, *index))),
            ExprKind::Exit(_, inner) => self.operand(*inner),
            ExprKind::Undef(_) => Err(Refusal::undecided("an undefined value decides a poll")),
            ExprKind::Sym(_) => Err(Refusal::undecided("a value of an analysis decides a poll")),
            ExprKind::Unary(op, a) => self.unary(*op, self.operand(*a)?, width),
            ExprKind::Binary(op, _, a, b) => {
                self.binary(*op, self.operand(*a), self.operand(*b), width)
            }
            ExprKind::Cmp(op, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                compare(*op, a, b, kernel.exprs.width(expr_of_cmp(kernel, expr)))
            }
            ExprKind::Select(c, a, b) => match self.operand(*c)? {
                Expr::Constant(0) => self.operand(*b),
                Expr::Constant(_) => self.operand(*a),
                condition @ (Expr::Register(_) | Expr::Binary { .. } | Expr::Select(_)) => {
                    let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                    Ok(if a == b { a } else { Expr::Select(Box::new([condition, a, b])) })
                }
            },
            ExprKind::Cast(op, a) => cast(*op, self.operand(*a)?, kernel.exprs.width(*a), width),
            ExprKind::Pure(function, _) => {
                let name = kernel.exprs.function_name(*function);
                Err(Refusal::unmodelled(format!(
                    "`{name}` decides a poll, and is not modelled here"
                )))
            }
        }
    }

    fn register(&self, register: Option<&Register>) -> Result<Expr, Refusal> {
        register
            .map(|register| Expr::Register(*register))
            .ok_or_else(|| Refusal::undecided("a value that is not followed decides a poll"))
    }

    fn special(&self, special: Special) -> Result<u64, Refusal> {
        let tid = self.launch.shape.thread_index(self.number);
        let by_warp = |of: &dyn Fn(Warps) -> u32| {
            self.launch.shape.warps().map(of).ok_or_else(|| {
                Refusal::undecided("the size of a warp decides a poll; give `--warp-size …`")
            })
        };
        let value = match special {
            Special::Tid(axis) => tid[usize::from(axis)],
            Special::Ctaid(axis) => self.block[usize::from(axis)],
            Special::Ntid(axis) => self.launch.shape.block[usize::from(axis)],
            Special::Nctaid(axis) => self.launch.shape.grid[usize::from(axis)],
            Special::GlobalOffset(axis) => {
                let offset = self.launch.global_offset.ok_or_else(|| {
                    Refusal::undecided("the global offset decides a poll; give `--global-offset …`")
                })?;
                offset[usize::from(axis)]
            }
            Special::LaneId => by_warp(&|warps| warps.lane(self.number))?,
            Special::WarpId => by_warp(&|warps| warps.warp(self.number))?,
            Special::ClusterCtaRank | Special::ClusterNctaRank => {
                return Err(Refusal::undecided(
                    "the place of a block in its cluster decides a poll",
                ));
            }
            Special::DynamicSharedSize => {
                return Err(Refusal::undecided("the size of dynamic shared memory decides a poll"));
            }
        };
        Ok(u64::from(value))
    }

    fn unary(&self, op: UnOp, a: Expr, width: u8) -> Result<Expr, Refusal> {
        wide(width)?;
        match (op, a) {
            (op, Expr::Constant(a)) => {
                Ok(Expr::Constant(fold_unary(op, u128::from(a), width) as u64))
            }
            (UnOp::Not, a) => Ok(Expr::wide(Operator::Xor, width, a, ones(width))),
            (UnOp::Neg, a) => Ok(Expr::wide(Operator::Sub, width, 0, a)),
            (UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bitreverse, _) => {
                Err(Refusal::unmodelled(format!("`{op}` decides a poll, and is not modelled here")))
            }
        }
    }

    fn binary(
        &self,
        op: BinOp,
        a: Result<Expr, Refusal>,
        b: Result<Expr, Refusal>,
        width: u8,
    ) -> Result<Expr, Refusal> {
        wide(width)?;
        let is = |side: &Result<Expr, Refusal>, value: u64| side == &Ok(Expr::Constant(value));
        // What is not known does not matter beside these.
        let absorber = match op {
            BinOp::And | BinOp::Mul | BinOp::UMin => Some(0),
            BinOp::Or | BinOp::UMax => Some(ones(width)),
            BinOp::Add
            | BinOp::Sub
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::Xor
            | BinOp::SMin
            | BinOp::SMax => None,
        };
        if let Some(value) = absorber.filter(|value| is(&a, *value) || is(&b, *value)) {
            return Ok(Expr::Constant(value));
        }
        let (a, b) = (a?, b?);
        if let (Expr::Constant(a), Expr::Constant(b)) = (&a, &b) {
            let value = fold_binary(op, u128::from(*a), u128::from(*b), width);
            return Ok(Expr::Constant(value as u64));
        }
        let neutral = |side: &Expr, value: u64| *side == Expr::Constant(value);
        // What leaves the other side as it is: on the left, on the right.
        let [left, right] = match op {
            BinOp::And => [Some(ones(width)); 2],
            BinOp::Or | BinOp::Xor | BinOp::Add => [Some(0); 2],
            BinOp::Sub => [None, Some(0)],
            BinOp::Mul | BinOp::UDiv => [None, Some(1)],
            BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => [None; 2],
        };
        if left.is_some_and(|value| neutral(&a, value)) {
            return Ok(b);
        }
        if right.is_some_and(|value| neutral(&b, value)) {
            return Ok(a);
        }
        Ok(Expr::wide(operator(op), width, a, b))
    }
}

/// The operand of a comparison, whose width counts.
fn expr_of_cmp(kernel: &Kernel, expr: ExprId) -> ExprId {
    if let ExprKind::Cmp(_, a, _) = kernel[expr].kind { a } else { expr }
}

fn compare(op: CmpOp, a: Expr, b: Expr, width: u8) -> Result<Expr, Refusal> {
    wide(width)?;
    if let (Expr::Constant(a), Expr::Constant(b)) = (&a, &b) {
        let holds = fold_cmp(op, u128::from(*a), u128::from(*b), width);
        return Ok(Expr::Constant(u64::from(holds)));
    }
    let operator = match op {
        CmpOp::Eq => Operator::Equal,
        CmpOp::Ult => Operator::Less,
        CmpOp::Ule => Operator::AtMost,
        CmpOp::Slt => Operator::SignedLess,
        CmpOp::Sle => Operator::SignedAtMost,
    };
    Ok(Expr::wide(operator, width, a, b))
}

fn cast(op: CastOp, a: Expr, from: u8, to: u8) -> Result<Expr, Refusal> {
    wide(from)?;
    wide(to)?;
    if let Expr::Constant(a) = a {
        return Ok(Expr::Constant(fold_cast(op, u128::from(a), from, to) as u64));
    }
    Ok(match op {
        CastOp::Zext => a,
        CastOp::Trunc => Expr::wide(Operator::And, from, a, ones(to)),
        CastOp::Sext => {
            let sign = 1u64 << (from - 1);
            Expr::wide(Operator::Sub, to, Expr::wide(Operator::Xor, to, a, sign), sign)
        }
    })
}

/// An IR operator as one of block programs.
fn operator(op: BinOp) -> Operator {
    match op {
        BinOp::Add => Operator::Add,
        BinOp::Sub => Operator::Sub,
        BinOp::Mul => Operator::Mul,
        BinOp::UDiv => Operator::UnsignedDiv,
        BinOp::SDiv => Operator::SignedDiv,
        BinOp::URem => Operator::UnsignedRem,
        BinOp::SRem => Operator::SignedRem,
        BinOp::Shl => Operator::ShiftLeft,
        BinOp::LShr => Operator::ShiftRight,
        BinOp::AShr => Operator::SignedShiftRight,
        BinOp::And => Operator::And,
        BinOp::Or => Operator::Or,
        BinOp::Xor => Operator::Xor,
        BinOp::UMin => Operator::Min,
        BinOp::UMax => Operator::Max,
        BinOp::SMin => Operator::SignedMin,
        BinOp::SMax => Operator::SignedMax,
    }
}

fn wide(width: u8) -> Result<(), Refusal> {
    if width <= 64 {
        return Ok(());
    }
    Err(Refusal::unmodelled("a value of more than 64 bits decides a poll"))
}

/// All bits of a width of up to 64.
pub(super) fn ones(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A loop whose registers a thread keeps, by the variables that are followed.
pub(super) fn followed_vars(
    kernel: &Kernel,
    of: LoopId,
    needs: impl Fn(ExprId) -> bool,
) -> Vec<VarId> {
    let is_needed = |var: &VarId| {
        kernel.exprs.iter().any(|(id, expr)| expr.kind == ExprKind::Var(*var) && needs(id))
    };
    kernel[of].vars.iter().copied().filter(is_needed).collect()
}
