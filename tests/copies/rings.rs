//! Kernels with rings of barrier objects, drawn by seed and checked for any size of a block,
//! against an oracle that tries all interleavings.
//!
//! **What**: one thread fills stages by bulk copies, the others read them; full and empty objects
//! for each stage. Waits, arrivals and copies may be missing, exchanged, of the wrong object or
//! parity, left out in a round or by a reader.
//! **Method**: the oracle runs a block of one filling thread and two readers for [`Drawn::rounds`]
//! rounds, in all orders of their steps and of the halves of copies; of kernels with a loop over
//! tiles around the rounds, those of a few tiles of one length. It looks for a read of a stage
//! under copy, for a copy to such a stage, for a read and a copy that may be next at once, and for
//! arrivals that an object does not expect. It shares no code with the checker. Under a condition
//! on the block, the checker runs no sizes of its own, so that all rests on the phases.
//! **Promises**: what is proved has none of these. Some kernels have to be proved, and all the
//! drawn pipelines without a mistake.
//! **Does not**: say what has to be refuted, as a mistake need not show in a block of three.

use std::collections::HashSet;
use std::fmt::Write as _;

use heddle_diagnostics::{Property, Verdict};
use heddle_driver::Size;
use heddle_frontend::Language;

use crate::{Random, verdicts};

/// Kernels that are drawn.
const KERNELS: u64 = 200;
/// Threads of the oracle's block: one fills.
const THREADS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Object {
    Full,
    Empty,
}

/// A step in a round; `ahead` is how many stages after that of the round it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// For the parity of the round, or for the other one.
    Wait {
        of: Object,
        other: bool,
        ahead: u32,
    },
    /// Arrives, and expects the bytes of this number of half stages.
    Expect {
        halves: i32,
        ahead: u32,
    },
    Copy {
        ahead: u32,
    },
    Read {
        ahead: u32,
    },
    Arrive {
        of: Object,
        ahead: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Always,
    /// In all rounds but this one.
    Not(u32),
    /// By all readers but the last thread of the block.
    NotLast,
    /// Before the rounds of each tile.
    Before,
}

/// A step, and when it is done.
type Line = (Step, When);

#[derive(Clone, Debug)]
struct Drawn {
    stages: u32,
    /// Arrivals that the empty objects lack of one for each reader.
    fewer: u32,
    fills: Vec<Line>,
    reads: Vec<Line>,
    tiles: Option<Tiles>,
}

/// A loop over tiles around the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tiles {
    /// Rounds of each, in the oracle.
    length: u32,
    /// Whether who fills, and who reads, counts rounds anew in each.
    anew: [bool; 2],
}

impl Drawn {
    fn of(seed: u64) -> Drawn {
        let mut random = Random(seed ^ 0x52_69_6e_67);
        let wait = |of, other| Step::Wait { of, other, ahead: 0 };
        let always = |steps: [Step; 3]| steps.map(|step| (step, When::Always)).to_vec();
        let mut drawn = Drawn {
            stages: 1 + random.below(2),
            fewer: 0,
            tiles: None,
            fills: always([
                wait(Object::Empty, true),
                Step::Expect { halves: 2, ahead: 0 },
                Step::Copy { ahead: 0 },
            ]),
            reads: always([
                wait(Object::Full, false),
                Step::Read { ahead: 0 },
                Step::Arrive { of: Object::Empty, ahead: 0 },
            ]),
        };
        if random.below(4) == 0 {
            // A stage is given back a round later.
            let ahead = drawn.stages - 1;
            drawn.reads[2] = (Step::Arrive { of: Object::Empty, ahead }, When::Not(0));
        }
        for _ in 0..random.below(3) {
            drawn.change(&mut random);
        }
        drawn
    }

