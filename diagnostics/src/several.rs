//! Answers under several launches as one answer.
//!
//! **What**: a property that is proved under each launch is proved if the launch is one of them.
//! **Sound because** each proof names the launch that it takes for granted, and the whole takes for
//! granted that it is one of those: what else any of them assumes is assumed by the whole.
//! **Does not**: make a proof of less than proofs.

use std::collections::BTreeSet;

use crate::verdict::{Assumption, Proof, Verdict};

impl Verdict {
    /// The answer for a launch that is this one's or the other's.
    #[must_use]
    pub fn or_launched(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::Proved(one), Verdict::Proved(other)) => Verdict::Proved(one.either(other)),
            (Verdict::Refuted(mut one), Verdict::Refuted(other)) => {
                one.extend(other);
                Verdict::Refuted(one)
            }
            (refuted @ Verdict::Refuted(_), _) | (_, refuted @ Verdict::Refuted(_)) => refuted,
            (Verdict::Unknown(mut one), Verdict::Unknown(other)) => {
                one.extend(other.into_iter().filter(|it| !one.contains(it)).collect::<Vec<_>>());
                Verdict::Unknown(one)
            }
            (unknown @ Verdict::Unknown(_), _) | (_, unknown @ Verdict::Unknown(_)) => unknown,
        }
    }

    /// The same answer where other proofs of the same kernel show assumptions: what those take for
    /// granted is taken for granted instead, but for what they show.
    #[must_use]
    pub fn shown_by(self, shown: &[(Assumption, Proof)]) -> Verdict {
        let Verdict::Proved(Proof { assumptions: mut open, methods }) = self else { return self };
        let (mut used, mut taken) = (vec![false; shown.len()], BTreeSet::new());
        while let Some(assumption) = open.pop() {
            match shown.iter().position(|(it, _)| *it == assumption) {
                Some(by) if used[by] => {}
                Some(by) => {
                    used[by] = true;
                    open.extend(shown[by].1.assumptions.iter().cloned());
                }
                None => {
                    taken.insert(assumption);
                }
            }
        }
        Verdict::Proved(Proof { assumptions: taken.into_iter().collect(), methods })
    }

    /// The same answer where an assumption is known to hold.
    #[must_use]
    pub fn given(self, known: &Assumption) -> Verdict {
        match self {
            Verdict::Proved(Proof { assumptions, methods }) => {
                let assumptions = assumptions.into_iter().filter(|it| it != known).collect();
                Verdict::Proved(Proof { assumptions, methods })
            }
            other @ (Verdict::Refuted(_) | Verdict::Unknown(_)) => other,
        }
    }
}

impl Proof {
    fn either(self, other: Proof) -> Proof {
        let Proof { assumptions: one, mut methods } = self;
        let Proof { assumptions: other, methods: more } = other;
        for (by, count) in more {
            *methods.entry(by).or_default() += count;
        }
        let mut sites = Vec::new();
        let mut assumptions = Vec::new();
        let sizes = |all: &[Assumption]| -> Option<Assumption> {
            all.iter().find(|it| matches!(it, Assumption::Launch { .. })).cloned()
        };
        let same_sizes = sizes(&one) == sizes(&other);
        for it in one.into_iter().chain(other) {
            match it {
                Assumption::LaunchedAt(at) => {
                    sites.extend(
                        at.into_iter().filter(|it| !sites.contains(it)).collect::<Vec<_>>(),
                    );
                }
                // The launches say their own sizes.
                Assumption::Launch { .. } if !same_sizes => {
                    assumptions.push(Assumption::Launch { grid: None, block: None });
                }
                it => assumptions.push(it),
            }
        }
        if !sites.is_empty() {
            assumptions.push(Assumption::LaunchedAt(sites));
        }
        assumptions.sort();
        assumptions.dedup();
        Proof { assumptions, methods }
    }
}

#[cfg(test)]
mod tests {
    use crate::verdict::Proof;
    use crate::{Assumption, Evidence, Method, Obligations, Property, Reason, Verdict};

    fn proved(assumptions: &[Assumption]) -> Verdict {
        let mut obligations = Obligations::new(Property::IntraBlockRace, []);
        let one = obligations.open();
        obligations.all_listed();
        obligations.discharge(one, Evidence::new(Method::Bits, assumptions.to_vec()));
        obligations.conclude()
    }

    fn at(line: u32) -> Assumption {
        Assumption::LaunchedAt(vec![(format!("k.cu:{line}"), Vec::new())])
    }

    #[test]
    fn two_proofs_are_one_that_names_both_launches() {
        let one = proved(&[at(1), Assumption::InBounds]);
        let Verdict::Proved(both) = one.or_launched(proved(&[at(2)])) else { panic!("proved") };
        let sites = vec![("k.cu:1".to_owned(), vec![]), ("k.cu:2".to_owned(), vec![])];
        assert_eq!(both.assumptions(), [Assumption::InBounds, Assumption::LaunchedAt(sites)]);
        assert_eq!(both.methods()[&Method::Bits], 2);
    }

    #[test]
    fn a_proof_and_an_unknown_are_unknown() {
        let unknown = || Verdict::unknown(Reason::new(crate::Code::Undecided, "why"));
        assert_eq!(proved(&[]).or_launched(unknown()), unknown());
        assert_eq!(unknown().or_launched(proved(&[])), unknown());
        assert_eq!(unknown().or_launched(unknown()), unknown());
        assert_eq!(unknown().given(&Assumption::InBounds), unknown());
    }

    fn proof(assumptions: &[Assumption]) -> Proof {
        let Verdict::Proved(proof) = proved(assumptions) else { panic!("proved") };
        proof
    }

    #[test]
    fn what_another_proof_shows_is_not_assumed_but_what_that_one_assumes_is() {
        let shown = [(Assumption::InBounds, proof(&[Assumption::DistinctPointers]))];
        let races = proved(&[Assumption::InBounds, Assumption::UniformBarriers]);
        let expected = proved(&[Assumption::DistinctPointers, Assumption::UniformBarriers]);
        assert_eq!(races.shown_by(&shown), expected);
        let silent = proved(&[Assumption::UniformBarriers]);
        assert_eq!(silent.clone().shown_by(&shown), silent);
    }

    #[test]
    fn proofs_that_show_what_each_other_assumes_leave_the_rest() {
        let bounds = proof(&[Assumption::UniformBarriers, Assumption::DistinctPointers]);
        let barriers = proof(&[Assumption::InBounds, Assumption::LoadsRaceFree]);
        let shown = [(Assumption::InBounds, bounds), (Assumption::UniformBarriers, barriers)];
        let expected = proved(&[Assumption::DistinctPointers, Assumption::LoadsRaceFree]);
        assert_eq!(proved(&[Assumption::InBounds]).shown_by(&shown), expected);
        assert_eq!(proved(&[Assumption::UniformBarriers]).shown_by(&shown), expected);
        let unknown = Verdict::unknown(Reason::new(crate::Code::Undecided, "why"));
        assert_eq!(unknown.clone().shown_by(&shown), unknown);
    }

    #[test]
    fn what_is_known_is_not_assumed() {
        let given = proved(&[Assumption::DistinctPointers]).given(&Assumption::DistinctPointers);
        assert_eq!(given, proved(&[]));
    }
}
