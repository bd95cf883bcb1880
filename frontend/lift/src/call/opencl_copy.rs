//! OpenCL's copies by a work-group and their events (OpenCL C 3.0, section 6.15.11).
//!
//! A copy is one of the whole group, which each thread issues. Its event is the result of the
//! operation; a copy that may have several places is one operation for each, and its event that of
//! the one which is done. **Does not**: follow lists of events whose length is no constant: such a
//! wait is for an unknown event.

use heddle_ir::{AsyncCopy, AsyncMechanism, BinOp, ExprId, NoWrap, OpKind, Strided};
use smallvec::SmallVec;

use super::Call;
use crate::Lifter;
use crate::mangled::Mangled;
use crate::predicate::both;
use crate::prepare::events::WAIT;
use crate::value::Val;

impl<'m> Lifter<'m> {
    /// The wait whose events are arguments.
    pub(super) fn listed_events(&mut self, call: &Call<'m>) -> Option<Val> {
        call.name.strip_prefix(WAIT)?;
        let events: SmallVec<[ExprId; 2]> =
            call.args.iter().map(|event| self.event(*event)).collect();
        self.emit(OpKind::EventWait(events), &[]);
        Some(Val::Nothing)
    }

    /// A number of 64 bits for an event.
    fn event(&mut self, value: heddle_llvm::Value<'m>) -> ExprId {
        let event = self.scalar(value);
        self.out.exprs().resize(event, 64)
    }

    /// `async_work_group_copy` and its like.
    pub(super) fn group_copy(&mut self, call: &Call<'m>, mangled: &Mangled) -> Option<Val> {
        let is_strided = match mangled.name.as_str() {
            "async_work_group_copy" => false,
            "async_work_group_strided_copy" => true,
            "wait_group_events" => {
                let unknown = self.undef(64);
                self.emit(OpKind::EventWait(SmallVec::from_slice(&[unknown])), &[]);
                return Some(Val::Nothing);
            }
            "prefetch" => return Some(Val::Nothing),
            _ => return None,
        };
        let element = mangled.params.first()?;
        // A vector of three takes the room of four.
        let lanes = if element.lanes == 3 { 4 } else { element.lanes };
        let each = u128::from(lanes * element.bytes);
        if each == 0 {
            return None;
        }
        let count = self.arg(call, 2)?;
        let count = self.out.exprs().resize(count, 64);
        let each = self.out.exprs().constant(each, 64);
        let size = self.out.exprs().binary_flagged(BinOp::Mul, NoWrap::BOTH, count, each);
        let strided = if is_strided {
            let stride = self.arg(call, 3)?;
            let stride = self.out.exprs().resize(stride, 64);
            // Also one that counts backwards, as a very large one does.
            let apart = self.out.exprs().mul(stride, each);
            // The side in global memory has the stride: the second pointer, if the first is local.
            let of_source = call.name.contains("PU3AS3") && {
                let local = call.name.find("PU3AS3");
                let global = call.name.find("PU3AS1");
                local < global
            };
            Some(Strided { of_source, count, each, apart })
        } else {
            None
        };
        let event = self.event(*call.args.last()?);
        let (to, from) = (self.pointer(*call.args.first()?), self.pointer(*call.args.get(1)?));
        let (targets, sources) = (self.targets(&to), self.targets(&from));
        let mut ops = Vec::new();
        for &(to_guard, destination) in &targets {
            for &(from_guard, source) in &sources {
                let guard = both(self.out.exprs(), to_guard, from_guard);
                let pred = both(self.out.exprs(), self.pred, guard);
                let copy = AsyncCopy {
                    mechanism: AsyncMechanism::WorkGroupEvent,
                    destination,
                    source,
                    size,
                    read: None,
                    mbarrier: None,
                    event: Some(event),
                    strided,
                    combines: false,
                };
                ops.push((guard, self.emit_under(pred, OpKind::AsyncCopy(copy), &[64])));
            }
        }
        let event = self.joined_result(&ops, 0);
        self.split_bits(event, call.inst.ty())
    }
}
