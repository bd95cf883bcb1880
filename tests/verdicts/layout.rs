//! Sizes, alignments and fields as on both targets, and the conversions of integers.

use crate::parse_expr::vector_type;
use crate::syntax::{IntTy, Program, Ty};

/// Size and alignment in bytes.
pub(crate) fn size_and_align(program: &Program, ty: &Ty) -> Result<(u64, u64), String> {
    Ok(match ty {
        Ty::Void => return Err("the size of void".to_owned()),
        Ty::Int(ty) => (ty.bytes(), ty.bytes()),
        Ty::Float => (4, 4),
        Ty::Double | Ty::Ptr(_) => (8, 8),
        Ty::Array(of, length) => {
            let (size, align) = size_and_align(program, of)?;
            (size * length, align)
        }
        Ty::Aggregate(name) => match fields(program, name)? {
            (_, fields) if fields.is_empty() => return Err("no fields".to_owned()),
            (is_union, fields) => {
                let mut end = 0u64;
                let mut align = 1;
                for (_, field) in &fields {
                    let (size, of_field) = size_and_align(program, field)?;
                    align = align.max(of_field);
                    let at = if is_union { 0 } else { end.next_multiple_of(of_field) };
                    end = end.max(at + size);
                }
                if let Some((component, count)) = vector_type(name) {
                    // CUDA's `double4` and `longlong4` are aligned by 16.
                    align = (size_and_align(program, &component)?.0 * count).min(16);
                }
                (end.next_multiple_of(align), align)
            }
        },
    })
}

fn fields(program: &Program, name: &str) -> Result<(bool, Vec<(String, Ty)>), String> {
    if let Some(found) = program.aggregates.iter().find(|it| it.name == name) {
        return Ok((found.is_union, found.fields.clone()));
    }
    let (component, count) = vector_type(name).ok_or_else(|| format!("type {name}"))?;
    let names = ["x", "y", "z", "w"].into_iter().take(count as usize);
    Ok((false, names.map(|it| (it.to_owned(), component.clone())).collect()))
}

/// Offset and type of a field.
pub(crate) fn field(program: &Program, ty: &Ty, name: &str) -> Result<(u64, Ty), String> {
    let Ty::Aggregate(aggregate) = ty else { return Err(format!("field {name}")) };
    let (is_union, fields) = fields(program, aggregate)?;
    let mut end = 0u64;
    for (field, ty) in fields {
        let (size, align) = size_and_align(program, &ty)?;
        let at = if is_union { 0 } else { end.next_multiple_of(align) };
        if field == name {
            return Ok((at, ty));
        }
        end = at + size;
    }
    Err(format!("field {name}"))
}

/// The integer promotions (C11, 6.3.1.1).
pub(crate) fn promoted(ty: IntTy) -> IntTy {
    if ty.bits < 32 { IntTy::INT } else { ty }
}

/// The usual arithmetic conversions of two integers (C11, 6.3.1.8).
pub(crate) fn common(a: IntTy, b: IntTy) -> IntTy {
    let (a, b) = (promoted(a), promoted(b));
    match a.bits.cmp(&b.bits) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => IntTy { bits: a.bits, signed: a.signed && b.signed },
    }
}
