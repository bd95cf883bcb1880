//! The language around the instructions, and what is no PTX: refused, with a place.

use super::super::class::{Class, MbarrierOp};
use super::super::constraint::{ConstraintKind, OperandClass};
use super::super::error::{AsmError, AsmErrorKind};
use super::super::instruction::{Guard, Role};
use super::super::operand::{Address, LabelId, Offset, Operand, RegId};
use super::super::read;
use super::super::special::{Axis, Special};
use super::instruction;

fn fault(template: &str, constraints: &str) -> (usize, AsmErrorKind) {
    let AsmError { kind, column, .. } = read(template, constraints).expect_err(template);
    (column, kind)
}

#[test]
fn a_wait_loop_has_its_labels_and_its_branches() {
    let asm = read(
        "{\n\t.reg .pred       P1; \n\tLAB_WAIT: \n\tmbarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1; \n\t\
         @P1 bra DONE; \n\tbra     LAB_WAIT; \n\tDONE: \n\t}",
        "r,r,~{memory}",
    )
    .expect("PTX");
    assert!(asm.clobbers_memory);
    let [wait, done, again] = &asm.instructions[..] else { panic!("{asm:?}") };
    assert!(matches!(
        wait.class,
        Class::Mbarrier { op: MbarrierOp::Test { may_wait: true, .. }, .. }
    ));
    assert_eq!(wait.operand(Role::Dest), Some(&Operand::Reg(RegId(0))));
    assert_eq!(done.guard, Some(Guard { negated: false, predicate: Operand::Reg(RegId(0)) }));
    assert_eq!(done.operand(Role::Target), Some(&Operand::Label(LabelId(1))));
    assert_eq!(again.operand(Role::Target), Some(&Operand::Label(LabelId(0))));
    assert_eq!(asm.labels.iter().map(|label| label.at).collect::<Vec<_>>(), [0, 3]);
}

#[test]
fn inner_blocks_hide_outer_names() {
    let asm = read(
        "{ .reg .b32 t; mov.u32 t, 1; { .reg .b32 t; mov.u32 t, 2; X: bra X; } mov.u32 $0, t; X: bra X; }",
        "=r",
    )
    .expect("PTX");
    let dests: Vec<_> = asm.instructions.iter().flat_map(|i| i.dests()).collect();
    assert_eq!(dests, [&Operand::Reg(RegId(0)), &Operand::Reg(RegId(1)), &Operand::Asm(0)]);
    assert_eq!(asm.instructions[3].operand(Role::Value), Some(&Operand::Reg(RegId(0))));
    assert_eq!(asm.instructions[2].operand(Role::Target), Some(&Operand::Label(LabelId(0))));
    assert_eq!(asm.instructions[4].operand(Role::Target), Some(&Operand::Label(LabelId(1))));
}

#[test]
fn comments_continuations_and_doubled_dollars_are_read() {
    let asm = read(
        "{ // to the line's end }\n .reg .pred %p$$<2>; /* and\n here } */ setp.eq.u32 %p$$1, \\\n ${1:x}, ${2}; \
         @!%p$$1 trap;\n L${:uid}: bra L${:uid};\n .pragma \"nounroll\"; }",
        "=r,r,n",
    )
    .expect("PTX");
    assert_eq!(asm.regs.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["%p$0", "%p$1"]);
    assert_eq!(asm.instructions.len(), 3);
    assert_eq!(
        asm.instructions[1].guard,
        Some(Guard { negated: true, predicate: Operand::Reg(RegId(1)) })
    );
    assert_eq!(asm.instructions[0].operand(Role::Value), Some(&Operand::Asm(1)));
}

#[test]
fn an_address_has_a_base_and_an_offset() {
    let offset_of = |text: &str| match instruction(&format!("ld.global.u32 $0, [{text}];"))
        .operand(Role::Address)
    {
        Some(Operand::Address(Address { base, offset, .. })) => ((**base).clone(), *offset),
        other => panic!("{other:?}"),
    };
    assert_eq!(offset_of("$3"), (Operand::Asm(3), Offset::Bytes(0)));
    assert_eq!(offset_of("$3+16"), (Operand::Asm(3), Offset::Bytes(16)));
    assert_eq!(offset_of("$3 + -0x10"), (Operand::Asm(3), Offset::Bytes(-16)));
    assert_eq!(offset_of("d1-8"), (Operand::Reg(RegId(15)), Offset::Bytes(-8)));
    assert_eq!(offset_of("$3+$4"), (Operand::Asm(3), Offset::Asm(4)));
    assert_eq!(offset_of("table+4"), (Operand::Symbol("table".to_owned()), Offset::Bytes(4)));
}

