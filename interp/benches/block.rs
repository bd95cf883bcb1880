//! Speed of the interpreter: a block of 1024 threads, 1000 iterations of about 20 operations.
//! Prints the median of five runs per case in processor time, which other work on the machine does
//! not stretch as much.

use std::io::Write;
use std::time::Instant;

use heddle_interp::{ConflictFinder, Contents, Ignore, Launch, Pair, Session, Visitor};
use heddle_ir::{Kernel, parse_kernel, verify};

/// Loads, stores, a shuffle and barriers on shared memory, in `operations` operations per
/// iteration.
fn kernel(operations: usize) -> Kernel {
    let mut body = String::new();
    for n in 0..operations / 4 {
        let shift = n % 7 + 1;
        body += &format!(
            "    %a{n}: i32 = load s[mul(zext.i64(and(add(tid.x, %i), 1023)), 4) +: 4]
    %b{n}: i32 = shfl.bfly(add(xor(%a{n}, %i), {shift}), 1:i32, 31:i32) mask -1
    [ult(and(%b{n}, 7), 6)] store t[mul(zext.i64(tid.x), 4) +: 4] (mul(%b{n}, add(%i, {n})))
    barrier.block.aligned(3)\n"
        );
    }
    let text = format!(
        "kernel k\ntarget nvptx sm 80 warp 32\nobject s: shared variable size 4096\n\
         object t: shared variable size 4096\n{{\n  loop @l {{\n    var %i: i32 = 0\n{body}    next %i = add(%i, 1)\n    \
         while ult(%i, 999)\n  }}\n}}\n"
    );
    let kernel = parse_kernel(&text).expect("the kernel is written here");
    verify(&kernel).expect("the kernel is well-formed");
    kernel
}

/// One block, with shared memory known from the start.
fn launch(kernel: &Kernel, threads: u32) -> Launch {
    let mut launch = Launch::new(kernel, [1; 3], [threads, 1, 1]);
    let words = kernel.objects.keys().map(|object| (object, Contents::of_words(0..1024)));
    launch.buffers = words.collect();
    launch
}

fn seconds(kernel: &Kernel, launch: &Launch, visitor: &mut dyn Visitor) -> f64 {
    let start = Clock::start();
    let mut session = Session::new(kernel, launch).expect("the launch is good");
    let mut budget = u64::MAX;
    session.run_block([0; 3], visitor, &mut budget).expect("nothing is unknown");
    start.seconds()
}

/// Processor time of this thread where the system tells it, else time on the wall.
struct Clock(Option<u64>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(on_processor(), Instant::now())
    }

    fn seconds(&self) -> f64 {
        match (self.0, on_processor()) {
            (Some(start), Some(end)) => (end - start) as f64 / 1e9,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}

fn on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn report(out: &mut impl Write, name: &str, threads: u32, steps: f64, run: impl Fn() -> f64) {
    let mut times: Vec<f64> = (0..5).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    let median = times[2];
    let each = median / steps * 1e9;
    _ = writeln!(
        out,
        "{name:<28} {threads:>5} threads {median:>8.3} s {each:>7.2} ns per operation and thread"
    );
}

fn main() {
    let mut out = std::io::stdout().lock();
    for (name, operations, threads) in
        [("20 operations", 20, 1024), ("20 operations", 20, 128), ("100 operations", 100, 1024)]
    {
        let kernel = kernel(operations);
        let launch = launch(&kernel, threads);
        let steps = 1000.0 * operations as f64 * f64::from(threads);
        report(&mut out, name, threads, steps, || seconds(&kernel, &launch, &mut Ignore));
    }
    let kernel = kernel(20);
    let launch = launch(&kernel, 1024);
    let steps = 1000.0 * 20.0 * 1024.0;
    report(&mut out, "20 operations, all conflicts", 1024, steps, || {
        let mut finder = ConflictFinder::new(&kernel, &launch, Pair::default(), usize::MAX);
        let time = seconds(&kernel, &launch, &mut finder);
        assert!(finder.conflicts().is_empty(), "each thread writes its own slot");
        time
    });
}
