//! Volatile words that are flags.
//!
//! **What**: which volatile accesses are of words whose value is only compared. PTX has them
//! relaxed at system scope (PTX ISA, 8.4), and a run takes them so, as a check does
//! (`passes/src/checks/races/flags`). Those of words that hold data race like plain ones.
//! **Method**: a word is what the address begins with: a variable, or a parameter; of a choice
//! between several, each. Somebody reads it, what each volatile read and each atomic gives leads
//! through casts, arithmetic and joins to comparisons alone, and all of these have one size, for
//! accesses that overlap in part are not atomic to each other (PTX ISA, 8.7).
//! **Sound because**: a word is no flag where its value may be used in a way that is not
//! understood: inline PTX does more than one access; a value that was read is written back, and a
//! plain load reads it; its address is stored or passed on, and some load through an unknown
//! address is used as data.
//! **Misses**: addresses that begin elsewhere, as in memory or in another function; members of a
//! structure. **Does not**: look at the order that flags make, which is the run's matter.

mod places;

use std::collections::{BTreeSet, HashMap, HashSet};

use heddle_lift::Target;
use heddle_llvm::{Function, Inst, Module, Opcode, Spot, Value};

pub(super) use places::scope_of_atomic;
use places::{Places, Touch, is_reached, places, touch};

/// The accesses to flags.
#[derive(Default)]
pub(super) struct Flags(HashSet<Spot>);

/// The accesses to one word that are volatile or atomic.
#[derive(Default)]
struct Word {
    /// Bytes; none where they are not known.
    sizes: BTreeSet<Option<u64>>,
    is_read: bool,
    holds_data: bool,
    /// What was read goes back into it.
    comes_back: bool,
    /// Plain reads give data.
    gives_data: bool,
}

impl Flags {
    pub(super) fn of<'m>(
        module: &'m Module,
        target: Target,
        functions: impl IntoIterator<Item = Function<'m>>,
    ) -> Flags {
        match target {
            Target::Nvptx => {}
            // OpenCL promises nothing of volatile accesses.
            Target::Spirv => return Flags::default(),
        }
        let mut words: HashMap<Value<'m>, Word> = HashMap::new();
        let mut accesses: Vec<(Spot, Places<'m>)> = Vec::new();
        // Some access whose place is not known gives data.
        let mut elsewhere = false;
        for inst in functions.into_iter().flat_map(Function::instructions) {
            let (place, size, is_plain) = match touch(module, inst) {
                Touch::Nothing => continue,
                Touch::At { place, size, is_plain } => (place, size, is_plain),
                Touch::Unknown(pointers) => {
                    for word in pointers.into_iter().filter_map(places).flatten() {
                        words.entry(word).or_default().holds_data = true;
                    }
                    continue;
                }
            };
            let at = places(place);
            let is_read = inst.opcode() != Opcode::Store && !inst.as_value().users().is_empty();
            let mut read = Read { word: at.as_ref(), comes_back: false, seen: HashSet::new() };
            let is_data = is_read && !read.is_compared(inst.as_value());
            let comes_back = read.comes_back;
            let Some(at) = at else {
                elsewhere |= is_data;
                continue;
            };
            // A parameter of a function that is called is another's word as well.
            let is_called = |it: &Value<'m>| {
                it.as_argument().is_some_and(|it| !it.function().users().is_empty())
            };
            elsewhere |= is_data && at.iter().any(is_called);
            at.iter().for_each(|place| {
                let word = words.entry(*place).or_default();
                word.gives_data |= is_data;
                if !is_plain {
                    word.sizes.insert(size);
                    word.is_read |= is_read;
                    word.holds_data |= is_data;
                    word.comes_back |= comes_back;
                }
            });
            if inst.is_volatile() && matches!(inst.opcode(), Opcode::Load | Opcode::Store) {
                accesses.push((inst.spot(), at));
            }
        }
        let is_flag = |(place, word): &(Value<'m>, Word)| {
            let Word { sizes, is_read, holds_data, comes_back, gives_data } = word;
            let one_size = sizes.len() == 1 && !sizes.contains(&None);
            let leaks = *comes_back && *gives_data;
            let understood = !(*comes_back || elsewhere) || !is_reached(*place);
            *is_read && !holds_data && one_size && !leaks && understood
        };
        let flags: HashSet<Value<'m>> =
            words.into_iter().filter(is_flag).map(|(place, _)| place).collect();
        let of_flags = accesses
            .into_iter()
            .filter(|(_, at)| !at.is_empty() && at.iter().all(|it| flags.contains(it)));
        Flags(of_flags.map(|(spot, _)| spot).collect())
    }

    pub(super) fn has(&self, inst: Inst<'_>) -> bool {
        self.0.contains(&inst.spot())
    }
}

/// Intrinsics that compute with bits and do nothing else.
const PURE: &[&str] = &[
    "llvm.abs.",
    "llvm.bitreverse.",
    "llvm.bswap.",
    "llvm.ctlz.",
    "llvm.ctpop.",
    "llvm.cttz.",
    "llvm.smax.",
    "llvm.smin.",
    "llvm.umax.",
    "llvm.umin.",
];

/// What becomes of a value that was read.
struct Read<'a, 'm> {
    word: Option<&'a Places<'m>>,
    comes_back: bool,
    seen: HashSet<Value<'m>>,
}

impl<'m> Read<'_, 'm> {
    /// Whether it leads to comparisons, and nowhere else but back into its word by atomics and
    /// volatile stores.
    fn is_compared(&mut self, value: Value<'m>) -> bool {
        value.users().into_iter().all(|user| {
            let Some(inst) = user.as_inst() else { return false };
            match inst.opcode() {
                Opcode::ICmp | Opcode::FCmp | Opcode::Switch | Opcode::Br => true,
                Opcode::Select if inst.operand(0) == Some(value) => true,
                Opcode::Call if is_pure(inst) => self.goes_on(user),
                Opcode::AtomicRmw | Opcode::CmpXchg | Opcode::Call => {
                    let Touch::At { place, .. } = places::touch_of_atomic(inst) else {
                        return false;
                    };
                    self.comes_back_at(place)
                }
                Opcode::Store if inst.is_volatile() && inst.operand(0) == Some(value) => {
                    inst.pointer_operand().is_some_and(|place| self.comes_back_at(place))
                }
                // The two results of a `cmpxchg`.
                Opcode::ExtractValue
                | Opcode::Select
                | Opcode::Trunc
                | Opcode::ZExt
                | Opcode::SExt
                | Opcode::BitCast
                | Opcode::Freeze
                | Opcode::Phi
                | Opcode::And
                | Opcode::Or
                | Opcode::Xor
                | Opcode::Shl
                | Opcode::LShr
                | Opcode::AShr
                | Opcode::Add
                | Opcode::Sub
                | Opcode::Mul
                | Opcode::UDiv
                | Opcode::SDiv
                | Opcode::URem
                | Opcode::SRem => self.goes_on(user),
                _ => false,
            }
        })
    }

    /// A write of what was read: whether it is to the word that it was read from.
    fn comes_back_at(&mut self, place: Value<'m>) -> bool {
        self.comes_back = true;
        self.word.is_some() && places(place).as_ref() == self.word
    }

    fn goes_on(&mut self, value: Value<'m>) -> bool {
        !self.seen.insert(value) || self.is_compared(value)
    }
}

fn is_pure(call: Inst<'_>) -> bool {
    let name = call.called_function().map(Function::name).unwrap_or_default();
    PURE.iter().any(|it| name.starts_with(it))
}
