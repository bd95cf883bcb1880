//! Gates over the literals of a SAT solver, with constants folded and equal gates shared.
//!
//! **Promises**: each gate is equivalent to its operator; clauses are counted, and past the limit
//! no more are made ([`Gates::is_full`]), after which an answer would mean nothing.

use batsat::callbacks::Callbacks;
use batsat::{ClauseKind as Kind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use rustc_hash::FxHashMap;

/// A literal or a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bit(u32);

impl Bit {
    pub(crate) const FALSE: Bit = Bit(0);
    pub(crate) const TRUE: Bit = Bit(1);

    pub(crate) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    pub(crate) fn as_const(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Bit::TRUE)
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Bit, Bit),
    Xor(Bit, Bit),
    Mux(Bit, Bit, Bit),
    Majority(Bit, Bit, Bit),
}

/// Clauses of a circuit for which a conflict counts once.
const LIGHT: u64 = 20_000;

/// Stops the search after so many conflicts.
struct ConflictLimit {
    left: u64,
}

impl Callbacks for ConflictLimit {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: Kind) {
        match kind {
            Kind::Learnt => self.left = self.left.saturating_sub(1),
            Kind::Axiom | Kind::Theory => {}
        }
    }

    fn stop(&self) -> bool {
        self.left == 0
    }
}

/// What the SAT solver said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Sat,
    Unsat,
    Spent,
}

/// A circuit and the solver that holds its clauses.
pub(crate) struct Gates {
    solver: Solver<ConflictLimit>,
    /// Variable `v` of the solver is `Bit(2 * v + 2)`.
    shared: FxHashMap<Gate, Bit>,
    clause: Vec<Lit>,
    clauses: u64,
    limit: u64,
}

impl Gates {
    /// An empty circuit, which may come to so many clauses, and be searched for so many conflicts.
    pub(crate) fn new(clauses: u64, conflicts: u64) -> Gates {
        Gates {
            solver: Solver::new(SolverOpts::default(), ConflictLimit { left: conflicts.max(1) }),
            shared: FxHashMap::default(),
            clause: Vec::new(),
            clauses: 0,
            limit: clauses,
        }
    }

    /// Whether clauses were left out.
    pub(crate) fn is_full(&self) -> bool {
        self.clauses > self.limit
    }

    pub(crate) fn fresh(&mut self) -> Bit {
        if self.is_full() {
            return Bit::FALSE;
        }
        let var = self.solver.new_var_default();
        Bit(2 * var.idx() + 2)
    }

    /// Requires one of the bits.
    pub(crate) fn require_any(&mut self, bits: &[Bit]) {
        if bits.contains(&Bit::TRUE) {
            return;
        }
        self.clauses += 1;
        if self.is_full() {
            return;
        }
        self.clause.clear();
        for &bit in bits {
            if bit != Bit::FALSE {
                let var = Var::unsafe_from_idx((bit.0 >> 1) - 1);
                self.clause.push(Lit::new(var, !bit.is_negated()));
            }
        }
        self.solver.add_clause_reuse(&mut self.clause);
    }

    pub(crate) fn require(&mut self, bit: Bit) {
        self.require_any(&[bit]);
    }

    /// Searches. A conflict costs about as much as there are clauses, so a large circuit gets
    /// fewer.
    pub(crate) fn solve(&mut self) -> Outcome {
        if self.is_full() {
            return Outcome::Spent;
        }
        let limit = self.solver.cb_mut();
        limit.left = (limit.left.saturating_mul(LIGHT) / self.clauses.max(LIGHT)).max(1);
        match self.solver.solve_limited(&[]) {
            answer if answer == lbool::TRUE => Outcome::Sat,
            answer if answer == lbool::FALSE => Outcome::Unsat,
            _ => Outcome::Spent,
        }
    }

    /// Clauses so far.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Propagations and conflicts of the search.
    pub(crate) fn work(&self) -> (u64, u64) {
        (self.solver.num_propagations(), self.solver.num_conflicts())
    }

    /// A bit in the model that was found.
    pub(crate) fn value(&self, bit: Bit) -> bool {
        match bit.as_const() {
            Some(value) => value,
            None => {
                let var = Var::unsafe_from_idx((bit.0 >> 1) - 1);
                let positive = self.solver.value_var(var) == lbool::TRUE;
                positive != bit.is_negated()
            }
        }
    }

    pub(crate) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        let gate = Gate::And(a, b);
        if let Some(&out) = self.shared.get(&gate) {
            return out;
        }
        let out = self.fresh();
        self.require_any(&[!out, a]);
        self.require_any(&[!out, b]);
        self.require_any(&[out, !a, !b]);
        self.shared.insert(gate, out);
        out
    }

    pub(crate) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        // Negations move to the output, so that equal gates look equal.
        let negate = a.is_negated() != b.is_negated();
        let strip = |bit: Bit| Bit(bit.0 & !1);
        let (a, b) = (strip(a), strip(b));
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        let flip = |bit: Bit| if negate { !bit } else { bit };
        if a == Bit::FALSE {
            return flip(b);
        }
        if a == b {
            return flip(Bit::FALSE);
        }
        let gate = Gate::Xor(a, b);
        if let Some(&out) = self.shared.get(&gate) {
            return flip(out);
        }
        let out = self.fresh();
        self.require_any(&[!out, a, b]);
        self.require_any(&[!out, !a, !b]);
        self.require_any(&[out, !a, b]);
        self.require_any(&[out, a, !b]);
        self.shared.insert(gate, out);
        flip(out)
    }

    /// `a` where `c`, else `b`.
    pub(crate) fn mux(&mut self, c: Bit, a: Bit, b: Bit) -> Bit {
        if let Some(c) = c.as_const() {
            return if c { a } else { b };
        }
        if a == b {
            return a;
        }
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        if a == !b {
            return self.xor(c, b);
        }
        match (a.as_const(), b.as_const()) {
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => return self.and(!c, b),
            (_, Some(true)) => return self.or(!c, a),
            (_, Some(false)) => return self.and(c, a),
            (None, None) => {}
        }
        if a == c {
            return self.or(c, b);
        }
        if b == c {
            return self.and(c, a);
        }
        let gate = Gate::Mux(c, a, b);
        if let Some(&out) = self.shared.get(&gate) {
            return out;
        }
        let out = self.fresh();
        self.require_any(&[!c, !a, out]);
        self.require_any(&[!c, a, !out]);
        self.require_any(&[c, !b, out]);
        self.require_any(&[c, b, !out]);
        self.require_any(&[!a, !b, out]);
        self.require_any(&[a, b, !out]);
        self.shared.insert(gate, out);
        out
    }

    /// Two or more of three: the carry of an adder.
    pub(crate) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let gate = Gate::Majority(a, b, c);
        if let Some(&out) = self.shared.get(&gate) {
            return out;
        }
        let out = self.fresh();
        self.require_any(&[out, !a, !b]);
        self.require_any(&[out, !a, !c]);
        self.require_any(&[out, !b, !c]);
        self.require_any(&[!out, a, b]);
        self.require_any(&[!out, a, c]);
        self.require_any(&[!out, b, c]);
        self.shared.insert(gate, out);
        out
    }
}