    /// The same, tile after tile.
    fn in_tiles(seed: u64) -> Drawn {
        let mut random = Random(seed ^ 0x54_69_6c_65);
        let mut drawn = Drawn::of(u64::from(random.below(1 << 20)));
        let anew = [0, 1].map(|_| random.below(6) == 0);
        drawn.tiles = Some(Tiles { length: 1 + random.below(3), anew });
        if random.below(5) == 0 {
            let steps = if random.below(2) == 0 { &mut drawn.fills } else { &mut drawn.reads };
            let at = random.below(steps.len() as u32) as usize;
            let (step, _) = steps[at];
            if random.below(2) == 0 {
                steps.remove(at);
            }
            steps.insert(0, (step, When::Before));
        }
        drawn
    }

    fn change(&mut self, random: &mut Random) {
        if random.below(12) == 0 {
            self.fewer = 1;
            return;
        }
        let readers = random.below(2) == 0;
        let steps = if readers { &mut self.reads } else { &mut self.fills };
        let at = random.below(steps.len() as u32) as usize;
        match random.below(7) {
            0 if steps.len() > 1 => _ = steps.remove(at),
            1 => steps.rotate_left(at),
            2 => {
                let other = random.below(steps.len() as u32) as usize;
                steps.swap(at, other);
            }
            3 => steps[at].1 = When::Not(random.below(4)),
            4 if readers => steps[at].1 = When::NotLast,
            5 => steps.insert(at, steps[at]),
            _ => match &mut steps[at].0 {
                Step::Wait { of, other, ahead } => match random.below(3) {
                    0 => *other = !*other,
                    1 => *ahead = 1,
                    _ => *of = if *of == Object::Full { Object::Empty } else { Object::Full },
                },
                Step::Expect { halves, ahead } => match random.below(2) {
                    0 => *halves = 1,
                    _ => *ahead = 1,
                },
                Step::Copy { ahead } | Step::Read { ahead } => *ahead = 1,
                Step::Arrive { of, ahead } => match random.below(2) {
                    0 => *of = Object::Full,
                    _ => *ahead = 1,
                },
            },
        }
    }

    /// Rounds after which all recurs.
    fn rounds(&self) -> u32 {
        2 * self.stages + 2
    }

