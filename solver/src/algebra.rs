//! Algebraic refutation: addresses as polynomials over integers.
//!
//! **Answers** only that a problem has no solution. **Proves** it by substitution, divisibility,
//! bounds, mixed-radix splitting with constant or symbolic radices, linear programs over monomials,
//! products taken as one unknown, and cases of disjunctions, inequations and wrap counts.
//! **Misses** bit tricks (exclusive or of unknowns), and whatever needs more cases than the budget
//! has. Exact about wrap-around: see `read`.

mod joined;
mod linear;
pub(crate) mod poly;
mod prove;
mod radix;
mod rational;
mod read;
mod reduce;
mod simplex;
mod system;

use heddle_ir::ExprId;

use crate::fuel::Fuel;
use crate::problem::Problem;
use crate::query::Budget;
use poly::{Atom, Poly};
use read::Reader;
use system::{Facts, Role, System, Verdict};

/// How hard to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// Substitution, bounds, splitting with short proofs, a few cases: tens of microseconds.
    Quick,
    /// Linear programs too, and all the cases of the budget.
    Full,
}

/// Cases of a quick look.
const QUICK_CASES: u32 = 12;
/// Polynomials that short proofs may look at, in a quick look and in a full one.
const QUICK_PROOFS: u64 = 2_500;
const FULL_PROOFS: u64 = 30_000;

/// Whether the problem is refuted.
pub(crate) fn refutes(problem: &mut Problem, effort: Effort, budget: &Budget) -> bool {
    let work = || {
        let fuel = budget.fuel.clone();
        match effort {
            Effort::Quick => {
                let cases = budget.cases.min(QUICK_CASES);
                Work { cases, proofs: QUICK_PROOFS, pivots: None, fuel }
            }
            Effort::Full => {
                let pivots = Some(budget.pivots);
                Work { cases: budget.cases, proofs: FULL_PROOFS, pivots, fuel }
            }
        }
    };
    let expanded = read(problem, false);
    let joined = match effort {
        Effort::Full if expanded.has_products => joined::joined(&expanded.system),
        Effort::Full | Effort::Quick => Vec::new(),
    };
    if work().refutes(expanded.system) {
        return true;
    }
    if expanded.has_products && work().refutes(read(problem, true).system) {
        return true;
    }
    joined.into_iter().any(|system| work().refutes(system))
}

/// Terms of a system that is worth the work; sums of hundreds of unknowns are not what algebra
/// settles.
const MAX_SIZE: usize = 1_000;

struct Read {
    system: System,
    has_products: bool,
}

fn read(problem: &mut Problem, factored: bool) -> Read {
    let facts: Vec<ExprId> = problem.facts.clone();
    let bounds = problem.ranges.assumed();
    let mut reader = Reader::new(&mut problem.pool, &mut problem.ranges, factored);
    for (expr, known) in bounds {
        // Reading adds what the range of the expression says.
        reader.integer(expr, known.slo < 0 && known.hi == heddle_ir::mask(u128::MAX, known.width));
    }
    for fact in facts {
        reader.literal(fact, true);
    }
    let Reader { atoms, mut scopes, steps, .. } = reader;
    problem.fuel.take(READ * steps);
    let facts = scopes.pop().map(|scope| scope.facts).unwrap_or_default();
    let has_products = mentions_products(&facts);
    Read { system: System::new(atoms, facts), has_products }
}

fn mentions_products(facts: &Facts) -> bool {
    let Facts { zero, nonneg, nonzero, clauses } = facts;
    zero.iter().chain(nonneg).chain(nonzero).any(|poly| !poly.is_linear())
        || clauses.iter().flatten().any(mentions_products)
}

struct Work {
    cases: u32,
    /// Polynomials that short proofs may still look at.
    proofs: u64,
    /// Pivots left; `None` where no linear program is wanted.
    pivots: Option<u64>,
    /// What else limits it.
    fuel: Fuel,
}

/// Units of work for a term of a system that is settled, for a polynomial of a short proof, and for
/// a pivot.
const TERM: u64 = 20;
const PROOF: u64 = 10;
const PIVOT: u64 = 20;
/// And for a predicate or a value that is read.
const READ: u64 = 10;

