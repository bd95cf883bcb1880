//! Exchanges of lanes in inline PTX (9.7.9, 9.7.13).

use heddle_ir::CrossLaneKind;
use heddle_runtime::abi::Exchange;

use super::Body;
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, Role};

impl Body<'_> {
    pub(super) fn cross_lane(
        &mut self,
        it: &Instruction,
        kind: CrossLaneKind,
        bits: u32,
    ) -> Option<()> {
        let exchange = Exchange::of(kind)?;
        let mask = match it.operand(Role::Mask) {
            Some(mask) => self.operand(mask, 32)?,
            // The forms without a mask are of the lanes that are there.
            None => self.value("call i32 @__heddle_active()"),
        };
        let value = match (it.operand(Role::Value), it.operand(Role::Predicate)) {
            (Some(value), _) => {
                let value = self.operand(value, bits)?;
                self.resized(&value, bits, 64, false)
            }
            (None, Some(predicate)) => {
                let bit = self.operand(predicate, 1)?;
                self.value(&format!("zext i1 {bit} to i64"))
            }
            (None, None) => "0".to_owned(),
        };
        let lane = self.number(it, Role::Lane, 0)?;
        let clamp = self.number(it, Role::Clamp, 0)?;
        let both = self.value(&format!(
            "call i64 @__heddle_exchange(i32 {}, i32 {mask}, i64 {value}, i32 {lane}, i32 {clamp})",
            exchange.number()
        ));
        let is_vote = matches!(
            kind,
            CrossLaneKind::VoteAll | CrossLaneKind::VoteAny | CrossLaneKind::VoteUniform
        );
        let low = if is_vote { 1 } else { 32 };
        let result = self.value(&format!("trunc i64 {both} to i{low}"));
        self.set(it.operand(Role::Dest)?, low, &result)?;
        if let Some(second) = it.operand(Role::DestPred) {
            let high = self.value(&format!("lshr i64 {both}, 32"));
            let bit = self.value(&format!("trunc i64 {high} to i1"));
            self.set(second, 1, &bit)?;
        }
        Some(())
    }
}
