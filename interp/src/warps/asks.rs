//! What becomes of the answers of barrier objects: whether asking one may as well be waiting for
//! it.
//!
//! A test (`test_wait`, `try_wait`) answers whether a phase is over. Programs wait by asking until
//! the answer is yes, in a loop of their own or in one inside an assembly, which is lifted as a
//! test that is assumed to hold. They also ask once, ahead, and wait only if the answer was no.
//! Anything else that an answer decides depends on time, and is [`Asks::Decides`].

use heddle_ir::cranelift_entity::{EntitySet, SecondaryMap};
use heddle_ir::{
    Barrier, BinOp, ExprId, ExprKind, Item, Kernel, LoopId, MbarrierAction, OpId, OpKind, Region,
    UnOp, ValueFrom, fold_binary, fold_cast, fold_cmp, fold_unary,
};

use rustc_hash::FxHashMap;

/// What the answer of a test is for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Nobody looks at it, or the operation is no test.
    #[default]
    Nothing,
    /// No thread goes on before it is yes.
    Waits,
    /// It says only whether waits that come later have to be done.
    Ahead,
    /// More.
    Decides,
}

/// Of all tests of a kernel.
#[derive(Debug, Default)]
pub(super) struct Answers {
    of: SecondaryMap<OpId, Asks>,
    /// By waiting operation: the tests that say whether it has to be done.
    excuses: SecondaryMap<OpId, Vec<OpId>>,
    /// Tests that an assumption, not a loop, makes wait.
    pub(super) assumed: EntitySet<OpId>,
}

impl Answers {
    /// `spins` says whether a loop does nothing but ask.
    pub(super) fn of(kernel: &Kernel, spins: &dyn Fn(LoopId) -> bool) -> Answers {
        let mut answers = Answers { assumed: assumed(kernel), ..Answers::default() };
        let mut around: SecondaryMap<OpId, Option<LoopId>> = SecondaryMap::new();
        homes(kernel, &kernel.body, None, &mut around);
        for test in kernel.ops.keys().filter(|it| is_test(kernel, *it)) {
            let in_spin = around[test].is_some_and(spins);
            answers.of[test] = if answers.assumed.contains(test) || in_spin {
                Asks::Waits
            } else {
                answers.ahead(kernel, test, &around, spins)
            };
        }
        answers
    }

    pub(super) fn asks(&self, op: OpId) -> Asks {
        self.of[op]
    }

    pub(super) fn excuses(&self, op: OpId) -> &[OpId] {
        &self.excuses[op]
    }

    /// Follows an answer to all that it decides.
    fn ahead(
        &mut self,
        kernel: &Kernel,
        test: OpId,
        around: &SecondaryMap<OpId, Option<LoopId>>,
        spins: &dyn Fn(LoopId) -> bool,
    ) -> Asks {
        let reached = reached(kernel, test);
        let mut excused = Vec::new();
        let mut used = false;
        for (id, op) in kernel.ops.iter().filter(|(_, it)| !it.kind.is_subscript()) {
            let mut operands = false;
            op.for_each_expr(|it| operands |= it != op.pred && reached.contains(it));
            if operands {
                return Asks::Decides;
            }
            let waits = around[id].is_some_and(spins) || self.assumed.contains(id);
            let is_wait = waits && is_test(kernel, id);
            let decided = reached.contains(op.pred)
                || around[id].is_some_and(|of| spins(of) && reached.contains(kernel[of].pred));
            match decided {
                false => {}
                true if is_wait => {
                    used = true;
                    excused.push(id);
                }
                true if waits || matches!(op.kind, OpKind::Assume(_)) => used = true,
                true => return Asks::Decides,
            }
        }
        for (id, it) in kernel.loops.iter() {
            let decided = reached.contains(it.pred) || reached.contains(it.cont);
            if decided && !spins(id) {
                return Asks::Decides;
            }
            used |= decided;
        }
        if !used {
            return Asks::Nothing;
        }
        for wait in excused {
            self.excuses[wait].push(test);
        }
        Asks::Ahead
    }
}

/// Expressions that an answer goes into.
fn reached(kernel: &Kernel, test: OpId) -> EntitySet<ExprId> {
    let mut reached = EntitySet::new();
    loop {
        let mut grown = false;
        for (id, expr) in kernel.exprs.iter() {
            if reached.contains(id) {
                continue;
            }
            let mut hit = match expr.kind.value_from() {
                ValueFrom::Result(op, _) => op == test,
                ValueFrom::Var(var) => {
                    reached.contains(kernel[var].init) || reached.contains(kernel[var].next)
                }
                ValueFrom::Exit(_, inner) => reached.contains(inner),
                ValueFrom::Operands
                | ValueFrom::Launch
                | ValueFrom::Nothing
                | ValueFrom::Analysis(_) => false,
            };
            kernel.exprs.for_each_operand(id, |it| hit |= reached.contains(it));
            if hit {
                grown |= reached.insert(id);
            }
        }
        if !grown {
            return reached;
        }
    }
}

