//! Each kind of instruction, as headers in use write it; then the language around them; then what
//! is no PTX.

mod async_copy;
mod barrier;
mod control;
mod fence;
mod matrix;
mod mbarrier;
mod memory;
mod mutation;
mod nvvm;
mod register;
mod syntax;
mod texture;
mod warp;

use std::collections::BTreeSet;

use super::class::Class;
use super::instruction::{Instruction, Role};
use super::operand::Operand;
use super::roles::Context;
use super::{Asm, constraint, lexer, parser, read, table};

/// `$0` and `$1` are outputs of 32 and 64 bits, `$2` and `$3` inputs, `$4` a constant.
const CONSTRAINTS: &str = "=r,=l,r,l,n,~{memory}";

/// A statement among local registers of each kind.
fn in_block(statement: &str) -> String {
    format!(
        "{{ .reg .pred p, q; .reg .b16 h<4>; .reg .b32 r<8>; .reg .b64 d<4>; .reg .f32 f<4>; .reg .b128 x;\n\t{statement} }}"
    )
}

/// The one instruction of a statement.
fn instruction(statement: &str) -> Instruction {
    let Asm { mut instructions, .. } = read(&in_block(statement), CONSTRAINTS)
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
    assert_eq!(instructions.len(), 1, "{statement}");
    instructions.remove(0)
}

fn check(examples: &[(&str, Class)]) {
    for (statement, expected) in examples {
        assert_eq!(instruction(statement).class, *expected, "{statement}");
    }
}

/// The roles of a statement's operands, in order.
fn roles(statement: &str) -> Vec<Role> {
    instruction(statement).operands.iter().map(|(role, _)| *role).collect()
}

/// Statements of all kinds, from the files beside this one.
fn all_examples() -> Vec<&'static str> {
    let mut statements = Vec::new();
    for examples in [
        barrier::examples(),
        mbarrier::examples(),
        async_copy::examples(),
        fence::examples(),
        memory::examples(),
        warp::examples(),
        matrix::examples(),
        texture::examples(),
        register::examples(),
        control::examples(),
    ] {
        statements.extend(examples.into_iter().map(|(statement, _)| statement));
    }
    statements
}

#[test]
fn each_row_of_the_table_has_an_example() {
    let operands = constraint::parse(CONSTRAINTS).expect("constraints").operands;
    let mut covered = BTreeSet::new();
    for statement in all_examples() {
        let tokens = lexer::lex(&in_block(statement)).expect(statement);
        let parsed = parser::parse(&tokens, 0, operands.len()).expect(statement);
        let cx = Context { operands: &operands, regs: &parsed.regs };
        covered.extend(parsed.statements.iter().filter_map(|s| table::row_of(&cx, s)));
    }
    let missing: Vec<_> = table::patterns()
        .enumerate()
        .filter(|(at, _)| !covered.contains(at))
        .map(|(_, pattern)| pattern)
        .collect();
    assert!(missing.is_empty(), "rows without an example: {missing:#?}");
}

#[test]
fn each_signature_names_roles_that_exist() {
    for signature in table::signatures().filter(|&s| s != "any") {
        for word in signature.split_whitespace() {
            let name = word.split(['?', '*', '@']).next().unwrap_or(word);
            assert!(Role::parse(name).is_some(), "`{word}` in `{signature}`");
        }
    }
}

#[test]
fn a_memory_clobber_is_seen() {
    assert!(read("membar.gl;", "~{memory}").expect("PTX").clobbers_memory);
    assert!(!read("membar.gl;", "").expect("PTX").clobbers_memory);
    let asm = read("mov.u32 $0, %laneid;", "=r").expect("PTX");
    assert_eq!(asm.instructions[0].dests().collect::<Vec<_>>(), [&Operand::Asm(0)]);
}
