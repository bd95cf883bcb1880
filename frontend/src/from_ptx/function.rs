//! One function of a file as a function of LLVM.
//!
//! Each label starts a block, and so does what follows a guarded instruction. Slots of registers,
//! and variables of the thread, stand at the start.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::Wrong;
use super::body::{Body, Step, What};
use super::file::{File, Function};
use super::lines::Lines;
use super::pointers::Pointers;
use super::signature::signature;
use super::unwritten::{self, Loaded, Written};
use super::variable::{Linkage, Variable};
use heddle_ptx::registers::Slots as _;
use heddle_ptx::registers::carry::{CARRY, Carry as _, carries};
use heddle_ptx::registers::floats::is_exact;
use heddle_ptx::registers::integers::Integers as _;
use heddle_ptx::{Class, Instruction, Operand, RegId, Role, Space};

/// A function while it is written.
pub(super) struct Writer<'a> {
    pub(super) file: &'a File,
    pub(super) function: &'a Function,
    pub(super) body: &'a Body,
    pub(super) pointers: &'a Pointers,
    /// The step that is written, and its number.
    pub(super) step: &'a Step,
    pub(super) number: usize,
    pub(super) text: String,
    /// What follows each instruction: its location.
    pub(super) place: String,
    pub(super) next: usize,
    /// By register: the steps that write it.
    pub(super) written: Written,
    /// Parts of variables of the thread that are loaded.
    pub(super) loaded: FxHashSet<Loaded>,
    /// Registers that have a slot.
    pub(super) used: FxHashSet<RegId>,
    /// Parameters that are kept in memory, by their position.
    pub(super) kept: FxHashSet<usize>,
    /// Whether the hidden register of carries is used.
    uses_carry: bool,
    /// Whether control gets to the end of the text so far.
    pub(super) open: bool,
}

/// The name of an argument: that of the parameter, without the function's before it.
pub(super) fn argument(function: &Function, parameter: &Variable) -> String {
    let own = parameter.name.strip_prefix(&function.name);
    let own = own.and_then(|it| it.strip_prefix('_')).filter(|it| !it.is_empty());
    format!("%\"{}\"", own.unwrap_or(&parameter.name))
}

/// The definition or declaration of a function.
pub(super) fn text(
    file: &File,
    function: &Function,
    body: Option<&Body>,
    pointers: &Pointers,
    lines: &mut Lines<'_>,
) -> Result<String, Wrong> {
    let Some(body) = body else {
        let (result, params) = signature(file, function);
        return Ok(format!("declare {result} @\"{}\"({})\n", function.name, params.join(", ")));
    };
    let subprogram = lines.function(function, body);
    let Some(first) = body.steps.first() else {
        let head = head(file, function, pointers, &subprogram);
        let end = if function.results.is_empty() { "ret void" } else { "unreachable" };
        return Ok(format!("{head} {{\n  {end}\n}}\n"));
    };
    let mut writer = Writer {
        file,
        function,
        body,
        pointers,
        step: first,
        number: 0,
        text: String::new(),
        place: String::new(),
        next: 0,
        written: unwritten::written(&body.steps),
        loaded: FxHashSet::default(),
        used: FxHashSet::default(),
        kept: FxHashSet::default(),
        uses_carry: false,
        open: true,
    };
    for (n, step) in body.steps.iter().enumerate() {
        (writer.step, writer.number) = (step, n);
        writer.labels(n);
        writer.place = lines.place(step);
        match &step.what {
            What::Instruction(it) => writer.guarded(it)?,
            What::Line(_) | What::Nothing => {}
        }
    }
    writer.labels(body.steps.len());
    if writer.open {
        writer.leave();
    }
    let start = writer.start(&lines.entry());
    let text = writer.text;
    Ok(format!("{} {{\n{start}{text}}}\n", head(file, function, pointers, &subprogram)))
}

