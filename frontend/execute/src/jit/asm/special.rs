//! Special registers on the host (PTX ISA, section 10).

use super::Body;
use heddle_ptx::Special;
use heddle_ptx::registers::Slots as _;

impl Body<'_> {
    /// The lanes that compare so with the lane's own.
    fn lane_mask(&mut self, register: Special, bits: u32) -> String {
        let lane = self.value("call i64 @__heddle_special(i32 12)");
        let lane = self.resized(&lane, 64, 32, false);
        let own = self.value(&format!("shl i32 1, {lane}"));
        let below = self.value(&format!("sub i32 {own}, 1"));
        let mask = match register {
            Special::LanemaskLt => below,
            Special::LanemaskLe => self.value(&format!("or i32 {below}, {own}")),
            Special::LanemaskGe => self.value(&format!("xor i32 {below}, -1")),
            Special::LanemaskGt => {
                let up_to = self.value(&format!("or i32 {below}, {own}"));
                self.value(&format!("xor i32 {up_to}, -1"))
            }
            _equal => own,
        };
        self.resized(&mask, 32, bits, false)
    }

    /// A special register, where the executor has it (section 10).
    pub(super) fn special(&mut self, register: Special, bits: u32) -> Option<String> {
        if let Some(number) = crate::jit::id_of(register) {
            let value = self.value(&format!("call i64 @__heddle_special(i32 {number})"));
            return Some(self.resized(&value, 64, bits, false));
        }
        match register {
            Special::ClusterNctarank => {
                let sizes = [28, 29, 30]
                    .map(|it| self.value(&format!("call i64 @__heddle_special(i32 {it})")));
                let plane = self.value(&format!("mul i64 {}, {}", sizes[0], sizes[1]));
                let all = self.value(&format!("mul i64 {plane}, {}", sizes[2]));
                Some(self.resized(&all, 64, bits, false))
            }
            Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt => Some(self.lane_mask(register, bits)),
            Special::Clock | Special::Clock64 | Special::GlobalTimer | Special::GlobalTimerLo => {
                let time = self.value("call i64 @__heddle_clock()");
                Some(self.resized(&time, 64, bits, false))
            }
            Special::ClockHi | Special::GlobalTimerHi => {
                let time = self.value("call i64 @__heddle_clock()");
                let high = self.value(&format!("lshr i64 {time}, 32"));
                Some(self.resized(&high, 64, bits, false))
            }
            // A device of one multiprocessor.
            Special::SmId => Some("0".to_owned()),
            Special::NsmId => Some("1".to_owned()),
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::LaneId
            | Special::WarpId
            | Special::Clusterid(_)
            | Special::Nclusterid(_)
            | Special::ClusterCtaid(_)
            | Special::ClusterNctaid(_)
            | Special::ClusterCtarank
            | Special::WarpSize
            | Special::DynamicSmemSize
            | Special::NwarpId
            | Special::GridId
            | Special::IsExplicitCluster
            | Special::TotalSmemSize
            | Special::AggrSmemSize
            | Special::CurrentGraphExec
            | Special::ReservedSmemBegin
            | Special::ReservedSmemEnd
            | Special::ReservedSmemCap
            | Special::ReservedSmem(_)
            | Special::EnvReg(_)
            | Special::Pm(_) => None,
        }
    }
}
