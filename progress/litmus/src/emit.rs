//! A test as PTX, to be run on a device: many instances side by side, each with memory of its own.
//!
//! The kernel `heddle_litmus` takes the address of memory, that of registers, and a seed. Block `b`
//! of the grid belongs to instance `b / blocks`. A thread of the test is the first lane of a warp
//! of its own; it waits a while that the seed draws, does what the test says, and leaves its
//! registers. Location `l` of instance `i` is the word at byte `(i * locations + l) * SPACING`, and
//! the host puts its initial value there; register `r` is word `i * words + r` of the registers,
//! and after them each thread has a word that is not zero if it gave up to wait (`until`).
//!
//! **Promises**: memory operations are those of the test, in its words and its order, with no other
//! between them; guards are branches. **Does not**: run, or judge what was seen
//! ([`crate::Answer::allows`] does).

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::program::{
    Change, Comparison, Guard, Instruction, Mark, Operand, Place, Scope, Statement, Test, Thread,
    each,
};

/// Bytes from one location to the next: no two share a line of a cache.
pub const SPACING: u32 = 256;
/// The kernel.
pub const KERNEL: &str = "heddle_litmus";
/// Rounds of an `until`, at most: some milliseconds, where blocks come to it within microseconds.
const ROUNDS: u32 = 1 << 13;

/// A test as a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The module.
    pub ptx: String,
    /// Blocks of an instance.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// The architecture that it needs, as a number: 70, or 90 with clusters.
    pub needs: u32,
    /// Locations, in order.
    pub locations: Vec<String>,
    /// Registers, in order: thread of the test and name.
    pub registers: Vec<(usize, String)>,
    /// Words of an instance's registers: those, and one for each thread.
    pub words: u32,
}

/// Why a test cannot be run on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its threads are on several devices.
    Devices,
    /// A value does not fit a word.
    Value,
    /// An `until` does not follow the read that it repeats.
    Until,
    /// More threads in one block than fit.
    Threads,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Devices => "its threads are on more than one device",
            Refused::Value => "a value needs more than 32 bits",
            Refused::Until => "an `until` does not directly follow the read that it repeats",
            Refused::Threads => "a block has more than 32 threads",
        })
    }
}

impl Program {
    /// What an instance ended with: registers and locations, unless a thread of it gave up.
    pub fn outcome(&self, memory: &[u8], registers: &[u8], instance: usize) -> Option<Ended> {
        let word = |bytes: &[u8], at: usize| {
            let found = bytes.get(at..at + 4).and_then(|it| it.try_into().ok());
            found.map(u32::from_le_bytes)
        };
        let first = instance * self.words as usize;
        let flags = self.registers.len()..self.words as usize;
        for flag in flags {
            if word(registers, (first + flag) * 4)? != 0 {
                return None;
            }
        }
        let mut ended = Ended::new();
        for (n, (thread, name)) in self.registers.iter().enumerate() {
            let value = word(registers, (first + n) * 4)?;
            ended.insert(Place::Register(*thread, name.clone()), u64::from(value));
        }
        for (n, name) in self.locations.iter().enumerate() {
            let at = (instance * self.locations.len() + n) * SPACING as usize;
            ended.insert(Place::Location(name.clone()), u64::from(word(memory, at)?));
        }
        Some(ended)
    }

    /// Memory before a launch of so many instances.
    pub fn memory(&self, test: &Test, instances: usize) -> Vec<u8> {
        let mut bytes = vec![0; instances * self.locations.len() * SPACING as usize];
        for instance in 0..instances {
            for (n, name) in self.locations.iter().enumerate() {
                let at = (instance * self.locations.len() + n) * SPACING as usize;
                bytes[at..at + 4].copy_from_slice(&(test.initial(name) as u32).to_le_bytes());
            }
        }
        bytes
    }
}

/// What a run of a test ended with.
pub type Ended = BTreeMap<Place, u64>;

