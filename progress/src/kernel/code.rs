//! What the leader of a block does of the slice, as code of a block program.
//!
//! An operation under a predicate is a branch round it, a loop is a loop, a loop variable is a
//! register that is set for all variables at once, memory of the block is a register for each
//! place. A thread that ends in the middle does nothing more. Accesses to memory that blocks share
//! are the steps.

use std::collections::BTreeMap;

use heddle_ir::{
    Access, AccessKind, AtomicOp, Barrier, Ending, ExprId, Item, Kernel, LoopId, ObjectId, OpId,
    OpKind, Region,
};

use super::Refusal;
use super::flow::Flow;
use super::memory::Memory;
use super::slice::Slice;
use super::translate::{Thread, followed_vars};
use crate::blocks::{Action, Address, Code, CodeBuilder, Expr, Label, Operator, Register};

/// The code of one block, as it is written.
pub(super) struct BlockCode<'a, 'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) flow: &'a Flow<'k>,
    slice: &'a Slice,
    pub(super) thread: Thread<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) code: CodeBuilder,
    /// Memory of the block, by object and first byte: bytes, and the register that holds them.
    cells: BTreeMap<(ObjectId, u64), (u64, Register)>,
    origins: BTreeMap<usize, OpId>,
}

impl<'a, 'k> BlockCode<'a, 'k> {
    pub(super) fn new(
        flow: &'a Flow<'k>,
        slice: &'a Slice,
        mut thread: Thread<'a>,
        memory: &'a mut Memory,
    ) -> Self {
        let kernel = flow.kernel;
        let mut code = CodeBuilder::new();
        for op in slice.ops.iter() {
            for index in 0..kernel[op].results.len() as u32 {
                thread.results.insert((op, index), code.register());
            }
        }
        for of in slice.loops.iter() {
            for var in followed_vars(kernel, of, |expr| slice.needs(expr)) {
                thread.vars.insert(var, code.register());
            }
        }
        let (cells, origins) = (BTreeMap::new(), BTreeMap::new());
        Self { kernel, flow, slice, thread, memory, code, cells, origins }
    }

    pub(super) fn finish(mut self) -> Result<(Code, BTreeMap<usize, OpId>), Refusal> {
        let kernel = self.kernel;
        self.region(&kernel.body)?;
        Ok((self.code.finish(), self.origins))
    }

    fn region(&mut self, region: &Region) -> Result<(), Refusal> {
        for item in &region.items {
            match *item {
                Item::Op(op) if self.slice.ops.contains(op) => {
                    self.op(op).map_err(|refusal| refusal.at(self.kernel, op))?;
                }
                Item::Loop(of) if self.slice.loops.contains(of) => self.a_loop(of)?,
                Item::Op(_) | Item::Loop(_) => {}
            }
        }
        Ok(())
    }

    /// Begins code that runs where the condition holds; where it never does, there is none. Its end
    /// must be placed.
    fn guarded(&mut self, condition: ExprId) -> Result<Option<Label>, Refusal> {
        let condition = self.thread.value(condition)?;
        let end = self.code.label();
        match condition {
            Expr::Constant(0) => return Ok(None),
            Expr::Constant(_) => {}
            Expr::Register(_) | Expr::Binary { .. } | Expr::Select(_) => {
                let begin = self.code.label();
                self.code.branch(condition, begin, end);
                self.code.place(begin);
            }
        }
        Ok(Some(end))
    }

    fn a_loop(&mut self, of: LoopId) -> Result<(), Refusal> {
        let kernel = self.kernel;
        let located = |refusal: Refusal| Refusal {
            origin: refusal.origin.or(Some(kernel[of].origin)),
            ..refusal
        };
        let Some(end) = self.guarded(kernel[of].pred).map_err(located)? else { return Ok(()) };
        let vars = kernel[of].vars.iter();
        let vars: Vec<_> =
            vars.filter_map(|var| Some((*var, *self.thread.vars.get(var)?))).collect();
        let mut first = Vec::new();
        for (var, register) in &vars {
            first.push((*register, self.thread.value(kernel[*var].init).map_err(located)?));
        }
        self.code.assign(first);
        let again = self.code.here();
        self.region(&kernel[of].body)?;
        match self.thread.value(kernel[of].cont).map_err(located)? {
            Expr::Constant(0) => {}
            goes_on @ (Expr::Constant(_)
            | Expr::Register(_)
            | Expr::Binary { .. }
            | Expr::Select(_)) => {
                let more = self.code.label();
                self.code.branch(goes_on, more, end);
                self.code.place(more);
                let mut next = Vec::new();
                for (var, register) in &vars {
                    next.push((*register, self.thread.value(kernel[*var].next).map_err(located)?));
                }
                self.code.assign(next);
                self.code.jump(again);
            }
        }
        self.code.place(end);
        Ok(())
    }

