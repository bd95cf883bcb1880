//! Which addresses that a launch gets are of allocations that live at the same time.
//!
//! **What**: an address that an allocator gave keeps its number, if its memory lives at the launch.
//! **Method**: the call of the allocator dominates the launch, and nobody gets the address, on a
//! way from that call to the launch, who may give the memory back.
//! **Sound because** memory that two calls gave, and that nobody gave back, does not overlap.
//! **Misses**: addresses that are stored, or given to functions that are not known.
//! **Assumes**: an allocation that failed is not used; `cudaMemcpy`, `cudaMemset` and launches of
//! kernels give nothing back.

use heddle_ir::ExprKind;

use super::names;
use super::reader::Reader;
use super::sites::ARGUMENT;
use heddle_llvm::{Function, Inst, Opcode};

/// Functions of the runtime that give no memory back.
const HARMLESS: [&str; 22] = [
    "cudaMemAdvise",
    "cudaMemPrefetchAsync",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy2DAsync",
    "cudaMemcpy2DFromArray",
    "cudaMemcpy2DToArray",
    "cudaMemcpy2DToArrayAsync",
    "cudaMemcpyAsync",
    "cudaMemcpyFromArray",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync",
    "cudaMemcpyPeer",
    "cudaMemcpyPeerAsync",
    "cudaMemcpyToArray",
    "cudaMemcpyToSymbol",
    "cudaMemcpyToSymbolAsync",
    "cudaMemset",
    "cudaMemset2D",
    "cudaMemset2DAsync",
    "cudaMemsetAsync",
    "cudaPointerGetAttributes",
];

impl<'m> Reader<'_, 'm> {
    /// Takes their numbers from allocations that may not live at the launch.
    pub(super) fn tell_apart(&mut self, launch: Inst<'m>) {
        for allocation in std::mem::take(&mut self.allocations) {
            let lives = self.paths.dominates(allocation.block(), launch.block())
                && !self.may_be_freed(allocation, launch);
            let Some(id) = self.known.get(&allocation.as_value()) else { continue };
            if let (false, ExprKind::Param(n)) = (lives, &self.pool[*id].kind) {
                self.unknowns[*n as usize].allocation = None;
            }
        }
    }

    fn may_be_freed(&self, allocation: Inst<'m>, launch: Inst<'m>) -> bool {
        let mut seen = vec![allocation.as_value()];
        let mut next = 0;
        while let Some(&value) = seen.get(next) {
            next += 1;
            for user in value.users() {
                let Some(inst) = user.as_inst() else { return true };
                match inst.opcode() {
                    Opcode::GetElementPtr
                    | Opcode::PtrToInt
                    | Opcode::IntToPtr
                    | Opcode::BitCast
                    | Opcode::Phi
                    | Opcode::Select
                    | Opcode::Add => {
                        if !seen.contains(&user) {
                            seen.push(user);
                        }
                    }
                    Opcode::ICmp => {}
                    Opcode::Call => {
                        let callee = inst.called_function().map(Function::name).unwrap_or_default();
                        let name = names::plain(&callee);
                        let harmless = callee == ARGUMENT || HARMLESS.contains(&name);
                        if !harmless && self.comes_before(inst, launch, allocation) {
                            return true;
                        }
                    }
                    // Kept somewhere: who knows what is done with it.
                    _ => return true,
                }
            }
        }
        false
    }

    /// Whether an instruction can run between the last call of the allocator and the launch.
    fn comes_before(&self, inst: Inst<'m>, launch: Inst<'m>, allocation: Inst<'m>) -> bool {
        if inst.block() == launch.block() {
            let order: Vec<_> = inst.block().instructions().collect();
            let place = |it: Inst<'m>| order.iter().position(|other| *other == it);
            if place(inst) < place(launch) {
                return true;
            }
        }
        let (from, to) = (inst.block(), launch.block());
        // Coming to the launch again means coming to the allocator first, where both share a block.
        allocation.block() != to && self.paths.reaches(from, to, allocation.block())
    }
}
