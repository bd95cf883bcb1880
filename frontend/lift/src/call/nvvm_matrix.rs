//! NVVM's intrinsics for matrices (PTX ISA, sections 9.7.14 and 9.7.15): what they touch, not what
//! they compute.
//!
//! A warp reads or writes a tile together. Which lane touches which line of it is not specified. A
//! line is therefore touched by the lane whose index, turned by an unknown amount, is the line's
//! number: for any lane and line there is an amount that brings them together, so that no conflict
//! of two accesses is missed, and no two lanes write one line.

use heddle_ir::{AccessKind, BinOp, CastOp, ExprId, NoWrap, OpKind, Touches};
use smallvec::SmallVec;

use super::Call;
use crate::Lifter;
use crate::pointer::Pointer;
use crate::predicate::both;
use crate::strength::Strength;
use crate::value::Val;
use heddle_llvm::Value;
use heddle_ptx::matrix::{Known, Lines};

impl<'m> Lifter<'m> {
    /// `ldmatrix`, `stmatrix`: each of the first lanes gives the address of one row.
    pub(super) fn matrix_rows(
        &mut self,
        call: &Call<'m>,
        at: Value<'m>,
        (row_bytes, rows): (u8, u8),
        kind: &AccessKind,
    ) -> Val {
        let pointer = self.pointer(at);
        self.first_rows(&pointer, row_bytes, rows, kind);
        self.in_registers(call)
    }

    /// Each of the first lanes of the warp touches the row at its own address.
    pub(super) fn first_rows(
        &mut self,
        pointer: &Pointer,
        row_bytes: u8,
        rows: u8,
        kind: &AccessKind,
    ) {
        let size = self.out.exprs().constant(u128::from(row_bytes), 64);
        let all = self.pred;
        let first = self.first_lanes(rows);
        self.pred = both(self.out.exprs(), all, first);
        let rows = self.access(pointer, size, kind, &[], Strength::default());
        for (_, row) in rows {
            if let OpKind::Access(access) = &mut self.out.kernel_mut().ops[row].kind {
                access.by_warp = true;
            }
        }
        self.pred = all;
    }

    /// `wmma.<shape>.load.<a|b|c>.<layout>[.stride].<type>.<space>` and `store.d`.
    pub(super) fn tile(&mut self, call: &Call<'m>, name: &str) -> Option<Val> {
        let Lines { count, bytes, element_bytes, is_store, dense } = Known::parse(name)?.lines()?;
        let pointer = self.pointer(*call.args.first()?);
        let stride = if name.split('.').any(|word| word == "stride") {
            // The stride comes last, in elements.
            self.arg(call, call.args.len().checked_sub(1)?)?
        } else {
            self.out.exprs().constant(u128::from(dense), 32)
        };
        let line = self.line_of_lane();
        let pool = self.out.exprs();
        let within = {
            let count = pool.constant(u128::from(count), 32);
            pool.ult(line, count)
        };
        let line = pool.cast(CastOp::Zext, line, 64);
        let stride = pool.cast(CastOp::Sext, stride, 64);
        let element = pool.constant(u128::from(element_bytes), 64);
        let stride = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, stride, element);
        let by = pool.binary_flagged(BinOp::Mul, NoWrap::SIGNED, line, stride);
        let size = pool.constant(u128::from(bytes), 64);
        let kind = match is_store {
            true => AccessKind::Store(SmallVec::new()),
            false => AccessKind::Load,
        };
        let all = self.pred;
        self.pred = both(self.out.exprs(), all, within);
        let at = self.advance(pointer, by, NoWrap::SIGNED);
        self.access(&at, size, &kind, &[], Strength::default());
        self.pred = all;
        Some(self.in_registers(call))
    }

    /// The variables of the loops around.
    fn carried_around(&mut self) -> Vec<ExprId> {
        let mut vars = Vec::new();
        let mut at = self.here;
        while let Some(index) = at {
            if let Some(of) = self.loop_ids[index] {
                vars.extend(self.out.kernel().loops[of].vars.iter().copied());
            }
            at = self.forest.loops[index].parent;
        }
        let widths = vars.into_iter().map(|var| (var, self.out.kernel().vars[var].width));
        let widths: Vec<_> = widths.collect();
        widths.into_iter().map(|(var, width)| self.out.exprs().var(var, width)).collect()
    }

    /// The line of a tile that the lane touches.
    fn line_of_lane(&mut self) -> ExprId {
        let turn = self.turns;
        self.turns += 1;
        let carried = self.carried_around();
        let pool = self.out.exprs();
        let mut which = vec![pool.constant(u128::from(turn), 32)];
        // Another iteration is another instruction: nothing says which lane has which line.
        which.extend(carried);
        let turn = pool.pure("matrix.turn", &which, 32);
        let lane = pool.special(heddle_ir::Special::LaneId);
        let turned = pool.add(lane, turn);
        let mask = pool.constant(31, 32);
        pool.and(turned, mask)
    }

    /// The result of an instruction that is done with memory: unknown. Nobody waits for another
    /// warp.
    pub(super) fn in_registers(&mut self, call: &Call<'m>) -> Val {
        self.opaque_value(&call.name, &[], call.inst.ty(), Touches::nothing(), false)
    }
}
