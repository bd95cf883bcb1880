//! Each command takes MLIR, and what the file says of launches and names holds.

use crate::{file, heddle, text};

#[test]
fn each_command_takes_mlir() {
    let kernel = "tests/kernels/mlir/proved_workgroup_memory_with_barrier.mlir";
    let run = ["run", "--grid", "1", "--block", "64", "--fill", "i64[64]:zeros"];
    for (arguments, said) in [
        (&["check", "--grid", "1", "--block", "64"][..], "4 properties proved"),
        (&["lift"][..], "store out[%0 +: 8] (%1)"),
        (&["barriers", "--grid", "1", "--block", "64"][..], "no kernel here has named barriers"),
        (&["progress"][..], "k: needs nothing"),
        (&run[..], ""),
    ] {
        let output = heddle(&[arguments, &[kernel]].concat());
        let text = text(&output);
        assert!(output.status.success() && text.contains(said), "{arguments:?}: {text}");
    }
}

#[test]
fn modules_of_one_file_are_checked_together_and_launches_hold() {
    let module = |name: &str, size: u32| {
        format!(
            "gpu.module @{name} [#nvvm.target<chip = \"sm_90\">] {{
  gpu.func @k(%out: memref<64xindex>, %rows: index) kernel attributes {{known_block_size = array<i32: {size}, 1, 1>}} {{
    %t = gpu.thread_id x
    memref.store %t, %out[%t] : memref<64xindex>
    gpu.return
  }}
}}
"
        )
    };
    let host = "func.func @main(%m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%x, %y, %z) in (%g = %c8, %h = %c1, %i = %c1) {
    memref.store %x, %m[%x] : memref<?xindex>
    gpu.terminator
  }
  return
}
";
    let path = file("several.mlir", (module("one", 64) + &module("two", 32) + host).as_bytes());
    let output = heddle(&["lift", &path.to_string_lossy()]);
    let said = text(&output);
    for part in [
        "kernel k\ntarget nvptx sm 90 warp 32\nlaunch block 64 1 1",
        "kernel two_k\ntarget nvptx sm 90 warp 32\nlaunch block 32 1 1",
        "kernel main_kernel\ntarget nvptx sm 0 warp 32\nlaunch block 8 1 1",
        "param out: pointer out ; 1",
        "param rows: i64 ; 5",
    ] {
        assert!(said.contains(part), "`{part}` is not in {said}");
    }
}

#[test]
fn standard_input_is_told_to_be_mlir() {
    let kernel = std::fs::read("tests/kernels/mlir/proved_store_to_own_element.mlir").expect("it");
    assert_eq!(heddle_frontend::Language::of_bytes(&kernel), Some(heddle_frontend::Language::Mlir));
    assert_eq!(
        heddle_frontend::Language::of_bytes(b"// gpu.launch blocks\n__global__ void k() {}\n"),
        Some(heddle_frontend::Language::Cuda)
    );
    assert_eq!(
        heddle_frontend::Language::of_bytes(b"ML\xefR\x0d"),
        Some(heddle_frontend::Language::Mlir)
    );
}
