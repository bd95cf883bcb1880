//! Declarations of variables: parameters, memory of the thread, the block and the device.

use std::ops::Range;

use super::Wrong;
use super::cursor::Cursor;
use super::file::File;
use crate::ptx::lexer::{Token, TokenKind};
use crate::ptx::{Operand, Space, Type, TypeKind};

/// More bytes than this are no variable.
const MOST_BYTES: u64 = 1 << 40;

/// Who sees a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linkage {
    Internal,
    Extern,
    Visible,
    Weak,
    Common,
}

/// A variable, or a parameter.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// `None`: a register (`.reg`), as a parameter of old functions.
    pub(super) space: Option<Space>,
    pub(super) ty: Type,
    pub(super) align: u64,
    /// Its size; none of an array without one.
    pub(super) bytes: Option<u64>,
    pub(super) is_array: bool,
    /// `.ptr`, and the space that it names.
    pub(super) pointer: Option<Space>,
    pub(super) linkage: Linkage,
    /// The tokens of its initializer.
    pub(super) initial: Option<Range<usize>>,
    pub(super) at: usize,
}

impl Variable {
    /// The integer that holds one value.
    pub(super) fn bits(&self) -> u32 {
        u32::from(self.ty.bits) * u32::from(self.ty.lanes)
    }

    /// What a value of it is in IR.
    pub(super) fn ir_type(&self) -> String {
        match (self.is_array, self.bytes) {
            (true, bytes) => format!("[{} x i8]", bytes.unwrap_or(0)),
            (false, _) => format!("i{}", self.bits()),
        }
    }
}

/// The address space of LLVM's NVPTX for variables of a space.
pub(super) fn address_space(space: Space) -> u32 {
    match space {
        Space::Global => 1,
        Space::SharedBlock | Space::SharedCluster => 3,
        Space::Constant => 4,
        // Variables of the thread are `alloca`s, which are generic in LLVM.
        Space::Generic | Space::Local | Space::Parameter => 0,
    }
}

/// Reads the words and names of one declaration, without its `;`. Parameters (`nth` says which) may
/// have no name, and have none after them.
pub(super) fn declared(
    cursor: &mut Cursor<'_>,
    linkage: Linkage,
    nth: Option<usize>,
) -> Result<Vec<Variable>, Wrong> {
    let (mut space, mut ty, mut align, mut pointer) = (None, None, None, None);
    let (mut lanes, mut is_register) = (1, false);
    while let Some(word) = cursor.peek_word().filter(|it| it.starts_with('.')) {
        let place = cursor.place();
        cursor.at += 1;
        for part in word.split('.').filter(|it| !it.is_empty()) {
            match part {
                "align" => align = Some(cursor.count()?),
                "ptr" => pointer = Some(Space::Generic),
                "reg" => is_register = true,
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "attribute" => {
                    cursor.expect('(')?;
                    cursor.skip_to_close('(', ')')?;
                }
                "texref" | "surfref" | "samplerref" => {
                    ty = Some(Type { kind: TypeKind::Bits, bits: 64, lanes: 1 });
                }
                _ => match (Type::parse(part), Space::parse(part)) {
                    (Some(found), _) => ty = Some(found),
                    (None, Some(found)) if pointer.is_some() => pointer = Some(found),
                    (None, Some(found)) => space = Some(found),
                    (None, None) => {
                        return Err((place, format!("`{word}` has no place in a declaration")));
                    }
                },
            }
        }
    }
    let Some(ty) = ty else { return cursor.wrong("a type") };
    if space.is_none() && !is_register {
        return cursor.wrong("a state space, as `.global`");
    }
    let mut all = Vec::new();
    loop {
        let at = cursor.place();
        let name = match (cursor.peek_word(), nth) {
            (Some(name), _) if !name.starts_with(|c: char| c == '.' || c.is_ascii_digit()) => {
                cursor.at += 1;
                name.to_owned()
            }
            (_, Some(n)) => format!("_{n}"),
            (_, None) => return cursor.wrong("the name of a variable"),
        };
        let element = (u64::from(ty.bits) * u64::from(ty.lanes)).div_ceil(8) * lanes;
        let (mut bytes, mut is_array) = (Some(element), lanes > 1);
        while cursor.eat('[') {
            is_array = true;
            if cursor.eat(']') {
                bytes = None;
                continue;
            }
            let count = cursor.count()?;
            bytes = bytes.and_then(|it| it.checked_mul(count));
            if bytes.is_none_or(|it| it > MOST_BYTES) {
                return Err((at, format!("`{name}` is too large")));
            }
            cursor.expect(']')?;
        }
        let mut initial = None;
        if cursor.eat('=') {
            let first = cursor.at;
            if cursor.eat('{') {
                cursor.skip_to_close('{', '}')?;
            } else {
                while !matches!(cursor.peek(), Some(TokenKind::Mark(',' | ';')) | None) {
                    cursor.at += 1;
                }
            }
            initial = Some(first..cursor.at);
        }
        let align = align.unwrap_or(element).max(1);
        if !align.is_power_of_two() || align > 1 << 20 {
            return Err((at, format!("{align} is no alignment")));
        }
        let space = if is_register { None } else { space };
        if bytes.is_none() && initial.is_some() {
            bytes = None;
        }
        all.push(Variable {
            name,
            space,
            ty,
            align,
            bytes,
            is_array,
            pointer,
            linkage,
            initial,
            at,
        });
        if nth.is_some() || !cursor.eat(',') {
            return Ok(all);
        }
    }
}

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
    let visible = it.linkage != Linkage::Internal;
    let host = if visible { " externally_initialized" } else { "" };
    let linkage = if visible { "" } else { " internal" };
    let head = format!("@\"{name}\" ={linkage} addrspace({number}){host} {kind}");
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
