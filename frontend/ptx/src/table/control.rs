//! Control flow and the rest (PTX ISA 9.7.12, 9.7.19).
//!
//! `call` and `ret` are left unknown: where they go is not in the template.

use super::super::class::Class;
use super::Row;

pub(super) const ROWS: &[Row] = &[
    Row {
        pattern: "bra{.uni}",
        operands: "target",
        class: |m| Some(Class::Branch { uniform: m.has("uni") }),
    },
    Row { pattern: "exit", operands: "", class: |_| Some(Class::Exit) },
    Row { pattern: "trap", operands: "", class: |_| Some(Class::Trap) },
    Row { pattern: "brkpt", operands: "", class: |_| Some(Class::Breakpoint) },
    Row { pattern: "nanosleep.u32", operands: "value", class: |_| Some(Class::Sleep) },
    Row { pattern: "pmevent{.mask}", operands: "value", class: |_| Some(Class::Hint) },
    Row {
        pattern: "setmaxnreg.inc|dec.sync.aligned.u32",
        operands: "registers",
        class: |m| Some(Class::SetMaxRegisters { increase: m.has("inc") }),
    },
];
