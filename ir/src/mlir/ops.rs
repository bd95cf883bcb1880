//! Operations, each taken apart field by field: a new one does not compile until it is written.

use super::dialect::NONE;
use super::lex::quoted;
use super::writer::{NAMES, Named, Writer};
use crate::entity::{ExprId, OpId};
use crate::object::{Address, Space};
use crate::op::{
    Access, AccessKind, AsyncCopy, Barrier, Claim, CrossLane, MbarrierAction, Op, OpKind, Opaque,
    Phase, Reduction, Strided, Touches,
};

/// An operation's name, operands and attributes.
struct Parts {
    name: &'static str,
    operands: Vec<Named>,
    attributes: Vec<(&'static str, String)>,
}

fn parts(name: &'static str) -> Parts {
    Parts { name, operands: Vec::new(), attributes: Vec::new() }
}

impl Parts {
    fn with(mut self, operands: Vec<Named>) -> Parts {
        self.operands.extend(operands);
        self
    }

    fn text(mut self, name: &'static str, value: &str) -> Parts {
        self.attributes.push((name, quoted(value)));
        self
    }

    fn truth(mut self, name: &'static str, value: bool) -> Parts {
        self.attributes.push((name, value.to_string()));
        self
    }

    fn number(mut self, name: &'static str, value: usize) -> Parts {
        self.attributes.push((name, format!("{value} : i32")));
        self
    }

    fn spaces(mut self, name: &'static str, spaces: &[Space]) -> Parts {
        let names: Vec<_> = spaces.iter().map(|it| quoted(it.name())).collect();
        self.attributes.push((name, format!("[{}]", names.join(", "))));
        self
    }
}

impl Writer<'_> {
    pub(super) fn op(&mut self, id: OpId) {
        let Op { pred, kind, results, origin } = self.kernel[id].clone();
        let pred = self.value(pred);
        let Parts { name, operands, mut attributes } = self.parts(&kind);
        let found = self.results.get(&id).cloned().unwrap_or_default();
        let of = |n: usize| found.iter().find(|it| it.0 as usize == n).map(|it| it.1);
        let of: Vec<_> = (0..results.len()).map(of).collect();
        attributes.extend(self.names(NAMES, &of));
        let operands = [vec![pred], operands].concat();
        let types: Vec<_> = results.iter().map(|it| format!("i{it}")).collect();
        let made = self.operation(name, &operands, &types, &attributes, Some(origin));
        for (index, expr) in found {
            if let Some(value) = made.get(index as usize) {
                self.define(expr, value.clone());
            }
        }
    }

    fn parts(&mut self, kind: &OpKind) -> Parts {
        match kind {
            OpKind::Access(access) => self.access(access),
            OpKind::Barrier(barrier) => self.barrier(barrier),
            OpKind::Fence { order, scope, proxy } => parts("fence")
                .text("order", order.name())
                .text("scope", scope.name())
                .text("proxy", proxy.map_or(NONE, |it| it.name())),
            OpKind::AsyncCopy(copy) => self.copy(copy),
            OpKind::AsyncCommit(mechanism) => parts("commit").text("mechanism", mechanism.name()),
            OpKind::AsyncWait { mechanism, pending, read_only } => parts("wait")
                .with(self.values(&[*pending]))
                .text("mechanism", mechanism.name())
                .truth("read_only", *read_only),
            OpKind::EventWait(events) => parts("wait_events").with(self.values(events)),
            OpKind::CrossLane(CrossLane { kind, mask, args }) => parts("cross_lane")
                .with(self.values(args))
                .with(self.optional(*mask))
                .text("kind", kind.name())
                .truth("has_mask", mask.is_some()),
            OpKind::Assume(condition) => parts("assume").with(self.values(&[*condition])),
            OpKind::Assert { condition, message } => {
                parts("assert").with(self.values(&[*condition])).text("message", message)
            }
            OpKind::Claim(Claim { kind, condition, text }) => parts("claim")
                .with(self.values(&[*condition]))
                .text("kind", kind.name())
                .text("text", text),
            OpKind::Exit(ending) => parts("exit").text("ending", ending.name()),
            OpKind::Registers(how) => parts("registers").text("how", how.name()),
            OpKind::Opaque(opaque) => self.opaque(opaque),
        }
    }

    fn optional(&mut self, value: Option<ExprId>) -> Vec<Named> {
        value.map(|it| self.value(it)).into_iter().collect()
    }

    /// An object and an offset.
    fn place(&mut self, Address { object, offset }: Address) -> Vec<Named> {
        let object = self.objects.get(&object).cloned();
        object.into_iter().chain([self.value(offset)]).collect()
    }

