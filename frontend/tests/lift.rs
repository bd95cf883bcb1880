//! What single constructs of LLVM IR are lifted to, as the printed kernel shows it.

use heddle_frontend::{CompileOptions, Input, load, read};
use heddle_lift::LiftError;
use heddle_lift::lift;

/// The body of the printed kernel, one operation in each line, without origins.
fn lifted(body: &str) -> Vec<String> {
    let text = format!("target triple = \"nvptx64-nvidia-cuda\"\n{body}");
    let prepared =
        load(&Input::memory("test.ll", text), &CompileOptions::default()).expect("it loads");
    let function =
        prepared.module.function(&prepared.kernels[0].name).expect("the kernel is there");
    let kernel = lift(&prepared.module, function).expect("it lifts");
    heddle_ir::verify(&kernel).expect("it verifies");
    let printed = heddle_ir::print_kernel(&kernel);
    let parsed = heddle_ir::parse_kernel(&printed).expect("it parses");
    assert_eq!(heddle_ir::print_kernel(&parsed), printed);
    printed
        .lines()
        .map(|line| line.split(" @at").next().unwrap_or(line).trim().to_owned())
        .skip_while(|line| line != "{")
        .filter(|line| !["{", "}"].contains(&line.as_str()))
        .take_while(|line| !line.starts_with("at0") && !line.starts_with("file"))
        .collect()
}

const TID: &str = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
const BARRIER: &str = "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n";

#[test]
fn after_a_join_the_predicate_is_the_one_before_the_branch() {
    let lines = lifted(&format!(
        "{TID}{BARRIER}define ptx_kernel void @k(ptr %p, i1 %c) {{
           %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
           br i1 %c, label %a, label %b
         a: store i32 1, ptr %p
           br label %join
         b: store i32 2, ptr %p
           br label %join
         join: %v = phi i32 [ 3, %a ], [ 4, %b ]
           call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
           store i32 %v, ptr %p
           ret void }}"
    ));
    assert_eq!(
        lines,
        [
            "%c.0 = param(c)",
            "[%c.0] store p[0 +: 4] (1:i32)",
            "[not(%c.0)] store p[0 +: 4] (2:i32)",
            "barrier.block.aligned(3)",
            "%v.1 = select(%c.0, 3:i32, 4)",
            "store p[0 +: 4] (%v.1)",
        ]
    );
}

#[test]
fn an_early_return_comes_before_the_barrier_it_misses() {
    let lines = lifted(&format!(
        "{BARRIER}define ptx_kernel void @k(i1 %c) {{
           br i1 %c, label %out, label %go
         go: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
           br label %out
         out: ret void }}"
    ));
    assert_eq!(
        lines,
        ["%c.0 = param(c)", "[%c.0] exit.return", "[not(%c.0)] barrier.block.aligned(3)"]
    );
}

#[test]
fn a_return_in_a_loop_is_in_its_body() {
    let lines = lifted(&format!(
        "{TID}{BARRIER}define ptx_kernel void @k(ptr %p, i32 %n) {{
         entry: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
           br label %head
         head: %i = phi i32 [ 0, %entry ], [ %next, %latch ]
           %stop = icmp eq i32 %i, %t
           br i1 %stop, label %quit, label %latch
         quit: ret void
         latch: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, %n
           br i1 %more, label %head, label %done
         done: store i32 %i, ptr %p
           ret void }}"
    ));
    let body = lines.iter().position(|l| l.starts_with("loop")).expect("a loop");
    let end = lines.iter().position(|l| l.starts_with("while")).expect("its end");
    let exit = lines.iter().position(|l| l.contains("exit.return")).expect("a return");
    let barrier = lines.iter().position(|l| l.contains("barrier")).expect("a barrier");
    assert!(body < exit && exit < barrier && barrier < end, "{lines:#?}");
    // Only who left by the other way stores, the value of the last iteration.
    let store = lines.last().expect("a store");
    assert!(store.contains("store p[0 +: 4] (exit(@loop0, %i"), "{store}");
    assert!(store.starts_with('['), "{store}");
    let left = "not(eq(tid.x, exit(@loop0, %i.1)))";
    assert!(lines[end..].iter().any(|l| l.contains(left)), "{lines:#?}");
}

#[test]
fn what_a_thread_does_before_it_returns_from_a_loop_is_in_the_body() {
    let lines = lifted(&format!(
        "{TID}{BARRIER}define ptx_kernel void @k(ptr %p, i32 %n) {{
         entry: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
           br label %head
         head: %i = phi i32 [ 0, %entry ], [ %next, %latch ]
           %stop = icmp eq i32 %i, %t
           br i1 %stop, label %quit, label %latch
         quit: store i32 7, ptr %p
           ret void
         latch: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, %n
           br i1 %more, label %head, label %done
         done: store i32 8, ptr %p
           ret void }}"
    ));
    let place = |what: &str| lines.iter().position(|l| l.contains(what)).expect(what);
    let order = [
        place("loop"),
        place("(7:i32)"),
        place("exit.return"),
        place("barrier"),
        place("while"),
        place("(8:i32)"),
    ];
    assert!(order.is_sorted(), "{lines:#?}");
}

