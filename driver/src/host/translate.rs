//! Expressions of the host in the words of a kernel.
//!
//! **What**: sizes, values and conditions of one launch ([`super`]).
//! **Method**: an unknown of the host that a parameter or a size is, widened, cut, or with a known
//! sum, is that. So is a whole expression. Other unknowns that equations and facts share with these
//! stay: they are arbitrary values ([`ExprKind::Undef`]) of which a condition says something.
//! **Sound because** each step is an equality of the host: `p == zext(u)` implies `u == trunc(p)`,
//! and so with `sext` and sums; the equality itself is a condition, too. The conditions hold of the
//! values that the host has, so that there are values for which they hold.
//! **Misses**: facts over unknowns that no parameter or size depends on.
//! **Assumes**: nothing.

mod pointers;
mod relevant;

use std::collections::{HashMap, HashSet};

use heddle_frontend::host::HostLaunch;
use heddle_ir::{
    BinOp, CastOp, CmpOp, ExprId, ExprKind, Kernel, ObjectKind, ParamKind, Special, UnOp,
};
use heddle_passes::launch::{FIRST_OF_HOST, HostFacts, SourceSizes};

use self::relevant::{relevant, unknowns};
use super::floats::{holds_nan, not_numbers};
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
        is_cooperative: launch.is_cooperative,
        sizes: SourceSizes { grid: [None; 3], block: [None; 3] },
        dynamic_shared: it.dynamic_shared(),
        args: Vec::new(),
        conditions: Vec::new(),
        facts: Vec::new(),
        pointers: it.pointers(),
        open: it.rest_on_lost(&targets),
    };
    if let Some(bytes) = found.dynamic_shared {
        found.facts.push(format!("{bytes} bytes of dynamic shared memory"));
    }
    let (mut conditions, mut unsaid, mut unnamed) = (Vec::new(), Vec::new(), Vec::new());
    let others: Vec<_> = targets
        .iter()
        .filter(|(target, value)| it.named.get(value).is_some_and(|name| name != target))
        .copied()
        .collect();
    let all = targets.clone();
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
                let param = &it.kernel.params[index as usize];
                found.facts.push(format!("{} == {}", param.name, param.written(value, width)));
            }
            (Some(address), ExprKind::Base(object)) => {
                let width = it.kernel.exprs.width(target);
                let constant = it.kernel.exprs.constant(address, width);
                unnamed.push(it.kernel.exprs.eq(target, constant));
                if address == 0 {
                    found.facts.push(format!("{} is null", it.kernel[object].name));
                }
            }
            _ => conditions.extend(it.multiple(target, value)),
        }
    }
    it.memo.clear();
    let mut shared: HashSet<u32> = HashSet::new();
    let mut named: Vec<_> = it.named.iter().map(|(value, name)| (*value, *name)).collect();
    named.sort_unstable();
    for (value, target) in named {
        unknowns(&launch.pool, value, &mut shared);
        let equation = it.equation(target, value);
        if it.tied.contains(&value) {
            unsaid.extend(equation);
        }
        conditions.extend(equation);
    }
    for (target, value) in others {
        unknowns(&launch.pool, value, &mut shared);
        conditions.extend(it.exact(value).map(|value| it.kernel.exprs.eq(target, value)));
    }
    for fact in relevant(launch, &mut shared) {
        conditions.extend(it.exact(fact));
    }
    if found.open.is_empty() {
        found.open = it.rest_on_conditions(&all, &shared);
    }
    if found.pointers.apart && found.pointers.shared.is_empty() {
        found.facts.push("each pointer has an allocation of its own".to_owned());
    }
    unsaid.extend(unnamed.iter().copied());
    let mut parts = Vec::new();
    for condition in unnamed.into_iter().chain(conditions) {
        match it.kernel.exprs.as_const(condition) {
            Some(0) => return None,
            Some(_) => {}
            None => it.split(condition, &mut parts),
        }
    }
    for part in parts {
        let known = found.conditions.iter().any(|(it, _)| *it == part);
        if !known && found.conditions.len() == MOST && found.open.is_empty() {
            found.open = it.open(&all, |_| true);
        }
        if !known && found.conditions.len() < MOST {
            let text = words::condition(it.kernel, part, &|n| it.unknown(n));
            let text = text.filter(|_| !unsaid.contains(&part)).unwrap_or_default();
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
                // An address counts where the kernel looks at the number, as in a test for null.
                ParamKind::Pointer(object) => {
                    let address = ExprKind::Base(object);
                    let known = self.kernel.exprs.iter().find(|(_, it)| it.kind == address);
                    let looked_at = known.map(|(address, it)| (address, it.width));
                    let value = value.filter(|it| {
                        looked_at.is_some_and(|(_, width)| self.launch.pool.width(*it) == width)
                    });
                    targets.extend(looked_at.map(|it| it.0).zip(value));
                    continue;
                }
            };
            let fits = |it: &ExprId| self.launch.pool.width(*it) == width;
            if let Some(value) =
                value.filter(|it| fits(it) && !holds_nan(self.kernel, self.launch, index, *it))
            {
                targets.push((self.kernel.exprs.param(index, width), value));
            }
        }
        let [grid, block] = self.dimensions_read();
        let mut sizes = Vec::new();
        for d in [0_u8, 1, 2] {
            let at = usize::from(d);
            sizes.push((Special::Nctaid(d), self.launch.grid[at], grid[at]));
            sizes.push((Special::Ntid(d), self.launch.block[at], block[at]));
        }
        for (size, value, is_read) in sizes {
            // Also one that the kernel does not read: threads differ in it that seem to be one. One
            // of which nothing is known is 1, as where no launch is known.
            if is_read || !self.is_anything(value, &targets) {
                targets.push((self.kernel.exprs.special(size), value));
            }
        }
        targets
    }

    /// The bytes of dynamic shared memory, where the kernel has some and they are a constant.
    fn dynamic_shared(&self) -> Option<u64> {
        let has_some = self.kernel.objects.values().any(|it| it.kind == ObjectKind::DynamicShared);
        let bytes = self.launch.pool.as_const(self.launch.shared).filter(|_| has_some)?;
        u64::try_from(bytes).ok()
    }

    /// Which dimensions of the grid and of the block the kernel looks at.
    fn dimensions_read(&self) -> [[bool; 3]; 2] {
        let mut read = [[true, false, false]; 2];
        for (_, expr) in self.kernel.exprs.iter() {
            let ExprKind::Special(special) = expr.kind else { continue };
            let (of, d) = match special {
                Special::Ctaid(d) | Special::Nctaid(d) | Special::GlobalOffset(d) => (0, d),
                Special::Tid(d) | Special::Ntid(d) => (1, d),
                Special::LaneId
                | Special::WarpId
                | Special::ClusterCtaRank
                | Special::ClusterNctaRank
                | Special::DynamicSharedSize => continue,
            };
            read[of][usize::from(d)] = true;
        }
        read
    }

    /// Whether a size is bits of a number that is not followed, of which the host says nothing and
    /// on which no argument rests.
    fn is_anything(&self, value: ExprId, args: &[(ExprId, ExprId)]) -> bool {
        let pool = &self.launch.pool;
        let mut bits = value;
        let unknown = loop {
            match pool[bits].kind {
                ExprKind::Param(unknown) => break unknown,
                ExprKind::Cast(_, inner) => bits = inner,
                ExprKind::Binary(BinOp::LShr, _, inner, by) if pool.as_const(by).is_some() => {
                    bits = inner;
                }
                _ => return false,
            }
        };
        let is_in = |expr: ExprId| {
            let mut found = HashSet::new();
            unknowns(pool, expr, &mut found);
            found.contains(&unknown)
        };
        let is_used =
            args.iter().any(|it| is_in(it.1)) || self.launch.facts.iter().any(|it| is_in(*it));
        self.is_lost(unknown) && !is_used
    }

    /// Whether a number is none that the program was given from outside.
    fn is_lost(&self, unknown: u32) -> bool {
        let it = &self.launch.unknowns[unknown as usize];
        // What `main` is given, and what it asks for, are inputs of the program.
        let is_input = !self.launch.is_called && (it.is_input || it.is_parameter);
        !it.is_address && !is_input
    }

    /// The parameters and sizes of which a condition on the way to the launch was computed in a way
    /// that is not followed: it may exclude what they are.
    fn rest_on_conditions(
        &self,
        targets: &[(ExprId, ExprId)],
        shared: &HashSet<u32>,
    ) -> Vec<String> {
        let mut found = HashSet::new();
        for fact in &self.launch.facts {
            unknowns(&self.launch.pool, *fact, &mut found);
        }
        let computed_of = |it: u32| self.launch.unknowns[it as usize].computed_of.as_deref();
        let of: HashSet<u32> =
            found.into_iter().filter_map(computed_of).flatten().copied().collect();
        if of.is_disjoint(shared) {
            return Vec::new();
        }
        let rest = self.open(targets, |it| of.contains(&it));
        // Facts lead from the numbers of the condition to these.
        if rest.is_empty() { self.open(targets, |_| true) } else { rest }
    }

    /// The parameters and sizes that rest on a number that is not followed.
    fn rest_on_lost(&self, targets: &[(ExprId, ExprId)]) -> Vec<String> {
        let mut open = self.open(targets, |it| self.is_lost(it));
        open.extend(not_numbers(self.kernel, self.launch));
        open.extend(self.launch.is_chosen.then(|| "which kernel".to_owned()));
        open
    }

    /// The parameters and sizes that rest on some of the unknowns.
    fn open(&self, targets: &[(ExprId, ExprId)], on: impl Fn(u32) -> bool) -> Vec<String> {
        let rests = |value: ExprId| {
            let mut found = HashSet::new();
            unknowns(&self.launch.pool, value, &mut found);
            found.iter().any(|it| on(*it))
        };
        let (mut params, mut sizes) = (Vec::new(), Vec::new());
        for (target, _) in targets.iter().filter(|(_, value)| rests(*value)) {
            match self.kernel.exprs[*target].kind {
                ExprKind::Param(index) => {
                    params.push(self.kernel.params[index as usize].name.clone());
                }
                ExprKind::Special(special) => sizes.push(words::special(special)),
                _ => {}
            }
        }
        // Sizes are most often computed from what is passed as well.
        if params.is_empty() { sizes } else { params }
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
                // Where both are, the equation says it all.
                let all = [a, b].map(|it| self.exact_now(it));
                if all.iter().all(Option::is_some) {
                    return;
                }
                for (known, other) in all.into_iter().zip([b, a]) {
                    let Some(known) = known else { continue };
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

    /// An expression over what is bound so far, and nothing else.
    fn exact_now(&mut self, expr: ExprId) -> Option<ExprId> {
        // What has a name is said, whatever it is computed from.
        let (mut seen, mut work) = (HashSet::new(), vec![expr]);
        while let Some(at) = work.pop() {
            if self.named.contains_key(&at) || !seen.insert(at) {
                continue;
            }
            if let ExprKind::Param(unknown) = self.launch.pool[at].kind {
                self.bound[unknown as usize]?;
            }
            self.launch.pool.for_each_operand(at, |it| work.push(it));
        }
        self.memo.clear();
        let found = self.exact(expr);
        self.memo.clear();
        found
    }

    /// That what has a name is what it is computed from, with names for the parts.
    fn equation(&mut self, target: ExprId, value: ExprId) -> Option<ExprId> {
        self.named.remove(&value);
        self.memo.clear();
        let computed = self.exact(value);
        self.memo.clear();
        self.named.insert(value, target);
        let computed = computed?;
        Some(self.kernel.exprs.eq(target, computed))
    }

    /// That a parameter is a multiple of a constant, which a solver does not find out.
    fn multiple(&mut self, target: ExprId, value: ExprId) -> Option<ExprId> {
        let divisor = self.divisor(value);
        (divisor > 1).then_some(())?;
        let exprs = &mut self.kernel.exprs;
        let width = exprs.width(target);
        let (divisor, zero) = (exprs.constant(divisor, width), exprs.constant(0, width));
        let rest = exprs.binary(BinOp::SRem, target, divisor);
        Some(exprs.eq(rest, zero))
    }

    /// The name of an unknown that stays; with a number where an earlier one has the name.
    fn unknown(&self, number: u32) -> Option<String> {
        let index = number.checked_sub(FIRST_OF_HOST)? as usize;
        let unknown = self.launch.unknowns.get(index).filter(|it| !it.name.is_empty())?;
        let is_parameter = self.kernel.params.iter().any(|it| it.name == unknown.name);
        let name = match is_parameter {
            true => format!("host.{}", unknown.name),
            false => unknown.name.clone(),
        };
        let earlier = self.launch.unknowns[..index].iter().zip(&self.bound);
        let same = earlier.filter(|(it, bound)| bound.is_none() && it.name == unknown.name);
        Some(match same.count() {
            0 => name,
            others => format!("{name}{}", others + 1),
        })
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

    /// The same expression over what the kernel has.
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
            ExprKind::Param(unknown) => Some(match self.bound[unknown as usize] {
                Some(bound) => bound,
                None => self.kernel.exprs.intern(ExprKind::Undef(FIRST_OF_HOST + unknown), width),
            }),
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
    fn split(&mut self, condition: ExprId, parts: &mut Vec<ExprId>) {
        match self.kernel.exprs[condition].kind {
            ExprKind::Binary(BinOp::And, _, a, b) => {
                self.split(a, parts);
                self.split(b, parts);
            }
            // What is neither of two is not the one, and not the other.
            ExprKind::Unary(UnOp::Not, both) => match self.kernel.exprs[both].kind {
                ExprKind::Binary(BinOp::Or, _, a, b) => {
                    let (a, b) = (self.kernel.exprs.not(a), self.kernel.exprs.not(b));
                    self.split(a, parts);
                    self.split(b, parts);
                }
                _ => parts.push(condition),
            },
            ExprKind::Cmp(CmpOp::Ule, a, _) if self.kernel.exprs.as_const(a) == Some(0) => {}
            _ => parts.push(condition),
        }
    }
}
