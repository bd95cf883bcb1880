//! Clusters in inline PTX: their barrier, and addresses in the shared memory of other blocks
//! (9.7.9, 9.7.13.4).

use heddle_ir::{ClusterAction, MemoryOrder};

use super::Body;
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Instruction, PureOp, Role};

impl Body<'_> {
    pub(super) fn cluster_barrier(&mut self, action: ClusterAction, order: MemoryOrder) {
        let publishes = u32::from(order != MemoryOrder::Relaxed);
        let arrives = matches!(action, ClusterAction::Arrive | ClusterAction::Sync);
        if arrives {
            self.line(&format!("call void @__heddle_cluster_arrive(i32 {publishes})"));
        }
        if matches!(action, ClusterAction::Wait | ClusterAction::Sync) {
            self.line("call void @__heddle_cluster_wait()");
        }
    }

    /// `mapa` and `getctarank`: an address, the rank to map it to, or none to ask whose it is.
    pub(super) fn mapped(&mut self, it: &Instruction, op: PureOp, bits: u32) -> Option<()> {
        let address = self.operand(it.operand(Role::Value)?, bits)?;
        let wide = self.resized(&address, bits, 64, false);
        let pointer = self.value(&format!("inttoptr i64 {wide} to ptr"));
        if op == PureOp::BlockRank {
            let rank = self.value(&format!("call i32 @__heddle_rank_of(ptr {pointer})"));
            return self.set(it.operand(Role::Dest)?, 32, &rank);
        }
        let rank = self.operand(it.operand(Role::Second)?, 32)?;
        let there = self.value(&format!("call ptr @__heddle_mapa(ptr {pointer}, i32 {rank})"));
        let number = self.value(&format!("ptrtoint ptr {there} to i64"));
        self.set(it.operand(Role::Dest)?, 64, &number)
    }
}
