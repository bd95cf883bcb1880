//! What a source claims of its own values: in the words of `heddle.h`, or by how it is written.
//!
//! **Does not**: say whether it is so; nothing that runs a kernel looks at it, unless it is asked.

use crate::entity::ExprId;
use crate::expr::named;

named! {
    /// What is claimed.
    ClaimKind {
        /// It holds for each thread that comes here.
        Asserted = "asserted",
        /// It holds for each thread that comes here, in each iteration of the loop around.
        Invariant = "invariant",
        /// Each launch keeps it.
        Required = "required",
        /// An index of an array stays in the array, as C++ has it (expr.add).
        Subscript = "subscript",
    }
}

/// A claim at a place of the program. A run does nothing there, and nothing that is computed for a
/// subscript alone is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// One bit.
    pub condition: ExprId,
    /// The condition as the source has it.
    pub text: String,
}
