//! What goes wrong, as tasks: a hang, a loop that does not end, a storm of races, an access to
//! nothing, more memory than there is. After each there is a kernel that must run as ever.

use heddle_clang::Embedded;
use heddle_driver::Source;
use heddle_driver::dynamic::{Buffer, Checks, RunOptions, pack};
use heddle_frontend::{CompileOptions, Language};
use heddle_runtime::gpu::kit::{Step, Task, Writer, hash};
use heddle_runtime::gpu::record::End;

use super::{Contents, Expects, Kind, Prepared, Seen};

const KERNELS: &str = "\
extern \"C\" __global__ void quiet(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 7; }
extern \"C\" __global__ void hang(int *out) { while (*(volatile int *)out == 0) {} }
extern \"C\" __global__ void storm(int *out) { for (int i = 0; i < 1000; i++) out[i & 7] = threadIdx.x; }
extern \"C\" __global__ void illegal(int *out) { *(int *)16 = out[0]; }
extern \"C\" __global__ void outside(int *out) { out[1 << 20] = 1; }
";

pub(crate) fn tasks(kit: &Writer) -> Contents {
    let mut all = Contents { tasks: Vec::new(), left_out: Vec::new() };
    let seven: Vec<u8> = [7, 0, 0, 0].repeat(256);
    let faults = [
        ("hang", Checks::Off, Expects::Like(End::Hangs)),
        ("hang", Checks::All, Expects::Like(End::Stopped)),
        ("storm", Checks::All, Expects::Found(Kind::Race, Seen::Always)),
        ("outside", Checks::All, Expects::Found(Kind::Outside, Seen::Always)),
        ("illegal", Checks::Off, Expects::Like(End::Failed)),
        ("memory", Checks::Off, Expects::Refused("CUDA_ERROR_OUT_OF_MEMORY")),
    ];
    for (n, (kernel, checks, expects)) in faults.into_iter().enumerate() {
        let how = if checks == Checks::Off { "plain" } else { "checked" };
        let real = if kernel == "memory" { "quiet" } else { kernel };
        let name = format!("{n} {kernel} {how}");
        match one(kit, real, checks, name).and_then(|task| {
            let after = one(kit, "quiet", Checks::All, format!("{n} after {kernel} {how}"))?;
            Ok((task, after))
        }) {
            Ok((task, after)) => {
                let memory = (kernel == "memory").then_some(1 << 60);
                all.tasks.push(Prepared { task: Task { memory, ..task }, expects });
                all.tasks
                    .push(Prepared { task: after, expects: Expects::Same(vec![seven.clone()]) });
            }
            Err(why) => all.left_out.push(format!("faults {kernel} {how}: {why}")),
        }
    }
    all
}

fn one(kit: &Writer, kernel: &str, checks: Checks, name: String) -> Result<Task, String> {
    let source = Source::Text {
        name: "<faults>".to_owned(),
        bytes: KERNELS.as_bytes().to_vec(),
        language: Some(Language::Cuda),
    };
    let options = RunOptions {
        compile: CompileOptions { arch: "sm_70".to_owned(), ..CompileOptions::default() },
        kernel: Some(kernel.to_owned()),
        grid: [4, 1, 1],
        block: [64, 1, 1],
        buffers: vec!["out=i32[256]:zeros".parse::<Buffer>()?],
        checks,
        ..RunOptions::default()
    };
    let packed = pack(&source, &options, &Embedded).map_err(|error| error.to_string())?;
    let mut packed = packed.map_err(|finding| finding.message)?;
    packed.ptx = format!("// kit {}\n{}", hash(name.as_bytes()), packed.ptx);
    let task = packed.into_task(kit, Step::Faults, name, hash(KERNELS.as_bytes()));
    Ok(Task { timeout: 1_000, ..task.map_err(|error| error.to_string())? })
}
