//! OpenCL kernels with copies of the work-group and events, drawn by seed.
//!
//! **What**: short kernels that copy places of local memory in and out, under events of their own
//! or shared ones, in variables or in an array that the round indexes; that wait for one event or
//! two, meet at barriers, read and write; before, in and after a loop over a ring of places.
//! **Method**: the oracle runs the list of steps, which is one for all work-items, for each number
//! of rounds up to [`ROUNDS`]. `async-copies` has a hazard where a work-item, after its issue and
//! before a wait for the event, touches what the copy has under way, or ends. The race property has
//! one where two work-items touch an element in one barrier interval, or where one does before the
//! copy is issued in the same interval: another work-item may be ahead and issue it. It shares no
//! code with the checker.
//! **Promises**: a property that is proved and has a hazard is a failure, and so is one that is
//! refuted and has none. `HEDDLE_COPIES=5000` draws that number.
//! **Does not**: draw copies that some work-items do not come to, or several work-groups.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heddle_diagnostics::{Property, Verdict};
use heddle_driver::Size;
use heddle_frontend::Language;

use crate::{Random, verdicts};

/// Kernels that are drawn.
const KERNELS: u64 = 150;
/// Rounds that the oracle looks at, from none.
const ROUNDS: u32 = 8;
/// Work-items of the group; places have one element for each.
const THREADS: u32 = 32;
/// Variables for events.
const EVENTS: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Into a place, under a new event or the one that the variable holds.
    CopyIn(u32, u32, bool),
    /// Out of a place, likewise.
    CopyOut(u32, u32, bool),
    /// For the events of this number of variables, from this one on.
    Wait(u32, u32),
    /// The first variable gets the event of the second, which gets none.
    Move(u32, u32),
    Meet,
    /// The own element, or that of another work-item.
    Read(u32, bool),
    Write(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Always,
    /// In rounds after which so many more come.
    MoreLeft(u32),
}

#[derive(Clone, Debug)]
struct Drawn {
    places: u32,
    /// The variables are an array, which rounds index.
    array: bool,
    before: Vec<(Step, When)>,
    body: Vec<(Step, When)>,
    after: Vec<(Step, When)>,
}

impl Drawn {
    fn of(seed: u64) -> Drawn {
        let mut random = Random(seed ^ 0x6f63_6c00);
        let places = 1 + random.below(3);
        let array = random.below(3) == 0;
        if random.below(2) == 0 {
            let mut drawn = pipeline(array);
            for _ in 0..random.below(3) {
                drawn.change(&mut random);
            }
            return drawn;
        }
        let mut some = |most: u32, in_loop: bool| {
            let count = random.below(most + 1);
            (0..count).map(|_| step(&mut random, places, in_loop, array)).collect::<Vec<_>>()
        };
        Drawn { places, array, before: some(3, false), body: some(6, true), after: some(4, false) }
    }

    fn change(&mut self, random: &mut Random) {
        let in_loop = random.below(3) > 0;
        let (places, array) = (self.places, self.array);
        let list = match (in_loop, random.below(2)) {
            (true, _) => &mut self.body,
            (false, 0) => &mut self.before,
            (false, _) => &mut self.after,
        };
        let at = random.below(list.len() as u32 + 1) as usize;
        match random.below(3) {
            0 => list.insert(at, step(random, places, in_loop, array)),
            1 if at < list.len() => _ = list.remove(at),
            _ if at + 1 < list.len() => list.swap(at, at + 1),
            _ => {}
        }
    }

    fn text(&self, number: usize) -> String {
        let Drawn { places, array, before, body, after } = self;
        let mut text = format!(
            "__kernel void k{number}(__global const int *in, __global int *out, int n) {{\n"
        );
        _ = writeln!(
            text,
            "  __local int s[{places}][{THREADS}];\n  int t = get_local_id(0), x = 0;"
        );
        text.push_str("  event_t none = 0;\n");
        if *array {
            _ = writeln!(text, "  event_t e[{EVENTS}];");
            (0..EVENTS).for_each(|n| _ = writeln!(text, "  e[{n}] = none;"));
        } else {
            (0..EVENTS).for_each(|n| _ = writeln!(text, "  event_t e{n} = 0;"));
        }
        before.iter().for_each(|item| self.line(&mut text, item, None));
        text.push_str("  for (int i = 0; i < n; i++) {\n");
        body.iter().for_each(|item| self.line(&mut text, item, Some("i")));
        text.push_str("  }\n");
        after.iter().for_each(|item| self.line(&mut text, item, None));
        _ = writeln!(text, "  out[{} + t] = x;\n}}", 64 * THREADS);
        text
    }

