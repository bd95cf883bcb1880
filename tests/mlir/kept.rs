//! No access and no barrier of MLIR is dropped or merged on the way to LLVM IR: they are counted
//! before and after, in the corpus and in random kernels whose values fold away.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{file, heddle, text};

/// The LLVM IR of a text, or what is wrong with it.
fn lowered(input: &str) -> Result<String, String> {
    let program = Path::new(env!("CARGO_BIN_EXE_heddle")).with_file_name("heddle-mlir");
    let mut child = Command::new(program)
        .arg("kernel.mlir")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle-mlir: `make mlir`");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let read = |it: Vec<u8>| String::from_utf8_lossy(&it).into_owned();
    if output.status.success() { Ok(read(output.stdout)) } else { Err(read(output.stderr)) }
}

/// Reads, writes and barriers of MLIR's text, those that become one instruction each.
fn written(input: &str) -> [usize; 3] {
    let code = || input.lines().map(|it| it.split("//").next().unwrap_or_default());
    let count = |names: &[&str]| {
        names.iter().map(|name| code().flat_map(|it| it.matches(name)).count()).sum()
    };
    [
        count(&["memref.load", "affine.load", "vector.load ", "llvm.load"]),
        count(&["memref.store", "affine.store", "vector.store ", "llvm.store"]),
        count(&["gpu.barrier", "nvvm.barrier0"]),
    ]
}

/// The same of LLVM's.
fn left(ir: &str) -> [usize; 3] {
    let count =
        |test: &dyn Fn(&str) -> bool| ir.lines().map(str::trim_start).filter(|it| test(it)).count();
    [
        count(&|it| {
            it.contains(" = load ") || it.contains("@llvm.masked.load") && it.contains(" = call")
        }),
        count(&|it| it.starts_with("store ")),
        count(&|it| it.contains("call void @llvm.nvvm.barrier")),
    ]
}

#[test]
fn each_access_of_the_corpus_is_there() {
    let kernels = std::fs::read_dir("tests/kernels/mlir").expect("tests/kernels/mlir");
    for path in kernels
        .flatten()
        .map(|it| it.path())
        .filter(|it| it.extension().is_some_and(|it| it == "mlir"))
    {
        let input = std::fs::read_to_string(&path).expect("a kernel");
        let ir = lowered(&input).expect("it is lowered");
        let (before, after) = (written(&input), left(&ir));
        let all = before.iter().zip(after).all(|(before, after)| *before <= after);
        assert!(all, "{}: {before:?}, then {after:?}\n{ir}", path.display());
        assert!(!ir.contains("heddle.keep"), "{}: a mark is left\n{ir}", path.display());
    }
}

/// A random kernel: reads whose values fold away, stores and barriers, in branches and loops that
/// look alike.
struct Random {
    state: u64,
    values: usize,
    text: String,
}

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.state >> 33) as usize % bound
    }

    fn value(&mut self) -> usize {
        self.values += 1;
        self.values
    }

    fn say(&mut self, depth: usize, line: std::fmt::Arguments<'_>) {
        let indent = 2 * depth + 4;
        writeln!(self.text, "{:indent$}{line}", "").expect("a string takes all");
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..=self.below(3) {
            let kinds = if depth < 3 { 7 } else { 4 };
            match self.below(kinds) {
                0 | 1 => self.read(depth),
                2 => self.say(depth, format_args!("memref.store %zero, %data[%t] : memref<?xi32>")),
                3 => self.say(depth, format_args!("gpu.barrier")),
                4 | 5 => {
                    let condition = ["%few", "%some"][self.below(2)];
                    self.say(depth, format_args!("scf.if {condition} {{"));
                    let (state, values) = (self.state, self.values);
                    self.block(depth + 1);
                    self.say(depth, format_args!("}} else {{"));
                    if self.below(2) == 0 {
                        // The same words again.
                        (self.state, self.values) = (state, values);
                    }
                    self.block(depth + 1);
                    self.say(depth, format_args!("}}"));
                    self.values += 100;
                }
                _ => {
                    let (name, read) = (self.value(), self.value());
                    self.say(depth, format_args!("%v{name} = scf.for %i{name} = %c0 to %n step %c1 iter_args(%s{name} = %zero) -> i32 {{"));
                    self.block(depth + 1);
                    self.say(
                        depth,
                        format_args!("  %v{read} = memref.load %data[%i{name}] : memref<?xi32>"),
                    );
                    let sum = self.value();
                    self.say(
                        depth,
                        format_args!("  %v{sum} = arith.addi %s{name}, %v{read} : i32"),
                    );
                    self.say(depth, format_args!("  scf.yield %v{sum} : i32"));
                    self.say(depth, format_args!("}}"));
                }
            }
        }
    }

    fn read(&mut self, depth: usize) {
        let (read, folded) = (self.value(), self.value());
        self.say(depth, format_args!("%v{read} = memref.load %data[%next] : memref<?xi32>"));
        let fold = match self.below(6) {
            0 => format!("%v{folded} = arith.muli %v{read}, %zero : i32"),
            1 => format!("%v{folded} = arith.subi %v{read}, %v{read} : i32"),
            2 => format!("%v{folded} = arith.select %true, %zero, %v{read} : i32"),
            3 => format!("%v{folded} = arith.andi %v{read}, %zero : i32"),
            4 => format!("%v{folded} = arith.minui %v{read}, %v{read} : i32"),
            _ => return,
        };
        self.say(depth, format_args!("{fold}"));
        if self.below(2) == 0 {
            self.say(depth, format_args!("memref.store %v{folded}, %out[%t] : memref<?xi32>"));
        }
    }
}