impl Work {
    fn refutes(&mut self, mut system: System) -> bool {
        loop {
            if system.size() > MAX_SIZE || self.fuel.is_empty() {
                return false;
            }
            self.fuel.take(TERM * system.size() as u64);
            self.proofs = self.proofs.min(self.fuel.left() / PROOF);
            self.pivots = self.pivots.map(|pivots| pivots.min(self.fuel.left() / PIVOT));
            let (proofs, pivots) = (self.proofs, self.pivots.unwrap_or(0));
            let step = self.step(&mut system);
            let proofs = proofs - self.proofs;
            let pivots = pivots - self.pivots.unwrap_or(0);
            self.fuel.take(PROOF * proofs + PIVOT * pivots);
            match step {
                Verdict::Refuted => return true,
                Verdict::Progress => {}
                Verdict::Stuck => return self.refutes_cases(system),
            }
        }
    }

    /// One step of whatever helps, cheapest first.
    fn step(&mut self, system: &mut System) -> Verdict {
        if system.settle() == Verdict::Refuted {
            return Verdict::Refuted;
        }
        let proofs = &mut self.proofs;
        match system.split_radices(&mut |system, poly| system.proves_nonneg(poly, proofs)) {
            Verdict::Stuck => {}
            done => return done,
        }
        if system.combine() == Verdict::Progress {
            return Verdict::Progress;
        }
        if contradicts_itself(system, &mut self.proofs) {
            return Verdict::Refuted;
        }
        if system.divide_inequalities(&mut self.proofs) == Verdict::Progress {
            return Verdict::Progress;
        }
        let linear = match self.pivots.as_mut() {
            Some(pivots) => by_linear_programs(system, pivots),
            None => Verdict::Stuck,
        };
        match linear {
            Verdict::Stuck => system.eliminate_any(),
            done => done,
        }
    }

    /// Looks at each alternative of one choice.
    fn refutes_cases(&mut self, mut system: System) -> bool {
        let Some(alternatives) = choose(&mut system) else { return false };
        for facts in alternatives {
            if self.cases == 0 {
                return false;
            }
            self.cases -= 1;
            let mut case = system.clone();
            case.facts.extend(facts);
            if !self.refutes(case) {
                return false;
            }
        }
        true
    }
}

/// What linear programs add: a refutation, a count of wraps, a radix split.
fn by_linear_programs(system: &mut System, pivots: &mut u64) -> Verdict {
    if system.is_infeasible(None, pivots) {
        return Verdict::Refuted;
    }
    if system.pin_wraps(pivots) {
        return Verdict::Progress;
    }
    system.split_radices(&mut |system, poly| {
        let negated = poly.negate().and_then(|it| it.add_constant(-1));
        negated.is_some_and(|negated| system.is_infeasible(Some(&negated), pivots))
    })
}

/// A constraint of which the opposite can be shown.
fn contradicts_itself(system: &System, proofs: &mut u64) -> bool {
    system.facts.nonneg.iter().any(|poly| {
        let opposite = poly.negate().and_then(|it| it.add_constant(-1));
        opposite.is_some_and(|opposite| system.proves_nonneg(&opposite, proofs))
    })
}

/// The choice with the fewest alternatives, taken out of the system.
fn choose(system: &mut System) -> Option<Vec<Facts>> {
    let at_least = |poly: Poly| Facts { nonneg: vec![poly], ..Facts::default() };
    let clause = (0..system.facts.clauses.len()).min_by_key(|&at| system.facts.clauses[at].len());
    if let Some(at) = clause
        && (system.facts.clauses[at].len() <= 2 || system.facts.nonzero.is_empty())
    {
        return Some(system.facts.clauses.remove(at));
    }
    if !system.facts.nonzero.is_empty() {
        let poly = system.facts.nonzero.remove(0);
        let above = poly.add_constant(-1)?;
        let below = poly.negate()?.add_constant(-1)?;
        return Some(vec![at_least(above), at_least(below)]);
    }
    // A small count of wraps, value by value.
    let count: Option<Atom> = system.live().find(|&atom| {
        let known = system.atoms[atom as usize];
        known.role == Role::Wraps
            && (1..=4).contains(&known.hi.saturating_sub(known.lo))
            && system.facts.zero.iter().any(|it| it.mentions(atom))
    });
    let atom = count?;
    let known = system.atoms[atom as usize];
    (known.lo..=known.hi)
        .map(|value| {
            let fixed = Poly::atom(atom).add_constant(-value)?;
            Some(Facts { zero: vec![fixed], ..Facts::default() })
        })
        .collect()
}