    fn access(&mut self, access: &Access) -> Parts {
        let Access { address, size, kind, order, volatile, align, by_warp } = access;
        let start = match kind {
            AccessKind::Load => parts("load"),
            AccessKind::Store(_) => parts("store"),
            AccessKind::Atomic(op, _) => parts("atomic").text("op", op.name()),
        };
        let start = start.with(self.place(*address)).with(self.values(&[*size]));
        let start = match kind {
            AccessKind::Load => start,
            AccessKind::Store(values) | AccessKind::Atomic(_, values) => {
                start.with(self.values(values))
            }
        };
        start
            .text("order", order.map_or(NONE, |(order, _)| order.name()))
            .text("scope", order.map_or(NONE, |(_, scope)| scope.name()))
            .truth("volatile", *volatile)
            .number("align", *align as usize)
            .truth("by_warp", *by_warp)
    }

    fn barrier(&mut self, barrier: &Barrier) -> Parts {
        match barrier {
            Barrier::Block { aligned, orders, reduce } => {
                let start = parts("barrier_block").with(self.values(&[*orders]));
                self.reduced(start, reduce).truth("aligned", *aligned)
            }
            Barrier::Named { action, id, count, aligned, reduce } => {
                let start = parts("barrier_named").with(self.values(&[*id]));
                let start = start.with(self.optional(*count)).truth("has_count", count.is_some());
                self.reduced(start, reduce).text("action", action.name()).truth("aligned", *aligned)
            }
            Barrier::Warp { mask, orders } => {
                parts("barrier_warp").with(self.values(&[*mask, *orders]))
            }
            Barrier::Cluster { action, order, aligned } => parts("barrier_cluster")
                .text("action", action.name())
                .text("order", order.name())
                .truth("aligned", *aligned),
            Barrier::Grid => parts("barrier_grid"),
            Barrier::Mbarrier { address, action } => {
                let place = self.place(*address);
                self.mbarrier(parts("mbarrier").with(place), action)
            }
        }
    }

    fn reduced(&mut self, start: Parts, reduce: &Option<(Reduction, ExprId)>) -> Parts {
        let name = reduce.map_or(NONE, |(reduction, _)| reduction.name());
        start.with(self.optional(reduce.map(|(_, predicate)| predicate))).text("reduction", name)
    }

    fn mbarrier(&mut self, start: Parts, action: &MbarrierAction) -> Parts {
        let (name, operands, has_transactions) = match action {
            MbarrierAction::Init(count) => ("init", vec![*count], false),
            MbarrierAction::Invalidate => ("invalidate", Vec::new(), false),
            MbarrierAction::Arrive { count, transactions, drop } => {
                let operands = [Some(*count), *transactions].into_iter().flatten().collect();
                let name = if *drop { "arrive_drop" } else { "arrive" };
                (name, operands, transactions.is_some())
            }
            MbarrierAction::ExpectTx(bytes) => ("expect_tx", vec![*bytes], false),
            MbarrierAction::CompleteTx(bytes) => ("complete_tx", vec![*bytes], false),
            MbarrierAction::CopiesArrive { extra } => {
                (if *extra { "copies_arrive_extra" } else { "copies_arrive" }, Vec::new(), false)
            }
            MbarrierAction::ProductsArrive => ("products_arrive", Vec::new(), false),
            MbarrierAction::Test { phase, may_wait } => match (phase, may_wait) {
                (Phase::Token(token), false) => ("test_token", vec![*token], false),
                (Phase::Parity(parity), false) => ("test_parity", vec![*parity], false),
                (Phase::Token(token), true) => ("try_wait_token", vec![*token], false),
                (Phase::Parity(parity), true) => ("try_wait_parity", vec![*parity], false),
            },
        };
        start
            .with(self.values(&operands))
            .text("action", name)
            .truth("has_transactions", has_transactions)
    }

    fn copy(&mut self, copy: &AsyncCopy) -> Parts {
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
        let start = parts("copy")
            .with(self.place(*destination))
            .with(self.place(*source))
            .with(self.values(&[*size]))
            .with(self.optional(*read));
        let signals = mbarrier.map(|it| self.place(it)).unwrap_or_default();
        let event_value = self.optional(*event);
        let strides = strided.map(|it| [it.count, it.each, it.apart]);
        let strides = strides.map(|it| self.values(&it)).unwrap_or_default();
        let side = match strided {
            Some(Strided { of_source: true, .. }) => "source",
            Some(Strided { of_source: false, .. }) => "destination",
            None => NONE,
        };
        start
            .with(signals)
            .with(event_value)
            .with(strides)
            .text("mechanism", mechanism.name())
            .truth("has_read", read.is_some())
            .truth("has_mbarrier", mbarrier.is_some())
            .truth("has_event", event.is_some())
            .text("strided", side)
            .truth("combines", *combines)
    }

    fn opaque(&mut self, opaque: &Opaque) -> Parts {
        let Opaque { name, args, touches, may_synchronize } = opaque;
        let Touches { reads, writes, reads_spaces, writes_spaces } = touches;
        let mut start = parts("opaque").with(self.values(args));
        for address in reads.iter().chain(writes) {
            start = start.with(self.place(*address));
        }
        start
            .text("name", name)
            .number("arguments", args.len())
            .number("reads", reads.len())
            .number("writes", writes.len())
            .spaces("reads_spaces", reads_spaces)
            .spaces("writes_spaces", writes_spaces)
            .truth("synchronizes", *may_synchronize)
    }
}