    fn text(&self, number: usize) -> String {
        let stages = self.stages;
        let mut text = format!(
            r#"#define at(p) ((unsigned)__cvta_generic_to_shared(p))
__global__ void k{number}(int *out, const int *in, int n, int tiles) {{
  __shared__ alignas(128) int s[{stages}][64];
  __shared__ long long full[{stages}], empty[{stages}];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < {stages}; i++) {{
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&full[i])), "r"(1) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&empty[i])), "r"(blockDim.x - {lack}) : "memory");
    }}
  __syncthreads();
  if (t == 0) {{
"#,
            lack = 1 + self.fewer
        );
        self.role(&mut text, 0);
        text.push_str("  } else {\n");
        self.role(&mut text, 1);
        text.push_str("  }\n}\n");
        text
    }

    /// The loops of who fills, or of who reads.
    fn role(&self, text: &mut String, role: usize) {
        let steps = [&self.fills, &self.reads][role];
        let (before, rounds): (Vec<&Line>, Vec<&Line>) =
            steps.iter().partition(|(_, when)| *when == When::Before);
        match self.tiles {
            None => text.push_str("    for (int i = 0; i < n; i++) {\n"),
            Some(Tiles { anew, .. }) => {
                text.push_str("    int i = 0;\n    for (int tile = 0; tile < tiles; tile++) {\n");
                if anew[role] {
                    text.push_str("      i = 0;\n");
                }
                before.into_iter().for_each(|line| self.line(text, *line));
                text.push_str("      for (int m = 0; m < n; m++, i++) {\n");
            }
        }
        rounds.into_iter().for_each(|line| self.line(text, *line));
        text.push_str(if self.tiles.is_some() { "      }\n    }\n" } else { "    }\n" });
    }

    fn line(&self, text: &mut String, (step, when): (Step, When)) {
        let stages = self.stages;
        let index = |ahead: u32| format!("(i + {ahead}) % {stages}");
        let name = |of: Object| if of == Object::Full { "full" } else { "empty" };
        let given = match when {
            When::Always | When::Before => String::new(),
            When::Not(round) => format!("if (i != {round}) "),
            When::NotLast => "if (t != blockDim.x - 1) ".to_owned(),
        };
        let made = match step {
            Step::Wait { of, other, ahead } => format!(
                "for (unsigned done = 0; !done;) asm volatile(\"{{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }}\" : \"=r\"(done) : \"r\"(at(&{}[{}])), \"r\"((i / {stages} & 1) ^ {}) : \"memory\");",
                name(of),
                index(ahead),
                u32::from(other)
            ),
            Step::Expect { halves, ahead } => format!(
                "asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" ::\"r\"(at(&full[{}])), \"r\"({}) : \"memory\");",
                index(ahead),
                halves * 128
            ),
            Step::Copy { ahead } => format!(
                "asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\" ::\"r\"(at(s[{0}])), \"l\"(in + i * 64), \"r\"(256), \"r\"(at(&full[{0}])) : \"memory\");",
                index(ahead)
            ),
            Step::Read { ahead } => format!(
                "out[(blockIdx.x * n + i) * blockDim.x + t] = s[{}][63 - t % 64];",
                index(ahead)
            ),
            Step::Arrive { of, ahead } => format!(
                "asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" ::\"r\"(at(&{}[{}])) : \"memory\");",
                name(of),
                index(ahead)
            ),
        };
        _ = writeln!(text, "      {given}{made}");
    }

    /// The steps of a thread, with their rounds.
    fn events(&self, thread: usize) -> Vec<(Step, u32)> {
        let steps = if thread == 0 { &self.fills } else { &self.reads };
        let does = |when: When, round: u32, first: bool| match when {
            When::Always => true,
            When::Not(other) => round != other,
            When::NotLast => thread + 1 != THREADS,
            When::Before => first,
        };
        let mut all = Vec::new();
        for round in 0..self.rounds() {
            let (number, first) = match self.tiles {
                Some(Tiles { length, anew }) => {
                    let is_anew = anew[usize::from(thread > 0)];
                    (if is_anew { round % length } else { round }, round % length == 0)
                }
                None => (round, round == 0),
            };
            let (before, rest): (Vec<&Line>, Vec<&Line>) =
                steps.iter().partition(|(_, when)| *when == When::Before);
            let done = before.into_iter().chain(rest).filter(|it| does(it.1, number, first));
            all.extend(done.map(|(step, _)| (*step, number)));
        }
        all
    }
}

/// A barrier object: phases that have ended, arrivals and halves that are awaited.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Barrier {
    phase: u32,
    arrivals: i32,
    halves: i32,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    next: [usize; THREADS],
    full: Vec<Barrier>,
    empty: Vec<Barrier>,
    /// Stages under copy, with the halves that have not come.
    copies: Vec<(u32, u32)>,
}

