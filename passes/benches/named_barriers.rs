//! Warp-specialized kernels in the shapes of the published tables (Sharma, Bauer, Aiken, PLDI 2015,
//! figures 9 and 10), checked as a user's kernel is, from the text of the IR on: time and memory of
//! each, next to the figures as WEFT counts them.
//!
//! Each shape runs in a process of its own, so that its memory is its own. `cargo bench -p
//! heddle-passes --bench named_barriers`.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use heddle_diagnostics::{Property, SourceMap, Verdict};
use heddle_passes::launch::LaunchRequest;
use heddle_passes::{Options, Places, check};

/// A kernel: warps that fill buffers, warps that read them, round after round.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    /// Warps that compute, and warps that bring data.
    warps: [u64; 2],
    /// Uses of a named barrier: two in each round.
    barriers: u64,
    /// Words of shared memory.
    addresses: u64,
    /// Reads of each computing thread in a round.
    reads: u64,
    /// Buffers that are filled in turn.
    buffers: u64,
}

const fn shape(
    name: &'static str,
    warps: [u64; 2],
    barriers: u64,
    addresses: u64,
    reads: u64,
    buffers: u64,
) -> Shape {
    Shape { name, warps, barriers, addresses, reads, buffers }
}

/// Threads, barriers, addresses and commands as published; the arrangement is ours.
const TABLES: &[Shape] = &[
    shape("saxpy_single", [8, 2], 8192, 512, 2, 1),
    shape("saxpy_double", [8, 4], 8192, 1024, 2, 2),
    shape("sgemv_vecsingle", [4, 1], 257, 128, 128, 1),
    shape("sgemv_vecdouble", [4, 2], 514, 256, 128, 2),
    shape("sgemv_bothsingle", [8, 1], 514, 4128, 16, 1),
    shape("sgemv_bothdouble", [12, 2], 1028, 8256, 16, 2),
    shape("rtm_2phase_quad", [4, 1], 208, 1248, 16, 1),
    shape("dme_chem_kepler", [7, 1], 1760, 3072, 16, 1),
    shape("hept_chem_kepler", [15, 1], 928, 6144, 23, 1),
    shape("hept_visc_kepler", [12, 1], 128, 1664, 120, 1),
    shape("prf_diff_kepler", [28, 1], 672, 3712, 21, 1),
    shape("prf_visc_kepler", [31, 1], 128, 3712, 223, 1),
    shape("dme_diff_fermi", [15, 1], 1152, 576, 50, 1),
    shape("hept_visc_fermi", [15, 1], 256, 576, 225, 1),
];

/// One dimension grows, the others stay.
const GROWTH: &[Shape] = &[
    shape("threads x1", [3, 1], 1024, 1024, 16, 1),
    shape("threads x4", [15, 1], 1024, 1024, 16, 1),
    shape("threads x8", [31, 1], 1024, 1024, 16, 1),
    shape("barriers x4", [7, 1], 4096, 1024, 16, 1),
    shape("barriers x8", [7, 1], 8192, 1024, 16, 1),
    shape("addresses x4", [7, 1], 1024, 4096, 16, 1),
    shape("addresses x8", [7, 1], 1024, 8192, 16, 1),
    shape("commands x4", [7, 1], 1024, 1024, 64, 1),
    shape("commands x8", [7, 1], 1024, 1024, 128, 1),
];

impl Shape {
    fn threads(self) -> u64 {
        32 * (self.warps[0] + self.warps[1])
    }

    fn rounds(self) -> u64 {
        self.barriers.div_ceil(2)
    }

    /// Words of one buffer, in whole strides of the warps that fill it.
    fn words(self) -> u64 {
        (self.addresses / self.buffers / self.fillers() * self.fillers()).max(self.fillers())
    }

    fn fillers(self) -> u64 {
        32 * self.warps[1]
    }

    /// Accesses and arrivals of threads.
    fn commands(self) -> u64 {
        let computing = 32 * self.warps[0];
        self.rounds() * (self.words() + computing * self.reads + 2 * self.threads())
    }

    /// Pairs of accesses to one address.
    fn race_tests(self) -> u64 {
        let computing = 32 * self.warps[0];
        let each = self.rounds() / self.buffers * (1 + computing * self.reads / self.words());
        self.buffers * self.words() * (each * each.saturating_sub(1) / 2)
    }

