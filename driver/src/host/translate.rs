//! Expressions of the host in the words of a kernel.
//!
//! **What**: sizes, values and conditions of one launch ([`super`]).
//! **Method**: unknowns are bound where a parameter or a size is one, widened, cut or shifted by a
//! constant; each equality that did not bind one is a condition. A condition with an unknown that
//! is not bound is weakened: a part of a conjunction is dropped, a disjunction with such a part
//! goes.
//! **Sound because** `p == zext(u)` implies `u == trunc(p)`, and the same of `sext` and `u + c`; the
//! equality itself is kept, too. A conjunct left out, and a disjunction left out, make a condition
//! weaker where it stands under no negation; negations are moved to the leaves first.
//! **Misses**: unknowns that only products show.
//! **Assumes**: nothing.

use std::collections::HashMap;

use heddle_frontend::host::HostLaunch;
use heddle_ir::{BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, ParamKind, Special, UnOp};
use heddle_passes::launch::{HostFacts, HostPointers, SourceSizes};

use super::words;

/// Conditions of one launch at most; others are left out.
const MOST: usize = 32;

/// What a launch says; `None` where it cannot run: a size is zero, or a condition never holds.
pub(super) fn facts(kernel: &mut Kernel, launch: &HostLaunch) -> Option<HostFacts> {
    let mut it = Translation {
        launch,
        bound: vec![None; launch.unknowns.len()],
        memo: HashMap::new(),
        named: HashMap::new(),
        tied: Vec::new(),
        kernel,
    };
    let targets = it.targets();
    // Sums come after what they are sums of.
    for is_sum in [false, true] {
        for (target, value) in &targets {
            let kind = &launch.pool[*value].kind;
            if matches!(kind, ExprKind::Binary(..)) == is_sum {
                it.bind(*target, *value);
            }
        }
    }
    let mut found = HostFacts {
        at: super::place(launch),
        sizes: SourceSizes { grid: [None; 3], block: [None; 3] },
        args: Vec::new(),
        conditions: Vec::new(),
        facts: Vec::new(),
        pointers: it.pointers(),
    };
    let (mut conditions, mut unsaid) = (Vec::new(), Vec::new());
    for (target, value) in targets {
        match (launch.pool.as_const(value), it.kernel.exprs[target].kind.clone()) {
            (Some(size), ExprKind::Special(special)) => {
                let size = u32::try_from(size).ok().filter(|it| *it > 0)?;
                match special {
                    Special::Nctaid(d) => found.sizes.grid[d as usize] = Some(size),
                    Special::Ntid(d) => found.sizes.block[d as usize] = Some(size),
                    _ => {}
                }
                if size != 1 || matches!(special, Special::Nctaid(0) | Special::Ntid(0)) {
                    found.facts.push(format!("{} == {size}", words::special(special)));
                }
            }
            (Some(value), ExprKind::Param(index)) => {
                found.args.push((index, value));
                let width = it.kernel.exprs.width(target);
                let value = words::constant(value, width);
                let name = &it.kernel.params[index as usize].name;
                found.facts.push(format!("{name} == {value}"));
            }
            _ => {
                let equations = it.equation(target, value);
                if it.tied.contains(&value) {
                    unsaid.extend(&equations);
                }
                conditions.extend(equations);
            }
        }
    }
    for fact in &launch.facts {
        conditions.extend(it.weakened(*fact, true));
    }
    let mut parts = Vec::new();
    for condition in conditions {
        match it.kernel.exprs.as_const(condition) {
            Some(0) => return None,
            Some(_) => {}
            None => it.split(condition, &mut parts),
        }
    }
    for part in parts {
        let known = found.conditions.iter().any(|(it, _)| *it == part);
        if !known && found.conditions.len() < MOST {
            let text = words::condition(it.kernel, part);
            let text = if unsaid.contains(&part) { String::new() } else { text };
            found.conditions.push((part, text));
        }
    }
    Some(found)
}

