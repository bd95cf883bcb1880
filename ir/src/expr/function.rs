//! Addresses of functions: numbers that stand for themselves.
//!
//! **Promises**: the address of one function is one number in all threads and launches of a run.
//! Nothing else is said of it, not even that two functions have two.

use super::{ExprId, ExprKind, ExprPool};

/// What the name of a pure function begins with that is the address of a function.
const PREFIX: &str = "address.";

impl ExprPool {
    /// The address of the function of this symbol, 64 bits wide.
    pub fn function_address(&mut self, symbol: &str) -> ExprId {
        self.pure(&format!("{PREFIX}{symbol}"), &[], 64)
    }

    /// The symbol of the function of which an expression is the address.
    pub fn as_function_address(&self, id: ExprId) -> Option<&str> {
        let ExprKind::Pure(function, args) = &self[id].kind else { return None };
        symbol_of_address(self.function_name(*function)).filter(|_| args.is_empty())
    }
}

/// The symbol of the function whose address a pure function of this name stands for.
pub fn symbol_of_address(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}
