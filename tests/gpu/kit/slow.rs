//! What checks cost, as tasks: the kernels of `benches/dynamic` and the large ones of
//! `tests/gpu/slow`, plain, with all checks and with those that are left when what is proved is not
//! checked; each small and large; and one at many sizes.

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, Checks, RunOptions, pack};
use heddle_frontend::{CompileOptions, Language};
use heddle_runtime::gpu::kit::{Step, Task, Writer, hash};

use super::{Contents, Expects, Prepared};

/// A kernel, and its launch when `factor` is one.
struct Subject {
    name: &'static str,
    /// Its source.
    path: &'static str,
    grid: fn(u32) -> [u32; 3],
    block: [u32; 3],
    /// The value of `n`.
    n: fn(u32) -> u32,
    /// Names, types and elements.
    buffers: fn(u32) -> Vec<(&'static str, &'static str, u32)>,
}

/// Buffers that start with zeros; the others are random.
const ZEROS: &[&str] = &["ticket"];

const SUBJECTS: [Subject; 10] = [
    Subject {
        name: "matmul",
        path: "benches/dynamic/matmul.cl",
        grid: |f| [8 * f, 8 * f, 1],
        block: [16, 16, 1],
        n: |f| 128 * f,
        buffers: |f| ["a", "b", "c"].map(|it| (it, "f32", (128 * f) * (128 * f))).to_vec(),
    },
    Subject {
        name: "reduction",
        path: "benches/dynamic/reduction.cl",
        grid: |f| [256 * f, 1, 1],
        block: [256, 1, 1],
        n: |f| (1 << 16) * f,
        buffers: |f| vec![("in", "f32", (1 << 16) * f), ("out", "f32", 256 * f)],
    },
    Subject {
        name: "scan",
        path: "benches/dynamic/scan.cl",
        grid: |f| [64 * f, 1, 1],
        block: [256, 1, 1],
        n: |f| (1 << 14) * f,
        buffers: |f| ["in", "out"].map(|it| (it, "i32", (1 << 14) * f)).to_vec(),
    },
    Subject {
        name: "histogram",
        path: "benches/dynamic/histogram.cl",
        grid: |f| [16 * f, 1, 1],
        block: [256, 1, 1],
        n: |f| (1 << 16) * f,
        buffers: |f| vec![("in", "i32", (1 << 16) * f), ("out", "i32", 256)],
    },
    Subject {
        name: "stencil",
        path: "benches/dynamic/stencil.cl",
        grid: |f| [16 * f, 16 * f, 1],
        block: [16, 16, 1],
        n: |f| 256 * f,
        buffers: |f| ["in", "out"].map(|it| (it, "f32", (256 * f) * (256 * f))).to_vec(),
    },
    Subject {
        name: "product",
        path: "tests/gpu/slow/product.cu",
        grid: |f| [4 * f, 4 * f, 1],
        block: [16, 16, 1],
        n: |f| 256 * f,
        buffers: |f| ["a", "b", "c"].map(|it| (it, "f32", (256 * f) * (256 * f))).to_vec(),
    },
    Subject {
        name: "radix pass",
        path: "tests/gpu/slow/radix_pass.cu",
        grid: |f| [256 * f, 1, 1],
        block: [256, 1, 1],
        n: |f| (1 << 18) * f,
        buffers: |f| {
            let keys = (1 << 18) * f;
            vec![("in", "u32", keys), ("out", "u32", keys), ("counts", "u32", 16 * 256 * f)]
        },
    },
    Subject {
        name: "block scan",
        path: "tests/gpu/slow/block_scan.cu",
        grid: |f| [256 * f, 1, 1],
        block: [256, 1, 1],
        n: |f| (1 << 18) * f,
        buffers: |f| {
            let all = (1 << 18) * f;
            let of_blocks = [("totals", "i32", 256 * f), ("ticket", "u32", 1)];
            [[("in", "i32", all), ("out", "i32", all)], of_blocks].concat()
        },
    },
    Subject {
        name: "heat",
        path: "tests/gpu/slow/heat.cu",
        grid: |f| [16 * f, 16 * f, 1],
        block: [16, 16, 1],
        n: |f| 256 * f,
        buffers: |f| ["in", "out"].map(|it| (it, "f32", (256 * f) * (256 * f))).to_vec(),
    },
    Subject {
        name: "attention",
        path: "tests/gpu/slow/attention.cu",
        grid: |f| [8 * f, 1, 1],
        block: [64, 1, 1],
        n: |f| 512 * f,
        buffers: |f| ["q", "k", "v", "out"].map(|it| (it, "f32", 512 * 32 * f)).to_vec(),
    },
];

