//! Branches, predicates, exits and traps inside one statement.

use super::super::class::Class;
use super::super::instruction::Role;
use super::{check, roles};

pub(super) fn examples() -> Vec<(&'static str, Class)> {
    vec![
        ("HERE: bra.uni HERE;", Class::Branch { uniform: true }),
        ("@!p bra END; END:", Class::Branch { uniform: false }),
        ("exit;", Class::Exit),
        ("trap;", Class::Trap),
        ("brkpt;", Class::Breakpoint),
        ("nanosleep.u32 $2;", Class::Sleep),
        ("pmevent 7;", Class::Hint),
        ("setmaxnreg.inc.sync.aligned.u32 $4;", Class::SetMaxRegisters { increase: true }),
    ]
}

#[test]
fn control_flow() {
    check(&examples());
}

#[test]
fn what_the_table_does_not_know_may_write_what_can_be_written() {
    check(&[
        ("call (r0), f, (r1);", Class::Unknown),
        ("ret;", Class::Unknown),
        (
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [$2], r0, [r1];",
            Class::Unknown,
        ),
        (".shared .align 4 .b8 buffer[16];", Class::Unknown),
    ]);
    let guess = roles("frobnicate.b32 $0, r0, $2, [$3], 7, {r1, 2};");
    let (rw, r) = (Role::ReadWrite, Role::Rest);
    assert_eq!(guess, [rw, rw, r, rw, r, rw]);
}
