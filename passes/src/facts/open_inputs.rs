//! Which values follow from numbers that the check leaves open: arguments and launch sizes that
//! nobody gave.
//!
//! **What**: for each expression, whether an open argument or size reaches it, as an operand of
//! arithmetic, or as the limit of a loop that counts in equal steps. **Method**: marks travel from
//! operands to users until nothing changes.
//! **Sound because**: nothing is proved from a mark. It only says where a question may be asked
//! again under an assumption about index arithmetic, and that assumption is then named.
//! **Misses**: values read from memory or from other threads are not open numbers, even where an
//! open number decided which; arithmetic on them is always taken as it is.
//! **Assumes**: nothing.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{BinOp, ExprId, ExprKind, Kernel, Special, ValueFrom, VarId, sign_extend};

use rustc_hash::FxHashSet;

use crate::facts::launch::{Extent, GlobalOffset, Launch};
use crate::facts::listed::Listed;
use crate::facts::overflow_tests::overflow_tests;

/// The marks of all expressions of a kernel.
#[derive(Debug)]
pub(crate) struct OpenInputs {
    reached: SecondaryMap<ExprId, bool>,
    shifts_bits: SecondaryMap<ExprId, bool>,
    /// What the program tests for overflow ([`overflow_tests`]).
    tested: SecondaryMap<ExprId, bool>,
    /// What the launch is said to satisfy, with all that it is computed from.
    said: SecondaryMap<ExprId, bool>,
    /// The arguments of which it is said which numbers they are ([`Listed`]). Arithmetic that wraps
    /// around for one of those does so in a run that is meant.
    listed: FxHashSet<u32>,
    /// In each dimension, how many blocks there are at most, where that is said.
    blocks: [Option<u128>; 3],
}

