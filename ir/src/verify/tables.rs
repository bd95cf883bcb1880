//! Rule 1: handles, objects, parameters, origins.

use rustc_hash::FxHashMap;

use super::{Entity, Errors};
use crate::entity::ExprId;
use crate::expr::ExprKind;
use crate::initial::{Data, Initial};
use crate::kernel::{Kernel, Loop, ParamKind, Var};
use crate::object::{Object, ObjectKind, Space};

pub(super) fn check(kernel: &Kernel, errors: &mut Errors<'_>) {
    objects(kernel, errors);
    params(kernel, errors);
    origins(kernel, errors);
    handles_of_exprs(kernel, errors);
    let known = |id: ExprId| (id.as_u32() as usize) < kernel.exprs.len();
    for (id, op) in &kernel.ops {
        op.for_each_expr(|expr| {
            if !known(expr) {
                errors.add(Entity::Op(id), format!("there is no expression {expr}"));
            }
        });
        op.for_each_object(|object| {
            if !kernel.objects.is_valid(object) {
                errors.add(Entity::Op(id), format!("there is no object {object}"));
            }
        });
        if !kernel.origins.is_valid(op.origin) {
            errors.add(Entity::Op(id), format!("there is no origin {}", op.origin));
        }
    }
    for (id, Loop { pred, vars: _, body: _, cont, parent: _, origin }) in &kernel.loops {
        for expr in [*pred, *cont].into_iter().filter(|expr| !known(*expr)) {
            errors.add(Entity::Loop(id), format!("there is no expression {expr}"));
        }
        if !kernel.origins.is_valid(*origin) {
            errors.add(Entity::Loop(id), format!("there is no origin {origin}"));
        }
    }
    for (id, Var { of, width: _, init, next, name: _ }) in &kernel.vars {
        for expr in [*init, *next].into_iter().filter(|expr| !known(*expr)) {
            errors.add(Entity::Var(id), format!("there is no expression {expr}"));
        }
        if !kernel.loops.is_valid(*of) {
            errors.add(Entity::Var(id), format!("there is no loop {of}"));
        }
    }
}

fn objects(kernel: &Kernel, errors: &mut Errors<'_>) {
    let mut names = FxHashMap::default();
    for (id, object) in &kernel.objects {
        if let Some(first) = names.insert(object.name.as_str(), id) {
            errors.add(Entity::Object(id), format!("{first} has this name too"));
        }
        let fits = match object.kind {
            ObjectKind::Param(_) | ObjectKind::ParamField(..) => object.space != Space::Local,
            ObjectKind::Pointee(_) => object.space == Space::Global,
            ObjectKind::Variable => !matches!(object.space, Space::Local | Space::Generic),
            ObjectKind::DynamicShared => object.space == Space::Shared,
            ObjectKind::Alloca => object.space == Space::Local,
            ObjectKind::Unknown => true,
        };
        if !fits {
            errors.add(Entity::Object(id), format!("it cannot be in {} memory", object.space));
        }
        if let ObjectKind::Pointee(table) = object.kind
            && !(table != id && kernel.objects.is_valid(table))
        {
            errors.add(Entity::Object(id), format!("no pointers lie in {table}"));
        }
        if let Some(wrong) = wrong_start(object) {
            errors.add(Entity::Object(id), wrong);
        }
        if let ObjectKind::Param(index) = object.kind {
            let back = kernel.params.get(index as usize).map(|param| &param.kind);
            if back != Some(&ParamKind::Pointer(id)) {
                errors.add(Entity::Object(id), format!("parameter {index} does not point to it"));
            }
        }
    }
}

/// What is wrong with what an object holds at the start.
fn wrong_start(object: &Object) -> Option<String> {
    let of_module = object.kind == ObjectKind::Variable
        && matches!(object.space, Space::Global | Space::Constant);
    match &object.initial {
        Initial::Any => None,
        Initial::Fixed(_) | Initial::First(_) | Initial::Host(_) if !of_module => {
            Some("only a variable of the module has an initialiser".to_owned())
        }
        Initial::Argument(_) if object.kind != ObjectKind::Variable || !object.read_only => {
            Some("only a variable that is not written stands for an argument".to_owned())
        }
        Initial::Fixed(_) if !object.read_only => {
            Some("its contents are fixed, and it may be written".to_owned())
        }
        Initial::Fixed(data) | Initial::First(data) | Initial::Host(data) => {
            wrong_data(data, object.size)
        }
        Initial::Argument(_) => None,
    }
}

fn wrong_data(data: &Data, size: Option<u64>) -> Option<String> {
    let mut free = 0;
    for piece in &data.pieces {
        if piece.fill.is_empty() {
            return Some(format!("its initialiser has no bytes at {}", piece.offset));
        }
        if piece.offset < free {
            return Some(format!("its initialiser has two bytes at {}", piece.offset));
        }
        match piece.end() {
            Some(end) if size.is_none_or(|size| end <= size) => free = end,
            Some(_) | None => return Some("its initialiser is larger than it is".to_owned()),
        }
    }
    None
}

fn params(kernel: &Kernel, errors: &mut Errors<'_>) {
    for (index, param) in (0..).zip(&kernel.params) {
        match param.kind {
            ParamKind::Scalar { width } | ParamKind::Field { width, .. } => {
                if !(1..=128).contains(&width) {
                    errors.add(Entity::Param(index), format!("it has {width} bits"));
                }
            }
            ParamKind::Pointer(object) => match kernel.objects.get(object) {
                Some(it) if it.kind == ObjectKind::Param(index) => {}
                Some(it) => {
                    let message = format!("`{}` is not what it points to", it.name);
                    errors.add(Entity::Param(index), message);
                }
                None => errors.add(Entity::Param(index), format!("there is no object {object}")),
            },
        }
    }
}

fn origins(kernel: &Kernel, errors: &mut Errors<'_>) {
    for (id, origin) in &kernel.origins {
        if let Some(span) = origin.span
            && kernel.files.get(span.file as usize).is_none()
        {
            errors.add(Entity::Origin(id), format!("there is no file {}", span.file));
        }
        let mut at = origin.inlined_at;
        let mut steps = 0;
        while let Some(outer) = at {
            let Some(origin) = kernel.origins.get(outer) else {
                errors.add(Entity::Origin(id), format!("there is no origin {outer}"));
                break;
            };
            steps += 1;
            if steps > kernel.origins.len() {
                errors.add(Entity::Origin(id), "the calls that brought it here have no end");
                break;
            }
            at = origin.inlined_at;
        }
    }
}

/// The leaves only: operands of expressions come before their users by construction.
fn handles_of_exprs(kernel: &Kernel, errors: &mut Errors<'_>) {
    for (id, expr) in kernel.exprs.iter() {
        let missing = match &expr.kind {
            ExprKind::Param(index) if kernel.params.get(*index as usize).is_none() => {
                format!("parameter {index}")
            }
            ExprKind::Base(object) if !kernel.objects.is_valid(*object) => {
                format!("object {object}")
            }
            ExprKind::Var(var) if !kernel.vars.is_valid(*var) => format!("variable {var}"),
            ExprKind::Exit(of, _) if !kernel.loops.is_valid(*of) => format!("loop {of}"),
            ExprKind::Result(op, index) => {
                match kernel.ops.get(*op).map(|op| op.results.get(*index as usize)) {
                    Some(Some(_)) => continue,
                    Some(None) => format!("result {index} of {op}"),
                    None => format!("operation {op}"),
                }
            }
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Var(_)
            | ExprKind::Exit(..)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => continue,
        };
        errors.add(Entity::Expr(id), format!("there is no {missing}"));
    }
}
