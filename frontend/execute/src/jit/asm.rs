//! Inline PTX on the host: each instruction of the template as IR that does the same.
//!
//! Values are integers of their width; registers and outputs are slots that LLVM turns into values
//! again. **Promises**: an instruction without a rule here refuses the kernel, by its opcode.
//! **Does not**: tensor copies.

mod carry;
mod cluster;
mod copies;
mod lanes;
mod matrix;
mod memory;
mod special;

use heddle_ir::{BarrierAction, MemoryOrder, Reduction, Scope};
use heddle_runtime::abi;

use super::signature::Signature;
use super::{Unsupported, unsupported};
use heddle_llvm::InlineAsm;
use heddle_ptx::registers::Slots;
use heddle_ptx::registers::carry::CARRY;
use heddle_ptx::registers::integers::Integers as _;
use heddle_ptx::{
    Address, Asm, Class, ConstraintKind, Instruction, MbarrierOp, Offset, Operand, PhaseBy, PureOp,
    Role,
};

/// The body of a function that does what an inline assembly does.
pub(super) fn body(asm: &InlineAsm, signature: &Signature) -> Result<String, Unsupported> {
    let refused =
        |why: String| Unsupported::new(format!("inline PTX `{}`: {why}", asm.text.trim()));
    let known_elsewhere = "`heddle check` takes the kernel as it is; to run it, write the instruction in C++, or leave it out";
    let read = heddle_ptx::read(&asm.text, &asm.constraints).map_err(|error| {
        refused(error.to_string()).instead("`ptxas` says more of PTX that is not valid")
    })?;
    let mut out = Body { asm: &read, signature, text: String::new(), next: 0 };
    out.slots().ok_or_else(|| {
        let why = "an operand that is kept in memory".to_owned();
        refused(why).instead("give the value in a register: the constraint `r`, not `m`")
    })?;
    for (n, instruction) in read.instructions.iter().enumerate() {
        out.labels(n);
        out.guarded(instruction, n).ok_or_else(|| {
            let opcode = &instruction.opcode;
            let way_out =
                if opcode.contains(".tensor") { unsupported::TENSOR } else { known_elsewhere };
            refused(format!("`{opcode}` is not known to the executor")).instead(way_out)
        })?;
    }
    out.labels(read.instructions.len());
    out.give();
    Ok(out.text)
}

struct Body<'a> {
    asm: &'a Asm,
    signature: &'a Signature,
    text: String,
    next: usize,
}

/// The types of the results, one for each output.
fn results(text: &str) -> Vec<String> {
    match text.trim() {
        "void" => Vec::new(),
        other => match other.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(fields) => fields.split(',').map(|it| it.trim().to_owned()).collect(),
            None => vec![other.to_owned()],
        },
    }
}

fn bits_of(ty: &str) -> u32 {
    match ty {
        "float" => 32,
        "double" => 64,
        "half" | "bfloat" => 16,
        _ if ty.starts_with("ptr") => 64,
        _ => ty.strip_prefix('i').and_then(|it| it.parse().ok()).unwrap_or(32),
    }
}

