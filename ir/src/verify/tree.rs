//! Rule 2: the tree is one, and everything is in it once.

use cranelift_entity::{EntityRef, SecondaryMap};

use super::{Entity, Errors};
use crate::entity::{LoopId, OpId, VarId};
use crate::kernel::{Item, Kernel, Region};

pub(super) fn check<'k>(kernel: &'k Kernel, errors: &mut Errors<'k>) {
    let mut walk = Walk {
        kernel,
        ops: SecondaryMap::new(),
        loops: SecondaryMap::new(),
        vars: SecondaryMap::new(),
        errors,
    };
    walk.region(&kernel.body, None);
    let Walk { ops, loops, vars, errors, .. } = walk;
    once(&ops, kernel.ops.keys(), Entity::Op, "stands in the tree", errors);
    once(&loops, kernel.loops.keys(), Entity::Loop, "stands in the tree", errors);
    once(&vars, kernel.vars.keys(), Entity::Var, "is listed by its loop", errors);
}

fn once<K: EntityRef>(
    counts: &SecondaryMap<K, u32>,
    keys: impl Iterator<Item = K>,
    entity: impl Fn(K) -> Entity,
    what: &str,
    errors: &mut Errors<'_>,
) {
    for key in keys.filter(|key| counts[*key] != 1) {
        errors.add(entity(key), format!("it {what} {} times, not once", counts[key]));
    }
}

struct Walk<'a, 'k> {
    kernel: &'k Kernel,
    ops: SecondaryMap<OpId, u32>,
    loops: SecondaryMap<LoopId, u32>,
    vars: SecondaryMap<VarId, u32>,
    errors: &'a mut Errors<'k>,
}

impl Walk<'_, '_> {
    fn region(&mut self, region: &Region, around: Option<LoopId>) {
        let owner = around.map_or(Entity::Kernel, Entity::Loop);
        for item in &region.items {
            match *item {
                Item::Op(id) if self.kernel.ops.is_valid(id) => self.ops[id] += 1,
                Item::Op(id) => self.errors.add(owner, format!("there is no operation {id}")),
                Item::Loop(id) if self.kernel.loops.is_valid(id) => {
                    self.loops[id] += 1;
                    // A loop inside itself must not be followed for ever.
                    if self.loops[id] == 1 {
                        self.inner(id, around);
                    }
                }
                Item::Loop(id) => self.errors.add(owner, format!("there is no loop {id}")),
            }
        }
    }

    fn inner(&mut self, id: LoopId, around: Option<LoopId>) {
        let inner = &self.kernel[id];
        if inner.parent != around {
            let name = |of: Option<LoopId>| of.map_or("the body".to_owned(), |id| id.to_string());
            let (said, is) = (name(inner.parent), name(around));
            self.errors
                .add(Entity::Loop(id), format!("its parent is said to be {said}, but is {is}"));
        }
        for &var in &inner.vars {
            match self.kernel.vars.get(var) {
                Some(it) if it.of == id => self.vars[var] += 1,
                Some(it) => {
                    let message = format!("{id} lists it, but it is said to be of {}", it.of);
                    self.errors.add(Entity::Var(var), message);
                }
                None => self.errors.add(Entity::Loop(id), format!("there is no variable {var}")),
            }
        }
        self.region(&inner.body, Some(id));
    }
}
