//! How a kernel's stub takes the kernel's arguments.
//!
//! **What**: for each parameter of the kernel, which arguments of the stub hold which of its bytes,
//! or which one is its address.
//! **Method**: the stub is read. It puts what it is given into variables, and their addresses into
//! a table for `cudaLaunchKernel`, or into calls of `cudaSetupArgument`: in the order of the
//! kernel's parameters.
//! **Sound because** these variables are what the kernel gets, whatever rules of the target clang
//! followed (nothing is passed for what is empty, or for registers that hold padding alone). A stub
//! with anything that is not understood has no answer.
//! **Misses**: bytes that the stub moves about in memory.

use heddle_llvm::{Function, Inst, Module, Opcode, TypeKind, Value, ValueKind};

use super::names::plain;

/// How a parameter of the kernel comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The argument of this index is its address.
    At(u32),
    /// Its bytes are in arguments; those that none holds are padding.
    In(Vec<Piece>),
}

/// Some bytes of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The index of the argument.
    pub(super) argument: u32,
    /// The first byte of the parameter that it holds, and how many.
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

/// How a stub takes each parameter of its kernel.
pub(super) fn taken(module: &Module, stub: Function<'_>) -> Option<Vec<Taken>> {
    let named = |it: &Inst<'_>, name: &str| {
        it.called_function().is_some_and(|callee| plain(&callee.name()) == name)
    };
    let calls: Vec<_> = stub.instructions().filter(|it| it.is_call()).collect();
    let mut launches = calls.iter().filter(|it| named(it, "cudaLaunchKernel"));
    let variables = match (launches.next(), launches.next()) {
        (Some(launch), None) => of_table(module, *launch.arguments().get(5)?)?,
        (Some(_), Some(_)) => return None,
        (None, _) => {
            let set = calls.iter().filter(|it| named(it, "cudaSetupArgument"));
            let mut all = Vec::new();
            for call in set {
                let [address, _, offset] = call.arguments()[..] else { return None };
                all.push((offset.const_int()?, address));
            }
            all.sort_by_key(|(offset, _)| *offset);
            all.into_iter().map(|(_, address)| address).collect()
        }
    };
    variables.into_iter().map(|it| variable(module, it)).collect()
}

/// The addresses that are put into a table, in its order.
fn of_table<'m>(module: &'m Module, table: Value<'m>) -> Option<Vec<Value<'m>>> {
    let is_launch = |it: Inst<'_>| it.is_call() && it.arguments().get(5) == Some(&table);
    let mut entries = Vec::new();
    for (at, user, to) in uses(module, table)? {
        match user.opcode() {
            Opcode::Store if user.operand(1) == Some(to) => entries.push((at, user.operand(0)?)),
            Opcode::Call if is_launch(user) => {}
            _ => return None,
        }
    }
    entries.sort_by_key(|(at, _)| *at);
    let in_order = entries.iter().zip(0..).all(|((at, _), n)| *at == 8 * n);
    in_order.then(|| entries.into_iter().map(|(_, it)| it).collect())
}

/// What is put into a variable.
fn variable<'m>(module: &'m Module, at: Value<'m>) -> Option<Taken> {
    if let Some(argument) = at.as_argument() {
        return Some(Taken::At(argument.index()));
    }
    let mut pieces = pieces(module, at, true)?;
    pieces.sort_by_key(|it| it.offset);
    let apart = pieces.windows(2).all(|it| it[0].offset + it[0].bytes <= it[1].offset);
    apart.then_some(Taken::In(pieces))
}

/// The arguments that are put into a variable, or into one that is copied into it: a structure
/// comes in registers that are larger than it. What nobody has put anything into is padding.
fn pieces<'m>(module: &'m Module, at: Value<'m>, is_parameter: bool) -> Option<Vec<Piece>> {
    at.as_inst().filter(|it| it.opcode() == Opcode::Alloca)?;
    let mut pieces = Vec::new();
    for (offset, user, to) in uses(module, at)? {
        match user.opcode() {
            Opcode::Store if user.operand(1) == Some(to) => {
                let value = user.operand(0)?;
                // Padding, taken from a variable that nobody put it into.
                if matches!(value.kind(), ValueKind::Undef | ValueKind::Poison) {
                    continue;
                }
                let bytes = value.ty().store_size(module)?;
                let argument = argument(value)?;
                pieces.push(Piece { argument, offset, bytes });
            }
            // Its address goes into the table.
            Opcode::Store if is_parameter => {}
            Opcode::Call if only_reads(user) => {}
            Opcode::Call if is_copy(user) => {
                let [target, source, bytes, ..] = user.arguments()[..] else { return None };
                let bytes = u64::try_from(bytes.const_int()?).ok()?;
                // What it is copied from stays as it is.
                if target != to {
                    (!is_parameter && source == to).then_some(())?;
                    continue;
                }
                is_parameter.then_some(())?;
                for piece in self::pieces(module, source, false)? {
                    (piece.offset + piece.bytes <= bytes).then_some(())?;
                    pieces.push(Piece { offset: offset + piece.offset, ..piece });
                }
            }
            _ => return None,
        }
    }
    Some(pieces)
}

/// Whether a call copies memory.
fn is_copy(call: Inst<'_>) -> bool {
    call.called_function().is_some_and(|it| it.name().starts_with("llvm.memcpy."))
}

/// Whether a call changes nothing of the variable whose address it takes.
fn only_reads(call: Inst<'_>) -> bool {
    let callee = call.called_function().map(Function::name).unwrap_or_default();
    plain(&callee) == "cudaSetupArgument" || callee.starts_with("llvm.lifetime.")
}

/// The argument that a value is: a `bool` is a byte in memory, and a bit in a register.
fn argument(value: Value<'_>) -> Option<u32> {
    if let Some(inst) = value.as_inst().filter(|it| it.opcode() == Opcode::ZExt) {
        let from = inst.operand(0)?;
        (from.ty().kind() == TypeKind::Int(1)).then_some(())?;
        return argument(from);
    }
    Some(value.as_argument()?.index())
}

/// The instructions that use an address or one at a constant distance from it: the distance, the
/// instruction, the address that it uses.
fn uses<'m>(module: &'m Module, base: Value<'m>) -> Option<Vec<(u64, Inst<'m>, Value<'m>)>> {
    let (mut all, mut work) = (Vec::new(), vec![(0, base)]);
    while let Some((offset, at)) = work.pop() {
        for user in at.users() {
            let inst = user.as_inst()?;
            match inst.opcode() {
                Opcode::GetElementPtr => work.push((offset + distance(module, user)?, user)),
                _ => all.push((offset, inst, at)),
            }
        }
    }
    Some(all)
}

/// How far a step goes, where that is a number.
fn distance(module: &Module, step: Value<'_>) -> Option<u64> {
    let mut over = step.gep_source_type()?;
    let mut bytes = 0u64;
    for n in 1..step.operand_count() {
        let index = u64::try_from(step.operand(n)?.const_int()?).ok()?;
        if n > 1 {
            over = match over.kind() {
                TypeKind::Array(_, element) => element,
                TypeKind::Struct { opaque: false } => {
                    let field = u32::try_from(index).ok()?;
                    bytes = bytes.checked_add(over.field_offset(module, field)?)?;
                    over = *over.fields().get(field as usize)?;
                    continue;
                }
                _ => return None,
            };
        }
        bytes = bytes.checked_add(over.alloc_size(module)?.checked_mul(index)?)?;
    }
    Some(bytes)
}
