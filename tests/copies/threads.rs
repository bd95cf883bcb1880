//! Kernels with asynchronous copies, drawn by seed, against an oracle that knows when each copy may
//! land.
//!
//! **What**: short kernels that copy, commit, wait, meet at barriers, read and write, before, in
//! and after a loop over a ring of places, some of it by half of the threads or in some rounds, all
//! of it once or as often as an argument says.
//! **Method**: the oracle runs each thread's list of events for each number of rounds up to
//! [`ROUNDS`], and says which placements of two threads have a hazard: a copy may touch its bytes
//! from its issue to the wait of its issuer that completes its group; others are ordered by
//! barriers alone. It shares no code with the checker.
//! **Promises**: a property that is proved and has a hazard is a failure, and so is one that is
//! refuted and has none. What is unknown is counted, and may not be more than a few.
//! `HEDDLE_COPIES=5000` draws that number.
//! **Does not**: draw barriers of a part of a warp, or bulk copies. Copies of work-groups are in
//! [`crate::groups`].

use std::fmt::Write as _;

use heddle_diagnostics::{Property, Verdict};
use heddle_driver::Size;
use heddle_frontend::Language;

use crate::{Random, verdicts};

/// Kernels that are drawn.
const KERNELS: u64 = 200;
/// Rounds that the oracle looks at, from none.
const ROUNDS: u32 = 10;
/// The whole is repeated so often, from not at all.
const REPEATS: u32 = 2;
/// Threads of the block; places have one element for each.
const THREADS: u32 = 64;

/// Whose element of a place is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    Own,
    /// Of the thread beside, in the same warp.
    Neighbour,
    /// Of the thread across the block, in the other warp.
    Across,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// To the thread's own element of the place.
    Copy(u32),
    Commit,
    Wait(u32),
    Meet,
    MeetInWarp,
    Read(u32, Whose),
    Write(u32),
}

/// When a step is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Always,
    /// By the lower half of the threads.
    LowerHalf,
    /// In rounds after which so many more come.
    MoreLeft(u32),
}

#[derive(Clone, Debug)]
struct Drawn {
    places: u32,
    /// The whole stands in a loop.
    repeats: bool,
    /// The place comes from a counter that begins anew at zero, not from the round.
    counts: bool,
    before: Vec<(Step, When)>,
    body: Vec<(Step, When)>,
    after: Vec<(Step, When)>,
}

impl Drawn {
    fn of(seed: u64) -> Drawn {
        let mut random = Random(seed);
        let places = 1 + random.below(4);
        // Half of the kernels are pipelines as people write them, with a step or two changed.
        if random.below(2) == 0 {
            let mut drawn = pipeline(places.max(2));
            drawn.repeats = random.below(4) == 0;
            drawn.counts = random.below(3) == 0;
            for _ in 0..random.below(3) {
                drawn.change(&mut random);
            }
            return drawn;
        }
        let mut some = |most: u32, in_loop: bool| {
            let count = random.below(most + 1);
            (0..count).map(|_| step(&mut random, places, in_loop)).collect::<Vec<_>>()
        };
        let (before, body, after) = (some(4, false), some(6, true), some(4, false));
        let (repeats, counts) = (random.below(4) == 0, random.below(3) == 0);
        Drawn { places, repeats, counts, before, body, after }
    }

    fn change(&mut self, random: &mut Random) {
        let in_loop = random.below(3) > 0;
        let list = match (in_loop, random.below(2)) {
            (true, _) => &mut self.body,
            (false, 0) => &mut self.before,
            (false, _) => &mut self.after,
        };
        let at = random.below(list.len() as u32 + 1) as usize;
        match random.below(4) {
            0 => list.insert(at, step(random, self.places, in_loop)),
            1 if at < list.len() => _ = list.remove(at),
            2 if at + 1 < list.len() => list.swap(at, at + 1),
            _ if at < list.len() => {
                if let (Step::Wait(n), _) = &mut list[at] {
                    *n = random.below(3);
                } else if !is_barrier(list[at].0) {
                    list[at].1 = when(random, in_loop);
                }
            }
            _ => {}
        }
    }

    /// The source, the kernel named by a number.
    fn text(&self, number: usize) -> String {
        let mut text = String::from("#include <cuda_pipeline.h>\n");
        _ = writeln!(text, "__global__ void k{number}(const int *in, int *out, int n, int m) {{");
        let Drawn { places, repeats, counts, before, body, after } = self;
        _ = writeln!(
            text,
            "  __shared__ int s[{places}][{THREADS}];\n  int t = threadIdx.x, x = 0;"
        );
        if *repeats {
            text.push_str("  for (int o = 0; o < m; o++) {\n");
        }
        if *counts {
            text.push_str("  int r = 0;\n");
        }
        for item in before {
            line(&mut text, item, *places, None);
        }
        text.push_str("  for (int i = 0; i < n; i++) {\n");
        let index = if *counts { "r" } else { "i" };
        for item in body {
            line(&mut text, item, *places, Some(index));
        }
        if *counts {
            _ = writeln!(text, "    r = r + 1 == {places} ? 0 : r + 1;");
        }
        text.push_str("  }\n");
        for item in after {
            line(&mut text, item, *places, None);
        }
        text.push_str(if *repeats { "  }\n" } else { "" });
        text.push_str("  out[t] = x;\n}\n");
        text
    }

