//! What may hold each time that a thread starts an iteration of a loop, as values: claims of the
//! source, and candidates that the form of a loop suggests.
//!
//! **What**: for a variable without a recurrence, the candidates are its order against its first
//! value, against zero and against what it is compared with; its remainder by a power of two that
//! it goes in steps of; that it is a power of two; that it goes one step per iteration or none; and
//! how far it comes in `k` iterations at most.
//! **Method**: the operators in its next value, and the comparisons of the kernel that it is in.
//! **Sound because** nothing here is claimed: `engine/invariants.rs` keeps what it can show.
//! **Misses**: relations between two variables.
//! **Assumes**: nothing.

use std::collections::BTreeSet;

use heddle_diagnostics::Assumption;
use heddle_ir::{
    BinOp, CastOp, Claim, ClaimKind, CmpOp, ExprId, ExprKind, Kernel, LoopId, OpId, OpKind, Scopes,
    VarId, show_expr, sign_extend,
};

/// Candidates of one variable at most.
const OF_VARIABLE: usize = 16;
/// Candidates of one kernel at most.
const OF_KERNEL: usize = 48;
/// Letters of a value in a name at most.
const NAMED: usize = 24;
/// Expressions of a next value that are looked at.
const LOOKED_AT: usize = 64;

/// What may hold at the start of each iteration of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invariant {
    /// The loop.
    pub of: LoopId,
    /// What holds.
    pub what: What,
}

/// What an invariant says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// Where a thread comes to this claim of the source, its condition holds.
    Claimed(OpId),
    /// Of a variable of the loop, as it is when the iteration starts.
    Found(VarId, Form),
}

/// What a variable may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// In order with what the loop leaves alone; the variable widened if that is wider. The
    /// variable is the left side, or the right one.
    Ordered {
        /// The order.
        order: CmpOp,
        /// How the variable is widened.
        widened: Option<(CastOp, u8)>,
        /// The other side; the variable's first value, or zero, if not an expression.
        other: Other,
        /// Whether the variable is the left side.
        is_left: bool,
    },
    /// As far from its first value as a multiple of this power of two.
    Strided(u128),
    /// A power of two.
    PowerOfTwo,
    /// Its first value, and under a condition that the loop leaves alone a step more for each
    /// iteration.
    Stepped {
        /// The condition.
        when: ExprId,
        /// The step, which the loop leaves alone too.
        step: ExprId,
    },
    /// At most this constant above its first value for each iteration.
    Slow(u128),
}

/// What a variable is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Other {
    /// Its first value.
    First,
    /// Zero.
    Zero,
    /// What the loop leaves alone.
    Of(ExprId),
}

/// Invariants that were shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Shown {
    /// Each.
    pub all: Vec<Invariant>,
    /// What showing them took for granted.
    pub relies: BTreeSet<Assumption>,
}

/// The same for runs with and without wrap-around in index arithmetic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tiers {
    /// In all runs.
    pub exact: Shown,
    /// In those without; all of the others are among them.
    pub in_range: Shown,
}

impl Invariant {
    /// In words: `x <= n` of the loop at line 7.
    pub(crate) fn name(&self, kernel: &Kernel) -> String {
        let line = kernel[kernel[self.of].origin].span.map(|it| it.line).filter(|it| *it > 0);
        let line = line.map(|line| format!(" at line {line}")).unwrap_or_default();
        match self.what {
            What::Claimed(op) => {
                let text = claim(kernel, op).map(|it| it.text.as_str()).unwrap_or_default();
                format!("`{text}` of the loop{line}")
            }
            What::Found(var, form) => format!("`{}` of the loop{line}", told(kernel, var, form)),
        }
    }
}

/// A claim of the source.
pub(crate) fn claim(kernel: &Kernel, op: OpId) -> Option<&Claim> {
    if let OpKind::Claim(claim) = &kernel[op].kind { Some(claim) } else { None }
}

