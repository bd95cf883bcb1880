//! What is announced of single instructions.

use super::*;

/// The calls around a call of an intrinsic in a kernel that does nothing else: the result's type,
/// the name after `llvm.nvvm.`, and the arguments, of a pointer to each memory and of numbers.
fn announced(result: &str, name: &str, arguments: &[&str]) -> Vec<String> {
    let types: Vec<&str> =
        arguments.iter().filter_map(|it| it.rsplit_once(' ')).map(|(ty, _)| ty).collect();
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare {result} @llvm.nvvm.{name}({types})\n\
         define ptx_kernel void @k(ptr addrspace(1) %global, ptr addrspace(3) %shared, \
         ptr addrspace(7) %other, i32 %n, i64 %token) {{\n\
         call {result} @llvm.nvvm.{name}({arguments})\n  ret void\n}}\n",
        types = types.join(", "),
        arguments = arguments.join(", ")
    );
    let module = Module::parse(text.as_bytes(), "k.ll").expect("the kernel is valid");
    let function = module.function("k").expect("there is a kernel");
    let mut calls = Calls { made: Vec::new(), site: 0, arrivals: Vec::new() };
    function
        .instructions()
        .filter(|it| it.opcode() == Opcode::Call)
        .for_each(|it| calls.instruction(&module, it));
    let number = |it: &Arg| match it {
        Arg::I32(number) => number.to_string(),
        _ => "value".to_owned(),
    };
    let text = |it: &NewCall| {
        let args: Vec<String> = it.args.iter().map(number).collect();
        format!("{}({})", it.callee, args.join(", "))
    };
    calls.made.iter().map(text).collect()
}

#[test]
fn a_copy_that_says_how_much_it_reads_is_not_taken_for_a_whole_one() {
    let (to, from) = ("ptr addrspace(3) %shared", "ptr addrspace(1) %global");
    let whole = announced("void", "cp.async.ca.shared.global.8", &[to, from]);
    assert_eq!(whole, ["__heddle_copy(value, value, 8, 0)"]);
    let some = announced("void", "cp.async.ca.shared.global.8.s", &[to, from, "i32 %n"]);
    let none: [&str; 0] = [];
    assert_eq!(some, none);
}

#[test]
fn a_barrier_object_orders_for_its_scope_wherever_it_is() {
    let (own, other) = ("ptr addrspace(3) %shared", "ptr addrspace(7) %other");
    let arrival = |scope: &str, space: &str, object: &str, result: &str| {
        let name = format!("mbarrier.arrive.scope.{scope}.space.{space}");
        announced(result, &name, &[object, "i32 %n"])
    };
    assert_eq!(arrival("cta", "cta", own, "i64"), ["__heddle_arrive(0)"]);
    assert_eq!(arrival("cta", "cluster", other, "void"), ["__heddle_arrive(0)"]);
    assert_eq!(arrival("cluster", "cta", own, "i64"), ["__heddle_arrive(1)"]);
    assert_eq!(arrival("cluster", "cluster", other, "void"), ["__heddle_arrive(1)"]);
    let wait = announced("i1", "mbarrier.test.wait.scope.cluster.space.cta", &[own, "i64 %token"]);
    assert_eq!(wait, ["__heddle_wait(4)", "__heddle_wait_done(1)"]);
}

#[test]
fn bytes_of_a_barrier_object_are_relaxed_and_a_token_orders_nothing() {
    for what in ["expect", "complete"] {
        let name = format!("mbarrier.{what}.tx.scope.cluster.space.cluster");
        let calls = announced("void", &name, &["ptr addrspace(7) %other", "i32 %n"]);
        assert_eq!(calls, ["__heddle_arrive(0)"]);
    }
    let none: [&str; 0] = [];
    assert_eq!(announced("i32", "mbarrier.pending.count", &["i64 %token"]), none);
}

#[test]
fn tensor_memory_orders_nothing_that_others_see() {
    let none: [&str; 0] = [];
    assert_eq!(announced("void", "tcgen05.wait.ld", &[]), none);
    assert_eq!(announced("void", "tcgen05.fence.after.thread.sync", &[]), none);
    let alloc =
        announced("void", "tcgen05.alloc.shared.cg1", &["ptr addrspace(3) %shared", "i32 %n"]);
    assert_eq!(alloc, ["__heddle_unknown()", "__heddle_unknown()"]);
}
