//! Prints what an operation does; predicate, results and origin are around it.

use std::fmt::Write;

use cranelift_entity::SecondaryMap;

use super::print_expr::Terms;
use super::{quoted, quoted_unless_word};
use crate::entity::{ExprId, OpId};
use crate::kernel::Kernel;
use crate::object::{Address, Space};
use crate::op::{
    ALL_MEMORY, Access, AccessKind, AsyncCopy, Barrier, Claim, CrossLane, MbarrierAction, OpKind,
    Opaque, Phase, Reduction, Strided, Touches,
};

/// What an operation does, for messages.
pub(crate) fn show_op(kernel: &Kernel, op: OpId) -> String {
    let tokens = SecondaryMap::new();
    let terms = Terms::of_messages(kernel, &tokens);
    let mut out = String::new();
    kind(&terms, &kernel[op].kind, 4, &mut out);
    out
}

/// Terms below `depth` are left out; a printed kernel has none.
pub(super) fn kind(terms: &Terms<'_>, kind: &OpKind, depth: u32, out: &mut String) {
    let mut to = Writer { terms, depth, out };
    match kind {
        OpKind::Access(access) => to.access(access),
        OpKind::Barrier(barrier) => to.barrier(barrier),
        OpKind::Fence { order, scope, proxy } => {
            to.text(&format!("fence.{order}.{scope}"));
            if let Some(proxy) = proxy {
                to.text(&format!(" proxy {}", quoted_unless_word(proxy.name())));
            }
        }
        OpKind::AsyncCopy(copy) => {
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
            to.text(&format!("copy.{mechanism} "));
            to.place(destination, Some(*size));
            to.text(" from ");
            to.place(source, *read);
            if let Some(at) = mbarrier {
                to.text(" signals ");
                to.place(at, None);
            }
            if let Some(event) = event {
                to.text(" event ");
                to.term(*event, Some(64));
            }
            if let Some(Strided { of_source, count, each, apart }) = strided {
                to.text(if *of_source { " reads" } else { " writes" });
                to.list(&[*count, *each, *apart]);
            }
            if *combines {
                to.text(" combines");
            }
        }
        OpKind::AsyncCommit(mechanism) => to.text(&format!("commit.{mechanism}")),
        OpKind::AsyncWait { mechanism, pending, read_only } => {
            to.text(&format!("wait.{mechanism}{}", if *read_only { ".read " } else { " " }));
            to.term(*pending, Some(32));
        }
        OpKind::EventWait(events) => {
            to.text("wait_events");
            to.list(events);
        }
        OpKind::CrossLane(CrossLane { kind, mask, args }) => {
            to.text(kind.name());
            to.list(args);
            if let Some(mask) = mask {
                to.text(" mask ");
                to.term(*mask, Some(32));
            }
        }
        OpKind::Assume(condition) => {
            to.text("assume ");
            to.term(*condition, Some(1));
        }
        OpKind::Assert { condition, message } => {
            to.text("assert ");
            to.term(*condition, Some(1));
            to.text(&format!(" {}", quoted(message)));
        }
        OpKind::Claim(Claim { kind, condition, text }) => {
            to.text(&format!("claim.{kind} "));
            to.term(*condition, Some(1));
            to.text(&format!(" {}", quoted(text)));
        }
        OpKind::Exit(ending) => to.text(&format!("exit.{ending}")),
        OpKind::Registers(how) => to.text(&format!("registers.{how}")),
        OpKind::Opaque(opaque) => to.opaque(opaque),
    }
}

struct Writer<'a, 't> {
    terms: &'a Terms<'t>,
    depth: u32,
    out: &'a mut String,
}

