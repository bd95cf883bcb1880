//! Rule 5: operations.

use super::{Entity, Errors};
use crate::entity::{ExprId, OpId};
use crate::expr::ExprPool;
use crate::kernel::Kernel;
use crate::object::{Address, Space};
use crate::op::{
    Access, AccessKind, AsyncCopy, AsyncMechanism, AtomicOp, Barrier, Claim, CrossLane,
    CrossLaneKind, MbarrierAction, Op, OpKind, Phase, Reduction, Strided,
};

pub(super) fn check<'k>(kernel: &'k Kernel, errors: &mut Errors<'k>) {
    for (id, op) in &kernel.ops {
        let mut check = Check { kernel, id, op, errors };
        check.width("predicate", op.pred, &[1]);
        check.kind();
    }
}

struct Check<'a, 'k> {
    kernel: &'k Kernel,
    id: OpId,
    op: &'k Op,
    errors: &'a mut Errors<'k>,
}

impl Check<'_, '_> {
    fn kind(&mut self) {
        match &self.op.kind {
            OpKind::Access(access) => self.access(access),
            OpKind::Barrier(barrier) => self.barrier(barrier),
            OpKind::Fence { .. }
            | OpKind::AsyncCommit(_)
            | OpKind::Exit(_)
            | OpKind::Registers(_) => self.results(&[]),
            OpKind::AsyncCopy(copy) => self.copy(copy),
            OpKind::AsyncWait { pending, .. } => {
                self.width("number of pending groups", *pending, &[32]);
                self.results(&[]);
            }
            OpKind::EventWait(events) => {
                events.iter().for_each(|it| self.width("event", *it, &[64]));
                self.results(&[]);
            }
            OpKind::CrossLane(exchange) => self.cross_lane(exchange),
            OpKind::Assume(condition)
            | OpKind::Assert { condition, message: _ }
            | OpKind::Claim(Claim { kind: _, condition, text: _ }) => {
                self.width("condition", *condition, &[1]);
                self.results(&[]);
            }
            OpKind::Opaque(opaque) => {
                let touches = &opaque.touches;
                for address in touches.reads.iter().chain(&touches.writes) {
                    self.address(address);
                }
                for width in self.op.results.iter().filter(|it| !(1..=128).contains(*it)) {
                    self.wrong(format!("a result has {width} bits, not 1 to 128"));
                }
            }
        }
    }

    fn pool(&self) -> &ExprPool {
        &self.kernel.exprs
    }

    fn wrong(&mut self, message: impl Into<String>) {
        self.errors.add(Entity::Op(self.id), message);
    }

    fn width(&mut self, what: &str, id: ExprId, allowed: &[u8]) {
        let width = self.pool().width(id);
        if !allowed.contains(&width) {
            let allowed: Vec<String> = allowed.iter().map(u8::to_string).collect();
            self.wrong(format!("its {what} has {width} bits, not {}", allowed.join(" or ")));
        }
    }

    /// Results must be the first few of these; each is given by the widths it may have.
    fn results(&mut self, most: &[&[u8]]) {
        let results = &self.op.results;
        if results.len() > most.len() {
            self.wrong(format!("it has {} results, not at most {}", results.len(), most.len()));
        }
        for (index, (width, allowed)) in results.iter().zip(most).enumerate() {
            if !allowed.contains(width) {
                let allowed: Vec<String> = allowed.iter().map(u8::to_string).collect();
                let allowed = allowed.join(" or ");
                self.wrong(format!("its result {index} has {width} bits, not {allowed}"));
            }
        }
    }

    fn address(&mut self, address: &Address) {
        self.width("offset", address.offset, &[64]);
    }

    fn in_space(&mut self, what: &str, address: &Address, space: Space) {
        let object = &self.kernel[address.object];
        if !object.space.may_be(space) {
            let message =
                format!("its {what} `{}` is in {} memory, not {space}", object.name, object.space);
            self.wrong(message);
        }
    }

    fn access(&mut self, access: &Access) {
        let Access { address, size, kind, order, volatile: _, align, by_warp: _ } = access;
        self.address(address);
        self.width("size", *size, &[64]);
        if !align.is_power_of_two() {
            self.wrong(format!("its alignment {align} is no power of two"));
        }
        let widths = |values: &[ExprId]| values.iter().map(|it| self.pool().width(*it)).collect();
        match kind {
            AccessKind::Load => {
                let results: Vec<u8> = self.op.results.to_vec();
                self.fills("results", &results, *size);
            }
            AccessKind::Store(values) => {
                let values: Vec<u8> = widths(values);
                self.fills("values", &values, *size);
                self.results(&[]);
            }
            AccessKind::Atomic(op, values) => {
                let values: Vec<u8> = widths(values);
                self.atomic(*op, &values, *size);
                if order.is_none() {
                    self.wrong("an atomic without order and scope");
                }
            }
        }
    }

