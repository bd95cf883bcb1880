//! What is read before it is written: some number, which stays the same until something is written.
//!
//! PTX does not call it undefined to read a register, or memory of the thread, that was not
//! written; LLVM's preparation does, and may take a value of which one way to it is undefined for
//! that of another way. **Claim**: no value of the module is undefined where PTX has a number.
//! **Method**: each register starts with a frozen number of its own; so does each part of a
//! thread's variable that is loaded from an address known in the text, or from one of several, with
//! the type of the load. What is written first on all paths replaces it. **Does not**: see loads
//! whose address is computed, or handed to a function; of a variable that is indexed, memory stays
//! memory, and what was not written to it is not known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Step, What};
use heddle_ptx::{Address, Class, Offset, Operand, PureOp, RegId, Role};

/// Moves that are followed from an address to variables.
const MOST_MOVES: usize = 64;

/// By register: the steps that write it.
pub(super) type Written = FxHashMap<RegId, Vec<usize>>;

/// A part of a variable of the thread that is loaded.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Loaded {
    variable: String,
    offset: i64,
    ty: String,
}

/// The parts that a step may load as a value of this type and size, where its address is known.
pub(super) fn loaded(
    body: &Body,
    written: &Written,
    step: usize,
    address: &Address,
    ty: &str,
    bytes: u32,
) -> Vec<Loaded> {
    let Offset::Bytes(by) = address.offset else { return Vec::new() };
    let mut found = Vec::new();
    let mut work = vec![(&*address.base, step, by)];
    for _ in 0..MOST_MOVES {
        let Some((operand, step, by)) = work.pop() else { break };
        match operand {
            Operand::Symbol(name) => {
                let Some(local) = body.local(&body.steps[step], name) else { continue };
                let size = local.variable.bytes.map_or(0, i128::from);
                let Ok(offset) = i64::try_from(by) else { continue };
                if local.ir_name.starts_with('%') && by >= 0 && by + i128::from(bytes) <= size {
                    let (variable, ty) = (local.ir_name.clone(), ty.to_owned());
                    found.push(Loaded { variable, offset, ty });
                }
            }
            Operand::Reg(id) => {
                for step in written.get(id).into_iter().flatten().copied() {
                    moved_from(body, step, by, &mut work);
                }
            }
            _ => {}
        }
    }
    found
}

/// What the result of a step may be, and by how many bytes that is moved.
fn moved_from<'a>(
    body: &'a Body,
    step: usize,
    by: i128,
    work: &mut Vec<(&'a Operand, usize, i128)>,
) {
    let What::Instruction(it) = &body.steps[step].what else { return };
    let Class::Pure { op, .. } = &it.class else { return };
    match (op, it.operand(Role::Value), it.operand(Role::Second)) {
        (PureOp::Move | PureOp::ConvertAddress { .. }, Some(a), _) => work.push((a, step, by)),
        (PureOp::Select, Some(a), Some(b)) => work.extend([(a, step, by), (b, step, by)]),
        (PureOp::Add, Some(from), Some(Operand::Int(more)))
        | (PureOp::Add, Some(Operand::Int(more)), Some(from)) => {
            work.push((from, step, by.saturating_add(*more)));
        }
        _ => {}
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