/// Tests that are assumed to hold wherever they are done.
fn assumed(kernel: &Kernel) -> EntitySet<OpId> {
    let mut assumed = EntitySet::new();
    for op in kernel.ops.values() {
        let OpKind::Assume(condition) = op.kind else { continue };
        if kernel.exprs.as_const(condition) != Some(0) {
            continue;
        }
        let parts = kernel.exprs.conjuncts(op.pred);
        for part in &parts {
            let Some(test) = denied_test(kernel, *part) else { continue };
            let given = kernel.exprs.conjuncts(kernel[test].pred);
            if parts.iter().all(|it| it == part || given.contains(it)) {
                assumed.insert(test);
            }
        }
    }
    assumed
}

/// The test that an expression says the answer is no of.
fn denied_test(kernel: &Kernel, expr: ExprId) -> Option<OpId> {
    let ExprKind::Unary(UnOp::Not, inner) = kernel[expr].kind else { return None };
    let ExprKind::Result(test, 0) = kernel[inner].kind else { return None };
    is_test(kernel, test).then_some(test)
}

/// The innermost loop around each operation.
fn homes(
    kernel: &Kernel,
    region: &Region,
    of: Option<LoopId>,
    around: &mut SecondaryMap<OpId, Option<LoopId>>,
) {
    for item in &region.items {
        match *item {
            Item::Op(op) => around[op] = of,
            Item::Loop(inner) => homes(kernel, &kernel[inner].body, Some(inner), around),
        }
    }
}

/// What an expression is in each iteration of a loop as long as all tests answer no, where that is
/// one number.
pub(super) fn if_answered_no(kernel: &Kernel, expr: ExprId) -> Option<u128> {
    Denied { kernel, known: FxHashMap::default() }.value(expr)
}

struct Denied<'k> {
    kernel: &'k Kernel,
    known: FxHashMap<ExprId, Option<u128>>,
}

impl Denied<'_> {
    fn value(&mut self, expr: ExprId) -> Option<u128> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        // Of a variable that comes round to itself: what its first value says, and the check below
        // confirms.
        self.known.insert(expr, None);
        let value = self.computed(expr);
        self.known.insert(expr, value);
        value
    }

    fn computed(&mut self, expr: ExprId) -> Option<u128> {
        let kernel = self.kernel;
        let width = kernel.exprs.width(expr);
        match kernel[expr].kind {
            ExprKind::Const(value) => Some(value),
            ExprKind::Result(op, 0) if is_test(kernel, op) => Some(0),
            ExprKind::Var(var) => {
                let first = kernel.exprs.as_const(kernel[var].init)?;
                let mut next = Denied { kernel, known: self.known.clone() };
                next.known.insert(expr, Some(first));
                (next.value(kernel[var].next)? == first).then_some(first)
            }
            ExprKind::Unary(op, a) => Some(fold_unary(op, self.value(a)?, width)),
            ExprKind::Cast(op, a) => {
                Some(fold_cast(op, self.value(a)?, kernel.exprs.width(a), width))
            }
            ExprKind::Binary(op, _, a, b) => match (op, self.value(a), self.value(b)) {
                (BinOp::And, Some(0), _) | (BinOp::And, _, Some(0)) => Some(0),
                (BinOp::Or, Some(1), _) | (BinOp::Or, _, Some(1)) if width == 1 => Some(1),
                (_, a, b) => Some(fold_binary(op, a?, b?, width)),
            },
            ExprKind::Cmp(op, a, b) => {
                let of = kernel.exprs.width(a);
                Some(u128::from(fold_cmp(op, self.value(a)?, self.value(b)?, of)))
            }
            ExprKind::Select(c, a, b) => match self.value(c)? {
                0 => self.value(b),
                _ => self.value(a),
            },
            ExprKind::Result(..)
            | ExprKind::Exit(..)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => None,
        }
    }
}

pub(super) fn is_test(kernel: &Kernel, op: OpId) -> bool {
    matches!(
        kernel[op].kind,
        OpKind::Barrier(Barrier::Mbarrier { action: MbarrierAction::Test { .. }, .. })
    )
}