/// `define ptx_kernel void @"k"(ptr %"param_0") "nvvm.maxntid"="256,1,1" !dbg !4`
fn head(file: &File, function: &Function, pointers: &Pointers, subprogram: &str) -> String {
    let mut attributes = match file.arch.as_str() {
        "" => String::new(),
        arch => format!(" \"target-cpu\"=\"{arch}\""),
    };
    for (word, numbers) in &function.directives {
        let key = match word.as_str() {
            "maxntid" => "nvvm.maxntid",
            "reqntid" => "nvvm.reqntid",
            "reqnctapercluster" => "nvvm.cluster_dim",
            "minnctapersm" => "nvvm.minctasm",
            "maxclusterrank" => "nvvm.maxclusterrank",
            "maxnreg" => "nvvm.maxnreg",
            _ => continue,
        };
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        // Writing into a text cannot fail.
        let _written = write!(attributes, " \"{key}\"=\"{}\"", numbers.join(","));
    }
    let name = &function.name;
    if !function.is_entry {
        let (result, types) = signature(file, function);
        let params: Vec<String> = function
            .params
            .iter()
            .zip(types)
            .map(|(it, ty)| format!("{ty} {}", argument(function, it)))
            .collect();
        let linkage = match function.linkage {
            Linkage::Internal => "internal ",
            // A function that several files have, each with one meaning, as `nvcc` marks templates.
            Linkage::Weak => "weak_odr ",
            Linkage::Extern | Linkage::Visible | Linkage::Common => "",
        };
        return format!(
            "define {linkage}{result} @\"{name}\"({}) convergent nounwind{attributes}{subprogram}",
            params.join(", ")
        );
    }
    let params: Vec<String> = function
        .params
        .iter()
        .enumerate()
        .map(|(n, it)| {
            let ty = match (it.is_array, pointers.parameters.contains(&n)) {
                (true, _) => format!("ptr byval({}) align {}", it.ir_type(), it.align),
                (false, false) => it.ir_type(),
                (false, true) => match it.pointer {
                    Some(Space::SharedBlock) => "ptr addrspace(3)".to_owned(),
                    _ => "ptr".to_owned(),
                },
            };
            format!("{ty} {}", argument(function, it))
        })
        .collect();
    let params = params.join(", ");
    format!(
        "define ptx_kernel void @\"{name}\"({params}) convergent nounwind{attributes}{subprogram}"
    )
}