/// The test as PTX.
///
/// # Errors
/// It needs more than one device, or is not of a form that can be run.
pub fn emit(test: &Test) -> Result<Program, Refused> {
    if test.threads.iter().any(|it| it.device != test.threads[0].device) {
        return Err(Refused::Devices);
    }
    if test.init.iter().any(|(_, value)| *value > u64::from(u32::MAX)) {
        return Err(Refused::Value);
    }
    let places = Places::of(test)?;
    let mut registers = Vec::new();
    for (n, thread) in test.threads.iter().enumerate() {
        registers.extend(thread.registers().into_iter().map(|name| (n, name)));
    }
    let locations: Vec<String> = test.locations().into_iter().collect();
    let mut writer =
        Writer { test, places: &places, locations, registers, text: String::new(), labels: 0 };
    writer.kernel()?;
    let needs = if places.cluster > 1 || names_clusters(test) { 90 } else { 70 };
    let version = if needs == 90 { "7.8" } else { "6.4" };
    let words = (writer.registers.len() + test.threads.len()) as u32;
    Ok(Program {
        ptx: format!(
            "// Litmus test {}. Blocks of an instance: {}, threads of a block: {}.\n.version {version}\n\
             .target sm_{needs}\n.address_size 64\n\n{}",
            test.name, places.blocks, places.threads, writer.text
        ),
        blocks: places.blocks,
        threads: places.threads,
        needs,
        locations: writer.locations,
        registers: writer.registers,
        words,
    })
}

fn names_clusters(test: &Test) -> bool {
    let mut found = false;
    for thread in &test.threads {
        each(&thread.body, &mut |instruction| {
            found |= match instruction {
                Instruction::Load(mark, ..)
                | Instruction::Store(mark, ..)
                | Instruction::Atomic(mark, ..) => mark.scope() == Some(Scope::Cluster),
                Instruction::Fence { sc: _, scope } => *scope == Scope::Cluster,
                Instruction::Barrier { .. } | Instruction::Until(_) | Instruction::If(..) => false,
            };
        });
    }
    found
}

/// Where threads of a test are in the blocks of an instance.
struct Places {
    /// Of each thread: block of the instance, and warp of the block.
    of: Vec<(u32, u32)>,
    blocks: u32,
    threads: u32,
    /// Blocks of a cluster: a cluster of the test with fewer has blocks with nothing to do.
    cluster: u32,
}

impl Places {
    fn of(test: &Test) -> Result<Places, Refused> {
        let mut clusters: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for thread in &test.threads {
            let blocks = clusters.entry(thread.cluster).or_default();
            if !blocks.contains(&thread.block) {
                blocks.push(thread.block);
            }
        }
        let cluster = clusters.values().map(Vec::len).max().unwrap_or(1) as u32;
        let mut warps: BTreeMap<u32, u32> = BTreeMap::new();
        let mut of = Vec::new();
        for thread in &test.threads {
            let position = clusters.keys().position(|it| *it == thread.cluster).unwrap_or(0);
            let blocks = &clusters[&thread.cluster];
            let within = blocks.iter().position(|it| *it == thread.block).unwrap_or(0);
            let block = position as u32 * cluster + within as u32;
            let warp = warps.entry(block).or_default();
            of.push((block, *warp));
            *warp += 1;
        }
        let most = warps.values().copied().max().unwrap_or(1);
        if most > 32 {
            return Err(Refused::Threads);
        }
        Ok(Places { of, blocks: clusters.len() as u32 * cluster, threads: most * 32, cluster })
    }
}

struct Writer<'t> {
    test: &'t Test,
    places: &'t Places,
    locations: Vec<String>,
    registers: Vec<(usize, String)>,
    text: String,
    labels: usize,
}

