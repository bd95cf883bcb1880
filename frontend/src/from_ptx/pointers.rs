//! Which numbers are pointers: parameters, what is loaded, and registers.
//!
//! **Claim 1**: a parameter or a loaded number of 64 bits that an address is made of by adding
//! numbers to it is a pointer, and may be typed so; its value is the same. **Method**: back from
//! each address, and from each `cvta`, through moves, sums and choices, to loads and names. A sum
//! of two of them counts where one is certain (`.ptr`, a variable), else neither does. **Sound
//! because** a type changes no value; that arguments of pointer type do not overlap is an
//! assumption that proofs name, as for any kernel. **Misses**: pointers that are handed to a
//! function of another file and used there alone.
//!
//! **Claim 2**: a register of which each definition is a pointer, or one moved by a number, is kept
//! as a pointer; what reads it as a number gets its address, cut to the register's width, and so
//! does an access through a register of 32 bits. **Sound because** the steps are those of the
//! numbers: a sum of 64 bits wraps as the step of a pointer does, and one of 32 bits, whose numbers
//! are widened as signed, is exact modulo 2^32, which is all that is read of it. No such step
//! promises to stay in an object (`inbounds`): where the number may be a distance of objects, or
//! which pointer is lower is asked, the lift goes by addresses. **Misses**: bits that are masked or
//! packed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, What};
use super::file::{File, Function};
use heddle_ptx::{
    Address, Class, Half, Instruction, Offset, Operand, PureOp, RegId, Role, Space, TypeKind,
};

/// What was found.
#[derive(Default)]
pub(super) struct Pointers {
    /// Positions of parameters.
    pub(super) parameters: FxHashSet<usize>,
    /// Steps that load one.
    pub(super) loads: FxHashSet<usize>,
    /// Registers that are kept as pointers.
    pub(super) registers: FxHashSet<RegId>,
}

/// Where an address comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leaf {
    /// The step that loads it; none of a variable.
    step: Option<usize>,
    /// It is a pointer for certain.
    certain: bool,
}

/// Steps that are looked at for one address.
const MOST_STEPS: usize = 1 << 10;

/// The pointers of a function.
pub(super) fn of(file: &File, function: &Function, body: &Body) -> Pointers {
    let mut walk = Walk { function, body, written: FxHashMap::default(), steps: 0 };
    let mut found = Pointers::default();
    for (n, it) in function.params.iter().enumerate() {
        if it.pointer.is_some() && it.bits() == 64 && !it.is_array {
            found.parameters.insert(n);
        }
    }
    // Where pointers are handed to functions: the variable that carries each.
    let mut handed: Vec<(usize, String)> = Vec::new();
    let mut asked: Vec<RegId> = Vec::new();
    for (n, step) in body.steps.iter().enumerate() {
        let What::Instruction(it) = &step.what else { continue };
        for dest in it.dests() {
            dest.walk(&mut |part| {
                if let Operand::Reg(id) = part {
                    walk.written.entry(*id).or_default().push(n);
                }
            });
        }
        handed.extend(handed_on(file, it).into_iter().map(|name| (n, name)));
        let is_parameter = matches!(
            &it.class,
            Class::Load(access) | Class::Store(access) if access.space == Space::Parameter
        );
        // Textures and surfaces have handles.
        let root = it.opcode.split('.').next().unwrap_or_default();
        let has_handle = ["tex", "tld4", "txq", "suld", "sust", "sured", "suq"].contains(&root);
        for (_, operand) in &it.operands {
            operand.walk(&mut |part| {
                if let Operand::Address(Address { base, .. }) = part
                    && let Operand::Reg(id) = &**base
                    && !is_parameter
                    && !has_handle
                {
                    asked.push(*id);
                }
            });
        }
        if let (Class::Pure { op: PureOp::ConvertAddress { .. }, .. }, Some(Operand::Reg(id))) =
            (&it.class, it.operand(Role::Value))
        {
            asked.push(*id);
        }
    }
    asked.extend(carried(body, &handed));
    asked.sort_unstable();
    asked.dedup();
    for id in asked {
        walk.steps = 0;
        for leaf in walk.leaves(id, &mut Vec::new()) {
            let Some(step) = leaf.step else { continue };
            found.loads.insert(step);
            if let Some(n) = walk.parameter(step) {
                found.parameters.insert(n);
            }
        }
    }
    let steps = walk.written;
    found.registers = registers(file, function, body, &found, &steps);
    found
}