/// Whether some order of steps shows a hazard, in words.
fn hazard(drawn: &Drawn) -> Option<&'static str> {
    let readers = THREADS as i32 - 1 - drawn.fewer as i32;
    let fresh = |arrivals| Barrier { phase: 0, arrivals, halves: 0 };
    let threads: Vec<Vec<(Step, u32)>> = (0..THREADS).map(|it| drawn.events(it)).collect();
    let stage = |round: u32, ahead: u32| (round + ahead) % drawn.stages;
    let start = State {
        next: [0; THREADS],
        full: vec![fresh(1); drawn.stages as usize],
        empty: vec![fresh(readers); drawn.stages as usize],
        copies: Vec::new(),
    };
    let ends = |it: &mut Barrier, count: i32| {
        if it.arrivals == 0 && it.halves == 0 {
            *it = Barrier { phase: it.phase + 1, arrivals: count, halves: 0 };
        }
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    while let Some(state) = work.pop() {
        let mut reached = Vec::new();
        let (mut reads, mut fills) = (Vec::new(), Vec::new());
        for (thread, events) in threads.iter().enumerate() {
            let Some(&(step, round)) = events.get(state.next[thread]) else { continue };
            let mut after = state.clone();
            after.next[thread] += 1;
            match step {
                Step::Wait { of, other, ahead } => {
                    let at = stage(round, ahead) as usize;
                    let it = if of == Object::Full { state.full[at] } else { state.empty[at] };
                    let parity = (round / drawn.stages + u32::from(other)) % 2;
                    if it.phase % 2 == parity {
                        continue;
                    }
                }
                Step::Expect { halves, ahead } => {
                    let it = &mut after.full[stage(round, ahead) as usize];
                    (it.arrivals, it.halves) = (it.arrivals - 1, it.halves + halves);
                    if it.arrivals < 0 {
                        return Some("an arrival that is not expected");
                    }
                    ends(it, 1);
                }
                Step::Copy { ahead } => {
                    let to = stage(round, ahead);
                    if state.copies.iter().any(|(of, _)| *of == to) {
                        return Some("a copy meets another");
                    }
                    fills.push(to);
                    after.copies.push((to, 2));
                    after.copies.sort_unstable();
                }
                Step::Read { ahead } => {
                    let of = stage(round, ahead);
                    if state.copies.iter().any(|(to, _)| *to == of) {
                        return Some("a stage under copy is read");
                    }
                    reads.push(of);
                }
                Step::Arrive { of, ahead } => {
                    let at = stage(round, ahead) as usize;
                    let (it, count) = match of {
                        Object::Full => (&mut after.full[at], 1),
                        Object::Empty => (&mut after.empty[at], readers),
                    };
                    it.arrivals -= 1;
                    if it.arrivals < 0 {
                        return Some("an arrival that is not expected");
                    }
                    ends(it, count);
                }
            }
            reached.push(after);
        }
        if reads.iter().any(|of| fills.contains(of)) {
            return Some("a read and a copy that nothing orders");
        }
        for index in 0..state.copies.len() {
            let mut after = state.clone();
            let (to, halves) = after.copies[index];
            match halves {
                1 => _ = after.copies.remove(index),
                _ => after.copies[index].1 -= 1,
            }
            let it = &mut after.full[to as usize];
            it.halves -= 1;
            ends(it, 1);
            reached.push(after);
        }
        work.extend(reached.into_iter().filter(|it| seen.insert(it.clone())));
    }
    None
}

#[test]
fn rings_that_are_proved_have_no_hazard_in_any_order() {
    compare(Drawn::of, 3);
}

#[test]
fn rings_that_go_on_tile_after_tile_and_are_proved_have_none() {
    compare(Drawn::in_tiles, 4);
}

/// Compares answers and oracle; one of so many without a hazard has to be proved.
fn compare(draw: impl Fn(u64) -> Drawn, of: u32) {
    let asked = std::env::var("HEDDLE_COPIES").ok().map(|it| it.parse().expect("a number"));
    let drawn: Vec<Drawn> = (0..asked.unwrap_or(KERNELS)).map(draw).collect();
    let texts: Vec<String> = drawn.iter().enumerate().map(|(number, it)| it.text(number)).collect();
    let answers = verdicts(&texts, Language::Cuda, Size::Any, Some("blockDim.x >= 2"));
    let (mut wrong, mut proved, mut safe) = (Vec::new(), 0, 0);
    for (seed, ((drawn, text), said)) in drawn.iter().zip(&texts).zip(answers).enumerate() {
        let verdict_of = |property| {
            let it = said.iter().find(|(of, _)| *of == property);
            it.is_some_and(|(_, verdict)| matches!(verdict, Verdict::Proved(_)))
        };
        let races = [Property::IntraWarpRace, Property::IntraBlockRace, Property::AsyncCopies];
        let is_proved = races.into_iter().all(verdict_of);
        let found = hazard(drawn);
        proved += u32::from(is_proved);
        safe += u32::from(found.is_none());
        if let (true, Some(hazard)) = (is_proved, found) {
            wrong.push(format!("seed {seed}: {hazard}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong proofs:\n\n{}", wrong.len(), wrong.join("\n"));
    assert!(proved * of > safe, "{proved} proved of {safe} without a hazard");
}