#[test]
fn a_loop_with_one_way_out_is_left_by_whoever_entered() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p, i32 %n) {
         entry: br label %head
         head: %i = phi i32 [ 0, %entry ], [ %next, %head ]
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, %n
           br i1 %more, label %head, label %done
         done: store i32 %next, ptr %p
           ret void }",
    );
    assert_eq!(
        lines.last().map(String::as_str),
        Some("store p[0 +: 4] (add.nsw(exit(@loop0, %i.1), 1))")
    );
    assert!(lines.contains(&"while %more.3".to_owned()), "{lines:#?}");
}

#[test]
fn a_break_is_no_part_of_the_condition_to_go_on() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p, i32 %n, i32 %m) {
         entry: br label %head
         head: %i = phi i32 [ 0, %entry ], [ %next, %latch ]
           %go = icmp slt i32 %i, %n
           br i1 %go, label %latch, label %a
         latch: %next = add nsw i32 %i, 1
           %found = icmp eq i32 %i, %m
           br i1 %found, label %b, label %head
         a: store i32 1, ptr %p
           br label %join
         b: store i32 2, ptr %p
           br label %join
         join: store i32 3, ptr %p
           ret void }",
    );
    let text = lines.join("\n");
    assert!(text.contains("store p[0 +: 4] (1:i32)") && text.contains("[sle("), "{text}");
    assert!(lines.last().is_some_and(|l| l == "store p[0 +: 4] (3:i32)"), "{text}");
}

#[test]
fn pointers_that_change_places_carry_their_object() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
         entry: br label %head
         head: %from = phi ptr [ %a, %entry ], [ %to, %head ]
           %to = phi ptr [ %b, %entry ], [ %from, %head ]
           %i = phi i32 [ 0, %entry ], [ %next, %head ]
           %v = load i32, ptr %from
           store i32 %v, ptr %to
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, %n
           br i1 %more, label %head, label %done
         done: ret void }",
    );
    let text = lines.join("\n");
    assert!(text.contains("var %from.object.1: i1 = 0") && !text.contains("i64"), "{text}");
    assert!(text.contains("[%from.object.1] %4: i32 = load b[0 +: 4]"), "{text}");
    assert!(text.contains("next %from.object.1 = not(%to.object.2)"), "{text}");
}

#[test]
fn a_pointer_that_moves_carries_its_offset() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %a, i32 %n) {
         entry: br label %head
         head: %p = phi ptr [ %a, %entry ], [ %q, %head ]
           %i = phi i32 [ 0, %entry ], [ %next, %head ]
           store i32 %i, ptr %p
           %q = getelementptr inbounds i32, ptr %p, i64 4
           %next = add nsw i32 %i, 1
           %more = icmp slt i32 %next, %n
           br i1 %more, label %head, label %done
         done: ret void }",
    );
    let text = lines.join("\n");
    assert!(
        text.contains("var %p.1: i64 = 0") && text.contains("next %p.1 = add.nsw(%p.1, 16)"),
        "{text}"
    );
    assert!(text.contains("store.align4 a[%p.1 +: 4]"), "{text}");
}

#[test]
fn a_list_is_where_its_head_is() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %head) {
         entry: br label %go
         go: %p = phi ptr [ %head, %entry ], [ %next, %go ]
           %next = load ptr, ptr %p
           %end = icmp eq ptr %next, null
           br i1 %end, label %done, label %go
         done: store i32 1, ptr %p
           ret void }",
    );
    let text = lines.join("\n");
    let loads = ["load.align8 head[", "load.align8 unknown.global["];
    assert!(loads.iter().all(|it| text.contains(it)), "{text}");
    assert!(!text.contains("generic"), "{text}");
}

#[test]
fn a_number_made_into_a_pointer_finds_its_object() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %a, i64 %x) {
           %n = ptrtoint ptr %a to i64
           %m = add i64 %x, %n
           %p = inttoptr i64 %m to ptr
           store i8 7, ptr %p
           %q = inttoptr i64 %x to ptr
           store i8 8, ptr %q
           ret void }",
    );
    assert_eq!(
        lines,
        ["%x.0 = param(x)", "store a[%x.0 +: 1] (7:i8)", "store unknown.generic[%x.0 +: 1] (8:i8)"]
    );
}