/// The variables in which a call hands pointers on.
fn handed_on(file: &File, it: &Instruction) -> Vec<String> {
    if !it.opcode.starts_with("call") {
        return Vec::new();
    }
    let operands: Vec<&Operand> = it.operands.iter().map(|(_, it)| it).collect();
    let (Operand::Symbol(name), Operand::Vector(given)) = (match operands[..] {
        [Operand::Vector(_), callee, given, ..] | [callee, given, ..] => (callee, given),
        _ => return Vec::new(),
    }) else {
        return Vec::new();
    };
    let passed = file.function(name).and_then(|it| file.passed.get(&it.name));
    let Some(passed) = passed else { return Vec::new() };
    let names = given.iter().enumerate().filter(|(n, _)| passed.contains(n));
    names
        .filter_map(|(_, it)| match it {
            Operand::Symbol(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// The registers that are stored into variables that calls hand on, in the block of the call.
fn carried(body: &Body, handed: &[(usize, String)]) -> Vec<RegId> {
    let mut found = Vec::new();
    for (call, name) in handed {
        let block = body.steps[*call].blocks.last();
        for step in body.steps[..*call].iter().rev() {
            if step.blocks.last() != block {
                break;
            }
            let What::Instruction(it) = &step.what else { continue };
            let to = match it.operand(Role::Address) {
                Some(Operand::Address(Address { base, .. })) => &**base,
                Some(_) | None => continue,
            };
            if let (Class::Store(_), Operand::Symbol(to), Some(Operand::Reg(id))) =
                (&it.class, to, it.operand(Role::Value))
                && to == name
            {
                found.push(*id);
            }
        }
    }
    found
}

/// The registers of claim 2: first those that a pointer may come to, then without those that
/// something else comes to, until all that is left is pointers.
fn registers(
    file: &File,
    function: &Function,
    body: &Body,
    known: &Pointers,
    written: &FxHashMap<RegId, Vec<usize>>,
) -> FxHashSet<RegId> {
    let mut defined: Vec<(RegId, &[usize])> =
        written.iter().map(|(id, steps)| (*id, &steps[..])).collect();
    defined.sort_unstable();
    defined.retain(|(id, _)| {
        let ty = body.registers[id.0].ty;
        ty.lanes == 1 && matches!(ty.bits, 32 | 64) && ty.kind != TypeKind::Float
    });
    closure(body, known, &defined, &|step, name| is_variable(file, function, body, step, name))
}

/// Registers that only pointers come to.
fn closure(
    body: &Body,
    known: &Pointers,
    defined: &[(RegId, &[usize])],
    is_variable: &dyn Fn(usize, &str) -> bool,
) -> FxHashSet<RegId> {
    let of = |step: usize, set: &FxHashSet<RegId>| {
        let What::Instruction(it) = &body.steps[step].what else { return Kind::Other };
        let is_pointer = |operand: &Operand| match operand {
            Operand::Reg(id) => set.contains(id),
            Operand::Symbol(name) => is_variable(step, name),
            _ => false,
        };
        kind(it, known.loads.contains(&step), &is_pointer)
    };
    let mut set = FxHashSet::default();
    loop {
        let before = set.len();
        for (id, steps) in defined {
            if !set.contains(id)
                && steps.iter().any(|it| matches!(of(*it, &set), Kind::Pointer | Kind::Both))
            {
                set.insert(*id);
            }
        }
        if set.len() == before {
            break;
        }
    }
    loop {
        let before = set.len();
        for (id, steps) in defined {
            if set.contains(id)
                && !steps.iter().all(|it| matches!(of(*it, &set), Kind::Pointer | Kind::Null))
            {
                set.remove(id);
            }
        }
        // What rests on another alone is no pointer without it.
        for (id, steps) in defined {
            if set.contains(id) && !steps.iter().any(|it| of(*it, &set) == Kind::Pointer) {
                set.remove(id);
            }
        }
        if set.len() == before {
            return set;
        }
    }
}

/// What an instruction gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A pointer.
    Pointer,
    /// A number that stands for none.
    Null,
    /// A sum of two pointers.
    Both,
    Other,
}

fn kind(it: &Instruction, loads: bool, is_pointer: &dyn Fn(&Operand) -> bool) -> Kind {
    let Some(Operand::Reg(_)) = it.operand(Role::Dest) else { return Kind::Other };
    let points = |role: Role| it.operand(role).is_some_and(is_pointer);
    let when = |is: bool| if is { Kind::Pointer } else { Kind::Other };
    let Class::Pure { op, ty } = &it.class else { return when(loads) };
    match op {
        PureOp::Move => match it.operand(Role::Value) {
            Some(Operand::Int(0)) => Kind::Null,
            _ => when(points(Role::Value)),
        },
        PureOp::ConvertAddress { .. } => when(points(Role::Value)),
        // The low half, which is the address in shared memory. Widened again it is a number: what
        // was added to the half has wrapped around.
        PureOp::Convert(from) => when(from.bits == 64 && ty.bits == 32 && points(Role::Value)),
        PureOp::Add => match (points(Role::Value), points(Role::Second)) {
            (true, true) => Kind::Both,
            (a, b) => when(a || b),
        },
        PureOp::Sub => match (points(Role::Value), points(Role::Second)) {
            (true, true) => Kind::Both,
            (a, _) => when(a),
        },
        PureOp::Select => match (points(Role::Value), points(Role::Second)) {
            (true, true) => Kind::Pointer,
            // One may still turn out to be a pointer.
            (true, false) | (false, true) => Kind::Both,
            (false, false) => Kind::Other,
        },
        PureOp::Mad(Half::Wide | Half::Low) => {
            match (points(Role::Value) || points(Role::Second), points(Role::Third)) {
                (true, true) => Kind::Both,
                (_, third) => when(third),
            }
        }
        _ => Kind::Other,
    }
}

/// Whether a name is that of memory, and not of a function.
fn is_variable(file: &File, function: &Function, body: &Body, step: usize, name: &str) -> bool {
    body.local(&body.steps[step], name).is_some()
        || file.variable(name).is_some()
        || function.params.iter().chain(&function.results).any(|it| it.name == name)
}

struct Walk<'a> {
    function: &'a Function,
    body: &'a Body,
    /// By register: the steps that write it.
    written: FxHashMap<RegId, Vec<usize>>,
    steps: usize,
}

impl Walk<'_> {
    /// The parameter of which a step loads all.
    fn parameter(&self, step: usize) -> Option<usize> {
        let What::Instruction(it) = &self.body.steps[step].what else { return None };
        let Class::Load(access) = &it.class else { return None };
        let Operand::Address(Address { base, offset: Offset::Bytes(0), .. }) =
            it.operand(Role::Address)?
        else {
            return None;
        };
        let Operand::Symbol(name) = &**base else { return None };
        if access.space != Space::Parameter {
            return None;
        }
        let n = self.function.params.iter().position(|it| it.name == *name)?;
        let it = &self.function.params[n];
        (!it.is_array && it.bits() == 64).then_some(n)
    }

    fn leaves(&mut self, id: RegId, path: &mut Vec<RegId>) -> Vec<Leaf> {
        self.steps += 1;
        if self.steps > MOST_STEPS || path.contains(&id) {
            return Vec::new();
        }
        path.push(id);
        let mut all = Vec::new();
        for step in self.written.get(&id).cloned().unwrap_or_default() {
            if let What::Instruction(it) = &self.body.steps[step].what {
                all.extend(self.made_of(it, step, path));
            }
        }
        path.pop();
        all
    }

    fn made_of(&mut self, it: &Instruction, step: usize, path: &mut Vec<RegId>) -> Vec<Leaf> {
        let mut of = |walk: &mut Self, role: Role| match it.operand(role) {
            Some(Operand::Reg(id)) => walk.leaves(*id, path),
            Some(Operand::Symbol(_)) => vec![Leaf { step: None, certain: true }],
            Some(_) | None => Vec::new(),
        };
        match &it.class {
            Class::Pure { op, ty: _ } => match op {
                PureOp::Move | PureOp::ConvertAddress { .. } => of(self, Role::Value),
                PureOp::Select => {
                    let mut all = of(self, Role::Value);
                    all.extend(of(self, Role::Second));
                    all
                }
                PureOp::Add | PureOp::Or => {
                    let (a, b) = (of(self, Role::Value), of(self, Role::Second));
                    sum(a, b)
                }
                PureOp::Sub => of(self, Role::Value),
                PureOp::Mad(Half::Wide | Half::Low) => of(self, Role::Third),
                _ => Vec::new(),
            },
            Class::Load(access) => {
                let bits = u32::from(access.ty.bits) * u32::from(access.ty.lanes);
                if bits != 64 || access.elements != 1 {
                    return Vec::new();
                }
                let certain =
                    self.parameter(step).is_some_and(|n| self.function.params[n].pointer.is_some());
                vec![Leaf { step: Some(step), certain }]
            }
            _ => Vec::new(),
        }
    }
}

/// Those of a sum: of its one side that has any, or is certain.
fn sum(a: Vec<Leaf>, b: Vec<Leaf>) -> Vec<Leaf> {
    let certain = |of: &[Leaf]| !of.is_empty() && of.iter().all(|it| it.certain);
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a,
        _ => match (certain(&a), certain(&b)) {
            (true, false) => a,
            (false, true) => b,
            _ => Vec::new(),
        },
    }
}