/// How a thread's lanes go: the first alone, or all of them where a barrier counts whole warps.
#[derive(Clone, Copy)]
struct Lanes {
    thread: usize,
    /// All lanes stay, and the first does what touches memory.
    all: bool,
    /// All lanes branch by what the first has read.
    tells: bool,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "  {text}").expect("a string grows");
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn kernel(&mut self) -> Result<(), Refused> {
        let Places { of, blocks, threads, cluster } = self.places;
        let (registers, words) = (self.registers.len(), self.registers.len() + of.len());
        let grouped = match cluster {
            1 => String::new(),
            n => format!(".explicitcluster .reqnctapercluster {n}, 1, 1\n"),
        };
        write!(
            self.text,
            ".visible .entry {KERNEL}(.param .u64 memory, .param .u64 registers, .param .u32 seed)\n\
             .reqntid {threads}, 1, 1\n{grouped}{{\n"
        )
        .expect("a string grows");
        let spacing = self.locations.len() as u32 * SPACING;
        for line in [
            ".reg .pred %p, %first;".to_owned(),
            ".reg .b32 %block, %part, %instance, %warp, %lane, %thread, %delay, %rounds, %one;"
                .to_owned(),
            ".reg .b64 %memory, %registers, %at;".to_owned(),
            format!(".reg .b32 %v<{}>;", registers.max(1)),
            "ld.param.u64 %memory, [memory];".to_owned(),
            "ld.param.u64 %registers, [registers];".to_owned(),
            "ld.param.u32 %delay, [seed];".to_owned(),
            "cvta.to.global.u64 %memory, %memory;".to_owned(),
            "cvta.to.global.u64 %registers, %registers;".to_owned(),
            "mov.u32 %block, %ctaid.x;".to_owned(),
            format!("div.u32 %instance, %block, {blocks};"),
            format!("rem.u32 %part, %block, {blocks};"),
            "mov.u32 %thread, %tid.x;".to_owned(),
            "shr.u32 %warp, %thread, 5;".to_owned(),
            "and.b32 %lane, %thread, 31;".to_owned(),
            "setp.eq.u32 %first, %lane, 0;".to_owned(),
            format!("mul.wide.u32 %at, %instance, {spacing};"),
            "add.u64 %memory, %memory, %at;".to_owned(),
            format!("mul.wide.u32 %at, %instance, {};", words * 4),
            "add.u64 %registers, %registers, %at;".to_owned(),
            // Up to a microsecond, from seed, block and warp; nothing where the seed is zero.
            "setp.eq.u32 %p, %delay, 0;".to_owned(),
            "mad.lo.u32 %delay, %block, 40503, %delay;".to_owned(),
            "mad.lo.u32 %delay, %warp, 30011, %delay;".to_owned(),
            "mul.lo.u32 %delay, %delay, 0x9e3779b1;".to_owned(),
            "shr.u32 %delay, %delay, 22;".to_owned(),
            "@!%p nanosleep.u32 %delay;".to_owned(),
        ] {
            self.line(&line);
        }
        for n in 0..registers {
            self.line(&format!("mov.u32 %v{n}, 0;"));
        }
        for (n, (block, warp)) in of.iter().enumerate() {
            self.line(&format!("mul.lo.u32 %one, %part, {};", 64));
            self.line("add.u32 %one, %one, %warp;");
            self.line(&format!("setp.eq.u32 %p, %one, {};", block * 64 + warp));
            self.line(&format!("@%p bra THREAD{n};"));
        }
        self.line("bra END;");
        for n in 0..of.len() {
            self.thread(n)?;
        }
        self.text.push_str("END:\n  ret;\n}\n");
        Ok(())
    }

    fn thread(&mut self, n: usize) -> Result<(), Refused> {
        let thread: &Thread = &self.test.threads[n];
        let mut guards = false;
        each(&thread.body, &mut |it| {
            guards |= matches!(it, Instruction::If(..) | Instruction::Until(_));
        });
        let all = !thread.barriers().is_empty();
        let lanes = Lanes { thread: n, all, tells: all && guards };
        writeln!(self.text, "THREAD{n}:").expect("a string grows");
        if !all {
            self.line("@!%first bra END;");
        }
        self.body(lanes, &thread.body)?;
        for (at, (of, _)) in self.registers.clone().iter().enumerate() {
            if *of == n {
                self.line(&format!("@%first st.global.u32 [%registers+{}], %v{at};", at * 4));
            }
        }
        self.line("bra END;");
        Ok(())
    }

    fn body(&mut self, lanes: Lanes, body: &[Statement]) -> Result<(), Refused> {
        let mut before: Option<(&String, String)> = None;
        for statement in body {
            let instruction = &statement.instruction;
            let read = before.take();
            if instruction.register().is_some() {
                let label = self.label();
                writeln!(self.text, "{label}:").expect("a string grows");
                before = instruction.register().map(|it| (it, label));
            }
            match instruction {
                Instruction::Until(guard) => {
                    let (register, label) = read.ok_or(Refused::Until)?;
                    if *register != guard.register {
                        return Err(Refused::Until);
                    }
                    self.until(lanes, guard, &label)?;
                }
                Instruction::If(guard, inner) => {
                    let end = self.label();
                    self.guard(lanes, guard)?;
                    self.line(&format!("@!%p bra {end};"));
                    self.body(lanes, inner)?;
                    writeln!(self.text, "{end}:").expect("a string grows");
                }
                Instruction::Load(..)
                | Instruction::Store(..)
                | Instruction::Atomic(..)
                | Instruction::Fence { .. }
                | Instruction::Barrier { .. } => self.plain(lanes, instruction)?,
            }
        }
        Ok(())
    }

    /// Back to the read, or on once the rounds that it has are over: the thread then says that it
    /// gave up, so that its instance counts for nothing, and does what is left, as others may wait
    /// for it at a barrier.
    fn until(&mut self, lanes: Lanes, guard: &Guard, label: &str) -> Result<(), Refused> {
        let on = self.label();
        // The counter starts before the read: it is put there by the text before its label.
        let start = self.text.rfind(&format!("{label}:\n")).unwrap_or(0);
        self.text.insert_str(start, "  mov.u32 %rounds, 0;\n");
        self.guard(lanes, guard)?;
        self.line(&format!("@%p bra {on};"));
        self.line("add.u32 %rounds, %rounds, 1;");
        self.line(&format!("setp.lt.u32 %p, %rounds, {ROUNDS};"));
        self.line(&format!("@%p bra {label};"));
        let flag = self.registers.len() + lanes.thread;
        self.line("mov.u32 %one, 1;");
        self.line(&format!("@%first st.global.u32 [%registers+{}], %one;", flag * 4));
        writeln!(self.text, "{on}:").expect("a string grows");
        Ok(())
    }

    fn guard(&mut self, lanes: Lanes, guard: &Guard) -> Result<(), Refused> {
        let how = match guard.comparison {
            Comparison::Equal => "eq",
            Comparison::NotEqual => "ne",
            Comparison::AtLeast => "ge",
            Comparison::Less => "lt",
        };
        let register = self.register(lanes, &guard.register);
        let with = self.operand(lanes, &guard.with)?;
        self.line(&format!("setp.{how}.u32 %p, {register}, {with};"));
        Ok(())
    }

    fn plain(&mut self, lanes: Lanes, instruction: &Instruction) -> Result<(), Refused> {
        let first = if lanes.all { "@%first " } else { "" };
        match instruction {
            Instruction::Load(mark, register, location) => {
                let (at, register) = (self.at(location), self.register(lanes, register));
                self.line(&format!("{first}ld.{}.global.u32 {register}, {at};", words(*mark)));
                self.tell(lanes, &register);
            }
            Instruction::Store(mark, location, value) => {
                let (at, value) = (self.at(location), self.operand(lanes, value)?);
                self.line(&format!("{first}st.{}.global.u32 {at}, {value};", words(*mark)));
            }
            Instruction::Atomic(mark, register, location, change) => {
                let (at, register) = (self.at(location), self.register(lanes, register));
                let (what, operands) = match change {
                    Change::Add(value) => ("add.u32", self.operand(lanes, value)?),
                    Change::Exchange(value) => ("exch.b32", self.operand(lanes, value)?),
                    Change::CompareAndSwap(old, new) => {
                        let (old, new) = (self.operand(lanes, old)?, self.operand(lanes, new)?);
                        ("cas.b32", format!("{old}, {new}"))
                    }
                };
                let mark = words(*mark);
                self.line(&format!(
                    "{first}atom.{mark}.global.{what} {register}, {at}, {operands};"
                ));
                self.tell(lanes, &register);
            }
            Instruction::Fence { sc, scope } => {
                let order = if *sc { "sc" } else { "acq_rel" };
                self.line(&format!("{first}fence.{order}.{scope};"));
            }
            Instruction::Barrier { id, arrive } => {
                let name = if *arrive { "arrive" } else { "sync" };
                let of = &self.test.threads[lanes.thread];
                let with = self.test.threads.iter().filter(|it| it.is_of_block(of));
                let count = with.filter(|it| it.barriers().contains(id)).count() * 32;
                self.line(&format!("barrier.{name} {id}, {count};"));
            }
            Instruction::Until(_) | Instruction::If(..) => {}
        }
        Ok(())
    }

    /// The other lanes learn what the first has read.
    fn tell(&mut self, lanes: Lanes, register: &str) {
        if lanes.tells {
            self.line(&format!("shfl.sync.idx.b32 {register}, {register}, 0, 31, 0xffffffff;"));
        }
    }

    fn at(&self, location: &str) -> String {
        let n = self.locations.iter().position(|it| it == location).unwrap_or(0);
        format!("[%memory+{}]", n as u32 * SPACING)
    }

    fn register(&self, lanes: Lanes, name: &str) -> String {
        let of = |(thread, known): &(usize, String)| *thread == lanes.thread && known == name;
        self.registers.iter().position(of).map_or("0".to_owned(), |n| format!("%v{n}"))
    }

    fn operand(&self, lanes: Lanes, operand: &Operand) -> Result<String, Refused> {
        match operand {
            Operand::Number(number) if *number > u64::from(u32::MAX) => Err(Refused::Value),
            Operand::Number(number) => Ok(number.to_string()),
            Operand::Register(name) => Ok(self.register(lanes, name)),
        }
    }
}

/// A mark as PTX has it: as tests have it.
fn words(mark: Mark) -> String {
    mark.to_string()
}
