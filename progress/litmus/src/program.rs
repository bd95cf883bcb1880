//! A litmus test: where its threads are, what they do, and what is expected of it.
//!
//! Every type prints as the text that reads back to it.

use std::fmt;

/// Threads that an operation is strong towards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The thread's block.
    Cta,
    /// Its cluster.
    Cluster,
    /// Its device.
    Gpu,
    /// All threads, on all devices and the host.
    Sys,
}

/// How a memory operation is marked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// Not strong.
    Weak,
    /// Relaxed at system scope, as the PTX ISA says of `.volatile`.
    Volatile,
    /// Strong, and no synchronization by itself.
    Relaxed(Scope),
    /// Orders what comes after.
    Acquire(Scope),
    /// Orders what came before.
    Release(Scope),
    /// Both; of read-modify-writes only.
    AcqRel(Scope),
}

impl Mark {
    /// The scope of a strong operation; `None` for a weak one.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Mark::Weak => None,
            Mark::Volatile => Some(Scope::Sys),
            Mark::Relaxed(scope)
            | Mark::Acquire(scope)
            | Mark::Release(scope)
            | Mark::AcqRel(scope) => Some(scope),
        }
    }

    /// Whether a read so marked is an acquire operation.
    pub fn acquires(self) -> bool {
        match self {
            Mark::Acquire(_) | Mark::AcqRel(_) => true,
            Mark::Weak | Mark::Volatile | Mark::Relaxed(_) | Mark::Release(_) => false,
        }
    }

    /// Whether a write so marked is a release operation.
    pub fn releases(self) -> bool {
        match self {
            Mark::Release(_) | Mark::AcqRel(_) => true,
            Mark::Weak | Mark::Volatile | Mark::Relaxed(_) | Mark::Acquire(_) => false,
        }
    }
}

/// A number or a register of the thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A number.
    Number(u64),
    /// What a register holds; zero before it is written.
    Register(String),
}

/// What a read-modify-write does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// Adds.
    Add(Operand),
    /// Stores.
    Exchange(Operand),
    /// Stores the second where the word equals the first. Else it stores what it read: the PTX ISA
    /// has no compare-and-swap that does not write.
    CompareAndSwap(Operand, Operand),
}

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
}

impl Comparison {
    /// Whether it holds.
    pub fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::AtLeast => a >= b,
            Comparison::Less => a < b,
        }
    }
}

/// A comparison of a register with a number or another register.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// The register.
    pub register: String,
    /// How it is compared.
    pub comparison: Comparison,
    /// What with.
    pub with: Operand,
}

/// One instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Instruction {
    /// `ld.relaxed.gpu r0, [x]`
    Load(Mark, String, String),
    /// `st.release.gpu [x], 1`
    Store(Mark, String, Operand),
    /// `atom.acq_rel.gpu.add r0, [x], 1`
    Atomic(Mark, String, String, Change),
    /// `fence.acq_rel.gpu`, `fence.sc.gpu`
    Fence {
        /// Takes part in the order of sequentially consistent fences.
        sc: bool,
        /// Who is included.
        scope: Scope,
    },
    /// `bar.sync 0`, `bar.arrive 0`
    Barrier {
        /// Which barrier of the block.
        id: u64,
        /// Does not wait.
        arrive: bool,
    },
    /// `until r0 == 1`: executions in which it does not hold are left out.
    Until(Guard),
    /// `if r0 == 1` … `end`
    If(Guard, Vec<Statement>),
}

/// An instruction and its line in the text, from 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// The line.
    pub line: usize,
    /// What is done.
    pub instruction: Instruction,
}

/// A thread and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thread {
    /// Its block.
    pub block: u64,
    /// The block's cluster.
    pub cluster: u64,
    /// The cluster's device.
    pub device: u64,
    /// What it does.
    pub body: Vec<Statement>,
}

/// The name of a value of an outcome.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// A register of a thread at its end.
    Register(usize, String),
    /// A location when all threads have ended.
    Location(String),
}