    fn op(&mut self, op: OpId) -> Result<(), Refusal> {
        let kernel = self.kernel;
        let Some(end) = self.guarded(kernel[op].pred)? else { return Ok(()) };
        self.code.at(&line(kernel, op));
        match &kernel[op].kind {
            OpKind::Access(access) if self.flow.is_shared_by_blocks(access.address.object) => {
                self.global(op, access)?;
            }
            OpKind::Access(access) => self.local(op, access)?,
            OpKind::Barrier(Barrier::Grid) => self.grid_barrier(op),
            OpKind::Barrier(Barrier::Block { reduce: Some((reduction, of)), .. }) => {
                self.reduce(op, *reduction, *of)?;
            }
            OpKind::CrossLane(cross) => self.cross_lane(op, cross)?,
            OpKind::Exit(Ending::Return) => self.code.exit(),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Registers(_)
            | OpKind::Exit(Ending::Trap) => {
                return Err(Refusal::unmodelled(
                    "what this gives decides a poll, and is not modelled",
                ));
            }
            OpKind::Opaque(opaque) => {
                return Err(Refusal::unmodelled(format!(
                    "`{}` decides a poll, and is not modelled",
                    opaque.name
                )));
            }
        }
        self.code.at("");
        self.code.place(end);
        Ok(())
    }

    fn result(&self, op: OpId) -> Option<Register> {
        self.thread.results.get(&(op, 0)).copied()
    }

    /// The bytes of an access of one element.
    fn size(&mut self, access: &Access) -> Result<u64, Refusal> {
        let elements = match &access.kind {
            AccessKind::Load | AccessKind::Atomic(..) => 1,
            AccessKind::Store(values) => values.len(),
        };
        let size = self.thread.number_of(access.size).filter(|_| elements == 1);
        size.ok_or_else(|| {
            Refusal::unmodelled("an access of several elements decides a poll, and is not modelled")
        })
    }

    fn global(&mut self, op: OpId, access: &Access) -> Result<(), Refusal> {
        let kernel = self.kernel;
        let object = access.address.object;
        if kernel[op].results.len() > 1 {
            return Err(Refusal::unmodelled("a vector load decides a poll, and is not modelled"));
        }
        if self.flow.writers_of(object).next().is_none() {
            return Err(Refusal::undecided(format!(
                "what `{}` holds decides a poll, and the kernel only reads it",
                kernel[object].name
            )));
        }
        let size = self.size(access)?;
        let offset = self.thread.value(access.address.offset)?;
        let address = self.memory.address(kernel, object, offset, size)?;
        let action = self.action(&access.kind, (8 * size) as u8)?;
        self.atomic(op, address, action, self.result(op));
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        op: OpId,
        address: Address,
        action: Action,
        result: Option<Register>,
    ) {
        self.origins.insert(self.code.position(), op);
        match result {
            Some(result) => self.code.atomic_into(result, address, action),
            None => self.code.atomic_only(address, action),
        }
    }