/// The invariants that the source claims, each with the loop that it stands in.
pub(crate) fn claimed(kernel: &Kernel) -> Vec<Invariant> {
    let mut all = Vec::new();
    kernel.for_each_op(|op, loops| {
        let is_invariant = claim(kernel, op).is_some_and(|it| it.kind == ClaimKind::Invariant);
        if let (true, Some(of)) = (is_invariant, loops.last()) {
            all.push(Invariant { of: *of, what: What::Claimed(op) });
        }
    });
    all
}

fn told(kernel: &Kernel, var: VarId, form: Form) -> String {
    let it = &kernel[var];
    let name = it.name.clone().unwrap_or_else(|| "a value".to_owned());
    let shown = |id: ExprId| match kernel.exprs.as_const(id) {
        Some(value) => sign_extend(value, kernel.exprs.width(id)).to_string(),
        None => show_expr(kernel, id),
    };
    let first = Some(shown(it.init)).filter(|it| it.len() <= NAMED && *it != name);
    let first = first.unwrap_or_else(|| "its first value".to_owned());
    match form {
        Form::Ordered { order, widened: _, other, is_left } => {
            let other = match other {
                Other::First => first,
                Other::Zero => "0".to_owned(),
                Other::Of(expr) => shown(expr),
            };
            let (sign, unsigned) = match order {
                CmpOp::Eq => ("==", false),
                CmpOp::Ult => ("<", true),
                CmpOp::Ule => ("<=", true),
                CmpOp::Slt => ("<", false),
                CmpOp::Sle => ("<=", false),
            };
            let unsigned = if unsigned { " (unsigned)" } else { "" };
            match is_left {
                true => format!("{name} {sign} {other}{unsigned}"),
                false => format!("{other} {sign} {name}{unsigned}"),
            }
        }
        Form::Strided(by) if first == "0" => format!("{name} % {by} == 0"),
        Form::Strided(by) => format!("({name} - {first}) % {by} == 0"),
        Form::Slow(1) if first == "0" => format!("{name} <= iteration"),
        Form::PowerOfTwo => format!("{name} is a power of two"),
        Form::Stepped { when, step } => {
            format!("{name} == {first} + iteration * ({} ? {} : 0)", shown(when), shown(step))
        }
        Form::Slow(by) => format!("{name} - {first} <= {by} * iteration"),
    }
}

/// What may hold of the variables for which `is_open` says that no recurrence is known.
pub(crate) fn candidates(
    kernel: &Kernel,
    scopes: &Scopes,
    is_open: impl Fn(VarId) -> bool,
) -> Vec<Invariant> {
    let mut all = Vec::new();
    for (var, it) in &kernel.vars {
        if !is_open(var) || !(2..=64).contains(&it.width) {
            continue;
        }
        let forms = forms(kernel, scopes, var);
        let room = OF_KERNEL.saturating_sub(all.len());
        let some = forms.into_iter().take(OF_VARIABLE.min(room));
        all.extend(some.map(|form| Invariant { of: it.of, what: What::Found(var, form) }));
    }
    all
}

fn forms(kernel: &Kernel, scopes: &Scopes, var: VarId) -> Vec<Form> {
    let mut forms = Vec::new();
    let mut add = |form: Form| {
        if !forms.contains(&form) {
            forms.push(form);
        }
    };
    if let Some(form) = stepped(kernel, scopes, var) {
        add(form);
    }
    let parts = parts_of_next(kernel, var);
    for by in parts.strides {
        add(Form::Strided(by));
    }
    if let Some(most) = parts.most_added {
        add(Form::Slow(most));
    }
    if parts.shifts {
        add(Form::PowerOfTwo);
    }
    let ordered = |order, other, is_left| Form::Ordered { order, widened: None, other, is_left };
    if kernel.exprs.as_const(kernel[var].init) != Some(0) {
        add(ordered(CmpOp::Sle, Other::Zero, false));
    }
    add(ordered(CmpOp::Sle, Other::First, false));
    add(ordered(CmpOp::Sle, Other::First, true));
    for (_, expr) in kernel.exprs.iter() {
        let ExprKind::Cmp(_, a, b) = expr.kind else { continue };
        for (own, other) in [(a, b), (b, a)] {
            let Some(widened) = widened(kernel, var, own) else { continue };
            if !scopes.invariant(kernel[var].of, other) {
                continue;
            }
            let other = Other::Of(other);
            for order in [CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule] {
                add(Form::Ordered { order, widened, other, is_left: true });
            }
            add(Form::Ordered { order: CmpOp::Sle, widened, other, is_left: false });
        }
    }
    add(ordered(CmpOp::Ule, Other::First, false));
    add(ordered(CmpOp::Ule, Other::First, true));
    forms
}