#[test]
fn numbers_and_special_registers_are_read() {
    let value =
        |text: &str| instruction(&format!("mov.b64 $1, {text};")).operand(Role::Value).cloned();
    for (text, number) in
        [("0", 0), ("-1", -1), ("0xFFU", 255), ("017", 15), ("0b101", 5), ("WARP_SZ", -9)]
    {
        let expected =
            if number == -9 { Operand::Special(Special::WarpSize) } else { Operand::Int(number) };
        assert_eq!(value(text), Some(expected), "{text}");
    }
    assert_eq!(value("0fBF800000"), Some(Operand::Float { bits: 0xbf80_0000, width: 32 }));
    assert_eq!(
        value("-0d3FF0000000000000"),
        Some(Operand::Float { bits: 0xbff0_0000_0000_0000, width: 64 })
    );
    assert_eq!(value("1.5"), Some(Operand::Float { bits: 1.5f64.to_bits(), width: 64 }));
    for (text, special) in [
        ("%tid.x", Special::Tid(Axis::X)),
        ("%cluster_ctaid.z", Special::ClusterCtaid(Axis::Z)),
        ("%smid", Special::SmId),
        ("%globaltimer", Special::GlobalTimer),
        ("%dynamic_smem_size", Special::DynamicSmemSize),
        ("%lanemask_lt", Special::LanemaskLt),
        ("%envreg31", Special::EnvReg(31)),
        ("%pm0", Special::Pm(0)),
        ("%reserved_smem_offset_1", Special::ReservedSmem(1)),
        ("%reserved_smem_offset_begin", Special::ReservedSmemBegin),
    ] {
        assert_eq!(value(text), Some(Operand::Special(special)), "{text}");
    }
}

#[test]
fn constraints_are_read() {
    let asm = read("", "=r,=&l,=*m,r,0,b,n,!i,~{memory},~{flags}").expect("constraints");
    let kinds: Vec<_> = asm.operands.iter().map(|c| c.kind).collect();
    let (output, input) = (ConstraintKind::Output, ConstraintKind::Input);
    assert_eq!(
        kinds,
        [
            output,
            output,
            output,
            input,
            ConstraintKind::Tied(0),
            input,
            input,
            ConstraintKind::Label
        ]
    );
    assert!(asm.operands[1].early_clobber && asm.operands[2].indirect);
    assert_eq!(asm.operands[5].class, OperandClass::Predicate);
    assert_eq!(fault("", "=r,?"), (4, AsmErrorKind::BadConstraint("?".to_owned())));
    assert_eq!(fault("", "r,0"), (3, AsmErrorKind::BadConstraint("0".to_owned())));
}

#[test]
fn what_is_no_ptx_is_told_with_its_column() {
    let expected = AsmErrorKind::Expected;
    assert_eq!(fault("exit", ""), (5, expected("`,` or `;`")));
    assert_eq!(fault("mov.u32 $0, ;", "=r"), (13, expected("an operand")));
    assert_eq!(fault("mov.u32 $1, 0;", "=r"), (9, AsmErrorKind::NoSuchOperand(1)));
    assert_eq!(fault("ld.v$0.u32 $0, [$0];", "=r"), (1, AsmErrorKind::PlaceholderInWord));
    assert_eq!(
        fault("mov.u32 $0, %nope;", "=r"),
        (13, AsmErrorKind::UndeclaredRegister("%nope".to_owned()))
    );
    for name in ["%envreg32", "%envreg01", "%envreg", "%reserved_smem_offset_2", "%pm8"] {
        let expected = AsmErrorKind::UndeclaredRegister(name.to_owned());
        assert_eq!(fault(&format!("mov.u32 $0, {name};"), "=r"), (13, expected));
    }
    assert_eq!(fault("bra OUT;", ""), (5, AsmErrorKind::UndeclaredLabel("OUT".to_owned())));
    assert_eq!(fault("{ L: } bra L;", ""), (12, AsmErrorKind::UndeclaredLabel("L".to_owned())));
    assert_eq!(fault("{ exit;", ""), (8, AsmErrorKind::UnbalancedBlock));
    assert_eq!(fault("exit; }", ""), (7, AsmErrorKind::UnbalancedBlock));
    assert_eq!(fault(".reg .b32 a, a;", ""), (14, AsmErrorKind::Redeclared("a".to_owned())));
    assert_eq!(
        fault(".reg .f32 v; mov.f32 v.x, 0;", ""),
        (22, AsmErrorKind::VectorElement("v.x".to_owned()))
    );
    assert_eq!(fault("/* exit;", ""), (1, AsmErrorKind::Unterminated("comment")));
    assert_eq!(fault("mov.u32 $0, 99999999999999999999;", "=r").0, 13);
    assert_eq!(fault("exit; \u{e9}", ""), (7, AsmErrorKind::UnexpectedCharacter('\u{e9}')));
    assert_eq!(fault("@5 exit;", ""), (2, expected("a predicate register after `@`")));
    assert_eq!(fault("$(a$|b$)", ""), (1, AsmErrorKind::BadPlaceholder));
    assert_eq!(fault(".reg .b32 r<99999>;", ""), (11, AsmErrorKind::TooLarge));
}

#[test]
fn an_error_names_the_template_and_the_column() {
    let error = read("mov.u32 $0,\n%nope;", "=r").expect_err("not declared");
    let text = error.to_string();
    assert_eq!(
        text,
        "inline PTX `mov.u32 $0,\\n%nope;`, column 13: `%nope` is not declared; add `.reg` in the same `{ }` block"
    );
}
