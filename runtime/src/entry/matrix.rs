//! Entry points for matrix instructions.

use crate::abi::Matrix;
use crate::block::Pause;
use crate::fibers::suspend;
use crate::matrix::Work;
use crate::turn::turn;

pub(super) fn symbols() -> [(&'static str, usize); 2] {
    [
        ("__heddle_matrix", matrix as *const () as usize),
        ("__heddle_tile", tile as *const () as usize),
    ]
}

/// A matrix instruction: registers of 32 bits that the lane brings, and room for those that it
/// gets.
extern "C" fn matrix(op: u32, shape: u32, types: u32, brings: usize, gets: usize) {
    let Some(op) = Matrix::from_number(op) else { return };
    let work = Work { op, shape, types, registers: (brings, gets) };
    // SAFETY: the compiled code keeps both on the stack of the thread, which waits there.
    suspend(turn(|turn| unsafe { turn.matrix(work) }));
}

/// A lane's part of a tile of `wmma`, from or to memory: `which` is 0 for A, 1 for B, 2 for C and
/// D, and 4 more to store.
extern "C" fn tile(
    which: u32,
    shape: u32,
    types: u32,
    memory: usize,
    stride: u32,
    registers: usize,
) {
    let op = Matrix::MultiplyTiles;
    let work = Work { op, shape, types, registers: (registers, registers) };
    let place = (memory, stride as usize);
    // SAFETY: the compiled code keeps them on the thread's stack.
    let made = turn(|turn| unsafe { turn.tile(work, place, which & 3, which & 4 != 0) });
    if !made {
        suspend(Pause::End);
    }
}
