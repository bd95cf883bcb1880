//! How the bytes of an object are named: from LLVM's types, with the names of members from debug
//! information.

use heddle_ir::Shape;

use heddle_llvm::{DebugVariable, Member, Module, Opcode, Type, TypeKind, Value};

/// Types nest no deeper than this in sane programs.
const MAX_DEPTH: u32 = 16;

/// The layout of a type; `members` are those of the structure in it, where debug information has
/// them.
pub(super) fn shape_of(module: &Module, ty: Type<'_>, members: &[Member]) -> Shape {
    shape_at(module, ty, members, MAX_DEPTH)
}

fn shape_at(module: &Module, ty: Type<'_>, members: &[Member], depth: u32) -> Shape {
    if depth == 0 {
        return Shape::Bytes;
    }
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::BFloat | TypeKind::Pointer(_) => {
            ty.store_size(module).map_or(Shape::Bytes, |bytes| Shape::Scalar { bytes })
        }
        TypeKind::Array(length, element) => {
            // `extern __shared__` and flexible arrays have length zero.
            sequence(module, element, (length > 0).then_some(length), members, depth)
        }
        TypeKind::Vector(length, element) => {
            sequence(module, element, Some(u64::from(length)), &[], depth)
        }
        TypeKind::Struct { opaque: false } => structure(module, ty, members, depth),
        TypeKind::Struct { opaque: true }
        | TypeKind::Void
        | TypeKind::Function
        | TypeKind::Event
        | TypeKind::Other => Shape::Bytes,
    }
}

fn sequence(
    module: &Module,
    element: Type<'_>,
    length: Option<u64>,
    members: &[Member],
    depth: u32,
) -> Shape {
    match element.alloc_size(module) {
        Some(stride) if stride > 0 => Shape::Array {
            stride,
            length,
            element: Box::new(shape_at(module, element, members, depth - 1)),
        },
        _ => Shape::Bytes,
    }
}

fn structure(module: &Module, ty: Type<'_>, members: &[Member], depth: u32) -> Shape {
    let size = ty.alloc_size(module).unwrap_or(0);
    if !members.is_empty() && members.iter().all(|m| m.offset + m.size <= size) {
        let named = members.iter().map(|m| {
            let inner = type_at(module, ty, m.offset, m.size, depth);
            let shape = inner
                .map_or(Shape::Scalar { bytes: m.size }, |t| shape_at(module, t, &[], depth - 1));
            (m.offset, m.name.clone(), shape)
        });
        return Shape::Struct { members: named.collect() };
    }
    let fields = ty.fields().into_iter().enumerate().filter_map(|(n, field)| {
        let offset = ty.field_offset(module, n as u32)?;
        Some((offset, n.to_string(), shape_at(module, field, &[], depth - 1)))
    });
    Shape::Struct { members: fields.collect() }
}

/// The type of the `size` bytes at `offset` of a structure.
fn type_at<'m>(
    module: &'m Module,
    ty: Type<'m>,
    offset: u64,
    size: u64,
    depth: u32,
) -> Option<Type<'m>> {
    if offset == 0 && ty.store_size(module) == Some(size) {
        return Some(ty);
    }
    let fields = ty.fields();
    let (n, start) = (0..fields.len())
        .rev()
        .filter_map(|n| ty.field_offset(module, n as u32).map(|start| (n, start)))
        .find(|(_, start)| *start <= offset)?;
    (depth > 0).then(|| type_at(module, fields[n], offset - start, size, depth - 1)).flatten()
}

/// The layout of what a pointer parameter points to, from how it is indexed.
pub(super) fn shape_behind(
    module: &Module,
    pointer: Value<'_>,
    variable: Option<&DebugVariable>,
) -> Shape {
    let members = variable.map_or(&[][..], |v| &v.members);
    let mut work = vec![(pointer, 0)];
    let mut accessed = None;
    let mut indexed: Option<Type<'_>> = None;
    let bytes = |ty: Type<'_>| ty.alloc_size(module);
    while let Some((at, depth)) = work.pop() {
        for user in at.users() {
            let Some(inst) = user.as_inst() else { continue };
            match inst.opcode() {
                Opcode::GetElementPtr if user.operand(0) == Some(at) => {
                    if let Some(element) = user.gep_source_type()
                        && element.kind() != TypeKind::Int(8)
                    {
                        // Of several views the one of the smallest elements is the least claim.
                        let known = indexed.filter(|it| bytes(*it) <= bytes(element));
                        indexed = Some(known.unwrap_or(element));
                    }
                    accessed = accessed.or(user.gep_source_type());
                }
                Opcode::AddrSpaceCast | Opcode::BitCast if depth < 8 => {
                    work.push((user, depth + 1))
                }
                Opcode::Load | Opcode::Store if inst.pointer_operand() == Some(at) => {
                    accessed = inst.accessed_type().or(accessed);
                }
                _ => {}
            }
        }
    }
    match indexed.or(accessed) {
        Some(element) => sequence(module, element, None, members, MAX_DEPTH),
        None => Shape::Bytes,
    }
}
