//! Replays a witness in the interpreter: does the run really show what the model says?

use heddle_diagnostics::Confirmation;
use heddle_ir::OpId;

use crate::cx::Cx;
use crate::instance::Placement;
use crate::witness::Run;

/// What the replay should show.
#[derive(Clone, Copy, Debug)]
pub enum Want {
    /// The two operations race, by threads placed like this.
    Race([OpId; 2], Placement),
    /// Threads part at this barrier.
    Divergence(OpId),
}

/// Runs the witness and looks for what is wanted.
pub fn replay(_cx: &Cx<'_>, _run: &Run, _want: Want) -> Confirmation {
    Confirmation::NotReplayed("the interpreter is not connected".to_owned())
}