#[test]
fn members_of_a_structure_parameter_are_parameters() {
    let lines = lifted(
        "%S = type { ptr, i32 }
         define ptx_kernel void @k(ptr byval(%S) align 8 %s) {
           %p = load ptr, ptr %s
           %at = getelementptr inbounds %S, ptr %s, i32 0, i32 1
           %n = load i32, ptr %at
           store i32 %n, ptr %p
           ret void }",
    );
    assert_eq!(lines.last().map(String::as_str), Some("store s.0[0 +: 4] (%s.1.0)"));
}

#[test]
fn orders_and_scopes_are_what_the_target_makes_of_them() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p) {
           %a = atomicrmw add ptr %p, i32 1 seq_cst
           %b = atomicrmw umax ptr %p, i32 2 syncscope(\"block\") seq_cst
           %c = cmpxchg ptr %p, i32 3, i32 4 acq_rel monotonic
           %d = load atomic i32, ptr %p acquire, align 4
           store atomic i32 5, ptr %p syncscope(\"device\") release, align 4
           fence syncscope(\"block\") seq_cst
           ret void }",
    );
    let kinds: Vec<&str> = lines.iter().map(|l| l.rsplit("= ").next().unwrap_or(l)).collect();
    assert_eq!(
        kinds,
        [
            "atomic.add.relaxed.device p[0 +: 4] (1:i32)",
            "atomic.umax.relaxed.block p[0 +: 4] (2:i32)",
            "atomic.cas.acq_rel.system p[0 +: 4] (3:i32, 4:i32)",
            "load.acquire.system p[0 +: 4]",
            "store.release.device p[0 +: 4] (5:i32)",
            "fence.seq_cst.block",
        ]
    );
}

#[test]
fn bytes_and_elements_of_an_access_are_those_of_its_type() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p) {
           %a = load i1, ptr %p
           %x = zext i1 %a to i24
           store i24 %x, ptr %p
           store <2 x half> <half 1.0, half 2.0>, ptr %p
           store { i8, i32 } { i8 1, i32 2 }, ptr %p
           %w = load i256, ptr %p
           store i256 %w, ptr %p
           ret void }",
    );
    assert_eq!(
        lines,
        [
            "%0: i8 = load p[0 +: 1]",
            "%a.1 = trunc.i1(%0)",
            "%x.2 = zext.i24(%a.1)",
            "store p[0 +: 3] (%x.2)",
            "store p[0 +: 4] (15360:i16, 16384:i16)",
            "store p[0 +: 1] (1:i8)",
            "store p[4 +: 4] (2:i32)",
            "load p[0 +: 32]",
            "store p[0 +: 32] ()",
        ]
    );
}

#[test]
fn a_constant_table_is_read_where_its_index_is_known() {
    let lines = lifted(
        "@table = internal addrspace(4) constant [3 x i32] [i32 10, i32 20, i32 30]
         define ptx_kernel void @k(ptr %p, i32 %i) {
           %at = getelementptr [3 x i32], ptr addrspace(4) @table, i32 0, i32 2
           %v = load i32, ptr addrspace(4) %at
           store i32 %v, ptr %p
           ret void }",
    );
    assert_eq!(lines.last().map(String::as_str), Some("store p[0 +: 4] (30:i32)"));
}

#[test]
fn what_is_not_known_is_opaque_by_name() {
    let lines = lifted(
        "declare i32 @elsewhere(ptr)
         declare i32 @looks(ptr) memory(argmem: read) nosync
         define ptx_kernel void @k(ptr %p, ptr %f) {
           %a = call i32 @elsewhere(ptr %p)
           %b = call i32 @looks(ptr %p)
           call void %f()
           %c = call i32 asm sideeffect \"frobnicate.b32 $0, $1;\", \"=r,r\"(i32 %a)
           ret void }",
    );
    let text = lines.join("\n");
    assert!(
        text.contains("opaque \"elsewhere\"") && text.contains("opaque \"frobnicate.b32\""),
        "{text}"
    );
    assert!(text.contains("opaque \"an indirect call\""), "{text}");
    let looks = lines.iter().find(|l| l.contains("looks")).expect("the call");
    assert!(
        looks.contains("reads(p[0])")
            && !looks.contains("writes")
            && !looks.contains("synchronizes"),
        "{looks}"
    );
}

