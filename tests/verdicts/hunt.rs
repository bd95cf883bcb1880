//! One kernel after the other, by seed: drawn, or mutated from an idiom or a kernel of the corpus;
//! and the table of what came of it.
//!
//! **Promises**: a seed gives the same kernel whatever ran before. **Does not**: filter failures.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::ask::Claim;
use crate::case::Case;
use crate::corpus::{corpus, read_case};
use crate::draw::drawn;
use crate::idioms::IDIOMS;
use crate::judge::{Failure, Judgement, judge};
use crate::lower::lower;
use crate::mutate::mutant;
use crate::random::{Random, mix};
use crate::setups::Effort;
use crate::syntax::Language;

/// What mutants are made of.
pub(crate) struct Stock {
    pub(crate) idioms: Vec<Case>,
    pub(crate) corpus: Vec<Case>,
}

impl Stock {
    pub(crate) fn new() -> Stock {
        let idiom = |text: &&str| read_case(text, Language::Cuda, "an idiom").ok();
        let of_corpus = |it: crate::corpus::Read| it.case.ok();
        let lowers = |it: &Case| lower(&it.program).is_ok();
        Stock {
            idioms: IDIOMS.iter().filter_map(idiom).collect(),
            corpus: corpus().into_iter().filter_map(of_corpus).filter(lowers).collect(),
        }
    }

    /// A kernel of the corpus by number, such that one that is added changes few of the choices.
    fn of_corpus(&self, number: u64) -> &Case {
        let weight = |it: &&Case| {
            let add = |sum: u64, byte: u8| mix(sum ^ u64::from(byte));
            it.origin.bytes().fold(number, add)
        };
        self.corpus.iter().max_by_key(weight).expect("the corpus is not empty")
    }

    /// The kernel of a seed.
    pub(crate) fn case(&self, seed: u64) -> Case {
        let mut random = Random(mix(seed));
        loop {
            let found = match random.below(10) {
                0..3 => drawn(&mut random),
                3..6 => mutant(random.pick(&self.idioms), &mut random.clone()),
                _ => mutant(self.of_corpus(random.next()), &mut random.clone()),
            };
            if let Some(case) = found {
                if case.program.language == Language::Cuda
                    && random.once_in(6)
                    && let Some(translated) = crate::translate::to_opencl(&case)
                {
                    return translated;
                }
                return case;
            }
            random.next();
        }
    }
}

/// A case that failed.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) seed: u64,
    pub(crate) case: Case,
    pub(crate) failure: Failure,
}

/// What came of one kernel, in one line between processes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Line {
    rejected: String,
    /// Claim and answer by index, and whether a run violates it.
    said: Vec<(usize, usize, bool)>,
    counts: [usize; 7],
}

const WORDS: [&str; 3] = ["proved", "refuted", "unknown"];

impl Line {
    pub(crate) fn of(judgement: &Judgement) -> Line {
        let index =
            |claim: &Claim| Claim::ALL.iter().position(|(it, _)| it == claim).unwrap_or_default();
        let said = judgement.said.iter().map(|(claim, said)| {
            let word = WORDS.iter().position(|it| it == said).unwrap_or(2);
            (index(claim), word, judgement.violated.contains(claim))
        });
        Line {
            rejected: judgement.rejected.clone().unwrap_or_default(),
            said: said.collect(),
            counts: [
                judgement.runs,
                judgement.undefined_runs,
                judgement.too_large,
                judgement.not_judged,
                judgement.unconfirmed,
                judgement.took.as_millis() as usize,
                judgement.ran.as_millis() as usize,
            ],
        }
    }

    pub(crate) fn text(&self) -> String {
        let said = self.said.iter().map(|(a, b, c)| format!("{a}{b}{}", u8::from(*c)));
        let counts = self.counts.iter().map(ToString::to_string);
        let parts: Vec<String> = counts.chain(said).collect();
        let rejected: String = self.rejected.chars().take(90).collect();
        format!("{}|{}", parts.join(" "), rejected.replace('\n', " "))
    }

