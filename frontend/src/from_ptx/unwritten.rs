//! What is read before it is written: some number, which stays the same until something is written.
//!
//! PTX does not call it undefined to read a register, or memory of the thread, that was not
//! written; LLVM's preparation does, and may take a value of which one way to it is undefined for
//! that of another way. **Claim**: no value of the module is undefined where PTX has a number.
//! **Method**: each register starts with a frozen number of its own; so does each part of a
//! thread's variable that is loaded from an address known in the text, with the type of the load.
//! What is written first on all paths replaces it. **Does not**: see loads whose address is
//! computed, chosen, or handed to a function; of a variable that is indexed, memory stays memory,
//! and what was not written to it is not known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Step, What};
use crate::ptx::{Address, Class, Offset, Operand, PureOp, RegId, Role};

/// Moves that are followed from a register to a variable.
const MOST_MOVES: usize = 16;

/// By register: the steps that write it.
pub(super) type Written = FxHashMap<RegId, Vec<usize>>;

/// A part of a variable of the thread that is loaded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Loaded {
    variable: String,
    offset: i64,
    ty: String,
}

/// The part that a step loads as a value of this type and size, where its address is known.
pub(super) fn loaded(
    body: &Body,
    written: &Written,
    step: usize,
    address: &Address,
    ty: &str,
    bytes: u32,
) -> Option<Loaded> {
    let Offset::Bytes(by) = address.offset else { return None };
    let (local, offset) = fixed(body, written, &address.base, step, MOST_MOVES)?;
    let local = &body.locals[local];
    let size = local.variable.bytes.and_then(|it| i64::try_from(it).ok()).unwrap_or(0);
    let offset = offset.checked_add(i64::try_from(by).ok()?)?;
    let is_inside = offset >= 0 && offset.checked_add(i64::from(bytes))? <= size;
    let (variable, ty) = (local.ir_name.clone(), ty.to_owned());
    is_inside.then_some(Loaded { variable, offset, ty })
}

/// The variable of the thread, and the byte of it, that an operand of a step is the address of,
/// however the step is reached.
fn fixed(
    body: &Body,
    written: &Written,
    operand: &Operand,
    step: usize,
    moves: usize,
) -> Option<(usize, i64)> {
    let id = match operand {
        Operand::Symbol(name) => {
            let local = body.local(&body.steps[step], name)?;
            let n = body.locals.iter().position(|it| std::ptr::eq(it, local))?;
            return local.ir_name.starts_with('%').then_some((n, 0));
        }
        Operand::Reg(id) => id,
        _ => return None,
    };
    let [step] = written.get(id)?[..] else { return None };
    let What::Instruction(it) = &body.steps[step].what else { return None };
    let (Class::Pure { op, .. }, moves) = (&it.class, moves.checked_sub(1)?) else {
        return None;
    };
    let (a, b) = (it.operand(Role::Value)?, it.operand(Role::Second));
    match (op, a, b) {
        (PureOp::Move | PureOp::ConvertAddress { .. }, _, _) => {
            fixed(body, written, a, step, moves)
        }
        (PureOp::Add, from, Some(Operand::Int(by)))
        | (PureOp::Add, Operand::Int(by), Some(from)) => {
            let (variable, at) = fixed(body, written, from, step, moves)?;
            Some((variable, at.checked_add(i64::try_from(*by).ok()?)?))
        }
        _ => None,
    }
}

/// The lines that give what is loaded its first value.
pub(super) fn first_values(loaded: &FxHashSet<Loaded>) -> Vec<String> {
    let mut all: Vec<&Loaded> = loaded.iter().collect();
    all.sort_unstable();
    let mut lines = Vec::new();
    for (n, it) in all.into_iter().enumerate() {
        let Loaded { variable, offset, ty } = it;
        lines.push(format!("%.at{n} = getelementptr i8, ptr {variable}, i64 {offset}"));
        lines.extend(first(&format!("%.held{n}"), ty));
        lines.push(format!("store {ty} %.held{n}, ptr %.at{n}, align 1"));
    }
    lines
}

/// Lines that define a name as some value of a type.
pub(super) fn first(name: &str, ty: &str) -> Vec<String> {
    if ty != "ptr" {
        return vec![format!("{name} = freeze {ty} undef")];
    }
    let number = match name.strip_suffix('"') {
        Some(quoted) => format!("{quoted}.n\""),
        None => format!("{name}.n"),
    };
    vec![format!("{number} = freeze i64 undef"), format!("{name} = inttoptr i64 {number} to ptr")]
}

/// The steps that write each register.
pub(super) fn written(steps: &[Step]) -> Written {
    let mut written = Written::default();
    for (n, step) in steps.iter().enumerate() {
        let What::Instruction(it) = &step.what else { continue };
        for (_, operand) in it.operands.iter().filter(|(role, _)| role.writes()) {
            operand.walk(&mut |part| {
                if let Operand::Reg(id) = part {
                    written.entry(*id).or_default().push(n);
                }
            });
        }
    }
    written
}
