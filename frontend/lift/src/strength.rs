//! How an access is ordered.

use heddle_ir::{Order, Scope};

/// How an access is ordered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strength {
    pub(super) order: Option<(Order, Scope)>,
    pub(super) volatile: bool,
}
