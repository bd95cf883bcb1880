//! What memory the pointers of a launch lead to.
//!
//! **What**: which of them lead to one allocation, how far apart, and which to the start of one
//! whose size is known. **Method**: an address is some bytes beyond one that is not followed, its
//! root; one that comes by several ways has the roots of all.
//! **Sound because**: two that may have a root in common are never said to be apart,
//! unless they are so on each way to where they join: by induction over the turns of the loop that
//! swaps them.
//! **Misses**: addresses in memory, distances that are no expression of what the kernel has.
//! **Assumes**: what the frontend says of allocations.

use std::collections::BTreeSet;

use heddle_frontend::host::{Stored, Unknown};
use heddle_ir::{BinOp, ExprId, ExprKind, Object, ObjectId, ObjectKind, Space};
use heddle_passes::launch::{BufferSize, HostPointers, SharedMemory};
use heddle_solver::{Answer, Budget, Query, decide};

use super::Translation;
use crate::host::words;

/// How many addresses that lie in memory are followed from one to the next.
const DEEPEST: u32 = 8;

/// What a kernel is given that leads to memory: a pointer, one in a structure, or a handle.
struct Pointer {
    /// What it leads to.
    object: ObjectId,
    value: Option<ExprId>,
    /// The addresses of which one is what it is bytes beyond.
    roots: BTreeSet<u32>,
}

/// Whether an object is a variable of the device's module that the host can name.
fn is_of_module(object: &Object) -> bool {
    object.kind == ObjectKind::Variable && matches!(object.space, Space::Global | Space::Constant)
}

