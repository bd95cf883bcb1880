//! Loads of shared memory that come after all writes of it.
//!
//! **What**: their values, so that two of them at one place are one number.
//! **Method**: a function of the place, of the iterations of the loops that the load shares with
//! writes, and of the block, one for each list of such loops.
//! **Sound because** two loads with one list of loops and equal arguments read one place of one
//! memory with the same writes before both ([`crate::facts::order::ProgramOrder::settled`]).
//! **Misses**: that loads with different lists may read one value.
//! **Assumes**: barriers are uniform.

use heddle_ir::{ExprId, ObjectId, OpId};

use super::{FrameId, Instance};

impl Instance<'_> {
    /// What a load of shared memory reads after all writes: a function of the place, of the
    /// iterations of the loops that it shares with writes, and of the block.
    pub(super) fn settled(
        &mut self,
        frame: FrameId,
        op: OpId,
        (object, width): (ObjectId, u8),
        offset: ExprId,
    ) -> Option<ExprId> {
        let analysis = self.analysis;
        let loops = analysis.order.settled(op)?;
        let mut args = vec![offset];
        for of in loops {
            args.push(self.iteration(frame, *of)?);
        }
        if self.placement.is_across() {
            let thread = self.thread(frame);
            args.extend([0, 1, 2].map(|d| self.ctaid(thread, d)));
        }
        let version: Vec<String> = loops.iter().map(ToString::to_string).collect();
        let name = format!("{}.{width}@{}", analysis.kernel[object].name, version.join("."));
        Some(self.pool.pure(&name, &args, width))
    }

    /// From here on, what a load gave in a frame is a function of its place and of nothing else.
    /// Who asks says why.
    pub(crate) fn take_for_function_of_place(
        &mut self,
        frame: FrameId,
        result: ExprId,
        (load, index): (OpId, u32),
    ) {
        let Some(access) = self.analysis.kernel.access(load) else { return };
        let width = self.pool.width(result);
        let place = self.place_read(frame, load, index, access);
        let object = access.address.object;
        let value = self.pool.pure(&format!("{object}.{width} read"), &[place], width);
        let home = self.frame_of(frame, result);
        self.frames[home.0].memo.insert(result, value);
    }

    /// From here on, an expression has one value, of which nothing is known, in two frames. Who
    /// asks says why.
    pub(crate) fn take_for_one_value(&mut self, frames: [FrameId; 2], id: ExprId) {
        let width = self.pool.width(id);
        let value = self.pool.pure(&format!("{id} alike"), &[], width);
        for frame in frames {
            let home = self.frame_of(frame, id);
            self.frames[home.0].memo.insert(id, value);
        }
    }
}