    /// What one thread does in a run of so many rounds.
    fn events(&self, thread: u32, rounds: u32, repeats: u32) -> Vec<Step> {
        let mut events = Vec::new();
        let mut add = |items: &[(Step, When)], round: u32, in_loop: bool| {
            for (step, when) in items {
                let done = match when {
                    When::Always => true,
                    When::LowerHalf => thread < THREADS / 2,
                    When::MoreLeft(more) => round + more < rounds,
                };
                let turned =
                    |place: u32| if in_loop { (round + place) % self.places } else { place };
                if done {
                    events.push(match *step {
                        Step::Copy(place) => Step::Copy(turned(place)),
                        Step::Read(place, whose) => Step::Read(turned(place), whose),
                        Step::Write(place) => Step::Write(turned(place)),
                        Step::Commit | Step::Wait(_) | Step::Meet | Step::MeetInWarp => *step,
                    });
                }
            }
        };
        for _ in 0..if self.repeats { repeats } else { 1 } {
            add(&self.before, 0, false);
            (0..rounds).for_each(|round| add(&self.body, round, true));
            add(&self.after, 0, false);
        }
        events
    }
}

/// The pipeline of all but one of the places, with groups that are committed in each round.
fn pipeline(places: u32) -> Drawn {
    let always = |step| (step, When::Always);
    let ahead = places - 1;
    let mut before = Vec::new();
    for place in 0..ahead {
        before.extend([(Step::Copy(place), When::Always), always(Step::Commit)]);
    }
    let body = vec![
        always(Step::Wait(ahead.saturating_sub(1))),
        always(Step::Meet),
        (Step::Copy(ahead), When::MoreLeft(ahead)),
        always(Step::Commit),
        always(Step::Read(0, Whose::Across)),
    ];
    let after = vec![always(Step::Wait(0)), always(Step::Meet), always(Step::Write(0))];
    Drawn { places, repeats: false, counts: false, before, body, after }
}

fn step(random: &mut Random, places: u32, in_loop: bool) -> (Step, When) {
    let place = random.below(places);
    let step = match random.below(10) {
        0 | 1 => Step::Copy(place),
        2 => Step::Commit,
        3 | 4 => Step::Wait(random.below(3)),
        5 => Step::Meet,
        9 => Step::MeetInWarp,
        6 => Step::Read(place, Whose::Own),
        7 => Step::Read(place, if random.below(2) == 0 { Whose::Neighbour } else { Whose::Across }),
        _ => Step::Write(place),
    };
    (step, if is_barrier(step) { When::Always } else { when(random, in_loop) })
}

fn is_barrier(step: Step) -> bool {
    matches!(step, Step::Meet | Step::MeetInWarp)
}

fn when(random: &mut Random, in_loop: bool) -> When {
    match random.below(6) {
        0 => When::LowerHalf,
        1 if in_loop => When::MoreLeft(random.below(3)),
        _ => When::Always,
    }
}

fn line(text: &mut String, (step, when): &(Step, When), places: u32, index: Option<&str>) {
    let indent = if index.is_some() { "    " } else { "  " };
    let guard = match (step, when) {
        (_, When::Always) => String::new(),
        (_, When::LowerHalf) => format!("if (t < {}) ", THREADS / 2),
        (_, When::MoreLeft(more)) => format!("if (i + {more} < n) "),
    };
    let place = |place: u32| match index {
        Some(index) => format!("({index} + {place}) % {places}"),
        None => place.to_string(),
    };
    let element = |whose: Whose| match whose {
        Whose::Own => "t",
        Whose::Neighbour => "t ^ 1",
        Whose::Across => "63 - t",
    };
    _ = match *step {
        Step::Copy(p) => {
            writeln!(
                text,
                "{indent}{guard}__pipeline_memcpy_async(&s[{}][t], &in[t], 4);",
                place(p)
            )
        }
        Step::Commit => writeln!(text, "{indent}{guard}__pipeline_commit();"),
        Step::Wait(n) => writeln!(text, "{indent}{guard}__pipeline_wait_prior({n});"),
        Step::Meet => writeln!(text, "{indent}__syncthreads();"),
        Step::MeetInWarp => writeln!(text, "{indent}__syncwarp();"),
        Step::Read(p, whose) => {
            writeln!(text, "{indent}{guard}x += s[{}][{}];", place(p), element(whose))
        }
        Step::Write(p) => writeln!(text, "{indent}{guard}s[{}][t] = t;", place(p)),
    };
}

/// Something a thread does to an element: from when to when, as its own steps and as barriers
/// before them.
#[derive(Clone, Copy)]
struct Touch {
    element: (u32, u32),
    writes: bool,
    copy: bool,
    steps: [usize; 2],
    intervals: [usize; 2],
    /// The same with the barriers of the warp counted.
    in_warp: [usize; 2],
}