#[test]
fn assembly_finds_shared_objects_behind_32_bit_addresses() {
    let lines = lifted(&format!(
        "@s = internal addrspace(3) global [64 x i32] undef, align 16
         {TID}define ptx_kernel void @k(ptr addrspace(1) %in) {{
           %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
           %base = ptrtoint ptr addrspace(3) @s to i32
           %by = shl i32 %t, 2
           %at = add i32 %base, %by
           call void asm sideeffect \"cp.async.ca.shared.global [$0], [$1], $2;\", \"r,l,n\"(i32 %at, ptr addrspace(1) %in, i32 4)
           call void asm sideeffect \"cp.async.commit_group;\", \"\"()
           call void asm sideeffect \"cp.async.wait_all;\", \"\"()
           ret void }}"
    ));
    assert_eq!(
        lines,
        [
            "%by.0 = shl(tid.x, 2)",
            "copy.cp_async s[sext.i64(%by.0) +: 4] from in[0]",
            "commit.cp_async",
            "commit.cp_async",
            "wait.cp_async 0",
        ]
    );
}

#[test]
fn a_waiting_loop_in_assembly_is_a_test_that_succeeds() {
    let lines = lifted(
        "@bar = internal addrspace(3) global i64 undef, align 8
         define ptx_kernel void @k(i32 %phase) {
           call void asm sideeffect \"{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; @p bra done; bra again; done: }\", \"r,r\"(ptr addrspace(3) @bar, i32 %phase)
           ret void }",
    );
    assert_eq!(
        lines,
        [
            "%phase.0 = param(phase)",
            "%1: i1 = mbarrier.try_wait bar[0] parity %phase.0",
            "[not(%1)] assume 0"
        ]
    );
}

#[test]
fn a_switch_tells_its_targets_apart() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p, i32 %x) {
           switch i32 %x, label %other [ i32 1, label %one i32 2, label %two i32 3, label %two ]
         one: store i32 1, ptr %p
           br label %join
         two: store i32 2, ptr %p
           br label %join
         other: store i32 0, ptr %p
           br label %join
         join: store i32 9, ptr %p
           ret void }",
    );
    let text = lines.join("\n");
    let expected = "%1 = eq(%x.0, 1)
[%1] store p[0 +: 4] (1:i32)
%2 = eq(%x.0, 2)
%3 = eq(%x.0, 3)
[or(%2, %3)] store p[0 +: 4] (2:i32)
[and(and(not(%1), not(%2)), not(%3))] store p[0 +: 4] (0:i32)";
    assert!(text.contains(expected), "{text}");
    assert!(lines.last().is_some_and(|l| l == "store p[0 +: 4] (9:i32)"), "{text}");
}

#[test]
fn wide_integers_and_odd_instructions_do_not_panic() {
    let lines = lifted(
        "define ptx_kernel void @k(ptr %p, i256 %w, <4 x i32> %v, i32 %i) {
           %a = add i256 %w, 1
           %b = trunc i256 %a to i32
           %c = extractelement <4 x i32> %v, i32 %i
           %d = bitcast <4 x i32> %v to <2 x i64>
           %e = extractelement <2 x i64> %d, i32 1
           %f = lshr i64 %e, 32
           %g = trunc i64 %f to i32
           %h = add i32 %b, %c
           %j = add i32 %h, %g
           store i32 %j, ptr %p
           ret void }",
    );
    assert!(lines.iter().any(|l| l.contains("opaque \"add\"")), "{lines:#?}");
    assert!(lines.iter().any(|l| l.contains("opaque \"trunc\"")), "{lines:#?}");
    assert!(lines.last().is_some_and(|l| l.contains("store p")), "{lines:#?}");
}

#[test]
fn irreducible_flow_is_an_error() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
         define ptx_kernel void @k(i1 %c) {
           br i1 %c, label %a, label %b
         a: br i1 %c, label %b, label %out
         b: br i1 %c, label %a, label %out
         out: ret void }";
    let (module, _) = read::read("test.ll", text.as_bytes()).expect("it reads");
    let function = module.function("k").expect("the kernel is there");
    assert!(matches!(lift(&module, function), Err(LiftError::Irreducible { .. })));
}

#[test]
fn an_instruction_keeps_the_number_it_had_in_the_text() {
    let text = "target triple = \"nvptx64-nvidia-cuda\"
         define internal void @write(ptr %q) {
           %x = load i32, ptr %q
           store i32 %x, ptr %q
           ret void }
         define ptx_kernel void @k(ptr %p) {
           %slot = alloca ptr
           store ptr %p, ptr %slot
           %q = load ptr, ptr %slot
           store i32 1, ptr %q
           call void @write(ptr %q)
           ret void }";
    let prepared =
        load(&Input::memory("test.ll", text), &CompileOptions::default()).expect("it loads");
    let function = prepared.module.function("k").expect("the kernel is there");
    let kernel = lift(&prepared.module, function).expect("it lifts");
    let mut places = Vec::new();
    kernel.for_each_op(|op, _| {
        let origin = &kernel[kernel[op].origin];
        places.push((origin.source_function.clone(), origin.ordinal));
    });
    let write = Some("write".to_owned());
    assert_eq!(places, [(None, Some(3)), (write.clone(), Some(0)), (write, Some(1))]);
}