/// Whether an expression is a variable, and how it is widened there.
fn widened(kernel: &Kernel, var: VarId, id: ExprId) -> Option<Option<(CastOp, u8)>> {
    let is_self = |id: ExprId| kernel[id].kind == ExprKind::Var(var);
    if let ExprKind::Cast(how @ (CastOp::Zext | CastOp::Sext), inner) = kernel[id].kind {
        return is_self(inner).then(|| Some((how, kernel.exprs.width(id))));
    }
    is_self(id).then_some(None)
}

/// `when ? v + step : v`, both parts left alone by the loop.
fn stepped(kernel: &Kernel, scopes: &Scopes, var: VarId) -> Option<Form> {
    let it = &kernel[var];
    let ExprKind::Select(when, a, b) = kernel[it.next].kind else { return None };
    let is_self = |id: ExprId| kernel[id].kind == ExprKind::Var(var);
    let invariant = |id: &ExprId| scopes.invariant(it.of, *id);
    let moved = if is_self(b) { a } else { return None };
    let ExprKind::Binary(BinOp::Add, _, x, y) = kernel[moved].kind else { return None };
    let step = if is_self(x) { y } else { x };
    let is_step = (is_self(x) || is_self(y)) && invariant(&step);
    (is_step && invariant(&when)).then_some(Form::Stepped { when, step })
}

/// What the next value of a variable is made of.
struct Parts {
    /// Powers of two that divide what is added, the largest first.
    strides: Vec<u128>,
    /// The largest small constant that is added to the variable.
    most_added: Option<u128>,
    /// Whether anything is shifted or multiplied.
    shifts: bool,
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed suggests nothing")]
fn parts_of_next(kernel: &Kernel, var: VarId) -> Parts {
    let mut parts = Parts { strides: Vec::new(), most_added: None, shifts: false };
    let mut seen = BTreeSet::new();
    let mut work = vec![kernel[var].next];
    let mut least: Option<u32> = None;
    while let Some(id) = work.pop() {
        if !seen.insert(id) || seen.len() > LOOKED_AT {
            continue;
        }
        match kernel[id].kind {
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Xor, _, a, b) => {
                for c in [a, b].into_iter().filter_map(|it| kernel.exprs.as_const(it)) {
                    if c != 0 {
                        least =
                            Some(least.map_or(c.trailing_zeros(), |l| l.min(c.trailing_zeros())));
                    }
                    if c < 1 << 16 {
                        parts.most_added = parts.most_added.max(Some(c));
                    }
                }
                work.extend([a, b]);
            }
            ExprKind::Binary(BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::Mul, _, a, b) => {
                parts.shifts = true;
                work.extend([a, b]);
            }
            ExprKind::Binary(BinOp::UDiv | BinOp::SDiv, _, a, _) => {
                parts.shifts = true;
                work.push(a);
            }
            ExprKind::Exit(_, value) => work.push(value),
            ExprKind::Var(it) if it != var => work.extend([kernel[it].init, kernel[it].next]),
            ExprKind::Var(_) => {}
            _ => kernel.exprs.for_each_operand(id, |operand| work.push(operand)),
        }
    }
    let width = u32::from(kernel[var].width);
    if let Some(zeros) = least.filter(|it| (1..width.min(32)).contains(it)) {
        parts.strides.push(1 << zeros);
    }
    parts
}