/// Where hazards are.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Hazards {
    own: bool,
    warp: bool,
    block: bool,
}

fn touches(thread: u32, events: &[Step]) -> Vec<Touch> {
    let mut all: Vec<Touch> = Vec::new();
    let (mut interval, mut in_warp) = (0, 0);
    let (mut open, mut groups): (Vec<usize>, Vec<Vec<usize>>) = Default::default();
    for (at, step) in events.iter().enumerate() {
        let mut touch = |element, writes, copy| {
            let end = if copy { usize::MAX } else { at };
            let until = |now: usize| [now, if copy { usize::MAX } else { now }];
            let (steps, intervals, in_warp) = ([at, end], until(interval), until(in_warp));
            all.push(Touch { element, writes, copy, steps, intervals, in_warp });
        };
        match *step {
            Step::Copy(place) => {
                touch((place, thread), true, true);
                open.push(all.len() - 1);
            }
            Step::Read(place, whose) => {
                let of = match whose {
                    Whose::Own => thread,
                    Whose::Neighbour => thread ^ 1,
                    Whose::Across => THREADS - 1 - thread,
                };
                touch((place, of), false, false);
            }
            Step::Write(place) => touch((place, thread), true, false),
            Step::Commit => groups.push(std::mem::take(&mut open)),
            Step::Wait(left) => {
                let over = groups.len().saturating_sub(left as usize);
                for copy in groups.drain(..over).flatten() {
                    (all[copy].steps[1], all[copy].intervals[1]) = (at, interval);
                    all[copy].in_warp[1] = in_warp;
                }
            }
            Step::Meet => (interval, in_warp) = (interval + 1, in_warp + 1),
            Step::MeetInWarp => in_warp += 1,
        }
    }
    all
}

fn hazards(drawn: &Drawn, rounds: u32, repeats: u32) -> Hazards {
    let of = |thread: u32| touches(thread, &drawn.events(thread, rounds, repeats));
    let all: Vec<Vec<Touch>> = (0..THREADS).map(of).collect();
    let meet = |a: [usize; 2], b: [usize; 2]| a[0] <= b[1] && b[0] <= a[1];
    let mut found = Hazards::default();
    for (one, mine) in all.iter().enumerate() {
        for (other, theirs) in all.iter().enumerate().skip(one) {
            for (i, a) in mine.iter().enumerate() {
                let from = if one == other { i + 1 } else { 0 };
                for b in theirs.iter().skip(from) {
                    if a.element != b.element || !(a.writes || b.writes) {
                        continue;
                    }
                    if one == other {
                        found.own |= (a.copy || b.copy) && meet(a.steps, b.steps);
                    } else if one / 32 == other / 32 {
                        found.warp |= meet(a.in_warp, b.in_warp);
                    } else {
                        found.block |= meet(a.intervals, b.intervals);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn copies_are_proved_and_refuted_as_they_may_land() {
    let asked = std::env::var("HEDDLE_COPIES").ok().map(|it| it.parse().expect("a number"));
    let drawn: Vec<Drawn> = (0..asked.unwrap_or(KERNELS)).map(Drawn::of).collect();
    let texts: Vec<String> = drawn.iter().enumerate().map(|(number, it)| it.text(number)).collect();
    let (mut wrong, mut decided, mut unknown) = (Vec::new(), 0, 0);
    let answers = verdicts(&texts, Language::Cuda, Size::Known([THREADS, 1, 1]), None);
    for (seed, ((drawn, text), said)) in drawn.iter().zip(&texts).zip(answers).enumerate() {
        let mut runs = Vec::new();
        for repeats in if drawn.repeats { 0..=REPEATS } else { 1..=1 } {
            runs.extend((0..=ROUNDS).map(|rounds| hazards(drawn, rounds, repeats)));
        }
        if said.is_empty() {
            wrong.push(format!("seed {seed}: nothing was said\n{text}"));
        }
        for (property, verdict) in said {
            let hazard = match property {
                Property::AsyncCopies => runs.iter().any(|it| it.own),
                Property::IntraWarpRace => runs.iter().any(|it| it.warp),
                Property::IntraBlockRace => runs.iter().any(|it| it.block),
                Property::BarrierDivergence
                | Property::NamedBarriers
                | Property::Bounds
                | Property::UninitialisedShared
                | Property::Assertions
                | Property::InterBlockRace
                | Property::Progress => continue,
            };
            let as_said = match verdict {
                Verdict::Proved(_) => Some(!hazard),
                Verdict::Refuted(_) => Some(hazard),
                Verdict::Unknown(_) => None,
            };
            decided += u32::from(as_said.is_some());
            unknown += u32::from(as_said.is_none());
            if as_said == Some(false) {
                let hazard = if hazard { "has a hazard" } else { "has none" };
                wrong.push(format!("seed {seed}: {property} {hazard}\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong answers:\n\n{}", wrong.len(), wrong.join("\n"));
    assert!(unknown * 10 < decided, "{unknown} of {} answers are unknown", decided + unknown);
}
