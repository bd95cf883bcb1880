//! Which returns of a kernel are written as `return`, as our own compiler has marked them
//! (`frontend/clang/returns.h` says what that promises).
//!
//! **Does not**: mark, or know anything of IR that another compiler made.

use super::{Function, Inst, Module};

/// The attribute of functions whose returns are marked.
const TELLS: &str = "heddle-written-returns";
/// The metadata of an instruction by which a `return` leaves.
const LEAVES: &str = "heddle.return";
/// The metadata of a switch that goes on after lives have ended.
const GOES_ON: &str = "heddle.cleanup";
/// Clang's index of the return among the places to go on at: the first that it numbers in a
/// function.
pub const RETURN: u128 = 1;

impl Function<'_> {
    /// Whether its written returns are marked.
    pub fn tells_returns(self) -> bool {
        self.attribute(TELLS).is_some()
    }
}

impl<'m> Inst<'m> {
    /// Whether it is the end of a block by which a written `return` leaves.
    pub fn leaves_by_return(self, module: &'m Module) -> bool {
        self.metadata(module, LEAVES).is_some()
    }

    /// Whether it is a switch that goes on after lives have ended: at the return, where its value
    /// is [`RETURN`].
    pub fn goes_on_after_lives(self, module: &'m Module) -> bool {
        self.metadata(module, GOES_ON).is_some()
    }
}