/// A conjunction over the values of an outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition(pub Vec<(Place, Comparison, u64)>);

/// What a test says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// Some execution ends like this.
    Allowed(Condition),
    /// None does; and which axiom forbids it, alone or with others, where that is said.
    Forbidden(Condition, Option<Axiom>),
    /// These locations, in order, have races; with none the test is free of races.
    Race(Vec<String>),
}

/// The axioms of the model (PTX ISA, section "Axioms").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Axiom {
    /// Coherence order follows causality order.
    Coherence,
    /// The order of sequentially consistent fences does not contradict causality order.
    FenceSc,
    /// No write that is strong towards a read-modify-write comes between its read and its write.
    Atomicity,
    /// No value comes from itself.
    NoThinAir,
    /// Strong operations on one location behave as if one after the other.
    ScPerLocation,
    /// A read does not take its value from a write that comes after it in causality order, nor
    /// from one that causality order and coherence order say is overwritten.
    Causality,
}

impl Axiom {
    /// All axioms.
    pub const ALL: [Axiom; 6] = [
        Axiom::Coherence,
        Axiom::FenceSc,
        Axiom::Atomicity,
        Axiom::NoThinAir,
        Axiom::ScPerLocation,
        Axiom::Causality,
    ];

    /// Its name in tests and answers.
    pub fn name(self) -> &'static str {
        match self {
            Axiom::Coherence => "coherence",
            Axiom::FenceSc => "fence-sc",
            Axiom::Atomicity => "atomicity",
            Axiom::NoThinAir => "no-thin-air",
            Axiom::ScPerLocation => "sc-per-location",
            Axiom::Causality => "causality",
        }
    }
}

