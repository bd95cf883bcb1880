//! Rules 3 and 4: widths, and where an expression may be used.

use cranelift_entity::SecondaryMap;

use super::{Entity, Errors};
use crate::entity::{ExprId, LoopId, OpId};
use crate::expr::{CastOp, ExprKind, Special, mask};
use crate::kernel::{Item, Kernel, ParamKind, Region};
use crate::scope::Scopes;

pub(super) fn check_widths(kernel: &Kernel, errors: &mut Errors<'_>) {
    for (id, _) in kernel.exprs.iter() {
        if let Err(message) = widths_of(kernel, id) {
            errors.add(Entity::Expr(id), message);
        }
    }
    for (id, inner) in &kernel.loops {
        for (what, expr) in [("predicate", inner.pred), ("continuation", inner.cont)] {
            let width = kernel.exprs.width(expr);
            if width != 1 {
                errors.add(Entity::Loop(id), format!("its {what} has {width} bits, not 1"));
            }
        }
    }
    for (id, var) in &kernel.vars {
        for (what, expr) in [("start", var.init), ("next value", var.next)] {
            let width = kernel.exprs.width(expr);
            if width != var.width {
                let message = format!("its {what} has {width} bits, not {}", var.width);
                errors.add(Entity::Var(id), message);
            }
        }
    }
}

fn widths_of(kernel: &Kernel, id: ExprId) -> Result<(), String> {
    let pool = &kernel.exprs;
    let width = pool.width(id);
    if !(1..=128).contains(&width) {
        return Err(format!("it has {width} bits, not 1 to 128"));
    }
    let must_be = |wanted: u8| match width == wanted {
        true => Ok(()),
        false => Err(format!("it has {width} bits, not {wanted}")),
    };
    let operand = |which: ExprId, wanted: u8| match pool.width(which) {
        it if it == wanted => Ok(()),
        it => Err(format!("its operand {which} has {it} bits, not {wanted}")),
    };
    match &pool[id].kind {
        ExprKind::Const(value) if mask(*value, width) != *value => {
            Err(format!("{value:#x} has more than {width} bits"))
        }
        ExprKind::Const(_) | ExprKind::Undef(_) | ExprKind::Pure(..) => Ok(()),
        ExprKind::Special(special) => match special {
            Special::Tid(axis)
            | Special::Ctaid(axis)
            | Special::Ntid(axis)
            | Special::Nctaid(axis)
            | Special::GlobalOffset(axis)
                if *axis > 2 =>
            {
                Err(format!("there is no axis {axis}"))
            }
            Special::Tid(_)
            | Special::Ctaid(_)
            | Special::Ntid(_)
            | Special::Nctaid(_)
            | Special::GlobalOffset(_)
            | Special::LaneId
            | Special::WarpId
            | Special::ClusterCtaRank
            | Special::ClusterNctaRank
            | Special::DynamicSharedSize => must_be(32),
        },
        ExprKind::Param(index) => match kernel.params[*index as usize].kind {
            ParamKind::Scalar { width } | ParamKind::Field { width, .. } => must_be(width),
            ParamKind::Pointer(_) => Err("a pointer has no value; `base` is its number".to_owned()),
        },
        ExprKind::Base(_) => must_be(64),
        ExprKind::Var(var) => must_be(kernel[*var].width),
        ExprKind::Result(op, index) => must_be(kernel[*op].results[*index as usize]),
        ExprKind::Exit(_, a) | ExprKind::Unary(_, a) => operand(*a, width),
        ExprKind::Sym(_) => Err("a symbol of an analysis is no part of a kernel".to_owned()),
        ExprKind::Binary(_, _, a, b) => operand(*a, width).and_then(|()| operand(*b, width)),
        ExprKind::Cmp(_, a, b) => must_be(1).and_then(|()| operand(*b, pool.width(*a))),
        ExprKind::Select(c, a, b) => {
            operand(*c, 1).and_then(|()| operand(*a, width)).and_then(|()| operand(*b, width))
        }
        ExprKind::Cast(op, a) => {
            let from = pool.width(*a);
            let fits = match op {
                CastOp::Zext | CastOp::Sext => from < width,
                CastOp::Trunc => from > width,
            };
            if fits { Ok(()) } else { Err(format!("{op} from {from} to {width} bits")) }
        }
    }
}

pub(super) fn check_scopes<'k>(kernel: &'k Kernel, errors: &mut Errors<'k>) {
    let mut places = Places { ops: SecondaryMap::new(), loops: SecondaryMap::new(), next: 0 };
    places.number(kernel, &kernel.body);
    let scopes = Scopes::of(kernel);
    let mut scoping = Scoping { kernel, scopes, places, needs: SecondaryMap::new(), errors };
    scoping.measure();
    scoping.region(&kernel.body, None);
}

/// When operations happen and loops begin and end, counted in the order of the tree.
struct Places {
    ops: SecondaryMap<OpId, u32>,
    loops: SecondaryMap<LoopId, (u32, u32)>,
    next: u32,
}

