//! Families of litmus tests, as text.
//!
//! *Hand-over*: each way for a writer to release, with each way for a reader to look at the flag,
//! to decide by it and to acquire, in one block and in two. *Sections*: locks and counted turns,
//! that a thread takes for itself or for another one of its block. *Drawn*: two or three threads of
//! up to four steps each, by a seed.
//!
//! **Does not**: know what a test shows; the model does.

const FENCES: [&str; 4] = ["", "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.sc.gpu"];
const SETS: [&str; 8] = [
    "st.weak [f], 1",
    "st.volatile [f], 1",
    "st.relaxed.cta [f], 1",
    "st.relaxed.gpu [f], 1",
    "st.release.cta [f], 1",
    "st.release.gpu [f], 1",
    "atom.relaxed.gpu.exch w, [f], 1",
    "atom.acq_rel.gpu.add w, [f], 1",
];
const LOOKS: [&str; 8] = [
    "ld.weak r, [f]",
    "ld.volatile r, [f]",
    "ld.relaxed.cta r, [f]",
    "ld.relaxed.gpu r, [f]",
    "ld.acquire.cta r, [f]",
    "ld.acquire.gpu r, [f]",
    "atom.relaxed.gpu.add r, [f], 0",
    "atom.acquire.gpu.exch r, [f], 0",
];
const GUARDS: [&str; 5] = ["until r == 1", "if r == 1", "if r != 0", "if r == 0", ""];

/// A test of the first family, by number; `None` after the last.
pub(crate) fn hand_over(number: usize) -> Option<String> {
    let mut rest = number;
    let mut next = |choices: usize| {
        let at = rest % choices;
        rest /= choices;
        at
    };
    let (block, data) = (next(2), next(2));
    let (released, set) = (FENCES[next(4)], SETS[next(8)]);
    let (look, guard, acquired) = (LOOKS[next(8)], GUARDS[next(5)], FENCES[next(4)]);
    if rest > 0 {
        return None;
    }
    let (first, second) =
        [("st.weak [x], 1", "ld.weak v, [x]"), ("ld.weak v, [x]", "st.weak [x], 1")][data];
    let end = if guard.starts_with("if") { "end" } else { "" };
    Some(format!(
        "litmus hand-over\nthread 0 block 0\n{first}\n{released}\n{set}\n\
         thread 1 block {block}\n{look}\n{guard}\n{acquired}\n{second}\n{end}\n"
    ))
}

/// How a lock is taken, where `0` is free, and until when it is tried.
const TAKES: [&str; 6] = [
    "atom.relaxed.gpu.exch r, [f], 1\nuntil r == 0",
    "atom.relaxed.gpu.exch r, [f], 1\nuntil r != 1",
    "atom.acquire.gpu.exch r, [f], 1\nuntil r == 0",
    "atom.relaxed.gpu.cas r, [f], 0, 1\nuntil r == 0",
    "atom.relaxed.cta.exch r, [f], 1\nuntil r == 0",
    "ld.volatile r, [f]\nuntil r == 0",
];
/// How a turn is waited for.
const WAITS: [&str; 4] = [
    "ld.volatile r, [f]",
    "ld.relaxed.gpu r, [f]",
    "ld.acquire.gpu r, [f]",
    "ld.relaxed.cta r, [f]",
];
/// How a lock is freed, or the next turn is announced.
const FREES: [&str; 6] = [
    "st.weak [f], ",
    "st.volatile [f], ",
    "st.relaxed.gpu [f], ",
    "st.release.gpu [f], ",
    "atom.relaxed.gpu.exch w, [f], ",
    "st.relaxed.cta [f], ",
];