    pub(crate) fn parse(text: &str) -> Option<Line> {
        let (numbers, rejected) = text.split_once('|')?;
        let mut parts = numbers.split(' ');
        let mut counts = [0; 7];
        for count in &mut counts {
            *count = parts.next()?.parse().ok()?;
        }
        let digit =
            |text: &str, at: usize| text.as_bytes().get(at).map(|it| usize::from(it - b'0'));
        let said = parts.map(|it| Some((digit(it, 0)?, digit(it, 1)?, digit(it, 2)? == 1)));
        let said = said.collect::<Option<Vec<_>>>()?;
        Some(Line { rejected: rejected.to_owned(), said, counts })
    }
}

/// What came of many kernels.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) kernels: usize,
    pub(crate) rejected: BTreeMap<String, usize>,
    /// Proved, refuted, unknown; and of how many kernels a run violates it.
    verdicts: BTreeMap<usize, [usize; 4]>,
    counts: [usize; 7],
    /// How many failures there are of each kind.
    pub(crate) failures: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn add(&mut self, line: &Line) {
        self.kernels += 1;
        if !line.rejected.is_empty() {
            *self.rejected.entry(line.rejected.clone()).or_default() += 1;
        }
        for (claim, said, violated) in &line.said {
            let row = self.verdicts.entry(*claim).or_default();
            row[(*said).min(2)] += 1;
            row[3] += usize::from(*violated);
        }
        for (sum, count) in self.counts.iter_mut().zip(line.counts) {
            *sum += count;
        }
    }

    pub(crate) fn fail(&mut self, kind: &str) {
        *self.failures.entry(kind.to_owned()).or_default() += 1;
    }

    pub(crate) fn rejections(&self) -> usize {
        self.rejected.values().sum()
    }

    /// Kernels for which the property was answered so.
    pub(crate) fn answered(&self, claim: Claim, said: usize) -> usize {
        let index = Claim::ALL.iter().position(|(it, _)| *it == claim).unwrap_or_default();
        self.verdicts.get(&index).map_or(0, |row| row[said])
    }

    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        let [runs, undefined, large, not_judged, unconfirmed, checks, all_runs] = self.counts;
        let _ = writeln!(
            out,
            "{} kernels, {} not accepted by the compiler; {runs} runs, {undefined} undefined\n\
             refutations: {large} too large to run, {not_judged} by runs that are undefined here, {unconfirmed} unconfirmed\n\
             processor time: {} s for checks, {} s for runs",
            self.kernels,
            self.rejections(),
            checks / 1000,
            all_runs / 1000,
        );
        let head = ["proved", "refuted", "unknown", "violated"];
        let _ = writeln!(out, "{:<20}{:>9}{:>9}{:>9}{:>9}", "", head[0], head[1], head[2], head[3]);
        for (claim, row) in &self.verdicts {
            let [proved, refuted, unknown, violated] = row;
            let name = Claim::ALL.get(*claim).map_or("", |(_, name)| name);
            let _ = writeln!(out, "{name:<20}{proved:>9}{refuted:>9}{unknown:>9}{violated:>9}");
        }
        for (kind, count) in &self.failures {
            let _ = writeln!(out, "{count:>6} × {kind}");
        }
        out
    }
}

/// Draws, checks and runs the kernel of a seed.
pub(crate) fn try_seed(stock: &Stock, seed: u64, effort: Effort) -> (Case, Judgement) {
    let case = stock.case(seed);
    let judgement = judge(&case, effort, of_runs(seed));
    (case, judgement)
}

/// The seed of the runs of a kernel.
pub(crate) fn of_runs(seed: u64) -> u64 {
    mix(seed ^ 0x5eed)
}

/// A file for `tests/kernels`, once the truth is known by a person too.
pub(crate) fn file(found: &Found) -> String {
    let Found { seed, case, failure } = found;
    format!(
        "// {}.\n// launch: {}\n// {}\n// run: {}\n// made from {}, seed {seed}\n{}",
        failure.kind.text(),
        case.launch(),
        case.command(),
        failure.detail.chars().take(600).collect::<String>().replace('\n', " "),
        case.origin,
        case.text()
    )
}
