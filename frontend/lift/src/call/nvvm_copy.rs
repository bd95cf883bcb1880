//! NVVM's intrinsics for asynchronous copies and barrier objects (PTX ISA, sections 9.7.9.25 and
//! 9.7.13.15).

use heddle_ir::{
    Address, AsyncCopy, AsyncMechanism, Barrier, ExprId, MbarrierAction, OpKind, Phase, Space,
};

use super::Call;
use crate::Lifter;
use crate::pointer::Pointer;
use crate::value::Val;
use heddle_llvm::TypeKind;

impl<'m> Lifter<'m> {
    pub(super) fn asynchronous(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let words: Vec<&str> = name.split('.').collect();
        match words[..] {
            ["cp", "async", "commit", "group"] => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::CpAsync), &[]);
            }
            ["cp", "async", "wait", "group"] => {
                let pending = self.arg(call, 0)?;
                self.wait_for_groups(AsyncMechanism::CpAsync, pending, false);
            }
            ["cp", "async", "wait", "all"] => {
                // `wait_all` also waits for copies that no group has yet (PTX ISA, 9.7.9.25.3.3).
                self.emit(OpKind::AsyncCommit(AsyncMechanism::CpAsync), &[]);
                let none = self.out.exprs().constant(0, 32);
                self.wait_for_groups(AsyncMechanism::CpAsync, none, false);
            }
            ["cp", "async", "bulk", "commit", "group"] => {
                self.emit(OpKind::AsyncCommit(AsyncMechanism::BulkGroup), &[]);
            }
            ["cp", "async", "bulk", "wait", "group", ref rest @ ..] => {
                let pending = self.arg(call, 0)?;
                self.wait_for_groups(AsyncMechanism::BulkGroup, pending, rest.contains(&"read"));
            }
            ["cp", "async", "ca" | "cg", "shared", "global", bytes, ..] => {
                let size = self.out.exprs().constant(bytes.parse().ok()?, 64);
                let (to, from) =
                    (self.pointer(*call.args.first()?), self.pointer(*call.args.get(1)?));
                let read = self.arg(call, 2).map(|read| self.fewer(size, read));
                self.copy(AsyncMechanism::CpAsync, &to, &from, (size, read), None);
            }
            ["cp", "async", "mbarrier", "arrive", ref rest @ ..] => {
                let at = self.pointer(*call.args.first()?);
                let extra = !rest.contains(&"noinc");
                self.on_barrier_object(&at, &MbarrierAction::CopiesArrive { extra }, &[]);
            }
            ["mbarrier", action, ..] => return self.barrier_object(call, action, &words),
            _ => return None,
        }
        Some(Val::Nothing)
    }

    /// Emits a wait for all but so many groups.
    pub(super) fn wait_for_groups(
        &mut self,
        mechanism: AsyncMechanism,
        pending: ExprId,
        read_only: bool,
    ) {
        let pending = self.out.exprs().resize(pending, 32);
        self.emit(OpKind::AsyncWait { mechanism, pending, read_only }, &[]);
    }

    /// Emits an asynchronous copy, one for each pair of places.
    pub(super) fn copy(
        &mut self,
        mechanism: AsyncMechanism,
        to: &Pointer,
        from: &Pointer,
        sizes: (ExprId, Option<ExprId>),
        mbarrier: Option<Address>,
    ) {
        self.copy_or_combine((mechanism, false), to, from, sizes, mbarrier);
    }

    /// The same of a copy that may combine the destination with what is copied.
    pub(super) fn copy_or_combine(
        &mut self,
        (mechanism, combines): (AsyncMechanism, bool),
        to: &Pointer,
        from: &Pointer,
        (size, read): (ExprId, Option<ExprId>),
        mbarrier: Option<Address>,
    ) {
        let (targets, sources) = match mechanism {
            AsyncMechanism::CpAsync => {
                (self.targets_in(to, Space::Shared), self.targets_in(from, Space::Global))
            }
            AsyncMechanism::BulkGroup
            | AsyncMechanism::BulkMbarrier
            | AsyncMechanism::Matrix
            | AsyncMechanism::Tensor
            | AsyncMechanism::WorkGroupEvent => (self.targets(to), self.targets(from)),
        };
        for &(to_guard, destination) in &targets {
            for &(from_guard, source) in &sources {
                let guard = crate::predicate::both(self.out.exprs(), to_guard, from_guard);
                let pred = crate::predicate::both(self.out.exprs(), self.pred, guard);
                let copy = AsyncCopy {
                    mechanism,
                    destination,
                    source,
                    size,
                    read,
                    mbarrier,
                    event: None,
                    strided: None,
                    combines,
                };
                self.emit_under(pred, OpKind::AsyncCopy(copy), &[]);
            }
        }
    }

    /// The bytes that a copy reads if `read` says so, and at most `size` (PTX ISA, 9.7.9.25.3.1).
    pub(super) fn fewer(&mut self, size: ExprId, read: ExprId) -> ExprId {
        let pool = self.out.exprs();
        let read = pool.resize(read, 64);
        let within = pool.ult(read, size);
        pool.select(within, read, size)
    }

    fn barrier_object(&mut self, call: &Call<'m>, action: &str, words: &[&str]) -> Option<Val> {
        let at = self.pointer(*call.args.first()?);
        let one = self.out.exprs().constant(1, 32);
        let (action, results): (MbarrierAction, &[u8]) = match action {
            "init" => (MbarrierAction::Init(self.arg(call, 1)?), &[]),
            "inval" => (MbarrierAction::Invalidate, &[]),
            "arrive" => {
                let form = Form::of(words.get(2..)?)?;
                let (count, transactions) = match (form.has("expect"), form.counts) {
                    (true, _) => (one, Some(self.arg(call, 1)?)),
                    (false, true) => (self.arg(call, 1)?, None),
                    (false, false) => (one, None),
                };
                (MbarrierAction::Arrive { count, transactions, drop: form.has("drop") }, &[64])
            }
            "test" | "try" if words.get(2) == Some(&"wait") => {
                let form = Form::of(words.get(3..)?)?;
                let which = self.arg(call, 1)?;
                let phase = match form.has("parity") {
                    true => Phase::Parity(which),
                    false => Phase::Token(which),
                };
                (MbarrierAction::Test { phase, may_wait: action == "try" }, &[1])
            }
            _ => return None,
        };
        let value = self.on_barrier_object(&at, &action, results);
        Some(match (value, call.inst.ty().kind()) {
            (Some(value), TypeKind::Int(_)) => Val::Scalar(value),
            _ => Val::Nothing,
        })
    }

    /// Emits an action on a barrier object; its first result.
    pub(super) fn on_barrier_object(
        &mut self,
        at: &Pointer,
        action: &MbarrierAction,
        results: &[u8],
    ) -> Option<ExprId> {
        let ops: Vec<_> = self
            .targets_in(at, Space::Shared)
            .into_iter()
            .map(|(guard, address)| {
                let pred = crate::predicate::both(self.out.exprs(), self.pred, guard);
                let barrier = Barrier::Mbarrier { address, action: action.clone() };
                (guard, self.emit_under(pred, OpKind::Barrier(barrier), results))
            })
            .collect();
        (!results.is_empty()).then(|| self.joined_result(&ops, 0))
    }
}

/// How an arrival or a test is done: the words of the intrinsic's name after that one.
struct Form<'w> {
    words: &'w [&'w str],
    /// The call says how many arrivals it is.
    counts: bool,
}

impl<'w> Form<'w> {
    /// None of a form that has no meaning here: relaxed ones order nothing, those in the cluster
    /// are on another block's object, and that an arrival completes no phase (`noComplete`) would
    /// have to be shown.
    fn of(words: &'w [&'w str]) -> Option<Form<'w>> {
        let (how, counts) = match words {
            [how @ .., "scope", "cta" | "cluster", "space", "cta"] => (how, true),
            [how @ .., "shared"] | how => (how, false),
        };
        let known = ["drop", "expect", "tx", "parity", "tl"];
        how.iter().all(|word| known.contains(word)).then_some(Form { words: how, counts })
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }
}