    fn line(&self, text: &mut String, (step, when): &(Step, When), index: Option<&str>) {
        let guard = match when {
            When::Always => String::new(),
            When::MoreLeft(more) => format!("if (i + {more} < n) "),
        };
        let turned = |n: u32, of: u32| match index {
            Some(index) => format!("({index} + {n}) % {of}"),
            None => n.to_string(),
        };
        let place = |n: u32| turned(n, self.places);
        let event = |n: u32| match self.array {
            true => format!("e[{}]", turned(n, EVENTS)),
            false => format!("e{n}"),
        };
        let joined = |n: u32, joins: bool| if joins { event(n) } else { "0".to_owned() };
        _ = match *step {
            Step::CopyIn(p, e, joins) => writeln!(
                text,
                "  {guard}{} = async_work_group_copy(s[{}], in, {THREADS}, {});",
                event(e),
                place(p),
                joined(e, joins)
            ),
            Step::CopyOut(p, e, joins) => writeln!(
                text,
                "  {guard}{} = async_work_group_copy(out + {THREADS} * ({}), s[{}], {THREADS}, {});",
                event(e),
                place(p),
                place(p),
                joined(e, joins)
            ),
            Step::Wait(e, 1) => {
                writeln!(text, "  {guard}wait_group_events(1, &{});", event(e))
            }
            Step::Wait(e, _) => writeln!(
                text,
                "  {guard}{{ event_t l[2]; l[0] = {}; l[1] = {}; wait_group_events(2, l); }}",
                event(e),
                event((e + 1) % EVENTS)
            ),
            Step::Move(to, from) => {
                writeln!(
                    text,
                    "  {guard}{{ {} = {}; {} = none; }}",
                    event(to),
                    event(from),
                    event(from)
                )
            }
            Step::Meet => writeln!(text, "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"),
            Step::Read(p, own) => {
                let element = if own { "t".to_owned() } else { format!("{} - t", THREADS - 1) };
                writeln!(text, "  {guard}x += s[{}][{element}];", place(p))
            }
            Step::Write(p) => writeln!(text, "  {guard}s[{}][t] = t;", place(p)),
        };
    }

    /// The steps of a run of so many rounds, the same for all work-items, with the variables and
    /// places that they name.
    fn steps(&self, rounds: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut add = |items: &[(Step, When)], round: u32, in_loop: bool| {
            for (step, when) in items {
                if matches!(when, When::MoreLeft(more) if round + more >= rounds) {
                    continue;
                }
                let turn = if in_loop { round } else { 0 };
                let p = |place: u32| (turn + place) % self.places;
                let e = |event: u32| match self.array {
                    true => (turn + event) % EVENTS,
                    false => event,
                };
                steps.push(match *step {
                    Step::CopyIn(place, event, joins) => Step::CopyIn(p(place), e(event), joins),
                    Step::CopyOut(place, event, joins) => Step::CopyOut(p(place), e(event), joins),
                    Step::Wait(event, count) => Step::Wait(event, count),
                    Step::Move(to, from) => Step::Move(e(to), e(from)),
                    Step::Meet => Step::Meet,
                    Step::Read(place, own) => Step::Read(p(place), own),
                    Step::Write(place) => Step::Write(p(place)),
                });
                if let (Step::Wait(event, count), Some(last)) = (*step, steps.last_mut()) {
                    // Two that are listed: each turned for itself.
                    *last = match count {
                        1 => Step::Wait(e(event), 1),
                        _ => Step::Wait(e(event) * EVENTS + e((event + 1) % EVENTS), 2),
                    };
                }
            }
        };
        add(&self.before, 0, false);
        (0..rounds).for_each(|round| add(&self.body, round, true));
        add(&self.after, 0, false);
        steps
    }
}

/// A double buffer with an event for each copy.
fn pipeline(array: bool) -> Drawn {
    let always = |step| (step, When::Always);
    let mut body = vec![
        (Step::CopyIn(1, 1, false), When::MoreLeft(1)),
        always(Step::Wait(0, 1)),
        always(Step::Read(0, false)),
        always(Step::Meet),
    ];
    if !array {
        body.push(always(Step::Move(0, 1)));
    }
    let before = vec![always(Step::CopyIn(0, 0, false))];
    let mut after = vec![always(Step::Wait(0, 1))];
    if array {
        after.push(always(Step::Wait(1, 2)));
    }
    Drawn { places: 2, array, before, body, after }
}

fn step(random: &mut Random, places: u32, in_loop: bool, array: bool) -> (Step, When) {
    let (place, event) = (random.below(places), random.below(EVENTS));
    let joins = random.below(3) == 0;
    let step = match random.below(10) {
        0 | 1 => Step::CopyIn(place, event, joins),
        2 => Step::CopyOut(place, event, joins),
        3 | 4 => Step::Wait(event, 1),
        5 => Step::Wait(event, 2),
        6 => Step::Meet,
        7 => Step::Read(place, random.below(2) == 0),
        8 if !array => Step::Move(event, (event + 1) % EVENTS),
        _ => Step::Write(place),
    };
    let guarded = in_loop && step != Step::Meet && random.below(6) == 0;
    (step, if guarded { When::MoreLeft(random.below(3)) } else { When::Always })
}

/// A copy that was issued: what it writes and reads, when and in which interval, and when a wait
/// for it is over.
#[derive(Clone, Copy, Debug)]
struct Copy {
    /// A place of local memory, or of the output.
    writes: Option<u32>,
    reads: Option<u32>,
    issued: usize,
    interval: usize,
    over: usize,
    event: u64,
}