impl Writer<'_, '_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn term(&mut self, id: ExprId, expected: Option<u8>) {
        self.terms.term(self.out, id, expected, self.depth);
    }

    fn list(&mut self, values: &[ExprId]) {
        self.text("(");
        for (index, value) in values.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.term(*value, None);
        }
        self.text(")");
    }

    /// `s[offset]`, or `s[offset +: size]`.
    fn place(&mut self, address: &Address, size: Option<ExprId>) {
        match self.terms.kernel.objects.get(address.object) {
            Some(object) => self.text(&quoted_unless_word(&object.name)),
            None => _ = write!(self.out, "?{}", address.object),
        }
        self.text("[");
        self.term(address.offset, Some(64));
        if let Some(size) = size {
            self.text(" +: ");
            self.term(size, Some(64));
        }
        self.text("]");
    }

    fn access(&mut self, access: &Access) {
        let Access { address, size, kind, order, volatile, align, by_warp } = access;
        match kind {
            AccessKind::Load => self.text("load"),
            AccessKind::Store(_) => self.text("store"),
            AccessKind::Atomic(op, _) => self.text(&format!("atomic.{op}")),
        }
        if let Some((order, scope)) = order {
            self.text(&format!(".{order}.{scope}"));
        }
        self.text(if *volatile { ".volatile" } else { "" });
        if *align != 1 {
            self.text(&format!(".align{align}"));
        }
        self.text(if *by_warp { ".by_warp " } else { " " });
        self.place(address, Some(*size));
        match kind {
            AccessKind::Load => {}
            AccessKind::Store(values) | AccessKind::Atomic(_, values) => {
                self.text(" ");
                self.list(values);
            }
        }
    }

    fn barrier(&mut self, barrier: &Barrier) {
        let form = |aligned: bool| if aligned { ".aligned" } else { "" };
        match barrier {
            Barrier::Block { aligned, orders, reduce } => {
                self.text(&format!("barrier.block{}(", form(*aligned)));
                self.term(*orders, Some(32));
                self.text(")");
                self.reduce(reduce);
            }
            Barrier::Named { action, id, count, aligned, reduce } => {
                self.text(&format!("barrier.named.{action}{}(", form(*aligned)));
                self.term(*id, Some(32));
                if let Some(count) = count {
                    self.text(", ");
                    self.term(*count, Some(32));
                }
                self.text(")");
                self.reduce(reduce);
            }
            Barrier::Warp { mask, orders } => {
                self.text("barrier.warp(");
                self.term(*mask, Some(32));
                if self.terms.kernel.exprs.as_const(*orders) != Some(ALL_MEMORY) {
                    self.text(", ");
                    self.term(*orders, Some(32));
                }
                self.text(")");
            }
            Barrier::Cluster { action, order, aligned } => {
                self.text(&format!("barrier.cluster.{action}.{order}{}", form(*aligned)));
            }
            Barrier::Grid => self.text("barrier.grid"),
            Barrier::Mbarrier { address, action } => self.mbarrier(address, action),
        }
    }

    fn reduce(&mut self, reduce: &Option<(Reduction, ExprId)>) {
        if let Some((reduction, predicate)) = reduce {
            self.text(&format!(" {reduction} "));
            self.term(*predicate, Some(1));
        }
    }

    fn mbarrier(&mut self, address: &Address, action: &MbarrierAction) {
        let word = match action {
            MbarrierAction::Init(_) => "init",
            MbarrierAction::Invalidate => "invalidate",
            MbarrierAction::Arrive { drop: false, .. } => "arrive",
            MbarrierAction::Arrive { drop: true, .. } => "arrive_drop",
            MbarrierAction::ExpectTx(_) => "expect_tx",
            MbarrierAction::CompleteTx(_) => "complete_tx",
            MbarrierAction::CopiesArrive { extra: false } => "copies_arrive",
            MbarrierAction::CopiesArrive { extra: true } => "copies_arrive_extra",
            MbarrierAction::ProductsArrive => "products_arrive",
            MbarrierAction::Test { may_wait: false, .. } => "test",
            MbarrierAction::Test { may_wait: true, .. } => "try_wait",
        };
        self.text(&format!("mbarrier.{word} "));
        self.place(address, None);
        match action {
            MbarrierAction::Init(count)
            | MbarrierAction::ExpectTx(count)
            | MbarrierAction::CompleteTx(count) => {
                self.text(" ");
                self.term(*count, Some(32));
            }
            MbarrierAction::Invalidate
            | MbarrierAction::ProductsArrive
            | MbarrierAction::CopiesArrive { extra: _ } => {}
            MbarrierAction::Arrive { count, transactions, drop: _ } => {
                self.text(" ");
                self.term(*count, Some(32));
                if let Some(bytes) = transactions {
                    self.text(" tx ");
                    self.term(*bytes, Some(32));
                }
            }
            MbarrierAction::Test { phase: Phase::Token(token), may_wait: _ } => {
                self.text(" token ");
                self.term(*token, Some(64));
            }
            MbarrierAction::Test { phase: Phase::Parity(parity), may_wait: _ } => {
                self.text(" parity ");
                self.term(*parity, Some(32));
            }
        }
    }

    fn opaque(&mut self, opaque: &Opaque) {
        let Opaque { name, args, touches, may_synchronize } = opaque;
        self.text(&format!("opaque {}", quoted(name)));
        self.list(args);
        let Touches { reads, writes, reads_spaces, writes_spaces } = touches;
        for (word, addresses, spaces) in
            [("reads", reads, reads_spaces), ("writes", writes, writes_spaces)]
        {
            if !addresses.is_empty() || !spaces.is_empty() {
                self.text(&format!(" {word}("));
                self.touched(addresses, spaces);
                self.text(")");
            }
        }
        self.text(if *may_synchronize { " synchronizes" } else { "" });
    }

    /// `s[4], space global`: single places first.
    fn touched(&mut self, addresses: &[Address], spaces: &[Space]) {
        for (index, address) in addresses.iter().enumerate() {
            self.text(if index == 0 { "" } else { ", " });
            self.place(address, None);
        }
        for (index, space) in spaces.iter().enumerate() {
            self.text(if index + addresses.len() == 0 { "" } else { ", " });
            self.text(&format!("space {space}"));
        }
    }
}