const START: &str = "gpu.module @m {
  gpu.func @k(%data: memref<?xi32>, %out: memref<?xi32>, %n: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %next = arith.addi %t, %c1 : index
    %few = arith.cmpi ult, %t, %n : index
    %some = arith.cmpi ult, %c1, %n : index
";

#[test]
fn each_access_of_random_kernels_is_there() {
    for seed in 0..60 {
        let mut random = Random { state: seed, values: 0, text: START.to_owned() };
        random.below(2);
        random.block(0);
        random.text.push_str("    gpu.return\n  }\n}\n");
        let ir = lowered(&random.text).unwrap_or_else(|error| panic!("{error}\n{}", random.text));
        assert_eq!(written(&random.text), left(&ir), "seed {seed}\n{}\n{ir}", random.text);
    }
}

#[test]
fn a_matrix_that_nothing_uses_is_read() {
    let lines = "%m = memref.alloca() : memref<32x32xf16>
    %0 = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, \"AOp\">";
    let ir = lowered(&format!("{START}    {lines}\n    gpu.return\n  }}\n}}\n"));
    let ir = ir.expect("it is lowered");
    assert!(ir.contains(" = call ") && ir.contains("@llvm.nvvm.wmma.m16n16k16.load.a"), "{ir}");
}

/// What `check` says of a text.
fn check(name: &str, input: &str, more: &[&str]) -> String {
    let path = file(name, input.as_bytes());
    text(&heddle(&[&["check"], more, &[&*path.to_string_lossy()]].concat()))
}

#[test]
fn a_kernel_outside_of_the_modules_is_no_silence() {
    let module = "gpu.module @m {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n";
    for (name, beside) in [
        ("beside", "llvm.func @other() attributes {nvvm.kernel} {\n  llvm.return\n}\n"),
        ("called", "llvm.func ptx_kernelcc @other() {\n  llvm.return\n}\n"),
        (
            "within",
            "module {\n  llvm.func @other() attributes {nvvm.kernel} {\n    llvm.return\n  }\n}\n",
        ),
    ] {
        let said = check(&format!("{name}.mlir"), &format!("{module}{beside}"), &["--block", "64"]);
        assert!(
            said.contains("the kernel `@other` stands outside the `gpu.module`s"),
            "{name}: {said}"
        );
    }
    let binary = "gpu.binary @b [#gpu.object<#nvvm.target, \"\">]\n";
    let said = check("binary.mlir", &format!("{module}{binary}"), &["--block", "64"]);
    assert!(said.contains("`gpu.binary` has code for GPUs that Heddle does not read"), "{said}");
}

#[test]
fn marks_and_what_has_no_way_to_it_are_refused() {
    let kernel = |line: &str| format!("{START}    {line}\n    gpu.return\n  }}\n}}\n");
    for (name, line, message) in [
        (
            "name",
            "memref.store %zero, %out[%t] : memref<?xi32> loc(\"heddle.keep.0\")",
            "names with `heddle.keep.` in them are Heddle's own",
        ),
        (
            "dead",
            "cf.br ^end\n  ^dead:\n    gpu.barrier\n    cf.br ^end\n  ^end:",
            "MLIR drops this `gpu.barrier` or merges it",
        ),
    ] {
        let said = check(&format!("marks_{name}.mlir"), &kernel(line), &["--block", "64"]);
        assert!(said.contains(message), "{name}: {said}");
    }
}

#[test]
fn a_grid_that_the_file_knows_is_the_grid() {
    let function = "llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 32, 1, 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
";
    let launched = "func.func @main(%a: memref<128xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %bx, %a[%c0] : memref<128xindex>
    gpu.terminator
  }
  return
}
";
    for (name, input) in [
        ("grid_module", format!("gpu.module @m {{\n  {function}}}\n")),
        ("grid_plain", format!("module {{\n  {function}}}\n")),
        ("grid_launch", launched.to_owned()),
    ] {
        let said = check(&format!("{name}.mlir"), &input, &[]);
        assert!(said.contains("inter-block-race    proved"), "{name}: {said}");
        let said = check(&format!("{name}.mlir"), &input, &["--grid", "2"]);
        assert!(said.contains("inter-block-race    refuted"), "{name}: {said}");
    }
}

#[test]
fn what_one_module_declares_is_not_what_another_defines() {
    let one = "gpu.module @one {
  func.func private @place(index) -> index
  gpu.func @k(%out: memref<64xindex>) kernel {
    %t = gpu.thread_id x
    %i = func.call @place(%t) : (index) -> index
    memref.store %t, %out[%i] : memref<64xindex>
    gpu.return
  }
}
";
    let two = "gpu.module @two {
  func.func @place(%t: index) -> index {
    return %t : index
  }
}
";
    for (name, input) in [("first", format!("{one}{two}")), ("last", format!("{two}{one}"))] {
        let said =
            check(&format!("declared_{name}.mlir"), &input, &["--grid", "1", "--block", "64"]);
        assert!(said.contains("intra-block-race    unknown"), "{name}: {said}");
    }
}
