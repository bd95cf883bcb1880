//! Eleven idioms of real kernels, as block programs, and what each needs.

use heddle_progress::blocks::{
    Action, Address, BlockProgram, CodeBuilder, Expr, Location, Operator, Register, kernel_answer,
};
use heddle_progress::model::{Criterion, FAIR, HSA, LOBE, Model, OBE};
use heddle_progress::report::requirement_line;
use heddle_progress::requirement::Requirement;
use heddle_progress::system::Stop;

const BLOCKS: usize = 3;

/// An array of locations, all zero at the start.
struct Array {
    base: usize,
    count: usize,
}

impl Array {
    fn at(&self, index: impl Into<Expr>) -> Address {
        Address { base: self.base, count: self.count, index: index.into() }
    }
}

#[derive(Default)]
struct Kernel {
    locations: Vec<Location>,
}

impl Kernel {
    fn array(&mut self, name: &str, count: usize) -> Array {
        let base = self.locations.len();
        let name = |index| if count == 1 { name.to_owned() } else { format!("{name}[{index}]") };
        let location = |index| Location { name: name(index), initial: 0 };
        self.locations.extend((0..count).map(location));
        Array { base, count }
    }

    fn with_initial(mut self, location: usize, initial: u64) -> Self {
        self.locations[location].initial = initial;
        self
    }

    fn launch(self, blocks: usize, code: impl Fn(&mut CodeBuilder, u64)) -> BlockProgram {
        let block = |id| {
            let mut builder = CodeBuilder::new();
            code(&mut builder, id);
            builder.finish()
        };
        let blocks = (0..blocks as u64).map(block).collect();
        BlockProgram { name: "idiom".to_owned(), locations: self.locations, blocks }
    }
}

fn equal(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::binary(Operator::Equal, left, right)
}

fn add(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::binary(Operator::Add, left, right)
}

fn fetch_add(value: u64) -> Action {
    Action::Update { operator: Operator::Add, bits: 32, operand: value.into() }
}

/// Polls until the location holds `value`.
fn wait_for(code: &mut CodeBuilder, address: Address, value: impl Into<Expr>) {
    let value = value.into();
    let again = code.here();
    let done = code.label();
    let seen = code.at("poll").atomic(address, Action::Load);
    code.at("");
    code.branch(equal(seen, value), done, again);
    code.place(done);
}

fn lock(code: &mut CodeBuilder, mutex: Address) {
    let again = code.here();
    let done = code.label();
    let held = code
        .at("lock")
        .atomic(mutex, Action::CompareExchange { expected: 0.into(), replacement: 1.into() });
    code.at("");
    code.branch(held, again, done);
    code.place(done);
}

fn store(code: &mut CodeBuilder, address: Address, value: u64) {
    code.atomic_only(address, Action::Store(value.into()));
}

#[track_caller]
fn needs(program: &BlockProgram, requirement: &Requirement) {
    let answer = kernel_answer(program, 200_000).expect("an idiom can be followed");
    let schedule = answer.witness.as_ref().map_or("", |witness| &witness.schedule);
    assert_eq!(answer.requirement, *requirement, "\n{schedule}");
    assert_eq!(answer.witness.is_none(), *requirement == Requirement::None);
}

fn weak(model: Model) -> Requirement {
    Requirement::Weak(vec![model])
}

/// Each block leaves a partial result and counts; the last one sums up.
fn last_block_reduction() -> BlockProgram {
    let mut kernel = Kernel::default();
    let partial = kernel.array("partial", BLOCKS);
    let count = kernel.array("count", 1);
    let total = kernel.array("total", 1);
    kernel.launch(BLOCKS, |code, block| {
        store(code, partial.at(block), 10 + block);
        let before = code.atomic(count.at(0), fetch_add(1));
        let (last, end) = (code.label(), code.label());
        code.branch(equal(before, BLOCKS as u64 - 1), last, end);
        code.place(last);
        let sum = code.register();
        for other in 0..BLOCKS as u64 {
            let part = code.atomic(partial.at(other), Action::Load);
            code.assign(vec![(sum, add(sum, part))]);
        }
        code.atomic_only(total.at(0), Action::Store(sum.into()));
        code.place(end);
    })
}

fn spin_lock() -> BlockProgram {
    let mut kernel = Kernel::default();
    let mutex = kernel.array("mutex", 1);
    let data = kernel.array("data", 1);
    kernel.launch(BLOCKS, |code, _| {
        lock(code, mutex.at(0));
        let old = code.atomic(data.at(0), Action::Load);
        code.atomic_only(data.at(0), Action::Store(add(old, 1)));
        store(code, mutex.at(0), 0);
    })
}

