//! Values of expressions, for all threads of a block: numbers, or sums of values that nobody knows.
//!
//! **Promises**: a number is what the thread computes, a sum is that modulo its width. What is
//! neither stands for itself. **Does not** know of memory or of other threads.

use std::rc::Rc;

use heddle_ir::cranelift_entity::EntityRef;
use heddle_ir::{
    BinOp, CastOp, ExprId, ExprKind, Special, ValueFrom, flags_hold, fold_binary, fold_cast,
    fold_cmp, fold_unary, mask,
};
use heddle_semantics::index_of;

use super::{Column, Done, Halt, Machine, Tag, UNDEFINED, Value, WIDEST};
use crate::facts::counts::upper;
use crate::facts::sums::forms::{ALL_THREADS, Form, Key};

impl Machine<'_> {
    /// Whether a value is of no loop: it has one value in each run of the block.
    pub(super) fn is_fixed(&self, id: ExprId) -> bool {
        self.analysis.scopes.home(id).is_none()
    }

    pub(super) fn form(&self, value: Value) -> Form {
        match value {
            Ok(number) => Form::constant(number),
            Err(tag) => self.forms[tag.0 as usize].clone(),
        }
    }

    pub(super) fn tagged(&mut self, form: Form) -> Value {
        if form.runs.is_empty() {
            return Ok(form.constant);
        }
        self.forms.push(form);
        Err(Tag(self.forms.len() as u32 - 1))
    }

    /// A value that stands for itself.
    pub(super) fn itself(&mut self, id: ExprId, thread: u32) -> Value {
        let stamp = self.stamp(id);
        let fixed = self.is_fixed(id);
        let thread = match self.analysis.uniformity.block_uniform(id) {
            true => ALL_THREADS,
            false => thread,
        };
        let keys = &mut self.keys;
        let key = *self.known_keys.entry((id, stamp)).or_insert_with(|| {
            keys.push(Key { value: id, fixed, most: upper(self.kernel, self.analysis.launch, id) });
            keys.len() as u32 - 1
        });
        self.tagged(Form::value(key, thread))
    }

    pub(super) fn all_themselves(&mut self, id: ExprId) -> Column {
        let values = (0..self.threads).map(|thread| self.itself(id, thread)).collect();
        Rc::new(values)
    }

    pub(super) fn stamp(&self, id: ExprId) -> u64 {
        self.analysis.scopes.home(id).map_or(0, |of| self.iteration[of])
    }

    /// The value of an expression, for all threads.
    pub(super) fn get(&mut self, root: ExprId) -> Result<Column, Halt> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.ready(id).is_some() {
                stack.pop();
                continue;
            }
            let mut missing = Vec::new();
            self.kernel.exprs.for_each_operand(id, |operand| missing.push(operand));
            missing.retain(|operand| self.ready(*operand).is_none());
            if missing.is_empty() {
                stack.pop();
                self.spend(u64::from(self.threads))?;
                let column = self.compute(id);
                self.keep(id, column);
            } else {
                stack.extend(missing);
            }
        }
        self.ready(root).ok_or(Halt)
    }

    pub(super) fn spend(&mut self, steps: u64) -> Done {
        self.left = self.left.checked_sub(steps).ok_or(Halt)?;
        Ok(())
    }

    pub(super) fn ready(&self, id: ExprId) -> Option<Column> {
        let known = match self.kernel[id].kind.value_from() {
            ValueFrom::Var(var) => self.vars[var].clone(),
            ValueFrom::Result(op, index) => self.results[op].get(index as usize).cloned(),
            ValueFrom::Exit(of, inner) => self.exits.get(&(of, inner)).cloned(),
            ValueFrom::Operands
            | ValueFrom::Launch
            | ValueFrom::Nothing
            | ValueFrom::Analysis(_) => None,
        };
        known.or_else(|| {
            let (stamp, column) = self.cache[id.index()].as_ref()?;
            (*stamp == self.stamp(id)).then(|| column.clone())
        })
    }

    pub(super) fn keep(&mut self, id: ExprId, column: Column) {
        self.cache[id.index()] = Some((self.stamp(id), column));
    }

    pub(super) fn compute(&mut self, id: ExprId) -> Column {
        let kernel = self.kernel;
        let width = kernel.exprs.width(id);
        let kind = &kernel[id].kind;
        let assumed = self.assumed.iter().find(|it| it.0 == id).map(|it| u128::from(it.1));
        let given = if let ExprKind::Param(index) = *kind {
            self.analysis.launch.arg(index)
        } else {
            kernel.exprs.as_const(id)
        };
        let given = assumed.or(given);
        if let Some(value) = given {
            return Rc::new(vec![Ok(mask(value, width)); self.threads as usize]);
        }
        if let ExprKind::Special(special) = *kind {
            return self.special(id, special);
        }
        let mut operands = Vec::new();
        kernel.exprs.for_each_operand(id, |it| operands.push(it));
        let too_wide = |it: &ExprId| kernel.exprs.width(*it) > WIDEST;
        if width > WIDEST || operands.iter().any(too_wide) {
            return self.all_themselves(id);
        }
        let columns: Option<Vec<Column>> = operands.iter().map(|it| self.ready(*it)).collect();
        let Some(columns) = columns else { return self.all_themselves(id) };
        let of_thread = |it: &mut Self, thread: u32| {
            let at = |index: usize| columns[index][thread as usize];
            let widths = |index: usize| kernel.exprs.width(operands[index]);
            match *kind {
                ExprKind::Unary(op, _) => Some(Ok(fold_unary(op, at(0).ok()?, width))),
                ExprKind::Binary(op, flags, ..) => match (at(0), at(1)) {
                    (Ok(a), Ok(b)) => {
                        flags_hold(op, flags, a, b, width).then(|| Ok(fold_binary(op, a, b, width)))
                    }
                    (a, b) => it.summed(op, a, b, width),
                },
                ExprKind::Cmp(op, ..) => {
                    Some(Ok(u128::from(fold_cmp(op, at(0).ok()?, at(1).ok()?, widths(0)))))
                }
                ExprKind::Select(..) => Some(if at(0).ok()? == 0 { at(2) } else { at(1) }),
                ExprKind::Cast(op, _) => match at(0) {
                    Ok(a) => Some(Ok(fold_cast(op, a, widths(0), width))),
                    Err(tag) => it.cast(op, tag, widths(0), width),
                },
                ExprKind::Const(_)
                | ExprKind::Special(_)
                | ExprKind::Param(_)
                | ExprKind::Base(_)
                | ExprKind::Var(_)
                | ExprKind::Exit(..)
                | ExprKind::Result(..)
                | ExprKind::Undef(_)
                | ExprKind::Sym(_)
                | ExprKind::Pure(..) => None,
            }
        };
        let values = (0..self.threads)
            .map(|thread| match of_thread(self, thread) {
                Some(value) if value != Err(UNDEFINED) => value,
                Some(_) | None => self.itself(id, thread),
            })
            .collect();
        Rc::new(values)
    }

    /// What an operator makes of a sum and another value; none where that is no sum.
    pub(super) fn summed(&mut self, op: BinOp, a: Value, b: Value, width: u8) -> Option<Value> {
        if [a, b].contains(&Err(UNDEFINED)) {
            return None;
        }
        let (a, b) = (self.form(a), self.form(b));
        let number = |it: &Form| it.runs.is_empty().then_some(it.constant);
        let zero = Form::constant(0);
        let form = match op {
            BinOp::Add => a.plus(&b, 1, width),
            BinOp::Sub => a.plus(&b, u128::MAX, width),
            BinOp::Mul => match (number(&a), number(&b)) {
                (Some(times), _) => zero.plus(&b, times, width),
                (None, Some(times)) => zero.plus(&a, times, width),
                (None, None) => None,
            },
            BinOp::Shl => {
                let by = number(&b).filter(|by| *by < u128::from(width))?;
                zero.plus(&a, 1 << by, width)
            }
            BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::UMin
            | BinOp::UMax
            | BinOp::SMin
            | BinOp::SMax => None,
        };
        form.map(|it| self.tagged(it))
    }

    /// A sum of another width, where that is the sum of its values.
    pub(super) fn cast(&mut self, op: CastOp, tag: Tag, from: u8, to: u8) -> Option<Value> {
        if tag == UNDEFINED {
            return None;
        }
        let form = self.forms[tag.0 as usize].clone();
        let form = match op {
            CastOp::Trunc => form.narrowed(to)?,
            CastOp::Zext | CastOp::Sext => {
                let most = self.most_of(&form)?;
                (most < 1 << (from - 1)).then_some(form)?
            }
        };
        Some(self.tagged(form))
    }

    /// The largest value of a form as a sum of numbers.
    pub(super) fn most_of(&self, form: &Form) -> Option<u128> {
        form.runs.iter().try_fold(form.constant, |sum, run| {
            let each = self.keys[run.key as usize].most.checked_mul(run.times)?;
            sum.checked_add(each.checked_mul(u128::from(run.to - run.from))?)
        })
    }

    pub(super) fn special(&mut self, id: ExprId, special: Special) -> Column {
        let (block, warps) = (self.block, self.warps);
        let each = |of: &dyn Fn(u32) -> u32| {
            let values = (0..self.threads).map(|thread| Ok(u128::from(of(thread))));
            Rc::new(values.collect())
        };
        match (special, warps) {
            (Special::Tid(axis), _) => each(&|it| index_of(it, block)[usize::from(axis)]),
            (Special::Ntid(axis), _) => each(&|_| block[usize::from(axis)]),
            (Special::LaneId, Some(warps)) => each(&|it| warps.lane(it)),
            (Special::WarpId, Some(warps)) => each(&|it| warps.warp(it)),
            (
                Special::LaneId
                | Special::WarpId
                | Special::Ctaid(_)
                | Special::Nctaid(_)
                | Special::GlobalOffset(_)
                | Special::ClusterCtaRank
                | Special::ClusterNctaRank
                | Special::DynamicSharedSize,
                _,
            ) => self.all_themselves(id),
        }
    }
}
