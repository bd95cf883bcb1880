//! Products with tensor memory (`tcgen05`; PTX ISA, section 9.7.16): which bytes of shared memory
//! they read, and which barrier object learns of their end.
//!
//! **What**: each operand in shared memory becomes a read that is under way until an arrival that
//! waits for it (`tcgen05.commit`) has completed its phase. **Method**: as for `wgmma`
//! ([`super::warpgroup`]), whose descriptors these are but for fields that are looked at; rows and
//! columns stand in the instruction descriptor. **Sound because**: where that is no constant, the
//! largest shape is taken, turned or not.
//! **Misses**: tensor memory itself; forms for two blocks, which stay opaque.
//! **Assumes**: what [`super::warpgroup`] does.

use heddle_ir::{AccessKind, AsyncMechanism, ExprId, MbarrierAction, Space, Touches};
use smallvec::SmallVec;

use super::Machine;
use super::warpgroup::{ROW, Shape};
use crate::Lifter;
use heddle_ptx::{Instruction, Operand, Role, TensorCore};

/// Rows of the first operand, and columns of the second, at most.
const MOST_ROWS: u64 = 128;
const MOST_COLUMNS: u64 = 256;

impl<'m> Lifter<'m> {
    pub(super) fn tensor_core(
        &mut self,
        machine: &mut Machine<'m>,
        it: &Instruction,
        step: TensorCore,
        here: ExprId,
    ) -> Option<()> {
        match step {
            TensorCore::Alloc => {
                let kind = AccessKind::Store(SmallVec::new());
                self.rows(machine, it, Space::Shared, 4, 1, &kind)?;
                return Some(());
            }
            TensorCore::Commit => {
                let at = self.role_address(machine, it, Role::Mbarrier, Space::Shared)?;
                self.on_barrier_object(&at, &MbarrierAction::ProductsArrive, &[]);
                return Some(());
            }
            TensorCore::Product { halves, plain, sparse } => {
                self.tensor_operands(machine, it, (halves, plain, sparse))?;
            }
            TensorCore::Copy { rows, row_bytes } => {
                let rest = rest_of(it);
                let (rows, row) = (u64::from(rows), u64::from(row_bytes));
                let shape = Shape { rows: rows.max(8), row, turned: false };
                self.operand_of(machine, AsyncMechanism::Tensor, rest.get(1)?, &[shape]);
            }
        }
        self.unmodelled(machine, it, Touches::nothing(), false, here);
        Some(())
    }

    /// The reads of a product: of both operands, or of the second where the first is in tensor
    /// memory.
    fn tensor_operands(
        &mut self,
        machine: &Machine<'m>,
        it: &Instruction,
        (halves, plain, sparse): (bool, bool, bool),
    ) -> Option<()> {
        let rest = rest_of(it);
        let (first, second) = (rest.get(1)?, rest.get(2)?);
        let mut numbers = rest[3..].iter().filter(|it| !matches!(it, Operand::Address(_)));
        let how = self.number(machine, numbers.next()?, 32);
        let how = self.out.exprs().as_const(how).filter(|_| plain);
        let field = |low: u32, bits: u32| how.map(|it| (it >> low) as u64 & ((1 << bits) - 1));
        let columns = field(17, 6).map_or(MOST_COLUMNS, |it| it * 8);
        let rows = field(24, 5).map_or(MOST_ROWS, |it| it * 16);
        let shapes = |rows: u64, row: u64, turned: Option<u64>| -> Vec<Shape> {
            let turns = match turned {
                Some(turned) => vec![turned != 0],
                None => vec![false, true],
            };
            // How other elements stand where they are turned is not followed.
            let known = halves || turns == [false];
            let all = turns.into_iter().map(|turned| Shape { rows, row, turned });
            all.filter(|_| known && rows >= 8).collect()
        };
        let second_row = if sparse { 2 * ROW } else { ROW };
        if !matches!(first, Operand::Address(_)) {
            let shapes = shapes(rows, ROW, field(15, 1));
            self.operand_of(machine, AsyncMechanism::Tensor, first, &shapes);
        }
        let shapes = shapes(columns, second_row, field(16, 1));
        self.operand_of(machine, AsyncMechanism::Tensor, second, &shapes);
        Some(())
    }
}

fn rest_of(it: &Instruction) -> Vec<Operand> {
    let rest = it.operands.iter().filter(|(role, _)| *role == Role::Rest);
    rest.map(|(_, operand)| operand.clone()).collect()
}