/// A scan whose tile is what `tile` gives; each tile waits for the one before.
fn look_back(tile: impl Fn(&mut CodeBuilder, u64, &Array) -> Expr) -> BlockProgram {
    let mut kernel = Kernel::default();
    let ticket = kernel.array("ticket", 1);
    let status = kernel.array("status", BLOCKS);
    kernel.launch(BLOCKS, |code, block| {
        let tile_number = tile(code, block, &ticket);
        let tile = code.register();
        code.assign(vec![(tile, tile_number)]);
        let ready = code.label();
        code.branch_if(equal(tile, 0), ready);
        wait_for(code, status.at(Expr::binary(Operator::Sub, tile, 1)), 1);
        code.place(ready);
        store(code, status.at(tile), 1);
    })
}

fn look_back_with_ticket() -> BlockProgram {
    look_back(|code, _, ticket| code.atomic(ticket.at(0), fetch_add(1)).into())
}

fn look_back_by_block_id() -> BlockProgram {
    look_back(|_, block, _| block.into())
}

/// Blocks take items off a queue until it is empty; each item makes the next one ready.
fn persistent_queue() -> BlockProgram {
    const ITEMS: u64 = 4;
    let mut kernel = Kernel::default();
    let head = kernel.array("head", 1);
    let ready = kernel.array("ready", ITEMS as usize + 1);
    let first = ready.base;
    kernel.with_initial(first, 1).launch(BLOCKS, |code, _| {
        let (again, end) = (code.here(), code.label());
        let item = code.atomic(head.at(0), fetch_add(1));
        code.branch_if(Expr::binary(Operator::AtMost, ITEMS, item), end);
        wait_for(code, ready.at(item), 1);
        code.atomic_only(ready.at(add(item, 1)), Action::Store(1.into()));
        code.jump(again);
        code.place(end);
    })
}

/// Blocks add to an output tile in the order of their ids.
fn serial_split_k() -> BlockProgram {
    let mut kernel = Kernel::default();
    let semaphore = kernel.array("semaphore", 1);
    kernel.launch(BLOCKS, |code, block| {
        wait_for(code, semaphore.at(0), block);
        store(code, semaphore.at(0), (block + 1) % BLOCKS as u64);
    })
}

fn counter_grid_barrier() -> BlockProgram {
    let mut kernel = Kernel::default();
    let count = kernel.array("count", 1);
    kernel.launch(BLOCKS, |code, _| {
        code.atomic_only(count.at(0), fetch_add(1));
        wait_for(code, count.at(0), BLOCKS as u64);
    })
}

/// A scan from the right: each block waits for the one above it.
fn reversed_scan() -> BlockProgram {
    let mut kernel = Kernel::default();
    let status = kernel.array("status", BLOCKS);
    kernel.launch(BLOCKS, |code, block| {
        if block + 1 < BLOCKS as u64 {
            wait_for(code, status.at(block + 1), 1);
        }
        store(code, status.at(block), 1);
    })
}

/// Block 0 collects what all the others leave.
fn block_waits_for_higher_blocks() -> BlockProgram {
    let mut kernel = Kernel::default();
    let done = kernel.array("done", BLOCKS);
    kernel.launch(BLOCKS, |code, block| {
        if block == 0 {
            for other in 1..BLOCKS as u64 {
                wait_for(code, done.at(other), 1);
            }
        } else {
            store(code, done.at(block), 1);
        }
    })
}

/// Two locks, taken in the opposite order by odd blocks; with back-off, the first one is given
/// back when the second one is taken.
fn two_locks(back_off: bool) -> BlockProgram {
    let mut kernel = Kernel::default();
    let mutex = kernel.array("mutex", 2);
    kernel.launch(BLOCKS, |code, block| {
        let (first, second) = (block % 2, 1 - block % 2);
        let again = code.here();
        lock(code, mutex.at(first));
        if back_off {
            let both = code.label();
            let taken = code.atomic(
                mutex.at(second),
                Action::CompareExchange { expected: 0.into(), replacement: 1.into() },
            );
            code.branch_if(equal(taken, 0), both);
            store(code, mutex.at(first), 0);
            code.jump(again);
            code.place(both);
        } else {
            lock(code, mutex.at(second));
        }
        store(code, mutex.at(second), 0);
        store(code, mutex.at(first), 0);
    })
}

#[test]
fn idioms_need_what_they_are_known_to_need() {
    needs(&last_block_reduction(), &Requirement::None);
    needs(&spin_lock(), &weak(OBE));
    needs(&look_back_with_ticket(), &weak(OBE));
    needs(&persistent_queue(), &weak(OBE));
    needs(&look_back_by_block_id(), &weak(HSA));
    needs(&serial_split_k(), &weak(HSA));
    needs(&counter_grid_barrier(), &weak(FAIR));
    needs(&reversed_scan(), &weak(FAIR));
    needs(&block_waits_for_higher_blocks(), &weak(FAIR));
    needs(&two_locks(true), &Requirement::Livelock(vec![OBE]));
    needs(&two_locks(false), &Requirement::Never);
}

