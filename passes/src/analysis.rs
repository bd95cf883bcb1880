//! What every check asks of a kernel first, computed once: scopes, uniformity, recurrences, memory use.

use heddle_ir::cranelift_entity::SecondaryMap;
use heddle_ir::{Kernel, Scopes, VarId};

use crate::evolution::{Evolution, evolution};
use crate::launch::Launch;
use crate::memory::MemoryUse;
use crate::order::Order;
use crate::uniformity::Uniformity;

/// The analyses of one kernel under one launch.
#[derive(Debug)]
pub struct Analysis<'k> {
    /// The kernel.
    pub kernel: &'k Kernel,
    /// The launch.
    pub launch: &'k Launch,
    /// Which loop each expression belongs to.
    pub scopes: Scopes,
    /// What is done to each object.
    pub memory: MemoryUse,
    /// How far each value varies.
    pub uniformity: Uniformity,
    /// Where barriers stand between operations.
    pub order: Order,
    evolutions: SecondaryMap<VarId, Option<Evolution>>,
}

impl<'k> Analysis<'k> {
    /// Computes them.
    pub fn new(kernel: &'k Kernel, launch: &'k Launch) -> Analysis<'k> {
        let scopes = Scopes::of(kernel);
        let memory = MemoryUse::of(kernel);
        let uniformity = Uniformity::of(kernel, launch, &memory);
        let order = Order::of(kernel);
        let mut evolutions = SecondaryMap::new();
        for var in kernel.vars.keys() {
            evolutions[var] = Some(evolution(kernel, &scopes, var));
        }
        Analysis { kernel, launch, scopes, memory, uniformity, order, evolutions }
    }

    /// How a loop variable goes on.
    pub fn evolution(&self, var: VarId) -> Evolution {
        self.evolutions[var].unwrap_or(Evolution::Unknown)
    }
}
