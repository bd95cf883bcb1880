//! Matrix products of a warpgroup: one operation of its four warps, which none of them has done
//! before all have issued it.
//!
//! **Claim.** The warps of a warpgroup issue the same products and commit them to groups alike (PTX
//! ISA, section 9.7.15), so that the groups of each are numbered alike. Who has waited for a group
//! knows that each other warp has committed it: that this happened, and not what the other wrote
//! before.
//! **Assumes**: that the warps do so. A strand that has ended is not waited for.

use crate::clock::Knowledge;
use crate::strand::StrandId;
use crate::sync::ProductStep;
use crate::trace::Membership;

use super::Execution;
use std::collections::BTreeMap;

/// Warps of a warpgroup.
const WARPS: u32 = 4;

/// The block and the index of a warpgroup in it.
pub(super) type Warpgroup = (u32, u32);

/// The groups of products of a warpgroup.
#[derive(Clone, Default, Debug)]
pub(super) struct Products {
    /// By strand, the commits of its groups.
    pub(super) committed: BTreeMap<StrandId, Vec<Membership>>,
    /// Who waits, for which group.
    pub(super) waiting: Vec<(Membership, usize)>,
}

impl Execution {
    /// The warpgroup of a strand.
    pub(super) fn warpgroup(&self, strand: StrandId) -> Warpgroup {
        let of = self.trace.strands[strand.0 as usize];
        (of.block, of.warp / WARPS)
    }

    /// All strands of a warpgroup.
    pub fn strands_beside(&self, strand: StrandId) -> Vec<StrandId> {
        let group = self.warpgroup(strand);
        let all = (0..self.trace.strands.len() as u32).map(StrandId);
        all.filter(|it| self.warpgroup(*it) == group).collect()
    }

    pub(super) fn product(&mut self, at: Membership, step: ProductStep) -> bool {
        let group = self.warpgroup(at.strand);
        let products = self.products.entry(group).or_default();
        let own = products.committed.entry(at.strand).or_default();
        let waits = match step {
            ProductStep::Commit => {
                own.push(at);
                false
            }
            ProductStep::Wait { behind } => {
                let awaited = own.len().checked_sub(behind as usize + 1);
                products.waiting.extend(awaited.map(|number| (at, number)));
                awaited.is_some()
            }
        };
        if !waits {
            self.next_interval(at.strand, None);
        }
        self.recheck_products(group);
        waits
    }

    /// Lets those go on whose group all have committed.
    pub(super) fn recheck_products(&mut self, group: Warpgroup) {
        let Some(products) = self.products.get_mut(&group) else { return };
        let waiting = std::mem::take(&mut products.waiting);
        for (at, number) in waiting {
            let mut release = Knowledge::default();
            let mut lacks = false;
            for strand in self.strands_beside(at.strand) {
                let committed = self.products.get(&group).and_then(|it| it.committed.get(&strand));
                match committed.and_then(|it| it.get(number)) {
                    Some(commit) if strand != at.strand => self.cause_into(*commit, &mut release),
                    Some(_) => {}
                    None => lacks |= !self.has_exited(strand),
                }
            }
            if lacks {
                if let Some(products) = self.products.get_mut(&group) {
                    products.waiting.push((at, number));
                }
            } else {
                self.next_interval(at.strand, Some(&release));
            }
        }
    }

    fn has_exited(&self, strand: StrandId) -> bool {
        let of = self.trace.strands[strand.0 as usize];
        let gone = self.exited.get(&(of.block, of.warp)).copied().unwrap_or(0);
        of.lanes & !gone == 0
    }
}
