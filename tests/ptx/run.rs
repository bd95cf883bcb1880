//! `heddle run` on PTX leaves in each buffer, bit by bit, what it leaves when it runs the source.

use std::path::{Path, PathBuf};
use std::process::Command;

use heddle_frontend::CompileOptions;

use crate::compiled::ptx_of;

/// A source, its buffers, and the other arguments of the run.
struct Run {
    name: &'static str,
    source: &'static str,
    buffers: &'static [&'static str],
    more: &'static [&'static str],
}

const RUNS: &[Run] = &[
    Run {
        name: "reduce",
        source: "__global__ void k(int *out, const int *in, int n) {
  __shared__ int s[32];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++) sum += s[w];
    out[blockIdx.x] = sum;
  }
}",
        buffers: &["out=i32[4]:zeros", "in=i32[1000]:random(3)"],
        more: &["--grid", "1", "--block", "128", "--arg", "n=1000"],
    },
    Run {
        name: "floats",
        source: "__global__ void k(float *x, double *y, const int *in) {
  int i = threadIdx.x;
  float a = in[i] / 7.0f;
  x[i] = sqrtf(a * a) + fminf(a, 3.5f) - floorf(a);
  y[i] = (double)a / 3.0 + (in[i] > 5 ? 1.0 : (double)(long long)a);
}",
        buffers: &["x=f32[64]:zeros", "y=f64[64]:zeros", "in=i32[64]:random(5)"],
        more: &["--grid", "1", "--block", "64"],
    },
    Run {
        name: "bits",
        source: "__device__ __noinline__ unsigned turn(unsigned v, unsigned *more) {
  *more += __popc(v);
  return (v << 5 | v >> 27) ^ __brev(v);
}
__global__ void k(unsigned *out, unsigned long long *wide, const unsigned *in) {
  unsigned i = threadIdx.x, more = 0, v = in[i];
  for (int n = 0; n < 3; n++) v = turn(v, &more);
  out[i] = v + more + __clz(v | 1) + __umulhi(v, 2654435761u) + __byte_perm(v, i, 0x3625);
  wide[i] = (unsigned long long)v * in[63 - i] / (i + 1) + (long long)(signed char)v;
}",
        buffers: &["out=i32[64]:zeros", "wide=i64[64]:zeros", "in=i32[64]:random(11)"],
        more: &["--grid", "1", "--block", "64"],
    },
    Run {
        name: "histogram",
        source: "__global__ void k(int *bins, const unsigned char *in, int n) {
  extern __shared__ int mine[];
  for (int i = threadIdx.x; i < 16; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[in[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}",
        buffers: &["bins=i32[16]:zeros", "in=u8[500]:random(7)"],
        more: &["--grid", "4", "--block", "128", "--arg", "n=500", "--dynamic-shared", "64"],
    },
    Run {
        name: "vectors",
        source: "struct Pair { int4 *to; const int4 *from; };
__global__ void k(int4 *to, const int4 *from, short *small) {
  Pair p = {to, from};
  int4 v = p.from[threadIdx.x ^ 1];
  int local[4] = {v.w, v.z, v.y, v.x};
  p.to[threadIdx.x] = make_int4(local[v.x & 3], v.y, local[2], local[3]);
  switch (v.x & 3) {
  case 0: small[threadIdx.x] = -1; break;
  case 1: small[threadIdx.x] = (short)v.y; break;
  case 2: small[threadIdx.x] = 7; break;
  default: small[threadIdx.x] = (short)(v.z * 3); break;
  }
}",
        buffers: &["to=i32[256]:zeros", "from=i32[256]:random(2)", "small=i16[64]:zeros"],
        more: &["--grid", "1", "--block", "64"],
    },
];

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx_run");
    std::fs::create_dir_all(&folder).expect("the folder for tests is writable");
    folder
}

/// What a run leaves in each buffer.
fn left(run: &Run, path: &Path, what: &str) -> Vec<Vec<u8>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.arg("run").arg(path).args(run.more);
    let mut files = Vec::new();
    for buffer in run.buffers {
        let name = buffer.split('=').next().expect("a name");
        let file = folder().join(format!("{}_{what}_{name}.raw", run.name));
        command.args(["--buffer", buffer, "--out", &format!("{name}={}", file.display())]);
        files.push(file);
    }
    let output = command.output().expect("heddle starts");
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{} from {what}: {said}", run.name);
    files.iter().map(|it| std::fs::read(it).expect("a buffer that was written")).collect()
}

#[test]
fn a_run_of_ptx_leaves_what_a_run_of_its_source_leaves() {
    for run in RUNS {
        let source = folder().join(format!("{}.cu", run.name));
        std::fs::write(&source, run.source).expect("the folder for tests is writable");
        let expected = left(run, &source, "source");
        let is_blank = |it: &Vec<u8>| it.iter().all(|byte| *byte == 0);
        assert!(!expected.iter().any(is_blank), "{}: a buffer is zero", run.name);
        for (what, pipeline) in [("O0", "default<O0>"), ("O2", "default<O2>")] {
            let text = ptx_of(&source, &CompileOptions::default(), pipeline).expect("compiles");
            let file = folder().join(format!("{}_{what}.ptx", run.name));
            std::fs::write(&file, text).expect("the folder for tests is writable");
            let got = left(run, &file, what);
            for ((buffer, expected), got) in run.buffers.iter().zip(&expected).zip(&got) {
                assert_eq!(expected, got, "{} {what}: `{buffer}`", run.name);
            }
        }
    }
}
