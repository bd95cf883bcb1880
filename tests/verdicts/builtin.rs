//! Functions that the languages bring: barriers, atomics, exchanges among lanes, fences, a few of
//! integers.

use crate::code::{
    BarrierSite, Exchange, Function, Kind, Op, Rmw, Scope, Tally, Value, Vote, Wait,
};
use crate::lower::{Lower, kind_of};
use crate::syntax::{BinOp, Expr, IntTy, Language, Ty};

impl Lower<'_> {
    pub(crate) fn builtin(&mut self, name: &str, args: &[Expr]) -> Result<Ty, String> {
        if let Some(result) = self.atomic(name, args)? {
            return Ok(result);
        }
        let cuda = self.program.language == Language::Cuda;
        match (name, args) {
            ("__syncthreads", []) if cuda => self.barrier(true, true, Tally::Nothing),
            ("barrier" | "work_group_barrier", [flags]) if !cuda => {
                let local = has_flag(flags, "CLK_LOCAL_MEM_FENCE")?;
                let global = has_flag(flags, "CLK_GLOBAL_MEM_FENCE")?;
                self.barrier(local, global, Tally::Nothing)
            }
            ("__syncthreads_or" | "__syncthreads_and" | "__syncthreads_count", [of]) if cuda => {
                self.integer(of, IntTy::INT)?;
                let tally = match name {
                    "__syncthreads_or" => Tally::Or,
                    "__syncthreads_and" => Tally::And,
                    _ => Tally::Count,
                };
                self.barrier(true, true, tally)?;
                Ok(Ty::INT)
            }
            ("__syncwarp", []) if cuda => {
                self.push_int(0xffff_ffff);
                self.ops.push(Op::Wait(Wait::Warp));
                Ok(Ty::Void)
            }
            ("__syncwarp", [mask]) if cuda => {
                self.integer(mask, IntTy::UINT)?;
                self.ops.push(Op::Wait(Wait::Warp));
                Ok(Ty::Void)
            }
            ("__any_sync" | "__all_sync" | "__ballot_sync", [mask, of]) if cuda => {
                self.integer(mask, IntTy::UINT)?;
                self.integer(of, IntTy::INT)?;
                let (vote, ty) = match name {
                    "__any_sync" => (Vote::Any, IntTy::INT),
                    "__all_sync" => (Vote::All, IntTy::INT),
                    _ => (Vote::Ballot, IntTy::UINT),
                };
                self.ops.push(Op::Wait(Wait::Vote(vote)));
                Ok(Ty::Int(ty))
            }
            (
                "__shfl_sync" | "__shfl_up_sync" | "__shfl_down_sync" | "__shfl_xor_sync",
                [mask, of, lane, rest @ ..],
            ) if cuda && rest.len() < 2 => {
                self.integer(mask, IntTy::UINT)?;
                let ty = match self.expr(of)? {
                    Ty::Int(ty) => Ty::Int(crate::layout::promoted(ty)),
                    ty @ (Ty::Float | Ty::Double) => ty,
                    _ => return Err("shuffle".to_owned()),
                };
                self.integer(lane, IntTy::INT)?;
                match rest {
                    [width] => self.integer(width, IntTy::INT)?,
                    _ => self.push_int(32),
                }
                let exchange = match name {
                    "__shfl_sync" => Exchange::Index,
                    "__shfl_up_sync" => Exchange::Up,
                    "__shfl_down_sync" => Exchange::Down,
                    _ => Exchange::Xor,
                };
                self.ops.push(Op::Wait(Wait::Shuffle(exchange)));
                Ok(ty)
            }
            ("__threadfence", []) if cuda => self.fence(Scope::Device),
            ("__threadfence_block", []) if cuda => self.fence(Scope::Block),
            ("__threadfence_system", []) if cuda => self.fence(Scope::System),
            ("__bar_sync", [id, count @ ..]) if cuda && count.len() < 2 => {
                self.integer(id, IntTy::UINT)?;
                for count in count {
                    self.integer(count, IntTy::UINT)?;
                }
                self.ops.push(Op::Wait(Wait::Named(!count.is_empty())));
                Ok(Ty::Void)
            }
            ("__bar_arrive", [id, count]) if cuda => {
                self.integer(id, IntTy::UINT)?;
                self.integer(count, IntTy::UINT)?;
                self.ops.push(Op::Arrive);
                Ok(Ty::Void)
            }
            ("__builtin_assume", [of]) => {
                self.condition(of)?;
                self.ops.push(Op::Assume);
                Ok(Ty::Void)
            }
            ("__ldg", [of]) if cuda => {
                let Ty::Ptr(to) = self.expr(of)? else { return Err("__ldg".to_owned()) };
                let kind = kind_of(&to).ok_or("__ldg")?;
                self.ops.push(Op::Load(kind));
                Ok(*to)
            }
            ("min" | "max", [a, b]) => {
                let (Ty::Int(x), at) = (self.expr(a)?, self.ops.len()) else {
                    return Err(name.to_owned());
                };
                self.ops.push(Op::Nothing);
                let Ty::Int(y) = self.expr(b)? else { return Err(name.to_owned()) };
                let (x, y) = (crate::layout::promoted(x), crate::layout::promoted(y));
                let _ = at;
                if x != y {
                    return Err(format!("{name} of two types"));
                }
                let function = if name == "min" { Function::Min } else { Function::Max };
                self.ops.push(Op::Function(function, x));
                Ok(Ty::Int(x))
            }
            ("abs" | "__popc" | "__ffs" | "__clz", [of]) if cuda => {
                let ty = if name == "__popc" { IntTy::UINT } else { IntTy::INT };
                self.integer(of, ty)?;
                let function = match name {
                    "abs" => Function::Abs,
                    "__popc" => Function::Popcount,
                    "__ffs" => Function::FirstSet,
                    _ => Function::LeadingZeros,
                };
                self.ops.push(Op::Function(function, ty));
                Ok(Ty::INT)
            }
            _ => Err(format!("function {name}")),
        }
    }

    fn integer(&mut self, expr: &Expr, ty: IntTy) -> Result<(), String> {
        match self.expr(expr)? {
            from @ Ty::Int(_) => self.convert(&from, &Ty::Int(ty)),
            _ => Err("a number is needed".to_owned()),
        }
    }

    fn barrier(&mut self, local: bool, global: bool, tally: Tally) -> Result<Ty, String> {
        let index = self.barriers.len() as u32;
        let (loops, at) = (self.loops.clone(), self.ops.len());
        self.barriers.push(BarrierSite { loops, local, global, tally, at, end: at });
        self.ops.push(Op::Wait(Wait::Block(index)));
        Ok(Ty::Void)
    }

    fn fence(&mut self, scope: Scope) -> Result<Ty, String> {
        self.has_fence = true;
        self.ops.push(Op::Fence(scope));
        Ok(Ty::Void)
    }

    fn atomic(&mut self, name: &str, args: &[Expr]) -> Result<Option<Ty>, String> {
        let cuda = self.program.language == Language::Cuda;
        let (base, scope) = if let Some(base) = name.strip_suffix("_block") {
            (base, Scope::Block)
        } else if let Some(base) = name.strip_suffix("_system") {
            (base, Scope::System)
        } else {
            (name, Scope::Device)
        };
        let found = ATOMICS.iter().find(|it| if cuda { it.0 == base } else { it.1 == name });
        let Some((_, _, op)) = found else { return Ok(None) };
        let step = !cuda && matches!(op, Rmw::Inc | Rmw::Dec);
        let operands = match op {
            Rmw::CompareAndSwap => 3,
            _ if step => 1,
            _ => 2,
        };
        if args.len() != operands {
            return Err(format!("arguments of {name}"));
        }
        let Ty::Ptr(to) = self.expr(&args[0])? else { return Err(name.to_owned()) };
        let kind = kind_of(&to).ok_or("atomic")?;
        let allowed = match (kind, op) {
            (Kind::Int(IntTy::UINT), _) => true,
            (Kind::Int(IntTy::INT), Rmw::Inc | Rmw::Dec) => step,
            (Kind::Int(IntTy::INT), _) => true,
            (_, _) if !cuda => false,
            (Kind::Int(IntTy::ULONG), op) => !matches!(op, Rmw::Sub | Rmw::Inc | Rmw::Dec),
            (Kind::Int(IntTy::LONG), op) => {
                matches!(op, Rmw::And | Rmw::Or | Rmw::Xor | Rmw::Min | Rmw::Max)
            }
            (Kind::Float, op) => matches!(op, Rmw::Add | Rmw::Exchange),
            (Kind::Double, op) => *op == Rmw::Add,
            (Kind::Int(_) | Kind::Pointer, _) => false,
        };
        if !allowed {
            return Err(format!("{name} of this type"));
        }
        for arg in &args[1..] {
            let from = self.expr(arg)?;
            self.convert(&from, &to)?;
        }
        let mut op = *op;
        if step {
            self.ops.push(Op::Push(Value::new(1)));
            op = if op == Rmw::Inc { Rmw::Add } else { Rmw::Sub };
        }
        self.has_atomics = true;
        self.ops.push(Op::Atomic(op, kind, scope));
        Ok(Some(*to))
    }
}

/// In CUDA, in OpenCL.
pub(crate) const ATOMICS: [(&str, &str, Rmw); 11] = [
    ("atomicAdd", "atomic_add", Rmw::Add),
    ("atomicSub", "atomic_sub", Rmw::Sub),
    ("atomicExch", "atomic_xchg", Rmw::Exchange),
    ("atomicMin", "atomic_min", Rmw::Min),
    ("atomicMax", "atomic_max", Rmw::Max),
    ("atomicAnd", "atomic_and", Rmw::And),
    ("atomicOr", "atomic_or", Rmw::Or),
    ("atomicXor", "atomic_xor", Rmw::Xor),
    ("atomicInc", "atomic_inc", Rmw::Inc),
    ("atomicDec", "atomic_dec", Rmw::Dec),
    ("atomicCAS", "atomic_cmpxchg", Rmw::CompareAndSwap),
];

fn has_flag(flags: &Expr, name: &str) -> Result<bool, String> {
    match flags {
        Expr::Name(it) if it.starts_with("CLK_") => Ok(it == name),
        Expr::Binary(BinOp::Or, a, b) => Ok(has_flag(a, name)? | has_flag(b, name)?),
        _ => Err("flags of a barrier".to_owned()),
    }
}
