//! What operations give, by arithmetic of its own: wide integers, bit by bit, and exact fractions
//! (`exact`). Nothing of Heddle, of LLVM or of this machine's floats is in it.
//!
//! An operation comes with its *mutants*: what it is taken for by mistake. The stored cases kill
//! each: there is one for which the mutant gives something else.

pub(crate) mod exact;
mod floats;
mod integers;
mod lanes;
mod mathematics;
mod ptx;
mod short;

use std::collections::BTreeSet;
use std::rc::Rc;

use self::exact::Format;
use crate::data::{Case, MOST, Row, Ty};

/// What comes of operands.
pub(crate) type Function = Rc<dyn Fn(&[u64]) -> u64>;

/// Whether something holds of operands.
pub(crate) type Condition = Rc<dyn Fn(&[u64]) -> bool>;

/// An operation.
pub(crate) struct Operation {
    pub(crate) file: &'static str,
    pub(crate) name: String,
    pub(crate) code: Option<String>,
    pub(crate) ptx: Option<String>,
    pub(crate) of: Vec<Ty>,
    pub(crate) gives: Ty,
    pub(crate) function: Function,
    pub(crate) mutants: Vec<(String, Function)>,
    /// Where C++ leaves the result undefined, and PTX does not.
    pub(crate) open: Condition,
    /// Operands for which it is defined.
    pub(crate) defined: Condition,
    /// Operands that are among the cases.
    pub(crate) wanted: Vec<Vec<u64>>,
}

impl Operation {
    pub(crate) fn new(
        file: &'static str,
        name: impl Into<String>,
        of: &str,
        gives: &str,
        function: impl Fn(&[u64]) -> u64 + 'static,
    ) -> Operation {
        let of: Vec<Ty> = of.split(' ').map(Ty::named).collect();
        Operation {
            file,
            name: name.into(),
            code: None,
            ptx: None,
            of,
            gives: Ty::named(gives),
            function: Rc::new(function),
            mutants: Vec::new(),
            open: Rc::new(|_| false),
            defined: Rc::new(|_| true),
            wanted: Vec::new(),
        }
    }

    /// The expression, where the name is no function.
    pub(crate) fn code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The instruction, which is the name as well.
    pub(crate) fn ptx(mut self, operands: &str) -> Self {
        self.ptx = Some(format!("{} {operands};", self.name));
        self
    }

    pub(crate) fn mutant(
        mut self,
        name: impl Into<String>,
        f: impl Fn(&[u64]) -> u64 + 'static,
    ) -> Self {
        self.mutants.push((name.into(), Rc::new(f)));
        self
    }

    /// Leaves out a mutant that is the same.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.mutants.retain(|(it, _)| it != name);
        self
    }

    pub(crate) fn open(mut self, open: impl Fn(&[u64]) -> bool + 'static) -> Self {
        self.open = Rc::new(open);
        self
    }

    pub(crate) fn defined(mut self, defined: impl Fn(&[u64]) -> bool + 'static) -> Self {
        self.defined = Rc::new(defined);
        self
    }

    pub(crate) fn wanted(mut self, wanted: &[&[u64]]) -> Self {
        self.wanted.extend(wanted.iter().map(|it| it.to_vec()));
        self
    }

    /// What it gives, in the bits of its type.
    pub(crate) fn result(&self, operands: &[u64]) -> u64 {
        (self.function)(operands) & mask(self.gives)
    }

    /// The mutants that no case tells from the operation.
    pub(crate) fn alive(&self, cases: &[Case]) -> Vec<&str> {
        let kills = |mutant: &Function| {
            cases.iter().any(|it| mutant(&it.operands) & mask(self.gives) != it.result)
        };
        self.mutants.iter().filter(|(_, it)| !kills(it)).map(|(name, _)| name.as_str()).collect()
    }

    /// The row: cases at the edges, at random by a seed, and two for each mutant.
    pub(crate) fn row(&self) -> Row {
        let mut random = Random::new(&self.name);
        let mut cases: Vec<Case> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut add = |operands: Vec<u64>, cases: &mut Vec<Case>| {
            if (self.defined)(&operands) && cases.len() < MOST && seen.insert(operands.clone()) {
                let (result, open) = (self.result(&operands), (self.open)(&operands));
                cases.push(Case { operands, result, open });
            }
        };
        self.wanted.iter().for_each(|it| add(it.clone(), &mut cases));
        for (_, mutant) in &self.mutants {
            let mut found = 0;
            for _ in 0..20_000 {
                let operands = random.operands(&self.of);
                if !(self.defined)(&operands) {
                    continue;
                }
                if mutant(&operands) & mask(self.gives) != self.result(&operands) {
                    add(operands, &mut cases);
                    found += 1;
                }
                if found == 2 {
                    break;
                }
            }
        }
        let edges = if self.of.len() == 1 { edges(self.of[0]) } else { Vec::new() };
        edges
            .into_iter()
            .step_by(if self.mutants.len() > 3 { 2 } else { 1 })
            .for_each(|it| add(vec![it], &mut cases));
        let most = cases.len().max(if self.of.len() == 1 { 24 } else { 16 });
        for _ in 0..1_000 {
            if cases.len() < most {
                add(random.operands(&self.of), &mut cases);
            }
        }
        Row {
            name: self.name.clone(),
            code: self.code.clone(),
            ptx: self.ptx.clone(),
            of: self.of.clone(),
            gives: self.gives,
            cases,
        }
    }
}