/// What OpenCL's words are in CUDA: a device has no library of OpenCL's functions.
const WORDS: &str = "\
#define __kernel extern \"C\" __global__
#define __global
#define __local __shared__
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(flags) __syncthreads()
#define atomic_inc(p) atomicAdd(p, 1)
#define atomic_add(p, v) atomicAdd(p, v)
static __device__ int get_local_id(int d) { return d ? threadIdx.y : threadIdx.x; }
static __device__ int get_group_id(int d) { return d ? blockIdx.y : blockIdx.x; }
static __device__ int get_local_size(int d) { return d ? blockDim.y : blockDim.x; }
static __device__ int get_global_id(int d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
static __device__ int get_global_size(int d) { return (d ? gridDim.y : gridDim.x) * get_local_size(d); }
#line 1
";

/// Runs of each, of which the fastest counts.
const RUNS: u32 = 5;

pub(crate) fn tasks(kit: &Writer, largest: u32, named: &dyn Fn(&str) -> bool) -> Contents {
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    let factors: Vec<u32> = [1, 4].into_iter().filter(|it| *it <= largest).collect();
    // A short kit has one of the large ones.
    let most = if largest > 1 { SUBJECTS.len() } else { 6 };
    let mut sizes: Vec<(&Subject, u32)> = SUBJECTS[..most]
        .iter()
        .flat_map(|it| factors.iter().map(move |factor| (it, *factor)))
        .collect();
    if largest > 1 {
        // Growth with blocks.
        sizes.extend([2, 8, 16].map(|factor| (&SUBJECTS[1], factor)));
    }
    for (subject, factor) in sizes {
        for (checks, how) in
            [(Checks::Off, "plain"), (Checks::All, "all"), (Checks::Unproved, "pruned")]
        {
            let name = format!("{} x{factor} {how}", subject.name);
            if !named(&name) {
                continue;
            }
            match one(kit, subject, factor, checks, name) {
                Ok(task) => all.tasks.push(Prepared { task, expects: Expects::Returns }),
                Err(why) => all.left_out.push(format!("slow {} {how}: {why}", subject.name)),
            }
        }
    }
    all
}

fn one(
    kit: &Writer,
    subject: &Subject,
    factor: u32,
    checks: Checks,
    name: String,
) -> Result<Task, String> {
    let Subject { name: _, path, grid, block, n, buffers } = subject;
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let text = if path.ends_with(".cl") { format!("{WORDS}{text}") } else { text };
    let language = Some(Language::Cuda);
    let path = (*path).to_owned();
    let source = Source::Text { name: path, bytes: text.clone().into_bytes(), language };
    let compile = CompileOptions { arch: "sm_70".to_owned(), ..CompileOptions::default() };
    let made = buffers(factor).into_iter().map(|(name, element, count)| {
        let content = if ZEROS.contains(&name) { "zeros" } else { "random(1)" };
        format!("{name}={element}[{count}]:{content}").parse::<Buffer>()
    });
    let options = RunOptions {
        compile,
        grid: grid(factor),
        block: *block,
        args: vec![("n".to_owned(), n(factor).to_string())],
        buffers: made.collect::<Result<_, _>>()?,
        checks,
        ..RunOptions::default()
    };
    let packed = pack(&source, &options, &Embedded).map_err(|error| error.to_string())?;
    let mut packed = packed.map_err(|finding| finding.message)?;
    packed.ptx = format!("// kit {}\n{}", hash(name.as_bytes()), packed.ptx);
    let task = packed.into_task(kit, Step::Slow, name, hash(text.as_bytes()));
    Ok(Task { runs: RUNS, timeout: 5_000, ..task.map_err(|error| error.to_string())? })
}