impl Slots for Body<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str("  ");
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A line that defines a value, and its name.
    fn value(&mut self, text: &str) -> String {
        self.next += 1;
        let name = format!("%v{}", self.next);
        self.line(&format!("{name} = {text}"));
        name
    }

    /// An operand as an integer of so many bits.
    fn operand(&mut self, operand: &Operand, bits: u32) -> Option<String> {
        match operand {
            Operand::Asm(n) if *n < self.outputs() => {
                let own = bits_of(results(&self.signature.result).get(*n)?);
                let value = self.value(&format!("load i{own}, ptr %o{n}"));
                Some(self.resized(&value, own, bits, false))
            }
            Operand::Asm(n) => self.input(*n, bits),
            Operand::Reg(id) => {
                let reg = self.asm.regs.get(id.0)?;
                let own = u32::from(reg.ty.bits) * u32::from(reg.ty.lanes);
                let value = self.value(&format!("load i{own}, ptr %r{}", id.0));
                Some(self.resized(&value, own, bits, false))
            }
            Operand::Int(value) => {
                Some(if bits == 1 { (*value != 0).to_string() } else { value.to_string() })
            }
            Operand::Float { bits: value, .. } => Some((*value as i64).to_string()),
            Operand::Not(inner) => {
                let value = self.operand(inner, 1)?;
                let value = self.value(&format!("xor i1 {value}, true"));
                Some(self.resized(&value, 1, bits, false))
            }
            Operand::Address(address) => {
                self.address_value(address).map(|it| self.resized(&it, 64, bits, false))
            }
            Operand::Special(register) => self.special(*register, bits),
            Operand::Vector(_) | Operand::Sink | Operand::Label(_) | Operand::Symbol(_) => None,
        }
    }

    fn set(&mut self, operand: &Operand, bits: u32, value: &str) -> Option<()> {
        let (slot, own) = match operand {
            Operand::Asm(n) => {
                (format!("%o{n}"), bits_of(results(&self.signature.result).get(*n)?))
            }
            Operand::Reg(id) => {
                let ty = self.asm.regs.get(id.0)?.ty;
                (format!("%r{}", id.0), u32::from(ty.bits) * u32::from(ty.lanes))
            }
            Operand::Sink => return Some(()),
            Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Label(_)
            | Operand::Symbol(_) => return None,
        };
        let value = self.resized(value, bits, own, false);
        self.line(&format!("store i{own} {value}, ptr {slot}"));
        Some(())
    }

    fn width(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Asm(n) => results(&self.signature.result).get(*n).map(|it| bits_of(it)),
            Operand::Reg(id) => {
                let ty = self.asm.regs.get(id.0)?.ty;
                Some(u32::from(ty.bits) * u32::from(ty.lanes))
            }
            Operand::Int(_)
            | Operand::Float { .. }
            | Operand::Special(_)
            | Operand::Not(_)
            | Operand::Address(_)
            | Operand::Vector(_)
            | Operand::Sink
            | Operand::Label(_)
            | Operand::Symbol(_) => None,
        }
    }
}