impl Places {
    fn number(&mut self, kernel: &Kernel, region: &Region) {
        for item in &region.items {
            match *item {
                Item::Op(op) => self.ops[op] = self.tick(),
                Item::Loop(id) => {
                    let begin = self.tick();
                    self.number(kernel, &kernel[id].body);
                    self.loops[id] = (begin, self.tick());
                }
            }
        }
    }

    fn tick(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

/// What an expression needs of the place it is used at.
#[derive(Clone, Copy, Default)]
struct Needs {
    /// The place must be after this one.
    after: u32,
    /// Two of its leaves are in loops neither of which is in the other, or its exits look at what
    /// they cannot see.
    nowhere: bool,
}

struct Scoping<'a, 'k> {
    kernel: &'k Kernel,
    scopes: Scopes,
    places: Places,
    needs: SecondaryMap<ExprId, Needs>,
    errors: &'a mut Errors<'k>,
}

impl Scoping<'_, '_> {
    fn measure(&mut self) {
        let kernel = self.kernel;
        for (id, expr) in kernel.exprs.iter() {
            let mut needs = Needs::default();
            match expr.kind {
                ExprKind::Var(var) => needs.after = self.places.loops[kernel[var].of].0,
                ExprKind::Result(op, _) => needs.after = self.places.ops[op],
                ExprKind::Exit(of, inner) => {
                    let (_, end) = self.places.loops[of];
                    needs.after = end;
                    needs.nowhere = !self.is_good_at(inner, Some(of), end);
                }
                _ => kernel.exprs.for_each_operand(id, |operand| {
                    let of = self.needs[operand];
                    needs.after = needs.after.max(of.after);
                    let (a, b) = (self.scopes.home(id), self.scopes.home(operand));
                    needs.nowhere |= of.nowhere || !self.scopes.encloses(b, a);
                }),
            }
            self.needs[id] = needs;
        }
    }

    fn is_good_at(&self, id: ExprId, region: Option<LoopId>, place: u32) -> bool {
        let Needs { after, nowhere } = self.needs[id];
        !nowhere && after < place && self.scopes.encloses(self.scopes.home(id), region)
    }

    fn region(&mut self, region: &Region, around: Option<LoopId>) {
        let kernel = self.kernel;
        for item in &region.items {
            match *item {
                Item::Op(id) => {
                    let place = self.places.ops[id];
                    kernel[id].for_each_expr(|expr| self.used(expr, Entity::Op(id), around, place));
                }
                Item::Loop(id) => {
                    let inner = &kernel[id];
                    let (begin, end) = self.places.loops[id];
                    self.used(inner.pred, Entity::Loop(id), around, begin);
                    for &var in &inner.vars {
                        self.used(kernel[var].init, Entity::Var(var), around, begin);
                    }
                    self.region(&inner.body, Some(id));
                    for &var in &inner.vars {
                        self.used(kernel[var].next, Entity::Var(var), Some(id), end);
                    }
                    self.used(inner.cont, Entity::Loop(id), Some(id), end);
                }
            }
        }
    }

    fn used(&mut self, id: ExprId, by: Entity, region: Option<LoopId>, place: u32) {
        if self.is_good_at(id, region, place) {
            return;
        }
        let culprit = self.culprit(id, region, place);
        let term = crate::text::show_expr(self.kernel, culprit);
        let why = match self.kernel[culprit].kind {
            ExprKind::Var(var) => format!("is used outside {}", self.kernel[var].of),
            ExprKind::Result(op, _) if self.places.ops[op] >= place => {
                format!("is used before {op} has happened")
            }
            ExprKind::Result(op, _) => format!("is used outside the loop of {op}"),
            ExprKind::Exit(of, inner) if self.needs[culprit].nowhere => {
                let (_, end) = self.places.loops[of];
                let leaf = self.culprit(inner, Some(of), end);
                let leaf = crate::text::show_expr(self.kernel, leaf);
                format!("looks at `{leaf}`, which has no meaning at the end of {of}")
            }
            ExprKind::Exit(of, _) => format!("is used where {of} has not just ended"),
            _ => "mixes what belongs to different loops".to_owned(),
        };
        self.errors.add(by, format!("`{term}` ({culprit}) {why}"));
    }

    /// The innermost part that is to blame.
    fn culprit(&self, id: ExprId, region: Option<LoopId>, place: u32) -> ExprId {
        let mut at = id;
        loop {
            if matches!(self.kernel[at].kind, ExprKind::Exit(..)) {
                return at;
            }
            let mut worse = None;
            self.kernel.exprs.for_each_operand(at, |operand| {
                if worse.is_none() && !self.is_good_at(operand, region, place) {
                    worse = Some(operand);
                }
            });
            match worse {
                Some(operand) => at = operand,
                None => return at,
            }
        }
    }
}