/// An access of a work-item: the place, which element, whether it writes, when.
#[derive(Clone, Copy, Debug)]
struct Access {
    place: u32,
    own: bool,
    writes: bool,
    at: usize,
    interval: usize,
}

/// Where hazards are: for copies of the own group that are under way, and between work-items.
fn hazards(steps: &[Step]) -> (bool, bool) {
    let (mut copies, mut accesses): (Vec<Copy>, Vec<Access>) = Default::default();
    let mut held: BTreeMap<u32, u64> = BTreeMap::new();
    let (mut interval, mut made) = (0, 0);
    for (at, step) in steps.iter().enumerate() {
        match *step {
            Step::CopyIn(place, variable, joins) | Step::CopyOut(place, variable, joins) => {
                let given = held.get(&variable).copied().filter(|it| joins && *it != 0);
                let event = given.unwrap_or_else(|| {
                    made += 1;
                    made
                });
                held.insert(variable, event);
                let is_in = matches!(step, Step::CopyIn(..));
                let out = 1000 + place;
                copies.push(Copy {
                    writes: Some(if is_in { place } else { out }),
                    reads: (!is_in).then_some(place),
                    issued: at,
                    interval,
                    over: usize::MAX,
                    event,
                });
            }
            Step::Wait(events, count) => {
                let variables = match count {
                    1 => vec![events],
                    _ => vec![events / EVENTS, events % EVENTS],
                };
                for variable in variables {
                    let event = held.get(&variable).copied().unwrap_or(0);
                    for copy in copies.iter_mut().filter(|it| it.event == event) {
                        copy.over = copy.over.min(at);
                    }
                }
            }
            Step::Move(to, from) => {
                let event = held.insert(from, 0).unwrap_or(0);
                held.insert(to, event);
            }
            Step::Meet => interval += 1,
            Step::Read(place, own) => {
                accesses.push(Access { place, own, writes: false, at, interval });
            }
            Step::Write(place) => {
                accesses.push(Access { place, own: true, writes: true, at, interval });
            }
        }
    }
    let mut own = copies.iter().any(|it| it.over == usize::MAX);
    let mut race = false;
    for copy in &copies {
        let under_way = |at: usize| copy.issued < at && at < copy.over;
        for access in &accesses {
            let meets = copy.writes == Some(access.place)
                || access.writes && copy.reads == Some(access.place);
            own |= meets && under_way(access.at);
            race |= meets && access.at < copy.issued && access.interval == copy.interval;
        }
        for other in &copies {
            let meets =
                copy.writes.is_some_and(|it| [other.writes, other.reads].contains(&Some(it)))
                    || copy.reads.is_some_and(|it| other.writes == Some(it));
            own |= meets && under_way(other.issued);
        }
    }
    for (index, a) in accesses.iter().enumerate() {
        for b in &accesses[index..] {
            // Work-items `t` and another one meet at an element where one of the two accesses is
            // not to the own one.
            let elsewhere = a.own != b.own;
            race |= a.place == b.place
                && (a.writes || b.writes)
                && elsewhere
                && a.interval == b.interval;
        }
    }
    (own, race)
}

#[test]
fn copies_of_the_group_are_proved_and_refuted_as_they_may_land() {
    let asked = std::env::var("HEDDLE_COPIES").ok().map(|it| it.parse().expect("a number"));
    let drawn: Vec<Drawn> = (0..asked.unwrap_or(KERNELS)).map(Drawn::of).collect();
    let texts: Vec<String> = drawn.iter().enumerate().map(|(number, it)| it.text(number)).collect();
    let (mut wrong, mut decided, mut open) = (Vec::new(), 0, Vec::new());
    let answers = verdicts(&texts, Language::OpenCl, Size::Known([THREADS, 1, 1]), None);
    for (seed, ((drawn, text), said)) in drawn.iter().zip(&texts).zip(answers).enumerate() {
        let runs: Vec<_> = (0..=ROUNDS).map(|rounds| hazards(&drawn.steps(rounds))).collect();
        if said.is_empty() {
            wrong.push(format!("seed {seed}: nothing was said\n{text}"));
        }
        for (property, verdict) in said {
            let hazard = match property {
                Property::AsyncCopies => runs.iter().any(|it| it.0),
                Property::IntraBlockRace => runs.iter().any(|it| it.1),
                Property::IntraWarpRace
                | Property::BarrierDivergence
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
            match as_said {
                Some(true) => decided += 1,
                Some(false) => {
                    let hazard = if hazard { "has a hazard" } else { "has none" };
                    wrong.push(format!("seed {seed}: {property} {hazard}\n{text}"));
                }
                None => open.push(format!("seed {seed}: {property}, hazard: {hazard}\n{text}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong answers:\n\n{}", wrong.len(), wrong.join("\n"));
    let all = decided + open.len();
    assert!(
        open.len() * 8 < all,
        "{} of {all} answers are unknown:\n\n{}",
        open.len(),
        open.join("\n")
    );
}
