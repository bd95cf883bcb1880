//! What has no instruction of LLVM: a call of inline assembly with the instruction in it, so that
//! the tables of inline PTX say what it does.

use std::fmt::Write as _;

use super::Wrong;
use super::function::Writer;
use heddle_ptx::lexer::TokenKind;
use heddle_ptx::registers::Slots as _;
use heddle_ptx::{Address, Class, Instruction, Offset, Operand, RegId, Role};

/// A word of an instruction that stands for a value.
enum Met {
    Register { id: RegId, is_read: bool, is_written: bool },
    Symbol(String),
}

impl Writer<'_> {
    /// The instruction as it is written, in inline assembly.
    pub(super) fn inline(&mut self, it: &Instruction) -> Result<(), Wrong> {
        let mut met = Vec::new();
        for (role, operand) in &it.operands {
            collect(operand, *role, &mut met);
        }
        let outputs: Vec<RegId> = met
            .iter()
            .filter_map(|it| match it {
                Met::Register { id, is_written: true, .. } => Some(*id),
                Met::Register { .. } | Met::Symbol(_) => None,
            })
            .collect();
        let (mut constraints, mut arguments) = (Vec::new(), Vec::new());
        for id in &outputs {
            constraints.push(format!("={}", self.letter(*id)?));
        }
        // By the order of words: what stands there.
        let (mut words, mut written) = (Vec::new(), 0);
        let mut tied = Vec::new();
        for it in &met {
            match it {
                Met::Register { id, is_read, is_written } => {
                    let name = self.body.registers[id.0].name.clone();
                    let operand = Operand::Reg(*id);
                    let bits = self.width(&operand).unwrap_or(32);
                    if *is_written {
                        words.push((name, format!("${written}")));
                        if *is_read {
                            tied.push((written, operand, bits));
                        }
                        written += 1;
                        continue;
                    }
                    let n = outputs.len() + arguments.len();
                    constraints.push(self.letter(*id)?.to_owned());
                    let pointer = if bits == 64 { self.pointer(&operand) } else { None };
                    arguments.push(match pointer {
                        Some(pointer) => format!("ptr {pointer}"),
                        None => {
                            let Some(value) = self.operand(&operand, bits) else {
                                return self.wrong(format!("`{name}` has no value"));
                            };
                            format!("i{bits} {value}")
                        }
                    });
                    words.push((name, format!("${n}")));
                }
                Met::Symbol(name) => match self.symbol(name) {
                    Some(found) => {
                        let n = outputs.len() + arguments.len();
                        constraints.push("l".to_owned());
                        arguments.push(found.pointer);
                        words.push((name.clone(), format!("${n}")));
                    }
                    None => return self.wrong(format!("`{name}` is not declared")),
                },
            }
        }
        for (to, operand, bits) in tied {
            let Some(value) = self.operand(&operand, bits) else { continue };
            constraints.push(to.to_string());
            arguments.push(format!("i{bits} {value}"));
        }
        // A clock gives another number each time.
        let is_special = |operand: &Operand| matches!(operand, Operand::Special(_));
        let reads_special = it.operands.iter().any(|(_, it)| is_special(it));
        let is_pure = matches!(it.class, Class::Pure { .. }) && !reads_special;
        if !is_pure {
            constraints.push("~{memory}".to_owned());
        }
        let template = self.template(&words);
        let types: Vec<String> = outputs
            .iter()
            .map(|id| format!("i{}", self.width(&Operand::Reg(*id)).unwrap_or(32)))
            .collect();
        let ty = match &types[..] {
            [] => "void".to_owned(),
            [one] => one.clone(),
            many => format!("{{ {} }}", many.join(", ")),
        };
        let (effect, group) = if is_pure { ("", 1) } else { (" sideeffect", 0) };
        let call = format!(
            "call {ty} asm{effect} \"{template}\", \"{}\"({}) #{group}",
            constraints.join(","),
            arguments.join(", ")
        );
        if outputs.is_empty() {
            self.line(&call);
            return Ok(());
        }
        let result = self.value(&call);
        for (n, (id, own)) in outputs.iter().zip(&types).enumerate() {
            let value = match outputs.len() {
                1 => result.clone(),
                _ => self.value(&format!("extractvalue {ty} {result}, {n}")),
            };
            let bits = self.width(&Operand::Reg(*id)).unwrap_or(32);
            if self.set(&Operand::Reg(*id), bits, &value).is_none() {
                return self.wrong(format!("a result of {own} has no place to go"));
            }
        }
        Ok(())
    }

    /// The instruction's words, with `$n` for what comes from outside.
    fn template(&self, words: &[(String, String)]) -> String {
        let mut words = words.iter().peekable();
        let mut text = String::new();
        for token in &self.body.tokens[self.step.tokens.clone()] {
            match &token.kind {
                TokenKind::Word(word) => {
                    let shown = match words.next_if(|(name, _)| name == word) {
                        Some((_, instead)) => instead.clone(),
                        None => word.replace('$', "$$"),
                    };
                    let _written = write!(text, "{shown} ");
                }
                TokenKind::Mark(mark) => {
                    text.push(*mark);
                    // A sign belongs to its number.
                    if !matches!(mark, '-' | '!' | '[' | '{' | '(') {
                        text.push(' ');
                    }
                }
                TokenKind::Text(_) | TokenKind::Asm(_) => {}
            }
        }
        text.trim_end().to_owned() + ";"
    }

    /// The constraint of a register.
    fn letter(&self, id: RegId) -> Result<&'static str, Wrong> {
        match self.width(&Operand::Reg(id)) {
            Some(1) => Ok("b"),
            Some(8 | 16) => Ok("h"),
            Some(32) => Ok("r"),
            Some(64) => Ok("l"),
            Some(128) => Ok("q"),
            Some(_) | None => {
                let name = &self.body.registers[id.0].name;
                self.wrong(format!("`{name}` has a width that no register has"))
            }
        }
    }
}

/// The registers and names of an operand, in the order of its words.
fn collect(operand: &Operand, role: Role, met: &mut Vec<Met>) {
    match operand {
        Operand::Reg(id) => met.push(Met::Register {
            id: *id,
            is_read: !matches!(role, Role::Dest | Role::DestPred),
            is_written: role.writes(),
        }),
        Operand::Symbol(name) => met.push(Met::Symbol(name.clone())),
        Operand::Not(inner) => collect(inner, Role::Rest, met),
        Operand::Address(Address { base, offset, coordinates }) => {
            collect(base, Role::Rest, met);
            match offset {
                Offset::Bytes(_) | Offset::Asm(_) => {}
            }
            coordinates.iter().for_each(|it| collect(it, Role::Rest, met));
        }
        Operand::Vector(parts) => parts.iter().for_each(|it| collect(it, role, met)),
        Operand::Asm(_)
        | Operand::Int(_)
        | Operand::Float { .. }
        | Operand::Special(_)
        | Operand::Sink
        | Operand::Label(_) => {}
    }
}