/// All operations.
pub(crate) fn operations() -> Vec<Operation> {
    let mut all = integers::operations();
    all.extend(lanes::operations());
    all.extend(floats::operations());
    all.extend(mathematics::operations());
    all.extend(short::operations());
    all.extend(ptx::operations());
    all
}

/// Operands by a seed.
struct Random(u64);

impl Random {
    fn new(name: &str) -> Random {
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        Random(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn one(&mut self, ty: Ty) -> u64 {
        let edges = edges(ty);
        let any = self.next() >> 3;
        match (self.next() >> 20) % 4 {
            0 | 1 => edges[any as usize % edges.len()],
            2 => self.next() & mask(ty),
            // Beside an edge.
            _ => {
                edges[any as usize % edges.len()]
                    .wrapping_add((self.next() >> 9) % 9)
                    .wrapping_sub(4)
                    & mask(ty)
            }
        }
    }

    fn operands(&mut self, of: &[Ty]) -> Vec<u64> {
        let mut all: Vec<u64> = of.iter().map(|ty| self.one(*ty)).collect();
        // Floats that are near each other, or the same.
        if self.next() >> 30 & 3 == 0 && all.len() > 1 && of[0].bits == of[1].bits {
            all[1] = all[0] ^ (self.next() >> 40 & 3) ^ (self.next() >> 33 & 1) << (of[0].bits - 1);
            all[1] &= mask(of[1]);
        }
        if of[0].float.is_some_and(|_| of[0].lanes == 1) && self.next() >> 30 & 3 == 0 {
            // Exponents near each other, so that sums round.
            let ty = of[0];
            let (exponent, fraction) = ty.float.unwrap_or((8, 23));
            let base = self.next() % ((1 << exponent) - 3);
            for (value, own) in all.iter_mut().zip(of) {
                if *own == ty {
                    let near = (base + (self.next() >> 44) % 14).clamp(1, (1 << exponent) - 2);
                    *value = self.next() & (mask(ty) >> (exponent + 1))
                        | near << fraction
                        | (self.next() >> 50 & 1) << (ty.bits - 1);
                }
            }
        }
        all
    }
}

/// All bits of a type.
fn mask(ty: Ty) -> u64 {
    u64::MAX >> (64 - ty.bits)
}

/// The edges of a type.
pub(crate) fn edges(ty: Ty) -> Vec<u64> {
    let Some((exponent, fraction)) = ty.float else {
        let high = 1u64 << (ty.bits - 1);
        let all = [
            0,
            1,
            2,
            3,
            7,
            8,
            31,
            32,
            33,
            63,
            64,
            255,
            256,
            high - 1,
            high,
            high.wrapping_add(1),
            u64::MAX,
            u64::MAX - 1,
        ];
        let more = [
            0x5555_5555_5555_5555,
            0x0123_4567_89ab_cdef,
            0xff00_80ff_7f80_ff01,
            1 << 23,
            (1 << 24) + 1,
            (1 << 53) + 1,
        ];
        return all.into_iter().chain(more).map(|it| it & mask(ty)).collect();
    };
    let format = Format(exponent, fraction);
    let one = ((1u64 << (exponent - 1)) - 1) << fraction;
    let half = 1u64 << (fraction - 1);
    let mut all = vec![
        0,
        1,
        (1 << fraction) - 1,
        1 << fraction,
        one,
        one + 1,
        one - 1,
        one + half,
        one - (1 << fraction),
        one + (1 << fraction),
        one + (1 << fraction) + half / 2,
        one + (1 << fraction) + half,
        one + half - 1,
        format.infinity() - 1,
        format.infinity(),
        format.nan(),
        one - (1 << fraction) - 1,
        // Where all numbers become whole ones, and where integers end.
        one + (u64::from(fraction) << fraction),
        one + (u64::from(fraction) << fraction) + 1,
        one + (u64::from(fraction - 1) << fraction) + 1,
    ];
    for power in [15, 16, 31, 32, 63, 64] {
        if power < 1 << (exponent - 1) {
            all.push(one + (power << fraction));
            all.push(one + (power << fraction) - 1);
        }
    }
    let negative: Vec<u64> = all
        .iter()
        .map(|it| it | format.sign())
        .filter(|it| it & format.nan() != format.nan())
        .collect();
    all.extend(negative);
    match ty.lanes {
        1 => all,
        // Each with another one in the other lane.
        _ => (0..all.len()).map(|n| all[n] | all[(n * 7 + 3) % all.len()] << 16).collect(),
    }
}
