//! No string makes the reader panic or run away, and no instruction is lost on the way.

use super::super::read;
use super::{CONSTRAINTS, all_examples, in_block};

/// xorshift64: the same numbers on each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or(0)
    }
}

const PIECES: &[&str] = &[
    "$",
    "$$",
    "${",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    ";",
    ":",
    "::",
    "@",
    "@!",
    "!",
    "|",
    "+",
    "-",
    ",",
    ".",
    "%",
    "_",
    "\"",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\n",
    "0x",
    "0f",
    "$0",
    "$9",
    "${0:x}",
    "${:uid}",
    "99999999999999999999",
    ".reg .b32 ",
    "bra ",
    ".u32",
    "\u{e9}",
    "\0",
    "<",
    ">",
    "=",
];

#[test]
fn no_mutation_makes_it_panic() {
    let examples = all_examples();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut read_well, mut refused) = (0, 0);
    for round in 0..20_000 {
        let mut text: Vec<char> = in_block(examples[round % examples.len()]).chars().collect();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(text.len() + 1);
            let until = (at + numbers.below(6)).min(text.len());
            match numbers.below(3) {
                0 => drop(text.drain(at..until)),
                1 => drop(text.splice(at..at, PIECES[numbers.below(PIECES.len())].chars())),
                _ => {
                    let copied = text[at..until].to_vec();
                    let to = numbers.below(text.len() + 1);
                    drop(text.splice(to..to, copied));
                }
            }
        }
        let text: String = text.into_iter().collect();
        match read(&text, CONSTRAINTS) {
            Ok(asm) => {
                read_well += 1;
                assert!(
                    asm.instructions.iter().all(|i| i.column <= text.chars().count()),
                    "{text}"
                );
            }
            Err(error) => {
                refused += 1;
                assert!(error.column <= text.chars().count() + 1, "{text}: {error}");
            }
        }
    }
    assert!(read_well > 1000 && refused > 1000, "{read_well} read, {refused} refused");
}

#[test]
fn no_constraint_string_makes_it_panic() {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let alphabet: Vec<char> = "=&*~{},rlhnbm0129!i|\u{e9}".chars().collect();
    let mut refused = 0;
    for _ in 0..5000 {
        let length = numbers.below(12);
        let text: String = (0..length).map(|_| alphabet[numbers.below(alphabet.len())]).collect();
        refused += usize::from(read("mov.u32 $0, $1;", &text).is_err());
    }
    assert!(refused > 1000);
}

#[test]
fn deep_and_long_input_ends() {
    let deep = [
        "{".repeat(10_000),
        "mov.u32 ".to_owned() + &"[".repeat(10_000),
        "a ".to_owned() + &"!".repeat(10_000),
    ];
    for text in deep {
        assert!(read(&text, "").is_err());
    }
    let long_opcode = format!("ld{}.u32 $0, [$0];", ".ca".repeat(10_000));
    let many_operands = format!("mma.sync $0{};", ", 1".repeat(10_000));
    for text in [long_opcode, many_operands] {
        assert_eq!(read(&text, "=r").expect("PTX").instructions.len(), 1);
    }
}
