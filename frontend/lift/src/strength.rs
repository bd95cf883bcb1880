//! What an access promises beside its address and its bytes.

use heddle_ir::{Order, Scope};

/// What is promised beyond this is of no use.
pub(super) const MOST_ALIGNMENT: u32 = 1 << 12;

/// How an access is ordered and aligned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strength {
    pub(super) order: Option<(Order, Scope)>,
    pub(super) volatile: bool,
    /// The address is a multiple of so many bytes, a power of two; else it is undefined.
    pub(super) align: u32,
}

impl Default for Strength {
    fn default() -> Strength {
        Strength { order: None, volatile: false, align: 1 }
    }
}

impl Strength {
    /// The same for the bytes that lie so far from the address.
    pub(super) fn at(self, distance: u64) -> Strength {
        let of_distance = 1_u32 << distance.trailing_zeros().min(16);
        Strength { align: self.align.min(of_distance), ..self }
    }
}