struct Translation<'a> {
    launch: &'a HostLaunch,
    kernel: &'a mut Kernel,
    /// By unknown: what it is in the kernel.
    bound: Vec<Option<ExprId>>,
    memo: HashMap<ExprId, Option<ExprId>>,
    /// Values of the host that a parameter or a size is, with that.
    named: HashMap<ExprId, ExprId>,
    /// Values by which something was bound: that they are what they are is no news.
    tied: Vec<ExprId>,
}

impl Translation<'_> {
    /// Parameters and sizes with what the host gives them.
    fn targets(&mut self) -> Vec<(ExprId, ExprId)> {
        let mut targets = Vec::new();
        for (index, value) in (0..).zip(&self.launch.args) {
            let width = match self.kernel.params[index as usize].kind {
                ParamKind::Scalar { width } | ParamKind::Field { width, .. } => width,
                ParamKind::Pointer(_) => continue,
            };
            if let Some(value) = value.filter(|it| self.launch.pool.width(*it) == width) {
                targets.push((self.kernel.exprs.param(index, width), value));
            }
        }
        for d in [0, 1, 2] {
            let pool = &mut self.kernel.exprs;
            let (grid, block) = (Special::Nctaid(d), Special::Ntid(d));
            let reads = |pool: &heddle_ir::ExprPool, special| {
                d == 0 || pool.iter().any(|(_, it)| it.kind == ExprKind::Special(special))
            };
            for (special, value) in
                [(grid, self.launch.grid[d as usize]), (block, self.launch.block[d as usize])]
            {
                // A size that the kernel does not read counts where it is known not to be one.
                let value_known = self.launch.pool.as_const(value).is_some();
                let derived =
                    d != 0 && (reads(pool, Special::Tid(d)) || reads(pool, Special::Ctaid(d)));
                if value_known || reads(pool, special) || derived {
                    targets.push((pool.special(special), value));
                }
            }
        }
        targets
    }

    /// Binds the unknown that a value is.
    fn bind(&mut self, target: ExprId, value: ExprId) {
        let pool = &self.launch.pool;
        if pool.as_const(value).is_none() {
            self.named.entry(value).or_insert(target);
        }
        match pool[value].kind {
            ExprKind::Param(unknown) => {
                let slot = &mut self.bound[unknown as usize];
                *slot = slot.or(Some(target));
            }
            ExprKind::Cast(CastOp::Zext | CastOp::Sext, inner) => {
                let width = pool.width(inner);
                let target = self.kernel.exprs.cast(CastOp::Trunc, target, width);
                self.bind(target, inner);
            }
            ExprKind::Binary(BinOp::Add, _, inner, by) if pool.as_const(by).is_some() => {
                let by = pool.as_const(by).unwrap_or_default();
                let width = pool.width(value);
                self.tied.push(value);
                let by = self.kernel.exprs.constant(by, width);
                let target = self.kernel.exprs.sub(target, by);
                self.bind(target, inner);
            }
            // A sum of two unknowns, one of which is known already.
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                for (known, other) in [(a, b), (b, a)] {
                    let Some(known) = self.exact_now(known) else { continue };
                    let target = self.kernel.exprs.sub(target, known);
                    self.tied.push(value);
                    return self.bind(target, other);
                }
            }
            ExprKind::Binary(BinOp::Sub, _, a, b) => {
                if let Some(b) = self.exact_now(b) {
                    let target = self.kernel.exprs.add(target, b);
                    self.tied.push(value);
                    self.bind(target, a);
                } else if let Some(a) = self.exact_now(a) {
                    let target = self.kernel.exprs.sub(a, target);
                    self.tied.push(value);
                    self.bind(target, b);
                }
            }
            _ => {}
        }
    }

    /// An expression over what is bound so far.
    fn exact_now(&mut self, expr: ExprId) -> Option<ExprId> {
        self.memo.clear();
        let found = self.exact(expr);
        self.memo.clear();
        found
    }

    /// That a parameter or a size is what the host gives, or what is left of it.
    fn equation(&mut self, target: ExprId, value: ExprId) -> Vec<ExprId> {
        match self.named.get(&value).copied() {
            Some(name) if name != target => return vec![self.kernel.exprs.eq(target, name)],
            Some(_) => {
                // What it is computed from, with names for the parts.
                self.named.remove(&value);
                self.memo.clear();
                let computed = self.exact(value);
                self.memo.clear();
                self.named.insert(value, target);
                if let Some(computed) = computed {
                    return vec![self.kernel.exprs.eq(target, computed)];
                }
            }
            None => {
                if let Some(value) = self.exact(value) {
                    return vec![self.kernel.exprs.eq(target, value)];
                }
            }
        }
        let pool = &self.launch.pool;
        if let ExprKind::Select(condition, a, b) = pool[value].kind {
            let (a, b) = (self.equation(target, a), self.equation(target, b));
            let (a, b) = (self.all(a), self.all(b));
            let yes = self.weakened(condition, true);
            let no = self.weakened(condition, false);
            let (Some(a), Some(b)) = (a, b) else { return Vec::new() };
            let a = yes.map_or(a, |it| self.kernel.exprs.and(a, it));
            let b = no.map_or(b, |it| self.kernel.exprs.and(b, it));
            return vec![self.kernel.exprs.or(a, b)];
        }
        let divisor = self.divisor(value);
        if divisor <= 1 {
            return Vec::new();
        }
        let exprs = &mut self.kernel.exprs;
        let width = exprs.width(target);
        let (divisor, zero) = (exprs.constant(divisor, width), exprs.constant(0, width));
        let rest = exprs.binary(BinOp::SRem, target, divisor);
        vec![exprs.eq(rest, zero)]
    }

    /// A constant that a value is a multiple of, as a signed number.
    fn divisor(&self, value: ExprId) -> u128 {
        let pool = &self.launch.pool;
        let half = 1u128 << (pool.width(value) - 1);
        match pool[value].kind {
            ExprKind::Binary(BinOp::Mul, flags, a, by) => {
                let Some(by) = pool.as_const(by).filter(|it| *it > 0 && *it < half) else {
                    return 1;
                };
                // What wraps is still a multiple of a power of two.
                let kept = if flags.signed { by } else { by & by.wrapping_neg() };
                match kept.checked_mul(self.divisor(a)) {
                    Some(all) if flags.signed && all < half => all,
                    _ => kept,
                }
            }
            ExprKind::Binary(BinOp::Shl, _, _, by) => match pool.as_const(by) {
                Some(by) if by + 1 < u128::from(pool.width(value)) => 1 << by,
                _ => 1,
            },
            ExprKind::Cast(CastOp::Sext, inner) => self.divisor(inner),
            _ => 1,
        }
    }

    fn all(&mut self, parts: Vec<ExprId>) -> Option<ExprId> {
        parts.into_iter().reduce(|a, b| self.kernel.exprs.and(a, b))
    }

    /// A condition, or its negation, without what is not known; `None` where nothing is left.
    fn weakened(&mut self, condition: ExprId, is: bool) -> Option<ExprId> {
        let pool = &self.launch.pool;
        match pool[condition].kind {
            ExprKind::Unary(UnOp::Not, inner) => self.weakened(inner, !is),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), _, a, b)
                if pool.width(condition) == 1 =>
            {
                let (a, b) = (self.weakened(a, is), self.weakened(b, is));
                match (a, b, (op == BinOp::And) == is) {
                    (Some(a), Some(b), true) => Some(self.kernel.exprs.and(a, b)),
                    (a, b, true) => a.or(b),
                    (Some(a), Some(b), false) => Some(self.kernel.exprs.or(a, b)),
                    (_, _, false) => None,
                }
            }
            _ => {
                let exact = self.exact(condition)?;
                Some(if is { exact } else { self.kernel.exprs.not(exact) })
            }
        }
    }

    /// The same expression over what the kernel has, if all its unknowns are bound.
    fn exact(&mut self, expr: ExprId) -> Option<ExprId> {
        if let Some(&known) = self.memo.get(&expr) {
            return known;
        }
        if let Some(&known) = self.named.get(&expr) {
            return Some(known);
        }
        let pool = &self.launch.pool;
        let width = pool.width(expr);
        let found = match pool[expr].kind {
            ExprKind::Const(value) => Some(self.kernel.exprs.constant(value, width)),
            ExprKind::Param(unknown) => self.bound[unknown as usize],
            ExprKind::Unary(op, a) => self.exact(a).map(|a| self.kernel.exprs.unary(op, a)),
            ExprKind::Cast(op, a) => self.exact(a).map(|a| self.kernel.exprs.cast(op, a, width)),
            ExprKind::Binary(op, flags, a, b) => {
                let parts = self.exact(a).zip(self.exact(b));
                parts.map(|(a, b)| self.kernel.exprs.binary_flagged(op, flags, a, b))
            }
            ExprKind::Cmp(op, a, b) => {
                let parts = self.exact(a).zip(self.exact(b));
                parts.map(|(a, b)| self.kernel.exprs.cmp(op, a, b))
            }
            ExprKind::Select(c, a, b) => {
                let parts = self.exact(c).zip(self.exact(a)).zip(self.exact(b));
                parts.map(|((c, a), b)| self.kernel.exprs.select(c, a, b))
            }
            ExprKind::Special(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Result(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Pure(..) => None,
        };
        self.memo.insert(expr, found);
        found
    }

    /// The parts of a conjunction.
    fn split(&self, condition: ExprId, parts: &mut Vec<ExprId>) {
        match self.kernel.exprs[condition].kind {
            ExprKind::Binary(BinOp::And, _, a, b) => {
                self.split(a, parts);
                self.split(b, parts);
            }
            ExprKind::Cmp(CmpOp::Ule, a, _) if self.kernel.exprs.as_const(a) == Some(0) => {}
            _ => parts.push(condition),
        }
    }

    /// Whether the pointers are known to lead to memory of their own.
    fn pointers(&self) -> HostPointers {
        let mut roots: Vec<(u32, Option<u32>)> = Vec::new();
        for (index, param) in (0..).zip(&self.kernel.params) {
            let ParamKind::Pointer(_) = param.kind else { continue };
            let value = self.launch.args.get(index as usize).copied().flatten();
            roots.push((index, value.and_then(|it| self.root(it))));
        }
        for (n, (one, root)) in roots.iter().enumerate() {
            let other = roots[..n].iter().find(|it| root.is_some() && it.1 == *root);
            if let Some((other, _)) = other {
                return HostPointers::Shared(*other, *one);
            }
        }
        let allocation = |root: u32| self.launch.unknowns[root as usize].allocation.is_some();
        let members = self.kernel.objects.values().any(|it| match it.kind {
            heddle_ir::ObjectKind::Param(_) => false,
            _ => it.space == heddle_ir::Space::Global,
        });
        match roots.iter().all(|it| it.1.is_some_and(allocation)) && !members {
            true => HostPointers::Apart,
            false => HostPointers::Open,
        }
    }

    /// The one unknown that an address is bytes beyond.
    fn root(&self, value: ExprId) -> Option<u32> {
        let pool = &self.launch.pool;
        match pool[value].kind {
            ExprKind::Param(unknown) => {
                self.launch.unknowns[unknown as usize].is_address.then_some(unknown)
            }
            ExprKind::Binary(BinOp::Add, _, a, b) => match (self.root(a), self.root(b)) {
                (Some(root), None) | (None, Some(root)) => Some(root),
                (Some(_), Some(_)) | (None, None) => None,
            },
            _ => None,
        }
    }
}