impl Translation<'_> {
    /// What memory the pointers lead to.
    pub(super) fn pointers(&mut self) -> HostPointers {
        let mut all = Vec::new();
        let mut pointers = HostPointers::default();
        let mut others = false;
        for (object, it) in &self.kernel.objects {
            let value = match it.kind {
                ObjectKind::Param(index) => self.launch.args.get(index as usize).copied().flatten(),
                ObjectKind::ParamField(of, offset) => {
                    let mut members = self.launch.members.iter();
                    members.find(|(at, _)| *at == (of, offset)).map(|(_, value)| *value)
                }
                ObjectKind::Pointee(_)
                | ObjectKind::Variable
                | ObjectKind::DynamicShared
                | ObjectKind::Alloca
                | ObjectKind::Unknown => {
                    others |= it.space == Space::Global;
                    continue;
                }
            };
            let roots = value.and_then(|it| self.origins(it)).unwrap_or_default();
            all.push(Pointer { object, value, roots });
        }
        for (n, other) in all.iter().enumerate() {
            // Handles are no addresses, but may be given twice. A null pointer leads to no memory.
            let is_given = |it: &ExprId| self.launch.pool.as_const(*it) != Some(0);
            let given = other.value.filter(is_given);
            let meets = |it: &&Pointer| {
                let swapped = it
                    .value
                    .zip(given)
                    .is_some_and(|(one, other)| self.are_apart(one, other, &mut Vec::new()));
                let listed = || {
                    it.value.zip(given).is_some_and(|(one, other)| self.are_elements(one, other))
                };
                (!it.roots.is_disjoint(&other.roots) && !swapped && !listed())
                    || self.are_alike(&it.roots, &other.roots)
                    || (given.is_some() && it.value == given)
                    || it.value.zip(given).is_some_and(|(one, other)| {
                        self.may_be_read_twice(one, other, &mut Vec::new())
                    })
            };
            let met: Vec<&Pointer> = all[..n].iter().filter(meets).collect();
            for one in met {
                let by = self.between(one.value, other.value);
                pointers.shared.push(SharedMemory { one: one.object, other: other.object, by });
                // What else leads there leads to what that one does.
                if by.is_some() {
                    break;
                }
            }
        }
        for it in &all {
            let root = it.roots.first().copied().filter(|_| it.roots.len() == 1);
            pointers.sizes.extend(root.and_then(|root| self.size(it, root)));
        }
        if self.launch.takes_symbols {
            let may_be_variable = |it: &&Pointer| {
                it.value.is_some() && !it.roots.iter().all(|root| self.is_own(*root))
            };
            for pointer in all.iter().filter(may_be_variable) {
                let variables = self.kernel.objects.iter().filter(|(_, it)| is_of_module(it));
                let shared =
                    variables.map(|(one, _)| SharedMemory { one, other: pointer.object, by: None });
                pointers.shared.extend(shared);
            }
        }
        let is_own = |root: &u32| self.is_own(*root);
        let all_own = all.iter().all(|it| !it.roots.is_empty() && it.roots.iter().all(is_own));
        pointers.apart = all_own && !others && all.len() > 1;
        pointers
    }

    /// Whether of two sets of addresses that are not followed two may be one.
    fn are_alike(&self, ones: &BTreeSet<u32>, others: &BTreeSet<u32>) -> bool {
        let groups = |of: &BTreeSet<u32>| -> BTreeSet<u32> {
            let alike = |it: &u32| self.launch.unknowns[*it as usize].alike.iter().copied();
            of.iter().flat_map(alike).collect()
        };
        !groups(ones).is_disjoint(&groups(others))
    }

    /// The size of the allocation that a pointer leads to the start of.
    fn size(&mut self, of: &Pointer, root: u32) -> Option<BufferSize> {
        let unknown = &self.launch.unknowns[root as usize];
        let bytes = unknown.bytes.filter(|_| unknown.allocation.is_some())?;
        let at_start =
            matches!(self.launch.pool[of.value?].kind, ExprKind::Param(it) if it == root);
        let bytes = self.exact(bytes).filter(|_| at_start)?;
        let count = words::condition(self.kernel, bytes, &|n| self.unknown(n))?;
        let text = format!("{} has {count} bytes", self.kernel[of.object].name);
        Some(BufferSize { object: of.object, bytes, text })
    }

    /// Bytes from where one pointer leads to where another does, in what the kernel has.
    fn between(&mut self, one: Option<ExprId>, other: Option<ExprId>) -> Option<ExprId> {
        let (one, other) = (self.beyond(one?)?, self.beyond(other?)?);
        (one.0 == other.0).then(|| self.kernel.exprs.sub(other.1, one.1))
    }

    /// An address that is not followed, and the bytes from there to this one.
    fn beyond(&mut self, value: ExprId) -> Option<(u32, ExprId)> {
        let pool = &self.launch.pool;
        match pool[value].kind {
            ExprKind::Param(unknown) => Some((unknown, self.kernel.exprs.constant(0, 64))),
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                let (address, bytes) = if self.roots(a).is_some() { (a, b) } else { (b, a) };
                let bytes = self.exact_now(bytes)?;
                let (from, beyond) = self.beyond(address)?;
                Some((from, self.kernel.exprs.add(beyond, bytes)))
            }
            _ => None,
        }
    }

    /// Whether two addresses never are of one allocation at the same time, as those that a loop
    /// swaps in each turn.
    ///
    /// What joins at one place is apart if on each way what comes there is. `taken` are the pairs
    /// for which that is being shown: where they come again, they are of an earlier time.
    fn are_apart(&self, one: ExprId, other: ExprId, taken: &mut Vec<(u32, u32)>) -> bool {
        let pool = &self.launch.pool;
        // Of two choices by one condition the same arm is taken.
        if let (&ExprKind::Select(c, a, b), &ExprKind::Select(d, x, y)) =
            (&pool[one].kind, &pool[other].kind)
            && c == d
        {
            return self.are_apart(a, x, taken) && self.are_apart(b, y, taken);
        }
        let disjoint = || match (self.roots(one), self.roots(other)) {
            (Some(a), Some(b)) => {
                a.is_disjoint(&b) && a.iter().chain(&b).all(|it| self.is_own(*it))
            }
            _ => false,
        };
        let Some((a, b)) = self.joins(one, other) else { return disjoint() };
        let (x, y) = (&self.launch.unknowns[a as usize], &self.launch.unknowns[b as usize]);
        if taken.contains(&(a, b)) || taken.contains(&(b, a)) {
            return true;
        }
        taken.push((a, b));
        let ways = x.may_be.iter().zip(&y.may_be);
        ways.into_iter().all(|(one, other)| self.are_apart(*one, *other, taken))
    }

    /// Whether two addresses are read from places of memory that may be one, as elements of an
    /// array whose indices may agree; on any of the ways by which they come. Places at different
    /// constants of one variable are two, and what they hold is taken for two as what two
    /// parameters are.
    fn may_be_read_twice(&self, one: ExprId, other: ExprId, taken: &mut Vec<(u32, u32)>) -> bool {
        // What joins at one place comes by one way.
        if let Some((a, b)) = self.joins(one, other) {
            if taken.contains(&(a, b)) {
                return false;
            }
            taken.push((a, b));
            let [x, y] = [a, b].map(|it| &self.launch.unknowns[it as usize].may_be);
            return x.iter().zip(y).any(|(one, other)| self.may_be_read_twice(*one, *other, taken));
        }
        let (Some(ones), Some(others)) = (self.origins(one), self.origins(other)) else {
            return false;
        };
        ones.iter().any(|a| others.iter().any(|b| self.may_hold_one(*a, *b)))
    }

    /// The addresses that two are bytes beyond, if they join at one place, of as many ways.
    fn joins(&self, one: ExprId, other: ExprId) -> Option<(u32, u32)> {
        let (a, b) = (self.start(one)?, self.start(other)?);
        let (x, y) = (&self.launch.unknowns[a as usize], &self.launch.unknowns[b as usize]);
        let is_join = x.joined.is_some() && x.joined == y.joined && a != b;
        (is_join && x.may_be.len() == y.may_be.len()).then_some((a, b))
    }

    /// The same of two addresses that are not followed.
    fn may_hold_one(&self, a: u32, b: u32) -> bool {
        let unknown = |it: u32| &self.launch.unknowns[it as usize];
        let (Some(x), Some(y)) = (unknown(a).read_from, unknown(b).read_from) else { return false };
        // Where all is known that the memory holds, the roots say it.
        if a == b || unknown(a).held.is_known() && unknown(b).held.is_known() {
            return false;
        }
        // A place that the host chooses may be any, and so may one that was copied.
        if unknown(a).held.is_copy || unknown(b).held.is_copy {
            return true;
        }
        let (Some((x, by)), Some((y, other_by))) = (self.place(x, 0), self.place(y, 0)) else {
            return true;
        };
        x == y
            && by.len() == other_by.len()
            && !by.iter().zip(&other_by).any(|(by, other)| self.never_equal(by, other))
    }

    /// Whether two addresses are read from one array at places that never hold addresses of one
    /// allocation at the same time.
    ///
    /// Each is what some store put there. Two stores of what has no root in common do not matter;
    /// for two others, also one and itself, the places are not read at once. A place that changes
    /// from one turn of a loop to the next may be any, unless each turn makes an allocation of its
    /// own.
    fn are_elements(&self, one: ExprId, other: ExprId) -> bool {
        let (Some(a), Some(b)) = (self.start(one), self.start(other)) else { return false };
        if a == b {
            return false;
        }
        let (a, b) = (&self.launch.unknowns[a as usize], &self.launch.unknowns[b as usize]);
        // As far as it is one step from an address that is not followed.
        let place = |it: ExprId| {
            let (root, steps) = self.place(it, DEEPEST)?;
            Some((root, steps.concat()))
        };
        let read = |it: &Unknown| it.read_from.and_then(place);
        let (Some((array, at)), Some((other_array, other_at))) = (read(a), read(b)) else {
            return false;
        };
        let is_one = array == other_array && a.held == b.held && a.held.is_known();
        let constant = |stored: &Stored| {
            let (root, at) = place(stored.place).filter(|_| stored.is_fixed)?;
            (root == array).then_some(at)
        };
        let apart = |(n, s): (usize, &Stored), (m, t): (usize, &Stored)| {
            let disjoint = match (self.roots(s.value), self.roots(t.value)) {
                (Some(one), Some(other)) => one.is_disjoint(&other),
                _ => false,
            };
            disjoint
                || match (constant(s), constant(t)) {
                    (Some(one), Some(other)) => self.never([(&at, &one), (&other_at, &other)]),
                    // What is stored at one place alone is not read at two.
                    _ => {
                        let is_one = n == m && (s.is_new || s.is_fixed);
                        is_one && self.never_equal(&at, &other_at)
                    }
                }
        };
        let all = || a.held.by.iter().enumerate();
        is_one && all().all(|s| all().all(|t| apart(s, t)))
    }

    /// Where a place of memory is: bytes beyond an address that is not followed, or beyond one that
    /// lies there, and so on; from the last one to the first. The bytes of each step are a sum.
    fn place(&self, value: ExprId, depth: u32) -> Option<(u32, Vec<Vec<ExprId>>)> {
        let from = self.start(value)?;
        let pool = &self.launch.pool;
        let mut by = Vec::new();
        let mut at = value;
        while let ExprKind::Binary(BinOp::Add, _, a, b) = pool[at].kind {
            let is_address = self.roots(a).is_some();
            by.push(if is_address { b } else { a });
            at = if is_address { a } else { b };
        }
        let of_unknown = &self.launch.unknowns[from as usize];
        let Some(place) = of_unknown.read_from.filter(|_| depth < DEEPEST) else {
            return Some((from, vec![by]));
        };
        let (root, mut all) = self.place(place, depth + 1)?;
        all.push(by);
        Some((root, all))
    }

    /// Whether two sums of the host differ at each launch.
    fn never_equal(&self, one: &[ExprId], other: &[ExprId]) -> bool {
        self.never([(one, other)])
    }

    /// Whether sums of the host are at no launch all equal in pairs.
    fn never<const N: usize>(&self, pairs: [(&[ExprId], &[ExprId]); N]) -> bool {
        let mut pool = self.launch.pool.clone();
        let equal = pairs.map(|(one, other)| {
            let [one, other] = [one, other].map(|parts| {
                let zero = pool.constant(0, 64);
                parts.iter().fold(zero, |sum, it| pool.add(sum, *it))
            });
            pool.eq(one, other)
        });
        let facts = self.launch.facts.iter().copied().chain(equal).collect();
        let query = Query { facts, ranges: Vec::new(), small: Vec::new(), relevant: Vec::new() };
        let budget = Budget { instances: 0, conflicts: 2_000, ..Budget::default() };
        matches!(decide(&pool, &query, &budget), Answer::Unsat(_))
    }

    /// Whether an address is one that an allocation gave which lives at the launch.
    fn is_own(&self, unknown: u32) -> bool {
        self.launch.unknowns[unknown as usize].allocation.is_some()
    }

    /// The unknown that an address is bytes beyond, where that is one.
    fn start(&self, value: ExprId) -> Option<u32> {
        let pool = &self.launch.pool;
        match pool[value].kind {
            ExprKind::Param(unknown) => Some(unknown),
            ExprKind::Binary(BinOp::Add, _, a, b) => match (self.roots(a), self.roots(b)) {
                (Some(_), None) => self.start(a),
                (None, Some(_)) => self.start(b),
                (Some(_), Some(_)) | (None, None) => None,
            },
            _ => None,
        }
    }

    /// The same also of what is no address to the host: a handle, or a pointer that was copied with
    /// the structure around it.
    fn origins(&self, value: ExprId) -> Option<BTreeSet<u32>> {
        if let Some(roots) = self.roots(value) {
            return Some(roots);
        }
        match self.launch.pool[value].kind {
            ExprKind::Param(unknown) => Some(BTreeSet::from([unknown])),
            ExprKind::Select(_, a, b) => {
                let mut all = self.origins(a)?;
                all.extend(self.origins(b)?);
                Some(all)
            }
            _ => None,
        }
    }

    /// The unknowns of which one is what an address is bytes beyond.
    fn roots(&self, value: ExprId) -> Option<BTreeSet<u32>> {
        self.roots_but(value, &mut BTreeSet::new())
    }

    /// The same without those that were looked at already.
    fn roots_but(&self, value: ExprId, seen: &mut BTreeSet<u32>) -> Option<BTreeSet<u32>> {
        let pool = &self.launch.pool;
        match pool[value].kind {
            ExprKind::Param(unknown) => {
                let it = &self.launch.unknowns[unknown as usize];
                it.is_address.then_some(())?;
                let held = it.held.by.iter().map(|stored| stored.value);
                let ways: Vec<ExprId> = it.may_be.iter().copied().chain(held).collect();
                let mut roots = BTreeSet::new();
                if ways.is_empty() || (it.may_be.is_empty() && !it.held.is_all) {
                    roots.insert(unknown);
                }
                if seen.insert(unknown) {
                    for from in ways {
                        let from = self.roots_but(from, seen);
                        roots.extend(from.unwrap_or_else(|| BTreeSet::from([unknown])));
                    }
                }
                Some(roots)
            }
            ExprKind::Binary(BinOp::Add, _, a, b) => {
                match (self.roots_but(a, seen), self.roots_but(b, seen)) {
                    (Some(roots), None) | (None, Some(roots)) => Some(roots),
                    (Some(_), Some(_)) | (None, None) => None,
                }
            }
            ExprKind::Select(_, a, b) => {
                // A number, as null is, leads to no buffer.
                let of = |it: &Self, arm, seen: &mut _| match it.launch.pool.as_const(arm) {
                    Some(_) => Some(BTreeSet::new()),
                    None => it.roots_but(arm, seen),
                };
                let mut roots = of(self, a, seen)?;
                roots.extend(of(self, b, seen)?);
                Some(roots)
            }
            _ => None,
        }
    }
}
