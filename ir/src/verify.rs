//! Says whether a kernel keeps the rules of the IR. Every other part may rely on them.
//!
//! 1. **Tables**: every handle points into its table. Object names are unique and every origin
//!    chain ends. A pointer parameter and its object name each other. A module variable is not
//!    local, dynamic shared memory is shared, an alloca is local, a parameter's object is not
//!    local.
//! 2. **Tree**: each operation and each loop stands in it exactly once; a loop's `parent` is the
//!    loop it stands in; each variable is listed once, by the loop it says it is of.
//! 3. **Widths**: 1 to 128 bits; operands and results of operators as [`ExprKind`](crate::ExprKind)
//!    says; a constant has no bits above its width; specials have 32, bases 64, parameters,
//!    variables, results and exits those of what they stand for. A pointer parameter has no value.
//!    No [`ExprKind::Sym`](crate::ExprKind::Sym).
//! 4. **Scopes**: a variable is used inside its loop (after the start values); a result after its
//!    operation, inside the loop that has it; an exit after its loop, in the region that has it or
//!    deeper, and what it looks at is meaningful at the end of that loop's body.
//! 5. **Operations**: predicates and conditions have one bit, offsets and sizes 64. The elements of
//!    an access fill its size where that is constant; an atomic says order and scope, and has the
//!    operands of its kind. The number and widths of results and operands fit the kind; a result
//!    nobody wants may be left out from the back. A barrier object may be in shared memory,
//!    `cp.async` goes from global to shared.
//!
//! Not verified: that predicates imply each other where the source program makes them (a result
//! used by a thread that did not execute the operation); that no-wrap facts hold; that a read-only
//! object is not written; that offsets stay inside the object; that loops end; that an opaque
//! operation lists all it touches; that layouts fit sizes; launch bounds.

mod exprs;
mod ops;
mod tables;
mod tree;

use std::fmt;

use crate::entity::{ExprId, LoopId, ObjectId, OpId, OriginId, VarId};
use crate::kernel::Kernel;

/// A rule that a kernel breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Where.
    pub entity: Entity,
    /// The entity as text, where it has one.
    pub text: String,
    /// What is wrong.
    pub message: String,
}

/// What an error is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entity {
    /// The kernel.
    Kernel,
    /// A parameter, by position.
    Param(u32),
    /// An object.
    Object(ObjectId),
    /// A source place.
    Origin(OriginId),
    /// An expression.
    Expr(ExprId),
    /// A loop.
    Loop(LoopId),
    /// A loop variable.
    Var(VarId),
    /// An operation.
    Op(OpId),
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entity::Kernel => f.write_str("kernel"),
            Entity::Param(index) => write!(f, "param {index}"),
            Entity::Object(id) => write!(f, "{id}"),
            Entity::Origin(id) => write!(f, "{id}"),
            Entity::Expr(id) => write!(f, "{id}"),
            Entity::Loop(id) => write!(f, "{id}"),
            Entity::Var(id) => write!(f, "{id}"),
            Entity::Op(id) => write!(f, "{id}"),
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerifyError { entity, text, message } = self;
        match text.is_empty() {
            true => write!(f, "{entity}: {message}"),
            false => write!(f, "{entity} `{text}`: {message}"),
        }
    }
}

impl std::error::Error for VerifyError {}

/// Checks all rules; all errors found, in the order of the rules. Where handles point nowhere or
/// the tree is no tree, the rules that need them are not looked at.
pub fn verify(kernel: &Kernel) -> Result<(), Vec<VerifyError>> {
    let mut errors = Errors { kernel, list: Vec::new(), with_text: false };
    tables::check(kernel, &mut errors);
    tree::check(kernel, &mut errors);
    if errors.list.is_empty() {
        errors.with_text = true;
        exprs::check_widths(kernel, &mut errors);
        exprs::check_scopes(kernel, &mut errors);
        ops::check(kernel, &mut errors);
    }
    if errors.list.is_empty() { Ok(()) } else { Err(errors.list) }
}

/// The errors so far.
struct Errors<'k> {
    kernel: &'k Kernel,
    list: Vec<VerifyError>,
    /// Whether handles are good enough to print.
    with_text: bool,
}

impl Errors<'_> {
    fn add(&mut self, entity: Entity, message: impl Into<String>) {
        let text = match entity {
            Entity::Expr(id) if self.with_text => crate::text::show_expr(self.kernel, id),
            Entity::Op(id) if self.with_text => crate::text::show_op(self.kernel, id),
            Entity::Object(id) => self.kernel.objects.get(id).map_or("", |it| &it.name).to_owned(),
            Entity::Var(id) => match self.kernel.vars.get(id) {
                Some(var) => var.name.clone().unwrap_or_default(),
                None => String::new(),
            },
            Entity::Kernel
            | Entity::Param(_)
            | Entity::Origin(_)
            | Entity::Loop(_)
            | Entity::Expr(_)
            | Entity::Op(_) => String::new(),
        };
        self.list.push(VerifyError { entity, text, message: message.into() });
    }
}