    fn action(&mut self, kind: &AccessKind, bits: u8) -> Result<Action, Refusal> {
        let mut operands = Vec::new();
        if let AccessKind::Store(values) | AccessKind::Atomic(_, values) = kind {
            for value in values {
                operands.push(self.thread.value(*value)?);
            }
        }
        let mut operands = operands.into_iter();
        let mut operand = || {
            operands
                .next()
                .ok_or_else(|| Refusal::unmodelled("the value that is written is not modelled"))
        };
        let update = |operator, operand| Ok(Action::Update { operator, bits, operand });
        match kind {
            AccessKind::Load => Ok(Action::Load),
            AccessKind::Store(_) => Ok(Action::Store(operand()?)),
            AccessKind::Atomic(op, _) => match op {
                AtomicOp::Exchange => Ok(Action::Exchange(operand()?)),
                AtomicOp::CompareExchange => {
                    Ok(Action::CompareExchange { expected: operand()?, replacement: operand()? })
                }
                AtomicOp::CompareExchangeWeak => Err(Refusal::unmodelled(
                    "a weak compare-and-swap, which may fail for nothing, decides a poll, and is not modelled",
                )),
                AtomicOp::Add => update(Operator::Add, operand()?),
                AtomicOp::Sub => update(Operator::Sub, operand()?),
                AtomicOp::And => update(Operator::And, operand()?),
                AtomicOp::Or => update(Operator::Or, operand()?),
                AtomicOp::Xor => update(Operator::Xor, operand()?),
                AtomicOp::Nand => update(Operator::Nand, operand()?),
                AtomicOp::SMin => update(Operator::SignedMin, operand()?),
                AtomicOp::SMax => update(Operator::SignedMax, operand()?),
                AtomicOp::UMin => update(Operator::Min, operand()?),
                AtomicOp::UMax => update(Operator::Max, operand()?),
                AtomicOp::IncWrap => update(Operator::WrapIncrement, operand()?),
                AtomicOp::DecWrap => update(Operator::WrapDecrement, operand()?),
                AtomicOp::FAdd | AtomicOp::FSub | AtomicOp::FMin | AtomicOp::FMax => {
                    Err(Refusal::unmodelled(format!(
                        "`{op}` on floats decides a poll, and is not modelled"
                    )))
                }
            },
        }
    }

    /// Memory of the block or the thread: no step, since no other block sees it.
    fn local(&mut self, op: OpId, access: &Access) -> Result<(), Refusal> {
        let kernel = self.kernel;
        let object = access.address.object;
        let name = &kernel[object].name;
        let size = self.size(access)?;
        let Some(start) = self.thread.number_of(access.address.offset) else {
            let reason = format!("the index into `{name}`, which decides a poll, is not known");
            return Err(Refusal::undecided(reason));
        };
        if self.flow.writers_of(object).next().is_none() || kernel[op].results.len() > 1 {
            let reason =
                format!("what `{name}` holds decides a poll, and the kernel only reads it");
            return Err(Refusal::undecided(reason));
        }
        let overlaps = |(at, (bytes, _)): (&(ObjectId, u64), &(u64, Register))| {
            at.0 == object
                && at.1 < start + size
                && start < at.1 + bytes
                && (at.1, *bytes) != (start, size)
        };
        if self.cells.iter().any(overlaps) {
            let reason =
                format!("`{name}`, which decides a poll, is accessed in overlapping pieces");
            return Err(Refusal::undecided(reason));
        }
        let cell = match self.cells.get(&(object, start)) {
            Some((_, cell)) => *cell,
            None => {
                // What it holds at the start is undefined.
                let stores = matches!(&access.kind, AccessKind::Store(_));
                let loops = self.flow.around(op).iter().map(|of| kernel[*of].pred);
                let mut guards = loops.chain([kernel[op].pred]);
                if !stores || !guards.all(|it| self.thread.number_of(it) == Some(1)) {
                    let reason =
                        format!("`{name}`, which decides a poll, may be read before it is written");
                    return Err(Refusal::undecided(reason));
                }
                let cell = self.code.register();
                self.cells.insert((object, start), (size, cell));
                cell
            }
        };
        let bits = (8 * size.min(8)) as u8;
        let mut assignments: Vec<(Register, Expr)> =
            self.result(op).map(|result| (result, cell.into())).into_iter().collect();
        match self.action(&access.kind, bits)? {
            Action::Load => {}
            Action::Store(value) | Action::Exchange(value) => assignments.push((cell, value)),
            Action::Update { operator, bits, operand } => {
                assignments.push((cell, Expr::wide(operator, bits, cell, operand)));
            }
            Action::CompareExchange { expected, replacement } => {
                let same = Expr::wide(Operator::Equal, bits, cell, expected);
                let value = Expr::Select(Box::new([same, replacement, cell.into()]));
                assignments.push((cell, value));
            }
        }
        self.code.assign(assignments);
        Ok(())
    }

    pub(super) fn set(&mut self, op: OpId, value: Expr) {
        if let Some(result) = self.result(op) {
            self.code.assign(vec![(result, value)]);
        }
    }
}

/// Where an operation is, for schedules.
fn line(kernel: &Kernel, op: OpId) -> String {
    let origin = &kernel[kernel[op].origin];
    match (origin.span, origin.ordinal) {
        (Some(span), _) => format!("line {}", span.line),
        (None, Some(ordinal)) => format!("instruction {ordinal}"),
        (None, None) => String::new(),
    }
}