impl Writer<'_> {
    /// Slots and variables, before everything else.
    fn start(&mut self, place: &str) -> String {
        let mut out = String::new();
        let mut add = |text: String| {
            out.push_str("  ");
            out.push_str(&text);
            out.push_str(place);
            out.push('\n');
        };
        let mut used: Vec<RegId> = self.used.iter().copied().collect();
        used.sort_unstable();
        for id in used {
            let ty = self.body.registers[id.0].ty;
            let ty = match self.pointers.registers.contains(&id) {
                true => "ptr".to_owned(),
                false => format!("i{}", u32::from(ty.bits) * u32::from(ty.lanes)),
            };
            add(format!("{} = alloca {ty}", self.slot(id)));
            let (slot, first) = (self.slot(id), format!("%\"first.-{}\"", id.0));
            unwritten::first(&first, &ty).into_iter().for_each(&mut add);
            add(format!("store {ty} {first}, ptr {slot}"));
        }
        if self.uses_carry {
            add(format!("{CARRY} = alloca i1"));
        }
        for it in self.body.locals.iter().filter(|it| it.ir_name.starts_with('%')) {
            let bytes = it.variable.bytes.unwrap_or(0);
            add(format!("{} = alloca [{bytes} x i8], align {}", it.ir_name, it.variable.align));
        }
        let function = self.function;
        if !function.is_entry {
            for it in function.results.iter().filter(|it| it.space.is_some()) {
                let bytes = it.bytes.unwrap_or(0);
                add(format!("%\"{}.slot\" = alloca [{bytes} x i8], align {}", it.name, it.align));
                let (first, ty) = (format!("%\"{}.first\"", it.name), it.ir_type());
                unwritten::first(&first, &ty).into_iter().for_each(&mut add);
                add(format!("store {ty} {first}, ptr %\"{}.slot\", align 1", it.name));
            }
        }
        unwritten::first_values(&self.loaded).into_iter().for_each(&mut add);
        for (n, it) in function.params.iter().enumerate() {
            let given = argument(function, it);
            if it.space.is_none() {
                if let Some(id) = self.body.registers.iter().position(|r| r.name == it.name) {
                    if !self.used.contains(&RegId(id)) {
                        continue;
                    }
                    let slot = self.slot(RegId(id));
                    add(format!("store {} {given}, ptr {slot}", it.ir_type()));
                }
            } else if self.kept.contains(&n) && !it.is_array {
                let bytes = it.bytes.unwrap_or(0);
                let ty = match self.is_pointer(n) {
                    true => "ptr".to_owned(),
                    false => it.ir_type(),
                };
                add(format!("%\"{}.slot\" = alloca [{bytes} x i8], align {}", it.name, it.align));
                add(format!("store {ty} {given}, ptr %\"{}.slot\"", it.name));
            }
        }
        out
    }

    /// Whether a parameter has pointer type.
    pub(super) fn is_pointer(&self, n: usize) -> bool {
        match self.function.is_entry {
            true => self.pointers.parameters.contains(&n),
            false => self.file.is_pointer(self.function, n),
        }
    }

    /// Where a parameter or a result of the function is in memory.
    pub(super) fn parameter(&mut self, name: &str) -> Option<String> {
        let function = self.function;
        if let Some(n) = function.params.iter().position(|it| it.name == name) {
            let it = &function.params[n];
            if it.is_array {
                return Some(argument(function, it));
            }
            self.kept.insert(n);
            return Some(format!("%\"{name}.slot\""));
        }
        let known = function.results.iter().any(|it| it.name == name);
        known.then(|| format!("%\"{name}.slot\""))
    }

    /// Starts the code after the labels that stand before a step.
    fn labels(&mut self, at: usize) {
        for n in 0..self.body.labels.len() {
            if self.body.labels[n].at == at {
                self.begin(&format!(".l{n}"));
            }
        }
    }

    /// Starts a block, to which what comes before goes on.
    pub(super) fn begin(&mut self, label: &str) {
        if self.open {
            self.line(&format!("br label %{label}"));
        }
        self.text.push_str(label);
        self.text.push_str(":\n");
        self.open = true;
    }

    /// A name that no other block has.
    pub(super) fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// Ends a block with an instruction that goes nowhere.
    pub(super) fn end(&mut self, text: &str) {
        self.line(text);
        self.open = false;
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Wrong> {
        Err((self.step.at, message.into()))
    }

    fn guarded(&mut self, it: &Instruction) -> Result<(), Wrong> {
        if !self.open {
            // Nothing gets here; it is kept, as all is.
            let n = self.fresh();
            self.begin(&format!(".dead{n}"));
        }
        let Some(guard) = &it.guard else { return self.instruction(it) };
        let Some(mut holds) = self.operand(&guard.predicate, 1) else {
            return self.wrong("expected a predicate after `@`");
        };
        if guard.negated {
            holds = self.value(&format!("xor i1 {holds}, true"));
        }
        let n = self.fresh();
        if let (Class::Branch { .. }, Some(Operand::Label(to))) =
            (&it.class, it.operand(Role::Target))
        {
            self.end(&format!("br i1 {holds}, label %.l{}, label %.go{n}", to.0));
            self.begin(&format!(".go{n}"));
            return Ok(());
        }
        self.end(&format!("br i1 {holds}, label %.do{n}, label %.go{n}"));
        self.begin(&format!(".do{n}"));
        self.instruction(it)?;
        self.begin(&format!(".go{n}"));
        Ok(())
    }

    fn instruction(&mut self, it: &Instruction) -> Result<(), Wrong> {
        let root = it.opcode.split('.').next().unwrap_or_default();
        match (root, &it.class) {
            ("call", _) => return self.call(it),
            ("ret", _) => {
                self.leave();
                return Ok(());
            }
            ("brx", _) => return self.indexed_branch(it),
            ("bra", Class::Branch { .. }) => {
                let Some(Operand::Label(to)) = it.operand(Role::Target) else {
                    return self.wrong("expected a label");
                };
                self.end(&format!("br label %.l{}", to.0));
                return Ok(());
            }
            (_, Class::Exit) if self.function.is_entry => {
                self.end("ret void");
                return Ok(());
            }
            (_, Class::Exit) => {
                self.line("call void @llvm.nvvm.exit()");
                self.end("unreachable");
                return Ok(());
            }
            (_, Class::Trap) => {
                self.line("call void @llvm.trap()");
                self.end("unreachable");
                return Ok(());
            }
            _ => {}
        }
        // Written anew where the exact form turns out not to be known.
        let (length, next) = (self.text.len(), self.next);
        let done = match &it.class {
            Class::Pure { op, ty } if is_exact(&it.opcode) => {
                let done = self.on_pointers(it, *op, *ty);
                if done.is_none() {
                    self.text.truncate(length);
                }
                done.or_else(|| self.divided(it, *op, *ty)).or_else(|| self.pure(it, *op, *ty))
            }
            Class::Opaque(_) if carries(&it.opcode) => {
                self.uses_carry = true;
                self.with_carry(it)
            }
            Class::Load(access) => self.load(it, *access),
            Class::Store(access) => self.store(it, *access),
            Class::Atomic { .. } => self.atomic(it),
            Class::Barrier { .. } => self.block_barrier(it),
            Class::Opaque(_) | Class::Unknown if root == "wmma" => self.matrix(it),
            _ => None,
        };
        if done.is_some() {
            return Ok(());
        }
        self.text.truncate(length);
        self.next = next;
        self.inline(it)
    }

    /// `bar.sync 0`, the barrier of all threads of a block.
    fn block_barrier(&mut self, it: &Instruction) -> Option<()> {
        let Class::Barrier { action, reduce: None, aligned } = &it.class else { return None };
        let is_all = it.operand(Role::Id) == Some(&Operand::Int(0))
            && it.operand(Role::Count).is_none()
            && *action == heddle_ir::BarrierAction::Sync;
        let word = if *aligned { ".aligned" } else { "" };
        is_all.then(|| {
            self.line(&format!("call void @llvm.nvvm.barrier.cta.sync{word}.all(i32 0) #0"));
        })
    }

    /// `brx.idx index, list`
    fn indexed_branch(&mut self, it: &Instruction) -> Result<(), Wrong> {
        let operands: Vec<&Operand> = it.operands.iter().map(|(_, it)| it).collect();
        let [index, Operand::Symbol(list)] = operands[..] else {
            return self.wrong("expected an index and a list of labels");
        };
        let targets = self.body.label(&self.step.blocks, list);
        let Some(targets) = targets.and_then(|it| self.body.targets.get(&it)) else {
            return self.wrong(format!("no `.branchtargets` is called `{list}`"));
        };
        let mut cases = String::new();
        for (n, target) in targets.names.iter().enumerate() {
            let Some(label) = self.body.label(&targets.blocks, target) else {
                return self.wrong(format!("no label is called `{target}`"));
            };
            let _written = write!(cases, " i32 {n}, label %.l{}", label.0);
        }
        let Some(index) = self.operand(index, 32) else {
            return self.wrong("expected an index");
        };
        let n = self.fresh();
        self.end(&format!("switch i32 {index}, label %.past{n} [{cases} ]"));
        // An index beyond the list is undefined (PTX ISA 9.7.12.3).
        self.begin(&format!(".past{n}"));
        self.end("unreachable");
        Ok(())
    }

    /// `ret`, with what the function gives back.
    pub(super) fn leave(&mut self) {
        if self.function.is_entry || self.function.results.is_empty() {
            self.end("ret void");
            return;
        }
        let (ty, _) = signature(self.file, self.function);
        let mut values = Vec::new();
        for it in &self.function.results {
            let own = it.ir_type();
            let value = match (it.space, self.body.registers.iter().position(|r| r.name == it.name))
            {
                (None, Some(id)) => {
                    self.used.insert(RegId(id));
                    let slot = self.slot(RegId(id));
                    self.value(&format!("load {own}, ptr {slot}"))
                }
                _ => self.value(&format!("load {own}, ptr %\"{}.slot\", align 1", it.name)),
            };
            values.push((own, value));
        }
        if let [(ty, value)] = &values[..] {
            return self.end(&format!("ret {ty} {value}"));
        }
        let mut whole = "poison".to_owned();
        for (n, (own, value)) in values.iter().enumerate() {
            whole = self.value(&format!("insertvalue {ty} {whole}, {own} {value}, {n}"));
        }
        self.end(&format!("ret {ty} {whole}"));
    }
}