impl Body<'_> {
    fn outputs(&self) -> usize {
        self.asm.operands.iter().filter(|it| it.kind == ConstraintKind::Output).count()
    }

    /// Slots for outputs and registers; outputs that are tied start with the value of their input.
    fn slots(&mut self) -> Option<()> {
        let types = results(&self.signature.result);
        if self.asm.operands.iter().any(|it| it.indirect) {
            return None;
        }
        if self.asm.instructions.iter().any(Self::is_carry) {
            self.line(&format!("{CARRY} = alloca i1"));
        }
        for (n, ty) in types.iter().enumerate() {
            self.line(&format!("%o{n} = alloca i{}", bits_of(ty)));
        }
        for (n, reg) in self.asm.regs.iter().enumerate() {
            let bits = u32::from(reg.ty.bits) * u32::from(reg.ty.lanes) * u32::from(reg.elements);
            self.line(&format!("%r{n} = alloca i{bits}"));
        }
        let tied: Vec<(usize, usize)> = self
            .asm
            .operands
            .iter()
            .enumerate()
            .filter_map(|(n, it)| match it.kind {
                ConstraintKind::Tied(to) => Some((n, to)),
                ConstraintKind::Output | ConstraintKind::Input | ConstraintKind::Label => None,
            })
            .collect();
        for (n, to) in tied {
            let bits = bits_of(types.get(to)?);
            let value = self.input(n, bits)?;
            self.line(&format!("store i{bits} {value}, ptr %o{to}"));
        }
        Some(())
    }

    /// An input as an integer of so many bits.
    fn input(&mut self, operand: usize, bits: u32) -> Option<String> {
        let index = operand.checked_sub(self.outputs())?;
        let ty = self.signature.params.get(index)?.clone();
        let own = bits_of(&ty);
        let value = match ty.as_str() {
            "float" | "double" | "half" | "bfloat" => {
                self.value(&format!("bitcast {ty} %a{index} to i{own}"))
            }
            _ if ty.starts_with("ptr") => self.value(&format!("ptrtoint {ty} %a{index} to i64")),
            _ => format!("%a{index}"),
        };
        Some(self.resized(&value, own, bits, false))
    }

    fn address_value(&mut self, address: &Address) -> Option<String> {
        let base = self.operand(&address.base, 64)?;
        let offset = match address.offset {
            Offset::Bytes(0) => return Some(base),
            Offset::Bytes(bytes) => bytes.to_string(),
            Offset::Asm(n) => self.input(n, 64)?,
        };
        Some(self.value(&format!("add i64 {base}, {offset}")))
    }

    fn pointer(&mut self, instruction: &Instruction, role: Role) -> Option<String> {
        let value = self.operand(instruction.operand(role)?, 64)?;
        Some(self.value(&format!("inttoptr i64 {value} to ptr")))
    }

    fn number(&mut self, instruction: &Instruction, role: Role, absent: u32) -> Option<String> {
        match instruction.operand(role) {
            Some(operand) => self.operand(operand, 32),
            None => Some(absent.to_string()),
        }
    }

    /// Starts the code after the labels that stand before an instruction.
    fn labels(&mut self, at: usize) {
        let here = self.asm.labels.iter().enumerate().filter(|(_, label)| label.at == at);
        for (n, _) in here.collect::<Vec<_>>() {
            self.line(&format!("br label %l{n}"));
            self.text.push_str(&format!("l{n}:\n"));
        }
    }

    fn guarded(&mut self, instruction: &Instruction, at: usize) -> Option<()> {
        let Some(guard) = &instruction.guard else { return self.instruction(instruction, at) };
        let mut holds = self.operand(&guard.predicate, 1)?;
        if guard.negated {
            holds = self.value(&format!("xor i1 {holds}, true"));
        }
        self.next += 1;
        let n = self.next;
        self.line(&format!("br i1 {holds}, label %do{n}, label %go{n}"));
        self.text.push_str(&format!("do{n}:\n"));
        self.instruction(instruction, at)?;
        self.line(&format!("br label %go{n}"));
        self.text.push_str(&format!("go{n}:\n"));
        Some(())
    }

    /// Goes to a label. Who goes back gives others their turn.
    fn branch(&mut self, it: &Instruction, at: usize) -> Option<()> {
        let Operand::Label(to) = it.operand(Role::Target)? else { return None };
        if self.asm.labels.get(to.0)?.at <= at {
            self.line("call void @__heddle_poll(i32 0)");
        }
        self.line(&format!("br label %l{}", to.0));
        // What stands after it is reached by labels and by guards that do not hold.
        self.next += 1;
        self.text.push_str(&format!("past{}:\n", self.next));
        Some(())
    }

    fn instruction(&mut self, it: &Instruction, at: usize) -> Option<()> {
        if matrix::is_matrix(it) {
            return self.matrix(it);
        }
        if Self::is_carry(it) {
            return self.carry(it, at);
        }
        match &it.class {
            Class::Barrier { action, reduce, .. } => self.barrier(it, *action, *reduce),
            Class::WarpBarrier => {
                let mask = self.number(it, Role::Mask, u32::MAX)?;
                self.value(&format!(
                    "call i64 @__heddle_exchange(i32 0, i32 {mask}, i64 0, i32 0, i32 0)"
                ));
                Some(())
            }
            Class::Fence { order, scope, .. } => self.fence(*scope, *order),
            // It orders no more than initialisations; a run takes it for a whole fence.
            Class::FenceMbarrierInit => self.fence(heddle_ir::Scope::Device, MemoryOrder::AcqRel),
            // These order ways to memory, and no access of one thread with another's.
            Class::ProxyFence { .. }
            | Class::Hint
            | Class::GridDependency { .. }
            | Class::SetMaxRegisters { .. }
            | Class::Breakpoint => Some(()),
            Class::CpAsync(_) => self.copy(it),
            Class::CpAsyncCommit => {
                self.line("call void @__heddle_copy_commit()");
                Some(())
            }
            Class::CpAsyncWait => {
                let all = u32::from(it.operand(Role::Pending).is_none());
                let pending = self.number(it, Role::Pending, 0)?;
                self.line(&format!("call void @__heddle_copy_wait(i32 {pending}, i32 {all})"));
                Some(())
            }
            Class::BulkCopy(copy) => self.bulk_copy(it, *copy),
            Class::BulkCommit => {
                self.line("call void @__heddle_bulk_commit()");
                Some(())
            }
            Class::BulkWait { read_only: _ } => {
                let pending = self.number(it, Role::Pending, 0)?;
                self.line(&format!("call void @__heddle_bulk_wait(i32 {pending})"));
                Some(())
            }
            Class::CrossLane { kind, ty } => self.cross_lane(it, *kind, u32::from(ty.bits)),
            Class::Branch { uniform: _ } => self.branch(it, at),
            Class::CpAsyncArrive { no_increment, space: _ } => {
                let does = match no_increment {
                    true => abi::Mbarrier::ArriveAfterCopies,
                    false => abi::Mbarrier::JoinAfterCopies,
                };
                self.on_object(it, does, "1").map(|_| ())
            }
            Class::Mbarrier { op, .. } => self.mbarrier(it, *op),
            Class::Load(access) => self.load(it, *access),
            Class::Store(access) => self.store(it, *access),
            Class::Atomic { op, ty, elements: 1, scope, .. } => {
                self.atomic(it, *op, u32::from(ty.bits), ty.kind, *scope)
            }
            Class::Pure { op: op @ (PureOp::MapToBlock | PureOp::BlockRank), ty } => {
                self.mapped(it, *op, u32::from(ty.bits) * u32::from(ty.lanes))
            }
            Class::Pure { op, ty } => self.pure(it, *op, *ty),
            Class::Sleep => {
                self.line("call void @__heddle_yield()");
                Some(())
            }
            Class::Exit => {
                self.line("call void @__heddle_exit()");
                Some(())
            }
            Class::Trap => {
                self.line("call void @__heddle_trap()");
                Some(())
            }
            Class::ClusterBarrier { action, order, aligned: _ } => {
                self.cluster_barrier(*action, *order);
                Some(())
            }
            Class::Atomic { .. }
            | Class::LoadMatrix { .. }
            | Class::Surface(_)
            | Class::StoreMatrix { .. }
            | Class::Warpgroup(_)
            | Class::TensorCore(_)
            | Class::Opaque(_)
            | Class::Unknown => None,
        }
    }

    fn fence(&mut self, scope: Scope, order: MemoryOrder) -> Option<()> {
        let kind = scope_number(scope) | super::nvvm::fence_flags(order);
        self.line(&format!("call void @__heddle_fence(i32 {kind})"));
        Some(())
    }

    fn barrier(
        &mut self,
        it: &Instruction,
        action: BarrierAction,
        reduce: Option<Reduction>,
    ) -> Option<()> {
        let (id, count) = (self.number(it, Role::Id, 0)?, self.number(it, Role::Count, 0)?);
        let does = match (action, reduce) {
            (BarrierAction::Arrive, _) => abi::BarrierAction::Arrive,
            (BarrierAction::Sync, None) => abi::BarrierAction::Sync,
            (BarrierAction::Sync, Some(Reduction::Popc)) => abi::BarrierAction::Count,
            (BarrierAction::Sync, Some(Reduction::And)) => abi::BarrierAction::All,
            (BarrierAction::Sync, Some(Reduction::Or)) => abi::BarrierAction::Any,
        };
        let value = match it.operand(Role::Predicate) {
            Some(operand) => {
                let bit = self.operand(operand, 1)?;
                self.value(&format!("zext i1 {bit} to i32"))
            }
            None => "0".to_owned(),
        };
        let number = does.number();
        let result = self.value(&format!(
            "call i32 @__heddle_barrier(i32 {id}, i32 {number}, i32 {count}, i32 {value})"
        ));
        match it.operand(Role::Dest) {
            Some(dest) => self.set(dest, 32, &result),
            None => Some(()),
        }
    }

    fn on_object(&mut self, it: &Instruction, op: abi::Mbarrier, operand: &str) -> Option<String> {
        let object = self.pointer(it, Role::Mbarrier)?;
        Some(self.value(&format!(
            "call i64 @__heddle_mbarrier(i32 {}, ptr {object}, i64 {operand})",
            op.number()
        )))
    }

    fn mbarrier(&mut self, it: &Instruction, op: MbarrierOp) -> Option<()> {
        let wide = |body: &mut Self, role: Role, absent: &str| match it.operand(role) {
            Some(operand) => body.operand(operand, 64),
            None => Some(absent.to_owned()),
        };
        match op {
            MbarrierOp::Init => {
                let count = wide(self, Role::Count, "1")?;
                self.on_object(it, abi::Mbarrier::Init, &count).map(|_| ())
            }
            MbarrierOp::Invalidate => {
                self.on_object(it, abi::Mbarrier::Invalidate, "0").map(|_| ())
            }
            MbarrierOp::Arrive { drop, expect_bytes, .. } => {
                if expect_bytes {
                    let bytes = wide(self, Role::Bytes, "0")?;
                    self.on_object(it, abi::Mbarrier::ExpectBytes, &bytes)?;
                }
                let count = wide(self, Role::Count, "1")?;
                let does = if drop { abi::Mbarrier::ArriveDrop } else { abi::Mbarrier::Arrive };
                let token = self.on_object(it, does, &count)?;
                match it.operand(Role::Dest) {
                    Some(dest) => self.set(dest, 64, &token),
                    None => Some(()),
                }
            }
            MbarrierOp::ExpectBytes(_) => {
                let bytes = wide(self, Role::Bytes, "0")?;
                self.on_object(it, abi::Mbarrier::ExpectBytes, &bytes).map(|_| ())
            }
            MbarrierOp::CompleteBytes(_) => {
                let bytes = wide(self, Role::Bytes, "0")?;
                self.on_object(it, abi::Mbarrier::CompleteBytes, &bytes).map(|_| ())
            }
            MbarrierOp::Test { by, may_wait, .. } => {
                let (operand, does) = match (by, may_wait) {
                    (PhaseBy::Token, false) => {
                        (wide(self, Role::Token, "0")?, abi::Mbarrier::TestToken)
                    }
                    (PhaseBy::Token, true) => {
                        (wide(self, Role::Token, "0")?, abi::Mbarrier::WaitToken)
                    }
                    (PhaseBy::Parity, false) => {
                        (wide(self, Role::Parity, "0")?, abi::Mbarrier::TestParity)
                    }
                    (PhaseBy::Parity, true) => {
                        (wide(self, Role::Parity, "0")?, abi::Mbarrier::WaitParity)
                    }
                };
                let over = self.on_object(it, does, &operand)?;
                let bit = self.value(&format!("trunc i64 {over} to i1"));
                self.set(it.operand(Role::Dest)?, 1, &bit)
            }
        }
    }

    /// Returns the outputs.
    fn give(&mut self) {
        let types = results(&self.signature.result);
        let mut values = Vec::new();
        for (n, ty) in types.iter().enumerate() {
            let bits = bits_of(ty);
            let value = self.value(&format!("load i{bits}, ptr %o{n}"));
            values.push(match ty.as_str() {
                "float" | "double" | "half" | "bfloat" => {
                    self.value(&format!("bitcast i{bits} {value} to {ty}"))
                }
                _ if ty.starts_with("ptr") => self.value(&format!("inttoptr i64 {value} to {ty}")),
                _ => value,
            });
        }
        let result = self.signature.result.clone();
        match &values[..] {
            [] => self.line("ret void"),
            [one] if !result.starts_with('{') => self.line(&format!("ret {result} {one}")),
            many => {
                let mut whole = "poison".to_owned();
                for (n, value) in many.iter().enumerate() {
                    whole = self
                        .value(&format!("insertvalue {result} {whole}, {} {value}, {n}", types[n]));
                }
                self.line(&format!("ret {result} {whole}"));
            }
        }
    }
}

fn scope_number(scope: Scope) -> u32 {
    match scope {
        Scope::Thread | Scope::Warp | Scope::Block => abi::Scope::Block.number(),
        Scope::Cluster | Scope::Device | Scope::System => abi::Scope::Grid.number(),
    }
}