impl OpenInputs {
    /// Computes them.
    pub(crate) fn of(kernel: &Kernel, launch: &Launch) -> OpenInputs {
        let mut it = OpenInputs {
            reached: SecondaryMap::new(),
            shifts_bits: bit_shifts(kernel),
            tested: overflow_tests(kernel),
            said: said(kernel, launch),
            listed: FxHashSet::default(),
            blocks: [None; 3],
        };
        let listed = Listed::of(kernel, launch);
        for (id, expr) in kernel.exprs.iter() {
            let Some(numbers) = listed.of_leaf(id) else { continue };
            if let ExprKind::Param(index) = expr.kind {
                it.listed.insert(index);
            } else if let ExprKind::Special(Special::Nctaid(d)) = expr.kind {
                it.blocks[usize::from(d)] = numbers.iter().max().copied();
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (id, _) in kernel.exprs.iter() {
                if !it.reached[id] && it.follows(kernel, launch, id) {
                    it.reached[id] = true;
                    changed = true;
                }
            }
        }
        it
    }

    /// Whether the expression is a left shift that moves bits about and computes no product: a part
    /// of an exclusive or, of a rotation, or of an extraction.
    pub(crate) fn shifts_bits(&self, id: ExprId) -> bool {
        self.shifts_bits[id]
    }

    /// Whether an open number reaches the expression, and it is the kernel's own. What a user or
    /// the host says of a launch is computed as they do, with wrap-around, and so is what the
    /// program tests for it.
    pub(crate) fn reach(&self, id: ExprId) -> bool {
        self.reached[id] && !self.said[id] && !self.tested[id]
    }

    /// Whether it is said which values an argument has.
    pub(crate) fn is_listed(&self, index: u32) -> bool {
        self.listed.contains(&index)
    }

    /// How many blocks there are at most in a dimension, if it is said which numbers there may be.
    pub(crate) fn blocks_listed(&self, dimension: u8) -> Option<u128> {
        self.blocks[usize::from(dimension)]
    }

    /// Whether an open number is compared in a condition.
    fn decides(&self, kernel: &Kernel, condition: ExprId) -> bool {
        kernel.exprs.conjuncts(condition).into_iter().any(|part| {
            let mut any = self.reached[part];
            if let ExprKind::Cmp(_, a, b) = kernel[part].kind {
                any |= self.reached[a] || self.reached[b];
            }
            any
        })
    }

    fn follows(&self, kernel: &Kernel, launch: &Launch, id: ExprId) -> bool {
        let is_open = |extent: Extent| extent.known().is_none();
        match kernel[id].kind {
            ExprKind::Param(index) => launch.arg(index).is_none() && !self.is_listed(index),
            ExprKind::Special(special) => match special {
                Special::Ntid(d) => is_open(launch.block[d as usize]),
                Special::Nctaid(d) | Special::Ctaid(d) => {
                    is_open(launch.grid[d as usize]) && self.blocks_listed(d).is_none()
                }
                // Where it is not said, it is zero as soon as something would rest on it.
                Special::GlobalOffset(_) => launch.global_offset == GlobalOffset::Any,
                Special::DynamicSharedSize => launch.dynamic_shared.is_none(),
                Special::Tid(_)
                | Special::LaneId
                | Special::WarpId
                | Special::ClusterCtaRank
                | Special::ClusterNctaRank => false,
            },
            ExprKind::Var(var) => {
                let it = &kernel[var];
                [it.init, it.next].into_iter().any(|id| self.reached[id])
                    || counts(kernel, var) && self.decides(kernel, kernel[it.of].cont)
            }
            ExprKind::Exit(of, value) => {
                [value, kernel[of].cont].into_iter().any(|id| self.reached[id])
            }
            ExprKind::Const(_)
            | ExprKind::Base(_)
            | ExprKind::Sym(_)
            | ExprKind::Undef(_)
            | ExprKind::Result(..) => false,
            // Which of two numbers it is computes neither.
            ExprKind::Select(_, a, b) => self.reached[a] || self.reached[b],
            ExprKind::Cmp(..) => false,
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => {
                let mut any = false;
                kernel.exprs.for_each_operand(id, |operand| any |= self.reached[operand]);
                any
            }
        }
    }
}

/// From here on a constant is no stride of an index, but one of a hash or of a fraction of 2^32.
pub(crate) const LARGE_FACTOR: u128 = 1 << 24;

/// Whether each iteration adds one and the same number to a variable, of the launch or a constant
/// that is a stride.
fn counts(kernel: &Kernel, var: VarId) -> bool {
    let ExprKind::Binary(BinOp::Add | BinOp::Sub, _, a, b) = kernel[kernel[var].next].kind else {
        return false;
    };
    let is_own = |id: ExprId| kernel[id].kind == ExprKind::Var(var);
    let is_of_launch = |id: ExprId| {
        let mut it_is = true;
        kernel.exprs.for_each_below(id, |part| match kernel[part].kind.value_from() {
            ValueFrom::Launch | ValueFrom::Nothing | ValueFrom::Operands => {}
            ValueFrom::Var(_)
            | ValueFrom::Exit(..)
            | ValueFrom::Result(..)
            | ValueFrom::Analysis(_) => it_is = false,
        });
        it_is
    };
    let is_step = |id: ExprId| {
        let by = kernel.exprs.as_const(id).map(|it| sign_extend(it, kernel.exprs.width(id)));
        is_of_launch(id) && by.is_none_or(|it| it.unsigned_abs() < LARGE_FACTOR)
    };
    is_own(a) && is_step(b) || is_own(b) && is_step(a)
}

/// What a launch is said to satisfy, and all that it is computed from.
fn said(kernel: &Kernel, launch: &Launch) -> SecondaryMap<ExprId, bool> {
    let mut said: SecondaryMap<ExprId, bool> = SecondaryMap::new();
    let distances = launch.host.iter().flat_map(|it| &it.pointers.shared);
    let distances = distances.filter_map(|it| it.by);
    let sizes = launch.sizes.iter().map(|it| it.bytes);
    let of_host = launch.host.iter().flat_map(|it| &it.pointers.sizes).map(|it| it.bytes);
    let sizes = sizes.chain(of_host);
    let mut work: Vec<ExprId> = launch.conditions().chain(distances).chain(sizes).collect();
    while let Some(id) = work.pop() {
        if !said[id] {
            said[id] = true;
            kernel.exprs.for_each_operand(id, |operand| work.push(operand));
        }
    }
    said
}

/// The left shifts among bitwise operators.
fn bit_shifts(kernel: &Kernel) -> SecondaryMap<ExprId, bool> {
    let mut found = SecondaryMap::new();
    let is = |id: ExprId, ops: &[BinOp]| {
        let ExprKind::Binary(op, ..) = kernel.exprs[id].kind else { return false };
        ops.contains(&op)
    };
    let down = [BinOp::LShr, BinOp::AShr];
    for (_, expr) in kernel.exprs.iter() {
        let ExprKind::Binary(op, _, a, b) = expr.kind else { continue };
        for (shift, other) in [(a, b), (b, a)] {
            let of_bits = match op {
                BinOp::Xor => true,
                BinOp::Or => is(other, &down),
                BinOp::LShr | BinOp::AShr => shift == a,
                BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::UDiv
                | BinOp::SDiv
                | BinOp::URem
                | BinOp::SRem
                | BinOp::Shl
                | BinOp::And
                | BinOp::UMin
                | BinOp::UMax
                | BinOp::SMin
                | BinOp::SMax => false,
            };
            if of_bits && is(shift, &[BinOp::Shl]) {
                found[shift] = true;
            }
        }
    }
    found
}

/// Whether nobody says how large blocks are: neither the user, nor the kernel, nor its host.
pub(crate) fn is_block_open(kernel: &Kernel, launch: &Launch) -> bool {
    let speaks = |condition: ExprId| {
        let mut speaks = false;
        kernel.exprs.for_each_below(condition, |it| {
            speaks |= matches!(kernel[it].kind, ExprKind::Special(Special::Ntid(_)));
        });
        speaks
    };
    launch.block.iter().any(|it| matches!(it, Extent::UpTo(_)))
        && launch.host.is_none()
        && !launch.as_launched
        && !launch.conditions().any(speaks)
}
