//! Prints the PTX that LLVM makes of a CUDA file.
use heddle_clang::Embedded;
use heddle_frontend::llvm::Machine;
use heddle_frontend::{CompileOptions, Input, compile, read};
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("file");
    let pipeline = args.next().unwrap_or("default<O2>".into());
    let arch = args.next().unwrap_or("sm_100a".into());
    let options = CompileOptions { arch: "sm_80".into(), ..CompileOptions::default() };
    let compiled = compile::to_ir(&Input::file(&file), &options, &Embedded).unwrap_or_else(|e| panic!("{e} {}", e.output));
    let (mut module, _) = read::read(&file, &compiled.bytes).unwrap();
    let machine = Machine::nvptx(&arch, "+ptx88").unwrap();
    module.run_passes_for(&machine, &pipeline).unwrap();
    println!("{}", module.assembly(&machine).unwrap());
}
