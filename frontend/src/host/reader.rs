//! What is read of one launch so far: values as expressions, and what is still to be said of them.
//!
//! **Does not**: read; `expressions`, `allocations` and `values` do.

use std::collections::HashMap;

use heddle_ir::{ExprId, ExprPool};

use super::Unknown;
use super::alike::Alike;
use super::paths::Paths;
use heddle_llvm::{Inst, Module, Value};

/// Instructions that one launch is read through.
const MOST: usize = 4000;

/// What is read of one launch.
pub(super) struct Reader<'p, 'm> {
    pub(super) module: &'m Module,
    pub(super) paths: &'p Paths<'m>,
    pub(super) alike: &'p Alike<'m>,
    pub(super) pool: ExprPool,
    pub(super) unknowns: Vec<Unknown>,
    /// Values as unknowns.
    pub(super) known: HashMap<Value<'m>, ExprId>,
    /// Values as expressions: with what their flags promise, and without.
    pub(super) read: HashMap<(Value<'m>, bool), ExprId>,
    /// Phis of which it is not said yet what they can be.
    pub(super) phis: Vec<Inst<'m>>,
    /// What holds of unknowns, whenever they were computed.
    pub(super) facts: Vec<ExprId>,
    /// Allocations so far.
    pub(super) allocations: Vec<Inst<'m>>,
    pub(super) left: usize,
}

impl<'p, 'm> Reader<'p, 'm> {
    pub(super) fn new(
        module: &'m Module,
        paths: &'p Paths<'m>,
        alike: &'p Alike<'m>,
    ) -> Reader<'p, 'm> {
        Reader {
            module,
            paths,
            alike,
            pool: ExprPool::new(),
            unknowns: Vec::new(),
            known: HashMap::new(),
            read: HashMap::new(),
            phis: Vec::new(),
            facts: Vec::new(),
            allocations: Vec::new(),
            left: MOST,
        }
    }
}