    /// The kernel in the IR's text.
    fn text(self) -> String {
        let Shape { buffers, reads, .. } = self;
        let (threads, fillers, words) = (self.threads(), self.fillers(), self.words());
        let (computing, rounds) = (threads - fillers, self.rounds());
        let bytes = 4 * words * buffers;
        let mut text = String::new();
        let _ = write!(
            text,
            "kernel k
target nvptx sm 80 warp 32
object s: shared variable size {bytes} shape [{}, stride 4] scalar 4
{{
  %compute = ult(tid.x, {computing})
  %fill = ule({computing}:i32, tid.x)
  %me = sub(tid.x, {computing})
  loop @rounds {{ @at0
    var %i: i32 = 0
    %buffer = urem(%i, {buffers})
    %from = mul(%buffer, {words})
    %empty = add(1:i32, mul(2:i32, %buffer))
    %full = add(2:i32, mul(2:i32, %buffer))
    %again = ule({buffers}:i32, %i)
    %later = ult(add(%i, {buffers}), {rounds})
    [and(%fill, %again)] barrier.named.sync.aligned(%empty, {threads}) @at0
    loop @filling if %fill {{ @at0
      var %f: i32 = %me
      store s[mul(zext.i64(add(%from, %f)), 4) +: 4] (%f) @at0
      %f2 = add(%f, {fillers})
      next %f = %f2
      while ult(%f2, {words})
    }}
    [%fill] barrier.named.arrive.aligned(%full, {threads}) @at0
    [%compute] barrier.named.sync.aligned(%full, {threads}) @at0
    loop @reading if %compute {{ @at0
      var %j: i32 = 0
      %place = urem(add(tid.x, mul(%j, 32:i32)), {words}:i32)
      %v: i32 = load s[mul(zext.i64(add(%from, %place)), 4) +: 4] @at0
      %j2 = add(%j, 1)
      next %j = %j2
      while ult(%j2, {reads})
    }}
    [and(%compute, %later)] barrier.named.arrive.aligned(%empty, {threads}) @at0
    %i2 = add(%i, 1)
    next %i = %i2
    while ult(%i2, {rounds})
  }}
}}
at0 in k ordinal 0
",
            words * buffers
        );
        text
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|it| it == "--shape") {
        let name = arguments.get(at + 1).map_or("", String::as_str);
        if let Some(shape) = TABLES.iter().chain(GROWTH).find(|it| it.name == name) {
            measure(*shape);
        }
        return;
    }
    println!(
        "{:18} {:>7} {:>9} {:>9} {:>12} {:>14} {:>8} {:>8}  verdict",
        "shape", "threads", "barriers", "addresses", "commands", "race tests", "s", "MB"
    );
    for shape in TABLES.iter().chain(GROWTH) {
        let this = std::env::current_exe().expect("this program has a path");
        let run = Command::new(this).args(["--shape", shape.name]).output();
        let told = run.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        print!("{}", told.unwrap_or_else(|error| format!("{}: {error}\n", shape.name)));
    }
}

/// Checks one kernel on one thread, and prints its row.
fn measure(shape: Shape) {
    let text = shape.text();
    let began = Instant::now();
    let kernel = heddle_ir::parse_kernel(&text).expect("the generated kernel parses");
    let sources = SourceMap::new(".");
    let places = Places::new(&sources, &kernel, None);
    let block = Some([shape.threads() as u32, 1, 1]);
    let request = LaunchRequest { grid: Some([1; 3]), block, ..LaunchRequest::default() };
    let options = Options { request, ..Options::default() };
    let report = check(&kernel, &options, &places);
    let seconds = began.elapsed().as_secs_f64();
    let verdict = |property| report.verdicts.get(&property).map_or("none", Verdict::name);
    println!(
        "{:18} {:>7} {:>9} {:>9} {:>12} {:>14} {:>8.3} {:>8}  {}, races {}",
        shape.name,
        shape.threads(),
        2 * shape.rounds(),
        shape.words() * shape.buffers,
        shape.commands(),
        shape.race_tests(),
        seconds,
        peak_megabytes(),
        verdict(Property::NamedBarriers),
        verdict(Property::IntraBlockRace)
    );
}

/// The most memory that this process held, as Linux counts it; zero elsewhere.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