#[test]
fn answers_as_a_person_reads_them() {
    let idioms = [
        ("last_block_reduction", last_block_reduction()),
        ("spin_lock", spin_lock()),
        ("look_back_with_ticket", look_back_with_ticket()),
        ("persistent_queue", persistent_queue()),
        ("look_back_by_block_id", look_back_by_block_id()),
        ("serial_split_k", serial_split_k()),
        ("counter_grid_barrier", counter_grid_barrier()),
        ("reversed_scan", reversed_scan()),
        ("block_waits_for_higher_blocks", block_waits_for_higher_blocks()),
        ("two_locks_with_back_off", two_locks(true)),
        ("two_locks_without_back_off", two_locks(false)),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/progress/idioms");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (name, program) in idioms {
        let answer = kernel_answer(&program, 200_000).expect("an idiom can be followed");
        let mut text =
            format!("{} blocks: {}", answer.blocks, requirement_line(&answer.requirement));
        if let Some(witness) = &answer.witness {
            text += &witness.schedule;
        }
        if let Some(way_out) = answer.requirement.way_out() {
            text += &format!("way out: {way_out}\n");
        }
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}

#[test]
fn what_needs_hsa_is_met_by_lobe() {
    for program in [look_back_by_block_id(), serial_split_k()] {
        let answer = kernel_answer(&program, 10_000).expect("small");
        let sufficient = answer.requirement.sufficient();
        assert!(sufficient.contains(&HSA.weak()) && sufficient.contains(&LOBE.weak()));
        assert!(!sufficient.contains(&OBE.weak()));
    }
}

#[test]
fn the_witness_names_the_poll_and_the_starved_block() {
    let answer = kernel_answer(&look_back_by_block_id(), 10_000).expect("small");
    let witness = answer.witness.expect("a requirement has a witness");
    assert_eq!(witness.criterion, Criterion::named("obe").expect("a criterion"));
    assert_eq!(witness.polls.len(), 1);
    let (block, location, place) = &witness.polls[0];
    assert_eq!(
        (location.as_str(), place.as_str()),
        (format!("status[{}]", block - 1).as_str(), "poll")
    );
    assert!(witness.starved.contains(block - 1), "{}", witness.schedule);
    assert!(witness.schedule.contains("never started"), "{}", witness.schedule);
}

#[test]
fn values_that_decide_nothing_are_forgotten() {
    // Without forgetting, the order of the sums would multiply the states.
    let mut kernel = Kernel::default();
    let sum = kernel.array("sum", 1);
    let program = kernel.launch(4, |code, block| {
        for round in 0..3 {
            let old: Register = code.atomic(sum.at(0), Action::Load);
            code.atomic_only(sum.at(0), Action::Store(add(old, 17 * block + round)));
        }
    });
    let blocks = heddle_progress::blocks::Blocks::new(&program).expect("well-formed");
    let explored = heddle_progress::system::explore(&blocks, 10_000).expect("small");
    assert_eq!(explored.system.states(), 7usize.pow(4));
}

#[test]
fn what_cannot_be_followed_is_refused_with_a_reason() {
    let refused = |limit: usize, code: &dyn Fn(&mut CodeBuilder, &Array)| {
        let mut kernel = Kernel::default();
        let array = kernel.array("a", 2);
        let program = kernel.launch(2, |builder, _| code(builder, &array));
        kernel_answer(&program, limit).expect_err("no answer")
    };
    let outside = refused(100, &|code, array| {
        code.at("line 3").atomic(array.at(5), Action::Load);
    });
    let reason = "index 5 is outside the 2 locations from `a[0]` at line 3";
    assert_eq!(outside, Stop::Unsupported { thread: 0, reason: reason.to_owned() });
    let local_loop = refused(100, &|code, _| {
        let again = code.here();
        code.jump(again);
    });
    assert!(matches!(local_loop, Stop::Unsupported { thread: 0, .. }), "{local_loop}");
    let counter = refused(100, &|code, array| {
        let again = code.here();
        let old = code.atomic(array.at(0), fetch_add(1));
        code.branch_if(Expr::binary(Operator::Less, old, 1_000_000), again);
    });
    assert_eq!(counter, Stop::TooManyStates { limit: 100 });
    let malformed = refused(100, &|code, _| {
        code.atomic(Address { base: 7, count: 1, index: 0.into() }, Action::Load);
    });
    assert!(matches!(malformed, Stop::Unsupported { .. }), "{malformed}");
}
