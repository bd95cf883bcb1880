//! How many registers the threads of a block can have.
//!
//! The numbers are those of the CUDA C++ Programming Guide, "Technical Specifications per Compute
//! Capability": 255 of a thread and 65,536 of a block, from 7.0 on.

/// Registers of a thread, at most.
const MOST_REGISTERS: u32 = 255;

/// Registers that each thread of a block can have: warps get them in eights for each lane.
pub(super) fn most_registers(threads: u64) -> u32 {
    let lanes = threads.clamp(1, 1024).next_multiple_of(32) as u32;
    ((65_536 / lanes) & !7).min(MOST_REGISTERS)
}

#[cfg(test)]
mod tests {
    use super::most_registers;

    #[test]
    fn registers_of_a_block_are_shared_among_its_warps() {
        let each = [(1, 255), (256, 255), (257, 224), (512, 128), (1000, 64), (1024, 64)];
        for (threads, registers) in each {
            assert_eq!(most_registers(threads), registers, "{threads}");
            assert!(registers * (threads as u32).next_multiple_of(32) <= 65_536, "{threads}");
        }
    }
}
