//! What a condition says of arrays: `injective(perm, n)`.
//!
//! The first argument is a pointer argument; the others are numbers, computed with 64 bits where
//! they have more than 32. Elements have the size that the source gives them, or that all accesses
//! of the kernel have, and count as signed.
//!
//! **Promises**: such a condition stands alone or beside others with `&&`; any other place of it is
//! refused, as nothing would follow from it.
//! **Does not**: know unsigned elements; `heddle.h` does.

use heddle_ir::{
    ArrayContract, ArrayRule, CastOp, Element, ExprId, Initial, Kernel, ObjectId, ObjectKind,
    Shape, Space,
};

use super::tokens::Token;
use super::{ConditionError, Parser, Value};

impl Parser<'_> {
    /// Whether the name that was taken last is called.
    pub(super) fn is_called(&self) -> bool {
        *self.peek() == Token::Sign("(")
    }

    /// The condition whose name was taken last.
    pub(super) fn array(&mut self, name: &str) -> Result<Value, ConditionError> {
        let Some(rule) = ArrayRule::from_name(name) else {
            let names: Vec<_> = ArrayRule::ALL.iter().map(|it| format!("`{it}`")).collect();
            let message =
                format!("`{name}` is nothing that arrays keep; these are: {}", names.join(", "));
            return Err(self.error_before(message));
        };
        self.take();
        let pointer = match self.take() {
            Token::Name(pointer) => pointer,
            other @ (Token::Number(_) | Token::Sign(_) | Token::End) => {
                return Err(self.error_before(format!("expected a pointer argument, not {other}")));
            }
        };
        let Some(object) = buffer(self.kernel, &pointer) else {
            let message = format!(
                "the kernel `{}` has no pointer argument `{pointer}`",
                self.kernel.display_name
            );
            let error = self.error_before(message);
            return Err(ConditionError { unknown_name: Some(pointer), ..error });
        };
        let bytes = element_bytes(self.kernel, object);
        let Some(element) = bytes.and_then(|it| Element::new(it, true)) else {
            let message = format!(
                "what `{pointer}` leads to is not known to be integers of one size; say it in the source with `heddle.h`"
            );
            return Err(self.error_before(message));
        };
        let count = self.argument()?;
        let zero = self.kernel.exprs.constant(0, 64);
        let bounds = match rule {
            ArrayRule::Range => [self.argument()?, self.argument()?],
            ArrayRule::Injective | ArrayRule::Sorted | ArrayRule::Ascending => [zero, zero],
        };
        match self.take() {
            Token::Sign(")") => {}
            other @ (Token::Number(_) | Token::Name(_) | Token::Sign(_) | Token::End) => {
                return Err(self.error_before(format!("expected `)`, not {other}")));
            }
        }
        let contract = ArrayContract { rule, element, object, start: zero, count, bounds };
        Ok(contract.bit(&mut self.kernel.exprs))
    }

    /// A comma and a number, of 64 bits.
    fn argument(&mut self) -> Result<ExprId, ConditionError> {
        match self.take() {
            Token::Sign(",") => {}
            other @ (Token::Number(_) | Token::Name(_) | Token::Sign(_) | Token::End) => {
                return Err(self.error_before(format!("expected `,` and a number, not {other}")));
            }
        }
        let value = self.binary(0)?;
        let number = self.number(value);
        Ok(self.kernel.exprs.cast(CastOp::Sext, number, 64))
    }

    /// Refuses what is said of arrays anywhere but in the condition itself and beside others with
    /// `&&`.
    pub(super) fn arrays_stand_alone(&self, value: Value) -> Result<(), ConditionError> {
        let pool = &self.kernel.exprs;
        let is_array = |id: ExprId| ArrayContract::of(pool, id).is_some();
        // A number is no place for them at all.
        let is_condition = self.least == 32 && pool.width(value) == 1;
        let parts = if is_condition { pool.conjuncts(value) } else { vec![value] };
        let mut wrong = false;
        for part in parts.iter().filter(|it| !is_condition || !is_array(**it)) {
            pool.for_each_below(*part, |it| wrong |= is_array(it));
        }
        for array in parts.into_iter().filter_map(|it| ArrayContract::of(pool, it)) {
            for id in [array.count, array.bounds[0], array.bounds[1]] {
                pool.for_each_below(id, |it| wrong |= is_array(it));
            }
        }
        match wrong {
            false => Ok(()),
            true => Err(self.error(
                "what an array keeps stands alone, or beside other conditions with `&&`".to_owned(),
            )),
        }
    }
}

/// What a pointer argument of this name leads to, where the host says what that holds.
fn buffer(kernel: &Kernel, name: &str) -> Option<ObjectId> {
    let is_buffer = |id: &ObjectId| {
        let object = &kernel[*id];
        object.name == name
            && matches!(object.kind, ObjectKind::Param(_) | ObjectKind::ParamField(..))
            && matches!(object.initial, Initial::Any | Initial::Host(_))
            && object.space != Space::Shared
    };
    kernel.objects.keys().find(is_buffer)
}

/// Bytes of an element: as the source has it, else of all accesses of the kernel.
fn element_bytes(kernel: &Kernel, object: ObjectId) -> Option<u64> {
    match &kernel[object].shape {
        Shape::Array { stride, element, .. } => {
            return match **element {
                Shape::Scalar { .. } | Shape::Bytes => Some(*stride),
                Shape::Array { .. } | Shape::Struct { .. } => None,
            };
        }
        Shape::Scalar { bytes } => return Some(*bytes),
        Shape::Struct { .. } => return None,
        Shape::Bytes => {}
    }
    let accesses = kernel.ops.keys().filter_map(|op| kernel.access(op));
    let mut sizes = accesses
        .filter(|it| it.address.object == object)
        .map(|it| kernel.exprs.as_const(it.size).and_then(|it| u64::try_from(it).ok()));
    let first = sizes.next()??;
    sizes.all(|it| it == Some(first)).then_some(first)
}