/// A litmus test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What locations hold at the start, where that is not zero.
    pub init: Vec<(String, u64)>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// What is expected, with the line of each.
    pub expectations: Vec<(usize, Expectation)>,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Cta => "cta",
            Scope::Cluster => "cluster",
            Scope::Gpu => "gpu",
            Scope::Sys => "sys",
        })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Weak => f.write_str("weak"),
            Mark::Volatile => f.write_str("volatile"),
            Mark::Relaxed(scope) => write!(f, "relaxed.{scope}"),
            Mark::Acquire(scope) => write!(f, "acquire.{scope}"),
            Mark::Release(scope) => write!(f, "release.{scope}"),
            Mark::AcqRel(scope) => write!(f, "acq_rel.{scope}"),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Number(number) => write!(f, "{number}"),
            Operand::Register(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::AtLeast => ">=",
            Comparison::Less => "<",
        })
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.register, self.comparison, self.with)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Load(mark, register, location) => {
                write!(f, "ld.{mark} {register}, [{location}]")
            }
            Instruction::Store(mark, location, value) => {
                write!(f, "st.{mark} [{location}], {value}")
            }
            Instruction::Atomic(mark, register, location, change) => {
                let (name, operands) = match change {
                    Change::Add(value) => ("add", format!("{value}")),
                    Change::Exchange(value) => ("exch", format!("{value}")),
                    Change::CompareAndSwap(expected, value) => {
                        ("cas", format!("{expected}, {value}"))
                    }
                };
                write!(f, "atom.{mark}.{name} {register}, [{location}], {operands}")
            }
            Instruction::Fence { sc, scope } => {
                write!(f, "fence.{}.{scope}", if *sc { "sc" } else { "acq_rel" })
            }
            Instruction::Barrier { id, arrive } => {
                write!(f, "bar.{} {id}", if *arrive { "arrive" } else { "sync" })
            }
            Instruction::Until(guard) => write!(f, "until {guard}"),
            Instruction::If(guard, _) => write!(f, "if {guard}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (place, comparison, value)) in self.0.iter().enumerate() {
            let and = if index == 0 { "" } else { " && " };
            write!(f, "{and}{place} {comparison} {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Register(thread, name) => write!(f, "{thread}:{name}"),
            Place::Location(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Allowed(condition) => write!(f, "allowed {condition}"),
            Expectation::Forbidden(condition, None) => write!(f, "forbidden {condition}"),
            Expectation::Forbidden(condition, Some(axiom)) => {
                write!(f, "forbidden {condition} by {}", axiom.name())
            }
            Expectation::Race(locations) if locations.is_empty() => f.write_str("race none"),
            Expectation::Race(locations) => write!(f, "race {}", locations.join(" ")),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn lines(f: &mut fmt::Formatter<'_>, body: &[Statement], indent: usize) -> fmt::Result {
            for statement in body {
                writeln!(f, "{:indent$}{}", "", statement.instruction)?;
                if let Instruction::If(_, inner) = &statement.instruction {
                    lines(f, inner, indent + 2)?;
                    writeln!(f, "{:indent$}end", "")?;
                }
            }
            Ok(())
        }
        writeln!(f, "litmus {}", self.name)?;
        for (location, value) in &self.init {
            writeln!(f, "init {location} = {value}")?;
        }
        for (index, thread) in self.threads.iter().enumerate() {
            write!(f, "thread {index} block {}", thread.block)?;
            if thread.cluster != thread.block {
                write!(f, " cluster {}", thread.cluster)?;
            }
            if thread.device != 0 {
                write!(f, " device {}", thread.device)?;
            }
            writeln!(f)?;
            lines(f, &thread.body, 2)?;
        }
        for (_, expectation) in &self.expectations {
            writeln!(f, "{expectation}")?;
        }
        Ok(())
    }
}

impl Test {
    /// All locations, by name.
    pub fn locations(&self) -> std::collections::BTreeSet<String> {
        let mut all: std::collections::BTreeSet<String> =
            self.init.iter().map(|(location, _)| location.clone()).collect();
        for thread in &self.threads {
            each(&thread.body, &mut |instruction| {
                all.extend(instruction.location().cloned());
            });
        }
        all
    }

    /// The value of a location at the start.
    pub fn initial(&self, location: &str) -> u64 {
        self.init.iter().rev().find(|(name, _)| name == location).map_or(0, |(_, value)| *value)
    }
}

impl Thread {
    /// The registers that it writes.
    pub fn registers(&self) -> std::collections::BTreeSet<String> {
        let mut all = std::collections::BTreeSet::new();
        each(&self.body, &mut |instruction| all.extend(instruction.register().cloned()));
        all
    }
}

impl Instruction {
    /// The location that is accessed.
    pub fn location(&self) -> Option<&String> {
        match self {
            Instruction::Load(_, _, location)
            | Instruction::Store(_, location, _)
            | Instruction::Atomic(_, _, location, _) => Some(location),
            Instruction::Fence { .. }
            | Instruction::Barrier { .. }
            | Instruction::Until(_)
            | Instruction::If(..) => None,
        }
    }

    /// The register that is written.
    pub fn register(&self) -> Option<&String> {
        match self {
            Instruction::Load(_, register, _) | Instruction::Atomic(_, register, ..) => {
                Some(register)
            }
            Instruction::Store(..)
            | Instruction::Fence { .. }
            | Instruction::Barrier { .. }
            | Instruction::Until(_)
            | Instruction::If(..) => None,
        }
    }
}

/// Calls with each instruction, those inside of others too.
pub fn each(body: &[Statement], call: &mut impl FnMut(&Instruction)) {
    for statement in body {
        call(&statement.instruction);
        if let Instruction::If(_, inner) = &statement.instruction {
            each(inner, call);
        }
    }
}

impl Thread {
    /// Whether the other thread is of the same block.
    pub fn is_of_block(&self, other: &Thread) -> bool {
        (self.device, self.cluster, self.block) == (other.device, other.cluster, other.block)
    }

    /// The barriers that it names.
    pub fn barriers(&self) -> std::collections::BTreeSet<u64> {
        let mut all = std::collections::BTreeSet::new();
        each(&self.body, &mut |instruction| {
            if let Instruction::Barrier { id, .. } = instruction {
                all.insert(*id);
            }
        });
        all
    }
}