/// A test of the second family, by number; `None` after the last.
pub(crate) fn section(number: usize) -> Option<String> {
    let mut rest = number;
    let mut next = |choices: usize| {
        let at = rest % choices;
        rest /= choices;
        at
    };
    let (take, free) = (next(TAKES.len() + WAITS.len() + 1), FREES[next(6)]);
    let (acquired, released) = (FENCES[next(4)], FENCES[next(4)]);
    let (form, fenced_well, writes) = (next(5), next(2) == 0, next(2) == 0);
    if rest > 0 {
        return None;
    }
    // Of the last, both have the same turn.
    let turns = take.checked_sub(TAKES.len());
    let taken = |turn: usize| match turns {
        None => TAKES[take].to_owned(),
        Some(wait) => {
            let turn = if wait == WAITS.len() { 0 } else { turn };
            format!("{}\nuntil r == {turn}", WAITS[wait % WAITS.len()])
        }
    };
    let freed = |turn: usize| match turns {
        None => format!("{free}0"),
        Some(wait) if wait == WAITS.len() => format!("{free}1"),
        Some(_) => format!("{free}{}", turn + 1),
    };
    let [one, two] = if writes {
        ["st.weak [x], 1", "ld.weak v, [x]"]
    } else {
        ["ld.weak v, [x]", "st.weak [x], 1"]
    };
    let (take_it, free_it) = (taken(0), freed(0));
    let first = match form {
        0 => format!("thread 0 block 0\n{take_it}\n{acquired}\n{one}\n{released}\n{free_it}\n"),
        // For another thread of the block, with fences by either, or without one of the barriers.
        _ => {
            let [leads, works] = if form == 2 { [false, true] } else { [true, false] };
            let fence =
                |is: bool, fence: &str| if is { format!("{fence}\n") } else { String::new() };
            let [before, after] =
                [form != 3, form != 4].map(|is| if is { "bar.sync 0\n" } else { "" });
            format!(
                "thread 0 block 0\n{take_it}\n{}{before}{after}{}{free_it}\n\
                 thread 1 block 0\n{before}{}{one}\n{}{after}",
                fence(leads, acquired),
                fence(leads, released),
                fence(works, acquired),
                fence(works, released),
            )
        }
    };
    let (acquired, released) =
        if fenced_well { ("fence.sc.gpu", "fence.sc.gpu") } else { (acquired, released) };
    Some(format!(
        "litmus section\n{first}thread {} block 1\n{}\n{acquired}\n{two}\n{released}\n{}\n",
        if form == 0 { 1 } else { 2 },
        taken(1),
        freed(1)
    ))
}

/// A test of the third family.
pub(crate) fn drawn(seed: u64) -> String {
    let mut random = Random(seed);
    let threads = 2 + usize::from(random.below(3) == 0);
    let in_one_block = random.below(3) == 0;
    let barriers = if in_one_block && random.below(2) == 0 { 1 } else { 0 };
    let mut text = "litmus drawn\n".to_owned();
    for thread in 0..threads {
        let block = if in_one_block { 0 } else { thread };
        text += &format!("thread {thread} block {block}\n");
        let steps = 2 + random.below(3);
        let barrier_at = random.below(steps);
        let mut open = 0;
        for step in 0..steps {
            if step == barrier_at && barriers == 1 {
                text += &"end\n".repeat(std::mem::take(&mut open));
                text += "bar.sync 0\n";
            }
            let value = 1 + random.below(2);
            let look = |random: &mut Random| {
                LOOKS[random.below(LOOKS.len())].replace(" r,", &format!(" r{step},"))
            };
            match random.below(9) {
                // No two threads write the same: that would be benign.
                0 | 1 => text += &format!("st.weak [x], {}\n", 10 * (thread + 1) + step),
                2 => text += &format!("ld.weak v{step}, [x]\n"),
                3 | 4 => {
                    text += &format!("{}\n", FENCES[random.below(4)]);
                    text += &format!(
                        "{}\n",
                        SETS[random.below(8)].replace(", 1", &format!(", {value}"))
                    );
                }
                5 => text += &format!("{}\n", FENCES[1 + random.below(3)]),
                6 => {
                    let looked = look(&mut random);
                    text += &format!("{looked}\n");
                    // One that stores each time it looks is no loop that polls.
                    if open == 0 && !looked.contains("exch") {
                        text += &format!("until r{step} == {value}\n{}\n", FENCES[random.below(4)]);
                    }
                }
                _ => {
                    text += &format!("{}\nif r{step} == {value}\n", look(&mut random));
                    text += &format!("{}\n", FENCES[random.below(4)]);
                    open += 1;
                }
            }
        }
        text += &"end\n".repeat(open);
    }
    text
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
