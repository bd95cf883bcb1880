//! What an access promises beside its address and its bytes.

use heddle_ir::{MemoryOrder, Scope};

/// What is promised beyond this is of no use.
const MOST_ALIGNMENT: u32 = 1 << 12;

/// How an access is ordered and aligned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    pub(super) order: Option<(MemoryOrder, Scope)>,
    pub(super) volatile: bool,
    /// The program promises that the address is a multiple of this many bytes, a power of two; 1
    /// promises nothing.
    pub(super) align: u32,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { order: None, volatile: false, align: 1 }
    }
}

impl Strength {
    /// The same with the alignment that an instruction promises, if it does.
    pub(super) fn aligned(self, promised: Option<u32>) -> Strength {
        Strength { align: promised.unwrap_or(1).clamp(1, MOST_ALIGNMENT), ..self }
    }

    /// The same for the bytes that lie so far from the address.
    pub(super) fn at(self, distance: u64) -> Strength {
        let of_distance = 1_u32 << distance.trailing_zeros().min(16);
        Strength { align: self.align.min(of_distance), ..self }
    }
}
