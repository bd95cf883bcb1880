//! Variables of the block and the device as globals of LLVM, with what they hold at first.
//!
//! **Claim**: what a variable of the device holds when a kernel starts is the host's to say, with
//! or without `.visible`: CUDA's `static __constant__ int c = 5;` has none, and the host sets it by
//! its name all the same. So an initializer is what a run starts with, and nothing that a proof
//! may rest on.
//!
//! **Does not**: follow initializers that take bytes of addresses (`0xff(x)`), or compute: such a
//! variable holds what nobody knows.

use super::Wrong;
use super::cursor::Cursor;
use super::file::File;
use super::variable::{Linkage, Variable, address_space};
use heddle_ptx::lexer::Token;
use heddle_ptx::{Operand, Space};

/// The definition of a variable of the block or the device.
pub(super) fn definition(file: &File, tokens: &[Token], it: &Variable) -> Result<String, Wrong> {
    let Some(space) = it.space else { return Err((it.at, "a register outside".to_owned())) };
    let number = address_space(space);
    if number == 0 {
        return Err((it.at, format!("`{}` needs a function around it", it.name)));
    }
    let (name, align, ty) = (&it.name, it.align, it.ir_type());
    let kind = if space == Space::Constant { "constant" } else { "global" };
    let is_open = it.linkage == Linkage::Extern || it.bytes.is_none();
    if is_open {
        return Ok(format!(
            "@\"{name}\" = external addrspace({number}) global {ty}, align {align}\n"
        ));
    }
    if number == 3 {
        return Ok(format!(
            "@\"{name}\" = internal addrspace(3) global {ty} undef, align {align}\n"
        ));
    }
    let linkage = if it.linkage == Linkage::Internal { " internal" } else { "" };
    let head = format!("@\"{name}\" ={linkage} addrspace({number}) externally_initialized {kind}");
    match initial(file, tokens, it) {
        Some(value) => Ok(format!("{head} {value}, align {align}\n")),
        // What it holds at first is not followed.
        None => {
            Ok(format!("@\"{name}\" = external addrspace({number}) global {ty}, align {align}\n"))
        }
    }
}

/// Type and value of an initializer: numbers in braces, or addresses of variables.
fn initial(file: &File, tokens: &[Token], it: &Variable) -> Option<String> {
    let bytes = usize::try_from(it.bytes?).ok()?;
    let ty = it.ir_type();
    let Some(range) = it.initial.clone() else { return Some(format!("{ty} zeroinitializer")) };
    let mut cursor = Cursor::new(&tokens[range], it.at);
    let mut values = Vec::new();
    while cursor.peek().is_some() {
        if cursor.eat('{') || cursor.eat('}') || cursor.eat(',') {
            continue;
        }
        values.push(element(file, &mut cursor, it)?);
    }
    let size = usize::try_from(it.bits() / 8).ok().filter(|it| *it > 0)?;
    if values.iter().any(|it| matches!(it, Element::Address(_))) {
        if size != 8 {
            return None;
        }
        let mut fields: Vec<String> = values
            .iter()
            .map(|it| match it {
                Element::Number(value) => format!("i64 {}", *value as i64),
                Element::Address(text) => format!("i64 {text}"),
            })
            .collect();
        fields.resize(bytes / 8, "i64 0".to_owned());
        if !it.is_array {
            return fields.pop();
        }
        return Some(format!("[{} x i64] [{}]", fields.len(), fields.join(", ")));
    }
    let mut content: Vec<u8> = Vec::with_capacity(bytes);
    for value in &values {
        if let Element::Number(value) = value {
            content.extend(value.to_le_bytes().iter().copied().chain([0; 8]).take(size));
        }
    }
    if content.len() > bytes {
        return None;
    }
    content.resize(bytes, 0);
    if !it.is_array {
        let mut whole = [0; 16];
        whole.get_mut(..content.len())?.copy_from_slice(&content);
        return Some(format!("{ty} {}", i128::from_le_bytes(whole)));
    }
    let text: String = content.iter().map(|it| format!("\\{it:02X}")).collect();
    Some(format!("{ty} c\"{text}\""))
}

enum Element {
    /// Its low bytes count.
    Number(u64),
    Address(String),
}

fn element(file: &File, cursor: &mut Cursor<'_>, of: &Variable) -> Option<Element> {
    let word = cursor.peek_word();
    let name = match word {
        Some("generic") => {
            cursor.at += 1;
            cursor.expect('(').ok()?;
            let name = cursor.word("a variable").ok()?;
            cursor.expect(')').ok()?;
            Some(name)
        }
        Some(word) if !word.starts_with(|c: char| c.is_ascii_digit()) => {
            cursor.at += 1;
            Some(word)
        }
        _ => None,
    };
    if let Some(name) = name {
        let sign = if cursor.eat('+') { 1 } else { -i128::from(cursor.eat('-')) };
        let offset = match sign {
            0 => 0,
            _ => sign * i128::from(cursor.count().ok()?),
        };
        let address = match (file.variable(name), file.function(name)) {
            (Some(variable), _) => {
                let space = address_space(variable.space?);
                let cast = match space {
                    0 => return None,
                    1 => format!("addrspacecast (ptr addrspace(1) @\"{name}\" to ptr)"),
                    n => format!("addrspacecast (ptr addrspace({n}) @\"{name}\" to ptr)"),
                };
                format!("ptrtoint (ptr getelementptr (i8, ptr {cast}, i64 {offset}) to i64)")
            }
            (None, Some(function)) if offset == 0 => {
                format!("ptrtoint (ptr @\"{}\" to i64)", function.name)
            }
            (None, _) => return None,
        };
        return Some(Element::Address(address));
    }
    match cursor.constant().ok()? {
        Operand::Int(value) => Some(Element::Number(value as u64)),
        Operand::Float { bits, width: 64 } if of.bits() == 32 => {
            Some(Element::Number(u64::from((f64::from_bits(bits) as f32).to_bits())))
        }
        Operand::Float { bits, width } if u32::from(width) == of.bits() => {
            Some(Element::Number(bits))
        }
        _ => None,
    }
}