    /// Elements take whole bytes, one after the other.
    fn fills(&mut self, what: &str, widths: &[u8], size: ExprId) {
        let bytes: u128 = widths.iter().map(|it| u128::from(it.div_ceil(8))).sum();
        if let Some(size) = self.pool().as_const(size)
            && !widths.is_empty()
            && size != bytes
        {
            self.wrong(format!("its {what} have {bytes} bytes, but it touches {size}"));
        }
    }

    fn atomic(&mut self, op: AtomicOp, values: &[u8], size: ExprId) {
        let wanted = if op.compares() { 2 } else { 1 };
        if values.len() != wanted {
            self.wrong(format!("{op} has {} operands, not {wanted}", values.len()));
        }
        let Some(&width) = values.first() else { return };
        if values.iter().any(|it| *it != width) {
            self.wrong("its operands have different widths");
        }
        self.fills("operands", &[width], size);
        let most: &[&[u8]] = &[&[width], &[1]];
        self.results(if op == AtomicOp::CompareExchangeWeak { most } else { &most[..1] });
    }

    fn barrier(&mut self, barrier: &Barrier) {
        match barrier {
            Barrier::Block { aligned: _, orders, reduce } => {
                self.width("memory flags", *orders, &[32]);
                self.reduce(*reduce);
            }
            Barrier::Named { action: _, id, count, aligned: _, reduce } => {
                self.width("barrier number", *id, &[32]);
                count.iter().for_each(|it| self.width("number of threads", *it, &[32]));
                self.reduce(*reduce);
            }
            Barrier::Warp { mask, orders } => {
                self.width("mask", *mask, &[32, 64]);
                self.width("memory flags", *orders, &[32]);
                self.results(&[]);
            }
            Barrier::Cluster { .. } | Barrier::Grid => self.results(&[]),
            Barrier::Mbarrier { address, action } => self.mbarrier(address, action),
        }
    }

    fn reduce(&mut self, reduce: Option<(Reduction, ExprId)>) {
        match reduce {
            None => self.results(&[]),
            Some((reduction, predicate)) => {
                self.width("reduced predicate", predicate, &[1]);
                match reduction {
                    Reduction::Popc => self.results(&[&[32]]),
                    Reduction::And | Reduction::Or => self.results(&[&[1, 32]]),
                }
            }
        }
    }

    fn mbarrier(&mut self, address: &Address, action: &MbarrierAction) {
        self.address(address);
        self.in_space("barrier object", address, Space::Shared);
        match action {
            MbarrierAction::Init(it)
            | MbarrierAction::ExpectTx(it)
            | MbarrierAction::CompleteTx(it) => {
                self.width("count", *it, &[32]);
                self.results(&[]);
            }
            MbarrierAction::Invalidate
            | MbarrierAction::ProductsArrive
            | MbarrierAction::CopiesArrive { extra: _ } => {
                self.results(&[]);
            }
            MbarrierAction::Arrive { count, transactions, drop: _ } => {
                self.width("count", *count, &[32]);
                transactions.iter().for_each(|it| self.width("transaction count", *it, &[32]));
                self.results(&[&[64]]);
            }
            MbarrierAction::Test { phase, may_wait: _ } => {
                match phase {
                    Phase::Token(it) => self.width("token", *it, &[64]),
                    Phase::Parity(it) => self.width("parity", *it, &[32]),
                }
                self.results(&[&[1]]);
            }
        }
    }

