//! What decides the polls of a kernel: expressions, operations, loops and memory.
//!
//! The least set that has what each polling loop and grid barrier depends on, what the operations
//! in it depend on, and for each object that is read in it everything that writes the object.
//! Objects are taken as a whole here. Ends of threads belong to it where what comes after them does
//! not tell that the thread has ended ([`super::endings`]).

use heddle_ir::cranelift_entity::EntitySet;
use heddle_ir::{
    Access, AccessKind, Barrier, ExprId, ExprKind, Item, LoopId, ObjectId, OpId, OpKind,
};

use super::endings;
use super::flow::Flow;
use super::polls::Polls;

/// What decides the polls.
#[derive(Default)]
pub(super) struct Slice {
    exprs: EntitySet<ExprId>,
    /// Operations that are followed.
    pub(super) ops: EntitySet<OpId>,
    /// Loops whose iterations are followed.
    pub(super) loops: EntitySet<LoopId>,
    /// Objects whose contents are followed.
    pub(super) objects: EntitySet<ObjectId>,
    work: Vec<ExprId>,
}

impl Slice {
    pub(super) fn of(flow: &Flow<'_>, polls: &Polls) -> Self {
        let mut slice = Self::default();
        for poll in polls.waiting() {
            slice.follow_loop(flow, poll.of);
            for read in &poll.reads {
                slice.follow(flow, *read);
            }
        }
        for barrier in &polls.grid_barriers {
            slice.follow(flow, *barrier);
        }
        loop {
            while let Some(expr) = slice.work.pop() {
                slice.visit(flow, expr);
            }
            let has = |item| match item {
                Item::Op(op) => slice.ops.contains(op),
                Item::Loop(of) => slice.loops.contains(of),
            };
            let mut ends = endings::untold_ends(flow.kernel, &has);
            ends.retain(|end| !slice.ops.contains(*end));
            if ends.is_empty() {
                return slice;
            }
            ends.into_iter().for_each(|end| slice.follow(flow, end));
        }
    }

    fn need(&mut self, expr: ExprId) {
        if self.exprs.insert(expr) {
            self.work.push(expr);
        }
    }

    fn follow_loop(&mut self, flow: &Flow<'_>, of: LoopId) {
        for of in flow.chain(of) {
            if self.loops.insert(of) {
                self.need(flow.kernel[of].pred);
                self.need(flow.kernel[of].cont);
            }
        }
    }

    fn follow(&mut self, flow: &Flow<'_>, op: OpId) {
        if !self.ops.insert(op) {
            return;
        }
        self.need(flow.kernel[op].pred);
        if let Some(of) = flow.around(op).last() {
            self.follow_loop(flow, *of);
        }
        match &flow.kernel[op].kind {
            OpKind::Access(Access {
                address,
                size,
                kind,
                order: _,
                volatile: _,
                align: _,
                by_warp: _,
            }) => {
                self.need(address.offset);
                self.need(*size);
                match kind {
                    AccessKind::Load => self.follow_object(flow, address.object),
                    AccessKind::Store(values) => values.iter().for_each(|it| self.need(*it)),
                    AccessKind::Atomic(_, values) => {
                        values.iter().for_each(|it| self.need(*it));
                        self.follow_object(flow, address.object);
                    }
                }
            }
            OpKind::Barrier(Barrier::Block { reduce, .. } | Barrier::Named { reduce, .. }) => {
                reduce.iter().for_each(|(_, it)| self.need(*it));
            }
            OpKind::CrossLane(cross) => cross.args.iter().for_each(|it| self.need(*it)),
            OpKind::Barrier(_)
            | OpKind::Fence { .. }
            | OpKind::AsyncCopy(_)
            | OpKind::AsyncCommit(_)
            | OpKind::AsyncWait { .. }
            | OpKind::EventWait(_)
            | OpKind::Assume(_)
            | OpKind::Assert { .. }
            | OpKind::Claim(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_)
            | OpKind::Opaque(_) => {}
        }
    }

    fn follow_object(&mut self, flow: &Flow<'_>, object: ObjectId) {
        if self.objects.insert(object) {
            let writers: Vec<OpId> = flow.writers_of(object).collect();
            for writer in writers {
                self.follow(flow, writer);
                // What it writes to may be this object under another name.
                if let Some(written) = flow.kernel.access(writer) {
                    self.objects.insert(written.address.object);
                }
            }
        }
    }

    fn visit(&mut self, flow: &Flow<'_>, expr: ExprId) {
        let kernel = flow.kernel;
        let mut operands = Vec::new();
        kernel.exprs.for_each_operand(expr, |operand| operands.push(operand));
        operands.into_iter().for_each(|operand| self.need(operand));
        match kernel[expr].kind {
            ExprKind::Var(var) => {
                self.need(kernel[var].init);
                self.need(kernel[var].next);
                self.follow_loop(flow, kernel[var].of);
            }
            ExprKind::Exit(of, _) => self.follow_loop(flow, of),
            ExprKind::Result(op, _) => self.follow(flow, op),
            ExprKind::Const(_)
            | ExprKind::Special(_)
            | ExprKind::Param(_)
            | ExprKind::Base(_)
            | ExprKind::Undef(_)
            | ExprKind::Sym(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cmp(..)
            | ExprKind::Select(..)
            | ExprKind::Cast(..)
            | ExprKind::Pure(..) => {}
        }
    }

    /// Whether the value of an expression is followed.
    pub(super) fn needs(&self, expr: ExprId) -> bool {
        self.exprs.contains(expr)
    }
}
