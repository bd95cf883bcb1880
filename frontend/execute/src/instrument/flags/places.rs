//! Where accesses stand, for `flags`: the words that an address begins with, and whether other
//! addresses may lead to one.

use std::collections::HashSet;

use heddle_ir::Scope;
use heddle_llvm::{Inst, Module, Opcode, Ordering, TypeKind, Value};
use heddle_ptx::Class;

/// The variables and parameters that an address may begin with.
pub(super) type Places<'m> = HashSet<Value<'m>>;

/// What an instruction does to memory.
pub(super) enum Touch<'m> {
    /// Nothing that is of interest.
    Nothing,
    /// One access.
    At { place: Value<'m>, size: Option<u64>, is_plain: bool },
    /// It is not known what, by these pointers.
    Unknown(Vec<Value<'m>>),
}

/// What an instruction does to memory, with the bytes that it accesses.
pub(super) fn touch<'m>(module: &'m Module, inst: Inst<'m>) -> Touch<'m> {
    let bytes = || inst.accessed_type().and_then(|it| it.store_size(module));
    match inst.opcode() {
        Opcode::Load | Opcode::Store => match inst.pointer_operand() {
            Some(place) => {
                let is_plain = !inst.is_volatile() && inst.ordering() == Ordering::NotAtomic;
                Touch::At { place, size: bytes(), is_plain }
            }
            None => Touch::Nothing,
        },
        Opcode::AtomicRmw | Opcode::CmpXchg => match touch_of_atomic(inst) {
            Touch::At { place, size: _, is_plain } => Touch::At { place, size: bytes(), is_plain },
            other => other,
        },
        Opcode::Call => match touch_of_atomic(inst) {
            Touch::At { place, size: None, is_plain } => {
                Touch::At { place, size: inst.ty().store_size(module), is_plain }
            }
            other => other,
        },
        _ => Touch::Nothing,
    }
}

/// Where an atomic stands: an instruction, or an intrinsic or inline PTX with one address. Its size
/// is told of inline PTX alone.
pub(super) fn touch_of_atomic(inst: Inst<'_>) -> Touch<'_> {
    let at = |place, size| Touch::At { place, size, is_plain: false };
    match inst.opcode() {
        Opcode::AtomicRmw | Opcode::CmpXchg => {
            inst.pointer_operand().map_or(Touch::Nothing, |place| at(place, None))
        }
        Opcode::Call => match inst.called_function() {
            Some(function) if scope_of_atomic(&function.name()).is_some() => {
                inst.arguments().first().map_or(Touch::Nothing, |place| at(*place, None))
            }
            Some(_) => Touch::Nothing,
            None => {
                let Some(asm) = inst.callee().and_then(|it| it.as_inline_asm()) else {
                    return Touch::Nothing;
                };
                let arguments = inst.arguments();
                match one_access(&asm.text, &asm.constraints) {
                    Some((n, size)) if n < arguments.len() => at(arguments[n], Some(size)),
                    _ => {
                        Touch::Unknown(arguments.into_iter().filter(|it| is_address(*it)).collect())
                    }
                }
            }
        },
        _ => Touch::Nothing,
    }
}

/// The scope of an atomic that is an intrinsic of NVVM.
pub(in crate::instrument) fn scope_of_atomic(name: &str) -> Option<Scope> {
    match heddle_ptx::intrinsic(name.strip_prefix("llvm.nvvm.")?)?.class {
        Class::Atomic { scope, .. } => Some(scope),
        _ => None,
    }
}

fn is_address(value: Value<'_>) -> bool {
    matches!(value.ty().kind(), TypeKind::Pointer(_))
}

/// The argument that is the address of inline PTX which is one access, and its bytes.
fn one_access(text: &str, constraints: &str) -> Option<(usize, u64)> {
    let text = text.trim();
    let text = text.strip_suffix(';').unwrap_or(text).trim_end();
    let (mnemonic, operands) = text.split_once(char::is_whitespace)?;
    if text.contains([';', '{', '@', '/']) || text.matches('[').count() != 1 {
        return None;
    }
    let known = ["ld.", "st.", "atom.", "red."].iter().any(|it| mnemonic.starts_with(it));
    let element = mnemonic.rsplit('.').next().filter(|_| known)?;
    let bits: u64 = element.trim_start_matches(['b', 'u', 's', 'f']).parse().ok()?;
    let (_, address) = operands.split_once('[')?;
    let number = address.trim_start().strip_prefix('$')?;
    let digits = number.find(|it: char| !it.is_ascii_digit()).unwrap_or(number.len());
    let operand: usize = number[..digits].parse().ok()?;
    let outputs = constraints.split(',').filter(|it| it.starts_with('=')).count();
    Some((operand.checked_sub(outputs)?, bits / 8))
}

/// The variables and parameters that an address begins with; none where it begins elsewhere. The
/// thread's own memory is no word.
pub(super) fn places(address: Value<'_>) -> Option<Places<'_>> {
    let (mut places, mut seen) = (HashSet::new(), HashSet::new());
    let mut work = vec![address];
    while let Some(at) = work.pop() {
        if !seen.insert(at) {
            continue;
        }
        if at.as_argument().is_some() || at.as_global().is_some() {
            places.insert(at);
            continue;
        }
        // An address of a variable may be a constant.
        match at.as_inst().map(Inst::opcode).or_else(|| at.const_opcode())? {
            Opcode::GetElementPtr | Opcode::AddrSpaceCast | Opcode::BitCast => {
                work.push(at.operand(0)?);
            }
            Opcode::Select => work.extend([at.operand(1)?, at.operand(2)?]),
            Opcode::Phi => work.extend(at.as_inst()?.incoming().into_iter().map(|it| it.0)),
            Opcode::Alloca => {}
            _ => return None,
        }
    }
    Some(places)
}

/// Whether what begins elsewhere may lead to a word: its address goes where it is not followed.
pub(super) fn is_reached(word: Value<'_>) -> bool {
    let (mut seen, mut work) = (HashSet::new(), vec![word]);
    while let Some(address) = work.pop() {
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            let opcode = user.as_inst().map(Inst::opcode).or_else(|| user.const_opcode());
            let is_followed = match (opcode, user.as_inst()) {
                (
                    Some(
                        Opcode::GetElementPtr
                        | Opcode::AddrSpaceCast
                        | Opcode::BitCast
                        | Opcode::Select
                        | Opcode::Phi,
                    ),
                    _,
                ) => {
                    work.push(user);
                    true
                }
                (Some(Opcode::Load | Opcode::ICmp), _) => true,
                (Some(Opcode::Store), Some(store)) => store.operand(0) != Some(address),
                (Some(Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Call), Some(inst)) => {
                    is_only_place(inst, address)
                }
                (None, None) => is_list_of_kept(user),
                _ => false,
            };
            if !is_followed {
                return true;
            }
        }
    }
    false
}

/// Whether a constant is the list of what LLVM is to keep, through which nobody reads or writes.
fn is_list_of_kept(constant: Value<'_>) -> bool {
    let users = constant.users();
    let is_list = |it: &Value<'_>| {
        it.as_global().is_some() && matches!(it.name().as_str(), "llvm.compiler.used" | "llvm.used")
    };
    !users.is_empty() && users.iter().all(is_list)
}

/// Whether an atomic, or a call that touches nothing, has a pointer as its address alone.
fn is_only_place(inst: Inst<'_>, address: Value<'_>) -> bool {
    let name = inst.called_function().map(|it| it.name()).unwrap_or_default();
    let quiet = ["llvm.lifetime.", "llvm.prefetch", "llvm.dbg.", "llvm.memset."];
    if quiet.iter().any(|it| name.starts_with(it)) {
        return true;
    }
    let Touch::At { place, .. } = touch_of_atomic(inst) else { return false };
    place == address && inst.operands().filter(|it| *it == address).count() == 1
}