    fn copy(&mut self, copy: &AsyncCopy) {
        let AsyncCopy {
            mechanism,
            destination,
            source,
            size,
            read,
            mbarrier,
            event,
            strided,
            combines,
        } = copy;
        self.address(destination);
        self.address(source);
        self.width("size", *size, &[64]);
        read.iter().for_each(|it| self.width("bytes read", *it, &[64]));
        if let Some(at) = mbarrier {
            self.address(at);
            self.in_space("barrier object", at, Space::Shared);
        }
        match mechanism {
            AsyncMechanism::CpAsync => {
                self.in_space("destination", destination, Space::Shared);
                self.in_space("source", source, Space::Global);
                self.results(&[]);
            }
            AsyncMechanism::BulkGroup => self.results(&[]),
            AsyncMechanism::Matrix | AsyncMechanism::Tensor => {
                self.in_space("operand", source, Space::Shared);
                if self.pool().as_const(*size) != Some(0) || read.is_none() {
                    self.wrong("it reads an operand, and does not say how far that reaches");
                }
                self.results(&[]);
            }
            AsyncMechanism::BulkMbarrier => {
                if mbarrier.is_none() {
                    self.wrong("it says no barrier object that learns of its end");
                }
                self.results(&[]);
            }
            AsyncMechanism::WorkGroupEvent => {
                if event.is_none() {
                    self.wrong("it says no event that it joins");
                }
                self.results(&[&[64]]);
            }
        }
        match mechanism {
            AsyncMechanism::WorkGroupEvent => {}
            AsyncMechanism::CpAsync
            | AsyncMechanism::BulkGroup
            | AsyncMechanism::BulkMbarrier
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor => {
                if event.is_some() {
                    self.wrong("it joins an event and does not complete by one");
                }
            }
        }
        match mechanism {
            AsyncMechanism::BulkGroup | AsyncMechanism::BulkMbarrier => {}
            AsyncMechanism::CpAsync
            | AsyncMechanism::WorkGroupEvent
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor => {
                if *combines {
                    self.wrong("it combines, and is no bulk copy");
                }
            }
        }
        event.iter().for_each(|it| self.width("event", *it, &[64]));
        if let Some(Strided { of_source: _, count, each, apart }) = strided {
            for (what, it) in [("count", count), ("element size", each), ("stride", apart)] {
                self.width(what, *it, &[64]);
            }
        }
    }

    fn cross_lane(&mut self, exchange: &CrossLane) {
        let CrossLane { kind, mask, args } = exchange;
        mask.iter().for_each(|it| self.width("mask", *it, &[32, 64]));
        let widths: Vec<u8> = args.iter().map(|it| self.pool().width(*it)).collect();
        let operands = match kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly => 3,
            CrossLaneKind::VoteAll
            | CrossLaneKind::VoteAny
            | CrossLaneKind::VoteUniform
            | CrossLaneKind::Ballot
            | CrossLaneKind::MatchAny
            | CrossLaneKind::MatchAll
            | CrossLaneKind::ReduceAdd
            | CrossLaneKind::ReduceUMin
            | CrossLaneKind::ReduceUMax
            | CrossLaneKind::ReduceSMin
            | CrossLaneKind::ReduceSMax
            | CrossLaneKind::ReduceAnd
            | CrossLaneKind::ReduceOr
            | CrossLaneKind::ReduceXor => 1,
            CrossLaneKind::Elect | CrossLaneKind::ActiveMask => 0,
        };
        if widths.len() != operands {
            self.wrong(format!("{kind} has {} operands, not {operands}", widths.len()));
            return;
        }
        let value = widths.first().copied().unwrap_or(1);
        match kind {
            CrossLaneKind::ShuffleIdx
            | CrossLaneKind::ShuffleUp
            | CrossLaneKind::ShuffleDown
            | CrossLaneKind::ShuffleBfly => {
                self.width("lane operand", args[1], &[32]);
                self.width("clamp and segment", args[2], &[32]);
                self.results(&[&[value], &[1]]);
            }
            CrossLaneKind::VoteAll | CrossLaneKind::VoteAny | CrossLaneKind::VoteUniform => {
                self.width("predicate operand", args[0], &[1]);
                self.results(&[&[1]]);
            }
            CrossLaneKind::Ballot => {
                self.width("predicate operand", args[0], &[1]);
                self.results(&[&[32, 64]]);
            }
            CrossLaneKind::MatchAny => self.results(&[&[32, 64]]),
            CrossLaneKind::MatchAll => self.results(&[&[32, 64], &[1]]),
            CrossLaneKind::ReduceAdd
            | CrossLaneKind::ReduceUMin
            | CrossLaneKind::ReduceUMax
            | CrossLaneKind::ReduceSMin
            | CrossLaneKind::ReduceSMax
            | CrossLaneKind::ReduceAnd
            | CrossLaneKind::ReduceOr
            | CrossLaneKind::ReduceXor => self.results(&[&[value]]),
            CrossLaneKind::Elect => self.results(&[&[32], &[1]]),
            CrossLaneKind::ActiveMask => self.results(&[&[32, 64]]),
        }
    }
}
