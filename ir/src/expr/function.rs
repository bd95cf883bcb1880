//! Addresses of functions: numbers that stand for themselves.
//!
//! **Promises**: the address of one function is one number in all threads and launches of a run,
//! and two functions that have addresses of their own have two. Nothing else is said of the
//! numbers.

use super::{ExprId, ExprKind, ExprPool};

/// What the name of a pure function begins with that is the address of a function.
const ADDRESS: &str = "address";
/// What follows where another function may be at the same address.
const SHARED: &str = "?";
/// What follows where none is.
const OWN: &str = ".";

impl ExprPool {
    /// The address of the function of this name, 64 bits wide. `is_own`: no other function has it.
    pub fn function_address(&mut self, name: &str, is_own: bool) -> ExprId {
        let sign = if is_own { OWN } else { SHARED };
        self.pure(&format!("{ADDRESS}{sign}{name}"), &[], 64)
    }

    /// What stands for a function, if the expression is its address: a name that no other function
    /// of the pool has.
    pub fn as_function_address(&self, id: ExprId) -> Option<&str> {
        let ExprKind::Pure(function, args) = &self[id].kind else { return None };
        let name = self.function_name(*function);
        let sign = name.strip_prefix(ADDRESS).filter(|_| args.is_empty())?;
        (sign.starts_with(OWN) || sign.starts_with(SHARED)).then_some(name)
    }

    /// Whether two expressions are addresses of two functions, which are never the same.
    pub fn are_two_functions(&self, a: ExprId, b: ExprId) -> bool {
        let own = |id: ExprId| {
            let name = self.as_function_address(id)?;
            name[ADDRESS.len()..].starts_with(OWN).then_some(name)
        };
        matches!((own(a), own(b)), (Some(a), Some(b)) if a != b)
    }
}

/// The symbol in what stands for a function ([`ExprPool::as_function_address`]).
pub fn symbol_of_address(name: &str) -> &str {
    let sign = name.strip_prefix(ADDRESS).unwrap_or(name);
    sign.strip_prefix(OWN).or_else(|| sign.strip_prefix(SHARED)).unwrap_or(sign)
}
